"""Path test: the path of a body, by the searches that find its parts.

A path manager of its own answers the request on a copy of the map, with the settings of the world. So a test shows
what a unit would get, and neither the world nor its queue notices it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths.manager import PathManager
from ai.paths.requests.request_columns import Phase
from game.world.world import World

MOST_TICKS = 120
"""Ticks that a test waits for the full path."""
RADII = (0.3, 0.45, 0.8, 1.2, 1.6)
"""Radii of bodies that can be tested, in tiles."""
STEP = 0.05
"""Tiles between two samples of the cost along a line."""

Point = tuple[float, float]


@dataclass(frozen=True)
class PathStage:
    """Path after a tick of the test.

    ``points`` are (x, y), the start first; ``sources`` are the searches that found the waypoints (PathSource).
    """

    tick: int
    points: tuple[Point, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True)
class PathTest:
    """Answer of a path test.

    ``nodes`` are tiles taken off open lists, ``cost`` is in tiles of plain ground."""

    start: Point
    goal: Point
    radius: float
    stages: tuple[PathStage, ...]
    nodes: int
    length: float
    cost: float
    told: tuple[str, ...]
    """Decisions about the path as sentences, with the searches that found it."""
    fault: str = ""

    @property
    def found(self) -> bool:
        """Return whether the path leads to the goal."""
        return not self.fault


def roomy(passable: np.ndarray, radius: float) -> np.ndarray:
    """Return a copy in which tiles without room for a body are blocked.

    A body of at most half a tile fits every tile.
    """
    reach = math.ceil(radius - 0.5)
    out = passable.copy()
    if reach <= 0:
        return out
    height, width = passable.shape
    padded = np.pad(passable, reach)
    for dy in range(-reach, reach + 1):
        for dx in range(-reach, reach + 1):
            if math.hypot(max(abs(dy) - 0.5, 0.0), max(abs(dx) - 0.5, 0.0)) < radius:
                out &= padded[reach + dy : reach + dy + height, reach + dx : reach + dx + width]
    return out


def try_path(world: World, start: Point, goal: Point, radius: float, movement_class: int = 0) -> PathTest:
    """Return the path of a body of ``radius`` tiles between two places (x, y)."""
    old = world.terrain
    terrain = Terrain.build(roomy(old.passable, radius), old.cost, old.opaque, old.cover)
    tiles = [(math.floor(y), math.floor(x)) for x, y in (start, goal)]
    for name, tile in zip(("start", "goal"), tiles, strict=True):
        if not terrain.inside(*tile):
            return _fault(start, goal, radius, f"the {name} lies outside the map")
        if not terrain.passable[tile] >> movement_class & 1:
            words = "is blocked" if not old.passable[tile] >> movement_class & 1 else "is too narrow for the body"
            return _fault(start, goal, radius, f"the {name} {words}")
    components = Components.build(terrain)
    if not components.reachable(movement_class, *tiles[0], *tiles[1]):
        return _fault(start, goal, radius, "no path leads there")
    paths = PathManager.build(terrain)
    paths.request([0], [0], [tiles[1]], movement_class, 0, points=np.array([goal]))
    x, y = np.array([start[0]]), np.array([start[1]])
    stages: list[PathStage] = []
    for tick in range(1, MOST_TICKS + 1):
        paths.update(terrain, components, x, y, tick, world.settings.paths)
        rows = paths.store.waypoints(0)
        points = (start, *((float(px), float(py)) for px, py in paths.store.points_of(0).tolist()))
        sources = tuple(int(source) for source in rows[:, 2].tolist())
        if len(points) > 1 and (not stages or stages[-1].points != points):
            stages.append(PathStage(tick, points, sources))
        if paths.requests.phase[0] == Phase.READY:
            break
    statistics = paths.statistics
    nodes = statistics.revolutions_total + statistics.quick_revolutions_total
    last = stages[-1].points if stages else (start,)
    length, cost = measured(terrain, last)
    told = tuple(row.sentence for row in paths.trace.of(0))
    fault = "" if paths.requests.phase[0] == Phase.READY else f"not finished within {MOST_TICKS} ticks"
    return PathTest(start, goal, radius, tuple(stages), nodes, length, cost, told, fault)


def _fault(start: Point, goal: Point, radius: float, words: str) -> PathTest:
    return PathTest(start, goal, radius, (), 0, 0.0, 0.0, (), words)


def measured(terrain: Terrain, points: tuple[Point, ...]) -> tuple[float, float]:
    """Return length and cost of a line, both in tiles of plain ground."""
    length = cost = 0.0
    for (ax, ay), (bx, by) in pairwise(points):
        far = math.hypot(bx - ax, by - ay)
        count = max(1, math.ceil(far / STEP))
        share = (np.arange(count) + 0.5) / count
        rows = np.clip(np.floor(ay + (by - ay) * share).astype(np.int64), 0, terrain.height - 1)
        columns = np.clip(np.floor(ax + (bx - ax) * share).astype(np.int64), 0, terrain.width - 1)
        length += far
        cost += far * float(terrain.cost[rows, columns].mean()) / 8.0
    return length, cost
