"""Edge shapes of the dual grid: sixteen corner cases with contours that join.

A dual tile is shifted by half a tile, so it lies between four tile centres. A corner is set where that tile has the
material. The contour crosses a border of the dual tile once: inclined in its middle, or at a right angle in its middle
or a little to one side. :mod:`game.view.ground.dual_grid` computes which, the same from both sides. Between the
borders the contour varies freely. A shape is a signed distance in pixels at 32 px a tile, positive inside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from game.view.ground.dual_grid import BORDERS, CORNERS, SHIFT, SLOPE, DualTile, crossings, is_saddle
from tools.art.drawing.noise import dice, smoothstep, tiling

SIDE = 64  # px of a baked tile
SPAN = 32.0  # side in the units of the shapes
CAP = 12.0  # distances are clipped here, so all corners of all tiles agree
PINNED = 6.0  # width of the band along a border in which the contour is led to the fixed crossing

_STRETCHED = 7.0  # px from a shifted crossing within which the profile towards the nearer corner is a true distance

CORNER_AT = {"tl": (0.0, 0.0), "tr": (SPAN, 0.0), "br": (SPAN, SPAN), "bl": (0.0, SPAN)}


@dataclass(frozen=True)
class Hand:
    """Style of a material's edge: largest deviation in px, and waves along a tile."""

    wander: float = 2.6
    waves: float = 1.0
    seed: int = 0


def _pixels() -> tuple[np.ndarray, np.ndarray]:
    at = (np.arange(SIDE) + 0.5) * (SPAN / SIDE)
    return np.meshgrid(at, at)


def _crossing(tile: DualTile, border: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the crossing of contour and border, and the unit tangent into the tile."""
    s, half = tile.slope(border) * SLOPE, SPAN / 2 + tile.shift(border) * SHIFT
    point, inward = {
        "top": ((half, 0.0), (s, 1.0)),
        "bottom": ((half, SPAN), (-s, -1.0)),
        "left": ((0.0, half), (1.0, s)),
        "right": ((SPAN, half), (-1.0, -s)),
    }[border]
    tangent = np.array(inward)
    return np.array(point), tangent / np.hypot(*tangent)


def _stroke(tile: DualTile, pair: tuple[str, str], hand: Hand, salt: int) -> np.ndarray:
    """Return the contour from one border to another, float64[n, 2].

    Straight ends extend it beyond both borders.
    """
    (p, u), (q, v) = (_crossing(tile, border) for border in pair)
    reach = 0.52 * float(np.hypot(*(q - p)))
    t = np.linspace(0, 1, 60)[:, None]
    bezier = (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * (p + u * reach) + 3 * (1 - t) * t**2 * (q + v * reach) + t**3 * q
    d = np.gradient(bezier, axis=0)
    normal = np.c_[-d[:, 1], d[:, 0]] / np.hypot(d[:, 0], d[:, 1])[:, None]
    along = t[:, 0]
    window = smoothstep(0.0, 0.27, along) * smoothstep(0.0, 0.27, 1 - along)
    swing = np.zeros_like(along)
    for k in range(3):
        phase = 2 * math.pi * dice(tile.case, tile.variant, salt, k, hand.seed)
        height = (dice(tile.case, tile.variant, salt, k + 7, hand.seed) + 0.45) * (0.75, 0.42, 0.16)[k]
        swing += height * np.sin(2 * math.pi * along * hand.waves * (0.5, 1.1, 2.3)[k] + phase)
    bezier = bezier + normal * (window * swing * hand.wander)[:, None]
    tail = SPAN * 0.9
    return np.r_[[p - u * tail], bezier, [q - v * tail]]


def _distance(stroke: np.ndarray, inside: tuple[float, float]) -> np.ndarray:
    """Return the signed distance to a stroke that divides the tile.

    It is positive on the side of the point ``inside``.
    """
    x, y = _pixels()
    points = np.r_[np.c_[x.ravel(), y.ravel()], [inside]]
    a, b = stroke[:-1], stroke[1:]
    d = b - a
    length2 = np.maximum((d * d).sum(1), 1e-12)
    best = np.full(len(points), np.inf)
    sign = np.zeros(len(points))
    for chunk in range(0, len(a), 16):
        part = np.s_[chunk : chunk + 16]
        rel = points[:, None] - a[None, part]
        t = np.clip((rel * d[part]).sum(2) / length2[part], 0, 1)
        off = rel - t[..., None] * d[part]
        dist = np.hypot(off[..., 0], off[..., 1])
        nearest = dist.argmin(1)
        rows = np.arange(len(points))
        better = dist[rows, nearest] < best - 1e-9
        cross = d[part][nearest][:, 0] * rel[rows, nearest][:, 1] - d[part][nearest][:, 1] * rel[rows, nearest][:, 0]
        best = np.where(better, dist[rows, nearest], best)
        sign = np.where(better, np.where(cross >= 0, 1.0, -1.0), sign)
    out = (best * sign * sign[-1])[:-1]
    return out.reshape(SIDE, SIDE)


def _pin(tile: DualTile, distance: np.ndarray) -> np.ndarray:
    """Return the shape blended to the fixed profile of each border.

    The outermost pixels have the profile itself.
    """
    x, y = _pixels()
    depth = {"top": y, "bottom": SPAN - y, "left": x, "right": SPAN - x}
    total = np.zeros_like(x)
    blended = np.zeros_like(x)
    free = np.ones_like(x)
    for border, (first, second) in BORDERS.items():
        a, b = tile.corner(first), tile.corner(second)
        if a == b:
            profile = np.full_like(x, CAP if a else -CAP)
        else:
            s, at = tile.slope(border) * SLOPE, SPAN / 2 + tile.shift(border) * SHIFT
            if border in ("top", "bottom"):
                line = (x - at) - s * (y - (0 if border == "top" else SPAN))
            else:
                line = (y - at) - s * (x - (0 if border == "left" else SPAN))
            line = line / math.hypot(1, s)
            short = line * tile.shift(border) > _STRETCHED  # the profile has to reach CAP at the nearer corner too
            room = SPAN / 2 - SHIFT
            steep = (CAP - _STRETCHED) / (room - _STRETCHED)
            line = np.where(short, np.sign(line) * (_STRETCHED + (np.abs(line) - _STRETCHED) * steep), line)
            profile = np.clip(line * (1 if b else -1), -CAP, CAP)
        near = 1 - smoothstep(0.4, PINNED, depth[border])
        weight = near / np.maximum(depth[border], 0.05) ** 3
        total += weight
        blended += weight * profile
        free *= 1 - near
    pinned = blended / np.maximum(total, 1e-9)
    return distance * free + pinned * (1 - free)


def drawn(tile: DualTile, hand: Hand) -> np.ndarray:
    """Return a freely drawn shape, float64[SIDE, SIDE]."""
    if tile.case in (0, 15):
        return np.full((SIDE, SIDE), CAP if tile.case else -CAP)
    if is_saddle(tile.case):
        out = np.full((SIDE, SIDE), -CAP)
        for i, corner in enumerate(CORNERS):
            if tile.corner(corner):
                pair = tuple(border for border, ends in BORDERS.items() if corner in ends)
                piece = _distance(_stroke(tile, (pair[0], pair[1]), hand, i), CORNER_AT[corner])
                out = np.maximum(out, piece)
    else:
        pair = crossings(tile.case)
        inside = _anchor(tile)
        out = _distance(_stroke(tile, (pair[0], pair[1]), hand, 0), inside)
    return _pin(tile, np.clip(out, -CAP, CAP))


def _anchor(tile: DualTile) -> tuple[float, float]:
    """Return a point inside the shape.

    It is the mean of the set corners; with three set corners it is the corner opposite the missing one.
    """
    points = np.array([CORNER_AT[corner] for corner in CORNERS if tile.corner(corner)])
    if len(points) == 3:
        missing = next(corner for corner in CORNERS if not tile.corner(corner))
        x, y = CORNER_AT[missing]
        return SPAN - x, SPAN - y
    centre = points.mean(0)
    return float(centre[0]), float(centre[1])


def built(case: int, variant: int, inset: float, rounding: float, wobble: float, seed: int = 0) -> np.ndarray:
    """Return a built shape (walls, decks), float64[SIDE, SIDE].

    It is straight, inset from the edge of the tile, with rounded corners.
    """
    pad, k = SIDE, SIDE / SPAN
    solid = np.zeros((SIDE, SIDE), bool)
    half = SIDE // 2
    for i, corner in enumerate(CORNERS):
        rows = np.s_[:half] if corner[0] == "t" else np.s_[half:]
        columns = np.s_[:half] if corner[1] == "l" else np.s_[half:]
        solid[rows, columns] = bool(case >> i & 1)
    wide = np.pad(solid, pad, mode="edge").astype(float)
    soft = ndimage.gaussian_filter(wide, rounding * k)
    core = soft > 0.5
    signed = ndimage.distance_transform_edt(core) - ndimage.distance_transform_edt(~core)
    signed = np.where(core, signed - 0.5, signed + 0.5) / k
    signed = ndimage.gaussian_filter(np.clip(signed, -2 * CAP, 2 * CAP), 1.0) - inset
    if wobble:
        x, y = _pixels()
        depth = np.minimum(np.minimum(x, SPAN - x), np.minimum(y, SPAN - y))
        free = smoothstep(0.5, 7.0, depth)
        shift = tiling(256, 44, 801 + seed)[variant * 50 % 192 :, case * 11 % 190 :][:SIDE, :SIDE]
        signed[pad:-pad, pad:-pad] += shift * free * wobble * 1.6
    return np.clip(signed[pad:-pad, pad:-pad], -2 * CAP, 2 * CAP)
