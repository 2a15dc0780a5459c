"""List of rows in columns, operated by mouse, wheel and keyboard.

The first column is drawn in ink, the others in grey, all left-aligned.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.view.input.selection import DOUBLE_CLICK_MS
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix
from game.view.painting.text import TextDrawer

ROW = 28
PAD = 12
_MOVES = {pygame.K_UP: -1, pygame.K_DOWN: 1}


@dataclass(frozen=True)
class ListRow:
    """Row: its key and the texts of its columns."""

    key: str
    cells: tuple[str, ...]


class ListBox:
    """Rows, one of which may be selected.

    ``columns`` are the left edges, 0..1 of the width.
    """

    def __init__(
        self, app: PainterServices, text: TextDrawer, rect: pygame.Rect, rows: list[ListRow],
        columns: tuple[float, ...] = (0.0,), chosen: str = "",
    ) -> None:  # fmt: skip
        self.app, self.text, self.rect = app, text, rect
        self.columns = columns
        self.rows: list[ListRow] = []
        self.chosen = ""
        self.top = 0
        self._hovered = -1
        self._cut: dict[tuple[str, int], str] = {}
        self._clicked = (-10_000, -1)
        self._typed = ("", -10_000)
        self.set_rows(rows, chosen)

    @property
    def row_height(self) -> int:
        """Height of a row in pixels."""
        return self.text.px(ROW)

    @property
    def shown(self) -> int:
        """Number of rows that fit."""
        return max(1, (self.rect.height - self.text.px(8)) // self.row_height)

    def set_rows(self, rows: list[ListRow], chosen: str = "") -> None:
        """Replace the rows; ``chosen`` stays selected if it is among them."""
        self.rows = rows
        self.chosen = chosen if any(row.key == chosen for row in rows) else ""
        self.top = 0
        self._show(self.index)

    @property
    def index(self) -> int:
        """Number of the selected row, or -1."""
        return next((i for i, row in enumerate(self.rows) if row.key == self.chosen), -1)

    def row_rect(self, index: int) -> pygame.Rect:
        """Return the box of a row while it is in view."""
        y = self.rect.y + self.text.px(4) + (index - self.top) * self.row_height
        return pygame.Rect(self.rect.x + 3, y, self.rect.width - 6, self.row_height)

    def row_at(self, pos: tuple[int, int]) -> int:
        """Return the number of the row under a pixel, or -1."""
        for i in range(self.top, min(self.top + self.shown, len(self.rows))):
            if self.row_rect(i).collidepoint(pos):
                return i
        return -1

    def handle(self, event: pygame.event.Event) -> str:
        """Handle a mouse event.

        Returns ``"chosen"``, ``"opened"`` (a double click) or an empty string.
        """
        if event.type == pygame.MOUSEMOTION:
            self._hovered = self.row_at(event.pos)
        elif event.type == pygame.MOUSEWHEEL and self.rect.collidepoint(pygame.mouse.get_pos()):
            self.scroll(-event.y * 3)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            at = self.row_at(event.pos)
            if at < 0:
                return ""
            again = self._clicked[1] == at and self.app.now_ms - self._clicked[0] <= DOUBLE_CLICK_MS
            self._clicked = (self.app.now_ms, at)
            self.chosen = self.rows[at].key
            return "opened" if again else "chosen"
        return ""

    def key(self, event: pygame.event.Event) -> str:
        """Handle a key while the list has the focus.

        Keys are arrows, pages, Home, End, Enter, and the first letters of a row.
        """
        if not self.rows:
            return ""
        at, last = self.index, len(self.rows) - 1
        wanted: int | None
        if event.key in _MOVES:
            wanted = at + _MOVES[event.key] if at >= 0 else 0
        elif event.key in (pygame.K_PAGEUP, pygame.K_PAGEDOWN):
            wanted = at + (self.shown - 1) * (1 if event.key == pygame.K_PAGEDOWN else -1)
        elif event.key in (pygame.K_HOME, pygame.K_END):
            wanted = 0 if event.key == pygame.K_HOME else last
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            return "opened" if at >= 0 else ""
        elif getattr(event, "unicode", "").isprintable() and getattr(event, "unicode", ""):
            wanted = self._by_letters(event.unicode)
        else:
            return ""
        if wanted is None:
            return ""
        wanted = min(max(wanted, 0), last)
        self.chosen = self.rows[wanted].key
        self._show(wanted)
        return "chosen"

    def _by_letters(self, letter: str) -> int | None:
        word, when = self._typed
        word = (word if self.app.now_ms - when < 800 else "") + letter.lower()
        self._typed = (word, self.app.now_ms)
        return next((i for i, row in enumerate(self.rows) if row.cells[0].lower().startswith(word)), None)

    def scroll(self, by: int) -> None:
        """Scroll by a number of rows."""
        self.top = min(max(self.top + by, 0), max(len(self.rows) - self.shown, 0))

    def _show(self, index: int) -> None:
        if index >= 0:
            self.top = min(self.top, index)
            self.top = max(self.top, index - self.shown + 1)

    def _fitting(self, kind: str, size: int, words: str, width: int) -> str:
        """Return ``words``, or the part that fits with three dots."""
        if self.text.size(kind, size, words)[0] <= width:
            return words
        key = (words, width)
        if key not in self._cut:
            short = words
            while short and self.text.size(kind, size, short + "...")[0] > width:
                short = short[:-1]
            self._cut[key] = short.rstrip() + "..."
        return self._cut[key]

    def draw(self, surface: pygame.Surface) -> None:
        """Draw paper and rows, with a scroll bar if not all rows fit."""
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px = text.px
        pygame.draw.rect(surface, panels.paper, self.rect)
        pygame.draw.rect(surface, panels.ink, self.rect, 2)
        clip = surface.get_clip()
        bar = px(10) if len(self.rows) > self.shown else 0
        inner = self.rect.width - 2 * px(PAD) - bar
        for i in range(self.top, min(self.top + self.shown, len(self.rows))):
            box, row = self.row_rect(i), self.rows[i]
            box.width -= bar
            chosen = row.key == self.chosen
            if chosen or i == self._hovered:
                pygame.draw.rect(surface, palette["blue"] if chosen else mix(panels.paper, palette["yellow"], 0.3), box)
            for c, words in enumerate(row.cells):
                left = self.rect.x + px(PAD) + round(inner * self.columns[c])
                right = self.columns[c + 1] if c + 1 < len(self.columns) else 1.0
                end = self.rect.x + px(PAD) + round(inner * right) - px(10)
                surface.set_clip(pygame.Rect(left, box.y, max(end - left, 0), box.height).clip(clip))
                colour = palette["white"] if chosen else panels.ink if c == 0 else panels.soft
                kind = "sans_bold" if c == 0 else "sans"
                size = 16 if c == 0 else 15
                line = self._fitting(kind, size, words, end - left)
                text.draw(surface, (left, box.centery), line, colour, kind, size, "midleft")
            surface.set_clip(clip)
        if bar:
            room = self.rect.height - 8
            height = max(px(24), room * self.shown // len(self.rows))
            y = self.rect.y + 4 + (room - height) * self.top // max(len(self.rows) - self.shown, 1)
            pygame.draw.rect(surface, panels.soft, (self.rect.right - bar, y, max(bar - 5, 3), height))
