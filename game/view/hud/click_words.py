"""Words beside the cursor: the effect of a click."""

from __future__ import annotations

import pygame

from game.view.input.command_table import BY_NAME
from game.view.input.order_input import Under
from game.view.painting.palette import RGB
from game.view.painting.text import TextDrawer

OFFSET = 20
"""Interface pixels from the cursor to its words."""


def click_words(name: str, under: Under, reachable: bool, target: str) -> str:
    """Return the words for a click that means the order ``name``.

    ``target`` is the name of the unit under the cursor. A plain move has no words.
    """
    if not name:
        return ""
    if not reachable:
        return "no way there"
    if name == "attack":
        return f"attack {target}" if target else "attack"
    if name == "use":
        return f"use {under.thing_words}" if under.thing_words else "use"
    command = BY_NAME.get(name)
    return "" if command is None or name == "move" else command.words.lower()


def draw_click_words(
    surface: pygame.Surface, text: TextDrawer, pos: tuple[int, int], words: str, ink: RGB, halo: RGB
) -> None:
    """Write the words below and right of the cursor, inside the window."""
    line = text.line("sans_bold", 15, words, ink, halo)
    rect = line.get_rect(topleft=(pos[0] + text.px(OFFSET), pos[1] + text.px(OFFSET)))
    surface.blit(line, rect.clamp(surface.get_rect().inflate(-8, -8)))
