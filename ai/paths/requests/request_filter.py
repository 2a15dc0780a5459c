"""Request filter: selects slots by phase in one kernel.

One pass over the columns serves a hundred thousand slots without copies. A single kernel for all filters keeps
compilation short; :class:`RequestFilter` names them.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="operator"

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ai.core.kernels import kernel

_IDLE, _WAITING, _FLOWING = 0, 2, 7
_AT_END = 1
"""Same values as in :class:`ai.paths.requests.request_columns.Phase` and
:class:`ai.paths.store.following_kernels.Flag`.
"""


class RequestFilter(IntEnum):
    """Selects which slots are returned, ascending; ``limit`` and ``marks`` uint8 are arguments."""

    PHASES = 0
    """Slots in a phase that is a bit of ``limit``."""
    STRANGERS = 1
    """Select waiting slots that may be led and have no tree.

    Each holds a ticket of at least ``limit``.
    """
    LED = 2
    """Waiting slots that may be led and whose tree is marked."""
    RUN_DOWN = 3
    """Select led slots that are at the end of their path, or have none.

    ``limit`` is 1 for slots led along a tree and 0 for a field.
    """
    RUN_OUT = 4
    """Select slots with a pending search at the end of their path.

    Slots without a path count as well; starved slots do not.
    """
    LINE = 5
    """Waiting slots without a mark."""
    TREES = 6
    """No slots; marks the trees in use instead."""


@kernel(
    "int64(int64, int64, uint8[::1], int32[::1], uint8[::1], int32[::1], int32[:,::1], int64[::1], int32[::1],"
    " uint8[::1], int32[::1], uint8[::1], uint8[::1], int64[::1])"
)
def filter_requests(
    what: int,
    limit: int,
    phase: np.ndarray,
    unit: np.ndarray,
    unled: np.ndarray,
    led_by: np.ndarray,
    goal: np.ndarray,
    ticket: np.ndarray,
    held_by: np.ndarray,
    starved: np.ndarray,
    path_len: np.ndarray,
    flags: np.ndarray,
    marks: np.ndarray,
    out: np.ndarray,
) -> int:
    """Write the slots that pass a filter into ``out``; return their number.

    Returns -1 minus the number if their units do not ascend as well.
    """
    n = 0
    if what == 0:
        for slot in range(phase.size):
            out[n] = slot
            n += (limit >> phase[slot]) & 1
    elif what == 6:
        for slot in range(phase.size):
            if phase[slot] != _IDLE and led_by[slot] >= 0:
                marks[led_by[slot]] = 1
    elif what == 3:
        for slot in range(phase.size):
            if phase[slot] == _FLOWING and (path_len[slot] <= 1 or flags[slot] & _AT_END != 0):
                out[n] = slot
                n += int((led_by[slot] >= 0) == (limit != 0) and held_by[slot] < 0)
    elif what == 4:
        for slot in range(phase.size):
            if phase[slot] == _WAITING or phase[slot] == _WAITING + 1:
                out[n] = slot
                n += int(starved[slot] == 0 and (path_len[slot] == 0 or flags[slot] & _AT_END != 0))
    else:
        for slot in range(phase.size):
            if phase[slot] != _WAITING:
                continue
            out[n] = slot
            if what == 5:
                n += int(marks[slot] == 0)
            elif unled[slot] == 0 and goal[slot, 0] >= 0:
                if what == 1:
                    n += int(led_by[slot] < 0 and ticket[slot] >= limit)
                elif led_by[slot] >= 0:
                    n += int(marks[led_by[slot]] != 0)
    for k in range(1, n):
        if unit[out[k]] <= unit[out[k - 1]]:
            return -1 - n
    return n
