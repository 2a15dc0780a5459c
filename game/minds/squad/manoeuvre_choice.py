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
from game.world.groups.squads import Squad

RETREATS = "pull_back", "fall_back"


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
    weighed = weigh({name: MANOEUVRES[name] for name in names}, s, goal, ending, squad.failed)
    if len(weighed) == 1 and not weighed[0].barred:
        weighed = [replace(weighed[0], fitness=1.0)]
    kind = best_of(weighed)
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
    if style == "emergent" and len(intent.choices) > 1:
        return ("fire_and_movement",)
    return intent.choices


def retreat_fitness(squad: Squad, s: Situation) -> float:
    """Return the fitness of a pullback to the squad's home."""
    return math.prod(value for _, value in MANOEUVRES["pull_back"].fitness(s, (squad.home_x, squad.home_y)))
