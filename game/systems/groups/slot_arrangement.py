"""Slots of a group and their assignment: drills, settings, shapes, plays and matching."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ai.formation.formation_shapes import Shape, Slots, as_they_stand, form, in_files, in_ranks, spacing_for
from ai.formation.group_entity import G_X, G_Y
from ai.formation.playbook import Placed, assign_reserved, slots_of_play
from ai.formation.slot_assignment import SLOT_ASSIGNMENTS, Merits, Roster, assign_optimal, inside_out
from game.world.groups.drill import KEEP, LOOSE, PLAY, Drill, Matching, Rally
from game.world.groups.movement_groups import Group
from game.world.orders import NO_FACING
from game.world.world import World

TIGHT = 0.1
"""Least gap in tiles between the largest bodies of a group, at any spacing."""
HURT = 0.5
"""Share of its health below which a unit stands inside its formation."""


def drill_of(world: World, slots: np.ndarray, facing: float = NO_FACING) -> Drill:
    """Return the joint drill: that of the lowest id with a formation.

    Loose units that have an order to face somewhere at the end stand in a box there.
    """
    u, drills = world.units, world.groups.drills
    formed = np.array([drill.shape != LOOSE for drill in drills])
    told = slots[formed[u.drill[slots]]]
    if len(told):
        return drills[int(u.drill[told[np.argmin(u.id[told])]])]
    own = drills[int(u.drill[slots[np.argmin(u.id[slots])]])] if len(slots) else drills[0]
    return own if facing == NO_FACING else replace(own, shape=int(Shape.BOX))


def rally_of(world: World, drill: Drill) -> Rally:
    """Return where a group with this drill rallies, unless a setting overrides all."""
    told = world.settings.formation.rally.upper()
    return Rally[told] if told in Rally.__members__ else Rally(drill.rally)


def matching_of(world: World, drill: Drill) -> Matching:
    """Return how slots are assigned, unless a setting overrides all."""
    told = world.settings.formation.matching.upper()
    return Matching[told] if told in Matching.__members__ else Matching(drill.matching)


def assigns_late(world: World, drill: Drill) -> bool:
    """Return True if members get their slots only as they arrive."""
    return matching_of(world, drill) not in SLOT_ASSIGNMENTS


def spacing_of(world: World, drill: Drill, slots: np.ndarray) -> float:
    """Return tiles between slots: as ordered, or as the largest unit needs."""
    return max(drill.spacing, spacing_for(world.units.radius[slots], TIGHT))


def slots_for(world: World, drill: Drill, slots: np.ndarray, kept: np.ndarray) -> Slots:
    """Return the drill's slots for these units (their slots in the columns, by id)."""
    if drill.shape == KEEP:
        weight = 1.0 / (1.0 + kept[:, 0].max(initial=0.0) - kept[:, 0])
        return Slots(kept[:, 0], kept[:, 1], kept[:, 2], np.zeros(len(kept), np.int32), weight)
    if drill.shape == PLAY:
        return play_for(world, drill, slots).table
    count, shape, spacing = len(slots), Shape(drill.shape), spacing_of(world, drill, slots)
    if drill.ranks <= 1 and not (shape == Shape.COLUMN and drill.ranks):
        return form(shape, count, spacing)
    if shape in (Shape.BOX, Shape.COLUMN):
        files = drill.ranks if shape == Shape.COLUMN else math.ceil(count / drill.ranks)
        return in_files(count, max(1, files), spacing)
    back = spacing * (1.5 if shape == Shape.STAGGERED_LINE else 3.0 if shape == Shape.SKIRMISH else 1.0)
    return in_ranks(shape, count, math.ceil(count / drill.ranks), spacing, (-back, 0.0))


def play_for(world: World, drill: Drill, slots: np.ndarray) -> Placed:
    """Return the drill's play laid out for these units (by column slots)."""
    u, play = world.units, next(play for play in world.plays if play.name == drill.play)
    who = [(world.types[int(u.kind[s])].name, world.names.get(int(u.id[s]), "")) for s in slots]
    fits = play.fits(who) if world.settings.formation.reserve else np.ones((len(slots), len(play.reserved)), bool)
    return slots_of_play(play.at, play.facing, fits, spacing_of(world, drill, slots), play.relax)


def match(world: World, group: Group, slots: np.ndarray, table: Slots, places: np.ndarray) -> np.ndarray:
    """Assign a slot to each member: int64[n].

    ``places`` float64[n, 3] are slots in the world.
    """
    u = world.units
    here, there = np.column_stack([u.x[slots], u.y[slots]]), places[:, :2]
    if group.drill.shape == KEEP:
        return np.arange(len(slots))
    if group.drill.shape == PLAY:
        return assign_reserved(here, there, play_for(world, group.drill, slots).allowed)
    if len(group.expected) or assigns_late(world, group.drill):
        at = world.groups.num[world.groups.row_of(group.id), [G_X, G_Y]]
        return match_arrived(group, here, there, at)
    most = world.settings.formation.optimal
    roster = Roster(here, there, merits_of(world, slots), table.forward, table.right, table.weight, table.rank, most)
    return SLOT_ASSIGNMENTS[matching_of(world, group.drill)](roster)


def merits_of(world: World, slots: np.ndarray) -> Merits:
    """Return the merits of units by which the matching by type gives slots."""
    u = world.units
    reach = np.array([weapon.reach for weapon in world.weapons])[u.weapon[slots]]
    run = np.array([kind.run for kind in world.types])[u.kind[slots]]
    return Merits(u.hp_max[slots], reach, run, u.hp[slots] < HURT * u.hp_max[slots])


def expects(group: Group) -> np.ndarray:
    """Return bool[n]: members that get a slot only when they arrive."""
    return np.isin(group.members, group.expected)


def match_arrived(group: Group, here: np.ndarray, there: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Assign a slot to every member, int64[n], with arrived members in the middle.

    Arrived members take the slots about the middle, at the least distance in all. For the others the rest is
    reserved by number only. ``here`` and ``there`` float64[n, 2] are places of members and slots.
    """
    inner, waits = inside_out(there, middle), expects(group)
    come = np.flatnonzero(~waits)
    taken = np.empty(len(here), np.int64)
    taken[come] = inner[: len(come)][assign_optimal(here[come], there[inner[: len(come)]], squared=True)]
    taken[waits] = inner[len(come) :]
    return taken


def standing(world: World, slots: np.ndarray, heading: float) -> np.ndarray:
    """Return the arrangement of units as it is: float64[n, 3]."""
    u = world.units
    table = as_they_stand(np.column_stack([u.x[slots], u.y[slots]]), heading)
    return np.column_stack([table.forward, table.right, table.facing])


def preferred(world: World, group: Group) -> Slots:
    """Return the slots that a group would have without obstacles."""
    return slots_for(world, group.drill, world.units.slots(group.members), group.kept)
