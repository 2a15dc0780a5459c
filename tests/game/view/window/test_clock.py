"""The clock of the window decides when ticks are run, never how many: a machine that is always late runs the same."""

import itertools
import time

import pytest

from game.sim.session import Session
from game.view.window import playing as clockwork
from game.view.window.playing import TICK_MS, Playing
from tests.game.sim.small_levels import bridge_level, load

STAGES = 10


@pytest.fixture
def playing(tmp_path, monkeypatch):
    """On a machine so slow that the frame's share is used up by a single stage of a tick."""
    late = itertools.count()
    monkeypatch.setattr(clockwork, "SHARE_MS", 9.0)
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(late)))
    return Playing(Session(load(bridge_level(tmp_path)), recording=False))


def test_a_tick_that_is_due_is_spread_over_as_many_frames_as_it_needs(playing):
    assert [playing.advance(TICK_MS if frame == 0 else 0.0) for frame in range(STAGES)] == [0] * (STAGES - 1) + [1]
    assert playing.world.tick == 1 and playing.clock.owed_ms == 0.0


def test_one_tick_asked_for_while_paused_is_one_tick_although_whoever_looks_makes_the_world_whole(playing):
    playing.clock.paused = True
    playing.clock.steps = 1
    for _ in range(STAGES):
        playing.advance(20.0)
        playing.whole()
    assert playing.world.tick == 1 and playing.clock.steps == 0


def test_a_tick_finished_for_whoever_looks_is_not_run_again_by_the_clock(playing):
    playing.advance(TICK_MS)
    playing.whole()
    assert playing.world.tick == 1
    for _ in range(STAGES):
        assert playing.advance(0.0) == 0
    assert playing.session.whole and playing.world.tick == 1


def test_time_that_cannot_be_made_up_is_let_go(playing):
    for _ in range(3 * STAGES):
        playing.advance(1000.0)
    assert playing.clock.owed_ms <= 2 * TICK_MS and playing.world.tick == 3
