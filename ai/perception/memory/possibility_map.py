"""Possibility map: every tile where an unseen unit could be.

Source: John Manslow, Game AI Pro 2, ch. 7 (possibility maps, 7.1 to 7.3; barriers that are heard, 7.3). The parts of a
tile for freely moving units are our addition.

A map is the set of possible tiles. While the unit is observed it is one tile. Unobserved, it grows by one legal move
per movement period; staying is allowed. Then the tiles observed now are removed. In this order, the set is exactly the
end tiles of all unobserved trajectories. Two uses:

* *Belief*: a side's knowledge of an enemy (:meth:`PossibilityMap.observe`). Searching is clearing possible tiles. The
  set holds the true position as long as the unit is not observed and keeps to its speed.
* *Opportunity*: a unit that is not simulated until another could meet it (:meth:`PossibilityMap.advance`). When tiles
  of the set come into view, the unit is placed in one of them, or they are refused. When they are all that is left, the
  unit must be placed.

That is exact for a unit that moves from tile to tile at whole periods. A *free* unit is a point that moves in any
direction over open ground. Per tick it moves by at most a ``fine``-th of a tile along each axis, and not between two
blocked tiles that touch at a corner. A part of a tile is a square with sides of that length. From a part the unit
reaches in one tick any point of the eight parts around it that the ground allows, and no other part. So the set of its
positions is a set of such parts. Each tile keeps its parts as bits, and the possible tiles are exactly the end tiles of
all unobserved trajectories here as well. Real bodies are not faster than their speed along any axis, so they are always
within the set. A unit that runs at an angle may be assumed up to 1.41 times as far.

Barriers are tiles that the unit cannot have entered unnoticed: noisy ground in earshot, tiles beside a listener.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device, kernel
from ai.core.serialization import record
from ai.perception.settings import TICKS_PER_SECOND

FINEST = 7
"""Most parts per side of a tile: 49 bits of 63.

Slower units count as moving at 2.86 tiles a second.
"""
HAIR = 1e-6
"""Precision of a position, in tiles; it is also the error of summed steps."""


def fineness(speed: float) -> int:
    """Return the parts per side of a tile for a free unit.

    ``speed`` is in tiles a second: the unit enters the next part within a tick. Raises ValueError for speeds that are
    not positive or above one tile a tick.
    """
    if not 0 < speed <= TICKS_PER_SECOND:
        raise ValueError(f"a free unit's speed must lie in 0..{TICKS_PER_SECOND}, got {speed}")
    return min(FINEST, math.floor(TICKS_PER_SECOND / speed))


@dataclass(frozen=True)
class Placement:
    """The unit is placed on this tile; ``forced`` when no other was possible."""

    y: int
    x: int
    forced: bool


@record
class PossibilityMap:
    """The possible tiles of one unit; created by :func:`possibility_map`.

    ``possible: int64[H, W]`` is not 0 on possible tiles, with bit ``row * fine + column`` for each part of the tile.
    All of them lie in the half-open ``box`` (y0, x0, y1, x1).
    """

    unit: int
    movement_class: int
    period: int
    """Ticks per growth step; 1 for free units."""
    possible: NDArray[np.int64]
    box: tuple[int, int, int, int]
    next_growth: int
    count: int = 1
    """Number of possible tiles."""
    settled: bool = True
    """True if the unit is observed or placed, at the only tile."""
    fine: int = 0
    """Parts per side of a tile for a free unit; 0 for tile-to-tile movement."""
    spare: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64))

    def __pack__(self) -> dict[str, Any]:
        y0, x0, y1, x1 = self.box
        return {
            "shape": tuple(int(n) for n in self.possible.shape),
            "part": self.possible[y0:y1, x0:x1],
            "fields": (
                *(self.unit, self.movement_class, self.period, self.box, self.next_growth, self.count, self.settled),
                self.fine,
            ),
        }

    @classmethod
    def __unpack__(cls, tree: dict[str, Any]) -> PossibilityMap:
        unit, movement_class, period, box, next_growth, count, settled, fine = tree["fields"]
        possible = np.zeros(tuple(tree["shape"]), np.int64)
        y0, x0, y1, x1 = box
        possible[y0:y1, x0:x1] = tree["part"]
        return cls(unit, movement_class, period, possible, tuple(box), next_growth, count, settled, fine)

    def settle(self, y: float, x: float, tick: int) -> None:
        """Set the unit's position, which is known now.

        For a free unit the part of the tile counts. Raises ValueError off the map.
        """
        height, width = self.possible.shape
        row, column = math.floor(y), math.floor(x)
        if not (0 <= row < height and 0 <= column < width):
            raise ValueError(f"tile ({row}, {column}) is off the {height}x{width} map")
        self._clear()
        self.possible[row, column] = self._parts(y - row, x - column)
        self.box, self.count, self.settled = (row, column, row + 1, column + 1), 1, True
        self.next_growth = tick + self.period

    def _parts(self, y: float, x: float) -> int:
        """Return the parts at a position in a tile, within ``HAIR``."""
        fine, out = max(1, self.fine), 0
        for r in {min(max(int((y + d) * fine), 0), fine - 1) for d in (-HAIR, HAIR)}:
            for c in {min(max(int((x + d) * fine), 0), fine - 1) for d in (-HAIR, HAIR)}:
                out |= 1 << (r * fine + c)
        return out

    def spread(self, tick: int, passable: NDArray[np.uint8], barriers: NDArray[np.uint8] | None = None) -> None:
        """Apply unobserved movement up to ``tick``."""
        while tick >= self.next_growth:
            self.next_growth += self.period
            self.grow(passable, barriers)

    def grow(self, passable: NDArray[np.uint8], barriers: NDArray[np.uint8] | None = None) -> None:
        """Add all places one legal move away, except barriers.

        ``barriers`` is uint8[H, W].
        """
        if self.spare.shape != self.possible.shape:
            self.spare = np.zeros_like(self.possible)
        y0, x0, y1, x1 = self.box
        height, width = self.possible.shape
        box = (max(0, y0 - 1), max(0, x0 - 1), min(height, y1 + 1), min(width, x1 + 1))
        count, *tight = grow_possible(
            passable, 1 << self.movement_class, self.possible, barriers if barriers is not None else passable,
            barriers is not None, self.fine, *box, self.spare,
        )  # fmt: skip
        self._clear()
        self.possible, self.spare = self.spare, self.possible
        self.count, self.box = int(count), (int(tight[0]), int(tight[1]), int(tight[2]), int(tight[3]))

    def refuse(self, observed: NDArray[np.uint8] | NDArray[np.bool_]) -> int:
        """Remove the tiles of ``observed`` (not 0, ``[H, W]``); return the rest's size."""
        y0, x0, y1, x1 = self.box
        part = self.possible[y0:y1, x0:x1]
        part[observed[y0:y1, x0:x1] != 0] = 0
        self.count = int(np.count_nonzero(part))
        return self.count

    def observe(
        self,
        tick: int,
        passable: NDArray[np.uint8],
        observed: NDArray[np.uint8] | NDArray[np.bool_],
        seen_at: tuple[int, int] | None,
        barriers: NDArray[np.uint8] | None = None,
    ) -> bool:
        """Belief: advance one tick of a side's observations.

        The side sees the tiles ``observed``, and the unit at ``seen_at`` (y, x) or not at all. Returns False when
        nothing is possible any more: the unit broke the assumptions (faster, or another kind of path).
        """
        if seen_at is not None:
            self.settle(*seen_at, tick)
            return True
        self.settled = False
        self.spread(tick, passable, barriers)
        return self.refuse(observed) > 0

    def advance(
        self,
        tick: int,
        passable: NDArray[np.uint8],
        observed: NDArray[np.uint8] | NDArray[np.bool_],
        desirability: NDArray[np.float64] | None = None,
        threshold: float = math.inf,
        barriers: NDArray[np.uint8] | None = None,
    ) -> Placement | None:
        """Opportunity: advance one tick; return the unit's tile when it is placed.

        The tiles revealed together are one batch. The unit is placed in the most desirable of them (``desirability:
        float64[H, W]``, ties: first in reading order) when that reaches ``threshold`` or when they are all that is
        left. Otherwise they are refused.
        """
        self.settled = False
        self.spread(tick, passable, barriers)
        y0, x0, y1, x1 = self.box
        revealed = np.argwhere((self.possible[y0:y1, x0:x1] != 0) & (observed[y0:y1, x0:x1] != 0)) + (y0, x0)
        if not len(revealed):
            return None
        forced = len(revealed) == self.count
        worth = np.zeros(len(revealed)) if desirability is None else desirability[revealed[:, 0], revealed[:, 1]]
        best = int(np.argmax(worth))
        if forced or worth[best] >= threshold:
            y, x = (int(n) for n in revealed[best])
            self.settle(y, x, tick)
            return Placement(y, x, forced)
        self.refuse(observed)
        return None

    def _clear(self) -> None:
        y0, x0, y1, x1 = self.box
        self.possible[y0:y1, x0:x1] = 0


def possibility_map(
    height: int,
    width: int,
    unit: int,
    y: float,
    x: float,
    tick: int,
    period: int = 1,
    movement_class: int = 0,
    fine: int = 0,
    old: PossibilityMap | None = None,
) -> PossibilityMap:
    """Return a map for a unit at a known position ``(y, x)``.

    The unit takes ``period`` ticks per move, or is a free one with :func:`fineness` parts. ``old``: an unused map of
    the same size, whose arrays are reused. Raises ValueError off the map, for a period below one tick, and for parts
    that do not fit or take longer than one tick.
    """
    if period < 1:
        raise ValueError(f"a movement period is at least one tick, got {period}")
    if not 0 <= fine <= FINEST or (fine and period != 1):
        raise ValueError(f"a free unit has 1 to {FINEST} parts per side and the period 1, got {fine} and {period}")
    if old is not None and old.possible.shape == (height, width):
        old._clear()
        made = PossibilityMap(unit, movement_class, period, old.possible, (0, 0, 0, 0), tick, spare=old.spare)
    else:
        made = PossibilityMap(unit, movement_class, period, np.zeros((height, width), np.int64), (0, 0, 0, 0), tick)
    made.fine = fine
    made.settle(y, x, tick)
    return made


def sensory_barriers(
    noisy: NDArray[np.uint8],
    listeners_y: NDArray[np.float64],
    listeners_x: NDArray[np.float64],
    earshot: float = 6.0,
    stealthy: bool = False,
) -> NDArray[np.uint8]:
    """Return the tiles that no unit enters unnoticed, ``uint8[H, W]``.

    They are noisy ground in earshot and, unless stealthy, tiles next to a listener. ``noisy: uint8[H, W]`` marks noisy
    ground; listeners are positions in tiles, ``earshot`` is in tiles.
    """
    height, width = noisy.shape
    barriers = np.zeros((height, width), np.uint8)
    for ly, lx in zip(listeners_y, listeners_x, strict=True):
        y0, x0 = max(0, math.floor(ly - earshot)), max(0, math.floor(lx - earshot))
        y1, x1 = min(height, math.floor(ly + earshot) + 1), min(width, math.floor(lx + earshot) + 1)
        if y0 < y1 and x0 < x1:
            dy, dx = np.arange(y0, y1)[:, None] + 0.5 - ly, np.arange(x0, x1)[None, :] + 0.5 - lx
            barriers[y0:y1, x0:x1] |= (noisy[y0:y1, x0:x1] != 0) & (dy * dy + dx * dx <= earshot * earshot)
        if not stealthy:
            ty, tx = math.floor(ly), math.floor(lx)
            barriers[max(0, ty - 1) : max(0, ty + 2), max(0, tx - 1) : max(0, tx + 2)] = 1
    return barriers


@device
def _widen(parts, fine, whole, first, last):  # type: ignore[no-untyped-def]
    """Return parts of a tile and the parts beside them in their rows."""
    return (parts | (parts << 1) & ~first | (parts >> 1) & ~last) & whole


@kernel(
    "UniTuple(int64, 5)(uint8[:,::1], int64, int64[:,::1], uint8[:,::1], boolean, int64, int64, int64, int64, "
    "int64, "
    "int64[:,::1])"
)
def grow_possible(passable, bit, possible, barriers, barred, free, y0, x0, y1, x1, out):  # type: ignore[no-untyped-def]
    """Write the grown set into ``out`` inside the box.

    Returns its size in tiles and its tight box. ``free``: parts per side of a tile for a unit that may slip past the
    corner of one blocked tile, 0 for a unit that moves by tiles.
    """
    height, width = possible.shape
    fine = max(1, free)
    tall = fine * (fine - 1)
    whole = (1 << (fine * fine)) - 1
    top_row = (1 << fine) - 1
    first = 0
    for r in range(fine):
        first |= 1 << (r * fine)
    last = first << (fine - 1)
    count = 0
    top, left, bottom, right = y1, x1, y0, x0
    for y in range(y0, y1):
        for x in range(x0, x1):
            here = possible[y, x]
            if here != whole and passable[y, x] & bit != 0:
                grown = _widen(here, fine, whole, first, last)
                grown |= (grown << fine | grown >> fine) & whole
                if not (barred and barriers[y, x] != 0):
                    # Over the four sides, into the adjacent parts and the parts beside those.
                    if x > 0:
                        edge = possible[y, x - 1] & last
                        grown |= ((edge | edge << fine | edge >> fine) & last) >> (fine - 1)
                    if x + 1 < width:
                        edge = possible[y, x + 1] & first
                        grown |= ((edge | edge << fine | edge >> fine) & first) << (fine - 1)
                    if y > 0:
                        edge = possible[y - 1, x] & (top_row << tall)
                        grown |= (_widen(edge, fine, whole, first, last) & (top_row << tall)) >> tall
                    if y + 1 < height:
                        edge = possible[y + 1, x] & top_row
                        grown |= (_widen(edge, fine, whole, first, last) & top_row) << tall
                    # Over the four corners: both tiles beside must be passable; a free unit needs one of them.
                    for dy in range(-1, 2, 2):
                        for dx in range(-1, 2, 2):
                            py, px = y + dy, x + dx
                            if py < 0 or px < 0 or py >= height or px >= width:
                                continue
                            there = (0 if dy > 0 else tall) + (0 if dx > 0 else fine - 1)
                            if possible[py, px] >> there & 1 == 0:
                                continue
                            beside = (passable[py, x] & bit != 0) + (passable[y, px] & bit != 0)
                            if beside == 2 or (free > 0 and beside == 1):
                                grown |= 1 << ((tall if dy > 0 else 0) + (fine - 1 if dx > 0 else 0))
                here = grown
            out[y, x] = here
            if here != 0:
                count += 1
                top = min(top, y)
                left = min(left, x)
                bottom = max(bottom, y + 1)
                right = max(right, x + 1)
    if count == 0:
        return 0, y0, x0, y0, x0
    return count, top, left, bottom, right


TECHNIQUES = (
    {
        "slug": "possibility-maps",
        "name": "Possibility maps",
        "ids": ("GP2-7.1",),
        "source": "Game AI Pro 2, ch. 7",
        "functions": ("PossibilityMap.advance", "grow_possible"),
        "test": "tests/ai/perception/memory/test_possibility_map.py",
        "exhibit": "levels/exhibits/senses/fork.toml",
        "overlay": "possible",
        "setting": "minds.possible",
        "parts": ("GP2-34.15",),
        "measure": "possible",
        "direction": "down",
        "claim": "The game uses the belief; the source's own use, placing an unseen unit late, is in the library only.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
