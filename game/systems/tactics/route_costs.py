"""Route costs: tile costs for a unit's route, by the law in its order.

``flank`` follows ``tactics.flank``: the combat vector, exposure, the excluded approach zone, or none. ``around`` is
always the excluded zone. ``wary`` leaves out remembered danger. Any other name is
a weight profile of ``ai.tactics.routes.tactical_costs``. All laws share the line of searches of
:mod:`game.systems.movement.sneaking`. They read what the unit's side knows.
"""

from __future__ import annotations

import math

import numpy as np

from ai.influence.analysis_server import fine
from ai.influence.working_map import normalised
from ai.perception.sight.line_of_sight import lines_clear
from ai.perception.sight.shadowcast import SightBits
from ai.tactics.place_quality import views
from ai.tactics.routes.approach_zone import approach_zone, zone_tiles
from ai.tactics.routes.combat_vector import combat_vector, smoothed, wedge
from ai.tactics.routes.tactical_costs import PROFILES, blended, cost_field
from game.systems.tactics.danger_memory import danger_cost
from game.systems.tactics.known_threats import KnownThreat, known_threats
from game.systems.tactics.side_influence import influence_of
from game.world.stealth.tactics_state import vector_key
from game.world.world import World

SNEAK = ""
"""Law of a sneak: the watchers of ``game.systems.movement.sneaking``."""
FLANK = "flank"
AROUND = "around"
WARY = "wary"
"""Law that leaves out the regions that the unit refuses."""
LAWS = (FLANK, AROUND, WARY, *PROFILES)
"""Laws that an order may name."""
END_DISC = 4.0
"""Tiles around both ends of a route that an excluded zone leaves open."""
EXPOSED = 3.0
"""Extra cost of a tile in an enemy's line, in costs of ordinary ground."""
SEEN_FROM = 24
"""Tiles from which an enemy's line counts."""
VIEW_REACH = 12
MOST_VIEWS = 1200
"""Tiles whose view is computed for a map."""
RECENT = 100
"""Ticks after which a shot no longer turns the combat vector."""


def version_of(world: World, side: int, law: str) -> int:
    """Return a number that changes when the costs of a law may have changed."""
    if law == WARY:
        return world.tactics.dangers.version
    if law in (FLANK, AROUND):
        return world.tick if known_threats(world, side) else -1
    state = world.influence.of(side)
    return -1 if state is None else state.published_at


def law_cost(world: World, slot: int, law: str, goal: tuple[int, int], start: tuple[float, float]) -> np.ndarray:
    """Return the cost of each tile in eighths, ``uint8[H, W]``.

    An excluded zone begins at ``start``. ValueError for an unknown law.
    """
    if law in (FLANK, AROUND):
        return _flank_cost(world, slot, goal, start, "zone" if law == AROUND else world.settings.tactics.flank)
    if law == WARY:
        return danger_cost(world, slot)
    if law not in PROFILES:
        raise ValueError(f"there is no route law {law!r}; one of {', '.join(LAWS)}")
    return _profile_cost(world, slot, law)


def concerns_of(world: World, side: int) -> dict[str, np.ndarray]:
    """Return the concerns of route profiles as a side knows them, 0..1."""
    shape = world.terrain.passable.shape
    maps = influence_of(world, side).maps()
    none = np.zeros(shape)
    out = {
        "threat": np.minimum(np.asarray(maps["enemy_threat"], np.float64), 1.0) if maps else none,
        "nearness": np.minimum(np.asarray(maps["enemy_nearness"], np.float64), 1.0) if maps else none,
        "ruggedness": np.clip((world.terrain.cost.astype(np.float64) - 8.0) / 32.0, 0.0, 1.0),
        "view": view_of(world),
    }
    out["danger"] = danger_of(world, side)
    return out


def view_of(world: World) -> np.ndarray:
    """Return the share of the tiles around that each tile sees.

    It is taken over 12 tiles. On large maps one tile stands for a block, so that a change of the map costs at most
    1,200 views, about 10 milliseconds.
    """
    cache, terrain = world.tactics_cache, world.terrain
    shape = terrain.passable.shape
    if cache.view.shape == shape and cache.view_digest == terrain.opaque_digest:
        return cache.view
    block = math.ceil(math.sqrt(shape[0] * shape[1] / MOST_VIEWS))
    ys, xs = (np.minimum(np.arange(0, n, block) + block // 2, n - 1) for n in shape)
    tiles = np.column_stack([part.reshape(-1) for part in np.meshgrid(ys, xs, indexing="ij")]).astype(np.int32)
    seen = views(SightBits(terrain.opaque), terrain.opaque, tiles, VIEW_REACH) / (math.pi * VIEW_REACH**2)
    seen[terrain.opaque[tiles[:, 0], tiles[:, 1]] != 0] = 0.0
    cells = np.minimum(seen, 1.0).reshape(len(ys), len(xs))
    cache.view, cache.view_digest = fine(cells, block, shape), terrain.opaque_digest
    return cache.view


def danger_of(world: World, side: int) -> np.ndarray:
    """Return the learned danger of each tile, 0..1."""
    frags = next((f for f in world.tactics.frags if f.side == side), None)
    if frags is None:
        return np.zeros(world.terrain.passable.shape)
    spread = frags.map().spread(3)
    return np.asarray(normalised(np.maximum(-spread, 0.0)))


def _profile_cost(world: World, slot: int, law: str) -> np.ndarray:
    u, settings = world.units, world.settings.tactics
    health = float(u.hp[slot]) / max(float(u.hp_max[slot]), 1.0)
    weights = {name: w * settings.weights for name, w in blended(PROFILES[law], health).items()}
    if settings.frags > 0:
        weights["danger"] = settings.frags
    open_tiles = world.terrain.passable != 0
    made = cost_field(world.terrain.cost, concerns_of(world, int(u.side[slot])), weights, open_tiles)
    world.tactics.clamped += made.clamped_low
    return made.cost


def enemy_at(world: World, side: int, goal: tuple[int, int]) -> KnownThreat | None:
    """Return the known enemy nearest to a route's goal (y, x), or None."""
    known = known_threats(world, side)
    if not known:
        return None
    return min(known, key=lambda t: ((t.y - goal[0] - 0.5) ** 2 + (t.x - goal[1] - 0.5) ** 2, t.unit))


def _flank_cost(world: World, slot: int, goal: tuple[int, int], start: tuple[float, float], kind: str) -> np.ndarray:
    u, shape = world.units, world.terrain.passable.shape
    side = int(u.side[slot])
    enemy = enemy_at(world, side, goal)
    base = world.terrain.cost.astype(np.float64)
    extra: np.ndarray
    if enemy is None or kind == "shortest":
        return world.terrain.cost
    if kind == "vector":
        extra = wedge(shape, (enemy.x, enemy.y), vector_at(world, side, enemy))
    elif kind == "exposure":
        extra = EXPOSED * _in_line(world, enemy)
    else:
        zone = approach_zone(start, (enemy.x, enemy.y))
        ends = (((enemy.x, enemy.y), END_DISC), ((float(u.x[slot]), float(u.y[slot])), END_DISC))
        extra = 30.0 * zone_tiles(zone, shape, ends)
    return np.clip(np.rint(base * (1.0 + extra)), 1, 255).astype(np.uint8)


def vector_at(world: World, side: int, enemy: KnownThreat) -> tuple[float, float]:
    """Return the smoothed combat vector at an enemy, and keep it.

    It is smoothed once a tick.
    """
    u, n, tactics = world.units, world.units.count, world.tactics
    key = vector_key(side, enemy.unit)
    if tactics.vectors_at.get(key) == world.tick:
        return tactics.vectors[key]
    mine = np.flatnonzero((u.alive[:n] == 1) & (u.side[:n] == side))
    mine = mine[np.argsort(u.id[mine], kind="stable")]
    fired = np.maximum(u.action_start[mine].astype(np.float64), 0.0)
    shoots = (u.target[mine] == enemy.unit) & (world.tick - fired < RECENT)
    new = combat_vector(
        (enemy.x, enemy.y), np.column_stack([u.x[mine], u.y[mine]]), shoots.astype(np.float64), world.tick - fired
    )
    kept = tactics.vectors.get(key, (0.0, 0.0))
    tactics.vectors[key], tactics.vectors_at[key] = smoothed(kept, new), world.tick
    return tactics.vectors[key]


def _in_line(world: World, enemy: KnownThreat) -> np.ndarray:
    """Return 1 for tiles within 24 tiles that have a line to an enemy."""
    height, width = world.terrain.passable.shape
    ey, ex = min(max(int(enemy.y), 0), height - 1), min(max(int(enemy.x), 0), width - 1)
    y0, x0 = max(0, ey - SEEN_FROM), max(0, ex - SEEN_FROM)
    part = world.terrain.opaque[y0 : ey + SEEN_FROM + 1, x0 : ex + SEEN_FROM + 1] == 0
    tiles = (np.argwhere(part) + (y0, x0)).astype(np.int32)
    tiles = tiles[((tiles - (ey, ex)) ** 2).sum(axis=1) <= SEEN_FROM**2]
    eyes = np.broadcast_to(np.array([ey, ex], np.int32), tiles.shape)
    out = np.zeros((height, width))
    out[tiles[:, 0], tiles[:, 1]] = lines_clear(world.terrain.opaque, eyes, tiles)
    return out
