"""Wall collision: clamps and slides discs at blocked tiles.

This is the tile version of clamping a displacement to solid edges (Journal of Game Development 1(1), "Navigation mesh"
movement). The centre never enters a tile that is blocked for its class. The disc stays its radius away from blocked
edges and corners. Radii are below half a tile.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device

MAX_RADIUS = 0.45
"""Largest radius of a body in tiles; larger ones are reduced to it.

A body must fit a one-tile corridor.
"""


@device
def tile_open(passable: np.ndarray, bit: int, ty: int, tx: int) -> bool:
    """Return True if a tile exists and has the class bit set."""
    return 0 <= ty < passable.shape[0] and 0 <= tx < passable.shape[1] and (passable[ty, tx] & bit) != 0


@device
def keep_clear(passable: np.ndarray, bit: int, x: float, y: float, r: float) -> tuple[float, float]:
    """Return the nearest position in the tile where the disc touches no blocked tile."""
    cx = math.floor(x)
    cy = math.floor(y)
    lx = x - cx
    ly = y - cy
    west = lx < r and not tile_open(passable, bit, cy, cx - 1)
    east = lx > 1.0 - r and not tile_open(passable, bit, cy, cx + 1)
    north = ly < r and not tile_open(passable, bit, cy - 1, cx)
    south = ly > 1.0 - r and not tile_open(passable, bit, cy + 1, cx)
    if west:
        lx = r
    elif east:
        lx = 1.0 - r
    if north:
        ly = r
    elif south:
        ly = 1.0 - r
    # A corner matters only when both its edges are open; then the disc is pushed off the corner point.
    near_x = -1 if lx < r else (1 if lx > 1.0 - r else 0)
    near_y = -1 if ly < r else (1 if ly > 1.0 - r else 0)
    if near_x != 0 and near_y != 0 and not tile_open(passable, bit, cy + near_y, cx + near_x):
        px = 0.0 if near_x < 0 else 1.0
        py = 0.0 if near_y < 0 else 1.0
        ex = lx - px
        ey = ly - py
        d2 = ex * ex + ey * ey
        if d2 < r * r:
            if d2 > 1e-12:
                s = r / math.sqrt(d2)
                lx = px + ex * s
                ly = py + ey * s
            else:
                lx = px - near_x * r * 0.7071067811865476
                ly = py - near_y * r * 0.7071067811865476
    return cx + lx, cy + ly


@device
def slide(
    passable: np.ndarray, bit: int, x: float, y: float, dx: float, dy: float, r: float
) -> tuple[float, float, bool]:
    """Move a disc from an open position by (dx, dy), sliding along walls.

    Returns the new position and whether it touched a wall. The move is split into steps below half a tile, so that it
    never jumps over a tile. A diagonal step between two blocked tiles is refused.
    """
    r = min(r, MAX_RADIUS)
    longest = max(abs(dx), abs(dy))
    steps = 1 + int(longest / 0.4) if longest < 4096.0 else 10240
    hit = False
    sx = dx / steps
    sy = dy / steps
    for _ in range(steps):
        ox = math.floor(x)
        oy = math.floor(y)
        nx = x + sx
        ny = y + sy
        cx = math.floor(nx)
        cy = math.floor(ny)
        if cx != ox or cy != oy:
            stop_x = cx != ox and not tile_open(passable, bit, oy, cx)
            stop_y = cy != oy and not tile_open(passable, bit, cy, ox)
            if cx != ox and cy != oy and not stop_x and not stop_y and not tile_open(passable, bit, cy, cx):
                # Straight at the corner of a wall: go on along the longer axis.
                stop_x = abs(sx) < abs(sy)
                stop_y = not stop_x
            if stop_x:
                nx = cx - r if cx > ox else ox + r
                hit = True
            if stop_y:
                ny = cy - r if cy > oy else oy + r
                hit = True
        bx, by = keep_clear(passable, bit, nx, ny, r)
        hit = hit or bx != nx or by != ny
        if bx == x and by == y:
            break
        x = bx
        y = by
    return x, y, hit


@device
def nearest_open(passable: np.ndarray, bit: int, x: float, y: float, r: float, rings: int) -> tuple[float, float]:
    """Return the nearest clear position for a centre inside a wall.

    An edit put the wall there.

    Returns (x, y) unchanged if no clear position is near.
    """
    cx = math.floor(x)
    cy = math.floor(y)
    best = 1e18
    bx = x
    by = y
    for ring in range(1, rings + 1):
        for ty in range(cy - ring, cy + ring + 1):
            step = 1 if abs(ty - cy) == ring else 2 * ring
            for tx in range(cx - ring, cx + ring + 1, step):
                if tile_open(passable, bit, ty, tx):
                    px = min(max(x, tx + r), tx + 1.0 - r)
                    py = min(max(y, ty + r), ty + 1.0 - r)
                    d = (px - x) * (px - x) + (py - y) * (py - y)
                    if d < best:
                        best = d
                        bx = px
                        by = py
        if best < ring * ring:
            break
    return bx, by


@device
def segment_open(passable: np.ndarray, bit: int, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Return True if every tile that a segment touches is open.

    A crossed corner counts both tiles beside it.
    """
    cx = math.floor(x0)
    cy = math.floor(y0)
    ex = math.floor(x1)
    ey = math.floor(y1)
    if not tile_open(passable, bit, cy, cx):
        return False
    dx = x1 - x0
    dy = y1 - y0
    step_x = 1 if dx > 0 else -1
    step_y = 1 if dy > 0 else -1
    far = 1e30
    tx = ((cx + (1 if dx > 0 else 0)) - x0) / dx if dx != 0.0 else far
    ty = ((cy + (1 if dy > 0 else 0)) - y0) / dy if dy != 0.0 else far
    gx = abs(1.0 / dx) if dx != 0.0 else far
    gy = abs(1.0 / dy) if dy != 0.0 else far
    for _ in range(abs(ex - cx) + abs(ey - cy)):
        if abs(tx - ty) < 1e-12:
            if not tile_open(passable, bit, cy, cx + step_x) or not tile_open(passable, bit, cy + step_y, cx):
                return False
            cx += step_x
            cy += step_y
            tx += gx
            ty += gy
        elif tx < ty:
            cx += step_x
            tx += gx
        else:
            cy += step_y
            ty += gy
        if not tile_open(passable, bit, cy, cx):
            return False
        if cx == ex and cy == ey:
            break
    return True


@device
def walk_open(passable: np.ndarray, bit: int, x0: float, y0: float, x1: float, y1: float, r: float) -> bool:
    """Return True if a disc of radius ``r`` can move straight between two points."""
    dx = x1 - x0
    dy = y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    if length < 1e-9:
        return True
    # Slightly less than the radius, because a unit that slides along a wall is exactly its radius away.
    ox = -dy / length * (r - 0.02)
    oy = dx / length * (r - 0.02)
    return segment_open(passable, bit, x0 + ox, y0 + oy, x1 + ox, y1 + oy) and segment_open(
        passable, bit, x0 - ox, y0 - oy, x1 - ox, y1 - oy
    )
