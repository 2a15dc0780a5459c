"""Local replanning: standing bodies, hazards, displacement and futile effort.

The coarse path knows none of these.

The walkers here are points that stop before a standing body and count the ticks in which they could not go on.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from ai.core.serialization import digest, record, restore, snapshot
from ai.paths import Decision, Phase
from ai.paths.quick.quick_path import rejoin
from ai.paths.replanning.local_replanning import RESTS, deepening_of, walled_in
from ai.paths.replanning.local_replanning_grid import BODY, ReplanningGrid
from ai.paths.update_context import PathTick, PathUnits
from ai.search.astar.iterative_limits import Deepening
from tests.ai.paths.walkers import STEP, Walkers, walls

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
        assert (0 in arrived) or not passes
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


def test_switched_off_nobody_goes_round() -> None:
    world = Crowd.among(CORRIDOR[4:7], [(1, 2)], [(1, 12)], local_searches=0, futility=False)
    world.order((1, 57), slots=[0])
    assert world.go(300) == (set(), set()) and world.manager.statistics.local == 0


@pytest.mark.parametrize("seed", range(4))
def test_the_way_round_is_the_cheapest_in_its_window(seed) -> None:
    """Against scipy's Dijkstra over the same squares."""
    rng = np.random.default_rng(seed)
    ground = walls(40, seed, 40)
    ground[20, 5:35] = True
    world = Crowd.among(ground, [(20, 8)], [(20, 14), (19, 14), (21, 14), (20, 18)])
    world.terrain.edit(10, 10, 30, 30, cost=rng.integers(8, 20, (20, 20)).astype(np.uint8))
    world.order((20, 34), slots=[0])
    world.go(1)
    now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, 2, world.settings)
    window = ReplanningGrid(now, 0)
    window.bar(world.x[1:], world.y[1:])
    found = window.join()
    assert found is not None
    open_ = (window.passable & 1).astype(bool) & ~window.barred
    height, width = open_.shape
    edges = []
    for y, x in np.argwhere(open_).tolist():
        for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
            ny, nx = y + dy, x + dx
            if 0 <= ny < height and 0 <= nx < width and open_[ny, nx] and open_[y, nx] and open_[ny, x]:
                step = (int(window.cost[y, x]) + int(window.cost[ny, nx])) / 16 * np.hypot(dy, dx)
                edges.append((y * width + x, ny * width + nx, step))
    a, b, w = np.array(edges).T
    graph = coo_array((w, (a.astype(int), b.astype(int))), shape=(height * width,) * 2)
    start = (window.here[0] - window.top) * width + window.here[1] - window.left
    far = dijkstra(graph.tocsr(), directed=False, indices=start)
    rows = window.tiles - (window.top, window.left)
    barred = window.barred[rows[:, 0], rows[:, 1]]
    first = next((i for i in range(len(rows)) if not barred[i] and barred[:i].any() and not barred[i : i + 2].any()), 0)
    usable = (np.arange(len(rows)) >= first) & ~barred
    best = np.where(usable, far[rows[:, 0] * width + rows[:, 1]] + window.rest, np.inf).min()
    assert found.cost == pytest.approx(best, rel=1e-3)
    assert not any(window.barred[y - window.top, x - window.left] for y, x in found.tiles.tolist())
    assert BODY < 0.6


def test_two_hundred_displacements_never_lead_back_and_cost_less_than_the_waypoint_left() -> None:
    rng = np.random.default_rng(3)
    ground = walls(60, 2, 45)
    world = Walkers.on(ground, [(1, 1)])
    label = world.components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    ours, theirs, forward = [], [], 0
    while len(ours) < 200:
        start, goal = tiles[rng.integers(len(tiles), size=2)]
        world = Walkers.on(ground, [tuple(start)], straight=False)
        world.order(tuple(goal))
        world.live(2)
        points = np.array(world.path(0))
        if len(points) < 4 or world.manager.requests.phase[0] != Phase.READY:
            continue
        for _ in range(10):
            again = restore(snapshot(world))
            pushed = np.array(start) + rng.integers(-5, 6, 2)
            if not ((pushed >= 0) & (pushed < 60)).all() or label[tuple(pushed)] != label[tuple(start)]:
                continue
            again.y[0], again.x[0] = pushed + 0.5
            now = PathTick(again.manager, again.terrain, again.components, again.x, again.y, 3, again.settings)
            if not rejoin(now, 0):
                continue
            path = np.array(again.path(0))
            old = np.vstack([pushed, points])
            assert (path[-1] == points[-1]).all(), "it still leads to the goal"
            rows = [int(np.flatnonzero((points == p).all(axis=1))[0]) for p in path if (points == p).all(axis=1).any()]
            assert all(b > a for a, b in itertools.pairwise(rows)), "progress along the path never decreases"
            forward += 1
            ours.append(np.hypot(*np.diff(np.vstack([pushed, path]), axis=0).T).sum())
            back = Walkers.on(ground, [tuple(pushed)], straight=False)
            back.order(tuple(points[0]))
            back.live(2)
            first = np.array([tuple(pushed), *back.path(0)])
            theirs.append(np.hypot(*np.diff(first, axis=0).T).sum() + np.hypot(*np.diff(old[1:], axis=0).T).sum())
    assert np.mean(ours) < np.mean(theirs)
    assert np.mean(np.array(ours) <= np.array(theirs) + 1.5) > 0.97


def test_a_walled_in_unit_gives_up_in_bounded_time_and_reports_it() -> None:
    wall = [(y, 12) for y in range(3, 8)]
    world = Crowd.among(CORRIDOR, [(5, 2)], wall, futile_limit=6)
    world.order((5, 57), slots=[0])
    _, lost = world.go(50 + 20 * 16)
    assert lost == {0} and world.decisions(0)[-1] == Decision.FUTILE
    assert world.manager.store.path_len[0] == 0, "no path is left to follow"


def test_a_block_that_goes_away_is_forgotten_within_a_second() -> None:
    wall = [(y, 12) for y in range(3, 8)]
    world = Crowd.among(CORRIDOR, [(5, 2)], wall)
    world.order((5, 57), slots=[0])
    world.go(120)
    assert world.manager.requests.futile[0] > 0
    world.x[1:], world.y[1:] = 0.5, 3.5
    at = world.x[0]
    world.go(21)
    assert world.x[0] > at + 2.0
    world.go(20)
    assert world.manager.requests.futile[0] == 0


def crowd_at_a_door(grows: bool, leaves_after: int, ticks: int = 400) -> tuple[Crowd, set[int], set[int]]:
    """Send eight walkers through a door in which a body stands for a while.

    Returns (world, arrived, lost).
    """
    ground = np.ones((30, 44), bool)
    ground[:28, 20] = False
    ground[15, 20] = True
    starts = [(y, x) for y in (13, 14, 16, 17) for x in (8, 10)]
    world = Crowd.among(ground, starts, [(15, 20)], deepening=grows)
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


def test_half_an_hour_of_walking_and_nobody_ends_in_a_futile_loop() -> None:
    """Twenty-four walkers walk for 75 seconds each; none counts as stuck or lost.

    A walker that arrives is sent elsewhere.
    """
    ground = walls(40, 2)
    rng = np.random.default_rng(1)
    label = Walkers.on(ground, [(0, 0)]).components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    world = Crowd.among(ground, [tuple(t) for t in tiles[rng.choice(len(tiles), 24, replace=False)].tolist()], [])
    world.order(tiles[rng.choice(len(tiles), 24)], slots=np.arange(24))
    trips, lost = 0, set()
    for _ in range(150):
        arrived, gone = world.go(10)
        lost |= gone
        trips += len(arrived)
        for slot in sorted(arrived):
            world.order(tuple(tiles[rng.integers(len(tiles))].tolist()), slots=[slot])
    statistics = world.manager.statistics
    assert statistics.futile == 0 and not lost and statistics.lost == 0
    assert trips > 100 and statistics.requested == trips + 24, "each goal was requested once"


def trap_runs(memory: bool, passes: int) -> tuple[int, list[int]]:
    """Pass a hall with a hidden trap; return how often each unit triggered it.

    Two units of one side pass in turn.
    """
    world = Crowd.among(np.ones((9, 20), bool), [(4, 2), (4, 3)], [], hazards=memory, hazard_ticks=100_000)
    trap, triggered, paths = (4, 10), [0, 0], 0
    for turn in range(passes):
        walker = turn % 2
        world.order((4, 17 if world.x[walker] < 10 else 2 + walker), slots=[walker])
        armed = True
        for _ in range(220):
            if walker in world.go(1)[0]:
                break
            on_it = (int(world.y[walker]), int(world.x[walker])) == trap
            if on_it and armed:
                triggered[walker] += 1
                armed = False
                world.manager.hazards.learn(0, *trap, world.tick, kind=1)
        paths += int(world.manager.requests.phase[walker] == Phase.IDLE)
    return paths, triggered


def test_a_trap_catches_a_side_once_and_every_unit_without_memory() -> None:
    paths, triggered = trap_runs(True, 20)
    assert paths == 20 and triggered == [1, 0], "the first triggered it once, the informed comrade never"
    assert trap_runs(False, 6) == (6, [3, 3])


HALL = np.ones((30, 60), bool)


def passes(world: Crowd, tile: tuple[int, int], ticks: int = 400) -> bool:
    """Return True if walker 0 comes within a tile of ``tile`` on its path."""
    near = False
    for _ in range(ticks):
        world.go(1)
        near |= bool(np.hypot(world.x[0] - tile[1] - 0.5, world.y[0] - tile[0] - 0.5) < 1.0)
    return near


@pytest.mark.parametrize(("side", "memory", "harmed"), [(0, True, False), (0, False, True), (1, True, True)])
def test_only_the_side_that_remembers_a_hazard_avoids_it(side, memory, harmed) -> None:
    world = Crowd.among(HALL, [(15, 2)], [], hazards=memory)
    world.side[:] = side
    world.manager.hazards.learn(0, 15, 30, world.tick)
    world.order((15, 57), slots=[0])
    assert passes(world, (15, 30)) == harmed
    assert world.x[0] > 56, "it arrives nevertheless"


@pytest.mark.parametrize(("side", "led_over"), [(0, False), (1, True)])
def test_a_unit_led_back_to_its_path_avoids_known_hazards(side, led_over) -> None:
    world = Crowd.among(HALL, [(15, 2)], [])
    world.side[:] = side
    world.order((15, 57), slots=[0])
    world.go(2)
    world.manager.take_path(world.terrain, 0, np.array([(15, 2), (15, 4), (15, 57)], np.int32))
    world.go(12)
    trap = (16, 30)
    world.manager.hazards.learn(0, *trap, world.tick)
    world.x[0], world.y[0] = 24.5, 17.5
    bodies = PathUnits(world.stands, world.stuck, world.side, np.full(1, 4.0))
    now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, world.tick, world.settings, bodies)
    assert rejoin(now, 0)
    points = np.array([(17, 24), *world.path(0)])
    assert tuple(points[-1]) == (15, 57), "it leads to the goal nevertheless"
    steps = np.concatenate([np.linspace(a, b, 400) for a, b in itertools.pairwise(points)])
    assert (np.abs(steps - trap).max(axis=1) < 1.0).any() == led_over


def test_a_unit_without_another_path_crosses_a_hazard_and_hazards_fade() -> None:
    world = Crowd.among(HALL[:1], [(0, 2)], [])
    world.manager.hazards.learn(0, 0, 30, 0)
    world.order((0, 57), slots=[0])
    assert passes(world, (0, 30)) and Decision.DARES in world.decisions(0)
    world.settings.hazard_ticks = 10
    world.go(1)
    assert world.manager.hazards.known == {}


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
