"""Inspector rows of a squad's member: manoeuvres considered, and terms of positions.

The values are those of the squad mind's own questions, asked now; nothing changes. Sources: William van der Sterren,
AI Game Programming Wisdom, 5.4 (fitness of manoeuvres) and 5.3 (eleven terms of the next position).
"""

from __future__ import annotations

import numpy as np

from ai.decision.decision_trace import DECISION, TICKS_PER_SECOND, TraceEntry
from ai.squad.emergent.fire_and_movement import question_of
from ai.squad.emergent.next_position import position_terms
from ai.squad.emergent.personalities import TERMS
from ai.squad.manoeuvres.manoeuvre import Weighed
from game.minds.squad.intents import INTENTS
from game.minds.squad.manoeuvre_choice import choose
from game.minds.squad.member_roles import manoeuvre_words, phase_words, role_of
from game.minds.squad.squad_picture import situation
from game.world.groups.squads import Squad
from game.world.world import World

PLACES = 3
"""Positions whose terms are listed."""


def squad_rows(world: World, unit: int) -> list[tuple[str, str]]:
    """Return rows (name, value) about the squad of a unit; none without one."""
    squad = world.squads.of(unit)
    if squad is None or squad.intent not in INTENTS:
        return []
    task, row = squad.task, squad.members.index(unit)
    kind = manoeuvre_words(task.kind) if task is not None else "no manoeuvre"
    rows = [(f"squad {squad.name}", f"{kind}, {phase_words(squad)}")]
    if task is not None:
        rows.append(("role", role_of(task, row)))
    chosen = decision_of(world, squad)
    if chosen is not None:
        rows.append(("chosen", decision_words(chosen, world.tick)))
    if task is not None and task.pictures is not None:
        return rows + place_rows(world, squad, row)
    s = situation(world, squad)
    if not s.alive.any():
        return rows
    choice = choose(squad, s, INTENTS[squad.intent], world.settings.tactics.squad_style)
    return rows + [weighed_words(one) for one in sorted(choice.weighed, key=lambda one: (-one.fitness, one.name))]


def decision_of(world: World, squad: Squad) -> TraceEntry | None:
    """Return the last choice of a squad that the trace still holds."""
    words = f"leads squad {squad.name}: "
    found = [
        entry for unit in squad.members for entry in world.trace.last(unit, 3, (DECISION,))
        if entry.decided.startswith(words)
    ]  # fmt: skip
    return max(found, key=lambda entry: entry.tick, default=None)


def decision_words(entry: TraceEntry, tick: int) -> str:
    """Return why a manoeuvre won: its fitness then, and the next best."""
    scores = dict(entry.considered)
    others = sorted((-score, name) for name, score in entry.considered if name != entry.winner)
    age = (tick - entry.tick) / TICKS_PER_SECOND
    words = f"{manoeuvre_words(entry.winner)} {scores.get(entry.winner, 1.0):.2f}, {age:.0f} s ago"
    if not others:
        return f"{words}; the order allows no other"
    return f"{words}; next best {manoeuvre_words(others[0][1])} {-others[0][0]:.2f}"


def weighed_words(one: Weighed) -> tuple[str, str]:
    """Return name and fitness of a manoeuvre now, and its least term."""
    head = f"{manoeuvre_words(one.name)} {one.fitness:.2f} now"
    if one.fails:
        return head, f"fails: {one.fails}"
    name, value = min(one.terms, key=lambda term: term[1], default=("no term", 1.0))
    return head, f"least: {name} {value:.2f}"


def place_rows(world: World, squad: Squad, row: int) -> list[tuple[str, str]]:
    """Return the best positions of an emergent member, and their eleven terms.

    A value of a term is its weight times its amount; the sum of a column is the value of the position.
    """
    places, terms = best_places(world, squad, row)
    if not len(places):
        return []
    heads = " / ".join(f"({x:.0f}, {y:.0f}) {part.sum():.2f}" for (x, y), part in zip(places, terms, strict=True))
    rows = [("best positions", heads)]
    return rows + [
        (name, " / ".join(f"{value:+.2f}" for value in terms[:, k].tolist())) for k, name in enumerate(TERMS)
    ]


def best_places(world: World, squad: Squad, row: int) -> tuple[list[tuple[float, float]], np.ndarray]:
    """Return the best free positions of a member, and their weighted terms.

    Positions are (x, y) in tiles, the terms ``float64[n, 11]``.
    """
    task = squad.task
    s = situation(world, squad)
    if task is None or task.pictures is None or not s.alive[row]:
        return [], np.zeros((0, len(TERMS)))
    o, tiles, weights = question_of(task, s, task.pictures, row)
    parts = position_terms(o, tiles) * weights
    values = parts.sum(axis=1)
    if len(o.buddies):
        taken = (np.floor(o.buddies[:, ::-1]).astype(np.int32)[None] == tiles[:, None]).all(axis=2).any(axis=1)
        values[taken] = -np.inf
    order = np.lexsort((tiles[:, 1], tiles[:, 0], -np.round(values, 9)))[:PLACES]
    order = order[np.isfinite(values[order])]
    return [(float(tiles[k, 1]) + 0.5, float(tiles[k, 0]) + 0.5) for k in order.tolist()], parts[order]
