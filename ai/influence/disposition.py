"""Disposition: which known enemies are the front, a flank or the rear.

Source: Steven Woodcock, AI Game Programming Wisdom, 5.2 (integer influence that halves with each square; front by the
greatest gradient from the own centre of mass, flanks and rear by adjacency). Tiles are (y, x).

A gradient is the fall of the signed map from the centre to the enemy, divided by the Chebyshev distance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Tile = tuple[int, int]
FRONT, FLANK, REAR, ALONE = "front", "flank", "rear", "alone"
ADJACENT = 2
"""Squares within which a unit belongs to a group."""


def halving_map(height: int, width: int, units: Sequence[tuple[int, int, int]]) -> NDArray[np.int64]:
    """Return the summed strengths of units (y, x, strength), halved for each square.

    Shares are rounded down. Friends are positive and enemies negative; a negative strength is rounded towards 0.
    """
    out = np.zeros((height, width), np.int64)
    ys, xs = np.arange(height)[:, None], np.arange(width)[None, :]
    for y, x, strength in units:
        away = np.maximum(np.abs(ys - y), np.abs(xs - x))
        share = abs(strength) >> np.minimum(away, 62)
        out += share if strength >= 0 else -share
    return out


def border(field: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return no man's land: squares of 0, and both sides of a sign flip."""
    sign = np.sign(field)
    out = sign == 0
    out[:, 1:] |= sign[:, 1:] * sign[:, :-1] < 0
    out[:, :-1] |= sign[:, 1:] * sign[:, :-1] < 0
    out[1:] |= sign[1:] * sign[:-1] < 0
    out[:-1] |= sign[1:] * sign[:-1] < 0
    return np.asarray(out)


@dataclass(frozen=True)
class Disposition:
    """Label and group number of each enemy, and the own centre of mass."""

    labels: tuple[str, ...]
    groups: tuple[int, ...]
    centre: Tile


def _apart(a: Tile, b: Tile) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def straight_path(start: Tile, goal: Tile) -> list[Tile]:
    """Return the squares of a shortest path over open ground, ends included."""
    steps = _apart(start, goal)
    return [
        (
            start[0] + round((goal[0] - start[0]) * k / max(steps, 1)),
            start[1] + round((goal[1] - start[1]) * k / max(steps, 1)),
        )
        for k in range(steps + 1)
    ]


def disposition(
    field: NDArray[np.signedinteger] | NDArray[np.floating],
    own: NDArray[np.signedinteger] | NDArray[np.floating],
    enemies: Sequence[Tile],
    adjacent: int = ADJACENT,
    path: Callable[[Tile, Tile], Sequence[Tile]] = straight_path,
) -> Disposition:
    """Return the label of each enemy tile, in their order.

    ``field`` is the signed map, ``own`` the own side alone, whose highest square is the centre. The rules in order:
    the steepest gradient is the front; within ``adjacent`` squares of it is front too; an enemy whose path from the
    centre passes through or beside a front square is rear; a farther one with a smaller gradient is a flank; neighbours
    of a flank or rear unit join it. Two enemies at the centre's own square have the gradient of one square.
    """
    cy, cx = np.unravel_index(int(np.argmax(own)), own.shape)
    centre = int(cy), int(cx)
    labels, groups = [""] * len(enemies), [-1] * len(enemies)
    if not enemies:
        return Disposition((), (), centre)
    gradient = [float(field[centre] - field[tile]) / max(_apart(centre, tile), 1) for tile in enemies]
    first = max(range(len(enemies)), key=lambda k: (gradient[k], -k))
    labels[first], groups[first] = FRONT, 0
    _join(enemies, labels, groups, FRONT, 0, adjacent)
    front = [tile for tile, label in zip(enemies, labels, strict=True) if label == FRONT]
    count = 1
    for wanted in (REAR, FLANK):
        for k in sorted(range(len(enemies)), key=lambda i: (-gradient[i], i)):
            if labels[k]:
                continue
            behind = any(_apart(step, tile) <= 1 for step in path(centre, enemies[k]) for tile in front)
            if (wanted == REAR and behind) or (wanted == FLANK and gradient[k] < gradient[first]):
                labels[k], groups[k] = wanted, count
                _join(enemies, labels, groups, wanted, count, adjacent)
                count += 1
    return Disposition(tuple(label or ALONE for label in labels), tuple(groups), centre)


def _join(enemies: Sequence[Tile], labels: list[str], groups: list[int], label: str, group: int, adjacent: int) -> None:
    """Add unlabelled enemies near the group, until none is left."""
    grown = True
    while grown:
        grown = False
        members = [tile for tile, number in zip(enemies, groups, strict=True) if number == group]
        for k, tile in enumerate(enemies):
            if not labels[k] and any(_apart(tile, member) <= adjacent for member in members):
                labels[k], groups[k], grown = label, group, True


TECHNIQUES = (
    {
        "slug": "disposition",
        "name": "Front, flank and rear of the enemy",
        "ids": ("AW-5.2-1", "AW-5.2-2"),
        "source": "AI Game Programming Wisdom, 5.2",
        "functions": ("halving_map", "disposition"),
        "test": "tests/ai/influence/test_disposition.py",
        "reason": "no commander of the game reads it",
        "claim": (
            "In the library only. Rear is tested before flank, and the path that decides on the rear is straight "
            "unless another is given."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
