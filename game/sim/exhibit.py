"""An exhibit being run: a level, its script, two worlds that differ in one setting, and the number that tells it.

The run with the technique on and the one with it off start from the same tick and get the same orders.  After
``repeat`` ticks both begin again.  Pure simulation: the window only watches.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from game.level.model import Level
from game.level.reading import load_level
from game.sim.gauge import Gauge
from game.sim.script import Exhibit, Script, load_script, scripts_of
from game.sim.scripted_player import ScriptedPlayer
from game.sim.select import select
from game.sim.session import Session
from game.sim.twin import Twin, Value
from game.world.orders import Order
from game.world.settings import set_value, walk_settings
from game.world.world import World

MOST_WATCHED = 32
"""Units whose ways are kept; the number is taken over all that the exhibit names."""


def exhibit_script(level: Path, technique: str = "") -> Script | None:
    """The script of a map that has an ``[exhibit]``: the one for ``technique``, else the first; None without one.

    A script that cannot be read raises ValueError in one line.
    """
    found = [s for s in map(load_script, scripts_of(level)) if s.exhibit is not None]
    fitting = [s for s in found if s.exhibit is not None and s.exhibit.technique == technique]
    return next(iter(fitting or found), None)


class ExhibitRun:
    """Both worlds of an exhibit.  ``twin.shown`` is watched, ``twin.ghost`` is the other one.

    ``gauges`` are (shown, ghost); ``trails`` hold per run the places of every watched unit, a row a tick.
    """

    def __init__(self, level: Level, script: Script) -> None:
        if script.exhibit is None:
            raise ValueError(f"{level.path}: its script has no [exhibit]; levels/README.md says what belongs in it")
        self.level = level
        self.script = script
        self.exhibit: Exhibit = script.exhibit
        session = Session(level, script.seed, dict(script.settings), script.units, recording=False)
        self._check_settings(session.world)
        session.keep()
        self._start = session.moments[-1]
        self.measured = tuple(select(session.world, self.exhibit.select or "raiders"))
        self.watched = self.measured[:MOST_WATCHED]
        self.turned: dict[str, Value] = {}
        self.shows_on = True
        self.rounds = 0
        self.twin = Twin.fork(session, self.exhibit.setting, self.exhibit.on, self.exhibit.off)
        self._begin()

    @classmethod
    def open(cls, path: Path, technique: str = "") -> ExhibitRun:
        """Read a map and its exhibit; raises ValueError in one line."""
        script = exhibit_script(path, technique)
        if script is None:
            raise ValueError(f"{path}: no script beside it has an [exhibit]; levels/README.md says how to write one")
        return cls(load_level(path), script)

    def _check_settings(self, world: World) -> None:
        """Every setting the exhibit names exists and takes the values it offers."""
        e = self.exhibit
        before = {name: value for name, value, _ in walk_settings(world.settings)}
        offered = [(e.setting, e.on), (e.setting, e.off)]
        for knob in (*e.knobs, *e.more_knobs):
            offered += [(knob.setting, v) for v in (knob.choices or [knob.low or 0.0, knob.high or 0.0])]
        for name, value in offered:
            set_value(world.settings, name, value)
        for name, value in before.items():
            set_value(world.settings, name, value)

    def _begin(self) -> None:
        """Both worlds stand at the first tick: the settings as they are turned, no orders given yet."""
        self.player = ScriptedPlayer()
        self.gauges = (Gauge(self.exhibit.measure, self.measured), Gauge(self.exhibit.measure, self.measured))
        self.trails: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        for name, value in self.turned.items():
            self._set_both(name, value)
        self._note()
        self._give_due()

    def restart(self) -> None:
        """From the first tick again, with the knobs as they stand and the same run shown."""
        shown = self.twin.shown
        shown.moments = [self._start]
        shown.back(0)
        self.twin = Twin.fork(shown, self.exhibit.setting, self.exhibit.on, self.exhibit.off)
        if not self.shows_on:
            self.twin.switch()
        self.rounds += 1
        self._begin()

    def _give_due(self) -> None:
        world = self.twin.shown.world
        for order in self.player.orders(self.script, world, world.tick + 1):
            self.twin.give(order)

    def finished(self) -> bool:
        """A tick of the shown world was finished: the ghost follows.  True when both began again."""
        self.twin.ghost.advance()
        self._note()
        if self.twin.shown.world.tick >= self.exhibit.repeat:
            self.restart()
            return True
        self._give_due()
        return False

    def advance(self) -> bool:
        """One tick of both; True when they began again."""
        self.twin.shown.advance()
        return self.finished()

    def _note(self) -> None:
        for session, gauge, trail in zip((self.twin.shown, self.twin.ghost), self.gauges, self.trails, strict=True):
            gauge.watch(session.world)
            slots = session.world.units.slots(np.array(self.watched, np.int64))
            trail.append(np.column_stack((session.world.units.x[slots], session.world.units.y[slots])))

    def switch(self) -> None:
        """The technique off, or on again, from this very tick (or the first one); what was shown is the ghost now."""
        if self.exhibit.switch_at == "start":
            self.shows_on = not self.shows_on
            self.restart()
            return
        self.twin.switch()
        self.shows_on = self.twin.shows_on
        self.gauges = (self.gauges[0], self.gauges[0].copy())
        self.trails = (self.trails[0], list(self.trails[0]))

    def turn(self, name: str, value: Value) -> None:
        """A knob: a setting order to both worlds, kept over repeats."""
        if name == self.exhibit.setting:
            if (value == self.exhibit.on) != self.shows_on:
                self.switch()
            return
        self.turned[name] = value
        self._set_both(name, value)

    def _set_both(self, name: str, value: Value) -> None:
        self.twin.shown.set(name, value)
        self.twin.ghost.set(name, value)

    def give(self, order: Order) -> None:
        """A visitor's order, for both worlds."""
        self.twin.give(order)

    def value_of(self, name: str) -> Value:
        """A setting as it is turned, even before the world has taken it."""
        if name in self.turned:
            return self.turned[name]
        found = {n: v for n, v, _ in walk_settings(self.twin.shown.world.settings)}
        return found[name]
