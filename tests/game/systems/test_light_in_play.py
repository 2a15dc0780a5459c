"""Light in the running game: lamps, torches, darkness and lamps put out.

Oracles: distances calculated by hand, and two runs that differ in one condition.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.perception.stimuli.stimulus_board import Stimulus, StimulusKind
from game.systems.interaction.bodies import kill
from game.systems.stealth.foresight import lightness, seen_by
from game.systems.stealth.look_terms import look_at
from game.systems.stealth.stimulus_sources import SEEN_FROM
from game.systems.stealth.stimulus_system import sees_thing
from game.world.orders import OrderKind
from game.world.world import restore_world
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


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


def test_a_lamp_behind_a_wall_lights_no_body_that_touches_the_wall(tmp_path: Path) -> None:
    """A lamp behind the wall changes no answer about the body."""
    builder = yard(ROOMS, night=True)
    guard(builder, 17.5, 6.5, facing=180.0)
    raider(builder, 14.2, 6.5)
    builder.add("light", 11.5, 6.5, name="lamp", radius=4.0)
    play = Play(tmp_path, builder).run(2)
    ann, odo, told, kept = play.slot("Ann"), play.slot("Odo"), [], play.world.snapshot()
    level = play.world.light.level
    assert level[6, 13] > 3 * level[6, 14] > 0, "the wall is lit, the tile beside it is not"
    for on in (True, False):
        world = play.session.world = restore_world(kept)
        world.lamp("lamp").on = on
        play.session.advance()
        u, seen = world.units, []
        u.x[ann], u.y[ann], u.head[odo] = 14.2, 6.5, math.pi
        body = Stimulus(0, StimulusKind.BODY, 0, 14.2, 6.5, SEEN_FROM, world.tick, 0, -1, 0, 0, False)
        for x in np.arange(15.5, 28.0, 0.25):
            u.x[odo] = x
            seen.append(sees_thing(world, odo, body))
        told.append((lightness(world, 14.2, 6.5), look_at(world, odo, ann).light, seen))
    assert told[0] == told[1]
    lit, look, seen = told[0]
    assert lit == look == pytest.approx(world.light.ambient, abs=0.003) and any(seen) and not all(seen)


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
