"""Props of stores and camps from above: crates, carts, tents, guns.

Lengths are in px at 32 px a tile.
"""

from __future__ import annotations

import math

import numpy as np

from game.view.painting.outlines import box, ellipse
from game.view.painting.palette import mix, palette, scaled
from tools.art.drawing.canvas import Canvas
from tools.art.props.prop import INK, PLANK, STONE, Prop, slab


def _crate(c: Canvas) -> None:
    slab(c, 0, 0, 18, 18, PLANK)
    for y in (-3, 3):
        c.line([(-9, y), (9, y)], 0.9, INK, 150)
    c.line([(-8.4, -8.4), (8.4, 8.4)], 1.3, INK, 190)


def _stack(c: Canvas) -> None:
    """Draw stacked crates, higher than a standing figure; they block sight."""
    slab(c, 0, 0, 28, 28, scaled(PLANK, 0.94), line=1.6)
    for x, y, turn in ((-6.6, -6.6, 0.04), (6.8, -6.4, -0.05), (-6.4, 7.0, -0.03), (7.0, 6.8, 0.06)):
        slab(c, x, y, 11.8, 11.8, mix(PLANK, palette()["paper"], 0.1), turn, line=1.1)
        c.line([(x - 5, y), (x + 5, y)], 0.8, INK, 120)
    slab(c, -1.5, -2.5, 12.4, 12.4, mix(PLANK, palette()["paper"], 0.36), 0.5)
    c.line([(-6, -2), (3, -3)], 0.9, INK, 150)


def _barrel(c: Canvas) -> None:
    c.disc((0, 0), 9.2, INK)
    c.disc((0, 0), 7.9, scaled(PLANK, 0.80))
    c.disc((-0.4, -0.4), 5.8, PLANK)
    c.ring((0, 0), 5.8, 0.9, INK, 170)
    for stave in (-2.4, 0.8, 3.4):
        c.line([(stave, -4.6), (stave, 4.6)], 0.8, INK, 120)


def _cart(c: Canvas) -> None:
    for y in (-14, 14):
        c.fill(box(-2, y, 25, 5.6), INK)
        c.fill(box(-2, y, 22.4, 3.0), scaled(PLANK, 0.7))
    for y in (-6, 6):
        c.line([(20, y), (39, y * 0.7)], 3.0, INK)
        c.line([(20, y), (38, y * 0.7)], 1.2, PLANK)
    slab(c, 0, 0, 43, 21, PLANK)
    for seam in (-5.4, 0, 5.4):
        c.line([(-21, seam), (21, seam)], 0.9, INK, 150)
    c.line([(-15, -10), (-15, 10)], 1.6, INK, 120)
    c.line([(14, -10), (14, 10)], 1.6, INK, 120)


def _chest(c: Canvas) -> None:
    slab(c, 0, 0, 20, 13, (142, 98, 56))
    for x in (-6, 6):
        c.fill(box(x, 0, 2.8, 13), palette()["yellow"])
    c.fill(box(0, 5, 5.4, 5.0), INK)
    c.fill(box(0, 5, 3.4, 3.2), palette()["yellow"])


def _chest_open(c: Canvas) -> None:
    slab(c, 0, 3, 20, 11, (142, 98, 56))
    c.fill(box(0, 3, 16, 7.4), scaled((142, 98, 56), 0.45))
    slab(c, 0, -6.4, 20, 5, (158, 112, 66))


def _tent(c: Canvas) -> None:
    cloth = mix(palette()["paper"], palette()["white"], 0.4)
    corners = [(-26, -18), (26, -18), (26, 18), (-26, 18)]
    c.fill(box(0, 0, 55, 39), INK)
    c.fill(np.array([corners[0], corners[1], (20, 0), (-20, 0)]), mix(cloth, (255, 255, 255), 0.25))
    c.fill(np.array([corners[2], corners[3], (-20, 0), (20, 0)]), scaled(cloth, 0.84))
    c.fill(np.array([corners[3], corners[0], (-20, 0)]), scaled(cloth, 0.95))
    c.fill(np.array([corners[1], corners[2], (20, 0)]), scaled(cloth, 0.90))
    c.line([(-20, 0), (20, 0)], 1.5, INK)
    for a, b in zip(corners, ((-20, 0), (20, 0), (20, 0), (-20, 0)), strict=True):
        c.line([a, b], 1.2, INK, 190)
    c.line([(26, 0), (20, 0)], 2.2, INK)
    for x, y in corners:
        c.line([(x, y), (x * 1.18, y * 1.22)], 1.0, INK, 200)


def _campfire(c: Canvas) -> None:
    for i in range(9):
        a = i * 2 * math.pi / 9
        c.disc((9 * math.cos(a), 9 * math.sin(a)), 3.3, INK)
        c.disc((9 * math.cos(a) - 0.3, 9 * math.sin(a) - 0.3), 2.2, STONE)
    for a in (0.4, 1.5, 2.6):
        d = (6.5 * math.cos(a), 6.5 * math.sin(a))
        c.line([(-d[0], -d[1]), d], 3.4, INK)
        c.line([(-d[0], -d[1]), d], 1.6, scaled(PLANK, 0.7))
    c.disc((0, 0), 3.6, palette()["lamp"])


def _cannon(c: Canvas) -> None:
    for y in (-9, 9):
        slab(c, -2, y, 18, 3.6, scaled(PLANK, 0.72))
    c.line([(-6, 0), (-24, 0)], 6.4, INK)
    c.line([(-6, 0), (-23.4, 0)], 3.8, PLANK)
    c.line([(-10, 0), (21, 0)], 10.4, INK, end_width=7.8)
    c.line([(-10, 0), (20.4, 0)], 7.8, (86, 88, 92), end_width=5.4)
    c.line([(-8, -1.6), (18, -1.2)], 1.8, (132, 134, 138), caps=False)


def _sacks(c: Canvas) -> None:
    cloth = mix(palette()["paper"], palette()["leather"], 0.28)
    for x, y, t in ((-6, -4, 0.3), (6, -3, -0.4), (0, 6, 1.2)):
        c.fill(ellipse(x, y, 9.0, 6.6, t), INK)
        c.fill(ellipse(x, y, 7.6, 5.2, t), scaled(cloth, 0.86))
        c.fill(ellipse(x - 0.8, y - 0.8, 6.2, 3.8, t), cloth)
        c.disc((x + 5.4 * math.cos(t), y + 5.4 * math.sin(t)), 1.3, INK)


def _haystack(c: Canvas) -> None:
    straw = mix(palette()["thatch"], palette()["yellow"], 0.22)
    a = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    r = 13 + 0.9 * np.sin(9 * a) + 0.6 * np.sin(17 * a)
    c.fill(np.c_[(r + 1.4) * np.cos(a), (r + 1.4) * np.sin(a)], INK)
    c.fill(np.c_[r * np.cos(a), r * np.sin(a)], scaled(straw, 0.84))
    c.fill(ellipse(-2, -2, 10.4, 10.4), straw)
    c.fill(ellipse(-3, -3, 4.5, 4.5), mix(straw, (255, 255, 255), 0.3))
    for i in range(18):
        t = i * 0.35
        c.line(
            [(5 * math.cos(t), 5 * math.sin(t)), (11.5 * math.cos(t + 0.2), 11.5 * math.sin(t + 0.2))], 0.8, INK, 110
        )


def _fence(c: Canvas) -> None:
    for y in (-2.6, 2.6):
        c.line([(-16, y), (16, y)], 3.0, INK, caps=False)
        c.line([(-16, y), (16, y)], 1.2, PLANK, caps=False)
    for x in (-12, 4):
        slab(c, x, 0, 4.2, 9, scaled(PLANK, 0.9), line=1.2)


PROPS: dict[str, Prop] = {
    "stack": Prop(40, 40, 12, _stack),
    "crate": Prop(28, 28, 7, _crate),
    "barrel": Prop(24, 24, 8, _barrel),
    "cart": Prop(92, 42, 7, _cart),
    "chest": Prop(30, 24, 5, _chest),
    "chest_open": Prop(30, 28, 5, _chest_open),
    "fence": Prop(32, 14, 4, _fence),
    "haystack": Prop(34, 34, 10, _haystack),
    "tent": Prop(72, 52, 13, _tent),
    "campfire": Prop(30, 30, 2, _campfire),
    "cannon": Prop(60, 32, 6, _cannon),
    "sacks": Prop(36, 32, 4, _sacks),
}
