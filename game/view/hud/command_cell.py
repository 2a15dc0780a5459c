"""Cell of the command card: background, icon and key label.

Shift is drawn as an arrow, because "Shift+" does not fit into a small cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import pygame

from game.view.input.player_command import Command
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import RGB
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

ICON = 36
KEY_SIZE = 14


class CardOwner(Protocol):
    """Object that draws the cells of the command card: the HUD."""

    panels: Panels

    @property
    def app(self) -> PainterServices:
        """Services that all screens share."""

    def icon(self, surface: pygame.Surface, name: str, centre: tuple[int, int], size: int, scheme: str = "day") -> None:
        """Draw an icon centred on a pixel."""


@dataclass(frozen=True)
class CellLook:
    """State of a cell.

    ``off``: the command cannot be given now. ``chosen``: it is on, or it waits for its target. ``hover``: the
    cursor is on it.
    """

    off: bool = False
    chosen: bool = False
    hover: bool = False


def draw_cell(hud: CardOwner, surface: pygame.Surface, command: Command, cell: pygame.Rect, look: CellLook) -> None:
    """Draw the cell of one command."""
    text, panels, palette = hud.app.text, hud.panels, hud.app.palette
    panels.draw(surface, cell, "chosen" if look.chosen else "off" if look.off else "button")
    if look.hover and not look.off and not look.chosen:
        pygame.draw.rect(surface, palette["yellow"], cell.inflate(-4, -4), 2)
    size = min(text.px(ICON), round(cell.width * 0.82))
    shift = text.px(3) if cell.width >= text.px(40) else text.px(4)
    centre = (cell.centerx + shift, cell.centery + shift)
    hud.icon(surface, command.icon, centre, size, "on" if look.chosen else "off" if look.off else "day")
    colour = palette["white"] if look.chosen else panels.soft if look.off else panels.ink
    back = palette["blue"] if look.chosen else None if look.off else panels.paper
    draw_key(
        surface, text, hud.app.keymap.label(command.name), (cell.x + text.px(4), cell.y + text.px(1)), colour, back
    )


def draw_key(
    surface: pygame.Surface, text: TextDrawer, label: str, at: tuple[int, int], colour: RGB, halo: RGB | None = None
) -> None:
    """Draw the label of a key; ``Shift+`` becomes an arrow upward."""
    x, y = at
    if label.startswith("Shift+"):
        label = label.removeprefix("Shift+")
        high, wide = text.px(9), text.px(8)
        top = y + text.px(4)
        points = [
            (x + wide // 2, top), (x + wide, top + high // 2), (x + wide * 3 // 4, top + high // 2),
            (x + wide * 3 // 4, top + high), (x + wide // 4, top + high), (x + wide // 4, top + high // 2),
            (x, top + high // 2),
        ]  # fmt: skip
        if halo is not None:
            pygame.draw.polygon(surface, halo, points, 3)
        pygame.draw.polygon(surface, colour, points, 1)
        x += wide + text.px(2)
    text.draw(
        surface, (x - (2 if halo else 0), y - (2 if halo else 0)), label, colour, "sans_bold", KEY_SIZE, halo=halo
    )
