"""Requests: what each unit slot wants and how far its path has come, one column a property."""

from __future__ import annotations

from dataclasses import field, fields
from enum import IntEnum
from typing import Any

import numpy as np

from ai.core.serialization import record
from ai.paths.requests.request_filter import RequestFilter, filter_requests


class Phase(IntEnum):
    """Where a slot is in the life of a path."""

    IDLE = 0
    """No path is wanted."""
    NEW = 1
    """Asked; gets its quick path in this tick's update."""
    WAITING = 2
    """Walks a quick path; its full search is in the queue."""
    OPEN = 3
    """Its full search is open."""
    READY = 4
    """Its path leads to the goal."""
    PARTIAL = 5
    """Its path is the best that a failed search found; asks again at its end."""
    PARKED = 6
    """Stands as near as it gets since an edit cut it off; waits for the map to change."""
    FLOWING = 7
    """Is led along a flow field that it shares with others, a stretch at a time."""
    LEGS = 8
    """Has a way over the clusters, and only the leg at hand of it as a path; see
    :mod:`ai.paths.replanning.incremental_refinement`."""


class Learnt(IntEnum):
    """What the searches for a slot have shown of its way."""

    NOTHING = 0
    """The ground and the distance choose its engine."""
    PLAIN = 1
    """No other engine could serve it: it takes the resumable search."""
    LONG = 2
    """It is near as the crow flies and far on foot: it goes over the clusters."""


def _column(kind: str, fill: int = 0, columns: int = 0) -> Any:
    shape = (0, columns) if columns else (0,)
    return field(default_factory=lambda: np.zeros(shape, kind), metadata={"fill": fill})


TURNS = 20
"""Works that look at each unit once in so many ticks share them out by id."""


def among(phase: np.ndarray, phases: tuple[Phase, ...]) -> np.ndarray:
    """bool of the same shape: which of ``phase`` are among ``phases``."""
    table = np.zeros(len(Phase), bool)
    table[list(phases)] = True
    return table[phase]


@record
class Requests:
    """One row a unit slot.  Tiles are (y, x); ticks are world ticks."""

    phase: np.ndarray = _column("u1")  # Phase
    unit: np.ndarray = _column("i4", -1)  # id: ties and order go by it, never by slot
    turn: np.ndarray = _column("u1")  # id modulo TURNS
    movement_class: np.ndarray = _column("u1")  # movement class
    favoured: np.ndarray = _column("u1")  # the biased scheme prefers it
    ordered_at: np.ndarray = _column("i4", -1, 2)  # tile the order meant, when the caller asked for a substitute
    place: np.ndarray = _column("i4", -1, 2)  # tile that was asked for
    nearest_tile: np.ndarray = _column("i4", -1, 2)  # reachable tile nearest to it
    goal: np.ndarray = _column("i4", -1, 2)  # the same, or one beside it where several units would share it
    met: np.ndarray = _column("u1")  # the place could be reached at some time since it was asked for
    detour: np.ndarray = _column("u1")  # an edit has cut it off since: goal is as near as one can get
    asked: np.ndarray = _column("i4")  # tick of the request
    ticket: np.ndarray = _column("i8")  # place in the queue
    urgent: np.ndarray = _column("u1")  # ran out of path: next in the queue
    starved: np.ndarray = _column("u1")  # no instant search helps; waits for the queue
    plain: np.ndarray = _column("u1")  # what was learnt of its search: Learnt
    unled: np.ndarray = _column("u1")  # no flow field leads it: takes a search of its own
    led_by: np.ndarray = _column("i4", -1)  # number of the tree of ways that it shares
    quick: np.ndarray = _column("i2")  # tiles of its quick path
    tries: np.ndarray = _column("i2")  # failures since it last got nearer
    nearest: np.ndarray = _column("i4", 1 << 30)  # least squared distance to the goal at a failure, tiles
    deadline: np.ndarray = _column("i4")  # PARKED until this tick
    held_by: np.ndarray = _column("i4", -1)  # door (number of its rectangle) that cut its way and may open again
    held_until: np.ndarray = _column("i4")  # tick at which it asks for another way all the same
    looked: np.ndarray = _column("i4", -1)  # tick of the last look at its progress
    looked_at: np.ndarray = _column("f8", 0, 2)  # (x, y) then
    looked_left: np.ndarray = _column("f8")  # tiles to its waypoint then
    looked_len: np.ndarray = _column("i4")  # waypoints left then
    looked_path: np.ndarray = _column("u8")  # which path it was on then
    futile: np.ndarray = _column("u1")  # seconds on end in which it got nowhere
    sealed: np.ndarray = _column("u1")  # local searches on end that found no way
    local_due: np.ndarray = _column("i4")  # no local search for it before this tick
    dares: np.ndarray = _column("i4")  # minds no hazards until this tick
    same_from: np.ndarray = _column("i4", -1)  # tile it last asked from
    same_to: np.ndarray = _column("i4", -1)  # tile it last asked for
    same_count: np.ndarray = _column("i2")  # how often
    same_since: np.ndarray = _column("i4")  # from this tick on

    @property
    def capacity(self) -> int:
        """Number of slots."""
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
        """Slots in one of ``phases``, by unit id."""
        return self.filtered(RequestFilter.PHASES, sum(1 << phase for phase in phases))

    def filtered(
        self,
        what: RequestFilter,
        limit: int = 0,
        marks: np.ndarray | None = None,
        path_len: np.ndarray | None = None,
        flags: np.ndarray | None = None,
    ) -> np.ndarray:
        """Slots that a question asks for, by unit id.  ``path_len`` and ``flags``, columns of the store, where it is
        about paths."""
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
        """The same slots, ordered by the id of their unit."""
        units = self.unit[slots]
        if len(slots) < 2 or (units[1:] > units[:-1]).all():
            return slots
        return slots[np.argsort(units, kind="stable")]
