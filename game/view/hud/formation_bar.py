"""The formation bar: shapes and options of the selected group, and the squad menu.

It is shown while several units are selected.
"""

from __future__ import annotations

from typing import Protocol

import pygame

from game.view.hud.hud_values import HudState
from game.view.input.command_table import BAR
from game.view.input.formation_commands import next_play
from game.view.input.intent_commands import SQUAD_COMMANDS
from game.view.input.player_command import Command, Situation
from game.view.painting.painter_services import PainterServices
from game.view.painting.paper_panels import Panels
from game.view.units.sprites import Sprites
from game.world.groups.drill import PLAY, SHAPE_WORDS, Matching, Rally

CELL, GAP, INSET, HEIGHT = 25, 2, 3, 31
NAMED_WIDTH, MORE_WIDTH, SQUAD_WIDTH, ROW_WIDTH = 82, 50, 58, 172
"""Sizes in interface pixels.

The widths are those of a named shape, of the two drawers' buttons and of a row in a drawer.
"""
ICON = 23
_FIRST = ("form_loose", "form_line", "form_column", "form_wedge")
NAMED = tuple(command for name in _FIRST for command in BAR if command.name == name)
"""Shapes that the bar names; the drawer holds the other commands."""
IN_DRAWER = tuple(command for command in BAR if command not in NAMED)
WIDTH = 2 * INSET + len(NAMED) * (NAMED_WIDTH + GAP) + MORE_WIDTH + GAP + SQUAD_WIDTH
DRAWERS = {"more": IN_DRAWER, "squad": SQUAD_COMMANDS}
"""Commands in each drawer, by the name of its button."""
DRAWER_COLUMNS = 3

RALLY_WORDS = {
    Rally.AHEAD: "now: just ahead of the first unit",
    Rally.START: "now: in their middle",
    Rally.DESTINATION: "now: at the end, each unit alone",
}
MATCHING_WORDS = {
    Matching.OPTIMAL: "now: shortest lines in all",
    Matching.SORTED: "now: in ranks and files",
    Matching.NEAREST: "now: nearest first",
    Matching.BY_TYPE: "now: the toughest in front",
    Matching.ARRIVAL: "now: the first to arrive takes the middle",
}


class BarPlace(Protocol):
    """Layout of the HUD as far as the bar uses it."""

    @property
    def bar(self) -> pygame.Rect:
        """Return the box of the bar in screen pixels."""

    @property
    def drawer(self) -> pygame.Rect:
        """The box of the open drawer, empty while it is shut."""

    @property
    def scale(self) -> float:
        """Screen pixels of one interface pixel."""


class BarOwner(Protocol):
    """Part of the HUD that the bar uses."""

    panels: Panels
    sprites: Sprites
    small_icons: dict[tuple[str, str, int], pygame.Surface]

    @property
    def app(self) -> PainterServices:
        """Services that all screens share."""

    @property
    def layout(self) -> BarPlace:
        """Layout that holds the box of the bar."""


def shows(situation: Situation) -> bool:
    """Return whether the bar is shown.

    It is shown while several units are selected and the game is not over.
    """
    return len(situation.selected) > 1 and not situation.over


def bar_rect(size: tuple[int, int], scale: float, below: list[pygame.Rect]) -> pygame.Rect:
    """Return the box of the bar: centred, and above the panels it would overlap."""
    rect = pygame.Rect(0, 0, round(WIDTH * scale), round(HEIGHT * scale))
    rect.centerx = size[0] // 2
    rect.bottom = size[1] - round(12 * scale)
    for _ in below:
        for panel in below:
            if rect.colliderect(panel.inflate(0, round(12 * scale))):
                rect.bottom = panel.top - round(8 * scale)
    return rect


def drawer_rect(size: tuple[int, int], scale: float, bar: pygame.Rect, name: str = "more") -> pygame.Rect:
    """Return the box of the open drawer, above the bar."""
    columns = max(1, min(DRAWER_COLUMNS, int((size[0] / scale - 24 - 2 * INSET) // ROW_WIDTH)))
    rows = -(-len(DRAWERS[name]) // columns)
    rect = pygame.Rect(0, 0, round((2 * INSET + columns * ROW_WIDTH) * scale), 0)
    rect.height = round((2 * INSET + rows * (CELL + GAP) - GAP) * scale)
    rect.midbottom = bar.centerx, bar.top - round(8 * scale)
    return rect.clamp(pygame.Rect((0, 0), size))


def cell_rect(place: BarPlace, name: str) -> pygame.Rect:
    """Return the box of a command, on the bar or in the open drawer.

    ``more`` and ``squad`` are the buttons of the drawers.
    """
    scale, bar, drawer = place.scale, place.bar, place.drawer
    inset, cell = round(INSET * scale), round(CELL * scale)
    named = [command.name for command in NAMED]
    if name in named or name in DRAWERS:
        index = named.index(name) if name in named else len(named)
        after = MORE_WIDTH + GAP if name == "squad" else 0
        left = bar.x + inset + round((index * (NAMED_WIDTH + GAP) + after) * scale)
        width = {"more": MORE_WIDTH, "squad": SQUAD_WIDTH}.get(name, NAMED_WIDTH)
        return pygame.Rect(left, bar.y + inset, round(width * scale), cell)
    held = [c.name for c in next((row for row in DRAWERS.values() if name in {c.name for c in row}), ())]
    if not drawer.width or name not in held:
        return pygame.Rect(0, 0, 0, 0)
    columns = max(1, round((drawer.width / scale - 2 * INSET) / ROW_WIDTH))
    column, row = divmod(held.index(name), -(-len(held) // columns))
    left = drawer.x + inset + round(column * ROW_WIDTH * scale)
    return pygame.Rect(left, drawer.y + inset + round(row * (CELL + GAP) * scale), round((ROW_WIDTH - 4) * scale), cell)


def part_under(place: BarPlace, pos: tuple[int, int], drawer: str = "") -> str:
    """Return the command or drawer button at a pixel, or nothing."""
    if not place.bar.width:
        return ""
    names = [*(c.name for c in NAMED), *DRAWERS, *(c.name for c in DRAWERS.get(drawer, ()))]
    return next((name for name in names if cell_rect(place, name).collidepoint(pos)), "")


def is_chosen(command: Command, situation: Situation) -> bool:
    """Return whether a command matches the current drill.

    A shape matches if the group has it; an option matches if it is on.
    """
    drill = situation.drill
    if command.group == "squad":
        return False
    if command.name == "form_play":
        return drill.shape == PLAY
    shape = SHAPE_WORDS.get(command.name.removeprefix("form_"))
    if shape is not None:
        return drill.shape == shape
    return {"form_slowest": drill.slowest, "form_together": drill.together}.get(
        command.name, False
    ) and drill.shape >= 0


def tip_words(command: Command, situation: Situation) -> str:
    """Return the tooltip of a command: its effect and its current value."""
    drill = situation.drill
    if command.name in ("form_closer", "form_wider"):
        return f"{command.help}; now {drill.spacing:.1f} m"
    if command.name == "form_matching":
        return MATCHING_WORDS[Matching(drill.matching)]
    if command.name == "form_ranks":
        return f"now: {drill.ranks} deep" if drill.ranks else "now: as deep as the shape has it"
    if command.name == "form_rally":
        return RALLY_WORDS[Rally(drill.rally)]
    if command.name == "form_play":
        then = next_play(situation)[1]
        now = next((label for name, label in situation.plays if drill.shape == PLAY and name == drill.play), "")
        return f"now: {now}; again: {then}" if now else f"{then}: places are kept for some"
    if command.name in ("form_slowest", "form_together"):
        return f"{command.help}: {'on' if is_chosen(command, situation) else 'off'}"
    return command.help


def draw_bar(hud: BarOwner, surface: pygame.Surface, state: HudState, dark: bool) -> None:
    """Draw the bar with its named shapes, and the drawer while it is open."""
    layout, text = hud.layout, hud.app.text
    hud.panels.draw(surface, layout.bar)
    for command in NAMED:
        _draw_command(hud, surface, command, state, dark)
    for name in DRAWERS:
        button, opened = cell_rect(layout, name), state.drawer == name
        hud.panels.draw(surface, button, "chosen" if opened else "button")
        colour = hud.app.palette["white"] if opened else hud.panels.ink
        text.draw(surface, button.center, name.capitalize(), colour, "sans_bold", 15, "center")
    if layout.drawer.width:
        hud.panels.draw(surface, layout.drawer)
        for command in DRAWERS.get(state.drawer, ()):
            _draw_command(hud, surface, command, state, dark)


def _draw_command(hud: BarOwner, surface: pygame.Surface, command: Command, state: HudState, dark: bool) -> None:
    """Draw a cell with icon and name."""
    text, palette, panels = hud.app.text, hud.app.palette, hud.panels
    cell = cell_rect(hud.layout, command.name)
    off = bool(command.reason(state.situation))
    chosen = not off and is_chosen(command, state.situation)
    panels.draw(surface, cell, "chosen" if chosen else "off" if off else "button")
    if state.hover == command.name and not off and not chosen:
        pygame.draw.rect(surface, palette["yellow"], cell.inflate(-4, -4), 2)
    scheme = "on" if chosen else "off" if off else "day"
    if dark:
        scheme = {"day": "night", "off": "night_off"}.get(scheme, scheme)
    picture = _icon(hud, command.icon, scheme, text.px(ICON))
    left = cell.x + text.px(3)
    if picture is not None:
        surface.blit(picture, picture.get_rect(midleft=(left, cell.centery)))
        left += picture.get_width() + text.px(3)
    colour = palette["white"] if chosen else panels.soft if off else panels.ink
    words = text.shortened("sans_bold", 14, command.words, cell.right - left - 2)
    text.draw(surface, (left, cell.centery), words, colour, "sans_bold", 14, "midleft")


def _icon(hud: BarOwner, name: str, scheme: str, size: int) -> pygame.Surface | None:
    """Return an icon scaled down from the large one; the HUD caches it."""
    key = (name, scheme, size)
    if key not in hud.small_icons:
        sheet = hud.sprites.sheet(f"icons.{scheme}.72")
        hud.small_icons[key] = pygame.transform.smoothscale(sheet.sprite(name).image, (size, size))
    return hud.small_icons[key]
