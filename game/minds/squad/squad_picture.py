"""Squad picture: the situation as the members of one squad perceived it.

Sources: William van der Sterren, AI Game Programming Wisdom, 5.3 (mental picture: last known place per opponent) and
5.4 (the squad's situation is made of beliefs, not of the truth). A squad knows the ground, its members, and the enemies
that a member's own eyes identified. It reads nothing else of the enemy.
"""

from __future__ import annotations

import math

import numpy as np

from ai.perception.memory.danger_regions import region_at, region_box
from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.emergent.personalities import role_of
from ai.squad.manoeuvres.manoeuvre import Situation
from game.minds.agent_view import FRESH
from game.minds.squad.squad_rooms import room_meant
from game.minds.squad.squad_scripts import squad_scripts
from game.systems.lights import ambient_of
from game.systems.tactics.danger_memory import refused_tiles
from game.systems.tactics.tactical_places import ground_of
from game.world.groups.squads import KnownEnemy, Squad
from game.world.world import World

REMEMBERED = 400
"""Ticks after which an enemy that nobody sees is forgotten: 20 s."""
GONE_FROM = 40
"""Ticks after which an enemy is struck off if its believed place is empty."""
LOOKS_WITHIN = 0.8
"""Angle from the gaze, in radians, within which a member looks at a place."""
TRACKED = 20
"""Ticks between two sightings over which a velocity is measured."""
CLOSING = 0.5
"""Speed towards the squad, in tiles a second, at which an enemy closes in."""


def perceive(world: World, squad: Squad) -> None:
    """Update the squad's picture of the enemy with the members' sightings."""
    u = world.units
    slots = u.slots(squad.members)
    slots = slots[u.alive[slots] == 1]
    fresh = (u.meter[slots] >= 1.0) & (u.seen_tick[slots] >= 0) & (world.tick - u.seen_tick[slots] <= FRESH)
    for slot in slots[fresh & (u.meter_target[slots] >= 0)].tolist():
        target, seen = int(u.meter_target[slot]), int(u.seen_tick[slot])
        known = squad.enemies.get(target)
        if known is None or known.tick <= seen:
            x, y = float(u.seen_x[slot]), float(u.seen_y[slot])
            first = known.first if known is not None and seen - known.tick <= TRACKED else seen
            squad.enemies[target] = KnownEnemy(target, x, y, seen, *_velocity(known, x, y, seen), first)
    for target in sorted(squad.enemies):
        if _outdated(world, slots, squad.enemies[target]):
            del squad.enemies[target]


def _velocity(known: KnownEnemy | None, x: float, y: float, tick: int) -> tuple[float, float]:
    """Return the velocity since the last sighting, 0 after a long gap.

    Units: tiles a second."""
    if known is None or tick - known.tick > TRACKED:
        return 0.0, 0.0
    if tick == known.tick:
        return known.vx, known.vy
    seconds = (tick - known.tick) / 20.0
    return (x - known.x) / seconds, (y - known.y) / seconds


def _closing(squad: Squad, x: float, y: float, tick: int) -> float:
    """Return the share of known enemies that came nearer to (x, y).

    An enemy that was seen for less than ``TRACKED`` ticks counts as well, because its velocity is not known yet.
    """
    known = [e for e in squad.enemies.values() if tick - e.tick <= 2 * TRACKED]
    near = 0
    for e in known:
        far = math.hypot(x - e.x, y - e.y)
        comes = far > 0 and (e.vx * (x - e.x) + e.vy * (y - e.y)) / far > CLOSING
        near += comes or e.tick - e.first < TRACKED
    return near / len(known) if known else 0.0


def _outdated(world: World, slots: np.ndarray, known: KnownEnemy) -> bool:
    """Return whether a belief is too old, or its place is seen empty."""
    age = world.tick - known.tick
    if age > REMEMBERED:
        return True
    if age <= GONE_FROM:
        return False
    u = world.units
    dx, dy = known.x - u.x[slots], known.y - u.y[slots]
    ranges = np.array([kind.cone_range for kind in world.types])
    off = np.abs((np.arctan2(dy, dx) - u.head[slots] + math.pi) % math.tau - math.pi)
    looking = slots[(np.hypot(dx, dy) <= ranges[u.kind[slots]]) & (off <= LOOKS_WITHIN)]
    eyes = np.column_stack([u.y[looking], u.x[looking]]).astype(np.int32)
    place = np.empty_like(eyes)
    place[:] = int(known.y), int(known.x)
    clear = lines_clear(world.terrain.opaque, eyes, place).astype(bool)
    if ambient_of(world) >= 1.0:
        return bool(clear.any())
    return any(_would_see(world, slot, int(known.y), int(known.x)) for slot in looking[clear].tolist())


def _would_see(world: World, slot: int, row: int, column: int) -> bool:
    """Return whether a member would see a unit that stands on a tile.

    In the dark its eyes need not reach the place, so an empty place tells nothing.
    """
    u = world.units
    kind = world.types[int(u.kind[slot])]
    _, _, seconds = world.vision.seconds_by_stance(
        world.terrain.opaque, world.terrain.cover, float(u.x[slot]), float(u.y[slot]), float(u.head[slot]),
        kind.cone_range, kind.cone_half_angle, stances=1, light=world.light.level, low=world.low, tile=(row, column),
    )  # fmt: skip
    return bool(np.isfinite(seconds).any())


def situation(world: World, squad: Squad) -> Situation:
    """Return the situation of a squad at this tick."""
    u = world.units
    slots = u.slots(squad.members)
    alive = u.alive[slots] == 1
    living = slots[alive] if alive.any() else slots
    reaches = sorted(world.weapons[w].reach for w in u.weapon[living].tolist())
    own = [world.weapons[w].reach for w in u.weapon[slots].tolist()]
    reach = reaches[len(reaches) // 2]
    movement_class = int(u.movement_class[living[0]])
    meant = room_meant(world, squad, living)
    return Situation(
        world.tick, world.terrain, u.x[slots].copy(), u.y[slots].copy(), alive,
        u.hp[slots] / np.maximum(u.hp_max[slots], 1),
        np.array([(e.x, e.y) for _, e in sorted(squad.enemies.items())], np.float64).reshape(-1, 2),
        max(reach, 1.0), movement_class, meant.room, meant.door, ground_of(world, movement_class), meant.exits,
        _closing(squad, float(u.x[living].mean()), float(u.y[living].mean()), world.tick),
        tuple(role_of(far, reach) for far in own), world.settings.tactics.earshot, world.settings.tactics.doctrine,
        (squad.bend[0], squad.bend[1]) if squad.bend else None,
        squad_scripts(), meant.house, meant.place, _refused(world, squad),
    )  # fmt: skip


def _refused(world: World, squad: Squad) -> np.ndarray | None:
    """Return the tiles that members refuse to enter, None without any.

    Ground that members hold is no ground to enter, so their own regions are left out.
    """
    u = world.units
    wary = [unit for unit in squad.members if world.tactics.dangers.of(unit)]
    if not wary:
        return None
    out: np.ndarray = np.any([refused_tiles(world, unit) for unit in wary], axis=0)
    slots = u.slots(squad.members)
    for slot in slots[u.alive[slots] == 1].tolist():
        y0, x0, y1, x1 = region_box(region_at(int(u.y[slot]), int(u.x[slot])))
        out[y0:y1, x0:x1] = False
    return out
