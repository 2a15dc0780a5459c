"""Scripted player: a program counter a track, a condition, and orders.

It reads the same data as any script.
"""

from __future__ import annotations

import copy
import math
from dataclasses import field

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.core.serialization import record
from game.checks.scripts.script import Condition, MapEdit, OrderRow, Script, placed
from game.checks.scripts.unit_selectors import select
from game.level.model import SIDES
from game.level.passability_masks import ALL
from game.level.terrain.grounds import RULES
from game.sim.create_world import scatter_near
from game.systems.groups.formation_orders import changed
from game.systems.interaction.map_edits import KEEP, fault_of
from game.world.groups.drill import Drill
from game.world.orders import NO_FACING, Order, OrderKind
from game.world.settings import set_value
from game.world.world import World


@record
class TrackState:
    """State of a track: next step, and tick of the previous one."""

    step: int = 0
    since: int = 0
    given_up: bool = False


@record
class ScriptedPlayer:
    """Progress through a script's tracks; the script itself is not state."""

    tracks: list[TrackState] = field(default_factory=list)

    def orders(self, script: Script, world: World, tick: int) -> list[Order]:
        """Return the orders for ``tick``, timed ones first, then each track's."""
        while len(self.tracks) < len(script.track):
            self.tracks.append(TrackState())
        out: list[Order] = []
        for number, row in enumerate(script.order):
            last = row.until if row.until is not None else (row.tick if row.every is None else script.ticks)
            if row.tick <= tick <= last and (row.every is None or is_due(tick, row.every, row.tick)):
                with placed(script, f"order.{number}"):
                    out.append(make_order(row, world))
        for number, edit in enumerate(script.edit):
            if edit.tick == tick:
                with placed(script, f"edit.{number}"):
                    out.append(make_edit(edit, world))
        for number, (track, state) in enumerate(zip(script.track, self.tracks, strict=True)):
            while state.step < len(track.step):
                step = track.step[state.step]
                late = step.give_up is not None and tick - state.since > step.give_up
                enough = step.at_most is not None and tick - state.since > step.at_most
                with placed(script, f"track.{number}.step.{state.step}"):
                    if not (late or enough) and not holds(step.when, world, tick, state.since):
                        break
                    out.extend(make_order(row, world) for row in step.orders)
                state.given_up |= late
                state.step += 1
                state.since = tick
        return out


def make_order(row: OrderRow, world: World) -> Order:
    """Return the world's order for a script row; ValueError for unknown names."""
    if row.kind == "setting":
        word = row.value if isinstance(row.value, str) else ""
        number = float(row.value) if isinstance(row.value, int | float) else 0.0
        set_value(copy.deepcopy(world.settings), row.name, word or number)
        return Order(int(OrderKind.SETTING), name=row.name, value=number, text=word)
    meant = select(world, row.units)
    ids = [i for i in meant if world.units.alive[world.units.slot(i)]]
    points: tuple[float, ...] = ()
    if row.kind == "command":
        points = tuple(v for point in row.points for v in point)
    elif row.points:
        if len(row.points) != len(meant):
            raise ValueError(f"move_each has {len(row.points)} points for {len(meant)} units")
        to = dict(zip(meant, row.points, strict=True))
        points = tuple(v for i in ids for v in to[i])
    side = int(world.units.side[world.units.slot(ids[0])]) if ids else 0
    if row.within is not None:
        points = tuple(scatter_near(world, ids, row.within))
    x, y = row.at if row.at is not None else (0.0, 0.0)
    target = -1
    if row.region is not None:
        region = world.region(row.region)
        if region is None:
            raise ValueError(f"there is no region {row.region!r} in {world.level_name}")
        x, y = region.centre
    if row.prop is not None:
        prop = world.prop(row.prop)
        if prop is None:
            raise ValueError(f"there is no prop {row.prop!r} in {world.level_name}")
        x, y, target = prop.x, prop.y, prop.id
    if row.door is not None:
        door = world.door(row.door)
        if door is None:
            raise ValueError(f"there is no door {row.door!r} in {world.level_name}")
        (x, y), target = door.centre, door.id
    if row.lamp is not None:
        lamp = world.lamp(row.lamp)
        if lamp is None:
            raise ValueError(f"there is no lamp {row.lamp!r} in {world.level_name}")
        x, y, target = lamp.x, lamp.y, lamp.id
    if row.target is not None:
        target = next(iter(select(world, row.target)), -1)  # a region may be empty just now
    value = float(row.value) if isinstance(row.value, int | float) else 0.0
    facing = NO_FACING if row.facing is None else math.remainder(math.radians(row.facing), math.tau)
    order = Order(
        int(OrderKind[row.kind.upper()]), side, tuple(ids), x, y, target, row.queued, row.name, value,
        row.value if isinstance(row.value, str) else "", points, facing,
    )  # fmt: skip
    if row.kind == "formation" and row.name not in ("company", "split", "merge"):
        changed(Drill(), order, world.plays)  # raises when it makes no sense
    return order


def make_edit(row: MapEdit, world: World) -> Order:
    """Return the world's order for a map edit.

    ValueError when it lies outside or names no region.
    """
    if row.box is not None:
        left, top, right, bottom = row.box
    else:
        region = world.region(row.region or "")
        if region is None:
            raise ValueError(f"there is no region {row.region!r} in {world.level_name}")
        xs, ys = [p[0] for p in region.points], [p[1] for p in region.points]
        left, top, right, bottom = math.floor(min(xs)), math.floor(min(ys)), math.ceil(max(xs)), math.ceil(max(ys))
    rule = None if row.ground is None else RULES[row.ground]
    passable = KEEP if rule is None else rule.passable
    if row.walkable is not None:
        passable = ALL if row.walkable else 0
    cost = KEEP if rule is None else rule.cost
    if row.cost is not None:
        cost = round(row.cost * 8)
    opaque = KEEP if rule is None else rule.opaque
    if row.blocks_sight is not None:
        opaque = int(row.blocks_sight)
    cover = row.cover if row.cover is not None else KEEP if rule is None else rule.cover
    numbers = tuple(float(v) for v in (left, top, right, bottom, passable, cost, opaque, cover))
    order = Order(int(OrderKind.EDIT), name=row.ground or "", text=row.text, points=numbers)
    wrong = fault_of(world, order)
    if wrong:
        raise ValueError(wrong)
    return order


def holds(when: Condition, world: World, tick: int, since: int) -> bool:
    """Return true if every key of the condition holds."""
    if when.tick is not None and tick < when.tick:
        return False
    if when.after is not None and tick - since < when.after:
        return False
    u = world.units
    if when.idle is not None and any(
        u.moving[u.slot(i)] or i in world.queues for i in _living(world, select(world, when.idle))
    ):
        return False
    if when.inside is not None:
        region = world.region(when.inside[1])
        if region is None:
            raise ValueError(f"there is no region {when.inside[1]!r} in {world.level_name}")
        ids = _living(world, select(world, when.inside[0]))
        if not ids or not all(region.contains(*_at(world, i)) for i in ids):
            return False
    if when.carrying is not None and all(u.carrying[u.slot(i)] < 0 for i in select(world, when.carrying)):
        return False
    if when.clear is not None and _count_inside(world, *when.clear):
        return False
    if when.occupied is not None and not _count_inside(world, *when.occupied):
        return False
    for pair, wanted in ((when.apart, True), (when.near, False)):
        if pair is not None:
            gap = _gap(world, _living(world, select(world, pair[0])), _living(world, select(world, pair[1])))
            if (gap >= pair[2]) != wanted:
                return False
    if when.looks is not None:
        path, slack = math.radians(when.looks[1]), math.radians(when.looks[2])
        ids = _living(world, select(world, when.looks[0]))
        if any(abs(math.remainder(float(u.facing[u.slot(i)]) - path, math.tau)) > slack for i in ids):
            return False
    if when.also is not None and not holds(when.also, world, tick, since):
        return False
    if when.down is not None and _living(world, select(world, when.down)):
        return False
    if when.alarms is not None and world.mission.alarms < when.alarms:
        return False
    if when.lamp_out is not None:
        lamp = world.lamp(when.lamp_out)
        if lamp is None:
            raise ValueError(f"there is no lamp {when.lamp_out!r} in {world.level_name}")
        if lamp.on:
            return False
    if when.door_open is not None:
        door = world.door(when.door_open)
        if door is None:
            raise ValueError(f"there is no door {when.door_open!r} in {world.level_name}")
        return door.open
    return True


def _gap(world: World, ours: list[int], theirs: list[int]) -> float:
    """Tiles between the nearest two of two groups; infinite when one is empty."""
    if not ours or not theirs:
        return math.inf
    a, b = (np.array([_at(world, i) for i in ids]) for ids in (ours, theirs))
    return float(np.sqrt(((a[:, None] - b[None]) ** 2).sum(-1)).min())


def _living(world: World, ids: list[int]) -> list[int]:
    return [i for i in ids if world.units.alive[world.units.slot(i)]]


def _at(world: World, unit: int) -> tuple[float, float]:
    slot = world.units.slot(unit)
    return float(world.units.x[slot]), float(world.units.y[slot])


def _count_inside(world: World, side: str, region_name: str) -> int:
    region = world.region(region_name)
    if region is None or side not in SIDES:
        raise ValueError(f"({side!r}, {region_name!r}) must name a side and a region of the level")
    u = world.units
    return sum(region.contains(float(u.x[s]), float(u.y[s])) for s in u.living(SIDES.index(side)))
