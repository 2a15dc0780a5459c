"""The guard dog from straight above, in every pose that a figure has.  Pixels at 32 a tile, +x is forward."""

from __future__ import annotations

import math

import numpy as np

from game.view.palette import palette, scaled
from tools.art.body import LYING, Part
from tools.art.geometry import curve, ellipse, limb, mirrored

NAME = "dogs"
"""What its sheets are called, where a person's bear the name of the side."""
COAT = (150, 104, 62)
_BACK, _DARK = scaled(COAT, 0.72), scaled(COAT, 0.5)
_STEP = {"walk1": 1.0, "walk2": 0.3, "walk3": -1.0, "walk4": -0.3, "crouch_walk1": 1.0, "crouch_walk2": -1.0}


def figure(pose: str) -> list[Part]:
    """The outlines of one dog, first drawn first."""
    if pose.startswith("dead"):
        return _on_its_side(1 if pose == "dead1" else -1)
    if pose == "asleep":
        return _curled()
    if pose in LYING:
        return _legs(0.0, 6.5) + _body() + _head(1.0)
    lunge = {"shoot": 4.0, "aim": 1.5, "hit": -3.0}.get(pose, 0.0)
    step = _STEP.get(pose, 0.0)
    return _tail(step) + _legs(step, 4.6) + _body() + _head(lunge)


def _tail(sway: float) -> list[Part]:
    return [Part(curve_band([(-11, 0), (-15.5, 1.2 + sway), (-19.5, 3.4 * sway - 1.0)], 3.2, 1.4), _BACK)]


def curve_band(points: list[tuple[float, float]], width: float, end_width: float) -> np.ndarray:
    """A bent limb: a band along a curve that tapers to its end."""
    line = curve(points, 6)
    d = np.gradient(line, axis=0)
    n = np.c_[-d[:, 1], d[:, 0]] / np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-6)[:, None]
    half = np.linspace(width, end_width, len(line))[:, None] / 2
    return np.r_[line + n * half, (line - n * half)[::-1]]


def _legs(step: float, reach: float) -> list[Part]:
    """Four paws; opposite ones go together."""
    out = []
    for x, side, way in ((7.0, -1, 1), (7.0, 1, -1), (-8.5, -1, -1), (-8.5, 1, 1)):
        foot = (x + 4.2 * step * way + 1.2, side * reach)
        out.append(Part(limb((x, side * 2.6), foot, 3.8, 3.0), _DARK))
    return out


def _body() -> list[Part]:
    half = [(10.0, 0.0), (8.4, -4.3), (3.0, -4.8), (-4.0, -3.7), (-9.5, -4.2), (-12.4, -2.0), (-12.8, 0.0)]
    saddle = [(5.5, 0.0), (4.0, -2.6), (-4.0, -2.2), (-10.0, -2.0), (-11.0, 0.0)]
    return [
        Part(curve(mirrored(half), 5, True), COAT),
        Part(curve(mirrored(saddle), 5, True), _BACK, False),
        Part(limb((9.4, -3.4), (9.4, 3.4), 2.2), palette()["vermilion"]),
    ]


def _head(forward: float) -> list[Part]:
    x = 13.2 + forward
    ears = [
        Part(np.array([(x - 3.2, s * 1.8), (x - 0.6, s * 2.2), (x - 3.8, s * 6.2), (x - 5.4, s * 4.6)]), _DARK)
        for s in (-1, 1)
    ]
    neck = Part(limb((9.0, 0), (x - 1, 0), 6.6, 6.0), COAT)
    skull = Part(ellipse(x, 0, 4.5, 4.0), COAT)
    muzzle = Part(limb((x + 2, 0), (x + 6.0, 0), 4.2, 3.0), _BACK)
    return [neck, skull, muzzle, Part(ellipse(x + 7.4, 0, 1.3, 1.5), (40, 34, 40), False), *ears]


def _on_its_side(side: int) -> list[Part]:
    """Legs stretched to one side, the tongue out."""
    legs = [Part(limb((x, 0), (x + 2.5, side * 11.0), 3.8, 2.6), _DARK) for x in (7.5, 4.5, -7.0, -10.0)]
    body = [(9.0, -3.6), (2.0, -4.6), (-8.0, -4.0), (-12.0, 0.0), (-8.0, 4.4), (2.0, 4.6), (9.0, 3.8)]
    head = [p.moved(0.0, side * 1.5, side * 0.35) for p in _head(0.0)]
    collar = Part(limb((9.0, -3.4), (9.6, 3.4), 2.2), palette()["vermilion"])
    return [*_tail(0.4), *legs, Part(curve(body, 5, True), COAT), collar, *head]


def _curled() -> list[Part]:
    """A ring with the nose on the tail."""
    a = np.linspace(-0.5, math.tau - 1.4, 26)
    width = 3.4 + 1.4 * np.sin(np.linspace(0, math.pi, 26))
    outer = np.c_[(7 + width) * np.cos(a), (6.4 + width) * np.sin(a)]
    inner = np.c_[(7 - width) * np.cos(a), (6.4 - width) * np.sin(a)]
    tail = Part(curve_band([(7.5, -4.5), (9.5, 0.5), (6.0, 5.5)], 3.2, 1.6), _BACK)
    head = [p.moved(6.0 - 13.2 * math.cos(1.9), -8.0 - 13.2 * math.sin(1.9), 1.9) for p in _head(0.0)]
    return [Part(np.r_[outer, inner[::-1]], COAT), tail, *head]
