"""Regions: even patches of ground to reason over, and the graph of who borders on whom.

Regions partition the map, walls included.  All tiles of a region are of one kind (open or not, one cost), hang together
and are at most ``most`` tiles a side, so a region's centre stands for it: paths over regions are few hops long, and a
kind of unit that likes some ground better than other weighs whole regions.

After an edit only the regions that are no longer of one kind are cut anew (:mod:`ai.search.region_repair`), in slices.

Source: "Game AI Pro 2", 31.2 (region quality, greedy rectangles, slivers).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.grid.classes import class_bit
from ai.grid.terrain import Terrain
from ai.search import region_kernels as kernels
from ai.search.region_repair import blocks_of, kinds_of, list_pairs, mend_block
from ai.state import record, unhashed

LARGEST = 10
"""Longest side of a region, in tiles."""


def _nothing() -> np.ndarray:
    return np.zeros(0, np.int32)


@record
class Regions:
    """The regions of one movement class.  They follow from the terrain alone: saved, not hashed.

    ``tile_region`` int32[height, width] is the region of each tile, ``tile_rectangle`` the rectangle.  The first
    ``open_count`` regions are those where the class may stand, walls follow.  A region's row in ``boxes`` int32[n, 4]
    is (y0, x0, y1, x1), in ``centres`` int32[n, 2] the tile (y, x) that stands for it, in ``tiles`` int32[n] its size,
    in ``cost`` uint8[n] its ground.  Neighbours of an open region r are ``ends[first[r]:first[r + 1]]``, in order,
    entered at ``crossings`` int32[borders, 2] (y, x), the middle of the border.

    Numbers of open regions last as long as the regions; one that stands for nothing any more has no tiles, and is given
    to the next.  ``changed_at`` int64[open_count] is the number of the repair (``cuts``) that last changed each.
    """

    movement_class: int
    most: int
    revision: int = 0
    open_count: int = 0
    cuts: int = 0
    noted: int = 0  # revision up to which edits are in ``pending``
    rectangles: int = 0  # next number of a rectangle
    pending: list[tuple[int, int, int, int]] = field(default_factory=list)  # blocks that may have to be mended
    tile_rectangle: np.ndarray = unhashed(_nothing)
    tile_region: np.ndarray = unhashed(_nothing)
    boxes: np.ndarray = unhashed(_nothing)
    centres: np.ndarray = unhashed(_nothing)
    tiles: np.ndarray = unhashed(_nothing)
    cost: np.ndarray = unhashed(_nothing)
    first: np.ndarray = unhashed(_nothing)
    ends: np.ndarray = unhashed(_nothing)
    crossings: np.ndarray = unhashed(_nothing)
    changed_at: np.ndarray = unhashed(_nothing)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int = 0, most: int = LARGEST) -> Regions:
        """Cut a terrain into regions of at most ``most`` tiles a side.  ValueError when that is below 2."""
        class_bit(movement_class)
        if most < 2:
            raise ValueError(f"regions must be at least 2 tiles a side, got {most}")
        made = cls(int(movement_class), int(most))
        made._cut(terrain)
        return made

    def update(self, terrain: Terrain) -> bool:
        """Mend all that was edited since; True when a region changed."""
        before = self.cuts
        self.work(terrain, 1 << 40)
        return self.cuts != before

    def note(self, terrain: Terrain) -> None:
        """Remember what was edited since the last time.  ValueError for a terrain of another size."""
        if terrain.passable.shape != self.tile_region.shape:
            raise ValueError(f"regions are of {self.tile_region.shape}, the terrain is {terrain.passable.shape}")
        changes = terrain.changes_since(self.noted, ("passable", "cost"))
        for rectangle in [(0, 0, terrain.height, terrain.width)] if changes is None else changes:
            self.pending.extend(block for block in blocks_of(rectangle) if block not in self.pending)
        self.noted = terrain.revision
        if not self.pending:
            self.revision = self.noted

    def work(self, terrain: Terrain, revolutions: int) -> int:
        """Mend for about so many revolutions, one per 64 tiles looked at; returns those spent.

        Regions are true to the terrain, and :attr:`revision` is its, once nothing is :attr:`pending`.
        """
        self.note(terrain)
        spent = done = 0
        while done < len(self.pending) and spent < revolutions:
            spent += 1 + mend_block(self, terrain, self.pending[done]) // 64
            done += 1
        del self.pending[:done]
        if not self.pending:
            self.revision = self.noted
        return spent

    def link(self, pairs: np.ndarray) -> None:
        """Set ``ends`` and ``first`` from borders a << 32 | b int64[n], in order."""
        self.ends = (pairs & 0xFFFFFFFF).astype(np.int32)
        self.first = np.searchsorted(pairs >> 32, np.arange(self.open_count + 1)).astype(np.int32)

    @property
    def count(self) -> int:
        """How many numbers there are, walls and those that stand for nothing included."""
        return len(self.boxes)

    def at(self, y: int, x: int) -> int:
        """The region of a tile.  ValueError when it lies outside."""
        height, width = self.tile_region.shape
        if not (0 <= y < height and 0 <= x < width):
            raise ValueError(f"tile (y={y}, x={x}) is outside a map of {height} x {width}")
        return int(self.tile_region[y, x])

    def neighbours(self, region: int) -> np.ndarray:
        """Regions one can step into from this open one, in order."""
        return self.ends[self.first[region] : self.first[region + 1]]

    def lengths(self, price: np.ndarray | None = None) -> np.ndarray:
        """Length int64 of each border in ``ends``: the octile way between the two centres, half over each ground.

        In units of :data:`ai.grid.moves.COST_UNIT`.  ``price`` int[256] is what a kind of unit feels ground of each
        cost to cost (default: that cost).
        """
        felt = np.arange(256) if price is None else np.asarray(price, np.int64)
        if felt.shape != (256,) or felt.min() < 0:
            raise ValueError(f"price must be 256 numbers from 0 up, got shape {felt.shape}")
        a = np.repeat(np.arange(self.open_count), np.diff(self.first))
        dy, dx = np.abs(self.centres[a].astype(np.int64) - self.centres[self.ends]).T
        straight = np.maximum(dy, dx) * kernels.STRAIGHT + np.minimum(dy, dx) * (kernels.DIAGONAL - kernels.STRAIGHT)
        return np.ascontiguousarray(straight * (felt[self.cost[a]] + felt[self.cost[self.ends]]))

    def _cut(self, terrain: Terrain) -> None:
        k = kernels
        kinds = kinds_of(terrain, self.movement_class, (slice(None), slice(None)))
        self.tile_rectangle = np.zeros(kinds.shape, np.int32)
        rows = np.zeros((k.cut_rectangles(kinds, self.most, self.tile_rectangle), 8), np.int64)
        k.measure_rectangles(kinds, self.tile_rectangle, rows)
        region_of = np.arange(len(rows), dtype=np.int32)
        k.fuse_slivers(self.tile_rectangle, region_of, rows, self.most)
        live = np.flatnonzero(rows[:, k.TILES])
        live = live[np.argsort(rows[live, k.KIND] == 0, kind="stable")]
        number = np.full(len(rows), -1, np.int32)
        number[live] = np.arange(len(live), dtype=np.int32)
        self.tile_region = np.ascontiguousarray(number[region_of][self.tile_rectangle])
        rows = rows[live]
        self.open_count = int(np.count_nonzero(rows[:, k.KIND]))
        self.boxes = rows[:, :4].astype(np.int32)
        self.tiles = rows[:, k.TILES].astype(np.int32)
        self.centres = np.ascontiguousarray(rows[:, [k.SUM_Y, k.SUM_X]] // rows[:, [k.TILES]], np.int32)
        self.cost = np.maximum(rows[:, k.KIND] - 1, 0).astype(np.uint8)
        pairs, self.crossings = list_pairs(self.tile_region, self.open_count)
        self.link(pairs)
        self.changed_at = np.zeros(self.open_count, np.int64)
        self.rectangles = int(self.tile_rectangle.max()) + 1
        self.revision = self.noted = terrain.revision
