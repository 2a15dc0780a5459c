"""A batch equals the same search run one request at a time."""

from collections.abc import Callable

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.search.any_angle.any_angle import CORNERS, ThetaStar
from ai.search.astar.astar_costs import AStarOverCosts, CostGround
from ai.search.jps.jps import JumpPointSearch, UniformAStar, UniformGround
from ai.search.query_batch import Search, find_batch
from ai.search.regions.next_hop import NextHops
from ai.search.regions.region_graph import Regions
from ai.search.regions.resumable_batch import WholeAStar, WholeRegionPaths
from ai.search.subgoals.subgoal_search import SubgoalSearch
from tests.ai.search.grids import costs

WEIGHTED = ("astar_weighted", "astar_resumable", "regions", "next_hop")


def next_hops(regions: Regions, terrain: Terrain) -> WholeRegionPaths:
    return WholeRegionPaths(terrain, regions, NextHops.build(regions))


SEARCHES: dict[str, Callable[[Terrain], Search]] = {
    "astar": lambda terrain: UniformAStar(UniformGround.build(terrain)),
    "astar_weighted": lambda terrain: AStarOverCosts(CostGround.build(terrain)),
    "jps": lambda terrain: JumpPointSearch(UniformGround.build(terrain)),
    "subgoal_1": lambda terrain: SubgoalSearch.over(UniformGround.build(terrain)),
    "subgoal_2": lambda terrain: SubgoalSearch.over(UniformGround.build(terrain), 2),
    "theta": lambda terrain: ThetaStar(UniformGround.build(terrain)),
    "astar_resumable": WholeAStar,
    "regions": lambda terrain: WholeRegionPaths(terrain, Regions.build(terrain)),
    "next_hop": lambda terrain: next_hops(Regions.build(terrain), terrain),
    "lazy_theta": lambda terrain: ThetaStar(UniformGround.build(terrain), lazy=True, model=CORNERS),
}


def patches() -> tuple[Terrain, np.ndarray, np.ndarray]:
    """Return rooms over patches of costs, one of them walled in.

    Regions are large enough there to pay.
    """
    rng = np.random.default_rng(6)
    open_tiles = np.ones((60, 90), bool)
    open_tiles[::15], open_tiles[:, ::15] = False, False
    for y, x in np.ndindex(4, 6):
        open_tiles[15 * y + 3 + x, 15 * x] = open_tiles[15 * y, 15 * x + 4 + y] = True
    open_tiles[30:46, 45:61] &= np.pad(np.ones((14, 14), bool), 1)
    tiles = np.argwhere(open_tiles)
    starts, goals = (tiles[rng.integers(len(tiles), size=40)] for _ in range(2))
    starts[4], goals[3] = (38, 52), starts[3]
    price = np.kron(rng.choice([6, 8, 20], (5, 6)), np.ones((12, 15), int)).astype(np.uint8)
    return Terrain.build(open_tiles, price), starts, goals


def world(weighted: bool) -> tuple[Terrain, np.ndarray, np.ndarray]:
    """Return noise with closed pockets, and requests, some without an answer."""
    rng = np.random.default_rng(5)
    open_tiles = rng.random((60, 90)) < 0.66
    terrain = Terrain.build(open_tiles, costs(rng, 60, 90) if weighted else None)
    tiles = np.argwhere(open_tiles)
    starts, goals = (tiles[rng.integers(len(tiles), size=40)] for _ in range(2))
    goals[3] = starts[3]
    return terrain, starts, goals


@pytest.mark.parametrize("name", SEARCHES)
def test_a_batch_equals_one_question_at_a_time(name: str) -> None:
    terrain, starts, goals = patches() if name in ("regions", "next_hop") else world(name in WEIGHTED)
    alone, batch = SEARCHES[name](terrain), SEARCHES[name](terrain)
    if isinstance(batch, UniformAStar | AStarOverCosts):
        # Too little room during the batch: it stops, makes more and continues.
        batch._stacks, batch._out = np.ascontiguousarray(batch._stacks[:, :12]), np.zeros((40, 2), np.int32)
    if isinstance(batch, WholeAStar | WholeRegionPaths):
        slab = batch._search if isinstance(batch, WholeAStar) else batch._search._search
        slab._pool, slab._out = slab._pool[:32].copy(), slab._out[:8].copy()
        slab._note_room()
    if isinstance(batch, WholeRegionPaths):
        batch._search._keys, batch._search._heap = batch._search._keys[:8].copy(), batch._search._heap[:8].copy()
    answers = find_batch(batch, starts, goals)
    missing = 0
    for row, (start, goal) in enumerate(zip(starts.tolist(), goals.tolist(), strict=True)):
        path, found = alone.find(tuple(start), tuple(goal)), answers.path(row)
        assert (path is None) == (found is None)
        missing += path is None
        if path is None or found is None:
            assert np.isinf(answers.costs[row])
            continue
        assert found.tolist() == path.tolist()
        assert answers.costs[row] == (alone.length if isinstance(alone, ThetaStar) else alone.cost)
        assert answers.revolutions[row] == alone.revolutions
    assert missing < 30 and (missing > 0 or name == "lazy_theta")  # between corners one slips through more gaps


@pytest.mark.parametrize("name", ["jps", "theta"])
def test_two_threads_give_the_same_answers(name: str) -> None:
    terrain, starts, goals = world(False)
    first = SEARCHES[name](terrain)
    second = type(first)(first.ground)  # type: ignore[arg-type, call-arg]
    one, two = find_batch(first, starts, goals), find_batch([first, second], starts, goals)
    for field in ("points", "offsets", "costs", "revolutions"):
        assert np.array_equal(getattr(one, field), getattr(two, field)), field


def test_bad_batches_are_refused_by_their_shapes() -> None:
    terrain, starts, goals = world(False)
    search = SEARCHES["jps"](terrain)
    with pytest.raises(ValueError, match=r"goals must be whole numbers \[n, 2\], got int64 \(40, 1\)"):
        find_batch(search, starts, goals[:, :1])
    with pytest.raises(ValueError, match=r"\(40, 2\) and \(39, 2\)"):
        find_batch(search, starts, goals[:39])
    with pytest.raises(ValueError, match="float64"):
        find_batch(search, starts * np.nan, goals)
    with pytest.raises(ValueError, match="60 x 90"):
        find_batch(search, starts + (1 << 40), goals)
    with pytest.raises(ValueError, match="one kind"):
        find_batch([search, SEARCHES["jps"](terrain)], starts, goals)
    assert len(find_batch(search, starts[:0], goals[:0]).costs) == 0
