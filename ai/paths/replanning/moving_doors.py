"""Which parts of the map change again and again: a door that flaps is worth waiting for.

Source: "Game AI Pro 2", 1.5 (dynamic walkability).
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record

FLAPS = 3
"""A door that moved so often in FLAP_TICKS is expected to move again."""

FLAP_TICKS = 120

_REMEMBERED = 64
"""Rectangles of which it is known when they changed."""


@record
class MovingDoors:
    """When rectangles of the map changed: the last ``_REMEMBERED`` of them, each with its last few ticks."""

    rectangles: list[tuple[int, int, int, int]] = field(default_factory=list)
    ticks: list[list[int]] = field(default_factory=list)
    first: int = 0  # number of the oldest that is remembered

    def moved(self, rectangle: tuple[int, int, int, int], tick: int) -> int:
        """Note a change; returns the rectangle's number, never used again for another."""
        if rectangle in self.rectangles:
            at = self.rectangles.index(rectangle)
            self.ticks[at] = [*self.ticks[at], tick][-FLAPS:]
            return self.first + at
        if len(self.rectangles) == _REMEMBERED:
            self.rectangles.pop(0)
            self.ticks.pop(0)
            self.first += 1
        self.rectangles.append(rectangle)
        self.ticks.append([tick])
        return self.first + len(self.rectangles) - 1

    def times(self, number: int, tick: int) -> int:
        """How often it changed in the last FLAP_TICKS, at most FLAPS."""
        return sum(tick - t < FLAP_TICKS for t in self.ticks[number - self.first])
