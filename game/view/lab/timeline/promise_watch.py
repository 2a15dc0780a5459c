"""Watch on invariants of a game in Lab.

A broken one leaves a mark on the timeline. They are the invariants of regression levels that hold whatever the player
does and cost little: bodies (overlap, walls, trembling, limits of their types), progress of moving units, meters and
acts of guards, places where a lost enemy may be, and searches. The watch reads the world after each tick and changes
nothing; with 40 units it takes 2 ms.

Not watched are invariants that need a second world beside this one (``slots``, ``no_cheating``, ``foretold``), one that
makes the rooms of sound anew (``sound_by_dijkstra``), and those that name units and places of a script (shapes,
``flows``, ``volley``, ``possible``).
"""

from __future__ import annotations

from game.checks.expectations import Expectation
from game.checks.invariants.invariants import expectations
from game.checks.scripts.script import Expect
from game.sim.session import Session
from game.world.orders import OrderKind
from game.world.world import World

ROWS = (
    Expect(kind="no_overlap"), Expect(kind="no_wall"), Expect(kind="steady"), Expect(kind="within_type"),
    Expect(kind="progress"), Expect(kind="meter_is_state"), Expect(kind="by_the_table", count=0),
    Expect(kind="possible_holds_truth", count=0), Expect(kind="searches_well", count=0),
)  # fmt: skip
"""Invariants that are watched.

With a ``count`` of 0 no meter need rise, no enemy be lost and no search begin.
"""
BROKEN = "broken"
"""Kind of the marks."""
ON_PURPOSE = frozenset(
    {"steady", "within_type", "progress", "meter_is_state", "by_the_table", "possible_holds_truth", "searches_well"}
)
"""Invariants that tools of Lab break on purpose.

They rest while a unit has a mark of a debug verb, and in a tick in which a tool is used.
"""
OF_LAB = frozenset({
    OrderKind.SETTING, OrderKind.SPAWN, OrderKind.EDIT, OrderKind.PAINT, OrderKind.DATA, OrderKind.VERB,
})  # fmt: skip
FROM_THE_START = "searches_well"
"""Invariant that follows a search from its first tick.

So it begins while there is none.
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
        tools = any(order.kind in OF_LAB for order in world.recording.get("orders", ()))
        marked = tools or bool(world.units.lab[: world.units.count].any())
        for row in ROWS:
            kind = row.kind
            if (kind in ON_PURPOSE and marked) or world.tick < self._quiet.get(kind, -1):
                self._laws.pop(kind, None)
                continue
            law = self._laws.get(kind)
            if law is None:
                if kind == FROM_THE_START and world.searches:
                    continue
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
