"""Analysis server: registers tactical analyses, combines them by data and slices their updates.

Source: Ian Millington and John Funge, AI for Games, 6.2.1 (grids of different resolution), 6.2.5 (three update
categories; a server with weighted sums and one viewer for all). Maps are ``float64[H, W]``.

Category 1 is static and computed at load, and again where the map was edited. Category 2 changes slowly and is computed
some tiles a tick. Category 3 changes fast and is never computed as a whole: it is asked for single tiles. A combination
has the highest category of its parts. Its value is the weighted sum.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Map = NDArray[np.float64]
Tiles = NDArray[np.int32]
Judge = Callable[[Tiles], Map]
"""Values ``float64[n]`` of tiles ``int32[n, 2]`` of (y, x)."""

STATIC, SLOW, FAST = 1, 2, 3
TILES_A_TICK = 256


@dataclass
class Analysis:
    """Analysis plug-in: a name, a category, and the function of tiles.

    ``reach``: tiles around a map edit whose values it may change. ``block``: tiles a side of one cell.
    """

    name: str
    category: int
    judge: Judge
    reach: int = 0
    block: int = 1
    values: Map = field(default_factory=lambda: np.zeros((0, 0)))
    due: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 0), bool))
    evaluated: int = 0
    """Cells evaluated so far."""


def coarse(values: Map, block: int) -> Map:
    """Return the mean of each square block; blocks at the edge are smaller."""
    height, width = values.shape
    rows, columns = np.arange(0, height, block), np.arange(0, width, block)
    sums = np.add.reduceat(np.add.reduceat(values, rows, axis=0), columns, axis=1)
    tall, wide = np.diff(np.append(rows, height)), np.diff(np.append(columns, width))
    return np.asarray(sums / np.outer(tall, wide))


def fine(values: Map, block: int, shape: tuple[int, int]) -> Map:
    """Return a coarse map on the tiles of a map of ``shape``."""
    return np.asarray(np.repeat(np.repeat(values, block, axis=0), block, axis=1)[: shape[0], : shape[1]])


class AnalysisServer:
    """Analyses of a map of one shape, their combinations, and one budget."""

    def __init__(self, shape: tuple[int, int], tiles_a_tick: int = TILES_A_TICK) -> None:
        self.shape, self.tiles_a_tick = shape, tiles_a_tick
        self.analyses: dict[str, Analysis] = {}
        self.combinations: dict[str, dict[str, float]] = {}

    def add(self, analysis: Analysis) -> None:
        """Register an analysis; a static one is computed at once.

        ValueError for a name that is taken.
        """
        if analysis.name in self.analyses or analysis.name in self.combinations:
            raise ValueError(f"there is already an analysis {analysis.name!r}")
        if analysis.category not in (STATIC, SLOW, FAST):
            raise ValueError(f"{analysis.name}: category is 1 (static), 2 (slow) or 3 (fast), not {analysis.category}")
        cells = tuple(-(-n // analysis.block) for n in self.shape)
        analysis.values, analysis.due = np.zeros(cells), np.ones(cells, bool)
        self.analyses[analysis.name] = analysis
        if analysis.category == STATIC:
            self._evaluate(analysis, np.argwhere(analysis.due))

    def combine(self, name: str, weights: Mapping[str, float]) -> None:
        """Register a weighted sum. ValueError names the part that does not exist."""
        for part in weights:
            if part not in self.analyses and part not in self.combinations:
                raise ValueError(f"combination {name!r}: there is no analysis {part!r}; one of {', '.join(self.names)}")
        if name in self.analyses or name in self.combinations:
            raise ValueError(f"there is already an analysis {name!r}")
        self.combinations[name] = dict(weights)

    @property
    def names(self) -> Sequence[str]:
        """Return the names of all analyses and combinations."""
        return [*self.analyses, *self.combinations]

    def category(self, name: str) -> int:
        """Return the category of an analysis, or the highest of a combination's parts."""
        if name in self.analyses:
            return self.analyses[name].category
        return max(self.category(part) for part in self.combinations[name])

    def edited(self, y0: int, x0: int, y1: int, x1: int) -> None:
        """Mark the kept cells that an edit of a rectangle may change."""
        for a in self.analyses.values():
            if a.category == FAST:
                continue
            top, left = max(0, y0 - a.reach) // a.block, max(0, x0 - a.reach) // a.block
            bottom, right = -(-(y1 + a.reach) // a.block), -(-(x1 + a.reach) // a.block)
            a.due[top:bottom, left:right] = True

    def restart(self, name: str) -> None:
        """Mark all cells of a slow analysis as due again."""
        self.analyses[name].due[:] = True

    def step(self) -> int:
        """Evaluate due cells within the budget of a tick; return their number."""
        left = self.tiles_a_tick
        for a in self.analyses.values():
            if a.category == FAST or left <= 0:
                continue
            cells = np.argwhere(a.due)[:left]
            self._evaluate(a, cells)
            left -= len(cells)
        return self.tiles_a_tick - left

    def value(self, name: str, tiles: Tiles) -> Map:
        """Return the values of tiles; fast analyses are evaluated for just these."""
        if name in self.combinations:
            parts = [weight * self.value(part, tiles) for part, weight in self.combinations[name].items()]
            return np.asarray(np.sum(parts, axis=0))
        a = self._named(name)
        if a.category == FAST:
            a.evaluated += len(tiles)
            return a.judge(tiles)
        return np.asarray(a.values[tiles[:, 0] // a.block, tiles[:, 1] // a.block])

    def layer(self, name: str) -> Map:
        """Return a whole map for a viewer, ``float64[H, W]``; a fast analysis has none."""
        if self.category(name) == FAST:
            raise ValueError(f"{name} changes too fast for a map: ask for the tiles that matter")
        if name in self.combinations:
            return np.asarray(np.sum([w * self.layer(part) for part, w in self.combinations[name].items()], axis=0))
        a = self._named(name)
        return fine(a.values, a.block, self.shape)

    def _named(self, name: str) -> Analysis:
        if name not in self.analyses:
            raise ValueError(f"there is no analysis {name!r}; one of {', '.join(self.names)}")
        return self.analyses[name]

    def _evaluate(self, a: Analysis, cells: NDArray[np.int64]) -> None:
        if not len(cells):
            return
        middle = np.minimum(cells * a.block + a.block // 2, np.array(self.shape) - 1).astype(np.int32)
        a.values[cells[:, 0], cells[:, 1]] = a.judge(middle)
        a.due[cells[:, 0], cells[:, 1]] = False
        a.evaluated += len(cells)


TECHNIQUES = (
    {
        "slug": "analysis-server",
        "name": "Tactical analysis server",
        "ids": ("AFG6.2.1", "AFG6.2.11", "AFG6.2.14"),
        "source": "AI for Games, 6.2.1 and 6.2.5",
        "functions": ("AnalysisServer.step", "AnalysisServer.value", "coarse"),
        "test": "tests/ai/influence/test_analysis_server.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: the game keeps its influence in the pipeline, which has its own budget.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
