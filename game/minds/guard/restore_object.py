"""Restore object: a guard shuts an opened door and relights a dead lamp.

It does so after it has investigated the change. Source: Martin Walsh, Game AI Pro 2, ch. 28, 28.3.2 (changed
objects: noticed, investigated; then the guard's knowledge is updated). Putting the object back is ours.
"""

from __future__ import annotations

import numpy as np

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn
from ai.perception.sight.line_of_sight import line_clear
from game.minds.agent_view import AgentView
from game.systems.interaction.hand_work import can_reach, why_not
from game.world.places import Door, LightSource
from game.world.units import Act, Pace

Guard = MindTurn[AgentView]

LEG_LIMIT = 120
"""Ticks for the last steps to the thing."""


def thing_of(me: AgentView, number: int) -> Door | LightSource | None:
    """Return the door or lamp with an id."""
    found: Door | LightSource | None = me.world.door(number) or me.world.lamp(number)
    return found


def wants(turn: Guard) -> bool:
    """Return true for a visible open door or dark lamp that it can restore."""
    me = turn.host
    thing = thing_of(me, turn.beliefs.investigation.thing)
    if thing is None or not me.settings.mends or not _in_view(me, thing) or why_not(me.world, me.slot, thing):
        return False
    if me.barred(Act.USE, thing.id):
        return False
    if isinstance(thing, Door):
        return thing.open and stand_for(turn, thing) is not None
    return not thing.on


def _in_view(me: AgentView, thing: Door | LightSource) -> bool:
    """Return true if a line leads there from the last look-around position.

    Only eyes show the state of the thing.
    """
    x, y = thing.centre
    return bool(line_clear(me.world.terrain.opaque, int(me.y), int(me.x), int(y), int(x)))


def stand_for(turn: Guard, door: Door) -> tuple[float, float] | None:
    """Return the nearest tile beside a door with a path home when shut.

    None without one.
    """
    from scipy.ndimage import label

    me = turn.host
    passable = me.world.terrain.passable >> int(me.units.movement_class[me.slot]) & 1
    passable[door.y0 : door.y1, door.x0 : door.x1] = 0
    home = turn.beliefs.patrol.post or (me.x, me.y)
    parts, _ = label(passable)
    part = parts[int(home[1]), int(home[0])]
    beside = [(y, x) for y in range(door.y0, door.y1) for x in (door.x0 - 1, door.x1)]
    beside += [(y, x) for x in range(door.x0, door.x1) for y in (door.y0 - 1, door.y1)]
    height, width = parts.shape
    fit = [(y, x) for y, x in beside if 0 <= y < height and 0 <= x < width and part and parts[y, x] == part]
    if not fit:
        return None
    best = min(fit, key=lambda t: (me.distance(t[1] + 0.5, t[0] + 0.5), t))
    return best[1] + 0.5, best[0] + 0.5


def enter(turn: Guard) -> None:
    """Go to a place where the guard can reach the object."""
    me = turn.host
    thing = thing_of(me, turn.beliefs.investigation.thing)
    assert thing is not None
    me.bark("left_open" if isinstance(thing, Door) else "put_out")
    at = stand_for(turn, thing) if isinstance(thing, Door) else None
    if at is None:
        at = _near(me, thing)
    turn.push("go", x=at[0], y=at[1], pace=int(Pace.WALK), limit=LEG_LIMIT)


def _near(me: AgentView, thing: Door | LightSource) -> tuple[float, float]:
    """Return the object's place, or the nearest walkable tile around it."""
    x, y = thing.centre
    if me.walkable(x, y):
        return x, y
    around = [(x + dx, y + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    fit = [p for p in around if me.walkable(*p)]
    return min(fit, key=lambda p: (me.distance(*p), p)) if fit else (me.x, me.y)


def there(turn: Guard, message: Message) -> None:
    """Begin to restore the object."""
    me = turn.host
    thing = thing_of(me, turn.beliefs.investigation.thing)
    still = thing is not None and (thing.open if isinstance(thing, Door) else not thing.on)
    if thing is None or not still or not can_reach(me.world, me.slot, thing):
        turn.remind("RESTORED", 1)
        return
    x, y = thing.centre
    me.turn(float(np.arctan2(y - me.y, x - me.x)))
    me.use(thing.id)
    turn.remind("RESTORED", me.use_ticks + 2)


TECHNIQUES = (
    {
        "slug": "changed-objects",
        "name": "Detection and repair of changed objects",
        "ids": ("GP2-28.9",),
        "source": "Game AI Pro 2, ch. 28",
        "functions": ("wants", "enter"),
        "test": "tests/game/minds/guard/test_restore_object.py",
        "exhibit": "levels/exhibits/minds/lamp_put_out.toml",
        "overlay": "minds",
        "setting": "minds.mends",
        "measure": "events",
        "direction": "up",
        "claim": (
            "Doors and lamps, seen and claimed by one guard; windows are left out. The switch is the repair "
            "alone: a guard also puts the thing back, which the source does not say."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
