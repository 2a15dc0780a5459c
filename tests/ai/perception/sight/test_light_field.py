"""Lamps light what they see, the brightest wins, and changes show immediately."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.perception.sight.light_field import Lamp, LightField, light_field, shine
from ai.perception.sight.shadowcast import SightBits, field_of_view
from tests.ai.perception.sight.ford import visible_from


def random_map(seed: int) -> np.ndarray:
    return (np.random.default_rng(seed).random((40, 50)) < 0.1).astype(np.uint8)


def lit(opaque: np.ndarray, lamps: list[Lamp], ambient: float = 0.0) -> np.ndarray:
    field = light_field(*opaque.shape, ambient=ambient)
    field.update(SightBits(opaque), 0, lamps)
    return field.level


def expected_light(opaque: np.ndarray, lamps: list[Lamp], ambient: float) -> np.ndarray:
    level = np.full(opaque.shape, round(255 * ambient), float)
    for lamp in lamps:
        ly, lx = int(lamp.y), int(lamp.x)
        for y, x in visible_from(opaque, ly, lx, 31):
            dx, dy = x + 0.5 - lamp.x, y + 0.5 - lamp.y
            distance = math.hypot(dx, dy)
            off = abs((math.atan2(dy, dx) - lamp.facing + math.pi) % (2 * math.pi) - math.pi)
            if distance > lamp.radius or (off > lamp.half_angle and (y, x) != (ly, lx)):
                continue
            share = 1.0 if (y, x) == (ly, lx) else 1 - distance**2 / lamp.radius**2
            level[y, x] = max(level[y, x], math.floor(255 * lamp.strength * share + 0.5))
    return level


@pytest.mark.parametrize("seed", range(8))
def test_equals_sight_with_fractions_and_the_law_of_falloff(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = random_map(seed)
    lamps = [
        Lamp(
            *(float(v) for v in rng.uniform((0, 0, 1), (50, 40, 14))),
            strength=float(rng.uniform(0.2, 1)),
            facing=float(rng.uniform(-7, 7)),
            half_angle=float(rng.choice([0.5, 1.2, 2.5, math.pi])),
        )
        for _ in range(5)
    ]
    level = lit(opaque, lamps, 0.1)
    assert np.abs(level - expected_light(opaque, lamps, 0.1)).max() <= 1, "rounding of a half may go either way"


def test_a_second_lamp_never_darkens_and_a_switch_never_brightens() -> None:
    opaque = random_map(3)
    one, two = Lamp(20.5, 20.5, 12.0), Lamp(26.2, 18.7, 9.0, strength=0.6)
    both = lit(opaque, [one, two])
    two.on = False
    alone = lit(opaque, [one, two])
    assert (both >= alone).all() and (both > alone).any()
    assert np.array_equal(alone, lit(opaque, [one]))


def test_a_closing_door_cuts_the_light_off() -> None:
    opaque = np.zeros((9, 20), np.uint8)
    opaque[:, 10] = 1
    opaque[4, 10] = 0
    field, bits, lamps = light_field(9, 20, ambient=0.0), SightBits(opaque), [Lamp(5.5, 4.5, 14.0)]
    assert field.update(bits, 1, lamps)
    assert field.level[4, 14] > 0
    assert not field.update(bits, 1, lamps)
    opaque[4, 10] = 1
    bits.repair(opaque, [(4, 10, 5, 11)])
    assert field.update(bits, 2, lamps)
    assert field.level[4, 14] == 0
    assert field.level[4, 10] > 0, "the door itself is lit, like any wall"


def test_moving_and_turning_lamps_are_followed_and_day_outshines_lamps() -> None:
    bits = SightBits(np.zeros((30, 30), np.uint8))
    field, torch = light_field(30, 30, ambient=0.0), Lamp(10.5, 15.5, 8.0, half_angle=0.6)
    field.update(bits, 0, [torch])
    assert field.level[15, 15] > 0 == field.level[15, 5]
    torch.facing = math.pi
    assert field.update(bits, 0, [torch])
    assert field.level[15, 5] > 0 == field.level[15, 15]
    field.ambient = 1.0
    assert field.update(bits, 0, [torch])
    assert (field.level == 255).all()


@pytest.mark.parametrize("seed", range(6))
def test_a_field_repaired_by_boxes_equals_a_new_one(seed: int) -> None:
    """Lamps go out, move and turn, and walls change.

    The field always equals a new field.
    """
    rng = np.random.default_rng(seed)
    opaque = random_map(seed)
    bits, field = SightBits(opaque), light_field(40, 50, 0.1)
    lamps = [Lamp(*(float(v) for v in rng.uniform((0, 0, 1), (50, 40, 7)))) for _ in range(6)]
    field.update(bits, 0, lamps)
    for revision in range(1, 30):
        changes = []
        lamp = lamps[int(rng.integers(6))]
        kind = int(rng.integers(4))
        if kind == 0:
            lamp.on = not lamp.on
        elif kind == 1:
            lamp.x, lamp.y = lamp.x + float(rng.uniform(-1, 1)), lamp.y + float(rng.uniform(-1, 1))
        elif kind == 2:
            lamp.half_angle, lamp.facing = 0.7, float(rng.uniform(-3, 3))
        else:
            y, x = (int(v) for v in rng.integers((0, 0), (38, 48)))
            opaque[y : y + 2, x : x + 2] ^= 1
            changes = [(y, x, y + 2, x + 2)]
            bits.repair(opaque, changes)
        field.update(bits, revision, lamps, changes)
        assert np.array_equal(field.level, lit(opaque, lamps, 0.1))


def test_putting_a_lamp_out_changes_only_the_tiles_it_lit() -> None:
    opaque = random_map(5)
    far, near = Lamp(40.5, 30.5, 6.0), Lamp(8.5, 8.5, 5.0)
    bits, field = SightBits(opaque), light_field(40, 50, 0.1)
    field.update(bits, 0, [far, near])
    before = field.level.copy()
    near.on = False
    field.update(bits, 0, [far, near], ())
    assert np.array_equal(field.level != before, lit(opaque, [Lamp(8.5, 8.5, 5.0)], 0.1) > 26)
    assert field.laid <= 15 * 15


def test_a_body_is_as_bright_as_its_best_lit_part_and_no_part_is_inside_a_wall() -> None:
    field, opaque = light_field(5, 5, ambient=0.0), np.zeros((5, 5), np.uint8)
    field.level[2, 3] = 200
    assert field.at(2.5, 2.5, opaque) == 0
    sides = ((2.8, 2.5), (4.2, 2.5), (3.5, 1.8), (3.5, 3.2))
    assert [field.at(x, y, opaque) for x, y in sides] == [200] * 4
    assert field.at(-9.0, 2.5, opaque) == 0
    opaque[2, 3] = 1
    assert [field.at(x, y, opaque) for x, y in sides] == [0] * 4
    assert field.at(3.5, 2.5, opaque) == 200, "the middle of a shut door is the door"


def test_light_is_state() -> None:
    field = light_field(30, 30, ambient=0.2)
    field.update(SightBits(np.zeros((30, 30), np.uint8)), 3, [Lamp(10.5, 15.5, 8.0)])
    ab_run: LightField = restore(snapshot(field))
    assert digest(ab_run) == digest(field)
    assert np.array_equal(ab_run.level, field.level)
    assert not ab_run.update(SightBits(np.zeros((30, 30), np.uint8)), 3, [Lamp(10.5, 15.5, 8.0)])


def test_lamps_off_the_map_are_dark_and_wrong_ones_are_told() -> None:
    opaque = np.zeros((10, 10), np.uint8)
    assert not lit(opaque, [Lamp(-2.0, 5.0, 9.0), Lamp(5.0, 10.0, 9.0)]).any()
    assert lit(opaque, [Lamp(5.5, 5.5, 0.0)]).sum() == 255
    for wrong in (Lamp(5.0, 5.0, -1.0), Lamp(5.0, 5.0, 40.0), Lamp(5.0, 5.0, 3.0, strength=1.5)):
        with pytest.raises(ValueError, match="lamp at"):
            lit(opaque, [wrong])
    with pytest.raises(ValueError, match="ambient"):
        lit(opaque, [], ambient=2.0)
    with pytest.raises(ValueError, match="tiles"):
        light_field(0, 3)


@pytest.mark.parametrize("seed", range(6))
def test_shine_raises_the_tiles_of_its_box_and_no_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = random_map(seed)
    table = np.column_stack(
        [rng.uniform(10, 30, 4), rng.uniform(8, 25, 4), rng.uniform(4, 12, 4), rng.uniform(0.3, 1, 4)]
    )
    table = np.ascontiguousarray(np.column_stack([table, rng.uniform(-3, 3, 4), rng.choice([0.8, math.pi], 4)]))
    ys, xs = (np.floor(table[:, k]).astype(np.int32) for k in (1, 0))
    views = field_of_view(SightBits(opaque), ys, xs, np.full(4, 20, np.int32))
    y0, x0 = (int(v) for v in rng.integers((4, 6), (15, 18)))
    y1, x1 = y0 + int(rng.integers(3, 12)), x0 + int(rng.integers(3, 14))
    before = rng.integers(0, 90, opaque.shape).astype(np.uint8)
    level = before.copy()
    shine(table, ys, xs, views, y0, x0, y1, x1, level)
    expected = before.copy()
    lamps = [Lamp(*row[:4], facing=row[4], half_angle=row[5]) for row in table.tolist()]
    light = np.maximum(before, expected_light(opaque, lamps, 0.0))
    expected[y0:y1, x0:x1] = light[y0:y1, x0:x1]
    assert np.abs(level.astype(int) - expected).max() <= 1, "rounding of a half may go either way"
    assert (light != before)[y0 - 1 : y1 + 1, x0 - 1 : x1 + 1].sum() > (level != before).sum() > 0


@pytest.mark.parametrize("ambient", [0.0, 0.3, 1.0])
def test_a_new_field_has_the_ambient_light_and_knows_no_lamp_and_no_map(ambient: float) -> None:
    field = light_field(3, 4, ambient)
    assert field.level.tolist() == [[round(255 * ambient)] * 4] * 3
    assert field.lamps.shape == (0, 6) and field.revision == -1
    assert light_field(1, 1, ambient).level.shape == (1, 1)
    for height, width in ((0, 4), (3, 0)):
        with pytest.raises(ValueError, match="needs tiles"):
            light_field(height, width)
    for wrong in (-0.1, 1.1):
        with pytest.raises(ValueError, match="ambient"):
            light_field(3, 4, wrong)
