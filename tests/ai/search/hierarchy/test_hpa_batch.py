"""HPA* batches over clusters with landmarks.

Oracles: exact A*, a new graph, and the same request without a limit.
"""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.serialization import restore, snapshot
from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.hierarchy import hpa_batch_answers
from ai.search.hierarchy import hpa_batch_kernels as kernels
from ai.search.hierarchy.cluster_edge_kernels import lay_out_graph
from ai.search.hierarchy.hpa_batch import CUT, NO_WAY, WAY, HpaAnswers, HpaBatch


def country(seed: int, side: int = 96) -> Terrain:
    """Woods, roads and houses."""
    rng = np.random.default_rng(seed)
    open_ground = np.ones((side, side), bool)
    cost = np.full((side, side), 8, np.uint8)
    for _ in range(side // 3):
        y, x, h, w = (int(v) for v in rng.integers((0, 0, 2, 2), (side, side, 14, 14)))
        if rng.random() < 0.5:
            open_ground[y : y + h, x : x + w] = rng.random() < 0.1
        else:
            cost[y : y + h, x : x + w] = rng.choice((5, 10, 16))
    return Terrain.build(open_ground, cost)


def questions(terrain: Terrain, n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    tiles = np.argwhere(terrain.passable & 1)
    rng = np.random.default_rng(seed)
    return tiles[rng.integers(0, len(tiles), n)], tiles[rng.integers(0, len(tiles), n)]


def path_at(paths: HpaAnswers, i: int) -> np.ndarray:
    return paths.tiles[paths.offsets[i] : paths.offsets[i + 1]]


def length(terrain: Terrain, path: np.ndarray) -> float:
    """Return the cost of a path in tiles; fail on an illegal step."""
    total = 0.0
    for (y0, x0), (y1, x1) in zip(path[:-1].tolist(), path[1:].tolist(), strict=True):
        assert max(abs(y1 - y0), abs(x1 - x0)) == 1
        assert terrain.passable[y1, x1] & terrain.passable[y0, x1] & terrain.passable[y1, x0] & 1
        total += (int(terrain.cost[y0, x0]) + int(terrain.cost[y1, x1])) / 16 * np.hypot(y1 - y0, x1 - x0)
    return total


@pytest.mark.parametrize("seed", range(4))
def test_ways_are_legal_near_the_optimum_and_found_where_there_is_one(seed: int) -> None:
    terrain = country(seed)
    starts, goals = questions(terrain, 40)
    paths = HpaBatch.build(terrain).plan(terrain, starts, goals, 1 << 40)
    exact, excess = AStarSearch(terrain.height, terrain.width), []
    assert paths.done == 40
    for i in range(40):
        exact.begin(terrain, 0, tuple(starts[i]), tuple(goals[i]))
        exact.run(terrain, 1 << 40)
        assert paths.outcome[i] == (WAY if exact.status == FOUND else NO_WAY)
        if paths.outcome[i] == WAY:
            path = path_at(paths, i)
            assert (path[0] == starts[i]).all() and (path[-1] == goals[i]).all()
            cost = length(terrain, path)
            assert cost >= exact.cost - 1e-9
            excess.append(cost / exact.cost - 1 if exact.cost > 20 else 0.0)
    assert np.mean(excess) < 0.1, "as tiles; pulled straight they lose most of it"


def test_landmarks_save_work_and_change_no_cost() -> None:
    terrain = country(7, 192)
    starts, goals = questions(terrain, 60)
    paths = HpaBatch.build(terrain)
    sharp = paths.plan(terrain, starts, goals, 1 << 40)
    paths.measured = 0
    blunt = paths.plan(terrain, starts, goals, 1 << 40)
    assert sharp.spent < blunt.spent
    for i in range(60):
        assert length(terrain, path_at(sharp, i)) == pytest.approx(length(terrain, path_at(blunt, i)))


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_repaired_by_the_edit_it_answers_like_one_built_anew(data: st.DataObject) -> None:
    terrain = country(data.draw(st.integers(0, 20)), 64)
    paths = HpaBatch.build(terrain)
    for _ in range(data.draw(st.integers(1, 6))):
        y, x = data.draw(st.integers(0, 60)), data.draw(st.integers(0, 60))
        terrain.edit(y, x, y + 3, x + 4, passable=data.draw(st.sampled_from([0, 255])))
        paths.update(terrain)
        paths.measure(terrain)
    starts, goals = questions(terrain, 12, 1)
    mine = paths.plan(terrain, starts, goals, 1 << 40)
    fresh = HpaBatch.build(terrain).plan(terrain, starts, goals, 1 << 40)
    assert (mine.outcome == fresh.outcome).all()
    for i in np.flatnonzero(mine.outcome == WAY).tolist():
        assert length(terrain, path_at(mine, i)) == pytest.approx(length(terrain, path_at(fresh, i)))


def test_a_door_that_shuts_and_opens_again_keeps_its_landmarks_and_a_new_opening_asks_for_new_ones() -> None:
    terrain = country(3)
    paths = HpaBatch.build(terrain)
    y, x = (int(v) for v in np.argwhere(terrain.passable & 1)[500])
    for value in (0, 255):
        terrain.edit(y, x, y + 1, x + 1, passable=value)
        paths.update(terrain)
        assert paths.ready
    y, x = (int(v) for v in np.argwhere(terrain.passable == 0)[5])
    terrain.edit(y, x, y + 1, x + 1, passable=255)
    paths.update(terrain)
    assert not paths.ready
    while not paths.ready:
        assert paths.measure(terrain) > 0


def test_landmarks_that_are_dropped_and_measured_again_lay_nothing_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only edited parts are measured; the final landmarks equal those of a new layout."""
    terrain = country(5)
    paths, laid = HpaBatch.build(terrain), []
    paths.prepare(terrain)

    def counted(*args: Any) -> None:
        laid.append(int(args[9].sum()))
        lay_out_graph(*args)

    monkeypatch.setattr(hpa_batch_answers, "lay_out_graph", counted)
    y, x = np.argwhere((terrain.passable & 1) == 0)[30].tolist()
    terrain.edit(y, x, y + 1, x + 1, passable=255)
    paths.update(terrain)
    paths.prepare(terrain)
    assert not paths.ready
    while not paths.ready:
        paths.measure(terrain, 500)
    paths.prepare(terrain)
    assert sum(laid) <= 20 < paths.graph.counts.size, "a tile, the clusters it may change, and those beside them"
    fresh = restore(snapshot(paths))
    fresh.note(terrain)
    live = (np.arange(paths.graph.nodes.shape[1]) < paths.graph.counts[:, None]).reshape(-1)
    assert np.array_equal(paths.laid_out(terrain).marks[live], fresh.laid_out(terrain).marks[live])
    starts, goals = questions(terrain, 10, 3)
    mine, theirs = (each.plan(terrain, starts, goals, 1 << 40) for each in (paths, fresh))
    assert np.array_equal(mine.tiles, theirs.tiles) and np.array_equal(mine.revolutions, theirs.revolutions)


@pytest.mark.parametrize("limit", [0, 1, 60, 200, 1000, 1 << 40])
def test_two_halves_at_a_time_work_no_more_than_they_tell_and_than_the_limit(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel's own count is the same with one thread or two.

    It includes dropped work.
    """
    monkeypatch.setattr(hpa_batch_answers, "AMPLE", 0)
    kernel, counted = kernels.plan_long_paths, []

    def counting(*arguments: Any) -> None:
        kernel(*arguments)
        counted.append(int(arguments[-2][kernels.SPENT]))

    monkeypatch.setattr(kernels, "plan_long_paths", counting)
    terrain = country(5, 128)
    starts, goals = questions(terrain, 21)
    paths = HpaBatch.build(terrain)
    alone = paths.plan(terrain, starts, goals, 1 << 40)
    told = []
    for threads in (1, 2):
        monkeypatch.setattr("ai.core.thread_pool.get_num_threads", lambda threads=threads: threads)
        counted.clear()
        shared = paths.plan(terrain, starts, goals, limit, pool=ThreadPool())
        assert len(counted) >= 2 and sum(counted) == shared.spent == shared.revolutions.sum() <= limit
        told.append(shared)
    one, two = told
    assert (one.outcome == two.outcome).all() and (one.offsets == two.offsets).all() and (one.tiles == two.tiles).all()
    assert one.done == one.answered.sum() and (one.done == 21 or one.spent > limit - 256), "nothing worth while is left"
    assert one.done == 21 or 2 * alone.spent > limit
    for i in range(21):
        assert len(path_at(one, i)) == 0 if one.outcome[i] == CUT else (path_at(one, i) == path_at(alone, i)).all()


def test_a_limit_that_is_tight_is_not_shared() -> None:
    """Revolutions for starting a request twice are better spent on the next one."""
    terrain = country(5, 128)
    starts, goals = questions(terrain, 21)
    paths = HpaBatch.build(terrain)
    alone, shared = (paths.plan(terrain, starts, goals, 200, pool=pool) for pool in (None, ThreadPool()))
    assert (shared.done, shared.spent) == (alone.done, alone.spent) and (shared.tiles == alone.tiles).all()


@pytest.mark.parametrize("limit", [0, 60, 200])
def test_the_limit_is_never_exceeded_and_who_was_cut_is_answered_the_same_later(limit: int) -> None:
    terrain = country(5, 128)
    starts, goals = questions(terrain, 20)
    paths = HpaBatch.build(terrain)
    whole = paths.plan(terrain, starts, goals, 1 << 40)
    some = paths.plan(terrain, starts, goals, limit)
    assert some.spent <= limit and some.done < 20 and (some.outcome[some.done :] == CUT).all()
    rest = paths.plan(terrain, starts[some.done :], goals[some.done :], 1 << 40)
    for i in range(20):
        answered = path_at(some, i) if i < some.done else path_at(rest, i - some.done)
        assert (answered == path_at(whole, i)).all()


def test_a_way_that_winds_through_thousands_of_borders_is_found() -> None:
    """A maze whose rows cross all clusters of their line: 5,200 borders."""
    ground = np.ones((159, 160), bool)
    ground[1::2] = False
    ground[1::4, -1] = ground[3::4, 0] = True
    terrain = Terrain.build(ground)
    paths = HpaBatch.begin(terrain, size=4)
    paths.work(terrain, 1 << 40)
    told = paths.plan(terrain, np.array([(0, 0)]), np.array([(158, 0)]), 1 << 40)
    assert told.outcome[0] == WAY and length(terrain, path_at(told, 0)) == ground.sum() - 1


def test_a_restored_record_answers_the_same() -> None:
    terrain = country(9)
    paths = HpaBatch.build(terrain)
    y, x = (int(v) for v in np.argwhere(terrain.passable & 1)[700])
    terrain.edit(y, x, y + 2, x + 1, passable=0)
    paths.update(terrain)
    again = restore(snapshot(paths))
    again.update(terrain)
    starts, goals = questions(terrain, 20)
    mine, other = (w.plan(terrain, starts, goals, 1 << 40) for w in (paths, again))
    assert (mine.tiles == other.tiles).all() and mine.spent == other.spent
    with pytest.raises(ValueError, match="must lie on the map"):
        paths.plan(terrain, [(0, 0)], [(0, 999)], 10)


def test_landmarks_measured_in_small_slices_are_those_measured_at_once_edits_and_restores_in_between() -> None:
    rng = np.random.default_rng(8)
    terrain = Terrain.build(rng.random((96, 128)) > 0.2, rng.integers(8, 20, (96, 128)).astype(np.uint8))
    sliced = HpaBatch.begin(terrain)
    sliced.work(terrain, 1 << 40)
    most = 0
    for turn in range(4000):
        most = max(most, sliced.measure(terrain, 40))
        if turn == 5:
            sliced = restore(snapshot(sliced))
            sliced.update(terrain)
        if turn in (9, 60):
            terrain.edit(turn, 40, turn + 2, 44, passable=0 if turn == 9 else 255)
            sliced.update(terrain)
        if sliced.ready:
            break
    assert sliced.ready and most <= 40
    whole = HpaBatch.build(terrain)
    assert np.array_equal(sliced.marks, whole.marks) and np.array_equal(sliced.marked, whole.marked)
