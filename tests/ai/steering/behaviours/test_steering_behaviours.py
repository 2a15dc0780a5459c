"""Steering behaviours: every code has one, and it writes what it declares."""

import numpy as np
import pytest

from ai.steering.behaviours.pipeline_stages import AVOIDANCES, STAGES
from ai.steering.behaviours.steering_behaviour import SteeringTick
from ai.steering.behaviours.steering_methods import METHODS
from ai.steering.behaviours.wanted_velocity import Method
from ai.steering.navigation_pipeline import Pipeline, PipelineStage
from ai.steering.settings import SteeringSettings
from ai.steering.settings_columns import Avoidance
from tests.ai.steering.arena import Arena, grid

VELOCITIES = ("want_x", "want_y", "push_x", "push_y", "force_x", "force_y")
FIELD = grid("\n".join(["....................", "....##....##........"] * 8))


def crowd(**settings: object) -> tuple[Arena, SteeringTick]:
    """Return two dozen walkers that meet, and the inputs of the next stage."""
    rng = np.random.default_rng(4)
    open_tiles = np.argwhere(FIELD)[:, ::-1] + 0.5
    places, goals = open_tiles[rng.choice(40, 24, replace=False)], open_tiles[-24:]
    arena = Arena(FIELD, places, goals, settings=SteeringSettings(**settings))  # type: ignore[arg-type]
    for _ in range(12):
        arena.step()
    s = arena.state
    sway = (Pipeline((PipelineStage.FOLLOW, PipelineStage.SWAY), sway=0.4),)
    now = SteeringTick(
        s, arena.settings, arena.passable, arena.tick, arena.b, arena.waypoints_now(), arena.settings.packed(), 1,
        np.ones(arena.n, np.uint8), sway, 7, (0.3, 0.0),
    )  # fmt: skip
    s.circle[: arena.n] = 1.5
    return arena, now


def test_every_code_has_one_behaviour() -> None:
    assert set(STAGES) == set(PipelineStage) and set(METHODS) == set(Method) and set(AVOIDANCES) == set(Avoidance)


CASES = [
    *((f"stage {stage.name}", STAGES[stage], {}) for stage in PipelineStage if stage != PipelineStage.SWAY),
    *((f"method {method.name}", METHODS[method], {"method": int(method)}) for method in Method),
    *((f"avoidance {each.name}", AVOIDANCES[each], {"avoidance": int(each)}) for each in Avoidance),
]


@pytest.mark.parametrize(("behaviour", "settings"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_behaviour_changes_no_velocity_that_it_does_not_declare(behaviour, settings) -> None:
    """Slots outside the turn of a stage keep only what it declares."""
    arena, now = crowd(**settings)
    columns = [name for name in VELOCITIES if name not in behaviour.writes]
    before = {name: getattr(arena.state, name).copy() for name in columns}
    behaviour.steer(now)
    for name in columns:
        assert np.array_equal(getattr(arena.state, name), before[name]), name


@pytest.mark.parametrize("each", [Avoidance.SEPARATION, Avoidance.TTC, Avoidance.SOCIAL, Avoidance.RECIPROCAL])
def test_a_method_that_needs_neighbours_pushes_units_apart_and_none_does_not(each: Avoidance) -> None:
    """Without neighbours the same method has no force, so the declaration matters."""
    forces = []
    for avoidance in (each, Avoidance.NONE):
        arena, now = crowd(avoidance=int(avoidance))
        AVOIDANCES[avoidance].steer(now)
        forces.append(float(np.hypot(arena.state.force_x, arena.state.force_y).max()))
    assert forces[0] > 0.01 and forces[1] == 0.0
    assert AVOIDANCES[each].needs_neighbours and not AVOIDANCES[Avoidance.NONE].needs_neighbours
