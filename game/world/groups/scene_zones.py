"""Zones with scenes: scripts of assets/data/scenes.toml, and states.

Places of a script are tiles from the middle of the zone's bounds; each is snapped to the middle of its tile.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field, replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ai.core.serialization import record
from ai.decision.smart_zones.scene_script import (
    CATEGORIES,
    MIDDLE,
    SceneBehaviour,
    SceneColumn,
    SceneRole,
    SceneScript,
    SceneTrigger,
    fault_of,
)
from ai.decision.smart_zones.scene_timeline import Actor, SceneState, behaviour_of
from game.level.files import read_words
from game.world.unit_types import DATA, rows_in
from game.world.units import Units

TICKS_A_SECOND = 20
NEAR = 1.0
"""Tiles from its place at which an actor shows its gesture."""


@record
class Zone:
    """Zone of the map with the state of its scene.

    ``points`` is its outline, ``reach`` the tiles from which units are fetched; ``cast`` limits the units that take
    part by name or route. ``every`` is a period in ticks and ``rounds`` a number of rounds in place of the script's, 0
    none. ``look`` is the next tick at which units are sought.
    """

    id: int
    name: str
    scene: str
    x: float
    y: float
    points: tuple[tuple[float, float], ...]
    reach: float = 0.0
    cast: tuple[str, ...] = ()
    every: int = 0
    rounds: int = 0
    look: int = 0
    state: SceneState = field(default_factory=SceneState)


@record
class Scenes:
    """Zones of a world, and the scripts that they use."""

    zones: list[Zone] = field(default_factory=list)
    scripts: dict[int, SceneScript] = field(default_factory=dict)
    """Script of each zone by its id, with its own period and rounds."""

    def script(self, zone: Zone) -> SceneScript:
        """Return the script of a zone."""
        return self.scripts[zone.id]

    def give(self, zone: Zone, script: SceneScript) -> None:
        """Give a zone its script."""
        self.scripts[zone.id] = self.own(zone, script)

    def own(self, zone: Zone, script: SceneScript) -> SceneScript:
        """Return a script with the period and the rounds of a zone."""
        trigger = replace(script.trigger, every=zone.every or script.trigger.every)
        return replace(script, trigger=trigger, rounds=zone.rounds or script.rounds)

    def role_of(self, unit: int) -> tuple[Zone, Actor] | None:
        """Return the zone and the part in which a unit plays, or None."""
        for zone in self.zones:
            actor = zone.state.actor(unit)
            if actor is not None:
                return zone, actor
        return None

    def place_of(self, zone: Zone, actor: Actor) -> tuple[float, float]:
        """Return the place of an actor's behaviour, else of its seat, in tiles.

        It is the middle of its tile, as walks end there.
        """
        script = self.script(zone)
        behaviour = behaviour_of(script, actor)
        spot = behaviour.spot if behaviour is not None else None
        dx, dy = spot if spot is not None else script.roles[actor.role].seats[actor.seat]
        return math.floor(zone.x + dx) + 0.5, math.floor(zone.y + dy) + 0.5

    def gestures(self, units: Units) -> dict[int, SceneBehaviour]:
        """Return the behaviours with a gesture of actors at their places, by unit."""
        out = {}
        for zone in self.zones:
            for actor in zone.state.cast:
                behaviour = behaviour_of(self.script(zone), actor)
                slot = units.slot(actor.unit)
                x, y = self.place_of(zone, actor)
                if behaviour is None or not behaviour.gesture or units.moving[slot]:
                    continue
                if math.hypot(units.x[slot] - x, units.y[slot] - y) <= NEAR:
                    out[actor.unit] = behaviour
        return out

    def words_of(self, zone: Zone, actor: Actor) -> str:
        """Return a phrase for what an actor does now."""
        behaviour = behaviour_of(self.script(zone), actor)
        if behaviour is None:
            return "waits for its turn"
        return behaviour.phrase or behaviour.name


_Tiles = Annotated[float, Field(ge=-20, le=20)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class _RoleRow(_Strict):
    name: str
    category: Literal[CATEGORIES]  # type: ignore[valid-type]
    seats: list[tuple[_Tiles, _Tiles]] = Field(min_length=1, max_length=24)
    kinds: list[str] = []


class _BehaviourRow(_Strict):
    seconds: tuple[Annotated[float, Field(ge=0.05, le=600)], Annotated[float, Field(ge=0.05, le=600)]] = (1.0, 1.0)
    gesture: str | list[str] = ""
    reacts: bool = False
    spot: tuple[_Tiles, _Tiles] | None = None
    faces: str = MIDDLE
    phrase: str = ""
    takes_over: str = ""


class _ColumnRow(_Strict):
    name: str
    rows: dict[str, list[dict[str, float]]]


class _SceneRow(_Strict):
    title: str
    pause: float = Field(default=0.0, ge=0, le=3600)
    every: float = Field(default=0.0, ge=0, le=36_000)
    present: int = Field(default=0, ge=0, le=100)
    loop: str = ""
    rounds: int = Field(default=1, ge=0, le=10_000)
    role: list[_RoleRow]
    behaviour: dict[str, _BehaviourRow]
    column: list[_ColumnRow]


def load_scenes(folder: Path = DATA) -> dict[str, SceneScript]:
    """Return all scripts by name; ValueError names file, row and key."""
    path = folder / "scenes.toml"
    return scenes_in(path, read_words(path))


def scenes_in(path: Path, text: str) -> dict[str, SceneScript]:
    """Return the scripts of a text that was read from ``path``."""
    out = {}
    for name, row in rows_in(path, text, "scene", _SceneRow).items():
        columns = [column.name for column in row.column]
        if row.loop and row.loop not in columns:
            raise ValueError(f"{path}: [scene.{name}] loop: there is no column {row.loop!r}; use one of {columns}")
        script = _script(name, row, columns.index(row.loop) if row.loop else 0)
        fault = fault_of(script)
        if fault:
            raise ValueError(f"{path}: [scene.{name}] {fault}")
        out[name] = script
    return out


def _ticks(seconds: float) -> int:
    return max(round(seconds * TICKS_A_SECOND), 1)


def _clips(gesture: str | list[str]) -> tuple[str, ...]:
    return tuple(gesture) if isinstance(gesture, list) else (gesture,) if gesture else ()


def _script(name: str, row: _SceneRow, loop: int) -> SceneScript:
    roles = tuple(SceneRole(r.name, CATEGORIES.index(r.category), tuple(r.seats), tuple(r.kinds)) for r in row.role)
    behaviours = {
        key: SceneBehaviour(key, _clips(b.gesture), b.reacts, _ticks(b.seconds[0]), _ticks(b.seconds[1]), b.spot,
                            b.faces, b.phrase, b.takes_over)
        for key, b in row.behaviour.items()
    }  # fmt: skip
    columns = tuple(
        SceneColumn(c.name, {role: tuple(tuple(box.items()) for box in boxes) for role, boxes in c.rows.items()})
        for c in row.column
    )
    trigger = SceneTrigger(round(row.pause * TICKS_A_SECOND), round(row.every * TICKS_A_SECOND), row.present)
    return SceneScript(name, row.title, roles, behaviours, columns, trigger, loop, row.rounds)


def unwalkable(script: SceneScript, x: float, y: float, passable: Callable[[float, float], bool]) -> str:
    """Return a place of a scene on which no unit can stand, or "".

    The middle of the scene is (x, y).
    """
    for role in script.roles:
        for number, (dx, dy) in enumerate(role.seats, 1):
            if not passable(x + dx, y + dy):
                return f"seat {number} of role {role.name!r} at tile {math.floor(x + dx)},{math.floor(y + dy)}"
    for behaviour in script.behaviours.values():
        if behaviour.spot is not None and not passable(x + behaviour.spot[0], y + behaviour.spot[1]):
            at = f"{math.floor(x + behaviour.spot[0])},{math.floor(y + behaviour.spot[1])}"
            return f"the spot of behaviour {behaviour.name!r} at tile {at}"
    return ""
