"""Urgency: requests in a waiting crowd, or after a long wait.

On even ground jump point search is exact, but slow on broken ground. For a thousand units on a map of rooms it exceeds
a second's budget many times; one search on noise may take a whole tick's. Urgent requests use near-optimal paths over
clusters for long distances, at a tenth of the work.

Source: "AI Game Programming Wisdom", 3.2 (choose the search by the ground), 3.3 (no unit waits long for a full path).
"""

from __future__ import annotations

import numpy as np

from ai.paths.requests.request_columns import Phase, Requests

MANY = 100
"""Waiting full paths above which all of them are urgent."""

LATE = 6
"""Ticks of waiting after which any request is urgent."""


def are_urgent(requests: Requests, slots: np.ndarray, tick: int) -> np.ndarray:
    """Return bool[n]: the urgent ones among ``slots``."""
    many = np.count_nonzero(requests.phase == Phase.WAITING) > MANY
    return (tick - requests.asked[slots] >= LATE) | many
