"""Connected components per movement class: a constant-time test for a path.

The most expensive search is the one for a path that does not exist. Comparing two labels of a movement class answers
that question. The labels repair themselves from the terrain's changed rectangles.

Source: "AI Game Programming Wisdom", 4.5 (components per ability set).
"""

from __future__ import annotations

import numpy as np

from ai.core.serialization import record, unhashed
from ai.grid.component_kernels import (
    BLOCK,
    MOST_REGIONS,
    components_of,
    join_blocks,
    label_blocks,
    nearest_of_components,
)
from ai.grid.movement_classes import CLASS_COUNT, class_bit
from ai.grid.terrain import Terrain

DEFAULT_RADIUS = 64


def _nothing() -> np.ndarray:
    return np.zeros(0, np.int32)


@record
class Components:
    """Components of the tiles for each movement class.

    0 is blocked; equal numbers mean that a path exists. ``local`` uint16[class, height, width] numbers the regions of
    each block of 32 x 32 tiles. ``columns`` uint16[class, 2 * blocks across, height] repeats the first and last column
    of each block. ``component`` int32[class, blocks * 513] is the component of each region. All follow from the terrain
    alone, so they are saved but not hashed.
    """

    revision: int = 0
    local: np.ndarray = unhashed(_nothing)
    columns: np.ndarray = unhashed(_nothing)
    counts: np.ndarray = unhashed(_nothing)
    component: np.ndarray = unhashed(_nothing)

    @classmethod
    def build(cls, terrain: Terrain, classes: int = CLASS_COUNT) -> Components:
        """Label ``terrain`` for movement classes 0..classes-1."""
        made = cls()
        blocks = -(-terrain.height // BLOCK) * -(-terrain.width // BLOCK)
        made.local = np.zeros((classes, terrain.height, terrain.width), np.uint16)
        made.columns = np.zeros((classes, 2 * -(-terrain.width // BLOCK), terrain.height), np.uint16)
        made.counts = np.zeros((classes, blocks), np.int32)
        made.component = np.zeros((classes, blocks * (MOST_REGIONS + 1)), np.int32)
        made.rebuild(terrain)
        return made

    def rebuild(self, terrain: Terrain) -> None:
        """Label everything again."""
        self._repair(terrain, [(0, 0, terrain.height, terrain.width)], True)

    def update(self, terrain: Terrain) -> bool:
        """Follow the terrain's edits since the last call.

        Returns True when any component may have changed.
        """
        if self.revision == terrain.revision:
            return False
        changes = terrain.changes_since(self.revision, ("passable",))
        if changes is None:
            self.rebuild(terrain)
            return True
        return self._repair(terrain, changes, False)

    def _repair(self, terrain: Terrain, rectangles: list[tuple[int, int, int, int]], join: bool) -> bool:
        if self.local.shape[1:] != terrain.passable.shape:
            raise ValueError(f"components are for {self.local.shape[1:]}, the terrain is {terrain.passable.shape}")
        any_changed = False
        for k in range(len(self.local)):
            changed = join
            for rectangle in rectangles:
                arrays = self.local[k], self.columns[k], self.counts[k]
                if label_blocks(terrain.passable, 1 << k, *arrays, *rectangle):
                    changed = True
            if changed:
                join_blocks(self.local[k], self.columns[k], self.counts[k], self.component[k])
            any_changed |= changed
        self.revision = terrain.revision
        return any_changed

    def label(self, movement_class: int, y: int, x: int) -> int:
        """Return the component of a tile.

        It is 0 when the tile is blocked for the class or outside.
        """
        self._check_class(movement_class)
        _, height, width = self.local.shape
        if not (0 <= y < height and 0 <= x < width):
            return 0
        region = int(self.local[movement_class, y, x])
        block = (y // BLOCK) * -(-width // BLOCK) + x // BLOCK
        return int(self.component[movement_class, block * (MOST_REGIONS + 1) + region]) if region else 0

    def labels_of(self, movement_class: int, tiles: np.ndarray) -> np.ndarray:
        """Return the components int32[n] of tiles int[n, 2] (y, x).

        A component is 0 for blocked tiles and tiles outside.
        """
        self._check_class(movement_class)
        rows = np.ascontiguousarray(tiles, np.int32)
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise ValueError(f"tiles must be [n, 2], got {rows.shape}")
        out = np.zeros(len(rows), np.int32)
        components_of(self.local[movement_class], self.component[movement_class], rows, out)
        return out

    def label_map(self, movement_class: int) -> np.ndarray:
        """Return the components int32[height, width] of all tiles.

        For overlays and whole-map analyses.
        """
        self._check_class(movement_class)
        local = self.local[movement_class].astype(np.int64)
        height, width = local.shape
        block = np.arange(height)[:, None] // BLOCK * -(-width // BLOCK) + np.arange(width)[None, :] // BLOCK
        return np.where(local > 0, self.component[movement_class][block * (MOST_REGIONS + 1) + local], 0)

    def reachable(self, movement_class: int, y0: int, x0: int, y1: int, x1: int) -> bool:
        """Return whether a path leads from one tile to the other, by two look-ups."""
        label = self.label(movement_class, y0, x0)
        return label != 0 and label == self.label(movement_class, y1, x1)

    def nearest_reachable(
        self, terrain: Terrain, movement_class: int, start_label: int, y: int, x: int, max_radius: int = DEFAULT_RADIUS
    ) -> tuple[int, int] | None:
        """Return the tile of component ``start_label`` nearest to (y, x), or None.

        It lies within ``max_radius`` rings. Nearest is by distance between centres, then by y, then by x. (y, x) may
        lie outside the map. ValueError when the components are older than the terrain: call :meth:`update` first.
        """
        if start_label <= 0:
            self._check_fresh(terrain, movement_class)
            return None
        labels, tiles = np.array([start_label]), np.array([(y, x)])
        found = self.nearest_of(terrain, movement_class, labels, tiles, max_radius)[0][0]
        return None if found[0] < 0 else (int(found[0]), int(found[1]))

    def nearest_of(
        self,
        terrain: Terrain,
        movement_class: int,
        labels: np.ndarray,
        tiles: np.ndarray,
        max_radius: int = DEFAULT_RADIUS,
    ) -> tuple[np.ndarray, int]:
        """Return :meth:`nearest_reachable` for ``tiles`` int[n, 2].

        Each row has its own component in ``labels`` int[n]. Returns int32[n, 2], (-1, -1) where there is none, and the
        number of tiles and regions examined. Consecutive requests from one block about one component share most of the
        work.
        """
        self._check_fresh(terrain, movement_class)
        rows, wanted = np.ascontiguousarray(tiles, np.int32), np.ascontiguousarray(labels, np.int64)
        if rows.ndim != 2 or rows.shape[1] != 2 or wanted.shape != (len(rows),):
            raise ValueError(f"tiles must be [n, 2] with labels [n], got {rows.shape} and {wanted.shape}")
        near, found = np.empty(self.counts.shape[1], np.int64), np.empty(len(rows), np.int64)
        looks = nearest_of_components(
            self.local[movement_class], self.counts[movement_class], self.component[movement_class], wanted, rows,
            int(max_radius), near, found,
        )  # fmt: skip
        out = np.stack([found // terrain.width, found % terrain.width], axis=1).astype(np.int32)
        out[found < 0] = -1
        return out, int(looks)

    def _check_fresh(self, terrain: Terrain, movement_class: int) -> None:
        self._check_class(movement_class)
        if self.revision != terrain.revision:
            raise ValueError(f"components are at revision {self.revision}, the terrain is at {terrain.revision}")

    def _check_class(self, movement_class: int) -> None:
        class_bit(movement_class)
        if movement_class >= len(self.local):
            raise ValueError(f"components are kept for {len(self.local)} classes, not for class {movement_class}")


TECHNIQUES = (
    {
        "slug": "components",
        "name": "Connected components per movement class",
        "ids": ("AW-4.5-4",),
        "source": "AI Game Programming Wisdom, 4.5",
        "functions": ("Components.update", "Components.nearest_reachable"),
        "test": "tests/ai/grid/test_components.py",
        "exhibit": "levels/exhibits/search/door_repair.toml",
        "overlay": "components",
        "reason": "The exhibit is that of another technique.",
        "claim": "Tiles have no one-way links, so the matrix between regions is left out; edits repair the labels.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
