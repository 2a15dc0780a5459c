"""Marks of a throw: the arc, the thrower, and the stone in flight."""

from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.stealth.throw_marks import arc_point, draw_flights, thrower_for
from game.world.units import Act


def test_an_arc_begins_and_ends_at_its_places_and_bows_to_the_north():
    a, b = (2.0, 9.0), (8.0, 9.0)
    assert arc_point(a, b, 0.0) == a and arc_point(a, b, 1.0) == pytest.approx(b)
    heights = [9.0 - arc_point(a, b, k / 10)[1] for k in range(11)]
    assert max(heights) == heights[5] > 1.0 and all(h >= 0 for h in heights)


def playing_with(**columns):
    p = SimpleNamespace(tick=106, rows=lambda ids: np.array(ids, int), **{k: np.array(v) for k, v in columns.items()})
    types = [SimpleNamespace(tools=("stone",)), SimpleNamespace(tools=())]
    return SimpleNamespace(picture=p, world=SimpleNamespace(types=types))


def test_the_nearest_selected_unit_with_a_stone_throws():
    playing = playing_with(x=[2.0, 5.0, 9.0], y=[5.0, 5.0, 5.0], kind=[0, 1, 0])
    assert thrower_for(playing, (0, 1, 2), (5.0, 5.0)) == (2.0, 5.0)
    assert thrower_for(playing, (0, 1, 2), (8.0, 5.0)) == (9.0, 5.0)
    assert thrower_for(playing, (1,), (8.0, 5.0)) is None


def test_a_stone_in_flight_shows_the_flown_half_of_its_arc_and_no_more(window):
    playing = playing_with(
        x=[4.0, 4.0], y=[8.0, 14.0], ordered_x=[14.0, 14.0], ordered_y=[8.0, 14.0], alive=[1, 1],
        action=[Act.THROW, Act.NONE], action_start=[100, 100], action_length=[12, 12],
    )  # fmt: skip
    camera = Camera(30, 20, *window.get_size())
    camera.set_zoom(16)
    camera.centre_on(10, 10)
    window.fill((0, 90, 0))
    draw_flights(window, camera, playing, palette(), np.arange(2))
    changed = np.argwhere((pygame.surfarray.array3d(window) != (0, 90, 0)).any(axis=2))
    left, right = (camera.to_screen(x, 8.0)[0] for x in (4.0, 9.0))
    assert len(changed) and changed[:, 0].min() >= left and abs(changed[:, 0].max() - right) <= 8
    assert changed[:, 1].max() < camera.to_screen(4.0, 12.0)[1], "nothing for a unit that does not throw"
