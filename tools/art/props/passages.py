"""Doors, gates, bridges and their mechanisms from above.

Lengths are in px at 32 px a tile.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from game.view.painting.outlines import box
from game.view.painting.palette import mix, palette, scaled
from tools.art.drawing.canvas import Canvas
from tools.art.props.prop import INK, PLANK, STONE, Prop, slab


def _door(is_open: bool) -> Callable[[Canvas], None]:
    def draw(c: Canvas) -> None:
        for x in (-15, 15):
            slab(c, x, 0, 5, 9, STONE)
        if is_open:
            c.line([(-12.5, -1), (-9.0, -17)], 5.2, INK)
            c.line([(-12.4, -1.4), (-9.2, -16.6)], 2.8, PLANK)
        else:
            slab(c, 0, 0, 25, 4.4, PLANK)
            for seam in (-8, -2.6, 2.6, 8):
                c.line([(seam, -2), (seam, 2)], 0.9, INK, 170)
            c.disc((8, 0), 1.4, palette()["yellow"])

    return draw


def _gate(is_open: bool) -> Callable[[Canvas], None]:
    def draw(c: Canvas) -> None:
        for x in (-31, 31):
            slab(c, x, 0, 5, 11, STONE)
        for m in (-1, 1):
            if is_open:
                c.line([(m * 28, -1), (m * 25, -27)], 6.4, INK)
                c.line([(m * 27.9, -1.4), (m * 25.1, -26.6)], 3.8, PLANK)
            else:
                slab(c, m * 14, 0, 26, 6, PLANK)
                for x in (4, 9, 14, 19, 24):
                    c.line([(m * x, -3), (m * x, 3)], 0.9, INK, 170)
                c.line([(m * 3, 0), (m * 25, 0)], 1.4, palette()["steel"], 255)

    return draw


def _grille(c: Canvas) -> None:
    slab(c, 0, 0, 30, 6.4, (120, 118, 122))
    for x in range(-12, 13, 4):
        c.line([(x, -3), (x, 3)], 1.8, INK)


def _vent(c: Canvas) -> None:
    slab(c, 0, 0, 21, 17, (128, 126, 130))
    for y in (-5, -1.5, 2, 5.5):
        c.line([(-9, y), (9, y)], 1.5, INK)


def _grating(c: Canvas) -> None:
    """Draw a tile of iron floor: bars over a dark hollow in a frame.

    The frame meets the frame of the next tile.
    """
    iron = mix(palette()["steel"], palette().grounds["stone"], 0.35)
    c.fill(box(0, 0, 32, 32), INK)
    for x in range(-12, 13, 4):
        c.line([(x, -15), (x, 15)], 2.1, iron, caps=False)
    for y in (-8, 0, 8):
        c.line([(-15, y), (15, y)], 1.3, scaled(iron, 0.82), caps=False)
    for side in (-15.2, 15.2):
        c.line([(side, -16), (side, 16)], 1.6, scaled(iron, 0.9), caps=False)
        c.line([(-16, side), (16, side)], 1.6, scaled(iron, 0.9), caps=False)


def _winch(c: Canvas) -> None:
    slab(c, -3, 0, 27, 17, PLANK)
    slab(c, -3, 0, 10, 21, scaled(PLANK, 0.74))
    for y in (-7, -3.5, 0, 3.5, 7):
        c.line([(-7.4, y), (1.4, y + 1)], 0.9, INK, 170)
    for i in range(4):
        a = i * math.pi / 2 + 0.5
        tip = (15 + 9.5 * math.cos(a), 9.5 * math.sin(a))
        c.line([(15, 0), tip], 3.2, INK)
        c.line([(15, 0), tip], 1.3, PLANK)
    c.disc((15, 0), 3.2, INK)
    c.disc((15, 0), 1.6, palette()["steel"])


def _leaf(c: Canvas) -> None:
    """Draw a lowered drawbridge: four tiles long, two wide, planks across."""
    slab(c, 0, 0, 124, 58, PLANK, line=1.8)
    for i in range(1, 16):
        x = -62 + i * 7.75
        c.line([(x, -29), (x, 29)], 1.0, INK, 170)
    for y in (-25, 25):
        c.line([(-60, y), (60, y)], 3.2, INK)
        c.line([(-60, y), (60, y)], 1.2, scaled(PLANK, 0.7))


def _leaf_up(c: Canvas) -> None:
    """Draw a raised drawbridge: foreshortened, so its shadow is long."""
    slab(c, 0, 0, 17, 58, PLANK, line=1.8)
    for x in (-5, 0, 5):
        c.line([(x, -29), (x, 29)], 1.0, INK, 180)
    for y in (-26, 26):
        c.line([(0, y), (34, y)], 2.0, INK, dash=(4, 2))
        c.disc((35, y), 3.6, INK)
        c.disc((35, y), 2.2, STONE)


def _rail_stone(c: Canvas) -> None:
    """Draw one tile of a parapet along the north side; both ends continue."""
    c.fill(box(0, 1.0, 36, 13.6), INK)
    c.fill(box(0, 1.0, 36, 10.4), scaled(STONE, 0.86))
    c.fill(box(0, -0.4, 36, 7.2), mix(STONE, palette()["paper"], 0.34))
    c.line([(-18, 3.4), (18, 3.4)], 1.1, INK, 200)
    for x in (-8, 8):
        c.line([(x, -4.0), (x, 3.2)], 1.0, INK, 150)
    for x in (-16, 0, 16):
        c.line([(x, 3.6), (x, 6.0)], 1.0, INK, 150)


def _rail_plank(c: Canvas) -> None:
    c.fill(box(0, 1.6, 36, 4.8), INK)
    c.fill(box(0, 1.6, 36, 2.4), PLANK)
    for x in (-12, 4):
        slab(c, x, 1.6, 4.4, 5.6, scaled(PLANK, 0.9), line=1.1)


def _cutwater(c: Canvas) -> None:
    """Draw a blunt pier that divides the stream, on the north side."""
    outline = np.array([(-12.5, 2), (-10.5, -6), (-4.5, -12.4), (0, -14.4), (4.5, -12.4), (10.5, -6), (12.5, 2)])
    c.fill(outline, INK)
    c.fill(outline * 0.86 + (0, 0.6), mix(STONE, palette().grounds["stone"], 0.4))
    c.fill(outline * 0.62 + (-1.2, 0.2), STONE)


PROPS: dict[str, Prop] = {
    "winch": Prop(56, 34, 7, _winch),
    "door": Prop(42, 40, 9, _door(False)),
    "door_open": Prop(42, 40, 6, _door(True)),
    "gate": Prop(74, 60, 12, _gate(False)),
    "gate_open": Prop(74, 60, 9, _gate(True)),
    "grille": Prop(38, 16, 6, _grille),
    "vent": Prop(28, 24, 5, _vent),
    "grating": Prop(32, 32, 0, _grating),
    "drawbridge": Prop(132, 66, 4, _leaf),
    "drawbridge_up": Prop(84, 66, 24, _leaf_up),
    "rail_stone": Prop(32, 18, 6, _rail_stone),
    "rail_plank": Prop(32, 14, 4, _rail_plank),
    "cutwater": Prop(30, 34, 5, _cutwater),
}
