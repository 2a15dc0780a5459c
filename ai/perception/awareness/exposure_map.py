"""Exposure map: the number of watchers that would see a unit, per tile.

There are counts of a side's watchers for standing, crouching and lying units.

Source: Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, ch. 34 (34.2: a map of visible cells over
ground with heights, computed a few rays at a time, published whole). The source fans rays to the rim and fills the
gaps. Here the code of the watchers' eyes tests each tile, so there are no gaps, and the map equals what the watchers
will find: range, angle, light, ground, walls, and low walls that hide crouching units.

The work is sliced by rows of tiles. Readers only ever see the last complete map. Watchers are frozen when a round
begins, and the map is complete again after a fixed number of slices.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record
from ai.perception.awareness.vision import STANCES, Vision
from ai.perception.awareness.vision_shapes import extent
from ai.perception.settings import SHAPES

WALKING = 0.375
"""Speed of the target, as a share of running speed."""


@record
class ExposureMap:
    """Counts of watchers by tile, ``front: uint8[3, H, W]``.

    The layers are for a standing, crouching and lying target (255 at most). Created by :func:`exposure_map`.
    """

    front: NDArray[np.uint8]
    back: NDArray[np.uint8]
    rounds: int = 0
    """Complete maps published so far."""
    row: int = 0
    """Next row of the current round, counted through all watchers; 0 when idle."""
    rows: int = 0
    watchers: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 6)))
    """Watchers of the current round: x, y, head, reach, half angle, alertness."""
    stretch: float = 1.0
    """Extent of the sight shape, as a multiple of the reach."""

    def update(
        self,
        eyes: Vision,
        opaque: NDArray[np.uint8],
        cover: NDArray[np.uint8],
        watchers: NDArray[np.float64],
        budget: int,
        light: NDArray[np.uint8] | None = None,
        low: NDArray[np.uint8] | None = None,
    ) -> bool:
        """Process at most ``budget`` rows of tiles; return whether a map was published.

        ``watchers: float64[n, 6]`` of x, y in tiles, gaze in radians, reach in tiles, half angle, alertness (0..2) are
        read when a round begins. Watchers off the map are left out. Raises ValueError for other shapes.
        """
        if opaque.shape != self.front.shape[1:]:
            raise ValueError(f"the map must be {self.front.shape[1:]}, got {opaque.shape}")
        if watchers.ndim != 2 or watchers.shape[1] != 6:
            raise ValueError(f"watchers must be float64[n, 6], got {watchers.shape}")
        height, width = opaque.shape
        if self.row == 0:
            x, y = watchers[:, 0], watchers[:, 1]
            on_map = (y >= 0) & (x >= 0) & (y < height) & (x < width) & (watchers[:, 3] >= 0)
            self.watchers = np.array(watchers[on_map], np.float64)
            self.stretch = float(extent(float(SHAPES.index(eyes.settings.shape))))
            self.rows = sum(b - a for a, b in map(self._span, self.watchers))
            self.back[:] = 0
        last = min(self.rows, self.row + budget)
        begin = 0
        for watcher in self.watchers:
            top, bottom = self._span(watcher)
            y0, y1 = max(top, top + self.row - begin), min(bottom, top + last - begin)
            begin += bottom - top
            if y0 < y1:
                self._add(eyes, opaque, cover, watcher, y0, y1, light, low)
        self.row = last
        if self.row < self.rows:
            return False
        self.front, self.back = self.back, self.front
        self.row = 0
        self.rounds += 1
        return True

    def _span(self, watcher: NDArray[np.float64]) -> tuple[int, int]:
        """Return the first and last row (half-open) that a watcher may see."""
        far = float(watcher[3]) * self.stretch
        return max(0, int(watcher[1] - far)), min(self.front.shape[1], int(watcher[1] + far) + 1)

    def _add(
        self,
        eyes: Vision,
        opaque: NDArray[np.uint8],
        cover: NDArray[np.uint8],
        watcher: NDArray[np.float64],
        y0: int,
        y1: int,
        light: NDArray[np.uint8] | None,
        low: NDArray[np.uint8] | None,
    ) -> None:
        x, y, head, reach, half_angle, alert = watcher.tolist()
        top, left, seconds = eyes.seconds_by_stance(
            opaque, cover, x, y, head, reach, half_angle, moving=WALKING, alert=int(alert), light=light, low=low,
            rows=(y0, y1),
        )  # fmt: skip
        part = self.back[:, top : top + seconds.shape[1], left : left + seconds.shape[2]]
        part += np.isfinite(seconds) & (part < 255)

    def exposed(self, stance: int = 0) -> NDArray[np.bool_]:
        """Return the tiles on which a unit would be seen, ``bool[H, W]``.

        The unit has a given stance; at least one watcher must see it.
        """
        return self.front[stance] > 0


def exposure_map(height: int, width: int) -> ExposureMap:
    """Return an empty map; raises ValueError when it has no tile."""
    if height < 1 or width < 1:
        raise ValueError(f"an exposure map needs tiles, got {height}x{width}")
    return ExposureMap(np.zeros((STANCES, height, width), np.uint8), np.zeros((STANCES, height, width), np.uint8))


TECHNIQUES = (
    {
        "slug": "exposure-map",
        "name": "Exposure map with a published snapshot",
        "ids": ("GP2-34.2",),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("ExposureMap.update",),
        "test": "tests/ai/perception/awareness/test_exposure_map.py",
        "exhibit": "levels/exhibits/stealth/past_the_eyes.toml",
        "overlay": "exposure",
        "setting": "rules.sneak_weight",
        "reason": "The exhibit is that of another technique.",
        "claim": "Each tile is tested by the code of the eyes, where the source fans rays; light and stance count too.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
