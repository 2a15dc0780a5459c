"""Think stage: woken, due or scheduled minds decide, a limited number a tick.

No mind is polled. A mind has a record only while it has something to keep. A soldier that walks to its
destination and arrives never needs one, since walking goes on in the columns. Woken minds are served in the order
of their ids. When there are more than the budget allows, they take turns (ai.core.scheduling) and the rest keep
their event bits.

Sources: AI Game Programming Wisdom 6.1 and 6.2 (periodic thinking under a budget), 6.6 (messages).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ai.core.scheduling.update_timeline import Part
from ai.decision.message_router import Message
from ai.decision.skills import MindState, MindTurn, begin_turn, hear, take, think
from game.minds.agent_view import AgentView
from game.minds.faulty_minds import set_aside
from game.minds.guard import guard
from game.minds.guard.companions import mind_each_other
from game.minds.guard.search.pursuit import follow_beliefs, watch_searches
from game.minds.mind import Mind
from game.minds.settings import settings_of
from game.minds.soldier import soldier
from game.minds.soldier.possession import skills_for
from game.systems.timeline_notes import note_units
from game.world.mind_kinds import minds_that
from game.world.orders import OrderKind
from game.world.rules.mind_settings import MindSettings
from game.world.units import Event, LabMark
from game.world.world import World

_SIGNALS = tuple(
    (int(bit), str(bit.name))
    for bit in (
        Event.ORDERED,
        Event.ARRIVED,
        Event.BLOCKED,
        Event.PATH_LOST,
        Event.NOTICED,
        Event.SAW,
        Event.LOST_SIGHT,
        Event.HIT,
        Event.KILLED_ENEMY,
    )
)
"""Event bits that machines get as messages, in this order; the others only wake."""

_ORDERED = int(Event.ORDERED)
_OF_A_WALK = int(Event.ARRIVED | Event.BLOCKED | Event.PATH_LOST)
_PLAIN = np.array([OrderKind.MOVE, OrderKind.MOVE_EACH], np.uint8)


MINDS: Mapping[str, Mind] = {mind.kind: mind for mind in (soldier.MIND, guard.MIND)}
"""Code of each kind of mind; game.world.mind_kinds lists their abilities."""


def mind_of(world: World, slot: int) -> Mind:
    """Return the mind of a unit's kind."""
    return MINDS[world.types[int(world.units.kind[slot])].mind]


def wake_minds(world: World) -> None:
    """Deliver messages, then let the woken minds decide."""
    settings = settings_of(world)
    u, n = world.units, world.units.count
    if not n:
        return
    if world.searches:
        watch_searches(world)
    if world.terrain is not None:
        mind_each_other(world)
    guards = minds_that(world.types, "patrols")[u.kind[:n]] & (u.alive[:n] == 1)
    minded = _bury(world)
    if world.tick <= 1:
        u.event[:n][guards & ~minded] |= np.uint32(Event.TIMER)
    _plain_walks(world, minded | guards)
    if world.router is not None:
        for unit in world.router.receivers(world.tick):
            if u.event[u.slot(unit)] & _ORDERED:
                _guarded(world, u.slot(unit), _serve, u.slot(unit))  # the order runs before older messages
        world.router.deliver(
            world.tick,
            lambda unit: bool(u.alive[u.slot(unit)]),
            lambda unit: world.minds[unit].scope if unit in world.minds else "",
            lambda message: _guarded(world, u.slot(message.receiver), _give, message),
        )
    chosen = _chosen(world, settings, guards)
    for unit in chosen:
        _guarded(world, u.slot(unit), _serve, u.slot(unit))
    if world.searches:
        follow_beliefs(world)
    note_units(world, Part.DECIDE, chosen)
    world.recording["minds_woken"] = len(chosen)


def _bury(world: World) -> np.ndarray:
    """Drop the minds of the dead; return bool[count] of units with a record."""
    u = world.units
    minded = np.zeros(u.count, bool)
    if world.minds:
        ids = np.fromiter(world.minds, np.int64, len(world.minds))
        slots = u.slot_of[ids]
        for unit in ids[u.alive[slots] == 0].tolist():
            del world.minds[unit]
        minded[slots] = True
    return minded


def _plain_walks(world: World, minded: np.ndarray) -> None:
    """Return soldiers on plain walks: the columns suffice, no mind is needed."""
    u, n = world.units, world.units.count
    plain = (u.event[:n] != 0) & ~minded & (u.lab[:n] & int(LabMark.FROZEN) == 0)
    if not plain.any():
        return
    plain &= u.event[:n] & ~np.uint32(Event.ORDERED | Event.ARRIVED) == 0
    plain &= np.isin(u.order[:n], _PLAIN)
    if not plain.any():
        return
    there = plain & (u.moving[:n] == 0) & (u.event[:n] & np.uint32(Event.ARRIVED) != 0)
    u.event[:n][plain] = 0
    slots = np.flatnonzero(there)
    u.order[slots] = OrderKind.NONE
    for unit in np.sort(u.id[slots]).tolist():
        world.happen("arrived", unit)


def _chosen(world: World, settings: MindSettings, guards: np.ndarray) -> list[int]:
    """Return ids of the minds that run in this tick, ascending."""
    u, n = world.units, world.units.count
    woken = np.sort(u.id[:n][(u.event[:n] != 0) & (u.alive[:n] == 1)])
    if len(woken) > settings.per_tick:
        world.turns.woken.batch = settings.per_tick
        woken = world.turns.woken.take(woken, world.tick)
    chosen = {int(unit) for unit in woken}
    ring = world.turns.minds
    ring.reaction, ring.most = settings.reaction, settings.per_tick
    if not settings.reaction or not ring.batch:
        ring.batch = settings.round_robin or int(settings.reaction > 0)
    for unit in ring.take(np.arange(u.next_id), world.tick).tolist():
        slot = u.slot(unit)
        if u.alive[slot] and (unit in world.minds or guards[slot]):
            chosen.add(unit)
    return sorted(chosen)


def _guarded(world: World, slot: int, act: Callable[..., None], given: Any) -> None:
    """Let a mind act; an error takes it out of play."""
    if int(world.units.id[slot]) in world.set_aside:
        world.units.event[slot] = 0
        return
    if world.units.lab[slot] & int(LabMark.FROZEN):
        return  # its events wait for it
    try:
        act(world, given)
    except Exception as error:
        set_aside(world, slot, error)


def _turn(world: World, slot: int, events: int) -> MindTurn[AgentView]:
    unit = int(world.units.id[slot])
    mind = world.minds.get(unit)
    if mind is None:
        mind = world.minds[unit] = MindState(beliefs=mind_of(world, slot).beliefs())
    body = AgentView(world, slot, events)
    owned = bool(world.units.lab[slot] & int(LabMark.OWNED))
    turn = begin_turn(
        skills_for(mind_of(world, slot).skills, owned), mind, body, unit, world.tick, world.trace, world.router
    )
    turn.preempts = body.settings.preempts
    return turn


def _give(world: World, message: Message) -> None:
    """Give a message to a mind: beliefs first, then the machine, in this tick."""
    slot = world.units.slot(message.receiver)
    turn = _turn(world, slot, 0)
    if message.sender != message.receiver:
        mind_of(world, slot).told(turn, message)
    hear(turn, message)
    world.units.event[slot] |= int(Event.MESSAGE)


def _serve(world: World, slot: int) -> None:
    """Update one mind."""
    u = world.units
    events = int(u.event[slot])
    u.event[slot] = 0
    if u.moving[slot]:
        events &= ~int(Event.ARRIVED)  # it arrived on a walk that another one has replaced
    if events & _ORDERED:
        events &= ~_OF_A_WALK  # these belong to the walk before the order
    turn = _turn(world, slot, events)
    kind = mind_of(world, slot)
    kind.note_percepts(turn)
    if turn.mind is not None and not turn.mind.skill:
        events &= ~_ORDERED  # a mind that just starts reads its order
    for bit, name in _SIGNALS:
        if events & bit:
            hear(turn, Message(name, turn.unit, turn.unit, turn.tick, turn.tick, -1))
    think(turn)
    if kind.moods:
        u.mood[slot] = kind.moods.get(turn.mind.skill if turn.mind is not None else "", 0)
    if kind.rests(turn):
        del world.minds[turn.unit]


def skills_of(world: World, slot: int) -> list[str]:
    """Return the names of the skills of a unit's own mind."""
    return [skill.name for skill in mind_of(world, slot).skills.skills]


def force_skill(world: World, slot: int, name: str) -> str:
    """Put a mind into a skill, valid or not; return why it cannot be.

    The answer is empty when it is done. The skill runs until it finishes or a higher one is valid.
    """
    if world.units.lab[slot] & int(LabMark.OWNED):
        return "a possessed unit has no skills of its own"
    known = skills_of(world, slot)
    if name not in known:
        return f"its mind has no skill {name!r}; it has {', '.join(known)}"
    _guarded(world, slot, _force, (slot, name))
    world.units.event[slot] |= int(Event.TIMER)
    return ""


def _force(world: World, given: tuple[int, str]) -> None:
    slot, name = given
    turn = _turn(world, slot, 0)
    take(turn, name, "Lab forced it")


TECHNIQUES = (
    {
        "slug": "event-messages",
        "name": "Body events as messages to the mind",
        "ids": ("JOGD-4.13",),
        "source": "Journal of Game Development 1(1), mesh movement: game object integration",
        "functions": ("wake_minds", "_serve"),
        "test": "tests/game/minds/soldier/test_soldier.py",
        "exhibit": "levels/exhibits/minds/canvass.interrupt.toml",
        "overlay": "minds",
        "reason": "Every mind runs on it, so no setting switches it off.",
        "claim": "Movement is clamped to tiles, not to a mesh; there is no event for a unit off the mesh.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
