"""Path store: paths are kept as turning points.

The oracle is plain Python lists with the same operations.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.serialization import compare, digest, from_bytes, restore, snapshot, to_bytes
from ai.grid.terrain import Terrain
from ai.paths.requests.body_places import fit_bodies
from ai.paths.store.following_kernels import Flag
from ai.paths.store.path_store import APPEND, PREPEND, REPLACE, PathSource, PathStore
from ai.search.astar.astar import FOUND, AStarSearch
from tests.ai.paths.walkers import from_rows, walls

OPEN = Terrain.build(np.ones((40, 40), bool))


def write(
    store: PathStore,
    terrain: Terrain,
    slot: int,
    tiles: list,
    stage: int,
    mode: int = REPLACE,
    smoother="string_pulling",
) -> None:
    flat = np.array(tiles, np.int32).reshape(-1, 2)
    movement_class = np.zeros(1, np.uint8)
    store.write(terrain, np.array([slot]), movement_class, flat, np.array([len(flat)]), stage, mode, smoother=smoother)


def turning_points(tiles: list) -> list:
    """Keep a tile at an end or where the step direction changes: an oracle."""
    return [
        t
        for i, t in enumerate(tiles)
        if i in (0, len(tiles) - 1) or np.subtract(t, tiles[i - 1]).tolist() != np.subtract(tiles[i + 1], t).tolist()
    ]


@st.composite
def stretches(draw: st.DrawFn) -> list:
    """Operations on three slots: each a walk of neighbouring tiles with a mode."""
    ops = []
    for _ in range(draw(st.integers(1, 25))):
        steps = draw(st.lists(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1)]), max_size=12))
        kind = draw(st.sampled_from(["replace", "append", "prepend", "clear", "drop"]))
        ops.append((draw(st.integers(0, 2)), kind, steps, draw(st.integers(1, 4))))
    return ops


@settings(max_examples=60, deadline=None)
@given(stretches())
def test_a_store_holds_what_lists_would_hold(ops) -> None:
    store = PathStore.build(40, 3)
    model: dict[int, list] = {0: [], 1: [], 2: []}
    for slot, kind, steps, stage in ops:
        if kind == "clear":
            store.clear(np.array([slot]))
            model[slot] = []
            continue
        old = model[slot]
        at = np.array([20, 20])
        if old and kind == "append":
            at = np.array(old[-1][:2])
        tiles = [tuple(at.tolist())]
        for step in steps:
            at = np.clip(at + step, 0, 39)
            if tuple(at.tolist()) != tiles[-1]:
                tiles.append(tuple(at.tolist()))
        if old and kind == "prepend":
            # Walk backwards from the old first tile.
            shift = np.array(old[0][:2]) - tiles[-1]
            tiles = [tuple((np.array(t) + shift).tolist()) for t in tiles]
            if any(min(t) < 0 or max(t) > 39 for t in tiles):
                continue
        new = [(*t, stage) for t in turning_points(tiles)]
        mode = {"append": APPEND, "prepend": PREPEND}.get(kind, REPLACE)
        write(store, OPEN, slot, tiles, stage, mode, smoother="")
        if mode == APPEND and old:
            model[slot] = old + new[1:]
        elif mode == PREPEND and old:
            model[slot] = new[:-1] + old
        else:
            model[slot] = new
        for s, rows in model.items():
            assert [tuple(r) for r in store.waypoints(s).tolist()] == rows
            assert store.path_len[s] == len(rows)
            if rows:
                assert (store.wp_y[s], store.wp_x[s]) == (rows[0][0] + 0.5, rows[0][1] + 0.5)
                after = rows[min(1, len(rows) - 1)]
                assert (store.next_y[s], store.next_x[s]) == (after[0] + 0.5, after[1] + 0.5)
    used = sum(len(rows) for rows in model.values())
    assert int(store.arena[1]) == len(store.nodes) - used, "every row is in a path or free"


def test_the_arena_grows_and_gives_back() -> None:
    store = PathStore.build(40, 1)
    zigzag = [(20 + i % 2, i % 40) for i in range(38)]
    for slot in range(64):
        store.reserve(slot + 1)
        write(store, OPEN, slot, zigzag, PathSource.FULL, smoother="")
    grown = len(store.nodes)
    assert grown >= 64 * 38
    for _ in range(50):
        write(store, OPEN, 3, zigzag, PathSource.FULL, smoother="")
    assert len(store.nodes) == grown
    store.clear(np.arange(64))
    assert int(store.arena[1]) == grown


def test_the_string_is_pulled_only_where_it_costs_no_more() -> None:
    ground = np.ones((12, 12), bool)
    cost = np.full((12, 12), 24, np.uint8)
    cost[0, :] = cost[:, 11] = 8
    road = [(0, x) for x in range(12)] + [(y, 11) for y in range(1, 12)]
    store = PathStore.build(12, 2)
    write(store, Terrain.build(ground), 0, road, PathSource.FULL)
    assert [r[:2] for r in store.waypoints(0).tolist()] == [[0, 0], [11, 11]]
    write(store, Terrain.build(ground, cost), 1, road, PathSource.FULL)
    corners = [tuple(r[:2]) for r in store.waypoints(1).tolist()]
    # Smoothed off the road it would cross ground of three times the cost; cutting near the bend costs more as
    # well.
    assert all(y <= 1 or x >= 10 for y, x in corners)
    assert len(corners) >= 3


def test_pulled_paths_keep_a_body_s_width_from_walls() -> None:
    terrain = Terrain.build(from_rows(["......", ".####.", ".####.", "......"]))
    store = PathStore.build(6, 1)
    tiles = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 5), (2, 5), (3, 5)]
    write(store, terrain, 0, tiles, PathSource.FULL)
    points = np.array([r[:2] for r in store.waypoints(0).tolist()]) + 0.5
    for a, b in itertools.pairwise(points):
        for t in np.linspace(0, 1, 200):
            y, x = a + (b - a) * t
            nearest = min(
                np.hypot(max(wy - y, 0, y - wy - 1), max(wx - x, 0, x - wx - 1))
                for wy, wx in np.argwhere(terrain.passable == 0)
            )
            assert nearest >= 0.3 - 1e-6


def advance(store: PathStore, terrain: Terrain, x: float, y: float, tick: int = 0) -> int:
    column = np.zeros(store.capacity)
    xs, ys = column.copy(), column.copy()
    xs[0], ys[0] = x, y
    ids, movement_class = np.zeros(store.capacity, np.int32), np.zeros(store.capacity, np.uint8)
    store.advance(terrain, np.array([0]), movement_class, ids, xs, ys, tick, near=0.75, touch=0.2, arrive=0.35)
    return int(store.flags[0])


def test_a_waypoint_is_left_when_the_next_is_in_sight() -> None:
    terrain = Terrain.build(from_rows(["....", ".##.", "....", "...."]))
    store = PathStore.build(4, 1)
    tiles = [(2, 1), (2, 0), (1, 0), (0, 0), (0, 1), (0, 2)]
    write(store, terrain, 0, tiles, PathSource.FULL, smoother="")
    assert advance(store, terrain, 1.5, 2.5) == 0
    assert (store.wp_x[0], store.wp_y[0]) == (0.5, 2.5), "its own tile is not a waypoint"
    # Near the corner the wall still hides what comes after it; at the corner it does not.
    advance(store, terrain, 1.15, 2.4)
    assert (store.wp_x[0], store.wp_y[0]) == (0.5, 2.5)
    advance(store, terrain, 0.6, 2.45)
    assert (store.wp_x[0], store.wp_y[0]) == (0.5, 0.5)


def test_the_end_is_flagged_near_and_a_goal_only_within_arrival() -> None:
    store = PathStore.build(40, 1)
    write(store, OPEN, 0, [(5, x) for x in range(5, 15)], PathSource.QUICK)
    assert advance(store, OPEN, 5.5, 5.5) == 0
    assert advance(store, OPEN, 13.8, 5.5) == Flag.AT_END
    store.final[0] = 1
    assert advance(store, OPEN, 13.9, 5.5) == 0
    assert advance(store, OPEN, 14.3, 5.5) == Flag.AT_END


def test_only_a_unit_that_no_longer_sees_its_waypoint_is_flagged() -> None:
    terrain = Terrain.build(from_rows([".......", ".......", "..####.", ".......", "......."]))
    store = PathStore.build(7, 1)
    write(store, terrain, 0, [(1, x) for x in range(7)], PathSource.FULL)
    advance(store, terrain, 0.5, 1.5)
    assert any(advance(store, terrain, 3.5, 3.5, tick) == Flag.OFF_PATH for tick in range(4))
    assert all(advance(store, terrain, 3.5, 0.5, tick) == 0 for tick in range(4))


def test_only_paths_through_the_changed_rectangle_are_cut() -> None:
    terrain = Terrain.build(np.ones((20, 20), bool))
    store = PathStore.build(20, 2)
    write(store, terrain, 0, [(5, x) for x in range(20)], PathSource.FULL)
    write(store, terrain, 1, [(15, x) for x in range(20)], PathSource.FULL)
    x, y = np.full(store.capacity, 0.5), np.full(store.capacity, 5.5)
    y[1] = 15.5
    movement_class = np.zeros(store.capacity, np.uint8)
    terrain.edit(4, 10, 7, 11, passable=0)
    assert store.mark_cut(terrain, movement_class, x, y, (4, 10, 7, 11)) == 1
    assert store.flags[0] == Flag.CUT and store.flags[1] == 0
    # Walked past the spot already: nothing is cut.
    x[0] = 12.5
    store.flags[:] = 0
    write(store, terrain, 0, [(5, x) for x in range(12, 20)], PathSource.FULL)
    assert store.mark_cut(terrain, movement_class, x, y, (4, 10, 7, 11)) == 0


def test_a_store_survives_snapshot_and_save() -> None:
    store = PathStore.build(40, 2)
    write(store, OPEN, 0, [(5, x) for x in range(5, 15)], PathSource.QUICK)
    for again in (restore(snapshot(store)), from_bytes(to_bytes(store))):
        assert compare(store, again) == []
        assert digest(store) == digest(again)
        write(again, OPEN, 0, [(5, 14), (6, 14)], PathSource.FULL, APPEND)
        assert digest(store) != digest(again)


def test_bad_shapes_are_refused() -> None:
    store = PathStore.build(40, 1)
    with pytest.raises(ValueError, match="tiles"):
        store.write(OPEN, np.array([0]), np.zeros(1, np.uint8), np.zeros((3, 3)), np.array([3]), 1)
    with pytest.raises(ValueError, match="width"):
        PathStore.build(0)


def gap_to_walls(ground: np.ndarray, line: np.ndarray) -> float:
    """Return the smallest distance of a polyline (x, y) to a blocked square.

    Samples are 0.01 tiles apart.
    """
    low = np.argwhere(~np.pad(ground, 1))[:, ::-1] - 1.0
    best = np.inf
    for a, b in itertools.pairwise(line):
        samples = a + np.linspace(0.0, 1.0, max(2, int(np.hypot(*(b - a)) * 100)))[:, None] * (b - a)
        away = np.maximum(np.maximum(low[None] - samples[:, None], samples[:, None] - low[None] - 1.0), 0.0)
        best = min(best, float(np.hypot(away[..., 0], away[..., 1]).min()))
    return best


def test_a_path_ends_at_the_slot_s_own_point_and_keeps_a_body_s_width_from_walls() -> None:
    """A path goes by the centre if only that line is free."""
    by_centre = made = 0
    for seed in range(150):
        ground, rng = walls(24, seed, share=20), np.random.default_rng(seed)
        terrain, search, store = Terrain.build(ground), AStarSearch(24, 24), PathStore.build(24, 1)
        start, goal = (tuple(t) for t in rng.choice(np.argwhere(ground), 2, replace=False).tolist())
        search.begin(terrain, 0, start, goal, 10_000)
        search.run(terrain, 10_000)
        if search.status != FOUND or start == goal:
            continue
        made += 1
        store.end_point[0] = fit_bodies(terrain, 0, np.array([goal[::-1] + rng.random(2)]), 0.3)[0]
        write(store, terrain, 0, search.path().tolist(), PathSource.FULL)
        points = store.points_of(0)
        assert np.array_equal(points[-1], store.end_point[0])
        assert (np.floor(points) == store.waypoints(0)[:, 1::-1]).all()
        assert gap_to_walls(ground, points) >= 0.3 - 1e-6
        by_centre += len(points) > 2 and np.array_equal(points[-2], np.floor(points[-1]) + 0.5)
    assert made > 80 and 3 <= by_centre < made / 2


def test_a_path_to_another_tile_ignores_the_own_point() -> None:
    store = PathStore.build(40, 1)
    store.end_point[0] = (7.6, 0.4)
    write(store, OPEN, 0, [(0, x) for x in range(6)], PathSource.QUICK)
    assert store.points_of(0)[-1].tolist() == [5.5, 0.5]
    write(store, OPEN, 0, [(0, x) for x in range(5, 8)], PathSource.FULL, APPEND)
    assert store.points_of(0).tolist() == [[0.5, 0.5], [5.5, 0.5], [7.6, 0.4]]


def test_points_inside_their_tiles_are_stored_restored_and_followed() -> None:
    """Smoothing keeps such points, and the digest tells them from tile centres."""
    tiles = np.array([(2, x) for x in range(9)], np.int32)
    points = tiles[:, ::-1] + 0.5
    points[3:6, 1] += [0.1, 0.2, 0.1]
    made = []
    for given_points in (points, None):
        store = PathStore.build(40, 1)
        kind, count = np.zeros(1, np.uint8), np.array([9])
        store.write(OPEN, np.array([0]), kind, tiles, count, PathSource.FULL, REPLACE, points=given_points)
        made.append(store)
    curve, straight = made
    assert curve.points_of(0).tolist() == points[[0, 2, 3, 4, 5, 6, 8]].tolist()
    assert straight.points_of(0).tolist() == points[[0, 8]].tolist()
    assert digest(curve) != digest(straight)
    back = from_bytes(to_bytes(curve))
    assert compare(curve, back) == [] and digest(back) == digest(curve)
    slots, ids, left = np.array([0]), np.array([1], np.int32), curve.points_of(0)
    for tick in range(len(left) - 1):
        here = np.ascontiguousarray(left[tick : tick + 1].T)
        for store in (curve, back):
            store.advance(OPEN, slots, kind, ids, here[0], here[1], tick, near=0.2, touch=0.2, arrive=0.3)
            assert (store.wp_x[0], store.wp_y[0]) == tuple(left[tick + 1])
        assert digest(back) == digest(curve)
    with pytest.raises(ValueError, match="inside its tile"):
        curve.write(OPEN, np.array([0]), kind, tiles, count, PathSource.FULL, REPLACE, points=points + 1.0)
