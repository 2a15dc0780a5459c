"""Kernel that answers many requests to one search in one call.

The searches are those of :mod:`ai.search.jps.uniform_astar_kernels`, :mod:`ai.search.astar.astar_costs_kernels`,
:mod:`ai.search.jps.jps_kernels`, :mod:`ai.search.subgoals.subgoal_search_kernels` and
:mod:`ai.search.any_angle.any_angle_kernels`. They are compiled into the loop, and a policy code selects one.
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value,operator"

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray

from ai.core.kernels import device_with_arrays, kernel
from ai.grid.bits import pointer
from ai.grid.moves import COST_UNIT
from ai.search.any_angle import any_angle_kernels, any_angle_sight
from ai.search.astar import astar_costs_kernels
from ai.search.jps import jps_kernels, uniform_astar_kernels
from ai.search.jps.uniform_costs import STRAIGHT
from ai.search.subgoals import subgoal_search_kernels

ASTAR, WEIGHTED, JPS, SUBGOAL, THETA = range(5)

NO_LIMIT = 1 << 60


def _inside(entry: Any) -> Any:
    """Return the search of a kernel, to be compiled into this one."""
    return device_with_arrays(entry.py_func)


_astar = _inside(uniform_astar_kernels.uniform_astar)
_weighted = _inside(astar_costs_kernels.weighted_astar)
_jps = _inside(jps_kernels.jump_point_search)
_subgoals = _inside(subgoal_search_kernels.search_subgoals)
_theta = _inside(any_angle_kernels.theta_star)

# Rows of the context of both A*: sizes, then addresses. The other searches have contexts of their own.
HEIGHT, STRIDE, STAMP, ROOM, ROWS, LOWEST, GROUND, MASKS, PRICE, CELL, COUNTS, STACKS, OUT, ANSWER = range(14)
CONTEXT_LENGTH = 14

U_STACKS, W_BUCKETS, W_KINDS = uniform_astar_kernels.STACKS, astar_costs_kernels.BUCKETS, astar_costs_kernels.KINDS
U_STAMPS, W_STAMPS = uniform_astar_kernels.STAMPS, astar_costs_kernels.STAMPS
COST, REVOLUTIONS = uniform_astar_kernels.COST, uniform_astar_kernels.REVOLUTIONS
W_COST, W_REVOLUTIONS = astar_costs_kernels.COST, astar_costs_kernels.REVOLUTIONS
J_ANSWER, J_TILES, J_PATH = jps_kernels.ANSWER, jps_kernels.TILES, jps_kernels.PATH
S_ANSWER, S_TILES, S_PATH = subgoal_search_kernels.ANSWER, subgoal_search_kernels.TILES, subgoal_search_kernels.PATH
T_ROWS, T_STRIDE, T_OUT, T_ANSWER = (
    any_angle_kernels.ROWS,
    any_angle_kernels.STRIDE,
    any_angle_kernels.OUT,
    any_angle_kernels.ANSWER,
)
T_LENGTH, T_REVOLUTIONS, T_ANSWERS = any_angle_sight.LENGTH, any_angle_sight.REVOLUTIONS, any_angle_sight.ANSWERS


@kernel(
    "int64(int64, int64[::1], int32[:,::1], int64, int64, float64[::1], int64[::1], int64[::1], int32[:,::1])",
    group="bench",
)
def answer_batch(
    policy: int,
    context: np.ndarray,
    questions: np.ndarray,
    begin: int,
    end: int,
    costs: np.ndarray,
    revolutions: np.ndarray,
    offsets: np.ndarray,
    points: np.ndarray,
) -> int:
    """Answer rows ``begin`` to ``end`` of ``questions`` int32[n, 4] in turn.

    A row is (start y, x, goal y, x). ``costs`` are in tiles (infinite when there is no path), ``revolutions`` are
    counted per row. The path of row i is points[offsets[i]:offsets[i + 1]]; offsets[begin] is given. Returns ``end``,
    or the row to repeat on its own because scratch, stamps or ``points`` ran out.
    """
    for row in range(begin, end):
        sy, sx = np.int64(questions[row, 0]), np.int64(questions[row, 1])
        gy, gx = np.int64(questions[row, 2]), np.int64(questions[row, 3])
        first = 0
        spent = np.int64(0)
        cost = 0.0
        if policy <= WEIGHTED:  # one of the two A*
            height, stride, room, rows = context[HEIGHT], context[STRIDE], context[ROOM], context[ROWS]
            context[STAMP] += 1
            if context[STAMP] >= (U_STAMPS if policy == ASTAR else W_STAMPS):
                return row
            size = height * stride
            cell = carray(pointer(context[CELL]), (size,), np.uint64)
            out = carray(pointer(context[OUT]), (rows, 2), np.int32)
            answer = carray(pointer(context[ANSWER]), (3,), np.int64)
            answer[REVOLUTIONS] = 0
            if policy == ASTAR:
                count = _astar(
                    carray(pointer(context[GROUND]), (height, stride), np.uint8),
                    cell,
                    carray(pointer(context[STACKS]), (U_STACKS, room), np.int64),
                    context[STAMP],
                    out,
                    answer,
                    sy,
                    sx,
                    gy,
                    gx,
                )
                cost = answer[COST] / STRAIGHT
            else:
                count = _weighted(
                    carray(pointer(context[GROUND]), (height, stride), np.uint16),
                    carray(pointer(context[MASKS]), (W_KINDS,), np.uint64),
                    carray(pointer(context[PRICE]), (height, stride), np.uint8),
                    context[LOWEST],
                    cell,
                    context[STAMP],
                    carray(pointer(context[COUNTS]), (W_BUCKETS,), np.int32),
                    carray(pointer(context[STACKS]), (W_BUCKETS, room), np.int32),
                    out,
                    answer,
                    sy,
                    sx,
                    gy,
                    gx,
                )
                cost = answer[W_COST] / COST_UNIT
            spent = answer[REVOLUTIONS if policy == ASTAR else W_REVOLUTIONS]
            first = rows - count
            if count == rows:
                return row
        elif policy == JPS:
            count = _jps(context, sy, sx, gy, gx, NO_LIMIT, 1)
            out = carray(pointer(context[J_PATH]), (context[J_TILES], 2), np.int32)
            cost = context[J_ANSWER + COST] / STRAIGHT
            spent = context[J_ANSWER + REVOLUTIONS]
        elif policy == SUBGOAL:
            count = _subgoals(context, sy, sx, gy, gx, 1)
            out = carray(pointer(context[S_PATH]), (context[S_TILES], 2), np.int32)
            cost = context[S_ANSWER + COST] / STRAIGHT
            spent = context[S_ANSWER + REVOLUTIONS]
        else:
            count = _theta(context, sy, sx, gy, gx, NO_LIMIT)
            out = carray(pointer(context[T_OUT]), (context[T_ROWS] * context[T_STRIDE], 2), np.int32)
            told = carray(pointer(context[T_ANSWER]), (T_ANSWERS,), np.float64)
            cost = told[T_LENGTH]
            spent = np.int64(told[T_REVOLUTIONS])
        at = offsets[row]
        if count < 0 or at + count > points.shape[0]:
            return row
        for n in range(count):
            points[at + n, 0] = out[first + n, 0]
            points[at + n, 1] = out[first + n, 1]
        costs[row] = cost if count > 0 else np.inf
        revolutions[row] = spent
        offsets[row + 1] = at + count
    return end
