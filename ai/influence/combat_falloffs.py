"""Combat falloffs: influence by player, by travel time and over regions.

Source: Kevin Dill, Game AI Pro 2, 31.4.1 (tiles, stored for each player), 31.4.2 (equations 31.1 to 31.4), 31.4.3
(listing 31.1). The listing tests the mark only when a region is pushed, so a region with two routes counts twice. Here
it is tested when a region is popped. Distances are in tiles, times in seconds; influence is never below 0.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
VACANT, CONTESTED, HELD = 0, 1, 2
"""Kinds of tiles: no player is strong, several are, or one is."""


def linear_drop(strength: float, distance: Values, drop: float = 1.0) -> Values:
    """Return ``strength - drop * distance``: a stronger source reaches farther."""
    return np.asarray(np.maximum(0.0, strength - drop * distance))


def travel_time(strength: float, seconds: Values, longest: float = 60.0) -> Values:
    """Return the strength as a share of the time left after the walk."""
    return np.asarray(np.maximum(0.0, strength * (longest - seconds) / longest))


def artillery(
    strength: float, distance: Values, reach: float, speed: float, pack: float, unpack: float, longest: float = 60.0
) -> Values:
    """Return full strength in range.

    Beyond it the time to pack, to come within range and to unpack counts.
    """
    seconds = pack + np.maximum(0.0, distance - reach) / speed + unpack
    return np.asarray(np.where(distance <= reach, strength, travel_time(strength, seconds, longest)))


def commander(strength: float, distance: Values, power: float = 2.0) -> Values:
    """Return ``strength - distance ** power``: strong near its troops, then ever steeper."""
    return np.asarray(np.maximum(0.0, strength - distance**power))


def table_falloff(points: Sequence[tuple[float, float]], distance: Values) -> Values:
    """Return influence from a designer's table (distance, influence), interpolated.

    ValueError unless the distances ascend.
    """
    at = np.array(points, np.float64)
    if len(at) < 2 or not (np.diff(at[:, 0]) > 0).all():
        raise ValueError("a table of falloff needs two or more distances in ascending order")
    return np.asarray(np.maximum(0.0, np.interp(distance, at[:, 0], at[:, 1])))


def player_influence(height: int, width: int, units: Sequence[tuple[int, int, float]], drop: float = 1.0) -> Values:
    """Return the influence of one player's units (y, x, strength) by Manhattan distance.

    Players are stored apart, so that a contested tile differs from an empty one.
    """
    out = np.zeros((height, width))
    for y, x, strength in units:
        away = np.abs(np.arange(height)[:, None] - y) + np.abs(np.arange(width)[None, :] - x)
        out += linear_drop(strength, away, drop)
    return out


def kind_of_ground(players: Values, high: float) -> NDArray[np.int64]:
    """Return VACANT, CONTESTED or HELD for each tile of ``players: float64[p, H, W]``.

    A player is strong from ``high`` on.
    """
    strong = (players >= high).sum(axis=0)
    return np.asarray(np.where(strong == 0, VACANT, np.where(strong == 1, HELD, CONTESTED)).astype(np.int64))


def region_influence(
    neighbours: Sequence[Sequence[tuple[int, float]]],
    units: Sequence[tuple[int, float]],
    fades: Callable[[float, float], float] = lambda strength, distance: max(0.0, strength - distance),
    closed: frozenset[int] = frozenset(),
) -> Values:
    """Return the influence of one player on each region, ``float64[n]``.

    ``neighbours[r]`` are pairs (region, distance between centres); a unit is (region, strength). One Dijkstra search
    runs for each unit. It stops where the influence ends, which needs a falloff that never rises. Regions of ``closed``
    are impassable for these units.
    """
    out = np.zeros(len(neighbours))
    for home, strength in units:
        finished: set[int] = set()
        queue = [(0.0, home)]
        while queue:
            distance, region = heapq.heappop(queue)
            if region in finished or region in closed:
                continue
            finished.add(region)
            value = fades(strength, distance)
            if value <= 0:
                continue
            out[region] += value
            for other, length in neighbours[region]:
                if other not in finished:
                    heapq.heappush(queue, (distance + length, other))
    return out


TECHNIQUES = (
    {
        "slug": "combat-falloffs",
        "name": "Influence by player, travel time and region",
        "ids": ("GP2-31.13", "GP2-31.14", "GP2-31.15"),
        "source": "Game AI Pro 2, 31.4",
        "functions": ("player_influence", "artillery", "region_influence"),
        "test": "tests/ai/influence/test_combat_falloffs.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: the game has no artillery and no regions of a strategic map.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
