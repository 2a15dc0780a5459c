"""One way for a whole group, with its bulk: a query an order, however many units march.

A group's width is a soft constraint: it can thin out.  So the search runs over ground on which a tile that is narrower
than the group costs more, the more the narrower it is, and a tile on which one body fits is never closed.  The group
goes round a narrow place as long as the way round is shorter than what thinning out and forming again would cost.

All groups together spend a budget of revolutions a tick.  What is left of it answers an order at once: a straight line
where the whole width may walk it, on small maps the wide search, on large ones the shortest way, while the wide search
goes on.  Who is not answered at once waits where he is; nobody is ever sent along a line that has not been looked at.
Those who wait are served in the order of asking, then by id, and before those who only want a wider way: as many a
tick as the budget carries.

Source: "Game AI Pro 2", 20.5 (group path query with reconfigurable bulk); "AI Game Programming Wisdom", 5.6.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths.engines.path_engines import LARGEST as MOST_CUT
from ai.paths.engines.path_engines import WORTH_IT, Engines, is_uniform
from ai.paths.groups.path_lines import CELLS, corners_of, crossed, narrowest, narrowest_revolutions, pulling_revolutions
from ai.paths.groups.wide_ground import COPIED, NARROW, copied, widen
from ai.search.astar.astar import FOUND, RUNNING, AStarSearch
from ai.search.hierarchy.hpa_batch import WAY
from ai.search.smoothing.straight_walk import line_walkable

AT_ONCE = 1 << 14
"""Windows of at most so many tiles are searched in the tick of the order."""

NOWHERE = np.zeros((0, 2))

LARGEST = 1 << 18
"""Larger windows are not searched: the group takes the shortest way and thins out where it must."""

BUDGET = 20_000
"""Revolutions that all groups' ways may take in a tick, if nobody says otherwise."""

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
    """A group whose way, or whose wide way, is still to be searched; tiles are (y, x), ``window`` (y0, x0, y1, x1)."""

    group: int
    movement_class: int
    width: float
    start: tuple[int, int]
    goal: tuple[int, int]
    window: tuple[int, int, int, int]
    since: int = 0  # tick of the question, as settle() counts them
    known: bool = False  # the group has a way, and this is for a wider one
    looked: bool = False  # along the straight line
    tried: int = 0  # revolutions for which its shortest way was not found
    hard: bool = False  # a tick's budget does not find that

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Smaller is served first."""
        return self.known, self.since, self.group


@record
class GroupPaths:
    """Group queries of one world.  ``asked`` counts them; :meth:`serve` works on those that wait (``waiting``, and
    ``at`` is the one that is being searched)."""

    waiting: list[WideQuestion] = field(default_factory=list)
    at: WideQuestion | None = None
    search: AStarSearch | None = None
    ground: Terrain | None = None  # widened; who is narrow enough searches the terrain itself
    widened: int = 0  # rows of it that are
    revision: int = 0  # of the terrain that all ways have been checked against
    searched: int = 0  # revision of the terrain that the search at hand was begun or last checked on
    anew: int = 0  # how often the search at hand was begun anew
    changed: int = 0  # 1 when its ground was edited and it went on
    ticks: int = 0
    spent: int = 0  # revolutions of this tick
    owed: int = 0  # revolutions of work that was done already
    asked: int = unhashed(int)
    revolutions: int = unhashed(int)

    @property
    def open(self) -> list[WideQuestion]:
        """All questions that have yet to be answered."""
        return self.waiting if self.at is None else [self.at, *self.waiting]

    def answered(self, group: int) -> bool:
        """Whether the group has a way, or never asked for one."""
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
        """Turning points float64[n, 2] (x, y) of a way from tile ``start`` to tile ``goal``, both (y, x) and of one
        component; or ``start`` twice when the group has to wait for it (:meth:`answered` tells), and the way comes out
        of :meth:`serve` under the same ``group``.  A wider one may come out of it later as well.  It takes what is left
        of the tick's ``budget`` at most.  ValueError for tiles outside and for a width that is no number of tiles."""
        for name, tile in (("start", start), ("goal", goal)):
            if not terrain.inside(*tile):
                raise ValueError(f"{name} {tuple(tile)} is outside a map of {terrain.height} x {terrain.width} tiles")
        if not width >= 0.0:
            raise ValueError(f"width must be a number of tiles from 0 up, got {width}")
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
        """The tick is over: revolutions that all ways took in it.  The next has its whole budget again."""
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
        """Spend what is left of the tick's ``budget`` revolutions; returns (group, turning points) of the ways that are
        done.

        They are ways of the terrain as it is now: at an edit of its ground a search begins anew.  Questions whose ends
        an edit has parted are dropped, if ``components`` tell; a group that has no way at all is answered with no
        points then.  Without ``engines`` shortest ways are not looked for first.
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
                        continue  # its search has to wait for another's
            if corners is None:
                break  # the rest of the budget was not enough
            if len(corners) or not question.known:
                done.append((question.group, corners))
        return done

    def forget(self, group: int) -> None:
        """The group needs no way any more."""
        if self.at is not None and self.at.group == group:
            self._over()
        self.waiting = [question for question in self.waiting if question.group != group]

    def pay(self, revolutions: int, budget: int) -> None:
        """Charge work that has been done; what does not fit the tick is owed to the next."""
        self.owed += revolutions
        paid = min(self.owed, max(budget - self.spent, 0))
        self.owed -= paid
        self._charge(paid)

    def pay_lines(self, lines: np.ndarray, budget: int) -> None:
        """:meth:`pay` for lines float64[n, 4] (ax, ay, bx, by) that a body was tried along."""
        self.pay(sum(crossed(line, 0.0) for line in lines) // CELLS, budget)

    def _wait(self, question: WideQuestion) -> None:
        self.waiting.append(question)
        self.waiting.sort(key=lambda each: each.rank)

    def _drop_parted(self, components: Components | None) -> list[int]:
        """Drop questions whose ends are parted; returns the groups that have no way because of it."""
        if components is None:
            return []
        parted = [q for q in self.open if not components.reachable(q.movement_class, *q.start, *q.goal)]
        for question in parted:
            self.forget(question.group)
        return [question.group for question in parted if not question.known]

    def _next_in_turn(self, terrain: Terrain, engines: Engines | None) -> WideQuestion | None:
        """Who is looked at next; None while a search is at hand that goes first."""
        for question in self.waiting:
            if not question.known and not question.hard and engines is not None and _has_engine(terrain):
                return question
        return self.waiting[0] if self.waiting and self.at is None else None

    def _answer(
        self, terrain: Terrain, engines: Engines | None, question: WideQuestion, budget: int
    ) -> np.ndarray | None:
        """Its turning points, none where no way leads; or None when what is left of the budget is not enough."""
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
        """Go on with the search at hand for what is left of the budget; its answer as :meth:`_answer` gives it."""
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
        """Nothing is searched any more."""
        self.at = None
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

    def _still_open(self, terrain: Terrain, movement_class: int, corners: np.ndarray, budget: int) -> bool:
        """Whether a body may still walk along these turning points."""
        lines = np.column_stack([corners[:-1], corners[1:]])
        self.pay_lines(lines, budget)
        return bool(line_walkable(terrain, lines, movement_class)[0].all())

    def _straight(self, terrain: Terrain, question: WideQuestion, ends: np.ndarray, budget: int) -> bool:
        """Whether the whole width may walk straight along ``ends`` float64[1, 4] over ground that is hardly dearer than
        ordinary; nobody looks when that takes more than is left of the budget."""
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
        """:func:`corners_of`, paid for."""
        corners = corners_of(ground, tiles, movement_class, corner)
        self.pay(pulling_revolutions(corners), budget)
        return corners

    def left(self, budget: int) -> int:
        """Revolutions of the tick's ``budget`` that nobody has spent, and none of before is owed."""
        return max(budget - self.spent - self.owed, 0)

    def _charge(self, revolutions: int) -> None:
        self.spent += revolutions
        self.revolutions += revolutions

    def _shortest(self, terrain: Terrain, engines: Engines, question: WideQuestion, limit: int) -> np.ndarray | None:
        """Tiles int32[n, 2] of the shortest way for one body; None when ``limit`` revolutions do not find it."""
        movement_class, start, goal = question.movement_class, question.start, question.goal
        spent, tiles = 0, None
        if is_uniform(terrain):
            # What one node may scan at most must fit as well.
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
        self.pay(spent, self.spent + limit)  # the last cluster that was mended may have taken more
        return tiles


def _area(window: tuple[int, int, int, int]) -> int:
    return (window[2] - window[0]) * (window[3] - window[1])


def _has_engine(terrain: Terrain) -> bool:
    """Whether the map is so large that a shortest way is looked for first, and there is something to find it with."""
    size = terrain.passable.size
    return size > AT_ONCE and (is_uniform(terrain) or WORTH_IT <= size <= MOST_CUT)


TECHNIQUES = (
    {
        "slug": "group-path",
        "name": "One path a group, with its bulk",
        "ids": ("GP2-20.7",),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("GroupPaths.ask", "GroupPaths.serve"),
        "test": "tests/ai/paths/groups/test_group_paths.py",
        "exhibit": "levels/exhibits/formation/formation_parade.toml",
        "overlay": "group",
        "setting": "formation.together",
        "reason": "The exhibit is that of another technique.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
