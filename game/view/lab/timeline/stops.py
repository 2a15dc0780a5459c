"""Breakpoints of the play screen.

They stop time. One goes to them forwards and backwards.
"""

from __future__ import annotations

from game.sim.timeline.breakpoints import DECIDES, ENTERS, EVENT, LEAVES, METER, Breakpoint, first_fired, last_fired
from game.sim.timeline.unit_tracks import SQUADS
from game.view.hud.hud_values import clock_words
from game.view.lab.timeline.promise_watch import BROKEN
from game.view.lab.timeline.time_travel import TimeTravel, TravelContext


class Stops:
    """Breakpoints that are set, in the order of setting.

    ``fired`` is the last one that stopped time.
    """

    def __init__(self, play: TravelContext, travel: TimeTravel) -> None:
        self.play, self.travel = play, travel
        self.points: list[Breakpoint] = []
        self.fired: Breakpoint | None = None
        self._seen = 0

    def watch(self) -> None:
        """Stop the clock if a breakpoint fired since the last call."""
        travel, playing = self.travel, self.play.playing
        playing.meter.watched = frozenset(stop.what for stop in self.points if stop.kind == DECIDES)
        tick, history = playing.picture.tick, travel.game.session.history
        before, self._seen = self._seen, tick
        if not self.points or history is None or travel.target >= 0 or playing.clock.paused or tick <= before:
            return
        found = first_fired(self.points, history, before, tick)
        if found is None:
            self.fired = None
            return
        playing.clock.paused = True
        self._arrive(*found)

    def _arrive(self, tick: int, stop: Breakpoint) -> None:
        if tick != self.play.playing.picture.tick:
            self.travel.seek(tick)  # a fast clock has run past it within one frame
        self.fired = stop
        if stop.unit >= 0:
            self.travel.play.view.inspected = stop.unit
        self.play.tell(f"{clock_words(tick)}: {self.words_of(stop)}")

    def go(self, step: int) -> None:
        """Go to the next recorded time that fires, or to the one before."""
        history, shown = self.travel.game.session.history, self.travel.shown
        if history is None or not self.points:
            self.play.tell("No stop is set: press the right button on a kind of mark, a bar or a curve")
            return
        if step > 0:
            found = first_fired(self.points, history, shown, self.travel.now)
        else:
            found = last_fired(self.points, history, shown)
        if found is None:
            self.play.tell("No stop fired later" if step > 0 else "No stop fired earlier")
            return
        self._arrive(*found)

    def to_decision(self, unit: int, step: int) -> None:
        """Go to the next decision of a unit, or to the one before."""
        history, shown = self.travel.game.session.history, self.travel.shown
        if history is None or unit < 0:
            self.play.tell("Select a unit first")
            return
        tracks = history.tracks
        times = sorted({*tracks.decisions(unit), *(bar.start for bar in tracks.bars(unit))})
        later = [t for t in times if t > shown] if step > 0 else [t for t in reversed(times) if t < shown]
        if not later:
            self.play.tell("No later decision" if step > 0 else "No earlier decision")
            return
        self.travel.seek(later[0])

    def toggle_event(self, kind: str, unit: int) -> None:
        """Set or remove a stop at events of a kind."""
        self._toggle(Breakpoint(EVENT, unit, kind))

    def toggle_technique(self, slug: str, module: str) -> None:
        """Set or remove a stop at a technique.

        It fires at noted decisions of the technique's module, and in ticks in which its functions ran.
        """
        self._toggle(Breakpoint(DECIDES, -1, slug, module=module))

    def toggle_meter(self, unit: int, value: float) -> None:
        """Set a stop at a value of a unit's meter, or remove it."""
        old = next((p for p in self.points if p.kind == METER and p.unit == unit), None)
        if old is not None:
            self.points.remove(old)
        else:
            self.points.append(Breakpoint(METER, unit, value=value))

    def next_of_state(self, unit: int, state: str) -> None:
        """Change the stop at a state: entered, left, none."""
        enters, leaves = Breakpoint(ENTERS, unit, state), Breakpoint(LEAVES, unit, state)
        if enters in self.points:
            self.points[self.points.index(enters)] = leaves
        else:
            self._toggle(leaves if leaves in self.points else enters)

    def _toggle(self, stop: Breakpoint) -> None:
        if stop in self.points:
            self.points.remove(stop)
        else:
            self.points.append(stop)

    def shown(self) -> tuple[tuple[str, bool], ...]:
        """Return the words of each breakpoint, and whether it has just fired."""
        return tuple((self.words_of(stop), stop == self.fired) for stop in self.points)

    def words_of(self, stop: Breakpoint) -> str:
        """Return a breakpoint as text, such as ``Bren enters search, Go``."""
        name = self._name_of(stop.unit)
        state = stop.what.replace(".", ", ").replace("_", " ")
        if stop.kind == DECIDES:
            return f"{stop.what.replace('-', ' ')} decides"
        if stop.kind == EVENT and stop.what == BROKEN:
            return f"broken promise {name}".strip()
        if stop.kind == EVENT:
            return f"{stop.what} {name}".strip()
        return f"{name}'s meter > {stop.value:.1f}" if stop.kind == METER else f"{name} {stop.kind} {state}"

    def _name_of(self, unit: int) -> str:
        """Return the name of a unit or, by its track number, of a squad."""
        world = self.travel.game.world
        if unit <= SQUADS:
            squad = world.squads.rows.get(SQUADS - unit)
            return f"Squad {squad.name if squad is not None and squad.name else SQUADS - unit}"
        return world.name_of(unit) if unit >= 0 else ""
