"""Stage fight: ready units with a clear line shoot; hits are dealt.

One kernel over the columns decides all shots of a tick from the positions after the move. No shooter's slot
matters: two units that shoot each other in one tick may both die.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import kernel
from ai.core.rand import Stream, rand_unit
from ai.perception.hearing.hearing import SoundKind
from ai.perception.sight.line_of_sight import clear_between, passes_closed_corner
from ai.perception.spatial_bins import PER_TILE, bin_cells, bin_units
from ai.tactics.fire.line_of_fire import REACTION, friend_in_line, widest_circle
from ai.tactics.fire.to_hit import to_hit
from game.level.passability_masks import WALK
from game.systems.body.acts import begin_act
from game.systems.interaction.bodies import kill
from game.systems.noise import emit, emit_shot
from game.systems.tactics.danger_memory import witness_hit
from game.systems.tactics.learned_danger import log_hit
from game.systems.tactics.suppression import calm_down, suppress
from game.world.units import Act, Event, LabMark
from game.world.world import World

SHOOT_TICKS = 8
HIT_TICKS = 10
AIM_TURN = 0.35
"""A body must face its target this closely to fire, in radians."""

RECHECK = 3
"""Ticks before a shooter with a friend in its line checks again."""

MISS, STRUCK, STRAY = 1, 2, 3
"""Outcomes of a shot; a stray one strikes a friend in its line."""


@kernel(
    "void(int64, int64, int64, uint8[:,::1], uint8[:,::1], uint8[:,::1], float64[:,::1], int32[::1], uint8[::1],"
    " uint8[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], uint8[::1],"
    " int16[::1], int32[::1], int32[::1], float64[::1], float64, uint8[::1], float64[::1], float64[::1], float64[::1],"
    " int32[::1], boolean, boolean, boolean, float64, int64, int32[::1], int32[::1], uint8[::1])"
)
def shots(
    count: int,
    seed: int,
    tick: int,
    opaque: np.ndarray,
    walls: np.ndarray,
    cover: np.ndarray,
    weapons: np.ndarray,
    ids: np.ndarray,
    alive: np.ndarray,
    stance: np.ndarray,
    moving: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    facing: np.ndarray,
    turn_to: np.ndarray,
    head: np.ndarray,
    weapon: np.ndarray,
    cooldown: np.ndarray,
    target: np.ndarray,
    slot_of: np.ndarray,
    suppressed: np.ndarray,
    spoils: float,
    side: np.ndarray,
    vx: np.ndarray,
    vy: np.ndarray,
    radius: np.ndarray,
    blocked_by: np.ndarray,
    holds_fire: bool,
    strays: bool,
    factors: bool,
    motion: float,
    across: int,
    starts: np.ndarray,
    members: np.ndarray,
    outcome: np.ndarray,
) -> None:
    """Fill ``outcome`` uint8[count]: no shot, miss, hit, or hit on a friend.

    They are 0 to 3. A hit is on the slot's target. A standing unit turns to it. A shot needs a clear line of sight, and
    does not pass between two ``walls`` that touch at a corner. ``weapons`` float64[m, 4]: reach, reload, chance near,
    chance far; ``factors`` and ``motion`` are those of ``to_hit``. ``blocked_by`` int32[count] gets the id of the
    friend in the line of a ready shooter, -1 none. With ``holds_fire`` such a shooter waits. With ``strays`` a shot
    strikes a body in its line. ``starts`` and ``members`` are the bins of the living, ``across`` in a row.
    """
    widest = widest_circle(count, alive, vx, vy, radius, REACTION)
    for slot in range(count):
        outcome[slot] = 0
        if cooldown[slot] > 0:
            cooldown[slot] -= 1
        if alive[slot] == 0 or target[slot] < 0:
            blocked_by[slot] = -1
            continue
        other = slot_of[target[slot]]
        if other < 0:
            continue
        dx, dy = x[other] - x[slot], y[other] - y[slot]
        bearing = math.atan2(dy, dx)
        if moving[slot] == 0:
            turn_to[slot] = bearing
            head[slot] = bearing
        if cooldown[slot] > 0 or alive[other] == 0:
            continue
        w = weapon[slot]
        distance = math.hypot(dx, dy)
        reach = weapons[w, 0]
        if distance > reach or reach <= 0.0:
            continue
        off = bearing - facing[slot]
        off -= 2.0 * math.pi * math.floor((off + math.pi) / (2.0 * math.pi))
        if abs(off) > AIM_TURN:
            continue
        y0, x0 = int(math.floor(y[slot])), int(math.floor(x[slot]))
        y1, x1 = int(math.floor(y[other])), int(math.floor(x[other]))
        if not clear_between(opaque, y0, x0, y1, x1) or passes_closed_corner(walls, y0, x0, y1, x1):
            continue
        near = friend_in_line(
            slot, other, across, starts, members, widest, ids, side, stance, x, y, vx, vy, radius, REACTION
        )
        blocked_by[slot] = -1 if near < 0 else ids[near]
        if near >= 0 and holds_fire:
            cooldown[slot] = RECHECK
            continue
        if near >= 0 and strays:
            near = friend_in_line(
                slot, other, across, starts, members, widest, ids, side, stance, x, y, vx, vy, radius, 0.0
            )
            if near >= 0:
                blocked_by[slot] = ids[near]
                cooldown[slot] = int(weapons[w, 1])
                outcome[slot] = STRAY
                continue
        chance = to_hit(
            weapons[w, 2], weapons[w, 3], distance, reach, stance[other], cover[y1, x1], suppressed[slot], spoils,
            vx[other] - vx[slot], vy[other] - vy[slot], dx, dy, motion, factors,
        )  # fmt: skip
        cooldown[slot] = int(weapons[w, 1])
        outcome[slot] = STRUCK if rand_unit(seed, 2, tick, ids[slot], 0) < chance else MISS


def run(world: World) -> None:
    """Fire, deal wounds and deaths by the shooters' ids, and publish events."""
    assert Stream.FIRE == 2, "the kernel rolls on the FIRE stream"
    u, n = world.units, world.units.count
    if not n:
        return
    calm_down(world)
    world.tactics.dangers.forget(world.tick)
    if not (((u.target[:n] >= 0) & (u.alive[:n] == 1)) | (u.cooldown[:n] > 0)).any():
        u.blocked_by[:n] = -1
        return
    table = np.array([[w.reach, w.reload, w.chance_near, w.chance_far] for w in world.weapons])
    terrain = world.terrain
    # Two trees that touch at a corner close no gap: a body walks between them, so a bullet passes.
    walls = ((terrain.opaque != 0) & (terrain.passable & WALK == 0)).astype(np.uint8)
    outcome = np.zeros(n, np.uint8)
    height, width = terrain.opaque.shape
    starts, members = np.zeros(bin_cells(height, width) + 1, np.int32), np.zeros(n, np.int32)
    bin_units(height, width, u.alive[:n], u.x[:n], u.y[:n], starts, members)
    shots(
        n, world.seed, world.tick, terrain.opaque, walls, terrain.cover, table, u.id, u.alive, u.stance,
        u.moving, u.x, u.y, u.facing, u.turn_to, u.head, u.weapon, u.cooldown, u.target, u.slot_of, u.suppressed,
        world.settings.rules.suppression, u.side, u.vx, u.vy, u.radius, u.blocked_by,
        world.settings.tactics.line_of_fire, world.settings.rules.friendly_fire,
        world.settings.rules.hit_factors, world.settings.rules.moving_target, int(width * PER_TILE) + 1,
        starts, members, outcome,
    )  # fmt: skip
    fired = np.flatnonzero(outcome)
    shooters = fired[np.argsort(u.id[fired], kind="stable")]
    # A death clears all aims at the dead, so targets are noted first.
    stray = outcome[shooters] == STRAY
    victims = np.where(stray, u.blocked_by[shooters], u.target[shooters])
    for slot, victim in zip(shooters.tolist(), victims.tolist(), strict=True):
        _land(world, slot, victim, outcome[slot] != MISS)


def _land(world: World, slot: int, victim: int, struck: bool) -> None:
    u = world.units
    shooter = int(u.id[slot])
    world.happen("shot", shooter, victim, "hit" if struck else "miss")
    emit_shot(world, shooter, victim)
    begin_act(world, slot, Act.SHOOT, SHOOT_TICKS)
    if world.settings.rules.suppression > 0.0:
        suppress(world, victim)
    if not struck:
        return
    other = u.slot(victim)
    if not u.alive[other]:
        return
    if not u.lab[other] & int(LabMark.SAFE):
        u.hp[other] -= world.weapons[int(u.weapon[slot])].damage
    u.event[other] |= int(Event.HIT)
    # Its comrades remember where it was hit.
    world.paths.hazards.learn(int(u.side[other]), int(u.y[other]), int(u.x[other]), world.tick)
    log_hit(world, other, slot)
    world.last_hit_by[victim] = shooter
    if u.hp[other] > 0:
        witness_hit(world, other, killed=False)
        begin_act(world, other, Act.HIT, HIT_TICKS)
        return
    kill(world, other)
    witness_hit(world, other, killed=True)
    if u.side[other] != u.side[slot]:
        u.event[slot] |= int(Event.KILLED_ENEMY)
    world.happen("killed", victim, shooter)
    emit(world, SoundKind.BODY, float(u.x[other]), float(u.y[other]), world.settings.noise.fall, shooter)
