"""The terrain: tile fields, edited through one call that derived structures follow.

Each field keeps a digest that is a sum over tiles of a mixed (index, value). So an edit costs its own rectangle, and
hashing the world reads no tile. A bounded log of changed rectangles lets components, abstract graphs, jump tables and
visibility repair themselves from the revision they know.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ai.core.kernels import device, kernel
from ai.core.serialization import digested_by, record
from ai.grid.movement_classes import ALL_CLASSES
from ai.grid.moves import MAX_SIDE

ORDINARY_COST = 8
"""Cost of ordinary ground: costs are in eighths."""

FIELDS = ("passable", "cost", "opaque", "cover")
"""Fields of the terrain.

Bit k of a log row marks a change of field k.
"""

LOG_LENGTH = 256


@device
def _mix_tile(index: int, value: int) -> np.uint64:
    z = np.uint64(index) * np.uint64(256) + np.uint64(value) + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel("uint64(uint8[:,::1], int64, int64, int64, int64)")
def _rectangle_digest(values: np.ndarray, y0: int, x0: int, y1: int, x1: int) -> np.uint64:
    total = np.uint64(0)
    width = values.shape[1]
    for y in range(y0, y1):
        for x in range(x0, x1):
            total += _mix_tile(y * width + x, values[y, x])
    return total


@kernel("void(uint8[:,::1], uint8[:,::1], int64[::1], int64, int64, int64, int64, int64)")
def _tally_costs(
    passable: np.ndarray, cost: np.ndarray, counts: np.ndarray, sign: int, y0: int, x0: int, y1: int, x1: int
) -> None:
    """Add ``sign`` to the count of each tile cost.

    Only tiles that any class can enter count.
    """
    for y in range(y0, y1):
        for x in range(x0, x1):
            if passable[y, x]:
                counts[cost[y, x]] += sign


@record
class Terrain:
    """Terrain fields, uint8[height, width] each.

    Create it with :meth:`build`, change it with :meth:`edit`. ``passable`` is a mask of movement classes. ``cost`` is
    in eighths (8 is ordinary ground, 1..255). ``opaque`` 1 blocks sight. ``cover`` 0..255 is how much of a body behind
    the tile is covered.
    """

    passable: np.ndarray = digested_by("passable_digest")
    cost: np.ndarray = digested_by("cost_digest")
    opaque: np.ndarray = digested_by("opaque_digest")
    cover: np.ndarray = digested_by("cover_digest")
    passable_digest: int = 0
    cost_digest: int = 0
    opaque_digest: int = 0
    cover_digest: int = 0
    revision: int = 0
    log: np.ndarray = None  # type: ignore[assignment]
    cost_counts: np.ndarray = None  # type: ignore[assignment]
    lowest_cost: int = ORDINARY_COST

    @classmethod
    def build(cls, passable: Any, cost: Any = None, opaque: Any = None, cover: Any = None) -> Terrain:
        """Return a terrain from [height, width] arrays.

        The defaults are ordinary cost, transparent tiles and no cover. ``passable`` may be boolean: then every class
        can enter the open tiles. ValueError names the error.
        """
        mask = np.asarray(passable)
        if mask.ndim != 2 or 0 in mask.shape or max(mask.shape) > MAX_SIDE:
            raise ValueError(f"terrain must be [height, width] of 1..{MAX_SIDE}, got shape {mask.shape}")
        if mask.dtype == bool:
            mask = np.where(mask, ALL_CLASSES, 0)
        shape = mask.shape
        fields: dict[str, Any] = {}
        for name, values, default in (
            ("passable", mask, 0),
            ("cost", cost, ORDINARY_COST),
            ("opaque", opaque, 0),
            ("cover", cover, 0),
        ):
            array = np.full(shape, default, np.uint8)
            if values is not None:
                if np.shape(values) != shape:
                    raise ValueError(f"{name} has shape {np.shape(values)}, passable has {shape}")
                array[:] = _checked(name, values)
            fields[name] = array
        made = cls(
            **fields,
            log=np.zeros((LOG_LENGTH, 5), np.int32),
            cost_counts=np.zeros(256, np.int64),
        )
        for name in FIELDS:
            setattr(made, f"{name}_digest", int(_rectangle_digest(fields[name], 0, 0, *shape)))
        made._recount(1, 0, 0, *shape)
        return made

    @property
    def height(self) -> int:
        """Rows of tiles."""
        return int(self.passable.shape[0])

    @property
    def width(self) -> int:
        """Columns of tiles."""
        return int(self.passable.shape[1])

    def inside(self, y: int, x: int) -> bool:
        """Return whether the tile lies on the map."""
        return 0 <= y < self.height and 0 <= x < self.width

    def edit(
        self,
        y0: int,
        x0: int,
        y1: int,
        x1: int,
        *,
        passable: Any = None,
        cost: Any = None,
        opaque: Any = None,
        cover: Any = None,
    ) -> bool:
        """Set fields on the rows y0..y1-1 and columns x0..x1-1.

        Each value is a number or an array of that shape. This is the only call that changes a terrain. When a tile
        really changed, it increases the revision and logs the rectangle. Returns whether a tile changed. ValueError,
        with nothing changed, when the rectangle or a value is out of range.
        """
        if not (0 <= y0 < y1 <= self.height and 0 <= x0 < x1 <= self.width):
            raise ValueError(f"rectangle {(y0, x0, y1, x1)} is not inside a terrain of {self.height} x {self.width}")
        wanted: list[tuple[int, str, np.ndarray]] = []
        for bit, (name, values) in enumerate(zip(FIELDS, (passable, cost, opaque, cover), strict=True)):
            if values is None:
                continue
            if np.ndim(values) and np.shape(values) != (y1 - y0, x1 - x0):
                raise ValueError(f"{name} has shape {np.shape(values)}, the rectangle is {(y1 - y0, x1 - x0)}")
            new = np.broadcast_to(_checked(name, values), (y1 - y0, x1 - x0))
            if not np.array_equal(getattr(self, name)[y0:y1, x0:x1], new):
                wanted.append((bit, name, new))
        if not wanted:
            return False
        changed = 0
        for bit, _, _ in wanted:
            changed |= 1 << bit
        if changed & 3:
            self._recount(-1, y0, x0, y1, x1)
        for _, name, new in wanted:
            field = getattr(self, name)
            before = int(_rectangle_digest(field, y0, x0, y1, x1))
            field[y0:y1, x0:x1] = new
            after = int(_rectangle_digest(field, y0, x0, y1, x1))
            digest = getattr(self, f"{name}_digest")
            setattr(self, f"{name}_digest", (digest - before + after) % (1 << 64))
        if changed & 3:
            self._recount(1, y0, x0, y1, x1)
        self.revision += 1
        self.log[self.revision % LOG_LENGTH] = (y0, x0, y1, x1, changed)
        return True

    def changes_since(self, revision: int, fields: Iterable[str] = FIELDS) -> list[tuple[int, int, int, int]] | None:
        """Return the rectangles (y0, x0, y1, x1) edited after ``revision``.

        Only edits of ``fields`` count; the oldest comes first. None when the log no longer reaches back that far:
        rebuild. ValueError for a future revision.
        """
        if not 0 <= revision <= self.revision:
            raise ValueError(f"revision {revision} is not in 0..{self.revision}")
        if self.revision - revision > LOG_LENGTH:
            return None
        wanted = sum(1 << FIELDS.index(name) for name in fields)
        rows = (self.log[r % LOG_LENGTH] for r in range(revision + 1, self.revision + 1))
        return [(int(r[0]), int(r[1]), int(r[2]), int(r[3])) for r in rows if r[4] & wanted]

    def digest_from_scratch(self, name: str) -> int:
        """Return the digest of a field, computed from all tiles.

        It equals the digest kept by edits.
        """
        return int(_rectangle_digest(getattr(self, name), 0, 0, self.height, self.width))

    def _recount(self, sign: int, y0: int, x0: int, y1: int, x1: int) -> None:
        _tally_costs(self.passable, self.cost, self.cost_counts, sign, y0, x0, y1, x1)
        if sign > 0:
            present = np.flatnonzero(self.cost_counts)
            self.lowest_cost = int(present[0]) if present.size else ORDINARY_COST


def _checked(name: str, values: Any) -> np.ndarray:
    array = np.asarray(values)
    if array.dtype == bool:
        array = array.astype(np.uint8)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be whole numbers, got {array.dtype}")
    low, high = {"cost": (1, 255), "opaque": (0, 1)}.get(name, (0, 255))
    if array.size and (array.min() < low or array.max() > high):
        raise ValueError(f"{name} must be {low}..{high}, got {array.min()}..{array.max()}")
    return array


TECHNIQUES = (
    {
        "slug": "map-repair",
        "name": "Map edits: repair, then wait or replan",
        "ids": ("GP2-1.5",),
        "source": "Game AI Pro 2, ch. 1",
        "functions": ("Terrain.edit",),
        "test": "tests/ai/grid/test_terrain.py",
        "exhibit": "levels/exhibits/search/door_repair.toml",
        "overlay": "repairs",
        "setting": "paths.door_wait",
        "measure": "walked",
        "direction": "down",
        "claim": (
            "Repair is always on; T switches the wait at a door, which is ours. A unit under way keeps its path when "
            "an edit opens a shorter one. A log of edited rectangles takes the place of version numbers by chunk."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
