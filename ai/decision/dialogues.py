"""Squad dialogues: two or three lines by members of a squad about an event.

Source: Jeff Orkin, Game AI Pro 2, ch. 2 (a dialogue has a trigger, a criterion, and roles for members near; the first
speaker is usually not the unit that the event befell). Cooldowns and the abort on a death are ours. Units are ids,
times are ticks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from ai.core.serialization import record

ROLES = ("unit", "leader", "mate", "other")
"""Speakers: unit of the event, leader, nearest mate, and a further one."""


@dataclass(frozen=True)
class Dialogue:
    """Dialogue of a table: lines are (role, bark), conditions are facts of the event."""

    name: str
    event: str
    lines: tuple[tuple[str, str], ...]
    when: frozenset[str] = frozenset()
    cooldown: int = 200
    gap: int = 30
    """Ticks from one line to the next."""


@record
class Talk:
    """Running dialogue of a squad, and the ticks until which others stay silent."""

    name: str = ""
    says: list[str] = field(default_factory=list)
    speakers: list[int] = field(default_factory=list)
    due: int = 0
    gap: int = 0
    words: str = ""
    quiet: dict[str, int] = field(default_factory=dict)


def bind(lines: Sequence[tuple[str, str]], unit: int, leader: int, near: Iterable[int]) -> list[int] | None:
    """Return the speaker of each line, or None if a role has none.

    ``near`` are living members in talking distance, the nearest first. One unit takes one role.
    """
    able = list(near)
    bound: dict[str, int] = {}
    for role, _ in lines:
        if role in bound:
            continue
        left = [one for one in able if one not in bound.values()]
        if role == "unit":
            found = unit if unit in left else -1
        elif role == "leader":
            found = leader if leader in left else -1
        else:
            found = next((one for one in left if one != unit), -1)
        if found < 0:
            return None
        bound[role] = found
    return [bound[role] for role, _ in lines]


def start(
    talk: Talk, table: Mapping[str, Dialogue], event: str, facts: AbstractSet[str],
    cast: tuple[int, int, Sequence[int]], tick: int, words: str = "",
) -> str:  # fmt: skip
    """Begin the first dialogue that fits an event; return its name or "".

    ``cast`` is the unit of the event, the leader and the members near. ``words`` fill the lines.
    """
    if talk.says:
        return ""
    for name, one in table.items():
        if one.event != event or not one.when <= facts or tick < talk.quiet.get(name, tick):
            continue
        speakers = bind(one.lines, *cast)
        if speakers is not None:
            talk.name, talk.says, talk.speakers = name, [bark for _, bark in one.lines], speakers
            talk.due, talk.gap, talk.words = tick, one.gap, words
            talk.quiet[name] = tick + one.cooldown
            return name
    return ""


def next_line(talk: Talk, alive: AbstractSet[int], tick: int) -> tuple[int, str] | None:
    """Return speaker and bark of a due line; a dead speaker ends the dialogue."""
    if not talk.says or tick < talk.due:
        return None
    speaker, bark = talk.speakers[0], talk.says[0]
    if speaker not in alive:
        talk.says, talk.speakers = [], []
        return None
    talk.says, talk.speakers = talk.says[1:], talk.speakers[1:]
    talk.due = tick + talk.gap
    return speaker, bark


TECHNIQUES = (
    {
        "slug": "squad-dialogue",
        "name": "Squad dialogues with callouts by region",
        "ids": ("GP2-2.1", "GP2-2.2", "GP2-2.3"),
        "source": "Game AI Pro 2, ch. 2",
        "functions": ("bind", "start", "next_line"),
        "test": "tests/game/minds/squad/test_squad_voice.py",
        "exhibit": "levels/exhibits/squads/firing_line.talk.toml",
        "overlay": "minds",
        "setting": "tactics.squad_talk",
        "measure": "events",
        "direction": "up",
        "claim": (
            "For hits, losses, contact, lost sight, a blocked line of fire and refusal; too few speakers mean "
            "silence. A unit that finds no cover under fire does not say so."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
