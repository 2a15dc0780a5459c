"""Failure memory: a local search that proved a failure is not repeated.

A failed search is remembered by all that its answer depends on: the class, the window, the start tile, the blocked
tiles and the tiles where the unit could join its path. The next search with the same question costs no revolution. A
body that moves, a door or another path changes the question. So no answer can be out of date, and none needs a clock.

The source remembers (start, goal) and a counter of map changes. Bodies change this map in most ticks, so the blocked
tiles take the counter's place. Unreachable goals on the terrain itself need no search at all
(:mod:`ai.paths.requests.goal_resolution`).

Source: "AI Game Programming Wisdom", 3.5 (failure caching).
"""

from __future__ import annotations

import hashlib
from dataclasses import field

import numpy as np

from ai.core.serialization import record


def question_of(movement_class: int, corner: tuple[int, int], start: tuple[int, int], ends: np.ndarray) -> int:
    """Return the number of a question, 63 bits.

    ``ends`` is uint8[h, w] of the window: bit 0 for free tiles, bit 1 for tiles that end the search. ``corner`` and
    ``start`` are (y, x) on the map.
    """
    head = np.array([movement_class, *corner, *start, *ends.shape], np.int64)
    text = hashlib.blake2b(head.tobytes() + ends.tobytes(), digest_size=8).digest()
    return int.from_bytes(text, "little") >> 1


@record
class FailureMemory:
    """Revolutions of each proven failure by question, oldest first."""

    failed: dict[int, int] = field(default_factory=dict)

    def find(self, question: int) -> int:
        """Return the revolutions that proved a failure; -1 if it is unknown."""
        return self.failed.get(question, -1)

    def keep(self, question: int, revolutions: int, most: int) -> None:
        """Remember a proven failure; beyond ``most`` the oldest is dropped."""
        self.failed[question] = revolutions
        while len(self.failed) > most:
            del self.failed[next(iter(self.failed))]
