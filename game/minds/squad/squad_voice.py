"""Squad voice: events of a squad become dialogues and rows of its log.

Source: Jeff Orkin, Game AI Pro 2, ch. 2 (dialogues, callouts by named regions, explained inaction). A callout names the
last known place of an enemy, never its true one. A region whose name begins with "the" can be named.
"""

from __future__ import annotations

import math

from ai.decision.dialogues import next_line, start
from game.minds.squad.squad_commands import report
from game.world.groups.dialogue_table import dialogue_table
from game.world.groups.squads import KnownEnemy, Squad
from game.world.places import Region
from game.world.world import World

TALK = 12.0
"""Tiles within which members talk to each other."""
HURT = 0.5
"""Share of its health below which a member says that it is hurt."""
LOST = 60
"""Ticks without a sighting after which an enemy is lost."""
SILENT = 60
"""Ticks without a clear line after which a member explains itself."""
BEARINGS = "east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east"


def converse(world: World, squad: Squad) -> None:
    """Say the line that is due, and begin a dialogue about what happened since."""
    if not world.settings.tactics.squad_talk:
        return
    u = world.units
    alive = {unit for unit in squad.members if u.alive[u.slot(unit)]}
    for event, unit, facts, words in _events(world, squad, alive):
        begun = _begin(world, squad, alive, event, unit, facts, words)
        if begun:
            report(world, squad, squad.talk.speakers[0], LOG[event].format(words=words))
    line = next_line(squad.talk, alive, world.tick)
    if line is not None:
        words = f"|{squad.talk.words}" if squad.talk.words else ""
        world.happen("bark", line[0], text=line[1] + words)


LOG = {
    "hit": "one is hit", "down": "one is down", "contact": "enemy {words}", "lost": "lost the enemy, last seen {words}",
    "no_line": "one has no line of fire", "refused": "cannot: {words}",
}  # fmt: skip
"""Words of the squad's log for each event."""


def place_words(world: World, x: float, y: float, seen_from: tuple[float, float]) -> str:
    """Return words for a place: its innermost named region, else its bearing."""
    named = [r for r in world.regions if r.name.startswith("the ") and r.contains(x, y)]
    if named:
        return f"by {min(named, key=lambda r: (_size(r), r.name)).name}"
    angle = math.atan2(y - seen_from[1], x - seen_from[0])
    return f"to the {BEARINGS[round(angle / (math.pi / 4)) % 8]}"


def _size(region: Region) -> float:
    """Return the area of a polygon in square tiles."""
    p = region.points
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(p, (*p[1:], p[0]), strict=True))) / 2


def _begin(
    world: World, squad: Squad, alive: set[int], event: str, unit: int, facts: frozenset[str], words: str
) -> str:
    """Begin a dialogue about an event with the members in talking distance."""
    u = world.units
    slot = u.slot(unit)

    def far(one: int) -> float:
        k = u.slot(one)
        return math.hypot(u.x[k] - u.x[slot], u.y[k] - u.y[slot])

    near = sorted((one for one in alive if far(one) <= TALK), key=lambda one: (far(one), one))
    leader = next(one for one in squad.members if one in alive)
    return start(squad.talk, dialogue_table(), event, facts, (unit, leader, near), world.tick, words)


def _events(world: World, squad: Squad, alive: set[int]) -> list[tuple[str, int, frozenset[str], str]]:
    """Return events since the last thought, the most urgent first: event, unit, facts, words."""
    u, heard = world.units, squad.heard
    found: list[tuple[str, int, frozenset[str], str]] = []
    for unit in squad.members:
        slot = u.slot(unit)
        hp, before = int(u.hp[slot]), heard.hp.get(unit, int(u.hp[slot]))
        heard.hp[unit] = hp
        if hp <= 0 < before:
            found.insert(0, ("down", unit, frozenset(), ""))
        elif hp < before:
            found.append(("hit", unit, frozenset(("hurt" if hp < HURT * u.hp_max[slot] else "fine",)), ""))
    for enemy in [squad.enemies[k] for k in sorted(squad.enemies)]:
        if enemy.tick >= heard.thought and enemy.unit not in heard.told:
            found.append(("contact", *_callout(world, alive, enemy)))
            heard.told.append(enemy.unit)
        elif enemy.unit in heard.told and world.tick - enemy.tick >= LOST:
            found.append(("lost", *_callout(world, alive, enemy)))
            heard.told.remove(enemy.unit)
    for unit in sorted(alive):
        slot = u.slot(unit)
        blocked = u.blocked_by[slot] >= 0 and u.target[slot] >= 0 and unit not in world.tactics.asides
        since = heard.silent.setdefault(unit, world.tick) if blocked else heard.silent.pop(unit, -1)
        if blocked and world.tick - since >= SILENT:
            found.append(("no_line", unit, frozenset(), ""))
            heard.silent[unit] = world.tick
    if heard.refused:
        found.append(("refused", min(alive, key=squad.members.index), frozenset(), heard.refused))
        heard.refused = ""
    heard.thought = world.tick
    return found


def _callout(world: World, alive: set[int], enemy: KnownEnemy) -> tuple[int, frozenset[str], str]:
    """Return the member nearest to an enemy's known place, and words for that place."""
    u = world.units

    def far(one: int) -> float:
        k = u.slot(one)
        return math.hypot(u.x[k] - enemy.x, u.y[k] - enemy.y)

    unit = min(alive, key=lambda one: (far(one), one))
    slot = u.slot(unit)
    return unit, frozenset(), place_words(world, enemy.x, enemy.y, (float(u.x[slot]), float(u.y[slot])))
