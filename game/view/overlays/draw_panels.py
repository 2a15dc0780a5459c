"""Lab's panels: badge, list of overlays, legend, queue, inspector, and the value under the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from game.view.camera import Camera
from game.view.overlays.inspector import HEIGHT, draw_inspector
from game.view.overlays.lenses import LENSES
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay

if TYPE_CHECKING:
    from game.view.app import App
    from game.view.overlays.panel import OverlaySet
    from game.view.scene import View

WIDTH = 250
_ROW = 22


class LabPanels:
    """Places and draws the panels; remembers where what can be clicked lies."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._rects: list[pygame.Rect] = []
        self._parts: list[tuple[pygame.Rect, tuple[str, str]]] = []
        self._legends: list[tuple[Overlay, list[LegendRow]]] = []
        self._lines: dict[str, list[tuple[str, str]]] = {}
        self._kept: list[tuple[pygame.Rect, pygame.Surface]] = []
        self._kept_inspector: list[tuple[pygame.Rect, pygame.Surface]] = []

    @property
    def rects(self) -> list[pygame.Rect]:
        """Where panels stand."""
        return self._rects

    def covers(self, pos: tuple[int, int]) -> bool:
        """Whether a pixel lies on a panel."""
        return any(rect.collidepoint(pos) for rect in self._rects)

    def part_at(self, pos: tuple[int, int]) -> tuple[str, str] | None:
        """(lens or overlay, name) under a pixel."""
        return next((what for rect, what in self._parts if rect.collidepoint(pos)), None)

    def draw(
        self, surface: pygame.Surface, context: LabContext, overlays: OverlaySet, lens: str,
        registered: list[type[Overlay]], view: View, fresh: bool,
    ) -> None:  # fmt: skip
        """Badge, list and legend; ``fresh``: values may be read again."""
        if fresh or {o.name for o, _ in self._legends} != {o.name for o in overlays.on}:
            self._legends = [(o, o.legend(context)) for o in overlays.on]
            self._lines = {o.name: o.panel_lines(context) for o in overlays.of(Channel.PANEL)}
        self._draw_badge(surface, context, view)
        if not fresh and self._kept:
            for rect, picture in self._kept:
                self.app.plates.draw_shadow(surface, rect)
                surface.blit(picture, rect)
            return
        self._rects, self._parts = [], []
        bottom = self._draw_list(surface, overlays, lens, registered)
        self._draw_legend(surface, bottom)
        self._draw_lines(surface, context, overlays)
        self._kept = _pictures(surface, self._rects)

    def _draw_badge(self, surface: pygame.Surface, context: LabContext, view: View) -> None:
        text, palette = self.app.text, self.app.palette
        words = "fog lifted, no medal" if view.lift_fog else "no medal"
        tick = f"tick {context.playing.picture.tick}" + (", paused" if context.playing.clock.paused else "")
        line = f"LAB   {words}   {tick}"
        width = text.size("serif_bold", 18, line)[0] + text.px(72)
        rect = pygame.Rect(0, text.px(12), width, text.px(44))
        rect.centerx = surface.get_width() // 2
        notch = text.px(14)
        shape = [
            rect.topleft, rect.topright, (rect.right - notch, rect.centery), rect.bottomright, rect.bottomleft,
            (rect.left + notch, rect.centery),
        ]  # fmt: skip
        pygame.draw.polygon(surface, palette["yellow"], shape)
        pygame.draw.polygon(surface, palette["ink"], shape, 2)
        text.draw(surface, rect.center, line, palette["ink"], "serif_bold", 18, "center")

    def _draw_list(
        self, surface: pygame.Surface, overlays: OverlaySet, lens: str, registered: list[type[Overlay]]
    ) -> int:
        text, plates, palette = self.app.text, self.app.plates, self.app.palette
        px = text.px
        question = overlays.on[-1].question if overlays.on else ""
        asked = text.wrap("serif_italic", 16, question, px(WIDTH - 28)) if question else []
        height = px(44 + 2 * 32 + 8 + len(registered) * _ROW + 12) + len(asked) * px(21) + (px(10) if asked else 0)
        rect = pygame.Rect(surface.get_width() - px(WIDTH + 12), px(12), px(WIDTH), height)
        self._rects.append(rect)
        plates.draw(surface, rect)
        text.draw(surface, (rect.x + px(14), rect.y + px(8)), "Overlays", plates.ink, "serif_bold", 21)
        keymap = self.app.keymap
        hint = f"{keymap.label('lab')} Play   {keymap.label('lift_fog')} fog"
        text.draw(surface, (rect.right - px(14), rect.y + px(14)), hint, plates.soft, "sans", 15, "topright")
        cell_width = (rect.width - px(28)) // 3
        for i, name in enumerate(LENSES):
            row, column = divmod(i, 3)
            cell = pygame.Rect(
                rect.x + px(14) + column * cell_width, rect.y + px(42 + row * 32), cell_width - px(5), px(26)
            )
            chosen = name == lens
            plates.draw(surface, cell, "chosen" if chosen else "button")
            label = f"{keymap.label(f'lens_{name}')} {name.capitalize()}"
            colour = palette["white"] if chosen else plates.ink
            text.draw(surface, cell.center, label, colour, "sans_bold", 14, "center")
            self._parts.append((cell, ("lens", name)))
        y = rect.y + px(42 + 2 * 32 + 6)
        for cls in registered:
            self._draw_entry(surface, rect, y, cls, overlays)
            y += px(_ROW)
        if asked:
            y += px(4)
            pygame.draw.line(surface, plates.hair, (rect.x + px(14), y), (rect.right - px(14), y))
            for i, line in enumerate(asked):
                text.draw(surface, (rect.x + px(14), y + px(4) + i * px(21)), line, plates.ink, "serif_italic", 16)
        return rect.bottom

    def _draw_entry(
        self, surface: pygame.Surface, rect: pygame.Rect, y: int, cls: type[Overlay], overlays: OverlaySet
    ) -> None:
        text, plates, palette = self.app.text, self.app.plates, self.app.palette
        px = text.px
        on = overlays.is_on(cls.name)
        box = pygame.Rect(rect.x + px(14), y + px(4), px(16), px(16))
        pygame.draw.rect(surface, palette["blue"] if on else plates.paper, box)
        pygame.draw.rect(surface, plates.ink, box, 2)
        if on:
            points = [
                (box.x + px(3), box.centery),
                (box.x + px(7), box.bottom - px(4)),
                (box.right - px(3), box.y + px(4)),
            ]
            pygame.draw.lines(surface, palette["white"], False, points, max(px(2), 2))
        colour = plates.ink if on else plates.soft
        text.draw(surface, (box.right + px(9), y + px(1)), cls.title, colour, "sans_bold" if on else "sans", 16)
        note = overlays.put_out.get(cls.name, "") if not on else ""
        words = note or str(cls.channel)
        text.draw(surface, (rect.right - px(14), y + px(3)), words, plates.soft, "sans", 14, "topright")
        self._parts.append((pygame.Rect(rect.x + px(8), y, rect.width - px(16), px(_ROW)), ("overlay", cls.name)))

    def _draw_legend(self, surface: pygame.Surface, top: int) -> None:
        px = self.app.text.px
        if not self._legends:
            return
        rect = pygame.Rect(surface.get_width() - px(WIDTH + 12), 0, px(WIDTH), self._legend_height(self._legends))
        rect.bottom = surface.get_height() - px(12)
        if rect.top < top + px(8):
            rect.right -= px(WIDTH + 8)  # no room below the list: beside it
        self._rects.append(rect)
        self.draw_legend_in(surface, rect, self._legends)

    def _legend_height(self, legends: list[tuple[Overlay, list[LegendRow]]]) -> int:
        rows = sum(len(legend) for _, legend in legends)
        ramps = sum(row.style == "ramp" for _, legend in legends for row in legend)
        return self.app.text.px(14 + len(legends) * 24 + rows * 23 + ramps * 20)

    def draw_legend_in(
        self, surface: pygame.Surface, rect: pygame.Rect, legends: list[tuple[Overlay, list[LegendRow]]]
    ) -> None:
        """A plate with legends at the box's corner and as wide as it; as high as they need when it has no height."""
        text, plates = self.app.text, self.app.plates
        px = text.px
        if not legends:
            return
        rect = pygame.Rect(*rect.topleft, rect.width, rect.height or self._legend_height(legends))
        plates.draw(surface, rect)
        clip = surface.get_clip()
        surface.set_clip(rect.inflate(-6, -6))
        y = rect.y + px(6)
        for o, legend in legends:
            text.draw(surface, (rect.x + px(14), y), o.title, plates.ink, "serif_bold", 17)
            text.draw(surface, (rect.right - px(14), y + px(4)), str(o.scope), plates.soft, "sans", 14, "topright")
            y += px(24)
            for row in legend:
                y += self._draw_row(surface, rect, y, row)
        surface.set_clip(clip)

    def _draw_row(self, surface: pygame.Surface, rect: pygame.Rect, y: int, row: LegendRow) -> int:
        text, plates, palette = self.app.text, self.app.plates, self.app.palette
        px = text.px
        if row.style == "ramp":
            width = (rect.width - px(28)) // len(row.ramp)
            for i, colour in enumerate(row.ramp):
                pygame.draw.rect(surface, colour, (rect.x + px(14) + i * width, y + px(3), width, px(14)))
            pygame.draw.rect(surface, plates.ink, (rect.x + px(14), y + px(3), width * len(row.ramp), px(14)), 1)
            y += px(20)
            left = rect.x + px(14)
        else:
            box = pygame.Rect(rect.x + px(14), y + px(5), px(30), px(12))
            self._sample(surface, box, row, palette["ink"])
            left = box.right + px(9)
        text.draw(surface, (left, y + px(1)), row.words, plates.ink, "sans_bold", 14)
        room = rect.right - px(14) - left - text.size("sans_bold", 14, row.words)[0] - px(8)
        if row.unit and text.size("sans", 14, row.unit)[0] <= room:
            text.draw(surface, (rect.right - px(14), y + px(1)), row.unit, plates.soft, "sans", 14, "topright")
        return px(43) if row.style == "ramp" else px(23)

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

    def _draw_lines(self, surface: pygame.Surface, context: LabContext, overlays: OverlaySet) -> None:
        """Screen panels, below the objective."""
        text, plates = self.app.text, self.app.plates
        px = text.px
        y = px(78)
        for o in overlays.of(Channel.PANEL):
            lines = self._lines.get(o.name, [])
            chart = o.panel_chart(context)
            height = px(40 + len(lines) * 22 + 8) + (px(46) if chart is not None else 0)
            rect = pygame.Rect(px(12), y, px(322), height)
            self._rects.append(rect)
            plates.draw(surface, rect)
            text.draw(surface, (rect.x + px(14), rect.y + px(7)), o.title, plates.ink, "serif_bold", 18)
            at = rect.y + px(36)
            if chart is not None:
                self._draw_chart(surface, pygame.Rect(rect.x + px(14), at, rect.width - px(28), px(38)), chart, context)
                at += px(46)
            for what, value in lines:
                text.draw(surface, (rect.x + px(14), at), what, plates.soft, "sans", 15)
                text.draw(surface, (rect.right - px(14), at), value, plates.ink, "sans_bold", 15, "topright")
                at += px(22)
            y = rect.bottom + px(10)

    def _draw_chart(self, surface: pygame.Surface, rect: pygame.Rect, values: object, context: LabContext) -> None:
        from game.view.overlays.panel import chart_points

        pygame.draw.rect(surface, self.app.palette["mist"], rect)
        points = chart_points(values, rect)  # type: ignore[arg-type]
        if len(points) > 1:
            pygame.draw.lines(surface, context.palette.overlay["full"], False, points, 2)
        pygame.draw.rect(surface, self.app.plates.hair, rect, 1)

    def draw_inspector(
        self,
        surface: pygame.Surface,
        context: LabContext,
        unit: int,
        words: tuple[str, list[tuple[str, str]]],
        fresh: bool,
    ) -> None:
        """The unit inspector, bottom left."""
        if not fresh and self._kept_inspector:
            rect, picture = self._kept_inspector[0]
            self.app.plates.draw_shadow(surface, rect)
            surface.blit(picture, rect)
            return
        px = self.app.text.px
        width = min(px(620), surface.get_width() - px(WIDTH + 48))
        rect = pygame.Rect(px(12), surface.get_height() - px(HEIGHT + 40 + 12), width, px(HEIGHT + 40))
        self._rects.append(rect)
        draw_inspector(surface, rect, context, self.app.plates, unit, words)
        self._kept_inspector = _pictures(surface, [rect])

    def draw_value(
        self,
        surface: pygame.Surface,
        camera: Camera,
        context: LabContext,
        cursor: tuple[int, int],
        value: str,
        overlays: OverlaySet,
    ) -> None:
        """The tile under the cursor and what the overlays say of it."""
        text, plates = self.app.text, self.app.plates
        tile = camera.tile_at(*cursor)
        if tile is None:
            return
        row, column = tile
        x, y = camera.to_screen(column, row)
        if camera.zoom >= 8:
            pygame.draw.rect(surface, plates.ink, (x, y, camera.zoom, camera.zoom), 2)
        from game.level.model import GROUNDS

        ground = GROUNDS[int(context.playing.level.ground[row, column])].replace("_", " ")
        below = f"tile {column}, {row}   {ground}"
        width = max(text.size("sans_bold", 16, value)[0], text.size("sans", 14, below)[0]) + text.px(24)
        rect = pygame.Rect(cursor[0] + 24, cursor[1] + 16, width, text.px(48))
        rect.clamp_ip(surface.get_rect())
        plates.draw(surface, rect)
        text.draw(surface, (rect.x + text.px(12), rect.y + text.px(4)), value, plates.ink, "sans_bold", 16)
        text.draw(surface, (rect.x + text.px(12), rect.y + text.px(25)), below, plates.soft, "sans", 14)


def _pictures(surface: pygame.Surface, rects: list[pygame.Rect]) -> list[tuple[pygame.Rect, pygame.Surface]]:
    """Copies of what was just drawn: panels are drawn ten times a second and blitted in between."""
    inside = [rect.clip(surface.get_rect()) for rect in rects]
    return [(rect, surface.subsurface(rect).copy()) for rect in inside if rect.width and rect.height]
