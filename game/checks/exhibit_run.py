"""Run of an exhibit: level, script, two worlds and one measure.

The worlds differ in one setting. The run with the technique on and the one with it off start from the same tick
and get the same orders. After ``repeat`` ticks both begin again. Pure simulation: the window only watches.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from game.checks.comparing.ab_run import ABRun, Value
from game.checks.exhibit_table import Exhibit, SelectorModel
from game.checks.metrics.metric import Metric
from game.checks.scripts.script import Script, load_script, scripts_of
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.checks.scripts.unit_selectors import select
from game.level.model import Level
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order
from game.world.rules.world_settings import default_settings
from game.world.settings import set_value, value_of, walk_settings
from game.world.world import World

MOST_WATCHED = 32
"""Units with recorded paths, spread evenly; the measure uses all units."""


def exhibit_script(level: Path, technique: str = "") -> Script | None:
    """Return the map's exhibit script for ``technique``, else the first, or None.

    A script that cannot be read raises ValueError in one line.
    """
    found = exhibit_scripts(level)
    fitting = [s for s in found if s.exhibit is not None and s.exhibit.technique == technique]
    return next(iter(fitting or found), None)


def exhibit_scripts(level: Path) -> list[Script]:
    """Return every script of a map with an ``[exhibit]``, by name.

    ValueError in one line for a bad one.
    """
    return [s for s in map(load_script, scripts_of(level)) if s.exhibit is not None]


def plays_its_script(script: Script) -> bool:
    """Return whether the run with the technique on is the script's own run.

    It is when the script, or the default, has the setting that is on.
    """
    assert script.exhibit is not None
    own = script.settings.get(script.exhibit.setting, value_of(default_settings(), script.exhibit.setting))
    return bool(own == script.exhibit.on)


@dataclass
class PanelRun:
    """Captioned part of the map: its box in tiles, and its measures.

    It has a measure in both runs if it has units.
    """

    label: str
    box: tuple[float, float, float, float]
    units: tuple[int, ...]
    metrics: tuple[Metric, Metric] | None = None


class ExhibitRun:
    """Both worlds of an exhibit: ``ab_run.shown`` is watched, ``ab_run.ghost`` is the other one.

    ``metrics`` are (shown, ghost). ``trails`` hold for each run the positions of each watched unit, one row per tick.
    """

    def __init__(self, level: Level, script: Script) -> None:
        if script.exhibit is None:
            raise ValueError(f"{level.path}: its script has no [exhibit]; levels/README.md says what belongs in it")
        self.level = level
        self.script = script
        self.exhibit: Exhibit = script.exhibit
        self._where = str(script.path or level.path)
        session = Session(level, script.seed, dict(script.settings), script.units, recording=False)
        self._check_settings(session.world)
        session.keep()
        self._start = session.moments[-1]
        self.measured = self._selected(session.world, self.exhibit.select or "raiders", "select")
        self.panels = [self._panel(session.world, i) for i in range(len(self.exhibit.panel))]
        self.watched = self.measured[:: max(1, -(-len(self.measured) // MOST_WATCHED))]
        self.turned: dict[str, Value] = {}
        self.on: Value = self.exhibit.on
        self.off: Value = self.exhibit.off
        self.shows_on = True
        self.rounds = 0
        self.ab_run = ABRun.fork(session, self.exhibit.setting, self.on, self.off)
        self._begin()

    @classmethod
    def open(cls, path: Path, technique: str = "") -> ExhibitRun:
        """Read a map and its exhibit; raises ValueError in one line."""
        script = exhibit_script(path, technique)
        if script is None:
            raise ValueError(f"{path}: no script beside it has an [exhibit]; levels/README.md says how to write one")
        return cls(load_level(path), script)

    def _wrong(self, place: str, error: object) -> ValueError:
        words = str(error).rstrip(".")
        return ValueError(f"{self._where}: exhibit.{place}: {words}; levels/README.md says what an exhibit may say")

    def _selected(self, world: World, units: SelectorModel, place: str) -> tuple[int, ...]:
        try:
            return tuple(select(world, units))
        except ValueError as error:
            raise self._wrong(place, error) from None

    def _panel(self, world: World, index: int) -> PanelRun:
        panel, place = self.exhibit.panel[index], f"panel.{index}"
        if panel.region is not None:
            region = world.region(panel.region)
            if region is None:
                raise self._wrong(place, f"there is no region {panel.region!r} in {world.level_name}")
            xs, ys = zip(*region.points, strict=True)
            box = (min(xs), min(ys), max(xs), max(ys))
        else:
            assert panel.box is not None
            box = panel.box
        units = self._selected(world, panel.units, f"{place}.units") if panel.units is not None else ()
        return PanelRun(panel.label, box, units)

    def _check_settings(self, world: World) -> None:
        """Check that all named settings exist and take the offered values.

        The world is left as it was.
        """
        e = self.exhibit
        now = {name: value for name, value, _ in walk_settings(world.settings)}
        offered: list[tuple[str, str, Value]] = [("on", e.setting, e.on), ("off", e.setting, e.off)]
        if e.also is not None:
            offered.append(("also", e.setting, e.also))
        for kind, knobs in (("knobs", e.knobs), ("more_knobs", e.more_knobs)):
            for i, knob in enumerate(knobs):
                values = knob.choices or [knob.low or 0.0, knob.high or 0.0]
                offered += [(f"{kind}.{i}", knob.setting, v) for v in values]
        for place, name, value in offered:
            if name in now and not _same_kind(now[name], value):
                wanted = "true or false" if isinstance(now[name], bool) else type(now[name]).__name__
                raise self._wrong(place, f"setting {name} takes {wanted}, not {value!r}")
            try:
                set_value(world.settings, name, value)
            except ValueError as error:
                raise self._wrong(place, error) from None
        for name, value in now.items():
            set_value(world.settings, name, value)

    def _begin(self) -> None:
        """Start both worlds at the first tick, with settings and without orders."""
        self.player = ScriptedPlayer()
        self.metrics = self._two_metrics(self.measured)
        price = self.exhibit.price
        self.prices: tuple[Metric, Metric] | None = None
        if price is not None:
            one = Metric(price.measure, self.measured, price.counted)
            self.prices = one, one.copy()
        for panel in self.panels:
            panel.metrics = self._two_metrics(panel.units) if panel.units and self.exhibit.measure != "none" else None
        self.trails: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        for name, value in self.turned.items():
            self._set_both(name, value)
        self._note()
        self._give_due()

    def _two_metrics(self, units: tuple[int, ...]) -> tuple[Metric, Metric]:
        e = self.exhibit
        return Metric(e.measure, units, e.counted), Metric(e.measure, units, e.counted)

    def restart(self) -> None:
        """Restart at the first tick, with the present knobs and shown run."""
        shown = self.ab_run.shown
        shown.moments = [self._start]
        shown.back(0)
        self.ab_run = ABRun.fork(shown, self.exhibit.setting, self.on, self.off)
        if not self.shows_on:
            self.ab_run.switch()
        self.rounds += 1
        self._begin()

    def _give_due(self) -> None:
        world = self.ab_run.shown.world
        for order in self.player.orders(self.script, world, world.tick + 1):
            self.ab_run.give(order)

    def finished(self) -> bool:
        """Advance the ghost after a shown tick; true when both restarted."""
        self.ab_run.ghost.advance()
        self._note()
        if self.ab_run.shown.world.tick >= self.exhibit.repeat:
            self.restart()
            return True
        self._give_due()
        return False

    def advance(self) -> bool:
        """Advance both by one tick; true when they restarted."""
        self.ab_run.shown.advance()
        return self.finished()

    def _note(self) -> None:
        prices = [self.prices] if self.prices is not None else []
        pairs = [self.metrics, *prices, *(p.metrics for p in self.panels if p.metrics is not None)]
        for i, (session, trail) in enumerate(zip((self.ab_run.shown, self.ab_run.ghost), self.trails, strict=True)):
            try:
                for pair in pairs:
                    pair[i].watch(session.world)
            except ValueError as error:
                raise self._wrong("counted", error) from None
            slots = session.world.units.slots(np.array(self.watched, np.int64))
            trail.append(np.column_stack((session.world.units.x[slots], session.world.units.y[slots])))

    def switch(self) -> None:
        """Switch the technique from this tick (or the first one).

        The shown run becomes the ghost. An exhibit of three values goes to the next value. Its ghost is the run
        with ``off``; beside that run it is the one with ``on``.
        """
        e = self.exhibit
        if e.also is not None:
            if self.shows_on and self.on != e.also:
                self.on = e.also
            else:
                self.on, self.shows_on = e.on, not self.shows_on
            self.restart()
            return
        if self.exhibit.switch_at == "start":
            self.shows_on = not self.shows_on
            self.restart()
            return
        self.ab_run.switch()
        self.shows_on = self.ab_run.shows_on
        self.metrics = (self.metrics[0], self.metrics[0].copy())
        if self.prices is not None:
            self.prices = (self.prices[0], self.prices[0].copy())
        for panel in self.panels:
            if panel.metrics is not None:
                panel.metrics = (panel.metrics[0], panel.metrics[0].copy())
        self.trails = (self.trails[0], list(self.trails[0]))

    def turn(self, name: str, value: Value) -> None:
        """Set a knob in both worlds; its value is kept over repeats."""
        if name == self.exhibit.setting:
            self._turn_switched(value)
            return
        self.turned[name] = value
        self._set_both(name, value)

    def _turn_switched(self, value: Value) -> None:
        """Set the knob that T switches: ``off``, or a new "on" value.

        ``off`` shows the run without the technique.
        """
        on = value != self.off
        if on and value != self.on:
            self.on = self.ab_run.on = value
            self.ab_run.run_with(on=True).set(self.exhibit.setting, value)
        if on != self.shows_on:
            self.switch()

    def _set_both(self, name: str, value: Value) -> None:
        self.ab_run.shown.set(name, value)
        self.ab_run.ghost.set(name, value)

    def give(self, order: Order) -> None:
        """Give an order of the visitor to both worlds."""
        self.ab_run.give(order)

    def value_of(self, name: str) -> Value:
        """Return the set value of a setting, even before the world has taken it."""
        if name in self.turned:
            return self.turned[name]
        return value_of(self.ab_run.shown.world.settings, name)


def _same_kind(setting: Value, value: Value) -> bool:
    """Return true if a setting of this type takes the value unchanged."""
    if isinstance(setting, bool) or isinstance(value, bool):
        return isinstance(setting, bool) and isinstance(value, bool)
    if isinstance(setting, str) or isinstance(value, str):
        return isinstance(setting, str) and isinstance(value, str)
    return not (isinstance(setting, int) and float(value) != int(value))
