"""Planted feet: a foot that is down stays at its print.

The closed form of :mod:`ai.animation.foot_places` keeps a foot in place while speed and turn are constant. A body that
brakes, turns or is pushed changes both, and its feet would slide. Here a foot takes its place from the closed form only
when it comes down. Then it stays there until it lifts; in the air the rest of its error fades away before it comes down
again. A print that the body has left behind by more than a leg is given up: the foot is put down anew.

Heading and turn of the legs are smoothed over a few ticks, because a foot far from the body magnifies every jerk.

State is float64[12, n], one column per body, and holds for one tick after the other. Positions are tiles, speeds
tiles/s, headings radians clockwise on the screen, phases shares of a cycle. Feet are left and right.

Source: "Journal of Game Development 1", "Versatile Walk Engine" (no sliding, curved walking). The source leaves the
rest of the sliding to the eye; the print is an addition.
"""

from __future__ import annotations

import numpy as np

from ai.animation.foot_places import foot_places, stance_end

LEFT_X, LEFT_Y, RIGHT_X, RIGHT_Y, LEFT_DOWN, RIGHT_DOWN, HEADING, TURN, LEFT_OFF_X = range(9)
"""Rows of the state: places, feet that are down, heading, turn.

Errors at the last lift take the last four rows, x and y of each foot.
"""
ROWS = 12
CALM = 0.3
"""Share of a change of heading that the legs take up in a tick."""
SLOW = 0.05
"""Speed in tiles/s below which a body has no heading of motion."""
TICKS = 20.0
"""Ticks a second."""


def stand_feet(x: np.ndarray, y: np.ndarray, heading: np.ndarray, phase: np.ndarray, leg: np.ndarray) -> np.ndarray:
    """Return the state of bodies that stand still with both feet beside their hips."""
    state = np.zeros((ROWS, len(x)))
    state[HEADING] = heading
    still = np.zeros(len(x))
    places, _ = foot_places(phase, still, still, leg)
    for foot in (0, 1):
        state[2 * foot : 2 * foot + 2] = _in_world(places[foot], x, y, heading)
        state[LEFT_DOWN + foot] = 1.0
    return state


def plant_feet(
    state: np.ndarray,
    body: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    phase: np.ndarray,
    leg: np.ndarray,
    planted: bool = True,
) -> np.ndarray:
    """Return the state after a tick of bodies at ``body`` (x, y, vx, vy).

    With ``planted`` false every foot follows the closed form, and slides with each change of speed and turn.
    """
    x, y, vx, vy = body
    after = state.copy()
    speed = np.hypot(vx, vy)
    wanted = np.where(speed > SLOW, np.arctan2(vy, vx), state[HEADING])
    step = CALM * _wrapped(wanted - state[HEADING])
    after[HEADING] = _wrapped(state[HEADING] + step)
    after[TURN] += CALM * (step * TICKS - state[TURN])
    places, down = foot_places(phase, speed, after[TURN], leg)
    for foot in (0, 1):
        rows = slice(2 * foot, 2 * foot + 2)
        errors = slice(LEFT_OFF_X + 2 * foot, LEFT_OFF_X + 2 * foot + 2)
        ideal = _in_world(places[foot], x, y, after[HEADING])
        after[LEFT_DOWN + foot] = down[foot]
        if not planted:
            after[rows] = ideal
            continue
        was_down = state[LEFT_DOWN + foot] > 0.0
        near = np.hypot(state[rows][0] - x, state[rows][1] - y) < leg
        stays = down[foot] & was_down & near
        lifts = ~down[foot] & was_down
        after[errors] = np.where(lifts, state[rows] - ideal, state[errors])
        left = np.where(down[foot], 0.0, 1.0 - _air_share(phase, foot, speed, leg))
        after[rows] = np.where(stays, state[rows], ideal + after[errors] * left)
    return after


def _air_share(phase: np.ndarray, foot: int, speed: np.ndarray, leg: np.ndarray) -> np.ndarray:
    """Return the share of its time in the air that has passed, eased."""
    end, age = stance_end(speed, leg), (phase - 0.5 * foot) % 1.0
    share = np.clip((age - end) / (1.0 - end), 0.0, 1.0)
    smooth: np.ndarray = share * share * (3.0 - 2.0 * share)
    return smooth


def _wrapped(angle: np.ndarray) -> np.ndarray:
    wrapped: np.ndarray = (angle + np.pi) % (2.0 * np.pi) - np.pi
    return wrapped


def _in_world(place: np.ndarray, x: np.ndarray, y: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """Return places of the map of places in bodies' frames, float64[2, n]."""
    c, s = np.cos(heading), np.sin(heading)
    return np.stack([x + c * place[:, 0] - s * place[:, 1], y + s * place[:, 0] + c * place[:, 1]])


TECHNIQUES = (
    {
        "slug": "planted-feet",
        "name": "Footprints that stay while speed and turn change",
        "ids": ("JOGD-2.7",),
        "source": "Journal of Game Development 1, Versatile Walk Engine",
        "functions": ("plant_feet",),
        "test": "tests/ai/animation/walking/test_planted_feet.py",
        "exhibit": "levels/exhibits/motion/footprints.toml",
        "overlay": "footprints",
        "setting": "figures.planted_feet",
        "measure": "drift",
        "direction": "down",
        "claim": (
            "The overlay of footprints shows them; drawn figures do not stand on them. The source keeps feet in "
            "place by the closed form alone; prints are ours."
        ),
    },
)
