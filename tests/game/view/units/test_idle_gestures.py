"""Idle gestures: neighbours do not move alike, and gestures do not change the world."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from ai.animation.animation_blackboard import DELAYS, ClipClass
from game.view.app import App
from game.view.figures.clip_book import read_book
from game.view.painting.unit_picture import Picture
from game.view.screens.play_screen import PlayScreen
from game.view.units.idle_gestures import IdleGestures
from game.view.window.playing import open_session
from game.view.window.user_options import Options
from game.world.rules.figure_settings import FigureSettings

CROSSING = Path(__file__).resolve().parents[4] / "levels" / "the_crossing.tmx"
BOOK = read_book()
NEAR = FigureSettings().exemption
STILL = int(BOOK.first[BOOK.index["idle"]])


def crowd(tick: int, n: int = 12) -> Picture:
    columns = {"id": np.arange(n) + 1, "x": np.arange(n) % 4 + 0.5, "y": np.arange(n) // 4 * 8.0}
    return Picture(tick, columns)


def starts_of(idle: IdleGestures, ticks: int) -> list[tuple[int, int, int]]:
    """Tick, row and clip of every gesture that starts."""
    found = []
    for tick in range(1, ticks):
        idle.frames(crowd(tick), np.arange(12))
        found += [(tick, unit - 1, clip) for unit, (clip, begun) in idle.playing.items() if begun == tick]
    return found


def test_neighbours_never_start_one_clip_within_its_delay() -> None:
    starts, p = starts_of(IdleGestures(BOOK), 2400), crowd(0)
    assert {row for _, row, _ in starts} == set(range(12)), "each figure moves within two minutes"
    assert {clip for _, _, clip in starts} == set(BOOK.ambient)

    def twins(near: float) -> int:
        return sum(
            a[2] == b[2] and abs(a[0] - b[0]) < DELAYS[ClipClass.AMBIENT]
            and math.hypot(p.x[a[1]] - p.x[b[1]], p.y[a[1]] - p.y[b[1]]) < near
            for a, b in combinations(starts, 2)
        )  # fmt: skip

    assert twins(NEAR) == 0
    assert twins(math.inf) > 0, "farther figures are exempt"


def test_three_guards_together_are_three_people() -> None:
    """No two of them ever show one frame together; each moves in ten seconds."""
    idle, same, starts, restful = IdleGestures(BOOK), 0, [], 0
    for tick in range(1, 601):
        frames = idle.frames(crowd(tick, 3), np.arange(3))
        starts += [(tick, unit, clip) for unit, (clip, begun) in idle.playing.items() if begun == tick]
        shown = [frame for frame in frames.values() if frame != STILL]
        same += len(shown) - len(set(shown))
        restful += not shown
    assert same == 0 and restful < 200, "they stand like statues"
    for begin in range(80, 400, 40):
        assert {unit for tick, unit, _ in starts if begin <= tick < begin + 200} == {1, 2, 3}
    assert len({clip for _, _, clip in starts}) > len(BOOK.ambient) / 2
    window = DELAYS[ClipClass.AMBIENT]
    assert not [1 for a, b in combinations(starts, 2) if a[2] == b[2] and b[0] - a[0] < window]


def test_only_figures_that_stand_are_posed_and_going_back_in_time_forgets() -> None:
    idle = IdleGestures(BOOK)
    assert all(not idle.frames(crowd(t), np.arange(0)) for t in range(1, 300))
    assert starts_of(idle, 300) == starts_of(IdleGestures(BOOK), 300)


@pytest.mark.parametrize("seconds", [6])
def test_the_world_is_the_same_without_gestures_and_wherever_the_camera_is(seconds: int) -> None:
    hashes, played = [], 0
    for still, zoom, moves in ((False, 12, False), (True, 12, False), (False, 32, True)):
        app = App(Options(volume=0.0, edge_pan=False, reduced_motion=still), (640, 400))
        try:
            playing = open_session(CROSSING)
            play = PlayScreen(app, playing)
            app.push(play)
            play.camera.set_zoom(zoom)
            while playing.world.tick < 20 * seconds:
                if moves:
                    play.camera.centre_on(10.0 + playing.world.tick % 70, 20.0)
                app.frame(50, [])
            hashes.append((playing.world.tick, playing.world.hash()))
            played += len(play.scene.idle.due)
        finally:
            app.close()
    assert len(set(hashes)) == 1 and played > 0
