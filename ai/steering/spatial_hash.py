"""Bin lattice: who is near whom, by a counting sort into square cells (Journal of Game Development 1(1); GP2, 19.3).

The lattice is a torus of cells, about two a unit, laid over the plane again and again, so that its memory and the
time to clear it do not depend on the map; distances sort out the aliases.  Cells list units by id, and every list
made here is in an order that ids and positions alone decide, so slots may be permuted without a trace.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.core.thread_pool import ThreadPool

LEAST_SIDE, MOST_SIDE = 128, 1024
"""Cells along one side of the torus, powers of two."""


def torus_side(units: int) -> int:
    """Cells along one side for so many units: about two cells a unit, so that few aliases share a cell."""
    side = LEAST_SIDE
    while side < MOST_SIDE and side * side < 2 * units:
        side *= 2
    return side


MAX_NEAREST = 16
"""Columns of the neighbour list: the most neighbours a unit can consider."""

MAX_CONTACTS = 16
"""Columns of the contact list.  Twelve discs fit round one at contact range; the rest is slack."""

CONTACT_REACH = 0.5
"""Gap in tiles up to which a neighbour may be touched before the tick ends."""

REACH2 = (0.9 + CONTACT_REACH) ** 2
"""Square of the farthest distance of a contact, two bodies of the largest radius."""

MAX_CANDIDATES = 512
"""Most bodies looked at for one unit; more than fit into its neighbourhood."""

MOVES, HOLDS = 1, 2
"""Bits of ``Lattice.marks``."""

S_X, S_Y, S_VX, S_VY, S_R, S_WX, S_WY, S_SX, S_SY, S_ROWS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Rows of ``Lattice.body``: position, velocity, radius, wanted and foreseen velocity in cell order."""


class SpatialHash:
    """Scratch of one crowd: units sorted by cell, then the lists of their neighbours.

    ``order[j]`` is the slot of the j-th unit in cell order; ``rank[slot]`` is its j (-1: not binned, dead).
    ``body`` float64[9, n] holds position, velocity, radius, wanted and foreseen velocity in cell order, ``ids``
    int32[n] the ids, ``cells`` int32[n] the cells, ``marks`` uint8[n] bits: it walks, it holds its place.
    ``nearest`` int32[n, 17] and ``near_count`` list the j of the nearest neighbours, in cell order when all in range
    are listed, nearest first (ties by id) where some had to be left out; ``contacts`` and ``contact_count`` those
    that may touch within the tick, by id.  All are rebuilt by :meth:`build` and :meth:`gather`.
    """

    def __init__(self, capacity: int, cell: float = 1.5) -> None:
        if cell <= 0.0:
            raise ValueError(f"a cell needs a positive size, got {cell}")
        self.cell = float(cell)
        self.pool = ThreadPool()
        self.count = 0
        self.start = np.zeros(LEAST_SIDE * LEAST_SIDE + 1, np.int32)
        self._allocate(max(1, capacity))

    def _allocate(self, capacity: int) -> None:
        self.capacity = capacity
        self.cell_of = np.zeros(capacity, np.int32)
        self.order = np.zeros(capacity, np.int32)
        self.rank = np.full(capacity, -1, np.int32)
        self.ids = np.zeros(capacity, np.int32)
        self.cells = np.zeros(capacity, np.int32)
        self.marks = np.zeros(capacity, np.uint8)
        self.body = np.zeros((S_ROWS, capacity))
        self.nearest = np.zeros((capacity, MAX_NEAREST + 1), np.int32)
        self.near_count = np.zeros(capacity, np.int32)
        self.contacts = np.zeros((capacity, MAX_CONTACTS), np.int32)
        self.contact_count = np.zeros(capacity, np.int32)

    def _reserve(self, units: int) -> None:
        if units > self.capacity:
            self._allocate(max(units, 2 * self.capacity))

    def make_room(self, units: int) -> None:
        """Have the memory for so many units now, and write to it: the system gives it at the first write only."""
        self._reserve(units)
        for array in (
            self.cell_of, self.order, self.ids, self.cells, self.marks, self.body, self.nearest, self.near_count,
            self.contacts, self.contact_count,
        ):  # fmt: skip
            array.fill(0)

    def build(
        self,
        ids: np.ndarray,
        alive: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
        vx: np.ndarray,
        vy: np.ndarray,
        radius: np.ndarray,
        want_x: np.ndarray,
        want_y: np.ndarray,
        moving: np.ndarray | None = None,
        holding: np.ndarray | None = None,
        threads: int = 1,
    ) -> int:
        """Sort the living of n slots into cells; returns how many there are.

        Without ``moving`` and ``holding`` uint8[n] all walk and nobody holds his place.
        """
        n = len(ids)
        moving = np.ones(n, np.uint8) if moving is None else moving
        holding = np.zeros(n, np.uint8) if holding is None else holding
        if not all(len(a) == n for a in (alive, x, y, vx, vy, radius, want_x, want_y)):
            raise ValueError(f"columns differ in length: ids has {n} slots")
        self._reserve(n)
        # A function of the number of units alone, never of the room there happens to be.
        cells = torus_side(n) ** 2
        if len(self.start) != cells + 1:
            self.start = np.zeros(cells + 1, np.int32)
        by_id = np.arange(n) if n < 2 or bool((ids[1:] > ids[:-1]).all()) else np.argsort(ids, kind="stable")
        self.count = bin_units(
            by_id, alive, x, y, 1.0 / self.cell, self.start, self.cell_of, self.order, self.rank, self.cells
        )
        self.pool.run(
            fill_rows, self.count, threads, self.order, ids, x, y, vx, vy, radius, want_x, want_y, moving, holding,
            self.ids, self.body, self.marks,
        )  # fmt: skip
        return self.count

    def gather(self, sense_radius: float, neighbours: int, threads: int = 1, moving: np.ndarray | None = None) -> None:
        """List for every unit its possible contacts and its nearest neighbours within ``sense_radius`` tiles.

        ``threads``: on so many threads, with the same result.  ``moving`` uint8[slots]: only these need neighbours.
        """
        moving = np.ones(self.capacity, np.uint8) if moving is None else moving
        if not 0 <= neighbours <= MAX_NEAREST:
            raise ValueError(f"neighbours must lie between 0 and {MAX_NEAREST}, not {neighbours}")
        self.pool.run(
            gather_neighbours, self.count, threads, self.ids, self.body, self.order, moving, self.cells, self.start,
            self.cell, sense_radius, neighbours, self.nearest, self.near_count, self.contacts, self.contact_count,
        )  # fmt: skip


@kernel(
    "int64(int64[::1], uint8[::1], float64[::1], float64[::1], float64, int32[::1], int32[::1], int32[::1],"
    " int32[::1], int32[::1])"
)
def bin_units(
    by_id: np.ndarray,
    alive: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    per_tile: float,
    start: np.ndarray,
    cell_of: np.ndarray,
    order: np.ndarray,
    rank: np.ndarray,
    cells_of_rows: np.ndarray,
) -> int:
    """Counting sort: count cells, sum up, deal out in order of id."""
    cells = start.size - 1
    side = int(math.sqrt(cells))
    mask = side - 1
    for c in range(cells + 1):
        start[c] = 0
    for k in range(by_id.size):
        i = by_id[k]
        rank[i] = -1
        if alive[i]:
            c = (math.floor(y[i] * per_tile) & mask) * side + (math.floor(x[i] * per_tile) & mask)
            cell_of[i] = c
            start[c + 1] += 1
    for c in range(cells):
        start[c + 1] += start[c]
    total = start[cells]
    for k in range(by_id.size):
        i = by_id[k]
        if alive[i]:
            c = cell_of[i]
            j = start[c]
            start[c] = j + 1
            order[j] = i
            rank[i] = j
            cells_of_rows[j] = c
    # Dealing moved every start to the next cell's; shift them back.
    for c in range(cells, 0, -1):
        start[c] = start[c - 1]
    start[0] = 0
    return total


@kernel(
    "void(int64, int64, int32[::1], int32[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1],"
    " float64[::1], float64[::1], uint8[::1], uint8[::1], int32[::1], float64[:,::1], uint8[::1])"
)
def fill_rows(
    first: int,
    last: int,
    order: np.ndarray,
    ids: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    vx: np.ndarray,
    vy: np.ndarray,
    radius: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    moving: np.ndarray,
    holding: np.ndarray,
    sorted_ids: np.ndarray,
    body: np.ndarray,
    marks: np.ndarray,
) -> None:
    """Copy what neighbours ask of each other into cell order, rows ``first`` to ``last - 1``."""
    for j in range(first, last):
        i = order[j]
        sorted_ids[j] = ids[i]
        body[S_X, j] = x[i]
        body[S_Y, j] = y[i]
        body[S_VX, j] = vx[i]
        body[S_VY, j] = vy[i]
        body[S_R, j] = radius[i]
        body[S_WX, j] = want_x[i]
        body[S_WY, j] = want_y[i]
        marks[j] = (MOVES if moving[i] != 0 else 0) | (HOLDS if holding[i] != 0 else 0)


@kernel(
    "void(int64, int64, int32[::1], float64[:,::1], int32[::1], uint8[::1], int32[::1], int32[::1], float64, float64,"
    " int64, int32[:,::1], int32[::1], int32[:,::1], int32[::1])"
)
def gather_neighbours(
    first: int,
    last: int,
    ids: np.ndarray,
    body: np.ndarray,
    order: np.ndarray,
    moving: np.ndarray,
    cells: np.ndarray,
    start: np.ndarray,
    cell: float,
    sense_radius: float,
    neighbours: int,
    nearest: np.ndarray,
    near_count: np.ndarray,
    contacts: np.ndarray,
    contact_count: np.ndarray,
) -> None:
    """Contacts and neighbours of rows ``first`` to ``last - 1``: candidates from rows of cells, the nearest of many.

    Where it is crowded the 3 x 3 block of cells holds enough, and nobody outside it can be nearer than a cell; where
    it is sparse the whole neighbourhood is read at once, row by row, because cells of a row lie side by side.
    """
    bx = body[S_X]
    by = body[S_Y]
    br = body[S_R]
    found = np.empty(MAX_CANDIDATES, np.int32)
    dist = np.empty(MAX_CANDIDATES)
    best = np.empty(MAX_NEAREST + 1)
    side = int(math.sqrt(start.size - 1))
    mask = side - 1
    most_rings = max(1, min(int(math.ceil(sense_radius / cell)), mask // 2))
    cell2 = cell * cell
    for j in range(first, last):
        x = bx[j]
        y = by[j]
        c = cells[j]
        cy = c // side
        cx = c - cy * side
        # Who stands avoids nobody: it only need know whom it touches.
        looks = moving[order[j]] != 0
        sense2 = sense_radius * sense_radius if looks else 0.0
        rings = most_rings if looks else 1
        ring = rings
        if rings > 1:
            block = 0
            if 0 < cx < mask:
                for oy in range(-1, 2):
                    row = ((cy + oy) & mask) * side + cx
                    block += start[row + 2] - start[row - 1]
            if block > neighbours + 2:
                ring = 1
        while True:
            # One cell more than is sensed is never needed; contacts lie within the first ring in any case.
            limit = max(sense2, REACH2)
            m = 0
            for oy in range(-ring, ring + 1):
                row = ((cy + oy) & mask) * side
                runs = 1 if ring <= cx <= mask - ring else 2 * ring + 1
                for k in range(runs):
                    if runs == 1:
                        begin = start[row + cx - ring]
                        end = start[row + cx + ring + 1]
                    else:
                        q_cell = row + ((cx - ring + k) & mask)
                        begin = start[q_cell]
                        end = start[q_cell + 1]
                    end = min(end, begin + MAX_CANDIDATES - m)
                    for q in range(begin, end):
                        dx = bx[q] - x
                        dy = by[q] - y
                        d2 = dx * dx + dy * dy
                        found[m] = q
                        dist[m] = d2
                        m += int((d2 <= limit) & (q != j))
                    if m == MAX_CANDIDATES:
                        m -= 1
            if ring == rings:
                break
            near = 0
            for k in range(m):
                near += int(dist[k] <= cell2)
            if near >= neighbours:
                break
            ring = rings
        touching = 0
        for k in range(m):
            if dist[k] < REACH2:
                q = found[k]
                r = br[j] + br[q] + CONTACT_REACH
                if dist[k] < r * r and touching < MAX_CONTACTS:
                    t = touching
                    while t > 0 and ids[contacts[j, t - 1]] > ids[q]:
                        contacts[j, t] = contacts[j, t - 1]
                        t -= 1
                    contacts[j, t] = q
                    touching += 1
        contact_count[j] = touching
        kept = 0
        inside = 0
        for k in range(m):
            inside += int(dist[k] <= sense2)
        if inside <= neighbours:
            for k in range(m):
                nearest[j, kept] = found[k]
                kept += int(dist[k] <= sense2)
            near_count[j] = kept
            continue
        for k in range(m):
            d2 = dist[k]
            if d2 > sense2:
                continue
            q = found[k]
            if kept == neighbours:
                if kept == 0 or d2 > best[kept - 1] or (d2 == best[kept - 1] and ids[nearest[j, kept - 1]] < ids[q]):
                    continue
                t = kept - 1
            else:
                t = kept
                kept += 1
            while t > 0 and (best[t - 1] > d2 or (best[t - 1] == d2 and ids[nearest[j, t - 1]] > ids[q])):
                best[t] = best[t - 1]
                nearest[j, t] = nearest[j, t - 1]
                t -= 1
            best[t] = d2
            nearest[j, t] = q
        near_count[j] = kept
