"""Ghosts of planned uses, take-downs and formations.

Oracle: a straight walk over whole tiles, by calculation.
"""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from game.view.stealth.order_plan import Plan, ghosts_of
from game.world.orders import NO_FACING, Order, OrderKind
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


@pytest.mark.parametrize(("thing", "stands_at"), [("chest", 13.5), ("lamp", 12.5)])
def test_the_ghost_of_a_use_stands_within_reach_and_counts_the_1_5_s_of_the_use(
    tmp_path: Path, thing: str, stands_at: float
) -> None:
    builder = yard()
    raider(builder, 4.5, 4.5)
    builder.add("prop", 14.5, 4.5, kind="chest", name="chest")
    builder.add("light", 14.5, 4.5, name="lamp", radius=5.0)
    play = Play(tmp_path, builder).run(1)
    world, ann = play.world, play.unit("Ann")
    target = world.prop("chest") if thing == "chest" else world.lamp("lamp")
    assert target is not None
    order, plan = Order(int(OrderKind.USE), 0, (ann,), target=target.id), Plan()
    assert plan.take(order)
    (ghost,) = ghosts_of(plan, world)
    assert (ghost.x, ghost.y, ghost.at) == (stands_at, 4.5, (14.5, 4.5)) and ghost.facing == pytest.approx(0.0)
    assert ghost.seconds == pytest.approx((stands_at - 4.5) / 4.0 + 30 / 20)


def test_the_ghost_of_a_take_down_stays_where_the_guard_was_seen_last(tmp_path: Path) -> None:
    """Keep a plan while the guard moves behind a wall, out of sight."""
    builder = yard(ROOMS)
    raider(builder, 3.5, 2.5, kind="quiet_hand")
    guard(builder, 20.5, 4.5, facing=0.0)
    play = Play(tmp_path, builder).run(3)
    world, odo, plan = play.world, play.unit("Odo"), Plan(on=True)
    u, slot = world.units, play.slot("Odo")
    assert plan.take(Order(int(OrderKind.TAKE_DOWN), 0, (play.unit("Ann"),), 20.5, 4.5, target=odo))
    for to in ((20.5, 1.5), (25.5, 6.5)):
        u.x[slot], u.y[slot] = u.prev_x[slot], u.prev_y[slot] = to
        play.run()
        assert not world.sight.sees(0, int(to[1]), int(to[0]))
        assert ghosts_of(plan, world)[0].at == (20.5, 4.5)


@pytest.mark.parametrize(("shape", "facing"), [("line", math.pi / 2), ("column", NO_FACING), ("keep", math.pi / 2)])
def test_ghosts_of_a_formation_are_at_the_final_positions(tmp_path: Path, shape: str, facing: float) -> None:
    builder = yard("\n".join(["s" * 24] * 14))
    for i in range(4):
        raider(builder, 3.5 + i * 1.2, 3.5 + i % 2, f"A{i}")
    play = Play(tmp_path, builder)
    session = play.session
    session.give(Order(int(OrderKind.FORMATION), 0, (0, 1, 2, 3), name="shape", text=shape))
    session.advance()
    plan = Plan(on=True)
    plan.take(Order(int(OrderKind.MOVE), 0, (0, 1, 2, 3), 16.5, 9.5, facing=facing))
    ghosts = {ghost.unit: ghost for ghost in ghosts_of(plan, session.world)}
    for order in plan.orders():
        session.give(order)
    u = session.world.units
    while session.world.tick < 400 and (u.moving[:4].any() or session.world.tick < 20):
        session.advance()
    play.run(20)
    for unit, ghost in ghosts.items():
        assert math.dist((ghost.x, ghost.y), (float(u.x[unit]), float(u.y[unit]))) < 0.3
        assert abs(math.remainder(ghost.facing - float(u.facing[unit]), math.tau)) < 0.2
