"""Moving doors: units wait for map parts that change again and again.

Source: "Game AI Pro 2", 1.5 (dynamic walkability).
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record

FLAPS = 3
"""Changes in FLAP_TICKS from which a door is expected to move again."""

FLAP_TICKS = 120

_REMEMBERED = 64
"""Rectangles whose changes are remembered."""


@record
class MovingDoors:
    """Ticks of the last few changes of the last ``_REMEMBERED`` rectangles."""

    rectangles: list[tuple[int, int, int, int]] = field(default_factory=list)
    ticks: list[list[int]] = field(default_factory=list)
    first: int = 0  # number of the oldest remembered rectangle

    def moved(self, rectangle: tuple[int, int, int, int], tick: int) -> int:
        """Record a change; return the rectangle's number, which is never reused for another."""
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
        """Return the number of changes in the last FLAP_TICKS, at most FLAPS."""
        return sum(tick - t < FLAP_TICKS for t in self.ticks[number - self.first])
