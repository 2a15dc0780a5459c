"""Session: one world in play, its order log, and the kept moments.

All input of the world goes through :meth:`Session.give`, so the log replays it exactly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ai.core.scheduling.periods import is_due
from ai.core.serialization import Snapshot
from game.level.model import Level
from game.sim.create_world import create_world
from game.sim.tick import SpreadTick, tick
from game.sim.timeline.keyframes import History
from game.world.orders import Order, OrderKind, fault_of_form
from game.world.world import World, restore_world

MOMENTS = 5
"""Number of kept moments."""

MOST_UNITS = 200_000
"""A game has at most so many units."""

HASH_EVERY = 20
"""Ticks between two hashes in a recording: one second."""


@dataclass(frozen=True)
class Moment:
    """Kept moment: world, log, hashes, keyframes before it, orders to come."""

    world: Snapshot
    log: tuple[tuple[int, Order], ...]
    hashes: tuple[tuple[int, str], ...]
    history: History | None
    waiting: tuple[Order, ...]
    scheduled: tuple[tuple[int, Order], ...]


class Session:
    """Session of one game.

    ``log`` holds (tick the order entered, order); ``hashes`` (tick, hash) when recording.
    """

    def __init__(
        self,
        level: Level,
        seed: int = 1,
        settings: dict[str, Any] | None = None,
        units: int | None = None,
        recording: bool = True,
        progress: Callable[[int, int], None] | None = None,
        world: World | None = None,
    ) -> None:
        """Start with ``world`` as it is, or create one from the level."""
        self.level = level
        self.seed = seed
        self.given_settings = dict(settings or {})
        self.extra_units = units
        self.recording = recording
        self.world = world or create_world(level, seed, self.given_settings, units, progress)
        self.log: list[tuple[int, Order]] = []
        self.hashes: list[tuple[int, str]] = []
        self.moments: list[Moment] = []
        self.lab_used = False
        """True once the lab was opened in this game: no medal.

        Kept with saves and replays, not undone by a kept moment. The world does not know, so that looking cannot
        reach the simulation.
        """
        self.bookmarks: list[int] = []
        """Ticks that the player marked; replays keep them."""
        self.history: History | None = None
        """Keyframes of this game, None while it records none."""
        self._spread = SpreadTick()
        self._waiting: list[Order] = []
        self._scheduled: deque[tuple[int, Order]] = deque()

    def remember(self, history: History | None = None) -> History:
        """Record keyframes from now on, so that later any tick can be shown again."""
        self.finish_tick()
        if self.history is None:
            self.history = history if history is not None else History()
            self.history.note(self.world)
        return self.history

    def schedule(self, orders: list[tuple[int, Order]]) -> None:
        """Give orders that enter at their ticks, as in a replay."""
        self._scheduled = deque(sorted(orders, key=lambda row: row[0]))

    @property
    def waiting(self) -> tuple[Order, ...]:
        """Orders that enter at the next tick, in the order of giving."""
        return tuple(self._waiting)

    @property
    def replaying(self) -> bool:
        """Return whether recorded orders are still to enter by themselves."""
        return bool(self._scheduled)

    def give(self, order: Order) -> None:
        """Give an order; it enters at the next tick.

        ValueError in one line for an invalid order.
        """
        wrong = fault_of_form(order)
        if wrong:
            raise ValueError(wrong)
        self._waiting.append(order)

    def set(self, name: str, value: bool | int | float | str) -> None:
        """Change a setting by an order, so that a replay changes it too."""
        word = value if isinstance(value, str) else ""
        number = float(value) if not isinstance(value, str) else 0.0
        self.give(Order(int(OrderKind.SETTING), name=name, value=number, text=word))

    def _enter_orders(self) -> None:
        while self._scheduled and self._scheduled[0][0] <= self.world.tick + 1:
            self._waiting.append(self._scheduled.popleft()[1])
        for order in self._waiting:
            self.log.append((self.world.tick + 1, order))
        self.world.pending.extend(self._waiting)
        self._waiting.clear()

    def _finished(self) -> None:
        if self.recording and is_due(self.world.tick, HASH_EVERY):
            self.hashes.append((self.world.tick, self.world.hash()))
        if self.history is not None:
            self.history.note(self.world)

    def advance(self, after_stage: Callable[[str], None] | None = None) -> None:
        """Run one whole tick."""
        self.finish_tick()
        self._enter_orders()
        tick(self.world, after_stage)
        self._finished()

    def advance_until(self, time_is_up: Callable[[], bool], after_stage: Callable[[str], None] | None = None) -> bool:
        """Run stages until the time is up; true when a tick was finished."""
        if self._spread.whole:
            self._enter_orders()
        done = self._spread.advance(self.world, time_is_up, after_stage)
        if done:
            self._finished()
        return done

    @property
    def whole(self) -> bool:
        """Return True between ticks, when the world is complete."""
        return self._spread.whole

    @property
    def stage(self) -> int:
        """Number of stages of the tick under way that have run; 0 between ticks."""
        return self._spread.next_stage

    def finish_tick(self) -> None:
        """Finish a tick that is spread over frames, so that the world is whole."""
        if not self._spread.whole:
            self._spread.advance(self.world, lambda: False)
            self._finished()

    def keep(self) -> int:
        """Keep this moment; return its tick.

        The oldest of more than five is dropped.
        """
        self.finish_tick()
        base = self.moments[-1].world if self.moments else None
        self.moments.append(
            Moment(
                self.world.snapshot(base),
                tuple(self.log),
                tuple(self.hashes),
                self.history.branch(self.world.tick) if self.history is not None else None,
                tuple(self._waiting),
                tuple(self._scheduled),
            )
        )
        for old in self.moments[:-MOMENTS]:
            if old.history is not None:
                old.history.close()
        del self.moments[:-MOMENTS]
        return self.world.tick

    def back(self, which: int = -1) -> bool:
        """Return to a kept moment (the last one), without the orders after it.

        False without one.
        """
        if not self.moments:
            return False
        moment = self.moments[which]
        self.world = restore_world(moment.world)
        # A later moment may be of another past than the present one, so nothing of the present is kept.
        self.log, self.hashes = list(moment.log), list(moment.hashes)
        self._waiting = list(moment.waiting)
        self._scheduled = deque(moment.scheduled)
        self._spread = SpreadTick()
        if self.history is not None:
            self.history.close()
            kept = moment.history
            self.history = kept.branch(self.world.tick) if kept is not None else History(self.history.store)
            self.history.note(self.world)
        return True

    def forget_orders(self) -> None:
        """Drop all orders that have not entered yet, for another world."""
        self._waiting.clear()
        self._scheduled.clear()
        self._spread = SpreadTick()

    def restart(self) -> Session:
        """Return a new session of the same level, seed and settings."""
        return Session(self.level, self.seed, self.given_settings, self.extra_units, self.recording)
