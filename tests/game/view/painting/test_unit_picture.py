"""Facing of figures in the view: figures turn more smoothly than their bodies.

Oracle: the swings of the bodies' facing, counted by the same rule in the same ticks.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from game.checks.headless import go_on, run_level
from game.checks.scripts.script import load_script
from game.view.painting.unit_picture import take_picture
from game.world.units import Act
from tests.game.sim.play import Play, raider, yard

ROOT = Path(__file__).resolve().parents[4]
SWING = 0.2
"""Least visible turn in a tick, in radians: eleven degrees."""


def swings(fronts: list[np.ndarray]) -> int:
    """Count turns of more than SWING in a tick that reverse the last one.

    The turns of all units are added.
    """
    turns = (np.diff(np.array(fronts), axis=0) + math.pi) % math.tau - math.pi
    last, count = np.zeros(turns.shape[1]), 0
    for turn in turns:
        worth = np.abs(turn) > SWING
        count += int((worth & (turn * last < 0.0)).sum())
        last[worth] = turn[worth]
    return count


def test_figures_in_a_crowd_swing_less_than_a_tenth_as_often_as_bodies() -> None:
    level = ROOT / "levels/regression/motion/bridge_60.tmx"
    run = run_level(level, ticks=1, script=load_script(level.with_suffix(".toml")))
    picture = take_picture(run.session.world)
    bodies, figures = [], []
    for _ in range(300):
        run = go_on(run, 1)
        picture = take_picture(run.session.world, picture)
        bodies.append(picture.facing)
        figures.append(picture.front)
    assert swings(bodies) > 100 and 10 * swings(figures) < swings(bodies)


def test_a_figure_turns_round_within_a_second_and_at_once_when_it_acts(tmp_path: Path) -> None:
    builder = yard("\n".join(["s" * 12] * 6))
    raider(builder, 3.5, 3.5)
    play = Play(tmp_path, builder).run(2)
    u, slot = play.world.units, play.slot("Ann")
    for act, ticks in ((Act.NONE, 20), (Act.SHOOT, 1)):
        u.facing[slot], u.action[slot] = 0.0, Act.NONE
        picture = take_picture(play.world)
        u.facing[slot], u.action[slot] = 3.0, act
        for _ in range(ticks):
            play.world.tick += 1
            picture = take_picture(play.world, picture)
        assert abs(float(picture.front[slot]) - 3.0) < 0.1
