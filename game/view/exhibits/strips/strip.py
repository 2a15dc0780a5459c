"""Base class and registry of strips: buttons, a line of words, and drawing.

A strip does what the T key and knobs cannot, as stepping through a search.  It reads both worlds of the exhibit.
It changes them as the frame does: by orders, settings and the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from game.view.exhibits.exhibit_playing import ExhibitPlaying
from game.view.overlays.overlay import LabContext
from game.view.painting.camera import Camera

FRAME_KEYS = frozenset(
    {pygame.K_ESCAPE, pygame.K_t, pygame.K_k, pygame.K_r, pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT,
     pygame.K_SPACE, pygame.K_TAB}
)  # fmt: skip
"""Keys that belong to the frame; a strip uses others."""


@dataclass(frozen=True)
class StripButton:
    """Button with a key (pygame.K_...), the key's label, its words and its action."""

    key: int
    label: str
    words: str
    action: Callable[[], None]
    on: bool = False
    """If true, the button is shown as selected."""


class Strip:
    """Base of all strips.

    ``buttons`` and ``words`` are called in every frame, so they may change.
    """

    name = ""

    def __init__(self, show: ExhibitPlaying) -> None:
        self.show = show

    def buttons(self) -> list[StripButton]:
        """Return the buttons from left to right; at most six fit into 1280 pixels."""
        raise NotImplementedError

    def words(self) -> str:
        """Return the line at the right end: the present state."""
        return ""

    def update(self, dt_ms: int) -> None:
        """Update once a frame."""

    def jumped(self) -> None:
        """Reset after the worlds began again or the technique was switched."""

    def pressed(self, tile: tuple[int, int], button: int) -> bool:
        """Handle a click on the picture at (row, column); return whether it was used."""
        return False

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Paint on the picture, above ground and overlays, below the figures."""


STRIPS: dict[str, type[Strip]] = {}


def strip(cls: type[Strip]) -> type[Strip]:
    """Register a strip under its name (class decorator).

    game/view/exhibits/strips/all_strips.py imports the strip's module.
    """
    if cls.name in STRIPS:
        raise ValueError(f"two strips are called {cls.name}")
    STRIPS[cls.name] = cls
    return cls
