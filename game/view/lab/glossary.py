"""Glossary of terms: reads docs/glossary.md and shows sentences as tool tips."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

import pygame

from game.view.exhibits.cards.glossary_terms import GLOSSARY, Term, read_terms
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

WIDTH = 280
"""Width of a tool tip, in pixels of words of ordinary size."""


class Glossary:
    """Finds the term in a line of words; empty when the file is missing."""

    def __init__(self, file: Path = GLOSSARY) -> None:
        self.file = file

    @cached_property
    def by_word(self) -> dict[str, Term]:
        """Terms by each of their words, in lower case."""
        text = self.file.read_text(encoding="utf-8") if self.file.is_file() else ""
        # A term with a comma in its name is found by its other words and its whole name alike.
        return {word.lower(): term for term in read_terms(text) for word in (*term.others, term.name)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self.by_word, key=len, reverse=True)
        return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)", re.IGNORECASE)

    def find(self, words: str) -> Term | None:
        """Return the first term in a line of words, or None.

        Of the terms that start at one word it is the longest.
        """
        found = self._pattern.search(words)
        return self.by_word[found[1].lower()] if found else None


def draw_tip(surface: pygame.Surface, text: TextDrawer, panels: Panels, at: tuple[int, int], term: Term) -> pygame.Rect:
    """Draw term and sentence beside a pixel, inside the window; return the box."""
    px = text.px
    lines = text.wrap("sans", 15, term.meaning, px(WIDTH) - px(24))
    rect = pygame.Rect(at[0] + 16, at[1] + 16, px(WIDTH), px(36) + len(lines) * px(19))
    rect.clamp_ip(surface.get_rect())
    if rect.collidepoint(at):
        rect.bottom = at[1] - 8
    panels.draw(surface, rect)
    text.draw(surface, (rect.x + px(12), rect.y + px(5)), term.name, panels.ink, "serif_bold", 17)
    for i, line in enumerate(lines):
        text.draw(surface, (rect.x + px(12), rect.y + px(28) + i * px(19)), line, panels.ink, "sans", 15)
    return rect
