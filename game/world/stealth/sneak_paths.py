"""Who sneaks: the way of each, and the one search for such ways that is open, with the line that waits for it.

Sources: Game AI Pro 2, ch. 1 (1.5.1), ch. 34 (34.2).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record
from ai.grid.terrain import Terrain
from ai.search.astar.astar import AStarSearch


@record
class SneakPath:
    """The way of one unit: ``tiles`` (y, x), the stance on each, and how far along it is."""

    goal: tuple[int, int]
    pace: int
    """How it moved before."""
    tiles: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    stances: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    at: int = 0
    read: int = -1
    """Round of the exposure map that it knows."""
    paths: int = 0
    """How often a way was laid."""


@record
class SneakSearch:
    """A search for a way past the eyes that takes as many ticks as it needs, over the ground as it was at its begin."""

    unit: int
    fresh: bool
    """It has no way yet, or has left it; else a clearly better one is looked for."""
    rounds: int
    """Of the exposure map, at the begin."""
    revision: int
    """Of the terrain, at the begin."""
    ground: Terrain
    stance: np.ndarray
    """uint8[H, W]: the best on each tile."""
    search: AStarSearch


@record
class SneakLine:
    """All who want a way past the eyes, in the order of asking; those without any come before the others."""

    fresh: list[int] = field(default_factory=list)
    again: list[int] = field(default_factory=list)
    at: SneakSearch | None = None
    spent: int = 0
    """Revolutions that are not settled yet."""

    def ask(self, unit: int, fresh: bool) -> None:
        """A unit wants a way, ``fresh`` when it has none; it stands in the line once."""
        if fresh and unit in self.again:
            self.again.remove(unit)
        known = unit in self.fresh or unit in self.again or (self.at is not None and self.at.unit == unit)
        if not known:
            (self.fresh if fresh else self.again).append(unit)

    def leave(self, unit: int) -> None:
        """It wants none any more."""
        if self.at is not None and self.at.unit == unit:
            self.at = None
        self.fresh = [other for other in self.fresh if other != unit]
        self.again = [other for other in self.again if other != unit]

    def next(self) -> tuple[int, bool] | None:
        """Take who is served next off the line: a unit and whether it has no way yet."""
        if self.fresh:
            return self.fresh.pop(0), True
        return (self.again.pop(0), False) if self.again else None

    def settle(self, budget: int) -> int:
        """Revolutions that count for the tick that is over, ``budget`` at most; what is above is owed by the next."""
        paid = min(self.spent, budget)
        self.spent -= paid
        return paid

    @property
    def waiting(self) -> int:
        """How many wait for a way or for a better one."""
        return len(self.fresh) + len(self.again) + (self.at is not None)
