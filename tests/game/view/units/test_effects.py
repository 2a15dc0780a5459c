"""Effects of a shot: the line to the target and marks of its hit."""

import numpy as np
import pygame
import pytest

from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.units.effects import LINE_MS, Effects
from game.view.units.sprites import Sprites
from game.world.events import Happening

GROUND = (90, 110, 80)


def painted(window, fog=None, now=20, text="miss", to=(18.0, 8.0)):
    """Draw a shot; return colour changes, int[w, h, 3], and a pixel converter."""
    effects = Effects(Sprites(), palette())
    camera = Camera(30, 20, *window.get_size())
    camera.set_zoom(24)
    camera.centre_on(13, 8)
    effects.shot(Happening(1, "shot", 3, other=4, x=8.0, y=8.0, text=text), 0.0, 0, to, 0)
    window.fill(GROUND)
    effects.draw(window, camera, fog, now)
    return pygame.surfarray.array3d(window).astype(int) - GROUND, camera.to_screen


def strength(change, at, half=4):
    x, y = at
    return int(np.abs(change[x - half : x + half + 1, y - half : y + half + 1]).max())


def test_the_line_leads_to_the_target_and_is_stronger_at_that_end(window):
    change, at = painted(window, text="hit")
    near, far = (strength(change, at(x, 8.0), 2) for x in (10.5, 16.5))
    assert 0 < near < far
    changed = np.argwhere(np.abs(change[at(11, 8)[0] : at(16, 8)[0]]).max(axis=2) > 0)
    assert np.ptp(changed[:, 1]) <= 8, "the line is thin"
    later, _ = painted(window, text="hit", now=LINE_MS + 1)
    assert strength(later, at(14.0, 8.0)) == 0, "the line is gone after LINE_MS"


def test_a_hit_marks_the_body_in_ink_and_a_miss_the_ground_in_dust(window):
    hit, at = painted(window, text="hit", now=LINE_MS + 1)
    miss, _ = painted(window, now=LINE_MS + 1)
    body = at(17.6, 8.0)
    around = np.s_[body[0] - 4 : body[0] + 5, body[1] - 4 : body[1] + 5]
    assert hit[around].sum(axis=2).min() < -150, "ink on the body"
    assert np.abs(miss[around]).max() == 0, "no mark on a missed body"
    far = miss[at(17, 8)[0] :].sum(axis=2)
    assert far.max() > 150, "pale dust past it"


@pytest.mark.parametrize("seen_from", [0, 14, 30])
def test_only_the_part_on_tiles_in_sight_is_drawn(window, seen_from):
    fog = FogMask(20, 30, np.zeros((20, 30)))
    fog.visible[:, seen_from:] = True
    change, at = painted(window, fog, text="hit")
    for x in (11.0, 12.5, 15.5, 16.5):
        assert (strength(change, at(x, 8.0), 3) > 0) == (x > seen_from)
