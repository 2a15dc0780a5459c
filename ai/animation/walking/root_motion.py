"""Root motion: the clip moves the body, or the game does; three corrections apart.

A clip has a root track: the pose of the ground below the hips at equal times of the clip, against its start. In a tick
the motion between two times of the clip is read off and handed on, so the sum over a clip is its whole motion at every
tick rate. In game mode the clip stands on the spot, and a velocity moves the body.

The motion of a tick is split into direction, facing and length of the displacement. Each is corrected, or passed on, by
itself. The direction is kept apart from the facing: a body that is made to look aside goes on along its path. The time
of the clip is never corrected, so poses do not depend on what the body meets.

Arrays: tracks float64[times, 3] and motions float64[n, 3] of (forward, right, turn) in tiles and radians; bodies
float64[n, 4] of (x, y, facing, course), angles clockwise on the screen. Course is the direction that the clip calls
forward.

Source: "Game AI Pro 2", ch. 36 (36.2.1 root motion, 36.2.2 and 36.2.3 three corrections).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

X, Y, FACING, COURSE = range(4)
"""Columns of a body."""


@dataclass(frozen=True)
class Correction:
    """Changes of one tick: radians for direction and facing, a factor for the length."""

    direction: np.ndarray
    facing: np.ndarray
    length: np.ndarray


def no_correction(bodies: int) -> Correction:
    """Return the correction that passes every motion on."""
    return Correction(np.zeros(bodies), np.zeros(bodies), np.ones(bodies))


def root_motion(track: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Return the motion between two times of a clip that loops, float64[n, 3].

    Times are lengths of the clip; ``end`` is not before ``begin``. A time beyond 1 is in a later round.
    """
    first, last = np.floor(begin), np.floor(end)
    motion = _after(_inverse(_pose_at(track, begin - first)), _pose_at(track, np.where(last > first, 1.0, end - first)))
    whole = np.broadcast_to(track[-1], motion.shape)
    rounds = (last - first).astype(np.int64)
    for k in range(1, int(rounds.max(initial=0)) + 1):
        rest = np.where((k == rounds)[:, None], _pose_at(track, end - last), whole)
        motion = np.where((k <= rounds)[:, None], _after(motion, rest), motion)
    return motion


def moved_by_clip(bodies: np.ndarray, motion: np.ndarray, by: Correction) -> np.ndarray:
    """Return the bodies as the clip moves them; physics may hold them back."""
    out = bodies.copy()
    length = np.hypot(motion[:, 0], motion[:, 1]) * by.length
    way = bodies[:, COURSE] + np.arctan2(motion[:, 1], motion[:, 0]) + by.direction
    out[:, X] += length * np.cos(way)
    out[:, Y] += length * np.sin(way)
    out[:, COURSE] += motion[:, 2] + by.direction
    out[:, FACING] += motion[:, 2] + by.facing
    return out


def moved_by_game(bodies: np.ndarray, velocity: np.ndarray, turn: np.ndarray, seconds: float) -> np.ndarray:
    """Return the bodies as a controller moves them.

    ``velocity`` float64[n, 2] is in tiles/s of the map, ``turn`` float64[n] in radians/s.
    """
    out = bodies.copy()
    out[:, :2] += velocity * seconds
    out[:, 2:] += (turn * seconds)[:, None]
    return out


def _pose_at(track: np.ndarray, time: np.ndarray) -> np.ndarray:
    at = np.linspace(0.0, 1.0, len(track))
    return np.column_stack([np.interp(time, at, track[:, k]) for k in range(3)])


def _after(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the motion ``other`` made from the end of ``one``."""
    c, s = np.cos(one[:, 2]), np.sin(one[:, 2])
    x, y = c * other[:, 0] - s * other[:, 1], s * other[:, 0] + c * other[:, 1]
    return np.column_stack([one[:, 0] + x, one[:, 1] + y, one[:, 2] + other[:, 2]])


def _inverse(pose: np.ndarray) -> np.ndarray:
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    return np.column_stack([-c * pose[:, 0] - s * pose[:, 1], s * pose[:, 0] - c * pose[:, 1], -pose[:, 2]])


TECHNIQUES = (
    {
        "slug": "root-motion",
        "name": "Motion by the clip or by the game, with three corrections",
        "ids": ("GP2-36.1", "GP2-36.2"),
        "source": "Game AI Pro 2, 36.2.1 to 36.2.3",
        "functions": ("root_motion", "moved_by_clip"),
        "test": "tests/ai/animation/walking/test_root_motion.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: all bodies of the game are moved by the game, and no clip has a root track.",
    },
)
