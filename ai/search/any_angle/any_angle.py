"""Any-angle paths on uniform-cost grids: Theta*, Lazy Theta*, and post-smoothing.

Each takes a model of the grid, CENTRES (for bodies) or CORNERS (the source's);
:mod:`ai.search.any_angle.any_angle_sight` explains them. In the CORNERS model a vertex (y, x), 0..height and 0..width,
is the upper left corner of that tile. Source: "Game AI Pro 2", ch. 16.
"""

from __future__ import annotations

import numpy as np

from ai.search.any_angle import any_angle_kernels as kernels
from ai.search.any_angle import any_angle_sight as lines
from ai.search.any_angle.any_angle_sight import CENTRES, CORNERS
from ai.search.jps.uniform_ground import UniformGround

__all__ = ["CENTRES", "CORNERS", "ThetaStar", "sight", "smoothed"]


def _shape(ground: UniformGround, model: int) -> tuple[int, int]:
    """Return the rows and columns of vertices."""
    return ground.moves.shape[0] - 2 + model, ground.moves.shape[1] - 2 + model


def sight(ground: UniformGround, pairs: np.ndarray, model: int = CENTRES) -> np.ndarray:
    """Return which pairs of vertices have line of sight, bool[n].

    A row of ``pairs`` is (y0, x0, y1, x1).
    """
    rows = np.asarray(pairs, np.int64)  # narrowed after the range check: a value beyond int32 would wrap to a valid one
    height, width = _shape(ground, model)
    if rows.ndim != 2 or rows.shape[1] != 4:
        raise ValueError(f"pairs must be [n, 4], got {rows.shape}")
    if len(rows) and (rows.min() < 0 or np.any(rows >= [height, width, height, width])):
        raise ValueError(f"a pair lies outside {height} x {width} vertices")
    clear = np.zeros(len(rows), np.uint8)
    lines.sight_between(ground.ground, model, np.ascontiguousarray(rows + 1, np.int32), clear)
    return clear.astype(bool)


def smoothed(ground: UniformGround, path: np.ndarray, model: int = CENTRES) -> np.ndarray:
    """Remove vertices of a finished grid path int32[n, 2] by line of sight.

    ValueError for a path that is not [n, 2] or leaves the ``model``'s vertices.
    """
    return smoothed_and_scanned(ground, path, model)[0]


def smoothed_and_scanned(ground: UniformGround, path: np.ndarray, model: int = CENTRES) -> tuple[np.ndarray, int]:
    """Return :func:`smoothed` and the number of cells its lines of sight cross.

    ValueError for vertices outside.
    """
    rows = np.asarray(path, np.int64)  # narrowed after the range check: a value beyond int32 would wrap to a valid one
    shape = _shape(ground, model)
    if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) == 0:
        raise ValueError(f"a path must be [n, 2] with n > 0, got {rows.shape}")
    if rows.min() < 0 or np.any(rows >= shape):
        raise ValueError(f"a vertex of the path lies outside {shape[0]} x {shape[1]} vertices")
    vertices = np.ascontiguousarray(rows, np.int32)
    out = np.zeros_like(vertices)
    answer = np.zeros(lines.ANSWERS)
    count = lines.smooth(ground.ground, model, vertices, out, answer)
    return out[:count], int(answer[lines.SCANNED])


class ThetaStar:
    """Theta*, or Lazy Theta* when ``lazy``: paths at any angle.

    The paths are close to the visibility optimum, not exact. ``log`` int64[n, 3] with n > 0 records cell and g of each
    expanded node. The search stops when the log is full.
    """

    def __init__(self, ground: UniformGround, lazy: bool = False, model: int = CENTRES) -> None:
        k = kernels
        self.ground = ground
        self.lazy = lazy
        self.model = model
        self.over_limit = False
        self._shape = _shape(ground, model)
        self._corner_moves = np.zeros((self._shape[0] + 2, self._shape[1] + 2), np.uint8)
        self._corner_revision = -1
        self._context = np.zeros(k.CONTEXT_LENGTH, np.int64)
        self._context[k.ROWS], self._context[k.STRIDE] = self._shape[0] + 2, self._shape[1] + 2
        self._context[k.MODEL], self._context[k.LAZY] = model, lazy
        size = self._corner_moves.size
        # The kernel reads arrays by address, so they must live as long as the context.
        self._kept: dict[int, np.ndarray] = {}
        self._g = self._keep(k.G, np.zeros(size))
        self._parent = self._keep(k.PARENT, np.zeros(size, np.int32))
        self._status = self._keep(k.STATUS, np.zeros(size, np.int32))
        self._out = self._keep(k.OUT, np.zeros((size, 2), np.int32))
        self._answer = self._keep(k.ANSWER, np.zeros(lines.ANSWERS))
        self._keep(k.BLIND_TO, np.zeros((size, k.BLIND), np.int32))
        self._make_room(4096)
        self.log = np.zeros((0, 3), np.int64)
        self._follow()

    @property
    def log(self) -> np.ndarray:
        """Record of the expanded nodes."""
        return self._kept[kernels.LOG]

    @log.setter
    def log(self, rows: np.ndarray) -> None:
        self._context[kernels.LOGGED] = len(rows)
        self._keep(kernels.LOG, np.ascontiguousarray(rows, np.int64))

    @property
    def length(self) -> float:
        """Length of the last path found, in tiles."""
        return float(self._answer[lines.LENGTH])

    @property
    def revolutions(self) -> int:
        """Revolutions of the last search.

        One revolution is one expanded node, or 64 cells that lines of sight cross.
        """
        return int(self._answer[lines.REVOLUTIONS])

    @property
    def expanded(self) -> int:
        """Nodes the last search expanded."""
        return int(self._answer[lines.EXPANDED])

    @property
    def scanned(self) -> int:
        """Cells that lines of sight of the last search crossed."""
        return int(self._answer[lines.SCANNED])

    @property
    def sight_tests(self) -> int:
        """Lines of sight tested by the last search."""
        return int(self._answer[lines.SIGHT_TESTS])

    @property
    def status(self) -> np.ndarray:
        """Status OPEN, CLOSED or 0 of each vertex, uint8[rows, columns].

        It refers to the last search.
        """
        mine = self._status >> 2 == self._context[kernels.STAMP]
        rows, columns = self._shape
        return np.where(mine, self._status & 3, 0).astype(np.uint8).reshape(rows + 2, columns + 2)[1:-1, 1:-1]

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int = 1 << 60) -> np.ndarray | None:
        """Return the corners int32[n, 2] (y, x) of a path, or None.

        The start comes first. ValueError for tiles outside. The result is also None, with :attr:`over_limit`, when
        ``limit`` revolutions were not enough.
        """
        if self._corner_revision != self.ground.revision or self.ground.ground is not self._open:
            self._follow()
        self.over_limit = False
        try:
            count = int(kernels.theta_star(self._context, *start, *goal, limit))
        except (OverflowError, ValueError):
            # A coordinate that is not a number counts as outside.
            count = kernels.OUTSIDE
        if count >= 0:
            return self._out[:count].copy() if count else None
        if count in (kernels.OVER_LIMIT, kernels.STOPPED):
            self.over_limit = True
            return None
        if count == kernels.OUTSIDE:
            height, width = self._shape
            raise ValueError(f"start {start} or goal {goal} (y, x) is outside {height} x {width} vertices")
        if count == kernels.WORN_OUT:
            self._status.fill(0)
            self._context[kernels.STAMP] = 0
        else:
            self._make_room(4 * int(self._context[kernels.ROOM]))
        return self.find(start, goal, limit)

    def _keep(self, row: int, array: np.ndarray) -> np.ndarray:
        self._kept[row] = array
        self._context[row] = array.ctypes.data
        return array

    def _make_room(self, entries: int) -> None:
        self._context[kernels.ROOM] = entries
        self._keep(kernels.HEAP, np.zeros((entries, 2)))
        self._keep(kernels.HEAP_CELLS, np.zeros(entries, np.int32))

    def _follow(self) -> None:
        """Read the current arrays of the ground; restoring a saved ground creates new ones."""
        self._open, moves = self.ground.ground, self.ground.moves
        self._corner_revision = self.ground.revision
        if self.model == CORNERS:
            moves = self._corner_moves
            lines.corner_moves(self._open, moves)
        for row, array in ((kernels.GROUND, self._open), (kernels.MOVES, moves)):
            if not array.flags.c_contiguous:
                raise ValueError("the arrays of the ground must be C-contiguous")
            self._keep(row, array)


TECHNIQUES = (
    {
        "slug": "theta-star",
        "name": "Theta* and Lazy Theta*",
        "ids": ("GP2-16.4", "GP2-16.5"),
        "source": "Game AI Pro 2, ch. 16",
        "functions": ("ThetaStar.find",),
        "test": "tests/ai/search/any_angle/test_any_angle.py",
        "exhibit": "levels/exhibits/paths/any_angle.toml",
        "overlay": "any_angle",
        "setting": "paths.engine",
        "parts": ("GP2-16.2", "GP2-16.3"),
        "measure": "turned",
        "direction": "down",
        "claim": (
            "In the game between tile centres, which keeps a body off corners; between corners, as printed, in the "
            "library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
