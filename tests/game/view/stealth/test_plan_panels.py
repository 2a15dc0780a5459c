"""Panels of plan mode: ghosts at one place share one."""

import math
from dataclasses import replace

from game.view.stealth.order_plan import Ghost
from game.view.stealth.plan_painter import NEAR, at_one_place
from game.world.orders import Order, OrderKind

WALK = Ghost(0, Order(int(OrderKind.MOVE)), (), 5.0, 5.0, 0.0, None, 0, 2.0)


def test_ghosts_of_one_act_at_one_place_share_a_panel_and_no_others() -> None:
    near, far = replace(WALK, unit=1, x=5.0 + NEAR), replace(WALK, unit=2, x=5.1 + NEAR)
    throw = replace(WALK, unit=3, order=Order(int(OrderKind.THROW)))
    lost = replace(WALK, unit=4, seconds=math.inf)
    groups = at_one_place([WALK, throw, near, far, lost, replace(lost, unit=5)])
    assert [[g.unit for g in group] for group in groups] == [[0, 1], [3], [2], [4], [5]]
