"""How many new requests begin in one tick, and whose turn it is: a hundred thousand asked at once must not hold it up.

Source: "AI Game Programming Wisdom", 3.3 (quick paths at once) and 6.2 (load balancing by a counted number a tick).
"""

from __future__ import annotations

import numpy as np

from ai.paths.context import PathTick


def whose_turn(now: PathTick, slots: np.ndarray) -> np.ndarray:
    """Of the new requests ``slots``, by unit id, those that begin in this tick, by unit id: at most
    ``settings.starts_a_tick`` and a quarter more.

    This tick's come first, so that an order to so many units moves them all at once; a quarter is kept for those who
    wait, the longest first, so that everybody's turn comes.  Who is put off walks on as he did and arrives nowhere.
    """
    most = now.settings.starts_a_tick
    if len(slots) <= most:
        return slots
    manager, r = now.manager, now.manager.requests
    fresh = r.asked[slots] == now.tick
    kept = -(-most // 4)
    first, older = slots[fresh][:most], slots[~fresh]
    room = most + kept - len(first)
    older = older[np.argsort(r.asked[older], kind="stable")][:room]
    turn = np.zeros(r.capacity, bool)
    turn[first] = turn[older] = True
    chosen = turn[slots]
    put_off = slots[~chosen]
    manager.store.final[put_off] = 0
    unknown = put_off[r.nearest_tile[put_off, 0] < 0]
    r.goal[unknown] = -1
    return slots[chosen]
