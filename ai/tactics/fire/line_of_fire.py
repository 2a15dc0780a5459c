"""Line of fire: friends in a shot's way, and tiles beside that clear it.

Source: Paul Tozour, AI Game Programming Wisdom, 8.4 (a friend in the line: do not fire, move; a moving friend counts
with a larger circle; up to six candidates are tried). Shots are instant here, so the circle of a friend grows by its
speed times the ticks that a shot takes from decision to effect. A kneeling friend is fired over by a standing shooter.
Lengths are in tiles, speeds in tiles/s, ``x`` and ``y`` are columns by slot.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device
from ai.perception.spatial_bins import PER_TILE

REACTION = 0.1
"""Seconds by which the circles of moving friends grow.

A shot takes so long from decision to effect."""
CANDIDATES = 6
"""Tiles tried for one step aside."""
SIDES = (1.0, 1.5, 2.0)
"""Distances of these tiles from the shooter, across the line of fire."""


@device
def friend_in_line(
    slot: int, other: int, across: int, starts: NDArray[np.int32], members: NDArray[np.int32], widest: float,
    ids: NDArray[np.int32], side: NDArray[np.uint8], stance: NDArray[np.uint8], x: NDArray[np.float64],
    y: NDArray[np.float64], vx: NDArray[np.float64], vy: NDArray[np.float64], radius: NDArray[np.float64],
    reaction: float,
) -> int:  # fmt: skip
    """Return the slot of the nearest friend before the target, -1 none.

    Only the bins about the line are read: ``starts`` and ``members`` hold the living
    (:func:`ai.perception.spatial_bins.bin_units`), ``across`` bins in a row. ``widest`` is the largest circle of a unit
    (:func:`widest_circle`). Of two friends at one distance the lower id counts. ``reaction`` are the seconds by which
    moving friends count as larger; 0 gives their bodies. A friend with a lower stance than the shooter's is fired over.
    """
    dx, dy = x[other] - x[slot], y[other] - y[slot]
    far = math.hypot(dx, dy)
    found, nearest = -1, far
    if far <= 0.0:
        return found
    dx /= far
    dy /= far
    down = (starts.size - 1) // across
    left = int(max(min(x[slot], x[other]) - widest, 0.0) * PER_TILE)
    top = int(max(min(y[slot], y[other]) - widest, 0.0) * PER_TILE)
    right = min(int((max(x[slot], x[other]) + widest) * PER_TILE), across - 1)
    bottom = min(int((max(y[slot], y[other]) + widest) * PER_TILE), down - 1)
    for row in range(top, bottom + 1):
        for place in range(starts[row * across + left], starts[row * across + right + 1]):
            k = members[place]
            if k == slot or side[k] != side[slot] or stance[k] > stance[slot]:
                continue
            rx, ry = x[k] - x[slot], y[k] - y[slot]
            along = rx * dx + ry * dy
            if (
                k == other
                or along <= 0.0
                or along > nearest
                or (along == nearest and (found < 0 or ids[k] > ids[found]))
            ):
                continue
            wide = radius[k] + math.hypot(vx[k], vy[k]) * reaction
            if abs(rx * dy - ry * dx) < wide:
                found, nearest = k, along
    return found


@device
def widest_circle(
    count: int, alive: NDArray[np.uint8], vx: NDArray[np.float64], vy: NDArray[np.float64], radius: NDArray[np.float64],
    reaction: float,
) -> float:  # fmt: skip
    """Return the largest radius of a living unit, grown by its speed."""
    widest = 0.0
    for k in range(count):
        if alive[k] != 0:
            widest = max(widest, radius[k] + math.hypot(vx[k], vy[k]) * reaction)
    return widest


def crosses(
    start: tuple[float, float], end: tuple[float, float], friends: NDArray[np.float64], wide: float
) -> NDArray[np.bool_]:
    """Return for each friend ``float64[n, 2]`` if it stands in a line.

    A friend counts when its middle is nearer than ``wide`` to the line and lies between its ends.
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    far = math.hypot(dx, dy)
    if far <= 0.0 or not len(friends):
        return np.zeros(len(friends), np.bool_)
    rx, ry = friends[:, 0] - start[0], friends[:, 1] - start[1]
    along = (rx * dx + ry * dy) / far
    return (along > 0.0) & (along < far) & (np.abs(rx * dy - ry * dx) / far < wide)


def side_steps(
    start: tuple[float, float], target: tuple[float, float], friend: tuple[float, float], turn: int
) -> list[tuple[float, float]]:
    """Return up to six tile middles beside the line of fire, the nearest first.

    The side away from the blocking friend comes first. A friend in the middle of the line leaves the choice to
    ``turn``, such as the shooter's id, so that a column opens to both sides.
    """
    dx, dy = target[0] - start[0], target[1] - start[1]
    far = math.hypot(dx, dy)
    if far <= 0.0:
        return []
    ax, ay = -dy / far, dx / far
    off = (friend[0] - start[0]) * ax + (friend[1] - start[1]) * ay
    first = -math.copysign(1.0, off) if abs(off) > 0.05 else 1.0 - 2.0 * (turn % 2)
    here = math.floor(start[0]), math.floor(start[1])
    out: list[tuple[float, float]] = []
    for wide in SIDES:
        for sign in (first, -first):
            tile = math.floor(start[0] + sign * wide * ax), math.floor(start[1] + sign * wide * ay)
            middle = tile[0] + 0.5, tile[1] + 0.5
            if tile != here and middle not in out:
                out.append(middle)
    return out[:CANDIDATES]


TECHNIQUES = (
    {
        "slug": "line-of-fire",
        "name": "Line of fire check and step aside",
        "ids": ("AW-8.4-4",),
        "source": "AI Game Programming Wisdom, 8.4",
        "functions": ("friend_in_line", "side_steps"),
        "test": "tests/ai/tactics/fire/test_line_of_fire.py",
        "exhibit": "levels/exhibits/squads/firing_line.toml",
        "overlay": "fire_lines",
        "setting": "tactics.line_of_fire",
        "measure": "strays",
        "direction": "down",
        "claim": (
            "A blocked shooter waits or steps aside; the friend is not asked to move. Shots are instant, so a "
            "friend's circle grows by a reaction's time. Meant misses, grenades and aim points are left out."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
