"""Path trace: a ring of fixed size with the path manager's decisions.

It never allocates.

It is not part of the hash. Rows are (tick, unit, decision, a, b, c). The sentence of a decision explains its three
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np

from ai.core.serialization import record


class Decision(IntEnum):
    """Codes of decisions. Append only."""

    REQUESTED = 1
    GOAL_MOVED = 2
    STRAIGHT = 3
    QUICK = 4
    QUICK_ONLY = 5
    QUEUED = 6
    ADMITTED = 7
    FULL = 8
    SPLICED = 9
    SPLICE_REFUSED = 10
    PRIORITY = 11
    PRIORITY_PARTIAL = 12
    PRIORITY_REFUSED = 13
    WAITING = 14
    GAVE_UP = 15
    PARTIAL_END = 16
    LOST = 17
    ARRIVED = 18
    CUT = 19
    LED_BACK = 20
    REPLANNED = 21
    CANCELLED = 22
    NO_GROUND = 23
    PARKED = 24
    REOPENED = 25
    JOINED = 26
    RATE_LIMITED = 27
    BY_ASTAR = 28
    BY_JPS = 29
    BY_CLUSTERS = 30
    TOO_DEAR = 31
    HELD = 32
    HELD_OPEN = 33
    FIELD_BEGUN = 34
    BY_FIELD = 35
    FIELD_LEFT = 36
    BY_CHOICE = 37
    BY_BOUNDS = 38
    BY_REGIONS = 39
    TABLES_DROPPED = 40
    LOCAL_ASKED = 41
    LOCAL = 42
    LOCAL_FAILED = 43
    REJOINED = 44
    NO_PROGRESS = 45
    FUTILE = 46
    HAZARD_AHEAD = 47
    DARES = 48
    TREE_BEGUN = 49
    BY_TREE = 50
    BY_CACHE = 51
    LONG_AFTER_ALL = 52
    BY_LEGS = 53
    LEG = 54
    LEGS_AGAIN = 55
    LEGS_BLOCKED = 56
    NO_BOUNDS = 57
    BEING_MENDED = 58
    CLUSTERS_OF_EVEN = 59
    DEAR_TO_JUMP = 60
    ASTAR_MEANWHILE = 61


SENTENCES = {
    Decision.REQUESTED: "requested a path to tile ({b}, {a})",
    Decision.GOAL_MOVED: "tile ({b}, {a}) is unreachable; the nearest reachable one is {c} tiles away",
    Decision.STRAIGHT: "walks straight to tile ({b}, {a}): the line is free, no search needed",
    Decision.QUICK: "quick path of {a} tiles after {b} revolutions, limit {c} tiles by the load of the queue",
    Decision.QUICK_ONLY: "the quick path of {a} tiles reached the goal after {b} revolutions: no full search",
    Decision.QUEUED: "full search queued from tile ({b}, {a}) with {c} requests ahead",
    Decision.ADMITTED: "full search opened after {a} ticks in the queue, {b} searches open",
    Decision.FULL: "full path of {a} tiles after {b} revolutions in {c} ticks",
    Decision.SPLICED: "splice path of {a} tiles replaced {b} tiles of quick and full path, {c} revolutions",
    Decision.SPLICE_REFUSED: "no splice: {a} tiles found, {b} revolutions; the path stays as it was",
    Decision.PRIORITY: "reached its path's end: {a} more revolutions finished the search, {b} tiles",
    Decision.PRIORITY_PARTIAL: "reached its path's end: {a} more revolutions gave a partial path of {b} tiles",
    Decision.PRIORITY_REFUSED: "reached its path's end: no priority revolutions left ({a} a tick); another quick path",
    Decision.WAITING: "waits at the end of its path: no tile nearer to the goal is known yet; next in the queue",
    Decision.GAVE_UP: "the full search failed after {a} revolutions; partial path of {b} tiles",
    Decision.PARTIAL_END: "reached the end of a partial path; try {a}",
    Decision.LOST: "path lost after {a} tries",
    Decision.ARRIVED: "arrived at tile ({b}, {a})",
    Decision.CUT: "the map changed and cut its path; requests another",
    Decision.LED_BACK: "was pushed off its path; led back over {a} tiles, {b} revolutions",
    Decision.REPLANNED: "requested again from where it stands; try {a}",
    Decision.CANCELLED: "path dropped",
    Decision.NO_GROUND: "stands on blocked ground, and there is no open ground near",
    Decision.PARKED: "as near as possible since the map changed; waits {a} ticks for a path",
    Decision.REOPENED: "the map changed and its goal is reachable again",
    Decision.JOINED: "joined the full path at its tile {a} from its own tile, {b} revolutions",
    Decision.BY_ASTAR: "resumable A*: {a} tiles over ground of {b} costs is not a long path; forced {c}",
    Decision.BY_JPS: "jump point search: all ground costs the same; {a} tiles in a straight line; forced {c}",
    Decision.BY_CLUSTERS: "search over clusters: {a} tiles in a straight line over ground of {b} costs; forced {c}",
    Decision.CLUSTERS_OF_EVEN: (
        "search over clusters of even ground: {a} tiles in a straight line; jump points would keep {b} waiting, "
        "it has waited {c} ticks"
    ),
    Decision.BY_LEGS: "planned on {b} levels of clusters: {c} hops for {a} tiles, refined leg by leg",
    Decision.LEG: "next leg: {a} tiles, {b} of {c} hops are begun",
    Decision.LEGS_AGAIN: "the map changed ahead: plan {a} over the clusters, {b} hops",
    Decision.LEGS_BLOCKED: "{a} bodies block its path: plan {b} over the clusters avoids them",
    Decision.BY_BOUNDS: "goal bounds: a static level of one cost; {a} tiles in a straight line; forced {c}",
    Decision.NO_BOUNDS: (
        "goal bounds were forced, but only a level marked static has them, until its first edit: "
        "jump points instead, {a} tiles in a straight line"
    ),
    Decision.BEING_MENDED: (
        "the tables of the forced search are being built or repaired: jump points instead, {a} tiles in a straight line"
    ),
    Decision.ASTAR_MEANWHILE: (
        "the tables of the forced search are being built or repaired: resumable A* instead, {a} tiles away"
    ),
    Decision.BY_REGIONS: "next-hop table: a static level of {b} costs; {a} tiles in a straight line; forced {c}",
    Decision.BY_CACHE: "uses a path found {b} ticks ago: {a} tiles, no search; {c} paths are kept",
    Decision.TABLES_DROPPED: "the map was edited: it is no longer static and its tables are dropped",
    Decision.LOCAL_ASKED: "a body blocks its path; {a} units are before it in the local search queue",
    Decision.LOCAL: "local search: a path of {a} tiles around the obstacle, {b} standing bodies, {c} revolutions",
    Decision.LOCAL_FAILED: "local search: no path within {b} tiles, {a} standing bodies; again in {c} ticks",
    Decision.REJOINED: "was pushed off its path; joins it {a} waypoints further on over {b} tiles, {c} revolutions",
    Decision.NO_PROGRESS: "no progress for {a} seconds: requests a new path",
    Decision.FUTILE: "no progress for {a} seconds and walled in: gives up",
    Decision.HAZARD_AHEAD: "its path crosses ground where units of its side were harmed; {a} tiles are known",
    Decision.DARES: "no path around the danger: crosses {a} dangerous tiles",
    Decision.TOO_DEAR: "{a} revolutions of a tick were not enough: resumable A* instead",
    Decision.DEAR_TO_JUMP: "{a} revolutions of a tick were not enough for jump points: clusters instead",
    Decision.LONG_AFTER_ALL: "near in a straight line, but not found after {a} revolutions: clusters instead",
    Decision.HELD: "its path is cut {a} tiles ahead; walks on for {b} ticks, the door moved {c} times recently",
    Decision.FIELD_BEGUN: "one flow field towards ({b}, {a}) for {c} units: less work than a search each",
    Decision.TREE_BEGUN: "one search outwards from ({b}, {a}) for {c} units with one goal",
    Decision.BY_TREE: "follows a shared search, and takes its own path to ({b}, {a}) at the end",
    Decision.BY_FIELD: "follows the flow field of {c} units, and takes its own path to ({b}, {a}) at the end",
    Decision.FIELD_LEFT: "the flow field leads no further from here; starts its own search",
    Decision.BY_CHOICE: "the search forced for all paths: {a} tiles in a straight line; forced {c}",
    Decision.HELD_OPEN: "the door on its path is open again",
    Decision.RATE_LIMITED: "repeated one request {a} times in {b} ticks; refused for {c} ticks",
}

CHOICES = {
    Decision.STRAIGHT: ("straight", "the line is free"),
    Decision.BY_CACHE: ("remembered", "found {b} ticks ago"),
    Decision.BY_ASTAR: ("astar", "{a} tiles over {b} ground costs"),
    Decision.BY_JPS: ("jps", "all ground costs the same"),
    Decision.BY_CLUSTERS: ("hpa", "{a} tiles over {b} ground costs"),
    Decision.CLUSTERS_OF_EVEN: ("hpa", "{b} wait, it {c} ticks"),
    Decision.BY_LEGS: ("hpa", "{c} hops on {b} levels, leg by leg"),
    Decision.NO_BOUNDS: ("jps", "no goal bounds: not static"),
    Decision.BEING_MENDED: ("jps", "the forced one is not ready"),
    Decision.ASTAR_MEANWHILE: ("astar", "the forced one is not ready"),
    Decision.BY_BOUNDS: ("jps_plus_gb", "static level of one cost"),
    Decision.BY_REGIONS: ("regions", "static level, {b} costs"),
    Decision.BY_FIELD: ("flow", "{c} units, one goal"),
    Decision.BY_TREE: ("one for many", "one goal for many"),
    Decision.BY_CHOICE: ("forced", "forced for all paths"),
}
"""Search that answered and a short reason, for the decisions about a search."""

_MAY_BE_FORCED = (Decision.BY_ASTAR, Decision.BY_JPS, Decision.BY_CLUSTERS, Decision.BY_BOUNDS)


@dataclass(frozen=True)
class PathTraceRow:
    """Decision, read from the ring."""

    tick: int
    unit: int
    decision: Decision
    numbers: tuple[int, int, int]

    @property
    def sentence(self) -> str:
        """Return the decision as a sentence."""
        a, b, c = self.numbers
        return SENTENCES[self.decision].format(a=a, b=b, c=c)

    @property
    def choice(self) -> tuple[str, str] | None:
        """Return (search, short reason) of a decision about a search; None for any other."""
        if self.decision not in CHOICES:
            return None
        name, why = CHOICES[self.decision]
        a, b, c = self.numbers
        return name, "forced" if self.decision in _MAY_BE_FORCED and c else why.format(a=a, b=b, c=c)


@record
class PathTrace:
    """Ring of the last ``len(rows)`` decisions; ``written`` counts all decisions."""

    rows: np.ndarray = field(default_factory=lambda: np.zeros((4096, 6), np.int32))
    written: int = 0

    def note(self, tick: int, unit: int, decision: Decision, a: int = 0, b: int = 0, c: int = 0) -> None:
        """Write one decision."""
        self.rows[self.written % len(self.rows)] = (tick, unit, decision, a, b, c)
        self.written += 1

    def note_many(self, tick: int, units: np.ndarray, decision: Decision, a: Any = 0, b: Any = 0, c: Any = 0) -> None:
        """Write one decision per unit; only the last ring length is kept.

        ``a``, ``b``, ``c`` are numbers or int[n].
        """
        n = len(units)
        size = len(self.rows)
        skip = max(0, n - size)
        first = (self.written + skip) % size
        # One run of rows, or two at the end of the ring.
        cut = skip + min(n - skip, size - first)
        for low, high, at in ((skip, cut, first), (cut, n, 0)):
            if low == high:
                continue
            rows = self.rows[at : at + high - low]
            rows[:, 0] = tick
            rows[:, 1] = units[low:high]
            rows[:, 2] = decision
            for column, value in ((3, a), (4, b), (5, c)):
                rows[:, column] = value if np.ndim(value) == 0 else value[low:high]
        self.written += n

    def of(self, unit: int, last: int = 20) -> list[PathTraceRow]:
        """Return the last decisions about one unit, oldest first."""
        size = len(self.rows)
        kept = min(self.written, size)
        order = (self.written - kept + np.arange(kept)) % size
        mine = order[self.rows[order, 1] == unit][-last:]
        return [self._read(int(i)) for i in mine]

    def recent(self, last: int = 20) -> list[PathTraceRow]:
        """Return the last decisions of all units, oldest first."""
        kept = min(self.written, len(self.rows), last)
        return [self._read((self.written - kept + i) % len(self.rows)) for i in range(kept)]

    def _read(self, i: int) -> PathTraceRow:
        tick, unit, code, a, b, c = (int(v) for v in self.rows[i])
        return PathTraceRow(tick, unit, Decision(code), (a, b, c))
