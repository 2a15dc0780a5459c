"""Reduced motion: the picture of a paused world does not change."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from game.view.app import App
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.screens.play_screen import PlayScreen
from game.view.units.effects import Effects
from game.view.units.sprites import Sprites
from game.view.window.playing import open_session
from game.view.window.user_options import Options
from game.world.events import Happening

CROSSING = Path(__file__).resolve().parents[4] / "levels" / "the_crossing.tmx"


@pytest.mark.parametrize("reduced", [True, False])
def test_a_paused_picture_stands_still_with_reduced_motion_and_drifts_without(reduced):
    app = App(Options(volume=0.0, edge_pan=False, reduced_motion=reduced), (640, 400))
    try:
        playing = open_session(CROSSING)
        playing.clock.paused = True
        play = PlayScreen(app, playing)
        play.scene.ground_budget(None)
        app.push(play)
        play.camera.set_zoom(12)
        for _ in range(10):
            app.frame(50, [])
        # The rectangle is clear of the panels.
        middle = pygame.Rect(160, 90, 260, 200)
        pictures = []
        for _ in range(2):
            pictures.append(pygame.surfarray.array3d(app.window.subsurface(middle)).astype(int))
            for _ in range(200):
                app.frame(50, [])
        changed = np.abs(pictures[1] - pictures[0]).max() > 8
        assert changed == (not reduced)
    finally:
        app.close()


@pytest.mark.parametrize("reduced", [True, False])
def test_smoke_hangs_still_with_reduced_motion_and_drifts_without(window, reduced):
    effects = Effects(Sprites(), palette())
    effects.still = reduced
    camera = Camera(20, 20, 640, 400)
    camera.set_zoom(32)
    camera.centre_on(10, 8)
    effects.shot(Happening(1, "shot", 0, x=10.0, y=8.0), 0.0, 0, None, 0)
    pictures = []
    for now in (150, 500, 1000):
        window.fill((90, 110, 80))
        effects.draw(window, camera, None, now)
        pictures.append(pygame.image.tobytes(window, "RGB"))
    window.fill((90, 110, 80))
    assert pygame.image.tobytes(window, "RGB") not in pictures
    assert len(set(pictures)) == (1 if reduced else 3)
