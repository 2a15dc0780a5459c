"""Time travel: shows any tick on a viewing copy, and branches off.

While the past is shown, the play screen has the copy in place of the game. The game stands still meanwhile. An order
given in the past makes a branch first. Seeking is spread over frames, so the window stays alive in large games.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from game.sim.tick import STAGES
from game.sim.timeline.chronicle import MARK_KINDS, Mark, next_mark
from game.sim.timeline.viewing_copy import ViewingCopy
from game.view.hud.hud_values import clock_words
from game.view.lab.timeline.promise_watch import BROKEN, PromiseWatch
from game.view.painting.unit_picture import take_picture
from game.view.scene import Scene, View
from game.view.window.playing import Clock, Playing
from game.world.orders import Order

SHARE_MS = 40.0
"""Milliseconds of a frame that seeking may use."""
SECOND = 20


class _Selected(Protocol):
    @property
    def ids(self) -> tuple[int, ...]:
        """Selected unit ids."""


class TravelContext(Protocol):
    """The play screen as time travel sees it."""

    playing: Playing
    scene: Scene
    view: View

    @property
    def selection(self) -> _Selected:
        """Selected units."""

    def tell(self, words: str) -> None:
        """Show one line for a moment."""

    def new_world(self, playing: Playing, look: bool = False) -> None:
        """Show another world."""


@dataclass(eq=False)
class Branch:
    """A game in the list; ``name`` tells the tick at which it branched off."""

    name: str
    playing: Playing


class PastPlaying(Playing):
    """The viewing copy as a game in the window.

    An order to it goes to a new branch.
    """

    branch: Callable[[], Playing]

    def give(self, order: Order) -> None:
        """Branch off here and give the order there."""
        self.branch().give(order)


class TimeTravel:
    """Timeline of one play screen."""

    def __init__(self, play: TravelContext, playing: Playing) -> None:
        self.play = play
        self.copy: ViewingCopy | None = None
        self.game = playing
        """Game of the present; the play screen shows it unless the past is shown."""
        self.branches = [Branch("as played", self.game)]
        self.target = -1
        """Tick that is sought, -1 for none."""
        self.kinds: set[str] = set(MARK_KINDS)
        self.of_selected = False
        """If true, only marks about selected units count."""
        self._own_world = False
        self._stages = 0
        """Stages of the next tick to show after the tick that is sought."""
        self._promises: PromiseWatch | None = None

    def begin(self, playing: Playing) -> None:
        """Follow another world: a new game, unless this is one of the branches."""
        if playing is self.past or self._own_world:
            return
        self.copy, self.target, self.game = None, -1, playing
        if all(branch.playing is not playing for branch in self.branches):
            self.branches = [Branch("as played", playing)]

    @property
    def past(self) -> Playing | None:
        """The playing of the past, None in the present."""
        return self.play.playing if isinstance(self.play.playing, PastPlaying) else None

    @property
    def shown(self) -> int:
        """Tick that is shown, or sought."""
        return self.target if self.target >= 0 else self.play.playing.picture.tick

    @property
    def now(self) -> int:
        """Tick of the present."""
        return self.game.picture.tick

    @property
    def end(self) -> int:
        """Last tick on the bar: that of the present, or of the replay."""
        return max(self.now, self.game.recorded)

    @property
    def first(self) -> int:
        """First tick that can be shown."""
        history = self.game.session.history
        return max(history.first, 0) if history is not None else 0

    def marks(self) -> list[Mark]:
        """Return the marks that the filters let through, by tick."""
        session = self.game.session
        if session.history is None:
            return []
        units = self.play.selection.ids if self.of_selected else ()
        found = session.history.chronicle.marks(self.kinds, units)
        return sorted([*found, *(Mark(tick, "bookmark") for tick in session.bookmarks)], key=lambda m: m.tick)

    # Going there

    def seek(self, tick: int) -> None:
        """Go to a tick; the last one is the present."""
        if self.game.session.history is None:
            return
        self._stages = 0
        tick = min(max(tick, self.first), self.end)
        if tick == self.now and self.past is None:
            return
        self._enter()
        self.target = tick

    def step(self, by: int) -> None:
        """Go some ticks back or on."""
        self.seek(self.shown + by)

    def step_stage(self, by: int) -> None:
        """Run one stage of a tick (1), or go back by one (-1).

        Backwards a viewing copy runs the tick again, up to the stage before.
        """
        playing = self.play.playing
        if self.target >= 0 or self.game.session.history is None:
            return
        playing.clock.paused = True
        if by > 0:
            playing.run_stages(1)
        else:
            done, tick = playing.session.stage, playing.picture.tick
            if not done:
                done, tick = len(STAGES), tick - 1
            if tick < self.first:
                self.play.tell("No earlier stage")
                return
            self._enter()
            self.target, self._stages = tick, done - 1
        self._tell_stage()

    def _tell_stage(self) -> None:
        """Tell the tick and the stage that are shown."""
        playing = self.play.playing
        if self.target < 0:
            stage = f"after {playing.last_stage}" if playing.last_stage else "whole"
            self.play.tell(f"Tick {playing.picture.tick + bool(playing.last_stage)}, {stage}")

    def to_mark(self, step: int) -> None:
        """Go to the next mark (1) or the one before (-1)."""
        found = next_mark(self.marks(), self.shown, step)
        if found is None:
            self.play.tell("No later mark" if step > 0 else "No earlier mark")
            return
        self.seek(found.tick)
        self.play.tell(f"{clock_words(found.tick)}: {self.words_of(found)}")

    def words_of(self, mark: Mark) -> str:
        """Return a mark as text: its kind and its unit."""
        kind = "broken promise" if mark.kind == BROKEN else mark.kind
        if mark.kind == BROKEN and mark.unit < 0:
            return self.promises.words.get(mark.tick, kind)
        return kind if mark.unit < 0 else f"{kind}, {self.game.world.name_of(mark.unit)}"

    @property
    def promises(self) -> PromiseWatch:
        """Watch on the invariants of the game of the present."""
        if self._promises is None or self._promises.session is not self.game.session:
            self._promises = PromiseWatch(self.game.session)
        return self._promises

    def bookmark(self) -> None:
        """Set a bookmark at the tick shown, or take it away."""
        marks, tick = self.game.session.bookmarks, self.shown
        if tick in marks:
            marks.remove(tick)
        else:
            marks.append(tick)
            marks.sort()
        self.play.tell(f"Bookmark at {clock_words(tick)}" + ("" if tick in marks else " taken away"))

    def _enter(self) -> None:
        """Put the viewing copy in the place of the game, paused."""
        if self.past is not None:
            return
        self.game.whole()
        self.copy = ViewingCopy(self.game.session)
        past = PastPlaying(self.copy.session, Clock(paused=True, speed_index=self.game.clock.speed_index))
        past.side, past.branch = self.game.side, self.branch
        self.play.playing = past

    def advance_seek(self) -> None:
        """Come nearer to the tick that is sought within the frame's share of time."""
        if self.target < 0 or self.copy is None:
            return
        until = time.perf_counter() + SHARE_MS / 1000

        def time_is_up() -> bool:
            return time.perf_counter() > until

        if self.target > self.now and not self._play_replay(time_is_up):
            return
        if self.target == self.now:
            self.leave()
            return
        reached = self.copy.seek(self.target, time_is_up)
        if reached:
            self.target = -1
        self._look()
        if reached and self._stages:
            self.play.playing.run_stages(self._stages)
            self._stages = 0
            self._tell_stage()

    def _play_replay(self, time_is_up: Callable[[], bool]) -> bool:
        """Play a replay on to the sought tick; return whether it is there."""
        while self.now < self.target:
            self.game.run_ticks(1)
            if time_is_up():
                break
        self.game.take_happenings()
        return self.now >= self.target

    def _look(self) -> None:
        """Show the copy's present tick."""
        playing = self.play.playing
        playing.picture = take_picture(playing.world, playing.picture)
        playing.take_happenings()
        self.play.scene.look_again(playing)

    def update(self) -> None:
        """Record the game, and go on seeking.

        A past that has caught up with the present is the present.
        """
        if self.game.session.history is None:
            self.game.session.remember()
        # Invariants are watched in Lab only: a game that is merely played is not slowed.
        self.game.after_tick = self.promises.watch if self.play.view.lab else None
        past = self.past
        if past is None:
            return
        if self.target >= 0:
            self.advance_seek()
        elif past.picture.tick >= self.now:
            self.leave()

    def leave(self) -> None:
        """Return to the present, which waits paused."""
        if self.past is None:
            return
        self.target, self.copy = -1, None
        self.game.clock.paused = True
        self.play.playing = self.game
        self.play.scene.look_again(self.game)

    # Branches

    def branch(self) -> Playing:
        """Go on from the tick shown as a new game; return it.

        In the present it is the game itself.
        """
        if self.past is None or self.copy is None:
            return self.game
        while self.target >= 0:
            self.advance_seek()
            if self.copy is None:
                return self.game
        session = self.copy.branch()
        made = Playing(session, Clock(paused=self.past.clock.paused), self.game.side)
        self.branches.append(Branch(f"from {clock_words(made.picture.tick)}, tick {made.picture.tick}", made))
        self._show(made)
        self.play.tell(f"A branch from {clock_words(made.picture.tick)}; the other game is kept in the list")
        return made

    def choose(self, number: int) -> None:
        """Show the present of another branch."""
        chosen = self.branches[number % len(self.branches)]
        self.leave()
        if chosen.playing is not self.game:
            chosen.playing.clock.paused = True
            self._show(chosen.playing)
            self.play.tell(f"Branch: {chosen.name}")

    def next_branch(self) -> None:
        """Show the next branch of the list."""
        if len(self.branches) < 2:
            self.play.tell("There is one game; an order in the past makes a branch")
            return
        at = next(i for i, branch in enumerate(self.branches) if branch.playing is self.game)
        self.choose(at + 1)

    def _show(self, playing: Playing) -> None:
        self.copy, self.target, self.game = None, -1, playing
        self._own_world = True
        try:
            self.play.new_world(playing)
        finally:
            self._own_world = False
