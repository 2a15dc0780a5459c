"""Textbook A* with adjustable weight, tie order, estimate and costs.

It is written to be read, not to be fast. Weight 1 is A*, 0 is Dijkstra. Above 1 the search prefers nodes near the goal,
and the path costs at most that many times the best. An infinite weight is greedy best-first search. With ``relative``
costs a step costs its length plus its climb or fall, so that a road winds round a hill ("AI Game Programming Wisdom",
3.1). Snapshots are kept during the run, so a step back restarts from the last one.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from ai.grid.movement_classes import class_bit
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.explorer.search_frame import (
    CLOSED,
    OPEN,
    SQRT2,
    UNTOUCHED,
    Question,
    SearchFrame,
    follow_parents,
    octile_map,
)

TIES = ("near", "far", "old", "new")
"""Tie-breaking order of two nodes of equal f.

The values are: the nearer to the goal, the farther from it, the one found first, the one found last.
"""

ESTIMATES = ("octile", "straight", "manhattan", "none")

SNAPSHOTS = 48

CLIMB = 4.0
"""Relative costs: tiles of path per unit of height, climbed or fallen.

Ordinary ground has height one.
"""

_HeapRow = tuple[float, float, int, int, float]


class TextbookSearch:
    """Stepped search for one path. ``frame(k)`` is the state after k expanded nodes."""

    def __init__(self, terrain: Terrain, question: Question) -> None:
        self.question = question
        bit = class_bit(question.movement_class)
        self.height, self.width = terrain.passable.shape
        self._open = (terrain.passable & bit) != 0
        self._ground = terrain.cost.astype(np.float64) / 8.0
        unit = 1.0 if question.relative else terrain.lowest_cost / 8.0
        self._h = _estimate(self.height, self.width, question.goal, question.estimate) * unit
        self._snapshots: dict[int, tuple] = {}
        self._every = 16
        self._last = -1
        self._begin()

    def _begin(self) -> None:
        q = self.question
        self.step = 0
        self.pushed = 0
        self.looked = 0
        self.ended = False
        self.current: tuple[int, int] | None = None
        self._status = np.zeros((self.height, self.width), np.uint8)
        self._g = np.full((self.height, self.width), np.inf)
        self._parent = np.full((self.height, self.width), -1, np.int32)
        self._heap: list[_HeapRow] = []
        if self._open[q.start]:
            self._g[q.start] = 0.0
            self._push(q.start, 0.0)
        self._drop_stale()
        self._keep()

    def _push(self, tile: tuple[int, int], g: float) -> None:
        q = self.question
        h = float(self._h[tile])
        f = h if math.isinf(q.weight) else g + q.weight * h
        tie = {"near": h, "far": -h, "old": float(self.pushed), "new": -float(self.pushed)}[q.ties]
        # Rounding keeps floating-point noise from deciding between equal nodes.
        heapq.heappush(self._heap, (round(f, 9), round(tie, 9), self.pushed, tile[0] * self.width + tile[1], g))
        self.pushed += 1
        self._status[tile] = OPEN

    def _keep(self) -> None:
        self._snapshots[self.step] = (
            self._status.copy(),
            self._g.copy(),
            self._parent.copy(),
            list(self._heap),
            (self.pushed, self.looked, self.ended, self.current),
        )
        if len(self._snapshots) > SNAPSHOTS:
            self._every *= 2
            self._snapshots = {k: v for k, v in self._snapshots.items() if k % self._every == 0}

    def _return_to(self, step: int) -> None:
        at = max(k for k in self._snapshots if k <= step)
        status, g, parent, heap, numbers = self._snapshots[at]
        self._status, self._g, self._parent, self._heap = status.copy(), g.copy(), parent.copy(), list(heap)
        self.pushed, self.looked, self.ended, self.current = numbers
        self.step = at

    def _step_cost(self, a: tuple[int, int], b: tuple[int, int], length: float) -> float:
        ground = self._ground
        if self.question.relative:
            return length + CLIMB * abs(float(ground[a]) - float(ground[b]))
        return length * (float(ground[a]) + float(ground[b])) / 2.0

    def advance(self) -> bool:
        """Expand one node; return False when the search is over."""
        if self.ended:
            return False
        y, x = divmod(heapq.heappop(self._heap)[3], self.width)
        self._status[y, x] = CLOSED
        self.current = (y, x)
        self.step += 1
        if (y, x) == self.question.goal:
            self.ended = True
        else:
            self._expand(y, x)
            self._drop_stale()
        if self.step % self._every == 0:
            self._keep()
        return True

    def _drop_stale(self) -> None:
        """Remove stale entries from the top of the heap.

        The search is over when no live node remains.
        """
        while self._heap:
            _, _, _, at, g = self._heap[0]
            y, x = divmod(at, self.width)
            if self._status[y, x] == OPEN and g == self._g[y, x]:
                return
            heapq.heappop(self._heap)
        self.ended = True

    def _expand(self, y: int, x: int) -> None:
        open_ = self._open
        for k in range(8):
            ny, nx = y + int(MOVE_Y[k]), x + int(MOVE_X[k])
            self.looked += 1
            if not (0 <= ny < self.height and 0 <= nx < self.width and open_[ny, nx]):
                continue
            if k >= 4 and not (open_[ny, x] and open_[y, nx]):
                continue
            new = float(self._g[y, x]) + self._step_cost((y, x), (ny, nx), 1.0 if k < 4 else SQRT2)
            # A closed node is re-opened only when it really got cheaper.
            if new < self._g[ny, nx] - 1e-9:
                if math.isinf(self.question.weight) and self._status[ny, nx] != UNTOUCHED:
                    continue
                self._g[ny, nx] = new
                self._parent[ny, nx] = y * self.width + x
                self._push((ny, nx), new)

    @property
    def total(self) -> int:
        """Steps to the end."""
        if self._last < 0:
            while self.advance():
                pass
            self._last = self.step
        return self._last

    def frame(self, step: int) -> SearchFrame:
        """Return the state after ``step`` nodes, or at the end."""
        if step < self.step:
            self._return_to(step)
        while self.step < step and self.advance():
            pass
        found = self.current == self.question.goal
        end = self.current or self.question.start
        return SearchFrame(
            self.step,
            self._status.copy(),
            self._g.copy(),
            self._h,
            self._parent.copy(),
            self.current,
            follow_parents(self._parent, end),
            float(self._g[end]),
            self.ended,
            found,
            self.looked,
            "neighbours",
            self.question.weight,
        )


def _estimate(height: int, width: int, goal: tuple[int, int], kind: str) -> np.ndarray:
    dy = np.abs(np.arange(height) - goal[0])[:, None].astype(np.float64)
    dx = np.abs(np.arange(width) - goal[1])[None].astype(np.float64)
    if kind == "octile":
        return octile_map(height, width, goal)
    if kind == "straight":
        return np.hypot(dy, dx)
    if kind == "manhattan":
        return dy + dx
    return np.zeros((height, width))
