"""List of the tours, with their minutes and the player's progress."""

from __future__ import annotations

from functools import partial
from typing import Any

import pygame

from game.view.painting.palette import mix
from game.view.screens.loading_screen import LoadingScreen
from game.view.screens.screen import MenuScreen
from game.view.screens.tours.tour_files import Tour, tours_or_fault
from game.view.window.app_services import AnyScreen, AppServices
from game.view.window.mission_progress import read_guesses


class TourListScreen(MenuScreen):
    """Rows of tours; a button starts a tour or goes on with it."""

    need = (900, 680)

    def __init__(self, app: AppServices) -> None:
        super().__init__(app)
        self.tours, self.message = tours_or_fault()
        self.guesses: dict[str, dict[str, int]] = {}

    def build(self) -> None:
        """Build a button for each tour, and Back."""
        self.guesses, wrong = read_guesses()
        self.message = self.message or wrong
        px, window = self.text.px, self.app.window
        self.panel = pygame.Rect(0, 0, min(px(980), window.get_width() - 40), min(px(660), window.get_height() - 20))
        self.panel.center = window.get_rect().center
        x, width = self.panel.x + px(24), self.panel.width - px(48)
        high = (self.panel.height - px(80) - px(68)) // max(len(self.tours), 1)
        high = min(high, px(110))
        self.rows = [
            pygame.Rect(x, self.panel.y + px(76) + i * high, width, high - px(10)) for i in range(len(self.tours))
        ]
        for row, tour in zip(self.rows, self.tours, strict=True):
            rect = pygame.Rect(row.right - px(170), 0, px(154), px(42))
            rect.centery = row.centery
            seen = self.seen(tour)
            words = "Start" if not seen else "Go on" if seen < len(tour.stops) else "Once more"
            self.button(rect, words, partial(self.start, tour))
        foot = self.panel.bottom - px(54)
        self.button(pygame.Rect(self.panel.right - px(24 + 154), foot, px(154), px(42)), "Back", self.app.pop)

    def seen(self, tour: Tour) -> int:
        """Return the number of stops with a guess."""
        guesses = self.guesses.get(tour.name, {})
        return sum(stop.row.slug in guesses for stop in tour.stops)

    def start_named(self, name: str) -> None:
        """Start the tour of this name, if there is one."""
        for tour in self.tours:
            if tour.name == name:
                self.start(tour)

    def start(self, tour: Tour) -> None:
        """Open the first stop without a guess; a finished tour starts again."""
        guesses = self.guesses.get(tour.name, {})
        open_ones = (i for i, stop in enumerate(tour.stops) if stop.row.slug not in guesses)
        self.app.push(self._loading(tour, next(open_ones, 0)))

    def _loading(self, tour: Tour, number: int) -> LoadingScreen:
        """Return the screen that opens a stop and then shows it."""
        stop = tour.stops[number]

        def shown(app: AppServices, playing: Any) -> AnyScreen:
            from game.view.screens.tours.tour_stop_screen import TourStopScreen

            return TourStopScreen(app, playing, tour, number, partial(self._go_on, tour, number + 1))

        return LoadingScreen(self.app, stop.map, technique=stop.row.slug, shown=shown)

    def _go_on(self, tour: Tour, number: int) -> None:
        """Open the next stop; after the last one come back here."""
        if number < len(tour.stops):
            self.app.replace(self._loading(tour, number))
        else:
            self.app.pop()

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the panel, its title, and a row for each tour."""
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        panels.draw(surface, self.panel)
        x, y = self.panel.x + px(24), self.panel.y + px(16)
        title = text.draw(surface, (x, y), "Tours", palette["ink"], "serif_bold", 32)
        line = "Guess what a technique does, see it run, then read the lines that decide."
        text.draw(surface, (title.right + px(18), y + px(15)), line, panels.soft, size=16)
        if self.message:
            room = self.panel.width - px(230)
            words = text.shortened("sans", 15, self.message, room)
            text.draw(surface, (x, self.panel.bottom - px(42)), words, palette["vermilion"], size=15)
        for row, tour in zip(self.rows, self.tours, strict=True):
            self._paint_row(surface, row, tour)

    def _paint_row(self, surface: pygame.Surface, row: pygame.Rect, tour: Tour) -> None:
        text, panels, palette, px = self.text, self.app.panels, self.app.palette, self.text.px
        pygame.draw.rect(surface, mix(panels.paper, palette["white"], 0.5), row)
        pygame.draw.rect(surface, panels.ink, row, 1)
        x, y = row.x + px(16), row.y + px(8)
        name = text.draw(surface, (x, y), tour.title, palette["ink"], "serif_bold", 23)
        about = f"{len(tour.stops)} stops, about {tour.minutes} minutes"
        text.draw(surface, (name.right + px(14), y + px(8)), about, panels.soft, size=15)
        room = row.width - px(210)
        line = text.shortened("sans", 16, tour.line, room)
        text.draw(surface, (x, y + px(33)), line, panels.ink, size=16)
        guesses = self.guesses.get(tour.name, {})
        right = 0
        top = y + px(60)
        for i, stop in enumerate(tour.stops):
            box = pygame.Rect(x + i * px(22), top, px(16), px(16))
            guess = guesses.get(stop.row.slug)
            if guess is not None:
                right += guess == stop.right
                pygame.draw.rect(
                    surface, palette["blue"] if guess == stop.right else mix(panels.ink, panels.paper, 0.6), box
                )
            pygame.draw.rect(surface, panels.ink, box, 2)
        seen = self.seen(tour)
        words = f"{seen} of {len(tour.stops)} seen, {right} guessed right" if seen else "not begun"
        text.draw(surface, (x + len(tour.stops) * px(22) + px(10), top - px(1)), words, panels.soft, size=15)
