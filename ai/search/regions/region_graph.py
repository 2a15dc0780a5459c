"""Regions: patches of uniform ground, and the graph of their neighbours.

Regions partition the map, walls included. All tiles of a region are of one kind (open or not, one cost), are connected
and span at most ``most`` tiles per side. So a region's centre stands for it, and paths over regions have few hops. A
kind of unit that prefers some ground can weigh whole regions.

The map is divided evenly into blocks, and each block is cut on its own, from its own tiles only. An edit cuts the
touched blocks again. The result equals a new cut of the whole map, for any order of edits. Only the numbers differ: a
region with unchanged tiles keeps its number, so that a next-hop table need drop little. Regions are identified by their
centres, which lie inside them. Every order (neighbours, ties) uses centres, so that answers do not depend on numbers.

Source: "Game AI Pro 2", 31.2 (region quality, greedy rectangles, slivers; the blocks are our addition, for edits).
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
"""Longest side of a block, in tiles; each block is cut on its own."""

SPARE = 16
"""Least increase of the number of region rows when they run out."""

AT_ONCE = 64
"""Number of blocks cut or listed per kernel call."""

_CUT, _LIST = 1, 2
_COLUMNS = ("boxes", "centres", "tiles", "cost", "changed_at")


def _nothing() -> np.ndarray:
    return np.zeros(0, np.int32)


def _lines(length: int, block: int) -> np.ndarray:
    """Return the borders of blocks of at most ``block`` tiles."""
    n = -(-length // block)
    return np.arange(n + 1) * length // max(n, 1)


@record
class Regions:
    """The regions of one movement class, derived from the terrain.

    They are saved, not hashed. ``tile_region`` int32[height, width] is the region of each tile: from 0 on where the
    class can stand, below zero in walls. Columns per region: ``boxes`` int32[open_count, 4] is (y0, x0, y1, x1),
    ``centres`` int32[open_count, 2] the representative tile (y, x), ``tiles`` int32 its size, ``cost`` uint8 its
    ground. The neighbours of region r are ``ends[first[r]:first[r + 1]]``, in the order of their centres. They are
    entered at ``crossings`` int32[borders, 2] (y, x), the middle of the border.

    Numbers last as long as the regions. A free number has no tiles and is given to the next region. ``changed_at``
    int64[open_count] is the cut (``cuts``) that last changed each region.
    """

    movement_class: int
    most: int
    block: int = BLOCK
    revision: int = -1
    open_count: int = 0
    cuts: int = 0
    noted: int = 0  # revision up to which edits are in ``todo``
    linked: int = -1  # number of cuts that ``first`` and ``ends`` include
    todo: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.uint8))  # per block: bits _CUT, _LIST
    state: np.ndarray = unhashed(lambda: np.zeros(2, np.int64))  # state of cutting: FREE, LIVE
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
        """Cut a terrain into regions of at most ``most`` tiles per side.

        Blocks have at most ``block`` tiles per side (0: BLOCK). ValueError when regions are below 2 tiles or blocks
        smaller than regions.
        """
        made = cls.begin(terrain, movement_class, most, block)
        made.work(terrain, 1 << 60)
        return made

    @classmethod
    def begin(cls, terrain: Terrain, movement_class: int = 0, most: int = LARGEST, block: int = 0) -> Regions:
        """Return regions that :meth:`work` cuts slice by slice until :attr:`ready`.

        ValueError as for :meth:`build`.
        """
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
        """Return True if the regions match the terrain of the last :meth:`note`.

        :attr:`revision` is the revision of that terrain.
        """
        return self.revision == self.noted

    @property
    def pending(self) -> int:
        """Number of steps left until :attr:`ready`.

        A step cuts or lists a block, or links all borders.
        """
        todo = int(np.count_nonzero(self.todo & _CUT)) + int(np.count_nonzero(self.todo & _LIST))
        return todo + (not self.ready)

    def update(self, terrain: Terrain) -> bool:
        """Repair everything edited since the last call.

        Returns True when a region changed.
        """
        before = self.cuts
        self.work(terrain, 1 << 60)
        return self.cuts != before

    def note(self, terrain: Terrain) -> None:
        """Record the edits since the last call.

        ValueError for a terrain of another size.
        """
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
        """Continue cutting or repairing for about ``revolutions``; return those spent.

        A revolution is 64 examined tiles. Blocks are cut first, then their borders are listed. Then all borders are
        linked in one step, at one revolution per 64 borders.
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
        """Return the region of a tile, below zero for walls.

        ValueError when it lies outside.
        """
        height, width = self.tile_region.shape
        if not (0 <= y < height and 0 <= x < width):
            raise ValueError(f"tile (y={y}, x={x}) is outside a map of {height} x {width}")
        return int(self.tile_region[y, x])

    def places(self) -> np.ndarray:
        """Identity of each region in every cut of the same ground.

        It is the flat tile int64[open_count] of its centre.
        """
        return self.centres[:, 0].astype(np.int64) * self.tile_region.shape[1] + self.centres[:, 1]

    def neighbours(self, region: int) -> np.ndarray:
        """Return the neighbours of a region, in the order of their centres."""
        return self.ends[self.first[region] : self.first[region + 1]]

    def lengths(self, price: np.ndarray | None = None, begin: int = 0, end: int | None = None) -> np.ndarray:
        """Return the length int64 of each border in ``ends[begin:end]``.

        It is the octile distance between both centres, half over each ground, in units of
        :data:`ai.grid.moves.COST_UNIT` and never zero. ``price`` int[256] is the effective cost of ground of each cost
        for a kind of unit (default: that cost).
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
        """Return the blocks ``int64[n, 5]`` (y0, x0, y1, x1, 0) that may be processed.

        ``at`` are their rows (i, j). At least one block is returned.
        """
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
        # A border is listed by the block where its steps begin; steps go down or to the right.
        for up, left in ((0, 0), (1, 0), (0, 1)):
            self.todo[np.maximum(i - up, 0), np.maximum(j - left, 0)] |= _LIST
        touched = self.changed_at == self.cuts
        keep = ~(touched[self.borders >> 32] | touched[self.borders & 0xFFFFFFFF])
        self.borders, self.crossings = self.borders[keep], self.crossings[keep]
        return int(_price(blocks).sum())

    def _make_room(self) -> None:
        # A first cut needs more rows often; unused rows are removed afterwards.
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
        """Set ``ends`` and ``first`` from the borders, without duplicates."""
        if self.linked < 0:
            # No caller has seen a number yet.
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
    """Return the revolutions int64[n] for examining all tiles of each block."""
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
        "claim": (
            "Rectangles are cut within fixed blocks of 20 tiles, so that an edit cuts only its own again. Regions "
            "have at most 10 tiles a side, the source's 16. Units that prefer some ground are in the library only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
