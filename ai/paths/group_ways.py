"""One way for a whole group, with its bulk: a query an order, however many units march.

A group's width is a soft constraint: it can thin out.  So the search runs over ground on which a tile that is narrower
than the group costs more, the more the narrower it is, and a tile on which one body fits is never closed.  The group
goes round a narrow place as long as the way round is shorter than what thinning out and forming again would cost.

The answer is there at once: a straight line where the whole width may walk it, on small maps the wide search, on large
ones the shortest way, while the wide search goes on under a budget of revolutions, one group at a time in the order of
asking.  All groups together spend a budget a tick.  What takes more is begun: the group sets out towards the goal as
far as was seen, and its way is searched in turn with the wide ones.

Source: "Game AI Pro 2", 20.5 (group path query with reconfigurable bulk); "AI Game Programming Wisdom", 5.6.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np
from scipy.ndimage import distance_transform_cdt

from ai.grid.terrain import Terrain
from ai.paths.engines import WORTH_IT, Engines, is_uniform
from ai.search.astar import FOUND, RUNNING, AStarSearch
from ai.search.long_way import WAY
from ai.search.walk import line_walkable, pull_string
from ai.state import record, unhashed

PENALTY = 3.0
"""How many times more a tile costs on which only a single file fits, for a group much wider than that."""

AT_ONCE = 1 << 14
"""Windows of at most so many tiles are searched in the tick of the order."""

LARGEST = 1 << 18
"""Larger windows are not searched: the group takes the shortest way and thins out where it must."""

BUDGET = 20_000
"""Revolutions that all groups' ways may take in a tick, if nobody says otherwise."""

TOWARDS = 2000
"""Revolutions of these that are kept for a first stretch towards a goal whose way waits its turn."""

TILES = 64
"""So many tiles looked at for their width are charged a revolution."""

STRETCH, BESIDE = 64, 24
"""A way's narrowest place is looked for a stretch of so many tiles at a time, and so many tiles to either side."""

MARGIN = 48
"""Tiles round start, goal and the shortest way in which the wide way is looked for."""

MENDED_AT_ONCE = 6000
"""Revolutions for mending the clusters when a group asks right after an edit."""

ROUGH = 1.1
"""A straight line that costs more than this many times its length is no answer without a search."""


@record
class WideQuestion:
    """A group whose wide way is still to be searched; tiles are (y, x), ``window`` (y0, x0, y1, x1)."""

    group: int
    klass: int
    width: float
    start: tuple[int, int]
    goal: tuple[int, int]
    window: tuple[int, int, int, int]


def widths(passable: np.ndarray, klass: int) -> np.ndarray:
    """How wide a body fits about each tile, in tiles: int32, twice the chessboard distance to what is blocked."""
    open_ = np.pad(((passable >> klass) & 1).astype(np.uint8), 1)
    return 2 * distance_transform_cdt(open_, "chessboard")[1:-1, 1:-1].astype(np.int32)


def wide_ground(terrain: Terrain, klass: int, width: float, window: tuple[int, int, int, int]) -> Terrain:
    """The ground of a window as a group of ``width`` tiles finds it: narrow tiles cost up to 1 + PENALTY times."""
    y0, x0, y1, x1 = window
    if not (0 <= y0 < y1 <= terrain.height and 0 <= x0 < x1 <= terrain.width):
        raise ValueError(f"window {window} is not inside a map of {terrain.height} x {terrain.width} tiles")
    passable = np.ascontiguousarray(terrain.passable[y0:y1, x0:x1])
    room = widths(passable, klass)
    lack = np.clip((width - room) / max(width, 1.0), 0.0, 1.0)
    cost = np.clip(np.round(terrain.cost[y0:y1, x0:x1] * (1.0 + PENALTY * lack)), 1, 255).astype(np.uint8)
    return Terrain.build(passable, cost)


@record
class GroupWays:
    """Group queries of one world.  ``asked`` counts them; :meth:`serve` works on those that take longer."""

    waiting: list[WideQuestion] = field(default_factory=list)
    search: AStarSearch | None = None
    ground: Terrain | None = None
    revision: int = 0  # of the terrain that all ways have been checked against
    spent: int = 0  # revolutions of this tick
    owed: int = 0  # for the ground of the search at hand
    asked: int = unhashed(int)
    revolutions: int = unhashed(int)

    def ask(
        self,
        terrain: Terrain,
        engines: Engines,
        group: int,
        klass: int,
        start: tuple[int, int],
        goal: tuple[int, int],
        width: float,
        budget: int = BUDGET,
    ) -> np.ndarray:
        """Turning points float64[n, 2] (x, y) of a way from tile ``start`` to tile ``goal``, both (y, x) and of one
        component.  A better one may come out of :meth:`serve` later, under the same ``group``.  It takes what is left
        of the tick's ``budget`` at most."""
        for name, tile in (("start", start), ("goal", goal)):
            if not terrain.inside(*tile):
                raise ValueError(f"{name} {tuple(tile)} is outside a map of {terrain.height} x {terrain.width} tiles")
        if not width >= 0.0:
            raise ValueError(f"width must be a number of tiles from 0 up, got {width}")
        self.forget(group)
        if start == goal:
            return np.array([[start[1] + 0.5, start[0] + 0.5]] * 2)
        self.asked += 1
        ends = np.array([[start[1] + 0.5, start[0] + 0.5, goal[1] + 0.5, goal[0] + 0.5]])
        clear, cost = line_walkable(terrain, ends, klass, max(width / 2.0, 0.3))
        length = float(np.hypot(ends[0, 2] - ends[0, 0], ends[0, 3] - ends[0, 1]))
        if clear[0] and cost[0] <= ROUGH * length + 1.0:
            return ends.reshape(2, 2)
        left = max(budget - self.spent, 0)
        if terrain.passable.size <= AT_ONCE:
            window = (0, 0, terrain.height, terrain.width)
            looked_at = terrain.passable.size // TILES
            if looked_at >= left:
                self.waiting.append(WideQuestion(group, klass, width, start, goal, window))
                return ends.reshape(2, 2)
            ground = wide_ground(terrain, klass, width, window)
            search = AStarSearch(ground.height, ground.width)
            search.begin(ground, klass, start, goal)
            self._charge(looked_at + search.run(ground, left - looked_at))
            if search.status == FOUND:
                return corners_of(ground, search.path(), klass, (0, 0))
            if search.status != RUNNING:
                return ends.reshape(2, 2)
            self.waiting.append(WideQuestion(group, klass, width, start, goal, window))
            return _towards(corners_of(ground, search.path(), klass, (0, 0)), ends)
        tiles, whole = self._shortest(terrain, engines, klass, start, goal, left)
        if not whole:
            window = (0, 0, terrain.height, terrain.width)
            asked_width = width if terrain.passable.size <= LARGEST else 0.0
            self.waiting.append(WideQuestion(group, klass, asked_width, start, goal, window))
            return _towards(corners_of(terrain, tiles, klass, (0, 0)), ends)
        low, high = tiles.min(axis=0), tiles.max(axis=0)
        window = (
            max(0, int(low[0]) - MARGIN),
            max(0, int(low[1]) - MARGIN),
            min(terrain.height, int(high[0]) + MARGIN + 1),
            min(terrain.width, int(high[1]) + MARGIN + 1),
        )
        area = (window[2] - window[0]) * (window[3] - window[1])
        looked_at = -(-len(tiles) // STRETCH) * (STRETCH + 2 * BESIDE + 1) ** 2 // TILES
        unknown = self.spent + looked_at > budget
        if area <= LARGEST and (unknown or self._narrowest(terrain, klass, tiles) < width):
            self.waiting.append(WideQuestion(group, klass, width, start, goal, window))
        return corners_of(terrain, tiles, klass, (0, 0))

    def settle(self) -> int:
        """The tick is over: revolutions that all ways took in it.  The next has its whole budget again."""
        spent, self.spent = self.spent, 0
        return spent

    def serve(self, terrain: Terrain, budget: int) -> list[tuple[int, np.ndarray]]:
        """Spend what is left of the tick's ``budget`` revolutions; returns (group, turning points) of the ways that are
        done."""
        done: list[tuple[int, np.ndarray]] = []
        if self.waiting and self.spent < budget:
            question = self.waiting[0]
            y0, x0, y1, x1 = question.window
            if self.search is None or self.ground is None:
                self.owed = (y1 - y0) * (x1 - x0) // TILES
                self.ground = wide_ground(terrain, question.klass, question.width, question.window)
                self.search = AStarSearch(self.ground.height, self.ground.width)
                (sy, sx), (gy, gx) = question.start, question.goal
                self.search.begin(self.ground, question.klass, (sy - y0, sx - x0), (gy - y0, gx - x0))
            paid = min(self.owed, budget - self.spent)
            self.owed -= paid
            self._charge(paid)
            if self.spent < budget:
                self._charge(self.search.run(self.ground, budget - self.spent))
            if self.search.status == FOUND:
                done.append((question.group, corners_of(self.ground, self.search.path(), question.klass, (y0, x0))))
            if self.search.status != RUNNING:
                self._next()  # a window is made once a tick at most
        return done

    def forget(self, group: int) -> None:
        """The group needs no wide way any more."""
        if self.waiting and self.waiting[0].group == group:
            self._next()
        self.waiting = [question for question in self.waiting if question.group != group]

    def _next(self) -> None:
        self.waiting = self.waiting[1:]
        self.owed = 0
        self.search = self.ground = None

    def _charge(self, revolutions: int) -> None:
        self.spent += revolutions
        self.revolutions += revolutions

    def _shortest(
        self, terrain: Terrain, engines: Engines, klass: int, start: tuple[int, int], goal: tuple[int, int], limit: int
    ) -> tuple[np.ndarray, bool]:
        """Tiles int32[n, 2] of the shortest way for one body; or, with False, of a stretch towards the goal, when the
        way is not found for ``limit`` revolutions."""
        if limit <= 0:
            return np.array([start], np.int32), False
        spent, quick = 0, limit - min(TOWARDS, limit // 2)
        if is_uniform(terrain):
            # What one node may scan at most must fit as well.
            quick -= 1 + (max(terrain.height, terrain.width) >> 2)
            if quick > 0:
                jumps = engines.jumps_of(terrain, klass)
                try:
                    found = jumps.find(start, goal, quick)
                except OverflowError:
                    found = None
                spent = jumps.revolutions
                if found is not None:
                    self._charge(spent)
                    return found, True
        elif terrain.passable.size >= WORTH_IT:
            whole = engines.begin_ways(terrain, klass)
            ways = engines.ways_of(terrain, klass)
            if whole and ways.revision != terrain.revision:
                ways.note(terrain)
                spent += ways.work(terrain, min(MENDED_AT_ONCE, quick))
            answer = None
            if ways.whole and quick > spent:
                answer = ways.plan(terrain, np.array([start]), np.array([goal]), quick - spent)
                spent += answer.spent
            if answer is not None and answer.done and answer.outcome[0] == WAY:
                self._charge(spent)
                return answer.tiles[answer.offsets[0] : answer.offsets[1]], True
        search = AStarSearch(terrain.height, terrain.width)
        search.begin(terrain, klass, start, goal)
        spent += search.run(terrain, max(limit - spent, 0))
        self._charge(spent)
        return search.path(), search.status == FOUND

    def _narrowest(self, terrain: Terrain, klass: int, tiles: np.ndarray) -> float:
        """Width in tiles of the narrowest place on a way, looked at in windows along it."""
        least = float("inf")
        for first in range(0, len(tiles), STRETCH):
            part = tiles[first : first + STRETCH]
            (y0, x0), (y1, x1) = np.maximum(part.min(axis=0) - BESIDE, 0), part.max(axis=0) + BESIDE + 1
            room = widths(terrain.passable[y0:y1, x0:x1], klass)
            self._charge(room.size // TILES)
            least = min(least, float(room[part[:, 0] - y0, part[:, 1] - x0].min()))
        return least


def _towards(corners: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """A first stretch float64[n, 2] and the goal of ``ends`` float64[1, 4] behind it."""
    return np.vstack([corners, ends[:, 2:]])


def corners_of(ground: Terrain, tiles: np.ndarray, klass: int, corner: tuple[int, int]) -> np.ndarray:
    """Turning points float64[n, 2] (x, y) of a way over ``ground`` whose first tile is ``corner`` (y, x)."""
    kept = pull_string(ground, tiles, klass)
    return np.column_stack([kept[:, 1] + corner[1] + 0.5, kept[:, 0] + corner[0] + 0.5]).astype(float)
