"""Square bins over the units, to limit the compared pairs."""

from __future__ import annotations

from ai.core.kernels import kernel

CELL = 8.0
"""Side of a bin, in tiles.

It is a power of two, so that multiplying by its inverse is exact.
"""
PER_TILE = 1.0 / CELL


def bin_cells(height: int, width: int) -> int:
    """Return the number of bins that :func:`bin_units` needs for a map.

    Its ``starts`` is one longer.
    """
    return (int(height * PER_TILE) + 1) * (int(width * PER_TILE) + 1)


@kernel("void(int64, int64, uint8[::1], float64[::1], float64[::1], int32[::1], int32[::1])")
def bin_units(height, width, alive, x, y, starts, members):  # type: ignore[no-untyped-def]
    """Sort the living units on the map into bins of 8x8 tiles.

    It is a counting sort, by slot within a bin.
    """
    across = int(width * PER_TILE) + 1
    starts[:] = 0
    for i in range(len(x)):
        if alive[i] != 0 and x[i] >= 0 and y[i] >= 0 and x[i] < width and y[i] < height:
            starts[int(y[i] * PER_TILE) * across + int(x[i] * PER_TILE)] += 1
    for cell in range(1, len(starts)):
        starts[cell] += starts[cell - 1]
    # Each place now holds the end of its bin; filling from the last slot down turns ends into starts.
    for back in range(len(x)):
        i = len(x) - 1 - back
        if alive[i] != 0 and x[i] >= 0 and y[i] >= 0 and x[i] < width and y[i] < height:
            cell = int(y[i] * PER_TILE) * across + int(x[i] * PER_TILE)
            starts[cell] -= 1
            members[starts[cell]] = i
