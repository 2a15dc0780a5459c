"""Sneak order: a path that avoids known eyes, with the best stance per tile.

The path is found by the one search engine over ground with an extra cost for exposure, and laid into the unit's
path. It is evaluated again as the unit walks, since watchers turn. A better path is taken only once it is clearly
better, against dithering. One search is open at a time, and all share a budget of revolutions a tick
(``rules.sneak_budget``). A unit that waits walks the plain path till then. A sneaking unit goes alone, for a
formation cannot hide.

Sources: Game AI Pro 2, ch. 1 (1.5.1), ch. 32 (32.3.2), ch. 34 (34.2).
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.scheduling.periods import is_due
from ai.grid.movement_classes import MovementClass
from ai.grid.terrain import Terrain
from ai.search.astar.astar import FOUND, RUNNING, AStarSearch
from ai.tactics.routes.combat_vector import side_of_route
from ai.tactics.unseen_paths import cost_by_stance, cost_of_path, stance_flags, weighted_path
from game.systems.stealth.stimulus_system import EARS
from game.systems.stealth.watcher_intel import sightings_of
from game.systems.tactics.route_costs import AROUND, FLANK, SNEAK, enemy_at, law_cost, version_of
from game.world.stealth.sneak_paths import SneakPath, SneakSearch
from game.world.units import Pace, Stance
from game.world.world import World

CAP = 60_000
"""Revolutions that one path may cost."""
CELLS = 16
"""Tiles whose sneak cost is computed for one revolution."""
READ_EVERY = 10
"""Ticks between two looks of one unit at the exposure map."""
CLEARLY = 0.85
"""Largest cost of a new path, as a share of the old one's rest."""
STRAYED = 3
"""Tiles off its path at which a unit needs a new one."""


def begin(world: World, slots: np.ndarray, law: str = SNEAK, start: tuple[float, float] | None = None) -> None:
    """Start a route by a law with units that have their move order already.

    The empty law is a sneak, at a walk. An excluded zone begins at ``start``, by default at the unit.
    """
    u = world.units
    for slot in slots.tolist():
        if u.moving[slot]:
            goal = math.floor(u.goal_y[slot]), math.floor(u.goal_x[slot])
            world.sneaks[int(u.id[slot])] = SneakPath(
                goal, int(u.pace[slot]), start=start or (float(u.x[slot]), float(u.y[slot])), law=law
            )
            if law == SNEAK:
                u.pace[slot] = Pace.WALK


def give_up(world: World, slots: np.ndarray) -> None:
    """End posts and sneak paths of units that do something else now."""
    u = world.units
    for unit in u.id[slots].tolist() if world.tactics.posts else ():
        world.tactics.posts.pop(unit, None)
    for unit in u.id[slots].tolist() if world.sneaks else ():
        path = world.sneaks.pop(unit, None)
        world.sneak_line.leave(unit)
        if path is not None and path.law == SNEAK and u.pace[u.slot(unit)] == Pace.WALK:
            u.pace[u.slot(unit)] = path.pace


def follow(world: World) -> None:
    """Advance sneaking once a tick: find needs, search, drop finished units.

    Runs after the path manager.
    """
    u = world.units
    for unit in sorted(world.sneaks):
        slot, path = u.slot(unit), world.sneaks[unit]
        if not u.alive[slot] or not u.moving[slot]:
            give_up(world, np.array([slot]))
            continue
        goal = math.floor(u.goal_y[slot]), math.floor(u.goal_x[slot])
        fresh = not len(path.tiles) or goal != path.goal
        path.goal = goal
        if not fresh:
            path.at, off = _along(path, (int(u.y[slot]), int(u.x[slot])))
            fresh = off > STRAYED
        if fresh or (
            is_due(world.tick, READ_EVERY, -unit) and _rounds(world, int(u.side[slot]), path.law) != path.read
        ):
            world.sneak_line.ask(unit, fresh)
    _serve(world)


def _serve(world: World) -> None:
    """Search for waiting units within the tick's budget."""
    line, budget = world.sneak_line, world.settings.rules.sneak_budget
    grounds: dict[tuple[object, ...], tuple[Terrain, np.ndarray]] = {}
    while line.spent < budget:
        if line.at is not None and line.at.revision != world.terrain.revision:
            line.at = _open(world, line.at.unit, line.at.fresh, grounds)
        if line.at is None:
            following = line.next()
            if following is None:
                return
            line.at = _open(world, *following, grounds)
            if line.at is None:
                continue
        line.spent += line.at.search.run(line.at.ground, max(budget - line.spent, 1))
        if line.at.search.status != RUNNING:
            done, line.at = line.at, None
            _lay(world, done)


def _open(
    world: World, unit: int, fresh: bool, grounds: dict[tuple[object, ...], tuple[Terrain, np.ndarray]]
) -> SneakSearch | None:
    """Start the search of one unit; None when the goal is unreachable.

    ``grounds`` are those of this tick.
    """
    u, path = world.units, world.sneaks[unit]
    slot = u.slot(unit)
    here, movement_class, side = (int(u.y[slot]), int(u.x[slot])), int(u.movement_class[slot]), int(u.side[slot])
    rounds = _rounds(world, side, path.law)
    path.read = rounds
    if not world.components.reachable(movement_class, *here, *path.goal):
        return None
    # A flank route and a wounded unit have costs of their own.
    own = (unit,) if path.law else ()
    key = (side, movement_class, int(u.kind[slot]), path.law, *own)
    if key not in grounds:
        if path.law:
            cost, stance = (
                law_cost(world, slot, path.law, path.goal, path.start),
                np.zeros(world.terrain.passable.shape, np.uint8),
            )
        else:
            cost, stance = _costs(world, slot)
        grounds[key] = Terrain.build(world.terrain.passable, cost, world.terrain.opaque), stance
        world.sneak_line.spent += cost.size // CELLS
    ground, stance = grounds[key]
    search = AStarSearch(ground.height, ground.width)
    search.begin(ground, movement_class, here, path.goal, CAP)
    return SneakSearch(unit, fresh, rounds, world.terrain.revision, ground, stance, search)


def _rounds(world: World, side: int, law: str = SNEAK) -> int:
    """Return the round of a side's exposure map, or the version of a law."""
    if law:
        return version_of(world, side, law)
    known = sightings_of(world, side)
    return -1 if known is None else known.chart.rounds


def sneak_path(world: World, slot: int, start: tuple[int, int], goal: tuple[int, int]) -> np.ndarray | None:
    """Return the tiles that a unit would sneak from ``start`` to ``goal`` (y, x).

    It uses the present knowledge of the unit's side.
    """
    cost, _ = _costs(world, slot)
    return weighted_path(world.terrain, cost, int(world.units.movement_class[slot]), start, goal, CAP)


def _along(path: SneakPath, here: tuple[int, int]) -> tuple[int, int]:
    """Return the index of the nearest remaining path tile, and its distance in tiles."""
    part = path.tiles[path.at : path.at + 8]
    off = np.abs(part - np.array(here)).max(axis=1)
    k = int(off.argmin())
    return path.at + k, int(off[k])


def _lay(world: World, done: SneakSearch) -> None:
    """Take the found path if it is the first or clearly better.

    It is compared with the rest of the old one.
    """
    if done.search.status != FOUND:
        return
    path, cost, slot = world.sneaks[done.unit], done.ground.cost, world.units.slot(done.unit)
    tiles = done.search.path()
    _count_flips(world, done.unit, tiles)
    if not done.fresh and cost_of_path(tiles, cost) > CLEARLY * cost_of_path(path.tiles[path.at :], cost):
        # The old path stays; its stances change where its exposure has changed.
        path.stances = _stances(path.tiles, done.stance)
        return
    path.tiles, path.stances, path.at = tiles, _stances(tiles, done.stance), 0
    path.paths += 1
    world.paths.take_path(world.terrain, slot, tiles)
    world.paths.store.goal[slot] = path.goal[0] * world.terrain.width + path.goal[1]
    world.recording.setdefault("sneaks", {})[done.unit] = tiles


def _count_flips(world: World, unit: int, tiles: np.ndarray) -> None:
    """Count a flank plan, and a change of the side that it passes."""
    path = world.sneaks[unit]
    if path.law not in (FLANK, AROUND):
        return
    enemy = enemy_at(world, int(world.units.side[world.units.slot(unit)]), path.goal)
    if enemy is None:
        return
    side = side_of_route(tiles, (enemy.x, enemy.y))
    world.tactics.plans += 1
    world.tactics.flips += side * path.side < 0
    path.side = side or path.side


def _stances(tiles: np.ndarray, stance: np.ndarray) -> np.ndarray:
    return np.array(stance_flags(stance[tiles[:, 0], tiles[:, 1]].tolist()), np.uint8)


def _costs(world: World, slot: int) -> tuple[np.ndarray, np.ndarray]:
    """Return each tile's cost in eighths and its best stance.

    They follow from the watchers that would see or hear the unit.
    """
    u = world.units
    kind = world.types[int(u.kind[slot])]
    known = sightings_of(world, int(u.side[slot]))
    shape = (3, *world.terrain.passable.shape)
    noticed = np.zeros(shape, np.int64) if known is None else known.chart.front.astype(np.int64)
    speeds = (kind.walk, kind.crouch, kind.prone)
    noise = world.settings.noise
    shares = (1.0, noise.crouch, noise.prone)
    for last in known.about.values() if known is not None and noise.steps else ():
        other = world.types[int(u.kind[u.slot(last.unit)])]
        if other.ears not in EARS:
            continue
        keen = world.settings.hearing.keenness[EARS[other.ears]][1]
        for s in range(3):
            hearing = world.settings.hearing
            far = max(hearing.breath_tiles, hearing.run_tiles * speeds[s] * shares[s] * kind.noise / hearing.run_speed)
            _add_disc(noticed[s], last.x, last.y, far * keen)
    slow = [kind.walk / v for v in speeds]
    stances = range(3) if world.settings.rules.sneak_stances else range(1)
    cost, stance = cost_by_stance(
        world.terrain.cost, noticed[: len(stances)], slow[: len(stances)], world.settings.rules.sneak_weight
    )
    only = np.uint8(1 << MovementClass.CRAWL)
    stance[(world.terrain.passable & np.uint8(only | 1)) == only] = Stance.PRONE
    return cost, stance


def _add_disc(count: np.ndarray, x: float, y: float, radius: float) -> None:
    height, width = count.shape
    y0, y1 = max(0, int(y - radius)), min(height, int(y + radius) + 1)
    x0, x1 = max(0, int(x - radius)), min(width, int(x + radius) + 1)
    rows, columns = np.arange(y0, y1)[:, None] + 0.5, np.arange(x0, x1)[None, :] + 0.5
    count[y0:y1, x0:x1] += (rows - y) ** 2 + (columns - x) ** 2 <= radius * radius
