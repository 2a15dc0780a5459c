"""Pen for drawing icons."""

from __future__ import annotations

import numpy as np

from game.view.painting.palette import RGB
from tools.art.drawing.canvas import Canvas

STROKE = 2.5
"""Line width of all icons, in pixels of a 36 px square."""


class Pen:
    """Pen that draws about the middle of a 36 px square.

    It has the ink, accent and ground colour of a scheme.
    """

    def __init__(self, size: int, ink: RGB, accent: RGB, ground: RGB) -> None:
        self.ink, self.accent, self.ground = ink, accent, ground
        self.canvas = Canvas(size, size, 4, size / 36)

    def stroke(
        self, points: list[tuple[float, float]] | np.ndarray, width: float = STROKE, colour: RGB | None = None
    ) -> None:
        """Draw a line through ``points``."""
        self.canvas.line(np.asarray(points, float) + 18, width, colour or self.ink)

    def area(self, points: list[tuple[float, float]] | np.ndarray, colour: RGB | None = None) -> None:
        """Draw a filled outline."""
        self.canvas.fill(np.asarray(points, float) + 18, colour or self.ink)

    def disc(self, x: float, y: float, radius: float, colour: RGB | None = None) -> None:
        """Draw a filled disc."""
        self.canvas.disc((x + 18, y + 18), radius, colour or self.ink)

    def arc(self, x: float, y: float, radius: float, width: float, colour: RGB, start: float, end: float) -> None:
        """Draw a part of a ring."""
        self.canvas.ring((x + 18, y + 18), radius, width, colour, start=start, end=end)

    def man(self, x: float, y: float, stance: str, colour: RGB) -> None:
        """Draw a small figure from the side."""
        if stance == "stand":
            self.disc(x, y - 10.5, 3.6, colour)
            self.stroke([(x, y - 4.6), (x, y + 3)], 6.5, colour)
            for side in (-1, 1):
                self.stroke([(x + 2 * side, y + 4), (x + 3.2 * side, y + 13)], 3.2, colour)
        elif stance == "crouch":
            self.disc(x + 3, y - 5, 3.6, colour)
            self.stroke([(x + 0.5, y), (x - 3, y + 6)], 6.2, colour)
            self.stroke([(x - 3, y + 7), (x + 5, y + 6), (x + 3.5, y + 13)], 3.2, colour)
            self.stroke([(x - 4, y + 7), (x - 6, y + 13), (x - 1, y + 13)], 3.2, colour)
        else:
            self.disc(x + 11, y + 6.5, 3.6, colour)
            self.stroke([(x + 5, y + 9.5), (x - 4, y + 10.5)], 5.8, colour)
            self.stroke([(x - 4, y + 10.8), (x - 13, y + 12)], 3.4, colour)
            self.stroke([(x + 6, y + 10), (x + 10, y + 13)], 3, colour)
