"""Catmull-Rom curves equal the pyramid of Barry and Goldman and keep off walls."""

import itertools
import math

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.smoothing.catmull_rom import ROUNDING, SPACING, CatmullRom
from ai.search.smoothing.path_smoother import Pieces
from ai.search.smoothing.straight_walk import line_walkable, pull_string
from tests.ai.paths.walkers import Walkers, walls
from tests.ai.search.grids import costs

SLALOM = np.ones((18, 44), bool)
for _x, _top in ((8, True), (14, False), (20, True), (26, False), (32, True), (38, False)):
    SLALOM[slice(0, 12) if _top else slice(6, 18), _x : _x + 2] = False


def pyramid(p: list[np.ndarray], t: float) -> np.ndarray:
    """Evaluate the curve by repeated linear interpolation.

    ``t`` in 0..1 lies between p[1] and p[2]. Source: Barry and Goldman, "A recursive evaluation algorithm for a class
    of Catmull-Rom splines", 1988. Knots are centripetal.
    """
    knots = np.concatenate([[0.0], np.cumsum([math.dist(a, b) ** 0.5 for a, b in itertools.pairwise(p)])])
    x = knots[1] + t * (knots[2] - knots[1])
    level = list(p)
    for width in (1, 2):
        level = [
            ((knots[i + width] - x) * level[i] + (x - knots[i]) * level[i + 1]) / (knots[i + width] - knots[i])
            for i in range(len(level) - 1)
        ]
    return ((knots[2] - x) * level[0] + (x - knots[1]) * level[1]) / (knots[2] - knots[1])


def control_points(corners: np.ndarray) -> tuple[list[np.ndarray], list[bool]]:
    """Return the control points of a line through corners (x, y).

    The second list tells which of them are corners or ends.
    """
    points, corner, last = [corners[0]], [True], len(corners) - 1
    for k in range(last):
        a, b = corners[k], corners[k + 1]
        ends = [end for end, inner in ((a, k > 0), (b, k + 1 < last)) if inner]
        if math.dist(a, b) > ROUNDING * len(ends):
            for end in ends:
                other = b if end is a else a
                points.append(end + (other - end) * ROUNDING / math.dist(a, b))
                corner.append(False)
        points.append(b)
        corner.append(True)
    return points, corner


def curved(terrain: Terrain, paths: list[np.ndarray]) -> Pieces:
    """Return the smoothed pieces of some paths."""
    tiles = np.ascontiguousarray(np.concatenate(paths), np.int32)
    offsets = np.concatenate([[0], np.cumsum([len(p) for p in paths])])
    stages = np.repeat(np.arange(len(paths)), np.diff(offsets)).astype(np.uint8)
    pieces = Pieces(tiles, offsets, stages, np.empty(len(tiles), np.uint8), np.zeros((0, 2)))
    return smoothed(terrain, pieces)


def smoothed(terrain: Terrain, pieces: Pieces) -> Pieces:
    classes = np.zeros(len(pieces.offsets) - 1, np.uint8)
    return CatmullRom().smooth(terrain, classes, pieces, 0.3, 96, ThreadPool())[0]


def curve(terrain: Terrain, path: np.ndarray) -> np.ndarray:
    """Return the points (x, y) of the smoothed path."""
    return curved(terrain, [path]).points


def searched(terrain: Terrain, rng: np.random.Generator) -> np.ndarray | None:
    """Return the tiles of a path between two random open tiles, or None."""
    search, tiles = AStarSearch(terrain.height, terrain.width), np.argwhere(terrain.passable != 0)
    start, goal = (tuple(t) for t in tiles[rng.choice(len(tiles), 2, replace=False)].tolist())
    search.begin(terrain, 0, start, goal, 100_000)
    search.run(terrain, 100_000)
    return search.path() if search.status == FOUND else None


def segments_of(points: np.ndarray, control: list[np.ndarray]) -> list[np.ndarray]:
    """Split a curve at its control points.

    It must contain them all, in order.
    """
    at = [0]
    for c in control[1:]:
        gaps = np.hypot(*(points[at[-1] + 1 :] - c).T)
        assert gaps.min() < 1e-9, "the curve passes through all control points"
        at.append(at[-1] + 1 + int(np.argmax(gaps < 1e-9)))
    assert at[-1] == len(points) - 1
    return [points[a : b + 1] for a, b in itertools.pairwise(at)]


def test_the_points_are_those_of_the_pyramid_and_keep_walls_and_costs() -> None:
    """All corners are round or sharp; those that a body cannot round are sharp."""
    round_corners = sharp_corners = 0
    for seed in range(120):
        rng = np.random.default_rng(seed)
        ground = walls(40, seed, share=(25, 60, 150)[seed % 3])
        terrain = Terrain.build(ground, costs(rng, 40, 40)) if seed % 2 else Terrain.build(ground)
        path = searched(terrain, rng)
        if path is None or len(path) < 3:
            continue
        control, corner = control_points(pull_string(terrain, path, reach=96)[:, ::-1] + 0.5)
        segments = segments_of(curve(terrain, path), control)
        bent = [len(s) > 2 for s in segments]
        last = len(control) - 1
        is_round = [k not in (0, last) and corner[k] and bent[k - 1] and bent[k] for k in range(last + 1)]
        round_corners += sum(is_round)
        sharp_corners += sum(corner[1:-1]) - sum(is_round)
        for k, segment in enumerate(segments):
            assert not bent[k] or is_round[k] or is_round[k + 1], "only a round corner bends the lines beside it"
            a, b = control[k], control[k + 1]
            split_a, split_b = corner[k] and not is_round[k], corner[k + 1] and not is_round[k + 1]
            four = [2 * a - b if split_a else control[k - 1], a, b, 2 * b - a if split_b else control[k + 2]]
            if bent[k]:
                count = len(segment) - 1
                assert max(np.hypot(*np.diff(segment, axis=0).T)) < 2.0 * SPACING
                expected = [pyramid(four, j / count) for j in range(count + 1)]
                assert np.allclose(segment, expected, atol=1e-9)
            clear, spent = line_walkable(terrain, np.hstack([segment[:-1], segment[1:]]))
            assert clear.all()
            straight = line_walkable(terrain, [[*a, *b]])[1][0] / math.dist(a, b)
            assert spent.sum() / np.hypot(*np.diff(segment, axis=0).T).sum() <= straight * (1 + 1e-6)
    assert round_corners > 40 and sharp_corners > 40


@pytest.mark.parametrize("seed", range(8))
def test_pieces_are_smoothed_each_for_itself_and_only_once(seed: int) -> None:
    """Points lie in their tiles and keep the codes of their pieces.

    A curve is not smoothed again."""
    rng = np.random.default_rng(seed)
    terrain = Terrain.build(walls(40, seed, share=60))
    paths = [p for p in (searched(terrain, rng) for _ in range(6)) if p is not None and len(p) > 2]
    made = curved(terrain, paths)
    assert len(paths) > 2 and len(made.offsets) == len(paths) + 1
    for k, (a, b) in enumerate(itertools.pairwise(made.offsets.tolist())):
        assert np.array_equal(made.points[a:b], curve(terrain, paths[k]))
        assert (made.stages[a:b] == k).all()
    assert made.keep.all() and np.array_equal(made.tiles, np.floor(made.points[:, ::-1]))
    again = smoothed(terrain, made)
    for name in ("tiles", "offsets", "stages", "points"):
        assert np.array_equal(getattr(again, name), getattr(made, name)), name


def test_the_sharpest_turn_within_a_tile_of_the_path_is_smaller_than_with_straight_lines() -> None:
    search, terrain = AStarSearch(*SLALOM.shape), Terrain.build(SLALOM)
    search.begin(terrain, 0, (8, 3), (8, 42), 100_000)
    search.run(terrain, 100_000)
    path = search.path()
    lines = [pull_string(terrain, path, reach=96)[:, ::-1] + 0.5, curve(terrain, path)]
    straight, curved = (sharpest_within(line, 1.0) for line in lines)
    assert curved < 0.85 * straight


def sharpest_within(line: np.ndarray, length: float) -> float:
    """Return the largest change of heading over ``length`` tiles of a line, radians."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    heading = np.unwrap(np.arctan2(*np.diff(line, axis=0).T[::-1]))
    asked = np.arange(0.0, along[-1] - length, 0.05)
    index = [np.clip(np.searchsorted(along, s, "right") - 1, 0, len(heading) - 1) for s in (asked, asked + length)]
    return float(np.abs(heading[index[1]] - heading[index[0]]).max())


@pytest.mark.parametrize("seed", range(4))
def test_units_walk_curves_to_their_goals_and_a_restored_world_walks_the_same(seed: int) -> None:
    ground = walls(40, seed, share=60)
    tiles = np.argwhere(ground)
    at = tiles[np.random.default_rng(seed).choice(len(tiles), 16, replace=False)]
    world = Walkers.on(ground, [tuple(t) for t in at[:8].tolist()], smoother="catmull_rom")
    world.order(at[8:])
    for _ in range(8):
        world.think()
        world.walk()
    store = world.manager.store
    points = np.concatenate([store.points_of(slot) for slot in range(8)])
    assert (np.abs(points % 1.0 - 0.5) > 0.01).any(), "some of the paths are curves"
    kept, ends = snapshot(world), []
    for walkers in (world, restore(kept)):
        arrived, _ = walkers.live(400)
        ends.append((arrived, digest(walkers)))
        there = np.hypot(walkers.x - at[8:, 1] - 0.5, walkers.y - at[8:, 0] - 0.5) < 0.5
        joined = [
            walkers.components.reachable(0, *a, *b) for a, b in zip(at[:8].tolist(), at[8:].tolist(), strict=True)
        ]
        assert there[joined].all() and sum(joined) >= 6
    assert ends[0] == ends[1]
