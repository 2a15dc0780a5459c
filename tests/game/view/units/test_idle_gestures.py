"""Idle gestures: neighbours do not move alike, and gestures do not change the world."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from ai.animation.animation_blackboard import DELAYS, ClipClass
from game.view.app import App
from game.view.painting.unit_picture import Picture
from game.view.screens.play_screen import PlayScreen
from game.view.units.idle_gestures import NEAR, IdleGestures
from game.view.window.playing import open_session
from game.view.window.user_options import Options

CROSSING = Path(__file__).resolve().parents[4] / "levels" / "the_crossing.tmx"
STILL, LEFT, RIGHT = 0, 1, 3


def crowd(tick: int, n: int = 12) -> Picture:
    columns = {"id": np.arange(n) + 1, "x": np.arange(n) % 4 + 0.5, "y": np.arange(n) // 4 * 8.0}
    return Picture(tick, columns)


def starts_of(idle: IdleGestures, ticks: int) -> list[tuple[int, int, int]]:
    """Return tick, row and clip of each start of a gesture."""
    found, before = [], np.zeros(12, np.int64)
    for tick in range(1, ticks):
        posed = idle.posed(crowd(tick), np.zeros(12, np.int64), np.arange(12))
        found += [(tick, row, int(posed[row])) for row in np.flatnonzero((posed != before) & (posed != STILL)).tolist()]
        before = posed
    return found


def test_neighbours_never_start_one_clip_within_its_delay() -> None:
    starts, p = starts_of(IdleGestures(STILL, (LEFT, RIGHT)), 1200), crowd(0)
    assert {row for _, row, _ in starts} == set(range(12)), "each figure moves within a minute"
    assert {clip for _, _, clip in starts} == {LEFT, RIGHT}

    def twins(near: float) -> int:
        return sum(
            a[2] == b[2] and abs(a[0] - b[0]) < DELAYS[ClipClass.AMBIENT]
            and math.hypot(p.x[a[1]] - p.x[b[1]], p.y[a[1]] - p.y[b[1]]) < near
            for a, b in combinations(starts, 2)
        )  # fmt: skip

    assert twins(NEAR) == 0
    assert twins(math.inf) > 0, "farther figures are exempt"


def test_only_figures_that_stand_are_posed_and_going_back_in_time_forgets() -> None:
    idle, codes = IdleGestures(STILL, (LEFT, RIGHT)), np.full(12, 7, np.int64)
    assert all((idle.posed(crowd(t), codes, np.arange(12)) == 7).all() for t in range(1, 300))
    assert starts_of(idle, 300) == starts_of(IdleGestures(STILL, (LEFT, RIGHT)), 300)


@pytest.mark.parametrize("seconds", [6])
def test_the_world_is_the_same_with_and_without_gestures(seconds: int) -> None:
    hashes, played = [], 0
    for still in (False, True):
        app = App(Options(volume=0.0, edge_pan=False, reduced_motion=still), (640, 400))
        try:
            playing = open_session(CROSSING)
            play = PlayScreen(app, playing)
            app.push(play)
            play.camera.set_zoom(12)
            while playing.world.tick < 20 * seconds:
                app.frame(50, [])
            hashes.append((playing.world.tick, playing.world.hash()))
            played += len(play.scene.idle.due)
        finally:
            app.close()
    assert hashes[0] == hashes[1] and played > 0
