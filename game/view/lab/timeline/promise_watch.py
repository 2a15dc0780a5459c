"""Watch on invariants of a game in Lab.

A broken one leaves a mark on the timeline. They are invariants of every regression level that hold whatever the player
does: no deep overlap of bodies, no body in a wall, and a meter that fits the acts of its guard. The watch reads the
world after each tick and changes nothing.
"""

from __future__ import annotations

from game.checks.expectations import Expectation
from game.checks.invariants.invariants import expectations
from game.checks.scripts.script import Expect
from game.sim.session import Session
from game.world.world import World

ROWS = (Expect(kind="no_overlap"), Expect(kind="no_wall"), Expect(kind="meter_is_state"))
BROKEN = "broken"
"""Kind of the marks."""
OF_MINDS = "meter_is_state"
"""Invariant that debug verbs of Lab break on purpose.

It rests while a unit has a mark of them.
"""
MOST_UNITS = 500
"""Units up to which a game is watched."""
QUIET = 100
"""Ticks after a break in which the same invariant leaves no second mark."""


class PromiseWatch:
    """Watch on one session; call :meth:`watch` after each tick."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.words: dict[int, str] = {}
        """Broken invariants in words, by tick."""
        self._laws: dict[str, Expectation] = {}
        self._quiet: dict[str, int] = {}
        self._last = -1
        self._units = -1

    def watch(self, world: World) -> None:
        """Look at the world after a tick; mark what is broken."""
        if world.units.count > MOST_UNITS:
            return
        if world.tick != self._last + 1 or world.units.count != self._units:
            self._laws, self._quiet = {}, {}  # of another past, or without the new units
        self._last, self._units = world.tick, world.units.count
        marked = bool(world.units.lab[: world.units.count].any())
        for row in ROWS:
            kind = row.kind
            if (kind == OF_MINDS and marked) or world.tick < self._quiet.get(kind, -1):
                self._laws.pop(kind, None)
                continue
            law = self._laws.get(kind)
            if law is None:
                law = self._laws[kind] = expectations([row], world)[0]
            law.watch(world)
            wrong = law.verdict(world)
            if wrong is not None:
                self._break(world.tick, kind, wrong)

    def _break(self, tick: int, kind: str, wrong: str) -> None:
        del self._laws[kind]
        self._quiet[kind] = tick + QUIET
        self.words[tick] = wrong
        if self.session.history is not None:
            self.session.history.chronicle.add(tick, BROKEN)
