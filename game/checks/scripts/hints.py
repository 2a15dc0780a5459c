"""Hints: one line beside its object, for a player without progress.

It appears after eight seconds, or after the hint's own ``patience``. The hints of ``levels/NAME.tmx`` are in
``levels/hints/NAME.toml``, in the order in which they help. A hint names one act of the player: select
a unit, go to a place, use a thing. The hint book watches the world and is no part of it; it counts ticks, so it waits
during a pause.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ai.core.rand import uniform
from game.checks.scripts.script import Condition, Point, SelectorModel
from game.checks.scripts.scripted_player import holds
from game.checks.scripts.unit_selectors import select
from game.level.files import read_toml
from game.world.orders import Order, OrderKind
from game.world.units import Stance
from game.world.world import World

HAND = 9_001
"""Random stream of a follower's hand; no part of any world."""
READY = 30
"""Ticks until a follower acts on a hint whose ``wait`` it has read."""
PATIENCE = 160
"""Ticks without progress before a hint appears by default: eight seconds."""


class Hint(BaseModel):
    """Row ``[[hint]]``: place ``at``, ``prop`` or ``lamp``; ``text`` is shown."""

    model_config = ConfigDict(extra="forbid")

    act: Literal["move", "use"]
    units: SelectorModel = "raiders"
    at: Point | None = None
    prop: str | None = None
    lamp: str | None = None
    crouched: bool = False
    """Before that, the hint panel says to crouch."""
    then: list[Point] = Field(default_factory=list)
    """Places to go on to, queued with Shift; the text says so."""
    radius: float = 3.0
    """Tiles from the place that count as there."""
    everybody: bool = False
    """All of ``units`` are to be selected and to go, not one of them."""
    patience: int | None = Field(default=None, ge=0)
    """Ticks without progress before this hint appears; PATIENCE without it."""
    meanwhile: bool = False
    """The next hint is shown as soon as the units are on their path."""
    text: str = Field(max_length=60)
    when: Condition = Condition()
    """The hint is of use only while this holds."""
    now: Condition | None = None
    """Condition of the action; until it holds the hint panel says ``wait``."""
    wait: str = Field(default="", max_length=60)
    watch: str = ""
    """Units that the panel points at while it says ``wait``, if seen."""
    done: Condition | None = None
    """Condition that completes this hint and all before it, at any time."""

    @model_validator(mode="after")
    def _has_place(self) -> Hint:
        if self.at is None and self.prop is None and self.lamp is None:
            raise ValueError("a hint needs at = [x, y], prop or lamp")
        if self.act == "use" and self.prop is None and self.lamp is None:
            raise ValueError("a hint to use something needs prop or lamp")
        if self.now is not None and not self.wait:
            raise ValueError("a hint with now needs wait, what to say until then")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    hint: list[Hint]


def load_hints(level: Path) -> list[Hint]:
    """Return the hints of a map, none without a file.

    ValueError in one line for a bad file.
    """
    path = level.parent / "hints" / f"{level.stem}.toml"
    if not path.is_file():
        return []
    try:
        return _File.model_validate(read_toml(path)).hint
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(p) for p in first["loc"])
        raise ValueError(f"{path}: {place}: {first['msg'].removeprefix('Value error, ')}") from None


@dataclass(frozen=True)
class ShownHint:
    """Shown hint: its text, and the act that follows it.

    The act is at ``x``, ``y`` or with ``unit``.
    """

    act: Literal["select", "select_all", "select_group", "crouch", "move", "use", "wait"]
    text: str
    x: float
    y: float
    unit: int = -1
    """The unit to select."""
    units: tuple[int, ...] = ()
    """The units to select together."""
    group: int = 0
    """The control group to select."""
    target: int = -1
    """The thing to use."""
    then: tuple[Point, ...] = ()
    """Further destinations, queued."""


class HintBook:
    """Hint book: position of the player in the hints.

    Call :meth:`look` after ticks; it never changes the world.
    """

    def __init__(self, hints: list[Hint]) -> None:
        self.hints = hints
        self.step = 0
        self.since = 0

    def look(self, world: World, selected: tuple[int, ...]) -> ShownHint | None:
        """Return the hint to show, or None.

        None means no hint, too early, or the player already acts.
        """
        self.since = min(self.since, world.tick)  # the world may have gone back to a kept moment
        self._turn_pages(world)
        if self.step >= len(self.hints) or world.mission.status in ("won", "lost"):
            return None
        hint = self.hints[self.step]
        able = self._able(world, hint)
        if not able or not holds(hint.when, world, world.tick, self.since) or self._under_way(world, hint, able):
            self.since = world.tick
            return None
        if world.tick - self.since < (PATIENCE if hint.patience is None else hint.patience):
            return None
        x, y, target = self._place(world, hint)
        then = tuple(hint.then)
        passed = self._passed(world, hint, able)
        if passed:
            (x, y), then, target = then[passed - 1], then[passed:], -1
        elif hint.now is not None and not holds(hint.now, world, world.tick, self.since):
            return ShownHint("wait", hint.wait, *self._watched(world, hint, (x, y)))
        if hint.everybody and set(able) != set(selected):
            return self._whole_group(world, hint, able)
        if not set(able) & set(selected) or set(selected) - set(able):
            # No capable unit, or other units would come along.
            unit = min(able, key=lambda i: (math.dist(_at(world, i), (x, y)), i))
            return ShownHint("select", world.name_of(unit), *_at(world, unit), unit=unit)
        standing = [i for i in able if world.units.stance[world.units.slot(i)] == Stance.STAND]
        if hint.crouched and standing:
            return ShownHint("crouch", "seen later, heard less", *_at(world, standing[0]))
        return ShownHint("move" if passed else hint.act, hint.text, x, y, target=target, then=then)

    def _passed(self, world: World, hint: Hint, able: list[int]) -> int:
        """Return the number of leading places that a capable unit has reached."""
        if not hint.then or hint.act != "move":
            return 0
        places = [self._place(world, hint)[:2], *hint.then]
        there = [k for k, p in enumerate(places) if any(math.dist(_at(world, i), p) <= hint.radius for i in able)]
        return min(max(there) + 1, len(hint.then)) if there else 0

    @staticmethod
    def _watched(world: World, hint: Hint, place: Point) -> Point:
        """Return the position of the nearest watched unit in sight, else the place."""
        if not hint.watch:
            return place
        visible = world.sight.visible_mask(0)
        at = [_at(world, i) for i in select(world, hint.watch) if world.units.alive[world.units.slot(i)]]
        seen = [p for p in at if visible[int(p[1]), int(p[0])]]
        return min(seen, key=lambda p: math.dist(p, place)) if seen else place

    def _turn_pages(self, world: World) -> None:
        """Skip completed hints.

        A hint with its own condition completes all before it.
        """
        past = -1
        for k in range(self.step, len(self.hints)):
            hint = self.hints[k]
            by_itself = hint.done is not None and holds(hint.done, world, world.tick, 0)
            if by_itself or (k == self.step and (self._there(world, hint) or self._left_alone(world, hint))):
                past = k
        if past >= self.step:
            self.step, self.since = past + 1, world.tick

    @staticmethod
    def _able(world: World, hint: Hint) -> list[int]:
        """Return the units that may act: carriers, the hint's units, else any."""
        u = world.units
        own = [int(i) for i in u.id[u.living(0)]]
        if hint.when.carrying is not None:
            return [i for i in own if u.carrying[u.slot(i)] >= 0]
        return [i for i in select(world, hint.units) if u.alive[u.slot(i)]] or own

    @staticmethod
    def _whole_group(world: World, hint: Hint, able: list[int]) -> ShownHint:
        """Return the hint to select all the units, if possible as control group."""
        x, y = (sum(place) / len(able) for place in zip(*(_at(world, i) for i in able), strict=True))
        word, _, number = hint.units.partition(":") if isinstance(hint.units, str) else ("", "", "")
        if word == "group" and number.isdecimal():
            words = _listed([world.name_of(i) for i in able])
            return ShownHint("select_group", words, x, y, units=tuple(able), group=int(number))
        return ShownHint("select_all", "everybody", x, y, units=tuple(able))

    def _left_alone(self, world: World, hint: Hint) -> bool:
        """Return true if the units of a ``meanwhile`` hint are on their path."""
        return hint.meanwhile and self._under_way(world, hint, self._able(world, hint))

    @staticmethod
    def _place(world: World, hint: Hint) -> tuple[float, float, int]:
        if hint.prop is not None:
            prop = world.prop(hint.prop)
            if prop is None:
                raise ValueError(f"hints: there is no prop {hint.prop!r} in {world.level_name}")
            return prop.x, prop.y, prop.id
        if hint.lamp is not None:
            lamp = world.lamp(hint.lamp)
            if lamp is None:
                raise ValueError(f"hints: there is no lamp {hint.lamp!r} in {world.level_name}")
            return lamp.x, lamp.y, lamp.id
        assert hint.at is not None
        return hint.at[0], hint.at[1], -1

    def _there(self, world: World, hint: Hint) -> bool:
        """Return true if a capable unit reached the place or used the thing."""
        if hint.act == "use" and not hint.then:
            lamp = world.lamp(hint.lamp or "")
            if lamp is not None:
                return not lamp.on
            prop = world.prop(hint.prop or "")
            return prop is not None and (prop.carrier >= 0 or prop.used > 0)
        x, y = hint.then[-1] if hint.then else self._place(world, hint)[:2]
        near = [math.dist(_at(world, i), (x, y)) <= hint.radius for i in self._able(world, hint)]
        return all(near) if hint.everybody else any(near)

    def _under_way(self, world: World, hint: Hint, able: list[int]) -> bool:
        """Return true if a unit is already on the path there."""
        places = [self._place(world, hint)[:2], *hint.then]
        u = world.units
        slots = [u.slot(i) for i in able]
        if hint.act == "use":
            thing = self._place(world, hint)[2]
            if any(u.order[s] == OrderKind.USE and u.order_target[s] == thing for s in slots):
                return True
        return any(
            (u.moving[s] or int(u.id[s]) in world.queues)
            and any(math.hypot(float(u.ordered_x[s]) - x, float(u.ordered_y[s]) - y) <= hint.radius for x, y in places)
            for s in slots
        )


def _at(world: World, unit: int) -> Point:
    slot = world.units.slot(unit)
    return float(world.units.x[slot]), float(world.units.y[slot])


def _listed(names: list[str]) -> str:
    """Return names as words: "Ann, Bero and Cai"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class HintFollower:
    """Simulated player that only follows hints.

    It acts after ``reaction`` ticks of reading, and clicks up to ``off`` tiles beside the place. The line of a
    wait names the act too, so after it READY ticks are enough.
    """

    def __init__(self, hints: list[Hint], reaction: int = 0, off: float = 0.0, seed: int = 0) -> None:
        self.book = HintBook(hints)
        self.selected: tuple[int, ...] = ()
        self.reaction, self.off, self.seed = reaction, off, seed
        self._read: tuple[str, str, int] = ("", "", 0)

    def orders(self, world: World) -> list[Order]:
        """Return the orders for the next tick."""
        shown = self.book.look(world, self.selected)
        if shown is None or (shown.act, shown.text) != self._read[:2]:
            waited = self._read[0] == "wait" and shown is not None and shown.act in ("move", "use")
            begun = world.tick - max(self.reaction - READY, 0) if waited else world.tick
            self._read = (shown.act, shown.text, begun) if shown is not None else ("", "", 0)
        if shown is None or shown.act == "wait" or world.tick - self._read[2] < self.reaction:
            return []
        if shown.act in ("select_all", "select_group"):
            self.selected = shown.units
            return []
        if shown.act == "select":
            self.selected = (shown.unit,)
            return []
        if shown.act == "crouch":
            return [Order(int(OrderKind.STANCE), 0, self.selected, value=float(Stance.CROUCH))]
        kind = OrderKind.MOVE if shown.act == "move" else OrderKind.USE
        places = [self._clicked(world, k, x, y) for k, (x, y) in enumerate(((shown.x, shown.y), *shown.then))]
        first = Order(int(kind), 0, self.selected, *places[0], shown.target)
        return [first, *(Order(int(OrderKind.MOVE), 0, self.selected, x, y, queued=True) for x, y in places[1:])]

    def _clicked(self, world: World, n: int, x: float, y: float) -> Point:
        """Return the place of this player's click for an intended place."""
        aside = [uniform(self.seed, HAND, world.tick, n, k) * 2 - 1 for k in range(2)]
        return x + aside[0] * self.off, y + aside[1] * self.off
