"""Knowledge of deaths: a side learns of a death by sight alone.

Knowledge ends with the last guard of the side.
Oracle: positions and directions of view that the tests set.
"""

from __future__ import annotations

import math

import pytest

from ai.core.serialization import restore, snapshot
from ai.perception.memory.last_known_position import Belief
from game.sim.stages import perceive_stage
from game.systems.interaction.bodies import kill
from game.systems.stealth.side_knowledge import _start, knowledge_of
from game.world.world import World
from tests.game.sim.play import Play, guard, raider, yard

ANN, ODO = 0, 1


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a night: Odo looks east and believes Ann to be behind it."""
    builder = yard("\n".join(["s" * 40] * 14), night=True)
    raider(builder, 9.5, 6.5)
    guard(builder, 14.5, 6.5, facing=0.0)
    raider(builder, 38.5, 12.5, "Bea")
    play = Play(tmp_path_factory.mktemp("night"), builder, minds__grace=0).run(3)
    world = play.world
    known, ann, odo = knowledge_of(world, 1), play.unit("Ann"), play.unit("Odo")
    assert known is not None and (world.units.slot(ann), world.units.slot(odo)) == (ANN, ODO)
    known.beliefs.about[ann] = Belief(ann, 9.5, 6.5, 1, odo, True, 1)
    _start(world, known, ann, 9.5, 6.5, 1)
    return world


def believed(world: World) -> tuple[bool, bool]:
    """Return whether a belief and a map of Ann remain after another look."""
    world.tick += 1
    perceive_stage.run(world)
    known, ann = knowledge_of(world, 1), int(world.units.id[ANN])
    assert known is not None
    return ann in known.beliefs.about, known.map_of(ann) is not None


@pytest.mark.parametrize(
    ("falls", "head", "x", "forgotten"),
    [
        (False, 180.0, 5.5, False),
        (True, 0.0, 9.5, False),
        (True, 180.0, 12.5, True),
        (True, 180.0, 4.5, False),
    ],
    ids=["alive", "behind the guard", "before the guard", "far off in the dark"],
)
def test_a_dead_target_is_forgotten_when_a_guard_sees_its_body(
    night: World, falls: bool, head: float, x: float, forgotten: bool
) -> None:
    world = restore(snapshot(night))
    u = world.units
    assert world.sight.sees(1, int(u.y[ANN]), int(u.x[ANN])), "the map of the side shows that tile"
    u.x[ANN] = u.prev_x[ANN] = x
    u.head[ODO] = math.radians(head)
    if falls:
        kill(world, ANN)
    assert believed(world) == (not forgotten, not forgotten)


def test_a_target_in_sight_when_it_falls_is_known_to_be_dead(night: World) -> None:
    """Kill a target that is not lost: the guard in view knows its death."""
    world = restore(snapshot(night))
    known = knowledge_of(world, 1)
    assert known is not None
    known.beliefs.about[int(world.units.id[ANN])].lost_tick = -1
    kill(world, ANN)
    assert believed(world) == (False, False)


def test_a_side_whose_last_guard_has_fallen_knows_nothing(night: World) -> None:
    world = restore(snapshot(night))
    kill(world, ODO)
    world.tick += 1
    perceive_stage.run(world)
    assert knowledge_of(world, 1) is None and not world.knowledge
