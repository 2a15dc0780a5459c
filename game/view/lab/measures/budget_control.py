"""Budget panel of the play screen, and its trace file."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import pygame

from game.view.exhibits.gallery_rows import ROOT, register_rows
from game.view.lab.measures.budget_panel import BudgetLook, BudgetPanel
from game.view.lab.measures.chrome_trace import write_trace
from game.view.lab.measures.technique_meter import TechniqueMeter, deciding_functions
from game.view.lab.timeline.timeline_control import Timeline
from game.view.scene import View
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing

READ_EVERY_MS = 200
OWN = Path("game/view/lab/measures")
"""Folder of the meters, which do not measure themselves."""


class BudgetContext(Protocol):
    """The play screen as the panel sees it."""

    app: AppServices
    playing: Playing
    view: View
    travels: bool
    timeline: Timeline

    def tell(self, words: str) -> None:
        """Show one line for a moment."""

    def set_lab(self, on: bool) -> None:
        """Change between Play and Lab."""


class Budget:
    """Budget panel of one play screen."""

    def __init__(self, play: BudgetContext) -> None:
        self.play = play
        self.panel = BudgetPanel(play.app)
        self._look = BudgetLook()
        self._read_at = -READ_EVERY_MS
        self._names: dict[str, str] = {}
        self._modules: dict[str, str] = {}
        """Modules of the techniques, as they are imported."""
        self._cursor = (-1, -1)

    @property
    def shows(self) -> bool:
        """Return whether the panel is drawn."""
        return self.play.view.lab and self.play.view.budget

    def toggle(self) -> None:
        """Open or close the panel; it belongs to Lab, which opens too."""
        view = self.play.view
        view.budget = not self.shows
        if view.budget:
            view.why = False
            if not view.lab:
                self.play.set_lab(True)

    def update(self) -> None:
        """Profile techniques while the panel is open or a breakpoint waits for one."""
        meter = self.play.playing.meter
        if not self.shows and not meter.watched:
            meter.techniques = None
        elif meter.techniques is None:
            rows = [row for row in register_rows() if Path(row["module"]).parent != OWN]
            self._names = {str(row["slug"]): str(row["name"]) for row in rows}
            self._modules = {str(row["slug"]): str(row["module"])[:-3].replace("/", ".") for row in rows}
            meter.techniques = TechniqueMeter(deciding_functions(ROOT, rows))

    def draw(self, surface: pygame.Surface) -> pygame.Rect:
        """Draw the panel; return its box, which is empty while it is closed."""
        if not self.shows:
            return pygame.Rect(0, 0, 0, 0)
        if self.play.app.now_ms - self._read_at >= READ_EVERY_MS:
            self._read_at, self._look = self.play.app.now_ms, self._read()
        self.panel.draw(surface, self._look)
        if words := self.tip():
            self.panel.draw_tip(surface, words, self._cursor)
        return self.panel.box

    def _read(self) -> BudgetLook:
        """Read the meter of the game that is shown."""
        playing, label = self.play.playing, self.play.app.keymap.label
        meter = playing.meter
        tick, stages = meter.figures()
        profile = meter.techniques
        rows = profile.rows() if profile is not None else []
        named = tuple((self._names.get(row.slug, row.slug), row) for row in rows)
        fault = profile.fault if profile is not None else ""
        return BudgetLook(
            tick, stages, named, len(meter.samples()), playing.clock.speed, fault, label("budget"), label("trace")
        )

    def handle(self, event: pygame.event.Event) -> bool:
        """Keep clicks on the panel from the map; return True for such a click."""
        if not self.shows:
            return False
        if event.type == pygame.MOUSEMOTION:
            self._cursor = event.pos
        if event.type != pygame.MOUSEBUTTONDOWN or not self.panel.box.collidepoint(event.pos):
            return False
        key = next((key for rect, key in self.panel.rows if rect.collidepoint(event.pos)), "")
        if event.button == 3 and key in self._names and self.play.travels:
            self.play.timeline.stops.toggle_technique(key, self._modules[key])
        return True

    def tip(self) -> str:
        """Return the words about the row under the cursor, or an empty text."""
        key = next((key for rect, key in self.panel.rows if rect.collidepoint(self._cursor)), "")
        return self.panel.tip_of(key, self._look, stops=self.play.travels) if key and self.shows else ""

    def write_trace(self) -> None:
        """Write the last minute of ticks as a trace file; name the file."""
        try:
            path = write_trace(self.play.playing.meter, self.play.playing.level.name)
        except ValueError as error:
            self.play.tell(str(error))
        else:
            self.play.tell(f"Trace: {path}")
