"""Groups in combat: halt as one, face the enemy, fire together, go on.

This habit applies to attack-moves, which is what players asked for: "move in formation" and "fight" in one order.
A plain move goes on under fire as every move does.

Without that habit members stop and fire each for itself, and the group waits for them ("AI Game Programming
Wisdom", 5.6: wheel to face an enemy from the flank; a flag says why the group is broken).
"""

from __future__ import annotations

import math

import numpy as np

from ai.decision.decision_trace import DECISION
from ai.formation.group_entity import (
    G_FACING,
    G_HEADING,
    G_SPEED,
    G_X,
    G_Y,
    T_BROKEN,
    T_COUNT,
    T_PLACED,
    T_STATE,
    Broken,
    GroupState,
    wrapped,
)
from game.systems.groups.group_forming import enter, place_in_slots
from game.systems.groups.slot_arrangement import preferred
from game.world.groups.movement_groups import Group
from game.world.orders import OrderKind
from game.world.units import Act, Event
from game.world.world import World

FRESH = 2
"""A sighting of so many ticks ago is one of now."""
CALM = 30
"""Ticks without an enemy in reach after which a group goes on."""
FLANK = math.radians(60.0)
"""An enemy farther off the heading than this makes the group wheel."""
UNDER_WAY = (GroupState.FORMING, GroupState.MARCHING, GroupState.SETTLING)
SHARE = 1.0 / 3.0
"""Share of members with a target in reach that halts the group.

A hit also halts it.
"""


HALTS = (OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.MOVE)
"""Orders under which a group that fights in formation halts to fight.

Under a plain move it halts only when it is hit.
"""


def look_out(world: World) -> None:
    """Find groups in formation combat with the enemy in reach, and react."""
    u, n, groups = world.units, world.units.count, world.groups
    wary = [
        row for row, group in groups.rows.items() if group.drill.together and group.order in HALTS and not group.done
    ]
    if not wary:
        return
    is_wary = np.zeros(len(groups.tag) + 1, bool)
    is_wary[wary] = True
    band = u.band[:n]
    sure = is_wary[band] & (band >= 0) & (u.alive[:n] == 1) & (u.meter[:n] >= 1.0) & (u.meter_target[:n] >= 0)
    sure &= world.tick - u.seen_tick[:n] <= FRESH
    seeing = np.flatnonzero(sure)
    reach = np.array([w.reach if w.damage > 0 else 0.0 for w in world.weapons])[u.weapon[seeing]]
    off = np.hypot(u.seen_x[seeing] - u.x[seeing], u.seen_y[seeing] - u.y[seeing])
    seeing = seeing[off <= reach]
    # Read from the body's act, because the event has reached the minds by now.
    hit = (u.action[:n] == Act.HIT) & (world.tick - u.action_start[:n] <= FRESH)
    for row in sorted(wary):
        group, mine = groups.rows[row], seeing[band[seeing] == row]
        struck = bool((hit & (band == row)).any()) or group.fallen > group.mourned
        group.mourned = group.fallen
        _decide(world, group, row, mine[np.argsort(u.id[mine], kind="stable")], struck)


def _decide(world: World, group: Group, row: int, seeing: np.ndarray, struck: bool) -> None:
    num, tag, u = world.groups.num[row], world.groups.tag[row], world.units
    if len(seeing):
        group.sighted = world.tick
    fights = tag[T_STATE] == GroupState.FIGHTING
    if not fights and tag[T_STATE] in UNDER_WAY and len(seeing):
        if not struck and (group.order == OrderKind.MOVE or len(seeing) < SHARE * tag[T_COUNT]):
            return
        at = math.atan2(float(u.seen_y[seeing].mean()) - num[G_Y], float(u.seen_x[seeing].mean()) - num[G_X])
        group.facing_after = float(num[G_FACING])
        num[G_SPEED] = 0.0
        num[G_FACING] = num[G_HEADING]
        if abs(wrapped(at - float(num[G_HEADING]))) > FLANK:
            # Turn the whole shape at once; each member takes the slot that is nearest now.
            num[G_HEADING] = num[G_FACING] = at
            place_in_slots(world, group, row, u.slots(group.members), preferred(world, group))
        enter(world, group, row, GroupState.FIGHTING)
        tag[T_BROKEN] = Broken.COMBAT
        u.event[seeing] |= int(Event.SAW)  # now they may fire at targets seen for a while
        share = len(seeing) / max(int(tag[T_COUNT]), 1)
        world.trace.add(
            world.tick, int(group.members[0]), DECISION, "halts with its group to fight",
            considered=[("halting", share), ("going on", 1.0 - share)], winner="halting",
            cause="the group is hit" if struck else f"{len(seeing)} have an enemy in reach", since=world.tick,
            function="game.systems.groups.march.fight_in_formation._decide",
        )  # fmt: skip
        world.happen("halted", int(group.members[0]), text="the group halts and fires")
    elif fights and world.tick - group.sighted > CALM:
        num[G_FACING] = group.facing_after
        tag[T_PLACED] = 0
        enter(world, group, row, GroupState.FORMING)
