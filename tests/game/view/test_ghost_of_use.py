"""The ghost of using a thing stands where the hands reach it: beside a chest, a hook's length further from a lamp.

Oracle: a straight walk over whole tiles, by arithmetic.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from game.view.stealth.plan import Plan, ghosts_of
from game.world.orders import Order, OrderKind
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


@pytest.mark.parametrize(("thing", "stands_at"), [("chest", 13.5), ("lamp", 12.5)])
def test_it_ends_where_the_hands_reach_and_counts_their_second_and_a_half(
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
    """The plan is kept while time goes on; behind the wall he walks about, and nobody of the planner's side sees it."""
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
