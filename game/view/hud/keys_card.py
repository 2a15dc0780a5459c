"""The F1 cards, made from the table that handles the keys."""

from __future__ import annotations

import pygame

from game.view.input.command_table import COMMANDS, GROUP_WORDS, MOUSE_HELP
from game.view.input.player_command import Command
from game.view.painting.painter_services import PainterServices
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.units.sprites import Sprites
from game.world.groups.drill import SHAPE_WORDS

NEED_TWELVE, NEED_ALL = (800, 440), (1240, 720)
"""Window sizes in interface pixels that hold each card.

In a smaller window the text is smaller.
"""
TOGETHER = {
    "pan_left": ("Pan left, right, up, down", "pan_down"), "pan_right": ("", ""), "pan_up": ("", ""),
    "pan_down": ("", ""), "zoom_in": ("Zoom in, zoom out", "zoom_out"), "zoom_out": ("", ""),
    "faster": ("Faster, slower", "slower"), "slower": ("", ""), "quick_save": ("Quick save, quick load", "quick_load"),
    "quick_load": ("", ""), "time_back": ("A second back, on", "time_on"), "time_on": ("", ""),
    "place_raider": ("Place a raider ... a white", "place_white"), "place_guard": ("", ""),
    "undo_stroke": ("Undo a stroke, redo it", "redo_stroke"), "redo_stroke": ("", ""),
    "place_yellow": ("", ""), "place_white": ("", ""), "next_unit": ("Next unit, unit before", "previous_unit"),
    "look_at_selection": ("Look at selection, follow it", "follow"), "follow": ("", ""),
    "previous_unit": ("", ""), "click": ("Left button, add", "click_add"), "click_add": ("", ""),
    "order_here": ("Right button, queue it", "queue_here"), "queue_here": ("", ""),
    "time_start": ("To the start, the present", "time_present"), "time_present": ("", ""),
    "time_former_decision": ("Decision before, next", "time_next_decision"), "time_next_decision": ("", ""),
    "time_former_stop": ("Stop before, next", "time_next_stop"), "time_next_stop": ("", ""),
    "time_former_mark": ("Mark before, next", "time_next_mark"), "time_next_mark": ("", ""),
    "next_avoidance": ("Avoidance, steering: next", "next_steering"), "next_steering": ("", ""),
}  # fmt: skip
"""Words and last command of a row that commands share."""
TWELVE = tuple(command for command in COMMANDS if command.first)[:12]


def draw_keys_card(surface: pygame.Surface, app: PainterServices, sprites: Sprites, everything: bool) -> None:
    """Draw twelve keys in two columns, or all keys by group."""
    if everything:
        _draw_all(surface, app)
    else:
        _draw_twelve(surface, app, sprites)


def _key_box(surface: pygame.Surface, text: TextDrawer, panels: Panels, x: int, y: int, label: str, width: int) -> None:
    box = pygame.Rect(x, y, max(width, text.size("sans_bold", 15, label)[0] + text.px(14)), text.px(26))
    panels.draw(surface, box, "button")
    text.draw(surface, box.center, label, panels.ink, "sans_bold", 15, "center")


def _draw_twelve(surface: pygame.Surface, app: PainterServices, sprites: Sprites) -> None:
    text, panels = app.text.within(surface.get_size(), NEED_TWELVE), app.panels
    px = text.px
    rect = pygame.Rect(0, 0, px(760), px(396))
    rect.center = surface.get_rect().center
    panels.draw(surface, rect)
    text.draw(surface, (rect.x + px(24), rect.y + px(14)), "Twelve keys", panels.ink, "serif_bold", 26)
    again = f"{app.keymap.label('keys')} again: all of them"
    text.draw(surface, (rect.right - px(24), rect.y + px(22)), again, panels.soft, "sans", 16, "topright")
    for i, command in enumerate(TWELVE):
        column, row = divmod(i, 6)
        x, y = rect.x + px(24 + column * 364), rect.y + px(64 + row * 42)
        _key_box(surface, text, panels, x, y, app.keymap.label(command.name), px(64))
        if command.icon:
            cell = sprites.icon_cell(command.icon, "day", px(36))
            if cell is not None:
                surface.blit(cell.surface, (x + px(88) + cell.dx, y + px(13) + cell.dy))
        text.draw(surface, (x + px(114), y + px(2)), _name(command), panels.ink, "sans_bold", 16)
        room = px(238) - text.size("sans_bold", 16, _name(command))[0]
        if text.size("sans", 15, command.help)[0] <= room:
            at = (x + px(122) + text.size("sans_bold", 16, _name(command))[0], y + px(3))
            text.draw(surface, at, command.help, panels.soft, "sans", 15)
    y = rect.y + px(326)
    pygame.draw.line(surface, panels.hair, (rect.x + px(24), y), (rect.right - px(24), y))
    words = "  ".join(f"{name}: {what}." for name, what in MOUSE_HELP[:3])
    for i, line in enumerate(text.wrap("sans", 15, words, rect.width - px(48))[:2]):
        text.draw(surface, (rect.x + px(24), y + px(10 + 22 * i)), line, panels.ink, "sans", 15)


def _name(command: Command) -> str:
    return "Groups 1 to 9" if command.name == "group_1" else command.words


def _draw_all(surface: pygame.Surface, app: PainterServices) -> None:
    text, panels = app.text.within(surface.get_size(), NEED_ALL), app.panels
    px = text.px
    rect = surface.get_rect().inflate(-px(60), -px(30))
    rect.width = min(rect.width, px(1180))
    rect.height = min(rect.height, px(690))
    rect.center = surface.get_rect().center
    panels.draw(surface, rect)
    text.draw(surface, (rect.x + px(24), rect.y + px(14)), "All keys", panels.ink, "serif_bold", 26)
    columns = (
        ("order", "tool", "pointer", "sandbox", "squad"),
        ("formation", "choose", "timeline"),
        ("time", "lab", "game", "camera"),
    )
    width = (rect.width - px(48)) // 3
    for i, groups in enumerate(columns):
        x, y = rect.x + px(24) + i * width, rect.y + px(60)
        for group in groups:
            text.draw(surface, (x, y), GROUP_WORDS[group], panels.ink, "serif_bold", 18)
            y += px(22)
            for label, words in _rows(app, group):
                text.draw(surface, (x, y), label, panels.ink, "sans_bold", 15)
                text.draw(surface, (x + px(126), y), words, panels.soft, "sans", 15)
                y += px(17)
            y += px(4)
    y = rect.bottom - px(72)
    words = "   ".join(f"{name}: {what}." for name, what in MOUSE_HELP)
    for i, line in enumerate(text.wrap("sans", 15, words, rect.width - px(48))[:3]):
        text.draw(surface, (rect.x + px(24), y + px(21 * i)), line, panels.ink, "sans", 15)


def _rows(app: PainterServices, group: str) -> list[tuple[str, str]]:
    """Return (label, words) of a group's commands; the nine selection groups share a row."""
    rows = []
    for command in COMMANDS:
        if command.group != group:
            continue
        name = command.name
        stem = name.rstrip("0123456789")
        if stem.endswith("group_") and not name.endswith("_1"):
            continue
        if name.removeprefix("form_") in SHAPE_WORDS:
            if name == "form_loose":
                rows.append((app.keymap.label(name) + " to 9", "Loose, line, column, box ..."))
            continue
        if command.group == "squad" and name != "squad_menu":
            continue  # the menu shows their keys
        if name in TOGETHER:
            words, last = TOGETHER[name]
            if last:
                between = " ... " if name in ("pan_left", "place_raider") else " "
                rows.append((app.keymap.label(name) + between + app.keymap.label(last), words))
            continue
        if stem.endswith("_view_"):
            if name.endswith("_1"):
                rows.append((app.keymap.label(name) + " to F8", command.words.replace(" 1", "s 1 to 4")))
            continue
        if name.startswith("lens_"):
            if name == "lens_paths":
                last = app.keymap.label("lens_body")
                rows.append((f"{app.keymap.label(name)} to {last}", "Lenses: Paths, Motion, Senses ..."))
            continue
        label = app.keymap.label(name)
        words = command.words
        if stem.endswith("group_"):
            label, words = label + " to 9", words.replace(" 1", "s 1 to 9")
        rows.append((label, words))
    return rows
