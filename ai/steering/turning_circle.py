"""Turning circles: units that drive the shorter turn and then straight.

Source: AI Game Programming Wisdom, 4.4.
"""

from __future__ import annotations

import math

import numpy as np

from ai.kernels import device, kernel
from ai.steering.walls import tile_open


@device
def turn_left_over(x: float, y: float, facing: float, gx: float, gy: float, radius: float, side: int) -> float:
    """Radians to turn to one side on a circle until the goal is straight ahead; negative when it lies inside it."""
    cx = x + radius * math.cos(facing + side * 0.5 * math.pi)
    cy = y + radius * math.sin(facing + side * 0.5 * math.pi)
    hx = gx - cx
    hy = gy - cy
    h = math.sqrt(hx * hx + hy * hy)
    if h < radius:
        return -1.0
    leave = math.atan2(hy, hx) - side * math.acos(min(1.0, radius / h))
    turn = (side * (leave - (facing + side * 0.5 * math.pi + math.pi))) % (2.0 * math.pi)
    return 0.0 if 2.0 * math.pi - turn < 1e-9 else turn


@device
def way_length(x: float, y: float, facing: float, gx: float, gy: float, radius: float, side: int, turn: float) -> float:
    """Tiles of an arc of ``turn`` radians and the straight rest (the tangent from the circle to the goal)."""
    hx = gx - (x + radius * math.cos(facing + side * 0.5 * math.pi))
    hy = gy - (y + radius * math.sin(facing + side * 0.5 * math.pi))
    return radius * turn + math.sqrt(max(0.0, hx * hx + hy * hy - radius * radius))


@device
def arc_open(
    passable: np.ndarray, bit: int, x: float, y: float, facing: float, radius: float, side: int, turn: float
) -> bool:
    """Whether every tile under an arc of at most half a turn is open."""
    cx = x + radius * math.cos(facing + side * 0.5 * math.pi)
    cy = y + radius * math.sin(facing + side * 0.5 * math.pi)
    steps = 1 + int(min(turn, math.pi) * radius / 0.3)
    for k in range(1, steps + 1):
        a = facing - side * 0.5 * math.pi + side * min(turn, math.pi) * k / steps
        if not tile_open(passable, bit, math.floor(cy + radius * math.sin(a)), math.floor(cx + radius * math.cos(a))):
            return False
    return True


NEARLY = 0.08
"""Tiles to the side by which a cart may miss its aim: less than the radius within which it settles."""


@kernel(
    "void(uint8[:,::1], float64, float64, float64, float64[::1], uint8[::1], uint8[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], int16[::1])",
    group="lab",
)
def turn_then_straight(
    passable: np.ndarray,
    radius: float,
    gain: float,
    dt: float,
    raised: np.ndarray,
    moving: np.ndarray,
    klass: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    facing: np.ndarray,
    aim_x: np.ndarray,
    aim_y: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    stuck: np.ndarray,
) -> None:
    """Let moving units drive circles of ``radius`` tiles: the shorter of the right and the left turn, then straight.

    Where the arc meets a blocked tile it is driven tighter and slower, down to a quarter of both (4.4, "fluid
    motion").  ``want`` becomes the wished speed along a heading that :func:`ai.steering.integrate.integrate` with
    bodies that move where they face, of turn gain ``gain`` (1/s) times the factor ``raised``,
    reaches in just this tick.
    """
    for i in range(x.size):
        go = math.sqrt(want_x[i] * want_x[i] + want_y[i] * want_y[i])
        if not moving[i] or go < 1e-9:
            continue
        share = 1.0
        side = 1
        turn = 0.0
        for k in range(4):
            share = 1.0 - 0.25 * k
            r = radius * share
            best = 1e30
            for s in (1, -1):
                t = turn_left_over(x[i], y[i], facing[i], aim_x[i], aim_y[i], r, s)
                if t < 0.0:
                    continue
                way = way_length(x[i], y[i], facing[i], aim_x[i], aim_y[i], r, s, t)
                if way < best and (k == 3 or arc_open(passable, 1 << klass[i], x[i], y[i], facing[i], r, s, t)):
                    best = way
                    side = s
                    turn = t
            if best < 1e30:
                break
        # So near to straight ahead that it will pass within the tolerance: no circle for a hair's breadth.
        hx = aim_x[i] - x[i]
        hy = aim_y[i] - y[i]
        aside = math.cos(facing[i]) * hy - math.sin(facing[i]) * hx
        if math.cos(facing[i]) * hx + math.sin(facing[i]) * hy > 0.0 and abs(aside) < NEARLY:
            turn = 0.0
            share = 1.0
        if turn > 0.3:
            stuck[i] = 0  # to turn is to get on
        go *= share
        step = min(turn, go * dt / (radius * share))
        a = facing[i] + side * step / (gain * raised[i] * dt)
        want_x[i] = go * math.cos(a)
        want_y[i] = go * math.sin(a)
