"""Predicted collisions behind an avoidance force, for overlays (Game AI Pro 2, ch. 19).

They use the same neighbours and the same steps as the force (:mod:`ai.steering.avoidance.anticipatory_avoidance`):
predicted velocities, the unit's horizon, a shorter horizon within its group, and nothing beyond the destination.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.steering.avoidance.anticipatory_avoidance import NEVER, closing, looks_ahead, pushed_by, time_to_collision
from ai.steering.settings_columns import P_AVOIDANCE, Avoidance
from ai.steering.spatial_hash import MAX_NEAREST, S_R, S_SX, S_SY, S_X, S_Y
from ai.steering.steering_columns import Bodies, SteeringState

MEETING = 5
"""Numbers per collision.

Seconds until it, the other unit's position then (x, y), and the force (x, y).
"""


@kernel(
    "void(int32[::1], float64[::1], int32[::1], int32[::1], float64[:,::1], int32[:,::1], int32[::1], uint8[::1],"
    " uint8[::1], int32[::1], float64[::1], float64[::1], float64[:,:,::1], int32[::1])",
    group="lab",
)
def meetings(
    rows: np.ndarray,
    p: np.ndarray,
    ids: np.ndarray,
    order: np.ndarray,
    body: np.ndarray,
    nearest: np.ndarray,
    near_count: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    band: np.ndarray,
    foresight: np.ndarray,
    ahead: np.ndarray,
    met: np.ndarray,
    met_count: np.ndarray,
) -> None:
    """Write the predicted collisions of the units in some rows of the spatial hash.

    ``met`` is float64[rows, 16, 5], ``met_count`` int32[rows]. The other columns are those of
    :func:`ai.steering.avoidance.anticipatory_avoidance.avoid`.
    """
    for k in range(rows.size):
        j = rows[k]
        i = order[j]
        met_count[k] = 0
        if not moving[i]:
            continue
        until = looks_ahead(i, j, p, body, foresight, ahead)
        for m in range(near_count[j]):
            q = nearest[j, m]
            if not closing(j, q, body):
                continue
            gx, gy = pushed_by(i, j, q, until, p, ids, order, body, moving, holding, band)
            if gx == 0.0 and gy == 0.0:
                continue
            wx = body[S_X, q] - body[S_X, j]
            wy = body[S_Y, q] - body[S_Y, j]
            reach = body[S_R, j] + body[S_R, q]
            if wx * wx + wy * wy < reach * reach:
                reach = 0.98 * math.sqrt(wx * wx + wy * wy)
            tau = time_to_collision(wx, wy, body[S_SX, j] - body[S_SX, q], body[S_SY, j] - body[S_SY, q], reach)
            tau = 0.0 if tau == NEVER else tau
            row = met[k, met_count[k]]
            row[0] = tau
            row[1] = body[S_X, q] + body[S_SX, q] * tau
            row[2] = body[S_Y, q] + body[S_SY, q] * tau
            row[3] = gx
            row[4] = gy
            met_count[k] += 1


def meetings_of(state: SteeringState, settings: np.ndarray, bodies: Bodies, slots: np.ndarray) -> dict[int, np.ndarray]:
    """Return the predicted collisions per slot, float64[k, 5], soonest first.

    ``settings`` are the packed steering settings. Slots without a collision are left out. The sum of a slot's forces is
    its avoidance force, before the reduction for units without progress. The result is empty unless the world avoids by
    time to collision.
    """
    spatial_hash = state.spatial_hash
    if settings[P_AVOIDANCE] != Avoidance.TTC or spatial_hash.count == 0:
        return {}
    slots = np.asarray(slots, np.int64)
    slots = slots[(slots < len(bodies.id)) & (slots < len(spatial_hash.rank))]
    slots = slots[spatial_hash.rank[slots] >= 0]
    rows = spatial_hash.rank[slots].astype(np.int32)
    same = (rows < spatial_hash.count) & (
        spatial_hash.ids[np.minimum(rows, spatial_hash.count - 1)] == bodies.id[slots]
    )
    slots, rows = slots[same], rows[same]
    met, count = np.zeros((len(rows), MAX_NEAREST, MEETING)), np.zeros(len(rows), np.int32)
    meetings(
        rows, settings, spatial_hash.ids, spatial_hash.order, spatial_hash.body, spatial_hash.nearest,
        spatial_hash.near_count,
        bodies.moving, bodies.holding, bodies.band, state.foresight, state.ahead, met, count,
    )  # fmt: skip
    return {
        int(slot): row[:n][np.argsort(row[:n, 0], kind="stable")]
        for slot, row, n in zip(slots.tolist(), met, count.tolist(), strict=True)
        if n
    }
