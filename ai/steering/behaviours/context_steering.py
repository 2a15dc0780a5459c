"""Context steering: behaviours write interest and danger, one processor decides (GP2, ch. 18).

A context map holds a strength for each of N headings. Slot i stands for the heading 2 pi i / N, clockwise from +x. Each
unit has two maps: interest and danger.

A behaviour keeps the larger value of a slot, so an obstacle behind another adds no danger and the order of behaviours
does not matter. The processor excludes all slots but the least dangerous ones and selects the most interesting of
these. Sub-slot interpolation gives headings between slots.

:func:`ai.steering.behaviours.wanted_velocity.steer_by_vectors` is the older method, with its stalemate.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device
from ai.steering.behaviours.waypoint_following import wrap_angle
from ai.steering.wall_collision import tile_open

C_FALLOFF, C_MARGIN, C_KEEP_AWAY, C_LOOK, C_BLUR, C_BLEND, C_COUNT = 0, 1, 2, 3, 4, 5, 6
"""Entries of the settings array; see :func:`context_settings`."""


def context_settings(
    falloff: float = 1.2,
    margin: float = 0.1,
    keep_away: float = 2.5,
    look: float = 2.0,
    blur: float = 0.0,
    blend: float = 1.0,
) -> np.ndarray:
    """Return the settings for the kernels of this module, float64[6].

    - ``falloff``: radians over which the interest of a target fades to zero.
    - ``margin``: tiles kept beside obstacles.
    - ``keep_away``: gap in tiles below which an obstacle is a danger.
    - ``look``: distance in tiles at which a wall is a danger.
    - ``blur``: share of a slot given to its two neighbours.
    - ``blend``: weight of the new map in the kept map; 1 keeps nothing.
    """
    if not 0.0 < blend <= 1.0 or not 0.0 <= blur < 1.0 or falloff <= 0.0 or keep_away <= 0.0 or look < 0.0:
        raise ValueError("blend must lie in (0, 1], blur in [0, 1), falloff and keep_away above 0, look at least 0")
    return np.array([falloff, margin, keep_away, look, blur, blend])


@device
def _slots_within(n: int, bearing: float, off: float) -> tuple[int, int]:
    """Return (first, count) of the slots within ``off`` radians of a bearing.

    The range may include one slot beyond ``off``.
    """
    per = n / (2.0 * math.pi)
    first = math.floor((bearing - off) * per)
    return first % n, min(math.floor((bearing + off) * per) + 2 - first, n)


@device
def write_peak(row: np.ndarray, bearing: float, value: float, falloff: float) -> None:
    """Raise a map to a tent of height ``value`` at a bearing.

    The tent fades to zero over ``falloff`` radians.
    """
    n = row.size
    i, count = _slots_within(n, bearing, falloff)
    for _ in range(count):
        off = abs(wrap_angle(2.0 * math.pi * i / n - bearing))
        if off < falloff:
            row[i] = max(row[i], value * (1.0 - off / falloff))
        i = i + 1 if i < n - 1 else 0


@device
def write_arc(row: np.ndarray, bearing: float, half: float, value: float) -> None:
    """Raise a map to ``value`` within ``half`` radians of a bearing.

    The value fades over one slot beyond that angle.
    """
    n = row.size
    edge = 2.0 * math.pi / n
    i, count = _slots_within(n, bearing, half + edge)
    for _ in range(count):
        off = abs(wrap_angle(2.0 * math.pi * i / n - bearing)) - half
        if off <= 0.0:
            row[i] = max(row[i], value)
        elif off < edge:
            row[i] = max(row[i], value * (1.0 - off / edge))
        i = i + 1 if i < n - 1 else 0


@device
def ray_length(passable: np.ndarray, bit: int, x: float, y: float, dx: float, dy: float, most: float) -> float:
    """Return the tiles along (dx, dy) to the first blocked tile, at most ``most``."""
    cx = math.floor(x)
    cy = math.floor(y)
    step_x = 1 if dx > 0.0 else -1
    step_y = 1 if dy > 0.0 else -1
    tx = (cx + (1 if dx > 0.0 else 0) - x) / dx if dx != 0.0 else 1e30
    ty = (cy + (1 if dy > 0.0 else 0) - y) / dy if dy != 0.0 else 1e30
    gx = abs(1.0 / dx) if dx != 0.0 else 1e30
    gy = abs(1.0 / dy) if dy != 0.0 else 1e30
    while True:
        if tx < ty:
            at = tx
            tx += gx
            cx += step_x
        else:
            at = ty
            ty += gy
            cy += step_y
        if at >= most:
            return most
        if not tile_open(passable, bit, cy, cx):
            return at


@device
def fear_body(row: np.ndarray, dx: float, dy: float, radii: float, margin: float, keep_away: float) -> None:
    """Raise the danger of headings that pass within ``margin`` tiles of a body.

    The body is at (dx, dy); ``radii`` is the sum of both radii. Danger grows as the body comes nearer.
    """
    d = math.sqrt(dx * dx + dy * dy)
    gap = d - radii
    if gap >= keep_away:
        return
    zone = radii + margin
    half = math.asin(zone / d) if d > zone else 0.5 * math.pi
    write_arc(row, math.atan2(dy, dx), half, 1.0 - max(gap, 0.0) / keep_away)


@device
def fear_walls(
    row: np.ndarray,
    passable: np.ndarray,
    bit: int,
    x: float,
    y: float,
    radius: float,
    look: float,
    most: float,
    east: np.ndarray,
    south: np.ndarray,
) -> None:
    """Raise the danger of headings with a wall within ``most`` tiles of the body.

    ``east`` and ``south`` hold the unit vectors of the headings. Danger is the share of ``look`` that is not free.
    """
    reach = most + radius
    # Test all tiles in reach first: most often they are open and no ray is needed.
    walls = False
    for ty in range(math.floor(y - reach), math.floor(y + reach) + 1):
        for tx in range(math.floor(x - reach), math.floor(x + reach) + 1):
            walls = walls or not tile_open(passable, bit, ty, tx)
    for s in range(row.size if walls else 0):
        free = ray_length(passable, bit, x, y, east[s], south[s], reach)
        if free < reach:
            row[s] = max(row[s], 1.0 - max(free - radius, 0.0) / look)


@device
def decide(
    settings: np.ndarray, interest: np.ndarray, danger: np.ndarray, kept: np.ndarray
) -> tuple[int, float, float]:
    """Return (slot, heading, strength) for one unit's maps float64[N].

    The slot is -1 if no heading is of interest. ``kept`` is the interest remembered from tick to tick. Danger is only
    blurred upwards and never blended with old maps, so that safety does not lag.
    """
    n = interest.size
    blur = settings[C_BLUR]
    blend = settings[C_BLEND]
    best = 0.0
    win = -1
    worst = blur
    for s in range(n):
        worst = max(worst, danger[s])
    least = 0.0 if worst == 0.0 else 1e30
    if worst == 0.0:
        # Usual case without danger or blur: this short loop gives the same result as the loops below.
        for s in range(n):
            kept[s] = (1.0 - blend) * kept[s] + blend * interest[s]
            if kept[s] > best:
                best = kept[s]
                win = s
    for s in range(n if worst > 0.0 else 0):
        beside = 0.5 * (danger[s - 1 if s > 0 else n - 1] + danger[s + 1 if s < n - 1 else 0])
        least = min(least, max(danger[s], (1.0 - blur) * danger[s] + blur * beside))
    for s in range(n if worst > 0.0 else 0):
        west = s - 1 if s > 0 else n - 1
        east = s + 1 if s < n - 1 else 0
        soft = (1.0 - blur) * interest[s] + 0.5 * blur * (interest[west] + interest[east])
        kept[s] = (1.0 - blend) * kept[s] + blend * soft
        beside = 0.5 * (danger[west] + danger[east])
        if max(danger[s], (1.0 - blur) * danger[s] + blur * beside) <= least and kept[s] > best:
            best = kept[s]
            win = s
    if win < 0:
        return -1, 0.0, 0.0
    # Intersect the line through the two slots on the left with the line through the two on the right.
    l1 = (win + n - 1) % n
    l2 = (win + n - 2) % n
    r1 = (win + 1) % n
    r2 = (win + 2) % n
    rise = kept[l1] - kept[l2]
    fall = kept[r2] - kept[r1]
    u = 0.0
    if abs(rise - fall) > 1e-12:
        u = (kept[r1] - kept[l1] - rise - fall) / (rise - fall)
    u = min(max(u, -0.5), 0.5)
    # Do not interpolate towards an excluded neighbour.
    to = l1 if u < 0.0 else r1
    beside = 0.5 * (danger[(to + n - 1) % n] + danger[(to + 1) % n])
    if max(danger[to], (1.0 - blur) * danger[to] + blur * beside) > least:
        u = 0.0
    return win, wrap_angle((win + u) * 2.0 * math.pi / n), best


TECHNIQUES = (
    {
        "slug": "context-steering",
        "name": "Context steering",
        "ids": ("GP2-18.1", "GP2-18.2", "GP2-18.3", "GP2-18.4", "GP2-18.5", "GP2-18.6", "GP2-18.12"),
        "source": "Game AI Pro 2, ch. 18",
        "functions": ("write_peak", "decide"),
        "test": "tests/ai/steering/behaviours/test_context_steering.py",
        "exhibit": "levels/exhibits/motion/stalemate.toml",
        "overlay": "context_maps",
        "setting": "steering.method",
        "measure": "seconds",
        "direction": "down",
        "claim": (
            "Off in the shipped game, as is the blended steering that it is compared with. Danger is never blended "
            "with the past, so that safety does not lag."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
