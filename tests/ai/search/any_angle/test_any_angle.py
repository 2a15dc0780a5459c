"""Any-angle paths are clear, near the visibility optimum, and short.

They are no longer than smoothed grid paths.
"""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse.csgraph import dijkstra

from ai.grid.terrain import Terrain
from ai.search.any_angle import any_angle_kernels, any_angle_sight
from ai.search.any_angle.any_angle import CENTRES, CORNERS, ThetaStar, sight, smoothed
from ai.search.jps.jps import UniformGround


def exact_clear(open_tiles: np.ndarray, y0: int, x0: int, y1: int, x1: int) -> bool:
    """Exact rationals: the closed segment meets no blocked tile, its corners included."""
    for ty, tx in np.argwhere(~open_tiles):
        low, high = Fraction(0), Fraction(1)
        for start, delta, side in ((y0, y1 - y0, int(ty)), (x0, x1 - x0, int(tx))):
            # side <= start + 1/2 + t * delta <= side + 1
            near, far = Fraction(2 * side - 2 * start - 1, 2), Fraction(2 * side - 2 * start + 1, 2)
            if delta == 0:
                if not near <= 0 <= far:
                    low, high = Fraction(1), Fraction(0)
            else:
                a, b = sorted((near / delta, far / delta))
                low, high = max(low, a), min(high, b)
        if low <= high:
            return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_sight_is_exact_and_symmetric(seed: int) -> None:
    rng = np.random.default_rng(seed)
    open_tiles = rng.random((11, 12)) < 0.85
    ground = UniformGround.build(Terrain.build(open_tiles))
    pairs = rng.integers(0, (11, 12, 11, 12), (150, 4))
    seen = sight(ground, pairs)
    assert seen.tolist() == [exact_clear(open_tiles, *(int(v) for v in pair)) for pair in pairs]
    assert np.array_equal(seen, sight(ground, pairs[:, [2, 3, 0, 1]])) and 10 < seen.sum() < 140


def exact_corner_clear(open_tiles: np.ndarray, y0: int, x0: int, y1: int, x1: int) -> bool:
    """Test a segment between corners with exact rationals.

    It must not meet the inside of a blocked tile, nor run between two that share a side.
    """
    padded = np.pad(open_tiles, 1)
    for ty, tx in np.argwhere(~padded) - 1:
        low, high, inside = Fraction(0), Fraction(1), True
        for start, delta, side in ((y0, y1 - y0, int(ty)), (x0, x1 - x0, int(tx))):
            if delta == 0:
                inside &= side < start < side + 1
            else:
                a, b = sorted((Fraction(side - start, delta), Fraction(side + 1 - start, delta)))
                low, high = max(low, a), min(high, b)
        if inside and low < high:
            return False
    if y0 == y1:
        return all(padded[y0 + 1, x + 1] or padded[y0, x + 1] for x in range(min(x0, x1), max(x0, x1)))
    if x0 == x1:
        return all(padded[y + 1, x0 + 1] or padded[y + 1, x0] for y in range(min(y0, y1), max(y0, y1)))
    return True


@pytest.mark.parametrize("seed", range(4))
def test_corner_sight_is_exact_and_symmetric(seed: int) -> None:
    rng = np.random.default_rng(seed)
    open_tiles = rng.random((10, 11)) < 0.8
    ground = UniformGround.build(Terrain.build(open_tiles))
    pairs = rng.integers(0, (11, 12, 11, 12), (200, 4))
    pairs[:30, 2] = pairs[:30, 0]
    seen = sight(ground, pairs, CORNERS)
    assert seen.tolist() == [exact_corner_clear(open_tiles, *(int(v) for v in pair)) for pair in pairs]
    assert np.array_equal(seen, sight(ground, pairs[:, [2, 3, 0, 1]], CORNERS)) and 10 < seen.sum() < 190


def visible_graph(ground: UniformGround, vertices: np.ndarray, model: int) -> np.ndarray:
    """Lengths between all pairs of vertices that see each other, else 0."""
    n = len(vertices)
    a, b = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    pairs = np.hstack((vertices[a.ravel()], vertices[b.ravel()]))
    length = np.hypot(*(pairs[:, :2] - pairs[:, 2:]).T)
    return np.where(sight(ground, pairs, model), length, 0.0).reshape(n, n)


def length_of(path: np.ndarray) -> float:
    return float(np.hypot(*np.diff(path, axis=0).T).sum())


@pytest.mark.parametrize("model", [CENTRES, CORNERS])
def test_lengths_against_the_visibility_optimum_and_smoothed_paths(model: int) -> None:
    """Mean excess below 0.5 % (lazy 1 %), and no longer than smoothed A*."""
    excess: dict[str, list] = {"theta": [], "lazy": [], "smoothed": [], "grid": []}
    tests = np.zeros(2)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        open_tiles = rng.random((26, 28)) > (0.05, 0.1, 0.2, 0.3)[seed % 4]
        ground = UniformGround.build(Terrain.build(open_tiles))
        vertices = np.argwhere(open_tiles if model == CENTRES else np.ones((27, 29)))
        start = int(rng.integers(len(vertices)))
        lengths = visible_graph(ground, vertices, model)
        optima = dijkstra(lengths, indices=start)
        steps, before = dijkstra(np.where(lengths < 1.5, lengths, 0.0), indices=start, return_predecessors=True)
        theta, lazy = ThetaStar(ground, model=model), ThetaStar(ground, lazy=True, model=model)
        for goal in rng.integers(len(vertices), size=20):
            ends = tuple(vertices[start].tolist()), tuple(vertices[goal].tolist())
            found = theta.find(*ends), lazy.find(*ends)
            assert all((path is None) == np.isinf(steps[goal]) for path in found)
            if found[0] is None or start == goal:
                continue
            chain = [int(goal)]
            while chain[-1] != start:
                chain.append(int(before[chain[-1]]))
            grid = vertices[chain[::-1]]
            pulled = smoothed(ground, grid, model)
            for path in (*found, pulled):
                assert tuple(path[0]) == ends[0] and tuple(path[-1]) == ends[1]
                assert sight(ground, np.hstack((path[:-1], path[1:])), model).all()
            assert theta.length == pytest.approx(length_of(found[0]))
            assert lazy.length == pytest.approx(length_of(found[1]))
            if model == CORNERS or seed % 4 == 0:  # the source's promise, kept between centres where walls are few
                tests += theta.sight_tests, lazy.sight_tests
            for name, path in zip(("theta", "lazy", "grid", "smoothed"), (*found, grid, pulled), strict=True):
                ratio = length_of(path) / optima[goal]
                assert ratio > 1 - 1e-9
                excess[name].append(ratio - 1)
    mean = {name: float(np.mean(values)) for name, values in excess.items()}
    assert len(excess["theta"]) > 100
    assert mean["theta"] < 0.005 and mean["lazy"] < 0.01
    assert mean["theta"] <= mean["smoothed"] < mean["grid"], mean
    assert tests[1] < tests[0] / 2


def steps_of(ground: np.ndarray, model: int, y0: int, x0: int, y1: int, x1: int) -> int:
    """Count the tiles of a line between centres with exact rationals.

    The first tile does not count; the result is negative when the last is shut.
    """
    dy, dx = int(y1 - y0), int(x1 - x0)
    down = {Fraction(2 * k + 1, 2 * abs(dy)) for k in range(abs(dy))}
    across = {Fraction(2 * k + 1, 2 * abs(dx)) for k in range(abs(dx))}
    y, x = int(y0), int(x0)
    for count, when in enumerate(sorted(down | across), 1):
        by, bx = int(np.sign(dy)) * (when in down), int(np.sign(dx)) * (when in across)
        if not (ground[y + by, x] and ground[y, x + bx] and ground[y + by, x + bx]):
            return -count
        y, x = y + by, x + bx
    return len(down | across)


@pytest.mark.parametrize("lazy", [False, True])
def test_a_revolution_is_a_node_or_64_cells_of_sight(lazy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search also runs as plain Python, with its lines counted by rationals."""
    cells: list[int] = []

    def counted(*line: int) -> int:
        cells.append(steps_of(*line))
        return cells[-1]

    open_tiles = np.random.default_rng(6).random((15, 40)) < 0.87
    ground = UniformGround.build(Terrain.build(open_tiles))
    search = ThetaStar(ground, lazy)
    tiles = np.argwhere(open_tiles)
    start, goal = tuple(tiles[0].tolist()), tuple(tiles[-1].tolist())
    path = search.find(start, goal)
    assert path is not None
    size = ground.moves.size
    out, answer, log = np.zeros((size, 2), np.int32), np.zeros(5), np.zeros((size, 3), np.int64)
    monkeypatch.setattr(any_angle_sight, "scan", counted)
    count = any_angle_kernels.theta_search(
        ground.ground, ground.moves.ravel(), 42, CENTRES, int(lazy), 1, np.zeros(size), np.zeros(size, np.int32),
        np.zeros(size, np.int32), np.zeros((size, 2)), np.zeros(size, np.int32), out, answer,
        start[0] + 1, start[1] + 1, goal[0] + 1, goal[1] + 1, 1 << 60, log,
        np.zeros((size, any_angle_kernels.BLIND), np.int32),
    )  # fmt: skip
    assert out[:count].tolist() == path.tolist()
    scanned = sum(map(abs, cells))
    assert (search.sight_tests, search.scanned) == (len(cells), scanned) and scanned > 640
    assert search.expanded == int((log[:, 0] > 0).sum())
    assert search.revolutions == search.expanded + scanned // 64
    limit = search.revolutions // 2
    assert search.find(start, goal, limit) is None and search.over_limit
    assert limit <= search.revolutions < limit + 20, "what one node looks at is not cut short"


def test_an_empty_map_is_one_line_and_bad_questions_are_refused() -> None:
    ground = UniformGround.build(Terrain.build(np.ones((30, 200), bool)))
    for lazy in (False, True):
        search = ThetaStar(ground, lazy)
        assert search.find((2, 3), (25, 190)).tolist() == [[2, 3], [25, 190]]
        assert search.length == pytest.approx(np.hypot(23, 187))
        assert search.find((4, 4), (4, 4)).tolist() == [[4, 4]]
        with pytest.raises(ValueError, match="goal"):
            search.find((0, 0), (30, 0))
    with pytest.raises(ValueError, match="pairs"):
        sight(ground, np.zeros((2, 3)))


@pytest.mark.parametrize("cause", ["stamps used up", "no room in the heap"])
def test_a_search_that_has_to_begin_again_answers_as_a_fresh_one(cause: str) -> None:
    """Marks of the first search have the stamp that is used again."""
    open_tiles = np.random.default_rng(3).random((24, 24)) < 0.8
    ground = UniformGround.build(Terrain.build(open_tiles))
    start, goal = (tuple(int(v) for v in np.argwhere(open_tiles)[k]) for k in (0, -1))
    fresh, again = ThetaStar(ground), ThetaStar(ground)
    again.find(goal, start)
    if cause == "stamps used up":
        again._context[any_angle_kernels.STAMP] = any_angle_kernels.STAMPS - 1
    else:
        again._make_room(2)
    expected, found = fresh.find(start, goal), again.find(start, goal)
    assert expected is not None and found is not None and found.tolist() == expected.tolist()
    assert tuple(found[0]) == start and tuple(found[-1]) == goal
