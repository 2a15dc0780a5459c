"""Fifteen candidates: open ground keeps the preferred shape.

A corridor selects the widest shape that fits, and behind it the preferred shape returns.
"""

import numpy as np
import pytest

from ai.formation.formation_adaptation import (
    CANDIDATES,
    FORMATIONS,
    STEPS,
    blend,
    family,
    judge,
    narrow_stretch,
    time_to_meeting,
)
from ai.formation.formation_shapes import Shape, form
from ai.formation.path_corridor import GroupPath

SPACING, RADIUS = 1.2, 0.3


def path_with(widths):
    """Return a straight path to the east with free ground to either side.

    The free ground is given per tile of the path.
    """
    half = np.asarray(widths, float) / 2.0
    return GroupPath(np.column_stack([np.arange(len(half)) + 0.5, np.full(len(half), 9.5)]), 1.0, half, half.copy())


def settle(path, along, now, aims, steps=12, last=0):
    for _ in range(steps):
        told = judge(now, aims, path, along, 3.0, RADIUS, SPACING, last)
        now, last = blend(now, aims, told.best), told.best // len(STEPS)
    return now, told


@pytest.mark.parametrize("shape", [Shape.LINE, Shape.WEDGE, Shape.BOX, Shape.CIRCLE])
def test_in_the_open_the_preferred_shape_stays(shape):
    aims = family(form(shape, 9, SPACING), SPACING)
    now, told = settle(path_with([30] * 60), 20.0, aims[0].copy(), aims)
    assert len(told.costs) == CANDIDATES == 15
    assert told.best // len(STEPS) == 0 and np.allclose(now, aims[0])


@pytest.mark.parametrize("free", [1.0, 2.2, 3.4, 5.0, 7.0])
def test_in_a_corridor_the_bulk_fits_and_is_no_narrower_than_it_must_be(free):
    """The group ends up in the widest shape that fits.

    The oracle tries all five shapes with the same half-width rule.
    """
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    now, _ = settle(path_with([free] * 120), 60.0, aims[0].copy(), aims, 40)
    fits = [k for k in range(FORMATIONS) if np.abs(aims[k][:, 1]).max() + RADIUS / 2 <= free / 2]
    widest = max(fits, key=lambda k: np.abs(aims[k][:, 1]).max(), default=FORMATIONS - 1)
    assert np.abs(now[:, 1]).max() <= np.abs(aims[widest][:, 1]).max() + 0.35
    assert np.abs(now[:, 1]).max() + RADIUS / 2 <= max(free / 2, RADIUS) + 0.36


def test_before_a_narrow_place_the_candidates_lose_the_speed_that_braking_takes():
    """At contact 60 % of the speed is lost, two seconds before it nothing.

    The costs are added up by hand from speed, collision and shape.
    """
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    now, speed = aims[0].copy(), 3.0
    front = [blend(now, aims, k)[:, 0].max() for k in range(CANDIDATES)]
    for away in (0.0, 1.5, 3.0, 4.5, 6.0, 9.0, 11.0):
        wide = np.full(120, 30.0)
        wide[60:] = 2.0
        told = judge(now, aims, path_with(wide), 60.0 - away, speed, RADIUS, SPACING)
        for k in (0, 1, 2):  # the line itself, which does not fit
            until = max(away - front[k], 0.0) / speed
            lost = 0.6 * min(max(1.0 - until / 2.0, 0.0), 1.0)
            assert told.speed_lost[k] == pytest.approx(lost, abs=1e-9)
            assert told.collision[k] == pytest.approx(min(max(1.0 - until / 4.0, 0.0), 1.0), abs=1e-9)
            assert told.costs[k] == pytest.approx(lost + 1.5 * told.collision[k] + 0.8 * told.shape[k], abs=1e-9)
        assert told.speed == pytest.approx(speed * (1.0 - told.speed_lost[told.best]))
    fits = judge(now, aims, path_with(np.full(120, 30.0)), 30.0, speed, RADIUS, SPACING)
    assert not fits.speed_lost.any() and fits.speed == speed
    gap = judge(now, aims, path_with(np.full(120, 0.2)), 60.0, speed, RADIUS, SPACING)
    assert gap.speed == pytest.approx(0.4 * speed), "where not even a file fits, the group brakes"


def test_narrower_and_narrower_corridors_give_narrower_and_narrower_shapes_and_back():
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    now, halves = aims[0].copy(), []
    for free in (30.0, 5.0, 2.2, 1.0, 2.2, 5.0, 30.0):
        now, _ = settle(path_with([free] * 120), 60.0, now, aims, 40)
        halves.append(float(np.abs(now[:, 1]).max()))
    assert halves[:4] == sorted(halves[:4], reverse=True) and halves[0] > 3 * halves[3]
    assert halves[-1] == pytest.approx(halves[0], abs=0.1)


def test_nobody_spreads_out_while_the_rear_is_still_in_the_narrow_place():
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    path = path_with([30] * 40 + [2.0] * 8 + [30] * 40)
    file = aims[3].copy()
    rear = -float(file[:, 0].min())
    inside = judge(file, aims, path, 47.0 + rear - 2.0, 3.0, RADIUS, SPACING, 3)
    beyond = judge(file, aims, path, 48.0 + rear + 1.0, 3.0, RADIUS, SPACING, 3)
    assert inside.best // len(STEPS) != 0 and beyond.best // len(STEPS) == 0


@pytest.mark.parametrize("shape", list(Shape))
@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_every_formation_of_a_family_has_a_place_of_its_own_for_everybody(shape, count):
    aims = family(form(shape, count, SPACING), SPACING)
    for places in aims:
        gaps = np.hypot(*(places[:, None, :2] - places[None, :, :2]).transpose(2, 0, 1)) + np.eye(count) * 9
        assert gaps.min() > 0.7 * SPACING


def test_the_narrow_stretch_is_found_where_it_was_put():
    widths = np.full(60, 20.0)
    widths[30:34] = 2.0
    assert narrow_stretch(path_with(widths), 0.0, 3.0, 3.0) == (30.0, 33.0)
    assert narrow_stretch(path_with(widths), 40.0, 3.0, 3.0) is None


def test_time_to_meeting_is_that_of_boxes_moved_by_hand():
    rng = np.random.default_rng(8)
    met = 0
    for _ in range(60):
        box, speed = rng.uniform(0.3, 3.0, 4), rng.uniform(0.0, 4.0)
        other = np.concatenate([rng.uniform(-12, 12, 2), rng.uniform(-4, 4, 2), rng.uniform(0.3, 2.0, 2)])
        t = np.arange(0.0, 12.0, 0.002)
        f, r = other[0] + (other[2] - speed) * t, other[1] + other[3] * t
        hit = (f > -box[3] - other[4]) & (f < box[2] + other[4]) & (r > -box[0] - other[5]) & (r < box[1] + other[5])
        told = float(time_to_meeting(box[None], speed, other[None])[0])
        if hit.any():
            met += 1
            assert told == pytest.approx(t[np.argmax(hit)], abs=0.005)
        else:
            assert told > 11.9
    assert met > 8


def test_an_oncoming_unit_in_a_corridor_changes_the_shape_of_a_pair():
    aims = family(form(Shape.LINE, 2, SPACING), SPACING)
    path, walker = path_with([3.0] * 120), np.array([[10.0, 0.0, -4.0, 0.0, 0.4, 0.4]])
    alone = judge(aims[0], aims, path, 40.0, 3.0, RADIUS, SPACING)
    told = judge(aims[0], aims, path, 40.0, 3.0, RADIUS, SPACING, others=walker)
    assert alone.best // len(STEPS) == 0 and alone.sidestep == 0.0
    assert told.best // len(STEPS) != 0 and told.sidestep > 0.0 and not told.tight and len(told.costs) == 15
    # Its box holds its slots, moved by the sidestep: left, right, front, back.
    places = aims[0] + (aims[told.best // len(STEPS)] - aims[0]) * STEPS[told.best % len(STEPS)]
    ahead, right = places[:, 0], places[:, 1] + told.sidestep
    assert told.boxes[told.best] == pytest.approx([-right.min(), right.max(), ahead.max(), -ahead.min()])


def test_a_narrow_place_on_the_first_tile_of_the_path_counts():
    aims = family(form(Shape.LINE, 9, SPACING), SPACING)
    told = judge(aims[0], aims, path_with([2.0] + [30] * 80), 0.0, 3.0, RADIUS, SPACING)
    assert told.speed_lost[0] == pytest.approx(0.6) and told.best // len(STEPS) != 0
