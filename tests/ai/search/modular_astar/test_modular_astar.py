"""Modular A*: equal costs for every storage, correct goals and modifiers.

Iterative limits save work.
"""

import itertools
import math

import numpy as np
import pytest
from scipy import ndimage

from ai.grid.terrain import Terrain
from ai.paths.engines.machine_engine import MachineEngine
from ai.paths.settings import PathSettings
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.astar.iterative_limits import Deepening
from ai.search.modular_astar import modular_astar_kernels as kernels
from ai.search.modular_astar.modular_astar import Modifier, ModularAstar, Storage, Ties, patches
from tests.ai.search.grids import costs, distances, legal_step, path_cost, rooms

EVERYTHING = 1 << 60
BEST_FIRST = (Storage.HEAP, Storage.CHEAP_LIST, Storage.SORTED_LIST)


def problem(seed: int, height: int = 30, width: int = 37) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    ground = rooms(rng, height, width)
    return np.where(ground, costs(rng, height, width), 0).astype(np.uint8), ground, np.argwhere(ground)


def ends_of_the_largest_part(ground: np.ndarray) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the first and last tile (y, x) of the largest part.

    A part is joined along rows and columns.
    """
    parts, _ = ndimage.label(ground)
    tiles = np.argwhere(parts == np.bincount(parts[parts > 0]).argmax())
    return tuple(tiles[0].tolist()), tuple(tiles[-1].tolist())


@pytest.mark.parametrize("seed", range(12))
def test_all_storages_find_dijkstras_costs(seed: int) -> None:
    cost, ground, tiles = problem(seed)
    rng = np.random.default_rng(seed)
    modular_astar = ModularAstar(*cost.shape)
    start = tuple(tiles[rng.integers(len(tiles))].tolist())
    true = distances(ground, cost, start)
    for goal in tiles[rng.integers(len(tiles), size=6)]:
        for storage, ties in itertools.product(BEST_FIRST, Ties):
            modular_astar.begin(cost, start, tuple(goal.tolist()), storage, ties=ties)
            modular_astar.run(EVERYTHING)
            path = modular_astar.path()
            assert (path is None) == np.isinf(true[tuple(goal)])
            if path is not None:
                assert modular_astar.cost == pytest.approx(true[tuple(goal)], rel=1e-9)
                assert path_cost(ground, cost, path) == pytest.approx(modular_astar.cost, rel=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_a_search_expands_the_tiles_that_could_lie_on_a_cheaper_path_and_no_others(seed: int) -> None:
    """The octile estimate takes the lowest cost of open ground; walls do not count.

    So all tiles whose cost plus estimate is below the path's cost are closed, and none above it.
    """
    cost, ground, tiles = problem(seed)
    start = tuple(tiles[seed].tolist())
    true = distances(ground, cost, start)
    goal = tuple(np.argwhere(np.isfinite(true))[-1 - seed].tolist())
    dy, dx = np.abs(np.indices(cost.shape) - np.array(goal)[:, None, None])
    octile = np.maximum(dy, dx) + (math.sqrt(2.0) - 1.0) * np.minimum(dy, dx)
    modular_astar = ModularAstar(*cost.shape)
    for storage, lowest in itertools.product(BEST_FIRST, (0, 1)):
        modular_astar.begin(cost, start, goal, storage, lowest=lowest)
        assert modular_astar.run(EVERYTHING) == modular_astar.revolutions == len(modular_astar.closed())
        f = true + octile * (lowest or cost[ground].min()) / 8.0
        closed = np.zeros(cost.shape, bool)
        closed[tuple(modular_astar.closed().T)] = True
        assert closed[f < true[goal] - 1e-6].all() and not closed[f > true[goal] + 1e-6].any()


@pytest.mark.parametrize("storage", Storage)
def test_a_machine_paused_anywhere_goes_on_alike(storage: Storage) -> None:
    cost, _, tiles = problem(3)
    start, goal = tuple(tiles[4].tolist()), tuple(tiles[-5].tolist())
    whole, cut = ModularAstar(*cost.shape), ModularAstar(*cost.shape)
    whole.begin(cost, start, goal, storage)
    whole.run(EVERYTHING)
    cut.begin(cost, start, goal, storage)
    for k in itertools.cycle((1, 7, 3)):
        before = cut.revolutions
        used = cut.run(k)
        assert used == cut.revolutions - before and (used == k or cut.status != kernels.RUNNING)
        if used == 0:
            break
    assert cut.status == whole.status and np.array_equal(cut.closed(), whole.closed())
    assert cut.cost == whole.cost


def test_an_impossible_goal_closes_the_component_and_a_queue_goes_ring_by_ring() -> None:
    cost, ground, tiles = problem(5)
    start = tuple(tiles[len(tiles) // 2].tolist())
    component = np.isfinite(distances(ground, cost, start))
    for storage in Storage:
        modular_astar = ModularAstar(*cost.shape)
        modular_astar.begin(cost, start, None, storage)
        modular_astar.run(EVERYTHING)
        assert modular_astar.status == kernels.FAILED and modular_astar.path() is None
        assert {tuple(t) for t in modular_astar.closed().tolist()} == {
            tuple(t) for t in np.argwhere(component).tolist()
        }
    # Rings by number of moves, by a breadth-first search of our own.
    ring = {start: 0}
    queue = [start]
    for here in queue:
        for dy, dx in itertools.product((-1, 0, 1), repeat=2):
            there = (here[0] + dy, here[1] + dx)
            inside = 0 <= there[0] < cost.shape[0] and 0 <= there[1] < cost.shape[1]
            if inside and there not in ring and legal_step(ground, here, there):
                ring[there] = ring[here] + 1
                queue.append(there)
    order = [ring[tuple(t)] for t in modular_astar.closed().tolist()]
    assert order == sorted(order)


def test_the_nearest_flagged_tile_is_found() -> None:
    cost, ground, tiles = problem(8)
    rng = np.random.default_rng(0)
    flags = np.zeros(cost.shape, bool)
    flags[tuple(tiles[rng.integers(len(tiles), size=5)].T)] = True
    start = tuple(tiles[1].tolist())
    true = distances(ground, cost, start)
    modular_astar = ModularAstar(*cost.shape)
    modular_astar.begin(cost, start, flags)
    modular_astar.run(EVERYTHING)
    assert modular_astar.cost == pytest.approx(true[flags].min())


def test_the_cheap_list_pops_what_a_heap_would_and_is_never_dearer_than_the_rest() -> None:
    rng = np.random.default_rng(2)
    cost = rng.integers(1, 200, (60, 70)).astype(np.uint8)
    heap, cheap = ModularAstar(60, 70), ModularAstar(60, 70)
    heap.begin(cost, (30, 35), (2, 3))
    heap.run(EVERYTHING)
    cheap.begin(cost, (30, 35), (2, 3), Storage.CHEAP_LIST)
    while cheap.run(int(rng.integers(1, 9))):
        state, keys = cheap._state, cheap._entries[:, 0].tolist()
        front, rest = keys[: state[kernels.CHEAP_COUNT]], keys[kernels.CHEAP_LENGTH : state[kernels.LAST]]
        assert front == sorted(front)
        assert not front or not rest or front[-1] <= min(rest)
    assert cheap.refills > 5

    def popped(modular_astar: ModularAstar) -> list[tuple[int, int]]:
        """f and g of each expanded node, in order."""
        y, x = modular_astar.closed().T.astype(int)
        dy, dx = np.abs(y - 2), np.abs(x - 3)
        octile = np.maximum(dy, dx) * kernels.STRAIGHT + np.minimum(dy, dx) * (kernels.DIAGONAL - kernels.STRAIGHT)
        g = modular_astar._g.reshape(60, 70)[y, x]
        return list(zip((g + 2 * int(cost.min()) * octile).tolist(), g.tolist(), strict=True))

    assert popped(cheap) == popped(heap)


def test_larger_g_first_saves_most_of_an_open_field_and_diagonals_are_eight_percent_long() -> None:
    field = np.full((60, 120), 8, np.uint8)
    modular_astar = ModularAstar(*field.shape)
    used = {}
    for ties in Ties:
        modular_astar.begin(field, (5, 5), (50, 113), ties=ties)
        modular_astar.run(EVERYTHING)
        used[ties] = modular_astar.revolutions
    assert used[Ties.LARGER_G] * 5 < used[Ties.SMALLER_G]
    worst = max((math.cos(a) + (math.sqrt(2) - 1) * math.sin(a)) for a in np.linspace(0, math.pi / 4, 1001))
    assert worst == pytest.approx(1.0824, abs=1e-4)


def test_modifiers_change_cost_and_openness_and_nothing_is_allocated_for_them() -> None:
    cost, *_ = problem(9)
    rng = np.random.default_rng(1)
    modular_astar = ModularAstar(*cost.shape)
    pool = [
        id(array) for array in (modular_astar._status, modular_astar._g, modular_astar._parent, modular_astar._closed)
    ]
    field = rng.integers(0, 4, cost.shape).astype(np.uint8)
    start, goal = ends_of_the_largest_part((cost > 0) & (field > 0))
    y, x, radius = cost.shape[0] // 2, cost.shape[1] // 2, 8
    inside = (np.arange(cost.shape[0])[:, None] - y) ** 2 + (np.arange(cost.shape[1]) - x) ** 2 <= radius**2
    wide = cost.astype(int)
    for modifier, changed in (
        (None, wide),
        (Modifier(), wide),
        (Modifier.avoid(field, 5), np.where(wide, wide + 5 * field, 0)),
        (Modifier.only(field > 0), np.where(field > 0, wide, 0)),
        (Modifier.storm(y, x, radius, 3), np.where(inside, 3 * wide, wide)),
    ):
        modular_astar.begin(cost, start, goal, Storage.CHEAP_LIST, modifier)
        modular_astar.run(EVERYTHING)
        true = distances(changed > 0, changed, start)[goal]
        assert np.isfinite(true) and modular_astar.cost == pytest.approx(true, rel=1e-9)
        if modifier is not None and modifier.kind == kernels.ONLY:
            assert field[tuple(modular_astar.path().T)].all()
    assert pool == [
        id(array) for array in (modular_astar._status, modular_astar._g, modular_astar._parent, modular_astar._closed)
    ]
    # A boat, for once surely afloat: a river across the map.
    river = np.zeros((20, 30), np.uint8)
    river[9:12] = 1
    boats = ModularAstar(20, 30)
    boats.begin(np.full((20, 30), 8, np.uint8), (10, 0), (10, 29), modifier=Modifier.only(river))
    boats.run(EVERYTHING)
    assert river[tuple(boats.path().T)].all()


@pytest.mark.parametrize("storage", ["heap", "cheap_list", "sorted_list"])
def test_a_scout_goes_where_dijkstra_would_on_the_ground_as_he_prices_it_and_a_deer_keeps_to_the_wood(storage) -> None:
    cost, ground, tiles = problem(11)
    rng = np.random.default_rng(4)
    cover = np.kron(rng.integers(0, 4, (5, 7)), np.ones((6, 6), int))[: cost.shape[0], : cost.shape[1]].astype(np.uint8)
    terrain = Terrain.build(ground, np.maximum(cost, 1), cover=cover)
    paths = MachineEngine(terrain, 0)
    dearer, found = cost.astype(int) + 12 * np.maximum(2 - cover.astype(int), 0), []
    for modifier, priced in (
        ("none", cost.astype(int)),
        ("scout", np.where(ground, dearer, 0)),
        ("deer", np.where(cover >= 2, cost.astype(int), 0)),
    ):
        paths.arrange(PathSettings(storage=storage, modifier=modifier, modifier_strength=12))
        start, _ = ends_of_the_largest_part(priced > 0)
        true = distances(priced > 0, priced, start)
        for goal in tiles[rng.integers(len(tiles), size=24)].tolist():
            path = paths.find(start, tuple(goal), EVERYTHING)
            assert (path is None) == np.isinf(true[tuple(goal)]) and not paths.cut
            if path is not None:
                assert path_cost(priced > 0, priced, path) == pytest.approx(true[tuple(goal)], rel=1e-9)
                assert paths.find(start, tuple(goal), 1) is None or len(path) == 1
                found.append(modifier)
    assert min(found.count(modifier) for modifier in ("none", "scout", "deer")) >= 2


@pytest.mark.parametrize("seed", range(4))
def test_forests_are_what_an_independent_labelling_finds(seed: int) -> None:
    trees = np.random.default_rng(seed).random((40, 50)) < 0.45
    # No corner is cut, so patches hang together by their sides.
    truth, count = ndimage.label(trees)
    ours = patches(trees)
    assert ours.max() == count
    assert len({(int(a), int(b)) for a, b in zip(ours.ravel(), truth.ravel(), strict=True)}) == count + 1


def test_bad_tasks_are_refused() -> None:
    modular_astar = ModularAstar(4, 5)
    with pytest.raises(ValueError, match=r"ground has shape \(5, 4\), the map is \(4, 5\)"):
        modular_astar.begin(np.ones((5, 4), np.uint8), (0, 0))
    with pytest.raises(ValueError, match="outside a map of 4 x 5"):
        modular_astar.begin(np.ones((4, 5), np.uint8), (4, 0))
    modular_astar.begin(np.zeros((4, 5), np.uint8), (0, 0), (1, 1))
    assert modular_astar.status == kernels.FAILED and modular_astar.run(10) == 0
    modular_astar.begin(np.full((4, 5), 8, np.uint8), (0, 0), cap=3)
    assert modular_astar.run(100) == 3 and modular_astar.status == kernels.FAILED


def crowd_at_a_door(patient: bool, ticks: int = 400) -> tuple[int, int]:
    """Eight agents enter a room through one door and stand in it in turn.

    Returns the revolutions spent and the number of agents inside.
    """
    ground = np.ones((60, 60), bool)
    ground[20:40, 20] = ground[20:40, 39] = ground[20, 20:40] = ground[39, 20:40] = False
    ground[39, 30] = True
    terrain = Terrain.build(ground)
    search = AStarSearch(60, 60)
    # Near the door, where a straight path is short.
    waiting = [(44 + i % 3, 26 + i) for i in range(8)]
    grows = Deepening(first=64, delay=10, most=4096)
    failed, due_at = [0] * len(waiting), [0] * len(waiting)
    spent, inside, in_door_until = 0, 0, -1
    for tick in range(ticks):
        if in_door_until == tick:
            terrain.edit(39, 30, 40, 31, passable=15)
        for i, start in enumerate(waiting):
            due = tick >= due_at[i] if patient else tick % 10 == 0
            if start is None or not due:
                continue
            search.begin(terrain, 0, start, (30, 30), cap=grows.limit(failed[i]) if patient else None)
            spent += search.run(terrain, EVERYTHING)
            if search.status == FOUND:
                waiting[i] = None
                inside += 1
                # The unit walks, and stands in the door for a second.
                terrain.edit(39, 30, 40, 31, passable=0)
                in_door_until = tick + 20
            else:
                failed[i] += 1
                due_at[i] = tick + grows.delay
    return spent, inside


def test_small_limits_spend_a_fraction_at_a_door_that_is_blocked_for_a_moment() -> None:
    impatient, in_at_once = crowd_at_a_door(False)
    patient, in_at_last = crowd_at_a_door(True)
    assert in_at_once == in_at_last == 8
    assert patient < 0.25 * impatient, (patient, impatient)


def test_deepening_ends_after_its_schedule() -> None:
    seeker = Deepening(first=10, step=40, most=100, delay=5)
    assert [seeker.limit(failed) for failed in range(seeker.most_tries + 1)] == [10, 50, 90, 100, 100]
    assert Deepening(first=10, step=1, most=10).most_tries == 1
    with pytest.raises(ValueError, match="limits"):
        Deepening(first=0)
