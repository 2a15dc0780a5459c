"""Session in the window: the clock and picture of its ticks.

The clock decides when work is done, never what: a slow machine runs fewer ticks a second, the same ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from game.checks.scripts.script import Script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level import load_level
from game.level.model import Level
from game.sim.replay import open_replay
from game.sim.saves import load_game
from game.sim.session import Session
from game.sim.stage_clock import settle
from game.sim.tick import STAGES
from game.view.lab.measures.tick_meter import TickMeter
from game.view.painting.unit_picture import Picture, take_picture
from game.world.events import Happening
from game.world.orders import Order
from game.world.world import World

TICK_MS = 50.0
SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
SHARE_MS = 9.0
"""Milliseconds of a frame that ticks may use."""


@dataclass
class Clock:
    """Real time into ticks."""

    speed_index: int = SPEEDS.index(1.0)
    paused: bool = False
    owed_ms: float = 0.0
    steps: int = 0

    @property
    def speed(self) -> float:
        """Ticks run this many times as fast as real time."""
        return SPEEDS[self.speed_index]

    def faster(self, by: int) -> None:
        """Go ``by`` steps faster (negative: slower)."""
        self.speed_index = min(max(self.speed_index + by, 0), len(SPEEDS) - 1)

    def alpha(self) -> float:
        """Return the place of the picture between the last two finished ticks, 0..1."""
        return min(max(self.owed_ms / TICK_MS, 0.0), 1.0)


@dataclass
class Playing:
    """A session, its clock and what the view reads of it."""

    session: Session
    clock: Clock = field(default_factory=Clock)
    side: int = 0
    picture: Picture = field(default_factory=Picture)
    happenings: list[Happening] = field(default_factory=list)
    stage_ms: float = 0.0
    recorded: int = 0
    """Last tick of the replay that is watched; 0 for a game."""
    meter: TickMeter = field(default_factory=TickMeter)
    """Times of the ticks that the clock ran."""
    after_tick: Callable[[World], None] | None = None
    """Called with the world after each tick."""

    def __post_init__(self) -> None:
        self.picture = take_picture(self.session.world)

    @property
    def world(self) -> Any:
        """Return the world; it is complete between ticks only."""
        return self.session.world

    @property
    def level(self) -> Level:
        """Return the level being played."""
        return self.session.level

    def give(self, order: Order) -> None:
        """Speak to the world."""
        self.session.give(order)

    def advance(self, dt_ms: float) -> int:
        """Run the due ticks within the frame's share of time; return their number.

        What they published is collected in ``happenings`` until :meth:`take_happenings`.
        """
        clock = self.clock
        if clock.paused and not clock.steps:
            clock.owed_ms = TICK_MS
            return 0
        if not clock.paused:
            clock.owed_ms += dt_ms * clock.speed
        start = time.perf_counter()
        end = start + SHARE_MS / 1000
        finished = 0
        while clock.steps or (not clock.paused and clock.owed_ms >= TICK_MS):
            self.meter.begin()
            done = self.session.advance_until(lambda: time.perf_counter() > end, self.meter.after_stage)
            self.meter.end()
            if not done:
                break
            self._finished()
            self._paid()
            finished += 1
            if time.perf_counter() > end:
                break
        if clock.owed_ms > TICK_MS * 2:
            clock.owed_ms = TICK_MS * 2  # too slow for this speed: the game slows down, it does not stutter
        self.stage_ms = (time.perf_counter() - start) * 1000
        return finished

    def run_ticks(self, count: int) -> None:
        """Run whole ticks at once (screenshots, tests)."""
        self.whole()
        for _ in range(count):
            self.session.advance()
            self._finished()

    def run_stages(self, count: int) -> None:
        """Run single stages, and show the world after them.

        They are those of the tick under way, or of the next one.

        Within a tick the picture keeps the number of the last whole tick.
        """
        for _ in range(count):
            self.meter.begin()
            done = self.session.advance_until(lambda: True, self.meter.after_stage)
            self.meter.end()
            if done:
                self._finished()
        if not self.session.whole:
            tick, self.picture = self.picture.tick, take_picture(self.session.world, self.picture)
            self.picture.tick = tick

    @property
    def last_stage(self) -> str:
        """Name of the last stage in the tick under way, empty between ticks."""
        done = self.session.stage
        return STAGES[done - 1][0] if done else ""

    def run_script(self, script: Script, count: int, player: ScriptedPlayer | None = None) -> None:
        """Run ``count`` ticks with a scripted player.

        The player is a new one, or ``player`` going on.
        """
        player = player if player is not None else ScriptedPlayer()
        for _ in range(count):
            for order in player.orders(script, self.world, self.world.tick + 1):
                self.session.give(order)
            self.run_ticks(1)

    def _finished(self) -> None:
        world = self.session.world
        for slug in self.meter.finished(world.tick):
            if self.session.history is not None:
                self.session.history.note_run(slug, world.tick)
        if self.after_tick is not None:
            self.after_tick(world)
        self.picture = take_picture(world, self.picture)
        self.happenings.extend(world.events)

    def _paid(self) -> None:
        """Settle a finished tick that the clock asked for."""
        if self.clock.steps:
            self.clock.steps -= 1
        elif not self.clock.paused:
            self.clock.owed_ms -= TICK_MS

    def take_happenings(self) -> list[Happening]:
        """Return the happenings since the last call, oldest first."""
        taken, self.happenings = self.happenings, []
        return taken

    def whole(self) -> None:
        """Finish a tick that is under way, so that the world can be saved."""
        if not self.session.whole:
            self.session.finish_tick()
            self._finished()
            self._paid()

    def masks(self) -> tuple[np.ndarray, np.ndarray]:
        """Tiles the player's side sees and has ever seen, bool[H, W] each."""
        sight = self.world.sight
        return sight.visible_mask(self.side), sight.explored_mask(self.side)

    def keep(self) -> int:
        """Keep this moment; returns its tick."""
        self.whole()
        return self.session.keep()

    def back(self, which: int = -1) -> bool:
        """Return to a kept moment, the last one unless told otherwise."""
        if not self.session.back(which):
            return False
        self.picture = take_picture(self.session.world)
        self.happenings.clear()
        self.clock.owed_ms = 0.0
        return True

    def restart(self) -> Playing:
        """Return a new game of the same level, seed and settings."""
        return Playing(self.session.restart(), Clock(), self.side)


def open_session(
    path: Path,
    seed: int = 1,
    save: Path | None = None,
    units: int | None = None,
    settings: dict[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Playing:
    """Read a map, or a save of it, and make the world.

    Raises ValueError in one line.

    ``progress(done, total)`` is called while the tables of a static level are made.
    """
    # The simulation loads numba, so it is imported when a level is opened and not with the window.
    if save is not None:
        return Playing(load_game(save))
    session = Session(load_level(path), seed, settings, units, progress=progress)
    settle()
    return Playing(session)


def open_recorded(path: Path) -> Playing:
    """Return a recorded game at its start; its orders enter by themselves.

    Raises ValueError in one line.
    """
    replay, session = open_replay(path)
    return Playing(session, recorded=replay.ticks)
