"""Fog of war in the view: three states, faded over 200 ms and smoothed."""

import numpy as np
import pygame

from game.view.light.fog import FADE_MS, FogMask
from game.view.light.fog_painter import FogPainter
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.painting.spline import smooth_up

FULL, EXPLORED = (200, 40, 40), (40, 200, 40)


class TwoColours:
    def chunk_tiles(self, zoom):
        return 16

    def ready(self, zoom, row, column):
        return True

    def chunk(self, look, zoom, row, column):
        surface = pygame.Surface((16 * zoom, 16 * zoom))
        surface.fill(FULL if look == "full" else EXPLORED)
        return surface


def _masks(shape=(64, 64)):
    return np.zeros(shape, bool), np.zeros(shape, bool)


def test_a_mask_that_is_one_everywhere_stays_one_when_smoothed_up():
    assert np.allclose(smooth_up(np.ones((12, 15), np.float32), 8), 1.0, atol=1e-5)
    up = smooth_up(np.pad(np.ones((1, 1), np.float32), 6), 8)
    assert up.max() < 0.5 and np.unravel_index(up.argmax(), up.shape)[0] in (35, 36)


def test_fading_takes_200_ms():
    visible, explored = _masks()
    visible[20:30, 20:30] = True
    fog = FogMask(64, 64, np.zeros((64, 64)))
    fog.set_target(visible, explored)
    fog.update(FADE_MS // 2)
    assert np.allclose(fog.shown_visible[visible], 0.5)
    fog.update(FADE_MS // 2)
    assert (fog.shown_visible == visible).all()
    version = fog.version
    fog.update(16)
    assert fog.version == version


def test_seen_tiles_stay_explored():
    visible, explored = _masks()
    visible[:10] = True
    fog = FogMask(64, 64, np.zeros((64, 64)))
    fog.set_target(visible, explored, at_once=True)
    fog.set_target(np.zeros_like(visible), explored)
    fog.update(1000)
    assert not fog.shown_visible.any() and (fog.shown_explored[:10] == 1).all()


def test_a_wall_counts_as_seen_through_its_thickness():
    opaque = np.zeros((64, 64))
    opaque[30:33, 10:50] = 1
    visible, explored = _masks()
    visible[20:31, 10:50] = True
    fog = FogMask(64, 64, opaque)
    fog.set_target(visible, explored, at_once=True)
    assert fog.visible[32, 20] and not fog.visible[33, 20]


def test_a_whole_roof_shows_once_a_corner_is_seen_but_units_need_real_sight():
    opaque = np.zeros((64, 64))
    opaque[20:26, 20:30] = 1
    visible, explored = _masks()
    visible[18:21, 10:21] = True
    fog = FogMask(64, 64, opaque, [(20, 20, 26, 30)])
    fog.set_target(visible, explored, at_once=True)
    assert fog.visible[20:26, 20:30].all() and not fog.visible[26:, :].any()
    assert np.array_equal(fog.sighted, visible), "units are shown on seen tiles alone"


def test_the_three_states_are_drawn_each_in_its_look(window):
    visible, explored = _masks()
    explored[:, :32] = True
    visible[:, :16] = True
    fog = FogMask(64, 64, np.zeros((64, 64)))
    fog.set_target(visible, explored, at_once=True)
    camera = Camera(64, 64)
    camera.set_zoom(16)
    camera.centre_on(32, 32)
    FogPainter(palette()).draw(window, camera, TwoColours(), fog, "full")

    def colour(x, y):
        return window.get_at(camera.to_screen(x, y))[:3]

    assert colour(8, 32) == FULL
    assert colour(24, 32) == EXPLORED
    mist = np.array(palette()["mist"])
    assert np.abs(np.array(colour(50, 32)) - mist).max() < 24
    edge = np.array(colour(16, 32))
    assert (edge != FULL).any() and (edge != EXPLORED).any()


def _half_seen(window, painter, fog, times):
    camera = Camera(64, 64)
    camera.set_zoom(16)
    camera.centre_on(32, 32)
    for _ in range(times):
        painter.draw(window, camera, TwoColours(), fog, "full")
    return pygame.surfarray.array3d(window).astype(int)


def test_only_the_frontier_drifts_with_time(window):
    visible, explored = _masks()
    visible[:, :32] = explored[:, :32] = True
    fog = FogMask(64, 64, np.zeros((64, 64)))
    fog.set_target(visible, explored, at_once=True)
    painter = FogPainter(palette())
    before = _half_seen(window, painter, fog, 3)
    assert (_half_seen(window, painter, fog, 30) == before).all(), "no time, no change"
    painter.move(4000)
    moved = np.abs(_half_seen(window, painter, fog, 40) - before).max(axis=2) > 12
    columns = np.flatnonzero(moved.any(axis=1))
    middle = window.get_width() // 2
    assert len(columns) and columns.min() > middle - 48 and columns.max() < middle + 48


def test_no_seam_shows_while_cells_are_updated_in_turn(window):
    """Compare neighbouring pixels over many frames: a cell is never far behind its neighbours."""
    visible, explored = _masks()
    visible[:, :32] = explored[:, :32] = True
    fog = FogMask(64, 64, np.zeros((64, 64)))
    fog.set_target(visible, explored, at_once=True)
    painter = FogPainter(palette())
    for _ in range(90):
        painter.move(16)
        picture = _half_seen(window, painter, fog, 1)
    steps = np.abs(np.diff(picture, axis=1)).max(axis=(0, 2))
    assert steps.max() < 60
