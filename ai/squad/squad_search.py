"""Squad search: one search shared by a side, with spots assigned to searchers.

Source: Rich Welsh, Game AI Pro 2, ch. 27 (27.4.1 narrow search with a cap on investigators; 27.4.2.1 coordinator and
hidden spots; 27.4.2.2 passive clearing by sight, exhaustion; 27.4.2.3 scoring; 27.4.4 staggered return); Fritz Heckel's
reactive teaming in "IA on AI" (spots go to nearby units, and spots of a leaving unit are handed on). The numbers are
our choice.

Phase 1: a few investigators go to the last known position of the target, the others watch. Phase 2: every searcher
claims one spot after the other. A spot counts as searched only when a searcher went there, or would have seen a
crouching unit there.

The search ends when every place of its pool is searched or proven out of reach, and no sooner. The time for this
follows from the pool (:func:`time_for`). The patience given at the start is how long the search may widen.
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
    """State of a spot."""

    UNSEARCHED = 0
    CLAIMED = 1
    SEARCHED = 2
    OUT_OF_REACH = 3
    """No path leads there any more."""


DONE = SpotState.SEARCHED, SpotState.OUT_OF_REACH
"""States in which a spot needs no further work."""

RAYS = 16
"""Most places per tick that searchers' eyes test."""
AGAIN = 24
"""Ticks after which a pair of searcher and spot is tested again."""
OLD = 200
"""Ticks after which a searched spot may be opened again."""
LIKELY = 0.5
"""Score of the likeliest spot, where the nearest scores 1."""
GAP = 30
"""Ticks between two units that turn for home, plus or minus twenty."""
LOOKS = 56
"""Ticks that a look around takes."""
TILE = 40 / 3
"""Ticks per tile at a walk of 1.5 tiles a second."""


def time_for(spots: int, searchers: int, radius: float) -> int:
    """Return the ticks in which the searchers examine all spots.

    The spots lie within ``radius`` tiles of one place. Searchers work in rounds of one spot each; a round is a walk of
    the radius and a look around.
    """
    return -(-spots // max(1, searchers)) * (LOOKS + math.ceil(radius * TILE))


@record
class Spot:
    """A place to look at, in tiles.

    ``by`` is the unit that claimed or searched it, ``when`` the tick it was searched.
    """

    x: float
    y: float
    state: int = 0
    by: int = -1
    when: int = -1


@record
class Search:
    """Search of one side.

    ``x, y`` is the last known position; ``target`` is a unit id or -1.
    """

    id: int
    side: int
    target: int
    x: float
    y: float
    since: int
    """Tick of the report that the search is about."""
    until: int
    """Tick until which the search widens.

    In phase 1 it ends then. In phase 2 it ends when all is searched, or at ``end``.
    """
    cap: int
    radius: float
    phase: int = 1
    investigators: list[int] = field(default_factory=list)
    searchers: list[int] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    tested: dict[int, int] = field(default_factory=dict)
    """Searcher * 4096 + spot -> tick of the last test by its eyes."""
    turn: int = 0
    refills: int = 0
    end: int = -1
    """Latest end of phase 2: time for all remaining spots; -1 before."""
    left: int = 0
    """Number of searchers that went home."""
    posts: dict[int, tuple[int, float, float, float]] = field(default_factory=dict)
    """Guarded chokes: unit -> choke, x, y, facing."""
    keeper: int = -1
    """Unit that guards the only exit, -1 for none."""
    begun_x: float = math.nan
    begun_y: float = math.nan
    """Last known position at the start or restart; the hiding places lie around it."""
    rays: int = unhashed(int)
    """Sight tests in the last tick."""

    def __post_init__(self) -> None:
        if math.isnan(self.begun_x):
            self.begun_x, self.begun_y = self.x, self.y

    def join(self, unit: int) -> bool:
        """Join the search; return whether the unit is one of the investigators."""
        if unit not in self.searchers:
            self.searchers.append(unit)
            self.searchers.sort()
        if unit not in self.investigators and self.phase == 1 and len(self.investigators) < self.cap:
            self.investigators.append(unit)
        return unit in self.investigators

    def leave(self, unit: int) -> list[int]:
        """Leave the search; its spots are handed on.

        Returns the units that become investigators in its place.
        """
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
        """Restart the search at a newer position (x, y), within ``radius`` tiles.

        The earlier widening does not matter.
        """
        self.x, self.y, self.since, self.until, self.radius = x, y, tick, tick + limit, radius
        self.begun_x, self.begun_y = x, y
        self.phase, self.investigators, self.spots, self.refills, self.end = 1, [], [], 0, -1
        self.posts, self.keeper, self.left = {}, -1, 0
        self.tested.clear()

    def follow(self, x: float, y: float) -> float:
        """Move the last known position to (x, y).

        Returns its distance from the position where the search began.
        """
        self.x, self.y = x, y
        return math.hypot(x - self.begun_x, y - self.begun_y)

    def fill(self, places: NDArray[np.float64]) -> None:
        """Add hiding places ``float64[n, 2]`` of (x, y) to the pool."""
        self.spots += [Spot(float(x), float(y)) for x, y in places]

    def advance(self, tick: int) -> bool:
        """Start phase 2 for all when an investigator reaches the place.

        Returns False when phase 2 had started already.
        """
        if self.phase == 2:
            return False
        self.phase = 2
        self.allow(tick)
        return True

    @property
    def open(self) -> int:
        """Number of spots that are neither searched nor out of reach."""
        return sum(s.state not in DONE for s in self.spots)

    @property
    def at_work(self) -> int:
        """Number of units that go from spot to spot.

        The unit that guards the exit does not count while there are others.
        """
        return len(self.searchers) - (len(self.searchers) > 1 and self.keeper in self.searchers)

    def allow(self, tick: int) -> None:
        """Extend phase 2 to the time that the remaining spots need.

        It matters when there are more spots, or fewer searchers.
        """
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
        """Claim the best free spot for a searcher at (x, y), or return None.

        ``weights``: nearness to the last known position, to the searcher, and to the true position ``truth``, which the
        shipped game never passes. ``possible: [H, W]``: spots where it is 0 are skipped. Spots at the places ``taken``
        by searchers of other searches are skipped too.
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
        """Return the spot that a searcher has claimed."""
        return next((s for s in self.spots if s.state == SpotState.CLAIMED and s.by == unit), None)

    def release(self, unit: int) -> None:
        """Release the spot that a searcher has claimed."""
        for spot in self.spots:
            if spot.state == SpotState.CLAIMED and spot.by == unit:
                spot.state, spot.by = SpotState.UNSEARCHED, -1

    def searched(self, spot: Spot, unit: int, tick: int) -> None:
        """Mark a spot as searched."""
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
        """Clear spots by sight: searchers look at all spots in view.

        At most ``RAYS`` spots are tested per tick, in turns. ``sees(row, spot)``: whether that searcher would see a
        unit that crouches there. The columns have one row per searcher. Returns the number of cleared spots.
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
        """Return pairs, searcher * spots + spot, of unsearched spots in view.

        The test is slightly too wide.
        """
        spots = np.array([(s.x, s.y, s.state != SpotState.SEARCHED) for s in self.spots]).reshape(-1, 3)
        dx, dy = spots[None, :, 0] - np.asarray(x)[:, None], spots[None, :, 1] - np.asarray(y)[:, None]
        far = np.hypot(dx, dy)
        off = np.abs(np.remainder(np.arctan2(dy, dx) - np.asarray(head)[:, None] + math.pi, math.tau) - math.pi)
        hair = 1e-9  # the exact test is applied to the remaining pairs
        seen = (far <= reach + hair) & ((far <= 0.8 + hair) | (off <= half_angle + hair)) & (spots[None, :, 2] > 0)
        return np.flatnonzero(seen.ravel())

    @property
    def free(self) -> int:
        """Number of spots that are neither claimed nor searched."""
        return sum(s.state == SpotState.UNSEARCHED for s in self.spots)

    def reopen(self, tick: int, old: int = OLD) -> int:
        """Open the oldest third again when all spots are searched.

        Only spots searched at least ``old`` ticks ago count; returns their number.
        """
        done = sorted((s.when, k) for k, s in enumerate(self.spots) if s.state == SpotState.SEARCHED)
        chosen = [k for when, k in done[: max(1, len(done) // 3)] if tick - when >= old] if done else []
        for k in chosen:
            self.spots[k].state, self.spots[k].by = SpotState.UNSEARCHED, -1
        self.refills += bool(chosen)
        return len(chosen)

    def rule_out(self, spot: Spot, unit: int, tick: int) -> None:
        """Mark a spot that no path reaches."""
        spot.state, spot.by, spot.when = SpotState.OUT_OF_REACH, unit, tick

    def close(self, tick: int) -> bool:
        """End the search when nothing is left; return whether it ended."""
        if self.phase == 2 and not self.open:
            self.until, self.end = min(self.until, tick), min(self.end, tick)
        return self.over(tick)

    def over(self, tick: int) -> bool:
        """Return whether the time is up.

        It never is before the place itself was examined.
        """
        return self.phase == 2 and tick >= max(self.until, self.end)

    def go_home(self, dice: float) -> int:
        """Return the ticks until the next searcher turns for home.

        Searchers leave one after the other, never two together. ``dice`` is in [0, 1).
        """
        wait = 10 + GAP * self.left + int(dice * (GAP - 10))
        self.left += 1
        return wait


TECHNIQUES = (
    {
        "slug": "search-together",
        "name": "Cooperative search of hiding places",
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
        "claim": "Spots are claimed by worth and handed on; the caps and times are ours.",
    },
    {
        "slug": "spot-scoring",
        "name": "Scoring of hiding places with a limited share of truth",
        "ids": ("GP2-27.8",),
        "source": "Game AI Pro 2, ch. 27",
        "functions": ("Search.claim",),
        "test": "tests/ai/squad/test_squad_search.py",
        "exhibit": "levels/exhibits/senses/fork.bias.toml",
        "overlay": "spots",
        "setting": "minds.truth_bias",
        "measure": "aim",
        "direction": "down",
        "claim": (
            "The shipped game gives no share of the truth; a setting shows what it does. Distances are straight, "
            "not along paths."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
