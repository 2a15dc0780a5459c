"""Timeline of the play screen and of the pause screen.

It fills the panel and answers mouse and commands.
"""

from __future__ import annotations

from typing import Protocol

import pygame

from game.sim.timeline.unit_tracks import SQUADS
from game.view.hud.hud_values import clock_words
from game.view.lab.timeline.stops import Stops
from game.view.lab.timeline.time_travel import TimeTravel, TravelContext
from game.view.lab.timeline.timeline_panel import RIGHT_COLUMN, WHY_COLUMN, Cluster, TimelineLook, TimelinePanel
from game.view.lab.timeline.unit_rows import MOST_ROWS, UnitRow, words_of
from game.view.painting.painter_services import PainterServices
from game.view.window.playing import Playing

TINT = (206, 216, 232)
"""Colour by which the map is multiplied while the past is shown."""
ROWS_EVERY_MS = 100
TIPS = {
    "start": ("To the start", "time_start"),
    "back": ("To the mark before", "time_former_mark"),
    "tick_back": ("One tick back", "time_tick_back"),
    "pause": ("Pause", "pause"),
    "tick": ("One tick on", "one_tick"),
    "on": ("To the next mark", "time_next_mark"),
    "present": ("To the present", "time_present"),
    "branch": ("A new game from this tick", "time_branch"),
    "next_branch": ("Show the next game of the list", "time_next_branch"),
    "bookmark": ("Set or remove a bookmark here", "time_bookmark"),
    "whole": ("Show the whole game; the wheel zooms, with Shift it moves", ""),
    "of_selected": ("Marks about selected units only", ""),
}
"""Words and command of the buttons."""


class TimelineContext(TravelContext, Protocol):
    """The play screen as its timeline sees it."""

    travels: bool
    shot: bool

    @property
    def app(self) -> PainterServices:
        """Services that all screens share."""

    def give_command(self, name: str) -> None:
        """Run a command of the table."""


class Timeline:
    """Timeline of one play screen."""

    def __init__(self, play: TimelineContext, playing: Playing) -> None:
        self.play = play
        self.travel = TimeTravel(play, playing)
        self.panel = TimelinePanel(play.app)
        self.stops = Stops(play, self.travel)
        self._dragged = False
        self._hovered = (-1, -1)
        self._rows: tuple[UnitRow, ...] = ()
        self._read_rows: tuple[UnitRow, ...] = ()
        self._rows_of: tuple[object, ...] = ()
        self._rows_read = 0

    @property
    def records(self) -> bool:
        """True if earlier ticks of the game can be shown."""
        return self.play.travels and not self.play.shot

    def update(self) -> None:
        """Go on to the tick that is sought; say so in the view."""
        if not self.records:
            return
        self.travel.update()
        self.stops.watch()
        travel = self.travel
        behind = travel.now - travel.shown
        self.play.view.past = "" if travel.past is None else f"the past, {clock_words(behind)} behind"

    def go_on(self) -> None:
        """Make a branch from the tick shown, and let it run."""
        if self.travel.past is None:
            self.play.tell("This is the present; go back first")
            return
        self.travel.branch()

    def words_in_play(self) -> str:
        """Return the notice of a past that is shown without Lab."""
        label, travel = self.play.app.keymap.label, self.travel
        times = f"{clock_words(travel.shown)} of {clock_words(travel.end)}"
        return f"{times}   {label('time_present')}: present   {label('time_branch')}: go on from here"

    # Input

    def arrange(self, lab: bool) -> pygame.Rect:
        """Arrange the panel; return its box. Only Lab shows rows of units."""
        self._rows = self._unit_rows() if lab else ()
        view = self.play.view
        column = WHY_COLUMN if view.lab and (view.why or view.budget) else RIGHT_COLUMN
        return self.panel.arrange(lab, self._rows, len(self.stops.points) if lab else 0, column)

    def _unit_rows(self) -> tuple[UnitRow, ...]:
        """Return rows of the selected units and their squads, read ten times a second."""
        game, view = self.travel.game, self.play.view
        units = tuple(dict.fromkeys((*self.play.selection.ids, *((view.pinned,) if view.pinned >= 0 else ()))))
        units, now = units[:MOST_ROWS], self.play.app.now_ms
        key = (units, game.session.history)
        if key != self._rows_of or now - self._rows_read >= ROWS_EVERY_MS:
            history = game.session.history
            assert history is not None, "rows are drawn only for a game that is recorded"
            tracks, world = history.tracks, game.world
            self._rows_of, self._rows_read = key, now
            known = [unit for unit in units if unit in game.picture.row_of]
            squads = {squad.id: squad for unit in known if (squad := world.squads.of(unit)) is not None}
            rows = [
                UnitRow(
                    SQUADS - n, f"Squad {squad.name or n}", tuple(tracks.bars(SQUADS - n)), inspects=squad.members[0]
                )
                for n, squad in squads.items()
            ]
            rows += [
                UnitRow(unit, world.name_of(unit), tuple(tracks.bars(unit)), *tracks.meter(unit), inspects=unit)
                for unit in known
            ]
            self._read_rows = self.panel.fitting_rows(rows[:MOST_ROWS])
        return self._read_rows

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle an event of the mouse; return True if it was the panel's."""
        if not self.records or self.travel.game.session.history is None:
            return False
        panel = self.panel
        if event.type == pygame.MOUSEMOTION:
            self._hovered = event.pos
            if self._dragged:
                self.travel.seek(panel.tick_at(event.pos[0], self.travel.end))
            return self._dragged
        if event.type == pygame.MOUSEWHEEL:
            return self._wheel(event)
        if event.type == pygame.MOUSEBUTTONUP and self._dragged:
            self._dragged = False
            return True
        if event.type != pygame.MOUSEBUTTONDOWN or not panel.box.collidepoint(event.pos):
            return False
        if event.button == 1:
            self._press(event.pos)
        elif event.button == 3:
            self._set_stop(event.pos)
        return True

    def _wheel(self, event: pygame.event.Event) -> bool:
        """Zoom the axis about the cursor; with Shift, or sideways, move it."""
        panel, end = self.panel, self.travel.end
        if not panel.box.collidepoint(self._hovered):
            return False
        sideways = event.x or (event.y if pygame.key.get_mods() & pygame.KMOD_SHIFT else 0)
        if sideways:
            panel.zoom.move(sideways, end)
        else:
            panel.zoom.turn(event.y, panel.share_at(self._hovered[0]), end)
        return True

    def _press(self, pos: tuple[int, int]) -> None:
        panel, travel = self.panel, self.travel
        name, mark, bar = panel.part_at(pos), panel.mark_at(pos), panel.rows.bar_at(pos)
        if name.startswith("kind "):
            travel.kinds ^= {name.removeprefix("kind ")}
        elif name.startswith("stop "):
            del self.stops.points[int(name.removeprefix("stop "))]
        elif name == "whole":
            panel.zoom.whole()
        elif name == "of_selected":
            travel.of_selected = not travel.of_selected
        elif name:
            self.play.give_command(TIPS[name][1])
        elif mark is not None:
            travel.seek(mark.tick)
        elif bar is not None:
            self.play.view.inspected = bar[0].inspects
            travel.seek(bar[1].start)
        elif panel.on_track(pos):
            self._dragged = True
            travel.seek(panel.tick_at(pos[0], travel.end))

    def _set_stop(self, pos: tuple[int, int]) -> None:
        """Set or remove a breakpoint at what is under the cursor."""
        panel, travel = self.panel, self.travel
        name, bar, meter = panel.part_at(pos), panel.rows.bar_at(pos), panel.rows.meter_at(pos)
        if name.startswith("kind "):
            units = self.play.selection.ids if travel.of_selected else ()
            self.stops.toggle_event(name.removeprefix("kind "), units[0] if len(units) == 1 else -1)
        elif bar is not None:
            self.stops.next_of_state(bar[0].unit, bar[1].state)
        elif meter is not None:
            self.stops.toggle_meter(meter[0].unit, meter[1])

    def to_decision(self, step: int) -> None:
        """Go to the next decision of the inspected unit, or the one before."""
        ids, inspected = self.play.selection.ids, self.play.view.inspected
        unit = inspected if inspected in ids else ids[0] if ids else self.play.view.pinned
        self.stops.to_decision(unit, step)

    # Picture

    def tint(self, surface: pygame.Surface) -> None:
        """Tint the map and frame it while the past is shown."""
        if self.play.view.past:
            palette = self.play.app.palette
            surface.fill(TINT, special_flags=pygame.BLEND_RGB_MULT)
            pygame.draw.rect(surface, palette["ink"], surface.get_rect(), 2)
            pygame.draw.rect(surface, palette["blue"], surface.get_rect().inflate(-4, -4), 3)

    def draw(self, surface: pygame.Surface, lab: bool) -> pygame.Rect:
        """Draw the panel; return its box, which is empty if nothing is recorded."""
        if not self.records or self.travel.game.session.history is None:
            return pygame.Rect(0, 0, 0, 0)
        box = self.arrange(lab)
        self.panel.draw(surface, self._look())
        return box

    def _look(self) -> TimelineLook:
        travel = self.travel
        history = travel.game.session.history
        assert history is not None, "the panel is drawn only for a game that is recorded"
        units = self.play.selection.ids if travel.of_selected else ()
        ticks, codes = history.chronicle.columns(travel.kinds, units)
        at = next((i for i, branch in enumerate(travel.branches) if branch.playing is travel.game), 0)
        return TimelineLook(
            travel.first, travel.shown, travel.now, travel.end, travel.past is not None,
            self.play.playing.clock.paused, frozenset(travel.kinds), travel.of_selected, len(travel.branches), at,
            ticks, codes, tuple(travel.game.session.bookmarks), self._rows, self.stops.shown(),
            self.play.view.inspected, self._tip(), self._hovered,
        )  # fmt: skip

    def _tip(self) -> str:
        """Return the words about the part of the panel under the cursor."""
        panel, pos = self.panel, self._hovered
        if not panel.box.collidepoint(pos) or self._dragged:
            return ""
        name, mark = panel.part_at(pos), panel.mark_at(pos)
        if name.startswith("kind "):
            kind = name.removeprefix("kind ")
            return f"{'Hide' if kind in self.travel.kinds else 'Show'} {kind} marks; right button: stop at one"
        if name.startswith("stop "):
            return "Take this stop away"
        if name:
            words, command = TIPS[name]
            label = self.play.app.keymap.label(command) if command else ""
            return f"{words}  ({label})" if label else words
        if mark is not None:
            return self._words_of(mark)
        bar = panel.rows.bar_at(pos)
        if bar is not None:
            return f"{words_of(*bar)}; right button: stop there"
        meter = panel.rows.meter_at(pos)
        return f"Right button: stop when the meter passes {meter[1]:.1f}" if meter is not None else ""

    def _words_of(self, mark: Cluster) -> str:
        """Return the marks of a cluster as text, such as ``02:10  shot, Bren; 3 more``."""
        travel = self.travel
        first = next((m for m in travel.marks() if m.tick == mark.tick and m.kind == mark.kind), None)
        words = travel.words_of(first) if first is not None else mark.kind
        more = f"; {mark.count - 1} more" if mark.count > 1 else ""
        return f"{clock_words(mark.tick)}  {words}{more}"
