"""Corner glances beside a path: where a wall opens, and the reaction.

Source: Rich Welsh, Game AI Pro 2, ch. 27, 27.4.3 (two rays square to the path and a little ahead; three reactions).
"""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

LEAD = 1.0
"""Tiles ahead of the unit at which the rays begin."""
LENGTH = 8.0
WALL = 2.5
"""Longest distance, in tiles, to a wall beside the path."""
JUMP = 2.0
"""Tiles by which the wall must recede at a gap."""


class Reaction(IntEnum):
    """Reactions of a passing unit to a gap."""

    GLANCE = 0
    TURN = 1
    LOOK_IN = 2


CHANCES = (0.6, 0.85)
"""Limits of the dice: below the first a glance, below the second a turn.

The turn is of the body. Above both, the unit stops and looks in.
"""


def reaction_of(dice: float) -> Reaction:
    """Return one of the three reactions for a number in [0, 1)."""
    return Reaction(sum(dice >= limit for limit in CHANCES))


def reach_of_ray(opaque: NDArray[np.uint8], x: float, y: float, dx: float, dy: float) -> float:
    """Return the tiles from (x, y) along the unit vector to the first obstacle.

    That is an opaque tile or the map's end, at most ``LENGTH`` away.
    """
    height, width = opaque.shape
    for step in range(1, int(LENGTH * 4) + 1):
        px, py = x + dx * step / 4, y + dy * step / 4
        if not (0 <= px < width and 0 <= py < height) or opaque[int(py), int(px)]:
            return step / 4
    return LENGTH


def side_reaches(opaque: NDArray[np.uint8], x: float, y: float, heading: float) -> tuple[float, float]:
    """Return the reach of the rays to the left and to the right.

    The unit walks along ``heading`` from (x, y).
    """
    ox, oy = x + LEAD * math.cos(heading), y + LEAD * math.sin(heading)
    height, width = opaque.shape
    if not (0 <= ox < width and 0 <= oy < height) or opaque[int(oy), int(ox)]:
        ox, oy = x, y
    left, right = heading - math.pi / 2, heading + math.pi / 2
    return (
        reach_of_ray(opaque, ox, oy, math.cos(left), math.sin(left)),
        reach_of_ray(opaque, ox, oy, math.cos(right), math.sin(right)),
    )


def opens(before: float, now: float) -> bool:
    """Return whether the wall beside the path ended between two steps."""
    return before <= WALL and now > before + JUMP


TECHNIQUES = (
    {
        "slug": "corner-glances",
        "name": "Corner glances",
        "ids": ("GP2-27.10",),
        "source": "Game AI Pro 2, ch. 27",
        "functions": ("opens",),
        "test": "tests/ai/tactics/test_glances.py",
        "exhibit": "levels/exhibits/stealth/alleys.toml",
        "overlay": "cones",
        "setting": "minds.glances",
        "measure": "events",
        "direction": "up",
        "claim": (
            "The third reaction stops and looks in, but does not walk over. Widths of gaps are not measured, and "
            "a gap has no pause of its own. Distances and chances are ours."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
