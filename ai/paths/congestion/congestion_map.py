"""Congestion map: density and mean velocity of crowds on a coarse grid.

Paths can then minimize time, not length. The map is a snapshot: it is written once every few ticks, and all readers use
it until the next one. Densities are bodies per square tile, velocities tiles/s, costs tiles of plain ground.

Source: Game AI Pro 2, chapter 17 ("Advanced Techniques for Robust, Efficient Crowds"): density and mean velocity on a
coarse grid (17.3), penalty for crossing or opposing a crowd (17.4, listing 17.1), smoothing that compares the cost of a
shortcut (17.5), and paths that change only after another was better for some time (17.9).
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.serialization import derived, record
from ai.core.thread_pool import ThreadPool, halves

CELL = 2
"""Tiles along a side of a cell."""

SHARED_ROWS = 128
"""Rows of cells per half from which two threads share the sums."""


@record
class CongestionMap:
    """``density`` and blended mean velocity ``vx, vy`` per cell, float64[rows, columns]."""

    density: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    vx: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    vy: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    tick: int = -1
    sums: np.ndarray = derived(lambda: np.zeros((2, 0, 0)))
    """float64[2, rows, columns]: scratch, zero between two calls."""
    pool: ThreadPool = derived(ThreadPool)

    @classmethod
    def blank(cls, height: int, width: int) -> CongestionMap:
        """Return an empty map for a level of this many tiles."""
        rows, columns = -(-height // CELL) + 1, -(-width // CELL) + 1
        return cls(np.zeros((rows, columns)), np.zeros((rows, columns)), np.zeros((rows, columns)))

    def publish(
        self,
        ids: np.ndarray,
        alive: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
        vx: np.ndarray,
        vy: np.ndarray,
        mass: np.ndarray,
        tick: int,
        blend: float = 0.5,
    ) -> None:
        """Write a new snapshot of the crowd.

        ``mass`` float64[n] is the number of bodies that each row counts for; ``blend`` is the share of the new
        velocity. Sums are made in order of id, so slots may be permuted. The sum of density times cell area equals the
        sum of masses.
        """
        if not 0.0 < blend <= 1.0:
            raise ValueError(f"blend must lie in (0, 1], not {blend}")
        if self.sums.shape[1:] != self.density.shape:
            self.sums = np.zeros((2, *self.density.shape))
        by_id = np.argsort(ids, kind="stable")
        grids = (self.density, self.vx, self.vy, self.sums[0], self.sums[1])
        parts = halves(len(self.density), SHARED_ROWS)
        calls = [(*rows, by_id, alive, x, y, vx, vy, mass, blend, *grids) for rows in parts]
        self.pool.share(splat, calls)
        self.tick = tick


@kernel(
    "void(int64, int64, int64[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64, float64[:,::1], float64[:,::1], float64[:,::1], float64[:,::1], float64[:,::1])",
)
def splat(
    top: int,
    bottom: int,
    by_id: np.ndarray,
    alive: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    vx: np.ndarray,
    vy: np.ndarray,
    mass: np.ndarray,
    blend: float,
    density: np.ndarray,
    mean_x: np.ndarray,
    mean_y: np.ndarray,
    sum_x: np.ndarray,
    sum_y: np.ndarray,
) -> None:
    """Distribute each body over the four cells around it and blend the mean velocity.

    Empty cells forget their velocity. The kernel serves the rows of cells ``top`` to ``bottom - 1``. ``sum_x`` and
    ``sum_y`` are 0 before and after.
    """
    rows, columns = density.shape
    density[top:bottom] = 0.0
    area = float(CELL * CELL)
    for k in range(by_id.size):
        i = by_id[k]
        if not alive[i]:
            continue
        gy = min(max(y[i] / CELL - 0.5, 0.0), rows - 1.001)
        cy = int(gy)
        if cy + 1 < top or cy >= bottom:
            continue
        gx = min(max(x[i] / CELL - 0.5, 0.0), columns - 1.001)
        cx = int(gx)
        fx = gx - cx
        fy = gy - cy
        for oy in range(max(0, top - cy), min(2, bottom - cy)):
            for ox in range(2):
                w = (fx if ox else 1.0 - fx) * (fy if oy else 1.0 - fy) * mass[i] / area
                density[cy + oy, cx + ox] += w
                sum_x[cy + oy, cx + ox] += w * vx[i]
                sum_y[cy + oy, cx + ox] += w * vy[i]
    for r in range(top, bottom):
        for c in range(columns):
            d = density[r, c]
            if d > 1e-9:
                mean_x[r, c] += blend * (sum_x[r, c] / d - mean_x[r, c])
                mean_y[r, c] += blend * (sum_y[r, c] / d - mean_y[r, c])
            elif mean_x[r, c] != 0.0 or mean_y[r, c] != 0.0:
                mean_x[r, c] += blend * (0.0 - mean_x[r, c])
                mean_y[r, c] += blend * (0.0 - mean_y[r, c])
            if d > 0.0:
                sum_x[r, c] = 0.0
                sum_y[r, c] = 0.0


@device
def penalty(ux: float, uy: float, density: float, ax: float, ay: float) -> float:
    """Return the penalty of listing 17.1 for moving through a crowd.

    It is zero in the crowd's direction, its density when crossing it or waiting in it, and twice that against it. (ax,
    ay) is the crowd's mean velocity; (ux, uy) is the wanted velocity, not 0.
    """
    t = (ux * ax + uy * ay) / (ux * ux + uy * uy)
    return 0.0 if t >= 1.0 else (1.0 - t) * density


def _none() -> np.ndarray:
    return np.zeros(0, np.int32)


@record
class Crowding:
    """State of paths under congestion maps, int32 per slot; it holds no settings.

    ``map`` is the crowd known to side 0, ``others`` that of further sides. ``better_since`` is the tick since which
    another path has been better, -1 for none. ``looked`` is the tick of the request that was already compared once.
    ``took`` is the tick of the request whose path was chosen because of a crowd.
    """

    map: CongestionMap
    others: dict[int, CongestionMap] = field(default_factory=dict)
    better_since: np.ndarray = field(default_factory=_none)
    looked: np.ndarray = field(default_factory=_none)
    took: np.ndarray = field(default_factory=_none)
    switches: int = 0
    scratch: Any = derived(lambda: None)

    def of(self, side: int) -> CongestionMap:
        """Return the map of a side; blank if it has none yet."""
        if side == 0:
            return self.map
        if side not in self.others:
            self.others[side] = CongestionMap(*np.zeros((3, *self.map.density.shape)))
        return self.others[side]

    def reserve(self, slots: int) -> None:
        """Grow to at least ``slots`` slots."""
        for name in ("better_since", "looked", "took"):
            have = getattr(self, name)
            if len(have) < slots:
                setattr(self, name, np.concatenate([have, np.full(slots - len(have), -1, np.int32)]))

    def decides(
        self, slots: np.ndarray, now_cost: np.ndarray, new_cost: np.ndarray, tick: int, margin: float, hold: int
    ) -> np.ndarray:
        """Return bool[n]: the units among ``slots`` that change their path.

        The other path, of cost ``new_cost`` float64[n], must be better by ``margin`` (a share) for ``hold`` ticks in a
        row.
        """
        better = new_cost < (1.0 - margin) * now_cost
        since = np.where(better & (self.better_since[slots] < 0), tick, self.better_since[slots])
        changes = better & (tick - since >= hold)
        self.better_since[slots] = np.where(better & ~changes, since, -1)
        self.switches += int(changes.sum())
        return changes


TECHNIQUES = (
    {
        "slug": "congestion",
        "name": "Paths that avoid crowds",
        "ids": ("GP2-17.1", "GP2-17.2", "GP2-17.3", "GP2-17.6"),
        "source": "Game AI Pro 2, ch. 17",
        "functions": ("splat", "penalty", "Crowding.decides"),
        "test": "tests/ai/paths/congestion/test_congestion_map.py",
        "exhibit": "levels/exhibits/paths/two_gates.toml",
        "overlay": "congestion",
        "setting": "crowding.on",
        "measure": "on_the_way",
        "direction": "down",
        "claim": "Costs as listed; margin and time before a change are the same for all units, not drawn for each.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
