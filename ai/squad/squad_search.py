"""A search shared by a side: who goes first, which hiding places are left, who looks at which, and when it is over.

Source: Rich Welsh, Game AI Pro 2, ch. 27 (27.4.1 narrow search with a cap on investigators; 27.4.2.1 coordinator and
hidden spots; 27.4.2.2 passive clearing by sight, exhaustion; 27.4.2.3 scoring; 27.4.4 staggered return); Fritz Heckel's
reactive teaming in "IA on AI" (spots go to whoever is near, those of who leaves are handed on).  Numbers are ours.

Phase 1: a few investigators go to where the target was last known, the others watch.  Phase 2: everybody asks for one
spot after the other.  Only where some searcher would have seen somebody crouch, or has gone up to, counts as searched.

It ends when every place of its pool is searched, or proven out of reach, and no sooner: how long that may take follows
from the pool (:func:`time_for`).  The patience that it is begun with says how long it goes on to widen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record, unhashed


class SpotState(IntEnum):
    """What has become of a spot."""

    UNSEARCHED = 0
    CLAIMED = 1
    SEARCHED = 2
    OUT_OF_REACH = 3
    """No way leads there any more."""


DONE = SpotState.SEARCHED, SpotState.OUT_OF_REACH
"""Nothing is left to do about such a spot."""

RAYS = 16
"""Places that eyes are asked about in a tick at most."""
AGAIN = 24
"""Ticks after which a pair of searcher and spot is tested again."""
OLD = 200
"""A spot searched so many ticks ago may be opened again."""
LIKELY = 0.5
"""What the likeliest spot counts, where the nearest counts 1."""
GAP = 30
"""Ticks between two who turn for home, give or take twenty."""
LOOKS = 56
"""Ticks that a look about takes."""
TILE = 40 / 3
"""Ticks for a tile at a walk of 1.5 tiles a second."""


def time_for(spots: int, searchers: int, radius: float) -> int:
    """Ticks within which so many searchers have looked into so many spots within ``radius`` tiles of one place.

    They take them by rounds, each a spot; a round is a walk as long as the radius and a look about.
    """
    return -(-spots // max(1, searchers)) * (LOOKS + math.ceil(radius * TILE))


@record
class Spot:
    """A place to look at, in tiles.  ``by`` is who claims or searched it, ``when`` the tick it was searched."""

    x: float
    y: float
    state: int = 0
    by: int = -1
    when: int = -1


@record
class Search:
    """One search of one side.  ``x, y`` is the last known position; ``target`` a unit id or -1."""

    id: int
    side: int
    target: int
    x: float
    y: float
    since: int
    """Tick of the word it is about."""
    until: int
    """It widens until then; in phase 1 it ends then, in phase 2 when all is searched, or at ``end``."""
    cap: int
    radius: float
    phase: int = 1
    investigators: list[int] = field(default_factory=list)
    searchers: list[int] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    tested: dict[int, int] = field(default_factory=dict)
    """Searcher * 4096 + spot -> tick at which its eyes were asked about it last."""
    turn: int = 0
    refills: int = 0
    end: int = -1
    """In phase 2 the hard end: time for all that is left, -1 before."""
    left: int = 0
    """How many have gone home."""
    posts: dict[int, tuple[int, float, float, float]] = field(default_factory=dict)
    """Who watches which choke: unit -> choke, x, y, facing."""
    keeper: int = -1
    """Who keeps the only exit, -1 nobody."""
    begun_x: float = math.nan
    begun_y: float = math.nan
    """Where the last known position was when it began, or began anew: the hiding places lie about there."""
    rays: int = unhashed(int)
    """Questions to eyes in the last tick."""

    def __post_init__(self) -> None:
        if math.isnan(self.begun_x):
            self.begun_x, self.begun_y = self.x, self.y

    def join(self, unit: int) -> bool:
        """Take part; returns whether the unit is one of the investigators."""
        if unit not in self.searchers:
            self.searchers.append(unit)
            self.searchers.sort()
        if unit not in self.investigators and self.phase == 1 and len(self.investigators) < self.cap:
            self.investigators.append(unit)
        return unit in self.investigators

    def leave(self, unit: int) -> list[int]:
        """Go out of the search: its spots are handed on.  Returns who becomes an investigator in its place."""
        self.searchers = [u for u in self.searchers if u != unit]
        was = unit in self.investigators
        self.investigators = [u for u in self.investigators if u != unit]
        self.posts.pop(unit, None)
        self.keeper = -1 if self.keeper == unit else self.keeper
        self.release(unit)
        if was and self.phase == 1 and not self.investigators and self.searchers:
            self.investigators = self.searchers[:1]
            return list(self.investigators)
        return []

    def news(self, tick: int, x: float, y: float, limit: int, radius: float) -> None:
        """A later word: it begins again there, within ``radius`` tiles, however far it had widened before."""
        self.x, self.y, self.since, self.until, self.radius = x, y, tick, tick + limit, radius
        self.begun_x, self.begun_y = x, y
        self.phase, self.investigators, self.spots, self.refills, self.end = 1, [], [], 0, -1
        self.posts, self.keeper, self.left = {}, -1, 0
        self.tested.clear()

    def follow(self, x: float, y: float) -> float:
        """The last known position has moved to (x, y); returns how far that is from where the search began."""
        self.x, self.y = x, y
        return math.hypot(x - self.begun_x, y - self.begun_y)

    def fill(self, places: NDArray[np.float64]) -> None:
        """Add hiding places ``float64[n, 2]`` of (x, y) to the pool."""
        self.spots += [Spot(float(x), float(y)) for x, y in places]

    def advance(self, tick: int) -> bool:
        """An investigator is at the place: phase 2 for all.  False when it had begun already."""
        if self.phase == 2:
            return False
        self.phase = 2
        self.allow(tick)
        return True

    @property
    def open(self) -> int:
        """Spots that are neither searched nor out of reach."""
        return sum(s.state not in DONE for s in self.spots)

    @property
    def at_work(self) -> int:
        """How many go from spot to spot: all but the one who keeps the exit while others are there."""
        return len(self.searchers) - (len(self.searchers) > 1 and self.keeper in self.searchers)

    def allow(self, tick: int) -> None:
        """In phase 2: time for all that is left, when there is more of it or when fewer are there to do it."""
        if self.phase == 2:
            self.end = max(self.end, tick + time_for(self.open, self.at_work, self.radius))

    def claim(
        self,
        unit: int,
        x: float,
        y: float,
        weights: tuple[float, float, float] = (1.0, 1.0, 0.0),
        truth: tuple[float, float] | None = None,
        possible: NDArray[np.integer] | None = None,
        likely: Callable[[float, float], float] | None = None,
        taken: Collection[tuple[float, float]] = (),
    ) -> Spot | None:
        """The best free spot for a searcher at (x, y), claimed for it at once; None when there is none.

        ``weights``: nearness to the last known position, to the searcher, and to the true position ``truth``, which
        the shipped game never gives.  ``possible: [H, W]``: spots where it is 0 are passed over, and
        so are those at the places ``taken`` by searchers of other searches.
        """
        self.release(unit)
        best, score = None, -math.inf
        open_spots = [s for s in self.spots if s.state == SpotState.UNSEARCHED]
        chances = [likely(s.x, s.y) for s in open_spots] if likely is not None else []
        most = max(chances, default=0.0)
        chance = {id(s): c / most for s, c in zip(open_spots, chances, strict=True)} if most > 0 else {}
        for spot in self.spots:
            if spot.state != SpotState.UNSEARCHED:
                continue
            if possible is not None and not possible[int(spot.y), int(spot.x)]:
                continue
            if (spot.x, spot.y) in taken:
                continue
            worth = weights[0] * self._near(spot, self.x, self.y) + weights[1] * self._near(spot, x, y)
            if truth is not None:
                worth += weights[2] * self._near(spot, *truth)
            worth += LIKELY * chance.get(id(spot), 0.0)
            if worth > score:
                best, score = spot, worth
        if best is not None:
            best.state, best.by = SpotState.CLAIMED, unit
        return best

    def _near(self, spot: Spot, x: float, y: float) -> float:
        return max(0.0, 1.0 - math.hypot(spot.x - x, spot.y - y) / (2.0 * self.radius))

    def spot_of(self, unit: int) -> Spot | None:
        """The spot that a searcher has claimed."""
        return next((s for s in self.spots if s.state == SpotState.CLAIMED and s.by == unit), None)

    def release(self, unit: int) -> None:
        """Give up the spot that a searcher has claimed."""
        for spot in self.spots:
            if spot.state == SpotState.CLAIMED and spot.by == unit:
                spot.state, spot.by = SpotState.UNSEARCHED, -1

    def searched(self, spot: Spot, unit: int, tick: int) -> None:
        """A spot has been looked at."""
        spot.state, spot.by, spot.when = SpotState.SEARCHED, unit, tick

    def look(
        self,
        tick: int,
        sees: Callable[[int, Spot], bool],
        units: Sequence[int],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        head: NDArray[np.float64],
        half_angle: float,
        reach: float,
    ) -> int:
        """Passive clearing: searchers look at all spots before their eyes, at most ``RAYS`` a tick, in turns.

        ``sees(row, spot)``: whether that searcher would see somebody who crouches there.  The columns have a row a
        searcher.  Returns how many spots were cleared.
        """
        self.rays = 0
        cleared, many = 0, len(self.spots)
        near = self._before_eyes(x, y, head, half_angle, reach)
        first = int(np.searchsorted(near, self.turn % max(1, len(units) * many)))
        for pair in np.roll(near, -first).tolist():
            i, k = divmod(pair, many)
            spot = self.spots[k]
            key = int(units[i]) * 4096 + k
            if spot.state == SpotState.SEARCHED or tick - self.tested.get(key, -AGAIN) < AGAIN:
                continue
            dx, dy = spot.x - float(x[i]), spot.y - float(y[i])
            far = math.hypot(dx, dy)
            off = abs(math.remainder(math.atan2(dy, dx) - float(head[i]), math.tau))
            if far > reach or (far > 0.8 and off > half_angle):
                continue
            if self.rays >= RAYS:
                self.turn = pair
                break
            self.rays += 1
            self.tested[key] = tick
            if sees(i, spot):
                self.searched(spot, int(units[i]), tick)
                cleared += 1
        return cleared

    def _before_eyes(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        head: NDArray[np.float64],
        half_angle: float,
        reach: float,
    ) -> NDArray[np.int64]:
        """Pairs, searcher * spots + spot, of spots not searched yet that lie before a searcher's eyes, or all but."""
        spots = np.array([(s.x, s.y, s.state != SpotState.SEARCHED) for s in self.spots]).reshape(-1, 3)
        dx, dy = spots[None, :, 0] - np.asarray(x)[:, None], spots[None, :, 1] - np.asarray(y)[:, None]
        far = np.hypot(dx, dy)
        off = np.abs(np.remainder(np.arctan2(dy, dx) - np.asarray(head)[:, None] + math.pi, math.tau) - math.pi)
        hair = 1e-9  # the exact question is asked of those that are left
        seen = (far <= reach + hair) & ((far <= 0.8 + hair) | (off <= half_angle + hair)) & (spots[None, :, 2] > 0)
        return np.flatnonzero(seen.ravel())

    @property
    def free(self) -> int:
        """Spots that nobody has claimed or searched."""
        return sum(s.state == SpotState.UNSEARCHED for s in self.spots)

    def reopen(self, tick: int, old: int = OLD) -> int:
        """When all are searched: open the oldest third again, those of at least ``old`` ticks ago; returns how many."""
        done = sorted((s.when, k) for k, s in enumerate(self.spots) if s.state == SpotState.SEARCHED)
        chosen = [k for when, k in done[: max(1, len(done) // 3)] if tick - when >= old] if done else []
        for k in chosen:
            self.spots[k].state, self.spots[k].by = SpotState.UNSEARCHED, -1
        self.refills += bool(chosen)
        return len(chosen)

    def rule_out(self, spot: Spot, unit: int, tick: int) -> None:
        """No way leads to a spot."""
        spot.state, spot.by, spot.when = SpotState.OUT_OF_REACH, unit, tick

    def close(self, tick: int) -> bool:
        """It is over when nothing is left; returns whether it is."""
        if self.phase == 2 and not self.open:
            self.until, self.end = min(self.until, tick), min(self.end, tick)
        return self.over(tick)

    def over(self, tick: int) -> bool:
        """Whether the time is up: never before the place itself has been looked at."""
        return self.phase == 2 and tick >= max(self.until, self.end)

    def go_home(self, dice: float) -> int:
        """Ticks until the next of the searchers turns for home: one after the other, never two at once.

        ``dice`` in [0, 1).
        """
        wait = 10 + GAP * self.left + int(dice * (GAP - 10))
        self.left += 1
        return wait


TECHNIQUES = (
    {
        "slug": "search-together",
        "name": "Searching together over hiding places",
        "ids": ("GP2-27.6",),
        "source": "Game AI Pro 2, ch. 27",
        "functions": ("Search.fill", "Search.claim"),
        "test": "tests/ai/squad/test_squad_search.py",
        "exhibit": "levels/exhibits/stealth/courtyard.toml",
        "overlay": "spots",
        "setting": "minds.together",
        "parts": ("GP2-27.1", "GP2-27.2", "GP2-27.4", "GP2-27.7", "GP2-27.9", "GP2-27.11", "IA.29"),
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
    },
    {
        "slug": "spot-scoring",
        "name": "Spots scored; how far the truth may weigh in",
        "ids": ("GP2-27.8",),
        "source": "Game AI Pro 2, ch. 27",
        "functions": ("Search.fill",),
        "test": "tests/ai/squad/test_squad_search.py",
        "exhibit": "levels/exhibits/senses/fork.bias.toml",
        "overlay": "spots",
        "setting": "minds.truth_bias",
        "measure": "aim",
        "direction": "down",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
