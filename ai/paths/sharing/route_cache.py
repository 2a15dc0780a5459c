"""Route cache: recent paths that answer the same request without a search.

A patrol walks one path in every round, and a unit may be sent back and forth. The last few paths are kept by their
ends. A unit that stands on one of them and has its end as goal follows it. So does a unit at its end that goes back to
its start. It needs no quick path, no place in the queue and no revolution.

A map edit drops a route if a path through the edited rectangle could be as short as the route. That covers every route
that crosses the rectangle, and those that a new opening might shorten. A search would find the remaining ones again.

Routes are saved and hashed with the world; whether one answers follows from saved state alone.

Source: "Game AI Pro 2", 31.3 (cached paths); "AI Game Programming Wisdom", 3.5 (avoid searching).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.grid.terrain import Terrain
from ai.paths.argument_checks import tiles_of

DIAGONAL = 2.0**0.5

KEPT_A_TICK = 8
"""Routes kept per tick, because the paths of a crowd all differ."""


@record
class KnownRoute:
    """Cached path of a movement class.

    ``tiles`` int32[n, 2] are (y, x), ``cost`` is in tiles, and the tick is the one in which the path was found.
    """

    movement_class: int
    cost: float
    tick: int
    tiles: np.ndarray


@record
class RouteCache:
    """Last routes by number, oldest first, valid at ``revision``.

    ``hits`` and ``dropped`` are counts for overlays.
    """

    routes: dict[int, KnownRoute] = field(default_factory=dict)
    next_number: int = 0
    revision: int = 0
    kept_at: int = -1
    kept: int = 0
    hits: int = unhashed(lambda: 0)
    dropped: int = unhashed(lambda: 0)
    by_end: dict[tuple[int, int, int], list[int]] = derived(dict)

    def follow(self, terrain: Terrain) -> int:
        """Drop routes that edits since the last call may have changed; return their number."""
        if self.revision == terrain.revision:
            return 0
        changes = terrain.changes_since(self.revision, ("passable", "cost"))
        self.revision = terrain.revision
        numbers = list(self.routes)
        if not numbers or changes == []:
            return 0
        stale = np.ones(len(numbers), bool)
        if changes is not None:
            known = [self.routes[number] for number in numbers]
            first, last = (np.array([route.tiles[at] for route in known], np.int64) for at in (0, -1))
            costs = np.array([route.cost for route in known])
            stale[:] = False
            for rectangle in changes:
                least = (_away(first, rectangle) + _away(last, rectangle)) * terrain.lowest_cost / 8
                stale |= least <= costs + 1e-9
        for number, old in zip(numbers, stale.tolist(), strict=True):
            if old:
                del self.routes[number]
        self.by_end.clear()
        self.dropped += int(stale.sum())
        return int(stale.sum())

    def keep(self, terrain: Terrain, movement_class: int, tiles: np.ndarray, tick: int, most: int) -> None:
        """Keep a route found on the present terrain; beyond ``most`` the oldest is dropped."""
        tiles = tiles_of("tiles", tiles, len(tiles), terrain)
        if self.kept_at != tick:
            self.kept_at, self.kept = tick, 0
        if most <= 0 or len(tiles) < 2 or self.kept >= KEPT_A_TICK or self.revision != terrain.revision:
            return
        self.kept += 1
        tiles = np.array(tiles, np.int32)
        steps = np.hypot(*np.diff(tiles, axis=0).T)
        cost = terrain.cost[tiles[:, 0], tiles[:, 1]].astype(np.int64)
        length = float((steps * (cost[1:] + cost[:-1])).sum()) / 16
        self.routes[self.next_number] = KnownRoute(int(movement_class), length, int(tick), tiles)
        self.next_number += 1
        while len(self.routes) > most:
            del self.routes[next(iter(self.routes))]
        self.by_end.clear()

    def find(self, movement_class: int, start: tuple[int, int], goal: tuple[int, int]) -> tuple[np.ndarray, int] | None:
        """Return tiles and tick of the newest route that fits, else None.

        Tiles are int32[n, 2]; the tick is the one in which the route was found.

        The tiles (y, x) lead from ``start`` to ``goal``.
        """
        if not self.routes:
            return None
        if not self.by_end:
            for number, route in self.routes.items():
                for y, x in (route.tiles[0].tolist(), route.tiles[-1].tolist()):
                    self.by_end.setdefault((route.movement_class, y, x), []).append(number)
        for number in reversed(self.by_end.get((int(movement_class), int(goal[0]), int(goal[1])), [])):
            route = self.routes[number]
            tiles = route.tiles if (route.tiles[-1] == goal).all() else route.tiles[::-1]
            at = np.flatnonzero((tiles[:, 0] == start[0]) & (tiles[:, 1] == start[1]))
            if len(at):
                self.hits += 1
                return np.ascontiguousarray(tiles[int(at[-1]) :]), route.tick
        return None


def _away(tiles: np.ndarray, rectangle: tuple[int, int, int, int]) -> np.ndarray:
    """Return the octile distance in tiles to a rectangle grown by a tile.

    The rectangle is (y0, x0, y1, x1).
    """
    y0, x0, y1, x1 = rectangle
    dy = np.maximum(np.maximum(y0 - 1 - tiles[:, 0], tiles[:, 0] - y1), 0)
    dx = np.maximum(np.maximum(x0 - 1 - tiles[:, 1], tiles[:, 1] - x1), 0)
    return np.asarray(np.maximum(dy, dx) + (DIAGONAL - 1) * np.minimum(dy, dx))


TECHNIQUES = (
    {
        "slug": "route-cache",
        "name": "Cache of recent paths",
        "ids": ("GP2-23.4",),
        "source": "Game AI Pro 2, ch. 23 and 31; AI Game Programming Wisdom, 3.5",
        "functions": ("RouteCache.find", "RouteCache.keep"),
        "test": "tests/ai/paths/sharing/test_route_cache.py",
        "exhibit": "levels/exhibits/paths/path_stages.routes.toml",
        "overlay": "paths",
        "setting": "paths.remembered_routes",
        "measure": "waited",
        "direction": "down",
        "claim": "Paths only: moves of a turn and tables by ply are left out. Edits drop routes that they may shorten.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
