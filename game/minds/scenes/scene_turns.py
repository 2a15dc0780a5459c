"""Turns of the zones: they cast units that are free, and play their scenes.

It runs after the minds of a tick. An actor that has turned to an enemy, a search or something that it noticed
interrupts the scene, and the whole cast is free in the same tick. One that has left for another reason, or has
fallen, leaves its seat to the next. Units are sought every half second, and cast minds are woken.

Source: Game AI Pro 2, ch. 11 (smart zones).
"""

from __future__ import annotations

from collections.abc import Set
from functools import partial

import numpy as np

from ai.decision.smart_zones.scene_casting import Candidates, Part, cast_scene, fill_seats
from ai.decision.smart_zones.scene_script import Category, SceneScript
from ai.decision.smart_zones.scene_timeline import Actor, advance, begin, behaviour_of, drop, end, join
from game.minds.agent_view import AgentView
from game.minds.guard.belief_records import beliefs_of
from game.minds.mind_turns import mind_of
from game.minds.scenes.scene_role import dice_of
from game.world.groups.scene_zones import Zone
from game.world.mind_kinds import minds_that
from game.world.orders import OrderKind
from game.world.places import Region
from game.world.rules.scene_settings import SceneSettings
from game.world.units import Event
from game.world.world import World

LOOK = 10
"""Ticks between two searches for units."""
JOIN_LIMIT = 60
"""Ticks within which a cast mind has to take its role."""
ALERT = ("fight", "search", "investigate")
"""Skills that interrupt the scene of an actor."""
FREE = ("", "round")
"""Skills of units that may be cast."""


def play_scenes(world: World) -> None:
    """Play the scenes of all zones for one tick."""
    settings: SceneSettings = world.settings.scenes
    for zone in world.scenes.zones:
        script = world.scenes.script(zone)
        if zone.state.running:
            if not settings.enabled:
                end_scene(world, zone, "scenes are switched off")
                continue
            _watch(world, zone, script, settings)
        if zone.state.running:
            _advance(world, zone, script, settings)
        if settings.enabled and world.tick >= zone.look:
            zone.look = world.tick + LOOK
            _seek(world, zone, script)


def _seek(world: World, zone: Zone, script: SceneScript) -> None:
    """Cast an idle scene if its trigger holds.

    Free seats of a running scene go to units in the zone.
    """
    state = zone.state
    open_seats = sum(len(role.seats) for role in script.roles) - len(state.cast)
    if state.running and not open_seats:
        return
    found = candidates(world, zone, script, -1.0 if state.running else zone.reach)
    dice = partial(dice_of, world)
    if state.running:
        taken = [(a.role, a.seat, a.unit) for a in state.cast]
        parts = fill_seats(script.roles, found, -1.0, taken)
        if parts:
            join(script, state, parts, world.tick, dice)
    else:
        if not script.trigger.holds(world.tick, state.started, state.ended, found.present()):
            return
        parts = cast_scene(script.roles, found, zone.reach)
        if parts is not None:
            begin(script, state, parts, world.tick, dice)
            world.happen("scene", parts[0][2], text=f"{script.title} begins")
    _wake(world, [unit for _, _, unit in parts or []])


def candidates(
    world: World, zone: Zone, script: SceneScript, reach: float, lesser: Set[int] = frozenset()
) -> Candidates:
    """Return the units that are free for a scene.

    They are in the zone or within ``reach`` tiles of its middle. ``lesser`` are actors that may change to another role.
    """
    u = world.units
    slots = u.living()
    slots = slots[(u.asleep[slots] == 0) & (u.order[slots] == OrderKind.NONE)]
    slots = slots[minds_that(world.types, "patrols")[u.kind[slots]]]
    far = np.hypot(u.x[slots] - zone.x, u.y[slots] - zone.y)
    extent = max(np.hypot(px - zone.x, py - zone.y) for px, py in zone.points)
    near = far <= max(extent, reach)
    slots, far = slots[near], far[near]
    ids = u.id[slots].tolist()
    free = [k for k, unit in enumerate(ids) if unit in lesser or _free(world, zone, unit)]
    slots, far = slots[free], far[free]
    outline = Region(zone.name, zone.points)
    inside = np.array([outline.contains(float(u.x[s]), float(u.y[s])) for s in slots.tolist()], bool)
    kinds = [world.types[int(u.kind[s])].name for s in slots.tolist()]
    fits = np.array([[not r.kinds or kind in r.kinds for r in script.roles] for kind in kinds], bool)
    return Candidates(u.id[slots].astype(np.int64), far, inside, fits.reshape(len(slots), len(script.roles)))


def _free(world: World, zone: Zone, unit: int) -> bool:
    """Return whether a unit on its routine may take part here."""
    mind = world.minds.get(unit)
    if mind is None or mind.skill not in FREE or world.scenes.role_of(unit) is not None:
        return False
    return not zone.cast or world.names.get(unit, "") in zone.cast or world.routes_of.get(unit, "") in zone.cast


def _watch(world: World, zone: Zone, script: SceneScript, settings: SceneSettings) -> None:
    """End the scene for an alert actor; cast anew after one that has left."""
    u, state = world.units, zone.state
    gone: list[tuple[Actor, str]] = []
    for actor in state.cast:
        slot = u.slot(actor.unit)
        mind = world.minds.get(actor.unit)
        skill = mind.skill if mind is not None else ""
        if u.alive[slot] and skill in ALERT:
            end_scene(world, zone, f"{world.name_of(actor.unit)}: {_reason(world, slot, skill)}")
            return
        if not u.alive[slot]:
            gone.append((actor, "has fallen"))
        elif skill != "scene" and (actor.joined or skill not in FREE or world.tick - actor.cast_at > JOIN_LIMIT):
            gone.append((actor, "was called away" if skill == "obey" else "has left"))
    for actor, why in gone:
        drop(state, actor.unit)
        state.note(world.tick, f"{world.name_of(actor.unit)} {why}")
    mains = sum(len(role.seats) for role in script.roles if role.category == Category.MAIN)
    held = [a for a in state.cast if script.roles[a.role].category == Category.MAIN]
    if len(held) < mains:
        parts = _recast(world, zone, script, held) if settings.recasts else None
        if parts is None:
            who = next((f"{world.name_of(a.unit)} {why}" for a, why in gone), "a main role is vacant")
            end_scene(world, zone, f"{who}, and nobody takes its place")
            return
        for role, _, unit in parts:
            drop(state, unit)
            state.note(world.tick, f"{world.name_of(unit)} becomes {script.roles[role].name}")
        join(script, state, parts, world.tick, partial(dice_of, world))
        _wake(world, [unit for _, _, unit in parts])


def _recast(world: World, zone: Zone, script: SceneScript, held: list[Actor]) -> list[Part] | None:
    """Return parts for the vacant main seats, by units in the zone, or None.

    Actors of lesser roles may move up.
    """
    lesser = {a.unit for a in zone.state.cast if a not in held}
    found = candidates(world, zone, script, -1.0, lesser)
    parts = fill_seats(script.roles, found, -1.0, [(a.role, a.seat, a.unit) for a in held])
    return None if parts is None else [p for p in parts if script.roles[p[0]].category == Category.MAIN]


def _advance(world: World, zone: Zone, script: SceneScript, settings: SceneSettings) -> None:
    """Advance the timeline.

    A behaviour that takes over a duty does so at its end.
    """
    state = zone.state
    for actor in state.cast:
        behaviour = behaviour_of(script, actor)
        at_end = actor.since >= 0 and world.tick >= actor.until and not actor.done
        if behaviour is not None and behaviour.takes_over and at_end:
            _take_over(world, zone, script, actor, behaviour.takes_over)
    cast = [a.unit for a in state.cast]
    cued = advance(script, state, world.tick, partial(dice_of, world), settings.sync)
    _wake(world, cued)
    if not state.running:
        world.happen("scene", cast[0] if cast else -1, text=f"{script.title} ends: {state.why}")


def end_scene(world: World, zone: Zone, why: str) -> None:
    """End a scene before its time, and wake its cast."""
    freed = end(zone.state, world.tick, why)
    _wake(world, freed)
    world.happen("scene", freed[0] if freed else -1, text=f"{world.scenes.script(zone).title} ends: {why}")


def _take_over(world: World, zone: Zone, script: SceneScript, actor: Actor, role: str) -> None:
    """Exchange post and route between an actor and the first actor of a role."""
    other = next((a for a in zone.state.cast if script.roles[a.role].name == role), None)
    if other is None or other.unit == actor.unit:
        return
    one, two = beliefs_of(world, actor.unit), beliefs_of(world, other.unit)
    one.patrol, two.patrol = two.patrol, one.patrol
    routes = world.routes_of
    mine, theirs = routes.pop(actor.unit, ""), routes.pop(other.unit, "")
    for unit, route in ((actor.unit, theirs), (other.unit, mine)):
        if route:
            routes[unit] = route
    world.happen("relieved", actor.unit, other.unit)


def _reason(world: World, slot: int, skill: str) -> str:
    """Return why an actor turned to another skill."""
    why = mind_of(world, slot).skills.skill(skill).why
    return (why(AgentView(world, slot, 0))[0] if why is not None else "") or f"it is {skill}ing"


def _wake(world: World, ids: list[int]) -> None:
    """Wake minds for the next tick."""
    for unit in ids:
        world.units.event[world.units.slot(unit)] |= np.uint32(Event.TIMER)
