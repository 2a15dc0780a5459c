"""Panel "Why?" of the play screen: decisions of a unit, and pages.

It reads the trace of the shown tick and answers clicks and Enter.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import pygame

from ai.decision.decision_trace import TraceEntry
from game.minds.explain import sentence_of
from game.view.lab.why.code_screen import CodeScreen
from game.view.lab.why.decision_list import belief_and_truth, last_decisions
from game.view.lab.why.pages.page import Subject
from game.view.lab.why.pages.page_control import WHY, PageContext, Pages
from game.view.lab.why.pages.page_painter import Target
from game.view.lab.why.pinned_graphs import Pin, PinnedGraphs
from game.view.lab.why.source_lines import source_of
from game.view.lab.why.why_panel import WhyLook, WhyPanel
from game.view.painting.camera import Camera

READ_EVERY_MS = 100


class WhyContext(PageContext, Protocol):
    """The play screen as the panel sees it."""

    def tell(self, words: str) -> None:
        """Show one line for a moment."""

    def set_lab(self, on: bool) -> None:
        """Change between Play and Lab."""


class Why:
    """Why-panel of one play screen."""

    def __init__(self, play: WhyContext) -> None:
        self.play = play
        self.panel = WhyPanel(play.app)
        self.pages = Pages(play)
        self.pins = PinnedGraphs(play.app, self.pages.series.series)
        self.chosen: tuple[int, str] = (-1, "")
        """Tick and words of the entry that is explained.

        If it is not in the list, the newest one is explained.
        """
        self._look = WhyLook("", (), 0, (), "")
        self._read = (-READ_EVERY_MS, -1, -1)

    @property
    def unit(self) -> int:
        """Unit that is explained, -1 for none."""
        view, known = self.play.view, self.play.playing.picture.row_of
        units = [i for i in (*self.play.selection.ids, view.pinned) if i in known]
        return view.inspected if view.inspected in units else units[0] if units else -1

    @property
    def shows(self) -> bool:
        """Return whether the panel is drawn."""
        return self.play.view.lab and self.play.view.why

    @property
    def explains(self) -> bool:
        """Return whether the decisions of a unit are shown."""
        return self.shows and self.unit >= 0 and self.pages.shown() == WHY

    def toggle(self) -> None:
        """Open or close the panel; it belongs to Lab, which opens too."""
        view = self.play.view
        view.why = not view.why or not view.lab
        view.budget = False
        if view.why and not view.lab:
            self.play.set_lab(True)
        if view.why and self.unit < 0:
            self.play.tell("Click a unit, door, path, sound or tile: the panel explains it")

    def look(self) -> WhyLook:
        """Return the values of the panel, read at most ten times a second.

        A unit or a tick that was jumped to is read at once. Within a tick that is under way nothing is read.
        """
        playing, unit, now = self.play.playing, self.unit, self.play.app.now_ms
        tick = playing.picture.tick
        read_at, read_unit, read_tick = self._read
        jumped = unit != read_unit or (tick != read_tick and playing.clock.paused)
        if playing.session.whole and (jumped or now - read_at >= READ_EVERY_MS):
            self._read = (now, unit, tick)
            world = playing.world
            beliefs = tuple(belief_and_truth(world, unit))
            about = world.name_of(int(world.units.meter_target[world.units.slot(unit)])) if beliefs else ""
            self._look = WhyLook(sentence_of(world, unit), tuple(last_decisions(world, unit)), 0, beliefs, about)
        at = next((i for i, e in enumerate(self._look.entries) if (e.tick, e.decided) == self.chosen), 0)
        return replace(self._look, chosen=at)

    def update(self) -> None:
        """Take samples for the graphs of the last frame."""
        self.pages.series.update()

    def draw(self, surface: pygame.Surface) -> pygame.Rect:
        """Draw the panel; return its box, which is empty while it is closed."""
        if not self.shows:
            return pygame.Rect(0, 0, 0, 0)
        self.pages.follow(self.unit)
        shown = self.pages.shown()
        inner = self.panel.begin(surface, self.pages.tabs(), shown)
        if shown == WHY:
            self.panel.draw(surface, self.look(), inner)
        else:
            self.pages.draw(surface, inner, self.panel.text)
        return self.panel.box

    def draw_map(self, surface: pygame.Surface, camera: Camera) -> None:
        """Mark on the map what the page is about."""
        if self.shows:
            self.pages.draw_map(surface, camera)

    def pick(self, x: float, y: float) -> bool:
        """Show the thing at a place; return False while the panel is closed."""
        if self.shows:
            self.pages.pick(x, y)
        return self.shows

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle click and wheel on the panel and the pins; return True if used."""
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            tick = self.pins.press(event.pos)
            if tick is not None:
                if tick >= 0:
                    self.play.timeline.travel.seek(tick)
                return True
        if not self.shows:
            return False
        if event.type == pygame.MOUSEWHEEL and self.panel.box.collidepoint(pygame.mouse.get_pos()):
            if self.explains:
                self.choose(-event.y)
            else:
                self.pages.scroll(-event.y, self.panel.text)
            return True
        if event.type != pygame.MOUSEBUTTONDOWN or not self.panel.box.collidepoint(event.pos):
            return False
        if event.button == 1:
            self._press(event.pos)
        return True

    def _press(self, pos: tuple[int, int]) -> None:
        tab = next((name for rect, name in self.panel.tabs if rect.collidepoint(pos)), None)
        if tab is not None:
            self.pages.turn_to(tab)
            return
        if not self.explains:
            self._follow(self.pages.target_at(pos))
            return
        tick = next((tick for rect, tick in self.panel.times if rect.collidepoint(pos)), None)
        row = next((index for rect, index in self.panel.rows if rect.collidepoint(pos)), None)
        if row is not None:
            self._explain(self.look().entries[row])
        if tick is not None:
            self.play.view.inspected = self.unit
            self.play.timeline.travel.seek(tick)
        elif self.panel.code.collidepoint(pos):
            self.show_code()

    def _follow(self, target: Target | None) -> None:
        """Go to a time, open a page or pin a number that was clicked."""
        if isinstance(target, Subject):
            self.pages.open(target)
        elif isinstance(target, int):
            self.play.timeline.travel.seek(target)
        elif target is not None and (subject := self.pages.shown_subject()) is not None:
            pin = Pin(subject, target, f"{self.pages.page().title}: {target}")
            if full := self.pins.toggle(pin):
                self.play.tell(full)

    def _explain(self, entry: TraceEntry) -> None:
        self.chosen = (entry.tick, entry.decided)

    def choose(self, by: int) -> None:
        """Explain an older (1) or a newer entry (-1)."""
        look = self.look()
        if look.entries:
            self._explain(look.entries[min(max(look.chosen + by, 0), len(look.entries) - 1)])

    def show_code(self) -> bool:
        """Show the function that decided; return False while no decisions are shown."""
        if not self.explains:
            return False
        look = self.look()
        entry = look.entries[look.chosen] if look.entries else None
        source = source_of(entry.function) if entry is not None else None
        if entry is None or source is None:
            self.play.tell("No function is recorded for this")
        else:
            name = self.play.playing.world.name_of(entry.unit)
            self.play.app.push(CodeScreen(self.play.app, source, f"{name} {entry.decided}"))
        return True
