"""Choice of a squad's next manoeuvre by fitness, without a change of any state.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (selection by fitness; a manoeuvre bars its
successors). The squad mind carries the choice out; the plan of a player's order asks the same question.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ai.squad.manoeuvres.manoeuvre import Situation, Weighed, best_of, weigh
from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from game.minds.squad.intents import Intent
from game.minds.squad.squad_rooms import IN_HOUSES
from game.world.groups.squads import Squad

RETREATS = "pull_back", "fall_back"
MUCH_WEAKER, OVERWHELMED = 0.6, 0.9
"""Fitness of the pullback at which attackers break off, and defenders."""
AT_REFUGE = 8.0
"""Tiles from its refuge within which a squad stays."""


@dataclass(frozen=True)
class Choice:
    """Chosen manoeuvre and its place in tiles; ``kind`` is "" when none fits.

    ``weighed`` are all that were considered, by name.
    """

    kind: str
    goal: tuple[float, float]
    weighed: tuple[Weighed, ...]

    @property
    def found(self) -> list[tuple[str, float]]:
        """Return (name, fitness) of all that were considered."""
        return [(one.name, one.fitness) for one in self.weighed]


def choose(squad: Squad, s: Situation, intent: Intent, style: str) -> Choice:
    """Return the fittest manoeuvre of a squad for an intent in a style.

    The only manoeuvre of an intent is taken whatever its fitness, unless it was refused before.
    """
    goal = goal_of(squad, s, intent)
    names = choices_of(style, intent)
    ending = MANOEUVRES[squad.last] if len(names) > 1 and squad.last and s.tick < squad.barred_until else None
    failed = squad.failed
    if intent.otherwise and not should_retreat(squad, s, intent):
        failed = [*failed, *RETREATS]
    weighed = weigh({name: MANOEUVRES[name] for name in names}, s, goal, ending, failed)
    if len(weighed) == 1 and not weighed[0].barred:
        weighed = [replace(weighed[0], fitness=1.0)]
    kind = best_of(weighed)
    if not kind and intent.otherwise not in squad.failed:
        kind = intent.otherwise
    if kind in IN_HOUSES and s.house_at is not None:
        goal = s.house_at
    if kind in RETREATS and squad.intent != "pull_back":  # an ordered pullback has its own place
        goal = squad.home_x, squad.home_y
    return Choice(kind, goal, tuple(weighed))


def goal_of(squad: Squad, s: Situation, intent: Intent) -> tuple[float, float]:
    """Return the place of the next manoeuvre: nearest known enemy or intent."""
    if intent.at_enemy and len(s.threats):
        cx, cy = s.centre
        x, y = min(s.threats.tolist(), key=lambda p: ((p[0] - cx) ** 2 + (p[1] - cy) ** 2, p))
        return x, y
    return squad.x, squad.y


def choices_of(style: str, intent: Intent) -> tuple[str, ...]:
    """Return the manoeuvres to choose from in a style; only planned squads weigh several."""
    if style == "charge" and intent.at_enemy:
        return ("charge",)
    if style == "emergent" and intent.at_enemy and len(intent.choices) > 1:
        return ("fire_and_movement",)
    return intent.choices


def should_retreat(squad: Squad, s: Situation, intent: Intent) -> bool:
    """Return whether a squad is so much weaker that it breaks off.

    Defenders leave their cover later than attackers, and not when they are at their refuge already.
    """
    fitness = math.prod(value for _, value in MANOEUVRES["pull_back"].fitness(s, (squad.home_x, squad.home_y)))
    if not intent.otherwise:
        return fitness >= MUCH_WEAKER
    return fitness >= OVERWHELMED and math.dist(s.centre, (squad.home_x, squad.home_y)) > AT_REFUGE
