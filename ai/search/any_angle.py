"""Any-angle paths on uniform ground: Theta*, Lazy Theta*, and A* with post-smoothing.

Each takes a model of the grid, CENTRES (for bodies) or CORNERS (the source's); what they mean stands in
:mod:`ai.search.any_angle_kernels`.  In the CORNERS model a vertex (y, x), 0..height and 0..width, is the upper left
corner of that tile.  Source: "Game AI Pro 2", ch. 16.
"""

from __future__ import annotations

import numpy as np

from ai.search import any_angle_kernels as kernels
from ai.search.any_angle_kernels import CENTRES, CORNERS
from ai.search.uniform import UniformGround

__all__ = ["CENTRES", "CORNERS", "ThetaStar", "sight", "smoothed"]


def _shape(ground: UniformGround, model: int) -> tuple[int, int]:
    """Rows and columns of vertices."""
    return ground.moves.shape[0] - 2 + model, ground.moves.shape[1] - 2 + model


def sight(ground: UniformGround, pairs: np.ndarray, model: int = CENTRES) -> np.ndarray:
    """Whether the vertices (y0, x0, y1, x1) of each row see each other, bool[n]."""
    rows = np.asarray(pairs, np.int64)  # narrowed once it lies on the map: what is beyond int32 would come back round
    height, width = _shape(ground, model)
    if rows.ndim != 2 or rows.shape[1] != 4:
        raise ValueError(f"pairs must be [n, 4], got {rows.shape}")
    if len(rows) and (rows.min() < 0 or np.any(rows >= [height, width, height, width])):
        raise ValueError(f"a pair lies outside {height} x {width} vertices")
    clear = np.zeros(len(rows), np.uint8)
    kernels.sight_between(ground.ground, model, np.ascontiguousarray(rows + 1, np.int32), clear)
    return clear.astype(bool)


def smoothed(ground: UniformGround, path: np.ndarray, model: int = CENTRES) -> np.ndarray:
    """A finished grid path int32[n, 2] with the vertices dropped that its corners see past."""
    vertices = np.ascontiguousarray(path, np.int32)
    if vertices.ndim != 2 or vertices.shape[1] != 2 or len(vertices) == 0:
        raise ValueError(f"a path must be [n, 2] with n > 0, got {vertices.shape}")
    out = np.zeros_like(vertices)
    return out[: kernels.smooth(ground.ground, model, vertices, out)]


class ThetaStar:
    """Theta*, or Lazy Theta* when ``lazy``: paths whose corners need not lie on the grid's eight directions.

    Near the visibility optimum, not exact.  ``length`` is of the last path found, in tiles.  ``log`` int64[n, 3] with
    n > 0 takes down cell and g of each node expanded; the search stops when it is full.
    """

    def __init__(self, ground: UniformGround, lazy: bool = False, model: int = CENTRES) -> None:
        self.ground = ground
        self.lazy = lazy
        self.model = model
        self._shape = _shape(ground, model)
        self._corner_moves = np.zeros((self._shape[0] + 2, self._shape[1] + 2), np.uint8)
        self._corner_revision = -1
        size = self._corner_moves.size
        self._g = np.zeros(size)
        self._parent = np.zeros(size, np.int32)
        self._status = np.zeros(size, np.uint8)
        self._heap = np.zeros((4096, 2))
        self._heap_cells = np.zeros(4096, np.int32)
        self._out = np.zeros((size, 2), np.int32)
        self._answer = np.zeros(4)
        self.log = np.zeros((0, 3), np.int64)

    @property
    def length(self) -> float:
        """Length of the last path found, in tiles."""
        return float(self._answer[kernels.LENGTH])

    @property
    def revolutions(self) -> int:
        """Nodes the last search expanded."""
        return int(self._answer[kernels.REVOLUTIONS])

    @property
    def sight_tests(self) -> int:
        """Lines the last search tested."""
        return int(self._answer[kernels.SIGHT_TESTS])

    def find(self, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
        """The corners int32[n, 2] (y, x) of a path, start first, or None.  ValueError for tiles outside."""
        height, width = self._shape
        for name, (y, x) in (("start", start), ("goal", goal)):
            if not (0 <= y < height and 0 <= x < width):
                raise ValueError(f"{name} (y={y}, x={x}) is outside {height} x {width} vertices")
        moves = self.ground.moves
        if self.model == CORNERS:
            moves = self._corner_moves
            if self._corner_revision != self.ground.revision:
                kernels.corner_moves(self.ground.ground, moves)
                self._corner_revision = self.ground.revision
        while True:
            count = kernels.theta_star(
                self.ground.ground,
                moves,
                self.model,
                self.lazy,
                self._g,
                self._parent,
                self._status,
                self._heap,
                self._heap_cells,
                self._out,
                self._answer,
                *start,
                *goal,
                self.log,
            )
            if count != kernels.NEED_ROOM:
                return self._out[:count][::-1].copy() if count > 0 else None
            self._heap = np.zeros((4 * len(self._heap), 2))
            self._heap_cells = np.zeros(len(self._heap), np.int32)
