"""Assembled ground: no seams between chunks, deterministic, three styles of one map."""

import numpy as np
import pygame
import pytest

from game.level.model import GROUND, GROUNDS
from game.view.ground import ground_chunks as assembler
from game.view.ground.ground_chunks import CHUNK_TILES, GroundPainter, Thing

H, W = 40, 48


def land() -> np.ndarray:
    """Return a map with most kinds of ground."""
    ground = np.zeros((H, W), np.uint8)
    y, x = np.mgrid[:H, :W]
    ground[(x + y) % 31 < 6] = GROUND["field"]
    ground[np.abs(y - 20) < 2] = GROUND["road"]
    ground[(x - 10) ** 2 + (y - 9) ** 2 < 40] = GROUND["wood"]
    ground[np.abs(x - 24 - y // 7) < 3] = GROUND["water"]
    ground[28:36, 21:24] = GROUND["reeds"]
    ground[np.ix_(range(19, 22), range(23, 31))] = GROUND["bridge_stone"]
    ground[24:38, 34:46] = GROUND["stone"]
    ground[24, 34:46] = ground[37, 34:46] = ground[24:38, 34] = GROUND["wall"]
    ground[5:10, 36:44] = GROUND["floor"]
    ground[30:34, 2:9] = GROUND["gravel"]
    return ground


THINGS = [
    Thing("house", 40.0, 31.0, 5, 4),
    Thing("barn", 7.9, 16.2, 4, 3),
    Thing("crate", 15.9, 16.1, angle=0.4),
    Thing("tower", 16, 31, 3, 3),
    Thing("barrel", 31.95, 24.05),
]


def pixels(surface: pygame.Surface) -> np.ndarray:
    return pygame.surfarray.array3d(surface).transpose(1, 0, 2).astype(int)


@pytest.fixture(scope="module")
def ground() -> GroundPainter:
    return GroundPainter(land(), THINGS)


@pytest.mark.parametrize("zoom", [32, 24, 8, 4])
@pytest.mark.parametrize("look", ["full", "explored", "lab"])
def test_no_seam_between_chunks(ground, zoom, look, monkeypatch):
    """Four chunks equal one chunk of twice the side.

    So washes, edges, shadows and crowns continue over their borders.
    """
    monkeypatch.setitem(CHUNK_TILES, zoom, 8)
    parts = [[pixels(getattr(ground.chunk(x, y, zoom), look)) for x in (2, 3)] for y in (2, 3)]
    joined = np.concatenate([np.concatenate(row, axis=1) for row in parts], axis=0)
    monkeypatch.setitem(CHUNK_TILES, zoom, 16)
    whole = pixels(getattr(ground.chunk(1, 1, zoom), look))
    off = np.abs(joined - whole)
    assert off.max() <= 1


def test_the_same_chunk_twice_is_the_same(ground):
    first, second = (ground.chunk(3, 2, 32) for _ in range(2))
    assert np.array_equal(pixels(first.full), pixels(second.full))
    again = GroundPainter(land(), THINGS).chunk(3, 2, 32)
    assert np.array_equal(pixels(first.lab), pixels(again.lab))


def test_lab_is_grey_and_explored_has_lost_its_colour(ground):
    chunk = ground.chunk(2, 2, 32)
    colourful = {look: np.ptp(pixels(getattr(chunk, look)), axis=2).mean() for look in ("full", "explored", "lab")}
    assert colourful["lab"] < 8
    assert colourful["explored"] < colourful["full"]
    spread = {look: pixels(getattr(chunk, look)).mean(2).std() for look in ("full", "explored")}
    assert spread["explored"] < 0.6 * spread["full"]


def test_crowns_are_left_out_of_what_lies_under_them(ground):
    with_trees, without = ground.chunk(1, 1, 32), ground.chunk(0, 4, 32)
    assert with_trees.under is not None
    assert np.abs(pixels(with_trees.full) - pixels(with_trees.under)).mean() > 4
    assert without.under is None


@pytest.mark.parametrize("kind", [name for name in GROUNDS if name not in ("wood", "wall")])
def test_a_plain_ground_keeps_its_colour(kind):
    """Washes vary the colour of the palette and do not replace it.

    So the contrast test measures the colours that are shown.
    """
    from game.view.ground.ground_art import material_colours

    chunk = GroundPainter(np.full((24, 24), GROUND[kind], np.uint8)).chunk(1, 1, 32)
    colours = material_colours()
    wanted = colours["deep"] if kind == "water" else colours[kind]
    seen = np.median(pixels(chunk.full).reshape(-1, 3), axis=0)
    assert np.abs(seen - wanted).max() <= (40 if kind == "reeds" else 22)


def test_a_changed_rectangle_names_the_tiles_to_draw_again():
    ground = GroundPainter(land())
    before = pixels(ground.chunk(0, 3, 32).full)
    y0, x0, y1, x1 = ground.change(26, 2, np.full((3, 3), GROUND["water"], np.uint8))
    assert y0 <= 26 and x0 <= 2 and y1 >= 29 and x1 >= 5
    assert np.abs(pixels(ground.chunk(0, 3, 32).full) - before).max() > 20
    untouched = GroundPainter(land()).chunk(4, 1, 32)
    assert np.array_equal(pixels(ground.chunk(4, 1, 32).full), pixels(untouched.full))


def test_beyond_the_map_is_mist(ground):
    from game.view.painting.palette import palette

    chunk = ground.chunk(-1, -1, 32)
    assert (pixels(chunk.full) == palette()["mist"]).all()
    assert assembler.SKIRT >= 1
