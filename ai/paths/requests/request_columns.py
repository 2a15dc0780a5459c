"""Request columns: the request of each unit slot and the state of its path."""

from __future__ import annotations

from dataclasses import field, fields
from enum import IntEnum
from typing import Any

import numpy as np

from ai.core.serialization import record
from ai.paths.requests.request_filter import RequestFilter, filter_requests


class Phase(IntEnum):
    """Phases in the life of a path."""

    IDLE = 0
    """No path requested."""
    NEW = 1
    """Requested; gets its quick path in this tick's update."""
    WAITING = 2
    """Walks a quick path; its full search is in the queue."""
    OPEN = 3
    """Its full search is open."""
    READY = 4
    """Its path leads to the goal."""
    PARTIAL = 5
    """Walks the best path of a failed search; requests again at its end."""
    PARKED = 6
    """Stands as near as possible after an edit cut it off.

    It waits for the map to change.
    """
    FLOWING = 7
    """Follows a shared flow field or tree, a few tiles at a time."""
    LEGS = 8
    """Has a plan over clusters and only the current leg as a path; see
    :mod:`ai.paths.replanning.incremental_refinement`.
    """


class Learnt(IntEnum):
    """Results of earlier searches that influence the choice of engine."""

    NOTHING = 0
    """Ground and distance select the engine."""
    PLAIN = 1
    """No other engine could serve it: use resumable A*."""
    LONG = 2
    """Near in a straight line and far on foot: use the clusters."""


def _column(kind: str, fill: int = 0, columns: int = 0) -> Any:
    shape = (0, columns) if columns else (0,)
    return field(default_factory=lambda: np.zeros(shape, kind), metadata={"fill": fill})


TURNS = 20
"""Ticks over which checks of all units are distributed by id."""


def among(phase: np.ndarray, phases: tuple[Phase, ...]) -> np.ndarray:
    """Return bool of the same shape: True where ``phase`` is among ``phases``."""
    table = np.zeros(len(Phase), bool)
    table[list(phases)] = True
    return table[phase]


@record
class Requests:
    """Columns with one row per unit slot; tiles are (y, x), ticks world ticks."""

    phase: np.ndarray = _column("u1")  # Phase
    unit: np.ndarray = _column("i4", -1)  # id: it decides ties and order, never the slot
    turn: np.ndarray = _column("u1")  # id modulo TURNS
    movement_class: np.ndarray = _column("u1")  # movement class
    favoured: np.ndarray = _column("u1")  # the biased scheme prefers it
    ordered_at: np.ndarray = _column("i4", -1, 2)  # ordered tile, if the caller requested a substitute
    place: np.ndarray = _column("i4", -1, 2)  # requested tile
    nearest_tile: np.ndarray = _column("i4", -1, 2)  # reachable tile nearest to it
    goal: np.ndarray = _column("i4", -1, 2)  # the same, or a tile beside it if several units would share it
    met: np.ndarray = _column("u1")  # the place was reachable at some time since the request
    detour: np.ndarray = _column("u1")  # an edit has cut it off since: goal is the nearest reachable tile
    asked: np.ndarray = _column("i4")  # tick of the request
    ticket: np.ndarray = _column("i8")  # place in the queue
    urgent: np.ndarray = _column("u1")  # at the end of its path: next in the queue
    starved: np.ndarray = _column("u1")  # no same-tick search helps; waits for the queue
    plain: np.ndarray = _column("u1")  # result of its searches: Learnt
    unled: np.ndarray = _column("u1")  # no flow field leads it: it needs its own search
    led_by: np.ndarray = _column("i4", -1)  # number of its shared tree
    quick: np.ndarray = _column("i2")  # tiles of its quick path
    tries: np.ndarray = _column("i2")  # failures since it last came nearer
    nearest: np.ndarray = _column("i4", 1 << 30)  # smallest squared distance to the goal at a failure, tiles^2
    deadline: np.ndarray = _column("i4")  # PARKED until this tick
    held_by: np.ndarray = _column("i4", -1)  # door (number of its rectangle) that cut its path and may open again
    held_until: np.ndarray = _column("i4")  # tick at which it requests another path in any case
    looked: np.ndarray = _column("i4", -1)  # tick of the last progress check
    looked_at: np.ndarray = _column("f8", 0, 2)  # (x, y) at that check
    looked_left: np.ndarray = _column("f8")  # tiles to its waypoint at that check
    looked_len: np.ndarray = _column("i4")  # waypoints left at that check
    looked_path: np.ndarray = _column("u8")  # its path at that check
    futile: np.ndarray = _column("u1")  # seconds in a row without progress
    sealed: np.ndarray = _column("u1")  # local searches in a row that found no path
    local_due: np.ndarray = _column("i4")  # no local search for it before this tick
    dares: np.ndarray = _column("i4")  # ignores hazards until this tick
    same_from: np.ndarray = _column("i4", -1)  # start tile of its last request
    same_to: np.ndarray = _column("i4", -1)  # goal tile of its last request
    same_count: np.ndarray = _column("i2")  # number of repeats
    same_since: np.ndarray = _column("i4")  # tick of the first of them

    @property
    def capacity(self) -> int:
        """Return the number of slots."""
        return len(self.phase)

    def reserve(self, slots: int) -> None:
        """Grow every column to at least ``slots``."""
        old = self.capacity
        if slots <= old:
            return
        size = max(64, old)
        while size < slots:
            size *= 2
        for f in fields(self):
            column = getattr(self, f.name)
            grown = np.full((size, *column.shape[1:]), f.metadata["fill"], column.dtype)
            grown[:old] = column
            setattr(self, f.name, grown)

    def in_phase(self, *phases: Phase) -> np.ndarray:
        """Return the slots in one of ``phases``, by unit id."""
        return self.filtered(RequestFilter.PHASES, sum(1 << phase for phase in phases))

    def filtered(
        self,
        what: RequestFilter,
        limit: int = 0,
        marks: np.ndarray | None = None,
        path_len: np.ndarray | None = None,
        flags: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the slots that pass a filter, by unit id.

        ``path_len`` and ``flags`` are columns of the store, for filters about paths.
        """
        out = np.empty(self.capacity + 1, np.int64)
        found = filter_requests(
            int(what), int(limit), self.phase, self.unit, self.unled, self.led_by, self.goal, self.ticket, self.held_by,
            self.starved, self.unit if path_len is None else path_len, self.starved if flags is None else flags,
            np.zeros(1, np.uint8) if marks is None else marks, out,
        )  # fmt: skip
        if found >= 0:
            return out[:found]
        slots = out[: -1 - found]
        return slots[np.argsort(self.unit[slots], kind="stable")]

    def by_unit(self, slots: np.ndarray) -> np.ndarray:
        """Return the same slots, ordered by the id of their unit."""
        units = self.unit[slots]
        if len(slots) < 2 or (units[1:] > units[:-1]).all():
            return slots
        return slots[np.argsort(units, kind="stable")]
