"""Prop record and the drawing of a box.

Lengths are in px at 32 px a tile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from game.view.painting.outlines import box
from game.view.painting.palette import RGB, mix, palette, scaled
from tools.art.drawing.canvas import Canvas

INK = palette()["ink"]
PLANK = palette()["plank"]
STONE = mix(palette().grounds["stone"], palette()["paper"], 0.30)


@dataclass(frozen=True)
class Prop:
    """Prop: size of the picture, length of its shadow, and its drawing function.

    The function draws about the middle of the picture.
    """

    width: int
    height: int
    shadow: float
    draw: Callable[[Canvas], None]


def slab(c: Canvas, x: float, y: float, w: float, h: float, colour: RGB, turn: float = 0.0, line: float = 1.4) -> None:
    """Draw a box with an ink outline.

    Its north-west edge is lighter, its south-east edge darker.
    """
    c.fill(box(x, y, w + 2 * line, h + 2 * line, turn), INK)
    c.fill(box(x, y, w, h, turn), scaled(colour, 0.86))
    c.fill(box(x - 0.7, y - 0.7, w - 1.6, h - 1.6, turn), colour)
