"""Mission rules: triggers fire, objectives are reached, the mission ends."""

from __future__ import annotations

from game.minds.alarm import ALARM, reaction
from game.systems.interaction.doors import set_door
from game.systems.interaction.traps import REARMED, spring
from game.world.mission_state import Objective, Trigger
from game.world.orders import Order, OrderKind
from game.world.units import Event
from game.world.world import World


def advance_mission(world: World) -> None:
    """Look at this tick's happenings, then at the objectives."""
    mission = world.mission
    for event in list(world.events):
        if event.kind == "alarm":
            mission.alarms += 1
        elif event.kind == "identified" and _side(world, event.other) == 0:
            mission.identified += 1
        elif event.kind == "killed" and _side(world, event.unit) == 0:
            mission.losses += 1
    for trigger in mission.triggers:
        _advance_trigger(world, trigger)
    if mission.status == "running":
        _judge(world)


def _side(world: World, unit: int) -> int:
    return int(world.units.side[world.units.slot(unit)]) if unit >= 0 else -1


def _advance_trigger(world: World, trigger: Trigger) -> None:
    rearms = trigger.does == "spring" and 0 <= trigger.since > world.tick - REARMED
    if trigger.due < 0 and not rearms and not (trigger.fired and trigger.once) and _happened(world, trigger):
        trigger.due = world.tick + trigger.delay
        trigger.fired = True
    if 0 <= trigger.due <= world.tick:
        trigger.due = -1
        _fire(world, trigger)


def _happened(world: World, trigger: Trigger) -> bool:
    if trigger.on == "start":
        return world.tick == 1
    if trigger.on == "alarm":
        cry = next((e for e in world.events if e.kind == "alarm"), None)
        if cry is not None:
            trigger.cried_by, trigger.since = cry.unit, cry.tick
            trigger.x, trigger.y = cry.x, cry.y
        return cry is not None
    if trigger.on in ("lifted", "used"):
        return any(e.kind == trigger.on and e.text == trigger.source for e in world.events)
    if trigger.on == "entered":
        region = world.region(trigger.source)
        u = world.units
        # A trap catches units of all sides; other triggers wait for the player's units.
        who = u.living() if trigger.does == "spring" else u.living(0)
        return region is not None and any(region.contains(float(u.x[s]), float(u.y[s])) for s in who)
    return False


def _fire(world: World, trigger: Trigger) -> None:
    if trigger.does in ("wake", "rouse"):
        meant = [unit for unit, route in world.routes_of.items() if route == trigger.target]
        meant += [unit for unit, name in world.names.items() if name == trigger.target and unit not in meant]
        for unit in sorted(meant):
            _wake(world, unit)
            if trigger.does == "rouse":
                _tell(world, unit, trigger)
    elif trigger.does in ("open", "shut"):
        door = world.door(trigger.target)
        if door is not None and not set_door(world, door, trigger.does == "open"):
            trigger.due = world.tick + 1  # a unit stands in it: try again
    elif trigger.does == "command":
        _command(world, trigger)
    elif trigger.does == "spring":
        trigger.since = world.tick
        spring(world, trigger.source)
    if trigger.text:
        world.happen("say", text=trigger.text)


def _command(world: World, trigger: Trigger) -> None:
    """Order the units of a side to hold or take regions under a commander."""
    regions = [world.region(name.strip()) for name in trigger.target.split(",")]
    points = tuple(value for region in regions if region is not None for value in region.centre)
    units = tuple(int(unit) for unit in world.units.id[world.units.living(trigger.side)])
    world.pending.append(Order(int(OrderKind.COMMAND), trigger.side, units, name=trigger.intent, points=points))


def _wake(world: World, unit: int) -> None:
    slot = world.units.slot(unit)
    if world.units.alive[slot] and world.units.asleep[slot]:
        world.units.asleep[slot] = 0
        world.units.event[slot] |= int(Event.MESSAGE)
        world.happen("woken", unit)


def _tell(world: World, unit: int, trigger: Trigger) -> None:
    """Send a woken unit the place of the alarm.

    A distant sleeper learns neither of the enemy nor of its position.
    """
    if world.router is not None and world.units.alive[world.units.slot(unit)]:
        data: dict[str, float | int | str] = {"x": trigger.x, "y": trigger.y, "who": -1, "since": trigger.since}
        world.router.send(ALARM, trigger.cried_by, unit, world.tick, reaction(world, unit), data=data)


def _judge(world: World) -> None:
    mission = world.mission
    for objective in mission.objectives:
        if not objective.done and _reached(world, objective):
            objective.done = True
            objective.done_tick = world.tick
            world.happen("objective", text=objective.text)
        elif not objective.done and not objective.optional:
            break  # required ones are reached in their order
    if all(o.done for o in mission.objectives if not o.optional):
        _end(world, "won", "every objective is reached")
    elif not len(world.units.living(0)):
        _end(world, "lost", "no unit is left")


def _end(world: World, status: str, reason: str) -> None:
    world.mission.status = status
    world.mission.reason = reason
    world.mission.ended = world.tick
    world.happen(status, text=reason)


def _reached(world: World, objective: Objective) -> bool:
    u = world.units
    if objective.kind in ("take", "bring"):
        prop = world.prop(objective.target)
        if prop is None or prop.carrier < 0 or _side(world, prop.carrier) != 0:
            return False
        region = world.region(objective.region)
        return objective.kind == "take" or (region is not None and region.contains(prop.x, prop.y))
    if objective.kind == "use":
        prop = world.prop(objective.target)
        return prop is not None and prop.used > 0
    region = world.region(objective.region)
    if objective.kind == "reach":
        return region is not None and any(region.contains(float(u.x[s]), float(u.y[s])) for s in u.living(0))
    foes = [s for s in u.living() if u.side[s] != 0]
    held = region is not None and any(region.contains(float(u.x[s]), float(u.y[s])) for s in u.living(0))
    if objective.kind == "hold" and not held:
        return False
    return not any(region is None or region.contains(float(u.x[s]), float(u.y[s])) for s in foes)
