"""Snapshot ledger: bytes that a set of snapshots holds together.

Snapshots of one game share what did not change between them. The ledger counts every shared part once: each part has a
number of holders, and its bytes are freed with the last one. A part that is counted already is not looked into again,
so adding a snapshot takes the time of what is new in it.

Units: bytes of arrays and of their containers. Plain numbers and words are not counted; they are shared with the live
records as a rule.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ai.core.serialization import Snapshot, held_by

ARRAY_OVERHEAD = 112
"""Bytes of an array besides its data."""
_CONTAINERS = (list, tuple, dict)


class SnapshotLedger:
    """Counts the parts of the snapshots that are held; see the module."""

    def __init__(self) -> None:
        self.nbytes = 0
        self._holders: dict[int, int] = {}

    def add(self, saved: Snapshot) -> None:
        """Count a snapshot, which stays alive until :meth:`remove`."""
        todo = [saved.root]
        while todo:
            part = todo.pop()
            size = _bytes_of(part)
            if not size:
                continue
            holders = self._holders.get(id(part), 0)
            self._holders[id(part)] = holders + 1
            if not holders:
                self.nbytes += size
                todo.extend(held_by(part))

    def remove(self, saved: Snapshot) -> None:
        """Stop counting a snapshot; ValueError for one that was never added."""
        todo = [saved.root]
        while todo:
            part = todo.pop()
            size = _bytes_of(part)
            if not size:
                continue
            holders = self._holders.get(id(part), 0)
            if not holders:
                raise ValueError("the snapshot is not in the ledger")
            if holders > 1:
                self._holders[id(part)] = holders - 1
            else:
                del self._holders[id(part)]
                self.nbytes -= size
                todo.extend(held_by(part))


def _bytes_of(part: Any) -> int:
    """Return the bytes of one part alone; 0 for a plain value."""
    if isinstance(part, np.ndarray):
        return int(part.nbytes) + ARRAY_OVERHEAD
    held = held_by(part)
    if not held and not isinstance(part, _CONTAINERS):
        return 0
    # A record is a small object with a dict of its values.
    return sys.getsizeof(part) if isinstance(part, _CONTAINERS) else sys.getsizeof(part) + 64 + 8 * len(held)
