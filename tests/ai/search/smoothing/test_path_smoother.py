"""Path smoothers: all that stand in the folder keep ends, walls and costs."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from ai.core.register import implementations
from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, AStarSearch
from ai.search.smoothing import path_smoother, straight_walk
from ai.search.smoothing.path_smoother import FOLDER, Pieces, smoother_of
from tests.ai.search.grids import costs, rooms

RADIUS = 0.3
NAMES = implementations(FOLDER, "SMOOTHER")


def path_pieces(terrain: Terrain, seed: int) -> Pieces:
    """Return the tiles of some searched paths between random open tiles."""
    rng, search = np.random.default_rng(seed), AStarSearch(terrain.height, terrain.width)
    open_tiles, paths = np.argwhere(terrain.passable != 0), []
    for _ in range(12):
        start, goal = (tuple(t) for t in open_tiles[rng.choice(len(open_tiles), 2, replace=False)].tolist())
        search.begin(terrain, 0, start, goal, 100_000)
        search.run(terrain, 100_000)
        if search.status == FOUND:
            paths.append(search.path())
    offsets = np.concatenate([[0], np.cumsum([len(p) for p in paths])]).astype(np.int64)
    tiles = np.ascontiguousarray(np.concatenate(paths), np.int32)
    stages = (np.arange(len(tiles)) % 5).astype(np.uint8)
    return Pieces(tiles, offsets, stages, np.empty(len(tiles), np.uint8), np.zeros((0, 2)))


def waypoints_of(pieces: Pieces) -> list[np.ndarray]:
    """Return the kept points of each piece, float64[n, 2] (x, y)."""
    points = pieces.points if len(pieces.points) else pieces.tiles[:, ::-1] + 0.5
    rows = [np.arange(a, b) for a, b in itertools.pairwise(pieces.offsets.tolist())]
    return [points[r[pieces.keep[r] == 1]] for r in rows]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(6))
def test_smoothed_paths_keep_their_ends_and_a_body_s_width_from_walls(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    ground = rooms(rng, 40, 40)
    terrain = Terrain.build(ground, costs(rng, 40, 40)) if seed % 2 else Terrain.build(ground)
    pieces = path_pieces(terrain, seed)
    kinds = np.zeros(len(pieces.offsets) - 1, np.uint8)
    made, looked = smoother_of(name).smooth(terrain, kinds, pieces, RADIUS, 96, ThreadPool())
    assert looked > 0 and len(made.stages) == len(made.keep) == len(made.tiles)
    if len(made.points):
        assert np.array_equal(np.floor(made.points), made.tiles[:, ::-1])
    for p, line in enumerate(waypoints_of(made)):
        first, last = pieces.tiles[pieces.offsets[p]], pieces.tiles[pieces.offsets[p + 1] - 1]
        assert line[0].tolist() == (first[::-1] + 0.5).tolist() and line[-1].tolist() == (last[::-1] + 0.5).tolist()
        if len(line) > 1:
            clear, _ = straight_walk.line_walkable(terrain, np.hstack([line[:-1], line[1:]]), 0, RADIUS)
            assert clear.all()


def test_a_name_without_a_module_is_refused_with_the_names_that_exist() -> None:
    assert "string_pulling" in NAMES and "path_smoother" not in NAMES
    with pytest.raises(ValueError, match=r"no path smoother 'splines'; one of .*string_pulling"):
        smoother_of("splines")


def test_a_module_is_found_by_its_text_alone(tmp_path: Path) -> None:
    (tmp_path / "b_smoother.py").write_text("raise RuntimeError\nSMOOTHER: PathSmoother = 1\n")
    (tmp_path / "a_smoother.py").write_text("x = 0\nSMOOTHER: int = 2\n")
    (tmp_path / "other.py").write_text('"""SMOOTHER: of none."""\n')
    assert implementations(tmp_path, "SMOOTHER") == ("a_smoother", "b_smoother")
    assert Path(path_smoother.__file__).parent == FOLDER
