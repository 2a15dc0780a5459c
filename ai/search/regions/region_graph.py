"""Regions: even patches of ground to reason over, and the graph of who borders on whom.

Regions partition the map, walls included.  All tiles of a region are of one kind (open or not, one cost), hang together
and are at most ``most`` tiles a side, so a region's centre stands for it: paths over regions are few hops long, and a
kind of unit that likes some ground better than other weighs whole regions.

The map is divided evenly into blocks, and each is cut by itself: how follows from its own tiles and nothing else.  An
edit therefore means that the blocks it touches are cut anew, and what comes of it is what a new cut of the whole map
gives, whatever the order of edits was.  Only the numbers differ: a region whose tiles stay keeps its own, so that a
next-hop table need forget little.  Regions are told apart by their centres, which lie in them, and whatever goes by an
order (neighbours, ties) goes by centres, so that answers do not depend on numbers.

Source: "Game AI Pro 2", 31.2 (region quality, greedy rectangles, slivers; blocks are ours, for the sake of edits).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.movement_classes import class_bit
from ai.grid.terrain import Terrain
from ai.search.regions import region_kernels
from ai.search.regions.region_cut_kernels import cut_blocks, list_borders

LARGEST = 10
"""Longest side of a region, in tiles."""

BLOCK = 20
"""Longest side of the blocks that are cut by themselves, in tiles."""

SPARE = 16
"""Numbers that are added at least when those of open regions run out."""

AT_ONCE = 64
"""Blocks that are cut or listed in one call."""

_CUT, _LIST = 1, 2
_COLUMNS = ("boxes", "centres", "tiles", "cost", "changed_at")


def _nothing() -> np.ndarray:
    return np.zeros(0, np.int32)


def _lines(length: int, block: int) -> np.ndarray:
    """Where blocks of at most ``block`` tiles begin and end."""
    n = -(-length // block)
    return np.arange(n + 1) * length // max(n, 1)


@record
class Regions:
    """The regions of one movement class.  They follow from the terrain alone: saved, not hashed.

    ``tile_region`` int32[height, width] is the region of each tile: numbers from 0 on where the class may stand, below
    zero for regions of walls.  A region's row in ``boxes`` int32[open_count, 4] is (y0, x0, y1, x1), in
    ``centres`` int32[open_count, 2] the tile (y, x) that stands for it, in ``tiles`` int32 its size, in ``cost`` uint8
    its ground.  Neighbours of region r are ``ends[first[r]:first[r + 1]]``, in the order of their centres, entered at
    ``crossings`` int32[borders, 2] (y, x), the middle of the border.

    Numbers last as long as the regions; one that stands for nothing any more has no tiles, and is given to the next.
    ``changed_at`` int64[open_count] is the number of the cut (``cuts``) that last changed each.
    """

    movement_class: int
    most: int
    block: int = BLOCK
    revision: int = -1
    open_count: int = 0
    cuts: int = 0
    noted: int = 0  # revision up to which edits are in ``todo``
    linked: int = -1  # cuts that ``first`` and ``ends`` know of
    todo: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint8))  # of each block: bits _CUT, _LIST
    state: np.ndarray = unhashed(lambda: np.zeros(2, np.int64))  # of cutting: FREE, LIVE
    tile_region: np.ndarray = unhashed(_nothing)
    boxes: np.ndarray = unhashed(lambda: np.zeros((0, 4), np.int32))
    centres: np.ndarray = unhashed(lambda: np.zeros((0, 2), np.int32))
    tiles: np.ndarray = unhashed(_nothing)
    cost: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    borders: np.ndarray = unhashed(lambda: np.zeros(0, np.int64))  # a << 32 | b
    first: np.ndarray = unhashed(_nothing)
    ends: np.ndarray = unhashed(_nothing)
    crossings: np.ndarray = unhashed(lambda: np.zeros((0, 2), np.int32))
    changed_at: np.ndarray = unhashed(lambda: np.zeros(0, np.int64))

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int = 0, most: int = LARGEST, block: int = 0) -> Regions:
        """Cut a terrain into regions of at most ``most`` tiles a side, in blocks of ``block`` (0: BLOCK).

        ValueError when regions are below 2 tiles or blocks smaller than regions.
        """
        made = cls.begin(terrain, movement_class, most, block)
        made.work(terrain, 1 << 60)
        return made

    @classmethod
    def begin(cls, terrain: Terrain, movement_class: int = 0, most: int = LARGEST, block: int = 0) -> Regions:
        """Regions that :meth:`work` cuts slice by slice, until they are :attr:`ready`.  ValueError as :meth:`build`."""
        class_bit(movement_class)
        if most < 2:
            raise ValueError(f"regions must be at least 2 tiles a side, got {most}")
        block = block or max(BLOCK, most)
        if block < most:
            raise ValueError(f"blocks of {block} tiles a side cannot hold regions of {most}")
        made = cls(int(movement_class), int(most), int(block), noted=terrain.revision)
        height, width = terrain.passable.shape
        made.tile_region = np.full((height, width), -1, np.int32)
        made.todo = np.full((len(_lines(height, block)) - 1, len(_lines(width, block)) - 1), _CUT | _LIST, np.uint8)
        return made

    @property
    def ready(self) -> bool:
        """Whether they are true to the terrain they noted last; :attr:`revision` is its."""
        return self.revision == self.noted

    @property
    def pending(self) -> int:
        """Steps that are left until they are :attr:`ready`: blocks to be cut or listed, and the linking."""
        todo = int(np.count_nonzero(self.todo & _CUT)) + int(np.count_nonzero(self.todo & _LIST))
        return todo + (not self.ready)

    def update(self, terrain: Terrain) -> bool:
        """Mend all that was edited since; True when a region changed."""
        before = self.cuts
        self.work(terrain, 1 << 60)
        return self.cuts != before

    def note(self, terrain: Terrain) -> None:
        """Remember what was edited since the last time.  ValueError for a terrain of another size."""
        height, width = self.tile_region.shape
        if terrain.passable.shape != (height, width):
            raise ValueError(f"regions are of {self.tile_region.shape}, the terrain is {terrain.passable.shape}")
        if terrain.revision == self.noted:
            return
        changes = terrain.changes_since(self.noted, ("passable", "cost"))
        rows, columns = _lines(height, self.block), _lines(width, self.block)
        for y0, x0, y1, x1 in [(0, 0, height, width)] if changes is None else changes:
            (top, bottom), (left, right) = (
                np.searchsorted(lines, (low, high - 1), "right") - 1
                for lines, low, high in ((rows, y0, y1), (columns, x0, x1))
            )
            self.todo[top : bottom + 1, left : right + 1] |= _CUT
        before, self.noted = self.noted, terrain.revision
        if self.revision == before and not self.todo.any():
            self.revision = self.noted

    def work(self, terrain: Terrain, revolutions: int) -> int:
        """Go on cutting or mending for about so many revolutions, one per 64 tiles looked at; returns those spent.

        Blocks are cut first, then their borders listed, then all borders linked: that is one step, a revolution per 64
        of them.
        """
        self.note(terrain)
        spent = 0
        while spent < revolutions and not self.ready:
            todo = self.todo & _CUT
            step = self._cut if todo.any() else self._list
            todo = todo if todo.any() else self.todo & _LIST
            if todo.any():
                spent += step(terrain, self._blocks(np.argwhere(todo)[:AT_ONCE], revolutions - spent))
            elif self.linked == self.cuts:
                self.revision = self.noted
            else:
                spent += 1 + len(self.borders) // 64
                self._link()
        return spent

    def at(self, y: int, x: int) -> int:
        """The region of a tile, below zero for walls.  ValueError when it lies outside."""
        height, width = self.tile_region.shape
        if not (0 <= y < height and 0 <= x < width):
            raise ValueError(f"tile (y={y}, x={x}) is outside a map of {height} x {width}")
        return int(self.tile_region[y, x])

    def places(self) -> np.ndarray:
        """What tells regions apart in every cut of the same ground: the flat tile int64[open_count] of each centre."""
        return self.centres[:, 0].astype(np.int64) * self.tile_region.shape[1] + self.centres[:, 1]

    def neighbours(self, region: int) -> np.ndarray:
        """Regions one can step into from this one, in the order of their centres."""
        return self.ends[self.first[region] : self.first[region + 1]]

    def lengths(self, price: np.ndarray | None = None, begin: int = 0, end: int | None = None) -> np.ndarray:
        """Length int64 of each border in ``ends[begin:end]``: the octile way between both centres, half over each
        ground.

        In units of :data:`ai.grid.moves.COST_UNIT`, and never nothing.  ``price`` int[256] is what a kind of unit feels
        ground of each cost to cost (default: that cost).
        """
        felt = np.arange(256) if price is None else np.asarray(price, np.int64)
        if felt.shape != (256,) or felt.min() < 0:
            raise ValueError(f"price must be 256 numbers from 0 up, got shape {felt.shape}")
        ends = self.ends[begin:end]
        a = np.searchsorted(self.first, np.arange(begin, begin + len(ends)), "right") - 1
        dy, dx = np.abs(self.centres[a].astype(np.int64) - self.centres[ends]).T
        low, high = np.minimum(dy, dx), np.maximum(dy, dx)
        straight = high * region_kernels.STRAIGHT + low * (region_kernels.DIAGONAL - region_kernels.STRAIGHT)
        felt_along = straight * (felt[self.cost[a]] + felt[self.cost[ends]])
        return np.ascontiguousarray(np.maximum(felt_along, 1))

    def _blocks(self, at: np.ndarray, revolutions: int) -> np.ndarray:
        """The blocks int64[n, 5] (y0, x0, y1, x1, 0) of rows (i, j) that may be looked at, one at least."""
        height, width = self.tile_region.shape
        rows, columns = _lines(height, self.block), _lines(width, self.block)
        i, j = at.T
        blocks = np.column_stack((rows[i], columns[j], rows[i + 1], columns[j + 1], np.zeros_like(i))).astype(np.int64)
        return blocks[: max(1, int(np.searchsorted(np.cumsum(_price(blocks)), revolutions, "right")))]

    def _cut(self, terrain: Terrain, blocks: np.ndarray) -> int:
        self.cuts += 1
        begun = 0
        while True:
            begun += cut_blocks(
                terrain.passable,
                terrain.cost,
                class_bit(self.movement_class),
                self.most,
                blocks[begun:],
                self.tile_region,
                self.boxes,
                self.tiles,
                self.centres,
                self.cost,
                self.changed_at,
                self.cuts,
                self.state,
            )
            if begun == len(blocks):
                break
            self._make_room()
        i, j = self._rows_of(blocks)
        self.todo[i, j] &= ~np.uint8(_CUT)
        changed = blocks[:, 4] > 0
        if not changed.any():
            self.cuts -= 1
            return int(_price(blocks).sum())
        i, j = i[changed], j[changed]
        # A border is listed by the block where its steps begin, which go down or to the right.
        for up, left in ((0, 0), (1, 0), (0, 1)):
            self.todo[np.maximum(i - up, 0), np.maximum(j - left, 0)] |= _LIST
        touched = self.changed_at == self.cuts
        keep = ~(touched[self.borders >> 32] | touched[self.borders & 0xFFFFFFFF])
        self.borders, self.crossings = self.borders[keep], self.crossings[keep]
        return int(_price(blocks).sum())

    def _make_room(self) -> None:
        # A first cut asks for room often; what it leaves is taken back.
        more = max(self.open_count // (2 if self.linked < 0 else 16), SPARE)
        for name in _COLUMNS:
            column = getattr(self, name)
            empty = np.zeros((more, *column.shape[1:]), column.dtype)
            setattr(self, name, np.ascontiguousarray(np.concatenate((column, empty))))
        self.open_count += more

    def _list(self, terrain: Terrain, blocks: np.ndarray) -> int:
        width = terrain.width
        steps = np.empty((4 * int(_tiles(blocks).sum()), 2), np.int64)
        steps = steps[: list_borders(self.tile_region, blocks, self.changed_at, self.linked, steps)]
        steps = steps[np.argsort(steps[:, 0], kind="stable")]
        pairs, begin, length = np.unique(steps[:, 0], return_index=True, return_counts=True)
        middle = steps[begin + length // 2, 1]
        self.borders = np.concatenate((self.borders, pairs))
        crossings = np.column_stack((middle // width, middle % width)).astype(np.int32)
        self.crossings = np.concatenate((self.crossings, crossings))
        i, j = self._rows_of(blocks)
        self.todo[i, j] &= ~np.uint8(_LIST)
        return int(_price(blocks).sum())

    def _rows_of(self, blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        height, width = self.tile_region.shape
        return (
            np.searchsorted(_lines(height, self.block), blocks[:, 0]),
            np.searchsorted(_lines(width, self.block), blocks[:, 1]),
        )

    def _link(self) -> None:
        """Set ``ends`` and ``first`` from the borders, those that were listed twice once."""
        if self.linked < 0:
            # Nobody has seen a number yet.
            self.cuts = 0
            self.changed_at[:] = 0
            self.open_count = int(np.flatnonzero(self.tiles).max(initial=-1)) + 1
            for name in _COLUMNS:
                setattr(self, name, getattr(self, name)[: self.open_count].copy())
        a, b = self.borders >> 32, self.borders & 0xFFFFFFFF
        order = np.lexsort((self.places()[b], a))
        order = order[np.concatenate((np.ones(1, bool), np.diff(self.borders[order]) != 0))[: len(order)]]
        self.borders = self.borders[order]
        self.crossings = np.ascontiguousarray(self.crossings[order])
        self.ends = b[order].astype(np.int32)
        self.first = np.searchsorted(self.borders >> 32, np.arange(self.open_count + 1)).astype(np.int32)
        self.linked, self.revision = self.cuts, self.noted


def _tiles(blocks: np.ndarray) -> np.ndarray:
    tiles: np.ndarray = (blocks[:, 2] - blocks[:, 0]) * (blocks[:, 3] - blocks[:, 1])
    return tiles


def _price(blocks: np.ndarray) -> np.ndarray:
    """Revolutions int64[n] for looking at all tiles of each block."""
    return 1 + (_tiles(blocks) >> 6)


TECHNIQUES = (
    {
        "slug": "regions",
        "name": "Regions and paths over them",
        "ids": ("GP2-31.2", "GP2-31.7"),
        "source": "Game AI Pro 2, ch. 31",
        "functions": ("Regions.build", "Regions.update"),
        "test": "tests/ai/search/regions/test_region_graph.py",
        "exhibit": "levels/exhibits/search/regions.toml",
        "overlay": "regions",
        "setting": "paths.engine",
        "parts": ("GP2-31.3", "GP2-31.8"),
        "reason": "The exhibit is that of another technique.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
