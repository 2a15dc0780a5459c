"""How many new requests begin in one tick, and whose turn it is: a hundred thousand asked at once must not hold it up.

Source: "AI Game Programming Wisdom", 3.3 (quick paths at once) and 6.2 (load balancing by a counted number a tick).
"""

from __future__ import annotations

import numpy as np

from ai.paths.update_context import PathTick

OF_MANY = 64
"""Of more who wait than would be over in about so many ticks, one in so many begins."""


def whose_turn(now: PathTick, slots: np.ndarray) -> np.ndarray:
    """Of the new requests ``slots``, by unit id, those that begin in this tick, by unit id: at most
    ``settings.starts_a_tick`` that have just asked, and a quarter as many who wait; of a great many a 64th.

    So an order to so many units moves them all at once, and everybody's turn comes, whoever has waited longest first.
    Who is put off walks on as he did and arrives nowhere; the queue's searches have the least share of that tick.
    """
    most = now.settings.starts_a_tick
    if len(slots) <= most:
        return slots
    manager, r = now.manager, now.manager.requests
    fresh = r.asked[slots] == now.tick
    first, older = slots[fresh][:most], slots[~fresh]
    share = min(max(-(-most // 4), len(older) // OF_MANY), most)
    older = older[np.argsort(r.asked[older], kind="stable")][:share]
    turn = np.zeros(r.capacity, bool)
    turn[first] = turn[older] = True
    chosen = turn[slots]
    put_off = slots[~chosen]
    now.put_off = len(put_off)
    manager.store.final[put_off] = 0
    unknown = put_off[r.nearest_tile[put_off, 0] < 0]
    r.goal[unknown] = -1
    return slots[chosen]
