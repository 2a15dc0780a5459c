"""Numbers of units over time: equal to the world's, and bounded."""

import numpy as np
import pytest

from game.level.reading import load_level
from game.sim.session import Session
from game.sim.timeline import unit_numbers
from game.sim.timeline.unit_numbers import EVERY, NUMBERS, UnitNumbers
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level


def test_a_series_is_what_the_world_was_and_a_branch_ends_where_it_left(tmp_path, monkeypatch):
    session = Session(load_level(bridge_level(tmp_path, raiders=3, guards=1)), 1)
    session.remember()
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1), 8.5, 6.5))
    world, read = session.world, {}
    hashes = []
    for _ in range(60):
        session.advance()
        u = world.units
        speed = [float(np.hypot(u.vx[k], u.vy[k])) for k in range(3)]
        read[world.tick] = (speed, int(u.moving[0]) + int(u.moving[1]))
        hashes.append(world.hash())
    numbers = session.history.numbers
    ticks, values = numbers.series([0], "speed", 11, 50)
    assert ticks.tolist() == [t for t in range(11, 51) if t % EVERY == 0]
    assert values == pytest.approx([read[t][0][0] for t in ticks.tolist()], abs=2e-3) and values.max() > 1.0
    ticks, values = numbers.series([0, 1, 2], "speed", 1, 60)
    assert values == pytest.approx([np.mean(read[t][0]) for t in ticks.tolist()], abs=2e-3)
    ticks, values = numbers.series([0, 1], "moving", 1, 60)
    assert values.tolist() == [read[t][1] for t in ticks.tolist()]
    assert numbers.series([0], "health", 1, 60)[1].tolist() == [1.0] * 30
    branch = numbers.until(21)
    assert branch.ticks[-1] == 20 and numbers.ticks[-1] == 60 and branch.samples[-1] is numbers.samples[10]
    assert branch.nbytes == sum(one.nbytes for one in branch.samples)
    other = Session(load_level(bridge_level(tmp_path, raiders=3, guards=1)), 1)
    other.give(Order(int(OrderKind.MOVE), 0, (0, 1), 8.5, 6.5))
    for _ in range(60):
        other.advance()
    assert other.world.hash() == hashes[-1], "the numbers take no part in the game"
    one = 4 * len(NUMBERS) * 2
    monkeypatch.setattr(unit_numbers, "MOST_BYTES", 5 * one)
    short = UnitNumbers()
    for tick in range(2, 31, 2):
        world.tick = tick
        short.note(world)
    assert short.nbytes == 5 * one and short.ticks == [22, 24, 26, 28, 30]
