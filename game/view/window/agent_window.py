"""Window of a game that agents play: the picture of ``main.py shot``, frame by frame."""

from __future__ import annotations

import os

import numpy as np
import pygame
from numpy.typing import NDArray

from game.sim.session import Session
from game.view.app import App
from game.view.painting.unit_picture import take_picture
from game.view.screens.play_screen import PlayScreen
from game.view.window.playing import Playing
from game.view.window.user_options import Options

FRAME_MS = 150


class AgentWindow:
    """Window on a session; it is only drawn in memory unless ``visible``."""

    def __init__(self, session: Session, side: int, visible: bool, size: tuple[int, int] = (960, 540)) -> None:
        if not visible:
            os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
        os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
        self.app = App(Options(volume=0.0, edge_pan=False), size)
        self.app.strict = True
        self.playing = Playing(session, side=side)
        self.playing.clock.paused = True
        screen = PlayScreen(self.app, self.playing)
        screen.scene.ground_budget(None)
        screen.shot = True
        screen.notice = ""
        self.app.push(screen)
        self.app.frame(FRAME_MS, [])

    def draw(self) -> NDArray[np.uint8]:
        """Draw the present tick; return uint8[height, width, 3]."""
        pygame.event.pump()
        self.playing.picture = take_picture(self.playing.session.world, self.playing.picture)
        self.app.frame(FRAME_MS, [])
        return np.ascontiguousarray(np.swapaxes(pygame.surfarray.array3d(self.app.window), 0, 1))

    def close(self) -> None:
        """Close the window."""
        self.app.close()
