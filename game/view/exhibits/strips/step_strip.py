"""Strip that steps an exhibit tick by tick.

It is for exhibits in which a single tick changes something visible.
"""

from __future__ import annotations

import pygame

from game.view.exhibits.strips.strip import Strip, StripButton, strip


@strip
class Steps(Strip):
    """Buttons for one tick, for ten ticks, and for play or pause."""

    name = "steps"

    def buttons(self) -> list[StripButton]:
        """Return the two step buttons and the clock's button."""
        clock = self.show.clock
        return [
            StripButton(pygame.K_PERIOD, ".", "one tick", lambda: self._step(1)),
            StripButton(pygame.K_COMMA, ",", "ten ticks", lambda: self._step(10)),
            StripButton(pygame.K_g, "G", "go on" if clock.paused else "stop", self._stand_or_go, not clock.paused),
        ]

    def words(self) -> str:
        """Return the tick of the runs and their length."""
        return f"tick {self.show.picture.tick} of {self.show.run.exhibit.repeat}"

    def _step(self, ticks: int) -> None:
        self.show.clock.paused = True
        self.show.clock.steps += ticks

    def _stand_or_go(self) -> None:
        self.show.clock.paused = not self.show.clock.paused
