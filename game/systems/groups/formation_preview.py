"""Slots of an order that is not yet given, and reserved play slots.

The ghosts before an order show them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ai.formation.formation_shapes import place
from ai.formation.slot_assignment import assign_optimal
from ai.paths.requests.goal_resolution import resolve_goals
from ai.search.smoothing.straight_walk import line_walkable
from game.systems.groups.group_forming import class_of
from game.systems.groups.slot_arrangement import assigns_late, drill_of, match, play_for, rally_of, slots_for, standing
from game.systems.groups.slot_places import places_for
from game.world.groups.drill import KEEP, LOOSE, PLAY, Drill, Rally
from game.world.groups.movement_groups import Group
from game.world.orders import NO_FACING
from game.world.world import World


@dataclass(frozen=True)
class Ghosts:
    """Ghosts: places and facings of an order's slots, and a play's reserved places.

    Places and facings float64[n, 3] are the slots that are taken. ``kept`` bool[n] marks those that a play
    reserves for certain units. ``holes`` float64[k, 3] are the places of the play that stay empty; ``hole_for``
    names the unit each is reserved for.
    """

    slots: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    kept: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    holes: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    hole_for: tuple[str, ...] = ()


NO_GHOSTS = Ghosts()


def preview(world: World, units: tuple[int, ...], x: float, y: float, facing: float) -> Ghosts:
    """Return the slots of a group for an order to (x, y) with ``facing``.

    Loose units without a facing get none.
    """
    u = world.units
    slots = u.slots([i for i in units if 0 <= i < u.next_id])
    slots = slots[u.alive[slots] == 1]
    if not len(slots):
        return NO_GHOSTS
    drill = drill_of(world, slots, facing)
    if drill.shape == LOOSE or facing == NO_FACING:
        return NO_GHOSTS
    slots = slots[np.argsort(u.id[slots], kind="stable")]
    terrain = world.terrain
    movement_class, able = class_of(world, slots)
    slots = slots[able]
    first = slots[np.argmax(u.movement_class[slots] == movement_class)]
    start = (int(u.y[first]), int(u.x[first]))
    end = resolve_goals(terrain, world.components, movement_class, [start], [[math.floor(y), math.floor(x)]])[0]
    if end[0] < 0:
        return NO_GHOSTS
    if (math.floor(y), math.floor(x)) != (int(end[0]), int(end[1])):
        x, y = end[1] + 0.5, end[0] + 0.5
    heading = float(u.facing[slots[0]]) if drill.shape == KEEP else facing
    table = slots_for(world, drill, slots, standing(world, slots, heading))
    label = world.components.label(movement_class, int(end[0]), int(end[1]))
    there = places_for(world, slots, movement_class, label, table, x, y, facing)
    if drill.shape != PLAY:
        return Ghosts(there, np.zeros(len(there), bool))
    return Ghosts(there, *_kept_and_holes(world, drill, slots, x, y, facing))


def places_of_each(
    world: World, units: tuple[int, ...], x: float, y: float, facing: float, path: np.ndarray
) -> dict[int, tuple[float, float, float]]:
    """Return unit id -> (x, y, radians) for units in formation on ``path``.

    ``path`` is float64[n, 2]. Slots are assigned where the units rally, at the beginning of the path. Loose units
    and units that cannot come along are left out.
    """
    u = world.units
    slots = np.sort(u.slots(units))
    drill = drill_of(world, slots, facing)
    if drill.shape == LOOSE or not world.settings.formation.together or (len(slots) < 2 and facing == NO_FACING):
        return {}
    slots = slots[np.argsort(u.id[slots], kind="stable")]
    movement_class, able = class_of(world, slots)
    slots = slots[able]
    # Groups go straight where they can: a body sees this part of the path from either end.
    legs = [np.hstack([np.broadcast_to(end, path.shape), path]) for end in (path[0], path[-1])]
    clear = [line_walkable(world.terrain, leg, movement_class)[0] for leg in legs]
    ends = [path[np.flatnonzero(clear[0])[-1:]] - path[0], path[-1] - path[np.flatnonzero(clear[1])[:1]]]
    as_now = float(u.facing[slots[0]])
    out, arriving = (math.atan2(d[0, 1], d[0, 0]) if len(d) and np.hypot(*d[0]) > 1e-6 else as_now for d in ends)
    if drill.shape == KEEP and facing == NO_FACING:
        out = arriving = as_now
    told = facing if facing != NO_FACING else arriving
    table = slots_for(world, drill, slots, standing(world, slots, out))
    length = float(np.hypot(*np.diff(path, axis=0).T).sum())
    rally = rally_of(world, drill)
    if rally == Rally.DESTINATION or length < 1.5:
        first, heading = path[-1], told
    else:
        heading = out
        first = np.array([u.x[slots].mean(), u.y[slots].mean()])
        if rally == Rally.AHEAD:
            lead = slots[np.argmin((u.x[slots] - x) ** 2 + (u.y[slots] - y) ** 2)]
            first = np.array([u.x[lead], u.y[lead]])
            first += (0.6 - table.depth / 2.0) * np.array([math.cos(out), math.sin(out)])
    there = place(table, float(first[0]), float(first[1]), heading)
    if assigns_late(world, drill):
        taken = assign_optimal(np.column_stack([u.x[slots], u.y[slots]]), there[:, :2], squared=True)
    else:
        none = np.zeros((0, 3))
        group = Group(
            -1, 0, movement_class, drill, u.id[slots].astype(np.int64), np.arange(len(slots)), none, 0, (x, y)
        )
        taken = match(world, group, slots, table, there)
    label = world.components.label(movement_class, int(path[-1][1]), int(path[-1][0]))
    stand = places_for(world, slots, movement_class, label, table, float(path[-1][0]), float(path[-1][1]), told)[taken]
    return {int(u.id[s]): (float(a), float(b), float(c)) for s, (a, b, c) in zip(slots, stand, strict=True)}


def play_of_group(world: World, group: Group, x: float, y: float, heading: float) -> tuple[Ghosts, tuple[str, ...]]:
    """Return ghosts of a group's play slots about (x, y), ignoring walls.

    They are in the order of its members, with the name each slot is reserved for ("" for any unit).
    """
    slots = world.units.slots(group.members)
    play = next(play for play in world.plays if play.name == group.drill.play)
    placed = play_for(world, group.drill, slots)
    there = place(placed.table, x, y, heading)[group.taken]
    kept, holes, words = _kept_and_holes(world, group.drill, slots, x, y, heading)
    owners = [words_of(play.reserved[k]) if k >= 0 else "" for k in placed.drawn[group.taken].tolist()]
    mine = kept[group.taken]
    return Ghosts(there, mine, holes, words), tuple(w if k else "" for w, k in zip(owners, mine.tolist(), strict=True))


def words_of(reserved: list[str]) -> str:
    """Return the name that a slot is reserved for."""
    return " or ".join(word.replace("_", " ") for word in reserved)


def _kept_and_holes(
    world: World, drill: Drill, slots: np.ndarray, x: float, y: float, heading: float
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    play = next(play for play in world.plays if play.name == drill.play)
    placed = play_for(world, drill, slots)
    lifted = placed.lifted or not world.settings.formation.reserve
    kept = np.array([k >= 0 and bool(play.reserved[k]) and not lifted for k in placed.drawn.tolist()], bool)
    c, s = math.cos(heading), math.sin(heading)
    f, r = placed.holes.T
    # Of the empty slots only reserved ones are holes; the others wait for more units.
    bare = np.array([bool(play.reserved[k]) and not lifted for k in placed.empty.tolist()], bool)
    holes = np.column_stack([x + f * c - r * s, y + f * s + r * c, play.facing[placed.empty] + heading])[bare]
    return kept, holes, tuple(words_of(play.reserved[k]) for k in placed.empty[bare].tolist())
