"""Mental pictures: earshot, the unseen dead, and movement by turns."""

from __future__ import annotations

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.squad.emergent.fire_and_movement import STATIC
from ai.squad.emergent.mental_picture import Act, blank_pictures
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, advance, begin
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from ai.tactics.ground.tactical_facts import tactical_ground
from tests.ai.squad.manoeuvres.parade import STEP, terrain_of

FIVE = 5
"""Ticks between two thoughts of a squad."""


def test_beliefs_come_from_postings_in_earshot_and_from_sight() -> None:
    """An unseen death stays unknown until the body is seen."""
    opaque = np.zeros((5, 40), np.uint8)
    opaque[:, 20] = 1
    x, y = np.array([2.5, 6.5, 30.5]), np.full(3, 2.5)
    alive = np.ones(3, bool)
    pictures = blank_pictures(x, y, 0)
    pictures.announce(1, 7, Act.MOVE, (6.5, 2.5), (9.5, 2.5))
    pictures.announce(2, 7, Act.ENGAGE, (30.5, 2.5), (30.5, 2.5), (35.5, 2.5))
    pictures.deliver(x, y, alive, 15.0, opaque)
    assert pictures.act[0].tolist() == [Act.UNKNOWN, Act.MOVE, Act.UNKNOWN]
    assert pictures.goal[0, 1].tolist() == [9.5, 2.5] and pictures.sent[0, 1] == 7
    # The third one comes near, is heard once, dies behind the wall: the first one believes in it.
    x[2] = 12.5
    pictures.deliver(x, y, alive, 15.0, opaque)
    assert pictures.act[0, 2] == Act.ENGAGE and pictures.aim[0, 2].tolist() == [35.5, 2.5]
    x[2], alive[2] = 22.5, False
    pictures.announce(2, 9, Act.MOVE, (22.5, 2.5), (25.5, 2.5))
    pictures.deliver(x, y, alive, 99.0, opaque)
    assert pictures.act[0, 2] == Act.ENGAGE and pictures.at[0, 2].tolist() == [12.5, 2.5]
    x[2] = 12.5
    pictures.deliver(x, y, alive, 15.0, opaque)
    assert pictures.act[0, 2] == Act.DEAD
    pictures.keep([0, 2])
    assert pictures.act.shape == (2, 2) and pictures.act[0, 1] == Act.DEAD and pictures.goal.shape == (2, 2, 2)


def _walk(earshot: float, deaths: tuple[int, ...] = ()) -> tuple[float, float]:
    """Advance six members on one threat; return the largest moving share and the progress."""
    terrain: Terrain = terrain_of(*["." * 44] * 15)
    ground = tactical_ground(terrain)
    x, y = np.full(6, 3.5), np.arange(6) * 2.0 + 2.5
    alive, start = np.ones(6, bool), 3.5
    task = begin("fire_and_movement", range(6), (36.5, 7.5), 0, 9000)
    most = 0.0
    for tick in range(0, 900, FIVE):
        if tick == 300:
            alive[list(deaths)] = False
        s = Situation(
            tick, terrain, x.copy(), y.copy(), alive.copy(), np.ones(6), np.array([[36.5, 7.5]]), ground=ground,
            earshot=earshot,
        )  # fmt: skip
        advance(MANOEUVRES, task, s)
        going = alive & (task.task != MemberTask.COVER)
        most = max(most, going.sum() / alive.sum())
        dx, dy = task.goal[:, 0] - x, task.goal[:, 1] - y
        share = np.where(going, np.minimum(1.0, FIVE * STEP / np.maximum(np.hypot(dx, dy), 1e-9)), 0.0)
        x, y = x + dx * share, y + dy * share
        goals = task.goal[going]
        if earshot:  # nobody goes to a place that another one claims
            assert len(np.unique(goals, axis=0)) == len(goals)
    return most, float(x[alive].mean() - start)


@pytest.mark.parametrize("deaths", [(), (0,), (1, 2, 3, 4)])
def test_members_that_hear_each_other_move_by_turns(deaths: tuple[int, ...]) -> None:
    """Half of the living engage at any time, and the squad comes near."""
    most, gone = _walk(40.0, deaths)
    assert most <= 1.0 - STATIC + 1 / 6
    assert gone > 15.0


def test_members_that_hear_nothing_move_at_once() -> None:
    most, gone = _walk(0.0)
    assert most > 0.8 and gone > 10.0
