"""Spatial hash: finds neighbours by a counting sort into square cells.

The cells form a torus, about two cells per unit, that repeats over the plane. So its memory and the time to clear it do
not depend on the map; a distance test rejects units of other repeats. Cells list units by id. The order of every list
follows from ids and positions alone, so a permutation of slots changes nothing.

Sources: Journal of Game Development 1(1) (bin lattice); Game AI Pro 2, 19.3.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.core.thread_pool import ThreadPool

LEAST_SIDE, MOST_SIDE = 128, 1024
"""Cells along one side of the torus, powers of two."""


def torus_side(units: int) -> int:
    """Return the cells along one side for ``units`` units.

    Two cells per unit keep the number of shared cells small.
    """
    side = LEAST_SIDE
    while side < MOST_SIDE and side * side < 2 * units:
        side *= 2
    return side


MAX_NEAREST = 16
"""Columns of the neighbour list: the largest number of neighbours per unit."""

MAX_CONTACTS = 16
"""Columns of the contact list.

Twelve discs fit around one disc at contact range; four columns are spare.
"""

CONTACT_REACH = 0.5
"""Gap in tiles that a neighbour may close before the tick ends."""

REACH2 = (0.9 + CONTACT_REACH) ** 2
"""Square of the largest distance of a contact: two bodies of the largest radius."""

MAX_CANDIDATES = 512
"""Largest number of bodies tested for one unit; more than its neighbourhood can hold."""

MOVES, HOLDS = 1, 2
"""Bits of ``SpatialHash.marks``: the unit moves, the unit holds its position."""

S_X, S_Y, S_VX, S_VY, S_R, S_WX, S_WY, S_SX, S_SY, S_ROWS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Rows of ``SpatialHash.body``, in cell order: position, velocity, radius, wanted velocity, predicted velocity."""


class SpatialHash:
    """Units sorted by cell, and the lists of their neighbours.

    - ``order[j]``: slot of the j-th unit in cell order.
    - ``rank[slot]``: j of a slot; -1: dead, not in the hash.
    - ``body`` float64[9, n]: position, velocity, radius, wanted and predicted velocity, in cell order.
    - ``ids`` int32[n], ``cells`` int32[n]: ids and cells, in cell order.
    - ``marks`` uint8[n]: bits ``MOVES`` and ``HOLDS``.
    - ``nearest`` int32[n, 17], ``near_count``: the j of the nearest neighbours.
    - ``contacts``, ``contact_count``: the j of units that may touch within the tick, by id.

    If all units in range fit, ``nearest`` is in cell order. If some were left out, it is sorted by distance, ties by
    id. :meth:`build` and :meth:`gather` rebuild all arrays.
    """

    def __init__(self, capacity: int, cell: float = 1.5) -> None:
        if cell <= 0.0:
            raise ValueError(f"the size of a cell must be positive, got {cell}")
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
        """Allocate and write memory for ``units`` units, so that no tick has to.

        The operating system provides memory only at the first write.
        """
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
        """Sort the living of n slots into cells; return their number.

        Without ``moving`` and ``holding`` uint8[n], every unit moves and no unit holds its position.
        """
        n = len(ids)
        moving = np.ones(n, np.uint8) if moving is None else moving
        holding = np.zeros(n, np.uint8) if holding is None else holding
        if not all(len(a) == n for a in (alive, x, y, vx, vy, radius, want_x, want_y)):
            raise ValueError(f"columns differ in length: ids has {n} slots")
        self._reserve(n)
        # The side depends on the number of units alone, never on the capacity, so results do not either.
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
        """List the contacts and the nearest neighbours of every unit.

        Neighbours lie within ``sense_radius`` tiles. ``threads`` is the number of threads; the result does not depend
        on it. Only the units marked in ``moving`` uint8[slots] get neighbours.
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
    """Sort units into cells by a counting sort; return their number.

    Within a cell they are in order of id.
    """
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
    # The placement moved every start to that of the next cell; shift them back.
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
    """Copy the properties of rows ``first`` to ``last - 1`` into cell order."""
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
    """Write contacts and neighbours of rows ``first`` to ``last - 1``.

    In a crowd the 3 x 3 block of cells holds enough neighbours, and every unit outside it is farther than a cell.
    Elsewhere the whole neighbourhood is read row by row, because the cells of a row lie side by side in memory.
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
        # A standing unit avoids no one; it needs only its contacts.
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
            # Units beyond this distance are never needed; contacts always lie within the first ring of cells.
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
