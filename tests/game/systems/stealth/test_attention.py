"""Perception level of detail: watchers take turns when there are many.

A watcher that has begun to notice looks in each tick, and each other one within a bound.
"""

from pathlib import Path

import numpy as np

from game.level.reading import load_level
from game.sim.create_world import create_world
from game.sim.tick import tick
from game.systems.stealth.perception_lod import detail, perceived_by_others, walkers, watchers

FIELD = Path(__file__).resolve().parents[4] / "levels" / "regression/motion/open_field.tmx"


def two_sides(looks: int):
    world = create_world(load_level(FIELD), 3, {"rules.looks": looks}, 200)
    world.units.side[:100] = 1
    return world


def test_few_watchers_all_look_except_sleepers() -> None:
    world = two_sides(200)
    world.units.asleep[5] = 1
    assert np.flatnonzero(watchers(world) == 0).tolist() == [5]


def test_a_unit_that_notices_or_is_perceived_looks_in_each_tick_and_others_within_a_bound() -> None:
    world = two_sides(60)
    last, longest = np.zeros(200, int), 0
    for k in range(1, 120):
        tick(world)
        busy = ((world.units.meter[:200] > 0) | perceived_by_others(world)) & (world.units.alive[:200] == 1)
        looks = watchers(world) == 1
        assert looks[busy].all()
        assert looks.sum() == max(60, int(busy.sum()) + 15), "the others share at least a quarter of the turns"
        last[looks] = k
        longest = max(longest, int((k - last).max()))
    # 55 units share 15 turns a tick by class, so a unit waits at least 55 / 15 ticks.
    assert 4 <= longest <= 8
    assert (last > 0).all(), "all units looked"


def test_classes_follow_from_distance_and_sight() -> None:
    """Compare with distances counted in squares of 16 tiles."""
    world = two_sides(60)
    tick(world)
    u = world.units
    u.x[:100], u.x[100:200] = np.linspace(0.5, 6.5, 100), np.linspace(0.5, world.terrain.width - 0.5, 100)
    u.y[:100] = 0.5
    got = detail(world, np.zeros(200, bool))
    for i in range(200):
        others = np.flatnonzero(u.side[:200] != u.side[i])
        squares = np.maximum(np.abs(u.x[others] // 16 - u.x[i] // 16), np.abs(u.y[others] // 16 - u.y[i] // 16)).min()
        seen = any(world.sight.sees(side, int(u.y[i]), int(u.x[i])) for side in range(4) if side != u.side[i])
        assert got[i] == (1 if seen else 2 if squares <= 1 else 3 if squares <= 3 else 4)
    assert set(got.tolist()) == {1, 2, 3}, "the map is too small for class 4"


def test_walkers_take_turns_when_they_are_many_and_bodies_neither_overlap_nor_enter_walls() -> None:
    from game.checks.headless import scatter_orders
    from game.sim.session import Session

    session = Session(load_level(FIELD), 3, {"rules.thinks": 60}, 200, recording=False)
    world = session.world
    world.units.side[:100] = 1
    world.units.fire_at_will[:] = 0
    session.give(scatter_orders(session))
    longest = np.zeros(200, int)
    worst = 0
    for _ in range(150):
        session.advance()
        u = world.units
        looked = walkers(world)
        assert looked is not None
        assert looked[perceived_by_others(world)].all(), "a perceived unit looks in each tick"
        longest = np.where(looked == 1, 0, longest + 1)
        worst = max(worst, int(longest.max()))
        x, y = u.x[:200], u.y[:200]
        apart = np.hypot(x[:, None] - x, y[:, None] - y) - u.radius[:200, None] - u.radius[:200]
        np.fill_diagonal(apart, 1.0)
        assert apart.min() > -0.1 * 0.3 - 0.02
        assert (world.terrain.passable[y.astype(int), x.astype(int)] & 1).all()
    assert 1 <= worst <= 3, "units wait, but at most three ticks"
