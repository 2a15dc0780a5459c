"""Shapes of sight: certainty zones, the coffin, and an angle inverse to distance."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ai.perception.awareness.detection_meter import SAW
from ai.perception.awareness.reaction import MARKS, Band, Task, band, reaction_ticks
from tests.ai.perception.awareness.test_vision import Scene, duel, ticks_until


def scene_with(shape: str, reach: float = 18.0) -> Scene:
    """Return a scene with one watcher that looks along +x, and one target.

    Both stand on open ground with plenty of room.
    """
    scene = Scene(np.zeros((61, 61), np.uint8), 2)
    scene.vision.settings.shape = shape
    scene.side[:] = [1, 0]
    scene.watching[0] = 1
    scene.x[:], scene.y[:] = 30.5, 30.5
    scene.reach[:] = reach
    return scene


def certainty_at(scene: Scene, ahead: float, aside: float, turn: float = 0.0) -> float:
    """Return the certainty of one first look at a target.

    The target is placed in the frame of a watcher that looks along ``turn``.
    """
    c, s = math.cos(turn), math.sin(turn)
    scene.head[0] = turn
    scene.x[1], scene.y[1] = 30.5 + ahead * c - aside * s, 30.5 + ahead * s + aside * c
    scene.meter[0] = 0
    scene.look()
    return float(scene.vision.certainty[0])


def half_width(scene: Scene, ahead: float, level: float) -> float:
    widths = [w for w in np.arange(0, 9, 0.05) if certainty_at(scene, ahead, float(w)) >= level]
    return float(max(widths, default=-1.0))


def test_the_sweet_spot_first_widens_then_narrows() -> None:
    scene = scene_with("zones")
    near, middle, far = (half_width(scene, d, 1.0) for d in (1.5, 7.5, 15.0))
    assert near < middle > far > 0


def test_certainty_never_grows_towards_the_side() -> None:
    scene = scene_with("zones")
    for distance in (1.0, 3.0, 6.0, 10.0, 14.0, 19.0):
        values = [
            certainty_at(scene, distance * math.cos(a), distance * math.sin(a)) for a in np.linspace(0, math.pi, 60)
        ]
        assert all(a >= b - 1e-12 for a, b in itertools.pairwise(values))
        assert set(np.round(values, 6)) <= {0.0, 0.3, 0.5, 0.7, 1.0}


def test_levels_of_the_zones_and_turning_the_head_towards_the_periphery() -> None:
    scene = scene_with("zones")
    assert certainty_at(scene, 9, 0) == 1.0
    assert certainty_at(scene, 9, 6.5) == pytest.approx(0.7)
    assert certainty_at(scene, 0.5, 7.0) == pytest.approx(0.3)
    assert certainty_at(scene, -1.2, 0) == pytest.approx(0.5)
    assert certainty_at(scene, -3.0, 0) == 0
    assert certainty_at(scene, 20.5, 0) == pytest.approx(0.7), "the middle zone goes further than the sweet spot"
    assert certainty_at(scene, 21, 0) == 0
    scene.x[1], scene.y[1], scene.head[0] = 31.0, 37.5, math.atan2(7.0, 0.5)
    scene.look()
    assert scene.vision.certainty[0] == 1.0


def seen_certainty(ahead: float, aside: float, moving: float, hidden: bool) -> float:
    scene = scene_with("zones")
    light = np.full(scene.opaque.shape, 0 if hidden else 255, np.uint8)
    scene.x[1], scene.y[1] = 30.5 + ahead, 30.5 + aside
    look = {name: getattr(scene, name) for name in scene.column_names()}
    scene.vision.update(1, scene.opaque, scene.cover, **look, moving=np.array([0, moving]), light=light)
    return float(scene.vision.certainty[0])


def test_motion_and_camouflage_reproduce_the_figures_of_the_source() -> None:
    assert seen_certainty(0.5, 7.0, 0.0, True) == 0.0
    assert seen_certainty(0.5, 7.0, 1.0, True) == pytest.approx(0.3)
    assert seen_certainty(0.5, 7.0, 1.0, False) == pytest.approx(0.6)
    assert seen_certainty(9.0, 0.0, 0.0, True) == pytest.approx(0.7)
    assert seen_certainty(9.0, 0.0, 1.0, False) == 1.0


@pytest.mark.parametrize(("aside", "certainty"), [(0.0, 1.0), (6.5, 0.7)])
def test_identification_takes_the_sweet_time_over_the_certainty(aside: float, certainty: float) -> None:
    scene = scene_with("zones")
    scene.x[1], scene.y[1] = 39.5, 30.5 + aside
    assert ticks_until(scene, SAW) == math.ceil(20.0 / certainty - 1e-6)


def test_a_wall_makes_every_zone_blind() -> None:
    scene = scene_with("zones")
    scene.opaque[:, 33] = 1
    assert certainty_at(scene, 9, 0) == 0


def in_coffin(ahead: float, aside: float) -> bool:
    """Return whether a position is in one of the three shapes of the coffin.

    They are polygons and circles for a range of 18 tiles, written from the description.
    """
    aside, distance, angle = abs(aside), math.hypot(ahead, aside), abs(math.atan2(aside, ahead))
    box = [(0, 1), (8, 4), (18, 1.5), (18, -1.5), (8, -4), (0, -1)]
    inside = all(
        (x2 - x1) * (aside - y1) - (y2 - y1) * (ahead - x1) <= 0
        for (x1, y1), (x2, y2) in zip(box, box[1:] + box[:1], strict=True)
    )
    return (
        (inside and distance <= 18)
        or (distance <= 7 and angle <= math.radians(35))
        or (distance <= 3 and angle <= math.pi / 2)
    )


@pytest.mark.parametrize("turn", [k * math.pi / 4 for k in range(8)])
def test_the_coffin_equals_its_polygon_whichever_way_it_points(turn: float) -> None:
    scene = scene_with("coffin")
    scene.vision.settings.touch_stand = scene.vision.settings.touch_low = 0.0
    rng = np.random.default_rng(3)
    for ahead, aside in rng.uniform((-6, -8), (20, 8), (150, 2)):
        assert (certainty_at(scene, ahead, aside, turn) > 0) == in_coffin(ahead, aside)


def test_the_coffin_is_widest_in_the_middle_where_a_cone_would_go_on_widening() -> None:
    scene = scene_with("coffin")
    widths = [half_width(scene, d, 1e-3) for d in (0.1, 8.0, 17.9)]
    assert 0 < widths[2] < widths[1]
    assert widths[1] == pytest.approx(4.0, abs=0.06)
    assert widths[2] == pytest.approx(1.5, abs=0.06)


def test_the_fastest_of_the_shapes_that_hold_a_target_counts() -> None:
    scene = scene_with("coffin")
    scene.x[1] = 37.5
    assert ticks_until(scene, SAW) == math.ceil(20 * 1.0 - 1e-6), "the cone's far end, not the box's 2.5 s"
    scene = scene_with("coffin")
    scene.x[1] = 44.5
    assert ticks_until(scene, SAW) == math.ceil(20 * (1.5 + 2.5 * 14 / 18) - 1e-6)


def test_angle_times_distance_is_constant_in_between() -> None:
    scene = scene_with("inverse_angle", 14.0)
    scene.vision.settings.touch_stand = 0.0
    arcs = []
    for distance in (2.0, 4.0, 7.0, 10.0):
        angles = np.linspace(0, math.pi, 2000)
        seen = [certainty_at(scene, distance * math.cos(a), distance * math.sin(a)) > 0 for a in angles]
        arcs.append(angles[np.flatnonzero(seen)[-1]] * distance)
    assert arcs == pytest.approx([math.radians(120)] * 4, rel=0.02)
    assert certainty_at(scene, 0, 1.0) > 0
    assert certainty_at(scene, 0, 6.0) == 0


def test_light_motion_and_alertness_change_the_time_by_their_factors() -> None:
    def ticks(**more: np.ndarray) -> int:
        scene = duel(10.0)
        scene.vision.settings.dark_reach = 1.0
        for tick in range(1, 400):
            look = {name: getattr(scene, name) for name in scene.column_names()}
            scene.vision.update(tick, scene.opaque, scene.cover, **look, **more)
            if scene.event[0] & SAW:
                return tick
        return -1

    s = duel(10.0).vision.settings
    plain = s.near_seconds + (s.far_seconds - s.near_seconds) * (10.0 - s.near_tiles) / (14.0 - s.near_tiles)
    expected = {
        1.0: {},
        s.run_factor: {"moving": np.array([0.0, 1.0])},
        s.dark_factor: {"light": np.zeros((21, 60), np.uint8)},
        s.alerted_factor: {"alert": np.array([1, 0], np.uint8)},
        s.searching_factor: {"alert": np.array([2, 0], np.uint8)},
    }
    for factor, more in expected.items():
        assert ticks(**more) == math.ceil(plain * factor * 20 - 1e-6)


def test_darkness_shortens_the_range_and_the_best_lit_part_of_a_body_counts() -> None:
    """A shoulder in the light counts as much as a body in the light."""
    dark, half = np.zeros((21, 60), np.uint8), np.full((21, 60), 128, np.uint8)

    def reach(light: np.ndarray, at: float = 0.5) -> float:
        farthest = 0.0
        for tile in range(1, 16):
            scene = duel(tile + at - 0.5)
            y0, x0, seconds = scene.vision.seconds_to_identify(
                scene.opaque, scene.cover, scene.x[0], scene.y[0], scene.head[0], 14.0, 0.6, 0, light=light
            )
            row, column = int(scene.y[1]) - y0, int(scene.x[1]) - x0
            if 0 <= column < seconds.shape[1] and np.isfinite(seconds[row, column]):
                farthest = float(tile)
        return farthest

    assert (reach(np.full((21, 60), 255, np.uint8)), reach(dark)) == (14.0, 7.0)
    assert 7.0 < reach(half) < 14.0

    scene = duel(10.0)
    light = np.zeros((21, 60), np.uint8)
    light[int(scene.y[1]), int(scene.x[1]) + 1] = 255
    names = scene.column_names()

    def certainty(x: float) -> float:
        scene.x[1] = x
        scene.vision.update(1, scene.opaque, scene.cover, **{n: getattr(scene, n) for n in names}, light=light)
        return float(scene.vision.certainty[0])

    middle = math.floor(scene.x[1]) + 0.5
    assert certainty(middle) == 0.0
    assert certainty(middle + 0.3) > 0.0
    scene.opaque[int(scene.y[1]), int(middle) + 1] = 1
    assert certainty(middle + 0.3) == 0.0, "a shoulder is not inside a wall, so the wall's light is not on it"


def test_a_body_half_behind_a_wall_counts_its_points() -> None:
    """Slide a target out from behind a wall: the number of points never falls.

    A low stance needs more of them.
    """
    seen_at = {}
    for stance in (0, 1, 2):
        scene = scene_with("cone")
        scene.vision.settings.body_points = True
        scene.opaque[30, 36] = 1
        scene.stance[1] = stance
        x_seen = []
        for y in np.linspace(30.5, 33.5, 61):
            scene.x[1], scene.y[1], scene.meter[0] = 37.5, y, 0.0
            scene.look()
            x_seen.append(scene.meter[0] > 0)
        assert x_seen == sorted(x_seen), "once out, always out"
        seen_at[stance] = x_seen.index(True)
    assert 0 < seen_at[0] < seen_at[1] <= seen_at[2]


def test_bands_rise_at_their_marks_and_fall_a_little_below() -> None:
    assert [band(c) for c in (0.0, 0.14, 0.15, 0.3, 0.4, 0.7, 0.94, 0.95, 1.0)] == [0, 0, 1, 1, 2, 3, 3, 4, 4]
    for k, mark in enumerate(MARKS):
        assert band(mark - 0.04, Band(k + 1)) == k + 1
        assert band(mark - 0.06, Band(k + 1)) == k
    assert band(0.0, Band.ENGAGE) == Band.IGNORE


def test_reaction_times_of_the_source_in_ticks() -> None:
    assert reaction_ticks(Task.SIMPLE) == 4
    assert reaction_ticks(Task.RECOGNITION) == 8
    assert reaction_ticks(Task.RECOGNITION, heard=True) == 7
    assert reaction_ticks(Task.SIMPLE, factor=0) == 0
    with pytest.raises(ValueError, match="factor"):
        reaction_ticks(Task.SIMPLE, factor=-1)


def test_an_unknown_shape_is_told() -> None:
    scene = scene_with("triangle")
    with pytest.raises(ValueError, match="triangle"):
        scene.look()


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
