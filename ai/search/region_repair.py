"""Regions mend themselves after an edit: only those are cut anew that hold a tile of another kind than before.

An edited rectangle is looked at in blocks, so that the work can be shared out over ticks.  The tiles of regions that
are no longer of one kind are cut into rectangles once more; slivers are then fused with their neighbours as when the
map was cut first, which may let a neighbour grow.  All other regions keep their numbers, tiles and borders.

Source: "Game AI Pro 2", 31.2 (regions are cut anew where the map changes).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ai.grid.terrain import Terrain
from ai.search import region_kernels as k

if TYPE_CHECKING:
    from ai.search.regions import Regions

BLOCK = 16
"""Side of the blocks in which an edited rectangle is looked at, tiles."""

SPARE = 16
"""Numbers that are added at least when those of open regions run out."""

_OUTSIDE = 0xFFFF


def kinds_of(terrain: Terrain, movement_class: int, part: tuple[slice, slice]) -> np.ndarray:
    """Kind uint16 of each tile: 0 for all walls, else its cost and one."""
    is_open = terrain.passable[part] >> movement_class & 1
    return np.ascontiguousarray(np.where(is_open, terrain.cost[part].astype(np.uint16) + 1, 0).astype(np.uint16))


def blocks_of(rectangle: tuple[int, int, int, int]) -> list[tuple[int, int, int, int]]:
    """A rectangle (y0, x0, y1, x1) as blocks of at most BLOCK tiles a side."""
    y0, x0, y1, x1 = rectangle
    return [(y, x, min(y + BLOCK, y1), min(x + BLOCK, x1)) for y in range(y0, y1, BLOCK) for x in range(x0, x1, BLOCK)]


def mend_block(regions: Regions, terrain: Terrain, block: tuple[int, int, int, int]) -> int:
    """Cut anew the regions that are no longer of one kind in a block; the tiles that were looked at."""
    y0, x0, y1, x1 = block
    part = slice(y0, y1), slice(x0, x1)
    of = regions.tile_region[part]
    broken = np.unique(of[kinds_of(terrain, regions.movement_class, part) != _known_kinds(regions)[of]])
    looked_at = of.size
    if len(broken) == 0:
        return looked_at
    regions.cuts += 1
    changed = _recut(regions, terrain, broken)
    fused = changed
    while fused:
        tiles, fused = _fuse_about(regions, fused)
        looked_at += tiles
        changed = changed | fused
    _relink(regions, changed)
    return looked_at


def _known_kinds(regions: Regions) -> np.ndarray:
    kinds = regions.cost.astype(np.uint16) + 1
    kinds[regions.open_count :] = 0
    return kinds


def _recut(regions: Regions, terrain: Terrain, broken: np.ndarray) -> set[int]:
    """Cut the tiles of ``broken`` regions into rectangles, each a region; the numbers that stand for something else."""
    top, left = regions.boxes[broken, :2].min(axis=0).tolist()
    bottom, right = regions.boxes[broken, 2:].max(axis=0).tolist()
    part = slice(top, bottom), slice(left, right)
    freed = np.isin(regions.tile_region[part], broken)
    kinds = kinds_of(terrain, regions.movement_class, part)
    kinds[~freed] = _OUTSIDE
    labels = np.zeros(kinds.shape, np.int32)
    k.cut_rectangles(kinds, regions.most, labels)
    _, at, mine = np.unique(labels[freed], return_index=True, return_inverse=True)
    opened = kinds[freed][at] > 0
    _forget(regions, broken)
    walls_before = regions.open_count
    numbers = np.zeros(len(at), np.int64)
    numbers[opened] = _numbers(regions, int(opened.sum()))
    numbers[~opened] = _wall_numbers(regions, int((~opened).sum()))
    regions.tile_region[part][freed] = numbers[mine]
    regions.tile_rectangle[part][freed] = regions.rectangles + mine
    regions.rectangles += len(at)
    ys, xs = np.nonzero(freed)
    ys, xs = ys + top, xs + left
    size = np.bincount(mine, minlength=len(at))
    sums = np.column_stack((np.bincount(mine, ys, len(at)), np.bincount(mine, xs, len(at)))).astype(np.int64)
    boxes = np.tile(np.array([terrain.height, terrain.width, 0, 0], np.int32), (len(at), 1))
    for column, values in ((0, ys), (1, xs)):
        np.minimum.at(boxes[:, column], mine, values)
        np.maximum.at(boxes[:, column + 2], mine, values + 1)
    regions.boxes[numbers], regions.tiles[numbers] = boxes, size
    regions.centres[numbers] = sums // size[:, None]
    regions.cost[numbers] = np.maximum(kinds[freed][at].astype(np.int64) - 1, 0)
    gone = broken + np.where(broken >= walls_before, regions.open_count - walls_before, 0)
    return set(numbers.tolist()) | set(gone.tolist())


def _forget(regions: Regions, numbers: np.ndarray) -> None:
    for column in (regions.boxes, regions.tiles, regions.centres, regions.cost):
        column[numbers] = 0


def _numbers(regions: Regions, n: int) -> np.ndarray:
    """``n`` numbers of open regions that stand for nothing; more are made when they run out, and walls move up."""
    free = np.flatnonzero(regions.tiles[: regions.open_count] == 0)
    if len(free) < n:
        more, at = max(n - len(free), SPARE), regions.open_count
        regions.tile_region[regions.tile_region >= at] += more
        _insert(regions, at, more)
        regions.first = np.concatenate((regions.first, np.full(more, regions.first[-1], np.int32)))
        regions.changed_at = np.concatenate((regions.changed_at, np.zeros(more, np.int64)))
        regions.open_count += more
        free = np.flatnonzero(regions.tiles[: regions.open_count] == 0)
    return free[:n]


def _wall_numbers(regions: Regions, n: int) -> np.ndarray:
    free = regions.open_count + np.flatnonzero(regions.tiles[regions.open_count :] == 0)
    if len(free) < n:
        _insert(regions, len(regions.tiles), n - len(free))
        free = regions.open_count + np.flatnonzero(regions.tiles[regions.open_count :] == 0)
    return free[:n]


def _insert(regions: Regions, at: int, n: int) -> None:
    for name in ("boxes", "tiles", "centres", "cost"):
        column = getattr(regions, name)
        empty = np.zeros((n, *column.shape[1:]), column.dtype)
        setattr(regions, name, np.ascontiguousarray(np.concatenate((column[:at], empty, column[at:]))))


def _window(regions: Regions, numbers: set[int], beyond: int) -> tuple[int, int, slice, slice] | None:
    """(top, left, rows, columns) of a window that reaches so far beyond what is left of these regions."""
    ids = np.array(sorted(numbers), np.int64)
    ids = ids[regions.tiles[ids] > 0]
    if len(ids) == 0:
        return None
    height, width = regions.tile_region.shape
    boxes = regions.boxes[ids]
    top, left = max(int(boxes[:, 0].min()) - beyond, 0), max(int(boxes[:, 1].min()) - beyond, 0)
    bottom, right = min(int(boxes[:, 2].max()) + beyond, height), min(int(boxes[:, 3].max()) + beyond, width)
    return top, left, slice(top, bottom), slice(left, right)


def _fuse_about(regions: Regions, about: set[int]) -> tuple[int, set[int]]:
    """Fuse slivers among regions ``about`` and those round them; (tiles looked at, regions that grew or are gone)."""
    window = _window(regions, about, 2 * regions.most + 2)
    if window is None:
        return 0, set()
    top, left, *part = window
    of = regions.tile_region[tuple(part)]
    ids, local = np.unique(of, return_inverse=True)
    local = np.ascontiguousarray(local.reshape(of.shape), np.int32)
    rows = np.zeros((len(ids), 8), np.int64)
    rows[:, k.TOP : k.RIGHT + 1] = regions.boxes[ids] - (top, left, top, left)
    # Regions that reach out of the window take no part.
    whole = (rows[:, :2] >= 0).all(axis=1) & (rows[:, 2:4] <= of.shape).all(axis=1)
    size = np.where(whole, regions.tiles[ids], 0)
    ys, xs = np.indices(of.shape)
    rows[:, k.TILES] = size
    rows[:, k.SUM_Y] = np.bincount(local.ravel(), ys.ravel())
    rows[:, k.SUM_X] = np.bincount(local.ravel(), xs.ravel())
    rows[:, k.KIND] = np.where(whole, _known_kinds(regions)[ids], _OUTSIDE)
    region_of = np.arange(len(ids), dtype=np.int32)
    if not k.fuse_slivers(local, region_of, rows, regions.most):
        return of.size, set()
    regions.tile_region[tuple(part)] = ids[region_of][local]
    grown = rows[:, k.TILES] > size
    regions.boxes[ids[grown]] = rows[grown, : k.RIGHT + 1] + (top, left, top, left)
    regions.tiles[ids[grown]] = rows[grown, k.TILES]
    centres = rows[grown][:, [k.SUM_Y, k.SUM_X]] // rows[grown][:, [k.TILES]]
    regions.centres[ids[grown]] = centres + (top, left)
    gone = rows[:, k.TILES] < size
    _forget(regions, ids[gone])
    return of.size, set(ids[grown | gone].tolist())


def _relink(regions: Regions, changed: set[int]) -> None:
    """Borders of ``changed`` regions are listed anew, all others kept."""
    mask = np.zeros(regions.open_count, bool)
    mask[[r for r in changed if r < regions.open_count]] = True
    regions.changed_at[mask] = regions.cuts
    owner = np.repeat(np.arange(regions.open_count, dtype=np.int64), np.diff(regions.first))
    keep = ~(mask[owner] | mask[regions.ends])
    pairs, crossings = (owner << 32 | regions.ends)[keep], regions.crossings[keep]
    window = _window(regions, changed, 1)
    if window is not None:
        top, left, *part = window
        of = np.ascontiguousarray(regions.tile_region[tuple(part)])
        new, entered = list_pairs(of, regions.open_count, mask)
        pairs = np.concatenate((pairs, new))
        crossings = np.concatenate((crossings, entered + np.array([top, left], np.int32)))
    order = np.argsort(pairs, kind="stable")
    regions.crossings = np.ascontiguousarray(crossings[order], np.int32)
    regions.link(pairs[order])


def list_pairs(of: np.ndarray, open_count: int, only: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Borders a << 32 | b int64[n], in order, and where one enters b, int32[n, 2]: the middle of the border.

    ``of`` int32[height, width]: the region of each tile; ``only`` bool[open_count]: of borders of these regions.
    """
    steps = np.zeros((4 * of.size, 2), np.int64)
    steps = steps[: k.list_borders(of, open_count, steps)]
    if only is not None:
        steps = steps[only[steps[:, 0] >> 32] | only[steps[:, 0] & 0xFFFFFFFF]]
    steps = steps[np.argsort(steps[:, 0], kind="stable")]
    pairs, begin, length = np.unique(steps[:, 0], return_index=True, return_counts=True)
    middle = steps[begin + length // 2, 1]
    return pairs, np.column_stack((middle // of.shape[1], middle % of.shape[1])).astype(np.int32)
