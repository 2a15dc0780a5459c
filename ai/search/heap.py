"""Binary heap for kernels: two parallel arrays of keys and values.

Entries are ordered by key, then by value.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

import numpy as np

from ai.core.kernels import device


@device
def heap_push(keys: np.ndarray, values: np.ndarray, count: int, key: int, value: int) -> None:
    """Add to a heap of ``count`` entries."""
    at = count
    while at > 0:
        above = (at - 1) >> 1
        if keys[above] < key or (keys[above] == key and values[above] <= value):
            break
        keys[at] = keys[above]
        values[at] = values[above]
        at = above
    keys[at] = key
    values[at] = value


@device
def heap_pop(keys: np.ndarray, values: np.ndarray, count: int) -> None:
    """Remove the first of ``count`` entries."""
    last = count - 1
    key, value = keys[last], values[last]
    at = 0
    while True:
        child = 2 * at + 1
        if child >= last:
            break
        if child + 1 < last and (
            keys[child + 1] < keys[child] or (keys[child + 1] == keys[child] and values[child + 1] < values[child])
        ):
            child += 1
        if key < keys[child] or (key == keys[child] and value <= values[child]):
            break
        keys[at] = keys[child]
        values[at] = values[child]
        at = child
    keys[at] = key
    values[at] = value
