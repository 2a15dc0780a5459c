"""Stop bits: one bit per tile and straight direction that ends a jump there.

A tile stops a jump when it is a wall or has a forced neighbour. East and west are packed along rows, south and north
along columns, 64 tiles per word. So an edit touches few words and a jump reads one word for 64 tiles. All arrays have a
border of one blocked tile.

Source: "Game AI Pro 2", ch. 14 (jump points).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.bits import leading_zeros, trailing_zeros


@device
def _set(words: np.ndarray, line: int, at: int, value: bool) -> None:
    if value:
        words[line, at >> 6] |= np.uint64(1) << np.uint64(at & 63)
    else:
        words[line, at >> 6] &= ~(np.uint64(1) << np.uint64(at & 63))


@kernel(
    "void(uint8[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], uint64[:,::1], int64, int64, int64, int64)",
    group="lab",
)
def refresh_stops(
    ground: np.ndarray,
    east: np.ndarray,
    west: np.ndarray,
    south: np.ndarray,
    north: np.ndarray,
    y0: int,
    x0: int,
    y1: int,
    x1: int,
) -> None:
    """Update the stop bits after a rectangle of ``ground`` changed.

    The changed tiles are y0..y1-1, x0..x1-1 of the bordered ground.
    """
    height, width = ground.shape
    for y in range(max(y0 - 1, 0), min(y1 + 1, height)):
        for x in range(max(x0 - 1, 0), min(x1 + 1, width)):
            stop_e = stop_w = stop_s = stop_n = True
            if ground[y, x]:
                n, s, w, e = ground[y - 1, x], ground[y + 1, x], ground[y, x - 1], ground[y, x + 1]
                nw, ne, sw, se = (
                    ground[y - 1, x - 1],
                    ground[y - 1, x + 1],
                    ground[y + 1, x - 1],
                    ground[y + 1, x + 1],
                )
                stop_e = (n > nw) or (s > sw)
                stop_w = (n > ne) or (s > se)
                stop_s = (w > nw) or (e > ne)
                stop_n = (w > sw) or (e > se)
            _set(east, y, x, stop_e)
            _set(west, y, x, stop_w)
            _set(south, x, y, stop_s)
            _set(north, x, y, stop_n)


@device
def next_stop(words: np.ndarray, line: int, at: int) -> int:
    """Return the first stop beyond ``at`` along a line.

    The border is a stop, so one always exists.
    """
    at += 1
    word = at >> 6
    bits = words[np.uint64(line), np.uint64(word)] >> np.uint64(at & 63)
    if bits != 0:
        return at + np.int64(trailing_zeros(bits))
    while True:
        word += 1
        bits = words[np.uint64(line), np.uint64(word)]
        if bits != 0:
            return (word << 6) + np.int64(trailing_zeros(bits))


@device
def previous_stop(words: np.ndarray, line: int, at: int) -> int:
    """Return the first stop before ``at`` along a line."""
    at -= 1
    word = at >> 6
    bits = words[np.uint64(line), np.uint64(word)] << np.uint64(63 - (at & 63))
    if bits != 0:
        return at - np.int64(leading_zeros(bits))
    while True:
        word -= 1
        bits = words[np.uint64(line), np.uint64(word)]
        if bits != 0:
            return (word << 6) + 63 - np.int64(leading_zeros(bits))
