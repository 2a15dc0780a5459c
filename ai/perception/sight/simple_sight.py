"""Two simpler sight rules, to compare with the game's rule in an exhibit.

``ray``: Bresenham's line from the observer's tile, as most tile games first have it (Albert Ford, "Symmetric
Shadowcasting", compares it under "Common shadowcasting algorithms"). Where the line passes exactly between two tiles it
rounds to one side only, so A may see B although B does not see A. ``none``: distance and angle alone, the open cone of
early stealth games; walls hide no unit.

Only that exhibit uses them: fog, fire, exposure and every mission use ``ai.perception.sight.line_of_sight``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device, kernel
from ai.perception.sight.line_of_sight import clear_between
from ai.perception.sight.shadowcast import SightBits
from ai.perception.sight.view_cone import MAX_REACH, in_sector, sector

RULES = ("symmetric", "ray", "none")
"""Names of the rules, in the order of their codes in kernels."""
SYMMETRIC, RAY, NONE = range(3)


@device
def ray_clear(opaque, y0, x0, y1, x1):  # type: ignore[no-untyped-def]
    """Return whether no tile on Bresenham's line between two tiles blocks sight.

    The two end tiles are not tested.
    """
    dx = abs(x1 - x0)
    dy = -abs(y1 - y0)
    step_x = 1 if x0 < x1 else -1
    step_y = 1 if y0 < y1 else -1
    error = dx + dy
    x = x0
    y = y0
    while True:
        twice = 2 * error
        if twice >= dy:
            error += dy
            x += step_x
        if twice <= dx:
            error += dx
            y += step_y
        if x == x1 and y == y1:
            return True
        if opaque[y, x] != 0:
            return False


@device
def sees(opaque, rule, y0, x0, y1, x1):  # type: ignore[no-untyped-def]
    """Return whether tile (y0, x0) sees (y1, x1) by a rule's code.

    Both tiles are on the map.
    """
    if rule == SYMMETRIC:
        return clear_between(opaque, y0, x0, y1, x1)
    if rule == NONE or (y0 == y1 and x0 == x1):
        return True
    return ray_clear(opaque, y0, x0, y1, x1)


@kernel("void(uint8[:,::1], int64, int64, int64, int64, int64, uint8[:,::1])", group="lab")
def seen_window(opaque, rule, y, x, y0, x0, out):  # type: ignore[no-untyped-def]
    """Write what tile (y, x) sees of a window to ``out: uint8[h, w]``.

    The top left tile of the window is (y0, x0).
    """
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[j, i] = 1 if sees(opaque, rule, y, x, y0 + j, x0 + i) else 0


def sector_by(
    rule: str,
    bits: SightBits,
    opaque: NDArray[np.uint8],
    x: float,
    y: float,
    facing: float,
    half_angle: float,
    reach: float,
) -> tuple[int, int, NDArray[np.bool_]]:
    """Return :func:`ai.perception.sight.view_cone.sector` by any of ``RULES``.

    The window is the same. ValueError for an unknown rule.
    """
    if rule not in RULES:
        raise ValueError(f"a rule of sight is one of {', '.join(RULES)}, not {rule!r}")
    if rule == RULES[SYMMETRIC]:
        return sector(bits, opaque, x, y, facing, half_angle, reach)
    if not 0 <= reach <= MAX_REACH:
        raise ValueError(f"reach must lie in 0..{MAX_REACH:.2f} tiles, got {reach}")
    ty, tx = math.floor(y), math.floor(x)
    height, width = opaque.shape
    if not (0 <= ty < height and 0 <= tx < width):
        return 0, 0, np.zeros((0, 0), np.bool_)
    radius = math.ceil(reach + math.sqrt(0.5))
    y0, x0, y1, x1 = max(0, ty - radius), max(0, tx - radius), min(height, ty + radius + 1), min(width, tx + radius + 1)
    out = np.zeros((y1 - y0, x1 - x0), np.uint8)
    seen_window(opaque, RULES.index(rule), ty, tx, y0, x0, out)
    dy = np.arange(y0, y1)[:, None] + 0.5 - y
    dx = np.arange(x0, x1)[None, :] + 0.5 - x
    return y0, x0, out.view(np.bool_) & in_sector(dx, dy, facing, half_angle, reach)
