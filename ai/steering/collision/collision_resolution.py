"""Collision resolution: shortens steps at bodies and walls, then separates overlaps.

Each unit of a pair may use half of the gap between them. So bodies that were apart stay apart, although every unit
knows only the positions of the last tick. The rest of the step slides along the contact.

Then sweeps push each overlapping pair apart along the line of its centres, shared by mass; walls come last. Every sweep
reads the positions of the sweep before and writes new ones (Jacobi), so the order of units does not matter.

Source: impenetrability after locomotion, "Nonplayer character control" (Journal of Game Development 1(1)).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.steering.collision.progress import same_goal
from ai.steering.settings_columns import P_DT, P_IDLE_MASS, P_SWEEPS
from ai.steering.spatial_hash import CONTACT_REACH, HOLDS, MOVES, S_R, S_VX, S_VY, S_X, S_Y, SpatialHash
from ai.steering.tile_surroundings import slide_roomy
from ai.steering.wall_collision import slide, tile_open

SLACK = 1e-3
"""Extra gap after a separation, tiles.

With it the next tick finds no contact.
"""


AT_X, AT_Y, TO_X, TO_Y, MASS = 0, 1, 2, 3, 4
"""Rows of the scratch array: positions before and after a sweep, masses."""

YIELD = 0.02
"""Step in tiles that a moving unit may take into an idle unit.

The idle unit has another goal; the sweeps then push it aside.
"""


@device
def cut_step(
    j: int,
    dx: float,
    dy: float,
    dt: float,
    order: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    body: np.ndarray,
    marks: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
) -> tuple[float, float]:
    """Shorten a step so that every neighbour keeps its half of the gap.

    The rest of the step slides along contacts.
    """
    left = 1.0
    for turn in range(3):
        left = 1.0
        cut = False
        # Skip neighbours that are too far for this step and those that the step leads away from.
        far = body[S_R, j] + 2.0 * math.sqrt(dx * dx + dy * dy) + 1e-9
        for k in range(contact_count[j]):
            q = contacts[j, k]
            nx = body[S_X, q] - body[S_X, j]
            ny = body[S_Y, q] - body[S_Y, j]
            if dx * nx + dy * ny <= 0.0:
                continue
            d = nx * nx + ny * ny
            reach = far + body[S_R, q]
            if d > reach * reach:
                continue
            d = math.sqrt(d)
            if d < 1e-9:
                continue
            nx /= d
            ny /= d
            gap = d - body[S_R, j] - body[S_R, q]
            if marks[q] & HOLDS:
                room = max(0.0, gap)
            elif marks[q] & MOVES:
                # Half of the gap, and half of the distance by which the other moves away.
                away = body[S_VX, q] * nx + body[S_VY, q] * ny
                room = 0.5 * max(0.0, gap + max(0.0, away * dt))
            else:
                room = max(0.0, gap)
                if marks[j] & MOVES and not same_goal(order[j], order[q], goal_x, goal_y):
                    room += YIELD
            into = dx * nx + dy * ny
            if into > room:
                cut = True
                if turn < 2:
                    dx -= (into - room) * nx
                    dy -= (into - room) * ny
                else:
                    left = min(left, room / into)
        if not cut:
            break
    return dx * left, dy * left


@device
def publish_step(
    i: int,
    nx: float,
    ny: float,
    dt: float,
    holding: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    new_x: np.ndarray,
    new_y: np.ndarray,
    new_vx: np.ndarray,
    new_vy: np.ndarray,
    speed: np.ndarray,
) -> None:
    """Write a position and the velocity that led to it."""
    new_x[i] = nx
    new_y[i] = ny
    if not holding[i]:
        ux = (nx - x[i]) / dt
        uy = (ny - y[i]) / dt
        v = math.sqrt(ux * ux + uy * uy)
        s = speed[i] / v if v > speed[i] else 1.0
        new_vx[i] = ux * s
        new_vy[i] = uy * s


@kernel(
    "void(int64, int64, uint8[:,::1], uint8[:,:,::1], uint8[::1], float64[::1], uint8[::1], int32[::1], int32[::1],"
    " float64[:,::1], uint8[::1], float64[::1], int32[:,::1], int32[::1], uint8[::1], uint8[::1], uint8[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[:,::1])"
)
def cut_steps(
    first: int,
    last: int,
    passable: np.ndarray,
    around: np.ndarray,
    roomy: np.ndarray,
    p: np.ndarray,
    wishing: np.ndarray,
    order: np.ndarray,
    rank: np.ndarray,
    body: np.ndarray,
    marks: np.ndarray,
    radius: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    movement_class: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    new_x: np.ndarray,
    new_y: np.ndarray,
    new_vx: np.ndarray,
    new_vy: np.ndarray,
    speed: np.ndarray,
    work: np.ndarray,
) -> None:
    """Shorten steps of slots ``first`` to ``last - 1`` at bodies and walls.

    Only units marked in ``wishing`` are treated. Units without a contact are published at once. The positions of the
    others go to the scratch array ``work`` float64[5, >= living] in cell order, for the sweeps. ``around`` is
    :func:`ai.steering.tile_surroundings.look_around` of ``passable``.
    """
    dt = p[P_DT]
    for i in range(first, last):
        if not wishing[i]:
            continue
        j = rank[i]
        alone = contact_count[j] == 0
        dx = new_x[i] - x[i]
        dy = new_y[i] - y[i]
        cx = x[i]
        cy = y[i]
        if dx != 0.0 or dy != 0.0:
            bit = 1 << movement_class[i]
            if not roomy[i] and not tile_open(passable, bit, math.floor(y[i]), math.floor(x[i])):
                cx = new_x[i]  # just moved out of a wall: no step to shorten
                cy = new_y[i]
            else:
                if not alone:
                    dx, dy = cut_step(j, dx, dy, dt, order, contacts, contact_count, body, marks, goal_x, goal_y)
                cx, cy = slide_roomy(passable, around, roomy[i] != 0, bit, x[i], y[i], dx, dy, radius[i])
        if alone:
            publish_step(i, cx, cy, dt, holding, x, y, new_x, new_y, new_vx, new_vy, speed)
        else:
            work[AT_X, j] = cx
            work[AT_Y, j] = cy
            work[MASS, j] = 1e9 if holding[i] else (1.0 if moving[i] else p[P_IDLE_MASS])


@kernel(
    "void(int64, int64, uint8[:,::1], int64[::1], int32[::1], int32[::1], float64[:,::1], uint8[::1], float64[::1],"
    " int32[:,::1], int32[::1], uint8[::1], float64[:,::1], uint8[::1])"
)
def part(
    first: int,
    last: int,
    passable: np.ndarray,
    rows: np.ndarray,
    ids: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    marks: np.ndarray,
    radius: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    movement_class: np.ndarray,
    work: np.ndarray,
    pushed: np.ndarray,
) -> None:
    """Run one separation sweep over the rows ``rows[first:last]`` of the spatial hash.

    A unit that overlaps another gets a new position and 1 in ``pushed``.
    """
    cx = work[AT_X]
    cy = work[AT_Y]
    mass = work[MASS]
    for n in range(first, last):
        j = rows[n]
        if marks[j] & HOLDS:
            continue
        sx = 0.0
        sy = 0.0
        m = 0
        for k in range(contact_count[j]):
            q = contacts[j, k]
            dx = cx[j] - cx[q]
            dy = cy[j] - cy[q]
            reach = body[S_R, j] + body[S_R, q] + SLACK
            d2 = dx * dx + dy * dy
            if d2 < reach * reach:
                share = mass[q] / (mass[j] + mass[q])
                d = math.sqrt(d2)
                if d > 1e-9:
                    s = (reach - d) / d * share
                    sx += dx * s
                    sy += dy * s
                else:
                    sx += reach * share if ids[j] < ids[q] else -reach * share
                m += 1
        if m > 0:
            # The sum over many contacts would overshoot; a row of discs needs half of it.
            s = 1.0 if m == 1 else 2.0 / (m + 1)
            sx *= s
            sy *= s
            d = math.sqrt(sx * sx + sy * sy)
            if d > 0.5 * CONTACT_REACH:
                sx *= 0.5 * CONTACT_REACH / d
                sy *= 0.5 * CONTACT_REACH / d
            i = order[j]
            work[TO_X, j], work[TO_Y, j], _ = slide(passable, 1 << movement_class[i], cx[j], cy[j], sx, sy, radius[i])
            pushed[j] = 1


@kernel("int64(int64[::1], int64, int32[:,::1], int32[::1], uint8[::1], uint8[::1], float64[:,::1], int64[::1])")
def accept(
    rows: np.ndarray,
    count: int,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    pushed: np.ndarray,
    listed: np.ndarray,
    work: np.ndarray,
    again: np.ndarray,
) -> int:
    """Take over the positions of a sweep and list the next rows.

    The next sweep treats ``again``: the pushed units and their contacts, because nothing changed for the others.
    Returns their number. ``listed`` is a scratch array of zeros.
    """
    n = 0
    for k in range(count):
        j = rows[k]
        if pushed[j] == 0:
            continue
        pushed[j] = 0
        work[AT_X, j] = work[TO_X, j]
        work[AT_Y, j] = work[TO_Y, j]
        for c in range(-1, contact_count[j]):
            q = j if c < 0 else np.int64(contacts[j, c])
            if listed[q] == 0:
                listed[q] = 1
                again[n] = q
                n += 1
    for k in range(n):
        listed[again[k]] = 0
    return n


@kernel(
    "void(int64, int64, int64[::1], float64, int32[::1], uint8[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[:,::1])"
)
def publish(
    first: int,
    last: int,
    rows: np.ndarray,
    dt: float,
    order: np.ndarray,
    holding: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    new_x: np.ndarray,
    new_y: np.ndarray,
    new_vx: np.ndarray,
    new_vy: np.ndarray,
    speed: np.ndarray,
    work: np.ndarray,
) -> None:
    """Publish the positions after the sweeps for the rows ``rows[first:last]``."""
    for n in range(first, last):
        j = rows[n]
        publish_step(order[j], work[AT_X, j], work[AT_Y, j], dt, holding, x, y, new_x, new_y, new_vx, new_vy, speed)


def correct(
    spatial_hash: SpatialHash,
    threads: int,
    passable: np.ndarray,
    around: np.ndarray,
    roomy: np.ndarray,
    p: np.ndarray,
    wishing: np.ndarray,
    radius: np.ndarray,
    movement_class: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    new_x: np.ndarray,
    new_y: np.ndarray,
    new_vx: np.ndarray,
    new_vy: np.ndarray,
    speed: np.ndarray,
    work: np.ndarray,
) -> None:
    """Resolve collisions of the proposed positions ``new_x, new_y`` in place.

    Only units marked in ``wishing`` uint8[slots] are treated. ``work`` float64[5, >= living] is a scratch array. A
    unit's velocity becomes its real motion of this tick, so that others predict it correctly.
    """
    lat, pool = spatial_hash, spatial_hash.pool
    pool.run(
        cut_steps, len(x), threads, passable, around, roomy, p, wishing, lat.order, lat.rank, lat.body, lat.marks,
        radius, lat.contacts, lat.contact_count, movement_class, moving, holding, goal_x, goal_y, x, y, new_x, new_y,
        new_vx,
        new_vy, speed, work,
    )  # fmt: skip
    near = np.flatnonzero(lat.contact_count[: lat.count])
    pushed, listed = np.zeros((2, lat.count), np.uint8)
    rows, again, count = near, np.empty(lat.count, np.int64), len(near)
    for _ in range(int(p[P_SWEEPS])):
        pool.run(
            part, count, threads, passable, rows, lat.ids, lat.order, lat.body, lat.marks, radius, lat.contacts,
            lat.contact_count, movement_class, work, pushed,
        )  # fmt: skip
        done, rows = rows, again
        count = accept(done, count, lat.contacts, lat.contact_count, pushed, listed, work, rows)
        if count == 0:
            break
        again = np.empty(lat.count, np.int64) if done is near else done
    pool.run(
        publish, len(near), threads, near, float(p[P_DT]), lat.order, holding, x, y, new_x, new_y, new_vx, new_vy,
        speed, work,
    )  # fmt: skip


TECHNIQUES = (
    {
        "slug": "impenetrable-bodies",
        "name": "Collision resolution of bodies and walls",
        "ids": ("JOGD-4.7",),
        "source": "Journal of Game Development 1(1), nonplayer character control; mesh movement",
        "functions": ("cut_step", "correct"),
        "test": "tests/ai/steering/collision/test_collision_resolution.py",
        "exhibit": "levels/exhibits/motion/crossing_crowds.toml",
        "overlay": "motion",
        "setting": "steering.sweeps",
        "measure": "overlapped",
        "direction": "down",
        "claim": "On tiles and discs in place of a mesh; the rest of a step slides along the wall.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
