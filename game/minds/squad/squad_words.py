"""Inspector words of a squad's member: manoeuvres considered, and terms of positions.

The values are those of the squad mind's own questions, asked now; nothing changes. Sources: William van der Sterren,
AI Game Programming Wisdom, 5.4 (fitness of manoeuvres) and 5.3 (eleven terms of the next position).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.decision.decision_trace import DECISION, TICKS_PER_SECOND, TraceEntry
from ai.squad.emergent.fire_and_movement import question_of
from ai.squad.emergent.next_position import position_terms
from ai.squad.emergent.personalities import MEANINGS, TERMS
from ai.squad.manoeuvres.manoeuvre import Weighed
from game.minds.squad.intents import INTENTS
from game.minds.squad.manoeuvre_choice import choose
from game.minds.squad.member_roles import manoeuvre_words, phase_words, role_of
from game.minds.squad.squad_picture import situation
from game.world.groups.squads import Squad
from game.world.world import World

PLACES = 3
"""Positions whose terms are listed."""


@dataclass(frozen=True)
class ScoreRow:
    """Row of a score table: name, a value for each head, and a note.

    A value may be None. ``meaning`` explains the name in a sentence; ``won`` marks the winner or the sum.
    """

    name: str
    values: tuple[float | None, ...]
    note: str = ""
    meaning: str = ""
    won: bool = False


@dataclass(frozen=True)
class ScoreTable:
    """Options that a squad weighed: columns by head, rows by name.

    Values of a ``signed`` table are rewards and penalties; those of others are 0 to 1. ``caption`` says what the
    columns stand for.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[ScoreRow, ...]
    signed: bool = False
    caption: str = ""


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
    return rows


def squad_scores(world: World, unit: int) -> ScoreTable | None:
    """Return the eleven terms of an emergent member, else the manoeuvres considered.

    None without a squad, an order or a living member.
    """
    squad = world.squads.of(unit)
    if squad is None or squad.intent not in INTENTS:
        return None
    task = squad.task
    if task is not None and task.pictures is not None:
        return place_scores(world, squad, squad.members.index(unit))
    return manoeuvre_scores(world, squad)


def manoeuvre_scores(world: World, squad: Squad) -> ScoreTable | None:
    """Return the fitness of each manoeuvre at the last choice and now.

    None without a living member.
    """
    s = situation(world, squad)
    if not s.alive.any():
        return None
    choice = choose(squad, s, INTENTS[squad.intent], world.settings.tactics.squad_style)
    chosen = decision_of(world, squad)
    then = dict(chosen.considered) if chosen is not None else {}
    winner = chosen.winner if chosen is not None else ""
    rows = [
        ScoreRow(manoeuvre_words(one.name), (then.get(one.name), one.fitness), why_words(one), won=one.name == winner)
        for one in sorted(choice.weighed, key=lambda one: (one.name != winner, -one.fitness, one.name))
    ]
    return ScoreTable("manoeuvre", ("then", "now"), tuple(rows))


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


def why_words(one: Weighed) -> str:
    """Return the condition that fails now, or the least term of the fitness."""
    if one.fails:
        return f"fails: {one.fails}"
    name, value = min(one.terms, key=lambda term: term[1], default=("", 1.0))
    return f"least: {name} {value:.2f}" if name else ""


def place_scores(world: World, squad: Squad, row: int) -> ScoreTable | None:
    """Return the best positions of an emergent member, and their eleven terms.

    A value of a term is its weight times its amount; the sum of a column is the value of the position.
    """
    places, terms = best_places(world, squad, row)
    if not len(places):
        return None
    heads = ("1st", "2nd", "3rd")[: len(places)]
    caption = "best tiles: " + "; ".join(f"{int(x)}, {int(y)}" for x, y in places)
    rows = [ScoreRow(name, tuple(terms[:, k].tolist()), "", MEANINGS[k]) for k, name in enumerate(TERMS)]
    total = ScoreRow("sum", tuple(terms.sum(axis=1).tolist()), "", "Value of the position: the sum of its terms.", True)
    return ScoreTable("term", heads, (*rows, total), True, caption)


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
