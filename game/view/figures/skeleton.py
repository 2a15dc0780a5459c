"""Skeleton: turns a pose, a row of numbers, into the shapes of a figure.

Lengths are in pixels at 32 a tile, +x is forward, +y is the right hand's side; angles are in degrees clockwise.  A pose
is one float64 row in the order of ``PARAMETERS``, so poses blend and add like numbers.
"""

from __future__ import annotations

import math

import numpy as np

from ai.animation.pose_layers import turned
from game.view.figures.wardrobe import Cloth, Shape, hand, headgear, pack, weapon
from game.view.painting.outlines import box, curve, ellipse, limb, mirrored
from game.view.painting.palette import palette

WIDTHS = {
    "hip": 2, "left_knee": 2, "left_foot": 2, "right_knee": 2, "right_foot": 2, "lie": 1,
    "body": 2, "twist": 1, "bend": 1, "tails": 1, "pack": 1, "back_down": 1,
    "right_hand": 2, "left_hand": 2, "elbow": 1, "gun": 3, "gun_length": 1, "hold": 1, "thing": 1,
    "head": 2, "look": 1, "bare": 1, "hat": 3, "height": 1,
}  # fmt: skip
"""Numbers of each parameter of a pose."""
_STARTS = np.concatenate([[0], np.cumsum(list(WIDTHS.values()))])
PLACE = {name: slice(int(_STARTS[i]), int(_STARTS[i + 1])) for i, name in enumerate(WIDTHS)}
SIZE = int(_STARTS[-1])
NO_GUN, IN_HANDS, SLUNG, ON_GROUND = range(4)
"""Values of ``hold``."""
NO_THING, CHEST, STONE = range(3)
"""Values of ``thing``: what the hands carry."""
STEPPED = ("hold", "thing", "bare", "pack", "back_down")
"""Parameters that switch at the middle of a blend."""
_STEPPED_AT = np.array([PLACE[name].start for name in STEPPED])
CIRCLE = np.zeros(SIZE)
"""Whole turn of each number of a pose in degrees; 0 for a length."""
CIRCLE[[PLACE["twist"].start, PLACE["look"].start, PLACE["gun"].stop - 1, PLACE["hat"].stop - 1]] = 360.0
LEGS, TORSO, HEAD = range(3)
"""Layers of a figure, the lowest first."""

_BACKS = np.array([
    [(5.0, 0.0), (4.6, -4.5), (4.2, -8.4), (1.2, -10.3), (-3.0, -9.4), (-5.4, -5.0), (-5.6, 0.0)],
    [(5.8, 0.0), (5.6, -3.9), (4.8, -7.6), (0.8, -9.2), (-5.0, -8.2), (-9.4, -4.6), (-10.4, 0.0)],
    [(11.5, 0.0), (11.0, -4.0), (9.6, -8.6), (4.0, -9.6), (-4.0, -6.8), (-12.2, -5.6), (-13.6, 0.0)],
])  # fmt: skip
"""Half outlines of a back that stands, crouches and lies, front to rear."""
_SHOULDERS = np.array([(1.0, 8.9), (2.2, 7.6), (7.0, 8.2)])
_STRAPS = np.array([(-5.0, 4.0, 6.4, 5.2), (-7.0, 4.2, 5.6, 5.4), (-9.0, 8.5, 4.9, 6.4)])


def blended(a: np.ndarray, b: np.ndarray, share: np.ndarray | float) -> np.ndarray:
    """Return poses ``share`` (0..1) of the way from ``a`` to ``b``.

    Angles go the shorter way round.
    """
    out = turned(a, b, share, CIRCLE)
    late = np.broadcast_to(np.asarray(share) >= 0.5, (*out.shape[:-1], 1))
    stepped = np.where(late, b[..., _STEPPED_AT], a[..., _STEPPED_AT])
    out[..., _STEPPED_AT] = stepped
    return out


def _at(pose: np.ndarray, name: str) -> tuple[float, ...]:
    return tuple(pose[PLACE[name]].tolist())


def _one(pose: np.ndarray, name: str) -> float:
    return float(pose[PLACE[name].start])


def _of_bend(table: np.ndarray, bend: float) -> np.ndarray:
    """Row of a table of stand, crouch and prone, between rows."""
    low = min(max(int(bend), 0), 1)
    row: np.ndarray = table[low] + (table[low + 1] - table[low]) * (bend - low)
    return row


def shapes(cloth: Cloth, pose: np.ndarray, layer: int) -> list[Shape]:
    """Return the shapes of one layer, the lowest first."""
    if layer == LEGS:
        return _legs(cloth, pose)
    return _torso(cloth, pose) if layer == TORSO else headgear(cloth.side)


def _legs(c: Cloth, pose: np.ndarray) -> list[Shape]:
    hip_x, hip_y = _at(pose, "hip")
    lie = _one(pose, "lie")
    out: list[Shape] = []
    for sign, knee_name, foot_name in ((-1, "left_knee", "left_foot"), (1, "right_knee", "right_foot")):
        knee, foot = _at(pose, knee_name), _at(pose, foot_name)
        hip = (hip_x, hip_y + sign * 3.7)
        shin = math.atan2(foot[1] - knee[1], foot[0] - knee[0])
        # An upright foot points ahead; a lying one is the end of its leg.
        toe = lie * (shin if foot[0] >= knee[0] or lie > 0.5 else 0.0)
        out.append(Shape(limb((knee[0], knee[1]), (foot[0], foot[1]), 5.2, 4.4), c.boot))
        long = 4.5 - 1.0 * lie
        ahead = 1.6 * (1 - lie)
        out.append(Shape(ellipse(foot[0] + ahead, foot[1], long, 2.9, toe + sign * 0.10 * (1 - lie)), c.boot))
        out.append(Shape(limb(hip, (knee[0], knee[1]), 6.6, 5.8), c.breeches))
    return out


def _turned(parts: list[Shape], degrees: float, dx: float = 0.0, dy: float = 0.0) -> list[Shape]:
    return [part.moved(dx, dy, math.radians(degrees)) for part in parts]


def _back(c: Cloth, pose: np.ndarray) -> list[Shape]:
    bend, tails = _one(pose, "bend"), _one(pose, "tails")
    half = [(float(x), float(y)) for x, y in _of_bend(_BACKS, bend)]
    out = []
    if tails > 0.05:
        tail = [(1.0, -7.4), (-5.5, -7.2), (-5.5 - 4.9 * tails, -5.2), (-5.0 - 3.6 * tails, -0.9)]
        out.append(Shape(curve(mirrored(tail), 5, True), c.sleeve))
    out.append(Shape(curve(mirrored(half), 5, True), c.coat))
    if _one(pose, "back_down") > 0.5:
        shirt = [(9.5, 0.0), (8.0, -2.2), (-2.0, -2.8), (-9.0, -2.0), (-10.0, 0.0)]
        return [*out, Shape(curve(mirrored(shirt), 5, True), palette()["rim"], False)]
    rear, front, y0, y1 = _of_bend(_STRAPS, bend).tolist()
    both = c.side.headgear in ("tricorne", "comb_helmet")
    for sign in (1, -1) if both else (1,):
        out.append(Shape(limb((rear, -sign * y0), (front, sign * y1), 1.9), c.strap, False))
    if _one(pose, "pack") > 0.5:
        out += pack(c, -5.2 - min(bend, 1.0) * 1.4 + max(bend - 1.0, 0.0) * 5.0)
    return out


def _arm(c: Cloth, shoulder: tuple[float, float], to: tuple[float, ...], sign: int, elbow: float) -> list[Shape]:
    """Return an arm with a broad pale cuff.

    The elbow points outwards as far as the arm is not stretched.
    """
    reach = math.dist(shoulder, to)
    out = elbow * math.sqrt(max(19.0**2 - reach * reach, 0.0)) / 2 * sign
    along = ((to[0] - shoulder[0]) / max(reach, 1e-6), (to[1] - shoulder[1]) / max(reach, 1e-6))
    middle = ((shoulder[0] + to[0]) / 2 - along[1] * out, (shoulder[1] + to[1]) / 2 + along[0] * out)
    wrist = (middle[0] + (to[0] - middle[0]) * 0.58, middle[1] + (to[1] - middle[1]) * 0.58)
    rim = (middle[0] + (to[0] - middle[0]) * 0.84, middle[1] + (to[1] - middle[1]) * 0.84)
    return [
        Shape(limb(shoulder, middle, 5.2, 4.8), c.sleeve),
        Shape(limb(middle, wrist, 4.8, 4.3), c.sleeve),
        Shape(limb(wrist, rim, 4.6, 4.3), c.cuff),
    ]


def _thing(pose: np.ndarray) -> list[Shape]:
    p, kind = palette(), round(_one(pose, "thing"))
    if kind == CHEST:
        bands = [Shape(box(12.5, y, 11.0, 2.4), p["yellow"], False) for y in (-5.2, 5.2)]
        return [Shape(box(12.5, 0, 11.0, 17.0), (142, 98, 56)), *bands, Shape(box(16.4, 0, 3.2, 3.4), p["yellow"])]
    if kind == STONE:
        x, y = _at(pose, "right_hand")
        return [Shape(ellipse(x + 2.6, y, 2.6, 2.3), p.grounds["stone"])]
    return []


def _torso(c: Cloth, pose: np.ndarray) -> list[Shape]:
    bend, twist, elbow = _one(pose, "bend"), _one(pose, "twist"), _one(pose, "elbow")
    sx, sy = _of_bend(_SHOULDERS, bend).tolist()
    hold = round(_one(pose, "hold"))
    x, y, turn = _at(pose, "gun")
    gun = weapon(c.side.headgear, (x, y), math.radians(turn), _one(pose, "gun_length")) if hold else []
    right, left = _at(pose, "right_hand"), _at(pose, "left_hand")
    arms = _arm(c, (sx, sy), right, 1, elbow) + _arm(c, (sx, -sy), left, -1, elbow)
    hands = [hand(right[0], right[1], c), hand(left[0], left[1], c)]
    thing = _thing(pose)
    back = _back(c, pose)
    if hold == SLUNG:
        body = back + gun + arms + thing + hands
    elif hold == IN_HANDS:
        body = back + arms + gun + thing + hands
    else:
        body = back + thing + arms + hands
    dx, dy = _at(pose, "body")
    out = (gun if hold == ON_GROUND else []) + _turned(body, twist, dx, dy)
    if _one(pose, "bare") > 0.5:
        p = palette()
        hx, hy = _at(pose, "head")
        hair = [Shape(ellipse(0, 0, 5.0, 4.6), p["hair_brown"]), Shape(ellipse(-1.0, 0, 3.6, 3.5), c.skin, False)]
        out += _turned(hair if _one(pose, "back_down") > 0.5 else hair[:1], _one(pose, "look"), hx, hy)
    return out


def head_place(pose: np.ndarray) -> tuple[float, float, float]:
    """Return x, y and turn in degrees of the headgear against the torso."""
    if _one(pose, "bare") > 0.5:
        x, y, turn = _at(pose, "hat")
        return x, y, turn
    x, y = _at(pose, "head")
    return x, y, _one(pose, "look")


def height_of(pose: np.ndarray) -> float:
    """Return the length of the shadow in pixels at 32 a tile."""
    return _one(pose, "height")
