"""Inspector texts: one plain sentence per unit and tick, and the table below."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from ai.decision.decision_trace import TICKS_PER_SECOND, TRANSITION, sentence
from game.minds.agent_view import SIDE_WORDS
from game.world.orders import OrderKind
from game.world.units import Stance
from game.world.world import World


def sentence_of(world: World, unit: int) -> str:
    """Return a sentence: action, reason, start, and the alternative.

    KeyError for an unknown id.
    """
    u = world.units
    slot = u.slot(unit)
    who = world.name_of(unit)
    if not u.alive[slot]:
        killer = world.last_hit_by.get(unit, -1)
        return f"{who} lies dead" + (f": {_colour(world, killer)} {killer} shot it." if killer >= 0 else ".")
    if unit in world.minds and world.trace is not None:
        last = world.trace.last(unit, 1, (TRANSITION,))
        if last:
            return sentence(who, last[0], world.tick)
    return f"{who} {_from_columns(world, slot)}."


def state_words(name: str) -> str:
    """Return the name of a state as words: FallBack becomes "fall back"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def _colour(world: World, unit: int) -> str:
    return SIDE_WORDS[int(world.units.side[world.units.slot(unit)])]


def _from_columns(world: World, slot: int) -> str:
    """Describe a unit that needs no mind."""
    u = world.units
    if u.asleep[slot]:
        return "sleeps"
    if u.moving[slot]:
        place = f"({u.goal_x[slot]:.0f}, {u.goal_y[slot]:.0f})"
        why = ": it was ordered to" if u.order[slot] != OrderKind.NONE else ""
        held = f", held up for {u.stuck[slot] / TICKS_PER_SECOND:.1f} s" if u.stuck[slot] > TICKS_PER_SECOND else ""
        return f"walks to {place}{why}{held}"
    return ("stands", "crouches", "lies")[int(u.stance[slot]) if u.stance[slot] < len(Stance) else 0] + " and waits"


def _beliefs(beliefs: Any, path: str = "") -> list[tuple[str, str]]:
    """Return rows (name, value) of belief fields that differ from the default."""
    rows: list[tuple[str, str]] = []
    if beliefs is None:
        return rows
    fresh = type(beliefs)()
    for f in fields(beliefs):
        value, name = getattr(beliefs, f.name), f"{path} {f.name.replace('_', ' ')}".strip()
        if is_dataclass(value):
            rows += _beliefs(value, name)
        elif value != getattr(fresh, f.name):
            rows.append((f"belief: {name}", f"{value:.1f}" if isinstance(value, float) else str(value)))
    return rows


def table_of(world: World, unit: int) -> list[tuple[str, str]]:
    """Return rows (name, value) about a unit's mind; KeyError for an unknown id."""
    u = world.units
    slot = u.slot(unit)
    rows = [
        ("order", OrderKind(int(u.order[slot])).name.lower()),
        ("queued orders", str(len(world.queues.get(unit, [])))),
        ("health", f"{u.hp[slot]} of {u.hp_max[slot]}"),
    ]
    target = int(u.meter_target[slot])
    if target >= 0:
        age = max(0, world.tick - int(u.seen_tick[slot])) / TICKS_PER_SECOND
        rows.append(("eyes", f"{_colour(world, target)} {target}, meter {u.meter[slot]:.2f}, seen {age:.1f} s ago"))
    part = world.scenes.role_of(unit)
    if part is not None:
        zone, actor = part
        script = world.scenes.script(zone)
        column = script.columns[actor.column].name if actor.column >= 0 else "its end"
        words = f"{script.title}: {script.roles[actor.role].name}, {world.scenes.words_of(zone, actor)}"
        rows.append(("scene", f"{words} (column {column})"))
    mind = world.minds.get(unit)
    if mind is None:
        rows.append(("mind", "at rest"))
    else:
        entered = (world.tick - mind.machine.entered) / TICKS_PER_SECOND
        rows.append(("skill", mind.skill))
        rows.append(("state", f"{state_words(mind.machine.state)} for {entered:.1f} s"))
        if mind.stack:
            rows.append(("doing", " on ".join(b.name for b in reversed(mind.stack))))
        rows += _beliefs(mind.beliefs)
    if world.router is not None:
        for message in world.router.pending(unit):
            rows.append(("due", f"{message.name} in {(message.due - world.tick) / TICKS_PER_SECOND:.1f} s"))
    return rows
