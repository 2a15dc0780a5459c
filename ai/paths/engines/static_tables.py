"""Tables for levels marked static: goal bounds, or next hops over regions.

Goal bounds serve ground of one cost, next hops ground of many costs. Tables are expensive, so they are built behind the
level's progress bar and kept in the cache folder under a digest of the ground. The first edit drops them. A level that
is not marked never has them.

The saved state records whether tables answer. The tables follow from the ground alone, so a file, a fresh build and a
restored world agree.

Sources: "Game AI Pro 2", 14 (JPS+), 31.3 (next-hop cache over regions); goal bounding as in Sturtevant's later work.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import numpy as np

from ai.grid.terrain import Terrain
from ai.paths.settings import PathSettings
from ai.search.astar.astar import FOUND
from ai.search.jps.goal_bounds_files import load_bounds, save_bounds, tables_folder
from ai.search.jps.jps import UniformGround
from ai.search.jps.jps_plus import JPSPlus, goal_bound_table, jump_tables
from ai.search.regions.next_hop import MOST_REGIONS, NextHops
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_path import RegionSearch

Progress = Callable[[int, int], None]
"""Called with (done, total) while tables are built."""

MOST_BOUNDED = 1 << 16
"""Largest number of open tiles for goal bounds; the work grows with its square."""

LARGEST_BOUNDED = 1 << 22
"""Largest map in tiles for goal bounds.

There are two tables of a quarter of a gigabyte each.
"""

_A_STEP = 100_000


class AnswersAtOnce(Protocol):
    """A search that ends within the tick."""

    @property
    def revolutions(self) -> int:
        """Return the revolutions of the last path."""

    @property
    def cut(self) -> bool:
        """Return True if the limit was reached before the answer."""

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Return the path int32[n, 2] (y, x), or None."""


class GoalBoundTables:
    """JPS+ with goal bounds: exact, on ground of one cost.

    Raises ValueError for maps that are too large.
    """

    def __init__(self, terrain: Terrain, movement_class: int, progress: Progress | None, folder: Path | None) -> None:
        if not can_bound(terrain, movement_class):
            raise ValueError(
                f"a map of {terrain.height} x {terrain.width} tiles is too large for goal bounds: {LARGEST_BOUNDED} "
                f"tiles at most, {MOST_BOUNDED} of them open"
            )
        ground = UniformGround.build(terrain, movement_class)
        bounds = load_bounds(ground, folder)
        if bounds is None:
            bounds = goal_bound_table(ground, progress)
            save_bounds(ground, bounds, folder)
        self.cut = False
        self.bounds = bounds
        """uint64[cells, 8], for overlays."""
        self._search = JPSPlus(ground, jump_tables(ground), bounds)
        self._log = np.zeros((1, 3), np.int64)

    @property
    def revolutions(self) -> int:
        """Return the number of nodes expanded by the last search."""
        return self._search.revolutions

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Return a shortest path, or None.

        Also None, with :attr:`cut` set, if ``limit`` revolutions were not enough.
        """
        if len(self._log) < limit:
            self._log = np.zeros((limit, 3), np.int64)
        self._search.note(self._log[: max(limit, 1)])
        path = self._search.find(start, goal)
        self.cut = path is None and self.revolutions >= limit
        return path


class _Legs(RegionSearch):
    """Paths over regions whose tile searches stop at a limit."""

    limit = 0
    cut = False

    def _leg(self, terrain: Terrain, here: tuple[int, int], there: tuple[int, int]) -> np.ndarray | None:
        self._search.begin(terrain, self.regions.movement_class, here, there)
        self._search.run(terrain, max(self.limit - self.revolutions, 0))
        self.revolutions += self._search.revolutions
        if self._search.status == FOUND:
            return self._search.path()
        self.cut = self.revolutions >= self.limit
        return None


class NextHopPaths:
    """Near-optimal paths over regions by a next-hop table, on ground of many costs."""

    def __init__(
        self,
        terrain: Terrain,
        regions: Regions,
        progress: Progress | None = None,
        *,
        ahead: bool = True,
        hops: NextHops | None = None,
    ) -> None:
        """Create the paths; ``ahead`` fills the table now, otherwise column by column.

        ``hops`` is an existing table of these regions.
        """
        if hops is None:
            hops = NextHops.build(regions)
        self.hops = hops
        while ahead and hops.fill(regions, _A_STEP):
            if progress is not None:
                progress(int(hops.filled.sum()), regions.open_count)
        self._terrain = terrain
        self._legs = self._by_table = _Legs(regions, hops)
        self._by_borders: _Legs | None = None

    def arrange(self, settings: PathSettings) -> None:
        """Read region paths from the table, or search each over the borders of regions."""
        if settings.next_hops:
            self._legs = self._by_table
        else:
            self._by_borders = self._by_borders or _Legs(self._by_table.regions)
            self._legs = self._by_borders

    @property
    def revolutions(self) -> int:
        """Return the number of tiles expanded for the last path."""
        return self._legs.revolutions

    @property
    def cut(self) -> bool:
        """Return True if the limit was reached before the answer."""
        return self._legs.cut

    def find(self, start: tuple[int, int], goal: tuple[int, int], limit: int) -> np.ndarray | None:
        """Return a path, or None.

        Also None, with :attr:`cut` set, if ``limit`` revolutions were not enough.
        """
        self._legs.limit, self._legs.cut = limit, False
        if self._legs is self._by_borders:
            self._legs.log = np.zeros((max(limit, 1), 3), np.int64)  # it ends the search over borders
            path = self._legs.find(self._terrain, start, goal)
            self._legs.cut |= path is None and self._legs.revolutions >= limit
            return path
        region = self._legs.regions.at(*goal)
        if region >= 0 and not self.hops.filled[region] and self.hops.regions > limit:
            # Its column would take longer; it is built over the next ticks.
            if region not in self.hops.wanted:
                self.hops.wanted = [*self.hops.wanted, region]
            self._legs.revolutions, self._legs.cut = 0, True
            return None
        return self._legs.find(self._terrain, start, goal)


def can_bound(terrain: Terrain, movement_class: int) -> bool:
    """Return True if the map is small enough for goal bounds."""
    return (
        terrain.passable.size <= LARGEST_BOUNDED
        and int(np.count_nonzero(terrain.passable >> movement_class & 1)) <= MOST_BOUNDED
    )


def make_tables(
    terrain: Terrain,
    movement_class: int,
    uniform: bool,
    progress: Progress | None = None,
    folder: Path | None = None,
) -> AnswersAtOnce | None:
    """Build the tables that fit the ground; return None if it is too large."""
    if uniform:
        if not can_bound(terrain, movement_class):
            return None
        return GoalBoundTables(terrain, movement_class, progress, tables_folder() if folder is None else folder)
    regions = Regions.build(terrain, movement_class)
    return NextHopPaths(terrain, regions, progress) if regions.open_count <= MOST_REGIONS else None
