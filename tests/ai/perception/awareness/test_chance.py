"""The meter rule of chance: the product of its factors, never from behind."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.core.rand import Stream, uniform
from ai.perception.awareness import perception_dice
from ai.perception.awareness.perception_dice import LOOK_TICKS, chance_of_notice, roll
from ai.perception.awareness.vision import Vision
from ai.perception.settings import METERS, VisionSettings
from tests.ai.perception.awareness.test_vision import Scene


def test_the_chance_is_the_product_of_distance_angle_and_light() -> None:
    assert chance_of_notice(6.0, 0.0, 0.0, 12.0, 0.6, 1.0) == pytest.approx(0.5)
    assert chance_of_notice(6.0, 0.0, 0.6, 12.0, 0.6, 1.0) == pytest.approx(0.25)
    assert chance_of_notice(6.0, 0.0, 0.0, 12.0, 0.6, 0.3) == pytest.approx(0.15)
    assert chance_of_notice(13.0, 0.0, 0.0, 12.0, 0.6, 1.0) == 0.0
    rng = np.random.default_rng(0)
    for dx, dy, light in rng.uniform(-9, 9, (200, 3)):
        assert 0.0 <= chance_of_notice(dx, dy, 0.3, 12.0, 0.6, abs(light) / 9) <= 1.0


def noticed_at(seed: int, x: float) -> int:
    """Return the tick at which a guard notices a unit standing at ``x``.

    The guard looks east from (5.5, 10.5). The result is 0 when 400 ticks do not suffice.
    """
    scene = Scene(np.zeros((21, 60), np.uint8), 2)
    scene.vision = Vision(VisionSettings(meter="chance"))
    scene.side[:] = [1, 0]
    scene.watching[:1] = 1
    scene.x[:], scene.y[:] = [5.5, x], 10.5
    columns = ("ids", "alive", "side", "x", "y", "stance", "head", "watching", "reach", "half_angle")
    columns += ("meter", "meter_target", "seen_x", "seen_y", "seen_tick", "event")  # type: ignore[assignment]
    look = {n: getattr(scene, n) for n in columns}
    for tick in range(1, 401):
        scene.vision.update(tick, scene.opaque, scene.cover, **look, seed=seed)
        if scene.meter[0] >= 1.0:
            return tick
        assert scene.meter[0] < 1e-6, "there is nothing between nothing and all"
    return 0


def test_over_many_seeds_it_notices_as_often_as_the_product_says() -> None:
    assert METERS[2] == "chance"
    reach = Scene(np.zeros((21, 60), np.uint8), 2).reach[0]
    chance = 1 - 6.0 / reach
    looks = np.array([noticed_at(seed, 11.5) for seed in range(120)])
    assert (looks > 0).all()
    mean = ((looks + LOOK_TICKS - 1) // LOOK_TICKS).mean()
    # Looks until the first success: geometric, with mean 1/p and deviation sqrt(1-p)/p.
    assert abs(mean - 1 / chance) < 3 * math.sqrt(1 - chance) / chance / math.sqrt(len(looks)) + 1
    assert len(set(looks.tolist())) > 1, "it is left to chance"


def test_behind_the_back_nobody_is_ever_noticed() -> None:
    assert [noticed_at(seed, 2.5) for seed in range(5)] == [0] * 5


@pytest.mark.parametrize("seed", range(5))
def test_a_turned_world_has_the_chances_of_its_angles(seed: int) -> None:
    """Distance and angle off the gaze decide, wherever the watcher looks."""
    rng = np.random.default_rng(seed)
    for _ in range(60):
        head, off, distance = rng.uniform(-7, 7), rng.uniform(-math.pi, math.pi), rng.uniform(0.1, 15)
        reach, half, light = rng.uniform(4, 14), rng.uniform(0.3, 2), rng.uniform(0, 1)
        dx, dy = distance * math.cos(head + off), distance * math.sin(head + off)
        expected = max(0.0, 1 - distance / reach) * max(0.0, 1 - abs(off) / (2 * half)) * light
        assert chance_of_notice(dx, dy, head, reach, half, light) == pytest.approx(expected)
    assert chance_of_notice(0.0, 0.0, 2.5, 9.0, 0.5, 0.5) == 0.5, "on its feet no angle counts"
    assert chance_of_notice(1.0, 0.0, 0.0, 0.0, 0.5, 1.0) == 0.0, "without reach nothing is noticed"
    assert 0 < chance_of_notice(0.2, 0.0, 0.0, 0.8, 0.5, 1.0) < 1, "a short reach is one"


@pytest.mark.parametrize("seed", range(3))
def test_every_half_second_a_watcher_rolls_once_for_its_best_target(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 12
    ids = rng.permutation(count).astype(np.int32) + 3
    x, y = rng.uniform(0, 20, (2, count))
    head, reach, half = rng.uniform(-3, 3, count), np.full(count, 25.0), np.full(count, 3.0)
    light = rng.integers(0, 256, (20, 20)).astype(np.uint8)
    best = np.array([-1 if k % 4 == 0 else (k + 5) % count for k in range(count)], np.int32)
    found = 0
    for tick in range(60):
        seconds = np.full(count, 7.0)
        roll(seed, tick, ids, x, y, head, reach, half, light, best, seconds)
        for i, j in enumerate(best.tolist()):
            if j < 0:
                assert seconds[i] == 7.0, "who sees nobody is left alone"
                continue
            lit = light[int(y[j]), int(x[j])] / 255
            chance = chance_of_notice(x[j] - x[i], y[j] - y[i], head[i], 25.0, 3.0, lit)
            noticed = (tick + ids[i]) % 10 == 0 and uniform(seed, Stream.PERCEPTION, tick, int(ids[i])) < chance
            assert seconds[i] == (0.0 if noticed else math.inf)
            found += noticed
    assert found > 3


def test_no_chance_stays_none_whatever_the_dice_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perception_dice, "uniform", lambda *key: 0.0)
    columns = np.array([3], np.int32), np.zeros(1), np.zeros(1), np.zeros(1), np.full(1, 9.0), np.ones(1)
    for light, seconds in ((0, math.inf), (1, 0.0)):
        out = np.ones(1)
        roll(1, 7, *columns, np.full((1, 1), light, np.uint8), np.zeros(1, np.int32), out)
        assert out[0] == seconds
