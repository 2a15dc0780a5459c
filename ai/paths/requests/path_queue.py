"""Path queue: admits full searches, orders their turns and limits their revolutions.

Waiting requests are columns with a ticket each, so ten thousand of them cost nothing. A limited number of searches is
open, each in its own slab of memory, and they take turns. The last turn of a tick is cut to the rest of the budget, so
the budget is never exceeded.

Source: "AI Game Programming Wisdom", 3.3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.terrain import Terrain
from ai.paths.requests.request_columns import Phase, Requests
from ai.paths.requests.request_filter import RequestFilter
from ai.paths.settings import PathSettings, Slicing
from ai.search.astar.astar import RUNNING, AStarSearch

_MOST = 1 << 62


@record
class OpenSearch:
    """An open search. ``slab`` is its index in the pool; tiles are (y, x)."""

    slot: int
    unit: int
    slab: int
    allowance: int
    favoured: bool
    opened: int
    start: tuple[int, int]
    goal: tuple[int, int]
    rushed: bool = False  # its priority revolutions are used


@dataclass(frozen=True)
class QueueRow:
    """Line of the queue panel.

    ``stage`` is ``open`` or ``waiting``; an open search has a count of revolutions. ``engine`` is the search that
    answers it, named as in :class:`ai.paths.settings.Engine`, and ``reason`` is why.
    """

    unit: int
    age: int
    stage: str
    revolutions: int
    allowance: int
    start: tuple[int, int]
    goal: tuple[int, int]
    engine: str = "astar"
    movement_class: int = 0
    reason: str = ""
    plain: int = 0


LARGE, MOST_TILES = 1 << 18, 1 << 24
"""Map size in tiles from which slabs are allocated at loading time.

It is also the largest total of tiles: 180 MB.
"""


@record
class SearchQueue:
    """Pool of slabs, open searches in turn order, and the ticket counter."""

    slabs: list[AStarSearch] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    open: list[OpenSearch] = field(default_factory=list)
    next_ticket: int = 0
    biased_turn: int = 0
    served: list[int] = unhashed(list)  # units in the order of this tick's turns, for tests and the panel

    def tickets(self, n: int) -> np.ndarray:
        """Return ``n`` new tickets at the end of the queue."""
        first = self.next_ticket
        self.next_ticket += n
        return np.arange(first, first + n, dtype=np.int64)

    def entry(self, slot: int) -> OpenSearch | None:
        """Return the open search of a slot ("find_pathfinder")."""
        return next((e for e in self.open if e.slot == slot), None)

    def drop(self, entry: OpenSearch) -> None:
        """Close a search and free its slab."""
        self.open.remove(entry)
        self.free.append(entry.slab)

    def line(self, requests: Requests, settings: PathSettings, most: int, held: np.ndarray | None = None) -> list[int]:
        """Return the first ``most`` waiting slots in order of admission.

        Slots marked in ``held`` uint8[slots] are left out. Units at the end of their path come first, then by ticket.
        In the biased scheme, one other follows each ``settings.bias`` favoured requests.
        """
        if held is None:
            waiting = requests.in_phase(Phase.WAITING)
        else:
            waiting = requests.filtered(RequestFilter.LINE, 0, held)
        if len(waiting) == 0 or most <= 0:
            return []
        key = requests.ticket[waiting] - requests.urgent[waiting].astype(np.int64) * (1 << 40)
        if settings.slicing != Slicing.BIASED:
            return [int(s) for s in waiting[_first(key, most)]]
        favoured = requests.favoured[waiting] > 0
        liked, others = waiting[favoured], waiting[~favoured]
        liked = liked[_first(key[favoured], most)]
        others = others[_first(key[~favoured], most)]
        row: list[int] = []
        i = j = 0
        turn = self.biased_turn
        while len(row) < most and (i < len(liked) or j < len(others)):
            if i < len(liked) and (turn % (settings.bias + 1) < settings.bias or j >= len(others)):
                row.append(int(liked[i]))
                i += 1
            else:
                row.append(int(others[j]))
                j += 1
            turn += 1
        return row

    def slab_for(self, terrain: Terrain, settings: PathSettings) -> int | None:
        """Return a free slab, allocated when first needed; None if all are in use."""
        if len(self.open) >= settings.open_searches:
            return None
        if self.free:
            return self.free.pop(self.free.index(min(self.free)))
        self.slabs.append(AStarSearch(terrain.height, terrain.width))
        return len(self.slabs) - 1

    def prepare(self, terrain: Terrain, settings: PathSettings) -> None:
        """Allocate all slabs of a large map before the first tick.

        Their memory takes long to allocate.
        """
        if terrain.passable.size >= LARGE:
            most = min(settings.open_searches, MOST_TILES // terrain.passable.size)
            while len(self.slabs) < most:
                self.free.append(len(self.slabs))
                self.slabs.append(AStarSearch(terrain.height, terrain.width))
                self.slabs[-1].take_memory()

    def first_allowance(self, settings: PathSettings, favoured: bool) -> int:
        """Return the revolutions of a search's first turn."""
        more = settings.bias if settings.slicing == Slicing.BIASED and favoured else 1
        return settings.allowance * more

    def turns(self, terrain: Terrain, settings: PathSettings, budget: int) -> Iterator[tuple[OpenSearch, int, bool]]:
        """Give turns until ``budget`` is spent; yield (search, revolutions, ended).

        The caller removes an ended search with :meth:`drop`, and may admit others, before it takes the next item.
        """
        left = budget
        while left > 0 and self.open:
            entry = self.open[0]
            slab = self.slabs[entry.slab]
            if slab.status == RUNNING:
                grant = entry.allowance
                if settings.slicing == Slicing.EQUAL:
                    grant = max(1, budget // len(self.open))
                used = slab.run(terrain, min(grant, left))
                left -= used
                self.served.append(entry.unit)
                more = settings.bias if settings.slicing == Slicing.BIASED and entry.favoured else 1
                entry.allowance = min(settings.allowance_cap * more, entry.allowance + settings.increment * more)
            else:
                used = 0
            ended = slab.status != RUNNING
            if not ended:
                self.open.append(self.open.pop(0))
            yield entry, used, ended

    def listing(self, requests: Requests, width: int, tick: int, starts: np.ndarray, most: int = 64) -> list[QueueRow]:
        """Return open searches in turn order, then waiting requests by ticket.

        ``starts`` int32[slots] are tile indices.
        """
        rows = []
        for e in self.open:
            age = tick - int(requests.asked[e.slot])
            revolutions = self.slabs[e.slab].revolutions
            plain = int(requests.plain[e.slot])
            rows.append(QueueRow(e.unit, age, "open", revolutions, e.allowance, e.start, e.goal, plain=plain))
        waiting = np.flatnonzero(requests.phase == Phase.WAITING)
        for slot in waiting[_first(requests.ticket[waiting], max(0, most - len(rows)))]:
            goal = (int(requests.goal[slot, 0]), int(requests.goal[slot, 1]))
            start = (int(starts[slot]) // width, int(starts[slot]) % width)
            age = tick - int(requests.asked[slot])
            movement_class = int(requests.movement_class[slot])
            plain = int(requests.plain[slot])
            rows.append(
                QueueRow(
                    int(requests.unit[slot]),
                    age,
                    "waiting",
                    0,
                    0,
                    start,
                    goal,
                    movement_class=movement_class,
                    plain=plain,
                )
            )
        return rows


def _first(key: np.ndarray, most: int) -> np.ndarray:
    """Return the indices of the ``most`` smallest keys, in order."""
    if len(key) > most:
        chosen = np.argpartition(key, most)[:most] if most > 0 else np.zeros(0, np.int64)
    else:
        chosen = np.arange(len(key))
    return chosen[np.argsort(key[chosen], kind="stable")]


TECHNIQUES = (
    {
        "slug": "path-slicing",
        "name": "Time slicing: progressive, equal, biased",
        "ids": ("AW-3.3-3",),
        "source": "AI Game Programming Wisdom, 3.3",
        "functions": ("SearchQueue.first_allowance", "SearchQueue.turns"),
        "test": "tests/ai/paths/requests/test_path_queue.py",
        "exhibit": "levels/exhibits/paths/slicing.toml",
        "overlay": "turns",
        "setting": "paths.slicing",
        "measure": "waited",
        "direction": "down",
        "claim": "The three schemes as told; a favoured request gets a multiple of each turn.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
