"""Stage plan: the path manager serves requests under its budget.

Its news come back as events.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.paths.requests.request_columns import Phase
from ai.paths.update_context import PathUnits
from game.systems.groups.march import marching
from game.systems.movement import crowding, sneaking
from game.systems.timeline_notes import note_paths
from game.world.orders import OrderKind
from game.world.passage_claims import GOES
from game.world.units import Event
from game.world.world import World


def run(world: World) -> None:
    """Pass cancellations and requests to the path manager and update it.

    Stuck units get a new search. Units that arrived or lost their path get an event.
    """
    u, n, paths = world.units, world.units.count, world.paths
    if not n:
        return
    world.components.update(world.terrain)
    marching.run(world)
    if world.paths_to_cancel:
        paths.cancel(u.slots(sorted(set(world.paths_to_cancel))), world.tick)
        world.paths_to_cancel = []
    asking = np.flatnonzero((u.path_request[:n] == 1) & (u.alive[:n] == 1))
    u.path_request[:n] = 0
    if len(asking):
        goals = np.column_stack([np.floor(u.goal_y[asking]), np.floor(u.goal_x[asking])]).astype(np.int32)
        at = u.ordered_at[asking]
        ordered_at = np.where((at >= 0)[:, None], np.column_stack(np.divmod(at, world.terrain.width)), goals)
        favoured = u.side[asking] == 0
        points = _own_points(world, asking, goals)
        paths.request(asking, u.id[asking], goals, u.movement_class[asking], world.tick, favoured, ordered_at, points)
    u.ordered_at[:n] = -1
    if not world.settings.paths.futility:
        again = world.settings.steering.blocked_ticks
        stuck = (u.stuck[:n] > 0) & (u.stuck[:n] % max(1, again) == 0) & (u.moving[:n] == 1)
        paths.replan(np.flatnonzero(stuck), world.tick)
    idle = (u.moving[:n] == 0) & (paths.requests.phase[:n] != Phase.IDLE) if paths.requests.capacity >= n else None
    if idle is not None and idle.any():
        paths.cancel(np.flatnonzero(idle), world.tick)
    world.passages.reserve(n)
    crowding.run(world)
    standing = ((u.alive[:n] == 1) & (u.moving[:n] == 0)).astype(np.uint8)
    world.steering.reserve(n)
    still = world.steering.still
    waits = world.passages.act[:n] != GOES
    queued = world.steering.queued[:n]
    bodies = PathUnits(standing, u.stuck[:n], u.side[:n], u.speed[:n], waits, still[:n], queued)
    news = paths.update(
        world.terrain, world.components, u.x[:n], u.y[:n], world.tick, world.settings.paths, bodies,
        world.group_paths.settle() + world.sneak_line.settle(world.settings.rules.sneak_budget),
    )  # fmt: skip
    note_paths(world)
    _follow_goals(world)
    if world.sneaks:
        sneaking.follow(world)
    if len(news.arrived):
        u.moving[news.arrived] = 0
        u.event[news.arrived] |= int(Event.ARRIVED)
    if len(news.lost):
        u.moving[news.lost] = 0
        u.event[news.lost] |= int(Event.PATH_LOST)
        for slot in news.lost.tolist():
            world.happen("gave_up", int(u.id[slot]), text=_why_lost(world, slot))


def _own_points(world: World, slots: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Return the points (x, y) at which paths to ``goals`` end.

    NaN stands for the centre of the tile. An order that names a place for each unit is kept to the point. A mind that
    sends its unit to another tile meanwhile asks for the centre.
    """
    u = world.units
    points = np.column_stack([u.ordered_x[slots], u.ordered_y[slots]])
    own = (u.order[slots] == OrderKind.MOVE_EACH) & (np.floor(points) == goals[:, ::-1]).all(axis=1)
    points[~own] = np.nan
    return points


def _why_lost(world: World, slot: int) -> str:
    """Return the message for a lost path.

    Either the terrain has no path, or other units block it.
    """
    u, t = world.units, world.terrain
    here = math.floor(u.y[slot]), math.floor(u.x[slot])
    there = math.floor(u.goal_y[slot]), math.floor(u.goal_x[slot])
    inside = all(0 <= y < t.height and 0 <= x < t.width for y, x in (here, there))
    open_ground = inside and world.components.reachable(int(u.movement_class[slot]), *here, *there)
    return "it cannot get through the crowd" if open_ground else "no path there"


def _follow_goals(world: World) -> None:
    """Write the goals of path requests into the goal columns.

    The goal of a request is the reachable tile nearest to the ordered one, or the unit's own point in it.
    """
    u, requests = world.units, world.paths.requests
    n = min(world.units.count, requests.capacity)
    write_goals(n, requests.phase, u.moving, requests.goal, world.paths.store.end_point, u.goal_x, u.goal_y)


@kernel("void(int64, uint8[::1], uint8[::1], int32[:,::1], float64[:,::1], float64[::1], float64[::1])")
def write_goals(
    count: int,
    phase: np.ndarray,
    moving: np.ndarray,
    goal: np.ndarray,
    end_point: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
) -> None:
    """Write the end of each path into the goal columns.

    The end is ``end_point`` if it lies in tile ``goal``, else the centre of that tile. ``goal`` is int32[n, 2] (y, x),
    ``end_point`` float64[n, 2] (x, y) in tiles. Only units that move on a request (``phase`` not 0) are written.
    """
    for i in range(count):
        if phase[i] != 0 and moving[i] == 1 and goal[i, 0] >= 0:
            goal_x[i] = goal[i, 1] + 0.5
            goal_y[i] = goal[i, 0] + 0.5
            if np.floor(end_point[i, 0]) == goal[i, 1] and np.floor(end_point[i, 1]) == goal[i, 0]:
                goal_x[i] = end_point[i, 0]
                goal_y[i] = end_point[i, 1]
