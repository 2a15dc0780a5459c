"""String pulling of many paths: straight lines of no higher cost replace tiles.

Source: "AI Game Programming Wisdom", 3.3 (path pruning).
"""

from __future__ import annotations

import numpy as np

from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain
from ai.search.smoothing.path_smoother import PathSmoother, Pieces
from ai.search.smoothing.straight_walk_kernels import pull_strings

SHARED_TILES = 2048
"""Total tiles of pieces from which two threads share the smoothing."""


class StringPulling:
    """Keeps the corners that remain when a string along the tiles is pulled tight."""

    def smooth(
        self, terrain: Terrain, movement_class: np.ndarray, pieces: Pieces, radius: float, reach: int, pool: ThreadPool
    ) -> tuple[Pieces, int]:
        """Write ``keep``; two threads share the work."""
        total, count = len(pieces.tiles), len(movement_class)
        along, offsets = np.empty(total), pieces.offsets
        parts = [(0, count)]
        if total >= SHARED_TILES:
            # Equal numbers of tiles on either side.
            middle = int(np.searchsorted(offsets, total // 2))
            parts = [(0, middle), (middle, count)]
        ground, body = (terrain.passable, terrain.cost), (radius, reach, along, pieces.keep)
        calls = [(*ground, pieces.tiles, offsets[i : j + 1], movement_class[i:j], *body) for i, j in parts]
        return pieces, sum(pool.share(pull_strings, calls))


SMOOTHER: PathSmoother = StringPulling()
