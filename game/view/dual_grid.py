"""The dual grid: which edge tile lies between four tile centres, and how its contour leans at the borders.

A dual tile (y, x) lies between the centres of tiles (y, x), (y, x + 1), (y + 1, x), (y + 1, x + 1): half a tile off.
Its case has a bit a corner.  Where two corners of a border differ the contour crosses it in the middle; how it leans
there (-1, 0, 1) follows from the two pairs of tiles beyond, so both tiles that share the border agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CORNERS = ("tl", "tr", "br", "bl")  # bits 1, 2, 4, 8 of a case
BORDERS = {"top": ("tl", "tr"), "right": ("tr", "br"), "bottom": ("bl", "br"), "left": ("tl", "bl")}
SADDLES = (5, 10)
SLOPE = 0.7  # pixels sideways a pixel forward where a contour leans
VARIANTS = 4  # of an upright tile or a saddle
VARIANTS_LEANING = 2


@dataclass(frozen=True)
class DualTile:
    """One baked edge tile: its case, the slopes of its (two) crossings in the order of BORDERS, its variant."""

    case: int
    slopes: tuple[int, ...] = ()
    variant: int = 0

    def corner(self, name: str) -> bool:
        """Whether the corner's tile is of the material."""
        return bool(self.case >> CORNERS.index(name) & 1)

    def slope(self, border: str) -> int:
        """The lean at a border: -1, 0 or 1."""
        pair = crossings(self.case)
        return self.slopes[pair.index(border)] if border in pair and self.slopes else 0


def is_saddle(case: int) -> bool:
    """Two corners set, diagonally."""
    return case in SADDLES


def crossings(case: int) -> tuple[str, ...]:
    """The borders the contour crosses, in the order of BORDERS."""
    bit = {name: bool(case >> i & 1) for i, name in enumerate(CORNERS)}
    return tuple(border for border, (a, b) in BORDERS.items() if bit[a] != bit[b])


def catalogue() -> list[DualTile]:
    """Every edge tile that is baked for a material, in the order of its sheet.

    Cases 0 (nothing) and 15 (all) have one plain tile; a saddle has VARIANTS upright ones; any other case has
    VARIANTS upright and VARIANTS_LEANING of each of the eight ways to lean.
    """
    tiles = [DualTile(0), DualTile(15)]
    for case in range(1, 15):
        if is_saddle(case):
            tiles += [DualTile(case, (), variant) for variant in range(VARIANTS)]
            continue
        for a in (-1, 0, 1):
            for b in (-1, 0, 1):
                count = VARIANTS if a == b == 0 else VARIANTS_LEANING
                tiles += [DualTile(case, (a, b), variant) for variant in range(count)]
    return tiles


def _lookup() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """First sheet index and number of variants, int32[16, 3, 3] by case and the two slopes + 1."""
    first = np.zeros((16, 3, 3), np.int32)
    count = np.ones((16, 3, 3), np.int32)
    for index, tile in enumerate(catalogue()):
        if tile.variant:
            continue
        where = (tile.case, *(s + 1 for s in tile.slopes)) if tile.slopes else (tile.case,)
        first[where] = index
        upright = not any(tile.slopes)
        count[where] = 1 if tile.case in (0, 15) else VARIANTS if upright else VARIANTS_LEANING
    return first, count


_FIRST, _COUNT = _lookup()


def _hash(height: int, width: int, y0: int, x0: int, seed: int) -> NDArray[np.uint32]:
    """Hash of tile coordinates, uint32[height, width]; the same tile gives the same number in every chunk."""
    y = (np.arange(height, dtype=np.uint32) + np.uint32(y0 & 0xFFFFFFFF))[:, None]
    x = (np.arange(width, dtype=np.uint32) + np.uint32(x0 & 0xFFFFFFFF))[None, :]
    h = x * np.uint32(374761393) + y * np.uint32(668265263) + np.uint32(seed * 974711 & 0xFFFFFFFF)
    h = (h ^ (h >> np.uint32(13))) * np.uint32(1274126177)
    return h ^ (h >> np.uint32(16))


def cases(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """bool[H + 1, W + 1] -> uint8[H, W], the case of every dual tile."""
    m = mask.astype(np.uint8)
    return (m[:-1, :-1] | m[:-1, 1:] << 1 | m[1:, 1:] << 2 | m[1:, :-1] << 3).astype(np.uint8)


def sheet_indices(mask: NDArray[np.bool_], y0: int, x0: int, leaning: bool = True, seed: int = 0) -> NDArray[np.int32]:
    """The edge tile of every dual tile between the inner tiles of ``mask``.

    ``mask`` bool[H, W] covers tiles from (y0, x0) on and has a skirt of two tiles on each side, which are only looked
    at for slopes; the result is int32[H - 3, W - 3], from dual tile (y0 + 1, x0 + 1) on, indices into `catalogue`.
    """
    m = mask.astype(np.int8)
    case = cases(mask)
    saddle = (case == SADDLES[0]) | (case == SADDLES[1])
    # a border between horizontal neighbours (y, x), (y, x + 1): lean = (below - above), towards the set side
    rows = m[:, :-1] + m[:, 1:]
    lean_v = np.zeros((m.shape[0], m.shape[1] - 1), np.int8)
    lean_v[1:-1] = np.sign(rows[2:] - rows[:-2]) * (m[1:-1, :-1] - m[1:-1, 1:])
    lean_v[1:-1][saddle[:-1] | saddle[1:]] = 0
    columns = m[:-1] + m[1:]
    lean_h = np.zeros((m.shape[0] - 1, m.shape[1]), np.int8)
    lean_h[:, 1:-1] = np.sign(columns[:, 2:] - columns[:, :-2]) * (m[:-1, 1:-1] - m[1:, 1:-1])
    lean_h[:, 1:-1][saddle[:, :-1] | saddle[:, 1:]] = 0
    inner = case[1:-1, 1:-1]
    if leaning:
        top, bottom = lean_v[1:-2, 1:-1], lean_v[2:-1, 1:-1]
        left, right = lean_h[1:-1, 1:-2], lean_h[1:-1, 2:-1]
        a, b = _first_two(inner, top, right, bottom, left)
    else:
        a = b = np.zeros(inner.shape, np.int8)
    first, count = _FIRST[inner, a + 1, b + 1], _COUNT[inner, a + 1, b + 1]
    pick = _hash(inner.shape[0], inner.shape[1], y0 + 1, x0 + 1, seed) % count.astype(np.uint32)
    return first + pick.astype(np.int32)


def _first_two(case: NDArray[np.uint8], *leans: NDArray[np.int8]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """The leans of the two crossed borders of every case, in the order of BORDERS."""
    order = list(BORDERS)
    table = np.zeros((16, 2), np.int8)
    for number in range(16):
        pair = crossings(number)
        if len(pair) == 2:
            table[number] = order.index(pair[0]), order.index(pair[1])
    stack = np.stack(leans)
    rows, columns = np.indices(case.shape)
    a = stack[table[case, 0], rows, columns]
    b = stack[table[case, 1], rows, columns]
    none = (case == 0) | (case == 15) | (case == SADDLES[0]) | (case == SADDLES[1])
    return np.where(none, 0, a).astype(np.int8), np.where(none, 0, b).astype(np.int8)
