"""Group paths: one path per order for a whole group, with its width.

The width of a group is a soft constraint, because a group can thin out. On the searched ground a tile narrower than the
group costs more, the more the narrower it is. A tile on which one body fits is never closed. So a group goes round a
narrow place as long as the detour costs less than thinning out and forming again.

All groups share a budget of revolutions per tick. The rest of the budget answers an order immediately. Three answers
are possible: a straight line if the whole width fits on it, the wide search on small maps, or the shortest path on
large ones, while the wide search continues.

A group without an answer waits where it is; it never follows an untested line. Waiting groups are served in the order
of request, then by id, and before groups that only want a wider path.

Source: "Game AI Pro 2", 20.5 (group path query with reconfigurable bulk); "AI Game Programming Wisdom", 5.6.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths.engines.engine_choice import LARGEST as MOST_CUT
from ai.paths.engines.engine_choice import WORTH_IT, is_uniform
from ai.paths.engines.path_engines import Engines
from ai.paths.groups.path_lines import CELLS, corners_of, crossed, narrowest, narrowest_revolutions, pulling_revolutions
from ai.paths.groups.wide_ground import COPIED, NARROW, copied, widen
from ai.search.astar.astar import FOUND, RUNNING, AStarSearch
from ai.search.hierarchy.hpa_batch import WAY
from ai.search.smoothing.straight_walk import line_walkable

AT_ONCE = 1 << 14
"""Largest window in tiles that is searched in the tick of the order."""

NOWHERE = np.zeros((0, 2))

LARGEST = 1 << 18
"""Largest window in tiles that is searched.

A larger group path is the shortest path, and the group thins out.
"""

BUDGET = 20_000
"""Default revolutions per tick for all group paths."""

MARGIN = 48
"""Margin in tiles around the shortest path for the wide path's search.

It also surrounds start and goal.
"""

MENDED_AT_ONCE = 6000
"""Revolutions for repairing the clusters when a group asks right after an edit."""

MOST_ANEW = 4
"""Restarts of a search after edits of its ground.

After that it continues and its result is checked, because otherwise moving doors would prevent any result.
"""

ROUGH = 1.1
"""Relative cost above which a straight line is no answer without a search.

It is the cost of the line, as a multiple of its length.
"""


@record
class WideQuestion:
    """A group that waits for its path, or for a wider one.

    Tiles are (y, x), ``window`` is (y0, x0, y1, x1).
    """

    group: int
    movement_class: int
    width: float
    start: tuple[int, int]
    goal: tuple[int, int]
    window: tuple[int, int, int, int]
    since: int = 0  # tick of the question, as counted by settle()
    known: bool = False  # the group has a path, and this is for a wider one
    looked: bool = False  # the straight line was tested
    tried: int = 0  # revolutions that did not find its shortest path
    hard: bool = False  # a tick's budget does not find that path

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Return the order of service; the smallest is first."""
        return self.known, self.since, self.group


@record
class GroupPaths:
    """Group queries of one world.

    ``asked`` counts them. :meth:`serve` works on those in ``waiting``; ``at`` is the one in progress.
    """

    waiting: list[WideQuestion] = field(default_factory=list)
    at: WideQuestion | None = None
    search: AStarSearch | None = None
    ground: Terrain | None = None  # widened; a narrow group searches the terrain itself
    widened: int = 0  # number of its widened rows
    revision: int = 0  # revision of the terrain against which all paths are checked
    searched: int = 0  # revision on which the present search was begun or last checked
    anew: int = 0  # restarts of the present search
    changed: int = 0  # 1 if its ground was edited and it continued
    ticks: int = 0
    spent: int = 0  # revolutions of this tick
    owed: int = 0  # revolutions of work already done
    asked: int = unhashed(int)
    revolutions: int = unhashed(int)

    @property
    def open(self) -> list[WideQuestion]:
        """Return all questions without an answer."""
        return self.waiting if self.at is None else [self.at, *self.waiting]

    def answered(self, group: int) -> bool:
        """Return True if the group has a path, or never asked for one."""
        return all(question.known or question.group != group for question in self.open)

    def ask(
        self,
        terrain: Terrain,
        engines: Engines,
        group: int,
        movement_class: int,
        start: tuple[int, int],
        goal: tuple[int, int],
        width: float,
        budget: int = BUDGET,
    ) -> np.ndarray:
        """Return the turning points ``float64[n, 2]`` (x, y) from ``start`` to ``goal``.

        Both tiles are (y, x) and in one component. If the group has to wait, the result is ``start`` twice (see
        :meth:`answered`), and :meth:`serve` returns the path under the same ``group``. It may return a wider one later
        as well. At most the rest of the tick's ``budget`` is used.

        Raises ValueError for tiles outside the map and for an invalid width.
        """
        for name, tile in (("start", start), ("goal", goal)):
            if not terrain.inside(*tile):
                raise ValueError(f"{name} {tuple(tile)} is outside a map of {terrain.height} x {terrain.width} tiles")
        if not width >= 0.0:
            raise ValueError(f"width must be a number of tiles, at least 0, got {width}")
        self.forget(group)
        here = np.array([[start[1] + 0.5, start[0] + 0.5]] * 2)
        if start == goal:
            return here
        self.asked += 1
        whole_map = (0, 0, terrain.height, terrain.width)
        question = WideQuestion(group, movement_class, float(width), start, goal, whole_map, self.ticks)
        corners = None
        if all(other.known or other.since == self.ticks for other in self.open):
            corners = self._answer(terrain, engines, question, budget)
        if corners is None and self.at is not question:
            self._wait(question)
        return here if corners is None or not len(corners) else corners

    def settle(self) -> int:
        """End the tick; return the revolutions of all group paths in it.

        The next tick has its whole budget again.
        """
        spent, self.spent = self.spent, 0
        self.ticks += 1
        return spent

    def serve(
        self,
        terrain: Terrain,
        budget: int,
        components: Components | None = None,
        engines: Engines | None = None,
    ) -> list[tuple[int, np.ndarray]]:
        """Spend the rest of the tick's ``budget``; return finished paths (group, turning points).

        The paths are valid on the present terrain: an edit of its ground restarts a search. With ``components``,
        questions whose ends are disconnected by an edit are dropped, and a group without any path gets no points.
        Without ``engines``, shortest paths are not searched first.
        """
        self.pay(0, budget)
        done = [(group, NOWHERE) for group in self._drop_parted(components)]
        while self.left(budget) > 0:
            question = self._next_in_turn(terrain, engines)
            if question is None and self.at is None:
                break
            if question is None:
                assert self.at is not None
                question, corners = self.at, self._search(terrain, budget)
            else:
                self.waiting = [other for other in self.waiting if other is not question]
                corners = self._answer(terrain, engines, question, budget)
                if corners is None and self.at is not question:
                    self._wait(question)
                    if question.hard:
                        continue  # its search has to wait for another one
            if corners is None:
                break  # the rest of the budget was not enough
            if len(corners) or not question.known:
                done.append((question.group, corners))
        return done

    def forget(self, group: int) -> None:
        """Drop the question of a group that needs no path any more."""
        if self.at is not None and self.at.group == group:
            self._over()
        self.waiting = [question for question in self.waiting if question.group != group]

    def pay(self, revolutions: int, budget: int) -> None:
        """Charge finished work.

        The part beyond the tick's budget is owed to the next tick.
        """
        self.owed += revolutions
        paid = min(self.owed, max(budget - self.spent, 0))
        self.owed -= paid
        self._charge(paid)

    def pay_lines(self, lines: np.ndarray, budget: int) -> None:
        """Charge the test of lines ``float64[n, 4]`` (ax, ay, bx, by), as in :meth:`pay`."""
        self.pay(sum(crossed(line, 0.0) for line in lines) // CELLS, budget)

    def _wait(self, question: WideQuestion) -> None:
        self.waiting.append(question)
        self.waiting.sort(key=lambda each: each.rank)

    def _drop_parted(self, components: Components | None) -> list[int]:
        """Drop questions with disconnected ends; return the groups that have no path therefore."""
        if components is None:
            return []
        parted = [q for q in self.open if not components.reachable(q.movement_class, *q.start, *q.goal)]
        for question in parted:
            self.forget(question.group)
        return [question.group for question in parted if not question.known]

    def _next_in_turn(self, terrain: Terrain, engines: Engines | None) -> WideQuestion | None:
        """Return the next question; None while the search in progress goes first."""
        for question in self.waiting:
            if not question.known and not question.hard and engines is not None and _has_engine(terrain):
                return question
        return self.waiting[0] if self.waiting and self.at is None else None

    def _answer(
        self, terrain: Terrain, engines: Engines | None, question: WideQuestion, budget: int
    ) -> np.ndarray | None:
        """Return the turning points, none without a path.

        Return None if the budget was not enough.
        """
        movement_class, width = question.movement_class, question.width
        (sy, sx), (gy, gx) = question.start, question.goal
        if not question.looked and not question.known:
            ends = np.array([[sx + 0.5, sy + 0.5, gx + 0.5, gy + 0.5]])
            if self._straight(terrain, question, ends, budget):
                return ends.reshape(2, 2)
        if question.known or question.hard or engines is None or not _has_engine(terrain):
            if self.at is not None:
                question.hard = True
                return None
            self.at, self.anew = question, 0
            return self._search(terrain, budget)
        left = self.left(budget)
        tiles = self._shortest(terrain, engines, question, left) if left > question.tried else None
        if tiles is None:
            question.tried, question.hard = max(left, question.tried), 2 * left > budget
            return None
        corners = self._pulled(terrain, tiles, movement_class, (0, 0), budget)
        low, high = tiles.min(axis=0), tiles.max(axis=0)
        window = (
            max(0, int(low[0]) - MARGIN),
            max(0, int(low[1]) - MARGIN),
            min(terrain.height, int(high[0]) + MARGIN + 1),
            min(terrain.width, int(high[1]) + MARGIN + 1),
        )
        looked_at = narrowest_revolutions(len(tiles))
        if width > NARROW and _area(window) <= LARGEST:
            unknown = looked_at > self.left(budget)
            if not unknown:
                least, used = narrowest(terrain, movement_class, tiles)
                self._charge(used)
            if unknown or least < width:
                wider = (question.group, movement_class, width, question.start, question.goal, window, self.ticks)
                self._wait(WideQuestion(*wider, known=True))
        return corners

    def _search(self, terrain: Terrain, budget: int) -> np.ndarray | None:
        """Continue the search with the rest of the budget.

        Its answer is that of :meth:`_answer`.
        """
        question = self.at
        assert question is not None
        wide = question.width > NARROW and _area(question.window) <= LARGEST
        y0, x0, y1, x1 = question.window if wide else (0, 0, terrain.height, terrain.width)
        self._follow(terrain, (y0, x0, y1, x1))
        (sy, sx), (gy, gx) = question.start, question.goal
        if wide:
            if self.ground is None:
                self.ground = copied(terrain, question.window)
                self.pay((y1 - y0) * (x1 - x0) // COPIED, budget)
            if self.widened < y1 - y0 and self.left(budget) > 0:
                self.widened, used = widen(
                    self.ground, terrain, question.movement_class, question.width, question.window, self.widened,
                    self.left(budget),
                )  # fmt: skip
                self.pay(used, budget)
            if self.widened < y1 - y0:
                return None
        ground = terrain if self.ground is None else self.ground
        if self.search is None:
            self.search = AStarSearch(ground.height, ground.width)
            self.search.begin(ground, question.movement_class, (sy - y0, sx - x0), (gy - y0, gx - x0))
        if self.left(budget) > 0:
            self._charge(self.search.run(ground, self.left(budget)))
        if self.search.status == RUNNING:
            return None
        corners = NOWHERE
        if self.search.status == FOUND:
            corners = self._pulled(ground, self.search.path(), question.movement_class, (y0, x0), budget)
            if self.changed and not self._still_open(terrain, question.movement_class, corners, budget):
                self._give_up()
                return None
        self._over()
        return corners

    def _over(self) -> None:
        """End the present search."""
        self.at = None
        self.anew = 0
        self._give_up()

    def _give_up(self) -> None:
        """Discard the present search and its widened ground."""
        self.search = self.ground = None
        self.widened = self.changed = 0

    def _follow(self, terrain: Terrain, window: tuple[int, int, int, int]) -> None:
        """Restart the present search if its ground was edited."""
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

    def _still_open(self, terrain: Terrain, movement_class: int, corners: np.ndarray, budget: int) -> bool:
        """Return True if a body can still walk along these turning points."""
        lines = np.column_stack([corners[:-1], corners[1:]])
        self.pay_lines(lines, budget)
        return bool(line_walkable(terrain, lines, movement_class)[0].all())

    def _straight(self, terrain: Terrain, question: WideQuestion, ends: np.ndarray, budget: int) -> bool:
        """Return True if the whole width can walk straight along ``ends`` float64[1, 4].

        The ground must cost little more than ordinary ground. The line is not tested if that exceeds the rest of the
        budget.
        """
        revolutions = crossed(ends[0], question.width) // CELLS
        if revolutions > self.left(budget):
            return False
        question.looked = True
        self._charge(revolutions)
        clear, cost = line_walkable(terrain, ends, question.movement_class, max(question.width / 2.0, 0.3))
        length = float(np.hypot(ends[0, 2] - ends[0, 0], ends[0, 3] - ends[0, 1]))
        return bool(clear[0]) and float(cost[0]) <= ROUGH * length + 1.0

    def _pulled(
        self, ground: Terrain, tiles: np.ndarray, movement_class: int, corner: tuple[int, int], budget: int
    ) -> np.ndarray:
        """Return :func:`corners_of` and charge its work."""
        corners = corners_of(ground, tiles, movement_class, corner)
        self.pay(pulling_revolutions(corners), budget)
        return corners

    def left(self, budget: int) -> int:
        """Return the unspent revolutions of ``budget``, minus those owed."""
        return max(budget - self.spent - self.owed, 0)

    def _charge(self, revolutions: int) -> None:
        self.spent += revolutions
        self.revolutions += revolutions

    def _shortest(self, terrain: Terrain, engines: Engines, question: WideQuestion, limit: int) -> np.ndarray | None:
        """Return the tiles int32[n, 2] of one body's shortest path.

        Returns None if ``limit`` revolutions do not find it.
        """
        movement_class, start, goal = question.movement_class, question.start, question.goal
        spent, tiles = 0, None
        if is_uniform(terrain):
            # The largest number of tiles that one node may scan must fit as well.
            most = limit - 1 - (max(terrain.height, terrain.width) >> 2)
            if most > 0:
                jumps = engines.jumps_of(terrain, movement_class)
                try:
                    tiles = jumps.find(start, goal, most)
                except OverflowError:
                    tiles = None
                spent = jumps.revolutions
        else:
            whole = engines.begin_paths(terrain, movement_class)
            paths = engines.paths_of(terrain, movement_class)
            if whole and paths.revision != terrain.revision:
                paths.note(terrain)
                spent += paths.work(terrain, min(MENDED_AT_ONCE, limit))
            if paths.whole and limit > spent:
                answer = paths.plan(terrain, np.array([start]), np.array([goal]), limit - spent)
                spent += answer.spent
                if answer.done and answer.outcome[0] == WAY:
                    tiles = answer.tiles[answer.offsets[0] : answer.offsets[1]]
        self.pay(spent, self.spent + limit)  # the last repaired cluster may have used more
        return tiles


def _area(window: tuple[int, int, int, int]) -> int:
    return (window[2] - window[0]) * (window[3] - window[1])


def _has_engine(terrain: Terrain) -> bool:
    """Return True if the map needs a shortest path first.

    The map is large enough for it, and has an engine for it.
    """
    size = terrain.passable.size
    return size > AT_ONCE and (is_uniform(terrain) or WORTH_IT <= size <= MOST_CUT)


TECHNIQUES = (
    {
        "slug": "group-path",
        "name": "Group path with clearance for its width",
        "ids": ("GP2-20.7",),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("GroupPaths.ask", "GroupPaths.serve"),
        "test": "tests/ai/paths/groups/test_group_paths.py",
        "exhibit": "levels/exhibits/formation/formation_parade.toml",
        "overlay": "group",
        "setting": "formation.together",
        "reason": "The exhibit is that of another technique.",
        "claim": "Narrow tiles cost more by degrees; on a large map a shortest path serves for a while.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
