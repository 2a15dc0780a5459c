"""Options: window, size of words, sound, edge pan, motion, keys."""

from __future__ import annotations

from typing import Any

import pygame

from game.view.options import SIZES
from game.view.screens.screen import MenuScreen


class OptionsScreen(MenuScreen):
    """Every option is one row; a change is applied and kept at once."""

    def build(self) -> None:
        """One button a choice, a slider for the volume."""
        import pygame_gui

        px, window, o = self.app.text.px, self.app.window, self.app.options
        self.plate = pygame.Rect(0, 0, min(px(760), window.get_width() - 40), min(px(560), window.get_height() - 40))
        self.plate.center = window.get_rect().center
        self.rows: list[tuple[str, int]] = []
        y = self.plate.y + px(84)
        left, right = self.plate.x + px(250), self.plate.right - px(24)

        def row(label: str) -> int:
            nonlocal y
            self.rows.append((label, y))
            y += px(52)
            return y - px(52)

        def choices(label: str, items: list[tuple[str, Any, bool]]) -> None:
            top = row(label)
            width = (right - left) // len(items)
            for i, (words, action, chosen) in enumerate(items):
                made = self.button(pygame.Rect(left + i * width, top, width - px(8), px(38)), words, action)
                if chosen:
                    made.select()

        choices(
            "Window",
            [(f"{w}x{h}", self._size(w, h), (w, h) == (o.width, o.height)) for w, h in SIZES],
        )
        choices(
            "Fullscreen",
            [
                ("Off", self._set("fullscreen", False), not o.fullscreen),
                ("On", self._set("fullscreen", True), o.fullscreen),
            ],
        )
        choices(
            "Size of words", [(f"{s:g}x", self._set("ui_scale", s), s == o.ui_scale) for s in (1.0, 1.25, 1.5, 2.0)]
        )
        top = row("Sound")
        self.volume = pygame_gui.elements.UIHorizontalSlider(
            pygame.Rect(left, top, right - left - px(8), px(38)), round(o.volume * 100), (0, 100), self.manager
        )
        choices(
            "Pan at the edge",
            [("Off", self._set("edge_pan", False), not o.edge_pan), ("On", self._set("edge_pan", True), o.edge_pan)],
        )
        choices(
            "Motion",
            [
                ("Full", self._set("reduced_motion", False), not o.reduced_motion),
                ("Reduced", self._set("reduced_motion", True), o.reduced_motion),
            ],
        )
        choices(
            "Keys",
            [("Arrows pan", self._set("wasd", False), not o.wasd), ("WASD pans", self._set("wasd", True), o.wasd)],
        )
        self.button(pygame.Rect(right - px(168), self.plate.bottom - px(62), px(160), px(44)), "Back", self.app.pop)

    def _set(self, name: str, value: Any) -> Any:
        def change() -> None:
            setattr(self.app.options, name, value)
            self.app.apply_options()

        return change

    def _size(self, width: int, height: int) -> Any:
        def change() -> None:
            self.app.options.width, self.app.options.height = width, height
            self.app.apply_options()

        return change

    def handle(self, event: pygame.event.Event) -> None:
        """The slider sets the volume as it moves."""
        import pygame_gui

        super().handle(event)
        if event.type == pygame_gui.UI_HORIZONTAL_SLIDER_MOVED and event.ui_element is self.volume:
            self.app.options.volume = event.value / 100
            self.app.sound.volume = self.app.options.volume

    def leave(self) -> None:
        """Keep what the slider has set."""
        from game.view.options import config_folder, write_options

        write_options(self.app.options, config_folder() / "options.toml")

    def paint(self, surface: pygame.Surface) -> None:
        """Plate, title, labels of the rows."""
        text, palette = self.app.text, self.app.palette
        self.app.plates.draw(surface, self.plate)
        text.draw(
            surface,
            (self.plate.x + text.px(24), self.plate.y + text.px(18)),
            "Options",
            palette["ink"],
            "serif_bold",
            32,
        )
        for label, y in self.rows:
            text.draw(surface, (self.plate.x + text.px(24), y + text.px(8)), label, palette["ink"], size=17)
        from game.view.options import config_folder

        hint = f"Any key: {config_folder() / 'keys.toml'}"
        text.draw(
            surface, (self.plate.x + text.px(24), self.plate.bottom - text.px(50)), hint, self.app.plates.soft, size=14
        )
