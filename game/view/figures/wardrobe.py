"""Cloth, weapons and headgear of a side as flat shapes from straight above.

+x is forward; lengths are pixels at 32 a tile.  Shoulders are 20 px wide.  Breeches are pale so that legs read against
the coat; a plain large headgear tells the side without colour.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from game.view.painting.outlines import Outline, box, curve, ellipse, limb, mirrored
from game.view.painting.palette import RGB, SideColours, mix, palette, scaled


@dataclass(frozen=True)
class Shape:
    """Flat shape; ``inked`` shapes get the thin inner line."""

    outline: Outline
    colour: RGB
    inked: bool = True

    def moved(self, dx: float, dy: float, turn: float = 0.0) -> Shape:
        """Return the shape turned about the origin, then shifted."""
        c, s = math.cos(turn), math.sin(turn)
        turned = self.outline @ np.array([[c, s], [-s, c]])
        return Shape(turned + (dx, dy), self.colour, self.inked)


@dataclass(frozen=True)
class Cloth:
    """The colours one side wears."""

    side: SideColours
    coat: RGB
    sleeve: RGB
    cuff: RGB
    breeches: RGB
    boot: RGB
    strap: RGB
    pack: RGB
    skin: RGB


def cloth(side: SideColours) -> Cloth:
    """Return the cloth of a side, derived from its colour."""
    p = palette()
    pale = side.headgear == "cowl"
    uniform = side.headgear in ("tricorne", "comb_helmet")
    return Cloth(
        side=side,
        coat=mix(scaled(side.colour, 0.96), p["paper"], 0.05) if pale else scaled(side.colour, 1.08),
        sleeve=scaled(side.colour, 0.82),
        cuff=p["rim"] if uniform else scaled(side.colour, 0.62),
        breeches=side.breeches,
        boot=p["boot"],
        strap=p["white"] if uniform else p["leather"],
        pack=p["leather"],
        skin=p["skin"],
    )


def weapon(headgear: str, butt: tuple[float, float], turn: float, length: float = 18.4) -> list[Shape]:
    """Carbine, musket with bayonet, pitchfork or bow, from its butt along ``turn``."""
    p = palette()
    wood, steel, ash = p["gun_wood"], p["steel"], (150, 112, 66)
    c, s = math.cos(turn), math.sin(turn)

    def at(share: float, aside: float = 0.0) -> tuple[float, float]:
        return butt[0] + c * length * share - s * aside, butt[1] + s * length * share + c * aside

    if headgear == "tricorne":
        return [Shape(limb(at(-0.04), at(0.58), 4.2, 3.0), wood), Shape(limb(at(0.5), at(1.06), 2.2), steel)]
    if headgear == "comb_helmet":
        blade = np.array([at(1.04, -1.3), at(1.42), at(1.04, 1.3)])
        stock = Shape(limb(at(-0.04), at(0.78), 4.0, 2.8), wood)
        return [stock, Shape(limb(at(0.62), at(1.08), 2.1), steel), Shape(blade, p["white"])]
    if headgear == "straw_hat":
        prongs = [Shape(limb(at(1.0, k), at(1.28, k), 1.7), steel) for k in (-3.2, 0, 3.2)]
        return [Shape(limb(at(-0.2), at(1.0), 2.6), ash), *prongs, Shape(limb(at(1.0, -3.2), at(1.0, 3.2), 2.0), steel)]
    d, n, a, middle = np.array([c, s]), np.array([-s, c]), np.linspace(-1, 1, 15), np.array(butt)
    arc = np.c_[
        middle[0] + d[0] * (length * 0.86 - 6 * a * a) + n[0] * 12 * a,
        middle[1] + d[1] * (length * 0.86 - 6 * a * a) + n[1] * 12 * a,
    ]
    string = Shape(np.r_[arc[:1], arc[-1:], arc[-1:] - d * 0.7, arc[:1] - d * 0.7], p["rim"], False)
    return [string, Shape(limb(at(0.1), at(1.08), 1.8), ash), Shape(np.r_[arc, (arc - d * 2.3)[::-1]], wood)]


def _tricorne(radius: float) -> Outline:
    points = []
    for a in (0, 120, 240):
        for da, r in ((-34, 0.70), (-9, 0.98), (9, 0.98), (34, 0.70)):
            t = math.radians(a + da)
            points.append((radius * r * math.cos(t) * (1.04 if a == 0 else 1), radius * r * math.sin(t)))
    return curve(points, 5, True)


def headgear(side: SideColours) -> list[Shape]:
    """Return a large plain shape about the origin.

    It shows the side without colour.
    """
    p, c = palette(), side.colour
    if side.headgear == "tricorne":
        crown = Shape(ellipse(-0.2, 0, 3.4, 3.3), scaled(mix(c, (255, 255, 255), 0.12), 1.2), False)
        return [Shape(_tricorne(10.2), p["rim"]), Shape(_tricorne(7.5), scaled(c, 0.5), False), crown]
    if side.headgear == "comb_helmet":
        peak = Shape(curve([(3, -5), (8.4, -2.9), (9.2, 0), (8.4, 2.9), (3, 5)], 6), scaled(c, 0.55))
        comb = Shape(limb((-7.6, 0), (6.2, 0), 3.4, 2.6), p["white"])
        return [peak, Shape(ellipse(0, 0, 6.7, 6.5), scaled(c, 1.02)), comb]
    if side.headgear == "straw_hat":
        rings = [(9.4, c, True), (6.6, scaled(c, 0.86), False), (4.8, (150, 62, 40), False)]
        brim = [Shape(ellipse(0, 0, r, r * 0.98), colour, inked) for r, colour, inked in rings]
        return [*brim, Shape(ellipse(0, 0, 3.7, 3.6), mix(c, (255, 255, 255), 0.4), False)]
    drop = [(6.8, 0.0), (4.6, -4.8), (-1, -6.4), (-6.4, -3.6), (-12.5, 0.0)]
    hood = Shape(curve(mirrored(drop), 5, True), c)
    face = Shape(ellipse(3.3, 0, 3.0, 3.5), (92, 84, 84), False)
    return [hood, face, Shape(limb((0, 0), (-10, 0), 1.2, 0.9), (170, 160, 150), False)]


def hand(x: float, y: float, c: Cloth) -> Shape:
    """Return a hand."""
    return Shape(ellipse(x, y, 2.5, 2.4), c.skin)


def pack(c: Cloth, x: float = -5.2) -> list[Shape]:
    """Return a pack with a rolled blanket on the back."""
    body = Shape(box(x, 0, 4.8, 7.4), c.pack)
    roll = Shape(limb((x - 2.6, -3.4), (x - 2.6, 3.4), 2.6), mix(c.pack, palette()["rim"], 0.45))
    return [body, roll]
