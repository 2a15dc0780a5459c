"""Other libraries that find octile paths, behind one call each.

A call takes (starts, goals) and returns nothing; the caller measures its time.

All are optional (``requirements-bench.txt``).  Each gets the whole map once and is asked one question a call.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

import numpy as np

Ask = Callable[[int, int, int, int], object]


def _has(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def pyastar2d_ask(weights: np.ndarray) -> Ask:
    """C++ A* (corners may be cut; blocked tiles weigh infinity)."""
    import pyastar2d

    grid = np.where(np.isfinite(weights), weights, np.inf).astype(np.float32)
    return lambda sy, sx, gy, gx: pyastar2d.astar_path(grid, (sy, sx), (gy, gx), allow_diagonal=True)


def tcod_ask(weights: np.ndarray) -> Ask:
    """C A* of python-tcod's Pathfinder; integer costs, 70 and 99 for straight and diagonal."""
    import tcod.path

    grid = np.where(np.isfinite(weights), weights, 0).astype(np.int32)
    graph = tcod.path.SimpleGraph(cost=grid, cardinal=70, diagonal=99)

    def ask(sy: int, sx: int, gy: int, gx: int) -> object:
        finder = tcod.path.Pathfinder(graph)
        finder.add_root((sy, sx))
        return finder.path_to((gy, gx))

    return ask


def skimage_ask(weights: np.ndarray) -> Ask:
    """Cython Dijkstra of scikit-image, MCP_Geometric."""
    from skimage.graph import MCP_Geometric

    grid = np.where(np.isfinite(weights), weights, -1).astype(float)

    def ask(sy: int, sx: int, gy: int, gx: int) -> object:
        finder = MCP_Geometric(grid, fully_connected=True)
        finder.find_costs([(sy, sx)], [(gy, gx)])
        return finder.traceback((gy, gx))

    return ask


def pathfinding_ask(weights: np.ndarray) -> Ask:
    """Pure-Python A* of the ``pathfinding`` package, no corner cutting."""
    from pathfinding.core.diagonal_movement import DiagonalMovement
    from pathfinding.core.grid import Grid
    from pathfinding.finder.a_star import AStarFinder

    grid = Grid(matrix=np.where(np.isfinite(weights), weights, 0).astype(int).tolist())
    finder = AStarFinder(diagonal_movement=DiagonalMovement.only_when_no_obstacle)

    def ask(sy: int, sx: int, gy: int, gx: int) -> object:
        grid.cleanup()
        return finder.find_path(grid.node(sx, sy), grid.node(gx, gy), grid)

    return ask


PEERS: dict[str, tuple[Callable[[np.ndarray], Ask], float]] = {
    "pyastar2d": (pyastar2d_ask, 1.0),
    "tcod": (tcod_ask, 1.0),
    "skimage": (skimage_ask, 0.1),
    "pathfinding": (pathfinding_ask, 0.03),
}
"""Makers of the peers, and the share of questions that each is asked.

Slow peers are asked fewer questions.
"""


def installed() -> list[str]:
    """Peers that can be imported here."""
    return [name for name in PEERS if _has(name)]
