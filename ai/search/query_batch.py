"""Answers a batch of requests in one call, with any one-request search.

The answers equal those of the search's ``find``, one after another. Several searches on the same ground each take an
equal part in a thread of their own, and the answers stay the same. The tiles follow the search's own model of the grid:
centres, and for Theta* the model it was built for.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ai.search import query_batch_kernels as kernels
from ai.search.any_angle.any_angle import ThetaStar
from ai.search.astar.astar_costs import AStarOverCosts
from ai.search.jps.jps import JumpPointSearch, UniformAStar
from ai.search.regions.resumable_batch import WholeAStar, WholeRegionPaths
from ai.search.subgoals.subgoal_search import SubgoalSearch

Search = UniformAStar | AStarOverCosts | JumpPointSearch | SubgoalSearch | ThetaStar | WholeAStar | WholeRegionPaths

_POLICIES = {
    UniformAStar: kernels.ASTAR,
    AStarOverCosts: kernels.WEIGHTED,
    JumpPointSearch: kernels.JPS,
    SubgoalSearch: kernels.SUBGOAL,
    ThetaStar: kernels.THETA,
}


@dataclass
class BatchAnswers:
    """Answers of a batch.

    The path of request i is points[offsets[i]:offsets[i + 1]], int32 (y, x), start first. It has no rows when there is
    no path. ``costs`` float64[n] are in tiles, infinite when there is no path; ``revolutions`` is int64[n].
    """

    points: np.ndarray
    offsets: np.ndarray
    costs: np.ndarray
    revolutions: np.ndarray

    def path(self, row: int) -> np.ndarray | None:
        """Return one of the paths, or None."""
        found = self.points[self.offsets[row] : self.offsets[row + 1]]
        return found if len(found) else None


def find_batch(search: Search | Sequence[Search], starts: np.ndarray, goals: np.ndarray) -> BatchAnswers:
    """Find the paths ``starts[i] -> goals[i]``, ``int[n, 2]`` tiles (y, x) each.

    Several searches of one kind use one thread each. ValueError for arrays of other shapes and for tiles outside the
    map, otherwise as the search's ``find``.
    """
    searches = list(search) if isinstance(search, Sequence) else [search]
    if len({(type(one), id(one.ground)) for one in searches}) != 1:
        raise ValueError("a batch needs searches of one kind on the same ground, at least one")
    questions = _checked(np.asarray(starts), np.asarray(goals))
    parts = np.array_split(questions, len(searches))
    if len(searches) == 1:
        return _part(searches[0], questions)
    found: list[Any] = [None] * len(parts)

    def work(number: int) -> None:
        try:
            found[number] = _part(searches[number], parts[number])
        except (ValueError, OverflowError) as error:
            found[number] = error

    workers = [threading.Thread(target=work, args=(number,)) for number in range(len(parts))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for one in found:
        if isinstance(one, Exception):
            raise one
    lengths = np.concatenate([np.diff(one.offsets) for one in found])
    return BatchAnswers(
        np.concatenate([one.points for one in found]),
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        np.concatenate([one.costs for one in found]),
        np.concatenate([one.revolutions for one in found]),
    )


def _checked(starts: np.ndarray, goals: np.ndarray) -> np.ndarray:
    for name, tiles in (("starts", starts), ("goals", goals)):
        if tiles.ndim != 2 or tiles.shape[1] != 2 or tiles.dtype.kind not in "iu":
            raise ValueError(f"{name} must be whole numbers [n, 2], got {tiles.dtype} {tiles.shape}")
    if len(starts) != len(goals):
        raise ValueError(f"as many goals as starts, got {starts.shape} and {goals.shape}")
    return np.hstack((starts.astype(np.int64), goals.astype(np.int64)))


def _part(search: Search, rows: np.ndarray) -> BatchAnswers:
    count = len(rows)
    height, width = search._shape if isinstance(search, ThetaStar) else (search.height, search.width)
    if count and (rows.min() < 0 or np.any(rows >= [height, width, height, width])):
        raise ValueError(f"a tile of the batch lies outside a map of {height} x {width}")
    questions = np.ascontiguousarray(rows, np.int32)
    costs, revolutions = np.full(count, np.inf), np.zeros(count, np.int64)
    offsets = np.zeros(count + 1, np.int64)
    points = np.zeros((256 + 256 * count, 2), np.int32)
    done = 0
    while done < count:
        # Handled one at a time: the first request, which applies all edits, and requests that need more room.
        path = search.find((int(rows[done, 0]), int(rows[done, 1])), (int(rows[done, 2]), int(rows[done, 3])))
        at = int(offsets[done])
        end = at + (0 if path is None else len(path))
        if end > len(points):
            points = np.concatenate((points, np.zeros((end + len(points), 2), np.int32)))
        if path is not None:
            points[at:end] = path
            costs[done] = search.length if isinstance(search, ThetaStar) else search.cost
        revolutions[done] = search.revolutions
        offsets[done + 1] = end
        if isinstance(search, WholeAStar | WholeRegionPaths):
            done = search.answer(questions, done + 1, count, (costs, revolutions, offsets, points))
            continue
        if isinstance(search, UniformAStar | AStarOverCosts):
            context, kept = _context(search)
        else:
            context, kept = search._context, []
        done = int(
            kernels.answer_batch(
                _POLICIES[type(search)], context, questions, done + 1, count, costs, revolutions, offsets, points
            )
        )
        if isinstance(search, UniformAStar | AStarOverCosts):
            search._stamp = int(context[kernels.STAMP])
        del kept
    return BatchAnswers(points[: offsets[count]].copy(), offsets, costs, revolutions)


def _context(search: UniformAStar | AStarOverCosts) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return sizes and addresses of a search's arrays, and the arrays.

    Hold the arrays while the addresses are in use.
    """
    k = kernels
    context = np.zeros(k.CONTEXT_LENGTH, np.int64)
    rows: dict[int, np.ndarray] = {
        k.CELL: search._cell,
        k.STACKS: search._stacks,
        k.OUT: search._out,
        k.ANSWER: search._answer,
    }
    if isinstance(search, UniformAStar):
        rows[k.GROUND] = search.ground.moves
    else:
        ground = search.ground
        context[k.LOWEST] = ground.lowest
        rows |= {k.GROUND: ground.kinds, k.MASKS: ground.masks, k.PRICE: ground.price, k.COUNTS: search._counts}
    context[k.HEIGHT], context[k.STRIDE] = rows[k.GROUND].shape[0], rows[k.GROUND].shape[1]
    context[k.STAMP], context[k.ROOM], context[k.ROWS] = search._stamp, search._stacks.shape[1], len(search._out)
    for row, array in rows.items():
        if not array.flags.c_contiguous:
            raise ValueError("the arrays of the ground must be C-contiguous")
        context[row] = array.ctypes.data
    return context, list(rows.values())
