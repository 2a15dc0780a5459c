"""Which of the waiting orders enter in this tick: large ones share a number of units, small ones pass them.

To carry out an order takes time for each of its units (a place for each, a quick path), so a hundred orders of a
thousand units given at once would hold up the world for seconds.  They enter in the order of giving, a counted number
of units a tick; an order that fits goes at once.  Whatever concerns a unit keeps its sequence: nothing passes an order
that waits for one of its own units.

A single order is carried out whole however large it is, because places and slots are shared out among all its units:
2 us of processor time a unit, 4 in a formation, so 20 to 45 ms in the one tick that ten thousand are sent off.  Their
paths are spread all the same.
"""

from __future__ import annotations

import numpy as np

from game.world.orders import MOVES, Order, OrderKind

A_TICK = 1024
"""Units that set out on orders of one kind (large, small) in one tick; the first order of a tick may be larger."""

LARGE = 64
"""Orders to at least so many units are large."""


def enter(orders: list[Order], last_id: int, a_tick: int = A_TICK) -> tuple[list[Order], list[Order]]:
    """Part ``orders`` into those carried out now and those that wait for the next tick, each in the order of giving.

    ``last_id`` is the greatest id of a unit; ids beyond it, and below 0, are nobody's.  Every order enters after at
    most as many ticks as there are orders before it.
    """
    now: list[Order] = []
    later: list[Order] = []
    left = {True: a_tick, False: a_tick}
    bound: np.ndarray | None = None  # whose next order waits, by id
    known = 0  # orders of ``later`` that are in it
    for order in orders:
        moves, count = OrderKind(order.kind) in MOVES, len(order.units)
        large = count >= LARGE
        full = moves and count > left[large] and left[large] < a_tick
        if not full and later and count:
            if bound is None:
                bound = np.zeros(last_id + 1, bool)
            for waiting in later[known:]:
                bound[_ids(waiting, last_id)] = True
            known = len(later)
            full = bool(bound[_ids(order, last_id)].any())
        if full:
            later.append(order)
            continue
        now.append(order)
        if moves:
            left[large] -= count
    return now, later


def _ids(order: Order, last_id: int) -> np.ndarray:
    ids = np.array(order.units, np.int64)
    return ids[(ids >= 0) & (ids <= last_id)]
