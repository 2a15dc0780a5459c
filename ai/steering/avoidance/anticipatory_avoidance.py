"""Anticipatory avoidance by time to collision; also separation and social force.

Two discs are extrapolated linearly (Game AI Pro 2, chapter 19). The force points away from the point of contact and
grows as the contact comes nearer.

Two additions: a unit passes an oncoming unit on the right, which also breaks the deadlock of perfect symmetry without
random numbers. Units with the same centre separate along a direction that their ids decide.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel
from ai.steering.settings_columns import (
    P_AVOIDANCE,
    P_CALM,
    P_FORCE_CAP,
    P_HORIZON,
    P_IDLE_MASS,
    P_INTENT,
    P_PEER_HORIZON,
    P_PEER_SHARE,
    P_SEPARATION,
    P_SIDE_BIAS,
    P_SOCIAL_RANGE,
    P_SOCIAL_STRENGTH,
)
from ai.steering.spatial_hash import MAX_NEAREST, S_R, S_SX, S_SY, S_VX, S_VY, S_WX, S_WY, S_X, S_Y

FADING = 0.6
"""Share of a force that remains after a tick without a look."""

NEVER = 1e30
"""Time to collision of a pair that does not collide."""


@device
def time_to_collision(wx: float, wy: float, ux: float, uy: float, reach: float) -> float:
    """Return the seconds until two discs touch; 0 if they overlap, ``NEVER`` without contact.

    (wx, wy) is the offset from A to B, (ux, uy) the velocity of A minus that of B, ``reach`` the sum of the radii.
    """
    c = wx * wx + wy * wy - reach * reach
    if c < 0.0:
        return 0.0
    b = wx * ux + wy * uy
    if b <= 0.0:
        return NEVER
    disc = b * b - (ux * ux + uy * uy) * c
    if disc <= 0.0:
        return NEVER
    # The smaller root (b - sqrt(disc)) / a, without its cancellation.
    return c / (b + math.sqrt(disc))


@device
def ttc_force(
    wx: float,
    wy: float,
    vx: float,
    vy: float,
    ovx: float,
    ovy: float,
    reach: float,
    horizon: float,
    cap: float,
    side: float,
    lower_id: bool,
) -> tuple[float, float]:
    """Return the force of one neighbour on a unit, tiles/s2.

    The unit has velocity (vx, vy).

    The neighbour has offset (wx, wy) and velocity (ovx, ovy).
    """
    d2 = wx * wx + wy * wy
    if d2 < 1e-12:
        # Equal centres: the lower id leaves to the east, the other to the west.
        return (cap, 0.0) if lower_id else (-cap, 0.0)
    if d2 < reach * reach:
        # Overlapping bodies are treated as just small enough not to overlap (chapter 19, first corner case).
        reach = 0.98 * math.sqrt(d2)
    ux = vx - ovx
    uy = vy - ovy
    tau = time_to_collision(wx, wy, ux, uy, reach)
    if tau > horizon:
        return 0.0, 0.0
    ex = ux * tau - wx
    ey = uy * tau - wy
    # At contact this is as long as the reach, so it is never zero.
    length = math.sqrt(ex * ex + ey * ey)
    ex /= length
    ey /= length
    v2 = vx * vx + vy * vy
    if side > 0.0 and v2 > 1e-9:
        meet = vx * ovx + vy * ovy
        o2 = ovx * ovx + ovy * ovy
        v = math.sqrt(v2)
        lean = 0.0
        if o2 < 1e-6:
            # A standing neighbour is passed on the nearer side, on the right if both sides are about equal.
            across = wx * vy - wy * vx
            lean = -0.5 * side if across < -0.05 * reach * v else 0.5 * side
        elif meet < 0.0:
            # Oncoming: lean to the right by how head-on the encounter is (1 head-on, 0 at right angles).
            lean = side * -meet / (v * math.sqrt(o2))
        ex -= vy / v * lean
        ey += vx / v * lean
        length = math.sqrt(ex * ex + ey * ey)
        if length > 1e-9:
            ex /= length
            ey /= length
    size = min((horizon - tau) / (tau + 0.001), cap)
    return ex * size, ey * size


@kernel("void(int64, int64, float64[::1], float64[:,::1])")
def foresee(first: int, last: int, p: np.ndarray, body: np.ndarray) -> None:
    """Write the predicted velocity of rows ``first`` to ``last - 1``.

    It lies between the present and the wanted velocity.
    """
    intent = p[P_INTENT]
    for j in range(first, last):
        body[S_SX, j] = body[S_VX, j] * (1.0 - intent) + body[S_WX, j] * intent
        body[S_SY, j] = body[S_VY, j] * (1.0 - intent) + body[S_WY, j] * intent


@device
def peers(i: int, o: int, band: np.ndarray) -> bool:
    """Return True if two slots belong to one group."""
    return band[i] >= 0 and band[i] == band[o]


@device
def closing(j: int, q: int, body: np.ndarray) -> bool:
    """Return True if the predicted paths of rows j and q would ever touch.

    It has no branches, because it runs for every pair.
    """
    wx = body[S_X, q] - body[S_X, j]
    wy = body[S_Y, q] - body[S_Y, j]
    ux = body[S_SX, j] - body[S_SX, q]
    uy = body[S_SY, j] - body[S_SY, q]
    d2 = wx * wx + wy * wy
    touch = body[S_R, j] + body[S_R, q]
    c = d2 - min(touch * touch, 0.9604 * d2)
    b = wx * ux + wy * uy
    return ((b > 0.0) & (b * b > (ux * ux + uy * uy) * c)) | (d2 < 1e-12)


@device
def looks_ahead(i: int, j: int, p: np.ndarray, body: np.ndarray, foresight: np.ndarray, ahead: np.ndarray) -> float:
    """Return the seconds that slot i in row j looks ahead.

    Nothing beyond its destination is an obstacle.
    """
    v = math.sqrt(body[S_SX, j] * body[S_SX, j] + body[S_SY, j] * body[S_SY, j])
    horizon = foresight[i] if foresight[i] > 0.0 else p[P_HORIZON]
    return horizon if v * horizon <= ahead[i] else ahead[i] / v


@device
def pushed_by(
    i: int,
    j: int,
    q: int,
    until: float,
    p: np.ndarray,
    ids: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    band: np.ndarray,
) -> tuple[float, float]:
    """Return the force of the unit in row q on slot i.

    The slot is in row j.

    It looks ``until`` seconds ahead, and less far for members of its own group.
    """
    o = order[q]
    gx, gy = ttc_force(
        body[S_X, q] - body[S_X, j], body[S_Y, q] - body[S_Y, j], body[S_SX, j], body[S_SY, j], body[S_SX, q],
        body[S_SY, q], body[S_R, j] + body[S_R, q], min(until, p[P_PEER_HORIZON]) if peers(i, o, band) else until,
        p[P_FORCE_CAP], p[P_SIDE_BIAS], ids[j] < ids[q],
    )  # fmt: skip
    weight = p[P_IDLE_MASS] if not moving[o] and not holding[o] else 1.0
    return weight * gx, weight * gy


@kernel(
    "void(int64, int64, float64[::1], int32[::1], int32[::1], float64[:,::1], int32[:,::1], int32[::1], uint8[::1],"
    " uint8[::1], uint8[::1], int32[::1], int16[::1], float64[::1], float64[::1], float64[::1], float64[::1])"
)
def avoid(
    first: int,
    last: int,
    p: np.ndarray,
    ids: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    nearest: np.ndarray,
    near_count: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    awake: np.ndarray,
    band: np.ndarray,
    stuck: np.ndarray,
    foresight: np.ndarray,
    ahead: np.ndarray,
    force_x: np.ndarray,
    force_y: np.ndarray,
) -> None:
    """Write the avoidance force of rows ``first`` to ``last - 1``, tiles/s2.

    Units that do not move have no force. :func:`foresee` must have run for all rows.

    ``foresight`` float64[slots] is the unit's horizon in seconds, 0 for that of the settings. ``band`` int32[slots] is
    its group, -1 for none. Within its group a unit avoids only imminent collisions (Game AI Pro 2, 20.7.4). ``awake``
    uint8[slots]: at 0 the unit does not look in this tick and its force fades.
    """
    kind = int(p[P_AVOIDANCE])
    closer = p[P_PEER_SHARE]
    cap = p[P_FORCE_CAP]
    gap = p[P_SEPARATION]
    calm = p[P_CALM]
    strength = p[P_SOCIAL_STRENGTH]
    reach = p[P_SOCIAL_RANGE]
    met = np.empty(MAX_NEAREST, np.int32)
    for j in range(first, last):
        i = order[j]
        if moving[i] and not awake[i]:
            force_x[i] *= FADING
            force_y[i] *= FADING
            continue
        fx = 0.0
        fy = 0.0
        if moving[i] and kind != 0:
            x = body[S_X, j]
            y = body[S_Y, j]
            r = body[S_R, j]
            if kind == 2:
                # Filter without branches first: most pairs never meet.
                hits = 0
                for k in range(near_count[j]):
                    met[hits] = nearest[j, k]
                    hits += int(closing(j, nearest[j, k], body))
                if hits > 0:
                    until = looks_ahead(i, j, p, body, foresight, ahead)
                    for k in range(hits):
                        gx, gy = pushed_by(i, j, met[k], until, p, ids, order, body, moving, holding, band)
                        fx += gx
                        fy += gy
            else:
                for k in range(near_count[j]):
                    q = nearest[j, k]
                    wx = body[S_X, q] - x
                    wy = body[S_Y, q] - y
                    d = math.sqrt(wx * wx + wy * wy)
                    room = d - r - body[S_R, q]
                    # Members of one group may come closer: they keep a share of the usual distance.
                    share = closer if peers(i, order[q], band) else 1.0
                    if kind == 3:
                        # Repulsion of Helbing and Molnar, as cited in "Nonplayer character control".
                        size = min(cap, strength * math.exp(-room / (reach * share)))
                        lean_x = wx / d if d > 1e-9 else (-1.0 if ids[j] < ids[q] else 1.0)
                        lean_y = wy / d if d > 1e-9 else 0.0
                        fx -= lean_x * size
                        fy -= lean_y * size
                    elif room < gap * share and d > 1e-9:
                        size = min(cap, cap * (gap * share - room) / (gap * share + 0.001)) * 0.5
                        fx -= wx / d * size
                        fy -= wy / d * size
        # A unit without progress reduces its avoidance, so that a queue closes up instead of swaying.
        heed = calm / (calm + stuck[i])
        force_x[i] = fx * heed
        force_y[i] = fy * heed


TECHNIQUES = (
    {
        "slug": "time-to-collision",
        "name": "Anticipatory avoidance by time to collision",
        "ids": ("GP2-19.1", "GP2-19.2"),
        "source": "Game AI Pro 2, ch. 19",
        "functions": ("time_to_collision", "ttc_force", "avoid"),
        "test": "tests/ai/steering/avoidance/test_avoidance_forces.py",
        "exhibit": "levels/exhibits/motion/circle_32.toml",
        "overlay": "forces",
        "setting": "steering.avoidance",
        "parts": ("GP2-19.6", "JOGD-2.15"),
        "measure": "seconds",
        "direction": "down",
        "claim": (
            "The gain is 5 and a step 50 ms, where the source has 2 and 20 ms. At most ten neighbours count, and "
            "none beyond the destination. A lean to the right breaks symmetry without dice."
        ),
    },
    {
        "slug": "time-to-collision-horizon",
        "name": "Time horizon of avoidance",
        "ids": ("GP2-19.3",),
        "source": "Game AI Pro 2, ch. 19",
        "functions": ("ttc_force",),
        "test": "tests/ai/steering/avoidance/test_avoidance_forces.py",
        "exhibit": "levels/exhibits/motion/horizons.toml",
        "overlay": "forces",
        "setting": "rules.unit_horizons",
        "measure": "scrapes",
        "direction": "down",
        "claim": "One horizon for all units, or one by unit type.",
    },
    {
        "slug": "two-crowds",
        "name": "Anticipatory avoidance for ten thousand units",
        "ids": ("GP2-19.4",),
        "source": "Game AI Pro 2, ch. 19",
        "functions": ("avoid",),
        "test": "tests/ai/steering/avoidance/test_avoidance_forces.py",
        "exhibit": "levels/exhibits/motion/ten_thousand.toml",
        "overlay": "forces",
        "setting": "steering.avoidance",
        "measure": "scrapes",
        "direction": "down",
        "claim": (
            "Speeds are limited, and a later stage keeps bodies apart. In a large crowd a unit looks in some ticks "
            "only, and its force fades between them."
        ),
    },
    {
        "slug": "social-force",
        "name": "Social force",
        "ids": ("JOGD-2.14",),
        "source": "Journal of Game Development 1(1), Nonplayer character control",
        "functions": ("avoid",),
        "test": "tests/ai/steering/avoidance/test_avoidance_forces.py",
        "exhibit": "levels/exhibits/motion/crossing_crowds.toml",
        "overlay": "forces",
        "setting": "steering.avoidance",
        "reason": "The exhibit is that of another technique.",
        "claim": (
            "Off in the shipped game, which avoids by time to collision. A force before the step; the hard "
            "separation of bodies is another stage and stays on."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
