"""Turns: schedule of work that is spread over ticks (ai.core.scheduling)."""

from __future__ import annotations

from dataclasses import field

from ai.core.scheduling.level_of_detail import DetailShares
from ai.core.scheduling.periods import coprime_periods, is_due, player_of_turn
from ai.core.scheduling.round_robin import RoundRobin
from ai.core.scheduling.task_groups import SpreadGroup, WorkGroup
from ai.core.scheduling.update_timeline import Timeline
from ai.core.serialization import record, unhashed

PARTS_AND_PERIODS = {"right_of_way": 5, "congestion": 7, "walkers": 16}
"""Analyses and the rough most ticks between two runs of each.

Source: AI Game Programming Wisdom, 6.1.
"""


PARTS = dict(zip(PARTS_AND_PERIODS, coprime_periods(list(PARTS_AND_PERIODS.values())), strict=True))
"""Ticks between two runs of each analysis, without a common factor.

Then two analyses seldom fall into one tick.
"""


@record
class Turns:
    """Clock of all work that does not run for every unit in every tick.

    Rings that go on from tick to tick: minds with an event, minds without one; eyes and walkers by level of detail.
    """

    woken: RoundRobin = field(default_factory=RoundRobin)
    minds: RoundRobin = field(default_factory=RoundRobin)
    eyes: DetailShares = field(default_factory=DetailShares)
    strides: list[int] = field(default_factory=list)
    """Ticks between two looks ahead of a walker, by class.

    Empty: each in every tick.
    """
    groups: SpreadGroup = field(default_factory=lambda: SpreadGroup(5))
    """Groups' decisions, evenly spread, tasks are group ids."""
    paths: WorkGroup = field(default_factory=lambda: WorkGroup(0))
    """Searches for other paths round a crowd: unit ids, work in expansions."""
    timeline: Timeline = unhashed(Timeline)
    groups_timeline: Timeline = unhashed(Timeline)
    """Timeline of the last ticks, by unit or group part.

    Kept in small worlds only.
    """

    def due(self, part: str, tick: int) -> bool:
        """Return true if an analysis runs this tick; KeyError without a period."""
        return is_due(tick, PARTS[part])

    def whose(self, part: str, tick: int, players: int) -> int:
        """Return the player (side) whose analysis runs this tick, -1 for none.

        The players take turns.
        """
        return player_of_turn(tick, PARTS[part], 0, players)
