"""Whisker steering: sensors that push the body (AI Game Programming Wisdom, 4.1).

Every body has 4, 6 or 8 whiskers at fixed compass directions. A whisker that touches something solid gains weight in
each tick. The weights push the body the opposite way and erode. Biases are added to the same weights: a pull is a
negative repulsion. Whisker d of n points at angle 2 pi d / n, clockwise from +x.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.steering.settings_columns import (
    P_WHISKER_ATTRACT,
    P_WHISKER_EROSION,
    P_WHISKER_RADIUS,
    P_WHISKER_REACH,
    P_WHISKER_REPEL,
    P_WHISKER_UNITS,
    P_WHISKERS,
)
from ai.steering.wall_collision import tile_open

MAX_WHISKERS = 8


@kernel(
    "void(int64, int64, uint8[:,::1], uint8[::1], float64[::1], int32[::1], int32[:,::1], int32[::1],"
    " float64[:,::1], uint8[::1], uint8[::1], uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[:,::1], uint8[::1], float64[::1], float64[::1])"
)
def whiskers(
    first: int,
    last: int,
    passable: np.ndarray,
    roomy: np.ndarray,
    p: np.ndarray,
    rank: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    body: np.ndarray,
    alive: np.ndarray,
    movement_class: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    weight: np.ndarray,
    touched: np.ndarray,
    push_x: np.ndarray,
    push_y: np.ndarray,
) -> None:
    """Update whisker weights and write the push of slots ``first`` to ``last - 1``.

    ``roomy`` 1 means that no wall is within a tile. ``rank`` is the row of a slot in the spatial hash. ``weight``
    float64[slots, 8] (tiles/s) persists between ticks. ``touched`` gets one bit per whisker.

    The push velocity is -sum(weight * direction) * 2 / n, so any number of whiskers pushes equally. An attraction bias
    of (1 - erosion) * wanted velocity then settles at exactly the wanted velocity.
    """
    n = int(p[P_WHISKERS])
    reach = p[P_WHISKER_REACH]
    half = p[P_WHISKER_RADIUS]
    erosion = p[P_WHISKER_EROSION]
    bias = p[P_WHISKER_ATTRACT] * (1.0 - erosion)
    far = reach + half
    dir_x = np.empty(MAX_WHISKERS)
    dir_y = np.empty(MAX_WHISKERS)
    for d in range(n):
        a = 2.0 * math.pi * d / n
        dir_x[d] = math.cos(a)
        dir_y[d] = math.sin(a)
        # Exact cardinal directions keep mirror images symmetric.
        if abs(dir_x[d]) < 1e-12:
            dir_x[d] = 0.0
        if abs(dir_y[d]) < 1e-12:
            dir_y[d] = 0.0
    for i in range(first, last):
        if not alive[i]:
            continue
        if roomy[i] and far <= 1.0 and bias == 0.0 and p[P_WHISKER_UNITS] == 0.0:
            # No obstacle in reach, and usually no weight left from before.
            at_rest = True
            for d in range(n):
                at_rest = at_rest and weight[i, d] == 0.0
            if at_rest:
                touched[i] = 0
                push_x[i] = 0.0
                push_y[i] = 0.0
                continue
        j = rank[i]
        px = x[i]
        py = y[i]
        bit = 1 << movement_class[i]
        sum_x = 0.0
        sum_y = 0.0
        bits = 0
        # Test all tiles in reach of any whisker first: most often they are open and no whisker need test.
        walls = False
        if far > 1.0 or not roomy[i]:
            for ty in range(math.floor(py - far), math.floor(py + far) + 1):
                for tx in range(math.floor(px - far), math.floor(px + far) + 1):
                    walls = walls or not tile_open(passable, bit, ty, tx)
        for d in range(n):
            sx = px + dir_x[d] * reach
            sy = py + dir_y[d] * reach
            hit = False
            if walls:
                x0 = math.floor(sx - half)
                x1 = math.floor(sx + half)
                y0 = math.floor(sy - half)
                y1 = math.floor(sy + half)
                hit = not tile_open(passable, bit, y0, x0)
                if not hit and x1 != x0:
                    hit = not tile_open(passable, bit, y0, x1)
                if not hit and y1 != y0:
                    hit = not tile_open(passable, bit, y1, x0) or not tile_open(passable, bit, y1, x1)
            if not hit and p[P_WHISKER_UNITS] != 0.0:
                for k in range(contact_count[j]):
                    q = contacts[j, k]
                    dx = body[0, q] - sx
                    dy = body[1, q] - sy
                    touch = half + body[4, q]
                    if dx * dx + dy * dy < touch * touch:
                        hit = True
                        break
            w = weight[i, d]
            if hit:
                w += p[P_WHISKER_REPEL]
                bits |= 1 << d
            sum_x -= w * dir_x[d]
            sum_y -= w * dir_y[d]
            pull = want_x[i] * dir_x[d] + want_y[i] * dir_y[d]
            w = w * erosion - bias * pull
            # Drop the rest of an old touch when it is too small to have an effect.
            weight[i, d] = w if abs(w) > 1e-18 else 0.0
        touched[i] = bits
        if n > 0 and not holding[i]:
            push_x[i] = sum_x * 2.0 / n
            push_y[i] = sum_y * 2.0 / n
        else:
            push_x[i] = 0.0
            push_y[i] = 0.0


TECHNIQUES = (
    {
        "slug": "whiskers",
        "name": "Whisker steering",
        "ids": ("AW-4.1-1", "AW-4.1-2"),
        "source": "AI Game Programming Wisdom, 4.1",
        "functions": ("whiskers",),
        "test": "tests/ai/steering/behaviours/test_whiskers.py",
        "exhibit": "levels/exhibits/motion/whiskers.toml",
        "overlay": "whiskers",
        "setting": "steering.whiskers",
        "measure": "scrapes",
        "direction": "down",
        "claim": "4, 6 or 8 whiskers, whose pull is the wanted velocity.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
