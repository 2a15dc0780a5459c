"""Sneak paths: path of each unit, the open search, and its queue.

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
    """Sneak path of one unit: tiles, stances and progress.

    ``tiles`` are (y, x), with the stance on each, and the index of the unit's position on it.
    """

    goal: tuple[int, int]
    pace: int
    """Pace before the sneak."""
    tiles: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    stances: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    at: int = 0
    read: int = -1
    """Round of the exposure map that it knows."""
    paths: int = 0
    """Number of paths laid."""
    start: tuple[float, float] = (0.0, 0.0)
    """Place (x, y) where the excluded zone of a flank route begins."""
    law: str = ""
    """Law of the route (game.systems.tactics.route_costs); empty: past the watchers."""
    side: int = 0
    """Side on which the last flank route passed the enemy: 1, -1 or 0."""


@record
class SneakSearch:
    """Sneak search over as many ticks as it needs.

    It uses the ground as it was at its start.
    """

    unit: int
    fresh: bool
    """True if the unit has no path; else a better one is searched.

    It may also have left its path.
    """
    rounds: int
    """Round of the exposure map at the start."""
    revision: int
    """Revision of the terrain at the start."""
    ground: Terrain
    stance: np.ndarray
    """uint8[H, W]: the best on each tile."""
    search: AStarSearch


@record
class SneakLine:
    """Queue of units for sneak paths, in the order of asking.

    Units without any path come first.
    """

    fresh: list[int] = field(default_factory=list)
    again: list[int] = field(default_factory=list)
    at: SneakSearch | None = None
    spent: int = 0
    """Revolutions that are not settled yet."""

    def ask(self, unit: int, fresh: bool) -> None:
        """Queue a unit once, ``fresh`` if it has no path."""
        if fresh and unit in self.again:
            self.again.remove(unit)
        known = unit in self.fresh or unit in self.again or (self.at is not None and self.at.unit == unit)
        if not known:
            (self.fresh if fresh else self.again).append(unit)

    def leave(self, unit: int) -> None:
        """Remove a unit from the queue."""
        if self.at is not None and self.at.unit == unit:
            self.at = None
        self.fresh = [other for other in self.fresh if other != unit]
        self.again = [other for other in self.again if other != unit]

    def next(self) -> tuple[int, bool] | None:
        """Take the next unit, and whether it has no path yet."""
        if self.fresh:
            return self.fresh.pop(0), True
        return (self.again.pop(0), False) if self.again else None

    def settle(self, budget: int) -> int:
        """Return revolutions that count for the finished tick, at most ``budget``.

        The excess is owed by the next tick.
        """
        paid = min(self.spent, budget)
        self.spent -= paid
        return paid

    @property
    def waiting(self) -> int:
        """Return how many units wait for a path or a better one."""
        return len(self.fresh) + len(self.again) + (self.at is not None)
