"""Progress of units: detects arrival, settling and blocking.

Progress is distance covered along the path. A unit that was pushed back must first make up for it, and a new path alone
is no progress.

A unit whose destination is occupied settles. A few ticks without progress count as arrival beside a settled friend with
the same goal, or beside the unit that stands on the destination. So a crowd packs around a goal and comes to rest.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.steering.behaviours.waypoint_following import REACHED_GOAL
from ai.steering.settings_columns import (
    P_BLOCKED_TICKS,
    P_PACKING_RADIUS,
    P_PROGRESS_STEP,
    P_SETTLE_TICKS,
)
from ai.steering.spatial_hash import CONTACT_REACH

EVENT_ARRIVED = 2
EVENT_BLOCKED = 4
"""Bits of the event column, named as in ``game.world.units.Event``."""

FORGIVEN = 1.0
"""Largest distance in tiles that a pushed unit must make up.

After that its progress counts again.
"""

TOUCH = 0.15
"""Gap in tiles up to which a unit arrives beside a settled one."""


@device
def same_goal(i: int, o: int, goal_x: np.ndarray, goal_y: np.ndarray) -> bool:
    """Return True if two units have the same goal, within half a tile."""
    dx = goal_x[i] - goal_x[o]
    dy = goal_y[i] - goal_y[o]
    return dx * dx + dy * dy < 0.25


@kernel(
    "void(float64[::1], int32[::1], int32[::1], int32[:,::1], int32[::1], float64[:,::1], uint8[::1], uint8[::1],"
    " float64[::1], float64[::1], uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], int16[::1], uint8[::1], uint32[::1])"
)
def watch_progress(
    p: np.ndarray,
    order: np.ndarray,
    rank: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    body: np.ndarray,
    alive: np.ndarray,
    moving: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    final: np.ndarray,
    reached: np.ndarray,
    course_x: np.ndarray,
    course_y: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    new_x: np.ndarray,
    new_y: np.ndarray,
    lag: np.ndarray,
    stuck: np.ndarray,
    settled: np.ndarray,
    event: np.ndarray,
) -> None:
    """Count ticks without progress, settle blocked units at their goal, and set event bits.

    ``course`` is the unit vector along the path. ``lag`` is the distance behind the farthest point reached, tiles.
    ``settled`` gets 1 for units that arrived in this tick; the caller clears ``moving``. Bits are added to ``event``.
    """
    for i in range(x.size):
        if not alive[i]:
            continue
        settled[i] = 0
        if not moving[i]:
            stuck[i] = 0
            lag[i] = 0.0
            continue
        if final[i] and reached[i] == REACHED_GOAL:
            settled[i] = 1
            event[i] |= EVENT_ARRIVED
            stuck[i] = 0
            lag[i] = 0.0
            continue
        on = (new_x[i] - x[i]) * course_x[i] + (new_y[i] - y[i]) * course_y[i]
        lag[i] = min(lag[i] - on, FORGIVEN)
        if lag[i] < -p[P_PROGRESS_STEP]:
            lag[i] = 0.0
            stuck[i] = 0
        elif stuck[i] < 32000:
            stuck[i] += 1
        if stuck[i] >= int(p[P_SETTLE_TICKS]):
            hx = goal_x[i] - new_x[i]
            hy = goal_y[i] - new_y[i]
            home = math.sqrt(hx * hx + hy * hy)
            # A unit farther from the goal looks longer for a path round the units that came first.
            if home <= p[P_PACKING_RADIUS] and stuck[i] >= p[P_SETTLE_TICKS] * min(max(1.0, home), 3.0):
                j = rank[i]
                for k in range(contact_count[j]):
                    q = contacts[j, k]
                    o = order[q]
                    if moving[o]:
                        continue
                    reach = body[4, j] + body[4, q] + TOUCH
                    tx = new_x[o] - new_x[i]
                    ty = new_y[o] - new_y[i]
                    if tx * tx + ty * ty > reach * reach:
                        continue
                    # A friend that settled for the same goal, or any unit on the destination itself.
                    same = same_goal(i, o, goal_x, goal_y) and tx * hx + ty * hy > 0.0
                    px = new_x[o] - goal_x[i]
                    py = new_y[o] - goal_y[i]
                    taken = px * px + py * py < reach * reach and home < 2.0 * reach
                    if same or taken:
                        settled[i] = 1
                        event[i] |= EVENT_ARRIVED
                        stuck[i] = 0
                        lag[i] = 0.0
                        break
        if not settled[i] and stuck[i] > 0 and stuck[i] % int(p[P_BLOCKED_TICKS]) == 0:
            event[i] |= EVENT_BLOCKED


def connected_groups(x: np.ndarray, y: np.ndarray, radius: np.ndarray, wanting: np.ndarray) -> np.ndarray:
    """Return the group number of every unit, int64[n].

    Units that want to move share a group if gaps of at most ``CONTACT_REACH`` tiles connect them, directly or through
    others. This is the distance by which ``share_progress`` connects a crowd. Other units get -1. Groups are numbered
    by their first member. Only expectations call it, because it uses scipy.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    groups = np.full(len(x), -1, np.int64)
    want = np.flatnonzero(wanting)
    if not len(want):
        return groups
    points = np.column_stack([x[want], y[want]])
    pairs = cKDTree(points).query_pairs(2.0 * float(radius[want].max()) + CONTACT_REACH, output_type="ndarray")
    gap = np.hypot(*(points[pairs[:, 0]] - points[pairs[:, 1]]).T) - radius[want][pairs].sum(axis=1)
    pairs = pairs[gap <= CONTACT_REACH]
    links = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(want), len(want)))
    groups[want] = connected_components(links, directed=False)[1]
    return groups
