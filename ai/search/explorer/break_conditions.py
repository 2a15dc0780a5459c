"""Break conditions over the states of a search.

Source: "AI Game Programming Wisdom", 3.1 (break conditions and break points on tiles).
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.search.explorer.explorer import Explorer
from ai.search.explorer.search_frame import CLOSED, OPEN, SearchFrame

KINDS = ("opened", "closed", "cheaper", "f_above", "open_above", "goal_seen")
"""Kinds of break condition.

A tile is opened, is closed, or gets cheaper. The f of the expanded node exceeds a value. The open list grows beyond a
value. The goal is first seen.
"""


@dataclass(frozen=True)
class Break:
    """Break condition.

    The first three kinds read ``tile`` (y, x). The others, except the last, read ``value``.
    """

    kind: str
    tile: tuple[int, int] | None = None
    value: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown break condition {self.kind!r}; known: {', '.join(KINDS)}")
        if self.kind in ("opened", "closed", "cheaper") and self.tile is None:
            raise ValueError(f"the break condition {self.kind} needs a tile")

    def holds(self, before: SearchFrame, after: SearchFrame, goal: tuple[int, int]) -> bool:
        """Return whether the step from ``before`` to ``after`` met the condition."""
        if self.kind == "goal_seen":
            return before.g[goal] == float("inf") != after.g[goal]
        if self.kind == "f_above":
            if after.current is None:
                return False
            now = float(after.f[after.current])
            return now > self.value and (before.current is None or float(before.f[before.current]) <= self.value)
        if self.kind == "open_above":
            return before.open_size <= self.value < after.open_size
        tile = self.tile
        assert tile is not None
        if self.kind == "opened":
            return before.status[tile] != OPEN and after.status[tile] == OPEN
        if self.kind == "closed":
            return before.status[tile] != CLOSED and after.status[tile] == CLOSED
        return bool(after.g[tile] < before.g[tile] < float("inf"))


def first_stop(explorer: Explorer, step: int, breaks: list[Break], most: int = 1 << 62) -> tuple[int, Break | None]:
    """Run on from ``step`` until a condition holds or the search ends.

    It also stops after ``most`` steps. Returns (step, condition).
    """
    before = explorer.frame(step)
    goal = explorer.question.goal
    last = min(explorer.total, step + most)
    while step < last:
        step += 1
        after = explorer.frame(step)
        for condition in breaks:
            if condition.holds(before, after, goal):
                return step, condition
        before = after
    return step, None
