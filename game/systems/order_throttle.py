"""Order throttle: large orders share a number of units a tick, small orders pass.

Carrying out an order takes time for each of its units (a place, a quick path). A hundred orders of a thousand
units at once would block the world for seconds. Orders enter in the order of giving, a counted number of units a
tick. An order that fits enters at once. Orders for one unit keep their sequence: no order passes a waiting one
that shares a unit with it.

A single order is carried out whole, however large, because places and slots are shared out among all its units.
It takes 2 us of processor time a unit, 4 in a formation: 20 to 45 ms in the one tick that sends off ten thousand.
Their paths are spread over ticks all the same.
"""

from __future__ import annotations

import numpy as np

from game.world.orders import MOVES, Order, OrderKind

A_TICK = 1024
"""Units that set out on orders of one kind (large, small) a tick.

The first order of a tick may be larger.
"""

LARGE = 64
"""Orders to at least so many units are large."""


def enter(orders: list[Order], last_id: int, a_tick: int = A_TICK) -> tuple[list[Order], list[Order]]:
    """Split ``orders`` into those for this tick and those for the next.

    Both keep the order of giving. ``last_id`` is the greatest id of a unit; ids beyond it, and below 0, name no
    unit. Every order enters after at most as many ticks as there are orders before it.
    """
    now: list[Order] = []
    later: list[Order] = []
    left = {True: a_tick, False: a_tick}
    bound: np.ndarray | None = None  # true for ids with a waiting order
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
