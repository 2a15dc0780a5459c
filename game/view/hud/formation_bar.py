"""The formation bar: shapes, spacing and options of the selected group.

It is shown while several units are selected.
"""

from __future__ import annotations

from typing import Protocol

import pygame

from game.view.hud.hud_values import HudState
from game.view.input.command_table import BAR
from game.view.input.formation_commands import next_play
from game.view.input.player_command import Command, Situation
from game.view.painting.painter_services import PainterServices
from game.view.painting.paper_panels import Panels
from game.view.units.sprites import Sprites
from game.world.groups.drill import PLAY, SHAPE_WORDS, Matching, Rally

CELL, GAP, INSET, HEIGHT = 25, 2, 5, 35
"""Sizes in interface pixels."""
ICON = 23
WIDTH = 2 * INSET + len(BAR) * (CELL + GAP) - GAP

RALLY_WORDS = {
    Rally.AHEAD: "now: just ahead of the foremost",
    Rally.START: "now: in their middle",
    Rally.DESTINATION: "now: at the end, each by himself",
}
MATCHING_WORDS = {
    Matching.OPTIMAL: "now: least way in all",
    Matching.SORTED: "now: in ranks and files",
    Matching.NEAREST: "now: nearest first",
    Matching.BY_TYPE: "now: the toughest in front",
    Matching.ARRIVAL: "now: the first to come takes the middle",
}


class BarPlace(Protocol):
    """Layout of the HUD as far as the bar uses it."""

    @property
    def bar(self) -> pygame.Rect:
        """Return the box of the bar in screen pixels."""

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
    """Return the box of the bar: centred, and above the panels it would overlap.

    It has two rows in a window that is too narrow for one.
    """
    rows = 1 if round(WIDTH * scale) <= size[0] - 2 * round(12 * scale) else 2
    per_row = -(-len(BAR) // rows)
    width = round((2 * INSET + per_row * (CELL + GAP) - GAP) * scale)
    height = round((HEIGHT + (rows - 1) * (CELL + GAP)) * scale)
    rect = pygame.Rect((size[0] - width) // 2, 0, width, height)
    rect.bottom = size[1] - round(12 * scale)
    for _ in below:
        for panel in below:
            if rect.colliderect(panel.inflate(0, round(12 * scale))):
                rect.bottom = panel.top - round(8 * scale)
    return rect


def cell_rect(bar: pygame.Rect, scale: float, index: int) -> pygame.Rect:
    """Return the box of the n-th command."""
    cell, pitch, inset = round(CELL * scale), (CELL + GAP) * scale, round(INSET * scale)
    per_row = max(1, round((bar.width - 2 * INSET * scale + GAP * scale) / pitch))
    row, column = divmod(index, per_row)
    return pygame.Rect(bar.x + inset + round(column * pitch), bar.y + inset + round(row * pitch), cell, cell)


def is_chosen(command: Command, situation: Situation) -> bool:
    """Return whether a command matches the current drill.

    A shape matches if the group has it; an option matches if it is on.
    """
    drill = situation.drill
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
    """Draw the bar and its cells."""
    bar, scale = hud.layout.bar, hud.layout.scale
    hud.panels.draw(surface, bar)
    for i, command in enumerate(BAR):
        cell = cell_rect(bar, scale, i)
        off = bool(command.reason(state.situation))
        chosen = not off and is_chosen(command, state.situation)
        hud.panels.draw(surface, cell, "chosen" if chosen else "off" if off else "button")
        if state.hover == command.name and not off and not chosen:
            pygame.draw.rect(surface, hud.app.palette["yellow"], cell.inflate(-4, -4), 2)
        scheme = "on" if chosen else "off" if off else "day"
        if dark:
            scheme = {"day": "night", "off": "night_off"}.get(scheme, scheme)
        picture = _icon(hud, command.icon, scheme, round(ICON * scale))
        if picture is not None:
            surface.blit(picture, picture.get_rect(center=cell.center))


def _icon(hud: BarOwner, name: str, scheme: str, size: int) -> pygame.Surface | None:
    """Return an icon scaled down from the large one; the HUD caches it."""
    key = (name, scheme, size)
    if key not in hud.small_icons:
        sheet = hud.sprites.sheet(f"icons.{scheme}.72")
        hud.small_icons[key] = pygame.transform.smoothscale(sheet.sprite(name).image, (size, size))
    return hud.small_icons[key]
