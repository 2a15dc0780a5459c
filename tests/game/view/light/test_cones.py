"""Sight cones: their shape, hatching, meter wash and the guards that show one."""

import math
from dataclasses import replace

import numpy as np
import pygame
import pytest

from game.level.level_writer import LevelBuilder
from game.view.light.cones import MAKES_A_FRAME, ConePainter, Watch, _window
from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.painting.text import TextDrawer
from game.view.scene import Scene, View
from game.view.stealth.watcher_marks import WatchPainter
from game.view.units.sprites import Sprites
from game.view.window.playing import open_session

RED, AMBER, INK = (255, 0, 0), (255, 255, 0), (0, 0, 255)
EYE = Watch(10.5, 12.5, 0.0, 0.6, 10.0)


@pytest.fixture
def playing(tmp_path, window):
    """Return a game with three guards facing east and a raider behind one.

    A wall is north-east of the first guard, a field south-east of it.
    """
    level = LevelBuilder(40, 24, "grass")
    level.fill("wall", 14, 8, 15, 12)
    level.fill("field", 14, 14, 24, 20)
    for n, y in enumerate((12.5, 4.5, 20.5)):
        level.add("spawn", 10.5, y, name=("Odo", "Pim", "Qua")[n], side="guards", facing=0, layer="units")
    level.add("spawn", 1.5, 12.5, name="Ann", layer="units")
    level.write(tmp_path / "cone.tmx")
    found = open_session(tmp_path / "cone.tmx")
    found.run_ticks(1)
    return found


def drawn(world, **changes):
    sheet = pygame.Surface((640, 480))
    camera = Camera(40, 24, 640, 480)
    camera.set_zoom(32)
    camera.centre_on(17, 12.5)
    ConePainter().draw(sheet, camera, world, EYE, RED, **changes)

    def at(x, y):
        return sheet.get_at(camera.to_screen(x, y))[:3]

    return at, pygame.surfarray.array3d(sheet).astype(int)


def line(at):
    """Return the strongest red near the far edge."""
    return max(at(20.5 - d, 12.5)[0] for d in np.arange(0, 0.3, 0.03))


def test_a_cone_is_the_sector_cut_by_the_wall(playing):
    at, _ = drawn(playing.world)
    assert at(16.5, 12.5)[0] > 30, "ahead"
    assert at(9.0, 12.5) == (0, 0, 0), "behind"
    assert at(21.2, 12.5) == (0, 0, 0), "beyond its reach"
    assert at(16.5, 10.0) == (0, 0, 0), "behind the wall, in the sector"
    assert at(12.2, 12.0)[0] > 30
    assert line(at) > 150, "a firm line at the edge"


def shades(at, x, y):
    return {at(x + dx / 20, y + dy / 20)[0] for dx in range(-8, 9) for dy in range(-8, 9)}


def test_an_outlined_cone_has_less_than_half_of_the_fill_and_fades_with_distance(playing):
    full, outline = drawn(playing.world)[0], drawn(playing.world, full=False)[0]
    assert 0 < min(shades(outline, 16.5, 12.5)) < min(shades(full, 16.5, 12.5)) / 2
    assert line(outline) > 3 * min(shades(outline, 19.5, 12.5))
    assert max(shades(outline, 13.5, 12.5)) > 1.3 * max(shades(outline, 19.0, 12.5))


def test_outlines_that_overlap_stay_transparent_and_their_strokes_cross(playing):
    """Draw eight outlines over one another: more than half of the ground shows through.

    Two outlines have strokes in two directions.
    """
    sheet = pygame.Surface((640, 480))
    sheet.fill((0, 200, 0))
    camera = Camera(40, 24, 640, 480)
    camera.set_zoom(32)
    camera.centre_on(17, 12.5)
    pictures = []
    for who in range(8):
        ConePainter().draw(sheet, camera, playing.world, EYE, RED, full=False, who=who)
        pictures.append(pygame.surfarray.array3d(sheet)[:, :, 1].astype(int))
    x, y = camera.to_screen(17.5, 13.3)
    around = np.s_[x - 18 : x + 18, y - 18 : y + 18]
    assert np.median(pictures[-1][around]) > 100
    first, second = 200 - pictures[0][around], pictures[0][around] - pictures[1][around]
    assert np.corrcoef(first.ravel(), second.ravel())[0, 1] < 0.3, "lines of two directions"


def test_a_cone_ends_at_unexplored_ground(playing):
    fog = FogMask(24, 40, np.zeros((24, 40)))
    fog.explored[:, :16] = True
    at, _ = drawn(playing.world, fog=fog)
    assert at(13.5, 12.5)[0] > 30
    assert at(18.5, 12.5) == (0, 0, 0)


def test_the_cone_is_hatched_where_a_crouching_body_is_not_seen(playing):
    world = playing.world
    arguments = (world.terrain.opaque, world.terrain.cover, EYE.x, EYE.y, EYE.head, EYE.reach, EYE.half_angle)
    y0, x0, low = world.vision.seconds_to_identify(*arguments, 1)
    assert np.isinf(low[15 - y0, 18 - x0]) and np.isfinite(low[12 - y0, 16 - x0]), "the field hides a crouching unit"
    at, _ = drawn(world)

    hatched, plain = shades(at, 18.5, 15.5), shades(at, 16.5, 12.5)
    assert max(hatched) - min(hatched) > 60, "lines on little fill"
    assert max(plain) - min(plain) < 12, "plain fill"


def test_an_alert_guard_sees_crouching_units_over_low_walls(playing, monkeypatch):
    """Compare the cones of a relaxed and an alert guard behind a low wall.

    Tiles that are hatched for the relaxed guard are solid for the alert one.
    """
    world = playing.world
    low = np.zeros(world.terrain.opaque.shape, np.uint8)
    low[:, 13] = 2
    monkeypatch.setattr(world, "low", low)
    relaxed, alert = (_window(world, replace(EYE, mood=mood), 1)[2] for mood in (0, 1))
    assert (alert & ~relaxed).sum() >= 5 and not (relaxed & ~alert).any()
    world.units.mood[0] = 2
    playing.run_ticks(1)
    p = playing.picture
    assert [WatchPainter.watch(None, playing, row).mood for row in range(len(p))] == world.units.mood[: len(p)].tolist()


@pytest.mark.parametrize("filled", [1.5, 4.0, 7.25])
def test_the_wash_of_the_meter_reaches_the_given_distance(playing, filled):
    at, _ = drawn(playing.world, meter=AMBER, casing=INK, filled=filled)
    near = [d for d in np.arange(0.5, 9.5, 0.05) if at(10.5 + d, 12.5)[1] > 25]
    assert abs(max(near) - filled) < 0.15
    assert any(at(10.5 + filled + d, 12.5)[2] > 40 for d in np.arange(-0.09, 0.1, 0.03)), "an ink casing"


def rows_of(playing, **changes):
    scene = Scene(playing, palette(), TextDrawer(1.0), Sprites())
    p = playing.picture
    return scene, scene.eyes.watchers(playing, View(**changes), np.arange(len(p)))


def test_a_guard_without_suspicion_shows_no_cone(playing):
    _, (full, outlined) = rows_of(playing)
    assert full == outlined == []


def test_one_cone_is_full_suspicious_guards_are_outlined_and_hovering_overrides_the_pin(playing):
    p = playing.picture
    guards = np.flatnonzero(p.side == 1)
    p.meter[guards[1]] = 0.4
    ids = p.id[guards].tolist()
    assert rows_of(playing, pinned=ids[0])[1] == ([guards[0]], [guards[1]])
    assert rows_of(playing, pinned=ids[0], hovered=ids[2])[1] == ([guards[2]], [guards[1]])
    assert rows_of(playing, pinned=ids[1])[1] == ([guards[1]], [])


def test_an_outline_stays_at_the_tick_of_identification_and_while_the_meter_falls(playing):
    p = playing.picture
    guards = np.flatnonzero(p.side == 1)
    for meter in (0.9, 1.0, 0.6, 0.1):
        p.meter[guards[1]] = meter
        assert rows_of(playing)[1] == ([], [guards[1]])
    p.meter[guards] = 0.3, 1.0, 0.6
    assert rows_of(playing)[1] == ([], [guards[1], guards[2], guards[0]]), "the highest meter first"


def test_the_wash_reaches_the_target_at_identification(playing):
    p = playing.picture
    odo, ann = int(np.flatnonzero(p.side == 1)[0]), int(np.flatnonzero(p.side == 0)[0])
    p.meter[odo], p.meter_target[odo] = 0.5, p.id[ann]
    p.seen_x[odo], p.seen_y[odo] = p.x[ann], p.y[ann]
    scene, _ = rows_of(playing)
    away = math.hypot(p.x[ann] - p.x[odo], p.y[ann] - p.y[odo])
    assert scene.eyes.sure_to(playing, odo) == pytest.approx(away / 2)
    p.meter[odo] = 1.0
    assert scene.eyes.sure_to(playing, odo) == pytest.approx(away)


def test_a_limited_number_of_cones_is_made_a_frame_and_each_watcher_has_its_turn(playing, monkeypatch):
    made = []
    monkeypatch.setattr("game.view.light.cones._make", lambda world, watch, *rest: made.append(watch.x))
    painter, sheet, camera = ConePainter(), pygame.Surface((64, 64)), Camera(40, 24, 640, 480)
    camera.set_zoom(32)
    turns = set()
    for frame in range(12):
        painter.begin()
        made.clear()
        for who in range(8):
            eye = Watch(5.0 + who, 5.0 + frame / 100, 0.0, 0.6, 10.0)
            painter.draw(sheet, camera, playing.world, eye, RED, who=who)
        if frame:
            assert len(made) <= MAKES_A_FRAME
            turns |= set(made)
    assert len(turns) == 8


def test_the_joined_area_of_many_is_that_of_each_and_no_darker_where_they_overlap(playing):
    """Compare the joined sheet with the single cones."""
    views = [(k, replace(EYE, head=0.15 * k)) for k in range(4)]
    camera = Camera(40, 24, 640, 480)
    camera.set_zoom(32)
    camera.centre_on(17, 12.5)

    def painted(watches):
        sheet, painter = pygame.Surface((640, 480)), ConePainter()
        painter.draw_joined(sheet, camera, playing.world, watches, RED)
        return pygame.surfarray.array_red(sheet).astype(int)

    joined, single = painted(views), [painted([view]) for view in views]
    inside = np.array([s > 0 for s in single])
    rim = int(((joined > 0) != inside.any(axis=0)).sum())
    assert rim < 0.005 * (joined > 0).sum(), "only pixels of the soft rim differ"
    four, one = inside.all(axis=0), inside.sum(axis=0) == 1
    assert four.sum() > 2000 and one.sum() > 2000
    wash = int(np.median(joined[one]))
    assert 0 < wash == int(np.median(joined[four])), "an overlap is not darker"


@pytest.mark.parametrize("shape", ["cone", "zones", "coffin", "inverse_angle"])
def test_the_drawn_cone_equals_the_tiles_of_the_sight_kernel(playing, shape):
    """Compare tile by tile except at the rim, which the picture draws smooth."""
    world = playing.world
    world.settings.vision.shape = shape
    terrain = world.terrain
    at, _ = drawn(world)
    y0, x0, seconds = world.vision.seconds_to_identify(
        terrain.opaque, terrain.cover, EYE.x, EYE.y, EYE.head, EYE.reach, EYE.half_angle, 0, light=world.light.level
    )
    found = np.zeros(terrain.opaque.shape, bool)
    found[y0 : y0 + seconds.shape[0], x0 : x0 + seconds.shape[1]] = np.isfinite(seconds)
    alike = 0
    for y in range(7, 19):
        for x in range(9, 25):
            around = found[y - 1 : y + 2, x - 1 : x + 2]
            if around.all() or not around.any():
                assert (at(x + 0.5, y + 0.5)[0] > 15) == bool(found[y, x]), (x, y)
                alike += int(found[y, x])
    assert alike >= 3
