"""Suppress and flank: one team fires, the other assaults from the side.

Sources: Game AI Pro 2, ch. 1, 1.5.1 and 31.5.4 (the plan of :mod:`ai.tactics.routes.fix_and_flank`); William van der
Sterren, AI Game Programming Wisdom, 5.4 (the life cycle). Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ai.decision.execution.execution_dag import (
    PlanStep,
    StepFailure,
    advance_dag,
    all_done,
    begin_dag,
    plan_again,
)
from ai.squad.manoeuvres.bounding_overwatch import places_around
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, SquadTask, abort
from ai.tactics.routes.fix_and_flank import flank_plan

WAYPOINT = 5
"""Tiles of the flank path between two goals of a flanker."""
APART = 2.0
"""Tiles from a waypoint at which the flankers go on."""
CAP = 20_000
"""Revolutions of one flank path."""
TELL = 60
"""Least ticks from the base's first fire to the flankers' coming into view.

The enemy is warned by the base and can answer. Flankers that are far off go at once, because their run takes longer.
"""
A_TILE = 5
"""Ticks that a runner needs for a tile, at 4 tiles/s."""
IN_VIEW = 14.0
"""Tiles from an enemy at which flankers may come into its view."""


@dataclass(frozen=True)
class SuppressAndFlank:
    """Team 0 suppresses from the pin; team 1 walks the flank path and assaults.

    ``side`` is 1 for a flank on the right, -1 on the left, 0 on the better side.
    """

    name: str = "suppress_and_flank"
    after: tuple[str, ...] = ()
    side: int = 0

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: enough members, a known enemy, and strength."""
        ours, theirs = float(s.health[s.alive].sum()), max(1.0, float(len(s.threats)))
        strong = min(1.0, ours / theirs)
        return (
            ("there are three", float(s.alive.sum() >= 3)),
            ("an enemy is known", float(len(s.threats) > 0)),
            ("we are strong enough", strong),
            ("the enemy stands", 0.9 * (1.0 - s.closing)),
        )

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Plan pin and flank path; the members nearest to the pin suppress."""
        if s.alive.sum() < 2:
            return "a flank needs two"
        cx, cy = s.centre
        rows = s.rows
        near = int(rows[np.argmin(np.hypot(s.x[rows] - cx, s.y[rows] - cy))])
        start = int(s.y[near]), int(s.x[near])
        plan = flank_plan(s.tactical(), start, start, (task.x, task.y), s.reach, cap=CAP, side=self.side, via=s.bend)
        if plan is None and s.bend is not None:
            return "no flank path out of the approach leads through the bend"
        if plan is None:
            return "no flank path stays out of the approach"
        pin = plan.pin
        order = rows[np.lexsort((rows, np.hypot(s.x[rows] - pin[1] - 0.5, s.y[rows] - pin[0] - 0.5)))]
        task.team[:] = 0
        task.team[order[(len(order) + 1) // 2 :]] = 1
        _set_route(task, (pin[1] + 0.5, pin[0] + 0.5), plan.flank_path)
        steps = flank_steps(len(task.spots))
        task.phase = 0
        task.dag = begin_dag(steps, s.tick) if task.dag is None else plan_again(steps, task.dag, s.tick)
        advance_dag(steps, task.dag, s.tick, _Teams(task, s), verifies=False)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Advance the steps; after a failure plan again, or abort."""
        assert task.dag is not None, "a step follows a brief"
        if not (task.team[s.rows] == 1).any():
            return True
        if task.phase == 0 and s.tick - task.since < waits(task, s):
            return False
        failure = advance_dag(flank_steps(len(task.spots)), task.dag, s.tick, _Teams(task, s), s.doctrine.verifies)
        if failure is not None:
            refused = self._plan_again(task, s, failure)
            if refused:
                abort(task, s, refused)
            return False
        return all_done(task.dag)

    def _plan_again(self, task: SquadTask, s: Situation, failure: StepFailure) -> str:
        """Plan again from the present situation; return why it cannot be done, else "".

        A shut path asks for another path alone; the base stays at its pin. All else asks for another brief.
        """
        dag = task.dag
        assert dag is not None, "a failure belongs to a run"
        if dag.plans >= MOST_PLANS:
            return f"it failed {dag.plans} times: {failure.condition}"
        for row in s.rows.tolist():
            task.cover(row)
        if failure.condition != OPEN:
            if len(s.threats):
                far = np.hypot(s.threats[:, 0] - task.x, s.threats[:, 1] - task.y)
                task.x, task.y = s.threats[int(np.argmin(far))].tolist()
            return self.brief(task, s) if s.alive.sum() >= FEWEST else "too few are left for a base and a flank"
        flank = s.rows[task.team[s.rows] == 1]
        pin_x, pin_y = task.spots[0].tolist()
        start = int(s.y[flank[0]]), int(s.x[flank[0]])
        plan = flank_plan(s.tactical(), (int(pin_y), int(pin_x)), start, (task.x, task.y), s.reach, cap=CAP)
        if plan is None:
            return "no other flank path stays out of the approach"
        _set_route(task, (pin_x, pin_y), plan.flank_path)
        steps = flank_steps(len(task.spots))
        task.dag = plan_again(steps, dag, s.tick, kept=("pin",))
        return ""


FEWEST = 3
"""Members with which a flank is planned again."""
MOST_PLANS = 3
"""Plans after which a manoeuvre that fails again is broken off."""
SETTLED = 20
"""Ticks for which the base covers before an assault may begin."""
MOVED = 8.0
"""Tiles that the enemy may move before a flank is planned again."""
KNOWN = 12.0
"""Tiles from a flanker within which a shut tile is seen."""
OPEN, MANNED, STANDS = "the way is open", "the base is manned", "the enemy is where the plan has it"
THEY_ARE_THERE, ONE_IS_THERE = "they are there", "one of them is there"


@lru_cache(maxsize=64)
def flank_steps(spots: int) -> tuple[PlanStep, ...]:
    """Return the steps of a flank with a pin and ``spots - 1`` legs.

    The fire of the base and the legs of the flank run side by side; the assault waits for both.
    """
    legs = [f"leg {k}" for k in range(1, spots)]
    return (
        PlanStep("pin", "base", (), (MANNED,), (MANNED,), (ONE_IS_THERE,)),
        PlanStep("fix", "base", ("pin",), (MANNED,), (MANNED,)),
        *(
            PlanStep(leg, "flank", (before,), (OPEN,), (OPEN,), (THEY_ARE_THERE,))
            for before, leg in zip(["pin", *legs], legs, strict=False)
        ),
        PlanStep("assault", "flank", ("fix", legs[-1]), (MANNED, STANDS)),
    )


def _set_route(task: SquadTask, pin: tuple[float, float], path: NDArray[np.int32]) -> None:
    """Write the flank path and the places of the legs to a task."""
    task.route = path[:, ::-1].astype(np.float64) + 0.5
    ends = [*range(WAYPOINT, len(path) - 1, WAYPOINT), len(path) - 1]
    task.spots = np.array([pin, *(path[k][::-1] + 0.5 for k in ends)], np.float64)


@dataclass(frozen=True)
class _Teams:
    """Hands of the steps: the tasks of base and flank."""

    task: SquadTask
    s: Situation

    def _rows(self, actor: str) -> NDArray[np.int64]:
        rows = self.s.rows
        return rows[self.task.team[rows] == (actor == "flank")]

    def holds(self, step: PlanStep, condition: str) -> bool:
        """Return whether a condition holds as the squad knows the world."""
        task, s = self.task, self.s
        if condition == MANNED:
            return bool(len(self._rows("base")))
        if condition == STANDS:
            far = np.hypot(s.threats[:, 0] - task.x, s.threats[:, 1] - task.y)
            return not len(far) or bool(far.min() <= MOVED)
        if condition == OPEN:
            return self._open(int(step.name.removeprefix("leg ")))
        there = s.there(task, self._rows(step.actor), APART)
        return bool(there.any() if condition == ONE_IS_THERE else there.all())

    def _open(self, leg: int) -> bool:
        """Return whether a leg is open where the flankers see it."""
        task, s = self.task, self.s
        rows = self._rows("flank")
        part = task.route[(leg - 1) * WAYPOINT : leg * WAYPOINT + 1]
        far = np.hypot(part[:, None, 0] - s.x[rows], part[:, None, 1] - s.y[rows]).min(axis=1, initial=np.inf)
        tiles = part[far <= KNOWN].astype(np.int64)
        return bool((s.terrain.passable[tiles[:, 1], tiles[:, 0]] >> s.movement_class & 1).all())

    def begin(self, step: PlanStep) -> None:
        """Send the team of a step; the base that fixes stays where it is."""
        task, s = self.task, self.s
        rows = self._rows(step.actor)
        if step.name == "assault":
            for row in rows.tolist():
                task.send(row, task.x, task.y, MemberTask.ASSAULT)
        elif step.name != "fix":
            k = 0 if step.name == "pin" else int(step.name.removeprefix("leg "))
            x, y = task.spots[k].tolist()
            places = places_around(s.terrain, (int(y), int(x)), len(rows), s.movement_class)
            for row, place in zip(rows.tolist(), places, strict=False):
                task.send(row, *place)
        if step.actor == "flank":
            task.begin_phase(task.phase + 1, s.tick)

    def finished(self, step: PlanStep, began: int) -> bool:
        """Return whether a team is there, or has covered long enough."""
        task, s = self.task, self.s
        rows = self._rows(step.actor)
        if step.name == "fix":
            return s.tick - began >= SETTLED
        if step.name == "assault":
            return bool(s.there(task, rows, APART).any())
        # A member that cannot get there covers from where it is; whether that will do, the effect tells.
        return bool((s.there(task, rows, APART) | (task.task[rows] == MemberTask.COVER)).all())


def waits(task: SquadTask, s: Situation) -> int:
    """Return the ticks that flankers wait behind the base's first fire.

    Enemies are the known ones, and one at the place of the order.
    """
    rows = s.rows[task.team[s.rows] == 1]
    enemies = np.vstack([s.threats[:, :2], [[task.x, task.y]]])
    far = np.hypot(s.x[rows, None] - enemies[:, 0], s.y[rows, None] - enemies[:, 1]).min(initial=np.inf)
    return TELL - int(min(max(far - IN_VIEW, 0.0) * A_TILE, TELL))


FLANK = SuppressAndFlank()
FLANK_LEFT = SuppressAndFlank("flank_left", side=-1)
FLANK_RIGHT = SuppressAndFlank("flank_right", side=1)
