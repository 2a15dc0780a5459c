"""Pinned numbers: small graphs that stay on the screen until they are removed.

They belong to a unit, a squad or a side, not to the selection. Lengths are in interface pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pygame

from game.view.lab.why.pages.page import Subject
from game.view.lab.why.pages.page_numbers import number_words
from game.view.lab.why.small_graph import SPAN, draw_graph
from game.view.painting.painter_services import PainterServices
from game.view.painting.text import TextDrawer, fitting

MOST = 4
"""Numbers that can be pinned; more would cover the map."""
WIDTH, HEIGHT, GAP, CROSS = 190, 62, 8, 16
NEED = (1180, 700)
Series = Callable[[Subject, str], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Pin:
    """Number of a thing; ``title`` names both."""

    subject: Subject
    number: str
    title: str


class PinnedGraphs:
    """Pins of one play screen, and their boxes in the last frame."""

    def __init__(self, app: PainterServices, series: Series) -> None:
        self.app, self.series = app, series
        self.pins: list[Pin] = []
        self.box = pygame.Rect(0, 0, 0, 0)
        """Box of all cards, empty without a pin."""
        self.crosses: list[pygame.Rect] = []
        self.graphs: list[tuple[pygame.Rect, int]] = []
        """Boxes of the graphs, and the ticks at their right edges."""

    def toggle(self, pin: Pin) -> str:
        """Pin a number or remove it; return a message if there is no room."""
        same = [one for one in self.pins if (one.subject, one.number) == (pin.subject, pin.number)]
        if same:
            self.pins.remove(same[0])
        elif len(self.pins) >= MOST:
            return f"{MOST} numbers are pinned: remove one first"
        else:
            self.pins.append(pin)
        return ""

    def press(self, pos: tuple[int, int]) -> int | None:
        """Remove a pin by its cross; return the tick under a graph.

        It is -1 elsewhere on the cards, and None off them.
        """
        if not self.box.collidepoint(pos):
            return None
        for index, cross in enumerate(self.crosses):
            if cross.collidepoint(pos):
                del self.pins[index]
                return -1
        for box, last in self.graphs:
            if box.collidepoint(pos) and last >= 0:
                return max(last - round((box.right - 1 - pos[0]) * SPAN / max(box.width - 1, 1)), 0)
        return -1

    def _fitted(self, text: TextDrawer, pin: Pin, room: int) -> str:
        """Return the title within some pixels; the name of the number stays whole."""
        tail = f": {pin.number}"
        head = pin.title.removesuffix(tail)
        left = room - text.size("sans", 14, tail)[0]
        words = text.shortened("sans", 14, head, max(left, 0))
        return (
            f"{words}{tail}"
            if left > text.size("sans", 14, "Wide")[0]
            else text.shortened("sans", 14, pin.number, room)
        )

    def draw(self, surface: pygame.Surface, top: int, right: int) -> pygame.Rect:
        """Draw the cards in rows below ``top`` and left of ``right``."""
        self.crosses, self.graphs, self.box = [], [], pygame.Rect(0, 0, 0, 0)
        text, panels = fitting(self.app.text, self.app.window.get_size(), NEED), self.app.panels
        px = text.px
        step = px(WIDTH + GAP)
        columns = max((right - px(12)) // step, 1)
        for index, pin in enumerate(self.pins):
            row, column = divmod(index, columns)
            card = pygame.Rect(px(12) + column * step, top + row * px(HEIGHT + GAP), px(WIDTH), px(HEIGHT))
            panels.draw(surface, card, "plain")
            ticks, values = self.series(pin.subject, pin.number)
            cross = pygame.Rect(card.right - px(CROSS + 5), card.y + px(5), px(CROSS), px(CROSS))
            inner = cross.inflate(-px(7), -px(7))
            pygame.draw.line(surface, panels.ink, inner.topleft, inner.bottomright, 2)
            pygame.draw.line(surface, panels.ink, inner.bottomleft, inner.topright, 2)
            words = number_words(pin.number, float(values[-1])) if len(values) else "gone"
            at = (cross.left - px(5), card.y + px(4))
            left = text.draw(surface, at, words, panels.ink, "sans_bold", 14, "topright").left
            room = left - card.x - px(14)
            title = self._fitted(text, pin, room)
            text.draw(surface, (card.x + px(8), card.y + px(4)), title, panels.ink, "sans", 14)
            box = pygame.Rect(card.x + px(8), card.y + px(25), card.width - px(16), card.height - px(32))
            draw_graph(surface, box, self.app, ticks, values)
            self.crosses.append(cross)
            self.graphs.append((box, int(ticks[-1]) if len(ticks) else -1))
            self.box = card if not index else self.box.union(card)
        return self.box
