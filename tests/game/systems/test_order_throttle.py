"""Order throttle: orders enter for a counted number of units a tick.

Small orders pass large ones, but each unit gets its orders in sequence.
"""

from pathlib import Path

import numpy as np

from game.checks.invariants.body_invariants import permute
from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.systems.order_throttle import A_TICK, enter
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import write


def _move(first: int, count: int, x: float = 20.0) -> Order:
    return Order(int(OrderKind.MOVE), 0, tuple(range(first, first + count)), x, 20.0)


def test_orders_enter_in_sequence_within_the_share_of_a_tick() -> None:
    orders = [_move(1000 * k, 1000) for k in range(10)]
    ticks = 0
    while orders:
        now, later = enter(orders, 20_000)
        assert now == orders[:1] and later == orders[1:]
        orders, ticks = later, ticks + 1
    assert ticks == 10
    assert enter([_move(0, 5000)], 20_000) == ([_move(0, 5000)], []), "an order larger than a share still enters"
    half = [_move(0, A_TICK // 2), _move(2000, A_TICK // 2)]
    assert enter(half, 20_000) == (half, [])


def test_small_orders_pass_but_nothing_passes_an_order_to_the_same_unit() -> None:
    crowd, late = _move(0, 1000), _move(1000, 1000)
    squad, member = _move(5000, 8), _move(1500, 8)
    stop = Order(int(OrderKind.STOP), 0, (1999, 5000))
    ground = Order(int(OrderKind.SETTING), name="paths.quick", value=1.0)
    now, later = enter([crowd, late, squad, member, stop, ground], 10_000)
    assert now == [crowd, squad, ground] and later == [late, member, stop]
    assert enter(later, 10_000) == (later, [])
    # Unknown ids block no later order.
    assert enter([crowd, _move(30_000, 1000), _move(30_000, 3)], 10_000)[1] == [_move(30_000, 1000)]


def test_a_hundred_orders_begin_within_as_many_ticks_whatever_the_slots(tmp_path: Path) -> None:
    builder = LevelBuilder.from_letters("\n".join(["." * 96] * 96), title="Field")
    level = load_level(write(tmp_path, builder))
    count, each = 1600, 200
    sessions = [Session(level, 3, units=count, recording=False) for _ in range(2)]
    permute(sessions[1].world, np.random.default_rng(1).permutation(count))
    for session in sessions:
        for first in range(0, count, each):
            session.give(_move(first, each, 10.0 + first / 20))
        session.give(Order(int(OrderKind.STOP), 0, (count - 1,)))
    for tick in range(4):
        for session in sessions:
            session.advance()
        a, b = (s.world.units for s in sessions)
        by_id = [np.array([u.x[u.slot_of[:count]], u.y[u.slot_of[:count]]]) for u in (a, b)]
        assert np.array_equal(*by_id), tick
        ordered = (a.order[a.slot_of[:count]] == OrderKind.MOVE).sum()
        assert ordered == (1000 if tick == 0 else count - 1)
    assert not sessions[0].world.pending
    assert a.moving[a.slot(count - 1)] == 0, "the order to stop came last"
