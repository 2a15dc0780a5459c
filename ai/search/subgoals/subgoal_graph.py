"""Subgoal graph of one movement class, built and repaired in slices.

The *simple* graph has the convex corners of walls as its nodes. It is repaired only where an edit has effects: its own
corners, clearances along the lines that lead to it, and links of subgoals along those lines. *Local* corners are those
that the other corners do not need. Their choice depends on the whole map, so it is made again in slices. Meanwhile the
simple graph answers, just as exactly.

Source: "Game AI Pro 2", ch. 15 (Uras and Koenig), 1.5 (dynamic maps).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record, unhashed
from ai.search.jps.jps import UniformGround
from ai.search.subgoals import subgoal_graph_kernels as kernels
from ai.search.subgoals import subgoal_partition_kernels as splitting

MOST_LEVELS = 20
"""Largest number of levels; no map needs more."""

BLOCK = 16
"""Side, in tiles, of the blocks in which an edit is followed."""

_ALL = 1 << 40
_MOST_ROOM = 1 << 28


def _numbers() -> np.ndarray:
    return np.zeros(0, np.int32)


def _pairs() -> np.ndarray:
    return np.zeros((0, 2), np.int32)


def _rows() -> np.ndarray:
    return np.zeros((0, 2), np.int64)


def _bytes() -> np.ndarray:
    return np.zeros(0, np.uint8)


@record
class SubgoalGraph:
    """Subgoals and their links, derived from the ground.

    Only the numbering depends on history, so the graph is saved and not hashed. A subgoal keeps its number while it
    lasts; unused numbers are not :attr:`live`. The graph has up to ``levels`` levels. It has fewer when no level can be
    split further, or the next would be empty. ``top`` is the number of levels that a search may use now. ``level``
    uint8[numbers] is the highest level of each subgoal. ``revision`` is the ground's revision that the repair is for.
    """

    levels: int = 1
    revision: int = -1
    top: int = 1
    version: int = 0  # version of the arrays that searches read
    ready: bool = False
    whole: bool = False
    first_time: bool = True
    pending: list[tuple[int, int, int, int]] = field(default_factory=list)  # tiles still to be examined
    relinked: int = 0  # finished rows of ``todo``
    raised: int = 1  # levels built so far during the split
    counts: np.ndarray = unhashed(lambda: np.zeros(kernels.COUNTS_LENGTH, np.int64))
    number: np.ndarray = unhashed(_numbers)  # int32[cells], -1 for no subgoal
    clear: np.ndarray = unhashed(lambda: np.zeros((0, 8), np.int16))
    ends: np.ndarray = unhashed(_bytes)
    corners: np.ndarray = unhashed(_pairs)  # (y, x) of the bordered map; (0, 0) is an unused number
    free: np.ndarray = unhashed(_numbers)
    flags: np.ndarray = unhashed(_bytes)
    todo: np.ndarray = unhashed(_numbers)
    simple_spans: np.ndarray = unhashed(_rows)
    simple_links: np.ndarray = unhashed(_numbers)
    level: np.ndarray = unhashed(_bytes)
    upper_spans: np.ndarray = unhashed(_rows)
    upper_links: np.ndarray = unhashed(_numbers)
    extras: np.ndarray = unhashed(_pairs)  # edges that replace local subgoals, the newest first
    order: np.ndarray = unhashed(_numbers)  # subgoals of the level being split, row by row
    split_spans: np.ndarray = unhashed(_rows)
    split_links: np.ndarray = unhashed(_numbers)
    heads: np.ndarray = unhashed(_numbers)
    pool: np.ndarray = unhashed(_pairs)
    left_out: np.ndarray = unhashed(_bytes)
    extra: np.ndarray = unhashed(_pairs)
    progress: np.ndarray = unhashed(lambda: np.zeros(splitting.PROGRESS_LENGTH, np.int64))

    @classmethod
    def build(cls, ground: UniformGround, levels: int = 1) -> SubgoalGraph:
        """Return the graph of a ground, built in one call.

        ValueError for no levels, or more than MOST_LEVELS.
        """
        made = cls.begin(ground, levels)
        height, width = ground.moves.shape
        made.pending = [(0, 0, height - 2, width - 2)]
        while made.advance(ground, _ALL):
            pass
        return made

    @classmethod
    def begin(cls, ground: UniformGround, levels: int = 1) -> SubgoalGraph:
        """Return an empty graph that :meth:`advance` builds.

        ValueError as for :meth:`build`.
        """
        if not 1 <= levels <= MOST_LEVELS:
            raise ValueError(f"a subgoal graph has 1 to {MOST_LEVELS} levels, not {levels}")
        made = cls(int(levels), ground.revision)
        height, width = ground.moves.shape
        size = height * width
        made.number = np.full(size, -1, np.int32)
        made.clear = np.zeros((size, 8), np.int16)
        made.ends = np.zeros(size, np.uint8)
        made.simple_links = np.zeros(256, np.int32)
        made._make_room(64)
        made.pending = _blocks((0, 0, height - 2, width - 2))
        return made

    @property
    def live(self) -> np.ndarray:
        """Numbers in use by a subgoal, bool[numbers]."""
        return self.corners[:, 0] > 0

    @property
    def places(self) -> np.ndarray:
        """Subgoals int32[numbers, 2] as (y, x); (-1, -1) for unused numbers."""
        return self.corners - np.int32(1)

    @property
    def is_local(self) -> np.ndarray:
        """Live subgoals below the top level, bool[numbers]."""
        return self.live & (self.level < self.top)

    @property
    def spans(self) -> np.ndarray:
        """Range in :attr:`links` of each subgoal's neighbours, int64[numbers, 2].

        It refers to the current levels.
        """
        return self.upper_spans if self.top > 1 else self.simple_spans

    @property
    def links(self) -> np.ndarray:
        """Neighbours int32[...], one row per subgoal by :attr:`spans`."""
        return self.upper_links if self.top > 1 else self.simple_links

    def neighbours(self, subgoal: int) -> np.ndarray:
        """Return the numbers of the subgoals linked to one subgoal."""
        begin, end = self.spans[subgoal].tolist()
        return self.links[begin:end]

    def edges(self) -> np.ndarray:
        """Return all links int64[n, 2] between subgoals, each direction separately."""
        return _listed(self.spans, self.links)

    def reach(self, ground: UniformGround, y: int, x: int) -> np.ndarray:
        """Return the numbers of the subgoals directly h-reachable from a tile."""
        out = np.zeros(kernels.MOST_REACHED, np.int32)
        count = kernels.scan_from(ground.moves, self.number, self.clear, y + 1, x + 1, out)
        return out[:count].copy()

    def edited(self, ground: UniformGround, rectangles: list[tuple[int, int, int, int]]) -> None:
        """Record edits (y0, x0, y1, x1) in tiles that the ground already follows.

        A running repair continues with them.
        """
        if self.number.size != ground.moves.size:
            raise ValueError(f"a graph of {self.number.size} cells does not fit a ground of {ground.moves.shape}")
        self.pending.extend(b for r in rectangles for b in _blocks(r) if b not in self.pending)
        self.revision = ground.revision
        if not rectangles:
            return
        left = int(self.counts[kernels.TODO]) - self.relinked
        self.todo[:left] = self.todo[self.relinked : self.relinked + left].copy()
        self.counts[kernels.TODO], self.relinked = left, 0
        self.ready = self.whole = False
        self.top = 1
        self.version += 1

    def advance(self, ground: UniformGround, revolutions: int) -> int:
        """Continue the repair for about ``revolutions``.

        A revolution is 64 examined cells, or one expanded node. Returns the number used, 0 when all is done. The graph
        is :attr:`ready` for searches once the simple graph is, and :attr:`whole` with all levels. ValueError when the
        ground was edited since: call :meth:`edited` first.
        """
        if self.revision != ground.revision:
            raise ValueError(f"the graph is for revision {self.revision}, the ground is at {ground.revision}")
        spent = 0
        while self.pending and spent < revolutions:
            spent += self._mend(ground, self.pending[0])
            del self.pending[0]
        if not self.pending and not self.ready and spent < revolutions:
            spent += self._relink(ground, revolutions - spent)
        while self.ready and not self.whole and spent < revolutions:
            spent += self._split(ground, revolutions - spent)
        return spent

    def _mend(self, ground: UniformGround, block: tuple[int, int, int, int]) -> int:
        self.counts[kernels.LOOKED] = 0
        while kernels.mend_corners(
            ground.ground,
            ground.moves,
            self.number,
            self.clear,
            self.ends,
            self.corners,
            self.free,
            self.flags,
            self.todo,
            self.counts,
            *block,
            self.first_time,
        ):
            self._make_room(2 * len(self.corners))
        return 1 + int(self.counts[kernels.LOOKED]) // 64

    def _relink(self, ground: UniformGround, revolutions: int) -> int:
        """Scan again what the listed subgoals reach.

        After the last one the simple graph is ready.
        """
        self.first_time = False
        spent = 1
        while True:
            at = int(
                kernels.relink_subgoals(
                    ground.moves,
                    self.number,
                    self.corners,
                    self.clear,
                    self.simple_spans,
                    self.simple_links,
                    self.flags,
                    self.todo,
                    self.counts,
                    self.relinked,
                    64 * (revolutions - spent),
                )
            )
            spent += int(self.counts[kernels.LOOKED]) // 64
            self.relinked = at if at >= 0 else -1 - at
            if at >= 0:
                break
            spent += self._pack_links()
        if self.relinked == self.counts[kernels.TODO]:
            self._simple_is_done()
        return spent

    def _pack_links(self) -> int:
        """Pack the rows of links and double the room; return the revolutions."""
        edges = _listed(self.simple_spans, self.simple_links)
        self.simple_spans, links = _rows_of(edges, len(self.corners))
        self.simple_links = np.concatenate((links, np.zeros(len(links) + kernels.MOST_REACHED, np.int32)))
        self.counts[kernels.USED] = len(links)
        return len(links) // 64

    def _simple_is_done(self) -> None:
        self.counts[kernels.TODO] = self.relinked = 0
        # Numbers are reused only now: no link refers to them any more.
        unused = np.flatnonzero(~self.live[: self.counts[kernels.COUNT]])[::-1]
        self.free[: len(unused)] = unused
        self.counts[kernels.FREE] = len(unused)
        self.ready = True
        self.level = np.ones(len(self.corners), np.uint8)
        self.raised = 1
        self.extras = _pairs()
        self.version += 1
        if self.levels == 1:
            self._levels_are_done()
        else:
            cells = self.corners.astype(np.int64) @ (1 << 32, 1)
            live = np.flatnonzero(self.live)
            self._split_next(live[np.argsort(cells[live])], self.simple_spans, self.simple_links)

    def _split_next(self, order: np.ndarray, spans: np.ndarray, links: np.ndarray) -> None:
        self.order, self.split_spans, self.split_links = order.astype(np.int32), spans, links
        self.heads = np.full(len(self.corners), -1, np.int32)
        self.left_out = np.zeros(len(self.corners), np.uint8)
        self.extra = np.zeros((len(self.corners) + 1, 2), np.int32)
        self.pool = np.zeros((int((spans[:, 1] - spans[:, 0]).sum()) + 1024, 2), np.int32)
        self.progress[:] = 0

    def _split(self, ground: UniformGround, revolutions: int) -> int:
        left = splitting.choose_locals(
            ground.moves,
            self.corners,
            self.order,
            self.split_spans,
            self.split_links,
            self.heads,
            self.pool,
            self.left_out,
            self.extra,
            self.progress,
            revolutions,
        )
        if left == kernels.NEED_ROOM:
            if len(self.pool) > _MOST_ROOM:
                raise MemoryError("the graph of levels grows beyond its limit")
            self.pool = np.concatenate((self.pool, np.zeros_like(self.pool)))
        elif left == 0:
            self._raise_level()
        return 1 + int(self.progress[splitting.SPENT])

    def _raise_level(self) -> None:
        """End the split of a level and move the needed subgoals up.

        No level is made when that would be all subgoals or none.
        """
        higher = self.order[self.left_out[self.order] == 0]
        if len(higher) in (0, len(self.order)):
            self._levels_are_done()
            return
        below = _listed(self.split_spans, self.split_links)
        made = self.pool[len(below) : int(self.progress[splitting.ENTRIES])]
        # Entries lie in pairs, there and back: the end of one is the beginning of the other.
        pairs = np.stack((made[:, 0].reshape(-1, 2)[:, ::-1].ravel(), made[:, 0]), axis=1)[::-1]
        self.extras = np.concatenate((pairs, self.extras))
        self.level[higher] += 1
        self.raised += 1
        if self.raised == self.levels:
            self._levels_are_done()
            return
        goes_up = np.zeros(len(self.corners), bool)
        goes_up[higher] = True
        rows = np.concatenate((pairs, below))
        self._split_next(higher, *_rows_of(rows[goes_up[rows].all(axis=1)], len(self.corners)))

    def _levels_are_done(self) -> None:
        if self.raised > 1:
            rows = np.concatenate((self.extras, _listed(self.simple_spans, self.simple_links)))
            self.upper_spans, self.upper_links = _rows_of(rows, len(self.corners))
        self.order, self.split_spans, self.split_links = _numbers(), _rows(), _numbers()
        self.heads, self.left_out, self.pool = _numbers(), _bytes(), _pairs()
        self.extra, self.extras = _pairs(), _pairs()
        self.top = self.raised
        self.whole = True
        self.version += 1

    def _make_room(self, numbers: int) -> None:
        for name in ("corners", "free", "flags", "todo", "simple_spans", "level"):
            old = getattr(self, name)
            new = np.zeros((numbers, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)
        self.version += 1


def _blocks(rectangle: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
    y0, x0, y1, x1 = rectangle
    return [(y, x, min(y + BLOCK, y1), min(x + BLOCK, x1)) for y in range(y0, y1, BLOCK) for x in range(x0, x1, BLOCK)]


def _listed(spans: np.ndarray, links: np.ndarray) -> np.ndarray:
    """Return rows as edges int64[n, 2], in order."""
    lengths = spans[:, 1] - spans[:, 0]
    owners = np.repeat(np.arange(len(spans)), lengths)
    at = np.arange(len(owners)) + np.repeat(spans[:, 0] - (np.cumsum(lengths) - lengths), lengths)
    return np.stack((owners, links[at].astype(np.int64)), axis=1)


def _rows_of(edges: np.ndarray, numbers: int) -> tuple[np.ndarray, np.ndarray]:
    """Return edges [n, 2] as rows (spans, links).

    The order within a row is kept.
    """
    order = np.argsort(edges[:, 0], kind="stable")
    ends = np.cumsum(np.bincount(edges[:, 0], minlength=numbers))
    spans = np.stack((np.concatenate(([0], ends[:-1])), ends), axis=1)
    return np.ascontiguousarray(spans, np.int64), edges[order, 1].astype(np.int32)
