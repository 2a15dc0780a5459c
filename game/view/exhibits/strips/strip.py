"""What a strip is: a few buttons with keys, a line of words, and what it paints on the picture.

A strip is for what T and knobs cannot say, as stepping through a search.  It reads both worlds of the exhibit and
speaks to them as the frame does: by orders, settings and the clock.
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
"""Keys that belong to the frame; a strip takes others."""


@dataclass(frozen=True)
class StripButton:
    """A button: its key (pygame.K_...), the key's name as engraved, its words and what it does."""

    key: int
    label: str
    words: str
    action: Callable[[], None]
    on: bool = False
    """Shown as chosen."""


class Strip:
    """Base of all strips.  ``buttons`` and ``words`` are asked for at every frame, so they may change."""

    name = ""

    def __init__(self, show: ExhibitPlaying) -> None:
        self.show = show

    def buttons(self) -> list[StripButton]:
        """From left to right; at most six fit at 1280 pixels."""
        raise NotImplementedError

    def words(self) -> str:
        """One line at the right end: where things stand."""
        return ""

    def update(self, dt_ms: int) -> None:
        """Once a frame."""

    def jumped(self) -> None:
        """The worlds have begun again, or the technique was switched."""

    def pressed(self, tile: tuple[int, int], button: int) -> bool:
        """A click on the picture at (row, column); True when the strip has used it."""
        return False

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Paint on the picture, above ground and overlays, below the figures."""


STRIPS: dict[str, type[Strip]] = {}


def strip(cls: type[Strip]) -> type[Strip]:
    """Class decorator: register a strip under its name; game/view/exhibits/strips/all_strips.py imports its module."""
    if cls.name in STRIPS:
        raise ValueError(f"two strips are called {cls.name}")
    STRIPS[cls.name] = cls
    return cls
