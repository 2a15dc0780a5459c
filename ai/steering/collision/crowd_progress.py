"""Progress of connected crowds: a queue that moves is no dead end.

A crowd is a set of units that want to move. They are connected by gaps of at most half a tile, or because one waits for
another before a passage. Every unit of a crowd shares the shortest time since any of them got nearer to its goal. So a
queue that moves is no dead end, even if its last unit stands for long.
"""

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel

LINKED_FROM = 40
"""Ticks without progress of any unit from which crowds are linked.

Before that, no stage needs the result.
"""


@device
def root_of(parent: np.ndarray, j: int) -> int:
    """Return the representative of row j; halves the chain of parents meanwhile."""
    while parent[j] != j:
        parent[j] = parent[parent[j]]
        j = parent[j]
    return j


@kernel(
    "void(int64, int32[::1], int32[::1], int32[:,::1], int32[::1], uint8[::1], uint8[::1], int16[::1], int32[::1],"
    " int32[::1], uint8[::1], int32[::1])"
)
def share_progress(
    count: int,
    order: np.ndarray,
    rank: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    alive: np.ndarray,
    moving: np.ndarray,
    stuck: np.ndarray,
    waits_for: np.ndarray,
    still: np.ndarray,
    queued: np.ndarray,
    parent: np.ndarray,
) -> None:
    """Count ticks without progress of each unit's crowd in ``still`` int32[slots].

    Call it once per tick after the move.

    ``stuck`` int16[slots] is 0 for a unit that got on in this tick.  ``waits_for`` int32[slots]: the slot that a unit
    waits for before a passage, -1 none.  ``queued`` uint8[slots] becomes 1 for a unit that touches, or waits
    for, a unit that moves.  ``parent`` int32[count] is scratch; other arrays are the spatial hash's.
    """
    most = 0
    for i in range(moving.size):
        still[i] = still[i] + 1 if alive[i] and moving[i] and stuck[i] > 0 else 0
        most = max(most, still[i])
    for j in range(count):
        i = order[j]
        o = waits_for[i]
        queued[i] = o >= 0 and moving[o]
        for k in range(contact_count[j]):
            queued[i] |= moving[order[contacts[j, k]]]
    if most < LINKED_FROM:
        return
    for j in range(count):
        parent[j] = j
    for j in range(count):
        i = order[j]
        if not moving[i]:
            continue
        for k in range(contact_count[j]):
            q = contacts[j, k]
            if q < j and moving[order[q]]:
                parent[root_of(parent, q)] = root_of(parent, j)
        o = waits_for[i]
        if o >= 0 and rank[o] >= 0 and moving[o]:
            parent[root_of(parent, rank[o])] = root_of(parent, j)
    # The least of a crowd goes to its representative, then to all; the order of slots does not matter.
    for j in range(count):
        i = order[j]
        r = order[root_of(parent, j)]
        if moving[i] and still[i] < still[r]:
            still[r] = still[i]
    for j in range(count):
        i = order[j]
        if moving[i]:
            still[i] = still[order[root_of(parent, j)]]
