"""Groups in the steer stage: measure members, advance entities, send members to slots.

Three kernel calls serve all groups and all units. Members read their group's row; the group reads the state of
its members in the tick before.
"""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.update_timeline import Part
from ai.formation.group_entity import T_ASTRAY, T_FIRST, T_PLACED, T_STATE, GroupState, advance_groups, measure_groups
from ai.formation.slot_following import AWAY, BY_FIELD, OWN_WAY, RESTING, lead_members
from ai.steering.steering_columns import Waypoints
from game.systems.groups import companies
from game.systems.timeline_notes import note_groups
from game.world.units import Event
from game.world.world import World

MARGIN = 0.32
"""Tiles that slots keep from walls."""

SHUNT = 4.0
"""Distance in tiles to its place below which a vehicle turns on the spot.

Driving circles, it would never get in between the others.
"""

STUCK_NEAR, STUCK_TICKS = 3.0, 40
"""Tiles from its place and ticks without progress after which a member has arrived."""

_LEFT_TO_THE_GROUP = np.uint32(0xFFFFFFFF & ~int(Event.BLOCKED | Event.ARRIVED | Event.PATH_LOST))


def lead(world: World, path: Waypoints) -> None:
    """Fill the waypoints and speeds of all members of groups."""
    groups, u, n = world.groups, world.units, world.units.count
    if not groups.rows:
        return
    lay_paths(world)
    settings = world.settings
    was = groups.num.copy(), groups.tag.copy()
    measure_groups(
        u.next_id,
        u.slot_of,
        u.alive,
        u.band,
        u.slot_mode,
        u.x,
        u.y,
        u.speed,
        u.slot_x,
        u.slot_y,
        groups.num,
        groups.tag,
    )
    companies.keep_stations(world, *was)
    advance_groups(settings.steering.dt, groups.paths, groups.num, groups.tag)
    for part in (Part.STEER, Part.MOVE):
        note_groups(world, part, [group.id for group in groups.rows.values()])
    f = settings.formation
    p = np.array([settings.steering.dt, f.period, f.rest, f.leave, f.catch_up, f.straight, MARGIN])
    news = np.zeros(n, np.uint8)
    moves, boxes = groups.fields.pack(len(groups.tag), {group.id: row for row, group in groups.rows.items()})
    lead_members(
        world.tick, world.terrain.passable, p, groups.paths, groups.num, groups.tag, u.id[:n], u.alive[:n], u.band[:n],
        u.movement_class[:n], u.holding[:n], u.x[:n], u.y[:n], u.speed[:n], u.slot_f[:n], u.slot_r[:n], u.slot_a[:n],
        u.slot_gap[:n], u.slot_mode[:n], u.slot_x[:n], u.slot_y[:n], path.x, path.y, u.target[:n], u.moving[:n],
        u.goal_x[:n], u.goal_y[:n],
        u.turn_to[:n], news, moves, boxes, u.lead_x[:n], u.lead_y[:n],
    )  # fmt: skip
    done = np.flatnonzero(news == 2)
    if len(done):
        world.paths.cancel(done, world.tick)
        u.goal_x[done], u.goal_y[done] = u.ordered_x[done], u.ordered_y[done]
    lost = np.flatnonzero(news == 1)
    lost = _share_fields(world, lost) if len(lost) else lost
    if len(lost):
        u.goal_x[lost], u.goal_y[lost] = u.slot_x[lost], u.slot_y[lost]
        u.path_request[lost] = 1
        u.moving[lost] = 1
    led = (u.band[:n] >= 0) & (u.slot_mode[:n] != OWN_WAY)
    stands = (groups.tag[:, T_PLACED] == 1) | (groups.tag[:, T_STATE] == GroupState.FORMING)
    near = np.hypot(u.slot_x[:n] - u.x[:n], u.slot_y[:n] - u.y[:n]) < SHUNT
    path.shunts = led & near & np.append(stands, False)[u.band[:n]]
    path.has_next[led] = 0
    path.final[led] = 0


def _share_fields(world: World, lost: np.ndarray) -> np.ndarray:
    """Choose which members without a straight line to their slots take own paths.

    Where many members of a standing group have none, one field serves all of them.
    """
    groups, u = world.groups, world.units
    alone = np.ones(len(lost), bool)
    for row, count in zip(*np.unique(u.band[lost], return_counts=True), strict=True):
        group = groups.rows[int(row)]
        stands = groups.tag[row, T_PLACED] or groups.tag[row, T_STATE] in (GroupState.FORMING, GroupState.SETTLING)
        if (
            count + groups.tag[row, T_ASTRAY] < world.settings.formation.share_from
            or not stands
            or groups.fields.of(group.id) is not None
        ):
            continue
        members = u.slots(group.members)
        here, there = np.column_stack([u.x, u.y])[members], np.column_stack([u.slot_x, u.slot_y])[members]
        groups.fields.ask(world.terrain, group.id, group.movement_class, here, there)
        mine = u.band[lost] == row
        alone[mine] = False
        u.slot_mode[lost[mine]] = BY_FIELD
        u.lead_x[lost[mine]] = np.nan
    return lost[alone]


def lay_paths(world: World) -> None:
    """Lay all paths end to end in one array; rebuild it after a change."""
    groups = world.groups
    if groups.laid and len(groups.paths):
        return
    parts, first = [], 0
    for row in sorted(groups.rows):
        path = groups.rows[row].path
        groups.tag[row, T_FIRST] = first
        if path is not None:
            parts.append(path.points)
            first += len(path.points)
    for company in groups.companies:
        if company.row >= 0 and company.path is not None:
            groups.tag[company.row, T_FIRST] = first
            parts.append(company.path.points)
            first += len(company.path.points)
    groups.paths = np.ascontiguousarray(np.vstack(parts)) if parts else np.zeros((1, 2))
    groups.laid = True


def take_news(world: World) -> None:
    """Take the results of the move: members whose place is taken settle beside it.

    A group, not the mind, handles events that its members meet on the path.
    """
    groups, u, n = world.groups, world.units, world.units.count
    if not groups.rows:
        return
    inside = u.band[:n] >= 0
    placed = np.append(groups.tag[:, T_PLACED] == 1, False)[u.band[:n]]
    settled = world.steering.settled[:n] == 1 if len(world.steering.settled) >= n else np.zeros(n, bool)
    off = np.hypot(u.slot_x[:n] - u.x[:n], u.slot_y[:n] - u.y[:n])
    tired = (u.stuck[:n] >= STUCK_TICKS) & (off < STUCK_NEAR)
    rests = inside & placed & (settled | tired) & (u.slot_mode[:n] != AWAY)
    if rests.any():
        own = np.flatnonzero(rests & (u.slot_mode[:n] == OWN_WAY))
        if len(own):
            world.paths.cancel(own, world.tick)
        u.slot_mode[:n][rests] = RESTING
        u.slot_gap[:n][rests] = off[rests]
        u.moving[:n][rests] = 0
    standing = np.append(groups.tag[:, T_STATE] == GroupState.STANDING, False)[u.band[:n]]
    done = standing & (u.event[:n] & np.uint32(Event.ARRIVED) != 0) & _just_arrived(world)
    u.event[:n] = np.where(inside & ~done, u.event[:n] & _LEFT_TO_THE_GROUP, u.event[:n])


def _just_arrived(world: World) -> np.ndarray:
    """Return bool[count]: members of groups that arrived in this tick."""
    groups, u, n = world.groups, world.units, world.units.count
    new = np.zeros(len(groups.tag) + 1, bool)
    for row, group in groups.rows.items():
        new[row] = group.since == world.tick and group.done
    return new[u.band[:n]]
