"""Figures on the screen: few are new in a frame, and none is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygame

from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.painting.unit_picture import take_picture
from game.view.units.figures import FIGURES_A_FRAME, PARTS_A_FRAME, FigurePainter
from game.view.units.sprites import Sprites
from tests.game.sim.play import Play, raider, yard


def test_few_figures_are_new_in_a_frame_and_none_is_missing(window: pygame.Surface, tmp_path: Path) -> None:
    builder = yard()
    for k in range(40):
        raider(builder, 1.5 + k % 10 * 2, 1.5 + k // 10 * 3, name=f"n{k}")
    play = Play(tmp_path, builder)
    play.world.units.facing[:40] = play.world.units.head[:40] = np.linspace(-3, 3, 40)
    picture, rows = take_picture(play.world), np.arange(40)
    camera = Camera(30, 14, 960, 448)
    painter, whole = FigurePainter(Sprites(), palette()), FigurePainter(Sprites(), palette())
    painter.limited = True
    painter.draw(window, camera, picture, rows[:1], 1.0)
    camera.set_zoom(24)
    surface, complete = (pygame.Surface((960, 448)) for _ in range(2))
    whole.draw(complete, camera, picture, rows, 1.0)
    stood_in = []
    for _ in range(200):
        parts, figures = painter.parts.drawn, len(painter.parts.figures.cells)
        surface.fill(0)
        painter.draw(surface, camera, picture, rows, 1.0)
        stood_in.append(painter.stood_in)
        # One more figure of three parts may be made where nothing is like it.
        assert painter.parts.drawn - parts <= PARTS_A_FRAME + 3
        assert len(painter.parts.figures.cells) - figures <= FIGURES_A_FRAME + 1
        places = zip(*(picture.x[rows] * 24, picture.y[rows] * 24), strict=True)
        for x, y in places:
            at = int(x) - camera.origin[0], int(y) - camera.origin[1]
            if surface.get_rect().collidepoint(at):
                assert surface.get_at(at)[:3] != (0, 0, 0), "a unit without a figure"
        if not painter.stood_in:
            break
    assert stood_in[0] > 0 and stood_in[-1] == 0
    assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(complete, "RGB")
