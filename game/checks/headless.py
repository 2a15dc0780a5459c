"""Headless runs: a level, a script, a number of ticks, and a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ai.core import kernels
from game.checks.expectations import Expectation
from game.checks.invariants.invariants import expectations
from game.checks.scripts.script import Script, placed
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.model import Level
from game.level.reading import load_level
from game.sim.create_world import scatter_goals
from game.sim.session import Session
from game.sim.stage_clock import StageClock, memory_mb, settle
from game.world.events import Happening
from game.world.orders import MOVES, Order, OrderKind
from game.world.rules.world_settings import default_settings
from game.world.settings import set_value


@dataclass
class FirstMoves:
    """Ticks from move order to first step, the largest of all units."""

    waiting: dict[int, int] = field(default_factory=dict)
    worst: int = 0
    sent: set[int] = field(default_factory=set)
    """Units that ever had an order to move."""

    def ordered(self, tick: int, orders: tuple[Order, ...]) -> None:
        """Note the orders that enter at ``tick``."""
        for order in orders:
            if OrderKind(order.kind) in MOVES:
                self.sent.update(order.units)
            if OrderKind(order.kind) in MOVES and not order.queued:
                for unit in order.units:
                    self.waiting.setdefault(unit, tick)

    def watch(self, session: Session) -> None:
        """Update after each tick: units that have moved, and units without a path."""
        if not self.waiting:
            return
        world = session.world
        ids = np.fromiter(self.waiting, np.int64)
        slots = world.units.slots(ids)
        u = world.units
        moved = (u.x[slots] != u.prev_x[slots]) | (u.y[slots] != u.prev_y[slots])
        done = moved | (u.alive[slots] == 0) | (u.moving[slots] == 0)
        for unit, has_moved in zip(ids[done].tolist(), moved[done].tolist(), strict=True):
            since = self.waiting.pop(unit)
            if has_moved:
                self.worst = max(self.worst, world.tick - since)
        for since in self.waiting.values():
            self.worst = max(self.worst, world.tick - since)


@dataclass
class Run:
    """Headless run and its results."""

    session: Session
    clock: StageClock
    first_moves: FirstMoves
    player: ScriptedPlayer
    expectations: list[Expectation]
    script: Script | None
    lifted: Happening | None = None
    """The first thing that was lifted."""

    def report(self) -> dict[str, Any]:
        """Return the JSON of ``main.py run``."""
        world = self.session.world
        return {
            "level": str(self.session.level.path),
            "ticks": world.tick,
            "seed": self.session.seed,
            "units": int(world.units.count),
            "hash": world.hash(),
            **self.clock.table(),
            "first_move_ticks_max": self.first_moves.worst,
            "paths": world.paths.statistics.report(world.settings.paths.budget),
            "memory_mb": memory_mb(),
            "mission": {
                "status": world.mission.status,
                "reason": world.mission.reason,
                "alarms": world.mission.alarms,
                "losses": world.mission.losses,
            },
        }

    def failures(self) -> list[str]:
        """Return a line for every failed expectation."""
        lines = []
        for watcher in self.expectations:
            wrong = watcher.verdict(self.session.world)
            if wrong is not None:
                lines.append(f"{watcher.row.kind}: {wrong}")
        lines += [f"fault: {text}" for _, text in sorted(self.session.world.set_aside.items())]
        given_up = [
            (track.name, state.step)
            for track, state in zip(self.script.track if self.script else [], self.player.tracks, strict=False)
            if state.given_up
        ]
        lines += [f"script: track {name!r} gave up waiting before step {step}" for name, step in given_up]
        return lines


def prepare_kernels(groups: tuple[str, ...] = ("mission",)) -> None:
    """Compile or load the kernels of a mission, or more ``groups``.

    Then no tick of a measured run compiles.
    """
    kernels.import_all()
    for _ in kernels.warm_up(groups):
        pass


def run_level(
    level_path: Path,
    ticks: int | None = None,
    seed: int | None = None,
    units: int | None = None,
    script: Script | None = None,
    settings: dict[str, Any] | None = None,
    recording: bool = True,
    measured: bool = False,
) -> Run:
    """Run a level to its end; what is not given comes from the script.

    With ``measured`` the times count; see :func:`game.sim.stage_clock.settle`.
    """
    run = begin(level_path, seed, units, script, settings, recording)
    if measured:
        settle()
    return go_on(run, ticks)


def begin(
    level_path: Path,
    seed: int | None = None,
    units: int | None = None,
    script: Script | None = None,
    settings: dict[str, Any] | None = None,
    recording: bool = True,
) -> Run:
    """Return a run before its first tick."""
    return begin_level(load_level(level_path), seed, units, script, settings, recording)


def begin_level(
    level: Level,
    seed: int | None = None,
    units: int | None = None,
    script: Script | None = None,
    settings: dict[str, Any] | None = None,
    recording: bool = True,
) -> Run:
    """Return a run of a level that is read already, before its first tick."""
    chosen = {**(dict(script.settings) if script else {}), **(settings or {})}
    scatter = units if units is not None else (script.units if script else None)
    if script:
        with placed(script, "settings"):
            tree = default_settings()
            for name, value in script.settings.items():
                set_value(tree, name, value)
    session = Session(
        level,
        seed if seed is not None else (script.seed if script else 1),
        chosen,
        scatter,
        recording,
    )
    run = Run(session, StageClock(), FirstMoves(), ScriptedPlayer(), [], script)
    if script:
        with placed(script):
            run.expectations = expectations(script.expect, session.world)
    if scatter and not (script and (script.order or script.track)):
        session.give(scatter_orders(session))
    return run


def go_on(run: Run, ticks: int | None = None) -> Run:
    """Advance ``ticks`` more.

    Without a number: to the end of the script, or tick 600, or to the mission's end if the script stops there.
    """
    end = last_tick(run, ticks)
    while not is_over(run, end, ticks is None):
        advance(run)
    return run


def last_tick(run: Run, ticks: int | None) -> int:
    """Return the last tick of a run.

    It goes on by ``ticks``, or to the end of its script.
    """
    if ticks is not None:
        return run.session.world.tick + ticks
    return run.script.ticks if run.script else 600


def is_over(run: Run, end: int, by_mission: bool) -> bool:
    """Return whether a run is at its end.

    ``by_mission``: the mission's end counts, if the script stops there.
    """
    world, script = run.session.world, run.script
    stops = by_mission and script is not None and script.stop_when_over and world.tick > 0
    return world.tick >= end or (stops and world.mission.status in ("won", "lost"))


def advance(run: Run) -> None:
    """Advance a run by one tick: script, world, watchers."""
    session = run.session
    if run.script is not None:
        for order in run.player.orders(run.script, session.world, session.world.tick + 1):
            session.give(order)
    run.first_moves.ordered(session.world.tick + 1, session.waiting)
    run.clock.begin()
    session.advance(run.clock.after_stage)
    run.first_moves.watch(session)
    if run.script is not None and run.expectations:
        with placed(run.script):
            for watcher in run.expectations:
                watcher.watch(session.world)
    if run.lifted is None:
        run.lifted = next((e for e in session.world.events if e.kind == "lifted"), None)


def scatter_orders(session: Session, draw: int = 0) -> Order:
    """Return one order of seeded reachable destinations for scattered units.

    Each destination is a tile of the unit's own component. Each ``draw`` gives other destinations.
    """
    ids, points = scatter_goals(session.world, draw)
    return Order(int(OrderKind.MOVE_EACH), 0, tuple(ids), points=tuple(points))
