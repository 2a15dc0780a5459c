"""Plan of a squad's order before it is given: manoeuvre, routes, cover, exposure.

The plan asks the squad mind's own questions (picture, choice, brief) about a squad that exists on paper only, then
rehearses the manoeuvre. No state of the world changes. Source of the brief that names its conditions: William van der
Sterren, AI Game Programming Wisdom, 5.4. Places are (x, y) in tiles, lengths in tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, SquadTask, advance, begin
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from ai.squad.manoeuvres.rehearsal import RehearsedLeg, rehearse
from ai.tactics.routes.fix_and_flank import hand_of
from game.minds.squad.intents import INTENTS
from game.minds.squad.manoeuvre_choice import Choice, choose
from game.minds.squad.member_roles import FLANKS
from game.minds.squad.squad_commands import give_intent, squad_made_of
from game.minds.squad.squad_mind import LIMIT
from game.minds.squad.squad_picture import perceive, situation
from game.world.groups.squads import Squad
from game.world.world import World


@dataclass(frozen=True)
class CoverPair:
    """Members (unit ids) that cover others in one step, and the middles of both."""

    coverers: tuple[int, ...]
    covered: tuple[int, ...]
    post: tuple[float, float]
    leg: tuple[float, float]


@dataclass(frozen=True)
class Post:
    """Place where a member halts and covers, and the place that it watches."""

    unit: int
    x: float
    y: float
    watches: tuple[float, float]


@dataclass(frozen=True)
class SquadPlan:
    """Plan of a squad for an intent.

    ``refused`` is "" if the squad can comply, else why not. ``fails`` are (manoeuvre, condition) of all that were
    considered and count nothing. ``legs`` have rows of ``members``. ``exposed`` and ``length`` are tiles of all legs.
    """

    intent: str
    members: tuple[int, ...]
    kind: str
    goal: tuple[float, float]
    choice: Choice
    refused: str = ""
    fails: tuple[tuple[str, str], ...] = ()
    task: SquadTask | None = None
    legs: tuple[RehearsedLeg, ...] = ()
    posts: tuple[Post, ...] = ()
    covers: tuple[CoverPair, ...] = ()
    threats: NDArray[np.float64] | None = None

    @property
    def length(self) -> float:
        """Return the length of all legs in tiles."""
        return sum(leg.length for leg in self.legs)

    @property
    def exposed(self) -> float:
        """Return the length of all legs in view of known enemies, tiles."""
        return sum(leg.exposed_length for leg in self.legs)

    @property
    def bends(self) -> bool:
        """Return whether the plan has a flank that can be bent."""
        return self.kind in FLANKS and self.task is not None


def plan_order(
    world: World, side: int, units: Sequence[int], intent: str, at: tuple[float, float], bend: tuple[float, ...] = ()
) -> SquadPlan:
    """Return the plan of units for an intent; the world stays as it is.

    KeyError for an intent or a unit that does not exist, ValueError without a living unit.
    """
    squad = _on_paper(world, side, units)
    give_intent(world, squad, intent, *at, bend)
    perceive(world, squad)
    s = situation(world, squad)
    if not s.alive.any():
        raise ValueError("a squad plan needs a living unit")
    choice = choose(squad, s, INTENTS[intent], world.settings.tactics.squad_style)
    members = tuple(squad.members)
    fails = tuple((one.name, one.fails) for one in choice.weighed if one.fitness <= 0.0)
    if not choice.kind:
        return SquadPlan(intent, members, "", choice.goal, choice, "no manoeuvre fits", fails, threats=s.threats)
    task = begin(choice.kind, members, choice.goal, world.tick, LIMIT)
    advance(MANOEUVRES, task, s)
    if task.ended:
        return SquadPlan(
            intent, members, choice.kind, choice.goal, choice, task.why, (*fails, (choice.kind, task.why)),
            threats=s.threats,
        )  # fmt: skip
    played = rehearse(MANOEUVRES, task, s)
    return SquadPlan(
        intent, members, choice.kind, choice.goal, choice, "", fails, task, played.legs,
        _posts(played.legs, s, members, choice.goal, (played.x, played.y)), _covers(played.legs, s, members), s.threats,
    )  # fmt: skip


def _on_paper(world: World, side: int, units: Sequence[int]) -> Squad:
    """Return a copy of the squad of these units, or a new one."""
    members = sorted(units)
    known = squad_made_of(world, members)
    if known is None:
        return Squad(-1, side, members)
    return Squad(known.id, side, members, known.name, enemies=dict(known.enemies))


def _covers(legs: Sequence[RehearsedLeg], s: Situation, members: Sequence[int]) -> tuple[CoverPair, ...]:
    """Return who covers whom in each step in which somebody does."""
    x, y = s.x.copy(), s.y.copy()
    found = []
    for step in sorted({leg.step for leg in legs}):
        now = [leg for leg in legs if leg.step == step]
        coverers = list(now[0].coverers)
        if coverers:
            middles = np.array([leg.path[len(leg.path) // 2] for leg in now])
            found.append(
                CoverPair(
                    tuple(members[row] for row in coverers), tuple(members[leg.row] for leg in now),
                    (float(x[coverers].mean()), float(y[coverers].mean())),
                    (float(middles[:, 0].mean()), float(middles[:, 1].mean())),
                )
            )  # fmt: skip
        for leg in now:
            x[leg.row], y[leg.row] = leg.path[-1].tolist()
    return tuple(found)


def _posts(
    legs: Sequence[RehearsedLeg], s: Situation, members: Sequence[int], goal: tuple[float, float],
    last: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[Post, ...]:  # fmt: skip
    """Return the places from which members cover others, and where they end.

    A post watches the nearest known enemy, else the goal.
    """
    covering = {row for leg in legs for row in leg.coverers}
    places: dict[tuple[int, float, float], None] = {}
    x, y = s.x.copy(), s.y.copy()
    for step in sorted({leg.step for leg in legs}):
        now = [leg for leg in legs if leg.step == step]
        for row in now[0].coverers:
            places[(row, float(x[row]), float(y[row]))] = None
        for leg in now:
            x[leg.row], y[leg.row] = leg.path[-1].tolist()
    ends = {leg.row: leg.task for leg in legs}
    for row in s.rows.tolist():
        if row in covering or ends.get(row) != MemberTask.ASSAULT:
            places[(row, float(last[0][row]), float(last[1][row]))] = None
    targets = s.threats if len(s.threats) else np.array([goal])
    found = []
    for row, px, py in places:
        k = int(np.argmin(np.hypot(targets[:, 0] - px, targets[:, 1] - py)))
        found.append(Post(members[row], px, py, (float(targets[k, 0]), float(targets[k, 1]))))
    return tuple(found)


def bent_intent(plan: SquadPlan, bend: tuple[float, float]) -> str:
    """Return the intent of a flank bent to a place; its side may change."""
    if plan.intent not in ("flank_left", "flank_right") or plan.task is None:
        return plan.intent
    pin_x, pin_y = plan.task.spots[0].tolist()
    return "flank_left" if hand_of((int(pin_y), int(pin_x)), plan.goal, bend) < 0 else "flank_right"
