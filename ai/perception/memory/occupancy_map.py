"""Occupancy map: probability of a lost target on each tile.

Source: Damian Isla's occupancy maps as described in "IA on AI" (probability one where the target was last seen,
diffusion at its speed, zero on observed tiles). The choice of goals for several searchers is our addition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import kernel
from ai.core.serialization import record
from ai.grid.moves import MOVE_X, MOVE_Y


@record
class OccupancyMap:
    """Probability of the target by tile, ``chance: float64[H, W]``.

    It is zero outside the half-open ``box`` and sums to 1.
    """

    target: int
    movement_class: int
    period: int
    """Ticks per diffusion step: the time the target needs for one tile."""
    chance: NDArray[np.float64]
    box: tuple[int, int, int, int]
    next_step: int
    stay: float = 0.2
    """Share of a tile's probability that stays in a step.

    The rest goes to the tiles one legal move away.
    """

    def __pack__(self) -> dict[str, Any]:
        y0, x0, y1, x1 = self.box
        return {
            "shape": tuple(int(n) for n in self.chance.shape),
            "part": self.chance[y0:y1, x0:x1],
            "fields": (self.target, self.movement_class, self.period, self.box, self.next_step, self.stay),
        }

    @classmethod
    def __unpack__(cls, tree: dict[str, Any]) -> OccupancyMap:
        target, movement_class, period, box, next_step, stay = tree["fields"]
        chance = np.zeros(tuple(tree["shape"]), np.float64)
        y0, x0, y1, x1 = box
        chance[y0:y1, x0:x1] = tree["part"]
        return cls(target, movement_class, period, chance, tuple(box), next_step, stay)

    def reset(self, y: int, x: int, tick: int) -> None:
        """Restart at a tile where the target is seen now.

        Raises ValueError off the map.
        """
        height, width = self.chance.shape
        if not (0 <= y < height and 0 <= x < width):
            raise ValueError(f"tile ({y}, {x}) is off the {height}x{width} map")
        self._clear()
        self.chance[y, x] = 1.0
        self.box = (y, x, y + 1, x + 1)
        self.next_step = tick + self.period

    def update(self, tick: int, passable: NDArray[np.uint8], visible: NDArray[np.uint8] | NDArray[np.bool_]) -> bool:
        """Advance by one tick.

        Diffuse when a step is due, clear the tiles that a searcher sees, and normalise to one. ``visible: [H, W]`` is
        not 0 where the target would be seen. Returns False, and leaves all zero, when no tile is left: the target broke
        the assumptions.
        """
        height, width = self.chance.shape
        if tick >= self.next_step:
            y0, x0, y1, x1 = self.box
            y0, x0, y1, x1 = max(0, y0 - 1), max(0, x0 - 1), min(height, y1 + 1), min(width, x1 + 1)
            fresh = np.zeros((y1 - y0, x1 - x0), np.float64)
            diffuse(passable, 1 << self.movement_class, self.chance, self.stay, y0, x0, fresh)
            self.chance[y0:y1, x0:x1] = fresh
            self.box = (y0, x0, y1, x1)
            self.next_step = tick + self.period
        y0, x0, y1, x1 = self.box
        part = self.chance[y0:y1, x0:x1]
        part[visible[y0:y1, x0:x1] != 0] = 0.0
        total = float(part.sum())
        if total <= 0:
            part[:] = 0.0
            return False
        part /= total
        return True

    def spread_over(self, possible: NDArray[np.integer], tick: int) -> None:
        """Restart with equal probability wherever ``possible: [H, W]`` is not 0."""
        rows, columns = np.nonzero(possible)
        self._clear()
        if len(rows):
            self.chance[rows, columns] = 1.0 / len(rows)
            self.box = (int(rows.min()), int(columns.min()), int(rows.max()) + 1, int(columns.max()) + 1)
        self.next_step = tick + self.period

    def _clear(self) -> None:
        y0, x0, y1, x1 = self.box
        self.chance[y0:y1, x0:x1] = 0.0

    def mass_near(self, x: float, y: float, radius: float) -> float:
        """Return the probability within ``radius`` tiles of a position."""
        height, width = self.chance.shape
        y0, y1 = max(0, int(y - radius)), min(height, int(y + radius) + 1)
        x0, x1 = max(0, int(x - radius)), min(width, int(x + radius) + 1)
        if y0 >= y1 or x0 >= x1:
            return 0.0
        dy, dx = np.arange(y0, y1)[:, None] + 0.5 - y, np.arange(x0, x1)[None, :] + 0.5 - x
        return float(self.chance[y0:y1, x0:x1][dy * dy + dx * dx <= radius * radius].sum())

    def goals(
        self, searchers: NDArray[np.float64], spread: float = 6.0, half_distance: float = 20.0
    ) -> list[tuple[int, int] | None]:
        """Return a tile (y, x) to look at for each searcher.

        Searchers are ``float64[n, 2]`` of (y, x), in order. Each takes the tile of the highest probability, halved
        every ``half_distance`` tiles of straight distance. Tiles within ``spread`` tiles of an earlier goal count zero.
        None when nothing is left. Ties go to the first in reading order.
        """
        y0, x0, y1, x1 = self.box
        left = self.chance[y0:y1, x0:x1].copy()
        ys, xs = np.arange(y0, y1)[:, None] + 0.5, np.arange(x0, x1)[None, :] + 0.5
        found: list[tuple[int, int] | None] = []
        for sy, sx in searchers:
            worth = left * 0.5 ** (np.hypot(ys - sy, xs - sx) / half_distance)
            best = int(np.argmax(worth)) if worth.size else 0
            if not worth.size or worth.flat[best] <= 0:
                found.append(None)
                continue
            y, x = (int(n) for n in np.unravel_index(best, worth.shape))
            found.append((y0 + y, x0 + x))
            left[np.hypot(ys - ys[y], xs - xs[:, x]) <= spread] = 0.0
        return found


def occupancy_map(
    height: int, width: int, target: int, y: int, x: int, tick: int, period: int, movement_class: int = 0,
    old: OccupancyMap | None = None,
) -> OccupancyMap:  # fmt: skip
    """Return a map for a target last seen at ``(y, x)``.

    ``old``: an unused map of the same size, whose array is reused. Raises ValueError off the map or for a period below
    one tick.
    """
    if period < 1:
        raise ValueError(f"a movement period is at least one tick, got {period}")
    if old is not None and old.chance.shape == (height, width):
        old._clear()
    chance = old.chance if old is not None and old.chance.shape == (height, width) else np.zeros((height, width))
    made = OccupancyMap(target, movement_class, period, chance, (0, 0, 0, 0), tick)
    made.reset(y, x, tick)
    return made


@kernel("void(uint8[:,::1], int64, float64[:,::1], float64, int64, int64, float64[:,::1])")
def diffuse(passable, bit, chance, stay, y0, x0, out):  # type: ignore[no-untyped-def]
    """Do one step of a random walk into the window ``out`` at (y0, x0).

    Probability moves and is never created or lost.
    """
    height, width = chance.shape
    for y in range(y0, y0 + out.shape[0]):
        for x in range(x0, x0 + out.shape[1]):
            p = chance[y, x]
            if p == 0.0:
                continue
            legal = 0
            exits = 0
            for k in range(8):
                ny = y + MOVE_Y[k]
                nx = x + MOVE_X[k]
                if ny < 0 or nx < 0 or ny >= height or nx >= width or passable[ny, nx] & bit == 0:
                    continue
                if k < 4 or (passable[ny, x] & bit != 0 and passable[y, nx] & bit != 0):
                    legal |= 1 << k
                    exits += 1
            if exits == 0:
                out[y - y0, x - x0] += p
                continue
            out[y - y0, x - x0] += p * stay
            share = p * (1.0 - stay) / exits
            for k in range(8):
                if legal >> k & 1:
                    out[y + MOVE_Y[k] - y0, x + MOVE_X[k] - x0] += share


TECHNIQUES = (
    {
        "slug": "occupancy-map",
        "name": "Occupancy map",
        "ids": ("IA.30",),
        "source": "IA on AI: Fritz Heckel's Reactive Teaming",
        "functions": ("OccupancyMap.update", "diffuse"),
        "test": "tests/ai/perception/memory/test_occupancy_map.py",
        "exhibit": "levels/exhibits/senses/fork.chances.toml",
        "overlay": "chances",
        "setting": "minds.chances",
        "measure": "aim",
        "direction": "down",
        "claim": "As told for one searcher; several are kept apart by claims on spots, a rule of ours.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
