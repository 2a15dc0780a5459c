"""The HUD: objective, alarm state, clock, minimap, selection and command card.

It draws a :class:`HudState`, which is filled at most ten times a second. It also says which part of the HUD is at a
pixel.
"""

from __future__ import annotations

import math
from copy import copy
from dataclasses import fields

import pygame

from game.view.hud import formation_bar, squad_card
from game.view.hud.command_cell import CellLook, draw_cell
from game.view.hud.hud_layout import HudLayout, lay_out
from game.view.hud.hud_values import HudState
from game.view.input.command_table import BAR, BY_NAME, PLACES, card_of, is_on
from game.view.painting.painter_services import PainterServices
from game.view.painting.paper_panels import Panels
from game.view.painting.unit_picture import Picture
from game.view.stealth.light_gem import draw_gem
from game.view.units.figures import FigurePainter
from game.view.units.sprites import Sprites

EVERY_MS = 100
"""Milliseconds between two drawings of the panels.

They are drawn at once when they answer the player. In between they are copied from the last drawing.
"""
AT_LEAST_MS = 1000
"""Milliseconds after which panels are drawn again although they show the same."""


_SLOW = tuple(f.name for f in fields(HudState) if f.name not in ("distance", "direction", "clock"))
"""Values that seldom change: all but those of the objective's needle and the clock."""


def _contents(state: HudState, p: Picture) -> tuple[object, ...]:
    """Return copies of the values that seldom change, and the looks of portraits."""
    rows = [p.row_of[unit] for unit, *_ in state.portraits if unit in p.row_of]
    looks = [(int(p.alive[r]), int(p.asleep[r]), int(p.target[r]) >= 0, int(p.stance[r])) for r in rows]
    values = (copy(getattr(state, name)) for name in _SLOW)
    return (*values, looks)


class Hud:
    """Draws the panels of the HUD."""

    def __init__(self, app: PainterServices, sprites: Sprites, figures: FigurePainter, night: bool = False) -> None:
        self.app = app
        self.sprites = sprites
        self.figures = figures
        self.night = night
        self._by_night = Panels(app.palette, night=True)
        self.panels = app.panels
        self._dark = False
        self._stamp: tuple[object, ...] = ()
        self._contents: tuple[object, ...] = ()
        self._drawn_at = self._compared_at = -AT_LEAST_MS
        self.small_icons: dict[tuple[str, str, int], pygame.Surface] = {}
        self._kept: dict[tuple[int, ...], pygame.Surface] = {}
        self.layout: HudLayout = lay_out(app.window.get_size(), app.options.ui_scale, 0, 0)

    def arrange(self, state: HudState) -> None:
        """Lay out the panels for the window and the selection."""
        count = len(state.portraits) + (1 if state.more else 0)
        self.layout = lay_out(
            self.app.window.get_size(), self.app.options.ui_scale, count, len(state.groups), state.situation.sandbox,
            formation_bar.shows(state.situation), state.chips, state.light is not None, state.drawer,
            squad_card.rows_shown(state),
        )  # fmt: skip

    def part_at(self, pos: tuple[int, int], state: HudState) -> tuple[str, str] | None:
        """Return (part, detail) of the HUD under a pixel, or None.

        The parts are card/command, drawer, portrait/id, group/number, minimap, clock and plate.
        """
        layout = self.layout
        name = formation_bar.part_under(layout, pos, state.drawer)
        if name:
            return ("drawer", name) if name in formation_bar.DRAWERS else ("card", name)
        for i, command in enumerate(card_of(state.situation, state.page)):
            if layout.card_cell(i).collidepoint(pos):
                return "card", command.name
        for i, name in enumerate(PLACES):
            if layout.placing.width and layout.placing_cell(i).collidepoint(pos):
                return "card", name
        if layout.minimap.collidepoint(pos):
            return "minimap", ""
        for i, number in enumerate(state.groups):
            if layout.group_cell(i).collidepoint(pos):
                return "group", str(number)
        for i, (unit, *_rest) in enumerate(state.portraits):
            box = layout.portrait_cell(i, len(state.groups))
            if (box if layout.columns else box.inflate(0, 30)).collidepoint(pos):
                return "portrait", str(unit)
        if layout.clock.collidepoint(pos):
            return "clock", "pause" if pos[0] > layout.clock.right - round(56 * layout.scale) else "faster"
        return ("plate", "") if layout.covers(pos) else None

    def draw(self, surface: pygame.Surface, state: HudState, p: Picture, lab: bool = False) -> None:
        """Draw all panels except the inside of the minimap."""
        self._dark = self.night and not lab
        self.panels = self._by_night if self._dark else self.app.panels
        stamp = self._stamp_of(state, lab)
        if self._kept and stamp == self._stamp and self.app.now_ms - self._drawn_at < AT_LEAST_MS:
            same = self.app.now_ms - self._compared_at < EVERY_MS
            if same or _contents(state, p) == self._contents:
                self._draw_kept(surface, state, lab, not same)
                return
        self._stamp, self._contents = stamp, _contents(state, p)
        self._drawn_at = self._compared_at = self.app.now_ms
        self._draw_panels(surface, state, p, lab)
        rects = (self.layout.objective,) if lab else self.layout.panels
        window = surface.get_rect()
        self._kept = {tuple(rect): surface.subsurface(rect).copy() for rect in rects if window.contains(rect)}
        if len(self._kept) < len(rects):
            self._kept = {}

    def _draw_kept(self, surface: pygame.Surface, state: HudState, lab: bool, anew: bool) -> None:
        """Copy the panels of the last drawing.

        With ``anew`` the objective and the clock are drawn again.
        """
        for rect, picture in self._kept.items():
            self.panels.draw_shadow(surface, pygame.Rect(rect))
            surface.blit(picture, rect)
        if not anew:
            return
        self._compared_at = self.app.now_ms
        self._draw_objective(surface, state)
        if not lab:
            self._draw_clock(surface, state)
        for box in (self.layout.objective,) if lab else (self.layout.objective, self.layout.clock):
            self._kept[tuple(box)] = surface.subsurface(box).copy()

    def _stamp_of(self, state: HudState, lab: bool) -> tuple[object, ...]:
        """Return the values whose change must be drawn at once.

        Other changes wait for the next drawing.
        """
        units = tuple(unit for unit, *_ in state.portraits)
        answer = (state.hover, state.armed, state.held, state.paused, state.speed, state.alarm, state.objective)
        return (
            *answer, units, state.more, tuple(state.groups.items()), state.situation, self._dark, lab, self.layout,
            state.page,
        )  # fmt: skip

    def _draw_panels(self, surface: pygame.Surface, state: HudState, p: Picture, lab: bool) -> None:
        self._draw_objective(surface, state)
        if not lab:
            self._draw_alarm(surface, state)
            self._draw_clock(surface, state)
            self._draw_card(surface, state)
            if self.layout.squad.width:
                squad_card.draw_squad(surface, self.layout.squad, self.app.text, self.panels, state)
            if self.layout.placing.width:
                self._draw_placing(surface, state)
            self.panels.draw(surface, self.layout.minimap)
            self._draw_selection(surface, state, p)
            if self.layout.bar.width:
                formation_bar.draw_bar(self, surface, state, self._dark)

    def icon(self, surface: pygame.Surface, name: str, centre: tuple[int, int], size: int, scheme: str = "day") -> None:
        """Draw an icon centred on a pixel, in its day or night form."""
        scheme = {"day": "night", "off": "night_off"}.get(scheme, scheme) if self._dark else scheme
        cell = self.sprites.icon_cell(name, scheme, size)
        if cell is not None:
            surface.blit(cell.surface, (centre[0] + cell.dx, centre[1] + cell.dy))

    def _draw_objective(self, surface: pygame.Surface, state: HudState) -> None:
        rect, text, panels = self.layout.objective, self.app.text, self.panels
        panels.draw(surface, rect)
        px = text.px
        left = px(44 if self.layout.tight else 54)
        self.icon(surface, state.icon, (rect.x + left // 2 + px(1), rect.centery), px(36))
        title = state.objective or "Sandbox"
        size = 19
        while size > 14 and text.size("serif_bold", size, title)[0] > rect.width - left - px(8):
            size -= 1
        text.draw(surface, (rect.x + left, rect.y + px(5)), title, panels.ink, "serif_bold", size)
        if state.distance >= 0:
            knob = (rect.right - px(26), rect.bottom - px(17))
            text.draw(
                surface,
                (knob[0] - px(18), knob[1] - px(9)),
                f"{state.distance:.0f} m",
                panels.ink,
                "sans_bold",
                15,
                "topright",
            )
            ink = self.app.palette["ink"]
            pygame.draw.circle(surface, ink, knob, px(13))
            pygame.draw.circle(surface, self.app.palette["yellow"], knob, px(11))
            c, s = math.cos(state.direction), math.sin(state.direction)
            tip = (knob[0] + c * px(7), knob[1] + s * px(7))
            pygame.draw.line(surface, ink, (knob[0] - c * px(7), knob[1] - s * px(7)), tip, px(3))
            for sign in (1, -1):
                a = state.direction + math.pi + sign * 0.7
                pygame.draw.line(surface, ink, tip, (tip[0] + math.cos(a) * px(6), tip[1] + math.sin(a) * px(6)), px(3))
        taken = px(54) + text.size("sans_bold", 15, f"{state.distance:.0f} m")[0] if state.distance >= 0 else px(8)
        then = text.shortened("sans", 15, state.then, rect.width - left - taken)
        text.draw(surface, (rect.x + left, rect.y + px(29)), then, panels.soft, "sans", 15)

    def _draw_alarm(self, surface: pygame.Surface, state: HudState) -> None:
        rect, text, panels, palette = self.layout.alarm, self.app.text, self.panels, self.app.palette
        panels.draw(surface, rect)
        scheme = "amber" if state.alarm in ("Suspicion", "Search") else "day"
        self.icon(surface, state.alarm_icon, (rect.x + text.px(26), rect.centery), text.px(36), scheme)
        count = f" {state.alarm_count}" if state.alarm_count else ""
        size = 18 if self.layout.tight else 20
        while size > 14 and text.size("serif_bold", size, state.alarm + count)[0] > rect.width - text.px(66):
            size -= 1
        colour = palette["cone_night" if self._dark else "vermilion"] if state.alarm == "Alarm" else panels.ink
        words = text.draw(
            surface, (rect.x + text.px(50), rect.centery), state.alarm, colour, "serif_bold", size, "midleft"
        )
        if state.alarm_count:
            text.draw(
                surface,
                (words.right + text.px(9), rect.centery),
                str(state.alarm_count),
                colour,
                "sans_bold",
                18,
                "midleft",
            )

    def _draw_clock(self, surface: pygame.Surface, state: HudState) -> None:
        rect, text, panels = self.layout.clock, self.app.text, self.panels
        panels.draw(surface, rect)
        px = text.px
        text.draw(surface, (rect.x + px(12), rect.centery), state.clock, panels.ink, "sans_bold", 21, "midleft")
        x = rect.right - px(100)
        y = rect.centery
        pygame.draw.polygon(surface, panels.ink, ((x, y - px(8)), (x + px(12), y), (x, y + px(8))))
        words = {0.5: "½x"}.get(state.speed, f"{state.speed:g}x")
        text.draw(surface, (x + px(17), y), words, panels.ink, "sans_bold", 17, "midleft")
        for i in range(2):
            bar = pygame.Rect(rect.right - px(46 - i * 9), y - px(9), px(5), px(18))
            pygame.draw.rect(surface, self.app.palette["vermilion"] if state.paused else panels.ink, bar)

    def _draw_selection(self, surface: pygame.Surface, state: HudState, p: Picture) -> None:
        layout, text, panels, palette = self.layout, self.app.text, self.panels, self.app.palette
        rect = layout.selection
        panels.draw(surface, rect)
        if layout.gem.width and state.light is not None:
            gem, px = layout.gem, text.px
            draw_gem(surface, palette, (gem.centerx + px(3), gem.y + px(30)), px(20), state.light)
            words = f"lit {state.light * 100:.0f}"
            at = (gem.centerx + px(3), gem.bottom - px(14))
            text.draw(surface, at, words, panels.ink, "sans_bold", 14, "center")
        for i, (number, (words, chosen)) in enumerate(state.groups.items()):
            cell = layout.group_cell(i)
            pygame.draw.rect(surface, palette["blue"] if chosen else panels.paper, cell)
            label = str(number) if layout.tight else f"{number} {words}"
            label = text.shortened("sans_bold", 16, label, cell.width - text.px(6))
            pygame.draw.rect(surface, panels.hair, cell, 1)
            colour = palette["white"] if chosen else panels.soft
            text.draw(surface, cell.center, label, colour, "sans_bold", 16, "center")
        if not state.portraits and not state.more:
            if not state.groups:
                text.draw(surface, rect.center, "no unit selected", panels.soft, "sans", 15, "center")
            return
        clip = surface.get_clip()
        surface.set_clip(rect.inflate(-8, -6))
        for i, (unit, name, hp, hp_max) in enumerate(state.portraits):
            cell = layout.portrait_cell(i, len(state.groups))
            pygame.draw.rect(surface, palette["night"] if self._dark else palette.grounds["grass"], cell)
            row = p.row_of.get(unit)
            if row is not None:
                self.figures.portrait(surface, cell, p, row)
            pygame.draw.rect(surface, panels.ink, cell, 1)
            if unit in state.roles:
                squad_card.draw_role(surface, cell, text, palette, state.roles[unit], bool(layout.columns))
            if unit in state.loads:
                self.icon(surface, "chest", (cell.right - text.px(9), cell.y + text.px(9)), text.px(18))
            if unit in state.noticed:
                pygame.draw.rect(surface, palette["amber"], cell, 2 if layout.columns else 3)
            if unit in state.noticed and not layout.columns:
                self.icon(surface, "eye", (cell.x + text.px(9), cell.y + text.px(9)), text.px(18), "amber")
            self._name_and_hp(surface, cell, name, hp, hp_max)
        if state.more:
            cell = layout.portrait_cell(len(state.portraits), len(state.groups))
            text.draw(surface, cell.center, f"+{state.more}", panels.ink, "sans_bold", 20, "center")
        surface.set_clip(clip)

    def _name_and_hp(self, surface: pygame.Surface, cell: pygame.Rect, name: str, hp: int, hp_max: int) -> None:
        """Draw a unit's name and its wound boxes.

        A chip has only the boxes, at its foot.
        """
        text, panels, palette = self.app.text, self.panels, self.app.palette
        boxes = min(max(hp_max, 1), 5)
        full = round(boxes * max(hp, 0) / max(hp_max, 1)) if hp_max > 5 else hp
        top = cell.bottom - text.px(5)
        if not self.layout.columns:
            number = name.rpartition(" ")[2]
            line = f"No. {number}" if number.isdigit() else name  # the number tells the soldiers of a crowd apart
            while len(line) > 1 and text.size("sans_bold", 14, line)[0] > cell.width + text.px(3):
                line = line[:-1]
            text.draw(surface, (cell.x, cell.bottom), line, panels.ink, "sans_bold", 14)
            top = cell.bottom + text.px(18)
        pitch = cell.width / boxes
        for k in range(boxes):
            box = pygame.Rect(cell.x + round(k * pitch), top, round(pitch) - 2, text.px(5))
            lost = k >= full
            blue = palette["select_night" if self._dark else "blue"]
            pygame.draw.rect(surface, palette["cone_night" if self._dark else "vermilion"] if lost else blue, box, lost)

    def _draw_card(self, surface: pygame.Surface, state: HudState) -> None:
        layout, panels = self.layout, self.panels
        panels.draw(surface, layout.card)
        for i, command in enumerate(card_of(state.situation, state.page)):
            chosen = command.name in (state.armed, state.held) or is_on(command, state.situation)
            look = CellLook(bool(command.reason(state.situation)), chosen, state.hover == command.name)
            draw_cell(self, surface, command, layout.card_cell(i), look)

    def _draw_placing(self, surface: pygame.Surface, state: HudState) -> None:
        """Draw the sandbox's buttons: a figure of each side."""
        self.panels.draw(surface, self.layout.placing)
        for i, (name, (side, _)) in enumerate(PLACES.items()):
            cell = self.layout.placing_cell(i)
            self.panels.draw(surface, cell, "chosen" if state.armed == name else "button")
            self.figures.standing(surface, cell.center, side)

    def draw_tip(self, surface: pygame.Surface, state: HudState) -> None:
        """Draw the tooltip of the hovered command, or the reason for its refusal."""
        command = BY_NAME.get(state.hover)
        if command is None:
            return
        text, panels = self.app.text, self.panels
        reason = command.reason(state.situation)
        in_bar = (command in BAR or command.group == "squad") and self.layout.bar.width
        help_words = formation_bar.tip_words(command, state.situation) if in_bar else command.help
        label = self.app.keymap.label(command.name)
        lines = [f"{command.words}  ({label})", reason or help_words or f"click a {command.target}"]
        width = max(text.size("sans_bold", 16, lines[0])[0], text.size("sans", 15, lines[1])[0]) + text.px(28)
        rect = pygame.Rect(0, 0, width, text.px(54))
        rect.bottomright = self.layout.card.right, self.layout.card.top - text.px(8)
        if in_bar:
            above = self.layout.drawer if self.layout.drawer.width else self.layout.bar
            rect.midbottom = above.centerx, above.top - text.px(8)
        if state.hover in PLACES:
            rect.topleft = self.layout.placing.left, self.layout.placing.bottom + text.px(8)
        panels.draw(surface, rect)
        text.draw(surface, (rect.x + text.px(14), rect.y + text.px(6)), lines[0], panels.ink, "sans_bold", 16)
        colour = self.app.palette["vermilion"] if reason else panels.soft
        text.draw(surface, (rect.x + text.px(14), rect.y + text.px(27)), lines[1], colour, "sans", 15)
