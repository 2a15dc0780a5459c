"""Knobs: a slider for a range, chips for choices.

A knob holds no value: it draws the value it is given.
"""

from __future__ import annotations

import pygame

from game.checks.exhibit_table import Knob
from game.view.painting.palette import Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

Value = bool | int | float | str
HEIGHT = 48


def words_of(value: Value) -> str:
    """Return a value as a knob shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, int | float) else value.replace("_", " ")


class KnobRow:
    """Knob in a box.

    ``value_at`` returns the value that a press on a pixel selects.
    """

    def __init__(self, knob: Knob, rect: pygame.Rect, scale: float) -> None:
        self.knob = knob
        self.rect = rect
        self.scale = scale
        self.track = pygame.Rect(rect.x, rect.y + round(26 * scale), rect.width, round(16 * scale))

    def _chips(self) -> list[tuple[pygame.Rect, Value]]:
        choices = self.knob.choices
        width = self.track.width // max(len(choices), 1)
        return [
            (
                pygame.Rect(
                    self.track.x + i * width, self.track.y - round(3 * self.scale), width - 4, round(24 * self.scale)
                ),
                v,
            )
            for i, v in enumerate(choices)
        ]

    def value_at(self, pos: tuple[int, int]) -> Value | None:
        """Return the value for a press at ``pos``, or None without a chip."""
        if self.knob.choices:
            return next((v for rect, v in self._chips() if rect.collidepoint(pos)), None)
        low, high = float(self.knob.low or 0.0), float(self.knob.high or 0.0)
        share = min(max((pos[0] - self.track.x) / max(self.track.width - 1, 1), 0.0), 1.0)
        return self._stepped(low + share * (high - low))

    def turned(self, value: Value, by: int) -> Value:
        """Return the value ``by`` steps from ``value``, within the knob's range."""
        if self.knob.choices:
            choices = self.knob.choices
            at = next((i for i, v in enumerate(choices) if v == value), 0)
            return choices[min(max(at + by, 0), len(choices) - 1)]
        return self._stepped(float(value) + by * self._step())

    def _step(self) -> float:
        low, high = float(self.knob.low or 0.0), float(self.knob.high or 0.0)
        return self.knob.step or (high - low) / 20

    def _stepped(self, value: float) -> float:
        low, high, step = float(self.knob.low or 0.0), float(self.knob.high or 0.0), self._step()
        return round(min(max(low + round((value - low) / step) * step, low), high), 6)

    def draw(
        self, surface: pygame.Surface, text: TextDrawer, panels: Panels, palette: Palette, value: Value, chosen: bool
    ) -> None:
        """Draw label, value, and the slider or the chips."""
        colour = palette["blue"] if chosen else panels.ink
        taken = 0 if self.knob.choices else text.size("sans_bold", 16, words_of(value))[0] + text.px(10)
        size = next(
            (n for n in (16, 15, 14) if text.size("sans_bold", n, self.knob.label)[0] + taken <= self.rect.width), 14
        )
        label = text.shortened("sans_bold", size, self.knob.label, self.rect.width - taken)
        text.draw(surface, self.rect.topleft, label, colour, "sans_bold", size)
        if self.knob.choices:
            for i, (rect, choice) in enumerate(self._chips()):
                on = choice == value
                panels.draw(surface, rect, "chosen" if on else "button")
                ink = palette["white"] if on else panels.ink
                words = self.knob.words[i] if self.knob.words else words_of(choice)
                words = text.shortened("sans_bold", 14, words, rect.width - 4)
                text.draw(surface, rect.center, words, ink, "sans_bold", 14, "center")
            return
        text.draw(surface, self.rect.topright, words_of(value), panels.ink, "sans_bold", 16, "topright")
        low, high = float(self.knob.low or 0.0), float(self.knob.high or 0.0)
        line = pygame.Rect(self.track.x, self.track.centery - 2, self.track.width, 4)
        at = self.track.x + round((float(value) - low) / (high - low) * (self.track.width - 1))
        at = min(max(at, self.track.x), self.track.right)
        pygame.draw.rect(surface, palette["mist"], line)
        pygame.draw.rect(surface, palette["blue"], (line.x, line.y, at - line.x, line.height))
        pygame.draw.rect(surface, panels.ink, line.inflate(2, 2), 1)
        handle = pygame.Rect(0, 0, round(12 * self.scale), round(20 * self.scale))
        handle.center = (at, self.track.centery)
        pygame.draw.rect(surface, panels.paper, handle)
        pygame.draw.rect(surface, colour, handle, 2)
