"""Props of buildings from above: furniture, wells, lamps, towers.

Lengths are in px at 32 px a tile.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from game.view.painting.outlines import box, curve
from game.view.painting.palette import mix, palette, scaled
from tools.art.drawing.canvas import Canvas
from tools.art.props.prop import INK, PLANK, STONE, Prop, slab


def _table(c: Canvas) -> None:
    slab(c, 0, 0, 40, 18, PLANK)
    for y in (-4.4, 0.4, 5):
        c.line([(-19, y), (19, y)], 0.9, INK, 120)
    c.fill(box(-8, -1, 11, 8, 0.2), INK)
    c.fill(box(-8, -1, 9.4, 6.4, 0.2), palette()["paper"])
    c.disc((9, 1), 3.0, INK)
    c.disc((9, 1), 1.8, palette()["lamp"])


def _bench(c: Canvas) -> None:
    slab(c, 0, 0, 26, 6.4, scaled(PLANK, 0.92))
    c.line([(-12, 0), (12, 0)], 0.8, INK, 130)


def _bed(c: Canvas) -> None:
    slab(c, 0, 0, 50, 24, PLANK)
    c.fill(box(3, 0, 40, 20), mix(palette()["paper"], palette()["steel"], 0.5))
    c.fill(box(-18, 0, 8.4, 15), palette()["white"])
    c.line([(-10, -10), (-10, 10)], 1.2, INK, 170)


def _well(c: Canvas) -> None:
    c.disc((0, 0), 13.4, INK)
    c.disc((0, 0), 12, STONE)
    for i in range(10):
        a = i * math.pi / 5
        c.line([(8 * math.cos(a), 8 * math.sin(a)), (12 * math.cos(a), 12 * math.sin(a))], 0.9, INK, 170)
    c.disc((0, 0), 8.2, INK)
    c.disc((0, 0), 7.0, scaled(palette().grounds["water"], 0.62))
    c.line([(-14, 0), (14, 0)], 4.4, INK)
    c.line([(-13.6, 0), (13.6, 0)], 2.0, PLANK)


def _lamp(on: bool) -> Callable[[Canvas], None]:
    def draw(c: Canvas) -> None:
        for i in range(4):
            a = i * math.pi / 2 + math.pi / 4
            c.line([(4 * math.cos(a), 4 * math.sin(a)), (9.6 * math.cos(a), 9.6 * math.sin(a))], 2.4, INK)
        c.disc((0, 0), 7.6, INK)
        c.disc((0, 0), 5.8, (96, 90, 94))
        c.disc((0, 0), 4.1, (255, 214, 120) if on else (128, 124, 128))
        c.disc((0, 0), 2.0, (255, 246, 214) if on else (150, 146, 146))

    return draw


def _flag(c: Canvas) -> None:
    """Draw a pole from above; its cloth blows to the east."""
    cloth = curve([(0, -1), (9, -5), (18, -2), (27, -6), (26, 6), (17, 9), (9, 5), (0, 8)], 5)
    c.line(np.r_[cloth, cloth[:1]], 2.8, INK)
    c.fill(cloth, palette()["yellow"])
    c.line([(8, -3), (9, 4)], 1.2, scaled(palette()["yellow"], 0.78), caps=False)
    c.line([(18, -1), (17, 8)], 1.2, scaled(palette()["yellow"], 0.78), caps=False)
    c.disc((0, 2), 4.0, INK)
    c.disc((0, 2), 2.4, PLANK)


def _tower(c: Canvas) -> None:
    base = mix(palette().grounds["stone"], palette()["paper"], 0.14)
    slab(c, 0, 0, 88, 88, base, line=2.2)
    c.fill(box(0, 0, 66, 66), INK)
    c.fill(box(0, 0, 63, 63), scaled(base, 0.90))
    for k in range(5):
        p = -38.5 + k * 19.25
        for x, y in ((p, -38.5), (p, 38.5), (-38.5, p), (38.5, p)):
            slab(c, x, y, 9.2, 9.2, mix(base, palette()["paper"], 0.25), line=1.3)
    for k in range(-2, 3):
        c.line([(-31, k * 12.6), (31, k * 12.6)], 0.9, INK, 110)
        for j in range(-2, 3):
            x = j * 13 + (6 if k % 2 else 0)
            c.line([(x, k * 12.6), (x, k * 12.6 + 12.6)], 0.9, INK, 90)
    slab(c, 14, 14, 15, 15, PLANK)
    for y in (9, 14, 19):
        c.line([(7, y), (21, y)], 0.9, INK, 150)


def _lever(c: Canvas) -> None:
    slab(c, 0, 2, 14, 18, STONE)
    c.fill(box(0, 2, 4.4, 12), INK)
    c.line([(0, 4), (6, -9)], 4.4, INK)
    c.line([(0, 4), (5.6, -8.2)], 1.8, palette()["steel"])
    c.disc((6.4, -9.6), 4.0, INK)
    c.disc((6.4, -9.6), 2.6, PLANK)


def _generator(c: Canvas) -> None:
    """Draw a small engine: boiler, flywheel and chimney."""
    iron = (104, 102, 108)
    slab(c, 0, 0, 46, 30, scaled(PLANK, 0.8))
    c.fill(box(-6, 0, 29, 17.6), INK)
    c.fill(box(-6, 0, 26.4, 15.0), scaled(iron, 0.84))
    c.fill(box(-6.6, -2.6, 25, 8.0), iron)
    c.line([(-18, -4.6), (5, -4.6)], 1.6, mix(iron, palette()["paper"], 0.4), caps=False)
    for x in (-14, -6, 2):
        c.line([(x, -7.5), (x, 7.5)], 1.0, INK, 170)
    c.disc((-15, 0), 5.4, INK)
    c.disc((-15, 0), 4.0, scaled(iron, 0.7))
    c.disc((-15, 0), 2.2, INK)
    c.fill(box(16, 0, 7.4, 25), INK)
    c.fill(box(16, 0, 5.0, 22.6), iron)
    c.line([(8, 6), (16, 6)], 2.4, INK)
    c.disc((8, 6), 2.6, palette()["lamp"])


PROPS: dict[str, Prop] = {
    "generator": Prop(54, 38, 10, _generator),
    "lever": Prop(28, 34, 5, _lever),
    "flag": Prop(64, 26, 20, _flag),
    "lamp": Prop(24, 24, 8, _lamp(True)),
    "lamp_off": Prop(24, 24, 8, _lamp(False)),
    "well": Prop(34, 34, 7, _well),
    "table": Prop(46, 24, 6, _table),
    "bench": Prop(32, 12, 3, _bench),
    "bed": Prop(58, 32, 4, _bed),
    "tower": Prop(100, 100, 22, _tower),
}
