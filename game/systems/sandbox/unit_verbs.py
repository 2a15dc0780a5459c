"""Debug verbs of Lab on units, such as freeze, blind, copy and kill.

Each verb is one row of VERBS and one recorded order for any units of any side, so a replay and a branch have the same
ones. Marks that last stand in the column ``lab``; the stages read it.

Source: AI Game Programming Wisdom, 2.1 (Paul Tozour: AI command toolset).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

import numpy as np

from ai.paths.requests.goal_resolution import spread_goals
from game.level.model import SIDES
from game.systems.groups.membership import leave_groups
from game.systems.interaction.bodies import kill
from game.systems.interaction.hand_work import drop
from game.world.mind_kinds import mind_can
from game.world.orders import Order, OrderKind
from game.world.places import Route
from game.world.units import Event, LabMark
from game.world.world import World

Change = Callable[[World, np.ndarray, Order], None]
GONE = 2
"""Value of ``hidden`` of a deleted unit, which leaves no body."""
TARGET_REACH = 1.5
"""Tiles from the place of *target* at which the enemy stands."""
MOST_UNITS = 2000
"""Living units that a map may have after a copy or a placing."""


@dataclass(frozen=True)
class Verb:
    """Verb: its change of living units, or the mark that it switches.

    ``words`` with a mark are those of the mark.
    """

    words: str
    change: Change | None = None
    mark: LabMark | None = None


def set_mark(world: World, slots: np.ndarray, mark: LabMark, on: bool) -> None:
    """Switch a mark of Lab on units."""
    u = world.units
    u.lab[slots] = (u.lab[slots] | int(mark)) if on else (u.lab[slots] & ~np.uint8(int(mark)))
    if mark == LabMark.FROZEN:
        _hold_still(world, slots, on)
    if on and mark in (LabMark.FROZEN, LabMark.BLIND):
        forget_targets(world, slots)
    if on and mark == LabMark.UNSEEN:
        ids = u.id[slots]
        forget_targets(world, np.flatnonzero(np.isin(u.meter_target[: u.count], ids)))


def _hold_still(world: World, slots: np.ndarray, on: bool) -> None:
    """Stop frozen units where they are; thawed ones walk on along the same path."""
    u = world.units
    walked = np.uint8(int(LabMark.WALKED))
    if on:
        leave_groups(world, slots)
        u.lab[slots[u.moving[slots] == 1]] |= walked
        u.moving[slots] = 0
        u.vx[slots] = u.vy[slots] = 0.0
    else:
        u.moving[slots[u.lab[slots] & walked != 0]] = 1
        u.lab[slots] &= ~walked
        u.event[slots] |= int(Event.TIMER)


def forget_targets(world: World, slots: np.ndarray) -> None:
    """Empty the meters and the aim of units."""
    u = world.units
    u.meter[slots] = 0.0
    u.meter_target[slots] = -1
    u.seen_tick[slots] = -1
    u.target[slots] = -1
    if len(world.vision.progress) >= u.count:
        world.vision.progress[slots] = 0.0
        world.vision.others[slots] = -1


def forget(world: World, slots: np.ndarray, order: Order) -> None:
    """Drop all that units know and intend; their minds begin anew."""
    u = world.units
    forget_targets(world, slots)
    u.mood[slots] = 0
    u.order[slots] = OrderKind.NONE
    u.event[slots] |= int(Event.TIMER)
    for unit in u.id[slots].tolist():
        world.minds.pop(unit, None)
        world.queues.pop(unit, None)


def heal(world: World, slots: np.ndarray, order: Order) -> None:
    """Make units whole and calm."""
    u = world.units
    u.hp[slots] = u.hp_max[slots]
    u.suppressed[slots] = 0.0


def strike_down(world: World, slots: np.ndarray, order: Order) -> None:
    """Kill units."""
    for slot in slots.tolist():
        kill(world, slot)
        world.happen("killed", int(world.units.id[slot]))


def delete(world: World, slots: np.ndarray, order: Order) -> None:
    """Take units away; no body is left, and no comrade finds one."""
    u = world.units
    for slot in slots.tolist():
        kill(world, slot)
        unit = int(u.id[slot])
        u.hidden[slot] = GONE
        world.stimuli.items[:] = [s for s in world.stimuli.items if s.thing != unit and s.source != unit]
        world.lights[:] = [s for s in world.lights if s.carrier != unit]


def places_near(world: World, x: float, y: float, count: int) -> np.ndarray:
    """Return the nearest walkable tiles, int[n, 2] of row and column.

    There are at most ``count``.
    """
    world.components.update(world.terrain)
    row = min(max(math.floor(y), 0), world.terrain.height - 1)
    column = min(max(math.floor(x), 0), world.terrain.width - 1)
    return spread_goals(world.terrain, world.components, 0, (row, column), count)


def put_at(world: World, slot: int, x: float, y: float) -> None:
    """Put a unit at a place without a walk; its orders and paths end."""
    u = world.units
    u.x[slot] = u.prev_x[slot] = u.goal_x[slot] = x
    u.y[slot] = u.prev_y[slot] = u.goal_y[slot] = y
    u.vx[slot] = u.vy[slot] = 0.0
    u.moving[slot] = u.path_request[slot] = u.stuck[slot] = 0
    u.lab[slot] &= ~np.uint8(int(LabMark.WALKED))
    u.order[slot] = OrderKind.NONE
    u.event[slot] |= int(Event.TIMER)
    world.queues.pop(int(u.id[slot]), None)
    world.paths_to_cancel.append(int(u.id[slot]))


def teleport(world: World, slots: np.ndarray, order: Order) -> None:
    """Put units on tiles of their own round the order's place."""
    leave_groups(world, slots)
    tiles = places_near(world, order.x, order.y, len(slots))
    for slot, (row, column) in zip(slots.tolist(), tiles.tolist(), strict=False):
        put_at(world, slot, column + 0.5, row + 0.5)


def duplicate(world: World, slots: np.ndarray, order: Order) -> None:
    """Copy units beside themselves: type, side, wounds, posture, marks, route and weapon."""
    u = world.units
    for slot in slots.tolist():
        if len(u.living()) >= MOST_UNITS:
            world.happen("refused", text=f"a map holds at most {MOST_UNITS} units of the sandbox")
            return
        taken = {(int(y), int(x)) for y, x in zip(u.y[u.living()], u.x[u.living()], strict=True)}
        near = places_near(world, float(u.x[slot]), float(u.y[slot]), len(taken) + 1).tolist()
        row, column = next((place for place in map(tuple, near) if place not in taken), (-1, -1))
        if row < 0:
            world.happen("refused", text="there is no room for a copy")
            return
        copy_unit(world, slot, column + 0.5, row + 0.5)


_OWN = {
    "id", "x", "y", "prev_x", "prev_y", "goal_x", "goal_y", "vx", "vy", "band", "carrying", "dragging", "moving",
    "path_request", "order", "ordered_at", "use_target", "target", "event", "timer", "action", "action_start",
    "action_length", "slot_mode", "order_target",
}  # fmt: skip
"""Columns that a copy does not share with its original."""


def copy_unit(world: World, slot: int, x: float, y: float) -> int:
    """Add a unit like another one at a place; return its slot."""
    u = world.units
    new = u.add()
    for f in fields(u):
        if "dtype" in f.metadata and f.name not in _OWN:
            column = getattr(u, f.name)
            column[new] = column[slot]
    u.x[new] = u.prev_x[new] = u.goal_x[new] = x
    u.y[new] = u.prev_y[new] = u.goal_y[new] = y
    u.lab[new] &= ~np.uint8(int(LabMark.WALKED))
    u.event[new] = int(Event.TIMER)
    original = int(u.id[slot])
    if original in world.routes_of:
        world.routes_of[int(u.id[new])] = world.routes_of[original]
    return new


def swap_sides(world: World, slots: np.ndarray, order: Order) -> None:
    """Move units to side ``value``, below 0 to the next one; they forget all."""
    u = world.units
    leave_groups(world, slots)
    forget(world, slots, order)
    for slot in slots.tolist():
        side = int(order.value) if order.value >= 0 else (int(u.side[slot]) + 1) % len(SIDES)
        u.side[slot] = side
        u.fire_at_will[slot] = side != 0
        u.moving[slot] = 0
    ids = u.id[slots]
    forget_targets(world, np.flatnonzero(np.isin(u.meter_target[: u.count], ids)))
    u.target[: u.count][np.isin(u.target[: u.count], ids)] = -1


def add_patrol_point(world: World, slots: np.ndarray, order: Order) -> None:
    """Append a place to the route of units; it starts where they stand.

    Units whose minds have a routine walk it from now on. Others get the order to go to and fro.
    """
    u = world.units
    for slot in slots.tolist():
        unit = int(u.id[slot])
        name = f"sandbox {unit}"
        known = world.route(name)
        start = ((float(u.x[slot]), float(u.y[slot])),)
        points = (*(known.points if known is not None else start), (order.x, order.y))
        world.routes = [r for r in world.routes if r.name != name] + [Route(name, points, False, 0)]
        world.routes_of[unit] = name
    forget(world, slots, order)
    soldiers = np.array([not mind_can(world.types[int(u.kind[s])], "patrols") for s in slots.tolist()], bool)
    if soldiers.any():
        ids = tuple(u.id[slots[soldiers]].tolist())
        for side in np.unique(u.side[slots[soldiers]]).tolist():
            world.pending.append(Order(int(OrderKind.PATROL), side, ids, order.x, order.y))


def enemy_at(world: World, slot: int, x: float, y: float) -> int:
    """Return the slot of a unit's enemy nearest to a place, or -1.

    It stands at most ``TARGET_REACH`` tiles from the place.
    """
    u = world.units
    others = u.living()
    others = others[u.side[others] != u.side[slot]]
    far = np.hypot(u.x[others] - x, u.y[others] - y)
    order = np.lexsort((u.id[others], far))
    return int(others[order[0]]) if len(order) and far[order[0]] <= TARGET_REACH else -1


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "freeze": Verb("frozen", mark=LabMark.FROZEN),
        "blind": Verb("blind", mark=LabMark.BLIND),
        "deafen": Verb("deaf", mark=LabMark.DEAF),
        "invisible": Verb("invisible", mark=LabMark.UNSEEN),
        "invulnerable": Verb("invulnerable", mark=LabMark.SAFE),
        "possess": Verb("possessed", mark=LabMark.OWNED),
        "heal": Verb("healed", heal),
        "duplicate": Verb("copied", duplicate),
        "forget": Verb("forgets", forget),
        "teleport": Verb("moved", teleport),
        "patrol": Verb("patrols", add_patrol_point),
        "side": Verb("another side", swap_sides),
        "kill": Verb("killed", strike_down),
        "delete": Verb("deleted", delete),
    }
)
"""Verbs by name; those of BY_MINDS besides them are carried out by the minds."""

BY_MINDS = ("state", "target")


def fault_of_verb(world: World, order: Order) -> str:
    """Return a VERB order's error as a message, empty if valid."""
    if order.name not in VERBS and order.name not in BY_MINDS:
        return f"there is no verb {order.name!r}; use one of {', '.join((*VERBS, *BY_MINDS))}"
    if not order.units:
        return f"{order.name}: select a unit first"
    if order.name == "side" and order.value >= len(SIDES):
        return f"there is no side {order.value:g}; sides are 0 to {len(SIDES) - 1}"
    if order.name in ("teleport", "patrol", "target") and not world.terrain.inside(
        math.floor(order.y), math.floor(order.x)
    ):
        return f"{order.name}: that place is not on the map"
    return ""


def change_units(world: World, order: Order) -> None:
    """Carry out a valid VERB order on the living units among those it names."""
    u = world.units
    ids = np.unique(np.array([i for i in order.units if 0 <= i < u.next_id], np.int64))
    slots = u.slots(ids)
    slots = slots[u.alive[slots] == 1]
    if not len(slots):
        world.happen("refused", text=f"{order.name}: none of its units lives")
        return
    verb = VERBS[order.name]
    if verb.mark is not None:
        if verb.mark == LabMark.OWNED:
            forget(world, slots, order)
        set_mark(world, slots, verb.mark, order.value > 0)
    elif verb.change is not None:
        for slot in slots.tolist() if order.name in ("delete", "teleport") else ():
            if u.carrying[slot] >= 0 or u.dragging[slot] >= 0:
                drop(world, slot)
        verb.change(world, slots, order)


TECHNIQUES = (
    {
        "slug": "unit-verbs",
        "name": "Debug verbs on the selection",
        "ids": ("AW-2.1-1",),
        "source": "AI Game Programming Wisdom, 2.1",
        "functions": ("change_units", "set_mark"),
        "test": "tests/game/systems/sandbox/test_unit_verbs.py",
        "reason": "A tool of Lab: it is used on any level, and no setting switches it.",
        "claim": (
            "Groups are chosen by selection only. There is no reset, no stop of movement alone and no stimulus to "
            "place; a copy begins with a fresh mind."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
