"""Regions partition the map; edits mend them; paths over them are legal and short."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import ndimage
from scipy.sparse import csr_matrix

from ai.grid.moves import COST_UNIT
from ai.grid.terrain import Terrain
from ai.search.regions.next_hop import NO_REGION, NextHops, centres_of, hand_off
from ai.search.regions.region_cut_kernels import SLIVER_TILES, SLIVER_WIDTH
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_path import RegionSearch
from ai.search.smoothing.octile_smoothing import smooth_path
from tests.ai.search.grids import costs, distances, path_cost, rooms


def random_terrain(seed: int, height: int = 40, width: int = 46) -> Terrain:
    rng = np.random.default_rng(seed)
    return Terrain.build(rooms(rng, height, width), costs(rng, height, width))


def doors(height: int, width: int, seed: int) -> np.ndarray:
    """Rooms of 12 x 12 with a door or two in every wall."""
    rng = np.random.default_rng(seed)
    ground = np.ones((height, width), bool)
    ground[::12], ground[:, ::12] = False, False
    for y, x in itertools.product(range(0, height, 12), range(0, width, 12)):
        ground[y, min(x + int(rng.integers(1, 12)), width - 1)] = True
        ground[min(y + int(rng.integers(1, 12)), height - 1), x] = True
    ground[0] = ground[-1] = ground[:, 0] = ground[:, -1] = False
    return ground


def length_graph(regions: Regions) -> csr_matrix:
    return csr_matrix((regions.lengths() / COST_UNIT, regions.ends, regions.first), shape=(regions.open_count,) * 2)


@pytest.mark.parametrize(("seed", "block"), [(0, 0), (1, 13), (2, 64), (3, 20)])
def test_regions_are_even_connected_patches_of_bounded_size(seed: int, block: int) -> None:
    terrain = random_terrain(seed)
    regions = Regions.build(terrain, 0, 9, block)
    assert set(np.unique(regions.tile_region[terrain.passable & 1 > 0])) == set(range(regions.open_count))
    check_partition(terrain, regions, 9)


def test_a_large_rectangle_is_divided_evenly() -> None:
    regions = Regions.build(Terrain.build(np.ones((45, 20), bool)), 0, 16, 64)
    assert regions.open_count == 6
    assert {(y1 - y0, x1 - x0) for y0, x0, y1, x1 in regions.boxes.tolist()} == {(15, 10)}


def test_neighbours_are_those_one_can_step_to() -> None:
    terrain = random_terrain(3)
    regions = Regions.build(terrain, 0, 8)
    steps = set()
    for y, x in np.argwhere(terrain.passable & 1).tolist():
        for ny, nx in ((y + 1, x), (y, x + 1)):
            if ny < terrain.height and nx < terrain.width and terrain.passable[ny, nx] & 1:
                a, b = regions.at(y, x), regions.at(ny, nx)
                steps |= {(a, b), (b, a)} if a != b else set()
    assert steps == {(r, int(n)) for r in range(regions.open_count) for n in regions.neighbours(r)}
    owner = np.repeat(np.arange(regions.open_count), np.diff(regions.first))
    for a, b, (y, x) in zip(owner, regions.ends, regions.crossings, strict=True):
        beside = [regions.tile_region[y + dy, x + dx] for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1))
                  if terrain.inside(y + dy, x + dx)]  # fmt: skip
        assert regions.at(y, x) == b and a in beside


def blocks_of(length: int, block: int) -> np.ndarray:
    """Return the block of each row or column: few blocks of even size."""
    n = -(-length // block)
    return np.searchsorted([(i + 1) * length // n for i in range(n)], np.arange(length), "right")


def check_partition(terrain: Terrain, regions: Regions, most: int) -> None:
    """Check the rules of regions, including those of walls."""
    kinds = np.where(terrain.passable & 1, terrain.cost.astype(int), 0)
    height, width = kinds.shape
    of_block = blocks_of(height, regions.block)[:, None] * width + blocks_of(width, regions.block)
    assert regions.revision == terrain.revision and regions.ready and not regions.pending
    assert set(regions.tile_region[kinds > 0].tolist()) == set(np.flatnonzero(regions.tiles).tolist())
    for r in np.unique(regions.tile_region).tolist():
        mine = regions.tile_region == r
        ys, xs = np.nonzero(mine)
        assert ndimage.label(mine)[1] == 1 and len(set(of_block[mine])) == 1
        assert max(np.ptp(ys), np.ptp(xs)) < most
        assert len(set(kinds[mine])) == 1 and (kinds[mine][0] > 0) == (r >= 0)
        centre = ys.sum() // len(ys), xs.sum() // len(xs)
        assert mine[centre]
        if r < 0:
            assert r == -1 - (centre[0] * width + centre[1])
        else:
            assert tuple(regions.centres[r]) == centre and regions.tiles[r] == len(ys)
            assert (ys.min(), xs.min(), ys.max() + 1, xs.max() + 1) == tuple(regions.boxes[r])
            assert regions.cost[r] == kinds[centre]
        if min(np.ptp(ys) + 1, np.ptp(xs) + 1) < SLIVER_WIDTH and len(ys) < SLIVER_TILES:
            around = ndimage.binary_dilation(mine) & ~mine & (kinds == kinds[centre]) & (of_block == of_block[centre])
            for other in np.unique(regions.tile_region[around]):
                ys, xs = np.nonzero(mine | (regions.tile_region == other))
                middle = regions.tile_region[ys.sum() // len(ys), xs.sum() // len(xs)]
                assert max(np.ptp(ys), np.ptp(xs)) >= most or middle not in (r, other), "a sliver with a partner"


def by_centre(regions: Regions) -> dict[str, object]:
    """All that regions say, with centres in the place of numbers."""
    of, centres = regions.tile_region, [tuple(c) for c in regions.centres.tolist()]
    lengths = regions.lengths().tolist()
    places = np.append(regions.places(), 0)
    live = np.flatnonzero(regions.tiles)
    return {
        "tiles": np.where(of >= 0, places[np.maximum(of, 0)], of).tolist(),
        "rows": {centres[r]: (regions.boxes[r].tolist(), regions.tiles[r], regions.cost[r]) for r in live.tolist()},
        "borders": {
            centres[r]: [
                (centres[regions.ends[i]], regions.crossings[i].tolist(), lengths[i])
                for i in range(regions.first[r], regions.first[r + 1])
            ]
            for r in live.tolist()
        },
    }


def next_by_centre(regions: Regions, hops: NextHops) -> tuple[np.ndarray, np.ndarray]:
    """Return a next-hop table ordered by centres, and its filled columns."""
    live = np.flatnonzero(regions.tiles)
    live = live[np.argsort(regions.places()[live])]
    rank = np.full(NO_REGION + 1, -1)
    rank[live] = np.arange(len(live))
    return rank[hops.table[np.ix_(live, live)]], hops.filled[live] > 0


EDITS = st.lists(
    st.tuples(
        st.integers(0, 25), st.integers(0, 27), st.integers(1, 9), st.integers(1, 9), st.sampled_from([0, 8, 12])
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@given(EDITS, st.integers(0, 99), st.integers(1, 40), st.sampled_from([8, 11, 30]))
@settings(max_examples=16, deadline=None, derandomize=True)
def test_mended_regions_are_those_of_a_new_cut(edits: list, seed: int, slice_of: int, block: int) -> None:
    """Tiles, borders, lengths, next hops and paths are equal.

    Only the numbers of regions differ.
    """
    rng = np.random.default_rng(seed)
    terrain = random_terrain(seed, 26, 28)
    regions = Regions.begin(terrain, 0, 8, block)
    hops = None
    for i, (y, x, tall, wide, cost) in enumerate(edits):
        regions.work(terrain, slice_of)
        if i % 3:
            while not regions.ready:
                assert regions.pending
                regions.work(terrain, slice_of)
            if hops is None:
                hops = NextHops.build(regions)
            hops.follow(regions)
            hops.fill(regions, 1 << 40)
        # Every third edit comes in the middle of the work.
        y1, x1 = min(y + tall, 26), min(x + wide, 28)
        terrain.edit(y, x, y1, x1, passable=15 if cost else 0, cost=cost or None)
    before, cuts, known = regions.tile_region.copy(), regions.cuts, regions.linked >= 0
    regions.update(terrain)
    # A region not marked as changed stays where it was.
    same = np.flatnonzero((regions.changed_at <= cuts) & (regions.tiles > 0))
    assert not known or all(np.array_equal(before == r, regions.tile_region == r) for r in same.tolist())
    check_partition(terrain, regions, 8)
    fresh = Regions.build(terrain, 0, 8, block)
    assert by_centre(regions) == by_centre(fresh)
    if hops is None:
        hops = NextHops.build(regions)
    hops.follow(regions)
    others = NextHops.build(fresh)
    others.fill(fresh, 1 << 40)
    (mended_table, kept), (new_table, _) = next_by_centre(regions, hops), next_by_centre(fresh, others)
    assert np.array_equal(mended_table[:, kept], new_table[:, kept])
    ground = terrain.passable & 1 > 0
    tiles = np.argwhere(ground)
    if len(tiles) == 0:
        return
    searches = RegionSearch(regions), RegionSearch(fresh), RegionSearch(regions, hops), RegionSearch(fresh, others)
    start = tuple(tiles[rng.integers(len(tiles))].tolist())
    true = distances(ground, terrain.cost, start)
    for goal in tiles[rng.integers(len(tiles), size=6)].tolist():
        found = [search.find(terrain, start, tuple(goal)) for search in searches]
        for mended, new in (found[:2], found[2:]):
            assert (mended is None) == (new is None) == np.isinf(true[tuple(goal)])
            if mended is not None:
                assert np.array_equal(mended, new)
                assert path_cost(ground, terrain.cost, mended) >= true[tuple(goal)] - 1e-6


def test_a_rectangle_that_grows_out_of_an_edit_is_what_a_new_cut_makes() -> None:
    """A wall is removed again: the regions return to the earlier ones.

    A cut that depends on history fails here.
    """
    terrain = Terrain.build(np.ones((40, 60), bool))
    regions = Regions.build(terrain)
    as_new = by_centre(regions)
    terrain.edit(13, 7, 14, 33, passable=0)
    assert regions.update(terrain) and by_centre(regions) != as_new
    terrain.edit(13, 7, 14, 33, passable=15)
    assert regions.update(terrain) and by_centre(regions) == as_new


def test_regions_are_built_in_slices_that_are_charged() -> None:
    terrain = random_terrain(5, 90, 110)
    sliced, slices = Regions.begin(terrain), [0]
    with pytest.raises(ValueError, match="not completely cut"):
        NextHops.build(sliced)
    while not sliced.ready:
        left = sliced.pending
        with pytest.raises(ValueError, match="regions are at revision"):
            RegionSearch(sliced).find(terrain, (1, 1), (2, 2))
        slices.append(sliced.work(terrain, 20))
        assert sliced.pending < left
    # Every tile is examined once for its region and once for its borders; a slice exceeds its limit by less than a
    # block.
    assert sum(slices) >= 2 * 90 * 110 / 64
    assert max(slices[:-1]) <= 20 + 1 + 400 // 64
    assert slices[-1] <= 20 + 1 + len(sliced.ends) // 64
    at_once = Regions.build(terrain)
    assert by_centre(sliced) == by_centre(at_once)
    assert np.array_equal(sliced.tile_region, at_once.tile_region) and sliced.work(terrain, 20) == 0


def test_a_door_changes_what_is_beside_it_and_nothing_else() -> None:
    ground = doors(97, 97, 1)
    terrain = Terrain.build(ground)
    regions = Regions.build(terrain)
    hops = NextHops.build(regions)
    with pytest.raises(ValueError, match="the terrain is"):
        regions.update(Terrain.build(ground[1:]))
    assert not regions.update(terrain)
    wall = next((48, x) for x in range(50, 59) if not ground[48, x])
    terrain.edit(*wall, wall[0] + 1, wall[1] + 1, passable=15)
    assert regions.update(terrain) and not hops.serves(regions)
    with pytest.raises(ValueError, match="cut again"):
        hops.route(regions, 0, 1)
    assert np.count_nonzero(regions.changed_at) <= 6 < regions.open_count // 20
    hops.follow(regions)
    assert hops.serves(regions) and hops.route(regions, regions.at(*wall), regions.at(1, 1)) is not None
    # A collapse is repaired in small slices, and no unit follows an incomplete table.
    terrain.edit(10, 10, 60, 60, passable=0)
    slices = 0
    while regions.work(terrain, 8) and regions.pending:
        slices += 1
        with pytest.raises(ValueError, match="revision"):
            RegionSearch(regions).find(terrain, (1, 1), (2, 2))
    assert slices > 3
    check_partition(terrain, regions, 10)


@pytest.mark.parametrize("seed", range(6))
def test_region_paths_are_legal_and_reach_what_can_be_reached(seed: int) -> None:
    terrain = random_terrain(seed, 60, 60)
    regions = Regions.build(terrain)
    searches = RegionSearch(regions), RegionSearch(regions, NextHops.build(regions))
    ground = terrain.passable & 1 > 0
    tiles = np.argwhere(ground)
    rng = np.random.default_rng(seed)
    excess = []
    for start in tiles[rng.integers(len(tiles), size=3)]:
        true = distances(ground, terrain.cost, tuple(start))
        for goal in tiles[rng.integers(len(tiles), size=8)]:
            for search in searches:
                path = search.find(terrain, tuple(start.tolist()), tuple(goal.tolist()))
                assert (path is None) == np.isinf(true[tuple(goal)])
                if path is not None:
                    assert tuple(path[0]) == tuple(start) and tuple(path[-1]) == tuple(goal)
                    cost = path_cost(ground, terrain.cost, path)
                    assert cost >= true[tuple(goal)] - 1e-6
                    if true[tuple(goal)] > 0:
                        excess.append(cost / true[tuple(goal)] - 1)
    assert np.mean(excess) < 0.25


def test_a_region_path_through_rooms_is_short_and_cheap() -> None:
    ground = doors(193, 193, 0)
    terrain = Terrain.build(ground)
    regions = Regions.build(terrain)
    search = RegionSearch(regions)
    rng = np.random.default_rng(0)
    tiles = np.argwhere(ground)
    raw, smooth, work = [], [], []
    for start in tiles[rng.integers(len(tiles), size=3)]:
        true = distances(ground, terrain.cost, tuple(start))
        for goal in tiles[rng.integers(len(tiles), size=12)]:
            if true[tuple(goal)] < 20:
                continue
            path = search.find(terrain, tuple(start.tolist()), tuple(goal.tolist()))
            assert path is not None
            work.append(search.revolutions)
            for kind, tiles_of in ((raw, path), (smooth, smooth_path(terrain, 0, path))):
                kind.append(path_cost(ground, terrain.cost, tiles_of) / true[tuple(goal)] - 1)
    assert np.mean(smooth) < 0.025 and np.mean(smooth) <= np.mean(raw)
    assert np.mean(work) < 0.1 * len(tiles)


def test_a_unit_that_prefers_grass_walks_on_grass() -> None:
    # A road straight along the middle, grass on both sides; "cost" here only names the ground.
    cost = np.full((30, 60), 12, np.uint8)
    cost[13:17] = 6
    terrain = Terrain.build(np.ones((30, 60), bool), cost)
    regions = Regions.build(terrain)
    likes_grass = np.full(256, 8)
    likes_grass[6] = 40
    start, goal = (5, 2), (5, 57)
    neutral = RegionSearch(regions).route(start, goal)
    lover = RegionSearch(regions, price=likes_grass).route(start, goal)
    table = NextHops.build(regions, likes_grass).route(regions, regions.at(*start), regions.at(*goal))
    assert neutral is not None and lover is not None and table is not None
    assert (regions.cost[neutral] == 6).any()
    assert (regions.cost[lover] == 12).all() and (regions.cost[table] == 12).all()


def test_bad_questions_are_refused() -> None:
    terrain = Terrain.build(np.array([[True, False, True]]))
    regions = Regions.build(terrain)
    hops = NextHops.build(regions)
    assert hops.estimate(regions, (0, 0), (0, 2)) == np.inf
    assert hops.route(regions, regions.at(0, 1), 0) is None
    assert RegionSearch(regions).find(terrain, (0, 0), (0, 1)) is None
    with pytest.raises(ValueError, match="outside a map of 1 x 3"):
        RegionSearch(regions).find(terrain, (0, 0), (1, 0))
    with pytest.raises(ValueError, match="no region 9"):
        hops.route(regions, 0, 9)
    with pytest.raises(ValueError, match="at least 2"):
        Regions.build(terrain, 0, 1)
    with pytest.raises(ValueError, match=r"\[n, 2\]"):
        hand_off(terrain, 0, np.zeros((0, 2)), (0.5, 0.5))
    with pytest.raises(ValueError, match="cannot hold regions of 12"):
        Regions.build(terrain, 0, 12, 8)
    everything = Regions.build(Terrain.build(np.zeros((1, 1), bool)))
    assert everything.ready and everything.open_count == 0 and everything.at(0, 0) == -1
    assert centres_of(regions, np.array([0]), (0, 0)).tolist() == [[0, 0]]
