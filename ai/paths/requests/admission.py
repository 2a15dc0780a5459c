"""Admission: the number of new requests that start in one tick, and their order.

A hundred thousand requests in one tick must not hold up that tick.

Source: "AI Game Programming Wisdom", 3.3 (immediate quick paths) and 6.2 (load balancing by a counted number per tick).
"""

from __future__ import annotations

import numpy as np

from ai.paths.update_context import PathTick


def whose_turn(now: PathTick, slots: np.ndarray) -> np.ndarray:
    """Return the new requests among ``slots`` that start in this tick, by unit id.

    At most ``settings.starts_a_tick`` fresh requests start. Waiting ones get the places that are left, and a quarter as
    many in any case. So an order to that many units moves them all in the same tick, and the longest wait is served
    first.

    A delayed unit walks on and does not count as arrived. The queue's searches get the smallest share of that tick.
    """
    most = now.settings.starts_a_tick
    if len(slots) <= most:
        return slots
    manager, r = now.manager, now.manager.requests
    fresh = r.asked[slots] == now.tick
    first, older = slots[fresh][:most], slots[~fresh]
    share = max(most - len(first), -(-most // 4))
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
