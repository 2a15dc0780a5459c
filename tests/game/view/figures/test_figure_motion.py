"""Motion of figures: what the body does decides, and memory only smooths the picture."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.animation.figure_poses import NECK, NONE, STEPS
from game.systems.body.acts import begin_act
from game.view.figures.clip_book import read_book
from game.view.figures.figure_motion import FigureMotion
from game.view.figures.skeleton import PLACE
from game.view.painting.unit_picture import take_picture
from game.world.orders import OrderKind
from game.world.units import Act, Pace, Stance
from tests.game.sim.play import Play, guard, raider, yard


class Stage:
    """A small world and the figures of its units."""

    def __init__(self, folder: Path) -> None:
        builder = yard()
        raider(builder, 3.5, 6.5)
        guard(builder, 20.5, 12.5)
        self.play = Play(folder, builder)
        self.units, self.row, self.other = self.play.world.units, self.play.slot("Ann"), self.play.slot("Odo")
        self.units.pace[:] = Pace.WALK
        self.motion = FigureMotion(read_book())
        self.picture = take_picture(self.play.world)
        self.look()

    def look(self) -> Any:
        self.picture = take_picture(self.play.world, self.picture)
        return self.motion.follow(self.picture, np.arange(len(self.picture)))

    def tick(self, ticks: int = 1) -> Any:
        for _ in range(ticks):
            self.play.run(1)
            columns = self.look()
        return columns

    def stand_still(self, ticks: int = 1) -> Any:
        """Go on without the world: only the clock and columns that a test sets."""
        for _ in range(ticks):
            self.play.world.tick += 1
            columns = self.look()
        return columns

    def frames(self, clip: str) -> set[int]:
        book = self.motion.book
        first = int(book.first[book.index[clip]])
        return set(range(first, first + int(book.count[book.index[clip]])))


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_legs_walk_in_the_phase_of_the_body_and_come_together_after_a_halt(stage: Stage) -> None:
    book, row = stage.motion.book, stage.row
    stage.play.order("Ann", OrderKind.MOVE, x=12.5, y=6.5)
    columns = stage.tick(30)
    walk = int(book.first[book.index["walk"]])
    for _ in range(20):
        columns = stage.tick()
        assert abs((columns.legs[row] - walk) / 32 - stage.units.gait[row]) < 0.06
        assert columns.legs_to[row] == 0
    seen = [int(columns.legs[row])]
    while stage.units.moving[row] or seen[-1] not in stage.frames("idle"):
        columns = stage.tick()
        seen.append(int(columns.legs[row]))
    steps = np.diff(np.array(seen[:-1]) - walk) % 32
    assert (steps <= 5).all(), "no foot jumps"
    assert abs((seen[-2] - walk) % 16 - 8) <= 2, "the last frame of the walk has the feet side by side"


SPEEDS = [
    *((Stance.STAND, speed) for speed in (0.4, 0.6, 0.8, 1.0, 1.3, 1.5, 1.6, 2.2, 2.5, 2.8, 3.3, 3.9)),
    *((Stance.CROUCH, speed) for speed in (0.5, 0.9, 1.2)),
    *((Stance.PRONE, speed) for speed in (0.35, 0.5, 0.6)),
]


def test_a_planted_foot_of_the_figure_drifts_less_than_3_percent_of_a_step_at_every_speed(tmp_path: Path) -> None:
    """Oracle: the place of a body of constant speed above its foot.

    The drift is the trend over all stands of the left foot. Frames and ticks add no more than half a frame to it.
    At 4 tiles/s every cycle has its ticks at the same ten phases, so the run is looked at a little slower.
    """
    builder = yard()
    for k in range(len(SPEEDS)):
        raider(builder, 1.5 + k % 9 * 3, 2.5 + k // 9 * 3, name=f"n{k}")
    play = Play(tmp_path, builder)
    u, motion, n = play.world.units, FigureMotion(read_book()), len(SPEEDS)
    book, leg = motion.book, play.world.settings.rules.leg
    u.stance[:n] = [s for s, _ in SPEEDS]
    speed = np.array([v for _, v in SPEEDS])
    cycle = leg * np.sqrt(np.minimum(speed / leg, 2.5)) / 0.743
    u.moving[:n], u.facing[:n], u.head[:n], u.cadence[:n] = 1, 0.0, 0.0, speed / cycle
    contact = np.where(speed > 2.3, 0.4, 0.5)
    rows, foot, picture = np.arange(n), PLACE["left_foot"].start, take_picture(play.world)
    phases, errors = [], []
    for tick in range(260):
        play.world.tick += 1
        u.prev_x[:n] = u.x[:n]
        u.x[:n] += speed / 20
        u.gait[:n] = (u.gait[:n] + u.cadence[:n] / 20) % 1.0
        picture = take_picture(play.world, picture)
        legs = motion.follow(picture, rows).legs[rows]
        if tick >= 20:
            phases.append(u.gait[:n].copy())
            errors.append(book.frames[legs, foot] / 32 + (u.gait[:n] - contact / 2) * cycle)
    drifts = []
    for k, at in enumerate(np.array(phases).T):
        down = at < contact[k]
        trend, middle = np.polyfit(at[down], np.array(errors).T[k][down], 1)
        drifts.append(abs(trend) * contact[k] / (cycle[k] / 2))
        rest = np.array(errors).T[k][down] - middle - trend * at[down]
        assert np.abs(rest).max() < 0.6 * 2.0 / 16, SPEEDS[k]
    bad = {pace: round(float(drift), 3) for pace, drift in zip(SPEEDS, drifts, strict=True) if drift >= 0.03}
    assert not bad, bad


def test_a_change_of_stance_takes_several_ticks(stage: Stage) -> None:
    book, row = stage.motion.book, stage.row
    stage.stand_still(3)
    stage.units.stance[row] = Stance.PRONE
    seen = [int(stage.stand_still().torso[row]) for _ in range(12)]
    assert len([frame for frame in seen if frame >= book.blends]) >= 6
    assert seen[:9] == sorted(seen[:9]) and seen[-1] in stage.frames("prone")


def test_a_hit_shows_at_once_and_a_fall_takes_its_time(stage: Stage) -> None:
    u, row = stage.units, stage.row
    stage.stand_still(3)
    u.action[row], u.action_start[row], u.action_length[row] = Act.HIT, stage.play.world.tick + 1, 10
    assert stage.stand_still().torso[row] in stage.frames("hit")
    stage.stand_still(12)
    u.alive[row] = 0
    u.action[row], u.action_start[row], u.action_length[row] = Act.DIE, stage.play.world.tick + 1, 16
    falls = stage.frames("die") | stage.frames("die_curled")
    seen = []
    for _ in range(16):
        columns = stage.stand_still()
        assert columns.dull[row] == 0
        seen.append(int(columns.torso[row]))
    assert set(seen) <= falls and len(set(seen)) >= 8 and seen == sorted(seen)
    assert [int(stage.stand_still(6).dull[row]) for _ in range(4)] == [1, 2, 3, 3]


def test_the_torso_aims_at_the_target_while_the_legs_follow_the_way(stage: Stage) -> None:
    u, row, other = stage.units, stage.row, stage.other
    u.target[row], u.weapon[row], u.moving[row] = u.id[other], 1, 1
    for _ in range(12):
        u.prev_x[row] = u.x[row]
        u.x[row] += 0.05
        u.x[other], u.y[other] = u.x[row], u.y[row] + 5.0
        columns = stage.stand_still()
    assert columns.torso[row] in stage.frames("aim") and columns.torso_to[row] == 4
    assert columns.legs[row] in stage.frames("walk") and columns.legs_to[row] == 0


def test_a_head_turns_to_what_the_unit_looks_at_as_far_as_a_neck_does(stage: Stage) -> None:
    u, row = stage.units, stage.row
    u.facing[row] = 0.0
    stage.stand_still(30)
    for gaze in (0.8, -0.8, 3.0):
        u.head[row] = gaze
        columns = stage.stand_still(15)
        assert columns.torso_to[row] == 0
        assert columns.head_angle[row] == pytest.approx(min(gaze, NECK), abs=0.02)


def test_standing_legs_follow_a_torso_that_turns_far(stage: Stage) -> None:
    u, row = stage.units, stage.row
    u.facing[row] = 0.0
    columns = stage.stand_still(30)
    u.facing[row] = u.head[row] = math.pi
    seen = set()
    for _ in range(60):
        columns = stage.stand_still()
        seen.add(int(columns.legs[row]))
    assert columns.torso_to[row] == 8 and abs(columns.legs_to[row] - 8) <= 2
    assert seen & stage.frames("turn")


def test_a_figure_out_of_view_comes_back_in_the_right_phase_without_a_blend(stage: Stage) -> None:
    book, row = stage.motion.book, stage.row
    stage.play.order("Ann", OrderKind.MOVE, x=25.5, y=6.5)
    stage.tick(5)
    stage.play.run(60)
    columns = stage.look()
    shown = (columns.legs[row] - book.first[book.index["walk"]]) / 32
    assert abs(shown - stage.units.gait[row]) < 0.06
    assert columns.torso_from[row] == NONE


def test_a_hit_and_a_shot_show_at_once_and_the_switch_lets_only_the_last_one_show(stage: Stage) -> None:
    world, row = stage.play.world, stage.row
    book = stage.motion.book
    stage.units.target[row], stage.units.weapon[row] = stage.units.id[stage.other], 1
    stage.stand_still(10)
    begin_act(world, row, Act.SHOOT, 12)
    stage.stand_still(2)
    begin_act(world, row, Act.HIT, 10)
    assert stage.units.action[row] == Act.HIT
    seen = {int(stage.stand_still().torso[row]) for _ in range(6)}
    first = int(book.first[book.index["jolt@fire@aim"]])
    assert len(seen) >= 3 and seen <= set(range(first, first + 16))
    world.settings.figures.layers = False
    assert stage.stand_still().torso[row] in stage.frames("hit")


@pytest.mark.parametrize("degrees", [150, -100, 55])
def test_a_start_spreads_its_turn_evenly_over_the_clip_that_turns_most_nearly(stage: Stage, degrees: int) -> None:
    u, row = stage.units, stage.row
    clip = {150: "start_right", -100: "start_left", 55: "start"}[degrees]

    def starts(evenly: bool) -> tuple[float, list[float]]:
        """Return the turn that was missing, and that of each frame, in degrees."""
        stage.play.world.settings.figures.starts = evenly
        u.prev_x[row], u.prev_y[row] = u.x[row], u.y[row]
        u.facing[row] = u.moving[row] = 0
        stage.stand_still(40)
        angles = [float(stage.motion.columns.legs_angle[row])]
        u.moving[row], u.facing[row] = 1, math.radians(degrees)
        for _ in range(6):
            u.prev_x[row], u.prev_y[row] = u.x[row], u.y[row]
            u.x[row] += 0.04 * math.cos(u.facing[row])
            u.y[row] += 0.04 * math.sin(u.facing[row])
            columns = stage.stand_still()
            angles.append(float(columns.legs_angle[row]))
            if evenly:
                assert columns.torso[row] in stage.frames(clip)
        turns = [math.degrees((b - a + math.pi) % math.tau - math.pi) for a, b in pairwise(angles)]
        return degrees - math.degrees(angles[0]), turns

    missing, turns = starts(True)
    assert turns == pytest.approx([missing / 6] * 6, abs=1e-6)
    missing, turns = starts(False)
    assert max(map(abs, turns)) > abs(missing) / 4


def test_a_unit_that_gathers_speed_walks_then_jogs_then_runs(stage: Stage) -> None:
    u, row = stage.units, stage.row
    u.pace[row], u.moving[row] = Pace.RUN, 1
    seen = []
    for k in range(60):
        u.prev_x[row] = u.x[row]
        u.x[row] += min(0.05 + k * 0.003, 0.2)
        frame = stage.stand_still().legs[row]
        seen += [name for name in ("walk", "jog", "run") if frame in stage.frames(name) and seen[-1:] != [name]]
    assert seen == ["walk", "jog", "run"]


def test_a_change_of_stance_in_a_stride_fades_from_the_stride(stage: Stage) -> None:
    book, row = stage.motion.book, stage.row
    stage.play.order("Ann", OrderKind.MOVE, x=25.5, y=6.5)
    before = int(stage.tick(30).legs[row])
    stage.units.stance[row] = Stance.PRONE
    frame = int(stage.stand_still().legs[row])
    assert (frame - book.blends) // STEPS // len(book.groups) == before
    stage.play.world.settings.figures.blends = False
    assert stage.stand_still().legs[row] in stage.frames("crawl")
