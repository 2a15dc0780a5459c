"""Orders about joint movement: shape, spacing, habits, forming up, splitting and merging.

Each order changes one thing in the drill of every unit named. Units that stand or march as a group apply it at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import (
    G_FACING,
    G_HEADING,
    T_BROKEN,
    T_FIXED,
    T_FREE,
    T_PLACED,
    T_STATE,
    T_WAITS,
    GroupState,
)
from game.systems.groups.companies import join_groups, part_companies
from game.systems.groups.group_forming import begin_group, enter, place_in_slots
from game.systems.groups.membership import leave_groups
from game.systems.groups.slot_arrangement import preferred
from game.systems.groups.slots_by_arrival import receive
from game.systems.order_throttle import A_TICK
from game.world.groups.drill import KEEP, LOOSE, PLAY, SHAPE_WORDS, Drill, Matching, Rally
from game.world.groups.playbooks import Play
from game.world.orders import NO_FACING, Order, OrderKind
from game.world.world import World

SPACINGS = (0.7, 6.0)
"""Least and greatest spacing that can be ordered, tiles."""

WHAT = ("shape", "play", "spacing", "ranks", "rally", "slowest", "together", "matching", "split", "merge", "company")


def drill_units(world: World, slots: np.ndarray, order: Order) -> bool:
    """Carry out a FORMATION order: ``name`` says what changes, ``text`` or ``value`` to what.

    Returns true if the order was valid. Otherwise the reason is published and nothing has changed.
    """
    u = world.units
    if order.name == "company":
        join_groups(world, slots)
        return True
    if order.name in ("split", "merge"):
        part_companies(world, slots)
        _split(world, slots, order) if order.name == "split" else form_up(world, slots, order)
        return True
    old = u.drill[slots].copy()
    try:
        drills = {k: changed(world.groups.drills[k], order, world.plays) for k in np.unique(old).tolist()}
    except ValueError as error:
        world.happen("refused", int(u.id[slots[0]]), text=str(error))
        return False
    if order.name in ("shape", "play"):
        part_companies(world, slots)
    for number, drill in drills.items():
        u.drill[slots[old == number]] = world.groups.drill_number(drill)
    take_up(world, slots, order)
    return True


def changed(drill: Drill, order: Order, plays: Sequence[Play] = ()) -> Drill:
    """Return a drill with one thing changed; ValueError (one line) for an invalid order."""
    words = order.text.lower()
    if order.name == "shape":
        if words not in SHAPE_WORDS:
            raise ValueError(f"there is no formation {order.text!r}; known are {', '.join(SHAPE_WORDS)}")
        return replace(drill, shape=SHAPE_WORDS[words], play="")
    if order.name == "play":
        known = [play.name for play in plays]
        if words not in known:
            raise ValueError(f"there is no play {order.text!r}; known are {', '.join(known) or 'none'}")
        return replace(drill, shape=PLAY, play=words)
    if order.name == "spacing":
        return replace(drill, spacing=min(max(float(order.value), SPACINGS[0]), SPACINGS[1]))
    if order.name == "ranks":
        return replace(drill, ranks=max(0, int(order.value)))
    if order.name == "rally":
        if words.upper() not in Rally.__members__:
            raise ValueError(f"groups rally {', '.join(r.name.lower() for r in Rally)}, not {order.text!r}")
        return replace(drill, rally=int(Rally[words.upper()]))
    if order.name == "matching":
        if words.upper() not in Matching.__members__:
            raise ValueError(f"slots are given out {', '.join(m.name.lower() for m in Matching)}, not {order.text!r}")
        return replace(drill, matching=int(Matching[words.upper()]))
    if order.name in ("slowest", "together"):
        on = order.value > 0.0
        return replace(drill, slowest=on) if order.name == "slowest" else replace(drill, together=on)
    raise ValueError(f"an order about formations names one of {', '.join(WHAT)}, not {order.name!r}")


def take_up(world: World, slots: np.ndarray, order: Order) -> None:
    """Apply a changed drill to the groups of its members; idle units form up."""
    u, groups = world.units, world.groups
    drill = groups.drills[int(u.drill[slots[np.argmin(u.id[slots])]])]
    rows = np.unique(u.band[slots])
    row = int(rows[0])
    whole = len(rows) == 1 and row >= 0 and len(groups.rows[row].members) == len(slots)
    if drill.shape == LOOSE:
        _release(world, slots[u.band[slots] >= 0])
        leave_groups(world, slots)
        return
    if not whole:
        if order.name in ("shape", "play"):
            # The group forms up later: an order of the same tick may still send its units somewhere.
            groups.forming_up.append((tuple(np.sort(u.id[slots]).tolist()), order.side, order.facing))
        return
    group = groups.rows[row]
    old, group.drill = group.drill, drill
    group.family = None
    groups.tag[row, [T_WAITS, T_FREE]] = world.settings.formation.wait and drill.slowest, not drill.slowest
    if replace(old, rally=drill.rally, slowest=drill.slowest, together=drill.together) == drill:
        return
    mine = u.slots(group.members)
    if drill.shape == KEEP or groups.state(row) == GroupState.STANDING:
        if order.name in ("shape", "play") or group.done:
            form_up(world, mine, order)
        return
    groups.tag[row, T_PLACED] = 0
    place_in_slots(world, group, row, mine, preferred(world, group))


def _release(world: World, slots: np.ndarray) -> None:
    """Send members of a dissolved moving group on to its goal, each alone."""
    u, groups = world.units, world.groups
    for row in np.unique(u.band[slots]).tolist():
        group = groups.rows[row]
        mine = slots[u.band[slots] == row]
        if not group.done:
            u.goal_x[mine], u.goal_y[mine] = u.slot_x[mine], u.slot_y[mine]
            if group.awaits >= 0:
                u.goal_x[mine], u.goal_y[mine] = group.goal
            elif group.path is not None:
                u.goal_x[mine], u.goal_y[mine] = group.path.points[-1]
            u.path_request[mine] = 1
            u.moving[mine] = 1


def form_up(world: World, slots: np.ndarray, order: Order) -> None:
    """Form a group on the spot: about the units' middle, facing as most face."""
    u = world.units
    if not len(slots):
        return
    x, y = float(u.x[slots].mean()), float(u.y[slots].mean())
    by_id = slots[np.argsort(u.id[slots], kind="stable")]
    facing = order.facing
    if facing == NO_FACING:
        facing = math.atan2(float(np.sin(u.facing[by_id]).sum()), float(np.cos(u.facing[by_id]).sum()))
    told = by_id[u.drill[by_id] > 0]
    if not len(told):
        return
    u.drill[slots] = u.drill[told[0]]
    begin_group(world, slots, Order(int(OrderKind.MOVE), order.side, tuple(u.id[by_id].tolist()), x, y, facing=facing))


def form_up_who_stand(world: World) -> None:
    """Form up idle units that got a formation, after the tick's orders.

    If they are more than a tick can start, the units with the latest orders wait for the next tick.
    """
    u, asked = world.units, world.groups.forming_up
    if not asked:
        return
    sizes = np.cumsum([len(units) for units, _, _ in asked])
    now = max(1, int((sizes <= A_TICK).sum()))
    world.groups.forming_up = asked[now:]
    for units, side, facing in asked[:now]:
        slots = u.slots(units)
        idle = (u.alive[slots] == 1) & (u.moving[slots] == 0) & (u.order[slots] == OrderKind.NONE)
        here = idle | ((u.band[slots] >= 0) & (u.order[slots] == OrderKind.NONE))
        form_up(world, slots[here], Order(int(OrderKind.FORMATION), side, units, facing=facing))


def _split(world: World, slots: np.ndarray, order: Order) -> None:
    """Split a group in halves: left and right, or front and back."""
    u = world.units
    by_id = slots[np.argsort(u.id[slots], kind="stable")]
    if len(by_id) < 2:
        return
    rows = u.band[by_id]
    heading = world.groups.heading(int(rows[0])) if rows[0] >= 0 else float(u.facing[by_id[0]])
    x, y = u.x[by_id], u.y[by_id]
    right = (y - y.mean()) * math.cos(heading) - (x - x.mean()) * math.sin(heading)
    forward = (x - x.mean()) * math.cos(heading) + (y - y.mean()) * math.sin(heading)
    key = right if np.ptp(right) >= np.ptp(forward) else forward
    ranked = np.argsort(np.round(key, 6), kind="stable")
    half = len(by_id) // 2
    for part in (by_id[np.sort(ranked[:half])], by_id[np.sort(ranked[half:])]):
        form_up(world, part, replace(order, facing=heading))


def wheel(world: World, slots: np.ndarray, order: Order) -> np.ndarray:
    """Wheel whole named groups to face a place; return units that turn alone."""
    u, groups = world.units, world.groups
    alone = np.ones(len(slots), bool)
    for row in np.unique(u.band[slots][u.band[slots] >= 0]).tolist():
        group = groups.rows[row]
        mine = u.band[slots] == row
        if int(mine.sum()) < len(group.members) or groups.state(row) not in (GroupState.STANDING, GroupState.SETTLING):
            continue
        middle = groups.num[row]
        receive(world, group, row, everybody=True)
        middle[G_FACING] = math.atan2(order.y - middle[1], order.x - middle[0])
        groups.tag[row, T_PLACED] = 0
        groups.tag[row, T_FIXED] = 0
        enter(world, group, row, GroupState.SETTLING)
        alone[mine] = False
    return slots[alone]


__all__ = ["G_HEADING", "T_BROKEN", "T_STATE", "Shape", "changed", "drill_units", "form_up", "wheel"]
