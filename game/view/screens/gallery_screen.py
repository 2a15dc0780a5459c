"""Gallery: a row for each technique of ``ai/techniques.toml``, which opens its exhibit."""

from __future__ import annotations

from typing import Any

import pygame
import pygame_gui

from game.view.exhibits.gallery_rows import BOOKS, OTHER, ROOT, SHORT, Technique, read_techniques, title_of
from game.view.screens.list_box import ListBox, ListRow
from game.view.screens.screen import MenuScreen

_NEXT = {"area": "source", "source": "area"}
COLUMNS = (0.0, 0.33, 0.72)


class GalleryScreen(MenuScreen):
    """Gallery: groups on the left, techniques in the middle, a search line.

    The selected technique is described below.
    """

    need = (1000, 560)
    grouping = "area"
    group = "all"
    chosen = ""
    searched = ""
    entry: Any = None

    def build(self) -> None:
        """Build two lists, the search line and the buttons."""
        px, window = self.text.px, self.app.window
        self.rows = read_techniques()
        self.panel = pygame.Rect(0, 0, min(px(1160), window.get_width() - 40), window.get_height() - px(40))
        self.panel.center = window.get_rect().center
        top, left = self.panel.y + px(70), self.panel.x + px(24)
        height = self.panel.height - px(70) - px(224)
        side = px(232)
        rect = pygame.Rect(left, top + px(42), side, height - px(42))
        self.groups = ListBox(self.app, self.text, rect, self._groups(), (0.0, 0.86), self.group)
        self.list_rect = pygame.Rect(left + side + px(14), top, 0, height)
        self.list_rect.width = self.panel.right - px(24) - self.list_rect.x
        self.list = ListBox(self.app, self.text, self.list_rect, self._shown(), COLUMNS, self.chosen)
        self.stops += [self.list, self.groups]
        box = pygame.Rect(0, self.panel.y + px(20), px(300), px(36))
        box.right = self.panel.right - px(24)
        self.entry = pygame_gui.elements.UITextEntryLine(box, self.manager, placeholder_text="search (Ctrl+F)")
        self.entry.set_text(self.searched)
        self.stops.append(self.entry)
        self.button(pygame.Rect(left, top, side, px(36)), f"Grouped by {self.grouping}", self.regroup)
        y = self.panel.bottom - px(56)
        self.open_button = self.button(pygame.Rect(left, y, side, px(42)), "Open exhibit", self.open)
        self.button(pygame.Rect(self.panel.right - px(184), y, px(160), px(42)), "Back", self.app.pop)
        self._choose(self.chosen)

    def _groups_of(self, row: Technique) -> tuple[str, ...]:
        return (row.area,) if self.grouping == "area" else row.books

    def _groups(self) -> list[ListRow]:
        """Return the groups with the number of techniques that match the search.

        Books stand in the order of BOOKS, areas by name.
        """
        found = [row for row in self.rows if row.matches(self.searched)]
        counts: dict[str, int] = {}
        for row in self.rows:
            for group in self._groups_of(row):
                counts[group] = counts.get(group, 0) + (row in found)
        order = (*BOOKS, OTHER) if self.grouping == "source" else sorted(counts)
        rows = [ListRow("all", ("all", str(len(found))))]
        return rows + [ListRow(name, (SHORT.get(name, name), str(counts[name]))) for name in order if name in counts]

    def _shown(self) -> list[ListRow]:
        """Return name, question and source of each technique in the group that matches."""
        shown = [r for r in self.rows if self.group in ("all", *self._groups_of(r)) and r.matches(self.searched)]
        shown.sort(key=lambda row: row.area)
        self.by_name = {r.name: r for r in shown}
        return [ListRow(r.name, (r.name, r.question, r.source)) for r in shown]

    def _refill(self) -> None:
        self.groups.set_rows(self._groups(), self.group)
        self.list.set_rows(self._shown(), self.chosen)
        self._choose(self.list.chosen)

    def regroup(self) -> None:
        """Group by area or by source, in turn."""
        self.grouping, self.group = _NEXT[self.grouping], "all"
        self.resize()

    def search(self, words: str) -> None:
        """Show only the rows that contain all the words."""
        self.searched = words
        self._refill()

    def _choose(self, name: str) -> None:
        self.chosen = name if name in self.by_name else ""
        row = self.by_name.get(self.chosen)
        self.open_button.set_text("Open in Lab" if row is not None and row.kind == "mission" else "Open exhibit")
        if row is not None and row.kind != "none":
            self.open_button.enable()
        else:
            self.open_button.disable()

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; Ctrl+F moves to the search line.

        In the search line Escape clears it, and Enter and down move to the list.
        """
        if event.type == pygame.KEYDOWN:
            searching = self.focused is self.entry
            if event.key == pygame.K_f and event.mod & pygame.KMOD_CTRL:
                self._focus_on(self.entry)
                return
            if searching and event.key == pygame.K_ESCAPE and self.entry.get_text():
                self.entry.set_text("")
                self.search("")
                return
            if searching and event.key in (pygame.K_DOWN, pygame.K_RETURN, pygame.K_KP_ENTER):
                self._focus_on(self.list)
                if not self.list.chosen and self.list.rows:
                    self.list.chosen = self.list.rows[0].key
                self._choose(self.list.chosen)
                return
        super().handle(event)
        if event.type == pygame.MOUSEBUTTONDOWN and self.entry.rect.collidepoint(event.pos):
            self.focus = self.stops.index(self.entry)

    def _focus_on(self, stop: Any) -> None:
        self.focus = self.stops.index(stop)
        self.manager.set_focus_set({stop} if stop is self.entry else None)

    def update(self, dt_ms: int) -> None:
        """Search while you type."""
        super().update(dt_ms)
        if self.entry.get_text() != self.searched:
            self.search(self.entry.get_text())

    def list_moved(self, box: ListBox, what: str) -> None:
        """Filter by a selected group, or show or open a selected technique.

        A double click or Enter opens it.
        """
        if box is self.groups:
            self.group = box.chosen
            self.list.set_rows(self._shown(), self.chosen)
        self._choose(self.list.chosen)
        if what == "opened" and box is self.list:
            self.open()

    def open(self) -> None:
        """Open the exhibit of the selected technique, or its mission in Lab.

        The mission opens with the technique's overlay.
        """
        row = self.by_name.get(self.chosen)
        if row is not None and row.kind != "none":
            self.app.open_shown(ROOT / row.exhibit, row.overlay, row.slug)

    def paint(self, surface: pygame.Surface) -> None:
        """Draw panel, title, counts, and the lines of the selected row."""
        text, palette, panels = self.text, self.app.palette, self.app.panels
        panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(24), self.panel.y + text.px(16)
        title = text.draw(surface, (x, y), "Gallery", palette["ink"], "serif_bold", 32)
        shown = sum(row.kind == "exhibit" for row in self.rows)
        count = f"{len(self.rows)} techniques, {shown} in exhibits of their own" if self.rows else "nothing yet"
        text.draw(surface, (title.right + text.px(18), y + text.px(15)), count, panels.soft, size=16)
        self._paint_chosen(surface, self.list_rect.bottom + text.px(12))

    def _paint_chosen(self, surface: pygame.Surface, y: int) -> None:
        text, panels = self.text, self.app.panels
        px, x = text.px, self.panel.x + text.px(24)
        room = self.panel.width - px(48)
        row = self.by_name.get(self.chosen)
        if row is None:
            words = "Choose a technique: Enter or a double click opens what shows it."
            if not self.by_name:
                words = f"Nothing here has “{self.searched}” in it; Esc in the search line shows all again."
            text.draw(surface, (x, y), words, panels.soft, size=17)
            return
        question = row.question if row.kind == "exhibit" else row.name
        title = text.draw(surface, (x, y), question, panels.ink, "serif_bold", 21)
        if row.kind == "exhibit":
            left = title.right + px(16)
            name = text.shortened("sans", 16, row.name, self.panel.right - px(24) - left)
            text.draw(surface, (left, y + px(6)), name, panels.soft, size=16)
        about = row.line
        if row.kind == "mission":
            about = f"Shown {row.question}: opens it in Lab" + (
                f" with the overlay {row.overlay}." if row.overlay else "."
            )
        elif row.kind == "none":
            about = "In the library and its tests; nothing in the game shows it yet."
        if row.setting and row.kind == "exhibit":
            about += f" T switches {row.setting}."
        text.draw(surface, (x, y + px(32)), text.shortened("sans", 16, about, room), panels.ink, size=16)
        where = f"{row.source}      {row.module}      {title_of(row.exhibit) if row.exhibit else ''}"
        text.draw(surface, (x, y + px(56)), text.shortened("sans", 15, where, room), panels.soft, size=15)
        y += px(82)
        for head, line, font in (("What is there", row.claim, "sans"), ("Try this", row.try_this, "serif_italic")):
            if line:
                words = text.shortened(font, 16, line, room - px(112))
                text.draw(surface, (x, y), head, panels.ink, "serif_bold", 16)
                text.draw(surface, (x + px(112), y), words, panels.ink, font, 16)
                y += px(25)
