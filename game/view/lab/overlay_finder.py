"""Search line of the list of overlays: typed words and the overlays found."""

from __future__ import annotations

import pygame

from game.view.overlays.overlay import Overlay
from game.view.painting.palette import Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

LONGEST = 24
"""Most characters of a search."""


def subject_of(cls: type[Overlay]) -> str:
    """Return the subject of an overlay: the package of its module."""
    return cls.__module__.split(".")[-2].capitalize()


class OverlayFinder:
    """Typed words of the search line.

    It takes keys only while it listens; then letters give no commands.
    """

    def __init__(self) -> None:
        self.words = ""
        self.listens = False

    @property
    def stamp(self) -> tuple[str, bool]:
        """Return a key that changes with the look of the line."""
        return self.words, self.listens

    def leave(self) -> None:
        """Listen no longer; the words stay."""
        self.listens = False

    def typed(self, event: pygame.event.Event) -> str:
        """Handle an event of the keyboard while the line listens.

        Return "" for an event of others, "enter" for Enter, and "typed" for any other key of the line. Escape removes
        the words; in an empty line it ends the search. Keys with Ctrl or Alt stay commands.
        """
        if not self.listens or event.type != pygame.KEYDOWN:
            return ""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            return "enter"
        if event.key == pygame.K_ESCAPE:
            self.listens = bool(self.words)
            self.words = ""
            return "typed"
        if event.key == pygame.K_BACKSPACE:
            self.words = self.words[:-1]
            return "typed"
        letter = getattr(event, "unicode", "")
        # AltGr, the right Alt, writes letters on some layouts; it may come together with Ctrl.
        commands = event.mod & (pygame.KMOD_CTRL | pygame.KMOD_LALT) and not event.mod & pygame.KMOD_RALT
        if not letter or not letter.isprintable() or commands:
            return ""
        self.words = (self.words + letter).lstrip()[:LONGEST]
        return "typed"

    def found(self, registered: list[type[Overlay]]) -> list[type[Overlay]]:
        """Return the overlays that hold every word in title, name, subject or question."""
        asked = self.words.lower().split()
        return [cls for cls in registered if all(word in _text_of(cls) for word in asked)]

    def draw(
        self, surface: pygame.Surface, rect: pygame.Rect, text: TextDrawer, panels: Panels, palette: Palette, key: str
    ) -> None:
        """Draw the line with its words, or with a hint that names its key."""
        px = text.px
        pygame.draw.rect(surface, palette["white"] if self.listens else panels.paper, rect)
        pygame.draw.rect(surface, palette["blue"] if self.listens else panels.hair, rect, 2 if self.listens else 1)
        left, room = rect.x + px(8), rect.width - px(16)
        if not self.words and not self.listens:
            text.draw(surface, (left, rect.centery), f"find an overlay ({key})", panels.soft, "sans", 14, "midleft")
            return
        ink = palette["ink"] if self.listens else panels.ink
        words = self.words
        while words and text.size("sans_bold", 15, words)[0] > room:
            words = words[1:]
        box = text.draw(surface, (left, rect.centery), words, ink, "sans_bold", 15, "midleft")
        if self.listens:
            end = box.right + px(1) if words else left
            pygame.draw.line(surface, ink, (end, rect.y + px(5)), (end, rect.bottom - px(6)), max(px(1), 1))


def _text_of(cls: type[Overlay]) -> str:
    return f"{cls.title} {cls.name} {subject_of(cls)} {cls.question}".lower()
