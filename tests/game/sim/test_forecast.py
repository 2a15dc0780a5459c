"""Forecast of guards: predicted positions and sightings equal those of the real run."""

import numpy as np
import pytest

from game.level import load_level
from game.sim.forecast import EVERY, HORIZON, Forecast, can_foretell
from game.sim.session import Session
from game.systems.stealth.foresight import heard_by, seen_by, step_radius
from game.world.units import Pace, Stance
from tests.game.view.yard import ANN, ODO, PIM, build


@pytest.fixture
def session(tmp_path):
    session = Session(load_level(build(tmp_path / "yard.tmx")), recording=False)
    for _ in range(5):
        session.advance()
    return session


def never():
    return False


def test_guards_on_their_rounds_move_and_see_as_forecast(session):
    """Run the world for HORIZON ticks and compare with the forecast.

    Positions are equal bit for bit at each sample; sightings of 16 places are equal in tick and delay.
    """
    world = session.world
    now = world.tick
    forecast = Forecast(world, 0)
    forecast.advance(now + HORIZON, never)
    samples = {s.tick: s for s in forecast.samples}
    places = [(x + 0.5, y + 0.5) for x in (19, 25, 31, 36) for y in (6, 11, 15, 20)]
    first: dict = {}
    for _ in range(HORIZON):
        session.advance()
        assert forecast.holds(world)
        if world.tick in samples:
            sample, slots = samples[world.tick], forecast.watchers
            for column in ("x", "y", "head", "mood"):
                assert np.array_equal(getattr(sample, column), getattr(world.units, column)[slots]), world.tick
            for place in places:
                for seen in seen_by(world, 0, *place):
                    first.setdefault((place, seen.watcher), (world.tick, seen.seconds))
    assert len(samples) >= HORIZON // EVERY and len({k[0] for k in first}) >= 4
    for place in places:
        told = {f.watcher: (now + 1 + round(f.after * 20), f.seconds) for f in forecast.seen(*place, now + 1)}
        assert told == {watcher: at for (where, watcher), at in first.items() if where == place}


def test_a_forecast_does_not_change_the_world(session):
    before = session.world.hash()
    Forecast(session.world, 0).advance(session.world.tick + 60, never)
    assert session.world.hash() == before


def test_a_forecast_in_slices_ends_with_the_same_samples(session):
    whole, sliced = Forecast(session.world, 0), Forecast(session.world, 0)
    until = session.world.tick + 40
    whole.advance(until, never)
    for _ in range(10_000):
        if sliced.last >= until - EVERY and sliced._copy.tick >= until:
            break
        sliced.advance(until, lambda: True)
    assert [s.tick for s in sliced.samples] == [s.tick for s in whole.samples]
    assert np.array_equal(sliced.samples[-1].x, whole.samples[-1].x)


def test_a_disturbed_guard_invalidates_the_forecast(session):
    world = session.world
    forecast = Forecast(world, 0)
    forecast.advance(world.tick + 80, never)
    u = world.units
    ann, odo = u.slot(ANN), u.slot(ODO)
    u.x[ann], u.y[ann] = u.x[odo] + 1.5, u.y[odo]
    held = []
    for _ in range(60):
        session.advance()
        held.append(forecast.holds(world))
    assert held[0] and not all(held)


def test_only_a_side_with_guards_against_it_gets_a_forecast(session):
    assert can_foretell(session.world, 0) and not can_foretell(session.world, 1)


def test_heard_by_follows_the_rooms_and_the_ears(session):
    """Name the listeners of stones.

    Odo hears a stone near by and none far away; Pim sleeps behind walls.
    """
    world = session.world
    odo = world.units.slot(ODO)
    x, y = float(world.units.x[odo]), float(world.units.y[odo])
    assert [h.listener for h in heard_by(world, 0, x + 3, y, 8.0)] == [ODO]
    assert heard_by(world, 0, 2.5, 22.5, 8.0) == []
    assert heard_by(world, 1, x + 3, y, 8.0) == [], "a guard does not react to its own side"
    assert PIM not in [h.listener for h in heard_by(world, 0, 30.5, 10.5, 3.0)]


def test_steps_are_louder_running_and_on_gravel(session):
    world = session.world
    walk = step_radius(world, ANN, 6.5, 12.5, Stance.STAND, Pace.WALK)
    assert walk < step_radius(world, ANN, 6.5, 12.5, Stance.STAND, Pace.RUN)
    assert walk < step_radius(world, ANN, 22.5, 17.5, Stance.STAND, Pace.WALK), "gravel"
    assert walk > step_radius(world, ANN, 6.5, 12.5, Stance.CROUCH, Pace.WALK)
