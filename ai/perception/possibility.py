"""Possibility maps: every tile where an unseen unit could be, given all that was observed.

Source: John Manslow, Game AI Pro 2, ch. 7 (possibility maps, 7.1 to 7.3; barriers that are heard, 7.3).  The periods of
freely moving units are ours.

A map is the set of possible tiles.  While the unit is observed it is one tile.  Unobserved, it grows by one legal move
a movement period, staying put allowed; then what is observed now is taken out.  In this order, the set is exactly the
end tiles of all unobserved trajectories.  Two uses:

* *Belief*: a side's knowledge of an enemy (:meth:`PossibilityMap.observe`).  Searching is clearing possible tiles; the
  set holds the true position for as long as the unit is not observed and keeps to its speed.
* *Opportunity*: a unit that is not simulated until somebody would meet it (:meth:`PossibilityMap.advance`).  When tiles
  of the set come into view it is either placed in one of them or they are refused; when they are all that is left, it
  has to be placed.

That is exact for a unit that moves from tile to tile at whole periods.  A *free* unit crosses a border at any moment,
so its set obeys two bounds at once: every tick it may cross one border, and within a period, in which it moves less
than 0.71 tiles, it gets no further than one tile from where the set was when the period began.

Barriers are tiles that it cannot have entered unnoticed: noisy ground in earshot, tiles beside a listener.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.grid.moves import MOVE_X, MOVE_Y
from ai.kernels import kernel
from ai.perception.settings import TICKS_PER_SECOND
from ai.state import record

FREE_STEP = math.sqrt(0.5)
"""Tiles a free unit may move in a period: below one, so that it ends on its tile or beside it."""


def free_period(speed: float) -> int:
    """Ticks a period for a free unit of ``speed`` tiles a second.

    Raises ValueError for speeds that are not positive or so high that a tick is too long.
    """
    if not 0 < speed <= FREE_STEP * TICKS_PER_SECOND:
        raise ValueError(f"a free unit's speed must lie in 0..{FREE_STEP * TICKS_PER_SECOND:.1f}, got {speed}")
    return math.floor(FREE_STEP * TICKS_PER_SECOND / speed)


@dataclass(frozen=True)
class Placement:
    """The unit has to be, or was chosen to be, at this tile; ``forced`` when nothing else was possible."""

    y: int
    x: int
    forced: bool


@record
class PossibilityMap:
    """The possible tiles of one unit.  Made by :func:`possibility_map`.

    ``possible: uint8[H, W]`` is 1 on possible tiles; all of them lie in the half-open ``box`` (y0, x0, y1, x1).
    """

    unit: int
    movement_class: int
    period: int
    """Ticks a growth step."""
    possible: NDArray[np.uint8]
    box: tuple[int, int, int, int]
    next_growth: int
    count: int = 1
    settled: bool = True
    """True while the unit is observed or placed, at the only tile of the set."""
    free: bool = False
    """Whether the unit crosses borders at any moment, not once a period."""
    roof: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    """Free units: the tiles within reach since the period began, as a part of the map at ``roof_at``."""
    roof_at: tuple[int, int] = (0, 0)
    spare: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))

    def __pack__(self) -> dict[str, Any]:
        y0, x0, y1, x1 = self.box
        return {
            "shape": tuple(int(n) for n in self.possible.shape),
            "part": self.possible[y0:y1, x0:x1],
            "roof": self.roof,
            "fields": (
                *(self.unit, self.movement_class, self.period, self.box, self.next_growth, self.count, self.settled),
                *(self.free, self.roof_at),
            ),
        }

    @classmethod
    def __unpack__(cls, tree: dict[str, Any]) -> PossibilityMap:
        unit, movement_class, period, box, next_growth, count, settled, free, roof_at = tree["fields"]
        possible = np.zeros(tuple(tree["shape"]), np.uint8)
        y0, x0, y1, x1 = box
        possible[y0:y1, x0:x1] = tree["part"]
        roof = np.array(tree["roof"], order="C")
        return cls(
            unit, movement_class, period, possible, tuple(box), next_growth, count, settled, free, roof, tuple(roof_at)
        )

    def settle(self, y: int, x: int, tick: int) -> None:
        """The unit is known to be at this tile now.  Raises ValueError off the map."""
        height, width = self.possible.shape
        if not (0 <= y < height and 0 <= x < width):
            raise ValueError(f"tile ({y}, {x}) is off the {height}x{width} map")
        self._clear()
        self.possible[y, x] = 1
        self.box, self.count, self.settled = (y, x, y + 1, x + 1), 1, True
        self.next_growth = tick + (1 if self.free else self.period)

    def spread(self, tick: int, passable: NDArray[np.uint8], barriers: NDArray[np.uint8] | None = None) -> None:
        """One tick of unobserved movement."""
        due = tick >= self.next_growth
        if due:
            self.next_growth = tick + self.period
        if due or self.free:
            self.grow(passable, barriers)
        if not self.free:
            return
        y0, x0, y1, x1 = self.box
        if due:
            self.roof, self.roof_at = self.possible[y0:y1, x0:x1].copy(), (y0, x0)
        within = np.zeros((y1 - y0, x1 - x0), np.uint8)
        ry, rx = self.roof_at
        top, left = max(y0, ry), max(x0, rx)
        bottom, right = min(y1, ry + self.roof.shape[0]), min(x1, rx + self.roof.shape[1])
        if top < bottom and left < right:
            within[top - y0 : bottom - y0, left - x0 : right - x0] = self.roof[
                top - ry : bottom - ry, left - rx : right - rx
            ]
        part = self.possible[y0:y1, x0:x1]
        part &= within
        self.count = int(np.count_nonzero(part))

    def grow(self, passable: NDArray[np.uint8], barriers: NDArray[np.uint8] | None = None) -> None:
        """Add every tile one legal move away that is no barrier (``barriers: uint8[H, W]``)."""
        if self.spare.shape != self.possible.shape:
            self.spare = np.zeros_like(self.possible)
        y0, x0, y1, x1 = self.box
        height, width = self.possible.shape
        box = (max(0, y0 - 1), max(0, x0 - 1), min(height, y1 + 1), min(width, x1 + 1))
        count, *tight = grow_possible(
            passable, 1 << self.movement_class, self.possible, barriers if barriers is not None else passable,
            barriers is not None, self.free, *box, self.spare,
        )  # fmt: skip
        self._clear()
        self.possible, self.spare = self.spare, self.possible
        self.count, self.box = int(count), (int(tight[0]), int(tight[1]), int(tight[2]), int(tight[3]))

    def refuse(self, observed: NDArray[np.uint8] | NDArray[np.bool_]) -> int:
        """Take the tiles of ``observed`` (not 0, ``[H, W]``) out; returns how many are left."""
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
        """Belief: one tick of a side that sees the tiles ``observed`` and the unit at ``seen_at`` (y, x), or not.

        Returns False when nothing is possible any more: the unit broke the assumptions (faster, another way).
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
        """Opportunity: one tick; returns where the unit is placed when it is.

        The tiles revealed together are one batch.  The unit is placed in the most desirable of them
        (``desirability: float64[H, W]``, ties: first in reading order) when that reaches ``threshold`` or when they
        are all that is left; otherwise they are refused.
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
    y: int,
    x: int,
    tick: int,
    period: int,
    movement_class: int = 0,
    free: bool = False,
) -> PossibilityMap:
    """A unit known to stand at ``(y, x)``; ``period`` of a free one from :func:`free_period`.

    Raises ValueError off the map or for a period below one tick.
    """
    if period < 1:
        raise ValueError(f"a movement period is at least one tick, got {period}")
    made = PossibilityMap(unit, movement_class, period, np.zeros((height, width), np.uint8), (0, 0, 0, 0), tick)
    made.free = free
    made.settle(y, x, tick)
    return made


def sensory_barriers(
    noisy: NDArray[np.uint8],
    listeners_y: NDArray[np.float64],
    listeners_x: NDArray[np.float64],
    earshot: float = 6.0,
    stealthy: bool = False,
) -> NDArray[np.uint8]:
    """Tiles nobody enters unnoticed, ``uint8[H, W]``: noisy ground in earshot and, unless stealthy, next to a listener.

    ``noisy: uint8[H, W]`` marks noisy ground; listeners are positions in tiles, ``earshot`` in tiles.
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


@kernel(
    "UniTuple(int64, 5)(uint8[:,::1], int64, uint8[:,::1], uint8[:,::1], boolean, boolean, int64, int64, int64, "
    "int64, "
    "uint8[:,::1])"
)
def grow_possible(passable, bit, possible, barriers, barred, free, y0, x0, y1, x1, out):  # type: ignore[no-untyped-def]
    """Write the grown set into ``out`` inside the box; returns its size and tight box."""
    height, width = possible.shape
    count = 0
    top, left, bottom, right = y1, x1, y0, x0
    for y in range(y0, y1):
        for x in range(x0, x1):
            here = possible[y, x] != 0
            if not here and passable[y, x] & bit != 0 and not (barred and barriers[y, x] != 0):
                for k in range(8):
                    # A move from (py, px) here.  Both tiles beside a diagonal must be passable; a free unit can slip
                    # through the corner of one within a tick.
                    py = y - MOVE_Y[k]
                    px = x - MOVE_X[k]
                    if py < 0 or px < 0 or py >= height or px >= width or possible[py, px] == 0:
                        continue
                    beside = (passable[py, x] & bit != 0) + (passable[y, px] & bit != 0)
                    if k < 4 or beside == 2 or (free and beside == 1):
                        here = True
                        break
            out[y, x] = here
            if here:
                count += 1
                top = min(top, y)
                left = min(left, x)
                bottom = max(bottom, y + 1)
                right = max(right, x + 1)
    if count == 0:
        return 0, y0, x0, y0, x0
    return count, top, left, bottom, right
