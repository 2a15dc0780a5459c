"""Quick, splice and priority paths: effects that an observer sees.

Oracles: scipy's Dijkstra for lengths, counting for caps, and the same scene with the stage switched off.
"""

import itertools

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.paths import Decision, PathSource, PathStore, Phase, PriorityEnd
from ai.paths.quick.quick_path import quick_paths
from ai.paths.quick.straight_path import straight_paths
from ai.paths.store.following_kernels import Flag
from ai.paths.store.path_store import REPLACE
from ai.paths.update_context import PathTick
from tests.ai.paths.requests.test_path_queue import SERPENT, pairs
from tests.ai.paths.walkers import Walkers, from_rows, walls
from tests.ai.search.grids import distances

TRAP = from_rows(
    [
        "........................",
        "........................",
        "....###########.........",
        "..............#.........",
        "..............#.........",
        "..............#.........",
        "..............#.........",
        "..............#.........",
        "....###########.........",
        "........................",
        "........................",
    ]
)
"""Return a U open to the left.

A unit that walks right along the middle meets its bottom.
"""


def test_everyone_has_a_way_in_the_update_that_reads_the_order() -> None:
    ground = walls(64, 3, 12)
    starts, goals = pairs(ground, 300, 5)
    world = Walkers.on(ground, starts)
    world.order(goals)
    world.think()
    store, requests = world.manager.store, world.manager.requests
    for slot in range(300):
        at_goal = tuple(requests.goal[slot].tolist()) == starts[slot]
        assert at_goal or store.path_len[slot] >= 1
        if not at_goal:
            assert (store.wp_x[slot], store.wp_y[slot]) != (world.x[slot], world.y[slot]), "it can start to walk"


def test_a_quick_path_is_as_long_as_the_queue_is_busy() -> None:
    lengths = []
    for load in (0, 20, 60, 100, 150, 200, 1000):
        world = Walkers.on(np.ones((40, 60), bool), [(5, 5)], straight=False)
        world.settings.quick_full_load = 200
        # A synthetic queue: tickets of units that never come to be served.
        world.manager.reserve(2000)
        world.manager.requests.phase[100 : 100 + load] = Phase.WAITING
        world.settings.admissions = 1
        world.settings.budget = 1
        world.settings.open_searches = 1
        world.manager.requests.place[100 : 100 + load] = (5, 5)
        world.manager.requests.goal[100 : 100 + load] = (5, 5)
        world.order((5, 55))
        world.think()
        lengths.append(int(world.manager.requests.quick[0]))
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (3, 15)
    assert len(set(lengths)) > 4


@pytest.mark.parametrize("load", [0, 100, 199, 200, 201, 5000])
def test_in_a_full_queue_a_quick_path_over_free_ground_is_three_times_as_long(load: int) -> None:
    """Units have free ground, a far wall, a near wall, or a near goal.

    A quick path grows from 3 to 15 tiles with the queue.
    """
    ground = np.ones((60, 80), bool)
    ground[18:23, 24] = ground[26:35, 7] = False
    starts = np.array([(5, 4), (20, 4), (30, 4), (50, 4)], np.int32)
    goals = np.array([(5, 74), (20, 74), (30, 74), (52, 7)], np.int32)
    world = Walkers.on(ground, starts.tolist())
    world.order(goals)
    now = PathTick(world.manager, world.terrain, world.components, world.x, world.y, 1, world.settings)
    reached = quick_paths(now, np.arange(4), starts, goals, REPLACE, load, explore=False)
    length = 3 + 12 * min(load, 200) // 200
    requests, store = world.manager.requests, world.manager.store
    assert reached.tolist() == [False, False, False, True]
    assert requests.quick[:2].tolist() == [3 * length if load >= 200 else length, length]
    assert 0 < requests.quick[2] <= length and requests.quick[3] == 3
    assert world.path(0)[-1] == (5, 4 + requests.quick[0]) and world.path(1)[-1] == (20, 4 + length)
    assert world.path(3)[-1] == (52, 7) and world.manager.statistics.quick == 4
    for slot in range(4):
        assert world.stages(slot) == {PathSource.QUICK}
        assert (requests.phase[slot] == Phase.READY) == store.final[slot] == reached[slot]
        told = [row.decision for row in world.manager.trace.of(slot)]
        assert told[-1] == (Decision.QUICK_ONLY if reached[slot] else Decision.QUICK)


def test_a_short_way_needs_no_full_search() -> None:
    world = Walkers.on(TRAP, [(5, 3)], straight=False)
    world.order((4, 5))
    world.think()
    assert world.manager.requests.phase[0] == Phase.READY
    assert world.manager.statistics.full == 0
    assert world.manager.statistics.revolutions_total == 0
    assert world.stages(0) == {PathSource.QUICK}


def test_a_goal_in_plain_sight_is_walked_to_without_any_search() -> None:
    world = Walkers.on(np.ones((200, 200), bool), [(3, 3)])
    world.order((190, 111))
    assert world.live(1500) == ({0}, set())
    assert world.manager.statistics.revolutions_total == 0
    # Nothing but the look along the line: 187 rows and 108 columns on, a revolution for 64 tiles.
    assert world.manager.statistics.quick_revolutions_total == (187 + 108 + 1) // 64
    assert world.manager.statistics.straight == 1


def test_a_straight_line_over_dear_ground_is_not_taken() -> None:
    world = Walkers.on(np.ones((20, 20), bool), [(10, 2)])
    world.terrain.edit(1, 8, 20, 12, cost=80)
    world.order((10, 17))
    world.think()
    assert world.manager.statistics.straight == 0
    path = world.path(0)
    assert min(y for y, _ in path) <= 1, "round the mud"


@pytest.mark.parametrize("seed", range(8))
def test_a_line_is_free_where_a_body_of_a_quarter_tile_touches_no_wall(seed: int) -> None:
    """Compare with the distance of each line from all walls and the map's edge.

    So a unit that leans on a wall at a little less than its radius, 0.3 tiles, still goes straight on.
    """
    rng = np.random.default_rng(seed)
    ground = rng.random((9, 11)) < 0.85
    a, b = rng.uniform(0.2, (10.8, 8.8), (2, 150, 2))
    along = a[:, None] + (b - a)[:, None] * np.linspace(0, 1, 600)[:, None]
    gap = np.minimum(along, (11.0, 9.0) - along).min(axis=(1, 2))
    for y, x in np.argwhere(~ground):
        gap = np.minimum(gap, np.hypot(*np.maximum(np.abs(along - (x + 0.5, y + 0.5)) - 0.5, 0.0).T).T.min(axis=1))
    free = straight_paths(Terrain.build(ground), np.zeros(150), a[:, 0], a[:, 1], b)
    clear = np.abs(gap - 0.25) > 1e-3
    assert np.array_equal(free[clear], gap[clear] > 0.25)
    assert free.any() and not free.all() and ((gap > 0.251) & (gap < 0.29)).sum() + seed > 0
    with pytest.raises(ValueError, match="equally long"):
        straight_paths(Terrain.build(ground), np.zeros(3), a[:2, 0], a[:3, 1], b[:3])


def test_quick_and_full_path_make_one_connected_way() -> None:
    ground = walls(64, 3, 12)
    starts, goals = pairs(ground, 40, 5)
    world = Walkers.on(ground, starts, straight=False, splice=False, smooth=False, priority=False)
    world.order(goals)
    for _ in range(10):
        world.think()
    for slot in range(40):
        points = world.path(slot)
        for (y0, x0), (y1, x1) in itertools.pairwise(points):
            dy, dx = y1 - y0, x1 - x0
            assert dy == 0 or dx == 0 or abs(dy) == abs(dx), "turning points of an octile path"
            for k in range(max(abs(dy), abs(dx)) + 1):
                assert ground[y0 + np.sign(dy) * k, x0 + np.sign(dx) * k]
        assert points[-1] == tuple(world.manager.requests.goal[slot].tolist())


def trapped(**chosen: object) -> tuple[Walkers, float]:
    """Lead a walker into the trap by its quick path.

    It stays on it until the full path comes.

    Also returns how far it walks in all.
    """
    world = Walkers.on(
        TRAP, [(5, 2)], straight=False, quick_tiles_min=9, budget=1, smooth=False, priority=False, **chosen
    )
    world.order((5, 20))
    walked = 0.0
    for _ in range(2000):
        news = world.think()
        if len(news.arrived):
            break
        before = world.x[0], world.y[0]
        world.walk()
        walked += float(np.hypot(world.x[0] - before[0], world.y[0] - before[1]))
        if world.tick == 12:
            # The unit is half-way along its quick path, into the trap.
            world.settings.budget = 20_000
    else:
        raise AssertionError("never arrived")
    return world, walked


def test_the_splice_takes_the_hook_out_of_the_trap() -> None:
    spliced, with_splice = trapped()
    hooked, without = trapped(splice=False)
    assert spliced.manager.statistics.splice == 1 and hooked.manager.statistics.splice == 0
    assert with_splice < without - 3.0
    decisions = {row.decision for row in spliced.manager.trace.of(0)}
    assert Decision.SPLICED in decisions


def test_after_the_splice_no_tile_is_visited_twice() -> None:
    world = Walkers.on(TRAP, [(5, 2)], straight=False, quick_tiles_min=9, smooth=False)
    world.order((5, 20))
    world.think()
    points = world.path(0)
    visited = []
    for (y0, x0), (y1, x1) in itertools.pairwise(points):
        steps = max(abs(y1 - y0), abs(x1 - x0))
        visited += [(y0 + (y1 - y0) * k // steps, x0 + (x1 - x0) * k // steps) for k in range(steps)]
    assert world.stages(0) == {PathSource.SPLICE, PathSource.FULL}
    assert len(visited) == len(set(visited))


def test_a_splice_that_finds_nothing_leaves_the_way_as_it_was() -> None:
    world = Walkers.on(TRAP, [(5, 2)], straight=False, quick_tiles_min=9, splice_cap=1, budget=30)
    world.order((5, 20))
    assert world.live(2000) == ({0}, set())
    assert world.manager.statistics.splice == 0
    assert Decision.SPLICE_REFUSED in {row.decision for row in world.manager.trace.of(0)}


def saturated_with_one_short(**chosen: object) -> Walkers:
    """Run a hundred long searches, requested first, and one short walker.

    The walker's quick path is three tiles long.
    """
    world = Walkers.on(
        SERPENT, [(0, x % 40) for x in range(100)] + [(4, 20)], budget=50, quick_tiles_min=3, quick_tiles_max=3,
        straight=False, **chosen,
    )  # fmt: skip
    world.order((38, 20))
    return world


@pytest.mark.parametrize("end", list(PriorityEnd))
def test_a_unit_at_the_end_of_its_path_goes_on_in_the_same_tick(end) -> None:
    world = saturated_with_one_short(priority_end=str(end), priority_tick_cap=100_000)
    stood = 0
    for _ in range(200):
        before = world.x.copy(), world.y.copy()
        statistics = world.manager.statistics
        priority = statistics.priority
        world.think()
        extra = statistics.quick_this_tick
        bound = (statistics.priority - priority) * world.settings.priority_cap + 101 * 18 + 5 * 5 * 400
        assert extra <= bound
        world.walk()
        moved = np.hypot(world.x - before[0], world.y - before[1])
        stood = max(stood, int((moved < 1e-9).sum()))
        if world.manager.statistics.priority > 150:
            break
    assert world.manager.statistics.priority > 100
    assert stood == 0, "no unit stops in the middle of its path"


def test_the_source_s_rule_takes_the_search_out_of_the_queue() -> None:
    world = saturated_with_one_short(priority_end=str(PriorityEnd.FINISH), priority_tick_cap=100_000)
    partial = 0
    for _ in range(60):
        world.think()
        rows = [r for r in world.manager.trace.recent(4000) if r.tick == world.tick]
        finished = {r.unit for r in rows if r.decision == Decision.PRIORITY}
        queued = {r.unit for r in world.manager.listing(world.tick, 1000)}
        assert not finished & queued
        partial += sum(r.decision == Decision.GAVE_UP for r in rows)
        world.walk()
    assert world.manager.statistics.priority > 0
    assert world.manager.statistics.failed == partial > 0, "a search that is taken out has failed"


def test_beyond_the_tick_s_cap_there_is_another_quick_path() -> None:
    world = saturated_with_one_short(priority_tick_cap=1000)
    for _ in range(40):
        before = world.manager.statistics.priority
        world.think()
        world.walk()
        assert world.manager.statistics.priority - before <= 1000 // 10
    refused = [r for r in world.manager.trace.recent(4096) if r.decision == Decision.PRIORITY_REFUSED]
    assert refused
    assert world.manager.statistics.quick > 101


@pytest.mark.parametrize(("open_searches", "cap"), [(1, 250), (8, 100), (60, 250), (60, 30)])
def test_the_priority_revolutions_of_a_tick_stay_within_their_cap(open_searches: int, cap: int) -> None:
    """Open searches are continued, and others are begun ahead of the queue."""
    world = saturated_with_one_short(priority_tick_cap=800, priority_cap=cap, open_searches=open_searches)
    most = 0
    for _ in range(30):
        world.think()
        world.walk()
        rows = [r for r in world.manager.trace.recent(4096) if r.tick == world.tick]
        spent = sum(r.numbers[0] for r in rows if r.decision in (Decision.PRIORITY, Decision.PRIORITY_PARTIAL))
        assert spent <= 800
        assert all(r.numbers[0] <= 800 for r in rows if r.decision == Decision.PRIORITY_REFUSED)
        most = max(most, spent)
    assert most > 400, "units that need it use it"


@pytest.mark.parametrize("along", [-0.4, -0.2, 0.0, 0.2, 0.3, 0.35, 0.4, 0.45])
def test_a_unit_whose_quick_path_ends_beside_it_gets_a_priority_path_at_once(along: float) -> None:
    """A unit near the last tile of its path is at its end."""
    world = saturated_with_one_short(priority_tick_cap=100_000)
    world.settings.quick_tiles_min = world.settings.quick_tiles_max = 1
    world.x += along
    world.think()
    requests, store = world.manager.requests, world.manager.store
    pending = (requests.phase == Phase.WAITING) | (requests.phase == Phase.OPEN)
    assert pending.sum() > 50 and not (store.flags[pending] & Flag.AT_END).any()
    assert (world.manager.statistics.priority > 50) == (along >= 0.3)


def test_without_the_setting_no_unit_gets_a_priority_path_however_cheap() -> None:
    world = saturated_with_one_short(priority=False, priority_cap=1)
    for _ in range(25):
        world.think()
        world.walk()
    told = {r.decision for r in world.manager.trace.recent(4096)}
    assert world.manager.statistics.priority == 0 and Decision.PRIORITY_REFUSED in told
    assert not told & {Decision.PRIORITY, Decision.PRIORITY_PARTIAL}


@pytest.mark.parametrize("end", list(PriorityEnd))
@pytest.mark.parametrize("cap", [0, 500, 100_000])
def test_everyone_arrives_however_starved_the_queue(end, cap) -> None:
    ground = walls(48, 4, 9)
    starts, goals = pairs(ground, 60, 6)
    world = Walkers.on(ground, starts, budget=150, straight=False, priority_end=str(end), priority_tick_cap=cap)
    world.order(goals)
    arrived, lost = world.live(4000)
    assert (len(arrived), lost) == (60, set())


def test_ways_walked_are_close_to_the_shortest() -> None:
    ground = walls(64, 9, 14)
    starts, goals = pairs(ground, 40, 7)
    world = Walkers.on(ground, starts, straight=False)
    world.order(goals)
    walked = np.zeros(40)
    for _ in range(3000):
        world.think()
        before = world.x.copy(), world.y.copy()
        world.walk()
        walked += np.hypot(world.x - before[0], world.y - before[1])
        if (world.manager.requests.phase[:40] == Phase.IDLE).all():
            break
    best = np.array(
        [
            distances(ground, np.full(ground.shape, 8), start)[tuple(goal)]
            for start, goal in zip(starts, world.manager.requests.goal[:40], strict=True)
        ]
    )
    assert (walked <= best + 3.0).all(), "no real hook is left"
    assert walked.sum() <= 1.01 * best.sum()


def test_the_flood_of_the_last_search_is_kept_for_the_overlay() -> None:
    world = Walkers.on(SERPENT, [(0, 20)], straight=False, splice=False)
    world.order((38, 20))
    world.think()
    flood = world.manager.flood
    assert flood.unit == 0 and flood.tick == 1
    closed = int((flood.tiles & 8 > 0).sum())
    assert 0 < closed <= flood.revolutions
    # All closed tiles are ground, and the serpent leaves no other path than through nearly all of it.
    ys, xs = np.nonzero(flood.tiles & 8)
    assert SERPENT[ys + flood.y, xs + flood.x].all()
    assert closed > 0.8 * SERPENT.sum()


def test_pulling_strings_is_charged_by_the_tiles_that_its_lines_cross() -> None:
    """Full, quick and spliced paths are smoothed alike.

    Smoothing takes at most an eighth of a tick's budget, and no path is left out.
    """
    world = Walkers.on(walls(90, 3), [(0, 0)] * 40, engine="jps", straight=False, budget=400)
    label = world.components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    at = tiles[np.random.default_rng(4).choice(len(tiles), 80, replace=False)]
    world.y[:], world.x[:] = at[:40].T + 0.5
    world.order(at[40:])
    store, counted, paid = world.manager.store, 0, 0
    lay = PathStore.lay

    def watched(self, *asked, **how):
        nonlocal counted
        before = self.looked
        lay(self, *asked, **how)
        counted += self.looked - before
        assert bool(how["smoother"]) == (self.looked > before) or len(asked[3]) < 3

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PathStore, "lay", watched)
        for _ in range(40):
            owed = store.looked
            world.think()
            charged = world.manager.statistics.charged_this_tick
            assert charged == min(owed >> 6, 50)
            assert world.manager.statistics.revolutions_this_tick + charged <= 400
            paid += charged
    # A line costs its tiles at least once, and a path of 30 tiles costs no fewer.
    assert 64 * paid + store.looked == counted > 40 * 30
