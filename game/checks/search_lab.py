"""A* explorer table: two algorithms on one paintable map, with one step counter.

The map is a copy; the world it came from is never changed. Each lane shows a :class:`SearchFrame` at a step.
Source: "AI Game Programming Wisdom", 3.1 (A* explorer).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ai.grid.terrain import ORDINARY_COST, Terrain
from ai.search.explorer import ALGORITHMS, Break, Explorer, Question, SearchFrame, build, first_stop, why_not
from ai.search.explorer.explorer import UNIFORM, costs_differ
from ai.search.fields.flow_field import FlowField

Tile = tuple[int, int]

BRUSHES: dict[str, int] = {"wall": 0, "open": ORDINARY_COST, "dear": 2 * ORDINARY_COST, "hill": 6 * ORDINARY_COST}
"""Tile costs of the brushes in eighths, 0 for blocked."""

STEPS = (1, 10, 100)


@dataclass
class Lane:
    """Lane of an algorithm: explorer, present frame, or the reason against it."""

    algorithm: str
    explorer: Explorer | None = None
    frame: SearchFrame | None = None
    trouble: str = ""
    stopped_by: Break | None = None

    @property
    def name(self) -> str:
        """Description of the algorithm for the reader."""
        return ALGORITHMS[self.algorithm]


class SearchLab:
    """Search lab: ends, two lanes and a step.

    ``version`` changes with every visible change.
    """

    def __init__(
        self,
        terrain: Terrain,
        start: Tile,
        goal: Tile,
        first: str = "astar",
        second: str = "jps",
        movement_class: int = 0,
    ) -> None:
        self._source = terrain
        self.terrain = _copy(terrain)
        self._begin = (start, goal)
        self.question = Question("astar", start, goal, movement_class)
        self.lanes = (Lane(first), Lane(second))
        self.step = 0
        self.breaks: dict[str, Break] = {}
        self.version = 0
        self.painted: set[Tile] = set()
        self._rebuild()

    # The question

    def ask(self, **changes: object) -> None:
        """Change the question (start, goal, weight, ties, estimate, relative); both searches begin again."""
        self.question = replace(self.question, **changes)  # type: ignore[arg-type]
        self._rebuild()

    def choose(self, lane: int, algorithm: str) -> None:
        """Set the algorithm of a lane and keep its step.

        KeyError for an unknown algorithm.
        """
        if algorithm not in ALGORITHMS:
            raise KeyError(algorithm)
        self.lanes[lane].algorithm = algorithm
        self._build(self.lanes[lane])
        self._show()

    def next_algorithm(self, lane: int, by: int = 1) -> None:
        """Set the algorithm ``by`` places later in the list, with wrap-around."""
        names = list(ALGORITHMS)
        at = names.index(self.lanes[lane].algorithm)
        self.choose(lane, names[(at + by) % len(names)])

    def swap(self) -> None:
        """Swap the two lanes."""
        self.lanes = (self.lanes[1], self.lanes[0])
        self.version += 1

    # The map

    def paint(self, tile: Tile, brush: str) -> bool:
        """Paint a tile with a brush (:data:`BRUSHES`); false without a change.

        An end on the tile blocks painting.
        """
        if tile in (self.question.start, self.question.goal) or not self.terrain.inside(*tile):
            return False
        cost, y, x = BRUSHES[brush], *tile
        bit = 1 << self.question.movement_class
        if cost == 0:
            changed = self.terrain.edit(y, x, y + 1, x + 1, passable=int(self.terrain.passable[tile]) & ~bit & 255)
        else:
            passable = int(self.terrain.passable[tile]) | bit
            changed = self.terrain.edit(y, x, y + 1, x + 1, passable=passable, cost=cost)
        if changed:
            self._note_painted(tile)
            self._rebuild()
        return changed

    def _note_painted(self, tile: Tile) -> None:
        """Keep the set of tiles that differ from the map there was."""
        same = all(getattr(self.terrain, n)[tile] == getattr(self._source, n)[tile] for n in ("passable", "cost"))
        (self.painted.discard if same else self.painted.add)(tile)

    def restore(self) -> None:
        """Restore the original map, start and goal."""
        self.terrain = _copy(self._source)
        self.painted.clear()
        self.question = replace(self.question, start=self._begin[0], goal=self._begin[1])
        self._rebuild()

    def move_end(self, which: str, tile: Tile) -> bool:
        """Move ``start`` or ``goal`` to a tile the class can enter, else false."""
        if not self.terrain.inside(*tile) or getattr(self.question, which) == tile:
            return False
        if not self.terrain.passable[tile] >> self.question.movement_class & 1:
            return False
        self.ask(**{which: tile})
        return True

    # Steps

    @property
    def total(self) -> int:
        """Steps until both searches have ended."""
        return max([lane.explorer.total for lane in self.lanes if lane.explorer is not None], default=0)

    @property
    def ended(self) -> bool:
        """Return true if both lanes have ended."""
        return self.step >= self.total

    def go_to(self, step: int) -> None:
        """Show the state after ``step`` expanded nodes, within what there is."""
        self.step = min(max(step, 0), self.total)
        for lane in self.lanes:
            lane.stopped_by = None
        self._show()

    def move(self, by: int) -> None:
        """Move by a number of steps, forward or back."""
        self.go_to(self.step + by)

    def set_break(self, condition: Break | None, kind: str = "") -> None:
        """Add a break condition, or with None take away the one of a kind."""
        if condition is not None:
            self.breaks[condition.kind] = condition
        else:
            self.breaks.pop(kind, None)
        self.version += 1

    def run_to_break(self) -> Break | None:
        """Run until a break condition holds in a lane; return it.

        It stops at the end at the latest.
        """
        stops: list[tuple[int, Lane, Break | None]] = []
        for lane in self.lanes:
            if lane.explorer is not None and lane.explorer.total > self.step:
                at, condition = first_stop(lane.explorer, self.step, list(self.breaks.values()))
                stops.append((at, lane, condition))
        held = [row for row in stops if row[2] is not None]
        self.go_to(min(row[0] for row in held) if held else self.total)
        for at, lane, condition in held:
            if at == self.step:
                lane.stopped_by = condition
        return next((lane.stopped_by for lane in self.lanes if lane.stopped_by is not None), None)

    def move_until_break(self, steps: int) -> Break | None:
        """Run up to ``steps``, or to the first break condition; return it."""
        if not self.breaks:
            self.move(steps)
            return None
        for _ in range(steps):
            before = [lane.frame for lane in self.lanes]
            self.move(1)
            for lane, old in zip(self.lanes, before, strict=True):
                if lane.frame is None or old is None or lane.frame.step == old.step:
                    continue
                for condition in self.breaks.values():
                    if condition.holds(old, lane.frame, self.question.goal):
                        lane.stopped_by = condition
                        return condition
        return None

    def remark(self, lane: Lane) -> str:
        """Return a warning about the result of a lane, or nothing."""
        if lane.trouble:
            return lane.trouble
        if lane.algorithm in UNIFORM and costs_differ(self.terrain):
            return "Takes all open ground to cost the same."
        return ""

    def _rebuild(self) -> None:
        for lane in self.lanes:
            self._build(lane)
        self.step = min(self.step, self.total)
        self._show()

    def _build(self, lane: Lane) -> None:
        question = replace(self.question, algorithm=lane.algorithm)
        lane.trouble = why_not(self.terrain, question)
        lane.explorer = None if lane.trouble else build(self.terrain, question)
        lane.stopped_by = None

    def _show(self) -> None:
        for lane in self.lanes:
            lane.frame = lane.explorer.frame(self.step) if lane.explorer is not None else None
        self.version += 1


def _copy(terrain: Terrain) -> Terrain:
    return Terrain.build(terrain.passable.copy(), terrain.cost.copy())


def suggested_ends(terrain: Terrain, movement_class: int = 0) -> tuple[Tile, Tile]:
    """Return two distant open tiles of one component.

    They are the westernmost and, of those it reaches, the easternmost. ValueError when the class can stand nowhere.
    """
    open_ = np.argwhere(terrain.passable >> movement_class & 1)
    if len(open_) == 0:
        raise ValueError("this map has no open tile to search from")
    middle = terrain.height / 2
    west = np.lexsort((open_[:, 0], np.abs(open_[:, 0] - middle), open_[:, 1]))[0]
    first = (int(open_[west, 0]), int(open_[west, 1]))
    field = FlowField.build(terrain, movement_class, [first])
    while not field.ready:
        field.run(terrain, 1 << 40)
    reached = np.argwhere(np.isfinite(field.costs))
    east = np.lexsort((reached[:, 0], np.abs(reached[:, 0] - middle), -reached[:, 1]))[0]
    return first, (int(reached[east, 0]), int(reached[east, 1]))
