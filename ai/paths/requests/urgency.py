"""Who is in need of a quick answer: in a crowd that waits, or after a long wait.

On even ground jump points are exact, and dear where the ground is broken up: a room each for a thousand units is a
second's budget many times over, a question on noise may be a whole tick's.  Those who are pressed take near-optimal
ways over clusters for their long ways, at a tenth of the work.

Source: "AI Game Programming Wisdom", 3.2 (choose the search by the ground), 3.3 (nobody waits long for a full path).
"""

from __future__ import annotations

import numpy as np

from ai.paths.requests.request_columns import Phase, Requests

MANY = 100
"""While more than so many wait for full paths, all of them are pressed."""

LATE = 6
"""Ticks after which anybody is."""


def are_urgent(requests: Requests, slots: np.ndarray, tick: int) -> np.ndarray:
    """bool[n]: which of ``slots`` are."""
    many = np.count_nonzero(requests.phase == Phase.WAITING) > MANY
    return (tick - requests.asked[slots] >= LATE) | many
