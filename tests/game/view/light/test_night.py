"""Night: dark ground, the light of lamps up to walls, and torches."""

from dataclasses import replace

import numpy as np
import pygame
import pytest

from game.level import load_level
from game.level.level_writer import LevelBuilder
from game.view.light.fog import FogMask
from game.view.light.night import LightMap, NightGround, less_green
from game.view.light.torches import TorchLight
from game.view.painting.camera import Camera
from game.view.painting.palette import palette

NIGHT = palette()["night"]


@pytest.fixture
def yard(tmp_path):
    """Return a level with a lamp and a wall east of it."""
    builder = LevelBuilder(32, 16, "stone", night=True)
    builder.fill("wall", 12, 0, 13, 16)
    builder.add("light", 9.5, 8.5, radius=8.0, layer="lights")
    builder.write(tmp_path / "yard.tmx")
    return load_level(tmp_path / "yard.tmx")


def test_a_lamp_has_three_pools_of_light_and_far_ground_is_at_night_colour(yard):
    light = LightMap(yard, palette(), yard.opaque)
    rings = [light.at(9.5 - d, 8.5) for d in (0.5, 4.4, 6.9)]
    assert rings == [palette()["pool_near"], palette()["pool_middle"], palette()["pool_wide"]], "three flat pools"
    assert light.at(28.5, 8.5) == NIGHT


def test_a_wall_stops_the_light_until_it_is_removed(yard):
    light = LightMap(yard, palette(), yard.opaque)
    assert light.at(14.5, 8.5) == NIGHT
    assert light.at(12.3, 8.5) != NIGHT, "the wall's lamp side is lit"
    opened = yard.opaque.copy()
    opened[8, 12] = 0
    version, touched = light.version, light.change(opened, (8, 12, 9, 13))
    assert light.at(14.5, 8.5) != NIGHT and light.version > version
    assert any(y0 <= 8 < y1 and x0 <= 14 < x1 for y0, x0, y1, x1 in touched)
    assert np.array_equal(light.piece(0, 0, (16, 32), 8).get_at((112, 68)), (*light.at(14.05, 8.55), 255))
    assert light.change(opened, (0, 30, 1, 31)) == [], "a change far from each lamp changes no light"


def test_updated_light_equals_light_computed_anew(yard):
    light = LightMap(yard, palette(), yard.opaque)
    opened = yard.opaque.copy()
    opened[8, 12] = 0
    light.change(opened, (8, 12, 9, 13))
    fresh = LightMap(yard, palette(), opened)
    for mended, whole in zip(light._fields, fresh._fields, strict=True):
        assert np.array_equal(mended, whole)


class White:
    """White ground, so that the drawn colour is the multiplier."""

    def chunk_tiles(self, zoom):
        return 16

    def ready(self, zoom, row, column):
        return True

    def chunk(self, look, zoom, row, column):
        surface = pygame.Surface((16 * zoom, 16 * zoom))
        surface.fill((255, 255, 255))
        return surface


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("zoom", [4, 8, 12, 32])
def test_chunks_are_multiplied_in_play_and_left_alone_in_the_lab(yard, zoom):
    ground = NightGround(White(), LightMap(yard, palette(), yard.opaque))
    full = ground.chunk("full", zoom, 0, 0)
    assert full.get_at((round(9.5 * zoom), 8 * zoom))[:3] == palette()["pool_near"]
    assert full.get_at((15 * zoom, 8 * zoom))[:3] == NIGHT
    known = ground.chunk("explored", zoom, 0, 0)
    pool = known.get_at((round(9.5 * zoom), 8 * zoom))[:3]
    assert sum(NIGHT) < sum(pool) < 0.7 * sum(palette()["pool_near"]), "the pool is remembered, dimmer"
    assert known.get_at((15 * zoom, 8 * zoom))[:3] == NIGHT
    assert ground.chunk("lab", zoom, 0, 0).get_at((0, 0))[:3] == (255, 255, 255)
    # Neighbouring chunks agree at their common edge.
    east = ground.chunk("full", zoom, 0, 1)
    west_edge = pygame.surfarray.array3d(full)[-1].astype(int)
    assert np.abs(west_edge - pygame.surfarray.array3d(east)[0]).max() <= 24


@pytest.mark.usefixtures("window")
def test_grass_in_lamp_light_is_not_olive_and_keeps_its_green_in_the_dark():
    """Compare the colour range of grass before and after the correction of a pool."""
    ground, piece = pygame.Surface((40, 20)), pygame.Surface((40, 20))
    ground.fill(palette().grounds["grass"])
    piece.fill(NIGHT)
    piece.fill(palette()["pool_middle"], (20, 0, 20, 20))
    before = ground.get_at((5, 5))[:3]
    less_green(ground, piece, NIGHT)
    assert ground.get_at((5, 5))[:3] == before, "no lamp lights this half"
    red, green, blue = ground.get_at((30, 5))[:3]
    assert max(red, green, blue) - min(red, green, blue) < (max(before) - min(before)) / 2


@pytest.mark.usefixtures("window")
def test_only_forgotten_chunks_are_made_anew(yard):
    ground = NightGround(White(), LightMap(yard, palette(), yard.opaque))
    west, east = ground.chunk("full", 8, 0, 0), ground.chunk("full", 8, 0, 1)
    ground.forget(2, 2, 3, 3)
    assert ground.chunk("full", 8, 0, 0) is not west
    assert ground.chunk("full", 8, 0, 1) is east


def test_a_lamp_put_out_removes_its_light_and_lit_again_restores_it(yard):
    light = LightMap(yard, palette(), yard.opaque)
    before = [field.copy() for field in light._fields]
    out = replace(yard.lights[0], on=False)
    assert light.follow(yard.lights, yard.opaque) == [], "nothing was switched"
    touched = light.follow([out], yard.opaque)
    assert light.at(9.0, 8.5) == NIGHT and light.lamps == [(9.5, 8.5, False)]
    assert any(y0 <= 8 < y1 and x0 <= 9 < x1 for y0, x0, y1, x1 in touched)
    light.follow(yard.lights, yard.opaque)
    assert all(np.array_equal(*pair) for pair in zip(before, light._fields, strict=True))


def test_a_lamp_with_a_shade_shines_into_its_sector_only(yard):
    shaded = replace(yard.lights[0], facing=np.pi, half_angle=0.6)
    light = LightMap(yard, palette(), yard.opaque, [shaded])
    assert light.at(5.5, 8.5) != NIGHT
    assert light.at(9.5, 4.5) == NIGHT and light.at(11.5, 8.5) == NIGHT


def test_tops_of_walls_are_1_4_times_as_light_as_the_ground_at_night(yard):
    light = LightMap(yard, palette(), yard.opaque, [])
    piece = light.piece(0, 0, (16, 32), 32)
    assert piece.get_at((20 * 32, 8 * 32))[:3] == NIGHT
    top = piece.get_at((12 * 32 + 16, 8 * 32))[:3]
    assert np.array(top) == pytest.approx(np.array(NIGHT) * 1.4, abs=2)


def test_a_torch_lights_the_ground_round_its_carrier_where_the_side_sees(yard, window):
    camera = Camera(32, 16, 1280, 720)
    camera.set_zoom(16)
    light = LightMap(yard, palette(), yard.opaque, [])
    torches = TorchLight(light, palette())
    torch = replace(yard.lights[0], id=-3, x=20.5, y=8.5, radius=5.0)
    fog = FogMask(16, 32, yard.opaque)
    visible = np.ones((16, 32), bool)
    visible[:, 22:] = False
    fog.set_target(visible, visible, at_once=True)

    class Terrain:
        opaque, revision = yard.opaque, 1

    def drawn(*lit):
        window.fill(NIGHT)
        torches.draw(window, camera, White(), list(lit), Terrain, fog)
        return [window.get_at(camera.to_screen(x, y))[:3] for x, y in ((19.5, 8.5), (24.5, 8.5), (10.5, 8.5))]

    assert drawn() == [NIGHT] * 3
    near, unseen, behind_the_wall = drawn(torch)
    assert min(np.array(near, int) - NIGHT) > 20
    assert unseen == behind_the_wall == NIGHT
    assert drawn(replace(torch, on=False)) == [NIGHT] * 3
    assert drawn(replace(torch, x=28.5))[0] == NIGHT, "the light moves with its carrier"
    drawn(torch)
    pixels = np.unique(pygame.surfarray.array3d(window).reshape(-1, 3), axis=0).astype(int) - NIGHT
    red, green, _ = pixels[pixels[:, 0] > 10].T
    assert len(red) > 20 and (green > 0.5 * red * (near[1] - NIGHT[1]) / (near[0] - NIGHT[0])).all(), "never pink"
