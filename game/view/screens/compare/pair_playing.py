"""Pair in the window: one clock and any recorded tick of both games."""

from __future__ import annotations

import time

import numpy as np

from game.checks.comparing.comparison import Comparison
from game.sim.session import Session
from game.sim.timeline.viewing_copy import ViewingCopy
from game.view.painting.unit_picture import take_picture
from game.view.window.playing import TICK_MS, Clock, Playing

MOST_WATCHED = 32
"""Units with recorded trails, spread evenly."""
SHARE_MS = 24.0
"""Milliseconds of a frame that ticks of both games may use."""

Values = dict[str, float | None]


class PairPlaying:
    """Both games of a comparison; ``halves`` are what the two pictures show.

    The comparison is the present. Earlier ticks are shown by viewing copies, so the present is not touched.
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self.clock = Clock()
        for session in comparison.sessions:
            session.remember()
        a, b = comparison.sessions
        self.halves = (Playing(a, self.clock), Playing(b, self.clock))
        self.first = comparison.tick
        self.copies: tuple[ViewingCopy, ViewingCopy] | None = None
        self.watched = comparison.units[:: max(1, -(-len(comparison.units) // MOST_WATCHED))]
        self.jumped = False
        """True after a jump in time; the screen resets it."""
        self._values: list[tuple[Values, Values]] = []
        self._trails: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        self._note()

    @property
    def shown(self) -> int:
        """Tick that is shown."""
        return max(half.picture.tick for half in self.halves)

    @property
    def now(self) -> int:
        """Tick of the present."""
        return self.comparison.tick

    @property
    def end(self) -> int:
        """Last tick that can be reached."""
        return self.now if self.comparison.over else max(self.comparison.end, self.now)

    @property
    def values(self) -> tuple[Values, Values]:
        """Figures of both games at the shown tick."""
        return self._values[min(max(self.shown - self.first, 0), len(self._values) - 1)]

    def trail(self, half: int) -> list[np.ndarray]:
        """Return the positions of the watched units up to the shown tick."""
        return self._trails[half][: self.shown - self.first + 1]

    def place(self, half: int, tick: int, unit: int) -> tuple[float, float] | None:
        """Return where a watched unit stood after a tick, or None."""
        trail = self._trails[half]
        if unit not in self.watched or not self.first <= tick < self.first + len(trail):
            return None
        x, y = trail[tick - self.first][self.watched.index(unit)]
        return float(x), float(y)

    def advance(self, dt_ms: float) -> None:
        """Run the due ticks within the frame's share of time."""
        clock = self.clock
        if clock.paused and not clock.steps:
            clock.owed_ms = TICK_MS
            return
        if not clock.paused:
            clock.owed_ms += dt_ms * clock.speed
        until = time.perf_counter() + SHARE_MS / 1000
        while clock.steps or (not clock.paused and clock.owed_ms >= TICK_MS):
            if not self.step():
                clock.paused, clock.steps = True, 0
                break
            if clock.steps:
                clock.steps -= 1
            else:
                clock.owed_ms -= TICK_MS
            if time.perf_counter() > until:
                break
        clock.owed_ms = min(clock.owed_ms, 2 * TICK_MS)

    def step(self) -> bool:
        """Show the next tick; false at the end."""
        if self.shown < self.now:
            self.seek(self.shown + 1)
            return True
        return self._play()

    def _play(self) -> bool:
        if self.comparison.over:
            return False
        self.comparison.advance()
        self._note()
        for half in self.halves:
            half.picture = take_picture(half.world, half.picture)
        return True

    def _note(self) -> None:
        a, b = (figures.values for figures in self.comparison.figures)
        self._values.append((a, b))
        for world, trail in zip(self.comparison.worlds, self._trails, strict=True):
            slots = world.units.slots(np.array(self.watched, np.int64))
            trail.append(np.column_stack((world.units.x[slots], world.units.y[slots])))

    def seek(self, tick: int) -> None:
        """Show a tick; a later one than the present is played."""
        tick = min(max(tick, self.first), self.end)
        if tick >= self.now:
            self._leave_past()
            while self.now < tick and self._play():
                pass
            return
        near = tick == self.shown + 1 and self.copies is not None
        if self.copies is None:
            a, b = self.comparison.sessions
            self.copies = ViewingCopy(a), ViewingCopy(b)
        for copy in self.copies:
            copy.seek(tick)
        left, right = self.copies
        self._show(left.session, right.session, near)

    def _leave_past(self) -> None:
        if self.copies is not None:
            near = self.shown == self.now - 1
            self.copies = None
            self._show(*self.comparison.sessions, near)

    def _show(self, a: Session, b: Session, near: bool) -> None:
        for half, session in zip(self.halves, (a, b), strict=True):
            half.session = session
            half.picture = take_picture(session.world, half.picture if near else None)
        self.jumped = self.jumped or not near
