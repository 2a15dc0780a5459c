"""Dual grid: selects the edge tile between four tile centres.

A dual tile (y, x) lies between the centres of tiles (y, x), (y, x + 1), (y + 1, x), (y + 1, x + 1), so it is half a
tile off. Its case has one bit for each corner. The contour crosses a border whose two corners differ. The slope there
(-1, 0, 1) follows from the two pairs of tiles beyond the border. A contour of slope 0 crosses in the middle, or SHIFT
pixels to one side. Noise of world coordinates selects the side, so that long edges meander and hide the grid. The two
tiles that share a border compute the same crossing. Contours of built materials are straight: they have slope 0 and no
shift.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

CORNERS = ("tl", "tr", "br", "bl")  # bits 1, 2, 4, 8 of a case
BORDERS = {"top": ("tl", "tr"), "right": ("tr", "br"), "bottom": ("bl", "br"), "left": ("tl", "bl")}
SADDLES = (5, 10)
SLOPE = 0.7  # pixels sideways for each pixel forward where a contour slopes
SHIFT = 5.0  # pixels, at 32 a tile, between a shifted crossing and the middle
VARIANTS = 4  # of a saddle, and of a straight tile of built things
VARIANTS_BENT = 2  # of a tile whose two crossings both slope or both have slope 0
STRAIGHT = frozenset({"wall", "low_wall", "floor", "stone", "bridge_stone", "bridge_plank"})
"""Materials whose contours cross each border in its middle."""
_BENDS = ((-1, 0), (0, 0), (1, 0), (0, -1), (0, 1))  # (slope, shift) by code: the crossings of a border
_UPRIGHT = 1
_MEANDER = 2.7  # tiles from one bend of a long edge to the next


@dataclass(frozen=True)
class DualTile:
    """Baked edge tile: case, slopes and shifts of its crossings, variant.

    Slopes and shifts stand in the order of BORDERS.
    """

    case: int
    slopes: tuple[int, ...] = ()
    shifts: tuple[int, ...] = ()
    variant: int = 0

    def corner(self, name: str) -> bool:
        """Return whether the tile at a corner has the material."""
        return bool(self.case >> CORNERS.index(name) & 1)

    def slope(self, border: str) -> int:
        """Return the slope at a border: -1, 0 or 1."""
        pair = crossings(self.case)
        return self.slopes[pair.index(border)] if border in pair and self.slopes else 0

    def shift(self, border: str) -> int:
        """Return the side to which a crossing is shifted.

        -1 (up or left), 0 or 1.
        """
        pair = crossings(self.case)
        return self.shifts[pair.index(border)] if border in pair and self.shifts else 0


def is_saddle(case: int) -> bool:
    """Return whether a case has exactly two corners set, diagonally."""
    return case in SADDLES


def crossings(case: int) -> tuple[str, ...]:
    """Return the borders that the contour crosses, in the order of BORDERS."""
    bit = {name: bool(case >> i & 1) for i, name in enumerate(CORNERS)}
    return tuple(border for border, (a, b) in BORDERS.items() if bit[a] != bit[b])


@lru_cache(maxsize=2)
def catalogue(straight: bool = False) -> tuple[DualTile, ...]:
    """Return the baked edge tiles of a material, in the order of its sheet.

    Cases 0 (no corner) and 15 (all corners) have one plain tile, a saddle has VARIANTS. Each other case has VARIANTS
    for a ``straight`` material. Otherwise it has tiles for each pair of bends at its two borders.
    """
    tiles = [DualTile(0), DualTile(15)]
    for case in range(1, 15):
        if is_saddle(case):
            tiles += [DualTile(case, variant=variant) for variant in range(VARIANTS)]
            continue
        for a, b in itertools.product(range(len(_BENDS)), repeat=2):
            slopes, shifts = zip(_BENDS[a], _BENDS[b], strict=True)
            tiles += [DualTile(case, slopes, shifts, variant) for variant in range(_variants(a, b, straight))]
    return tuple(tiles)


def _variants(a: int, b: int, straight: bool) -> int:
    if straight:
        return VARIANTS if a == b == _UPRIGHT else 0
    leans = [bool(_BENDS[code][0]) for code in (a, b)]
    return VARIANTS_BENT if leans[0] == leans[1] else 1


def _lookup(straight: bool) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return first sheet index and number of variants, int32[16, 5, 5].

    The axes are the case and the codes of the two bends.
    """
    first = np.zeros((16, len(_BENDS), len(_BENDS)), np.int32)
    count = np.zeros_like(first)
    for index, tile in enumerate(catalogue(straight)):
        where: tuple[int, ...] = (tile.case,)
        if tile.slopes:
            where += tuple(_BENDS.index(bend) for bend in zip(tile.slopes, tile.shifts, strict=True))
        if tile.variant == 0:
            first[where] = index
        count[where] += 1
    return first, np.maximum(count, 1)


_TABLES = {straight: _lookup(straight) for straight in (False, True)}


def _hash(height: int, width: int, y0: int, x0: int, seed: int) -> NDArray[np.uint32]:
    """Return a hash of tile coordinates, uint32[height, width].

    A tile has the same hash in each chunk.
    """
    y = (np.arange(height, dtype=np.uint32) + np.uint32(y0 & 0xFFFFFFFF))[:, None]
    x = (np.arange(width, dtype=np.uint32) + np.uint32(x0 & 0xFFFFFFFF))[None, :]
    h = x * np.uint32(374761393) + y * np.uint32(668265263) + np.uint32(seed * 974711 & 0xFFFFFFFF)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(1274126177)
    return h ^ (h >> np.uint32(16))


def _meander(ys: NDArray[np.floating], xs: NDArray[np.floating]) -> NDArray[np.int8]:
    """Return the shift of contours at positions in tiles, int8[len(ys), len(xs)].

    It is smooth noise, quantized to -1, 0 and 1.
    """
    y, x = ys / _MEANDER, xs / _MEANDER
    rows, columns = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    y0, x0 = int(rows[0]), int(columns[0])
    spatial_hash = _hash(int(rows[-1]) - y0 + 2, int(columns[-1]) - x0 + 2, y0, x0, 977).astype(np.float64) / 2**31 - 1
    fy, fx = ((f := v - n) * f * (3 - 2 * f) for v, n in ((y, rows), (x, columns)))
    i, j = rows - y0, columns - x0
    upper = spatial_hash[np.ix_(i, j)] * (1 - fx) + spatial_hash[np.ix_(i, j + 1)] * fx
    lower = spatial_hash[np.ix_(i + 1, j)] * (1 - fx) + spatial_hash[np.ix_(i + 1, j + 1)] * fx
    value = upper * (1 - fy[:, None]) + lower * fy[:, None]
    return (value > 0.2).astype(np.int8) - (value < -0.2)


def cases(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the case of each dual tile of a mask.

    The mask is bool[H + 1, W + 1], the result uint8[H, W].
    """
    m = mask.astype(np.uint8)
    return (m[:-1, :-1] | m[:-1, 1:] << 1 | m[1:, 1:] << 2 | m[1:, :-1] << 3).astype(np.uint8)


def sheet_indices(
    mask: NDArray[np.bool_], y0: int, x0: int, straight: bool = False, seed: int = 0
) -> NDArray[np.int32]:
    """Return the edge tile of each dual tile between the inner tiles of ``mask``.

    ``mask`` bool[H, W] starts at tile (y0, x0). It has a margin of two tiles on each side, which is read for slopes
    only. The result int32[H - 3, W - 3] starts at dual tile (y0 + 1, x0 + 1) and holds indices into `catalogue`.
    """
    case = cases(mask)
    inner = case[1:-1, 1:-1]
    first, count = _TABLES[straight]
    if straight:
        a = b = np.full(inner.shape, _UPRIGHT, np.int8)
    else:
        across, along = _bends(mask, case, y0, x0)
        a, b = _first_two(inner, across[1:-2, 1:-1], along[1:-1, 2:-1], across[2:-1, 1:-1], along[1:-1, 1:-2])
    plain = (inner == 0) | (inner == 15) | (inner == SADDLES[0]) | (inner == SADDLES[1])
    codes = (inner, np.where(plain, 0, a), np.where(plain, 0, b))
    pick = _hash(inner.shape[0], inner.shape[1], y0 + 1, x0 + 1, seed) % count[codes].astype(np.uint32)
    return first[codes] + pick.astype(np.int32)


def _bends(
    mask: NDArray[np.bool_], case: NDArray[np.uint8], y0: int, x0: int
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return the codes of the bends at all borders.

    The first array holds borders between (y, x) and (y, x + 1), the second those between (y, x) and (y + 1, x).
    """
    m = mask.astype(np.int8)
    saddle = (case == SADDLES[0]) | (case == SADDLES[1])
    height, width = m.shape
    # Slope of a border between the neighbours (y, x) and (y, x + 1): (below - above), towards the set side.
    rows = m[:, :-1] + m[:, 1:]
    across = np.zeros((height, width - 1), np.int8)
    across[1:-1] = np.sign(rows[2:] - rows[:-2]) * (m[1:-1, :-1] - m[1:-1, 1:])
    columns = m[:-1] + m[1:]
    along = np.zeros((height - 1, width), np.int8)
    along[:, 1:-1] = np.sign(columns[:, 2:] - columns[:, :-2]) * (m[:-1, 1:-1] - m[1:, 1:-1])
    calm = np.zeros_like(across, dtype=bool)
    calm[1:-1] = saddle[:-1] | saddle[1:]
    still = np.zeros_like(along, dtype=bool)
    still[:, 1:-1] = saddle[:, :-1] | saddle[:, 1:]
    middle_y, middle_x = np.arange(height) + (y0 + 0.5), np.arange(width) + (x0 + 0.5)
    return (
        _coded(across, _meander(middle_y, middle_x[:-1] + 0.5), calm),
        _coded(along, _meander(middle_y[:-1] + 0.5, middle_x), still),
    )


def _coded(lean: NDArray[np.int8], shift: NDArray[np.int8], saddle: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return slopes and shifts as indices into _BENDS.

    A contour that slopes does not shift. Beside a saddle it does neither.
    """
    upright = np.where(shift < 0, 3, np.where(shift > 0, 4, _UPRIGHT))
    code = np.where(lean != 0, lean + 1, upright)
    return np.where(saddle, _UPRIGHT, code).astype(np.int8)


def _first_two(case: NDArray[np.uint8], *bends: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return the bends of the two crossed borders of each case.

    They stand in the order of BORDERS.
    """
    order = list(BORDERS)
    table = np.zeros((16, 2), np.int8)
    for number in range(16):
        pair = crossings(number)
        if len(pair) == 2:
            table[number] = order.index(pair[0]), order.index(pair[1])
    stack = np.stack(bends)
    rows, columns = np.indices(case.shape)
    return stack[table[case, 0], rows, columns], stack[table[case, 1], rows, columns]
