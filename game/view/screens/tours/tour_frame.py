"""Frame of a stop: title and foot belong to the tour."""

from __future__ import annotations

import pygame

from game.checks.exhibit_run import ExhibitRun
from game.view.exhibits.exhibit_frame import ExhibitFrame, Told
from game.view.exhibits.strips.strip import Strip
from game.view.painting.painter_services import PainterServices
from game.view.screens.tours.tour_files import Tour


class TourFrame(ExhibitFrame):
    """Frame that keeps the exhibit's own line back until the guess is judged."""

    def __init__(
        self, app: PainterServices, run: ExhibitRun, told: Told, strip: Strip | None, tour: Tour, number: int
    ) -> None:
        super().__init__(app, run, told, strip)
        self.tour, self.number = tour, number
        self.judged = False
        self.note: tuple[str, str] = ("", "")
        """Title and words at the foot."""
        self.keys: tuple[tuple[str, str], ...] = ()

    def headline(self) -> tuple[str, str]:
        """Return the exhibit's question, and the place in the tour or the exhibit's line."""
        question, line = super().headline()
        if self.judged:
            return question, line
        return question, f"{self.tour.title}: stop {self.number + 1} of {len(self.tour.stops)}. {self.told.name}"

    def _draw_bottom(self, surface: pygame.Surface) -> None:
        self._draw_progress(surface)
        left = self._draw_keys(surface, self.keys)
        self._draw_note(surface, left, *self.note)
