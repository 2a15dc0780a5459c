"""Pipelines are data: their order decides, and two types share one crowd.

A stage that is left out corrects nothing.
"""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.steering.motion_step import move, steer
from ai.steering.navigation_pipeline import USUAL, Pipeline, PipelineStage, read_stages, rounds
from ai.steering.settings import SteeringSettings
from ai.steering.settings_columns import Avoidance
from tests.ai.steering.arena import Arena

SWAYING = Pipeline(read_stages(("follow", "sway", "whiskers", "avoid")), 0.8)
REELING = Pipeline(read_stages(("follow", "whiskers", "avoid", "sway")), 0.8)
WIDE = np.ones((40, 40), np.uint8)


def crossing(pipelines, rows, ticks=80, seed=3, gap=7.0, **settings):
    """Eight pairs walk towards each other, each pair on a lane of its own.

    The two of a pair are on nearly one line. Returns the number of units that touched, and the arena. Bodies
    cannot pass through each other, so a touch means that a unit walked into another.
    """
    places = [(5.5, 3.0 + 4.5 * k) for k in range(8)] + [(5.5 + gap, 3.2 + 4.5 * k) for k in range(8)]
    goals = [(x + 40.0, y) for x, y in places[:8]] + [(x - 40.0, y) for x, y in places[8:]]
    arena = Arena(WIDE, places, places, settings=SteeringSettings(**settings))
    arena.b.goal_x[:], arena.b.goal_y[:] = np.array(goals).T
    touched = np.zeros(8, bool)
    for tick in range(ticks):
        path = arena.waypoints_now()
        path.x[:], path.y[:] = np.array(goals).T
        path.has_next[:] = 0
        arena.state.reserve(16)
        arena.state.pipeline[:16] = rows
        steer(arena.state, arena.settings, WIDE, tick, arena.b, path, pipelines=pipelines, seed=seed)
        move(arena.state, arena.settings, WIDE, arena.b, path.final)
        x, y = arena.b.x, arena.b.y
        touched |= np.hypot(x[:8] - x[8:], y[:8] - y[8:]) < 0.605
    return int(touched.sum()), arena


def test_with_the_noise_last_more_are_walked_into_than_with_avoidance_last():
    steady, _ = crossing((Pipeline(),), np.zeros(16))
    good, bad = (sum(crossing((each,), np.zeros(16), seed=k)[0] for k in range(4)) for each in (SWAYING, REELING))
    assert steady == 0 and bad >= 2 * good > 0


def test_the_last_stage_has_the_final_word():
    """Swaying after avoidance turns its whole result by one angle.

    After swaying first, avoidance corrects the unit.
    """
    orders = []
    for pipeline in (Pipeline(), REELING, SWAYING):
        s = crossing((pipeline,), np.zeros(16), 1, gap=2.4)[1].state
        orders.append([(getattr(s, f"{name}_x") + 1j * getattr(s, f"{name}_y"))[:16] for name in ("want", "force")])
    (want, force), (reeled, reeled_force), (swayed, swayed_force) = orders
    turn = reeled / want
    assert np.allclose(np.abs(turn), 1.0) and np.abs(np.angle(turn)).max() > 0.1
    assert np.allclose(reeled_force, force * turn) and np.allclose(swayed, reeled)
    assert not np.allclose(swayed_force, reeled_force)


def test_a_stage_that_is_left_out_corrects_nothing():
    """The same bits as a world whose settings switch it off."""
    without = Pipeline((PipelineStage.FOLLOW, PipelineStage.GIVE_WAY, PipelineStage.WHISKERS))
    _, a = crossing((without,), np.zeros(16), 60)
    _, b = crossing((Pipeline(),), np.zeros(16), 60, avoidance=int(Avoidance.NONE))
    assert np.array_equal(a.b.x, b.b.x) and np.array_equal(a.b.y, b.b.y)


def test_two_types_in_one_crowd_each_obey_their_own():
    blind = Pipeline((PipelineStage.FOLLOW, PipelineStage.GIVE_WAY, PipelineStage.WHISKERS))
    rows = np.array([0, 1] * 8)
    _, a = crossing((Pipeline(), blind), rows, 1, gap=2.4)
    _, b = crossing((Pipeline(),), rows * 0, 1, gap=2.4)
    mine, theirs = a.state.force_y[:16], b.state.force_y[:16]
    assert np.array_equal(mine[::2], theirs[::2]) and np.abs(theirs).min() > 0.1
    assert (mine[1::2] == 0.0).all()


def test_a_swarm_writes_nothing_of_a_type_that_does_not_swarm():
    """Heading, pace, age and arrival are not kept.

    The creature at the same goal has never arrived.
    """
    plain = Pipeline((PipelineStage.FOLLOW, PipelineStage.GIVE_WAY, PipelineStage.WHISKERS))
    places = [(10.5, 10.5), (20.5, 20.5)]
    arena = Arena(WIDE, places, [(x + 0.05, y) for x, y in places], settings=SteeringSettings(method=3))
    s = arena.state
    s.reserve(2)
    s.pipeline[:2] = 0, 1
    arena.b.facing[:], arena.b.stuck[:] = 1.0, 7
    steer(s, arena.settings, WIDE, 0, arena.b, arena.waypoints_now(), pipelines=(Pipeline(), plain))
    assert s.reached[:2].tolist() == [0, 2] and arena.b.stuck.tolist() == [0, 7]
    assert [(column[0] != 0, column[1] != 0) for column in (s.swarm.heading, s.swarm.age)] == [(True, False)] * 2


@given(
    st.lists(
        st.permutations(list(PipelineStage)[1:]).flatmap(
            lambda p: st.integers(0, len(p)).map(lambda n: (PipelineStage.FOLLOW, *p[:n]))
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=60, deadline=None)
def test_each_pipeline_finds_its_stages_in_its_own_order(pipelines):
    calls = rounds(pipelines)
    for k, stages in enumerate(pipelines):
        assert tuple(stage for stage, turn in calls if k in turn) == stages
    if len(set(pipelines)) == 1:
        assert len(calls) == len(pipelines[0])


def test_orders_that_agree_cost_one_call_a_stage():
    assert [stage for stage, _ in rounds([USUAL, SWAYING.stages])].count(PipelineStage.AVOID) == 1
    both = [stage for stage, _ in rounds([SWAYING.stages, REELING.stages])]
    assert len(both) == 5 and sum(1 for _ in itertools.groupby(both)) == 5


@pytest.mark.parametrize(
    ("words", "told"),
    [(["avoid"], "begins with"), (["follow", "hum"], "'hum'"), (["follow", "avoid", "avoid"], "twice")],
)
def test_nonsense_is_refused_in_a_line(words, told):
    with pytest.raises(ValueError, match=told):
        read_stages(words)
