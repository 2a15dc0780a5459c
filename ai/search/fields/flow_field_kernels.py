"""Kernels that follow a published flow field from many tiles."""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.grid.moves import MOVE_X, MOVE_Y


@device
def step_on(passable: np.ndarray, bit: int, y: int, x: int, ny: int, nx: int, out: np.ndarray, i: int, n: int) -> bool:
    """Write the tile (ny, nx) to ``out[i, n]`` when the step there is legal."""
    if not passable[ny, nx] & bit or not (passable[ny, x] & bit and passable[y, nx] & bit):
        return False
    out[i, n, 0], out[i, n, 1] = ny, nx
    return True


@kernel(
    "void(uint8[:,::1], uint8[:,::1], int64, int32[:,::1], int32[:,::1], int64, int64, int32[:,:,::1], int32[::1])",
    group="lab",
)
def follow_moves(
    moves: np.ndarray,
    passable: np.ndarray,
    bit: int,
    starts: np.ndarray,
    goals: np.ndarray,
    steps: int,
    close: int,
    out: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Write the next tiles of each start along the field.

    ``out`` int32[n, steps + 1, 2] (y, x) begins with the start; ``counts`` is the number of tiles. A row ends where the
    field ends, within ``close`` tiles (along the longer axis) of its own goal, or before a step that is no longer
    legal: a field may be older than a door.
    """
    for i in range(starts.shape[0]):
        y, x = np.int64(starts[i, 0]), np.int64(starts[i, 1])
        out[i, 0, 0], out[i, 0, 1] = y, x
        n = 1
        while n <= steps:
            if abs(y - goals[i, 0]) <= close and abs(x - goals[i, 1]) <= close:
                break
            k = moves[y, x]
            if k > 7:
                break
            ny, nx = y + MOVE_Y[k], x + MOVE_X[k]
            if not step_on(passable, bit, y, x, ny, nx, out, i, n):
                break
            y, x = ny, nx
            n += 1
        counts[i] = n
