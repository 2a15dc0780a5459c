"""What all painters share: window, options, colours, words, keys, sounds.  The app is one; none of them imports it."""

from __future__ import annotations

from typing import Protocol

import pygame

from game.view.painting.palette import Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.window.user_options import Options


class KeyLabels(Protocol):
    """Knows what is printed on a command's key."""

    def label(self, command: str) -> str:
        """The label, empty for a command without a key."""


class Sounds(Protocol):
    """Plays sounds of the interface."""

    def play(self, name: str, *, at_most_every_ms: int = 0) -> None:
        """Play a sound by name, unless it was played less than so long ago."""


class PainterServices(Protocol):
    """What is shared by all screens: options, colours, words, keys, sounds."""

    options: Options
    palette: Palette
    text: TextDrawer
    panels: Panels
    window: pygame.Surface
    now_ms: int

    @property
    def keymap(self) -> KeyLabels:
        """The bindings' labels."""

    @property
    def sound(self) -> Sounds:
        """The loudspeaker."""
