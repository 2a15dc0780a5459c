"""Stop of a tour: an exhibit between a guess and an answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pygame

from game.checks.metrics.metric import MEASURES
from game.view.exhibits.exhibit_frame import ExhibitFrame, Told, lowered
from game.view.exhibits.exhibit_playing import ExhibitPlaying
from game.view.exhibits.gallery_rows import ROOT
from game.view.lab.why.code_screen import CodeScreen
from game.view.screens.exhibit_screen import ExhibitScreen
from game.view.screens.tours.tour_files import Tour
from game.view.screens.tours.tour_frame import TourFrame
from game.view.screens.tours.tour_panel import Card, Choice, Measured, TourPanel
from game.view.window.app_services import AppServices
from game.view.window.mission_progress import note_guess
from game.view.window.playing import SPEEDS

ENTER = (pygame.K_RETURN, pygame.K_KP_ENTER)
HURRY = SPEEDS.index(4.0)


class TourStopScreen(ExhibitScreen):
    """Stop ``number`` of a tour; ``go_on`` opens the next one or ends the tour.

    The ``phase`` goes from ``ask`` over ``run`` and ``answer`` to ``code``.
    """

    panel: TourPanel | None = None

    def __init__(
        self, app: AppServices, playing: ExhibitPlaying, tour: Tour, number: int, go_on: Callable[[], None]
    ) -> None:
        self.tour, self.number, self.go_on = tour, number, go_on
        self.stop = tour.stops[number]
        self.phase = "ask"
        self.guess = -1
        self.aside = False
        """True while the panel is put aside, to look at the picture."""
        super().__init__(app, playing)
        playing.clock.paused = True
        playing.halt_at = self.stop.ticks
        self.shot = True
        self._show("ask")

    @property
    def is_last(self) -> bool:
        """Return whether the tour ends with this stop."""
        return self.number + 1 == len(self.tour.stops)

    def _framed(self, told: Told) -> ExhibitFrame:
        self._tour_frame = TourFrame(self.app, self.show.run, told, self.strip, self.tour, self.number)
        return self._tour_frame

    def resize(self) -> None:
        """Lay out frame and panel for the window's size."""
        super().resize()
        if hasattr(self, "show"):
            self._show(self.phase)

    # Phases

    def _show(self, phase: str) -> None:
        """Enter a phase: its panel, its foot, and whether time runs."""
        focus = self.panel.focus if self.panel is not None and phase == self.phase else 0
        self.phase, self.aside = phase, False
        self.shot = phase != "run"
        cards = {"ask": self._question, "answer": self._answer, "code": self._code}
        frame = self._tour_frame
        frame.judged = phase in ("answer", "code")
        self.panel = None
        if phase in cards:
            self.panel = TourPanel(self.app, frame.text, frame.frame, cards[phase](), self._places(), focus)
        said = self.stop.guesses[self.guess].words if self.guess >= 0 else ""
        frame.note = ("Your guess", said) if said else (self.tour.title, self.tour.line)
        running = (("Enter", "to the end"), ("Space", "pause"))
        frame.keys = (("Esc", "leave the tour"), *(running if phase == "run" else (("H", "the whole picture"),)))

    def _places(self) -> list[tuple[int, int]]:
        """Return the places of all units on the screen."""
        p = self.show.picture
        return [self.camera.to_screen(float(x), float(y)) for x, y in zip(p.x, p.y, strict=True)]

    def _question(self) -> Card:
        guesses = enumerate(self.stop.guesses)
        choices = tuple(Choice(str(i + 1), one.words, partial(self.guessed, i)) for i, one in guesses)
        stop = self.stop
        return Card("What is your guess?", stop.question, stop.scene, text_first=True, choices=choices, stacked=True)

    def guessed(self, guess: int) -> None:
        """Take a guess and run the exhibit."""
        self.guess = guess
        self._run()

    def _run(self) -> None:
        if self.show.world.tick:
            self.show.again()
        self._show("run")
        self.show.clock.speed_index = SPEEDS.index(1.0)
        self.show.clock.paused = False

    def _judge(self) -> None:
        """Note the guess and show the answer."""
        wrong = note_guess(self.tour.name, self.stop.row.slug, self.guess)
        self._show("answer")
        if wrong:
            self._tour_frame.note = ("Not kept", wrong)

    def _answer(self) -> Card:
        frame, metrics = self._tour_frame, self.show.run.metrics
        right = self.guess == self.stop.right
        title = "Your guess was right" if right else "It is otherwise"
        lead = "" if right else f"Right: {self.stop.guesses[self.stop.right].words}"
        exhibit = self.show.run.exhibit
        label = exhibit.measure_words or MEASURES[exhibit.measure].words
        numbers = tuple(
            Measured(lowered(frame.switch_words(on)), metric.value, metric.words)
            for on, metric in zip((True, False), metrics, strict=True)
        )
        choices = (
            Choice("Enter", "The deciding lines", partial(self._show, "code")),
            Choice("R", "Run it again", self._run),
        )
        tone = "blue" if right else "vermilion"
        measured = f"Measured: {label}"
        return Card(title, lead, self.stop.answer, label=measured, numbers=numbers, choices=choices, tone=tone)

    def _code(self) -> Card:
        name = self.stop.function.rsplit(".", 1)[-1]
        choices = (
            Choice("Enter", "End of the tour" if self.is_last else "Next stop", self.go_on),
            Choice("A", "The answer", partial(self._show, "answer")),
            Choice("F", "The whole file", self._open_file),
            Choice("X", "The exhibit", self._open_exhibit),
        )
        return Card(f"Decided in {name}", source=self.stop.source, choices=choices)

    def _open_file(self) -> None:
        self.app.push(CodeScreen(self.app, self.stop.source, self.stop.row.name))

    def _open_exhibit(self) -> None:
        """Open the exhibit with its switch and knobs; Esc comes back to the tour."""
        self.app.open_shown(ROOT / self.stop.row.exhibit, self.stop.row.overlay, self.stop.row.slug)

    # Input

    def handle(self, event: pygame.event.Event) -> None:
        """Handle the panel's keys and buttons; while the exhibit runs, Space pauses."""
        if event.type == pygame.KEYDOWN:
            self._tour_key(event)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            at = self._button_at(event.pos)
            if at is not None and event.button == 1:
                self._use(at)
        elif event.type == pygame.MOUSEMOTION:
            at = self._button_at(event.pos)
            if self.panel is not None and at is not None:
                self.panel.focus = at
            super().handle(event)
        elif event.type == pygame.MOUSEWHEEL:
            super().handle(event)

    def _button_at(self, pos: tuple[int, int]) -> int | None:
        return self.panel.button_at(pos) if self.panel is not None and not self.aside else None

    def _tour_key(self, event: pygame.event.Event) -> None:
        panel = self.panel
        if event.key == pygame.K_ESCAPE:
            self.app.pop()
        elif panel is None:
            if event.key in ENTER:
                self.show.clock.speed_index = HURRY
                self.show.clock.paused = False
            elif self.app.keymap.command_of_event(event) == "pause":
                self.show.clock.paused = not self.show.clock.paused
        elif event.key == pygame.K_h or self.aside:
            self.aside = not self.aside
        elif event.key in (pygame.K_DOWN, pygame.K_RIGHT, pygame.K_TAB):
            panel.move_focus(-1 if event.mod & pygame.KMOD_SHIFT else 1)
        elif event.key in (pygame.K_UP, pygame.K_LEFT):
            panel.move_focus(-1)
        elif event.key in ENTER:
            self._use(panel.focus)
        else:
            name = pygame.key.name(event.key).upper().strip("[]")
            keys = [choice.key for choice in panel.card.choices]
            if name in keys:
                self._use(keys.index(name))

    def _use(self, number: int) -> None:
        assert self.panel is not None, "a button belongs to a panel"
        self.app.sound.play("select")
        self.panel.card.choices[number].act()

    # Picture

    def update(self, dt_ms: int) -> None:
        """Run ticks; judge the guess at the last one."""
        super().update(dt_ms)
        if self.phase == "run" and self.show.world.tick >= self.stop.ticks:
            self._judge()

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the exhibit, and the panel over it."""
        super().draw(surface)
        if self.panel is not None and not self.aside:
            self.panel.draw(surface)
