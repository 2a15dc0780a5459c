"""Rehearsal: the legs are those of the manoeuvre in earnest, and the task stays."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.manoeuvres.manoeuvre import ManoeuvreStage, MemberTask, SquadTask, advance, begin
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from ai.squad.manoeuvres.rehearsal import Rehearsal, rehearse
from tests.ai.squad.manoeuvres.parade import Parade, terrain_of

YARD = terrain_of(*["." * 36] * 14, "." * 16 + "#" * 4 + "." * 16, *["." * 36] * 15)
SIX = [(3.5, 13.5), (3.5, 14.5), (3.5, 15.5), (4.5, 13.5), (4.5, 14.5), (4.5, 15.5)]
ENEMY = (24.5, 14.5)


def _rehearsed(kind: str) -> tuple[Parade, SquadTask, Rehearsal]:
    squad = Parade(YARD, SIX, [ENEMY])
    task = begin(kind, range(6), ENEMY, 0, 3000)
    advance(MANOEUVRES, task, squad.situation())
    assert task.stage == ManoeuvreStage.MOVE_TO_START, task.why
    return squad, task, rehearse(MANOEUVRES, task, squad.situation())


@pytest.mark.parametrize("kind", ["bound_forward", "suppress_and_flank", "pull_back", "hold_ground"])
def test_the_goals_are_those_that_the_manoeuvre_gives_in_earnest(kind: str) -> None:
    """The same manoeuvre in small steps gives each member the same goals."""
    _, task, plan = _rehearsed(kind)
    assert task.stage == ManoeuvreStage.MOVE_TO_START and task.phase == 0
    goals: list[list[tuple[float, float]]] = [[] for _ in range(6)]

    def watch(now: SquadTask) -> None:
        for row in np.flatnonzero(now.task != MemberTask.COVER).tolist():
            goal = tuple(now.goal[row].tolist())
            if not now.ended and goals[row][-1:] != [goal]:
                goals[row].append(goal)

    Parade(YARD, SIX, [ENEMY]).run(kind, ENEMY, watch)
    assert plan.why == ""
    for row in range(6):
        drawn = [tuple(leg.path[-1].tolist()) for leg in plan.legs if leg.row == row]
        assert drawn == [g for g in goals[row] if g != SIX[row]], row


def test_legs_join_and_only_open_ground_within_reach_of_the_enemy_is_exposed() -> None:
    _, _, plan = _rehearsed("suppress_and_flank")
    at = dict(enumerate(SIX))
    for leg in plan.legs:
        assert tuple(leg.path[0].tolist()) == at[leg.row]
        at[leg.row] = tuple(leg.path[-1].tolist())
        for (x, y), seen in zip(leg.path.tolist(), leg.exposed.tolist(), strict=True):
            clear = line_clear(YARD.opaque, 14, 24, int(y), int(x))
            # A body in reach of the weapons and three tiles more counts as near.
            assert seen == (clear and math.dist((math.floor(x) + 0.5, math.floor(y) + 0.5), ENEMY) <= 12.0)
        assert 0.0 <= leg.exposed_length <= leg.length
    assert any(leg.exposed.any() for leg in plan.legs) and not all(leg.exposed.all() for leg in plan.legs)


def test_in_bounds_the_other_team_covers_each_leg_and_in_a_charge_nobody_does() -> None:
    _, _, plan = _rehearsed("bound_forward")
    for leg in plan.legs:
        same = {other.row for other in plan.legs if other.step == leg.step}
        assert leg.row in same and set(leg.coverers) == set(range(6)) - same and len(leg.coverers) >= 3
    _, _, charge = _rehearsed("charge")
    assert charge.legs and all(leg.coverers == () for leg in charge.legs)


def test_a_bent_flank_leads_through_the_place_on_its_side_only() -> None:
    squad = Parade(YARD, SIX, [ENEMY])
    for via, kind, fits in (((16.5, 27.5), "flank_right", True), ((16.5, 2.5), "flank_right", False)):
        task = begin(kind, range(6), ENEMY, 0, 3000)
        advance(MANOEUVRES, task, squad.situation(bend=via))
        assert (task.stage == ManoeuvreStage.MOVE_TO_START) == fits
        if fits:
            assert np.hypot(*(task.route - via).T).min() < 1.0
        else:
            assert "through the bend" in task.why
