"""Cluster graph: the map in square blocks and the cost of crossing each block.

The graph has one level or several. It is derived from the terrain alone and repairs itself from the terrain's changed
rectangles. An edit rebuilds a few clusters, and on each higher level the clusters that contain them.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (Botea, Müller, Schaeffer).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.grid.movement_classes import class_bit
from ai.grid.terrain import Terrain
from ai.search.hierarchy import hpa_kernels, hpa_level_kernels
from ai.search.hierarchy.hpa_kernels import FAR

CLUSTER = 10
MOST_LEVELS = 5


def _nothing() -> np.ndarray:
    return np.zeros(0, np.int32)


class SearchScratch:
    """Scratch of a search over one level: g, parents, stamps and a heap."""

    def __init__(self, tiles: int) -> None:
        self.g = np.zeros(tiles, np.int64)
        self.parent = np.zeros(tiles, np.int32)
        self.stamps = np.zeros(tiles, np.int32)
        self.stamp = 0
        self.keys = np.zeros(1 << 14, np.int64)
        self.heap_tiles = np.zeros(1 << 14, np.int32)

    def more_heap(self) -> None:
        """Make the heap four times as long."""
        self.keys = np.zeros(4 * len(self.keys), np.int64)
        self.heap_tiles = np.zeros(len(self.keys), np.int32)


@record
class ClusterLevel:
    """Level of the hierarchy: clusters of ``size`` x ``size`` tiles.

    Array layouts are those of :mod:`ai.search.hierarchy.hpa_level_kernels`.
    """

    size: int
    slots: np.ndarray = unhashed(_nothing)
    nodes: np.ndarray = unhashed(_nothing)
    crossings: np.ndarray = unhashed(_nothing)
    counts: np.ndarray = unhashed(_nothing)
    distances: np.ndarray = unhashed(_nothing)

    @classmethod
    def empty(cls, height: int, width: int, size: int) -> ClusterLevel:
        """Return a level without nodes."""
        clusters = -(-height // size) * -(-width // size)
        # Entrances of one side are at least a tile apart.
        most = 4 * ((size + 1) // 2)
        return cls(
            size,
            np.full((height, width), -1, np.int16),
            np.zeros((clusters, most), np.int32),
            np.zeros((clusters, most), np.uint8),
            np.zeros(clusters, np.int32),
            np.zeros((clusters, most, most), np.int64),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of clusters."""
        height, width = self.slots.shape
        return -(-height // self.size), -(-width // self.size)

    def cluster_of(self, tile: int) -> int:
        """Return the cluster of a flat tile."""
        width = self.slots.shape[1]
        return tile // width // self.size * self.shape[1] + tile % width // self.size

    def corner_of(self, tile: int) -> tuple[int, int]:
        """Return (y, x) of the first tile in the cluster of a flat tile."""
        width = self.slots.shape[1]
        return tile // width // self.size * self.size, tile % width // self.size * self.size

    @property
    def arrays(self) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the arrays of a level that kernels take."""
        return self.size, self.slots, self.nodes, self.crossings, self.counts, self.distances


@record
class Raising:
    """Work that remains on the levels above the first.

    ``left`` bool[rows, columns] marks the unfinished clusters of each level, lowest first. ``nodes`` counts the
    finished nodes of the first unfinished cluster. ``saved`` are revolutions already paid for its next node that did
    not suffice.
    """

    left: list[np.ndarray] = field(default_factory=list)
    nodes: int = 0
    saved: int = 0

    @property
    def done(self) -> bool:
        """Return True if every level matches the level below."""
        return not any(level.any() for level in self.left)

    def mark(self, dirty: np.ndarray) -> None:
        """Mark the higher clusters that contain rebuilt first-level clusters.

        ``dirty`` bool[rows, columns] are the rebuilt clusters of the first level.
        """
        if not dirty.any():
            return
        self.nodes = 0
        for level in self.left:
            rows, columns = np.nonzero(dirty)
            dirty = np.zeros(level.shape, bool)
            dirty[rows // 2, columns // 2] = True
            level |= dirty


@record
class ClusterGraph:
    """Abstract graph of one movement class, with optional higher levels.

    The clusters have ``size`` x ``size`` tiles. The graph is derived from the terrain alone, so it is saved but not
    hashed. ``versions`` int32[rows, columns] counts how often each cluster was built. ``upper`` are the levels above
    the first; each has clusters of 2 x 2 clusters of the level below. ``raising`` is the work that remains on them.
    ``arrows`` and ``away``, when kept, are the flow field of each node within its cluster. They come from the same
    floods as the distances, as in :func:`ai.search.hierarchy.hpa_kernels.build_clusters`.
    """

    movement_class: int
    size: int
    revision: int = 0
    base: ClusterLevel = None  # type: ignore[assignment]
    versions: np.ndarray = unhashed(_nothing)
    upper: list[ClusterLevel] = unhashed(list)
    raising: Raising = unhashed(Raising)
    arrows: np.ndarray = derived(lambda: np.zeros((0, 0), np.uint8))
    away: np.ndarray = derived(lambda: np.zeros((0, 0), np.int32))
    scratch: SearchScratch | None = derived(lambda: None)

    @classmethod
    def build(cls, terrain: Terrain, movement_class: int = 0, size: int = CLUSTER, levels: int = 1) -> ClusterGraph:
        """Build all clusters.

        ValueError for a size outside 4..32, and for levels outside 1..5.
        """
        made = cls.begin(terrain, movement_class, size, levels)
        made._build(terrain, 0, 0, *made.base.shape)
        made.raise_levels(terrain)
        return made

    @classmethod
    def begin(
        cls, terrain: Terrain, movement_class: int = 0, size: int = CLUSTER, levels: int = 1, fields: bool = False
    ) -> ClusterGraph:
        """Return a graph whose clusters are not built yet; see :meth:`rebuild`.

        ``fields``: whether flow fields are kept. Errors as in :meth:`build`.
        """
        class_bit(movement_class)
        if not 4 <= size <= 32:
            raise ValueError(f"clusters must be 4..32 tiles wide, got {size}")
        _check_levels(levels)
        made = cls(int(movement_class), size)
        made.base = ClusterLevel.empty(terrain.height, terrain.width, size)
        made.versions = np.zeros(made.base.shape, np.int32)
        if fields:
            # Most slots of most clusters stay unused. The system does not assign memory that is never written.
            rows, cells = made.base.nodes.size, size * size
            made.arrows, made.away = np.zeros((rows, cells), np.uint8), np.zeros((rows, cells), np.int32)
        made.begin_levels(levels)
        made.revision = terrain.revision
        return made

    @property
    def levels(self) -> list[ClusterLevel]:
        """Return all levels, lowest first."""
        return [self.base, *self.upper]

    @property
    def slots(self) -> np.ndarray:
        """Node number ``int16[height, width]`` of each tile in its cluster; -1 for no node."""
        return self.base.slots

    @property
    def nodes(self) -> np.ndarray:
        """Flat tiles int32[clusters, most] of the nodes of each cluster, in ascending order."""
        return self.base.nodes

    @property
    def crossings(self) -> np.ndarray:
        """Crossings uint8[clusters, most]: one bit per straight move out of the cluster."""
        return self.base.crossings

    @property
    def counts(self) -> np.ndarray:
        """Number of nodes of each cluster, int32[clusters]."""
        return self.base.counts

    @property
    def distances(self) -> np.ndarray:
        """Distances int64[clusters, most, most] between the nodes of a cluster, inside it."""
        return self.base.distances

    def update(self, terrain: Terrain) -> int:
        """Rebuild the clusters that edits since the last call may have changed.

        Returns the number of rebuilt first-level clusters.
        """
        dirty = self.dirty_since(terrain)
        count = int(dirty.sum())
        self.rebuild(terrain, dirty)
        self.raise_levels(terrain)
        return count

    def dirty_since(self, terrain: Terrain) -> np.ndarray:
        """Return the clusters bool[rows, columns] to :meth:`rebuild`.

        Edits since the last call may have changed them.
        """
        if self.revision == terrain.revision:
            return np.zeros(self.versions.shape, bool)
        changes = terrain.changes_since(self.revision, ("passable", "cost"))
        self.revision = terrain.revision
        if changes is None:
            changes = [(0, 0, terrain.height, terrain.width)]
        rows, columns = self.versions.shape
        dirty = np.zeros((rows, columns), bool)
        for y0, x0, y1, x1 in changes:
            # A tile on a border line also shapes the cluster across that border. Corners do not matter.
            for grow_y, grow_x in ((1, 0), (0, 1)):
                top, left = max(y0 - grow_y, 0) // self.size, max(x0 - grow_x, 0) // self.size
                bottom, right = (y1 - 1 + grow_y) // self.size + 1, (x1 - 1 + grow_x) // self.size + 1
                dirty[top:bottom, left:right] = True
        return dirty

    def rebuild(self, terrain: Terrain, dirty: np.ndarray, limit: int = 1 << 62) -> int:
        """Rebuild ``dirty`` clusters, row by row, and clear their marks.

        Stops after ``limit`` expanded tiles and returns the number of expanded tiles. :meth:`raise_levels` updates the
        levels above.
        """
        spent = 0
        done = np.zeros_like(dirty)
        for row, column in np.argwhere(dirty).tolist():
            if spent >= limit:
                break
            spent += self._build(terrain, row, column, row + 1, column + 1)
            dirty[row, column] = False
            done[row, column] = True
        self.raising.mark(done)
        return spent

    def edges(self, level: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Return inter-edges int32[n, 2] and intra-edges int32[m, 2] of a level.

        An edge is a pair of flat tiles. Each edge is listed once, in ascending order.
        """
        found = self.levels[level - 1]
        width = found.slots.shape[1]
        inter, intra = [], []
        for c, count in enumerate(found.counts.tolist()):
            for slot in range(count):
                tile = int(found.nodes[c, slot])
                # East and south crossings only: the other end lists the other two.
                if found.crossings[c, slot] & 2:
                    inter.append((tile, tile + 1))
                if found.crossings[c, slot] & 4:
                    inter.append((tile, tile + width))
                intra += [
                    (tile, int(found.nodes[c, other]))
                    for other in range(slot + 1, count)
                    if found.distances[c, slot, other] < FAR
                ]
        return np.array(inter, np.int32).reshape(-1, 2), np.array(intra, np.int32).reshape(-1, 2)

    def begin_levels(self, levels: int) -> None:
        """Set the number of levels; :meth:`raise_levels` builds the new ones.

        ValueError outside 1..5.
        """
        _check_levels(levels)
        height, width = self.slots.shape
        # The first unfinished cluster may change, and none of the nodes of another one is done.
        self.raising.nodes = 0
        del self.upper[levels - 1 :], self.raising.left[levels - 1 :]
        for above in range(len(self.levels), levels):
            self.upper.append(ClusterLevel.empty(height, width, self.size << above))
            self.raising.left.append(np.ones(self.upper[-1].shape, bool))

    def raise_levels(self, terrain: Terrain, limit: int = 1 << 62) -> int:
        """Continue building the levels above the first for at most ``limit`` revolutions.

        One revolution is one expanded node. Returns the revolutions spent. The levels are valid once ``raising`` is
        done.

        Revolutions that do not suffice for the next node are spent and saved for it. So a limit below the cost of one
        node also makes progress. The work done never exceeds what was paid.
        """
        raising = self.raising
        had, raising.saved = raising.saved, 0
        spent, left = self._raise(terrain, limit + had)
        if left:
            raising.saved = limit + had - spent
            return limit
        return max(spent - had, 0)

    def _raise(self, terrain: Terrain, limit: int) -> tuple[int, bool]:
        """Return the revolutions spent of ``limit``, and whether work remains."""
        spent, below, work = 0, self.base, self.searching()
        for level, left in zip(self.upper, self.raising.left, strict=True):
            which = np.flatnonzero(left).astype(np.int32)
            # A heap never holds more than the edges of four clusters.
            room = (4 * below.nodes.shape[1] + 1) * (2 * below.nodes.shape[1] + 8) + 64
            while len(which) and len(work.keys) < room:
                work.more_heap()
            answer = np.zeros(3, np.int64)
            spent += hpa_level_kernels.raise_clusters(
                terrain.cost,
                *below.arrays,
                *level.arrays[1:],
                which,
                self.raising.nodes if len(which) else 0,
                limit - spent,
                work.g,
                work.parent,
                work.stamps,
                work.stamp,
                work.keys,
                work.heap_tiles,
                answer,
            )
            done, work.stamp = int(answer[0]), int(answer[2])
            left.reshape(-1)[which[:done]] = False
            if len(which):
                self.raising.nodes = int(answer[1])
            if done < len(which):
                return int(spent), True
            below = level
        return int(spent), False

    def searching(self) -> SearchScratch:
        """Return the scratch for searches over this graph; created at first use."""
        if self.scratch is None:
            self.scratch = SearchScratch(self.slots.size)
        return self.scratch

    def _build(self, terrain: Terrain, row0: int, column0: int, row1: int, column1: int) -> int:
        if self.slots.shape != terrain.passable.shape:
            raise ValueError(f"the graph is of {self.slots.shape}, the terrain is {terrain.passable.shape}")
        spent = hpa_kernels.build_clusters(
            terrain.passable,
            terrain.cost,
            class_bit(self.movement_class),
            *self.base.arrays,
            self.arrows,
            self.away,
            row0,
            column0,
            row1,
            column1,
        )
        self.versions[row0:row1, column0:column1] += 1
        return int(spent)


def _check_levels(levels: int) -> None:
    if not 1 <= levels <= MOST_LEVELS:
        raise ValueError(f"there may be 1..{MOST_LEVELS} levels, got {levels}")
