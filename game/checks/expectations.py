"""Expectations of a regression level, watched every tick and judged at the end.

Each kind is one class with ``watch`` (called after every tick) and ``verdict`` (None when the expectation holds,
else one line with the actual result). They read the world and never change it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from game.checks.metrics.metric import MEASURES, Metric
from game.checks.scripts.script import Expect
from game.checks.scripts.unit_selectors import select
from game.world.events import KINDS as EVENTS
from game.world.orders import OrderKind
from game.world.world import World

STAGES = {"quick": 1, "full": 2, "splice": 3, "priority": 4}


class Expectation:
    """Base: keeps the row and the units that it names.

    The units are selected in the world before the first tick.
    """

    def __init__(self, row: Expect, world: World) -> None:
        self.row = row
        self.ids = select(world, row.units) if world.units.count else []
        self.slots = world.units.slots(self.ids)
        self.start(world)

    def start(self, world: World) -> None:
        """Look at the world before the first tick."""

    def watch(self, world: World) -> None:
        """Look at the world after a tick."""

    def verdict(self, world: World) -> str | None:
        """Return a description of the failure, or None."""
        raise AssertionError("every kind has a verdict")

    def names(self, world: World, slots: Any) -> str:
        """Return some names for a message."""
        ids = [int(world.units.id[s]) for s in slots]
        words = ", ".join(world.name_of(i) for i in ids[:4])
        return words + (f" and {len(ids) - 4} more" if len(ids) > 4 else "")

    def at_place(self, world: World) -> np.ndarray:
        """Return bool[n]: units inside the region or the radius of ``at``."""
        u = world.units
        x, y = u.x[self.slots], u.y[self.slots]
        if self.row.region is not None:
            region = world.region(self.row.region)
            if region is None:
                raise ValueError(f"expectation {self.row.kind}: there is no region {self.row.region!r}")
            return np.array([region.contains(float(a), float(b)) for a, b in zip(x, y, strict=True)], bool)
        if self.row.at is None:
            raise ValueError(f"expectation {self.row.kind} needs region or at")
        return np.asarray((x - self.row.at[0]) ** 2 + (y - self.row.at[1]) ** 2 <= self.row.radius**2)


class Arrives(Expectation):
    """Every unit (or ``count`` of them) reaches the place by tick ``by``.

    Without a place: its own ordered destination, within ``radius``.
    """

    def start(self, world: World) -> None:
        self.been = np.zeros(len(self.slots), bool)
        self.sent = np.zeros(len(self.slots), bool)

    def watch(self, world: World) -> None:
        if self.row.by is None or world.tick <= self.row.by:
            own = self.row.kind == "arrives" and self.row.at is None and self.row.region is None
            self.been |= self.where_sent(world) if own else self.at_place(world)

    def where_sent(self, world: World) -> np.ndarray:
        """Return bool[n]: units at the place to which they were sent."""
        u = world.units
        self.sent |= u.order[self.slots] != OrderKind.NONE
        x, y = u.x[self.slots] - u.ordered_x[self.slots], u.y[self.slots] - u.ordered_y[self.slots]
        return np.asarray(self.sent & (x**2 + y**2 <= self.row.radius**2))

    def verdict(self, world: World) -> str | None:
        need = len(self.slots) if self.row.count is None else self.row.count
        if int(self.been.sum()) >= need:
            return None
        missing = self.slots[~self.been]
        when = f" by tick {self.row.by}" if self.row.by else ""
        return f"{int(self.been.sum())} of {need} arrived{when}; not {self.names(world, missing)}"


class Enters(Arrives):
    """At least ``count`` (one) of the units has been at the place."""

    def verdict(self, world: World) -> str | None:
        need = self.row.count or 1
        return None if int(self.been.sum()) >= need else f"{int(self.been.sum())} of {need} ever entered"


class NeverEnters(Expectation):
    """No unit is ever at the place from tick ``start`` on."""

    def start(self, world: World) -> None:
        self.first: str | None = None

    def watch(self, world: World) -> None:
        if self.first is None and world.tick >= self.row.start and (self.row.by is None or world.tick <= self.row.by):
            inside = self.at_place(world)
            if inside.any():
                self.first = f"{self.names(world, self.slots[inside])} entered at tick {world.tick}"

    def verdict(self, world: World) -> str | None:
        return self.first


class SetsOff(Expectation):
    """Every unit has moved from where it stood, by tick ``by``."""

    def start(self, world: World) -> None:
        u = world.units
        self.at = np.array([u.x[self.slots], u.y[self.slots]])
        self.moved = np.zeros(len(self.slots), bool)

    def watch(self, world: World) -> None:
        if self.row.by is None or world.tick <= self.row.by:
            u = world.units
            self.moved |= (self.at != np.array([u.x[self.slots], u.y[self.slots]])).any(axis=0)

    def verdict(self, world: World) -> str | None:
        still = self.slots[~self.moved]
        return (
            None
            if not len(still)
            else f"{len(still)} had not set off by tick {self.row.by}: {self.names(world, still)}"
        )


class Settles(Expectation):
    """All units want to rest by tick ``by`` (or the end).

    With ``count``, so many units that moved have come to rest.
    """

    def start(self, world: World) -> None:
        self.since: int | None = None
        self.walked = np.zeros(len(self.slots), bool)
        self.rest = 0

    def watch(self, world: World) -> None:
        u = world.units
        busy = (u.moving[self.slots] == 1) & (u.alive[self.slots] == 1)
        if self.row.count is not None:
            self.walked |= busy
            if self.row.by is None or world.tick <= self.row.by:
                self.rest = int((self.walked & ~busy & (u.alive[self.slots] == 1)).sum())
            return
        if busy.any():
            self.since = None
        elif self.since is None:
            self.since = world.tick

    def verdict(self, world: World) -> str | None:
        limit = self.row.by if self.row.by is not None else world.tick
        if self.row.count is not None:
            return None if self.rest >= self.row.count else f"{self.rest} of {self.row.count} came to rest by {limit}"
        if self.since is not None and self.since <= limit:
            return None
        u = world.units
        busy = self.slots[(u.moving[self.slots] == 1) & (u.alive[self.slots] == 1)]
        if len(busy):
            return f"{len(busy)} still moving at tick {world.tick}: {self.names(world, busy)}"
        return f"settled only at tick {self.since}, not by {limit}"


class Sees(Expectation):
    """A unit of ``units`` identifies one of ``others`` by tick ``by``."""

    def start(self, world: World) -> None:
        self.others = set(select(world, self.row.others if self.row.others is not None else "raiders"))
        self.watchers = set(self.ids)
        self.when = -1

    def watch(self, world: World) -> None:
        for e in world.events:
            if self.when < 0 and e.kind == "identified" and e.unit in self.watchers and e.other in self.others:
                self.when = e.tick

    def verdict(self, world: World) -> str | None:
        if self.when < 0:
            return "no unit was identified"
        if self.row.by is not None and self.when > self.row.by:
            return f"first identified at tick {self.when}, after {self.row.by}"
        return None


class NotSeen(Expectation):
    """None of ``units`` is identified by any unit (or by ``others``)."""

    def start(self, world: World) -> None:
        self.watchers = None if self.row.others is None else set(select(world, self.row.others))
        self.hidden = set(self.ids)
        self.first: str | None = None

    def watch(self, world: World) -> None:
        if self.row.by is not None and world.tick > self.row.by:
            return
        for e in world.events:
            watched = self.watchers is None or e.unit in self.watchers
            if self.first is None and e.kind == "identified" and e.other in self.hidden and watched:
                self.first = f"{world.name_of(e.unit)} identified {world.name_of(e.other)} at tick {e.tick}"

    def verdict(self, world: World) -> str | None:
        return self.first


class Alive(Expectation):
    """At least ``count`` (all) of the units live at the end."""

    def verdict(self, world: World) -> str | None:
        lives = int(world.units.alive[self.slots].sum())
        need = len(self.slots) if self.row.count is None else self.row.count
        return None if lives >= need else f"{lives} of {need} live"


class Dead(Expectation):
    """At least ``count`` (all) of the units are dead at the end."""

    def verdict(self, world: World) -> str | None:
        dead = len(self.slots) - int(world.units.alive[self.slots].sum())
        need = len(self.slots) if self.row.count is None else self.row.count
        return None if dead >= need else f"{dead} of {need} are dead"


class MaxTicks(Expectation):
    """The run was over (mission decided, or every unit settled) by tick ``by``."""

    def verdict(self, world: World) -> str | None:
        limit = self.row.by if self.row.by is not None else 0
        return None if world.tick <= limit else f"took {world.tick} ticks, allowed {limit}"


class PathStageSeen(Expectation):
    """Some unit walks on a path stage (quick, full, splice, priority)."""

    def start(self, world: World) -> None:
        if self.row.stage is None:
            raise ValueError("expectation path_stage_seen needs stage")
        self.seen = False

    def watch(self, world: World) -> None:
        walking = self.slots[world.units.moving[self.slots] == 1]
        for slot in walking.tolist() if not self.seen else ():
            path = world.paths.store.waypoints(slot)
            if len(path) and path[0, 2] == STAGES[str(self.row.stage)]:
                self.seen = True
                return

    def verdict(self, world: World) -> str | None:
        return None if self.seen else f"no unit ever walked a {self.row.stage} path"


class MissionOutcome(Expectation):
    """The mission ends as stated."""

    def start(self, world: World) -> None:
        if self.row.outcome is None:
            raise ValueError("expectation outcome needs outcome")

    def verdict(self, world: World) -> str | None:
        got = world.mission.status
        return None if got == self.row.outcome else f"{got} ({world.mission.reason or 'nothing decided it'})"


class Happens(Expectation):
    """Event ``event`` happens at least ``at_least`` (1), at most ``at_most`` times.

    Its text contains ``text``.
    """

    def start(self, world: World) -> None:
        if self.row.event not in EVENTS:
            raise ValueError(f"expectation happens: event = {self.row.event!r} is none of {', '.join(EVENTS)}")
        self.times = 0

    def watch(self, world: World) -> None:
        if world.tick >= self.row.start and (self.row.by is None or world.tick <= self.row.by):
            for e in world.events:
                self.times += e.kind == self.row.event and (self.row.text is None or self.row.text in e.text)

    def verdict(self, world: World) -> str | None:
        low = self.row.at_least if self.row.at_least is not None else (0 if self.row.at_most is not None else 1)
        high = self.row.at_most if self.row.at_most is not None else float("inf")
        return None if low <= self.times <= high else f"{self.row.event} happened {self.times} times"


class Statistic(Expectation):
    """A number of the path statistics lies within bounds at the end."""

    def verdict(self, world: World) -> str | None:
        statistics = world.paths.statistics
        table = {f.name: v for f in fields(statistics) if isinstance(v := getattr(statistics, f.name), int)}
        table |= statistics.report(world.settings.paths.budget)
        if self.row.name not in table:
            raise ValueError(f"expectation statistic: {self.row.name!r} is none of {', '.join(table)}")
        value = table[self.row.name]
        low = self.row.at_least if self.row.at_least is not None else -float("inf")
        high = self.row.at_most if self.row.at_most is not None else float("inf")
        return None if low <= value <= high else f"{self.row.name} is {value}"


class Measured(Expectation):
    """The measure ``name`` of the units lies within bounds at the end.

    ``text`` names what a measure counts that needs it.
    """

    def start(self, world: World) -> None:
        """Begin to measure."""
        name = self.row.name or ""
        if name not in MEASURES:
            raise ValueError(f"expectation measure: {name!r} is none of {', '.join(MEASURES)}")
        if self.row.at_least is None and self.row.at_most is None:
            raise ValueError(f"expectation measure: {name} needs at_least or at_most")
        self.metric = Metric(name, tuple(self.ids), self.row.text or "")

    def watch(self, world: World) -> None:
        """Take in a tick."""
        self.metric.watch(world)

    def verdict(self, world: World) -> str | None:
        """Return the measure where it is out of bounds."""
        low = self.row.at_least if self.row.at_least is not None else -float("inf")
        high = self.row.at_most if self.row.at_most is not None else float("inf")
        value = self.metric.value
        if low <= value <= high:
            return None
        bounds = [f"at least {low:g}"] * (low > -float("inf")) + [f"at most {high:g}"] * (high < float("inf"))
        return f"{self.row.name} is {value:.3g}, not {' and '.join(bounds)}"


class DoorState(Expectation):
    """Door ``name`` is open (or shut) at the end."""

    def verdict(self, world: World) -> str | None:
        door = world.door(self.row.name or "")
        if door is None:
            raise ValueError(f"expectation door: there is no door {self.row.name!r}")
        return None if door.open == bool(self.row.open) else f"door {door.name} is {'open' if door.open else 'shut'}"


KINDS: dict[str, Callable[[Expect, World], Expectation]] = {
    "arrives": Arrives,
    "settles": Settles,
    "sets_off": SetsOff,
    "enters": Enters,
    "never_enters": NeverEnters,
    "sees": Sees,
    "not_seen": NotSeen,
    "alive": Alive,
    "dead": Dead,
    "max_ticks": MaxTicks,
    "path_stage_seen": PathStageSeen,
    "outcome": MissionOutcome,
    "happens": Happens,
    "statistic": Statistic,
    "measure": Measured,
    "door": DoorState,
}
"""Expectations of behaviour.

The invariants of motion are in game.checks.invariants.invariants.
"""
