"""Many full paths in one tick: each is joined to the way its unit is on, all splices in one call.

Source: "AI Game Programming Wisdom", 3.3 (splice path).
"""

from __future__ import annotations

import numpy as np

from ai.paths.context import PathTick
from ai.paths.handover import join, remember
from ai.paths.requests import Learnt, Phase
from ai.paths.route_cache import KEPT_A_TICK
from ai.paths.store import APPEND, REPLACE, Stage
from ai.paths.trace import Decision
from ai.search.quick import MAX_CAP, quick_search

SEEN = 64
"""Tiles of a new path among which a walker is looked for."""

MANY = 1000
"""While more than so many wait, ways are not remembered."""

SPLICE_TILES = 96
"""Most tiles of a splice."""

_FULL, _SPLICE = int(Stage.FULL), int(Stage.SPLICE)


class _Stretches:
    """Stretches of path for some rows, each of one or two pieces with a stage of its own."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.counts: list[int] = []
        self.pieces: list[np.ndarray] = []
        self.stages: list[int] = []

    def add(self, row: int, *pieces: tuple[np.ndarray, int]) -> None:
        """``pieces`` are (tiles int32[n, 2], stage), laid end to end."""
        self.rows.append(row)
        self.counts.append(sum(len(tiles) for tiles, _ in pieces))
        for tiles, stage in pieces:
            self.pieces.append(tiles)
            self.stages.append(stage)

    def lay(self, now: PathTick, slots: np.ndarray, mode: int) -> None:
        """Write them for the slots of their rows, in one call."""
        if not self.rows:
            return
        at = slots[self.rows]
        now.manager.store.write(
            now.terrain,
            at,
            now.manager.requests.klass[at],
            np.concatenate(self.pieces),
            np.array(self.counts),
            np.repeat(np.array(self.stages, np.uint8), [len(tiles) for tiles in self.pieces]),
            mode,
            pull=now.settings.pulls,
        )
        now.wrote(at)

    def whole_ways(self) -> list[tuple[int, np.ndarray]]:
        """(row, tiles) of each."""
        ends = np.cumsum(self.counts)
        tiles = np.concatenate(self.pieces) if self.pieces else np.zeros((0, 2), np.int32)
        return [
            (row, tiles[end - count : end])
            for row, count, end in zip(self.rows, self.counts, ends.tolist(), strict=True)
        ]


def hand_over_many(now: PathTick, slots: np.ndarray, paths: list[np.ndarray], revolutions: np.ndarray) -> None:
    """Give units their full paths ``paths`` int32[n, 2], each joined to the way its unit is on."""
    manager, settings, r = now.manager, now.settings, now.manager.requests
    width = now.terrain.width
    ages = now.tick - r.asked[slots]
    lengths = np.array([len(p) for p in paths])
    now.note_many(slots, Decision.FULL, lengths, revolutions, ages)
    here = now.footing(slots)
    first = np.array([p[0] for p in paths], np.int64)
    follows_on = manager.store.end_tile(slots) == first[:, 0] * width + first[:, 1]
    on_it = _last_seen(paths, here)
    replaced, appended = _Stretches(), _Stretches()
    stands = (on_it >= 0) & (settings.splice | ~follows_on)
    for i, k in zip(np.flatnonzero(stands).tolist(), on_it[stands].tolist(), strict=True):
        replaced.add(i, (paths[i][k:], _FULL))
    walked = slots[stands & (on_it > 0)]
    manager.statistics.splice += len(walked)
    now.note_many(walked, Decision.SPLICED, 1, on_it[stands & (on_it > 0)])
    asks = ~stands & settings.splice & (here[:, 0] >= 0)
    lost = np.zeros(len(slots), bool)
    for i in np.flatnonzero(~stands & ~asks).tolist():
        lost[i] = not join(now, int(slots[i]), paths[i], Stage.FULL)
    if asks.any():
        _splice(now, slots, paths, here, np.flatnonzero(asks), follows_on, lost, replaced, appended)
    replaced.lay(now, slots, REPLACE)
    appended.lay(now, slots, APPEND)
    # While a crowd waits, few ask for what another has just been told.
    if len(slots) <= KEPT_A_TICK and np.count_nonzero(r.phase == Phase.WAITING) <= MANY:
        for i, tiles in replaced.whole_ways():
            remember(now, int(slots[i]), tiles)
    again = slots[lost]
    r.phase[again] = Phase.NEW
    r.tries[again] += 1
    now.note_many(again, Decision.REPLANNED, r.tries[again])
    ready = slots[~lost]
    r.phase[ready] = Phase.READY
    r.urgent[ready] = 0
    r.starved[ready] = 0
    r.plain[ready[r.plain[ready] == Learnt.LONG]] = Learnt.NOTHING
    manager.store.final[ready] = 1
    manager.statistics.fulls_arrived(ages[~lost])


def _last_seen(paths: list[np.ndarray], here: np.ndarray) -> np.ndarray:
    """The last of the first SEEN tiles of each path that its unit stands on, -1 for none: int64[n]."""
    seen = np.full((len(paths), SEEN, 2), -2, np.int32)
    for i, tiles in enumerate(paths):
        part = tiles[:SEEN]
        seen[i, : len(part)] = part
    at = (seen == here[:, None]).all(axis=2)
    return np.where(at.any(axis=1), SEEN - 1 - np.argmax(at[:, ::-1], axis=1), -1)


def _splice(
    now: PathTick,
    slots: np.ndarray,
    paths: list[np.ndarray],
    here: np.ndarray,
    rows: np.ndarray,
    follows_on: np.ndarray,
    lost: np.ndarray,
    replaced: _Stretches,
    appended: _Stretches,
) -> None:
    """Splices from where the units of ``rows`` stand to a tile well along their paths, or else who walks to its quick
    path's end first.

    A unit that can do neither is led to its path by a search of its own.
    """
    manager, settings, r = now.manager, now.settings, now.manager.requests
    at = slots[rows]
    reach = np.ceil(np.maximum(3, r.quick[at]) * settings.splice_reach).astype(np.int64)
    targets = np.minimum(np.array([len(paths[i]) for i in rows.tolist()]) - 1, reach)
    aims = np.array([paths[i][k] for i, k in zip(rows.tolist(), targets.tolist(), strict=True)], np.int32)
    cap = min(settings.splice_cap, MAX_CAP)
    result = quick_search(now.terrain, here[rows], aims, r.klass[at], cap, SPLICE_TILES)
    manager.statistics.instant_this_tick += int(result.revolutions.sum())
    ends = result.tiles[np.arange(len(rows)), result.counts - 1]
    reached = result.reached & (ends == aims).all(axis=1)
    waits = ~reached & follows_on[rows]
    for j, i in enumerate(rows.tolist()):
        if reached[j]:
            way = result.tiles[j, : int(result.counts[j])]
            replaced.add(i, (way, _SPLICE), (paths[i][int(targets[j]) + 1 :], _FULL))
        elif waits[j]:
            appended.add(i, (paths[i], _FULL))
        else:
            lost[i] = not join(now, int(slots[i]), paths[i], Stage.FULL)
    manager.statistics.splice += int(reached.sum())
    spent = result.revolutions
    now.note_many(at[reached], Decision.SPLICED, result.counts[reached], targets[reached], spent[reached])
    now.note_many(at[waits], Decision.SPLICE_REFUSED, result.counts[waits], spent[waits])


__all__ = ["SEEN", "SPLICE_TILES", "hand_over_many"]
