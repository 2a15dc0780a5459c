"""Camera with its picture in the frame of an exhibit."""

from __future__ import annotations

import pygame

from game.view.painting.camera import ZOOM_STEPS, Camera


class FramedCamera(Camera):
    """Camera with its picture in a box of the window."""

    frame = pygame.Rect(0, 0, 1, 1)

    @classmethod
    def on(cls, map_width: int, map_height: int, frame: pygame.Rect, window: tuple[int, int]) -> FramedCamera:
        """Return a camera that shows the whole map in the frame."""
        camera = cls(map_width, map_height, *window)
        camera.fit(frame, window)
        return camera

    def fit(self, frame: pygame.Rect, window: tuple[int, int]) -> None:
        """Take another frame and show the whole map in it.

        A strip of one tile may be cut off.
        """
        self.frame = frame
        self.width, self.height = window
        fitting = [
            z
            for z in ZOOM_STEPS
            if (self.map_width - 1) * z <= frame.width and (self.map_height - 1) * z <= frame.height
        ]
        self.x, self.y = self.map_width / 2, self.map_height / 2
        self.set_zoom(fitting[-1] if fitting else ZOOM_STEPS[0])

    @property
    def origin(self) -> tuple[int, int]:
        """Offset of the window's corner from the map's corner, in pixels.

        The camera looks at the middle of the frame.
        """
        return round(self.x * self.zoom) - self.frame.centerx, round(self.y * self.zoom) - self.frame.centery

    def clamp(self) -> None:
        """Keep the frame on the map."""
        half_x, half_y = self.frame.width / 2 / self.zoom, self.frame.height / 2 / self.zoom
        for name, half, size in (("x", half_x, self.map_width), ("y", half_y, self.map_height)):
            middle = size / 2 if 2 * half >= size else min(max(getattr(self, name), half), size - half)
            setattr(self, name, middle)

    def visible_tiles(self, skirt: int = 0) -> tuple[int, int, int, int]:
        """Rows and columns inside the frame as ``y0, x0, y1, x1`` (end exclusive), grown by ``skirt``."""
        left, top = self.origin
        z, frame = self.zoom, self.frame
        return (
            min(max((top + frame.top) // z - skirt, 0), self.map_height),
            min(max((left + frame.left) // z - skirt, 0), self.map_width),
            max(min(-((-top - frame.bottom) // z) + skirt, self.map_height), 0),
            max(min(-((-left - frame.right) // z) + skirt, self.map_width), 0),
        )

    def zoom_by(self, steps: int, px: float, py: float) -> bool:
        """Zoom by whole steps; return whether the zoom changed.

        The world position under the pixel stays where it is.
        """
        wanted = min(max(self.step + steps, 0), len(ZOOM_STEPS) - 1)
        if wanted == self.step:
            return False
        x, y = self.to_world(px, py)
        self.step = wanted
        self.x = x + (self.frame.centerx - px) / self.zoom
        self.y = y + (self.frame.centery - py) / self.zoom
        self.clamp()
        return True
