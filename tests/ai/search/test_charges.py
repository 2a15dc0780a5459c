"""Charges of a search: one revolution per expanded node or 64 scanned cells.

The tests count them independently.
"""

import itertools

import numpy as np
import pytest

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.canonical import SUCCESSORS
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_kernels import SMOOTHED_TILES
from ai.search.jps.jps import JumpPointSearch, UniformGround
from ai.search.smoothing.octile_smoothing import smooth_path
from ai.search.subgoals.subgoal_search import SubgoalGraph, SubgoalSearch
from tests.ai.search.grids import legal_step, path_cost, rooms

Tile = tuple[int, int]


def straight_scan(ground: np.ndarray, at: Tile, step: Tile) -> tuple[int, bool]:
    """Return the cells to the end of a straight jump.

    Also returns whether that end is a jump point.
    """
    (y, x), (dy, dx) = at, step
    for count in itertools.count(1):
        y, x = y + dy, x + dx
        if not ground[y, x]:
            return count, False
        for side in (-1, 1):
            sy, sx = y + dx * side, x + dy * side
            if ground[sy, sx] and not ground[sy - dy, sx - dx]:
                return count, True
    raise AssertionError


def diagonal_scan(ground: np.ndarray, at: Tile, step: Tile, goal: Tile) -> int:
    """Return the cells scanned by a diagonal jump.

    They are its steps, and both straight scans of each step up to the one that ends it.
    """
    (y, x), (dy, dx) = at, step
    scanned = 0
    while ground[y + dy, x + dx] and ground[y + dy, x] and ground[y, x + dx]:
        y, x = y + dy, x + dx
        scanned += 1
        if (y, x) == goal:
            break
        ended = False
        for aside in ((0, dx), (dy, 0)):
            count, found = straight_scan(ground, (y, x), aside)
            scanned += count
            passed = {(y + aside[0] * n, x + aside[1] * n) for n in range(1, count + 1)}
            if found or goal in passed:
                ended = True
                break
        if ended:
            break
    return scanned


@pytest.mark.parametrize("seed", range(6))
def test_jps_is_charged_for_every_cell_its_scans_come_to(seed: int) -> None:
    rng = np.random.default_rng(seed)
    open_tiles = rooms(rng, 50, 150)
    ground = UniformGround.build(Terrain.build(open_tiles))
    search = JumpPointSearch(ground)
    tiles = np.argwhere(open_tiles)
    for _ in range(4):
        start, goal = (tuple(tiles[i].tolist()) for i in rng.integers(len(tiles), size=2))
        search.log = np.zeros((5000, 3), np.int64)
        found = search.find(start, goal) is not None
        assert not search.over_limit
        expanded = search.log[search.log[:, 0] > 0]
        scanned = 0
        for cell, _, arrival in expanded.tolist():
            y, x = divmod(cell, ground.moves.shape[1])
            paths = int(SUCCESSORS[arrival, ground.moves[y, x]])
            for k in range(8):
                step = int(MOVE_Y[k]), int(MOVE_X[k])
                if paths >> k & 1 and k < 4:
                    scanned += straight_scan(ground.ground, (y, x), step)[0]
                elif paths >> k & 1:
                    scanned += diagonal_scan(ground.ground, (y, x), step, (goal[0] + 1, goal[1] + 1))
        assert (search.expanded, search.scanned) == (len(expanded), scanned)
        total = search.revolutions
        assert total == len(expanded) + scanned // 64
        search.log = np.zeros((0, 3), np.int64)
        if found and len(expanded) > 10:
            assert search.find(start, goal, len(expanded) // 2) is None and search.over_limit
            assert search.find(start, goal, total + 1) is not None


def clearance(open_tiles: np.ndarray, subgoals: set[Tile], at: Tile, step: Tile) -> int:
    """Moves from a tile in one direction that are legal and enter no subgoal."""
    height, width = open_tiles.shape
    for count in itertools.count():
        beyond = at[0] + step[0], at[1] + step[1]
        if not (0 <= beyond[0] < height and 0 <= beyond[1] < width):
            return count
        if not legal_step(open_tiles, at, beyond) or beyond in subgoals:
            return count
        at = beyond
    raise AssertionError


def area_cells(open_tiles: np.ndarray, subgoals: set[Tile], at: Tile) -> int:
    """Return the cells whose clearances give the reachable subgoals of a tile.

    They lie along each diagonal, while there is room beside it.
    """
    if at in subgoals:
        return 0
    cells = 8
    for dy, dx in itertools.product((-1, 1), repeat=2):
        for aside in ((dy, 0), (0, dx)):
            room = clearance(open_tiles, subgoals, at, aside)
            for n in range(1, clearance(open_tiles, subgoals, at, (dy, dx)) + 1):
                cells += 1
                room = min(room, clearance(open_tiles, subgoals, (at[0] + dy * n, at[1] + dx * n), aside))
                if room == 0:
                    break
    return cells


@pytest.mark.parametrize("levels", [1, 2])
def test_subgoal_searches_are_charged_for_the_direct_trial_and_both_areas(levels: int) -> None:
    rng = np.random.default_rng(3)
    direct = 0
    for _ in range(12):
        open_tiles = rooms(rng, 40, 90)
        ground = UniformGround.build(Terrain.build(open_tiles))
        graph = SubgoalGraph.build(ground, levels)
        search = SubgoalSearch(graph, ground)
        subgoals = {(int(y) - 1, int(x) - 1) for y, x in graph.corners if y > 0}
        tiles = np.argwhere(open_tiles)
        for _ in range(3):
            start, goal = (tuple(tiles[i].tolist()) for i in rng.integers(len(tiles), size=2))
            search.find(start, goal)
            at, scanned = start, 0
            while at != goal:
                step = int(np.sign(goal[0] - at[0])), int(np.sign(goal[1] - at[1]))
                scanned += 1
                beyond = at[0] + step[0], at[1] + step[1]
                if not legal_step(open_tiles, at, beyond):
                    break
                at = beyond
            if at != goal:
                scanned += area_cells(open_tiles, subgoals, start) + area_cells(open_tiles, subgoals, goal)
            direct += at == goal
            assert search.scanned == scanned
            assert search.revolutions == search.expanded + scanned // 64
            assert at != goal or search.expanded == 0
    assert 0 < direct < 36


def octile_line(a: Tile, b: Tile, order: int) -> list[Tile]:
    """Return the tiles after a on a shortest path to b.

    The diagonal steps come first, last, or are spread evenly.
    """
    (y, x), (ty, tx) = a, b
    dy, dx = abs(ty - y), abs(tx - x)
    long, short = max(dy, dx), min(dy, dx)
    aside = {
        0: [min(i, short) for i in range(long + 1)],
        1: [max(i - long + short, 0) for i in range(long + 1)],
        2: [(2 * i * short + long) // (2 * long) for i in range(long + 1)],
    }[order]
    sy, sx = (ty > y) - (ty < y), (tx > x) - (tx < x)
    return [(y + sy * (i if dy >= dx else s), x + sx * (s if dy >= dx else i)) for i, s in enumerate(aside)][1:]


def smoothing_scan(open_tiles: np.ndarray, cost: np.ndarray, path: list[Tile]) -> int:
    """Return the tiles of the lines that smoothing tests.

    There are three lines to each tile up to 30 ahead, the furthest first.
    """
    scanned, here = 0, 0
    while here < len(path) - 1:
        taken = here + 1
        for there in range(min(here + 30, len(path) - 1), here + 1, -1):
            most = path_cost(open_tiles, cost, np.array(path[here : there + 1])) + 1e-9
            for order in range(3):
                line = [path[here], *octile_line(path[here], path[there], order)]
                for n, (a, b) in enumerate(itertools.pairwise(line), 1):
                    scanned += 1
                    if not open_tiles[b] or not legal_step(open_tiles, a, b):
                        break
                    if path_cost(open_tiles, cost, np.array(line[: n + 1])) > most:
                        break
                else:
                    taken = there
                if taken == there:
                    break
            if taken == there:
                break
        here = taken
    return scanned


@pytest.mark.parametrize("seed", range(3))
def test_smoothing_is_charged_for_every_tile_its_lines_come_to(seed: int) -> None:
    rng = np.random.default_rng(seed)
    open_tiles = rooms(rng, 40, 60)
    terrain, cost = Terrain.build(open_tiles), np.full(open_tiles.shape, 8)
    search, low = HierarchicalSearch(ClusterGraph.build(terrain, levels=2)), ClusterGraph.build(terrain)
    tiles = np.argwhere(open_tiles)
    asked = 0
    while asked < 5:
        (start, goal) = (tuple(tile.tolist()) for tile in tiles[rng.integers(len(tiles), size=2)])
        hops = search.find_abstract(terrain, start, goal)
        if hops is None or len(hops) < 4:
            continue
        asked += 1
        path = [tuple(tile) for tile in search.refine(terrain, hops).tolist()]
        scanned = smoothing_scan(open_tiles, cost, path)
        tally = np.zeros(1, np.int64)
        smooth_path(terrain, 0, np.array(path), tally=tally)
        assert tally[0] == scanned > 0
        before = search.revolutions_ever
        search.smooth(terrain, np.array(path))
        assert search.smoothing_revolutions == scanned >> 6
        assert search.revolutions_ever == before + (scanned >> 6)
        # A complete path in one call reports the same figures.
        whole, hop_by_hop = HierarchicalSearch(low), HierarchicalSearch(low)
        path = hop_by_hop.refine(terrain, hop_by_hop.find_abstract(terrain, start, goal))
        scanned = smoothing_scan(open_tiles, cost, [tuple(tile) for tile in path.tolist()])
        assert whole.find(terrain, start, goal) is not None
        assert whole._answer[SMOOTHED_TILES] == scanned > 0
        assert whole.smoothing_revolutions == scanned >> 6
