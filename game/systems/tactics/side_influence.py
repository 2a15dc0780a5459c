"""Side influence: the sources of a side, and its layers in slices.

A side's layers are made from its own units and from the enemies that it knows of. Only sides with readers have layers
(:func:`influence_of` makes a reader). The rows of layers are in ``assets/data/influence.toml``.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ai.influence.influence_pipeline import (
    COLUMNS,
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
        world.influence.rows = load_layers()
    return world.influence.want(side, world.tick)


def sources_of(world: World, side: int) -> dict[str, np.ndarray]:
    """Return the sources of a side now: own units and known enemies.

    An enemy counts by the age of its report.
    """
    u = world.units
    mine = u.living(side)
    mine = mine[np.argsort(u.id[mine], kind="stable")]
    own = [_row(world, int(s), float(u.x[s]), float(u.y[s]), 1.0) for s in mine.tolist()]
    threats = []
    for threat in known_threats(world, side):
        strength = float(aged(np.array([1.0]), np.array([float(world.tick - threat.tick)]))[0])
        threats.append(_row(world, u.slot(threat.unit), threat.x, threat.y, strength))
    return {OWN: _table(own), ENEMIES: _table(threats)}


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
    maps.rows = [_as_set(row, settings.walls) for row in load_layers()]
    advance(
        maps, lambda side: sources_of(world, side), spread_ground(world), world.tick, settings.period, settings.work
    )


def _as_set(row: LayerRow, walls: bool) -> LayerRow:
    return row if walls else replace(row, spread="open")


def _row(world: World, slot: int, x: float, y: float, strength: float) -> tuple[float, ...]:
    kind = world.types[int(world.units.kind[slot])]
    reach = world.weapons[int(world.units.weapon[slot])].reach
    return x, y, strength, kind.run, max(reach, 1.0), float(world.units.id[slot])


def _table(rows: list[tuple[float, ...]]) -> np.ndarray:
    return np.array(rows, np.float64).reshape(-1, COLUMNS)
