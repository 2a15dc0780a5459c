"""Night: the ground is dark, lamps give warm light back up to where walls stop it, figures are never darkened."""

import numpy as np
import pygame
import pytest

from game.level import load_level
from game.level.build import LevelBuilder
from game.view.night import LightMap, NightGround
from game.view.palette import palette

NIGHT = palette()["night"]


@pytest.fixture
def yard(tmp_path):
    """A lamp in the west, a wall with a gap of one tile east of it."""
    builder = LevelBuilder(32, 16, "stone", night=True)
    builder.fill("wall", 12, 0, 13, 16)
    builder.add("light", 9.5, 8.5, radius=8.0, layer="lights")
    builder.write(tmp_path / "yard.tmx")
    return load_level(tmp_path / "yard.tmx")


def test_a_lamp_is_brightest_near_and_nothing_is_darker_than_the_night(yard):
    light = LightMap(yard, palette(), yard.opaque)
    rings = [light.at(9.5 - d, 8.5) for d in (0.5, 4.4, 6.9)]
    assert rings == [palette()["pool_near"], palette()["pool_middle"], palette()["pool_wide"]], "three flat pools"
    assert light.at(28.5, 8.5) == NIGHT


def test_a_wall_stops_the_light_until_it_is_gone(yard):
    light = LightMap(yard, palette(), yard.opaque)
    assert light.at(14.5, 8.5) == NIGHT
    assert light.at(12.3, 8.5) != NIGHT, "the wall's lamp side is lit"
    opened = yard.opaque.copy()
    opened[8, 12] = 0
    version, touched = light.version, light.change(opened, (8, 12, 9, 13))
    assert light.at(14.5, 8.5) != NIGHT and light.version > version
    assert any(y0 <= 8 < y1 and x0 <= 14 < x1 for y0, x0, y1, x1 in touched)
    assert np.array_equal(light.piece(0, 0, (16, 32), 8).get_at((112, 68)), (*light.at(14.05, 8.55), 255))
    assert light.change(opened, (0, 30, 1, 31)) == [], "a change far from every lamp makes no light anew"


def test_the_mended_light_is_the_light_made_at_once(yard):
    light = LightMap(yard, palette(), yard.opaque)
    opened = yard.opaque.copy()
    opened[8, 12] = 0
    light.change(opened, (8, 12, 9, 13))
    fresh = LightMap(yard, palette(), opened)
    for mended, whole in zip(light._fields, fresh._fields, strict=True):
        assert np.array_equal(mended, whole)


class White:
    """A ground that is white everywhere, so that what is drawn is the multiplier."""

    def chunk_tiles(self, zoom):
        return 16

    def ready(self, zoom, row, column):
        return True

    def chunk(self, look, zoom, row, column):
        surface = pygame.Surface((16 * zoom, 16 * zoom))
        surface.fill((255, 255, 255))
        return surface


@pytest.mark.parametrize("zoom", [4, 8, 12, 32])
def test_chunks_are_multiplied_in_play_and_left_alone_in_the_lab(yard, window, zoom):
    ground = NightGround(White(), LightMap(yard, palette(), yard.opaque))
    full = ground.chunk("full", zoom, 0, 0)
    assert full.get_at((round(9.5 * zoom), 8 * zoom))[:3] == palette()["pool_near"]
    assert full.get_at((15 * zoom, 8 * zoom))[:3] == NIGHT
    assert ground.chunk("explored", zoom, 0, 0).get_at((round(9.5 * zoom), 8 * zoom))[:3] == NIGHT, (
        "no lamp shines there"
    )
    assert ground.chunk("lab", zoom, 0, 0).get_at((0, 0))[:3] == (255, 255, 255)
    # No seam: neighbouring chunks agree where they meet.
    east = ground.chunk("full", zoom, 0, 1)
    west_edge = pygame.surfarray.array3d(full)[-1].astype(int)
    assert np.abs(west_edge - pygame.surfarray.array3d(east)[0]).max() <= 24


def test_forgotten_chunks_are_made_anew_and_only_they(yard, window):
    ground = NightGround(White(), LightMap(yard, palette(), yard.opaque))
    west, east = ground.chunk("full", 8, 0, 0), ground.chunk("full", 8, 0, 1)
    ground.forget(2, 2, 3, 3)
    assert ground.chunk("full", 8, 0, 0) is not west
    assert ground.chunk("full", 8, 0, 1) is east
