"""The meter rule of chance: the product of its factors, never from behind."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.perception.awareness.perception_dice import LOOK_TICKS, chance_of_notice
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
