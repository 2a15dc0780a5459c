"""Charge: all members attack the goal at once by the direct path.

It is the manoeuvre that the others are compared with. Places are (x, y) in tiles.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.squad.manoeuvres.bounding_overwatch import places_around
from ai.squad.manoeuvres.manoeuvre import MemberTask, Situation, SquadTask


@dataclass(frozen=True)
class Charge:
    """Assault of all members on the goal."""

    name: str = "charge"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: a known enemy, and twice its strength."""
        ours, theirs = float(s.health[s.alive].sum()), float(len(s.threats))
        twice = min(1.0, max(0.0, ours / max(theirs, 1.0) - 1.0))
        return (("an enemy is known", float(theirs > 0)), ("we are twice as strong", 0.9 * twice))

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Give each member a place about the goal.

        The move to the start is the assault."""
        places = places_around(s.terrain, (int(task.y), int(task.x)), len(s.rows), s.movement_class)
        if not places:
            return "the place cannot be entered"
        for k, row in enumerate(s.rows.tolist()):
            task.send(row, *places[k % len(places)], MemberTask.ASSAULT)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """End at the goal."""
        return True


CHARGE = Charge()
