"""Path store: the path of every unit, as columns that steering kernels read.

For the follower a slot is five numbers. ``wp_x, wp_y`` is the waypoint. ``next_x, next_y`` is the next waypoint, at the
end the same point. ``path_len`` is the number of waypoints left, the current one included; 0 means no path. The rest
(the list of turning points with the source of each) belongs to the path manager.
"""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum
from typing import Any

import numpy as np

from ai.core.serialization import derived, digested_by, record
from ai.core.thread_pool import ThreadPool
from ai.grid.terrain import Terrain
from ai.paths.argument_checks import column_of, same_length, slots_of
from ai.paths.quick.straight_path import BODY, LOOK
from ai.paths.store.following_kernels import advance_paths, mark_cut_paths, stop_short
from ai.paths.store.waypoint_kernels import APPEND, PREPEND, REPLACE, clear_paths, mark_all_turns, write_paths
from ai.search.smoothing.path_smoother import Pieces, smoother_of


class PathSource(IntEnum):
    """Search that found a waypoint ("AI Game Programming Wisdom", 3.3)."""

    NONE = 0
    QUICK = 1
    FULL = 2
    SPLICE = 3
    PRIORITY = 4
    LOCAL = 5


REACH = 96
"""Tiles that one straight line may skip in smoothing; it bounds the work."""

_FIRST_ROWS = 256


def _columns(kind: Any, fill: float = 0) -> Any:
    return field(default_factory=lambda: np.full(0, fill, kind))


@record
class PathStore:
    """Waypoints of ``capacity`` unit slots on a map ``width`` tiles wide.

    Create one with :meth:`build`. ``goal`` is the tile index (y * width + x) of the slot's goal, -1 for none. ``final``
    is 1 if the stored path leads all the way there. ``end_point`` float64[capacity, 2] (x, y) is the slot's own
    point inside that tile, NaN for its centre. ``flags`` are :class:`ai.paths.store.following_kernels.Flag`. The
    threads of the pool share the kernels of this package.
    """

    width: int
    nodes: np.ndarray = digested_by("written")
    points: np.ndarray = digested_by("written")
    arena: np.ndarray = digested_by("written")
    ends: np.ndarray = digested_by("written")
    written: np.ndarray = _columns(np.uint64)
    aim: np.ndarray = field(default_factory=lambda: np.zeros((6, 0)))
    path_len: np.ndarray = _columns(np.int32)
    goal: np.ndarray = _columns(np.int32, -1)
    end_point: np.ndarray = field(default_factory=lambda: np.full((0, 2), np.nan))
    final: np.ndarray = _columns(np.uint8)
    flags: np.ndarray = _columns(np.uint8)
    looked: int = 0  # tiles crossed by smoothing lines and not yet charged
    pool: ThreadPool = derived(ThreadPool)

    @classmethod
    def build(cls, width: int, capacity: int = 64) -> PathStore:
        """Return an empty store; ValueError if the width is not positive."""
        if width <= 0:
            raise ValueError(f"width must be positive, got {width}")
        nodes = np.zeros((_FIRST_ROWS, 3), np.int32)
        nodes[:, 1] = np.arange(1, _FIRST_ROWS + 1)
        nodes[-1, 1] = -1
        made = cls(
            width=int(width),
            nodes=nodes,
            points=np.zeros((_FIRST_ROWS, 2)),
            arena=np.array([0, _FIRST_ROWS], np.int64),
            ends=np.zeros((0, 2), np.int32),
        )
        made.reserve(capacity)
        return made

    @property
    def capacity(self) -> int:
        """Return the number of slots."""
        return len(self.path_len)

    @property
    def wp_x(self) -> np.ndarray:
        """Return x of the waypoint, float64[capacity], a view."""
        return self.aim[0]

    @property
    def wp_y(self) -> np.ndarray:
        """Return y of the waypoint."""
        return self.aim[1]

    @property
    def next_x(self) -> np.ndarray:
        """Return x of the next waypoint, or of the last one at the end."""
        return self.aim[2]

    @property
    def next_y(self) -> np.ndarray:
        """Return y of the next waypoint."""
        return self.aim[3]

    def reserve(self, slots: int) -> None:
        """Grow to at least ``slots`` slots."""
        old = self.capacity
        if slots <= old:
            return
        size = max(64, old)
        while size < slots:
            size *= 2
        more = size - old
        self.ends = np.vstack([self.ends, np.full((more, 2), -1, np.int32)])
        self.aim = np.ascontiguousarray(np.hstack([self.aim, np.zeros((6, more))]))
        self.goal = np.concatenate([self.goal, np.full(more, -1, np.int32)])
        self.end_point = np.vstack([self.end_point, np.full((more, 2), np.nan)])
        for name in ("written", "path_len", "final", "flags"):
            column = getattr(self, name)
            setattr(self, name, np.concatenate([column, np.zeros(more, column.dtype)]))

    def write(
        self,
        terrain: Terrain,
        slots: np.ndarray,
        movement_class: np.ndarray,
        tiles: np.ndarray,
        counts: np.ndarray,
        stages: np.ndarray | int,
        mode: int = REPLACE,
        *,
        smoother: str = "string_pulling",
        points: np.ndarray | None = None,
    ) -> None:
        """Join a piece of adjacent tiles to each slot's path.

        The piece is smoothed by ``smoother``, or pruned to its turning points without one.

        ``tiles`` int32[total, 2] (y, x) holds the pieces one after another; slot i has ``counts[i]`` tiles. ``stages``
        is uint8[total], or one code for all; ``movement_class`` [n].

        ``points`` float64[total, 2] (x, y) are places inside these tiles; None: their centres. A tile whose point is
        not its centre is always kept, with the tiles before and after it.

        REPLACE drops the old path, APPEND starts at its last tile, PREPEND ends at its first. Raises ValueError if
        shapes do not fit.
        """
        slots = slots_of(slots, self.capacity)
        n = len(slots)
        tiles = np.ascontiguousarray(tiles, np.int32)
        offsets = np.zeros(n + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        total = int(offsets[-1])
        if tiles.shape != (total, 2) or len(counts) != n or len(movement_class) != n:
            raise ValueError(f"{n} slots with {total} tiles need tiles [{total}, 2], got {tiles.shape}")
        if total and (tiles.min() < 0 or tiles[:, 0].max() >= terrain.height or tiles[:, 1].max() >= terrain.width):
            raise ValueError(f"tiles must lie on the map of {terrain.height} x {terrain.width} tiles")
        codes = np.array(column_of("stages", np.asarray(stages, np.uint8), total))
        if points is not None and not np.array_equal(np.floor(points), tiles[:, ::-1]):
            raise ValueError(f"points must be [{total}, 2] (x, y), each inside its tile")
        kinds = np.ascontiguousarray(movement_class, np.uint8)
        self.lay(terrain, slots, kinds, tiles, offsets, codes, mode, smoother=smoother, points=points)

    def lay(
        self,
        terrain: Terrain,
        slots: np.ndarray,
        movement_class: np.ndarray,
        tiles: np.ndarray,
        offsets: np.ndarray,
        stages: np.ndarray,
        mode: int,
        *,
        smoother: str,
        points: np.ndarray | None = None,
    ) -> None:
        """Join pieces as :meth:`write` does, without checks of the columns.

        Slot i has ``tiles[offsets[i]:offsets[i + 1]]``; offsets are int64, with one source code uint8 per tile.
        """
        exact = np.zeros((0, 2)) if points is None else np.ascontiguousarray(points, np.float64)
        made = Pieces(tiles, offsets, stages, np.empty(len(tiles), np.uint8), exact)
        if smoother:
            made, looked = smoother_of(smoother).smooth(terrain, movement_class, made, BODY, REACH, self.pool)
            self.looked += looked
        else:
            mark_all_turns(tiles, offsets, made.keep)
        if points is not None:
            off = (exact != tiles[:, ::-1] + 0.5).any(axis=1)
            made.keep[off] = 1
            made.keep[1:][off[:-1]] = 1
            made.keep[:-1][off[1:]] = 1
        self.make_room(len(made.tiles) + len(slots))
        write_paths(
            self.nodes,
            self.points,
            self.arena,
            self.ends,
            self.path_len,
            self.written,
            self.flags,
            self.aim,
            self.end_point,
            terrain.passable,
            movement_class,
            slots.astype(np.int32),
            made.tiles,
            made.points,
            made.offsets,
            made.stages,
            made.keep,
            mode,
            BODY,
        )

    def pay(self, most: int) -> int:
        """Pay at most ``most`` of the revolutions owed for smoothing; return them.

        Smoothing costs one revolution per 64 tiles.
        """
        paid = min(self.looked >> 6, most)
        self.looked -= paid << 6
        return paid

    def clear(self, slots: Any) -> None:
        """Remove the paths of ``slots``."""
        chosen = slots_of(slots, self.capacity).astype(np.int32)
        clear_paths(self.nodes, self.arena, self.ends, self.path_len, self.written, self.flags, chosen)
        self.final[chosen] = 0
        self.goal[chosen] = -1

    def advance(
        self,
        terrain: Terrain,
        slots: np.ndarray | None,
        movement_class: np.ndarray,
        ids: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
        tick: int,
        *,
        near: float,
        touch: float,
        arrive: float,
    ) -> int:
        """Advance ``slots`` (None: all) to their current waypoints; return how many have one.

        ``movement_class``, ``ids``, ``x``, ``y`` are columns with one row per slot. Lengths are in tiles; see
        :func:`advance_paths`. Raises ValueError if a column is too short.
        """
        most = min(len(movement_class), len(ids), len(x), len(y), self.capacity)
        if slots is None:
            same_length(store=self.path_len, movement_class=movement_class, ids=ids, x=x, y=y)
        rows = (
            np.arange(most, dtype=np.int32) if slots is None else np.ascontiguousarray(slots_of(slots, most), np.int32)
        )
        return int(
            advance_paths(
                self.nodes,
                self.points,
                self.arena,
                self.ends,
                self.path_len,
                self.flags,
                self.final,
                self.aim,
                terrain.passable,
                rows,
                movement_class,
                ids,
                x,
                y,
                tick,
                near,
                touch,
                arrive,
                LOOK,
            )
        )

    def mark_cut(
        self,
        terrain: Terrain,
        movement_class: np.ndarray,
        x: np.ndarray,
        y: np.ndarray,
        rectangle: tuple[int, int, int, int],
    ) -> int:
        """Flag the slots whose path through ``rectangle`` is cut; return their number.

        The rectangle is (y0, x0, y1, x1).
        """
        same_length(x=x, y=y)
        count = min(self.capacity, len(x))
        if len(movement_class) < count:
            raise ValueError(f"movement_class must have {count} rows, as many as x and y, got {len(movement_class)}")
        return int(
            mark_cut_paths(
                self.nodes,
                self.points,
                self.ends,
                self.path_len,
                self.flags,
                self.aim,
                terrain.passable,
                movement_class,
                x,
                y,
                count,
                *(int(v) for v in rectangle),
            )
        )

    def stop_at_doors(
        self, terrain: Terrain, slots: Any, movement_class: np.ndarray, x: np.ndarray, y: np.ndarray
    ) -> None:
        """Aim ``slots`` at the last free point before a closed place on their line."""
        chosen = np.ascontiguousarray(slots, np.int32)
        rows = (self.nodes, self.points, self.ends, self.path_len, self.aim)
        stop_short(*rows, terrain.passable, chosen, movement_class, x, y, LOOK)

    def show_heads(
        self, terrain: Terrain, slots: Any, movement_class: np.ndarray, x: np.ndarray, y: np.ndarray
    ) -> None:
        """Aim ``slots`` at their waypoints, even if tiles were closed in between."""
        chosen = np.ascontiguousarray(slots, np.int32)
        rows = (self.nodes, self.points, self.ends, self.path_len, self.aim)
        stop_short(*rows, terrain.passable, chosen, movement_class, x, y, -1.0)

    def end_tile(self, slots: np.ndarray) -> np.ndarray:
        """Return the tile index of each slot's last waypoint, ``int32[n]``; -1 without path."""
        tail = self.ends[slots, 1]
        return np.where(tail >= 0, self.nodes[tail, 0], -1).astype(np.int32)

    def end_of(self, slot: int) -> int:
        """Return :meth:`end_tile` of one slot."""
        tail = self.ends[slot, 1]
        return int(self.nodes[tail, 0]) if tail >= 0 else -1

    def waypoints(self, slot: int) -> np.ndarray:
        """Return the tiles of the rest of a slot's path, ``int32[n, 3]`` (y, x, source)."""
        found = self.nodes[self._rows_of(slot)]
        return np.column_stack([found[:, 0] // self.width, found[:, 0] % self.width, found[:, 2]])

    def points_of(self, slot: int) -> np.ndarray:
        """Return the points of :meth:`waypoints`, ``float64[n, 2]`` (x, y)."""
        return self.points[self._rows_of(slot)]

    def _rows_of(self, slot: int) -> np.ndarray:
        rows = np.zeros(int(self.path_len[slot]), np.int64)
        node = int(self.ends[slot, 0])
        for i in range(len(rows)):
            rows[i] = node
            node = int(self.nodes[node, 1])
        return rows

    def ends_in(self, slots: np.ndarray, tiles: np.ndarray) -> np.ndarray:
        """Return the points at which paths of ``slots`` to ``tiles`` end, ``float64[n, 2]`` (x, y).

        ``tiles`` int[n, 2] (y, x). The point is the slot's ``end_point`` if it lies in the tile, else the centre.
        """
        own, centres = self.end_point[slots], tiles[:, ::-1] + 0.5
        inside = (np.floor(own) == tiles[:, ::-1]).all(axis=1)
        return np.where(inside[:, None], own, centres)

    def make_room(self, rows: int) -> None:
        """Reserve ``rows`` free rows for waypoints."""
        if self.arena[1] >= rows:
            return
        old = len(self.nodes)
        size = old
        while size - old + int(self.arena[1]) < rows:
            size *= 2
        grown = np.zeros((size, 3), np.int32)
        grown[:old] = self.nodes
        grown[old:, 1] = np.arange(old + 1, size + 1)
        grown[-1, 1] = self.arena[0]
        self.nodes = grown
        self.points = np.vstack([self.points, np.zeros((size - old, 2))])
        self.arena[0] = old
        self.arena[1] += size - old


__all__ = ["APPEND", "PREPEND", "REPLACE", "PathSource", "PathStore"]
