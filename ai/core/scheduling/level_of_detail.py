"""Levels of detail: important members run more often, and none starves.

Source: AI Game Programming Wisdom, 8.5 ("Level-Of-Detail AI for a Large Role-Playing Game"): five classes with fixed
shares of the slices, a ring for each class, and the share of an empty class goes to the others. The caller assigns a
unit to a class; here a class is only a number. The camera plays no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from ai.core.scheduling.round_robin import RoundRobin
from ai.core.serialization import record

SHARES = (60, 24, 10, 4, 2)
"""Percent of the slices for classes 0 (most important) to 4."""

CLASSES = len(SHARES)


@record
class DetailShares:
    """Assigns slices to classes.

    ``carry`` is the balance of each class, in hundredths of a slice times the total share.
    """

    shares: tuple[int, ...] = SHARES
    carry: list[int] = field(default_factory=lambda: [0] * CLASSES)
    rings: list[RoundRobin] = field(default_factory=lambda: [RoundRobin() for _ in range(CLASSES)])

    def quotas(self, sizes: Sequence[int], slices: int) -> list[int]:
        """Return the slices for each class out of ``slices``, by share.

        Empty classes get none. Fractions of a slice are carried to the next call, so that the shares are exact over
        time.
        """
        total = sum(share for share, size in zip(self.shares, sizes, strict=True) if size)
        out = [0] * len(self.shares)
        if total == 0 or slices <= 0:
            return out
        owed = [
            carry + share * slices * 100 if size else 0
            for carry, share, size in zip(self.carry, self.shares, sizes, strict=True)
        ]
        unit = total * 100
        out = [max(0, o) // unit for o in owed]
        rest = slices - sum(out)
        # The largest remainders take the rest; ties go to the more important class.
        order = sorted((c for c in range(len(out)) if sizes[c]), key=lambda c: (-(owed[c] - out[c] * unit), c))
        for k in range(rest):
            out[order[k % len(order)]] += 1
        self.carry = [o - q * unit if size else 0 for o, q, size in zip(owed, out, sizes, strict=True)]
        return out

    def take(self, ids: np.ndarray, classes: np.ndarray, slices: int, tick: int) -> np.ndarray:
        """Return which of ``ids`` (ascending) run in ``tick``, bool[n].

        A member runs at most once, and at most ``slices`` run in all. ``classes`` is int[n], 0 most important. Slices
        that a class cannot use go to the next ones.
        """
        chosen = np.zeros(len(ids), bool)
        if len(ids) <= slices:
            chosen[:] = True
            return chosen
        members = [np.flatnonzero(classes == c) for c in range(len(self.shares))]
        quotas = self.quotas([len(m) for m in members], slices)
        over = 0
        for c, rows in enumerate(members):
            quota = quotas[c] + over
            over = max(0, quota - len(rows))
            self.rings[c].batch = min(quota, len(rows))
            served = self.rings[c].take(ids[rows], tick)
            chosen[rows[np.searchsorted(ids[rows], np.sort(served))]] = True
        return chosen

    def strides(self, sizes: Sequence[int], slices: int, always: int = 2, most: int = 4) -> list[int]:
        """Return the ticks between two turns of a member, for each class.

        About ``slices`` turns are given per tick. This serves work that must not depend on a ring: a member's turn
        follows from its id alone, ``(tick + id) % stride``. The first ``always`` classes run in every tick. The others
        share the rest by their shares, each with at least one turn in ``most`` ticks. That bounds the wait for any
        sizes.
        """
        out = [1] * len(sizes)
        left = slices - sum(sizes[:always])
        waiting = [c for c in range(always, len(sizes)) if sizes[c]]
        while waiting:
            total = sum(self.shares[c] for c in waiting)
            # A class whose share is more than it can use leaves the rest to the others.
            content = [c for c in waiting if sizes[c] * total <= self.shares[c] * left]
            if not content:
                for c in waiting:
                    out[c] = min(most, max(1, -(-sizes[c] * total // max(1, self.shares[c] * left))))
                break
            left -= sum(sizes[c] for c in content)
            waiting = [c for c in waiting if c not in content]
        return out

    def bound(self, sizes: Sequence[int], slices: int) -> list[int]:
        """Return the most ticks that a member of each class waits.

        It holds while sizes and slices stay the same; 0 for an empty class.
        """
        total = sum(share for share, size in zip(self.shares, sizes, strict=True) if size)
        return [
            -(-size * total // max(1, share * slices)) + 2 if size else 0
            for share, size in zip(self.shares, sizes, strict=True)
        ]


def classify(engaged: np.ndarray, perceived: np.ndarray, near: np.ndarray, same_area: np.ndarray) -> np.ndarray:
    """Return classes uint8[n] from four bool[n].

    0 is in a fight, 1 perceived by another side, 2 near another side, 3 in the same area, 4 none of these.
    """
    out = np.full(len(engaged), 4, np.uint8)
    for c, mask in ((3, same_area), (2, near), (1, perceived), (0, engaged)):
        out[mask] = c
    return out
