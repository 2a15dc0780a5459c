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
