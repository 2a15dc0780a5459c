"""Slots of units are storage: a permutation of slots changes no trajectory."""

from dataclasses import fields

import numpy as np

from game.checks.invariants.body_invariants import permute
from game.level.level_writer import LEVELS
from game.level.reading import load_level
from game.sim.create_world import add_unit, create_world, scatter_goals
from game.sim.session import Session
from game.world.orders import Order, OrderKind

MEADOW = LEVELS / "regression/paths/thousand_512.tmx"


def test_permuted_slots_walk_the_same_paths() -> None:
    level, count = load_level(MEADOW), 150
    sessions = [Session(level, 7, units=count, recording=False) for _ in range(2)]
    permute(sessions[1].world, np.random.default_rng(1).permutation(count))
    ids, points = scatter_goals(sessions[0].world)
    for session in sessions:
        # A third of them to one place, so that they meet, the others each to its own.
        session.give(Order(int(OrderKind.MOVE_EACH), 0, tuple(ids[50:]), points=tuple(points[100:])))
        session.give(Order(int(OrderKind.MOVE), 0, tuple(ids[:50]), 256.5, 256.5))
    for tick in range(120):
        for session in sessions:
            session.advance()
        a, b = (s.world.units for s in sessions)
        for name in ("x", "y", "vx", "vy", "facing", "gait", "stuck", "moving", "goal_x", "goal_y", "order"):
            by_id = [getattr(u, name)[u.slot_of[:count]] for u in (a, b)]
            assert np.array_equal(*by_id), (tick, name)


def test_permuted_slots_form_and_march_as_the_same_groups() -> None:
    """Cross two formations: sums over members and ties go by id, not by slot."""
    level, count = load_level(MEADOW), 60
    sessions = [Session(level, 7, units=count, recording=False) for _ in range(2)]
    permute(sessions[1].world, np.random.default_rng(2).permutation(count))
    for session in sessions:
        for ids, shape, x in ((tuple(range(30)), "wedge", 200.5), (tuple(range(30, 60)), "box", 300.5)):
            session.give(Order(int(OrderKind.FORMATION), 0, ids, name="shape", text=shape))
            session.give(Order(int(OrderKind.MOVE), 0, ids, x, 256.5, facing=0.0))
    for tick in range(80):
        for session in sessions:
            session.advance()
        a, b = (s.world.units for s in sessions)
        for name in ("x", "y", "vx", "vy", "facing", "slot_x", "slot_y", "slot_mode", "moving", "band"):
            by_id = [getattr(u, name)[u.slot_of[:count]] for u in (a, b)]
            assert np.array_equal(*by_id), (tick, name)
        groups = [s.world.groups for s in sessions]
        assert np.array_equal(groups[0].num, groups[1].num) and np.array_equal(groups[0].tag, groups[1].tag)


def test_a_scattered_crowd_equals_one_made_unit_by_unit() -> None:
    level = load_level(MEADOW)
    crowd = create_world(level, 3, extra_units=40)
    single = create_world(level, 3, extra_units=0)
    u = crowd.units
    for slot in range(40):
        add_unit(single, int(u.kind[slot]), 0, float(u.x[slot]), float(u.y[slot]))
    assert (u.count, u.next_id) == (single.units.count, single.units.next_id)
    for f in fields(u):
        if "dtype" in f.metadata:
            assert np.array_equal(getattr(u, f.name)[:40], getattr(single.units, f.name)[:40], equal_nan=True), f.name
    assert np.array_equal(u.slot_of[:40], np.arange(40))
