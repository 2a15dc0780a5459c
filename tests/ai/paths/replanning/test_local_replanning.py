"""Local replanning: standing bodies, hazards, displacement and futile effort.

The coarse path knows none of these.

The walkers here are points that stop before a standing body and count the ticks in which they could not go on.
"""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.serialization import digest, record, restore, snapshot
from ai.paths import Decision, Phase
from ai.paths.replanning.local_replanning import (
    OBSTRUCTED,
    RESTS,
    deepening_of,
    find_obstructed,
    serve_line,
    walled_in,
)
from ai.paths.update_context import PathTick, PathUnits
from ai.search.astar.iterative_limits import Deepening
from tests.ai.paths.walkers import STEP, Walkers

CORRIDOR = np.zeros((11, 60), bool)
CORRIDOR[3:8] = True


@record
class Crowd(Walkers):
    """Walkers of which some stand; no walker enters a standing body."""

    stands: np.ndarray = None  # type: ignore[assignment]
    stuck: np.ndarray = None  # type: ignore[assignment]
    side: np.ndarray = None  # type: ignore[assignment]

    @classmethod
    def among(cls, ground: np.ndarray, starts: list, standing: list, **settings: object) -> Crowd:
        """Walkers at ``starts``, then bodies that stand at ``standing`` (y, x)."""
        made = cls.on(ground, [*starts, *standing], **settings)
        n = len(made.x)
        made.stands = (np.arange(n) >= len(starts)).astype(np.uint8)
        made.stuck, made.side = np.zeros(n, np.int16), np.zeros(n, np.uint8)
        return made  # type: ignore[return-value]

    def go(self, ticks: int) -> tuple[set[int], set[int]]:
        """(arrived, lost) over some ticks."""
        arrived, lost = set(), set()
        for _ in range(ticks):
            self.tick += 1
            self.components.update(self.terrain)
            bodies = PathUnits(self.stands, self.stuck, self.side, np.full(len(self.x), 4.0))
            news = self.manager.update(self.terrain, self.components, self.x, self.y, self.tick, self.settings, bodies)
            arrived |= set(news.arrived.tolist())
            lost |= set(news.lost.tolist())
            self._step()
        return arrived, lost

    def _step(self) -> None:
        before = self.x.copy(), self.y.copy()
        self.walk()
        blocks = np.flatnonzero(self.stands)
        for i in np.flatnonzero((before[0] != self.x) | (before[1] != self.y)).tolist():
            gap = np.hypot(self.x[blocks] - self.x[i], self.y[blocks] - self.y[i])
            was = np.hypot(self.x[blocks] - before[0][i], self.y[blocks] - before[1][i])
            if ((gap < 0.5) & (gap < was)).any():
                self.x[i], self.y[i] = before[0][i], before[1][i]
        moved = (before[0] != self.x) | (before[1] != self.y)
        walks = self.manager.store.path_len[: len(self.x)] > 0
        self.stuck[:] = np.where(moved | ~walks, 0, self.stuck + 1)

    def decisions(self, slot: int) -> list[Decision]:
        """Return the decisions about a walker."""
        return [row.decision for row in self.manager.trace.of(slot, 400)]


def tick_of(world: Crowd, tick: int) -> PathTick:
    """Return the context of an update with the crowd's bodies."""
    bodies = PathUnits(world.stands, world.stuck, world.side, np.full(len(world.x), 4.0))
    return PathTick(world.manager, world.terrain, world.components, world.x, world.y, tick, world.settings, bodies)


def test_bodies_in_a_corridor_are_gone_round_and_without_any_nobody_searches() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        crates = [(int(y), int(x)) for y, x in zip(rng.integers(3, 8, 14), rng.integers(8, 50, 14), strict=True)]
        free = CORRIDOR.copy()
        free[tuple(np.array(crates).T)] = False
        passes = Walkers.on(free, [(5, 2)]).components.reachable(0, 5, 2, 5, 57)
        world = Crowd.among(CORRIDOR, [(5, 2)], crates)
        world.order((5, 57), slots=[0])
        arrived, _ = world.go(700)
        assert passes and 0 in arrived and world.manager.statistics.local > 0
    empty = Crowd.among(CORRIDOR, [(5, 2)], [])
    empty.order((5, 57), slots=[0])
    assert empty.go(500)[0] == {0} and empty.manager.statistics.local == 0


def test_one_local_search_a_tick_and_nobody_waits_longer_than_the_line() -> None:
    starts = [(y, x) for x in range(2, 6) for y in range(1, 40, 2)]
    pillars = [(y, 12) for y in range(1, 40, 2)]
    world = Crowd.among(np.ones((42, 60), bool), starts, pillars, local_after=1)
    world.order(np.array([(y, 50) for y, _ in starts]), slots=np.arange(len(starts)))
    arrived, lost = world.go(600)
    assert arrived == set(range(len(starts))) and not lost
    statistics, line = world.manager.statistics, world.manager.local
    assert statistics.local > len(pillars) and statistics.local_per_tick_max == 1
    assert 0 < line.longest <= len(starts)


@pytest.mark.parametrize("grows", [True, False])
@pytest.mark.parametrize("after", [1, 4, 7])
def test_a_stuck_unit_asks_when_its_delay_is_over(grows: bool, after: int) -> None:
    """Without limits that grow, it asks again after twice the first delay."""
    world = Crowd.among(CORRIDOR, [(5, 10)], [(5, 12)], local_after=after, deepening=grows, deepening_delay=9)
    world.order((5, 57), slots=[0])
    world.go(1)
    manager, asked = world.manager, []
    for stuck in range(8 * after + 20):
        world.stuck[0] = stuck
        manager.local.clear()
        find_obstructed(tick_of(world, 100 + stuck))
        if manager.local.slots:
            asked.append(stuck)
    end = 8 * after + 20
    assert asked == list(range(after, end, 9)) if grows else asked == list(range(after, end, 2 * after))


@pytest.mark.parametrize("why", ["no path", "asks anew", "waits at a door"])
def test_a_unit_that_needs_no_local_search_leaves_the_queue_and_takes_no_turn(why: str) -> None:
    world = Crowd.among(np.ones((20, 40), bool), [(4, 4), (12, 4)], [(4, 7), (12, 7)])
    world.order(np.array([(4, 35), (12, 35)]), slots=[0, 1])
    world.go(1)
    manager, r = world.manager, world.manager.requests
    if why == "no path":
        manager.store.clear([0])
    elif why == "asks anew":
        r.phase[0] = Phase.NEW
    else:
        r.held_by[0] = 1
    before = world.path(0)
    for slot in (0, 1):
        assert manager.local.ask(slot, world.tick, OBSTRUCTED)
    serve_line(tick_of(world, world.tick))
    assert manager.statistics.local == manager.statistics.local_per_tick_max == 1 and not manager.local.slots
    assert {Decision.LOCAL, Decision.LOCAL_FAILED} & set(world.decisions(1))
    assert not {Decision.LOCAL, Decision.LOCAL_FAILED} & set(world.decisions(0)) and world.path(0) == before


def test_switched_off_nobody_goes_round() -> None:
    world = Crowd.among(CORRIDOR[4:7], [(1, 2)], [(1, 12)], local_searches=0, futility=False)
    world.order((1, 57), slots=[0])
    assert world.go(300) == (set(), set()) and world.manager.statistics.local == 0


def crowd_at_a_door(grows: bool, leaves_after: int, ticks: int = 400) -> tuple[Crowd, set[int], set[int]]:
    """Send eight walkers through a door in which a body stands for a while.

    Returns (world, arrived, lost).
    """
    ground = np.ones((30, 44), bool)
    ground[:28, 20] = False
    ground[15, 20] = True
    starts = [(y, x) for y in (13, 14, 16, 17) for x in (8, 10)]
    # The memory of failed searches would answer most of them in both runs.
    world = Crowd.among(ground, starts, [(15, 20)], deepening=grows, remembered_failures=0)
    world.order((15, 36), slots=np.arange(8))
    arrived, lost = world.go(leaves_after)
    world.y[8], world.x[8] = 5.5, 30.5
    more, gone = world.go(ticks - leaves_after)
    return world, arrived | more, lost | gone


def test_looks_that_grow_cost_a_fraction_at_a_door_that_is_blocked_for_a_moment() -> None:
    spent = {}
    for grows in (True, False):
        world, arrived, lost = crowd_at_a_door(grows, leaves_after=90)
        assert arrived == set(range(8)) and not lost
        spent[grows] = world.manager.statistics.local_revolutions
    assert 0 < spent[True] < 0.25 * spent[False], spent


def test_a_unit_without_a_detour_searches_only_on_schedule() -> None:
    world, _, _ = crowd_at_a_door(True, leaves_after=399)
    settings, statistics = world.settings, world.manager.statistics
    tries = deepening_of(settings).most_tries
    assert statistics.local <= 8 * (tries + 400 // (RESTS * settings.deepening_delay))
    sealed = Crowd.among(CORRIDOR, [(5, 2)], [(y, 12) for y in range(3, 8)])
    sealed.order((5, 57), slots=[0])
    sealed.go(200)
    told = [row for row in sealed.manager.trace.of(0, 400) if row.decision == Decision.LOCAL_FAILED]
    limits = [row.numbers[1] for row in told]
    assert limits[0] == settings.deepening_first and limits == sorted(limits)
    assert walled_in(sealed.settings, sealed.manager.requests.sealed[:1]).all(), "the whole window was searched"


def test_a_run_goes_on_the_same_from_a_snapshot_in_the_middle_of_the_line() -> None:
    starts = [(y, 4) for y in range(1, 40, 2)]
    world = Crowd.among(np.ones((42, 60), bool), starts, [(y, 12) for y in range(1, 40, 2)], local_after=1)
    world.manager.hazards.learn(0, 20, 30, 0)
    world.order(np.array([(y, 50) for y, _ in starts]), slots=np.arange(len(starts)))
    while not world.manager.local.slots:
        world.go(1)
    again = restore(snapshot(world))
    for _ in range(60):
        world.go(1)
        again.go(1)
        assert digest(world) == digest(again)


def test_step_is_slower_than_a_body() -> None:
    assert STEP < 0.5, "otherwise a walker could jump over a body"


@pytest.mark.parametrize(("first", "step", "most"), [(64, 64, 16384), (10, 7, 60), (5, 100, 6), (3, 1, 3)])
def test_limits_grow_by_a_step_to_the_most_and_then_the_request_is_given_up(first: int, step: int, most: int) -> None:
    limits, grown = [first], Deepening(first, step, most)
    while limits[-1] < most:
        limits.append(min(limits[-1] + step, most))
    assert [grown.limit(failed) for failed in range(grown.most_tries)] == limits
    assert grown.limit(grown.most_tries + 5) == most


@pytest.mark.parametrize("slip", [{"first": 0}, {"step": 0}, {"first": 9, "most": 8}, {"delay": -1}])
def test_limits_that_do_not_grow_are_refused(slip: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="limits must start at 1"):
        Deepening(**slip)
    assert Deepening(first=1, step=1, most=1, delay=0).most_tries == 1
