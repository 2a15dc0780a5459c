"""Exposure map: how many of a side's observers would see a unit on each tile, standing or crouching.

Source: Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, ch. 34 (34.2: a visibility bitmap over cells
with heights, computed a few rays at a time, published whole).  The source fans rays to the rim and patches the gaps;
here each tile gets its own exact line, by the one rule of sight, so there are no gaps and flat ground agrees with the
fog and the guards tile for tile.

Heights count in half metres: ground 0, a low wall 2, a full wall 255; eyes of a standing observer 3.  On the way from
the eye to the top of the target the line must not pass below the height of a tile it crosses; a tile as high as the
line does not block.  Behind a low wall a crouching target is hidden up to where similar triangles bring it back.

The work is sliced by rows of tiles.  Readers only ever see the last complete map; observers are frozen when a round
begins, and the map is complete again after so many slices.
"""

from __future__ import annotations

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.kernels import device, kernel
from ai.sight.line import octant_device, to_real_device, to_virtual_device
from ai.state import record

GROUND, LOW_WALL, FULL_WALL = 0, 2, 255
STANDING, CROUCHING = 3, 1
"""Heights of eyes and of targets' tops, in half metres."""


@device
def clear_over(heights, y0, x0, eye, y1, x1, top):  # type: ignore[no-untyped-def]
    """Whether the line from ``eye`` above one tile to ``top`` above another passes over all tiles between.

    The walk of ``ai.sight.line.clear_between``; the two end tiles are not asked.
    """
    dx = int(x1) - int(x0)
    dy = int(y1) - int(y0)
    code = octant_device(dx, dy)
    major, minor = to_virtual_device(code, dx, dy)
    ahead_x, ahead_y = to_real_device(code, 1, 0)
    side_x, side_y = to_real_device(code, 0, 1)
    y = int(y0)
    x = int(x0)
    remainder = major
    leans_low = False
    leans_high = False
    for i in range(1, major):
        y += ahead_y
        x += ahead_x
        remainder += 2 * minor
        if remainder >= 2 * major:
            remainder -= 2 * major
            y += side_y
            x += side_x
        # The height of the line here, times major, to stay in integers.
        line = eye * (major - i) + top * i
        if remainder != 0:
            if heights[y, x] * major > line:
                return False
        else:
            leans_low |= heights[y, x] * major > line
            leans_high |= heights[y - side_y, x - side_x] * major > line
            if leans_low and leans_high:
                return False
    return True


@record
class ExposureMap:
    """Counts of observers by tile, ``front: uint8[2, H, W]`` for a standing and a crouching target (255 at most).

    Made by :func:`exposure_map`.
    """

    front: NDArray[np.uint8]
    back: NDArray[np.uint8]
    rounds: int = 0
    """Complete maps published so far."""
    row: int = 0
    """Next row of the round in work, counted through all observers; 0 when none is in work."""
    rows: int = 0
    observers: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 4), np.int32))
    """Of the round in work: y, x, radius, eye height."""

    def update(self, heights: NDArray[np.uint8], observers: NDArray[np.int32], budget: int) -> bool:
        """Do at most ``budget`` rows of tiles; returns whether a new map was published.

        ``observers: int32[n, 4]`` of tile y, x, radius in tiles and eye height are read when a round begins; those off
        the map are left out.  ``heights: uint8[H, W]``.  Raises ValueError for other shapes.
        """
        if heights.shape != self.front.shape[1:] or heights.dtype != np.uint8:
            raise ValueError(f"heights must be uint8{self.front.shape[1:]}, got {heights.dtype}{heights.shape}")
        if observers.ndim != 2 or observers.shape[1] != 4:
            raise ValueError(f"observers must be int32[n, 4], got {observers.shape}")
        if self.row == 0:
            height, width = heights.shape
            y, x = observers[:, 0], observers[:, 1]
            on_map = (y >= 0) & (x >= 0) & (y < height) & (x < width) & (observers[:, 2] >= 0)
            self.observers = np.array(observers[on_map], np.int32)
            self.rows = int((2 * self.observers[:, 2].astype(np.int64) + 1).sum())
            self.back[:] = 0
        last = min(self.rows, self.row + budget)
        expose(heights, self.observers, self.row, last, self.back)
        self.row = last
        if self.row < self.rows:
            return False
        self.front, self.back = self.back, self.front
        self.row = 0
        self.rounds += 1
        return True

    def exposed(self, crouching: bool = False) -> NDArray[np.bool_]:
        """Tiles that at least one observer sees, ``bool[H, W]``."""
        return self.front[int(crouching)] > 0


def exposure_map(height: int, width: int) -> ExposureMap:
    """An empty map.  Raises ValueError when it has no tile."""
    if height < 1 or width < 1:
        raise ValueError(f"an exposure map needs tiles, got {height}x{width}")
    return ExposureMap(np.zeros((2, height, width), np.uint8), np.zeros((2, height, width), np.uint8))


def heights_of(opaque: NDArray[np.uint8], low: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
    """Heights from ``opaque: uint8[H, W]`` (full walls) and ``low`` (not 0: low walls)."""
    heights = np.zeros(opaque.shape, np.uint8)
    if low is not None:
        heights[low != 0] = LOW_WALL
    heights[opaque != 0] = FULL_WALL
    return heights


@kernel("void(uint8[:,::1], int32[:,::1], int64, int64, uint8[:,:,::1])", group="lab")
def expose(heights, observers, first, last, counts):  # type: ignore[no-untyped-def]
    """Add to ``counts`` what the rows ``first..last`` of all observers' circles see."""
    height, width = heights.shape
    begin = 0
    for k in range(len(observers)):
        y0, x0, radius, eye = observers[k]
        end = begin + 2 * radius + 1
        for row in range(max(first, begin), min(last, end)):
            dy = row - begin - radius
            y = y0 + dy
            if y < 0 or y >= height:
                continue
            half = int(np.sqrt(radius * radius - dy * dy))
            for x in range(max(0, x0 - half), min(width, x0 + half + 1)):
                # Whoever sees a crouching target sees it standing too.
                crouching = clear_over(heights, y0, x0, eye, y, x, CROUCHING)
                if crouching or clear_over(heights, y0, x0, eye, y, x, STANDING):
                    if counts[0, y, x] < 255:
                        counts[0, y, x] += 1
                    if crouching and counts[1, y, x] < 255:
                        counts[1, y, x] += 1
        begin = end
