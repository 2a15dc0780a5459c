"""Kinds of acts: the behaviours of a body as rows of data.

A kind takes tracks of the body and has a priority. It goes through three stages. START brings the body to where work
can begin, such as a wind-up, and announces the act. EXECUTE does the work. STOP returns the body to rest. An order is
one use of a kind; its handle reads a status and a reason. Times are ticks.

Source: "Game AI Pro 2", ch. 12 (behaviours with stages, orders and handles); "AI Game Programming Wisdom", 8.1 (parts
of the body that an animation owns).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np


class Track(IntFlag):
    """Parts of a body that one act at a time owns."""

    LEGS = 1
    TORSO = 2
    HEAD = 4
    WEAPON = 8


WHOLE_BODY = Track.LEGS | Track.TORSO | Track.HEAD | Track.WEAPON


class ActStage(IntEnum):
    """Stages of an act."""

    START = 0
    EXECUTE = 1
    STOP = 2
    GONE = 3


class Status(IntEnum):
    """Status of an order; all from DONE on are ends."""

    PENDING = 0
    RUNNING = 1
    DONE = 2
    FAILED = 3
    INTERRUPTED = 4
    MERGED = 5
    FORGOTTEN = 6


class Reason(IntEnum):
    """Reason for an end other than DONE."""

    NONE = 0
    OUTRANKED = 1
    REPLACED = 2
    REFUSED = 3
    TIMED_OUT = 4
    CANCELLED = 5


@dataclass(frozen=True)
class ActKind:
    """Kind of act.

    ``start`` and ``stop`` are the ticks of those stages. ``reports``: at its length the act waits for a report of
    success or failure; otherwise its length alone ends it.
    """

    name: str
    tracks: int
    priority: int
    start: int = 0
    stop: int = 0
    reports: bool = False


TRACKS_OF, PRIORITY_OF, START_OF, STOP_OF, REPORTS = range(5)
"""Columns of the table of kinds."""


def kind_table(kinds: Sequence[ActKind]) -> np.ndarray:
    """Return the kinds as int64[kinds, 5]; a kind is named by its row."""
    for kind in kinds:
        if not 0 < kind.tracks <= WHOLE_BODY or min(kind.start, kind.stop) < 0:
            raise ValueError(
                f"act kind {kind.name!r}: give it tracks from 1 to {int(WHOLE_BODY)}, and no negative ticks"
            )
    rows = [(int(k.tracks), k.priority, k.start, k.stop, int(k.reports)) for k in kinds]
    return np.array(rows, np.int64).reshape(len(kinds), 5)
