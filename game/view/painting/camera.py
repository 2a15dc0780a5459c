"""Camera: the part of the map that the window shows, at fixed zoom steps.

World positions are (x, y) in tiles. Screen positions are pixels from the top left corner of the window. The origin
lies on whole pixels, so that cached chunks join without seams and nothing shimmers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

ZOOM_STEPS = (4, 8, 12, 16, 24, 32, 48, 64)
"""Pixels a tile; each step has its own pre-scaled tiles."""


@dataclass
class Camera:
    """View of a tile map through a window.

    The map has ``map_width`` x ``map_height`` tiles, the window ``width`` x ``height`` pixels.
    """

    map_width: int
    map_height: int
    width: int = 1280
    height: int = 720
    x: float = 0.0
    y: float = 0.0
    step: int = ZOOM_STEPS.index(32)

    def __post_init__(self) -> None:
        self.clamp()

    @property
    def zoom(self) -> int:
        """Pixels a tile."""
        return ZOOM_STEPS[self.step]

    @property
    def origin(self) -> tuple[int, int]:
        """Offset of the window's corner from the map's corner in whole pixels."""
        zoom = ZOOM_STEPS[self.step]
        return math.floor(self.x * zoom - self.width / 2 + 0.5), math.floor(self.y * zoom - self.height / 2 + 0.5)

    def to_screen(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of a world position."""
        left, top = self.origin
        zoom = ZOOM_STEPS[self.step]
        return math.floor(x * zoom) - left, math.floor(y * zoom) - top

    def to_world(self, px: float, py: float) -> tuple[float, float]:
        """Return the world position in tiles of a pixel."""
        left, top = self.origin
        return (px + left) / self.zoom, (py + top) / self.zoom

    def tile_at(self, px: float, py: float) -> tuple[int, int] | None:
        """Return (row, column) of the tile under a pixel, or None off the map."""
        x, y = self.to_world(px, py)
        row, column = math.floor(y), math.floor(x)
        if 0 <= row < self.map_height and 0 <= column < self.map_width:
            return row, column
        return None

    def visible_tiles(self, skirt: int = 0) -> tuple[int, int, int, int]:
        """Return the visible rows and columns as ``y0, x0, y1, x1`` (end exclusive).

        They are grown by ``skirt`` tiles and clipped to the map.
        """
        left, top = self.origin
        z = self.zoom
        return (
            min(max(top // z - skirt, 0), self.map_height),
            min(max(left // z - skirt, 0), self.map_width),
            max(min(-((-top - self.height) // z) + skirt, self.map_height), 0),
            max(min(-((-left - self.width) // z) + skirt, self.map_width), 0),
        )

    def resize(self, width: int, height: int) -> None:
        """Set the size of the window in pixels."""
        self.width, self.height = width, height
        self.clamp()

    def centre_on(self, x: float, y: float) -> None:
        """Centre on a world position."""
        self.x, self.y = x, y
        self.clamp()

    def pan(self, dx: float, dy: float) -> None:
        """Move by pixels."""
        self.x += dx / self.zoom
        self.y += dy / self.zoom
        self.clamp()

    def zoom_by(self, steps: int, px: float, py: float) -> bool:
        """Zoom by whole steps; return True if the zoom changed.

        The world position under the pixel stays at that pixel.
        """
        wanted = min(max(self.step + steps, 0), len(ZOOM_STEPS) - 1)
        if wanted == self.step:
            return False
        x, y = self.to_world(px, py)
        self.step = wanted
        self.x = x + (self.width / 2 - px) / self.zoom
        self.y = y + (self.height / 2 - py) / self.zoom
        self.clamp()
        return True

    def set_zoom(self, pixels: int) -> None:
        """Select the zoom step nearest to ``pixels`` a tile."""
        self.step = min(range(len(ZOOM_STEPS)), key=lambda i: abs(ZOOM_STEPS[i] - pixels))
        self.clamp()

    def clamp(self) -> None:
        """Keep the window on the map; a map smaller than the window is centred."""
        self.x = _clamp_axis(self.x, self.width / self.zoom, self.map_width)
        self.y = _clamp_axis(self.y, self.height / self.zoom, self.map_height)


def _clamp_axis(centre: float, shown: float, size: int) -> float:
    if shown >= size:
        return size / 2
    return min(max(centre, shown / 2), size - shown / 2)


def edge_pan(mouse: tuple[int, int], inside: bool, size: tuple[int, int], border: int = 3) -> tuple[int, int]:
    """Return the direction to pan for a cursor at the window's border.

    It is (0, 0) when the cursor has left the window; otherwise x and y are -1, 0 or 1.
    """
    if not inside:
        return 0, 0
    x, y = mouse
    return (x >= size[0] - border) - (x < border), (y >= size[1] - border) - (y < border)
