"""Clock of the window: it decides when ticks run, not how many."""

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
    """Return a game on a slow clock.

    One stage of a tick uses the whole share of a frame.
    """
    late = itertools.count()
    monkeypatch.setattr(clockwork, "SHARE_MS", 9.0)
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(late)))
    return Playing(Session(load(bridge_level(tmp_path)), recording=False))


def test_a_due_tick_is_spread_over_as_many_frames_as_it_needs(playing):
    assert [playing.advance(TICK_MS if frame == 0 else 0.0) for frame in range(STAGES)] == [0] * (STAGES - 1) + [1]
    assert playing.world.tick == 1 and playing.clock.owed_ms == 0.0


def test_one_tick_in_pause_is_one_tick_although_readers_complete_it(playing):
    playing.clock.paused = True
    playing.clock.steps = 1
    for _ in range(STAGES):
        playing.advance(20.0)
        playing.whole()
    assert playing.world.tick == 1 and playing.clock.steps == 0


def test_a_tick_completed_for_a_reader_is_not_run_again_by_the_clock(playing):
    playing.advance(TICK_MS)
    playing.whole()
    assert playing.world.tick == 1
    for _ in range(STAGES):
        assert playing.advance(0.0) == 0
    assert playing.session.whole and playing.world.tick == 1


def test_owed_time_is_limited_to_two_ticks(playing):
    for _ in range(3 * STAGES):
        playing.advance(1000.0)
    assert playing.clock.owed_ms <= 2 * TICK_MS and playing.world.tick == 3
