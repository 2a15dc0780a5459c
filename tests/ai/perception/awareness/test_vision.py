"""Watchers test range, angle and line in order, and identify in time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.core.rand import Stream, uniform
from ai.perception.awareness.detection_meter import (
    GLIMPSED,
    IDENTIFIED,
    LOST_SIGHT,
    NOTICED,
    SAW,
    SUSPICIOUS,
    UNAWARE,
)
from ai.perception.awareness.perception_dice import LOOK_TICKS, chance_of_notice
from ai.perception.awareness.vision import Vision
from ai.perception.settings import VisionSettings
from tests.ai.perception.sight.ford import visible_from


class Scene:
    """Unit columns on a map, and one pair of eyes over them."""

    def __init__(self, opaque: np.ndarray, count: int) -> None:
        self.opaque = opaque
        self.cover = np.zeros_like(opaque)
        self.ids = np.arange(10, 10 + count, dtype=np.int32)
        self.alive = np.ones(count, np.uint8)
        self.side = np.zeros(count, np.uint8)
        self.x, self.y, self.head = np.zeros(count), np.zeros(count), np.zeros(count)
        self.stance = np.zeros(count, np.uint8)
        self.watching = np.zeros(count, np.uint8)
        self.reach, self.half_angle = np.full(count, 14.0), np.full(count, 1.0)
        self.meter, self.meter_target = np.zeros(count), np.full(count, -1, np.int32)
        self.seen_x, self.seen_y = np.zeros(count), np.zeros(count)
        self.seen_tick = np.full(count, -1, np.int32)
        self.event = np.zeros(count, np.uint32)
        self.vision = Vision(VisionSettings())
        self.tick = 0

    @staticmethod
    def column_names() -> list[str]:
        names = "ids alive side x y stance head watching reach half_angle meter meter_target"
        return f"{names} seen_x seen_y seen_tick event".split(" ")

    def look(self) -> None:
        self.tick += 1
        columns = {name: getattr(self, name) for name in self.column_names()}
        self.vision.update(self.tick, self.opaque, self.cover, **columns)


def duel(distance: float, stance: int = 0, cover: int = 0) -> Scene:
    """Return a guard that looks along +x and a raider before it.

    The guard is at (5.5, 10.5); ``distance`` is in tiles.
    """
    scene = Scene(np.zeros((21, 60), np.uint8), 2)
    scene.side[:] = [1, 0]
    scene.watching[0] = 1
    scene.x[:], scene.y[:] = [5.5, 5.5 + distance], 10.5
    scene.stance[1] = stance
    scene.cover[:] = cover
    return scene


def ticks_until(scene: Scene, bit: int, limit: int = 400) -> int:
    for _ in range(limit):
        scene.look()
        if scene.event[0] & bit:
            return scene.tick
    return -1


def crowd(seed: int) -> Scene:
    rng = np.random.default_rng(seed)
    scene = Scene((rng.random((37, 53)) < 0.08).astype(np.uint8), 50)
    open_tiles = np.argwhere(scene.opaque == 0)
    tiles = open_tiles[rng.integers(len(open_tiles), size=50)]
    scene.y, scene.x = (tiles + rng.uniform(0.01, 0.99, tiles.shape)).T.copy()
    scene.side = rng.integers(0, 3, 50).astype(np.uint8)
    scene.watching = (rng.random(50) < 0.5).astype(np.uint8)
    scene.alive = (rng.random(50) < 0.9).astype(np.uint8)
    scene.stance = rng.integers(0, 3, 50).astype(np.uint8)
    scene.head = rng.uniform(-9, 9, 50)
    scene.half_angle = rng.choice([0.4, 1.0, 2.0, math.pi], 50)
    scene.reach = rng.uniform(0, 20, 50)
    scene.cover = rng.integers(0, 4, scene.opaque.shape).astype(np.uint8)
    scene.ids = rng.permutation(50).astype(np.int32)
    return scene


def reference(scene: Scene) -> tuple[dict[int, tuple[float, int]], list[int]]:
    """Run the three tests in plain Python.

    Returns the best (seconds, id) per watcher slot, and the pairs that passed each test.
    """
    s, passed, best = scene.vision.settings, [0, 0, 0], {}
    for i in np.flatnonzero((scene.watching != 0) & (scene.alive != 0)):
        tiles = visible_from(scene.opaque, int(scene.y[i]), int(scene.x[i]), 31)
        for j in np.flatnonzero((scene.side != scene.side[i]) & (scene.alive != 0)):
            dx, dy, stance = scene.x[j] - scene.x[i], scene.y[j] - scene.y[i], int(scene.stance[j])
            distance, tile = math.hypot(dx, dy), (int(scene.y[j]), int(scene.x[j]))
            if distance > min(scene.reach[i], s.seen_within[scene.cover[tile]][stance]):
                continue
            passed[0] += 1
            off = abs((math.atan2(dy, dx) - scene.head[i] + math.pi) % (2 * math.pi) - math.pi)
            if off > scene.half_angle[i] and distance > (s.touch_stand, s.touch_low, s.touch_low)[stance]:
                continue
            passed[1] += 1
            if tile not in tiles:
                continue
            passed[2] += 1
            share = max(0.0, distance - s.near_tiles) / max(1e-9, scene.reach[i] - s.near_tiles)
            seconds = s.near_seconds + (s.far_seconds - s.near_seconds) * max(0.0, share)
            seconds *= (1.0, s.crouch_factor, s.prone_factor)[stance]
            best[int(i)] = min(best.get(int(i), (math.inf, 0)), (seconds, int(scene.ids[j])))
    return best, passed


@pytest.mark.parametrize("seed", range(12))
def test_equals_the_three_tests_in_plain_python(seed: int) -> None:
    scene = crowd(seed)
    best, passed = reference(scene)
    scene.look()
    vision = scene.vision
    assert [vision.in_range, vision.in_angle, vision.seen] == passed
    assert vision.lines == vision.in_angle, "a line is tested only for what passed range and angle"
    for i in range(50):
        if i in best:
            seconds, target = best[i]
            assert scene.meter[i] == pytest.approx(min(1.0, 0.05 / seconds))
            assert scene.meter_target[i] == target
            slot = int(np.flatnonzero(scene.ids == target)[0])
            assert (scene.seen_x[i], scene.seen_y[i], scene.seen_tick[i]) == (scene.x[slot], scene.y[slot], 1)
            assert vision.seconds[i] == pytest.approx(seconds)
            assert vision.certainty[i] == pytest.approx(min(1.0, vision.settings.sweet_seconds / seconds))
        else:
            assert (vision.seconds[i], vision.certainty[i]) == (math.inf, 0.0)
            assert (scene.meter[i], scene.meter_target[i], scene.event[i]) == (0.0, -1, 0)


def test_the_order_of_slots_changes_nothing() -> None:
    scene, shuffled = crowd(3), crowd(3)
    order = np.random.default_rng(0).permutation(50)
    for name in ["ids", "alive", "side", "x", "y", "stance", "head", "watching", "reach", "half_angle"]:
        setattr(shuffled, name, np.ascontiguousarray(getattr(shuffled, name)[order]))
    for _ in range(5):
        scene.look()
        shuffled.look()
    assert np.array_equal(shuffled.meter, scene.meter[order])
    assert np.array_equal(shuffled.meter_target, scene.meter_target[order])
    assert np.array_equal(shuffled.event, scene.event[order])


@pytest.mark.parametrize(("distance", "stance"), [(4.0, 0), (8.0, 0), (8.0, 1), (13.9, 0), (6.0, 2)])
def test_identification_takes_the_time_of_the_table(distance: float, stance: int) -> None:
    scene = duel(distance, stance)
    s = scene.vision.settings
    seconds = s.near_seconds + (s.far_seconds - s.near_seconds) * (distance - s.near_tiles) / (14.0 - s.near_tiles)
    seconds *= (1.0, s.crouch_factor, s.prone_factor)[stance]
    assert ticks_until(scene, SAW) == math.ceil(seconds * 20 - 1e-6)
    assert scene.vision.state_of(scene.meter[0]) == IDENTIFIED


def test_suspicion_comes_before_identification_and_each_is_told_once() -> None:
    scene = duel(10.0)
    told = []
    for _ in range(100):
        scene.event[:] = 0
        scene.look()
        if scene.event[0]:
            told.append((int(scene.event[0]), scene.vision.state_of(scene.meter[0])))
    assert told == [(GLIMPSED, UNAWARE), (NOTICED, SUSPICIOUS), (SAW, IDENTIFIED)]


def test_nearer_is_faster_and_beside_the_watcher_almost_at_once() -> None:
    times = [ticks_until(duel(d), SAW) for d in (1.0, 2.5, 5.0, 8.0, 11.0, 14.0)]
    assert times == sorted(times)
    assert times[0] == times[1] == 4
    assert times[-1] == 60
    assert ticks_until(duel(14.01), SAW) == -1


def test_loss_of_sight_is_told_and_the_meter_falls_to_nobody() -> None:
    scene = duel(5.0)
    ticks_until(scene, SAW)
    scene.opaque[:, 8] = 1
    scene.event[:] = 0
    scene.look()
    assert scene.event[0] == LOST_SIGHT
    assert scene.meter_target[0] == 11, "it still knows whom it lost"
    assert scene.vision.state_of(scene.meter[0]) == SUSPICIOUS
    ticks = 1
    while scene.meter[0] > 0:
        scene.event[:] = 0
        scene.look()
        ticks += 1
        assert not scene.event[0]
    settings = scene.vision.settings
    assert ticks == pytest.approx((settings.fall_seconds + settings.hold_seconds) * 20, abs=1)
    assert scene.meter_target[0] == -1
    assert scene.vision.state_of(0.0) == UNAWARE


def test_two_short_glimpses_far_apart_do_not_identify() -> None:
    scene = duel(10.0)
    for seen in (25, 0, 25):
        scene.x[1] = 15.5 if seen else 59.5
        for _ in range(seen or 200):
            scene.look()
    assert not scene.event[0] & SAW
    assert 0 < scene.meter[0] < 1


@pytest.mark.parametrize(
    ("cover", "stance", "within"),
    [(2, 0, 6.0), (2, 1, 2.5), (2, 2, 2.5), (3, 0, 4.0), (3, 1, 2.5), (3, 2, 1.5), (1, 1, 8.0), (0, 2, 12.0)],
)
def test_wood_and_reeds_hide_by_stance(cover: int, stance: int, within: float) -> None:
    assert ticks_until(duel(within - 0.01, stance, cover), SAW) > 0
    assert ticks_until(duel(within + 0.01, stance, cover), SAW) == -1


def test_the_head_looks_not_the_body_and_touch_needs_no_look() -> None:
    behind = duel(-3.0)
    assert ticks_until(behind, SAW) == -1
    behind.head[0] = math.pi
    assert ticks_until(behind, SAW) > 0
    assert ticks_until(duel(-1.1), SAW) > 0
    assert ticks_until(duel(-1.1, stance=1), SAW) == -1


def test_an_identified_target_is_held_while_another_comes_nearer() -> None:
    scene = Scene(np.zeros((21, 40), np.uint8), 3)
    scene.side[:] = [1, 0, 0]
    scene.watching[0] = 1
    scene.x[:], scene.y[:] = [5.5, 12.5, 39.5], 10.5
    ticks_until(scene, SAW)
    scene.x[2], scene.event[0] = 8.5, 0
    scene.look()
    assert (scene.meter_target[0], scene.event[0]) == (11, 0)
    scene.alive[1] = 0
    scene.look()
    assert scene.meter_target[0] == 12 and scene.event[0] & LOST_SIGHT, "the next one in view takes its place"
    assert scene.meter[0] < 1.0 and not scene.event[0] & SAW, "and goes on with a time of his own"


def told_of(scene: Scene, limit: int) -> dict[int, int]:
    """Return id -> the tick of its first identification by any watcher.

    Units besides the watcher's target count too.
    """
    told: dict[int, int] = {}
    for _ in range(limit):
        scene.event[0] = 0
        scene.look()
        found = [target for slot, target in scene.vision.found if slot == 0]
        for target in [int(scene.meter_target[0])] * bool(scene.event[0] & SAW) + found:
            told.setdefault(target, scene.tick)
    return told


@pytest.mark.parametrize("seed", range(6))
def test_the_unit_that_is_made_out_first_is_the_target_with_what_is_known_of_each(seed: int) -> None:
    """Time left is the time from the beginning, less the progress with a unit."""
    rng = np.random.default_rng(seed)
    scene = Scene(np.zeros((21, 60), np.uint8), 4)
    scene.side[1:], scene.side[0], scene.watching[0] = 0, 1, 1
    scene.x[0], scene.y[:] = 5.5, 10.5
    switched = 0
    for _ in range(16):
        far, known = rng.uniform(6.0, 12.0, 3), rng.choice([0.0, 0.3, 0.6, 0.9], 3)
        scene.x[1:] = 5.5 + far
        scene.look()
        scene.meter[0], scene.meter_target[0] = known[0], 11
        scene.vision.others[0], scene.vision.progress[0] = -1, 0.0
        scene.vision.others[0, 2:4], scene.vision.progress[0, 2:4] = [12, 13], known[1:]
        scene.look()
        left = [float(np.interp(d, [2.5, 14.0], [0.2, 3.0]) * (1 - p)) for d, p in zip(far, known, strict=True)]
        assert scene.meter_target[0] == 11 + int(np.argmin(left))
        switched += int(np.argmin(left) != np.argmin(far))
    assert switched, "the nearest is not always the first"


def test_at_once_everybody_in_view_is_identified_at_the_first_glance() -> None:
    scene = Scene(np.zeros((21, 60), np.uint8), 5)
    scene.vision.settings.meter = "at_once"
    scene.side[1:], scene.side[0], scene.watching[0] = 0, 1, 1
    scene.x[:], scene.y[:] = [5.5, 9.5, 12.5, 19.4, 19.6], 10.5
    assert told_of(scene, 3) == {11: 1, 12: 1, 13: 1}, "one is out of range"
    assert scene.vision.seconds.tolist() == [0.0] + [math.inf] * 4


@pytest.mark.parametrize("seed", range(3))
def test_by_dice_a_watcher_is_told_of_its_target_alone_and_by_its_own_roll(seed: int) -> None:
    scene = Scene(np.zeros((41, 60), np.uint8), 18)
    scene.vision.settings.meter = "chance"
    scene.side[:6], scene.watching[:6] = 1, 1
    scene.x[:6], scene.y[:6] = 5.5, 3.5 + 6.0 * np.arange(6)
    for k in (1, 2):
        scene.x[6 * k : 6 * k + 6], scene.y[6 * k : 6 * k + 6] = 5.5 + 2.5 * k, scene.y[:6]
    scene.half_angle[:6] = 0.3
    look = {name: getattr(scene, name) for name in scene.column_names()}
    rolled = 0
    for tick in range(1, 25):
        scene.event[:], scene.meter[:], scene.meter_target[:] = 0, 0.0, -1
        scene.vision.update(tick, scene.opaque, scene.cover, **look, seed=seed)
        for i in range(6):
            chance = chance_of_notice(2.5, 0.0, 0.0, 14.0, 0.3, 1.0)
            found = (tick + 10 + i) % LOOK_TICKS == 0 and uniform(seed, Stream.PERCEPTION, tick, 10 + i) < chance
            assert scene.vision.seconds[i] == (0.0 if found else math.inf)
            assert bool(scene.event[i] & SAW) == found
            rolled += found
        assert not scene.vision.found, "a unit behind the target is not rolled for"
    assert 0 < rolled < 15


def test_the_dead_and_the_sleeping_see_nothing_and_the_dead_are_not_seen() -> None:
    scene = duel(3.0)
    scene.look()
    scene.watching[0] = 0
    scene.look()
    assert (scene.meter[0], scene.meter_target[0]) == (0.0, -1)
    scene.watching[0], scene.alive[1] = 1, 0
    assert ticks_until(scene, SAW, 20) == -1


def test_unperceived_units_change_no_percept() -> None:
    """Moving unperceived units does not change one bit of the guard's percepts."""
    first, second = crowd(5), crowd(5)
    guard = int(np.flatnonzero((first.watching != 0) & (first.alive != 0) & (first.reach > 10))[0])
    for scene in (first, second):
        scene.watching[:] = 0
        scene.watching[guard] = 1
        scene.alive[:] = 1
    hidden = []
    for j in np.flatnonzero(first.side != first.side[guard]):
        alone = crowd(5)
        alone.watching[:] = 0
        alone.watching[guard] = 1
        alone.alive[:] = 0
        alone.alive[[guard, j]] = 1
        alone.look()
        if alone.meter[guard] == 0:
            hidden.append(int(j))
    assert len(hidden) > 5
    second.x[hidden], second.y[hidden] = first.x[hidden[::-1]], first.y[hidden[::-1]]
    second.cover[:], second.stance[hidden] = first.cover, first.stance[hidden[::-1]]
    for _ in range(10):
        first.look()
        second.look()
    for name in ("meter", "meter_target", "seen_x", "seen_y", "seen_tick", "event"):
        assert getattr(first, name)[guard] == getattr(second, name)[guard]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("stance", [0, 1, 2])
def test_prediction_for_a_tile_is_what_the_watcher_finds_there(seed: int, stance: int) -> None:
    scene = crowd(seed)
    scene.watching[:], scene.alive[:] = 0, 0
    scene.watching[0], scene.alive[:2], scene.side[:2] = 1, 1, [1, 0]
    scene.reach[0], scene.stance[1] = 9.3, stance
    y0, x0, seconds = scene.vision.seconds_to_identify(
        scene.opaque, scene.cover, scene.x[0], scene.y[0], scene.head[0], 9.3, scene.half_angle[0], stance
    )
    for j, i in np.ndindex(seconds.shape):
        scene.meter[0], scene.x[1], scene.y[1] = 0.0, x0 + i + 0.5, y0 + j + 0.5
        scene.look()
        expected = 0.0 if np.isinf(seconds[j, i]) else 0.05 / max(seconds[j, i], 0.05)
        assert scene.meter[0] == pytest.approx(expected, abs=1e-12)


def test_units_off_the_map_and_wrong_columns() -> None:
    scene = duel(5.0)
    scene.x[1] = -3.0
    scene.look()
    assert scene.meter[0] == 0
    scene.x[:] = [np.nan, 5.0]
    scene.look()
    scene.head = np.zeros(3)
    with pytest.raises(ValueError, match="columns"):
        scene.look()
    scene.vision.settings.seen_within = [[1.0, 2.0]]
    scene.head = np.zeros(2)
    with pytest.raises(ValueError, match="seen_within"):
        scene.look()
