"""Decisions of groups in the plan stage: set out, change shape, fight, arrive.

A group is a small state machine: FORMING, MARCHING, SETTLING, STANDING, and FIGHTING in between. Decisions run at
their own rate (Game AI Pro 2, 20.3.1, partial updates): shapes are judged every few ticks, groups taking turns by
id.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.scheduling.update_timeline import Part
from ai.decision.decision_trace import DECISION
from ai.formation.formation_adaptation import blend, family, judge, narrow_stretch
from ai.formation.formation_shapes import place
from ai.formation.group_entity import (
    G_ALONG,
    G_BEHIND,
    G_CRUISE,
    G_DEPTH,
    G_ERROR,
    G_FACING,
    G_FASTEST,
    G_HALF,
    G_HEADING,
    G_LIMIT,
    G_SPACING,
    G_SPEED,
    G_STOP,
    G_X,
    G_Y,
    T_AWAY,
    T_BROKEN,
    T_COUNT,
    T_PLACED,
    T_RESTING,
    T_STATE,
    T_TIGHT,
    T_WAITS,
    Broken,
    GroupState,
    wrapped,
)
from ai.formation.slot_following import RESTING, SEEKING
from game.systems.groups.group_forming import begin_group, enter, filled, place_in_slots, take_offsets, walls_near
from game.systems.groups.march import fight_in_formation, group_right_of_way
from game.systems.groups.march.encounters import met
from game.systems.groups.march.group_path_updates import ask_again, follow_edits, take_answer
from game.systems.groups.march.round_obstacles import part, rejoin
from game.systems.groups.membership import bury, members_of
from game.systems.groups.slot_arrangement import match, preferred, rally_of, spacing_of
from game.systems.groups.slot_places import places_for, slots_on_ground
from game.systems.groups.slots_by_arrival import aim_at_the_middle, receive
from game.systems.timeline_notes import note_groups
from game.world.groups.drill import Rally
from game.world.groups.movement_groups import Group
from game.world.orders import Order, OrderKind
from game.world.units import Event
from game.world.world import World

FIELDS_SHARE = 4
"""Inverse share of the groups' budget for shared fields, served before paths."""
BESIDE_STEP = 0.5
"""Largest shift in tiles off the path's middle between two judgements."""
AHEAD, NEARER = 0.5, 1.0
"""Progress in tiles that renews the wait for members behind.

The first number is the group's own progress, the second the average gain of the members towards their places.
"""
SETTLE_HEADING = 0.06
"""A group faces where it should within this, radians."""


def run(world: World) -> None:
    """Run one tick of all groups' decisions."""
    groups = world.groups
    bury(world)
    if not groups.rows:
        return
    budget, paths = world.settings.formation.budget, world.group_paths
    # The fields have their own share first: waiting wide paths would use up everything otherwise.
    paths.spent += groups.fields.serve(world.terrain, min(budget // FIELDS_SHARE, budget - paths.spent))
    for number, corners in paths.serve(world.terrain, budget, world.components, world.paths.engines):
        note_groups(world, Part.PATH, [number])
        take_answer(world, number, corners)
    paths.spent += groups.fields.serve(world.terrain, budget - paths.spent)
    follow_edits(world)
    fight_in_formation.look_out(world)
    group_right_of_way.give_way(world)
    num, tag = groups.num, groups.tag
    share, known = world.settings.formation.cruise, num[:, G_LIMIT] < 1e8
    state = tag[:, T_STATE].tolist()
    turns = world.turns.groups
    turns.period = world.settings.formation.adapt_every
    alive = {group.id for group in groups.rows.values()}
    for gone in [task for task in turns.times if task not in alive]:
        turns.remove(gone)
    for number in sorted(alive):
        turns.add(number)
    due, decided = set(turns.due(world.tick)), []
    for row in sorted(groups.rows, key=lambda row: groups.rows[row].id):
        group = groups.rows.get(row)
        if group is None or row >= len(state):
            continue  # halves have met, or have just been made
        if group.gaps:
            _close_up(world, group, row)
        elif state[row] == group.was and group.id not in due:
            continue  # not its turn, and nothing has happened to it
        num = groups.num
        if known[row]:
            most = num[row, G_LIMIT] if group.drill.slowest else num[row, G_FASTEST]
            num[row, G_CRUISE] = share * group.pace * most
        decided.append(group.id)
        _decide(world, group, row)
    note_groups(world, Part.DECIDE, decided)


def _decide(world: World, group: Group, row: int) -> None:
    num, tag, settings = world.groups.num[row], world.groups.tag[row], world.settings.formation
    state = GroupState(int(tag[T_STATE]))
    if state != group.was:
        # The entity itself has reached the end of its path.
        group.was, group.since = int(state), world.tick
    age = world.tick - group.since
    if len(group.expected):
        late = state == GroupState.SETTLING and age >= most_ticks_to_settle(world, group) // 2
        receive(world, group, row, everybody=late or state not in (GroupState.FORMING, GroupState.SETTLING))
    if state == GroupState.FORMING and group.awaits >= 0:
        if world.group_paths.answered(group.awaits):  # the group that asked for it has ended
            group.awaits = -1
            ask_again(world, group, row)
    elif state == GroupState.FORMING:
        if not tag[T_TIGHT]:
            tag[T_TIGHT] = walls_near(group, float(num[G_ALONG]), float(num[G_DEPTH]), float(num[G_HALF]))
        # Through a narrow place one by one takes as long as there are members.
        patience = max(settings.form_patience, group.patience) + (
            8 * int(tag[T_COUNT]) if tag[T_BROKEN] == Broken.CHOKE else 0
        )
        if age >= 5 and (filled(world, group, row) or age >= patience):
            receive(world, group, row, everybody=True)
            enter(world, group, row, GroupState.MARCHING)
    elif state == GroupState.MARCHING:
        _lose_patience(world, group, row)
        _adapt(world, group, row)
    elif state == GroupState.SETTLING:
        _settle(world, group, row, age)


def _lose_patience(world: World, group: Group, row: int) -> None:
    """Go on without members behind that come no nearer.

    Once they catch up, the group waits for them again.
    """
    num, tag = world.groups.num[row], world.groups.tag[row]
    along, error = float(num[G_ALONG]), float(num[G_ERROR])
    if along > group.waited_at[0] + AHEAD or error < group.waited_at[1] - NEARER or group.waited_since < group.since:
        group.waited_at, group.waited_since = (along, error), world.tick
    elif tag[T_BROKEN] == Broken.WAITING:
        group.waited_since = world.tick  # it waits for another group now
    elif world.tick - group.waited_since >= world.settings.formation.form_patience:
        tag[T_WAITS] = 0
    if error < 0.5 * num[G_SPACING]:
        tag[T_WAITS] = world.settings.formation.wait and group.drill.slowest


def family_of(world: World, group: Group) -> np.ndarray:
    """Return the group's usable formations, a row a preferred slot.

    They follow from its drill and number.
    """
    if group.family is None:
        group.family = family(preferred(world, group), spacing_of(world, group.drill, members_of(world, group)))
    return group.family


def _adapt(world: World, group: Group, row: int) -> None:
    """Judge the fifteen candidates and take a step towards the best.

    The speed of that candidate becomes the group's.
    """
    u, num, tag = world.units, world.groups.num[row], world.groups.tag[row]
    slots = members_of(world, group)
    if group.path is None or not len(slots):
        return
    now = np.column_stack([u.slot_f[slots], u.slot_r[slots] - group.beside, u.slot_a[slots]])
    settings = world.settings.formation
    if not settings.adapt:
        tag[T_TIGHT] = walls_near(group, float(num[G_ALONG]), float(num[G_DEPTH]), float(num[G_HALF]))
        return
    aims = family_of(world, group)[:, group.taken]
    told = judge(
        now, aims, group.path, float(num[G_ALONG]), float(num[G_CRUISE]), float(u.radius[slots].max()),
        spacing_of(world, group.drill, slots), group.aimed, met(world, group, row), group.beside,
    )  # fmt: skip
    if told.tight and world.settings.formation.part and part(world, group, row):
        return
    if told.best // 3 != group.aimed:
        _explain(world, group, told.costs, told.best)
    shape = group.aimed = told.best // 3
    if shape and told.tight and np.ptp(aims[shape][:, 0]) > settings.longest and _pour(world, group, row, slots):
        return
    offsets = blend(now, aims, told.best)
    if np.abs(offsets - now).max(initial=0.0) < 0.02:
        offsets = now.copy()
    group.beside += min(max(told.sidestep - group.beside, -BESIDE_STEP), BESIDE_STEP)
    offsets[:, 1] += group.beside
    take_offsets(world, group, row, slots, offsets)
    num[G_CRUISE] = min(float(num[G_CRUISE]), told.speed)
    if tag[T_BROKEN] == Broken.WAITING and num[G_STOP] < 1e8:
        pass
    else:
        path = Broken.CHOKE if told.tight else Broken.PASSING
        whole = Broken.NO if group.reunion < 0 else Broken.OBSTACLE
        tag[T_BROKEN] = path if shape or told.sidestep else Broken.COMBAT if tag[T_AWAY] else whole
    world.groups.judged[row] = {
        "costs": told.costs,
        "speed": told.speed_lost,
        "collision": told.collision,
        "shape": told.shape,
        "boxes": told.boxes,
        "best": np.array([told.best]),
    }


SHAPES = ("its own shape", "a narrower shape", "a narrow shape", "two files", "one file")
SIDES = ("a step to the left", "straight on", "a step to the right")


def _explain(world: World, group: Group, costs: np.ndarray, best: int) -> None:
    """Record a change of shape: candidate costs enter the decision ring, best scores highest."""
    names = [f"{SHAPES[k // 3]}, {SIDES[k % 3]}" for k in range(np.size(costs))]
    scores = (1.0 / (1.0 + np.maximum(np.ravel(costs), 0.0))).tolist()
    world.trace.add(
        world.tick, int(group.members[0]), DECISION, f"leads its group in {SHAPES[best // 3]}",
        considered=list(zip(names, scores, strict=True)), winner=names[best], cause="what is ahead of the group",
        since=world.tick, function="game.systems.groups.march.marching._adapt",
    )  # fmt: skip


def _pour(world: World, group: Group, row: int, slots: np.ndarray) -> bool:
    """Break the group before a narrow place that would make its column too long.

    The group waits in its own shape behind the place. Members come through each on its own path, those nearest
    first, and form again on the other side.
    """
    num, tag = world.groups.num[row], world.groups.tag[row]
    table = preferred(world, group)
    assert group.path is not None
    half = table.width / 2.0 + 0.15
    stretch = narrow_stretch(group.path, float(num[G_ALONG]) - table.depth / 2.0, half, half)
    if stretch is None:
        return False
    beyond = stretch[1] + table.depth / 2.0 + 1.5
    num[G_SPEED] = 0.0
    group.aimed = 0
    tag[T_BROKEN] = Broken.CHOKE
    end = group.path.length + float(num[G_BEHIND])
    at = np.arange(len(group.path.points)) * group.path.step
    points = group.path.points
    if beyond >= end - 1.0:
        num[G_ALONG] = end
        num[G_X], num[G_Y] = np.interp(end, at, points[:, 0]), np.interp(end, at, points[:, 1])
        num[G_HEADING] = num[G_FACING]
        place_in_slots(world, group, row, slots, table)
        enter(world, group, row, GroupState.SETTLING)
        take_places(world, group, row)
        return True
    num[G_ALONG] = beyond
    num[G_X], num[G_Y] = np.interp(beyond, at, points[:, 0]), np.interp(beyond, at, points[:, 1])
    k = min(int(beyond / group.path.step), len(points) - 3)
    ahead = points[k + 2] - points[k]
    num[G_HEADING] = math.atan2(ahead[1], ahead[0])
    place_in_slots(world, group, row, slots, table)
    enter(world, group, row, GroupState.FORMING)
    return True


def _settle(world: World, group: Group, row: int, age: int) -> None:
    """Settle at the destination: wheel, take the places, finish once all members rest."""
    u, num, tag = world.units, world.groups.num[row], world.groups.tag[row]
    settings = world.settings.formation
    if group.reunion >= 0:
        tag[T_BROKEN] = Broken.OBSTACLE
        rejoin(world, group, row, age)
        return
    tag[T_BROKEN] = Broken.NO
    facing_there = abs(wrapped(float(num[G_FACING]) - float(num[G_HEADING]))) < SETTLE_HEADING
    waited = age >= settings.settle_patience // 2
    if not tag[T_PLACED] and (
        facing_there or waited or (age <= settings.adapt_every and _walled_in(world, group, row))
    ):
        take_places(world, group, row)
        return
    if not tag[T_PLACED]:
        # While it wheels, it opens out into its own shape.
        slots = members_of(world, group)
        aims = family_of(world, group)[0][group.taken]
        now = np.column_stack([u.slot_f[slots], u.slot_r[slots], u.slot_a[slots]])
        if np.abs(aims - now).max(initial=0.0) > 0.02:
            take_offsets(world, group, row, slots, now + (aims - now) * 0.5)
        return
    busy = int(tag[T_COUNT]) - int(tag[T_RESTING]) - int(tag[T_AWAY])
    late = age >= most_ticks_to_settle(world, group)
    if busy == 0 or (late and not _still_coming(world, group, age)):
        arrive(world, group, row)


PER_MEMBER = 60
"""Ticks per member after which a group counts as arrived in any case."""
STOPPED = 200
"""Ticks without crowd progress after which the group stops waiting for a member."""


def _still_coming(world: World, group: Group, age: int) -> bool:
    """Return True if a member still moves in a crowd that makes progress.

    An example is a queue before a door.
    """
    u, slots = world.units, members_of(world, group)
    if age >= most_ticks_to_settle(world, group) + PER_MEMBER * len(slots):
        return False
    coming = slots[(u.moving[slots] == 1) & (u.slot_mode[slots] != RESTING)]
    coming = coming[coming < len(world.steering.still)]
    return bool((world.steering.still[coming] < STOPPED).any())


def most_ticks_to_settle(world: World, group: Group) -> int:
    """Return ticks after which a group has arrived though some members still move.

    Members that go there alone may have a long path.
    """
    most = world.settings.formation.settle_patience
    return max(most, 2 * group.patience) if rally_of(world, group.drill) == Rally.DESTINATION else most


def _walled_in(world: World, group: Group, row: int) -> bool:
    """Return true if walls surround the members' final places.

    Then there is no room to wheel as one: members on the wing would push along the wall until the others have
    come round.
    """
    num = world.groups.num[row]
    table, terrain, components = preferred(world, group), world.terrain, world.components
    x, y, facing = float(num[G_X]), float(num[G_Y]), float(num[G_FACING])
    raw = place(table, x, y, facing)
    label = components.label(group.movement_class, int(y), int(x))
    return bool((slots_on_ground(terrain, components, group.movement_class, label, table, x, y, facing) != raw).any())


def take_places(world: World, group: Group, row: int) -> None:
    """Assign each member a place on free ground about the group's position."""
    u, num, tag = world.units, world.groups.num[row], world.groups.tag[row]
    slots = members_of(world, group)
    table = preferred(world, group)
    label = world.components.label(group.movement_class, int(num[G_Y]), int(num[G_X]))
    there = places_for(
        world, slots, group.movement_class, label, table, float(num[G_X]), float(num[G_Y]), float(num[G_FACING])
    )
    num[G_HEADING] = num[G_FACING]
    here = np.column_stack([u.x[slots], u.y[slots]])
    kept = there[group.taken]
    # A member at its place keeps it; places are assigned again only when ranks got mixed up.
    if float(np.hypot(*(here - kept[:, :2]).T).mean()) > 1.5 * spacing_of(world, group.drill, slots):
        group.taken = match(world, group, slots, table, there)
        kept = there[group.taken]
    offsets = np.column_stack([table.forward, table.right, table.facing])[group.taken]
    take_offsets(world, group, row, slots, offsets)
    group.spots = there if len(group.expected) else there[:0]
    u.slot_x[slots], u.slot_y[slots] = kept[:, 0], kept[:, 1]
    u.goal_x[slots], u.goal_y[slots] = kept[:, 0], kept[:, 1]
    u.ordered_x[slots], u.ordered_y[slots] = kept[:, 0], kept[:, 1]
    at_rest = u.slot_mode[slots] == RESTING
    u.slot_mode[slots[at_rest]] = SEEKING
    tag[T_PLACED] = 1
    aim_at_the_middle(world, group, row)


def arrive(world: World, group: Group, row: int) -> None:
    """Finish the order of all members at once; a patrol turns about."""
    u = world.units
    slots = members_of(world, group)
    if (
        group.order == OrderKind.PATROL
        and not group.done
        and not any(i in world.queues for i in group.members.tolist())
    ):
        _turn_about(world, group, slots)
        return
    enter(world, group, row, GroupState.STANDING)
    world.groups.num[row, G_SPEED] = 0.0
    if not group.done:
        group.done = True
        u.event[slots] |= int(Event.ARRIVED)
        u.moving[slots] = 0
        u.slot_mode[slots] = RESTING
        u.slot_gap[slots] = np.hypot(u.slot_x[slots] - u.x[slots], u.slot_y[slots] - u.y[slots])


def _turn_about(world: World, group: Group, slots: np.ndarray) -> None:
    """Turn a patrol about: the next leg leads back to the order's starting place."""
    ids, goal = tuple(group.members.tolist()), group.goal
    begin_group(world, slots, Order(group.order, group.side, ids, *group.back, facing=group.told))
    rows = np.unique(world.units.band[slots])
    for row in rows[rows >= 0].tolist():
        world.groups.rows[row].back = goal


def _close_up(world: World, group: Group, row: int) -> None:
    """Close up after losses: the slots of greatest weight are filled first."""
    num, tag = world.groups.num[row], world.groups.tag[row]
    slots = members_of(world, group)
    group.family, group.gaps = None, False
    if tag[T_PLACED]:
        table = preferred(world, group)
        group.taken = match(world, group, slots, table, slots_on_ground(
            world.terrain, world.components, group.movement_class,
            world.components.label(group.movement_class, int(num[G_Y]), int(num[G_X])), table,
            float(num[G_X]), float(num[G_Y]), float(num[G_HEADING]),
        ))  # fmt: skip
        take_places(world, group, row)
        if world.groups.state(row) == GroupState.STANDING:
            world.units.moving[slots] = 0
    else:
        place_in_slots(world, group, row, slots, preferred(world, group))
        if world.groups.state(row) == GroupState.MARCHING:
            _adapt(world, group, row)
    if tag[T_STATE] != GroupState.STANDING:
        tag[T_BROKEN] = Broken.LOSSES


TECHNIQUES = (
    {
        "slug": "choke-pouring",
        "name": "Break at a choke point and rally behind it",
        "ids": ("AW-5.6-8",),
        "source": "AI Game Programming Wisdom, 5.6",
        "functions": ("_pour", "run"),
        "test": "tests/game/systems/groups/march/test_choke_pouring.py",
        "exhibit": "levels/exhibits/motion/gate_200.toml",
        "overlay": "group",
        "setting": "formation.longest",
        "measure": "inside",
        "direction": "up",
        "claim": (
            "The group breaks before a choke and forms again behind it; waiting in part before it and other paths "
            "are left out. Splitting round obstacles is a row of its own; in combat a group wheels as one."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
