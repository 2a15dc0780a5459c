"""Order-spam detection against a count over the whole list of orders."""

import pytest

from ai.animation.tracks.order_spam import OrderSpam
from ai.core.rand import Stream, below

Order = tuple[int, int, int]


def flagged(orders: list[Order]) -> list[Order]:
    """Return the orders (tick, unit, kind) at which a unit was named."""
    spam = OrderSpam()
    return [order for order in orders if spam.note(order[1], order[2], order[0])]


@pytest.mark.parametrize(
    ("name", "orders", "named"),
    [
        ("one order a second", [(tick, 3, 1) for tick in range(0, 1200, 20)], []),
        ("five orders in a second", [(tick, 3, 1) for tick in (0, 1, 2, 3, 19)], []),
        ("six orders in a second", [(tick, 3, 1) for tick in (0, 1, 2, 3, 4, 19)], [(19, 3, 1)]),
        ("six orders in 21 ticks", [(tick, 3, 1) for tick in (0, 1, 2, 3, 4, 20)], []),
        ("six units, one order each", [(0, unit, 1) for unit in range(6)], []),
        ("an oscillating mind", [(2 * n, 3, n % 2) for n in range(12)], [(10, 3, 1)]),
        ("three kinds in turn", [(3 * n, 3, n % 3) for n in range(5)], []),
    ],
)
def test_planted_minds(name: str, orders: list[Order], named: list[Order]) -> None:
    assert flagged(orders) == named, name


def test_random_orders_are_counted_as_over_the_whole_list() -> None:
    orders = [(t, below(4, 2, Stream.SCRIPT, t, n, 0), below(2, 2, Stream.SCRIPT, t, n, 1))
              for t in range(300) for n in range(2) if below(4, 2, Stream.SCRIPT, t, n, 2) == 0]  # fmt: skip
    expected, last = [], dict[int, int]()
    for k, (tick, unit, kind) in enumerate(orders):
        mine = [o[2] for o in orders[: k + 1] if o[1] == unit and o[0] > tick - 20]
        turns = sum(a == c != b for a, b, c in zip(mine, mine[1:], mine[2:], strict=False))
        if (len(mine) > 5 or turns > 3) and tick - last.get(unit, -100) >= 20:
            expected.append((tick, unit, kind))
            last[unit] = tick
    assert flagged(orders) == expected and len(expected) > 3
