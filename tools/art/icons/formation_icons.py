"""Icons of the formation bar: shapes as slots from above, and group settings.

The heading of a shape is up.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ai.formation.formation_shapes import Shape, form
from tools.art.drawing.pen import Pen

_COUNT = {Shape.COLUMN: 5, Shape.LINE: 5, Shape.CIRCLE: 8, Shape.STAGGERED_LINE: 6, Shape.SKIRMISH: 6, Shape.WEDGE: 7}
_REACH = 12.5


def _shape(shape: Shape) -> Callable[[Pen], None]:
    def draw(pen: Pen) -> None:
        slots = form(shape, _COUNT.get(shape, 7 if shape == Shape.VEE else 9), 1.0)
        points = np.column_stack([slots.right, -slots.forward])
        scale = min(_REACH / max(float(np.abs(points).max()), 1e-9), 8.5)
        front = slots.rank == 0
        for (x, y), first in zip((points * scale).tolist(), front.tolist(), strict=True):
            pen.disc(x, y, 3.5, pen.accent if first else pen.ink)

    return draw


def _loose(pen: Pen) -> None:
    for x, y in ((-11, -6), (-2, -11), (9, -8), (-7, 5), (4, 1), (12, 6), (0, 12)):
        pen.disc(x, y, 3.2)


def _keep(pen: Pen) -> None:
    for x, y in ((-6, -5), (5, -7), (-3, 6), (7, 4)):
        pen.disc(x, y, 3.2)
    for sx in (-1, 1):
        for sy in (-1, 1):
            pen.stroke([(13 * sx, 7 * sy), (13 * sx, 13 * sy), (7 * sx, 13 * sy)], 2.2, pen.accent)


def _play(pen: Pen) -> None:
    # Signs of a sports play: two units in their slots, a reserved slot, a cross, and the path of one unit.
    for x, y in ((-9, 8), (3, 11)):
        pen.disc(x, y, 3.4)
    pen.disc(10, -8, 5.0, pen.accent)
    pen.disc(10, -8, 2.2, pen.ground)
    for sx in (-1, 1):
        pen.stroke([(-9 - 4 * sx, -12), (-9 + 4 * sx, -4)], 2.4)
    pen.stroke([(5, 5), (8, -1)], 2.0, pen.accent)


def _arrows(pen: Pen, inward: bool) -> None:
    for side in (-1, 1):
        tip, tail = (4.5, 14.0) if inward else (14.0, 4.5)
        pen.stroke([(side * tail, 0), (side * tip, 0)], 2.6, pen.accent)
        back = 4.5 if inward else -4.5
        pen.stroke([(side * (tip + back), -4.5), (side * tip, 0), (side * (tip + back), 4.5)], 2.6, pen.accent)
    for x in (-11, 0, 11):
        pen.disc(x * (0.6 if inward else 1.0), 12, 3.0)


def _closer(pen: Pen) -> None:
    _arrows(pen, True)


def _wider(pen: Pen) -> None:
    _arrows(pen, False)


def _rally(pen: Pen) -> None:
    pen.stroke([(-4, 14), (-4, -13)], 2.6)
    pen.area([(-4, -13), (11, -8), (-4, -2)], pen.accent)
    for x in (-12, 4, 12):
        pen.disc(x, 12, 3.0)


def _slowest(pen: Pen) -> None:
    # A snail: all units walk at the speed of the slowest.
    pen.stroke([(-14, 11), (11, 11), (14, 3)], 3.0)
    angle = np.linspace(0.0, 4.4 * math.pi, 50)
    radius = 9.0 * (1.0 - angle / (5.0 * math.pi))
    pen.stroke(
        [(-1 + r * math.cos(a), 2 - r * math.sin(a)) for a, r in zip(angle, radius, strict=True)], 2.4, pen.accent
    )
    pen.disc(14, 1, 1.8)


def _together(pen: Pen) -> None:
    for x in (-10, 0, 10):
        pen.disc(x, 10, 3.6)
        pen.stroke([(x, 5), (x, -5)], 2.4, pen.accent)
        pen.area([(x, -13), (x + 4, -5), (x - 4, -5)], pen.accent)


def _split(pen: Pen) -> None:
    for side in (-1, 1):
        pen.disc(side * 10, -9, 3.4)
        pen.disc(side * 13, -1, 3.4)
        pen.stroke([(0, 12), (0, 6), (side * 8, 5)], 2.4, pen.accent)
        pen.stroke([(side * 5, 1.5), (side * 9, 5), (side * 5, 9)], 2.2, pen.accent)


def _merge(pen: Pen) -> None:
    for x, y in ((-4, -10), (4, -10), (-4, -2), (4, -2)):
        pen.disc(x, y, 3.4)
    for side in (-1, 1):
        pen.stroke([(side * 14, 8), (side * 5, 8)], 2.4, pen.accent)
        pen.stroke([(side * 9, 4), (side * 5, 8), (side * 9, 12)], 2.2, pen.accent)


def _company(pen: Pen) -> None:
    # Squads one behind the other, and a bracket that holds them together.
    for y in (-10, 0, 10):
        for x in (-2, 5, 12):
            pen.disc(x, y, 2.6)
    pen.stroke([(-7, -12), (-12, -12), (-12, 12), (-7, 12)], 2.4, pen.accent)
    pen.stroke([(-12, 0), (-7, 0)], 2.4, pen.accent)


def _matching(pen: Pen) -> None:
    # Assignment of units to slots: two lines that cross and one that does not.
    for x in (-11, 0, 11):
        pen.disc(x, 11, 3.4)
        pen.arc(x, -11, 3.2, 2.0, pen.ink, 0.0, math.tau)
    for a, b in ((-11, 0), (0, -11), (11, 11)):
        pen.stroke([(a, 6), (b, -6)], 2.2, pen.accent)


def _ranks(pen: Pen) -> None:
    # Rows of units with an arrow for the depth.
    for y in (-9, 0, 9):
        for x in (-12, -4, 4):
            pen.disc(x, y, 2.8)
    pen.stroke([(12, -11), (12, 11)], 2.4, pen.accent)
    for side in (-1, 1):
        pen.stroke([(8, side * 7), (12, side * 11), (16, side * 7)], 2.2, pen.accent)


FORMATION_ICONS: dict[str, Callable[[Pen], None]] = {
    "form_loose": _loose,
    "form_line": _shape(Shape.LINE),
    "form_column": _shape(Shape.COLUMN),
    "form_box": _shape(Shape.BOX),
    "form_wedge": _shape(Shape.WEDGE),
    "form_vee": _shape(Shape.VEE),
    "form_staggered": _shape(Shape.STAGGERED_LINE),
    "form_skirmish": _shape(Shape.SKIRMISH),
    "form_circle": _shape(Shape.CIRCLE),
    "form_keep": _keep,
    "form_play": _play,
    "form_closer": _closer,
    "form_wider": _wider,
    "form_rally": _rally,
    "form_slowest": _slowest,
    "form_together": _together,
    "form_split": _split,
    "form_merge": _merge,
    "form_company": _company,
    "form_matching": _matching,
    "form_ranks": _ranks,
}
