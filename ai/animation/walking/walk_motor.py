"""Walk motor: the eight calls by which a mind moves bodies.

A mind sets speed, turn, goal, tolerance, halt, gait and mode, and reads the state. It never writes a position: the
state is handed out read-only. Below it, the control turns the head for its goal, slows down where it halts, and walks
by :mod:`ai.animation.walking.walk_control` in inner steps.

Columns have one entry per body; lengths are tiles, speeds tiles/s, angles radians clockwise on the screen.

Source: "Journal of Game Development 1", "Versatile Walk Engine" (nonplayer character control, motion layers). The
source counts eight methods without their names; these are a working set.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ai.animation.walking.walk_control import HEADING, ROWS, X, Y, inner_steps, walk_on

TURN_TO_GOAL = 4.0
"""Turn in radians/s for each radian between heading and goal."""
HALT_FROM = 1.2
"""Seconds of walking before a goal from which a body that halts slows down."""


class Mode(IntEnum):
    """Source of the turn of a body."""

    SPEEDS = 0
    """Goes by the set speed and turn."""
    GOAL = 1
    """Goes towards the set goal."""


class WalkMotor:
    """Motor of some bodies that begin at rest."""

    def __init__(self, x: np.ndarray, y: np.ndarray, heading: np.ndarray) -> None:
        n = len(x)
        self._state = np.zeros((ROWS, n))
        self._state[X], self._state[Y], self._state[HEADING] = x, y, heading
        self._speed, self._turn = np.zeros(n), np.zeros(n)
        self._goal, self._tolerance = np.column_stack([x, y]).astype(float), np.full(n, 0.15)
        self._halts, self._leg = np.ones(n, bool), np.full(n, 0.94)
        self._direct, self._mode = np.zeros(n, bool), np.zeros(n, np.int64)
        self._arrived = np.zeros(n, bool)

    def set_speed(self, bodies: np.ndarray, speed: float) -> None:
        """Set the wanted speed."""
        self._speed[bodies] = speed

    def set_turn(self, bodies: np.ndarray, turn: float) -> None:
        """Set the wanted turn of bodies that go by speeds."""
        self._turn[bodies] = turn

    def set_goal(self, bodies: np.ndarray, x: float, y: float) -> None:
        """Set the goal; a body that had arrived sets out again."""
        self._goal[bodies] = x, y
        self._arrived[bodies] = False

    def set_tolerance(self, bodies: np.ndarray, tolerance: float) -> None:
        """Set the distance from its goal at which a body has arrived."""
        self._tolerance[bodies] = tolerance

    def set_halt(self, bodies: np.ndarray, halts: bool) -> None:
        """Set whether a body stops at its goal, or goes straight on."""
        self._halts[bodies] = halts

    def set_gait(self, bodies: np.ndarray, leg: float, direct: bool = False) -> None:
        """Set the length of legs, and whether speeds change at once."""
        self._leg[bodies], self._direct[bodies] = leg, direct

    def set_mode(self, bodies: np.ndarray, mode: Mode) -> None:
        """Set whether bodies go by speeds or to their goals."""
        self._mode[bodies] = mode

    def get_state(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the state float64[8, n] and the bodies that have arrived, read-only."""
        state, arrived = self._state.copy(), self._arrived.copy()
        state.flags.writeable = arrived.flags.writeable = False
        return state, arrived

    def advance(self, seconds: float) -> None:
        """Go on by one tick, in inner steps."""
        for step in inner_steps(seconds):
            speed, turn = self._wanted()
            smooth = walk_on(self._state, speed, turn, self._leg, step)
            at_once = walk_on(self._state, speed, turn, self._leg, step, direct=True)
            self._state = np.where(self._direct, at_once, smooth)

    def _wanted(self) -> tuple[np.ndarray, np.ndarray]:
        """Return wanted speeds and turns, and mark the bodies that arrive."""
        s = self._state
        dx, dy = self._goal[:, 0] - s[X], self._goal[:, 1] - s[Y]
        left, to_goal = np.hypot(dx, dy), self._mode == Mode.GOAL
        self._arrived |= to_goal & (left <= self._tolerance)
        error = (np.arctan2(dy, dx) - s[HEADING] + np.pi) % (2.0 * np.pi) - np.pi
        turn = np.where(to_goal, np.where(self._arrived, 0.0, TURN_TO_GOAL * error), self._turn)
        slow = np.where(self._halts, np.where(self._arrived, 0.0, left / HALT_FROM), np.inf)
        # A body that faces away turns first: a fixed gain would circle round a near goal.
        ahead = np.where(self._arrived, 1.0, np.maximum(np.cos(error), 0.05))
        return np.where(to_goal, np.minimum(self._speed * ahead, slow), self._speed), turn


TECHNIQUES = (
    {
        "slug": "walk-motor",
        "name": "Motor of eight calls between mind and legs",
        "ids": ("JOGD-2.13",),
        "source": "Journal of Game Development 1, Versatile Walk Engine",
        "functions": ("WalkMotor.advance",),
        "test": "tests/ai/animation/walking/test_walk_motor.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: minds of the game move bodies by orders and paths.",
    },
)
