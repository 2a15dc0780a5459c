"""Props from above: crates, carts, lamps, doors, bridge rails.  Lengths in px at 32 a tile, baked at 64."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from game.view.palette import RGB, mix, palette, scaled
from tools.art import png
from tools.art.canvas import Canvas
from tools.art.geometry import box, curve, ellipse
from tools.art.noise import dice

INK = palette()["ink"]
PLANK = palette()["plank"]
STONE = mix(palette().grounds["stone"], palette()["paper"], 0.30)


@dataclass(frozen=True)
class Prop:
    """Size of the picture, length of its shadow, and who draws it (about the middle)."""

    width: int
    height: int
    shadow: float
    draw: Callable[[Canvas], None]


def _slab(c: Canvas, x: float, y: float, w: float, h: float, colour: RGB, turn: float = 0.0, line: float = 1.4) -> None:
    """A box with an ink outline, a lighter north-west and a darker south-east edge."""
    c.fill(box(x, y, w + 2 * line, h + 2 * line, turn), INK)
    c.fill(box(x, y, w, h, turn), scaled(colour, 0.86))
    c.fill(box(x - 0.7, y - 0.7, w - 1.6, h - 1.6, turn), colour)


def _crate(c: Canvas) -> None:
    _slab(c, 0, 0, 18, 18, PLANK)
    for y in (-3, 3):
        c.line([(-9, y), (9, y)], 0.9, INK, 150)
    c.line([(-8.4, -8.4), (8.4, 8.4)], 1.3, INK, 190)


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
    _slab(c, 0, 0, 43, 21, PLANK)
    for seam in (-5.4, 0, 5.4):
        c.line([(-21, seam), (21, seam)], 0.9, INK, 150)
    c.line([(-15, -10), (-15, 10)], 1.6, INK, 120)
    c.line([(14, -10), (14, 10)], 1.6, INK, 120)


def _chest(c: Canvas) -> None:
    _slab(c, 0, 0, 20, 13, (142, 98, 56))
    for x in (-6, 6):
        c.fill(box(x, 0, 2.8, 13), palette()["yellow"])
    c.fill(box(0, 5, 5.4, 5.0), INK)
    c.fill(box(0, 5, 3.4, 3.2), palette()["yellow"])


def _chest_open(c: Canvas) -> None:
    _slab(c, 0, 3, 20, 11, (142, 98, 56))
    c.fill(box(0, 3, 16, 7.4), scaled((142, 98, 56), 0.45))
    _slab(c, 0, -6.4, 20, 5, (158, 112, 66))


def _winch(c: Canvas) -> None:
    _slab(c, -3, 0, 27, 17, PLANK)
    _slab(c, -3, 0, 10, 21, scaled(PLANK, 0.74))
    for y in (-7, -3.5, 0, 3.5, 7):
        c.line([(-7.4, y), (1.4, y + 1)], 0.9, INK, 170)
    for i in range(4):
        a = i * math.pi / 2 + 0.5
        tip = (15 + 9.5 * math.cos(a), 9.5 * math.sin(a))
        c.line([(15, 0), tip], 3.2, INK)
        c.line([(15, 0), tip], 1.3, PLANK)
    c.disc((15, 0), 3.2, INK)
    c.disc((15, 0), 1.6, palette()["steel"])


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


def _fence(c: Canvas) -> None:
    for y in (-2.6, 2.6):
        c.line([(-16, y), (16, y)], 3.0, INK, caps=False)
        c.line([(-16, y), (16, y)], 1.2, PLANK, caps=False)
    for x in (-12, 4):
        _slab(c, x, 0, 4.2, 9, scaled(PLANK, 0.9), line=1.2)


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


def _table(c: Canvas) -> None:
    _slab(c, 0, 0, 40, 18, PLANK)
    for y in (-4.4, 0.4, 5):
        c.line([(-19, y), (19, y)], 0.9, INK, 120)
    c.fill(box(-8, -1, 11, 8, 0.2), INK)
    c.fill(box(-8, -1, 9.4, 6.4, 0.2), palette()["paper"])
    c.disc((9, 1), 3.0, INK)
    c.disc((9, 1), 1.8, palette()["lamp"])


def _bench(c: Canvas) -> None:
    _slab(c, 0, 0, 26, 6.4, scaled(PLANK, 0.92))
    c.line([(-12, 0), (12, 0)], 0.8, INK, 130)


def _bed(c: Canvas) -> None:
    _slab(c, 0, 0, 50, 24, PLANK)
    c.fill(box(3, 0, 40, 20), mix(palette()["paper"], palette()["steel"], 0.5))
    c.fill(box(-18, 0, 8.4, 15), palette()["white"])
    c.line([(-10, -10), (-10, 10)], 1.2, INK, 170)


def _cannon(c: Canvas) -> None:
    for y in (-9, 9):
        _slab(c, -2, y, 18, 3.6, scaled(PLANK, 0.72))
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


def _boat(c: Canvas) -> None:
    hull = curve([(30, 0), (18, -9.6), (-12, -10.4), (-27, -6.4), (-27, 6.4), (-12, 10.4), (18, 9.6)], 6, True)
    c.fill(hull * 1.06, INK)
    c.fill(hull, PLANK)
    c.fill(hull * 0.80, scaled(PLANK, 0.62))
    for x in (-12, 6):
        _slab(c, x, 0, 4.4, 15, PLANK, line=1.0)


def _log(c: Canvas) -> None:
    c.line([(-26, 0), (26, 1)], 12, INK, end_width=10)
    c.line([(-25.6, 0), (25.6, 1)], 9.4, scaled(palette()["leather"], 0.92), end_width=7.4)
    c.line([(-24, -2), (24, -1)], 2.6, mix(palette()["leather"], palette()["paper"], 0.35), end_width=2, caps=False)
    c.disc((-26, 0), 5.6, INK)
    c.disc((-26, 0), 4.2, PLANK)
    c.line([(4, -5), (12, -13)], 4.4, INK)
    c.line([(4, -5), (11.4, -12.4)], 2.2, palette()["leather"])


def _tower(c: Canvas) -> None:
    base = mix(palette().grounds["stone"], palette()["paper"], 0.14)
    _slab(c, 0, 0, 88, 88, base, line=2.2)
    c.fill(box(0, 0, 66, 66), INK)
    c.fill(box(0, 0, 63, 63), scaled(base, 0.90))
    for k in range(5):
        p = -38.5 + k * 19.25
        for x, y in ((p, -38.5), (p, 38.5), (-38.5, p), (38.5, p)):
            _slab(c, x, y, 9.2, 9.2, mix(base, palette()["paper"], 0.25), line=1.3)
    for k in range(-2, 3):
        c.line([(-31, k * 12.6), (31, k * 12.6)], 0.9, INK, 110)
        for j in range(-2, 3):
            x = j * 13 + (6 if k % 2 else 0)
            c.line([(x, k * 12.6), (x, k * 12.6 + 12.6)], 0.9, INK, 90)
    _slab(c, 14, 14, 15, 15, PLANK)
    for y in (9, 14, 19):
        c.line([(7, y), (21, y)], 0.9, INK, 150)


def _door(is_open: bool) -> Callable[[Canvas], None]:
    def draw(c: Canvas) -> None:
        for x in (-15, 15):
            _slab(c, x, 0, 5, 9, STONE)
        if is_open:
            c.line([(-12.5, -1), (-9.0, -17)], 5.2, INK)
            c.line([(-12.4, -1.4), (-9.2, -16.6)], 2.8, PLANK)
        else:
            _slab(c, 0, 0, 25, 4.4, PLANK)
            for seam in (-8, -2.6, 2.6, 8):
                c.line([(seam, -2), (seam, 2)], 0.9, INK, 170)
            c.disc((8, 0), 1.4, palette()["yellow"])

    return draw


def _gate(is_open: bool) -> Callable[[Canvas], None]:
    def draw(c: Canvas) -> None:
        for x in (-31, 31):
            _slab(c, x, 0, 5, 11, STONE)
        for m in (-1, 1):
            if is_open:
                c.line([(m * 28, -1), (m * 25, -27)], 6.4, INK)
                c.line([(m * 27.9, -1.4), (m * 25.1, -26.6)], 3.8, PLANK)
            else:
                _slab(c, m * 14, 0, 26, 6, PLANK)
                for x in (4, 9, 14, 19, 24):
                    c.line([(m * x, -3), (m * x, 3)], 0.9, INK, 170)
                c.line([(m * 3, 0), (m * 25, 0)], 1.4, palette()["steel"], 255)

    return draw


def _grille(c: Canvas) -> None:
    _slab(c, 0, 0, 30, 6.4, (120, 118, 122))
    for x in range(-12, 13, 4):
        c.line([(x, -3), (x, 3)], 1.8, INK)


def _vent(c: Canvas) -> None:
    _slab(c, 0, 0, 21, 17, (128, 126, 130))
    for y in (-5, -1.5, 2, 5.5):
        c.line([(-9, y), (9, y)], 1.5, INK)


def _leaf(c: Canvas) -> None:
    """A drawbridge let down: four tiles long, two wide, planks across."""
    _slab(c, 0, 0, 124, 58, PLANK, line=1.8)
    for i in range(1, 16):
        x = -62 + i * 7.75
        c.line([(x, -29), (x, 29)], 1.0, INK, 170)
    for y in (-25, 25):
        c.line([(-60, y), (60, y)], 3.2, INK)
        c.line([(-60, y), (60, y)], 1.2, scaled(PLANK, 0.7))


def _leaf_up(c: Canvas) -> None:
    """A drawbridge raised: foreshortened, so that its shadow is long."""
    _slab(c, 0, 0, 17, 58, PLANK, line=1.8)
    for x in (-5, 0, 5):
        c.line([(x, -29), (x, 29)], 1.0, INK, 180)
    for y in (-26, 26):
        c.line([(0, y), (34, y)], 2.0, INK, dash=(4, 2))
        c.disc((35, y), 3.6, INK)
        c.disc((35, y), 2.2, STONE)


def _rail_stone(c: Canvas) -> None:
    """Parapet along the north side, one tile; it runs on at both ends."""
    c.fill(box(0, 1.0, 36, 10.2), INK)
    c.fill(box(0, 1.0, 36, 7.2), scaled(STONE, 0.94))
    c.fill(box(0, 0.2, 36, 4.6), mix(STONE, palette()["paper"], 0.30))
    for x in (-11, -1, 9):
        c.line([(x, -2.4), (x, 4.4)], 1.0, INK, 160)


def _rail_plank(c: Canvas) -> None:
    c.fill(box(0, 1.6, 36, 4.8), INK)
    c.fill(box(0, 1.6, 36, 2.4), PLANK)
    for x in (-12, 4):
        _slab(c, x, 1.6, 4.4, 5.6, scaled(PLANK, 0.9), line=1.1)


def _cutwater(c: Canvas) -> None:
    """A pier that parts the stream: blunt, it stands out from the north side."""
    outline = np.array([(-12.5, 2), (-10.5, -6), (-4.5, -12.4), (0, -14.4), (4.5, -12.4), (10.5, -6), (12.5, 2)])
    c.fill(outline, INK)
    c.fill(outline * 0.86 + (0, 0.6), mix(STONE, palette().grounds["stone"], 0.4))
    c.fill(outline * 0.62 + (-1.2, 0.2), STONE)


def _lever(c: Canvas) -> None:
    _slab(c, 0, 2, 14, 18, STONE)
    c.fill(box(0, 2, 4.4, 12), INK)
    c.line([(0, 4), (6, -9)], 4.4, INK)
    c.line([(0, 4), (5.6, -8.2)], 1.8, palette()["steel"])
    c.disc((6.4, -9.6), 4.0, INK)
    c.disc((6.4, -9.6), 2.6, PLANK)


def _flag(c: Canvas) -> None:
    """A pole seen from above; its cloth blows to the east."""
    cloth = curve([(0, -1), (9, -5), (18, -2), (27, -6), (26, 6), (17, 9), (9, 5), (0, 8)], 5)
    c.line(np.r_[cloth, cloth[:1]], 2.8, INK)
    c.fill(cloth, palette()["yellow"])
    c.line([(8, -3), (9, 4)], 1.2, scaled(palette()["yellow"], 0.78), caps=False)
    c.line([(18, -1), (17, 8)], 1.2, scaled(palette()["yellow"], 0.78), caps=False)
    c.disc((0, 2), 4.0, INK)
    c.disc((0, 2), 2.4, PLANK)


PROPS: dict[str, Prop] = {
    "lever": Prop(28, 34, 5, _lever),
    "flag": Prop(64, 26, 20, _flag),
    "crate": Prop(28, 28, 7, _crate),
    "barrel": Prop(24, 24, 8, _barrel),
    "cart": Prop(92, 42, 7, _cart),
    "chest": Prop(30, 24, 5, _chest),
    "chest_open": Prop(30, 28, 5, _chest_open),
    "winch": Prop(56, 34, 7, _winch),
    "lamp": Prop(24, 24, 8, _lamp(True)),
    "lamp_off": Prop(24, 24, 8, _lamp(False)),
    "rock": Prop(28, 26, 5, _rock(1, 10)),
    "rock2": Prop(24, 22, 4, _rock(2, 8)),
    "rock3": Prop(20, 18, 3, _rock(5, 6)),
    "fence": Prop(32, 14, 4, _fence),
    "haystack": Prop(34, 34, 10, _haystack),
    "well": Prop(34, 34, 7, _well),
    "tent": Prop(72, 52, 13, _tent),
    "campfire": Prop(30, 30, 2, _campfire),
    "table": Prop(46, 24, 6, _table),
    "bench": Prop(32, 12, 3, _bench),
    "bed": Prop(58, 32, 4, _bed),
    "cannon": Prop(60, 32, 6, _cannon),
    "sacks": Prop(36, 32, 4, _sacks),
    "stump": Prop(24, 24, 3, _stump),
    "bush": Prop(36, 34, 6, _bush),
    "boat": Prop(70, 28, 4, _boat),
    "log": Prop(70, 36, 5, _log),
    "tower": Prop(100, 100, 22, _tower),
    "door": Prop(42, 40, 9, _door(False)),
    "door_open": Prop(42, 40, 6, _door(True)),
    "gate": Prop(74, 60, 12, _gate(False)),
    "gate_open": Prop(74, 60, 9, _gate(True)),
    "grille": Prop(38, 16, 6, _grille),
    "vent": Prop(28, 24, 5, _vent),
    "drawbridge": Prop(132, 66, 4, _leaf),
    "drawbridge_up": Prop(84, 66, 24, _leaf_up),
    "rail_stone": Prop(32, 16, 4, _rail_stone),
    "rail_plank": Prop(32, 14, 4, _rail_plank),
    "cutwater": Prop(30, 34, 5, _cutwater),
}


def prop(name: str) -> np.ndarray:
    """uint8[2 * height, 2 * width, 4]."""
    one = PROPS[name]
    canvas = Canvas(one.width * 2, one.height * 2, 4, 2)
    canvas.move_origin(one.width / 2, one.height / 2)
    one.draw(canvas)
    return canvas.rgba()


def bake(folder: Path) -> list[dict[str, object]]:
    """``props/<name>.png``; returns index rows."""
    rows: list[dict[str, object]] = []
    for name, one in PROPS.items():
        file = f"props/{name}.png"
        png.write(folder / file, prop(name))
        rows.append({"name": name, "file": file, "height": one.shadow, "size": [one.width / 32, one.height / 32]})
    return rows
