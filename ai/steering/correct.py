"""Position correction: steps cut short at bodies and walls, then sweeps that part what still overlaps.

Of the gap to a neighbour each of a pair may use half, so bodies that were apart stay apart whatever the other does,
though every unit knows only the last published places; the rest of the step slides along the contact.
Impenetrability after locomotion, walls last, as in "Nonplayer character control" (Journal of Game Development 1(1)):
each overlapping pair is pushed apart along the line of its centres, by shares that go by mass.  Every sweep reads the
places of the last one and writes new ones (Jacobi), so the order of units does not matter.
"""

from __future__ import annotations

import math

import numpy as np

from ai.kernels import device, kernel
from ai.steering.lattice import CONTACT_REACH, S_R, S_VX, S_VY, S_X, S_Y
from ai.steering.progress import same_goal
from ai.steering.settings import P_DT, P_IDLE_MASS, P_SWEEPS
from ai.steering.walls import slide, tile_open

SLACK = 1e-3
"""Bodies are parted by this much more than needed, tiles, so that the next tick does not find them touching."""


YIELD = 0.01
"""Step in tiles that a moving unit may take into an idle one with another goal, which the sweeps then push aside."""


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
    moving: np.ndarray,
    holding: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
) -> tuple[float, float]:
    """The part of a step that leaves every neighbour its half of the gap; slides along contacts."""
    left = 1.0
    for turn in range(3):
        left = 1.0
        for k in range(contact_count[j]):
            q = contacts[j, k]
            nx = body[S_X, q] - body[S_X, j]
            ny = body[S_Y, q] - body[S_Y, j]
            d = math.sqrt(nx * nx + ny * ny)
            if d < 1e-9:
                continue
            nx /= d
            ny /= d
            o = order[q]
            gap = d - body[S_R, j] - body[S_R, q]
            if holding[o]:
                room = max(0.0, gap)
            elif moving[o]:
                # Half the gap, and half of the way by which the other is leaving.
                away = body[S_VX, q] * nx + body[S_VY, q] * ny
                room = 0.5 * max(0.0, gap + max(0.0, away * dt))
            else:
                room = max(0.0, gap)
                if not same_goal(order[j], o, goal_x, goal_y):
                    room += YIELD
            into = dx * nx + dy * ny
            if into > room:
                if turn < 2:
                    dx -= (into - room) * nx
                    dy -= (into - room) * ny
                else:
                    left = min(left, room / into)
    return dx * left, dy * left


@kernel(
    "void(uint8[:,::1], float64[::1], int64, int32[::1], int32[::1], float64[:,::1], float64[::1], int32[:,::1],"
    " int32[::1], uint8[::1], uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], float64[:,::1])"
)
def correct(
    passable: np.ndarray,
    p: np.ndarray,
    count: int,
    ids: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    radius: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
    klass: np.ndarray,
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
    """Correct ``new_x, new_y`` in place; ``work`` float64[5, >= count] is scratch in lattice order.

    A unit's velocity becomes what it really did this tick, so that others foresee it truly.
    """
    dt = p[P_DT]
    sweeps = int(p[P_SWEEPS])
    cx = work[0]
    cy = work[1]
    nx = work[2]
    ny = work[3]
    mass = work[4]
    for j in range(count):
        i = order[j]
        mass[j] = 1e9 if holding[i] else (1.0 if moving[i] else p[P_IDLE_MASS])
        cx[j] = x[i]
        cy[j] = y[i]
    for j in range(count):
        i = order[j]
        dx = new_x[i] - x[i]
        dy = new_y[i] - y[i]
        if not tile_open(passable, 1 << klass[i], math.floor(y[i]), math.floor(x[i])):
            nx[j] = new_x[i]  # just put out of a wall: no step to cut
            ny[j] = new_y[i]
        elif dx != 0.0 or dy != 0.0:
            dx, dy = cut_step(j, dx, dy, dt, order, contacts, contact_count, body, moving, holding, goal_x, goal_y)
            nx[j], ny[j], _ = slide(passable, 1 << klass[i], x[i], y[i], dx, dy, radius[i])
        else:
            nx[j] = x[i]
            ny[j] = y[i]
    for j in range(count):
        cx[j] = nx[j]
        cy[j] = ny[j]
    for _ in range(sweeps):
        moved = False
        for j in range(count):
            if contact_count[j] == 0:
                continue
            nx[j] = cx[j]
            ny[j] = cy[j]
            i = order[j]
            if holding[i]:
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
                # Many contacts at once would overshoot; half of them is what a row of discs needs.
                s = 1.0 if m == 1 else 2.0 / (m + 1)
                sx *= s
                sy *= s
                d = math.sqrt(sx * sx + sy * sy)
                if d > 0.5 * CONTACT_REACH:
                    sx *= 0.5 * CONTACT_REACH / d
                    sy *= 0.5 * CONTACT_REACH / d
                nx[j], ny[j], _ = slide(passable, 1 << klass[i], cx[j], cy[j], sx, sy, radius[i])
                moved = True
        if not moved:
            break
        for j in range(count):
            if contact_count[j] > 0:
                cx[j] = nx[j]
                cy[j] = ny[j]
    for j in range(count):
        i = order[j]
        new_x[i] = cx[j]
        new_y[i] = cy[j]
        if not holding[i]:
            ux = (cx[j] - x[i]) / dt
            uy = (cy[j] - y[i]) / dt
            v = math.sqrt(ux * ux + uy * uy)
            s = speed[i] / v if v > speed[i] else 1.0
            new_vx[i] = ux * s
            new_vy[i] = uy * s
