"""Detection meters of watcher and target equal a table of pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from ai.perception.awareness.detection_meter import GLIMPSED, LOST_SIGHT, NOTICED, OTHERS, SAW, fill_meters, progress_on
from ai.perception.settings import VisionSettings
from tests.ai.perception.awareness.test_vision import Scene, duel, ticks_until, told_of

WATCHERS, UNITS = 3, 10
"""The first slots watch; the others are targets.

A watcher remembers all of them.
"""


class Columns:
    """Columns of the kernel for some watchers and targets."""

    def __init__(self, settings: VisionSettings, units: int = UNITS, watchers: int = WATCHERS) -> None:
        self.numbers = settings.numbers()
        self.ids = np.arange(20, 20 + units, dtype=np.int32)[::-1].copy()
        self.alive, self.watching = np.ones(units, np.uint8), np.zeros(units, np.uint8)
        self.watching[:watchers] = 1
        self.x, self.y = np.arange(units) + 0.25, 2.0 * np.arange(units)
        self.alert, self.experienced = np.zeros(units, np.uint8), np.zeros(units, np.uint8)
        self.meter, self.target = np.zeros(units), np.full(units, -1, np.int32)
        self.seen_x, self.seen_y, self.seen_tick = np.zeros(units), np.zeros(units), np.full(units, -1, np.int32)
        self.event = np.zeros(units, np.uint32)
        self.others, self.progress = np.full((units, OTHERS), -1, np.int32), np.zeros((units, OTHERS))
        self.last, self.full = np.full((units, OTHERS), -1, np.int32), np.zeros((units, OTHERS), np.uint8)

    def tick(self, tick: int, views: dict[int, list[tuple[int, float]]]) -> None:
        """Run one tick.

        ``views`` are slots and seconds in view of a watcher, the soonest first.
        """
        seen = np.full((len(self.ids), 1 + OTHERS), -1, np.int32)
        seconds = np.full(seen.shape, np.inf)
        for watcher, view in views.items():
            for place, (slot, time) in enumerate(view):
                seen[watcher, place], seconds[watcher, place] = slot, time
        self.event[:] = 0
        fill_meters(
            tick, self.ids, self.alive, self.x, self.y, self.watching, self.alert, self.experienced, self.numbers,
            seen, seconds, self.meter, self.target, self.seen_x, self.seen_y, self.seen_tick, self.event, self.others,
            self.progress, self.last, self.full,
        )  # fmt: skip

    def pairs(self, watcher: int) -> dict[int, float]:
        """Return a watcher's progress with each unit that it has in mind."""
        kept = {int(u): float(p) for u, p in zip(self.others[watcher], self.progress[watcher], strict=True) if u >= 0}
        if self.target[watcher] >= 0:
            assert self.target[watcher] not in kept, "a unit has one meter"
            kept[int(self.target[watcher])] = float(self.meter[watcher])
        return kept


class Table:
    """The same law over a dictionary of pairs for one watcher."""

    def __init__(self, settings: VisionSettings) -> None:
        self.s = settings
        self.progress: dict[int, float] = {}
        self.last: dict[int, int] = {}
        self.target = -1
        self.expert = False

    def risen(self, unit: int, seconds: float) -> float:
        after = self.progress.get(unit, 0.0) + 0.05 / max(seconds, 1e-12)
        return 1.0 if after > 1 - 1e-9 else after

    def fallen(self, unit: int, tick: int, mark: float) -> float:
        before, counting = self.progress[unit], self.s.meter == "accumulator"
        if not counting and before < 1 and (tick - self.last[unit]) * 0.05 <= self.s.hold_seconds:
            return before
        return max(0.0, before - 0.05 / (mark if counting else self.s.fall_seconds))

    def tick(self, tick: int, view: list[tuple[int, float]], alert: int) -> tuple[int, set[int]]:
        """Return event bits and the units besides the target identified in this tick."""
        s, before, events, found = self.s, dict(self.progress), 0, set()
        mark = s.combat_seconds if alert else s.usual_seconds if self.expert else s.first_seconds
        in_view = {unit: mark if s.meter == "accumulator" else time for unit, time in view}
        target = view[0][0] if view else self.target
        if before.get(self.target, 0.0) >= 1 and (not view or target != self.target):
            events |= LOST_SIGHT
        for unit in {*before, *in_view}:
            if unit in in_view:
                self.progress[unit] = self.risen(unit, in_view[unit])
                self.last[unit] = tick
                if unit != target and before.get(unit, 0.0) < 1 <= self.progress[unit]:
                    found.add(unit)
            else:
                self.progress[unit] = self.fallen(unit, tick, mark)
        if view:
            was, now = before.get(target, 0.0), self.progress[target]
            if was < s.suspicious <= now:
                events |= NOTICED
            elif was < s.glimpse <= now:
                events |= GLIMPSED
            if now >= 1 and (was < 1 or target != self.target):
                events |= SAW
                self.expert = True
        self.progress = {unit: p for unit, p in self.progress.items() if p > 0}
        self.target = target if target in self.progress else -1
        return events, found


@pytest.mark.parametrize("meter", ["timer", "accumulator"])
@pytest.mark.parametrize("seed", range(4))
def test_each_pair_equals_its_own_meter_in_a_table(seed: int, meter: str) -> None:
    """Views come and go at random for eight seconds.

    One watcher falls asleep, another dies.
    """
    rng = np.random.default_rng(seed)
    settings = VisionSettings(meter=meter, first_seconds=0.9, usual_seconds=0.6, fall_seconds=1.5, hold_seconds=0.2)
    columns, tables = Columns(settings), [Table(settings) for _ in range(WATCHERS)]
    at = {int(i): slot for slot, i in enumerate(columns.ids)}
    view: list[list[tuple[int, float]]] = [[], [], []]
    last_seen = [(0.0, 0.0, -1)] * WATCHERS
    bits, found_ever = 0, False
    for tick in range(160):
        columns.watching[1] = not 60 <= tick < 64
        columns.alive[2] = not 90 <= tick < 94
        for w in range(WATCHERS):
            if rng.random() < 0.12:
                slots = rng.permutation(np.arange(WATCHERS, UNITS))[: int(rng.integers(0, 6))]
                view[w] = sorted((float(rng.uniform(0.04, 1.2)), int(s)) for s in slots)
                view[w] = [(slot, seconds) for seconds, slot in view[w]]
            columns.alert[w] = int(rng.integers(3)) if rng.random() < 0.05 else columns.alert[w]
        awake = [bool(columns.watching[w] and columns.alive[w]) for w in range(WATCHERS)]
        columns.tick(tick, {w: view[w] for w in range(WATCHERS) if awake[w]})
        for w, table in enumerate(tables):
            if not awake[w]:
                table.progress, table.target = {}, -1
                assert not columns.pairs(w) and (columns.meter[w], columns.event[w], columns.full[w].any()) == (0, 0, 0)
                continue
            named = [(int(columns.ids[slot]), seconds) for slot, seconds in view[w]]
            events, found = table.tick(tick, named, int(columns.alert[w]))
            bits |= events
            found_ever |= bool(found)
            if named:
                last_seen[w] = (columns.x[at[named[0][0]]], columns.y[at[named[0][0]]], tick)
            assert columns.pairs(w) == pytest.approx(table.progress, abs=1e-9)
            assert (columns.target[w], columns.event[w]) == (table.target, events), (tick, w)
            assert {int(u) for u in columns.others[w][columns.full[w] != 0]} == found
            assert (columns.seen_x[w], columns.seen_y[w], columns.seen_tick[w]) == last_seen[w]
            assert bool(columns.experienced[w]) == table.expert
    assert bits == SAW | LOST_SIGHT | NOTICED | GLIMPSED and found_ever, "everything happened at least once"


@pytest.mark.parametrize("order", [range(1, 12), range(11, 0, -1), (6, 1, 11, 3, 9, 2, 10, 4, 8, 5, 7)])
def test_beyond_the_room_in_mind_the_least_progress_is_forgotten(order: Sequence[int]) -> None:
    """Eleven units come into view one after the other.

    Each stays for as many ticks as its slot says.
    """
    columns = Columns(VisionSettings(hold_seconds=60.0), units=12, watchers=1)
    progress = {int(columns.ids[slot]): slot * 0.05 / 6.0 for slot in range(1, 12)}
    kept: dict[int, float] = {}
    for turn, slot in enumerate(order):
        for k in range(slot):
            columns.tick(100 * turn + k, {0: [(slot, 6.0)]})
        before = sorted(kept, key=lambda unit: -kept[unit])[:OTHERS]
        kept = {unit: progress[unit] for unit in (*before, int(columns.ids[slot]))}
        assert columns.pairs(0) == pytest.approx(kept)


def test_each_event_is_a_bit_of_its_own() -> None:
    bits = [SAW, LOST_SIGHT, NOTICED, GLIMPSED]
    assert [b.bit_count() for b in bits] == [1] * 4 and len(set(bits)) == 4


def test_progress_is_that_of_the_target_or_of_the_remembered_unit() -> None:
    others, progress = np.array([7, -1, 9, 4], np.int32), np.array([0.25, 0.0, 0.5, 0.75])
    by_id = {7: 0.25, 9: 0.5, 4: 0.75, 3: 0.125}
    for unit in range(12):
        assert progress_on(unit, 0.125, 3, others, progress) == by_id.get(unit, 0.0)


@pytest.mark.parametrize("seconds", [0.05, 0.3, 1.0, 2.0, 7.3])
def test_a_meter_is_full_after_its_seconds_of_unbroken_view(seconds: float) -> None:
    columns = Columns(VisionSettings(), units=2, watchers=1)
    ticks = 0
    while not columns.event[0] & SAW:
        ticks += 1
        columns.tick(ticks, {0: [(1, seconds)]})
    assert ticks == math.ceil(20 * seconds - 1e-6)


@pytest.mark.parametrize("count", [2, 8])
def test_each_of_several_in_view_is_made_out_in_the_time_of_the_table_for_him(count: int) -> None:
    """Each pair has its own meter.

    A unit beside another is identified as late as a unit alone.
    """
    places = [(3.0 + 10.0 * k / count, k % 3) for k in range(count)]
    scene = Scene(np.zeros((21, 60), np.uint8), 1 + count)
    scene.side[1:], scene.side[0], scene.watching[0] = 0, 1, 1
    scene.x[0], scene.y[:] = 5.5, 10.5
    scene.x[1:], scene.stance[1:] = [5.5 + far for far, _ in places], [stance for _, stance in places]
    alone = {11 + k: ticks_until(duel(far, stance), SAW) for k, (far, stance) in enumerate(places)}
    assert len(set(alone.values())) > 1 and min(alone.values()) > 1
    assert told_of(scene, 180) == {target: tick for target, tick in alone.items() if tick > 0}
    assert scene.meter_target[0] == min(alone, key=lambda target: (alone[target], target)), "the first is held"


def test_a_later_target_in_view_starts_its_own_meter() -> None:
    """After one identification the next unit comes into view.

    It lies eight tiles off, and takes as long as if it were the first.
    """
    alone = ticks_until(duel(8.0, stance=2), SAW)
    scene = Scene(np.zeros((21, 60), np.uint8), 3)
    scene.side[:], scene.watching[0] = [1, 0, 0], 1
    scene.x[:], scene.y[:] = [5.5, 8.5, 59.5], 10.5
    scene.stance[2] = 2
    ticks_until(scene, SAW)
    gone = scene.tick
    scene.x[1:] = [59.5, 13.5]
    assert told_of(scene, 100) == {12: gone + alone}


def test_in_a_crowd_the_soonest_are_had_in_mind_and_the_rest_begin_when_there_is_room() -> None:
    count = 3 + OTHERS
    scene = Scene(np.zeros((21, 60), np.uint8), 1 + count)
    scene.side[1:], scene.side[0], scene.watching[0] = 0, 1, 1
    scene.x[0], scene.y[:] = 5.5, 10.5
    scene.x[1:] = 9.5 + np.arange(count)[::-1]
    scene.look()
    in_mind = [int(scene.meter_target[0]), *scene.vision.others[0].tolist()]
    assert sorted(in_mind) == list(range(11 + 2, 11 + count)), "all but the two farthest"
    scene.x[3:] = 59.5
    for _ in range(200):
        scene.look()
    in_mind = [int(scene.meter_target[0]), *scene.vision.others[0].tolist()]
    assert {11, 12} <= set(in_mind)


def test_how_far_it_was_with_one_is_kept_while_another_is_before_its_eyes_and_falls_as_the_meter_does() -> None:
    """Half identified, hidden for a second, then in view again.

    Meanwhile the watcher looks at another unit.
    """
    scene = Scene(np.zeros((21, 60), np.uint8), 3)
    scene.side[:], scene.watching[0] = [1, 0, 0], 1
    scene.x[:], scene.y[:] = [5.5, 13.5, 59.5], 10.5
    while scene.meter[0] < 0.5:
        scene.look()
    half, s = float(scene.meter[0]), scene.vision.settings
    scene.x[1:] = [59.5, 12.5]
    for _ in range(20):
        scene.look()
    assert scene.meter_target[0] == 12 and 0 < scene.meter[0] < 1
    scene.x[1:] = [13.5, 59.5]
    scene.look()
    left = half - max(0, 20 - int(s.hold_seconds * 20)) * 0.05 / s.fall_seconds
    seconds = s.near_seconds + (s.far_seconds - s.near_seconds) * (8.0 - s.near_tiles) / (14.0 - s.near_tiles)
    assert scene.meter_target[0] == 11
    assert scene.meter[0] == pytest.approx(left + 0.05 / seconds)


def accumulating() -> Scene:
    scene = duel(8.0)
    scene.vision.settings.meter = "accumulator"
    return scene


def test_the_accumulator_identifies_on_the_very_tick_of_its_mark() -> None:
    scene = accumulating()
    assert ticks_until(scene, SAW) == 55, "2.75 s before the first time"
    hidden_in_time = accumulating()
    for tick in range(200):
        hidden_in_time.x[1] = 13.5 if tick < 54 else 59.5
        hidden_in_time.look()
    assert not hidden_in_time.event[0] & SAW
    assert hidden_in_time.meter[0] == 0


def test_half_of_the_time_in_view_never_identifies() -> None:
    scene = accumulating()
    for tick in range(400):
        scene.x[1] = 13.5 if tick // 20 % 2 == 0 else 59.5
        scene.look()
    assert not scene.event[0] & SAW


def test_a_watcher_with_an_identified_target_is_faster_and_in_a_fight_fastest() -> None:
    scene = accumulating()
    times = [ticks_until(scene, SAW)]
    scene.x[1] = 59.5
    while scene.meter[0] > 0:
        scene.look()
    scene.x[1], scene.event[0], before = 13.5, 0, scene.tick
    times.append(ticks_until(scene, SAW) - before)
    fight = accumulating()
    for tick in range(1, 100):
        look = {name: getattr(fight, name) for name in fight.column_names()}
        fight.vision.update(tick, fight.opaque, fight.cover, **look, alert=np.array([1, 0], np.uint8))
        if fight.event[0] & SAW:
            times.append(tick)
            break
    assert times == [55, 30, 4]


def test_a_new_unit_in_a_slot_has_no_experience() -> None:
    scene = accumulating()
    ticks_until(scene, SAW)
    scene.ids[0], scene.meter[0], scene.event[0], before = 99, 0.0, 0, scene.tick
    assert ticks_until(scene, SAW) - before == 55


def test_an_unknown_meter_is_told() -> None:
    scene = accumulating()
    scene.vision.settings.meter = "gut feeling"
    with pytest.raises(ValueError, match="gut feeling"):
        scene.look()
