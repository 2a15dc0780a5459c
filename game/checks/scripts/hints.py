"""Hints: one line beside its object, for a player without progress.

It appears after eight seconds. The hints of ``levels/NAME.tmx`` are in ``levels/hints/NAME.toml``, in the order
in which they help. A hint names one act of the player: select a unit, go to a place, use a thing. The hint book
watches the world and is no part of it; it counts ticks, so it waits during a pause.
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
PATIENCE = 160
"""Ticks that the player is left alone with a task: eight seconds."""


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
    text: str = Field(max_length=60)
    when: Condition = Condition()
    """The hint is of use only while this holds."""
    now: Condition | None = None
    """Condition of the action; until it holds the hint panel says ``wait``."""
    wait: str = Field(default="", max_length=60)
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

    act: Literal["select", "select_all", "crouch", "move", "use", "wait"]
    text: str
    x: float
    y: float
    unit: int = -1
    """The unit to select."""
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
        if world.tick - self.since < PATIENCE:
            return None
        x, y, target = self._place(world, hint)
        if hint.now is not None and not holds(hint.now, world, world.tick, self.since):
            return ShownHint("wait", hint.wait, x, y)
        if hint.everybody and not set(able) <= set(selected):
            slot = world.units.slot(able[0])
            return ShownHint("select_all", "everybody", float(world.units.x[slot]), float(world.units.y[slot]))
        if not set(able) & set(selected) or set(selected) - set(able):
            # No capable unit, or other units would come along.
            slot = world.units.slot(able[0])
            name = world.name_of(able[0])
            return ShownHint("select", name, float(world.units.x[slot]), float(world.units.y[slot]), unit=able[0])
        standing = [i for i in able if world.units.stance[world.units.slot(i)] == Stance.STAND]
        if hint.crouched and standing:
            slot = world.units.slot(standing[0])
            return ShownHint("crouch", "seen later, heard less", float(world.units.x[slot]), float(world.units.y[slot]))
        return ShownHint(hint.act, hint.text, x, y, target=target, then=tuple(hint.then))

    def _turn_pages(self, world: World) -> None:
        """Skip completed hints.

        A hint with its own condition completes all before it.
        """
        past = -1
        for k in range(self.step, len(self.hints)):
            hint = self.hints[k]
            by_itself = hint.done is not None and holds(hint.done, world, world.tick, 0)
            if by_itself or (k == self.step and self._there(world, hint)):
                past = k
        if past >= self.step:
            self.step, self.since = past + 1, world.tick

    @staticmethod
    def _able(world: World, hint: Hint) -> list[int]:
        return [i for i in select(world, hint.units) if world.units.alive[world.units.slot(i)]]

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
        u = world.units
        slots = [u.slot(i) for i in self._able(world, hint)]
        near = [math.hypot(float(u.x[s]) - x, float(u.y[s]) - y) <= hint.radius for s in slots]
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


class HintFollower:
    """Simulated player that only follows hints.

    It acts after ``reaction`` ticks of reading, and clicks up to ``off`` tiles beside the place.
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
            self._read = (shown.act, shown.text, world.tick) if shown is not None else ("", "", 0)
        if shown is None or shown.act == "wait" or world.tick - self._read[2] < self.reaction:
            return []
        if shown.act == "select_all":
            self.selected = tuple(int(i) for i in world.units.id[world.units.living(0)])
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
