"""Camera: zoom steps, the position under the cursor and the edges of the map."""

import numpy as np
import pytest

from game.view.painting.camera import ZOOM_STEPS, Camera, edge_pan


@pytest.mark.parametrize("zoom", ZOOM_STEPS)
def test_a_pixel_converted_to_the_world_and_back_is_the_same(zoom):
    camera = Camera(200, 150)
    camera.set_zoom(zoom)
    camera.centre_on(77.3, 61.8)
    for px, py in ((0, 0), (640, 360), (1279, 719), (13, 500)):
        assert camera.to_screen(*camera.to_world(px, py)) == (px, py)


def test_zoom_keeps_the_place_under_the_cursor_within_a_pixel():
    rng = np.random.default_rng(1)
    camera = Camera(512, 512)
    camera.centre_on(256, 256)
    compared = 0
    for _ in range(200):
        px, py = int(rng.integers(0, 1280)), int(rng.integers(0, 720))
        before = camera.to_world(px, py)
        steps = int(rng.integers(-2, 3))
        step = ZOOM_STEPS.index(camera.zoom)
        changed = camera.zoom_by(steps, px, py)
        expected = min(max(step + steps, 0), len(ZOOM_STEPS) - 1)
        assert ZOOM_STEPS.index(camera.zoom) == expected and changed == (expected != step)
        edge = camera.width / camera.zoom / 2
        away_from_edges = edge < camera.x < 512 - edge and camera.height / camera.zoom / 2 < camera.y
        if changed and away_from_edges and camera.y < 512 - camera.height / camera.zoom / 2:
            after = camera.to_screen(*before)
            assert abs(after[0] - px) <= 1 and abs(after[1] - py) <= 1
            compared += 1
        camera.centre_on(256, 256)
    assert compared >= 50


def test_zoom_stops_at_the_first_and_the_last_step():
    camera = Camera(64, 64)
    for _ in range(20):
        camera.zoom_by(-1, 0, 0)
    assert camera.zoom == ZOOM_STEPS[0]
    assert not camera.zoom_by(-1, 0, 0)
    for _ in range(20):
        camera.zoom_by(1, 5, 5)
    assert camera.zoom == ZOOM_STEPS[-1]
    assert not camera.zoom_by(1, 5, 5)


def test_the_window_never_shows_beyond_a_map_larger_than_itself():
    camera = Camera(96, 64)
    for dx, dy in ((-9999, 0), (0, -9999), (9999, 9999)):
        camera.pan(dx, dy)
        x0, y0 = camera.to_world(0, 0)
        x1, y1 = camera.to_world(camera.width, camera.height)
        assert x0 >= 0 and y0 >= 0 and x1 <= 96 and y1 <= 64


def test_a_small_map_stays_in_the_middle():
    camera = Camera(10, 10)
    camera.pan(500, -500)
    assert (camera.x, camera.y) == (5, 5)


def test_visible_tiles_are_exactly_those_with_a_pixel_on_screen():
    camera = Camera(96, 64)
    camera.centre_on(40.37, 30.11)
    y0, x0, y1, x1 = camera.visible_tiles()
    seen = {camera.tile_at(px, py) for px in range(0, 1280, 7) for py in (0, 719)}
    seen |= {camera.tile_at(px, py) for px in (0, 1279) for py in range(0, 720, 7)}
    rows = [tile[0] for tile in seen if tile]
    columns = [tile[1] for tile in seen if tile]
    assert (min(rows), max(rows) + 1, min(columns), max(columns) + 1) == (y0, y1, x0, x1)


def test_edge_pan_ends_when_the_cursor_has_left_the_window():
    assert edge_pan((0, 300), True, (1280, 720)) == (-1, 0)
    assert edge_pan((1279, 719), True, (1280, 720)) == (1, 1)
    assert edge_pan((0, 300), False, (1280, 720)) == (0, 0)
    assert edge_pan((640, 360), True, (1280, 720)) == (0, 0)
