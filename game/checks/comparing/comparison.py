"""Comparison: the same game twice in step, with different settings.

Both worlds have the same level, seed, script and orders. After each tick the figures of both are taken, and the hashes
are compared until they differ for the first time. The settings themselves do not count as a difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from game.checks.comparing.run_figures import Figure, Figures, figures_for, watched_units
from game.checks.headless import FirstMoves, Run, advance, begin_level, is_over, last_tick
from game.checks.scripts.script import Script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.model import Level
from game.sim.session import Session
from game.sim.stage_clock import StageClock
from game.sim.world_difference import differences, hash_with_settings_of
from game.world.orders import Order
from game.world.rules.world_settings import default_settings
from game.world.settings import set_value, value_of
from game.world.world import World, restore_world

Value = bool | int | float | str
Settings = Mapping[str, Value]


@dataclass(frozen=True)
class GameSetup:
    """Setup of both games of a comparison.

    ``a`` and ``b`` are the settings in which they differ; ``both`` are settings of the two games.
    """

    level: Level
    script: Script | None
    a: dict[str, Value]
    b: dict[str, Value]
    both: dict[str, Value] = field(default_factory=dict)
    units: int | None = None
    ticks: int | None = None
    """Last tick, in place of that of the script."""
    orders: tuple[tuple[int, Order], ...] = ()
    """Orders of both games with their ticks, like a session's log."""
    other_orders: tuple[tuple[int, Order], ...] | None = None
    """Orders of ``b``, if they differ."""

    def orders_of(self, b: bool, after: int = 0) -> list[tuple[int, Order]]:
        """Return the orders of a game that enter later than a tick."""
        orders = self.other_orders if b and self.other_orders is not None else self.orders
        return [row for row in orders if row[0] > after]

    def check(self) -> None:
        """Raise ValueError in one line for an unknown setting or value."""
        tree = default_settings()
        for settings in (self.script.settings if self.script else {}, self.both, self.a, self.b):
            for name, value in settings.items():
                set_value(tree, name, value)

    def pairs(self) -> dict[str, tuple[Value, Value]]:
        """Return each compared setting with its two values."""
        base = {**(self.script.settings if self.script else {}), **self.both}
        tree = default_settings()

        def of(settings: Settings, name: str) -> Value:
            return settings.get(name, base.get(name, value_of(tree, name)))

        return {name: (of(self.a, name), of(self.b, name)) for name in {**self.a, **self.b}}


@dataclass(frozen=True)
class Difference:
    """First difference of the two worlds: the tick, and places that differ in it."""

    tick: int
    places: tuple[str, ...]


@dataclass(frozen=True)
class Parting:
    """First tick at which a unit stands elsewhere, with the unit."""

    tick: int
    unit: int


class Comparison:
    """Two runs in step; ``difference`` and ``parting`` are None until they happen."""

    def __init__(self, a: Run, b: Run, kinds: tuple[Figure, ...], units: tuple[int, ...], end: int | None) -> None:
        self.runs = (a, b)
        self.units = units
        self.kinds = kinds
        self.figures = (Figures(kinds, a.session.world, units), Figures(kinds, b.session.world, units))
        self.difference: Difference | None = None
        self.parting: Parting | None = None
        self._by_mission = end is None
        self.end = end if end is not None else last_tick(a, None)
        self._note()

    @classmethod
    def begin(cls, setup: GameSetup, seed: int | None = None) -> Comparison:
        """Return a comparison before its first tick.

        A seed takes the place of the script's."""
        setup.check()
        runs = [
            begin_level(setup.level, seed, setup.units, setup.script, {**setup.both, **settings}, recording=False)
            for settings in (setup.a, setup.b)
        ]
        return cls._of(setup, runs[0], runs[1])

    @classmethod
    def go_on(cls, setup: GameSetup, session: Session) -> Comparison:
        """Return the comparison of a session and its copy from here on.

        Each gets its orders. The session is game ``a`` of the comparison.
        """
        session.finish_tick()
        world = restore_world(session.world.snapshot(), session.world)
        given, units = session.given_settings, session.extra_units
        copy = Session(session.level, session.seed, given, units, recording=False, world=world)
        session.forget_orders()
        runs = [Run(s, StageClock(), FirstMoves(), ScriptedPlayer(), [], None) for s in (session, copy)]
        return cls._of(setup, runs[0], runs[1])

    @classmethod
    def _of(cls, setup: GameSetup, a: Run, b: Run) -> Comparison:
        world = a.session.world
        if not world.units.count:
            raise ValueError(f"{setup.level.path}: has no units to compare; --units K scatters K soldiers")
        for run in (a, b):
            run.session.schedule(setup.orders_of(run is b, world.tick))
        return cls(a, b, figures_for(setup.script), watched_units(world, setup.script), setup.ticks)

    @property
    def sessions(self) -> tuple[Session, Session]:
        """The two games."""
        return self.runs[0].session, self.runs[1].session

    @property
    def worlds(self) -> tuple[World, World]:
        """The two worlds at the present tick."""
        return self.runs[0].session.world, self.runs[1].session.world

    @property
    def tick(self) -> int:
        """Present tick: that of the run which has come farther."""
        return max(world.tick for world in self.worlds)

    @property
    def over(self) -> bool:
        """Return whether both runs are at their end."""
        return all(is_over(run, self.end, self._by_mission) for run in self.runs)

    def give(self, order: Order) -> None:
        """Give an order to both worlds."""
        for session in self.sessions:
            session.give(order)

    def advance(self) -> bool:
        """Advance both by one tick, each until its end; false when both are over."""
        going = [not is_over(run, self.end, self._by_mission) for run in self.runs]
        for run, figures, goes in zip(self.runs, self.figures, going, strict=True):
            if goes:
                advance(run)
                figures.watch(run.session.world)
        self._note()
        return any(going)

    def to_the_end(self) -> None:
        """Advance until both runs are over."""
        while self.advance():
            pass

    def _note(self) -> None:
        """Note the first difference, and the first unit elsewhere."""
        a, b = self.worlds
        if self.difference is None and hash_with_settings_of(b, a) != a.hash():
            self.difference = Difference(self.tick, tuple(differences(a, b)))
        if self.parting is None and self.difference is not None and a.tick == b.tick:
            unit = _first_elsewhere(a, b)
            self.parting = Parting(self.tick, unit) if unit >= 0 else None

    def report(self) -> dict[str, Any]:
        """Return the JSON of both runs with their figures, and of their first difference."""
        found: dict[str, Any] = {}
        for key, run, figures in zip("ab", self.runs, self.figures, strict=True):
            found[key] = {**run.report(), "figures": figures.values}
        d, p = self.difference, self.parting
        found["first_difference"] = {"tick": d.tick, "places": list(d.places)} if d is not None else None
        found["ways_part"] = {"tick": p.tick, "unit": p.unit} if p is not None else None
        return found


def _first_elsewhere(a: World, b: World) -> int:
    """Return the lowest id of a unit that stands elsewhere, -1 for none."""
    n = min(a.units.count, b.units.count)
    ids = a.units.id[:n]
    slots = b.units.slots(ids)
    other = (a.units.x[:n] != b.units.x[slots]) | (a.units.y[:n] != b.units.y[slots])
    return int(ids[other].min()) if other.any() else -1
