"""Tactical places in the game: questions of units, the query, and recipes.

A unit asks with what its side knows (:func:`game.systems.tactics.known_threats.known_threats`). Selectors are in
``assets/data/selectors.toml``. A recipe of influence layers (``ai.influence.working_map``) may stand in place of a
selector: the highest tile that the unit can walk to is the place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from ai.influence.control_map import border_of, control
from ai.influence.influence_queries import without_own
from ai.influence.working_map import RECIPES, cook, interest, window_around
from ai.search.fields.bounded_flood import bounded_flood
from ai.tactics.ground.tactical_facts import Ask, TacticalGround, tactical_ground
from ai.tactics.ground.tactical_query import (
    Criterion,
    GroundQuery,
    Limit,
    Place,
    Selector,
    check_selectors,
    selector_from,
)
from game.systems.tactics.known_threats import known_threats
from game.systems.tactics.side_influence import influence_of, own_stamp
from game.world.unit_types import DATA, rows_of
from game.world.world import World

INTEREST = 12
"""Tiles within which a recipe looks for a place."""
BORDER_WALK = 40.0
"""Longest walk to a border, in tiles."""
WEAK_BORDER = "weak_border"
"""Name of the weakest tile of the enemy's border, in place of a selector."""
OWN_LAYER = "own_nearness"
"""Layer of comrades; a unit takes its own stamp out of it."""


class _SelectorRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    gather: str = "around"
    radius: float = 12.0
    most: int = Field(default=0, ge=0)
    nearest: bool = False
    otherwise: str = ""
    limits: dict[str, list[float]] = Field(default_factory=dict)
    criteria: dict[str, list[list[float]]] = Field(default_factory=dict)


def load_selectors() -> dict[str, Selector]:
    """Return all selectors by name; ValueError names file, row and key."""
    path = DATA / "selectors.toml"
    rows = rows_of(path, "selector", _SelectorRow)
    found = {name: selector_from(name, row.model_dump(), str(path)) for name, row in rows.items()}
    check_selectors(found, str(path))
    return found


def selectors_of(world: World) -> Mapping[str, Selector]:
    """Return the selectors as the settings of the world change them."""
    cache = world.tactics_cache
    if not cache.selectors:
        cache.selectors = load_selectors()
    settings = world.settings.tactics
    if settings.without == "none" and settings.by_path:
        return cache.selectors
    return {name: _as_set(s, settings.without, settings.by_path) for name, s in cache.selectors.items()}


def _as_set(selector: Selector, without: str, by_path: bool) -> Selector:
    """Return a selector without a fact, or with straight distances in place of paths."""

    def named(fact: str) -> str:
        return "distance" if fact == "path" and not by_path else fact

    limits = [Limit(named(x.fact), x.low, x.high) for x in selector.limits if x.fact != without]
    criteria = [Criterion(named(x.fact), x.curve) for x in selector.criteria if x.fact != without]
    return replace(selector, limits=limits, criteria=criteria)


def ground_of(world: World, movement_class: int) -> TacticalGround:
    """Return the tactical ground of the present map for a movement class."""
    cache, terrain = world.tactics_cache, world.terrain
    if cache.revision != terrain.revision:
        cache.grounds.clear()
        cache.revision = terrain.revision
    if movement_class not in cache.grounds:
        cache.grounds[movement_class] = tactical_ground(terrain, movement_class, world.low)
    found: TacticalGround = cache.grounds[movement_class]
    return found


def query_of(world: World, side: int, movement_class: int = 0, read: bool = True) -> GroundQuery:
    """Return the query for units of a side, with its influence layers.

    The layers are those of the last complete update; a side that never asked before has none yet. With ``read`` false
    nothing in the world changes, and no layer is asked for.
    """
    ground = replace(ground_of(world, movement_class), light=world.light.level)
    maps = influence_of(world, side).maps() if read else {}
    ground.layers = {name: np.asarray(values, np.float64) for name, values in maps.items()}
    return GroundQuery(ground, selectors_of(world))


def ask_of(world: World, slot: int, target: int = -1) -> Ask:
    """Return what a unit asks with: its side's knowledge, comrades, and places taken.

    ``target`` is the id of the selected enemy; without it the nearest known one is selected.
    """
    u = world.units
    side, unit = int(u.side[slot]), int(u.id[slot])
    known = known_threats(world, side)
    x, y = float(u.x[slot]), float(u.y[slot])
    chosen = next((k for k, threat in enumerate(known) if threat.unit == target), -1)
    if chosen < 0 and known:
        chosen = min(range(len(known)), key=lambda k: ((known[k].x - x) ** 2 + (known[k].y - y) ** 2, known[k].unit))
    living = u.living(side)
    mates = living[living != slot]
    claimed = _taken(world, unit)
    return Ask(
        x, y, np.array([(t.x, t.y, t.facing) for t in known], np.float64).reshape(-1, 3), max(chosen, 0),
        np.column_stack([u.x[mates], u.y[mates]]), np.array(claimed, np.float64).reshape(-1, 2),
        int(u.stance[slot]), max(world.weapons[int(u.weapon[slot])].reach, 1.0),
    )  # fmt: skip


def _taken(world: World, unit: int) -> list[tuple[float, float]]:
    """Return the places that living comrades of a unit have taken, by their ids."""
    u = world.units
    side = u.side[u.slot(unit)]
    others = sorted(k for k in world.tactics.posts if k != unit)
    return [world.tactics.posts[k] for k in others if u.alive[u.slot(k)] and u.side[u.slot(k)] == side]


def find_place(world: World, slot: int, name: str, target: int = -1) -> Place | None:
    """Return the best place for a unit by selector or recipe, or None.

    ValueError for a name that is neither.
    """
    u = world.units
    world.tactics.queries += 1
    if name == WEAK_BORDER:
        return border_place(world, slot)
    if name in RECIPES:
        return recipe_place(world, slot, name)
    query = query_of(world, int(u.side[slot]), int(u.movement_class[slot]))
    return query.find(name, ask_of(world, slot, target))


def border_place(world: World, slot: int) -> Place | None:
    """Return the weakest reachable tile of the enemy's border, or None.

    The border is that of both sides' nearness as the unit's side knows it. With ``tactics.weakest`` off it is the
    nearest tile of the border.
    """
    u = world.units
    maps = influence_of(world, int(u.side[slot])).maps()
    if not maps:
        return None
    held = control(np.stack([np.asarray(maps[name], np.float64) for name in (OWN_LAYER, "enemy_nearness")]))
    ground = ground_of(world, int(u.movement_class[slot]))
    tiles = np.argwhere(border_of(held.owner, 0, 1) & ground.standing)
    height, width = ground.standing.shape
    y, x = min(max(int(u.y[slot]), 0), height - 1), min(max(int(u.x[slot]), 0), width - 1)
    far = bounded_flood(world.terrain, int(u.movement_class[slot]), y, x, BORDER_WALK).at(tiles)
    tiles, far = tiles[np.isfinite(far)], far[np.isfinite(far)]
    for px, py in _taken(world, int(u.id[slot])):
        free = np.hypot(tiles[:, 1] + 0.5 - px, tiles[:, 0] + 0.5 - py) >= 1.0
        tiles, far = tiles[free], far[free]
    if not len(tiles):
        return None
    security = held.security[tiles[:, 0], tiles[:, 1]]
    first = security if world.settings.tactics.weakest else far
    k = int(np.lexsort((tiles[:, 1], tiles[:, 0], far, first))[0])
    return Place(float(tiles[k, 1]) + 0.5, float(tiles[k, 0]) + 0.5, float(security[k]), WEAK_BORDER, {})


def place_names(world: World) -> Sequence[str]:
    """Return the names of all selectors and recipes."""
    return sorted((*selectors_of(world), *RECIPES, WEAK_BORDER))


def recipe_place(world: World, slot: int, name: str) -> Place | None:
    """Return the highest reachable tile of a recipe around a unit.

    None before the first update of influence.
    """
    u = world.units
    side = int(u.side[slot])
    maps = influence_of(world, side).maps()
    if not maps:
        return None
    height, width = world.terrain.passable.shape
    y, x = min(max(int(u.y[slot]), 0), height - 1), min(max(int(u.x[slot]), 0), width - 1)
    window = window_around(y, x, INTEREST, (height, width))
    layers = {k: np.asarray(v, np.float64)[window.y0 : window.y1, window.x0 : window.x1] for k, v in maps.items()}
    layers["interest"] = interest(y, x, INTEREST, window)
    mine = own_stamp(world, side, int(u.id[slot]), OWN_LAYER)
    friends = np.asarray(maps[OWN_LAYER], np.float64)
    layers["ally_nearness"] = (
        without_own(friends, *mine, window) if mine else friends[window.y0 : window.y1, window.x0 : window.x1]
    )
    spacing = world.settings.tactics.recipe_spacing
    recipe = [(v, k, -spacing if k == "ally_nearness" else w) for v, k, w in RECIPES[name]]
    values = cook(recipe, layers, window, name)
    walk = bounded_flood(world.terrain, int(u.movement_class[slot]), y, x, 1.5 * INTEREST)
    tiles = np.argwhere(layers["interest"] > 0) + (window.y0, window.x0)
    far = walk.at(tiles)
    tiles, far = tiles[np.isfinite(far)], far[np.isfinite(far)]
    free = np.ones(len(tiles), bool)
    for px, py in _taken(world, int(u.id[slot])):
        free &= np.hypot(tiles[:, 1] + 0.5 - px, tiles[:, 0] + 0.5 - py) >= 1.0
    tiles, far = tiles[free], far[free]
    if not len(tiles):
        return None
    worth = values[tiles[:, 0] - window.y0, tiles[:, 1] - window.x0]
    k = int(np.lexsort((tiles[:, 1], tiles[:, 0], far, -worth))[0])
    return Place(float(tiles[k, 1]) + 0.5, float(tiles[k, 0]) + 0.5, float(worth[k]), name, {})
