"""Approach zone: avenues of approach, and flank routes that exclude them.

Source: Kevin Dill, Game AI Pro 2, 31.5.3 and figure 31.6 (the region path; dilation; two trapezoids with a common wide
base; the hybrid that widens until it holds the whole region path), 31.5.4 (the flank is the route outside the zone).
Widths are the source's suggestions. Places are (x, y) in tiles; regions are numbers.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.grid.terrain import Terrain
from ai.tactics.unseen_paths import weighted_path

Point = tuple[float, float]
NARROW = 3.0
"""Half width of the zone at both ends, in tiles."""
WIDE = 0.35
"""Half width in the middle, as a share of the distance."""
MOST_WIDE = 2.0
"""Share of the distance at which widening gives up."""


@dataclass(frozen=True)
class Zone:
    """Double trapezoid: half widths at the ends and in the middle, tiles."""

    start: Point
    goal: Point
    narrow: float
    wide: float

    def holds(self, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.bool_]:
        """Return whether places lie inside."""
        dx, dy = self.goal[0] - self.start[0], self.goal[1] - self.start[1]
        length = math.hypot(dx, dy)
        if length < 1e-9:
            return np.asarray(np.hypot(x - self.start[0], y - self.start[1]) <= self.narrow)
        along = ((x - self.start[0]) * dx + (y - self.start[1]) * dy) / length
        beside = np.abs((x - self.start[0]) * dy - (y - self.start[1]) * dx) / length
        share = 1.0 - np.abs(2.0 * along / length - 1.0)
        half = self.narrow + (self.wide - self.narrow) * share
        return np.asarray((along >= 0) & (along <= length) & (beside <= half))

    def corners(self) -> list[Point]:
        """Return the six corners of the polygon, in order."""
        dx, dy = self.goal[0] - self.start[0], self.goal[1] - self.start[1]
        length = max(math.hypot(dx, dy), 1e-9)
        nx, ny = -dy / length, dx / length
        middle = (self.start[0] + self.goal[0]) / 2, (self.start[1] + self.goal[1]) / 2
        ends = ((self.start, self.narrow), (middle, self.wide), (self.goal, self.narrow))
        left = [(p[0] + nx * w, p[1] + ny * w) for p, w in ends]
        return left + [(p[0] - nx * w, p[1] - ny * w) for p, w in reversed(ends)]


def approach_zone(start: Point, goal: Point, narrow: float = NARROW, wide: float = WIDE) -> Zone:
    """Return the zone between two places; ``wide`` is a share of their distance."""
    return Zone(start, goal, narrow, max(narrow, wide * math.dist(start, goal)))


def zone_tiles(zone: Zone, shape: tuple[int, int], discs: Sequence[tuple[Point, float]] = ()) -> NDArray[np.bool_]:
    """Return the tiles inside a zone, ``bool[H, W]``, without the discs (place, radius)."""
    x, y = np.arange(shape[1])[None, :] + 0.5, np.arange(shape[0])[:, None] + 0.5
    out = zone.holds(np.broadcast_to(x, shape), np.broadcast_to(y, shape))
    for (cx, cy), radius in discs:
        out &= np.hypot(x - cx, y - cy) > radius
    return out


def flank_route(
    terrain: Terrain,
    movement_class: int,
    start: tuple[int, int],
    goal: tuple[int, int],
    excluded: NDArray[np.bool_],
    cost: NDArray[np.uint8] | None = None,
    cap: int | None = None,
) -> NDArray[np.int32] | None:
    """Return the cheapest path (y, x) that enters no excluded tile, or None.

    The caller falls back to the direct route or waits when there is none.
    """
    ground = Terrain.build(np.where(excluded, 0, terrain.passable), terrain.cost if cost is None else cost)
    return weighted_path(ground, ground.cost, movement_class, start, goal, cap)


def region_path(neighbours: Sequence[Sequence[tuple[int, float]]], start: int, goal: int) -> list[int]:
    """Return the regions of a shortest path, ends included; empty without one."""
    best, parent, queue = {start: 0.0}, {start: start}, [(0.0, start)]
    while queue:
        far, region = heapq.heappop(queue)
        if region == goal:
            path = [goal]
            while path[-1] != start:
                path.append(parent[path[-1]])
            return path[::-1]
        if far > best[region]:
            continue
        for other, length in neighbours[region]:
            if far + length < best.get(other, math.inf):
                best[other], parent[other] = far + length, region
                heapq.heappush(queue, (far + length, other))
    return []


def dilated(neighbours: Sequence[Sequence[tuple[int, float]]], regions: Sequence[int], steps: int = 2) -> set[int]:
    """Return the regions within ``steps`` of a path; it may take in dead ends."""
    found, edge = set(regions), set(regions)
    for _ in range(steps):
        edge = {other for r in edge for other, _ in neighbours[r]} - found
        found |= edge
    return found


@dataclass(frozen=True)
class Avenue:
    """Avenue of approach: its regions, the shortest path, and the zone that was used."""

    regions: frozenset[int]
    path: tuple[int, ...]
    zone: Zone


def avenue(
    neighbours: Sequence[Sequence[tuple[int, float]]],
    centres: NDArray[np.float64],
    start: int,
    goal: int,
    dead_ends: frozenset[int] = frozenset(),
    narrow: float = NARROW,
    wide: float = WIDE,
) -> Avenue | None:
    """Return the likely route of an enemy between two regions, or None.

    ``centres: float64[n, 2]`` are (x, y). The zone widens by a quarter until it holds the centre of every region of the
    path; dead ends and unreachable regions are left out. What the widest zone misses of the path is added.
    """
    path = region_path(neighbours, start, goal)
    if not path:
        return None
    a, b = ((float(centres[r, 0]), float(centres[r, 1])) for r in (start, goal))
    zone = approach_zone(a, b, narrow, wide)
    limit = max(MOST_WIDE * math.dist(a, b), narrow)
    on_path = np.array(path)
    while zone.wide < limit and not _holds_all(zone, centres[on_path]):
        zone = Zone(a, b, zone.narrow * 1.25, min(zone.wide * 1.25, limit))
    reachable = dilated(neighbours, [start], len(neighbours))
    inside = set(np.flatnonzero(zone.holds(centres[:, 0], centres[:, 1])).tolist()) & reachable
    return Avenue(frozenset((inside - dead_ends) | set(path)), tuple(path), zone)


def _holds_all(zone: Zone, places: NDArray[np.float64]) -> bool:
    slack = 1e-6
    grown = Zone(zone.start, zone.goal, zone.narrow + slack, zone.wide + slack)
    inner = places[1:-1]  # the ends are centres of the zone's own ends
    return bool(grown.holds(inner[:, 0], inner[:, 1]).all())


TECHNIQUES = (
    {
        "slug": "approach-zone",
        "name": "Avenues of approach and flanking by exclusion",
        "ids": ("GP2-31.21", "GP2-31.22"),
        "source": "Game AI Pro 2, 31.5.3 and 31.5.4",
        "functions": ("avenue", "approach_zone", "flank_route"),
        "test": "tests/ai/tactics/routes/test_approach_zone.py",
        "exhibit": "levels/exhibits/tactics/field.zone.toml",
        "overlay": "flank_zone",
        "setting": "tactics.flank",
        "measure": "bearings",
        "direction": "up",
        "claim": (
            "The game shows the flank: a route ordered to units pays for the zone, the plan of a squad may not "
            "enter it. Avenues over regions are in the library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
