"""Batch of looks: many looks at once equal the looks one by one.

Oracle: lightness and distances computed one by one.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from game.systems.stealth.foresight import lightness
from game.systems.stealth.look_terms import look_at, looks_at
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


def test_many_looks_at_once_equal_the_looks_one_by_one(tmp_path: Path) -> None:
    builder = yard(ROOMS, night=True)
    guard(builder, 20.5, 4.5, facing=180.0)
    builder.add("light", 6.5, 4.5, name="lamp", radius=5.0)
    places = ((3.5, 4.5), (12.8, 2.2), (1.1, 7.9), (6.5, 4.4), (14.1, 6.9))
    for k, (x, y) in enumerate(places):
        raider(builder, x, y, f"R{k}")
    world = (play := Play(tmp_path, builder).run(1)).world
    u, odo = world.units, play.slot("Odo")
    slots = np.array([play.slot(f"R{k}") for k in range(len(places))])
    u.vx[slots[0]] = 9.0
    looks = looks_at(world, np.full(len(slots), odo), slots)
    assert len({look.light for look in looks}) > 2, "lit, half lit and dark"
    for slot, look in zip(slots.tolist(), looks, strict=True):
        x, y = float(u.x[slot]), float(u.y[slot])
        assert look == look_at(world, odo, slot)
        assert look.light == lightness(world, x, y)
        assert look.distance == pytest.approx(math.hypot(x - u.x[odo], y - u.y[odo]))
        assert look.moving == (1.0 if slot == slots[0] else pytest.approx(math.hypot(u.vx[slot], u.vy[slot]) / 4.0))
