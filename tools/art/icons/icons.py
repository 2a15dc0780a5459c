"""Icons of the command card and of states.

All have lines of 2.5 px at 36 px, in ink and one accent colour.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from game.view.painting.outlines import curve, regular
from game.view.painting.palette import RGB, mix, palette
from tools.art.drawing import png
from tools.art.drawing.pen import STROKE, Pen
from tools.art.icons.formation_icons import FORMATION_ICONS

SIZES = (36, 72)
FULL_TURN = 2 * math.pi


def _stance(name: str) -> Callable[[Pen], None]:
    def draw(pen: Pen) -> None:
        pen.man(0, 0, name, pen.ink)
        pen.stroke([(-13, 15), (13, 15)], 1.6, pen.accent)

    return draw


def _move(pen: Pen) -> None:
    pen.stroke([(-11, 9), (-4, 3), (0, 6), (7, -2)], STROKE * 1.15)
    tip = [(13, -10), (9.5, 3.2), (0.5, -5.4)]
    pen.area(tip, pen.accent)
    pen.stroke([*tip, tip[0]], 1.6)


def _attack(pen: Pen) -> None:
    for m in (-1, 1):
        pen.stroke([(-11 * m, 11), (9 * m, -9)], STROKE * 1.3)
        pen.area([(6 * m, -11), (13 * m, -13), (11 * m, -6)], pen.accent)
        pen.stroke([(-10.5 * m, 3.5), (-3.5 * m, 10.5)])


def _attack_move(pen: Pen) -> None:
    pen.stroke([(-12, 11), (4, -5)], STROKE * 1.3)
    pen.stroke([(-12, 3.5), (-4.5, 11)])
    pen.area([(13, -13), (10.5, 1.2), (-1.2, -10.5)], pen.accent)
    pen.stroke([(13, -13), (10.5, 1.2), (-1.2, -10.5), (13, -13)], 1.6)
    pen.stroke([(3, 12), (12, 12)], 2.0, pen.accent)


def _patrol(pen: Pen) -> None:
    for m, start in ((1, 0.5), (-1, 0.5 + math.pi)):
        pen.arc(0, 0, 10.5, STROKE, pen.ink, start, start + 2.25)
        pen.area([(m * -14.0, m * 7.0), (m * -11.4, m * -3.4), (m * -4.6, m * 4.8)], pen.accent)


def _stop(pen: Pen) -> None:
    pen.area(regular(0, 0, 13.4, 8, math.pi / 8))
    red = palette()["vermilion"] if pen.accent != pen.ink else pen.ground
    pen.area(regular(0, 0, 10.9, 8, math.pi / 8), red)
    pen.stroke([(-4.6, 0), (4.6, 0)], 4, palette()["white"] if pen.accent != pen.ink else pen.ink)


def _hold(pen: Pen) -> None:
    shield = np.array([(-11, -11), (0, -13.5), (11, -11), (10, 3), (0, 14), (-10, 3)])
    pen.area(shield)
    pen.area(shield * 0.8, pen.accent)
    light = palette()["white"] if pen.accent != pen.ink else pen.ground
    pen.stroke([(0, -9), (0, 9)], 2.2, light)
    pen.stroke([(-7, -2), (7, -2)], 2.2, light)


def _hide(pen: Pen) -> None:
    for i, height in enumerate((10, 16, 13, 18, 11)):
        pen.stroke([(-11 + i * 5.5, 13), (-10.5 + i * 5.2, 13 - height)], 2)
        if i in (1, 3):
            pen.stroke([(-10.5 + i * 5.2, 13 - height), (-10.5 + i * 5.2, 18 - height)], 3.6)
    pen.disc(0, 3, 4.2, pen.accent)
    pen.stroke([(0, 9), (0, 12)], 6, pen.accent)


def _stone(pen: Pen) -> None:
    path = curve([(-12, 9), (-4, -9), (7, -8)], 8)
    pen.canvas.line(path + 18, 2, pen.ink, dash=(3.4, 3))
    pen.disc(9, -4, 5.6)
    pen.disc(8.6, -4.4, 3.8, mix(palette().grounds["stone"], palette()["paper"], 0.3))
    pen.arc(9, 9, 4.0, 1.8, pen.accent, 3.5, 5.9)
    pen.arc(9, 11, 8.0, 1.8, pen.accent, 3.7, 5.7)


def _lamp(pen: Pen) -> None:
    pen.area([(-6, -6), (6, -6), (8, 9), (-8, 9)])
    pen.area([(-3.8, -3.8), (3.8, -3.8), (5.2, 6.8), (-5.2, 6.8)], palette()["lamp"])
    pen.arc(0, -8, 4.5, 2, pen.ink, math.pi, FULL_TURN)
    pen.stroke([(-9, 11), (9, 11)], 2.6)
    pen.stroke([(-12, -12), (12, 13)], 2.8, pen.accent)


def _whistle(pen: Pen) -> None:
    pen.disc(-3, 3, 7.8)
    pen.disc(-3, 3, 4.9, pen.ground)
    pen.disc(-3, 3, 2.0)
    pen.area([(-4, -5), (12, -5), (12, 0.5), (3, 2)])
    for a, b in (((6, -9), (7.5, -13)), ((11, -9), (14, -12.5)), ((1, -9), (0, -13))):
        pen.stroke([a, b], 2, pen.accent)


def _door(pen: Pen) -> None:
    pen.area([(-9, -13), (4, -13), (4, 13), (-9, 13)])
    pen.area([(-6.6, -10.6), (1.6, -10.6), (1.6, 13), (-6.6, 13)], pen.ground)
    pen.area([(1.6, -10.6), (10, -6), (10, 16), (1.6, 13)], pen.accent)
    pen.disc(4.6, 3, 1.5, palette()["white"])


def _take_out(pen: Pen) -> None:
    pen.man(4, 0, "stand", mix(pen.ink, pen.ground, 0.4))
    pen.stroke([(-13, 9), (-3, 1), (4, -4)], STROKE * 1.3, pen.accent)
    pen.stroke([(-13, -6), (-6, -9)], 2)
    pen.stroke([(-13, -1), (-8, -3)], 2)


def _drag(pen: Pen) -> None:
    pen.man(-1, -2, "prone", pen.ink)
    pen.stroke([(3, -8), (-9, -8)], STROKE, pen.accent)
    pen.area([(-15, -8), (-8, -12.8), (-8, -3.2)], pen.accent)


def _vent(pen: Pen) -> None:
    pen.area([(-12, -9), (12, -9), (12, 11), (-12, 11)])
    pen.area([(-9.6, -6.6), (9.6, -6.6), (9.6, 8.6), (-9.6, 8.6)], pen.ground)
    for y in (-3.5, 1, 5.5):
        pen.stroke([(-7.4, y), (7.4, y)], 2, pen.accent if y == 1 else pen.ink)


def _sneak(pen: Pen) -> None:
    pen.man(-3, 1, "crouch", pen.ink)
    for lid in (-4.2, 4.2):
        pen.stroke(curve([(1, -9), (8, -9 + lid), (15, -9)], 8), 1.6)
    pen.disc(8, -9, 2.0, pen.accent)
    pen.stroke([(2, -3.5), (14.5, -14.5)], 2.2, pen.accent)


def _plan(pen: Pen) -> None:
    pen.arc(0, 1.5, 11, STROKE, pen.ink, 0, FULL_TURN)
    pen.stroke([(-3, -13.6), (3, -13.6)], STROKE)
    pen.stroke([(0, -13), (0, -10)], STROKE)
    for x in (-3.2, 3.2):
        pen.stroke([(x, -3), (x, 6)], 3.0, pen.accent)


def _search(pen: Pen) -> None:
    pen.arc(-3, -3, 8, STROKE, pen.ink, 0, FULL_TURN)
    pen.stroke([(3, 3), (12, 12)], STROKE * 1.7)
    pen.disc(-3, -3, 3, pen.accent)


def _use(pen: Pen) -> None:
    for x, y in ((-5.2, -8.0), (-1.2, -11.0), (3.0, -10.4), (7.0, -6.8)):
        pen.stroke([(x * 0.8, 2), (x, y)], 3.6)
    pen.stroke([(-4.6, 6), (-11.0, 0.4)], 3.8)
    pen.area(curve([(-5.8, 0), (7.4, -1.4), (8, 6), (4.2, 13), (-3.2, 13), (-7, 7)], 6, True))
    pen.disc(0.8, 5.6, 3.4, pen.accent)


def _eye(pen: Pen) -> None:
    for lid in (-8.5, 8.5):
        pen.stroke(curve([(-14, 0), (0, lid), (14, 0)], 8))
    pen.disc(0, 0, 4.6, pen.accent)
    pen.disc(0, 0, 2.0)


def _eye_shut(pen: Pen) -> None:
    pen.stroke(curve([(-14, -3), (0, 6.5), (14, -3)], 8))
    for a, b in (((-9, 2.2), (-12, 6.5)), ((0, 5.0), (0, 10.5)), ((9, 2.2), (12, 6.5))):
        pen.stroke([a, b])


def _ear(pen: Pen) -> None:
    pen.stroke(curve([(-5, 3), (-7, -5), (-1, -11), (6, -7), (5, -1), (1, 4), (-1, 10), (-6, 10)], 6))
    pen.stroke(curve([(-1.6, -3), (1.4, -5.6), (2.6, -2.4), (-0.6, 1.4)], 6), 2)
    for r in (4, 8):
        pen.arc(8, -1, r, 2, pen.accent, -0.8, 0.8)


def _alarm(pen: Pen) -> None:
    bell = [(-10, 7), (-7.4, 3), (-6.6, -6), (0, -11.6), (6.6, -6), (7.4, 3), (10, 7)]
    pen.area(curve(bell, 6), pen.ink)
    pen.disc(0, 10.4, 3.2, pen.accent)
    for m in (-1, 1):
        pen.stroke([(11 * m, -9), (14 * m, -12)], 2, pen.accent)
        pen.stroke([(12.5 * m, -3), (16 * m, -4)], 2, pen.accent)


def _moon(pen: Pen) -> None:
    a = np.linspace(-0.55 * math.pi, 0.55 * math.pi, 24) + math.pi * 0.82
    outer = np.c_[12.5 * np.cos(a), 12.5 * np.sin(a)]
    inner = np.c_[4.6 + 9.4 * np.cos(a), -2.9 + 9.4 * np.sin(a)]
    pen.area(np.r_[outer, inner[::-1]])


def _sun(pen: Pen) -> None:
    pen.disc(0, 0, 6.4)
    pen.disc(0, 0, 4.4, pen.accent)
    for i in range(8):
        c, s = math.cos(i * math.pi / 4), math.sin(i * math.pi / 4)
        pen.stroke([(9.4 * c, 9.4 * s), (13.4 * c, 13.4 * s)], 2.4)


def _chest(pen: Pen) -> None:
    wood = (160, 112, 64)
    pen.area([(-13, -3), (-13, 11), (13, 11), (13, -3)])
    pen.area([(-10.6, 1), (-10.6, 8.6), (10.6, 8.6), (10.6, 1)], wood)
    pen.area([(-13, -2), (-10, -10), (10, -10), (13, -2)])
    pen.area([(-9.6, -4.2), (-8, -7.6), (8, -7.6), (9.6, -4.2)], wood)
    pen.area([(-3, -2), (3, -2), (3, 5), (-3, 5)], palette()["yellow"])


def _play(pen: Pen) -> None:
    pen.area([(-8, -11), (11, 0), (-8, 11)])


def _pause(pen: Pen) -> None:
    for x in (-8.0, 2.4):
        pen.area([(x, -10.5), (x + 5.6, -10.5), (x + 5.6, 10.5), (x, 10.5)])


def _faster(pen: Pen) -> None:
    for x in (-11.0, 1.0):
        pen.area([(x, -9), (x + 11, 0), (x, 9)])


def _step(pen: Pen) -> None:
    pen.area([(-9, -10), (5, 0), (-9, 10)])
    pen.area([(6, -10), (10, -10), (10, 10), (6, 10)])


def _flag(pen: Pen) -> None:
    pen.stroke([(-7, 14), (-7, -13)])
    pen.area([(-6, -13), (11, -8), (-6, -2)], pen.accent)
    pen.stroke([(-6, -13), (11, -8), (-6, -2)], 1.6)


def _note(pen: Pen) -> None:
    pen.area([(-13, -5), (-7, -5), (0, -11), (0, 11), (-7, 5), (-13, 5)])
    for r in (6, 11):
        pen.arc(2, 0, r, 2.2, pen.accent, -0.8, 0.8)


def _gear(pen: Pen) -> None:
    for i in range(8):
        c, s = math.cos(i * math.pi / 4), math.sin(i * math.pi / 4)
        pen.stroke([(6 * c, 6 * s), (12 * c, 12 * s)], 4.4)
    pen.disc(0, 0, 9)
    pen.disc(0, 0, 4.2, pen.accent)


def _check(pen: Pen) -> None:
    pen.stroke([(-10, 1), (-3, 8), (11, -9)], 4.2, pen.accent)


def _cross(pen: Pen) -> None:
    pen.stroke([(-8, -8), (8, 8)], 4.2)
    pen.stroke([(8, -8), (-8, 8)], 4.2)


ICONS: dict[str, Callable[[Pen], None]] = {
    "move": _move,
    "attack": _attack,
    "attack_move": _attack_move,
    "patrol": _patrol,
    "stop": _stop,
    "hold": _hold,
    "stand": _stance("stand"),
    "crouch": _stance("crouch"),
    "prone": _stance("prone"),
    "hide": _hide,
    "stone": _stone,
    "lamp": _lamp,
    "whistle": _whistle,
    "door": _door,
    "take_out": _take_out,
    "drag": _drag,
    "vent": _vent,
    "use": _use,
    "eye": _eye,
    "eye_shut": _eye_shut,
    "ear": _ear,
    "alarm": _alarm,
    "moon": _moon,
    "sun": _sun,
    "chest": _chest,
    "play": _play,
    "pause": _pause,
    "faster": _faster,
    "step": _step,
    "flag": _flag,
    "sound": _note,
    "options": _gear,
    "check": _check,
    "cross": _cross,
    **FORMATION_ICONS,
    "sneak": _sneak,
    "plan": _plan,
    "search": _search,
}


def schemes() -> dict[str, tuple[RGB, RGB, RGB]]:
    """Return scheme name -> ink, accent, and ground below the icon."""
    p = palette()
    plate, dark, rim = p["plate"], (54, 59, 82), p["rim"]
    off, off_night = mix(p["ink"], plate, 0.62), mix(rim, dark, 0.62)
    return {
        "day": (p["ink"], p["blue"], mix(plate, p["white"], 0.35)),
        "on": (p["white"], p["yellow"], p["blue"]),
        "off": (off, off, plate),
        "night": (rim, (122, 176, 240), dark),
        "night_off": (off_night, off_night, dark),
        "amber": (p["ink"], p["amber"], plate),
    }


def icon(name: str, scheme: str, size: int) -> np.ndarray:
    """Return the picture of an icon, uint8[size, size, 4]."""
    pen = Pen(size, *schemes()[scheme])
    ICONS[name](pen)
    return pen.canvas.rgba()


def bake(folder: Path) -> list[dict[str, object]]:
    """Write one strip for each scheme and size; return index rows.

    Columns are in the order of ICONS.
    """
    rows: list[dict[str, object]] = []
    for scheme in schemes():
        for size in SIZES:
            name = f"icons/{scheme}_{size}.png"
            png.write(folder / name, np.concatenate([icon(key, scheme, size) for key in ICONS], axis=1))
            row: dict[str, object] = {"name": f"icons.{scheme}.{size}", "file": name, "cell": [size, size]}
            rows.append(row | {"anchor": [size / 2, size / 2], "columns": list(ICONS)})
    return rows
