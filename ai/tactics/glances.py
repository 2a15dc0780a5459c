"""Gaps beside a way: where a wall that one walks along opens, and what one does about it.

Source: Rich Welsh, Game AI Pro 2, ch. 27, 27.4.3 (two rays square to the path and a little ahead; three reactions).
"""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

LEAD = 1.0
"""Tiles ahead of the walker at which the rays begin."""
LENGTH = 8.0
WALL = 2.5
"""A wall within so many tiles is one that is walked along."""
JUMP = 2.0
"""A gap begins where the wall recedes by more than this."""


class Reaction(IntEnum):
    """What a passer-by does about a gap."""

    GLANCE = 0
    TURN = 1
    LOOK_IN = 2


CHANCES = (0.6, 0.85)
"""Dice below which it is a glance, then a turn of the body; above, it stops and looks in."""


def reaction_of(dice: float) -> Reaction:
    """One of the three for a number in [0, 1); the same for the same walker and gap."""
    return Reaction(sum(dice >= limit for limit in CHANCES))


def reach_of_ray(opaque: NDArray[np.uint8], x: float, y: float, dx: float, dy: float) -> float:
    """Tiles from (x, y) along the unit vector to the first opaque tile or the map's end, at most ``LENGTH``."""
    height, width = opaque.shape
    for step in range(1, int(LENGTH * 4) + 1):
        px, py = x + dx * step / 4, y + dy * step / 4
        if not (0 <= px < width and 0 <= py < height) or opaque[int(py), int(px)]:
            return step / 4
    return LENGTH


def side_reaches(opaque: NDArray[np.uint8], x: float, y: float, heading: float) -> tuple[float, float]:
    """Reach of the rays to the left and to the right of who walks along ``heading`` from (x, y)."""
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
    """Whether a wall that was walked along has given way between two steps."""
    return before <= WALL and now > before + JUMP


TECHNIQUES = (
    {
        "slug": "corner-glances",
        "name": "Glances into gaps",
        "ids": ("GP2-27.10",),
        "source": "Game AI Pro 2, ch. 27",
        "functions": ("opens",),
        "test": "tests/ai/tactics/test_glances.py",
        "exhibit": "levels/exhibits/stealth/alleys.toml",
        "overlay": "cones",
        "setting": "minds.glances",
        "measure": "events",
        "direction": "up",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
