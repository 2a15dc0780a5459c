"""Painter of the list of overlays.

It shows the lenses, the search line, each overlay with its channel, and the question of the newest one.
"""

from __future__ import annotations

import pygame

from game.view.lab.overlay_finder import OverlayFinder, subject_of
from game.view.lab.overlay_set import OverlaySet
from game.view.overlays.lenses import LENSES
from game.view.overlays.overlay import Overlay
from game.view.painting.painter_services import PainterServices
from game.view.painting.text import TextDrawer

ROW = 22
_HEAD = 44 + 2 * 32 + 34
FEWEST_ROWS = 5


def ordered_rows(registered: list[type[Overlay]], overlays: OverlaySet) -> list[str | type[Overlay]]:
    """Return headings and overlays: the overlays that are on come first."""
    rows: list[str | type[Overlay]] = [cls for cls in registered if overlays.is_on(cls.name)]
    subject = ""
    for cls in sorted((c for c in registered if not overlays.is_on(c.name)), key=subject_of):
        if subject_of(cls) != subject:
            subject = subject_of(cls)
            rows.append(subject)
        rows.append(cls)
    return rows


class OverlayList:
    """Draws the list and finds the clicked row.

    The wheel reaches rows that do not fit.
    """

    def __init__(self, app: PainterServices, text: TextDrawer, finder: OverlayFinder) -> None:
        self.app, self.text, self.finder = app, text, finder
        self.top = 0
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.parts: list[tuple[pygame.Rect, tuple[str, str]]] = []
        self._rows = 0
        self._shown = 0

    def scroll(self, by: int) -> None:
        """Move by rows."""
        self.top = min(max(self.top + by, 0), max(self._rows - self._shown, 0))

    def draw(
        self, surface: pygame.Surface, rect: pygame.Rect, overlays: OverlaySet, lens: str,
        registered: list[type[Overlay]],
    ) -> None:  # fmt: skip
        """Draw into a box of a largest height.

        ``rect`` is then the part that was used.
        """
        text, panels = self.text, self.app.panels
        px = text.px
        question = overlays.on[-1].question if overlays.on else ""
        asked = text.wrap("serif_italic", 16, question, rect.width - px(28)) if question else []
        out = self._put_out(overlays, registered, rect.width - px(28))
        below = px(12) + len(asked) * px(21) + (px(8) if asked else 0) + len(out) * px(19)
        rows = ordered_rows(self.finder.found(registered), overlays)
        self._rows = len(rows)
        room = (rect.height - px(_HEAD) - below) // px(ROW)
        none = [] if rows else text.wrap("sans_italic", 15, _none_words(self.finder.words), rect.width - px(28))
        self._shown = min(max(self._rows, len(none)), max(room, FEWEST_ROWS))
        self.scroll(0)
        self.rect = pygame.Rect(*rect.topleft, rect.width, px(_HEAD) + self._shown * px(ROW) + below)
        self.parts = []
        panels.draw(surface, self.rect)
        self._draw_lenses(surface, lens)
        rect = self.rect
        y = rect.y + px(_HEAD)
        for i, line in enumerate(none):
            text.draw(surface, (rect.x + px(14), y + i * px(ROW)), line, panels.ink, "sans_italic", 15)
        y += len(none) * px(ROW)
        for row in rows[self.top : self.top + self._shown]:
            if isinstance(row, str):
                text.draw(surface, (rect.x + px(14), y + px(2)), row, panels.ink, "serif_bold", 15)
            else:
                self._draw_entry(surface, rect, y, row, overlays)
            y += px(ROW)
        if self._shown < self._rows:
            self._draw_bar(surface, pygame.Rect(rect.right - px(9), rect.y + px(_HEAD), px(5), self._shown * px(ROW)))
        if asked:
            y += px(4)
            pygame.draw.line(surface, panels.hair, (rect.x + px(14), y), (rect.right - px(14), y))
            for i, line in enumerate(asked):
                text.draw(surface, (rect.x + px(14), y + px(4) + i * px(21)), line, panels.ink, "serif_italic", 16)
        y += px(4) + len(asked) * px(21)
        for i, line in enumerate(out):
            text.draw(surface, (rect.x + px(14), y + i * px(19)), line, self.app.palette["vermilion"], "sans_bold", 14)

    def _put_out(self, overlays: OverlaySet, registered: list[type[Overlay]], room: int) -> list[str]:
        """Return at most two lines that name the removed overlays with the reason."""
        gone = [(cls.title, overlays.put_out[cls.name]) for cls in registered if cls.name in overlays.put_out]
        if not gone or not overlays.on:
            return []
        return self.text.wrap("sans_bold", 14, f"Put out: {gone[-1][0]} ({gone[-1][1].split(': ')[-1]})", room)[:2]

    def _draw_lenses(self, surface: pygame.Surface, lens: str) -> None:
        text, panels, palette, rect = self.text, self.app.panels, self.app.palette, self.rect
        px = text.px
        text.draw(surface, (rect.x + px(14), rect.y + px(8)), "Overlays", panels.ink, "serif_bold", 21)
        keymap = self.app.keymap
        hint = f"{keymap.label('lab')} Play   {keymap.label('lift_fog')} fog"
        text.draw(surface, (rect.right - px(14), rect.y + px(14)), hint, panels.soft, "sans", 15, "topright")
        cell_width = (rect.width - px(28)) // 3
        labels = [f"{keymap.label(f'lens_{name}')} {name.capitalize()}" for name in LENSES]
        if max(text.size("sans_bold", 14, label)[0] for label in labels) > cell_width - px(5) - 6:
            labels = [name.capitalize() for name in LENSES]  # too narrow for the keys
        for i, name in enumerate(LENSES):
            row, column = divmod(i, 3)
            cell = pygame.Rect(
                rect.x + px(14) + column * cell_width, rect.y + px(42 + row * 32), cell_width - px(5), px(26)
            )
            chosen = name == lens
            panels.draw(surface, cell, "chosen" if chosen else "button")
            label = labels[i]
            colour = palette["white"] if chosen else panels.ink
            text.draw(surface, cell.center, label, colour, "sans_bold", 14, "center")
            self.parts.append((cell, ("lens", name)))
        line = pygame.Rect(rect.x + px(14), rect.y + px(42 + 2 * 32), rect.width - px(33), px(28))
        self.finder.draw(surface, line, text, panels, palette, keymap.label("find_overlay"))
        self.parts.append((line, ("find", "")))

    def _draw_bar(self, surface: pygame.Surface, room: pygame.Rect) -> None:
        height = max(room.height * self._shown // self._rows, self.text.px(16))
        y = room.y + (room.height - height) * self.top // max(self._rows - self._shown, 1)
        pygame.draw.rect(surface, self.app.palette["mist"], room)
        pygame.draw.rect(surface, self.app.panels.soft, (room.x, y, room.width, height))

    def _draw_entry(
        self, surface: pygame.Surface, rect: pygame.Rect, y: int, cls: type[Overlay], overlays: OverlaySet
    ) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px = text.px
        on = overlays.is_on(cls.name)
        box = pygame.Rect(rect.x + px(14), y + px(4), px(16), px(16))
        pygame.draw.rect(surface, palette["blue"] if on else panels.paper, box)
        pygame.draw.rect(surface, panels.ink, box, 2)
        if on:
            points = [
                (box.x + px(3), box.centery),
                (box.x + px(7), box.bottom - px(4)),
                (box.right - px(3), box.y + px(4)),
            ]
            pygame.draw.lines(surface, palette["white"], False, points, max(px(2), 2))
        colour = panels.ink if on else panels.soft
        title = text.draw(surface, (box.right + px(9), y + px(1)), cls.title, colour, "sans_bold" if on else "sans", 16)
        note = overlays.put_out.get(cls.name, "") if not on else ""
        words = note or str(cls.channel)
        room = rect.right - px(14) - title.right - px(8)
        words = text.shortened("sans", 14, words, room)
        words = "" if len(words) < 3 else words  # room for dots alone
        text.draw(surface, (rect.right - px(14), y + px(3)), words, panels.soft, "sans", 14, "topright")
        self.parts.append((pygame.Rect(rect.x + px(8), y, rect.width - px(16), px(ROW)), ("overlay", cls.name)))


def _none_words(words: str) -> str:
    return f"No overlay holds “{words}”. Esc shows all again."
