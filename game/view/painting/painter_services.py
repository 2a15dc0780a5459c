"""Protocols of the services that all painters share.

The app provides them; no painter imports the app.
"""

from __future__ import annotations

from typing import Protocol

import pygame

from game.view.painting.palette import Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.window.user_options import Options


class KeyLabels(Protocol):
    """Labels of the keys of commands."""

    def label(self, command: str) -> str:
        """Return the label of a command's key, empty without a key."""


class Sounds(Protocol):
    """Player of the interface's sounds."""

    def play(self, name: str, *, at_most_every_ms: int = 0) -> None:
        """Play a sound by name, unless it was played ``at_most_every_ms`` ago or later."""


class PainterServices(Protocol):
    """Services that all screens share: options, colours, text, keys, sounds."""

    options: Options
    palette: Palette
    text: TextDrawer
    panels: Panels
    window: pygame.Surface
    now_ms: int

    @property
    def keymap(self) -> KeyLabels:
        """Labels of the bound keys."""

    @property
    def sound(self) -> Sounds:
        """Player of sounds."""
