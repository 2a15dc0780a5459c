"""Passage claims: holders of passages for one body, and waiting units."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.core.serialization import derived, record
from ai.grid.terrain import Terrain
from ai.steering.traffic.corridor_segments import LONGEST, LOOK
from ai.steering.traffic.reservation_table import FARTHEST, MARKS
from ai.steering.traffic.single_file import Passage, PassageMap, narrow_tiles, spread

CLASSES = 8
"""Bits of a tile's mask."""

GOES, STANDS, CLEARS = 0, 1, 2
"""Acts at a passage: walk on, stand before it, or clear it.

Clearing includes the ground before it.
"""


@record
class Passages:
    """Passage state, a row a unit slot.

    ``act``; the id ``waits_for``, -1 none; ``right``: 0 none, 1 it may go on, 2 before all others. ``since``:
    tick since which it waits, -1; ``left``: tiles to where it clears the ground; ``shut``: no unit can let it
    through. ``post`` float64[n, 2]: x and y of the former place of a unit that made room, nan for others.

    ``claims`` of marching groups: name of a passage (see :meth:`name`), direction along its tiles (1 or -1), 1
    when inside, tiles to it, id of a member, row. ``held``, for contested passages: name -> the direction that
    has it, 0 none, and since when.
    """

    held: dict[int, tuple[int, int]] = field(default_factory=dict)
    act: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    waits_for: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    right: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    since: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    left: np.ndarray = field(default_factory=lambda: np.zeros(0))
    shut: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    post: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    claims: list[tuple[int, int, int, float, int, int]] = field(default_factory=list)
    narrow: np.ndarray = derived(lambda: np.zeros((0, 0), np.uint8))
    near: np.ndarray = derived(lambda: np.zeros((0, 0), np.uint8))
    revision: int = derived(lambda: -1)
    known: PassageMap = derived(PassageMap)
    """Passages of tiles, as far as requested since the last map change."""
    marks: np.ndarray = derived(lambda: np.zeros((MARKS, 0), np.int32))
    stamp: int = derived(lambda: 0)
    tiles: np.ndarray = derived(lambda: np.zeros(16 * LONGEST, np.int32))
    path: np.ndarray = derived(lambda: np.zeros(FARTHEST, np.int32))
    lent: np.ndarray = derived(lambda: np.zeros(0, np.int64))
    """Idle units that walk in this tick."""

    def reserve(self, slots: int) -> None:
        """Make room for ``slots`` units and keep the present claims."""
        for name, fill in (("act", 0), ("waits_for", -1), ("right", 0), ("since", -1), ("left", 0), ("shut", 0)):
            column = getattr(self, name)
            if len(column) < slots:
                setattr(self, name, np.concatenate([column, np.full(slots - len(column), fill, column.dtype)]))

        if len(self.post) < slots:
            self.post = np.vstack([self.post, np.full((slots - len(self.post), 2), np.nan)])

    def next_stamps(self, many: int = 1) -> int:
        """Return the stamp before ``many`` new stamps for the marks."""
        if self.marks.shape[1] != self.narrow.size:
            self.marks, self.stamp = np.zeros((MARKS, self.narrow.size), np.int32), 0
        self.stamp += many
        return self.stamp - many

    def follow_map(self, terrain: Terrain) -> None:
        """Bring the map of narrow tiles up to ``terrain``."""
        if self.revision == terrain.revision and self.narrow.shape == terrain.passable.shape:
            return
        whole = self.revision < 0 or self.narrow.shape != terrain.passable.shape
        changes = None if whole else terrain.changes_since(self.revision, ("passable",))
        self.revision = terrain.revision
        if changes is None:
            self.narrow = narrow_tiles(terrain.passable)
            self.near = spread(self.narrow, LOOK)
        for y0, x0, y1, x1 in changes or ():
            for rows, reach in ((self.narrow, 2), (self.near, LOOK + 3)):
                a, c = max(y0 - 2 * reach, 0), min(y1 + 2 * reach, terrain.height)
                b, d = max(x0 - 2 * reach, 0), min(x1 + 2 * reach, terrain.width)
                part = narrow_tiles(terrain.passable[a:c, b:d]) if rows is self.narrow else None
                part = spread(self.narrow[a:c, b:d], LOOK) if part is None else part
                e, g = max(y0 - reach, 0), min(y1 + reach, terrain.height)
                f, h = max(x0 - reach, 0), min(x1 + reach, terrain.width)
                rows[e:g, f:h] = part[e - a : g - a, f - b : h - b]
        if changes is None or changes:
            self.known.forget(CLASSES, terrain.passable.size)

    def at(self, terrain: Terrain, movement_class: int, y: int, x: int) -> Passage | None:
        """Return the passage of tile (y, x) for a class, None without one."""
        return self.known.find(self.narrow, terrain.passable, movement_class, y, x)

    def name(self, passage: Passage, side: int) -> int:
        """Return the name of a passage for one side: other sides are ignored.

        Units of another side are not waited for.
        """
        return int(names_of(passage.name, side))


def names_of(passages: Any, sides: Any) -> np.ndarray:
    """Return the names of passages for sides, int64.

    See :meth:`Passages.name` for one passage.
    """
    return np.asarray(passages, np.int64) * 4 + sides


def free_for(passages: Passages, name: int, direction: int) -> bool:
    """Return true if a passage is free for a group in a direction now."""
    return name not in passages.held or passages.held[name][0] == direction
