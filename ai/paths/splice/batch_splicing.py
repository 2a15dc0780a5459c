"""Batch splicing: joins many full paths to the units' present paths in one call.

Source: "AI Game Programming Wisdom", 3.3 (splice path).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.paths.engines.engine_choice import full_smoother
from ai.paths.requests.request_columns import Learnt, Phase
from ai.paths.sharing.route_cache import KEPT_A_TICK
from ai.paths.splice.path_splicing import join, remember
from ai.paths.state.path_trace import Decision
from ai.paths.store.path_store import APPEND, REPLACE, PathSource
from ai.paths.update_context import PathTick
from ai.search.astar.quick_search import MAX_CAP, quick_search

SEEN = 64
"""Tiles of a new path among which the unit's tile is searched."""

MANY = 1000
"""Waiting requests above which paths are not kept in the route cache."""

SPLICE_TILES = 96
"""Tiles of a splice at most."""

UNKNOWN, NOWHERE = -1, -2
"""Tile of a unit that is not located, and of one on blocked ground."""

_FULL, _SPLICE = int(PathSource.FULL), int(PathSource.SPLICE)


@kernel(
    "int64(uint8[:,::1], uint8[::1], int16[::1], int32[:,::1], int32[:,::1], float64[::1], float64[::1], int64[::1],"
    " int32[:,::1], int64[::1], float64, int32[:,::1], int64[:,::1])"
)
def meet_paths(
    passable: np.ndarray,
    movement_class: np.ndarray,
    quick: np.ndarray,
    ends: np.ndarray,
    nodes: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    slots: np.ndarray,
    tiles: np.ndarray,
    offsets: np.ndarray,
    reach: float,
    here: np.ndarray,
    out: np.ndarray,
) -> int:
    """Compare new paths ``tiles[offsets[i]:offsets[i + 1]]`` with the units' present paths.

    ``here`` int32[n, 2] is the tile under the unit of ``slots[i]``, filled in where UNKNOWN. ``out`` int64[n, 3] gets
    three values. The first is the last of the first SEEN tiles of the path under the unit, -1 for none. The second is 1
    if the path begins at the old path's end. The third is the tile at which a splice should join the path. Returns the
    number of units on blocked tiles.
    """
    height, width = passable.shape
    astray = 0
    for i in range(slots.size):
        slot = slots[i]
        if here[i, 0] == UNKNOWN:
            py, px = y[slot], x[slot]
            here[i, 0] = int(min(max(py, 0.0), height - 1.0)) if py == py else 0
            here[i, 1] = int(min(max(px, 0.0), width - 1.0)) if px == px else 0
            if (passable[here[i, 0], here[i, 1]] >> movement_class[slot]) & 1 == 0:
                astray += 1
        first, count = offsets[i], offsets[i + 1] - offsets[i]
        out[i, 0] = -1
        for k in range(min(count, SEEN) - 1, -1, -1):
            if tiles[first + k, 0] == here[i, 0] and tiles[first + k, 1] == here[i, 1]:
                out[i, 0] = k
                break
        tail = ends[slot, 1]
        out[i, 1] = int(tail >= 0 and nodes[tail, 0] == tiles[first, 0] * width + tiles[first, 1])
        out[i, 2] = min(count - 1, int(math.ceil(max(3, quick[slot]) * reach)))
    return astray


class _Stretches:
    """Pieces of path for some rows.

    Each has one part, or two parts with separate sources.
    """

    def __init__(self) -> None:
        self.rows: list[np.ndarray] = []
        self.counts: list[np.ndarray] = []
        self.pieces: list[np.ndarray] = []
        self.lengths: list[np.ndarray] = []
        self.stages: list[np.ndarray] = []

    def add(self, rows: np.ndarray, tiles: np.ndarray, first: np.ndarray, last: np.ndarray) -> None:
        """Add the full path from ``tiles[first[i]]`` to before ``tiles[last[i]]`` for row ``rows[i]``."""
        self.rows.append(rows)
        self.counts.append(last - first)
        self.pieces += [tiles[i:j] for i, j in zip(first.tolist(), last.tolist(), strict=True)]
        self.lengths.append(last - first)
        self.stages.append(np.full(len(rows), _FULL, np.uint8))

    def add_spliced(
        self,
        rows: np.ndarray,
        paths: np.ndarray,
        steps: np.ndarray,
        tiles: np.ndarray,
        first: np.ndarray,
        last: np.ndarray,
    ) -> None:
        """Add the same behind a splice, ``ways[i, : steps[i]]``."""
        self.rows.append(rows)
        self.counts.append(steps + last - first)
        for path, many, i, j in zip(paths, steps.tolist(), first.tolist(), last.tolist(), strict=True):
            self.pieces += (path[:many], tiles[i:j])
        self.lengths.append(np.stack((steps, last - first), axis=1).reshape(-1))
        self.stages.append(np.tile(np.array((_SPLICE, _FULL), np.uint8), len(rows)))

    def lay(self, now: PathTick, slots: np.ndarray, mode: int) -> None:
        """Store the pieces for the slots of their rows in one call."""
        if not self.pieces:
            return
        at = slots[np.concatenate(self.rows)]
        offsets = np.zeros(len(at) + 1, np.int64)
        np.cumsum(np.concatenate(self.counts), out=offsets[1:])
        now.manager.store.lay(
            now.terrain,
            at,
            now.manager.requests.movement_class[at],
            np.concatenate(self.pieces),
            offsets,
            np.repeat(np.concatenate(self.stages), np.concatenate(self.lengths)),
            mode,
            smoother=full_smoother(now.settings),
        )
        now.wrote(at)

    def whole_paths(self) -> list[tuple[int, np.ndarray]]:
        """Return (row, tiles) of each piece."""
        if not self.pieces:
            return []
        ends, tiles = np.cumsum(np.concatenate(self.counts)), np.concatenate(self.pieces)
        return list(zip(np.concatenate(self.rows).tolist(), np.split(tiles, ends[:-1]), strict=True))


def hand_over_many(
    now: PathTick, slots: np.ndarray, tiles: np.ndarray, offsets: np.ndarray, revolutions: np.ndarray
) -> None:
    """Deliver full paths, each joined to its unit's present path.

    The path of ``slots[i]`` is ``tiles[offsets[i]:offsets[i + 1]]``, int32[n, 2].
    """
    manager, settings, r = now.manager, now.settings, now.manager.requests
    ages = now.tick - r.asked[slots]
    now.note_many(slots, Decision.FULL, np.diff(offsets), revolutions, ages)
    here, met = _meet(now, slots, tiles, offsets)
    on_it, follows_on = met[:, 0], met[:, 1] > 0
    replaced, appended = _Stretches(), _Stretches()
    stands = (on_it >= 0) & (settings.splice | ~follows_on)
    on = np.flatnonzero(stands)
    if len(on):
        replaced.add(on, tiles, offsets[on] + on_it[on], offsets[on + 1])
    part_way = stands & (on_it > 0)
    if part_way.any():
        manager.statistics.splice += int(part_way.sum())
        now.note_many(slots[part_way], Decision.SPLICED, 1, on_it[part_way])
    asks = ~stands & settings.splice & (here[:, 0] >= 0)
    lost = np.zeros(len(slots), bool)
    for i in np.flatnonzero(~stands & ~asks).tolist():
        lost[i] = not join(now, int(slots[i]), tiles[offsets[i] : offsets[i + 1]], PathSource.FULL)
    if asks.any():
        _splice(now, slots, tiles, offsets, here, met, np.flatnonzero(asks), lost, replaced, appended)
    replaced.lay(now, slots, REPLACE)
    appended.lay(now, slots, APPEND)
    # While a crowd waits, few units repeat a request that was just answered.
    if len(slots) <= KEPT_A_TICK and np.count_nonzero(r.phase == Phase.WAITING) <= MANY:
        for i, path in replaced.whole_paths():
            remember(now, int(slots[i]), path)
    ready = slots
    if lost.any():
        again, ready, ages = slots[lost], slots[~lost], ages[~lost]
        r.phase[again] = Phase.NEW
        r.tries[again] += 1
        now.note_many(again, Decision.REPLANNED, r.tries[again])
    r.phase[ready] = Phase.READY
    r.urgent[ready] = 0
    r.starved[ready] = 0
    r.plain[ready[r.plain[ready] == Learnt.LONG]] = Learnt.NOTHING
    manager.store.final[ready] = 1
    manager.statistics.fulls_arrived(ages)


def _meet(now: PathTick, slots: np.ndarray, tiles: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the units' tiles and how their new paths meet the old ones.

    Tiles are int32[n, 2], the meetings int64[n, 3].

    See :func:`meet_paths`.
    """
    r, store, n = now.manager.requests, now.manager.store, len(slots)
    here, met = np.full((n, 2), UNKNOWN, np.int32), np.zeros((n, 3), np.int64)
    columns = (now.terrain.passable, r.movement_class, r.quick, store.ends, store.nodes, now.x, now.y)
    if meet_paths(*columns, slots, tiles, offsets, now.settings.splice_reach, here, met):
        # For units pushed onto blocked tiles, use the nearest tile that they can walk on.
        here = now.footing(slots)
        here[here[:, 0] < 0] = NOWHERE
        meet_paths(*columns, slots, tiles, offsets, now.settings.splice_reach, here, met)
    return here, met


def _splice(
    now: PathTick,
    slots: np.ndarray,
    tiles: np.ndarray,
    offsets: np.ndarray,
    here: np.ndarray,
    met: np.ndarray,
    rows: np.ndarray,
    lost: np.ndarray,
    replaced: _Stretches,
    appended: _Stretches,
) -> None:
    """Search splices from the units of ``rows`` to a tile well along their paths.

    Without a splice, the unit first walks to the end of its quick path. A unit that can do neither is led to its path
    by its own search.
    """
    manager, settings, r = now.manager, now.settings, now.manager.requests
    at = slots[rows]
    targets = met[rows, 2]
    aims = tiles[offsets[rows] + targets]
    cap = min(settings.splice_cap, MAX_CAP)
    result = quick_search(
        now.terrain, here[rows], aims, r.movement_class[at], cap, SPLICE_TILES, pool=manager.store.pool
    )
    spent = result.revolutions
    manager.statistics.quick_this_tick += int(spent.sum())
    ends = result.tiles[np.arange(len(rows)), result.counts - 1]
    reached = result.reached & (ends == aims).all(axis=1)
    waits = ~reached & (met[rows, 1] > 0)
    first, last = offsets[rows], offsets[rows + 1]
    if reached.any():
        beyond = first[reached] + targets[reached] + 1
        steps = result.counts[reached].astype(np.int64)
        replaced.add_spliced(rows[reached], result.tiles[reached], steps, tiles, beyond, last[reached])
    if waits.any():
        appended.add(rows[waits], tiles, first[waits], last[waits])
    for j in np.flatnonzero(~reached & ~waits).tolist():
        lost[rows[j]] = not join(now, int(slots[rows[j]]), tiles[first[j] : last[j]], PathSource.FULL)
    manager.statistics.splice += int(reached.sum())
    now.note_many(at[reached], Decision.SPLICED, result.counts[reached], targets[reached], spent[reached])
    now.note_many(at[waits], Decision.SPLICE_REFUSED, result.counts[waits], spent[waits])


__all__ = ["SEEN", "SPLICE_TILES", "hand_over_many"]
