"""Painter of legends: a sample and words for each row, and reasons for emptiness."""

from __future__ import annotations

import pygame

from game.view.lab.exhibit_links import exhibit_of
from game.view.overlays.overlay import LabContext, LegendRow, Overlay, Scope
from game.view.painting.painter_services import PainterServices
from game.view.painting.text import TextDrawer

_TITLE, _ROW, _RAMP, _EMPTY, _MARKS = 24, 23, 20, 19, 19
_WIDE = ("lane", "ramp")


class Legend:
    """The legend of one overlay, read at most ten times a second."""

    def __init__(self, overlay: Overlay, context: LabContext, linked: bool = True) -> None:
        """Read the legend; ``linked`` off leaves out the link."""
        self.overlay = overlay
        self.rows = overlay.legend(context)
        self.empty = overlay.empty(context)
        """Reason for which nothing of the overlay can be seen now, or ""."""
        self.link = exhibit_of(overlay.name) if self.empty and linked else None
        """Technique whose exhibit shows the overlay, while nothing of it can be seen."""
        falls_back = overlay.scope == Scope.SELECTED and not context.selected
        self.scope = "no unit selected: all" if falls_back else str(overlay.scope)
        self.compact = False
        """True for two rows a line without numbers, where room is short."""


class LegendDrawer:
    """Draws legends in a window's text size."""

    def __init__(self, app: PainterServices, text: TextDrawer, width: int) -> None:
        """Create a painter; ``width`` is in pixels at normal text size."""
        self.app, self.text, self.width = app, text, width
        self.links: list[tuple[pygame.Rect, str]] = []
        """Boxes of links drawn last, with the slugs of their techniques."""
        self.spots: list[tuple[pygame.Rect, str]] = []
        """Boxes and words of the rows drawn last, for tool tips."""

    def words_at(self, pos: tuple[int, int]) -> str:
        """Return the words of the row under a pixel, or nothing."""
        return next((words for rect, words in self.spots if rect.collidepoint(pos)), "")

    def height(self, legends: list[Legend]) -> int:
        """Pixels that these need."""
        rows = sum(len(legend.rows) - len(self._paired(legend)) // 2 for legend in legends)
        ramps = sum(row.style == "ramp" for legend in legends for row in legend.rows)
        marks = sum(bool(row.marks) for legend in legends for row in legend.rows)
        empty = sum(len(self._reason(legend)) + len(self._link(legend)) for legend in legends)
        return self.text.px(14 + len(legends) * _TITLE + rows * _ROW + ramps * _RAMP + marks * _MARKS + empty * _EMPTY)

    def _reason(self, legend: Legend) -> list[str]:
        """Return the reason for emptiness as a sentence, broken into lines."""
        if not legend.empty:
            return []
        sentence = f"{legend.empty[0].upper()}{legend.empty[1:]}."
        return self.text.wrap("sans_italic", 15, sentence, self.text.px(self.width) - self.text.px(28))

    def _link(self, legend: Legend) -> list[str]:
        """Return the words that open the exhibit, or nothing where room is short."""
        if legend.link is None or legend.compact:
            return []
        words = legend.link.question if legend.link.kind == "exhibit" else legend.link.name
        return [self.text.shortened("sans_bold", 14, f"Open: {words}", self.text.px(self.width) - self.text.px(28))]

    def _paired(self, legend: Legend) -> list[LegendRow]:
        """Return the rows of a compact legend that share lines.

        Their number is even, and each has few words.
        """
        room = (self.text.px(self.width) - self.text.px(28)) // 2 - self.text.px(30)
        found = [row for row in legend.rows if row.style not in _WIDE] if legend.compact else []
        found = [row for row in found if self.text.size("sans_bold", 14, row.words)[0] <= room]
        return found[: len(found) // 2 * 2]

    def fitting(self, legends: list[Legend], room: int) -> list[Legend]:
        """Return as many legends, from the first on, as ``room`` pixels hold.

        The last ones are compact where that helps.
        """
        kept = list(legends)
        for legend in kept:
            legend.compact = False
        for legend in reversed(kept):
            if self.height(kept) <= room:
                break
            legend.compact = True
        while kept and self.height(kept) > room:
            kept.pop()
        return kept

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, legends: list[Legend]) -> None:
        """Draw a panel with legends, as wide as a box, at its corner.

        For a box without height the panel is as high as the legends need.
        """
        text, panels = self.text, self.app.panels
        px = text.px
        self.spots, self.links = [], []
        if not legends:
            return
        rect = pygame.Rect(*rect.topleft, rect.width, rect.height or self.height(legends))
        panels.draw(surface, rect)
        clip = surface.get_clip()
        surface.set_clip(rect.inflate(-6, -6))
        left, right = rect.x + px(14), rect.right - px(14)
        y = rect.y + px(6)
        for legend in legends:
            title = text.draw(surface, (left, y), legend.overlay.title, panels.ink, "serif_bold", 17)
            about = f"{legend.overlay.title}: {legend.overlay.question}"
            self.spots.append((pygame.Rect(left, y, right - left, px(_TITLE)), about))
            room, scope = right - title.right - px(8), legend.scope
            if text.size("sans", 14, scope)[0] > room:
                scope = text.shortened("sans", 14, scope.rpartition(": ")[2], room)
            text.draw(surface, (right, y + px(4)), scope, panels.soft, "sans", 14, "topright")
            y += px(_TITLE)
            for line in self._reason(legend):
                text.draw(surface, (left, y - px(2)), line, panels.ink, "sans_italic", 15)
                y += px(_EMPTY)
            for line in self._link(legend):
                box = text.draw(surface, (left, y - px(2)), line, self.app.palette["blue"], "sans_bold", 14)
                pygame.draw.line(
                    surface, self.app.palette["blue"], (box.x, box.bottom - 2), (box.right, box.bottom - 2)
                )
                assert legend.link is not None
                self.links.append((pygame.Rect(left, y - px(2), right - left, px(_EMPTY)), legend.link.slug))
                y += px(_EMPTY)
            paired = self._paired(legend)
            lanes = [row for row in legend.rows if row.style == "lane"]
            sizes = [text.size("sans_bold", 14, r.words)[0] + text.size("sans", 14, r.unit)[0] for r in lanes]
            head = max(sizes, default=0) + px(16)
            for row in legend.rows:
                if row not in paired:
                    top, y = y, y + self._draw_row(surface, rect, y, row, head)
                    # The row's own terms come first, then those of the overlay.
                    told = f"{row.words} {row.unit}. {about}"
                    self.spots.append((pygame.Rect(left, top, right - left, y - top), told))
            half = (rect.width - px(28)) // 2
            for i, row in enumerate(paired):
                box = pygame.Rect(left + i % 2 * half, y + i // 2 * px(_ROW) + px(5), px(18), px(12))
                self._sample(surface, box, row, self.app.palette["ink"])
                text.draw(surface, (box.right + px(6), box.y - px(4)), row.words, panels.ink, "sans_bold", 14)
            y += len(paired) // 2 * px(_ROW)
        surface.set_clip(clip)

    def _draw_row(self, surface: pygame.Surface, rect: pygame.Rect, y: int, row: LegendRow, head: int) -> int:
        """Draw a row; return its pixels. ``head`` is the room for words beside lanes."""
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px = text.px
        if row.style == "lane":
            self._lane(surface, pygame.Rect(rect.x + px(14), y + px(4), rect.width - px(28), px(15)), row, head)
            return px(_ROW)
        used, left = px(_ROW), rect.x + px(14)
        if row.style == "ramp":
            height = self._ramp(surface, pygame.Rect(left, y + px(3), rect.width - px(28), px(14)), row)
            y, used = y + height, used + height
        elif row.style != "plain":
            box = pygame.Rect(left, y + px(5), px(30), px(12))
            self._sample(surface, box, row, palette["ink"])
            left = box.right + px(9)
        words = text.shortened("sans_bold", 14, row.words, rect.right - px(14) - left)
        text.draw(surface, (left, y + px(1)), words, panels.ink, "sans_bold", 14)
        room = rect.right - px(14) - left - text.size("sans_bold", 14, row.words)[0] - px(8)
        if row.unit and text.size("sans", 14, row.unit)[0] <= room:
            text.draw(surface, (rect.right - px(14), y + px(1)), row.unit, panels.soft, "sans", 14, "topright")
        return used

    def _ramp(self, surface: pygame.Surface, box: pygame.Rect, row: LegendRow) -> int:
        """Draw a ramp with its ticks and their values; return the pixels used."""
        text, panels, px = self.text, self.app.panels, self.text.px
        ends = [box.x + k * box.width // len(row.ramp) for k in range(len(row.ramp) + 1)]
        for colour, a, b in zip(row.ramp, ends, ends[1:], strict=False):
            pygame.draw.rect(surface, colour, (a, box.y, b - a, box.height))
            pygame.draw.line(surface, panels.ink, (a, box.bottom - px(4)), (a, box.bottom))
        pygame.draw.rect(surface, panels.ink, box, 1)
        if not row.marks:
            return px(_RAMP)
        taken = box.x - px(4)
        for share, words in row.marks:
            wide, x = text.size("sans", 14, words)[0], box.x + round(share * (box.width - 1))
            pygame.draw.line(surface, panels.ink, (x, box.y), (x, box.bottom + px(4)))
            left = min(max(x - wide // 2, box.x), box.right - wide)
            if left > taken:
                text.draw(surface, (left, box.bottom + px(2)), words, panels.ink, "sans", 14)
                taken = left + wide + px(4)
        return px(_RAMP + _MARKS)

    def _lane(self, surface: pygame.Surface, box: pygame.Rect, row: LegendRow, head: int) -> None:
        """Draw words, number and a stroke for each of the last ticks.

        As many ticks are drawn as fit beside ``head`` pixels of words.
        """
        text, panels, px = self.text, self.app.panels, self.text.px
        room = max(box.width - head, 2)
        step = max(2, room // max(1, len(row.ticks)))
        ticks = row.ticks[-(room // step) :]
        lane = pygame.Rect(box.right - step * len(ticks), box.y, step * len(ticks), box.height)
        text.draw(surface, (box.x, box.y - px(3)), row.words, panels.ink, "sans_bold", 14)
        text.draw(surface, (lane.x - px(6), box.y - px(3)), row.unit, panels.soft, "sans", 14, "topright")
        pygame.draw.rect(surface, self.app.palette["mist"], lane)
        for k, ran in enumerate(ticks):
            if ran:
                surface.fill(row.colour, (lane.x + k * step, lane.y, max(1, step - 1), lane.height))

    def _sample(self, surface: pygame.Surface, box: pygame.Rect, row: LegendRow, ink: tuple[int, int, int]) -> None:
        if row.style in ("line", "dash"):
            pygame.draw.line(surface, ink, box.midleft, box.midright, 6)
            pygame.draw.line(
                surface, row.colour if row.style == "line" else (255, 255, 255), box.midleft, box.midright, 3
            )
            if row.style == "dash":
                for x in range(box.x, box.right, 11):
                    pygame.draw.line(surface, row.colour, (x, box.centery), (min(x + 6, box.right), box.centery), 3)
        elif row.style == "ring":
            pygame.draw.circle(surface, row.colour, box.center, box.height // 2 + 1, 3)
        elif row.style == "ruled":
            clip = surface.get_clip()
            surface.set_clip(box)
            for k in range(-box.height, box.width, 6):
                pygame.draw.line(surface, row.colour, (box.x + k, box.bottom), (box.x + k + box.height, box.y))
            surface.set_clip(clip)
            pygame.draw.rect(surface, ink, box, 1)
        elif row.style == "hatch":
            clip = surface.get_clip()
            surface.set_clip(box)
            for k in range(-box.height, box.width, 6):
                pygame.draw.line(surface, row.colour, (box.x + k, box.bottom), (box.x + k + box.height, box.y))
                pygame.draw.line(surface, row.colour, (box.x + k, box.y), (box.x + k + box.height, box.bottom))
            surface.set_clip(clip)
            pygame.draw.rect(surface, ink, box, 1)
        else:
            pygame.draw.rect(surface, row.colour, box)
            pygame.draw.rect(surface, ink, box, 1)
