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

import math
from dataclasses import field

import numpy as np

from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths.engines import LARGEST as MOST_CUT
from ai.paths.engines import WORTH_IT, Engines, is_uniform
from ai.paths.wide_ground import COPIED, NARROW, TILES, copied, wide_ground, widen, widths
from ai.search.astar import FOUND, RUNNING, AStarSearch
from ai.search.long_way import WAY
from ai.search.walk import FARTHEST, line_walkable, pull_string
from ai.state import record, unhashed

AT_ONCE = 1 << 14
"""Windows of at most so many tiles are searched in the tick of the order."""

LARGEST = 1 << 18
"""Larger windows are not searched: the group takes the shortest way and thins out where it must."""

BUDGET = 20_000
"""Revolutions that all groups' ways may take in a tick, if nobody says otherwise."""

TOWARDS = 2000
"""Revolutions of these that are kept for a first stretch towards a goal whose way waits its turn."""

CELLS = 64
"""So many tiles that lines cross are charged a revolution."""

STRETCH, BESIDE = 64, 24
"""A way's narrowest place is looked for a stretch of so many tiles at a time, and so many tiles to either side."""

MARGIN = 48
"""Tiles round start, goal and the shortest way in which the wide way is looked for."""

MENDED_AT_ONCE = 6000
"""Revolutions for mending the clusters when a group asks right after an edit."""

MOST_ANEW = 4
"""So often a search begins anew at an edit of its ground; then it goes on, and what it finds is looked at again: where
doors never rest, nothing would be found otherwise."""

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


@record
class GroupWays:
    """Group queries of one world.  ``asked`` counts them; :meth:`serve` works on those that take longer."""

    waiting: list[WideQuestion] = field(default_factory=list)
    search: AStarSearch | None = None
    ground: Terrain | None = None  # widened; who is narrow enough searches the terrain itself
    widened: int = 0  # rows of it that are
    revision: int = 0  # of the terrain that all ways have been checked against
    searched: int = 0  # revision of the terrain that the search at hand was begun or last checked on
    anew: int = 0  # how often the search at hand was begun anew
    changed: int = 0  # 1 when its ground was edited and it went on
    spent: int = 0  # revolutions of this tick
    owed: int = 0  # revolutions of work that was done already
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
        if self._straight(terrain, klass, ends, width, budget):
            return ends.reshape(2, 2)
        left = self._left(budget)
        whole_map = (0, 0, terrain.height, terrain.width)
        if terrain.passable.size <= AT_ONCE:
            looked_at = 0 if width <= NARROW else -(-terrain.passable.size // TILES) + terrain.passable.size // COPIED
            if looked_at >= left:
                self.waiting.append(WideQuestion(group, klass, width, start, goal, whole_map))
                return ends.reshape(2, 2)
            ground = wide_ground(terrain, klass, width, whole_map) if width > NARROW else terrain
            search = AStarSearch(ground.height, ground.width)
            search.begin(ground, klass, start, goal)
            self._charge(looked_at + search.run(ground, left - looked_at))
            if search.status == FOUND:
                return self._pulled(ground, search.path(), klass, (0, 0), budget)
            if search.status != RUNNING:
                return ends.reshape(2, 2)
            self.waiting.append(WideQuestion(group, klass, width, start, goal, whole_map))
            return _towards(self._pulled(ground, search.path(), klass, (0, 0), budget), ends)
        tiles, whole = self._shortest(terrain, engines, klass, start, goal, left)
        if not whole:
            asked_width = width if terrain.passable.size <= LARGEST else 0.0
            self.waiting.append(WideQuestion(group, klass, asked_width, start, goal, whole_map))
            return _towards(self._pulled(terrain, tiles, klass, (0, 0), budget), ends)
        corners = self._pulled(terrain, tiles, klass, (0, 0), budget)
        low, high = tiles.min(axis=0), tiles.max(axis=0)
        window = (
            max(0, int(low[0]) - MARGIN),
            max(0, int(low[1]) - MARGIN),
            min(terrain.height, int(high[0]) + MARGIN + 1),
            min(terrain.width, int(high[1]) + MARGIN + 1),
        )
        area = (window[2] - window[0]) * (window[3] - window[1])
        looked_at = -(-len(tiles) // STRETCH) * (STRETCH + 2 * BESIDE + 1) ** 2 // TILES
        if width > NARROW and area <= LARGEST:
            unknown = looked_at > self._left(budget)
            if unknown or self._narrowest(terrain, klass, tiles) < width:
                self.waiting.append(WideQuestion(group, klass, width, start, goal, window))
        return corners

    def settle(self) -> int:
        """The tick is over: revolutions that all ways took in it.  The next has its whole budget again."""
        spent, self.spent = self.spent, 0
        return spent

    def serve(
        self, terrain: Terrain, budget: int, components: Components | None = None
    ) -> list[tuple[int, np.ndarray]]:
        """Spend what is left of the tick's ``budget`` revolutions; returns (group, turning points) of the ways that are
        done.

        They are ways of the terrain as it is now: at an edit of its ground a search begins anew.  Questions whose ends
        an edit has parted are dropped, if ``components`` tell.
        """
        self._pay(0, budget)
        while self.waiting and components is not None:
            question = self.waiting[0]
            if components.reachable(question.klass, *question.start, *question.goal):
                break
            self._next()
        if not self.waiting or self.spent >= budget:
            return []
        question = self.waiting[0]
        y0, x0, y1, x1 = question.window if question.width > NARROW else (0, 0, terrain.height, terrain.width)
        self._follow(terrain, (y0, x0, y1, x1))
        (sy, sx), (gy, gx) = question.start, question.goal
        if question.width > NARROW:
            if self.ground is None:
                self.ground = copied(terrain, question.window)
                self._pay((y1 - y0) * (x1 - x0) // COPIED, budget)
            if self.widened < y1 - y0 and self.spent < budget:
                self.widened, used = widen(
                    self.ground, terrain, question.klass, question.width, question.window, self.widened,
                    budget - self.spent,
                )  # fmt: skip
                self._pay(used, budget)
            if self.widened < y1 - y0:
                return []
        ground = terrain if self.ground is None else self.ground
        if self.search is None:
            self.search = AStarSearch(ground.height, ground.width)
            self.search.begin(ground, question.klass, (sy - y0, sx - x0), (gy - y0, gx - x0))
        if self.spent < budget:
            self._charge(self.search.run(ground, budget - self.spent))
        if self.search.status == RUNNING:
            return []
        done: list[tuple[int, np.ndarray]] = []
        if self.search.status == FOUND:
            corners = self._pulled(ground, self.search.path(), question.klass, (y0, x0), budget)
            if self.changed and not self._open(terrain, question.klass, corners, budget):
                self._give_up()
                return []
            done.append((question.group, corners))
        self._next()  # a window is made once a tick at most
        return done

    def forget(self, group: int) -> None:
        """The group needs no wide way any more."""
        if self.waiting and self.waiting[0].group == group:
            self._next()
        self.waiting = [question for question in self.waiting if question.group != group]

    def _next(self) -> None:
        self.waiting = self.waiting[1:]
        self.anew = 0
        self._give_up()

    def _give_up(self) -> None:
        """What was searched and widened is of no use any more."""
        self.search = self.ground = None
        self.widened = self.changed = 0

    def _follow(self, terrain: Terrain, window: tuple[int, int, int, int]) -> None:
        """Begin anew when the ground of the search at hand was edited."""
        before, self.searched = self.searched, terrain.revision
        if before == terrain.revision or (self.search is None and self.ground is None):
            return
        y0, x0, y1, x1 = window
        changes = terrain.changes_since(before, ("passable", "cost"))
        if changes is not None and not any(a < y1 and c > y0 and b < x1 and d > x0 for a, b, c, d in changes):
            return
        if self.anew < MOST_ANEW:
            self.anew += 1
            self._give_up()
        else:
            self.changed = 1

    def _open(self, terrain: Terrain, klass: int, corners: np.ndarray, budget: int) -> bool:
        """Whether a body may still walk along these turning points."""
        lines = np.column_stack([corners[:-1], corners[1:]])
        self._pay(sum(_crossed(line, 0.0) for line in lines) // CELLS, budget)
        return bool(line_walkable(terrain, lines, klass)[0].all())

    def _straight(self, terrain: Terrain, klass: int, ends: np.ndarray, width: float, budget: int) -> bool:
        """Whether the whole width may walk straight along ``ends`` float64[1, 4] over ground that is hardly dearer than
        ordinary; nobody looks when that takes more than is left of the budget."""
        revolutions = _crossed(ends[0], width) // CELLS
        if revolutions > self._left(budget):
            return False
        self._charge(revolutions)
        clear, cost = line_walkable(terrain, ends, klass, max(width / 2.0, 0.3))
        length = float(np.hypot(ends[0, 2] - ends[0, 0], ends[0, 3] - ends[0, 1]))
        return bool(clear[0]) and float(cost[0]) <= ROUGH * length + 1.0

    def _pulled(
        self, ground: Terrain, tiles: np.ndarray, klass: int, corner: tuple[int, int], budget: int
    ) -> np.ndarray:
        """:func:`corners_of`, paid for."""
        corners = corners_of(ground, tiles, klass, corner)
        self._pay(pulling_revolutions(corners), budget)
        return corners

    def _left(self, budget: int) -> int:
        return max(budget - self.spent - self.owed, 0)

    def _pay(self, revolutions: int, budget: int) -> None:
        """Charge work that has been done; what does not fit the tick is owed to the next."""
        self.owed += revolutions
        paid = min(self.owed, max(budget - self.spent, 0))
        self.owed -= paid
        self._charge(paid)

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
        elif WORTH_IT <= terrain.passable.size <= MOST_CUT:
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


def _crossed(line: np.ndarray, width: float) -> int:
    """Tiles that a body of ``width`` looks at along a line (ax, ay, bx, by), at most."""
    across = abs(math.floor(line[2]) - math.floor(line[0])) + abs(math.floor(line[3]) - math.floor(line[1])) + 1
    return across * (1 + math.ceil(min(width, across)))


def pulling_revolutions(corners: np.ndarray) -> int:
    """What pulling a string to these turning points float64[n, 2] took, in revolutions, at most.

    A piece of s steps is found by lines of growing and shrinking reach: two for each time that s doubles, and none of
    more than twice its steps.
    """
    steps = np.abs(np.diff(corners, axis=0)).max(axis=1, initial=0.0)
    lines = 2 * (np.ceil(np.log2(steps + 1.0)) + 1)
    return -(-int((lines * 2 * np.minimum(2 * steps + 1, FARTHEST)).sum()) // CELLS)


def corners_of(ground: Terrain, tiles: np.ndarray, klass: int, corner: tuple[int, int]) -> np.ndarray:
    """Turning points float64[n, 2] (x, y) of a way over ``ground`` whose first tile is ``corner`` (y, x)."""
    kept = pull_string(ground, tiles, klass)
    return np.column_stack([kept[:, 1] + corner[1] + 0.5, kept[:, 0] + corner[0] + 0.5]).astype(float)
