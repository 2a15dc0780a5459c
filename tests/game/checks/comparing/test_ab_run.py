"""Paired runs: two worlds start equal and differ in one setting only."""

from pathlib import Path

import numpy as np

from game.checks.comparing.ab_run import ABRun
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level


def started(folder: Path) -> Session:
    session = Session(load_level(bridge_level(folder)), seed=3)
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1, 2, 3), 20.5, 6.5))
    for _ in range(20):
        session.advance()
    return session


def test_equal_settings_give_equal_worlds(tmp_path: Path) -> None:
    ab_run = ABRun.fork(started(tmp_path), "rules.carry_speed", 0.5, 0.5)
    for _ in range(60):
        ab_run.advance()
    assert ab_run.shown.world.hash() == ab_run.ghost.world.hash()


def test_the_ghost_differs_by_the_setting_and_starts_at_the_shown_state_after_a_switch(tmp_path: Path) -> None:
    ab_run = ABRun.fork(started(tmp_path), "steering.acceleration", 16.0, 0.5)
    for _ in range(40):
        ab_run.advance()
    assert not np.array_equal(ab_run.shown.world.units.x, ab_run.ghost.world.units.x)
    assert ab_run.shown.world.settings.steering.acceleration == 16.0
    ab_run.switch()
    assert np.array_equal(ab_run.shown.world.units.x, ab_run.ghost.world.units.x)
    ab_run.advance()
    assert ab_run.shown.world.settings.steering.acceleration == 0.5
    assert ab_run.ghost.world.settings.steering.acceleration == 16.0


def test_both_worlds_get_the_same_orders(tmp_path: Path) -> None:
    ab_run = ABRun.fork(started(tmp_path), "steering.acceleration", 16.0, 8.0)
    ab_run.give(Order(int(OrderKind.STOP), 0, (0, 1, 2, 3)))
    for _ in range(30):
        ab_run.advance()
    for world in (ab_run.shown.world, ab_run.ghost.world):
        assert not world.units.moving[:4].any()
