"""Side influence: the sources of a side, and its layers in slices.

A side's layers are made from its own units and from the enemies that it knows of. Only sides with readers have layers
(:func:`influence_of` makes a reader). The rows of layers are in ``assets/data/influence.toml``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ai.influence.influence_pipeline import (
    ENEMIES,
    OWN,
    LayerRow,
    SideInfluence,
    advance,
    check_rows,
    reach_of,
)
from ai.influence.known_influence import aged
from ai.influence.limited_spread import SpreadGround, Stamp, stamp_of
from game.systems.tactics.known_threats import known_threats
from game.world.unit_types import DATA, rows_of
from game.world.world import World


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    of: str = OWN
    curve: str = "linear"
    reach_of: str = "run"
    reach: float = Field(default=2.0, gt=0, le=64)
    spread: str = "open"
    strength: float = 1.0


def load_layers() -> list[LayerRow]:
    """Return the rows of layers; ValueError names file, row and key."""
    path = DATA / "influence.toml"
    rows = [LayerRow(name, **row.model_dump()) for name, row in rows_of(path, "layer", _Row).items()]
    check_rows(rows, str(path))
    return rows


def influence_of(world: World, side: int) -> SideInfluence:
    """Return the layers of a side, which are updated from now on.

    ``maps()`` of the result is empty before the first update is complete.
    """
    if not world.influence.rows:
        world.influence.rows = _rows_of(world)
    return world.influence.want(side, world.tick)


def sources_of(world: World, side: int) -> dict[str, np.ndarray]:
    """Return the sources of a side now: own units and known enemies.

    An enemy counts by the age of its report.
    """
    u = world.units
    mine = u.living(side)
    mine = mine[np.argsort(u.id[mine], kind="stable")]
    known = known_threats(world, side)
    foes = np.array([u.slot(threat.unit) for threat in known], np.int64)
    places = np.array([(threat.x, threat.y) for threat in known], np.float64).reshape(-1, 2)
    age = np.array([world.tick - threat.tick for threat in known], np.float64)
    return {
        OWN: _table(world, mine, u.x[mine], u.y[mine], np.ones(len(mine))),
        ENEMIES: _table(world, foes, places[:, 0], places[:, 1], aged(np.ones(len(known)), age)),
    }


def spread_ground(world: World) -> SpreadGround:
    """Return the ground over which sources spread now."""
    height, width = world.terrain.passable.shape
    cache = world.tactics_cache
    if cache.stamps_revision != world.terrain.revision:
        cache.stamps, cache.stamps_revision = {}, world.terrain.revision
    return SpreadGround(height, width, world.terrain, kept=cache.stamps)


def own_stamp(world: World, side: int, unit: int, layer: str) -> tuple[Stamp, float] | None:
    """Return a unit's stamp in a published layer of its side, with its strength.

    None when it was not there at the last update. It is spread over the present map.
    """
    state = world.influence.of(side)
    row = next((r for r in world.influence.rows if r.name == layer), None)
    if state is None or row is None or row.of not in state.stamped:
        return None
    mine = state.stamped[row.of][state.stamped[row.of][:, 5] == unit]
    if not len(mine):
        return None
    source = mine[0].tolist()
    stamp = stamp_of(spread_ground(world), row.spread, row.curve, int(source[1]), int(source[0]), reach_of(row, source))
    return stamp, row.strength * source[2]


def update_influence(world: World) -> None:
    """Advance the layers of all sides that have readers by one tick's stamps."""
    maps = world.influence
    if not maps.sides:
        return
    settings = world.settings.tactics
    maps.rows = _rows_of(world)
    advance(
        maps, lambda side: sources_of(world, side), spread_ground(world), world.tick, settings.period, settings.work
    )


def _rows_of(world: World) -> list[LayerRow]:
    """Return the rows of layers as the settings of the world change them."""
    cache = world.tactics_cache
    if not cache.layers:
        cache.layers = load_layers()
    if world.settings.tactics.walls:
        return list(cache.layers)
    return [replace(row, spread="open") for row in cache.layers]


def _table(world: World, slots: np.ndarray, x: np.ndarray, y: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """Return sources ``float64[n, COLUMNS]`` of units at places."""
    u = world.units
    run = np.array([kind.run for kind in world.types], np.float64)[u.kind[slots]]
    reach = np.array([weapon.reach for weapon in world.weapons], np.float64)[u.weapon[slots]]
    return np.column_stack([x, y, strength, run, np.maximum(reach, 1.0), u.id[slots]]).astype(np.float64)
