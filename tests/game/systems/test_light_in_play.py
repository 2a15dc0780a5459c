"""Light in the running game: lamps, torches, darkness and lamps put out.

Oracles: distances calculated by hand, and two runs that differ in one condition.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.systems.interaction.bodies import kill
from game.systems.stealth.foresight import lightness, seen_by
from game.world.orders import OrderKind
from tests.game.sim.play import Play, guard, raider, yard


def watched(folder: Path, **more: Any) -> Play:
    """Return a play with a raider under a lamp, nine tiles before a guard."""
    builder = yard(**{k: v for k, v in more.items() if k == "night"})
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 13.5, 7.5)
    builder.add("light", 13.5, 7.5, name="lamp", radius=3.0, **{k: v for k, v in more.items() if k != "night"})
    return Play(folder, builder)


def test_a_raider_in_the_dark_is_not_identified_and_one_under_a_lamp_is(tmp_path: Path) -> None:
    for on, night, found in ((True, True, True), (False, True, False), (False, False, True)):
        play = watched(tmp_path, on=on, night=night).run_until("identified", "Odo", 120)
        assert bool(play.happened("identified", "Odo")) == found


def test_the_foresight_for_a_tile_equals_the_meter_of_the_guard(tmp_path: Path) -> None:
    """Compare the seconds of the foresight with the rise of the meter."""
    builder = yard(night=True)
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 20.5, 2.5)
    builder.add("light", 9.5, 6.5, name="lamp", radius=6.0)
    play = Play(tmp_path, builder).run(2)
    u, eyes = play.world.units, play.slot("Odo")
    rng = np.random.default_rng(3)
    for _ in range(40):
        x, y = (int(v) for v in rng.integers((1, 1), (16, 13)))
        stance = int(rng.integers(3))
        told = {s.watcher: s.seconds for s in seen_by(play.world, 0, x + 0.5, y + 0.5, stance)}
        slot = play.slot("Ann")
        u.x[slot], u.y[slot], u.stance[slot] = x + 0.5, y + 0.5, stance
        u.prev_x[slot], u.prev_y[slot] = x + 0.5, y + 0.5
        u.vx[slot] = u.vy[slot] = 0.0
        u.meter[eyes], u.meter_target[eyes], u.event[eyes] = 0.0, -1, 0
        before = float(u.head[eyes])
        play.run()
        u.head[eyes] = before
        seconds = told.get(play.unit("Odo"))
        expected = 0.0 if seconds is None else min(1.0, 0.05 / seconds)
        assert float(u.meter[eyes]) == pytest.approx(expected, abs=1e-9)


def test_a_torch_moves_with_its_guard_and_lies_where_the_guard_falls(tmp_path: Path) -> None:
    builder = yard(night=True)
    guard(builder, 4.5, 7.5, facing=0.0, torch=True, route="beat")
    builder.add("route", name="beat", points=((4.5, 7.5), (24.5, 7.5)))
    play = Play(tmp_path, builder)
    here, there = [], []
    for _ in range(200):
        play.run()
        here.append(lightness(play.world, 4.5, 7.5))
        there.append(lightness(play.world, 18.5, 7.5))
    assert here[0] > 0.8 and there[0] < 0.2
    assert here[-1] < 0.2 and there[-1] > 0.5
    kill(play.world, play.slot("Odo"))
    x = float(play.world.units.x[play.slot("Odo")])
    play.run(5)
    assert lightness(play.world, x, 7.5) > 0.8


def test_only_a_unit_with_a_hook_puts_a_lamp_out(tmp_path: Path) -> None:
    for kind, works in (("lamplighter", True), ("thrower", False)):
        builder = yard(night=True)
        raider(builder, 8.5, 7.5, kind=kind)
        builder.add("light", 13.5, 7.5, name="lamp", radius=6.0)
        play = Play(tmp_path, builder).run()
        lamp = play.world.lamp("lamp")
        play.order("Ann", OrderKind.USE, x=13.5, y=7.5, target=lamp.id)
        play.run(200)
        assert lamp.on != works
        assert (lightness(play.world, 13.5, 7.5) > 0.9) != works
        assert bool(play.happened("gave_up", "Ann")) != works
