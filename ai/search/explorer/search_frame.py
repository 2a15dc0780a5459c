"""Visible state of a search after some steps, and its question."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.grid.moves import COST_UNIT, DIAGONAL, STRAIGHT
from ai.grid.terrain import Terrain

UNTOUCHED, OPEN, CLOSED = 0, 1, 2

SQRT2 = DIAGONAL / STRAIGHT


@dataclass(frozen=True)
class Question:
    """A search request to explore; tiles are (y, x).

    Only the textbook A* reads ``weight``, ``ties``, ``estimate`` and ``relative``. They are the weight of the estimate,
    the order of nodes with equal f, the kind of estimate, and the step cost. With ``relative`` a step costs by the
    change of height instead of by the ground; the ground's cost is its height.
    """

    algorithm: str
    start: tuple[int, int]
    goal: tuple[int, int]
    movement_class: int = 0
    weight: float = 1.0
    ties: str = "near"
    estimate: str = "octile"
    relative: bool = False
    cluster: int = 10
    """Side of a cluster of HPA* (single path and batch), tiles."""


@dataclass(frozen=True)
class SearchFrame:
    """State of a search after ``step`` expanded nodes.

    ``status`` uint8[H, W] is UNTOUCHED, OPEN or CLOSED. ``g``, ``h`` float64[H, W] are tiles of ordinary ground (g is
    infinite where no path leads yet). ``parent`` int32[H, W] is a flat tile index or -1. ``current`` was expanded last.
    ``path`` int32[n, 2] (y, x) leads from the start to it, or to the goal once ``found``; between two of its rows the
    path is straight. ``looked`` counts other examined things, in the unit ``looked_unit``.
    """

    step: int
    status: np.ndarray
    g: np.ndarray
    h: np.ndarray
    parent: np.ndarray
    current: tuple[int, int] | None
    path: np.ndarray
    cost: float
    ended: bool
    found: bool
    looked: int
    looked_unit: str
    weight: float = 1.0

    @property
    def f(self) -> np.ndarray:
        """Key of the open list, float64[H, W]."""
        return self.g + self.weight * self.h if np.isfinite(self.weight) else self.h

    @property
    def open_size(self) -> int:
        """Nodes on the open list."""
        return int(np.count_nonzero(self.status == OPEN))

    @property
    def closed_size(self) -> int:
        """Nodes on the closed list."""
        return int(np.count_nonzero(self.status == CLOSED))

    @property
    def length(self) -> float:
        """Length of the path, tiles."""
        steps = np.diff(self.path.astype(np.float64), axis=0)
        return float(np.hypot(steps[:, 0], steps[:, 1]).sum())

    def same(self, other: SearchFrame) -> bool:
        """Return whether two frames agree in every bit."""
        arrays = all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ("status", "g", "h", "parent", "path")
        )
        names = ("step", "current", "cost", "ended", "found", "looked")
        return arrays and all(getattr(self, name) == getattr(other, name) for name in names)


def octile_map(height: int, width: int, goal: tuple[int, int], unit: float = 1.0) -> np.ndarray:
    """Return octile distances to a tile, float64[height, width], times ``unit``."""
    dy = np.abs(np.arange(height) - goal[0])[:, None]
    dx = np.abs(np.arange(width) - goal[1])[None]
    return (np.maximum(dy, dx) + (SQRT2 - 1) * np.minimum(dy, dx)) * unit


def follow_parents(parent: np.ndarray, end: tuple[int, int]) -> np.ndarray:
    """Return the chain ``int32[n, 2]`` of (y, x) that leads to ``end``, root first."""
    width = parent.shape[1]
    at = end[0] * width + end[1]
    flat = parent.reshape(-1)
    rows = [at]
    while flat[at] >= 0 and flat[at] != at:
        at = int(flat[at])
        rows.append(at)
    rows.reverse()
    tiles = np.array(rows, np.int32)
    return np.stack([tiles // width, tiles % width], axis=1).astype(np.int32)


def cost_of_path(terrain: Terrain, path: np.ndarray) -> float:
    """Return the cost of neighbouring tiles int[n, 2], in tiles of ordinary ground."""
    cost = terrain.cost[path[:, 0], path[:, 1]].astype(np.int64)
    steps = np.abs(np.diff(path, axis=0)).sum(axis=1)
    units = np.where(steps == 2, DIAGONAL, STRAIGHT)
    return float(((cost[1:] + cost[:-1]) * units).sum() / COST_UNIT)
