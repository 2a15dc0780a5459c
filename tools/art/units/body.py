"""Figures from straight above as lists of outlines.

Shoulders are 20 px wide at 32 px a tile, and +x is forward. Each pose has its own silhouette. A standing figure is
round, and a crouching one is a wedge with one knee out. A prone figure is a long cross. A dead one has spread limbs
and the hat beside it. Breeches are pale, so that legs differ from the coat at 32 px.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from game.view.figures.wardrobe import Cloth, Shape, cloth, hand, headgear, pack, weapon
from game.view.painting.outlines import box, curve, ellipse, limb, mirrored
from game.view.painting.palette import SideColours, palette

UPRIGHT = (
    "stand", "walk1", "walk2", "walk3", "walk4", "crouch", "crouch_walk1", "crouch_walk2",
    "aim", "shoot", "crouch_aim", "hit", "use", "carry",
)  # fmt: skip
LYING = ("prone", "crawl1", "crawl2", "prone_aim", "dead1", "dead2", "asleep")
HEIGHT = {"crouch": 6.0, "crouch_walk1": 6.0, "crouch_walk2": 6.0, "crouch_aim": 6.0} | dict.fromkeys(LYING, 3.0)
STANDING_HEIGHT = 9.0


def _arm(c: Cloth, shoulder: tuple[float, float], palm: tuple[float, float], width: float = 5.0) -> list[Shape]:
    """Return a sleeve, a broad pale cuff and a hand.

    These three tones stay visible at 32 px a tile.
    """
    s, h = np.array(shoulder), np.array(palm)
    wrist = s + (h - s) * 0.72
    cuff = limb((wrist[0], wrist[1]), tuple(s + (h - s) * 0.86), width - 0.5, width - 0.7)
    return [
        Shape(limb(shoulder, (wrist[0], wrist[1]), width, width - 0.8), c.sleeve),
        Shape(cuff, c.cuff),
        hand(*palm, c),
    ]


def _leg(c: Cloth, hip: tuple[float, float], foot: tuple[float, float], width: float = 6.0) -> list[Shape]:
    """Return pale breeches to the knee and a dark boot below."""
    h, f = np.array(hip), np.array(foot)
    knee = h + (f - h) * 0.6
    shin = Shape(limb((knee[0], knee[1]), foot, width - 0.8, width - 1.4), c.boot)
    return [shin, Shape(limb(hip, (knee[0], knee[1]), width, width - 0.6), c.breeches)]


def _torso(c: Cloth, half: float = 10.3, back: float = 5.6, tails: bool = True) -> list[Shape]:
    parts = []
    if tails:
        tail = [(1.0, -half * 0.72), (-5.5, -half * 0.70), (-10.4, -half * 0.5), (-8.6, -0.9)]
        parts.append(Shape(curve(mirrored(tail), 5, True), c.sleeve))
    k = half / 10.3
    coat = [
        (5.0, 0.0),
        (4.6, -4.5 * k),
        (4.2, -8.4 * k),
        (1.2, -half),
        (-3.0, -9.4 * k),
        (-back + 0.2, -5 * k),
        (-back, 0.0),
    ]
    parts.append(Shape(curve(mirrored(coat), 5, True), c.coat))
    if c.side.headgear in ("tricorne", "comb_helmet"):
        parts.append(Shape(limb((-5, -6.4 * k), (4.0, 5.2 * k), 1.9), c.strap, False))
        parts.append(Shape(limb((-5, 6.4 * k), (4.0, -5.2 * k), 1.9), c.strap, False))
    else:
        parts.append(Shape(limb((-5, -6.4 * k), (4.0, 5.2 * k), 1.9), c.strap, False))
    return parts


def _turned(parts: list[Shape], turn: float, dx: float = 0.0, dy: float = 0.0) -> list[Shape]:
    return [part.moved(dx, dy, turn) for part in parts]


def _ported(c: Cloth) -> list[Shape]:
    """Return arms and weapon, held across the chest and pointing half forward."""
    gun = weapon(c.side.headgear, (2.6, 8.2), -0.42)
    right, left = _arm(c, (1.6, 8.8), (6.6, 6.3)), _arm(c, (2.0, -8.6), (12.6, 3.7), 4.8)
    return right[:2] + left[:2] + gun + [right[2], left[2]]


def _levelled(c: Cloth, kick: float = 0.0) -> list[Shape]:
    """Return arms and weapon, aimed straight ahead from the cheek.

    The left arm is stretched under the barrel.
    """
    gun = weapon(c.side.headgear, (3.6 - kick, 5.2), -0.12, 17.4)
    right, left = _arm(c, (0.6, 9.0), (7.6 - kick, 5.4)), _arm(c, (2.0, -8.6), (15.0 - kick, 3.2), 4.8)
    return right[:2] + left[:2] + gun + [right[2], left[2]]


def _stand(c: Cloth, stride: float = 0.0, sway: float = 0.0) -> list[Shape]:
    legs = []
    for y, forward in ((-4.4, stride), (4.4, -stride)):
        reach = 9.2 * forward
        if abs(forward) > 0.3:
            legs += _leg(c, (-0.5 + reach * 0.2, y), (3.2 + reach, y), 5.6)
        legs.append(Shape(ellipse(4.6 + reach, y, 4.4, 2.8), c.boot))
    return legs + _turned(_torso(c) + pack(c) + _ported(c), sway) + _turned(headgear(c.side), sway * 0.3, 0.9, 0)


def _aim(c: Cloth, kick: float = 0.0) -> list[Shape]:
    legs = _leg(c, (0, -3.6), (10.0, -5.6), 5.8) + [Shape(ellipse(11.4, -5.8, 3.8, 2.6), c.boot)]
    legs += _leg(c, (-2, 4), (-9.0, 7.0), 5.8) + [Shape(ellipse(-9.2, 7.4, 3.4, 2.6), c.boot)]
    body = _turned(_torso(c) + pack(c), 0.30)
    return legs + body + _levelled(c, kick) + _turned(headgear(c.side), 0.04, 2.2 - kick * 0.4, 1.2)


def _crouch_legs(c: Cloth, stride: float = 0.0) -> list[Shape]:
    front, back = 11.0 + 3.0 * stride, -13.6 + 3.5 * stride
    far = _leg(c, (-5, 5.0), (back, 9.6), 6.4) + [Shape(ellipse(back - 2.0, 10.4, 3.3, 2.5, 0.25), c.boot)]
    knee = Shape(limb((-3.0, -5.6), (front - 3.4, -12.2), 7.4, 6.4), c.breeches)
    toe = Shape(ellipse(front + 0.2, -12.6, 4.4, 2.9, 0.1), c.boot)
    return [*far, toe, knee]


def _crouch(c: Cloth, stride: float = 0.0, aiming: bool = False) -> list[Shape]:
    """Return a crouching figure: a wedge with one knee far out to the left.

    One leg trails, the back is short and the head well forward.
    """
    back = [(5.4, 0.0), (5.2, -3.5), (4.6, -6.9), (1.0, -8.2), (-4.5, -7.2), (-8.4, -4.2), (-9.4, 0.0)]
    torso = [Shape(curve(mirrored(back), 5, True), c.coat), Shape(limb((-6, -5.4), (3.4, 4.6), 1.9), c.strap, False)]
    load = pack(c, -6.8)
    if aiming:
        gun = weapon(c.side.headgear, (5.4, 5.0), -0.10, 15.6)
        right, left = _arm(c, (2.0, 7.2), (9.0, 5.4), 4.8), _arm(c, (3.0, -6.6), (15.6, 3.4), 4.6)
    else:
        gun = weapon(c.side.headgear, (1.4, 8.6), -0.30, 16.6)
        right, left = _arm(c, (1.6, 7.2), (6.0, 7.8), 4.8), _arm(c, (3.5, -6.2), (12.4, 4.4), 4.6)
    arms = right[:2] + left[:2] + gun + [right[2], left[2]]
    return _crouch_legs(c, stride) + torso + load + arms + _turned(headgear(c.side), 0.0, 6.4, 0.2)


def _hit(c: Cloth) -> list[Shape]:
    legs = [Shape(ellipse(1.0, -5.6, 4.4, 2.8), c.boot), Shape(ellipse(7.0, 4.6, 4.4, 2.8), c.boot)]
    arms = _arm(c, (1.0, 9.2), (8.4, 16.0)) + _arm(c, (1.0, -9.2), (9.4, -13.6))
    gun = weapon(c.side.headgear, (4.0, 16.8), -0.02, 15.0)
    return legs + gun + _turned(_torso(c) + pack(c) + arms, -0.25, -1.5, 0) + _turned(headgear(c.side), -0.3, -2.6, 0.6)


def _use(c: Cloth) -> list[Shape]:
    legs = [Shape(ellipse(4.8, y, 4.4, 2.8), c.boot) for y in (-4.4, 4.4)]
    slung = weapon(c.side.headgear, (-10.0, 9.0), -1.05, 16.0)
    arms = _arm(c, (2.4, 8.4), (14.0, 4.6)) + _arm(c, (2.4, -8.4), (14.0, -4.6))
    return legs + _torso(c) + slung + arms + _turned(headgear(c.side), 0.0, 3.4, 0)


def _carry(c: Cloth) -> list[Shape]:
    p = palette()
    chest = [Shape(box(12.5, 0, 11.0, 17.0), (142, 98, 56))]
    chest += [Shape(box(12.5, y, 11.0, 2.4), p["yellow"], False) for y in (-5.2, 5.2)]
    chest.append(Shape(box(16.4, 0, 3.2, 3.4), p["yellow"]))
    legs = [Shape(ellipse(4.6, y, 4.4, 2.8), c.boot) for y in (-4.4, 4.4)]
    arms = _arm(c, (2.0, 8.8), (12.6, 9.4)) + _arm(c, (2.0, -8.8), (12.6, -9.4))
    return legs + _torso(c) + pack(c) + chest + arms + _turned(headgear(c.side), 0.0, 1.0, 0)


def _lying_legs(c: Cloth, left: float, right: float) -> list[Shape]:
    """Return two long legs to the back.

    ``left`` and ``right`` draw a knee up and out, for crawling.
    """
    parts: list[Shape] = []
    for sign, bend in ((-1, left), (1, right)):
        if bend > 0:
            knee = (-13.0, sign * (4.5 + 8.0 * bend))
            foot = (-22.0, sign * (7.0 + 3.0 * bend))
            parts += [
                Shape(limb(knee, foot, 5.2, 4.4), c.boot),
                Shape(limb((-8, sign * 3.4), knee, 6.6, 6.0), c.breeches),
            ]
        else:
            foot = (-26.5, sign * 6.8)
            parts += _leg(c, (-8.5, sign * 3.4), foot, 6.6)
        parts.append(Shape(ellipse(foot[0] - 2.2, foot[1] + sign * 0.8, 3.5, 2.6), c.boot))
    return parts


def _lying_torso(c: Cloth) -> list[Shape]:
    back = [(11.5, 0.0), (11, -4), (10, -8.4), (6, -9.8), (-1, -7.0), (-9, -6.2), (-13, -4.4), (-13.6, 0.0)]
    return [Shape(curve(mirrored(back), 5, True), c.coat), Shape(limb((-8, -5.0), (8, 6.4), 1.9), c.strap, False)]


def _prone(c: Cloth, left: float = 0.0, right: float = 0.0, aiming: bool = False) -> list[Shape]:
    """Return a prone figure: a long cross with elbows out."""
    butt, turn = ((15.0, 4.4), -0.08) if aiming else ((13.5, 8.6), -0.22)
    gun = weapon(c.side.headgear, butt, turn, 14.4)
    reach = 4.0 * (right - left)
    elbow_r, elbow_l = (14.0 + reach * 0.5, 13.2), (14.4 - reach * 0.5, -13.2)
    hand_r, hand_l = (16.6 + reach, 6.4), (21.0 - reach, 1.8 if aiming else -3.4)
    arms = [Shape(limb((7.5, 8.2), elbow_r, 5.0, 4.4), c.sleeve), Shape(limb((7.5, -8.2), elbow_l, 5.0, 4.4), c.sleeve)]
    arms += [Shape(limb(elbow_r, hand_r, 4.4, 3.8), c.cuff), Shape(limb(elbow_l, hand_l, 4.4, 3.8), c.cuff)]
    load = pack(c, -1.5)
    hands = [hand(*hand_r, c), hand(*hand_l, c)]
    return (
        _lying_legs(c, left, right)
        + _lying_torso(c)
        + load
        + arms
        + gun
        + hands
        + _turned(headgear(c.side), 0, 11.6, 0)
    )


def _dead(c: Cloth, pose: int) -> list[Shape]:
    """Return a dead figure on its back, with arms and legs spread.

    Hat and weapon lie beside it. The figure has no symmetry.
    """
    p = palette()
    legs = _leg(c, (-8, -3.6), (-24.0, -10.5 + 4 * pose), 6.6) + _leg(c, (-8, 3.6), (-19.0, 13.0 - 3 * pose), 6.6)
    legs += [
        Shape(ellipse(-26.0, -11.6 + 4 * pose, 3.2, 2.8), c.boot),
        Shape(ellipse(-20.8, 14.6 - 3 * pose, 3.2, 2.8), c.boot),
    ]
    arms = _arm(c, (6.5, 8.4), (11.0 - 9 * pose, 20.0), 5.0) + _arm(
        c, (6.5, -8.4), (20.0 - 16 * pose, -17.0 - 2 * pose), 5.0
    )
    shirt = Shape(
        curve(mirrored([(9.5, 0.0), (8, -2.2), (-2, -2.8), (-9, -2.0), (-10, 0.0)]), 5, True), p["rim"], False
    )
    face = [Shape(ellipse(14.2, 0.6, 5.0, 4.6), p["hair_brown"]), Shape(ellipse(13.2, 0.2, 3.6, 3.5), c.skin, False)]
    gun = weapon(c.side.headgear, (-6.0, 18.0 + pose), 0.25 - 0.5 * pose, 15.0)
    hat = _turned(headgear(c.side), 2.3, 22.0, 11.0 - 21.0 * pose)
    return [*gun, *legs, *arms, *_lying_torso(c)[:1], shirt, *face, *hat]


def _asleep(c: Cloth) -> list[Shape]:
    """Return a sleeping figure on one side, knees drawn up, head on an arm."""
    back = [(9.0, -3.0), (4.0, -8.6), (-4.0, -9.6), (-10.5, -6.0), (-11.0, 0.0), (-6.0, 3.4), (3.0, 4.0), (9.0, 2.0)]
    legs = [
        Shape(limb((-9, 0), (-1.5, 11.0), 7.2, 6.4), c.breeches),
        Shape(limb((-1.5, 11.0), (-11, 13.4), 5.4, 4.6), c.boot),
    ]
    legs.append(Shape(ellipse(-13.0, 13.2, 3.4, 2.8), c.boot))
    arm = _arm(c, (6.0, 3.0), (13.0, 8.6), 5.0)
    return [*legs, Shape(curve(back, 5, True), c.coat), *arm, *_turned(headgear(c.side), 0.9, 11.4, -1.2)]


POSES: dict[str, Callable[[Cloth], list[Shape]]] = {
    "stand": lambda c: _stand(c),
    "walk1": lambda c: _stand(c, 1.0, 0.16),
    "walk2": lambda c: _stand(c, 0.25, 0.05),
    "walk3": lambda c: _stand(c, -1.0, -0.16),
    "walk4": lambda c: _stand(c, -0.25, -0.05),
    "crouch": lambda c: _crouch(c),
    "crouch_walk1": lambda c: _crouch(c, 1.0),
    "crouch_walk2": lambda c: _crouch(c, -1.0),
    "aim": lambda c: _aim(c),
    "shoot": lambda c: _aim(c, 2.0),
    "crouch_aim": lambda c: _crouch(c, 0.0, True),
    "hit": _hit,
    "use": _use,
    "carry": _carry,
    "prone": lambda c: _prone(c),
    "crawl1": lambda c: _prone(c, 1.0, 0.0),
    "crawl2": lambda c: _prone(c, 0.0, 1.0),
    "prone_aim": lambda c: _prone(c, 0.0, 0.0, True),
    "dead1": lambda c: _dead(c, 0),
    "dead2": lambda c: _dead(c, 1),
    "asleep": _asleep,
}


def figure(side: SideColours, pose: str) -> list[Shape]:
    """Return the outlines of a figure that faces +x, in drawing order."""
    return POSES[pose](cloth(side))
