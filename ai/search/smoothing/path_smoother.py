"""Path smoothers: from the tiles of finished paths to waypoints.

A smoother is a module of this folder that defines ``SMOOTHER``. Its name is the name of the module, and a value of the
setting ``paths.smoother``. The modules are found by their text, so that settings can be read before numba is imported.

Source: "AI Game Programming Wisdom", 3.3 (post-processing of paths).
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from ai.core.register import implementations
from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Pieces:
    """Pieces of paths, one after another.

    Piece p has the rows ``offsets[p]`` to ``offsets[p + 1] - 1``. ``tiles`` int32[n, 2] (y, x). ``stages`` uint8[n]
    are codes of the caller. ``keep`` uint8[n] is 1 for the rows that become waypoints, the ends of each piece among
    them. ``points`` float64[n, 2] (x, y) are places inside the tiles; with no rows, all are tile centres.
    """

    tiles: np.ndarray
    offsets: np.ndarray
    stages: np.ndarray
    keep: np.ndarray
    points: np.ndarray


class PathSmoother(Protocol):
    """Selects or places the waypoints of finished paths."""

    def smooth(
        self, terrain: Terrain, movement_class: np.ndarray, pieces: Pieces, radius: float, reach: int, pool: ThreadPool
    ) -> tuple[Pieces, int]:
        """Return smoothed pieces, and the tiles that the tested lines cross.

        ``movement_class`` uint8[pieces]; bodies have ``radius`` tiles; a line spans at most ``reach`` steps. Pieces
        that come with points keep their rows, as they are smoothed already; only ``keep`` is written.
        """


@functools.cache
def smoother_of(name: str) -> PathSmoother:
    """Return the smoother of a name; ValueError for an unknown one."""
    names = implementations(FOLDER, "SMOOTHER")
    if name not in names:
        raise ValueError(f"there is no path smoother {name!r}; one of {', '.join(names)}")
    found: PathSmoother = importlib.import_module(f"{__package__}.{name}").SMOOTHER
    return found
