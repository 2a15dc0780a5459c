"""Formation adaptation: select shape and speed of a group a few times per second.

A group can use the shape it prefers and four columns, each narrower than the last, down to single file. Three steps
from the present slots towards each shape make fifteen candidates. A candidate is rated like a velocity in avoidance,
by three terms. The first is the time until its box meets a narrow place or another body, with a sidestep where this
helps. The second is the loss of wanted speed, the third the distance from the preferred shape. The candidate with the
lowest cost is used.

Source: "Game AI Pro 2", 20.8.2 (5 formations x 3 interpolated candidates); "AI Game Programming Wisdom", 5.6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ai.formation.formation_shapes import Slots, in_files
from ai.formation.path_corridor import GroupPath
from ai.formation.slot_assignment import assign_sorted

FORMATIONS, STEPS = 5, (1.0 / 3.0, 2.0 / 3.0, 1.0)
CANDIDATES = FORMATIONS * len(STEPS)

HORIZON = 4.0
"""Look-ahead time in seconds."""

SIDESTEPS = (0.0, 0.6, -0.6, 1.2, -1.2, 2.4, -2.4, 5.0, -5.0)
"""Sidesteps of a group to pass another body, tiles to the right.

The right side is tried before the left.
"""
W_SIDESTEP = 0.04
"""Cost per tile of sidestep."""
CLEARANCE = 0.3
"""Gap between the boxes of two bodies, tiles."""

W_SPEED, W_COLLISION, W_SHAPE, W_CHANGE = 1.0, 1.5, 0.8, 0.1
"""Weights of the cost terms: speed, collision, shape and change.

Speed is the lost share of the wanted speed. Collision falls from 1 for now to 0 at the horizon. The cost of a change
keeps two equally good shapes from alternating.
"""


def family(preferred: Slots, spacing: float) -> np.ndarray:
    """Return the five usable formations, float64[5, n, 3] (forward, right, facing).

    Row k of each is the slot of the unit that has slot k in the preferred formation. Ranks keep their order, so
    that no unit changes sides.
    """
    n = len(preferred)
    out = np.empty((FORMATIONS, n, 3))
    out[0] = np.column_stack([preferred.forward, preferred.right, preferred.facing])
    square = max(1, math.ceil(math.sqrt(n)))
    for k, files in enumerate((square, max(2, math.ceil(square / 2)), 2, 1), 1):
        slots = in_files(n, min(files, max(n, 1)), spacing)
        # The two are moved apart along the heading, so that "ahead" is defined for both.
        shift = np.array([1.0 + 2.0 * (preferred.depth + slots.depth), 0.0])
        here = np.column_stack([preferred.forward, preferred.right])
        there = np.column_stack([slots.forward, slots.right])
        taken = (
            assign_sorted(here, there + shift, ranks=max(1, math.ceil(n / max(files, 1)))) if n else np.zeros(0, int)
        )
        out[k] = np.column_stack([slots.forward, slots.right, slots.facing])[taken]
    return out


@dataclass(frozen=True)
class Judgement:
    """Candidates of one decision: costs and terms float64[15], and the selected one.

    ``boxes`` [15, 4] are tiles to the left, right, front and rear of the group's position. ``sidestep`` is in
    tiles to the right of the path.
    """

    costs: np.ndarray
    speed_lost: np.ndarray
    collision: np.ndarray
    shape: np.ndarray
    boxes: np.ndarray
    best: int
    speed: float
    sidestep: float = 0.0
    tight: bool = False  # the preferred shape does not fit between the walls ahead


NOBODY = np.zeros((0, 6))


def time_to_meeting(boxes: np.ndarray, speed: float, others: np.ndarray) -> np.ndarray:
    """Return the seconds until each box touches the first of ``others``, float64[k].

    ``boxes`` float64[k, 4] (left, right, front, rear; tiles) move ahead at ``speed`` tiles/s. A box that meets
    none gets inf.

    ``others`` float64[m, 6] in the same frame: ahead, to the right, both velocities, half extents along and
    across.
    """
    if not len(others):
        return np.full(len(boxes), np.inf)
    enter = np.full((len(boxes), len(others)), -np.inf)
    leave = np.full((len(boxes), len(others)), np.inf)
    axes = (
        (others[:, 0], others[:, 2] - speed, -boxes[:, 3], boxes[:, 2], others[:, 4]),
        (others[:, 1], others[:, 3], -boxes[:, 0], boxes[:, 1], others[:, 5]),
    )
    for at, v, low, high, extent in axes:
        first, last = low[:, None] - extent[None] - at[None], high[:, None] + extent[None] - at[None]
        still = np.abs(v) < 1e-9
        rate = np.where(still, 1.0, v)[None]
        a, b = first / rate, last / rate
        apart = (first > 0.0) | (last < 0.0)
        enter = np.maximum(enter, np.where(still[None], np.where(apart, np.inf, -np.inf), np.minimum(a, b)))
        leave = np.minimum(leave, np.where(still[None], np.where(apart, -np.inf, np.inf), np.maximum(a, b)))
    meets = (enter < leave) & (leave > 0.0)
    return np.where(meets, np.maximum(enter, 0.0), np.inf).min(axis=1)


def narrow_stretch(path: GroupPath, along: float, left: float, right: float) -> tuple[float, float] | None:
    """Return start and end of the next narrow segment, tiles from the path's start.

    The search begins at ``along``. A segment is narrow where ``left`` and ``right`` tiles to the sides are not
    free. Segments less than their own width apart count as one. Return None when there is none up to the end.
    """
    shut = (path.left < left) | (path.right < right)
    shut[: max(0, int(along / path.step))] = False
    at = np.flatnonzero(shut) * path.step
    if not len(at):
        return None
    gaps = np.flatnonzero(np.diff(at) > left + right + path.step)
    return float(at[0]), float(at[gaps[0]] if len(gaps) else at[-1])


def blend(now: np.ndarray, aims: np.ndarray, candidate: int) -> np.ndarray:
    """Return the slots float64[n, 3] of a candidate.

    They are ``now``, moved a step towards one formation of the family ``aims``.
    """
    shape, step = divmod(candidate, len(STEPS))
    return now + (aims[shape] - now) * STEPS[step]


def judge(
    now: np.ndarray,
    aims: np.ndarray,
    path: GroupPath,
    along: float,
    speed: float,
    radius: float,
    spacing: float,
    last: int = 0,
    others: np.ndarray = NOBODY,
    beside: float = 0.0,
) -> Judgement:
    """Rate the fifteen candidates of a group at ``along`` tiles of its path.

    The group wants to move at ``speed`` tiles/s. ``now`` float64[n, 3] are its slots, ``aims`` float64[5, n, 3]
    the family, ``radius`` the largest member's (tiles), ``last`` the formation that it moved towards before.
    ``others`` are the bodies around it as in :func:`time_to_meeting`. ``beside`` is its present sidestep in tiles
    to the right of its path; slots are given without it.
    """
    right = now[None, :, 1] + (aims[:, :, 1] - now[None, :, 1]) * np.array(STEPS)[:, None, None]
    ahead = now[None, :, 0] + (aims[:, :, 0] - now[None, :, 0]) * np.array(STEPS)[:, None, None]
    # [step, formation] -> candidate = formation * 3 + step
    halves = np.stack([-right.min(axis=2), right.max(axis=2)], axis=2).transpose(1, 0, 2).reshape(CANDIDATES, 2)
    front = ahead.max(axis=2).T.reshape(CANDIDATES)
    # No unit spreads out as long as a member is still behind a narrow place.
    rear = np.minimum(ahead.min(axis=2).T.reshape(CANDIDATES), now[:, 0].min())
    reach = max(speed, 0.5) * HORIZON
    first = int(np.clip((along + rear.min()) / path.step, 0, len(path.left) - 1))
    final = int(np.clip(math.ceil((along + front.max() + reach) / path.step), first, len(path.left) - 1))
    at = np.arange(first, final + 1) * path.step - along
    left, right_free = path.left[first : final + 1], path.right[first : final + 1]
    boxes = np.column_stack([halves, front, -ahead.min(axis=2).T.reshape(CANDIDATES)])
    best_of = np.full(CANDIDATES, np.inf)
    tight = False
    collision, lost, aside = np.zeros(CANDIDATES), np.zeros(CANDIDATES), np.zeros(CANDIDATES)
    for step in SIDESTEPS if len(others) else SIDESTEPS[:1]:
        need = halves + radius + np.array([-step, step])
        # A slot may be pulled in by half a body before that counts as a collision.
        narrow = (left[None] < need[:, :1] - 0.5 * radius) | (right_free[None] < need[:, 1:] - 0.5 * radius)
        # Walls behind the rear no longer matter.
        narrow &= at[None] >= rear[:, None]
        until = np.where(narrow.any(axis=1), at[np.argmax(narrow, axis=1)] - front, np.inf)
        until = np.maximum(until, 0.0) / max(speed, 0.5)
        if step == 0.0:
            tight = bool(until[len(STEPS) - 1] < HORIZON)
        slow = np.clip(1.0 - until / (0.5 * HORIZON), 0.0, 1.0) * 0.6
        bulk = boxes + (radius + CLEARANCE) + np.array([-step, step, 0.0, 0.0])
        until = np.minimum(until, time_to_meeting(bulk, speed, others))
        soon = np.clip(1.0 - until / HORIZON, 0.0, 1.0)
        cost = W_SPEED * slow + W_COLLISION * soon + W_SIDESTEP * (abs(step) + 0.5 * abs(step - beside))
        better = cost < best_of - 1e-9
        best_of[better] = cost[better]
        collision[better], lost[better], aside[better] = soon[better], slow[better], step
    moved = np.hypot(
        ahead - aims[0][None, None, :, 0], right - aims[0][None, None, :, 1]
    ).mean(axis=2)  # fmt: skip
    shape = moved.T.reshape(CANDIDATES) / (spacing * max(1.0, math.sqrt(now.shape[0])))
    shape = shape / (1.0 + shape)
    costs = best_of + W_SHAPE * shape
    costs += W_CHANGE * (np.arange(CANDIDATES) // len(STEPS) != last)
    best = int(np.argmin(np.round(costs, 9)))
    boxes += np.column_stack([-aside, aside, np.zeros((CANDIDATES, 2))])
    return Judgement(
        costs, lost, collision, shape, boxes, best, speed * (1.0 - float(lost[best])), float(aside[best]), tight
    )


TECHNIQUES = (
    {
        "slug": "formation-adaptation",
        "name": "Formations adapted by fifteen candidates",
        "ids": ("GP2-20.16",),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("judge",),
        "test": "tests/ai/formation/test_formation_adaptation.py",
        "exhibit": "levels/exhibits/formation/formation_parade.choke.toml",
        "overlay": "candidates",
        "setting": "formation.adapt",
        "measure": "scrapes",
        "direction": "down",
        "claim": "Four narrower columns are the other formations, and nine sidesteps take the place of the RVO step.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
