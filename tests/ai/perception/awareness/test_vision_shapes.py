"""Shapes of sight: certainty zones, the coffin, and an angle inverse to distance."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ai.perception.awareness.detection_meter import SAW
from ai.perception.awareness.eye_kernels import body_points_seen
from ai.perception.awareness.reaction import Task, reaction_ticks
from ai.perception.awareness.vision_shapes import COFFIN_CONE, coffin_seconds, extent, seconds_in_shape, zone_certainty
from ai.perception.settings import SHAPES, VisionSettings
from tests.ai.perception.awareness.test_vision import Scene, duel, ticks_until
from tests.ai.perception.sight.ford import visible_from


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


ZONE_SETTINGS = VisionSettings(sweet_width=0.25)
"""Settings with which all borders of the zones for 16 tiles are exact."""


def zone_at(ahead: float, aside: float, reach: float, settings: VisionSettings) -> float:
    """Return the highest certainty of the zones at a position.

    Half widths by distance are a table.
    """
    distance, width, found = math.hypot(ahead, aside), settings.sweet_width * reach, [0.0]
    sweet = float(np.interp(distance, [0, reach / 2, reach], [0.5, width, 0]))
    middle = 1.6 * float(np.interp(distance, [0, 0.575 * reach, 1.15 * reach], [0.5, width, 0]))
    if ahead >= 0:
        found += [1.0] * (distance <= reach and aside <= sweet)
        found += [settings.middle_certainty] * (distance <= 1.15 * reach and aside <= middle)
        found += [settings.periphery_certainty] * (distance <= 0.45 * reach)
    return max(found + [settings.close_certainty] * (distance <= 1.25))


@pytest.mark.parametrize("certainties", [(0.7, 0.3, 0.5), (0.2, 0.4, 0.3), (0.5, 0.2, 0.9)])
@pytest.mark.parametrize("reach", [5.0, 16.0, 24.0])
def test_the_highest_zone_counts_anywhere_as_in_a_table(reach: float, certainties: tuple[float, ...]) -> None:
    middle, periphery, close = certainties
    settings = VisionSettings(middle_certainty=middle, periphery_certainty=periphery, close_certainty=close)
    rng = np.random.default_rng(int(reach))
    places = [*rng.uniform((-0.2, 0), (1.2, 0.6), (250, 2)) * reach, *rng.uniform((-1.5, 0), (1.5, 1.5), (60, 2))]
    for ahead, aside in np.array(places).tolist():
        got = zone_certainty(ahead, aside, math.hypot(ahead, aside), reach, settings.numbers())
        assert got == zone_at(ahead, aside, reach, settings), (ahead, aside)


def test_a_border_belongs_to_its_zone() -> None:
    numbers = ZONE_SETTINGS.numbers()
    on_borders = {
        (16.0, 0.0, 16.0): 1.0,
        (7.0, 4.0, 8.0): 1.0,
        (9.0, 2.0, 12.0): 1.0,
        (8.0, 6.4, 9.2): 0.7,
        (1.15 * 16.0, 0.0, 1.15 * 16.0): 0.7,
        (0.0, 3.0, 3.0): 0.3,
        (0.5, 7.0, 0.45 * 16.0): 0.3,
        (0.0, 0.5, 0.5): 1.0,
        (-1.25, 0.0, 1.25): 0.5,
    }
    for (ahead, aside, distance), certainty in on_borders.items():
        assert zone_certainty(ahead, aside, distance, 16.0, numbers) == certainty, (ahead, aside)
        beyond = zone_certainty(ahead, aside + 1e-6, distance + 1e-6, 16.0, numbers)
        assert beyond < certainty or ahead == 0, (ahead, aside)


def coffin_at(ahead: float, aside: float, reach: float) -> float:
    """Return the fastest time of cone, periphery and box, -1 outside.

    The tables are for a range of 18 tiles.
    """
    ahead, aside = ahead * 18 / reach, aside * 18 / reach
    distance, found = math.hypot(ahead, aside), []
    if distance <= 7 and math.atan2(aside, ahead) <= math.radians(35):
        found.append(np.interp(distance, [0, 7], [0.3, 1.0]))
    if distance <= 3 and ahead >= 0:
        found.append(np.interp(distance, [0, 3], [0.8, 1.6]))
    if ahead >= 0 and distance <= 18 and aside <= np.interp(ahead, [0, 8, 18], [1, 4, 1.5]):
        found.append(np.interp(distance, [0, 18], [1.5, 4.0]))
    return float(min(found, default=-1.0))


@pytest.mark.parametrize("reach", [9.0, 14.0, 18.0, 36.0])
def test_the_coffins_times_equal_its_tables_at_any_range(reach: float) -> None:
    rng = np.random.default_rng(int(reach))
    places = [*rng.uniform((-0.1, 0), (1.1, 0.3), (250, 2)), *rng.uniform((-0.05, 0), (0.2, 0.2), (150, 2))]
    for ahead, aside in np.array(places) * reach:
        got = coffin_seconds(ahead, aside, math.hypot(ahead, aside), reach)
        assert got == pytest.approx(coffin_at(ahead, aside, reach)), (ahead, aside)
    unit = reach / 18
    edges = {(18.0, 0.0): 4.0, (0.0, 3.0): 1.6, (7.0, 0.0): 1.0, (0.0, 0.0): 0.3, (8.0, 4.0): 1.5 + 2.5 * 80**0.5 / 18}
    for (ahead, aside), seconds in edges.items():
        got = coffin_seconds(ahead * unit, aside * unit, math.hypot(ahead, aside) * unit, reach)
        assert got == pytest.approx(seconds), "a border belongs to its shape"
    assert coffin_seconds(COFFIN_CONE[0] * 5.0, 1.0, 5.0, 18.0) == pytest.approx(0.8)


def seconds_at(
    shape: str, ahead: float, aside: float, reach: float, half: float, touched: bool, more: dict, s: VisionSettings
) -> float:
    """Return the seconds of a position in a shape, -1 out of view."""
    distance, angle = math.hypot(ahead, aside), math.atan2(aside, ahead)
    moving, light, camouflage = more["moving"], more["light"], more["camouflage"]
    factor = (1.0, s.crouch_factor, s.prone_factor)[more["stance"]]
    factor *= (1.0, s.alerted_factor, s.searching_factor)[more["alert"]]
    if shape == "zones":
        certainty = zone_at(ahead, aside, reach, s)
        certainty = max(certainty, s.close_certainty) if touched else certainty
        seen = min(1.0, certainty + s.motion_bonus * moving - s.camouflage_malus * max(camouflage, 1 - light))
        return s.sweet_seconds / seen * factor if certainty > 0 and seen > 1e-9 else -1.0
    ranged = s.near_seconds
    if reach > s.near_tiles:
        ranged = float(np.interp(distance, [s.near_tiles, reach], [s.near_seconds, s.far_seconds]))
    widest = {"cone": half, "coffin": 0.0, "inverse_angle": math.pi}[shape]
    if shape == "inverse_angle" and distance:
        widest = min(max(s.inverse_angle / distance, math.radians(10)), math.radians(110))
    seconds = coffin_at(ahead, aside, reach) if shape == "coffin" else ranged if angle <= widest else -1.0
    if seconds < 0 and touched:
        seconds = ranged
    dark = light + (1 - light) / s.dark_factor
    return seconds * (1 + (s.run_factor - 1) * moving) / dark * factor if seconds >= 0 else -1.0


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(3))
def test_the_seconds_of_each_shape_equal_angles_and_tables(seed: int, shape: str) -> None:
    rng = np.random.default_rng(seed)
    settings, seen, shape_code = VisionSettings(shape=shape), 0, float(SHAPES.index(shape))
    for _ in range(300):
        reach, half, radius = rng.uniform(2.0, 20.0), rng.uniform(0.2, 1.5), float(rng.uniform(0, extent(shape_code)))
        angle = float(rng.choice([0.0, rng.uniform(0, math.pi), rng.uniform(0, 0.6)]))
        ahead, aside = radius * reach * math.cos(angle), radius * reach * math.sin(angle)
        ahead, aside = (0.0, 0.0) if rng.random() < 0.05 else (ahead, aside)
        touched = bool(rng.random() < 0.2)
        more = {"stance": int(rng.integers(3)), "moving": float(rng.choice([0, 0.4, 1]))}
        more |= {"light": float(rng.choice([0, 0.5, 1])), "camouflage": float(rng.choice([0, 1 / 3, 1]))}
        more["alert"] = int(rng.integers(3))
        got = seconds_in_shape(
            ahead, aside, math.hypot(ahead, aside), reach, math.cos(half), touched, *more.values(), settings.numbers()
        )
        assert got == pytest.approx(seconds_at(shape, ahead, aside, reach, half, touched, more, settings)), more
        seen += got > 0
    assert 50 < seen < 290


@pytest.mark.parametrize("seed", range(6))
def test_of_a_bodys_eight_points_those_count_whose_tile_is_seen(seed: int) -> None:
    """Points lie 0.27 tiles around the middle.

    A part inside another wall or off the map does not count.
    """
    rng = np.random.default_rng(seed)
    opaque = (rng.random((9, 11)) < 0.25).astype(np.uint8)
    watcher = tuple(int(v) for v in rng.integers((0, 0), (9, 11)))
    seen, counts = visible_from(opaque, *watcher, 31), set()
    for tx, ty in [*rng.uniform((0, 0), (11, 9), (60, 2)), *rng.choice([0.1, 8.9], (8, 2)), (10.9, 4.0), (5.0, 0.1)]:
        expected, own = 0, (int(ty), int(tx))
        opened = opaque.copy()
        opened[own] = 0
        seen_if_open = visible_from(opened, *watcher, 31)
        for k in range(8):
            px, py = tx + 0.27 * math.cos(k * math.pi / 4), ty + 0.27 * math.sin(k * math.pi / 4)
            tile = math.floor(py), math.floor(px)
            inside = 0 <= tile[0] < 9 and 0 <= tile[1] < 11
            expected += tile in seen_if_open if tile == own else inside and tile in seen and not opaque[tile]
        assert body_points_seen(opaque, 0, watcher[1] + 0.5, watcher[0] + 0.5, tx, ty) == expected
        counts.add(expected)
    assert {0, 8} < counts


def test_a_body_that_touches_the_borders_of_the_map_shows_all_its_points() -> None:
    opaque = np.zeros((9, 11), np.uint8)
    for tx, ty in ((0.27, 0.27), (0.27, 4.5), (5.5, 0.27)):
        assert body_points_seen(opaque, 0, 5.5, 4.5, tx, ty) == 8
    # Points exactly on the right and lower borders lie on no tile.
    assert body_points_seen(opaque, 0, 5.5, 4.5, 11 - 0.27, 4.5) == 7
    assert body_points_seen(opaque, 0, 5.5, 4.5, 5.5, 9 - 0.27) == 7
