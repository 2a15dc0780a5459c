"""Findings of a map: faults that its drawing shows before anything is played.

Faults of single objects come from the reader.  Added here are spawns that are shut in, and routes that lead through
walls.  Doors and drawbridges count as open, and every pace counts, because units may change both.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from game.level.errors import LevelError, quoted, shown
from game.level.map_art import Point
from game.level.model import Level
from game.level.reading import read_level
from game.sim.create_world import refuse_unknown

SHUT_IN = 0.5
"""Share of the area with most spawns; smaller areas shut a spawn in.

An area with a named region is meant to be apart: scenes side by side on one map.
"""
DETOUR, ROUND_A_CORNER = 2.0, 4.0
"""Factor and tiles by which a walk may exceed the straight line."""

Open = NDArray[np.bool_]


@dataclass(frozen=True)
class MapFinding:
    """Fault of a map with its file, place and remedy.

    ``thing`` is the id of the Tiled object and ``tile`` its tile, where there is one.
    """

    file: str
    place: str
    wrong: str
    remedy: str
    tile: tuple[int, int] | None = None
    thing: int | None = None

    def line(self) -> str:
        """Return the finding as one line."""
        return str(LevelError(self.file, self.place, self.wrong, self.remedy))


def findings_of(path: Path) -> tuple[Level | None, list[MapFinding]]:
    """Return a level and its findings; no level when it cannot be read."""
    try:
        level, faults = read_level(path)
    except LevelError as error:
        return None, [_told(error)]
    found = [_told(error) for error in faults]
    open_tiles = _with_doors_open(level)
    found += _shut_in(level, open_tiles) + _through_walls(level, open_tiles)
    if not found:
        found = _of_the_world(level)
    return level, found


def _told(error: LevelError) -> MapFinding:
    return MapFinding(error.file, error.place, error.wrong, error.cure, error.tile, error.thing)


def _of_the_world(level: Level) -> list[MapFinding]:
    """Return what a world refuses of the level, such as an unknown unit type."""
    try:
        refuse_unknown(level)
    except LevelError as error:
        return [_told(error)]
    except ValueError as error:
        return [MapFinding("", "", str(error), "")]  # its line names file, place and remedy
    return []


def _with_doors_open(level: Level) -> Open:
    open_tiles = level.passable != 0
    for door in level.doors:
        open_tiles[door.y0 : door.y1, door.x0 : door.x1] = True
    return open_tiles


def _tile(x: float, y: float) -> tuple[int, int]:
    return math.floor(x), math.floor(y)


def _inside(level: Level, x: float, y: float) -> tuple[int, int]:
    """Return the tile of a place, on the map."""
    return min(max(int(x), 0), level.width - 1), min(max(int(y), 0), level.height - 1)


def _shut_in(level: Level, open_tiles: Open) -> list[MapFinding]:
    """Return spawns in small areas without a way to the area with most spawns."""
    areas, _ = ndimage.label(open_tiles)  # orthogonal steps: a unit cuts no corner
    sizes = np.bincount(areas.ravel())
    at = [int(areas[math.floor(s.y), math.floor(s.x)]) for s in level.spawns]
    counts = Counter(at)
    main = min(counts, key=lambda area: (-counts[area], -sizes[area], area))
    meant = {int(areas[y, x]) for x, y in (_inside(level, *r.centre) for r in level.regions)}
    out = []
    for spawn, area in zip(level.spawns, at, strict=True):
        if sizes[area] < SHUT_IN * sizes[main] and area not in meant:
            x, y = _tile(spawn.x, spawn.y)
            name = f" {quoted(spawn.name)}" if spawn.name else ""
            wrong = f"the spawn is shut in: no way leads from its {sizes[area]} tiles to the other units"
            cure = "move it, draw a door or a gap, or name a region there if it is meant"
            place = f"object {spawn.id} (spawn{name}, tile {x},{y})"
            out.append(MapFinding(shown(level.path), place, wrong, cure, (x, y), spawn.id))
    return out


def _through_walls(level: Level, open_tiles: Open) -> list[MapFinding]:
    """Return legs of routes that cross a wall and have no short walk."""
    out = []
    for route in level.routes:
        ends = (*route.points[1:], route.points[0]) if route.loop else route.points[1:]
        for number, (a, b) in enumerate(zip(route.points, ends, strict=False), 1):
            wall = _wall_between(open_tiles, a, b)
            if wall is None or _walks(open_tiles, a, b):
                continue
            other = number % len(route.points) + 1
            wrong = f"the way from point {number} to point {other} leads through a wall at tile {wall[0]},{wall[1]}"
            place = f"object {route.id} (route {quoted(route.name)}, tile {wall[0]},{wall[1]})"
            cure = "add points round the wall, or draw a door"
            out.append(MapFinding(shown(level.path), place, wrong, cure, wall, route.id))
    return out


def _wall_between(open_tiles: Open, a: Point, b: Point) -> tuple[int, int] | None:
    """Return the first closed tile on a straight line, sampled eight times a tile."""
    steps = max(1, math.ceil(math.dist(a, b) * 8))
    for step in range(steps + 1):
        x, y = _tile(a[0] + (b[0] - a[0]) * step / steps, a[1] + (b[1] - a[1]) * step / steps)
        if not open_tiles[y, x]:
            return x, y
    return None


def _walks(open_tiles: Open, a: Point, b: Point) -> bool:
    """Return whether a walk over tiles reaches ``b`` within the allowed detour.

    A search by walked and straight distance, which leaves out tiles beyond the limit.
    """
    start, goal = _tile(*a), _tile(*b)
    most = DETOUR * math.dist(start, goal) + ROUND_A_CORNER
    height, width = open_tiles.shape
    walked = {start: 0.0}
    todo = [(math.dist(start, goal), start)]
    while todo:
        total, (x, y) = heapq.heappop(todo)
        if (x, y) == goal:
            return True
        so_far = walked[x, y]
        if total > so_far + math.dist((x, y), goal) + 1e-9:
            continue
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            nx, ny = x + dx, y + dy
            if not (0 <= nx < width and 0 <= ny < height and open_tiles[ny, nx]):
                continue
            if dx and dy and not (open_tiles[y, nx] and open_tiles[ny, x]):
                continue
            cost = so_far + math.hypot(dx, dy)
            ahead = cost + math.dist((nx, ny), goal)
            if ahead <= most and cost < walked.get((nx, ny), math.inf):
                walked[nx, ny] = cost
                heapq.heappush(todo, (ahead, (nx, ny)))
    return False
