"""Turning circles: units that drive the shorter turn and then straight.

Source: AI Game Programming Wisdom, 4.4.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.steering.wall_collision import tile_open


@device
def turn_left_over(x: float, y: float, facing: float, gx: float, gy: float, radius: float, side: int) -> float:
    """Return the radians to turn to one side until the goal is straight ahead.

    Negative if the goal lies inside the turning circle.
    """
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
def path_length(
    x: float, y: float, facing: float, gx: float, gy: float, radius: float, side: int, turn: float
) -> float:
    """Return the length of an arc of ``turn`` radians and the straight part, tiles.

    The straight part is the tangent from the circle to the goal.
    """
    hx = gx - (x + radius * math.cos(facing + side * 0.5 * math.pi))
    hy = gy - (y + radius * math.sin(facing + side * 0.5 * math.pi))
    return radius * turn + math.sqrt(max(0.0, hx * hx + hy * hy - radius * radius))


@device
def disc_open(passable: np.ndarray, bit: int, x: float, y: float, radius: float) -> bool:
    """Return True if no closed tile is nearer than the radius of a disc.

    The radius is below half a tile.
    """
    for ty in range(math.floor(y - radius), math.floor(y + radius) + 1):
        for tx in range(math.floor(x - radius), math.floor(x + radius) + 1):
            dx = min(max(x, tx), tx + 1.0) - x
            dy = min(max(y, ty), ty + 1.0) - y
            if dx * dx + dy * dy < radius * radius and not tile_open(passable, bit, ty, tx):
                return False
    return True


@device
def path_open(
    passable: np.ndarray,
    bit: int,
    x: float,
    y: float,
    facing: float,
    gx: float,
    gy: float,
    radius: float,
    side: int,
    turn: float,
    body: float,
) -> bool:
    """Return True if a body fits on the arc and the straight part.

    ``body`` is its radius; the arc is at most half a turn.
    """
    cx = x + radius * math.cos(facing + side * 0.5 * math.pi)
    cy = y + radius * math.sin(facing + side * 0.5 * math.pi)
    arc = min(turn, math.pi)
    steps = 1 + int(arc * radius / 0.25)
    ex = x
    ey = y
    for k in range(1, steps + 1):
        a = facing - side * 0.5 * math.pi + side * arc * k / steps
        ex = cx + radius * math.cos(a)
        ey = cy + radius * math.sin(a)
        if not disc_open(passable, bit, ex, ey, body):
            return False
    if turn > math.pi:
        return True
    straight = math.sqrt((gx - ex) * (gx - ex) + (gy - ey) * (gy - ey))
    steps = int(min(straight, 3.0) / 0.25)
    for k in range(1, steps + 1):
        if not disc_open(
            passable, bit, ex + (gx - ex) * 0.25 * k / straight, ey + (gy - ey) * 0.25 * k / straight, body
        ):
            return False
    return True


SHARES = 7
"""Number of radii tested, from the whole radius to a quarter."""
ROOM = 0.05
"""Gap in tiles between a driving body and a wall."""
NEARLY = 0.08
"""Lateral error in tiles at which a unit drives straight.

It is smaller than the settle radius.
"""


@kernel(
    "void(uint8[:,::1], float64[::1], float64, float64, float64[::1], uint8[::1], uint8[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], int16[::1])",
    group="lab",
)
def turn_then_straight(
    passable: np.ndarray,
    circle: np.ndarray,
    gain: float,
    dt: float,
    raised: np.ndarray,
    moving: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    facing: np.ndarray,
    body: np.ndarray,
    aim_x: np.ndarray,
    aim_y: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    stuck: np.ndarray,
) -> None:
    """Steer moving units along circles of ``circle`` tiles: the shorter turn, then straight.

    If the body (radius ``body``) does not fit on that path, the unit drives tighter and slower, down to a quarter of
    both (4.4, "fluid motion"). If nothing fits, it takes the tightest circle. Units without a circle are not changed.

    ``want`` becomes the speed along a heading that :func:`ai.steering.velocity_integration.integrate` reaches within
    this tick. That holds for bodies that move where they face, with the turn gain ``gain`` (1/s) times the factor
    ``raised``.
    """
    for i in range(x.size):
        go = math.sqrt(want_x[i] * want_x[i] + want_y[i] * want_y[i])
        if not moving[i] or go < 1e-9 or circle[i] <= 0.0:
            continue
        share = 1.0
        side = 1
        turn = 0.0
        for k in range(SHARES):
            share = 1.0 - 0.75 * k / (SHARES - 1)
            r = circle[i] * share
            best = 1e30
            for s in (1, -1):
                t = turn_left_over(x[i], y[i], facing[i], aim_x[i], aim_y[i], r, s)
                if t < 0.0:
                    continue
                path = path_length(x[i], y[i], facing[i], aim_x[i], aim_y[i], r, s, t)
                if path < best and (
                    k == SHARES - 1
                    or path_open(
                        passable,
                        1 << movement_class[i],
                        x[i],
                        y[i],
                        facing[i],
                        aim_x[i],
                        aim_y[i],
                        r,
                        s,
                        t,
                        body[i] + ROOM,
                    )
                ):
                    best = path
                    side = s
                    turn = t
            if best < 1e30:
                break
        # Nearly straight ahead: the unit passes within the tolerance without a circle.
        hx = aim_x[i] - x[i]
        hy = aim_y[i] - y[i]
        aside = math.cos(facing[i]) * hy - math.sin(facing[i]) * hx
        if math.cos(facing[i]) * hx + math.sin(facing[i]) * hy > 0.0 and abs(aside) < NEARLY:
            turn = 0.0
            share = 1.0
        if turn > 0.3:
            stuck[i] = 0  # turning counts as progress
        go *= share
        step = min(turn, go * dt / (circle[i] * share))
        a = facing[i] + side * step / (gain * raised[i] * dt)
        want_x[i] = go * math.cos(a)
        want_y[i] = go * math.sin(a)


TECHNIQUES = (
    {
        "slug": "fluid-turning",
        "name": "Speed and turn radius in narrow corners",
        "ids": ("AW-4.4-3",),
        "source": "AI Game Programming Wisdom, 4.4",
        "functions": ("turn_then_straight",),
        "test": "tests/ai/steering/behaviours/test_turn_then_straight.py",
        "exhibit": "levels/exhibits/motion/streets.toml",
        "overlay": "stages",
        "setting": "steering.pipelines",
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
        "claim": (
            "Radius and speed shrink until the arc is free; three-point turns and braking ahead are left out. T "
            "switches all stages of a cart."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
