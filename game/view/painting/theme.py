"""Theme of pygame_gui's menus and forms, in the style of the HUD's panels."""

from __future__ import annotations

from typing import Any

import pygame_gui

from game.view.painting.palette import RGB, Palette, mix
from game.view.painting.paper_panels import Panels
from game.view.painting.text import SMALLEST, font_file


def _hex(colour: RGB) -> str:
    return "#{:02X}{:02X}{:02X}".format(*colour)


def make_theme(palette: Palette, scale: float, night: bool = False) -> dict[str, Any]:
    """Return theme data for a UIManager.

    Font sizes and borders follow the interface scale; nothing is a scaled bitmap.
    """
    plates = Panels(palette, night)
    paper, ink, blue = plates.paper, plates.ink, palette["blue"]
    size = max(round(17 * scale), SMALLEST)

    def font(kind: str, points: int) -> dict[str, str]:
        file = str(font_file(kind))
        faces = ("regular_path", "bold_path", "italic_path", "bold_italic_path")
        size = str(max(round(points * scale), SMALLEST))
        return {"name": f"fogline_{kind}", "size": size, **dict.fromkeys(faces, file)}

    flat = {"shape": "rectangle", "border_width": str(max(2, round(2 * scale))), "shadow_width": "0"}
    colours = {
        "dark_bg": _hex(paper),
        "normal_bg": _hex(paper),
        "hovered_bg": _hex(mix(paper, palette["yellow"], 0.35)),
        "disabled_bg": _hex(mix(paper, palette["mist"], 0.6)),
        "selected_bg": _hex(blue),
        "active_bg": _hex(mix(paper, blue, 0.25)),
        "normal_text": _hex(ink),
        "hovered_text": _hex(ink),
        "disabled_text": _hex(mix(ink, paper, 0.42)),
        "selected_text": _hex(palette["white"]),
        "active_text": _hex(ink),
        "normal_border": _hex(ink),
        "hovered_border": _hex(ink),
        "disabled_border": _hex(mix(ink, paper, 0.5)),
        "selected_border": _hex(ink),
        "active_border": _hex(ink),
        "link_text": _hex(blue),
        "link_hover": _hex(blue),
        "filled_bar": _hex(blue),
        "unfilled_bar": _hex(palette["mist"]),
        "text_cursor": _hex(ink),
    }
    misc: dict[str, Any] = {"colours": colours, "misc": flat}
    return {
        "defaults": {"font": font("sans_bold", 17), **misc},
        "button": {"font": font("sans_bold", 17), **misc},
        "#big_button": {"font": font("serif_bold", 21), **misc},
        "label": {
            "font": font("sans", 16),
            "colours": {**colours, "dark_bg": "#00000000"},
            "misc": {"text_horiz_alignment": "left"},
        },
        "#title": {"font": font("serif_bold", 40), "misc": {"text_horiz_alignment": "left"}},
        "selection_list": {"misc": {**flat, "list_item_height": str(round(size * 1.8))}, "colours": colours},
        "@selection_list_item": {
            "font": font("sans", 16),
            "colours": {**colours, "normal_border": _hex(paper), "hovered_border": _hex(paper)},
            "misc": {**flat, "border_width": "0", "text_horiz_alignment": "left"},
        },
        "text_entry_line": {"font": font("sans", 16), "colours": colours, "misc": {**flat, "padding": "10,4"}},
        "text_box": {"font": font("sans", 16), **misc},
        "horizontal_slider": {"misc": {**flat, "enable_arrow_buttons": "0"}, "colours": colours},
    }


def make_manager(size: tuple[int, int], palette: Palette, scale: float, night: bool = False) -> pygame_gui.UIManager:
    """Return a UIManager for a window size, with the game's theme."""
    return pygame_gui.UIManager(size, theme_path=make_theme(palette, scale, night), enable_live_theme_updates=False)
