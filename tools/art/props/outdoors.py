"""Props of the open ground from above: rocks, stumps, boats.

Lengths are in px at 32 px a tile.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from game.view.painting.outlines import curve, ellipse
from game.view.painting.palette import mix, palette, scaled
from tools.art.drawing.canvas import Canvas
from tools.art.drawing.noise import dice
from tools.art.props.prop import INK, PLANK, STONE, Prop, slab


def _rock(seed: int, size: float) -> Callable[[Canvas], None]:
    def draw(c: Canvas) -> None:
        a = np.linspace(0, 2 * np.pi, 9, endpoint=False)
        r = size * np.array([0.80 + 0.35 * dice(i, seed, 3) for i in range(9)])
        p = np.c_[r * np.cos(a), r * 0.85 * np.sin(a)]
        q = curve(p, 4, True)
        c.fill(q, INK)
        c.fill(q * (1 - 1.4 / size), mix(STONE, INK, 0.10))
        c.fill(q * (1 - 1.4 / size) * 0.86 - size * 0.07, STONE)
        c.fill(q * 0.42 - size * 0.2, mix(STONE, palette()["paper"], 0.5))
        c.line(np.array([p[1] * 0.7, p[1] * 0.1, p[3] * 0.4]), 0.9, INK, 160)

    return draw


def _stump(c: Canvas) -> None:
    a = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    r = 7.4 + 0.8 * np.sin(5 * a) + 0.5 * np.sin(9 * a + 1)
    c.fill(np.c_[(r + 1.3) * np.cos(a), (r + 1.3) * np.sin(a)], INK)
    c.fill(np.c_[r * np.cos(a), r * np.sin(a)], scaled(PLANK, 0.78))
    c.disc((-0.4, -0.4), 5.4, PLANK)
    for q in (1.6, 3.4):
        c.ring((-0.4, -0.4), q, 0.8, INK, 150)


def _bush(c: Canvas) -> None:
    leaf = mix(palette()["crown"], palette().grounds["grass"], 0.15)
    for dx, dy, r, tone in ((4, 4, 8, 0.84), (-4, 3, 8, 0.92), (0, -4, 9, 1.04)):
        a = np.linspace(0, 2 * np.pi, 50, endpoint=False)
        q = r * (0.9 + 0.12 * np.abs(np.sin(4 * a + dx)))
        c.fill(np.c_[dx + (q + 1.1) * np.cos(a), dy + (q + 1.1) * np.sin(a)], INK)
        c.fill(np.c_[dx + q * np.cos(a), dy + q * np.sin(a)], scaled(leaf, tone))


def _log(c: Canvas) -> None:
    c.line([(-26, 0), (26, 1)], 12, INK, end_width=10)
    c.line([(-25.6, 0), (25.6, 1)], 9.4, scaled(palette()["leather"], 0.92), end_width=7.4)
    c.line([(-24, -2), (24, -1)], 2.6, mix(palette()["leather"], palette()["paper"], 0.35), end_width=2, caps=False)
    c.disc((-26, 0), 5.6, INK)
    c.disc((-26, 0), 4.2, PLANK)
    c.line([(4, -5), (12, -13)], 4.4, INK)
    c.line([(4, -5), (11.4, -12.4)], 2.2, palette()["leather"])


def _boat(c: Canvas) -> None:
    hull = curve([(30, 0), (18, -9.6), (-12, -10.4), (-27, -6.4), (-27, 6.4), (-12, 10.4), (18, 9.6)], 6, True)
    c.fill(hull * 1.06, INK)
    c.fill(hull, PLANK)
    c.fill(hull * 0.80, scaled(PLANK, 0.62))
    for x in (-12, 6):
        slab(c, x, 0, 4.4, 15, PLANK, line=1.0)


def _kennel(c: Canvas) -> None:
    """Draw a kennel with a ridged roof, the entrance east, a chain before it."""
    slab(c, -2, 0, 30, 24, scaled(PLANK, 0.74), line=1.8)
    c.fill(np.array([(-17, -12), (13, -12), (13, 0), (-17, 0)]), mix(PLANK, palette()["paper"], 0.16))
    c.fill(np.array([(-17, 12), (13, 12), (13, 0), (-17, 0)]), scaled(PLANK, 0.80))
    c.line([(-17, 0), (13, 0)], 1.6, INK)
    for x in (-11, -5, 1, 7):
        c.line([(x, -12), (x, 12)], 0.9, INK, 150)
    c.fill(ellipse(14, 0, 3.4, 6.4), INK)
    for k in range(5):
        c.ring((19 + k * 2.6, 2.2 * np.sin(k * 1.3)), 1.5, 0.9, INK)


def _coal(c: Canvas) -> None:
    """Draw a heap of coal: dark lumps, some with a bright facet."""
    for i in range(26):
        a, r = 2 * np.pi * dice(i, 1, 61), 12.5 * dice(i, 2, 61) ** 0.6
        size = 2.2 + 2.4 * dice(i, 3, 61) * (1 - r / 18)
        p = np.array([(np.cos(t), np.sin(t)) for t in np.arange(5) * 1.257 + dice(i, 4, 61) * 3])
        at = np.array([r * np.cos(a), 0.86 * r * np.sin(a)])
        c.fill(p * (size + 1.0) + at, INK)
        c.fill(p * size + at, (66, 62, 70))
        c.fill(p * size * 0.5 + at - size * 0.24, (112, 108, 116))


def _sign(c: Canvas) -> None:
    """Draw a signpost with two arms."""
    for turn in (-0.5, 0.9):
        d, n = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        arm = np.array([d * 2 - n * 3, d * 14 - n * 3, d * 18, d * 14 + n * 3, d * 2 + n * 3])
        c.fill(arm * 1.08 + d * -0.6, INK)
        c.fill(arm, mix(PLANK, palette()["paper"], 0.3))
        c.line([tuple(d * 4), tuple(d * 13)], 0.9, INK, 150)
    c.disc((0, 0), 3.8, INK)
    c.disc((0, 0), 2.5, PLANK)


PROPS: dict[str, Prop] = {
    "kennel": Prop(62, 36, 9, _kennel),
    "coal": Prop(36, 34, 5, _coal),
    "sign": Prop(44, 44, 12, _sign),
    "rock": Prop(28, 26, 5, _rock(1, 10)),
    "rock2": Prop(24, 22, 4, _rock(2, 8)),
    "rock3": Prop(20, 18, 3, _rock(5, 6)),
    "stump": Prop(24, 24, 3, _stump),
    "bush": Prop(36, 34, 6, _bush),
    "boat": Prop(70, 28, 4, _boat),
    "log": Prop(70, 36, 5, _log),
}
