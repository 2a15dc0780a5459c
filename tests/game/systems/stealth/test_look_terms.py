"""Terms of a look: the trace explains a first rise of the meter.

The terms multiply to the time until identification.
"""

import math

import pytest

from ai.decision.decision_trace import PERCEPT
from game.level import load_level
from game.sim.session import Session
from game.world.units import Stance
from tests.game.view.yard import ANN, ODO, build


@pytest.fixture
def world(tmp_path):
    session = Session(load_level(build(tmp_path / "yard.tmx")), recording=False)
    session.advance()
    return session.world


def watched(world, stance, x, ticks=1):
    """Put Ann at (x, 11.5), 5 tiles before Odo; return Odo's traced percepts."""
    from game.sim.stages import perceive_stage

    u = world.units
    ann, odo = u.slot(ANN), u.slot(ODO)
    u.x[ann], u.y[ann], u.stance[ann] = x, 11.5, stance
    u.vx[ann] = u.vy[ann] = 0.0
    u.x[odo], u.y[odo], u.head[odo], u.meter[odo] = x + 5.0, 11.5, math.pi, 0.0
    for _ in range(ticks):
        world.tick += 1
        perceive_stage.run(world)
    return world.trace.last(ODO, 9, (PERCEPT,))


def test_the_first_rise_is_traced_with_its_cause(world):
    (entry,) = watched(world, Stance.STAND, 23.5)
    assert entry.cause == "standing, lit, 5 tiles"
    assert entry.decided == "begins to notice Ann" and entry.since == world.tick


def test_the_cause_names_darkness_and_stance(world):
    (entry,) = watched(world, Stance.CROUCH, 18.5)
    assert entry.cause == "crouching, in the dark, 5 tiles"


@pytest.mark.parametrize(("stance", "factor"), [(Stance.STAND, 1.0), (Stance.CROUCH, 1.5)])
def test_the_terms_multiply_to_the_seconds_of_the_sight_kernel(world, stance, factor):
    """Compare with a calculation: linear between near and far seconds, times the stance factor."""
    world.light.level[:] = 255
    (entry,) = watched(world, stance, 21.5)
    vision, odo = world.settings.vision, world.units.slot(ODO)
    reach = world.types[int(world.units.kind[odo])].cone_range
    share = (5.0 - vision.near_tiles) / (reach - vision.near_tiles)
    base = vision.near_seconds + (vision.far_seconds - vision.near_seconds) * share
    terms = dict(entry.considered)
    assert terms["5 tiles off"] == pytest.approx(base, rel=1e-4)
    assert math.prod(terms.values()) == pytest.approx(float(world.vision.seconds[odo]), rel=1e-4)
    assert math.prod(terms.values()) == pytest.approx(base * factor, rel=0.02)


def test_suspicion_and_identification_are_traced_once_each(world):
    entries = watched(world, Stance.STAND, 21.5, ticks=60)
    assert [e.decided.split()[0] for e in reversed(entries)] == ["begins", "suspects", "identifies"]
