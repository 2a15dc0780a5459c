"""Suppress and flank: the path against the zone, order of phases, refusals."""

from __future__ import annotations

import math

import numpy as np

from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, MemberTask, SquadTask
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

YARD = terrain_of(*["." * 36] * 30)
SIX = [(3.5, 13.5), (3.5, 14.5), (3.5, 15.5), (4.5, 13.5), (4.5, 14.5), (4.5, 15.5)]
ENEMY = (24.5, 14.5)


def test_flankers_come_from_the_side_while_the_others_cover() -> None:
    """The flankers come 45 degrees or more off the firing team's bearing."""
    squad = Parade(YARD, SIX, [ENEMY])
    angles: list[float] = []

    def watch(task: SquadTask) -> None:
        if task.stage != ManoeuvreStage.EXECUTE:
            return
        base, flank = (np.flatnonzero(task.team == t) for t in (0, 1))
        assert (task.task[base] == MemberTask.COVER).all()
        ahead = math.atan2(squad.y[base].mean() - ENEMY[1], squad.x[base].mean() - ENEMY[0])
        for row in flank[task.task[flank] == MemberTask.ASSAULT].tolist():
            own = math.atan2(squad.y[row] - ENEMY[1], squad.x[row] - ENEMY[0])
            if math.hypot(squad.x[row] - ENEMY[0], squad.y[row] - ENEMY[1]) > 2.5:
                angles.append(math.degrees(abs(math.remainder(own - ahead, math.tau))))

    task = squad.run("suppress_and_flank", ENEMY, watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    assert len(angles) > 3 and min(angles) >= 45.0


def test_a_corridor_has_no_flank_and_one_member_is_too_few() -> None:
    """The refusal names the condition that fails."""
    corridor = terrain_of("#" * 30, "." * 30, "#" * 30)
    squad = Parade(corridor, [(2.5, 1.5), (3.5, 1.5), (4.5, 1.5)], [(25.5, 1.5)])
    assert "no flank path" in squad.run("suppress_and_flank", (25.5, 1.5), lambda task: None).why
    alone = Parade(YARD, SIX[:1], [ENEMY])
    assert alone.run("suppress_and_flank", ENEMY, lambda task: None).why == "a flank needs two"


def test_a_shut_path_is_noticed_and_another_one_taken_while_the_base_stays() -> None:
    """The wall stands on the second leg; the new path is open."""
    squad = Parade(terrain_of(*["." * 36] * 30), SIX, [ENEMY])
    told: list[tuple[str, str, int]] = []
    shut_at: list[int] = []

    def watch(task: SquadTask) -> None:
        assert task.dag is not None
        if task.phase == 1 and not shut_at:
            x, y = task.route[9].astype(int).tolist()
            squad.terrain.edit(y - 1, x - 1, y + 2, x + 2, passable=0, opaque=1)
            shut_at.append(squad.tick)
        if task.dag.failures and not told:
            one = task.dag.failures[0]
            told.append((one.step, one.condition, one.tick))
            x, y = task.route.astype(int).T
            assert (squad.terrain.passable[y, x] == 255).all()
            base = np.flatnonzero(task.team == 0)
            assert (task.task[base] == MemberTask.COVER).all() and task.dag.plans == 2

    task = squad.run("suppress_and_flank", ENEMY, watch)
    assert task.stage == ManoeuvreStage.DONE, task.why
    assert told and told[0][:2] == ("leg 2", "the way is open"), told
    assert shut_at[0] < told[0][2]
    squad = Parade(terrain_of(*["." * 36] * 30), SIX, [ENEMY])
    squad.doctrine.verifies = False
    told, shut_at = [], []
    task = squad.run("suppress_and_flank", ENEMY, watch)
    assert shut_at and not told, "without verification nobody notices"


def test_a_base_that_falls_is_manned_again_or_the_flank_is_given_up() -> None:
    squad = Parade(YARD, SIX, [ENEMY])

    def fall(task: SquadTask) -> None:
        if task.phase == 2 and squad.alive.all():
            squad.alive[task.team == 0] = False

    task = squad.run("suppress_and_flank", ENEMY, fall)
    assert task.dag is not None and task.dag.failures[0].condition == "the base is manned"
    assert task.stage == ManoeuvreStage.DONE and task.dag.plans == 2, task.why
    squad = Parade(YARD, SIX[:4], [ENEMY])
    task = squad.run("suppress_and_flank", ENEMY, fall)
    assert task.stage == ManoeuvreStage.ABORTED and task.why == "too few are left for a base and a flank"
