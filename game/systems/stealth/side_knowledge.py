"""Knowledge of a side of watchers: last identified positions and possible positions of enemies.

Its only source is percepts: the identified targets of each watcher with their places (the columns that the eyes
fill), and the tiles that the watchers see. The one exception is the grace period (Game AI Pro 2, ch. 27, 27.3.2).
For a moment after an enemy leaves sight the belief still follows it, as if by intuition. ``minds.grace`` says how
long, the window shows it, and 0 turns it off.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.core.scheduling.periods import whose_turn
from ai.perception.memory.last_known_position import Belief, SideBeliefs
from ai.perception.memory.occupancy_map import occupancy_map
from ai.perception.memory.possibility_map import HAIR, fineness, possibility_map, sensory_barriers
from ai.perception.settings import TICKS_PER_SECOND
from game.systems.noise import path_field, rooms
from game.systems.stealth.foresight import seconds_around
from game.systems.stealth.stimulus_system import EARS, keenness, see_body
from game.world.mind_kinds import minds_that
from game.world.stealth.side_records import SideKnowledge
from game.world.units import Stance
from game.world.world import World

MAPS = 4
"""Lost enemies with a possibility map per side; the last lost are kept."""
LOOK_EVERY = 4
"""Ticks between two looks of one watcher at the possible tiles; watchers take turns."""
TOO_MANY = 20_000
"""Possible tiles above which the possibility map is dropped as useless."""


def knowledge_of(world: World, side: int) -> SideKnowledge | None:
    """Return a side's knowledge; only sides with guards keep it."""
    return next((k for k in world.knowledge if k.side == side), None)


def learn(world: World) -> None:
    """Add this tick's percepts; spread possibility maps and clear seen tiles."""
    u, n = world.units, world.units.count
    guards = minds_that(world.types, "watches")[u.kind[:n]] & (u.alive[:n] == 1)
    sides = np.flatnonzero(np.bincount(u.side[:n][guards])).tolist()
    # A side without living guards has no knowledge.
    world.knowledge[:] = [known for known in world.knowledge if known.side in sides]
    beside = []
    for watcher, target in world.vision.beside(world.tick):
        slot = u.slot(target)
        beside.append((watcher, target, float(u.x[slot]), float(u.y[slot])))
    for side in sides:
        known = knowledge_of(world, side)
        if known is None:
            known = SideKnowledge(side, SideBeliefs(side))
            world.knowledge.append(known)
        lost = known.beliefs.perceive(
            world.tick, u.id[:n], u.alive[:n], u.side[:n], u.meter[:n], u.meter_target[:n], u.seen_x[:n], u.seen_y[:n],
            u.seen_tick[:n], beside,
        )  # fmt: skip
        grace = world.settings.minds.grace
        for target in lost:
            belief = known.beliefs.about[target]
            _start(world, known, target, belief.x, belief.y, belief.tick)
        slots = u.slots(list(known.beliefs.about))
        maps, chances = {m.unit: m for m in known.maps}, {m.target: m for m in known.chances}
        for (target, belief), slot, alive in zip(
            list(known.beliefs.about.items()), slots.tolist(), u.alive[slots].tolist(), strict=True
        ):
            if not alive and _known_dead(world, known, belief, slot):
                known.beliefs.forget(target)
                known.drop(target)
            elif belief.lost_tick >= 0 and world.tick - belief.lost_tick < grace and belief.seen:
                belief.x, belief.y, belief.tick = float(u.x[slot]), float(u.y[slot]), world.tick
                if target in maps:
                    maps[target].settle(belief.y, belief.x, world.tick)
                if target in chances:
                    chances[target].reset(int(belief.y), int(belief.x), world.tick)
        _spread(world, known)


def _known_dead(world: World, known: SideKnowledge, belief: Belief, slot: int) -> bool:
    """Return true if a dead enemy fell or lies in a watcher's view.

    An enemy that died unseen is believed in as before.
    """
    if belief.seen and belief.lost_tick == world.tick:
        return True  # it was in sight until this tick
    return see_body(world, listening(world, known), slot)


def _start(world: World, known: SideKnowledge, target: int, x: float, y: float, tick: int) -> None:
    height, width = world.terrain.passable.shape
    kind = world.types[int(world.units.kind[world.units.slot(target)])]
    # Reuse the arrays of the map that is dropped: a new map of the whole level costs more than the rest here.
    old = known.map_of(target) or (known.maps[0] if len(known.maps) >= MAPS else None)
    likely = known.chance_of(old.unit) if old is not None else None
    known.maps = [m for m in known.maps if m is not old]
    known.chances = [c for c in known.chances if any(m.unit == c.target for m in known.maps)]
    movement_class = int(world.units.movement_class[world.units.slot(target)])
    tile = min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)
    place = min(max(y, 0.0), height - HAIR), min(max(x, 0.0), width - HAIR)
    fine = fineness(kind.run)
    known.maps.append(
        possibility_map(height, width, target, *place, tick, movement_class=movement_class, fine=fine, old=old)
    )
    if world.settings.minds.chances:
        period = max(1, round(TICKS_PER_SECOND / kind.run))
        known.chances.append(occupancy_map(height, width, target, *tile, tick, period, movement_class, old=likely))


def listening(world: World, known: SideKnowledge) -> NDArray[np.int64]:
    """Slots of the side's guards that are alive and awake, by id."""
    u, n = world.units, world.units.count
    guards = minds_that(world.types, "watches")[u.kind[:n]] & (u.alive[:n] == 1)
    watchers = np.flatnonzero(guards & (u.side[:n] == known.side) & (u.asleep[:n] == 0))
    return watchers[np.argsort(u.id[watchers], kind="stable")]


def _spread(world: World, known: SideKnowledge) -> None:
    if not known.maps:
        return
    u = world.units
    watchers = listening(world, known)
    looks: dict[int, tuple[int, int, NDArray[np.bool_]]] = {}
    seeing = watchers[u.seen_tick[watchers] == world.tick]
    watched = u.meter_target[seeing]
    # A watcher with a target in view rules no tile out: of several targets it reports only one.
    looking = watchers[whose_turn(world.tick, u.id[watchers], LOOK_EVERY) & (u.seen_tick[watchers] != world.tick)]
    cone_range = np.array([t.cone_range for t in world.types])
    barriers, asked = None, False
    for found in list(known.maps):
        eyes_on = seeing[watched == found.unit]
        if len(eyes_on):
            found.settle(float(u.seen_y[eyes_on[0]]), float(u.seen_x[eyes_on[0]]), world.tick)
            likely = known.chance_of(found.unit)
            if likely is not None:
                likely.reset(int(u.seen_y[eyes_on[0]]), int(u.seen_x[eyes_on[0]]), world.tick)
            continue
        if found.settled and found.next_growth > world.tick:
            continue
        found.settled = False
        if not asked:
            barriers, asked = barriers_of(world, watchers), True
        found.spread(world.tick, world.terrain.passable, barriers)
        if barriers is not None:
            found.refuse(barriers)
        y0, x0, y1, x1 = found.box
        x, y, far = u.x[looking], u.y[looking], cone_range[u.kind[looking]] + 1
        for slot in looking[(x0 - far < x) & (x < x1 + far) & (y0 - far < y) & (y < y1 + far)].tolist():
            unit = int(u.id[slot])
            if unit not in looks:
                looks[unit] = _surely_seen(world, unit)
            ly, lx, seen = looks[unit]
            ay, ax = max(ly, y0), max(lx, x0)
            by, bx = min(ly + seen.shape[0], y1), min(lx + seen.shape[1], x1)
            if ay < by and ax < bx:
                found.possible[ay:by, ax:bx][seen[ay - ly : by - ly, ax - lx : bx - lx]] = 0
        y0, x0, y1, x1 = found.box
        found.count = int(np.count_nonzero(found.possible[y0:y1, x0:x1]))
        if found.count == 0 or found.count > TOO_MANY:
            known.drop(found.unit)
            continue
        likely = known.chance_of(found.unit)
        if likely is None or world.tick < likely.next_step:
            continue
        # What is ruled out has no chance.
        if not likely.update(world.tick, world.terrain.passable, found.possible == 0):
            likely.spread_over(found.possible, world.tick)


NOISY, EARSHOT = 12, 6.0
"""Least cost in eighths of noisy ground, and its earshot in tiles.

Noisy ground costs half as much again as road.
"""


def barriers_of(world: World, watchers: NDArray[np.integer]) -> NDArray[np.uint8] | None:
    """Return tiles a lost enemy cannot have entered unheard, ``uint8[H, W]``; else None.

    Certain tiles come from :func:`heard_for_sure`. Noisy ground in earshot and the tiles beside a listener (Game
    AI Pro 2, ch. 7, 7.3) are barriers only for units that cannot be quiet. Raiders creep over gravel unheard, so
    ``minds.noisy_ground``, which assumes noisy units, is off in the shipped game.
    """
    settings = world.settings.minds
    if not settings.barriers:
        return None
    out = heard_for_sure(world, watchers)
    ears = watchers[watchers < len(world.ears.agitation)]
    ears = ears[world.ears.agitation[ears] == 0.0]
    if not settings.noisy_ground or not len(ears) or not world.settings.noise.steps:
        return out
    noisy = (world.loudness >= NOISY).astype(np.uint8)
    if not noisy.size:
        noisy = np.zeros_like(world.terrain.passable)
    height, width = noisy.shape
    out = np.zeros_like(noisy) if out is None else out
    for x, y in zip(world.units.x[ears].tolist(), world.units.y[ears].tolist(), strict=True):
        y0, y1 = max(0, int(y - EARSHOT)), min(height, int(y + EARSHOT) + 1)
        x0, x1 = max(0, int(x - EARSHOT)), min(width, int(x + EARSHOT) + 1)
        part = sensory_barriers(
            np.ascontiguousarray(noisy[y0:y1, x0:x1]), np.array([y - y0]), np.array([x - x0]), EARSHOT
        )
        out[y0:y1, x0:x1] |= part * (path_field(world, x, y, y0, x0, y1, x1) <= EARSHOT)
    return out


HEARD_TILES = 2.5
"""Margin in tiles: travel between two steps, plus the offset of a tile's middle."""


def heard_for_sure(world: World, slots: NDArray[np.integer]) -> NDArray[np.uint8] | None:
    """Return tiles where these watchers would have heard any unit, ``uint8[H, W]``; else None.

    A unit there has breathed or stepped within earshot of a listener that has heard nothing for a while (Game AI
    Pro 2, ch. 7, 7.3). For people that area is nearly nothing, around a dog three tiles.
    """
    hearing = world.settings.hearing
    sharp = np.array(
        [
            t.ears in EARS and hearing.breath_tiles * max(hearing.keenness[EARS[t.ears]]) > HEARD_TILES
            for t in world.types
        ]
    )
    ears = slots[sharp[world.units.kind[slots]]]
    ears = ears[ears < len(world.ears.agitation)]
    ears = ears[world.ears.agitation[ears] == 0.0]
    if not len(ears) or not world.settings.noise.steps:
        return None
    far = hearing.breath_tiles * keenness(world, ears) - HEARD_TILES
    out: NDArray[np.uint8] | None = None
    height, width = world.terrain.passable.shape
    area = rooms(world).area if world.settings.noise.by_rooms else None
    for slot, radius in zip(ears.tolist(), far.tolist(), strict=True):
        if radius <= 0:
            continue
        if out is None:
            out = np.zeros((height, width), np.uint8)
        x, y = float(world.units.x[slot]), float(world.units.y[slot])
        y0, y1 = max(0, int(y - radius)), min(height, int(y + radius) + 1)
        x0, x1 = max(0, int(x - radius)), min(width, int(x + radius) + 1)
        dy, dx = np.arange(y0, y1)[:, None] + 0.5 - y, np.arange(x0, x1)[None, :] + 0.5 - x
        near = dy * dy + dx * dx <= radius * radius
        if area is not None:
            near &= area[y0:y1, x0:x1] == area[min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)]
        out[y0:y1, x0:x1] |= near
    return out


def _surely_seen(world: World, unit: int) -> tuple[int, int, NDArray[np.bool_]]:
    """Return tiles on which the watcher would see any unit, even a prone one.

    They are a little less than its cone. The eyes judge exact places, this function tiles: the rim is left out so
    that no place in a tile escapes.
    """
    u = world.units
    kind = world.types[int(u.kind[u.slot(unit)])]
    y0, x0, seconds = seconds_around(world, unit, Stance.PRONE, reach=kind.cone_range)
    seen = np.isfinite(seconds)
    opaque = world.terrain.opaque[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]] != 0
    around = np.pad(seen | opaque, 1, constant_values=False)
    inner = seen.copy()
    for dy in range(3):
        for dx in range(3):
            inner &= around[dy : dy + seen.shape[0], dx : dx + seen.shape[1]]
    return y0, x0, inner


def report(
    world: World, side: int, target: int, x: float, y: float, tick: int, reporter: int, exact: bool = False
) -> None:
    """Add a report about an enemy that is not sight, unless later knowledge exists.

    ``exact``: the enemy was exactly there at that tick, as with a shot. It may be no further now than it could run.
    """
    known = knowledge_of(world, side)
    if known is not None and known.beliefs.report(tick, target, x, y, reporter) and exact:
        _start(world, known, target, x, y, tick)


def believed_at(world: World, side: int, target: int) -> tuple[float, float] | None:
    """Return a side's believed position of an enemy, None when unknown."""
    known = knowledge_of(world, side)
    belief = known.beliefs.about.get(target) if known is not None else None
    if belief is None or not (math.isfinite(belief.x) and math.isfinite(belief.y)):
        return None
    return belief.x, belief.y


TECHNIQUES = (
    {
        "slug": "sensory-barriers",
        "name": "Sensory barriers: places the target cannot have passed",
        "ids": ("GP2-7.2",),
        "source": "Game AI Pro 2, ch. 7",
        "functions": ("barriers_of", "heard_for_sure"),
        "test": "tests/game/systems/stealth/test_hearing_barriers.py",
        "exhibit": "levels/exhibits/senses/fork.barriers.toml",
        "overlay": "possible",
        "setting": "minds.barriers",
        "measure": "possible",
        "direction": "down",
        "claim": "Only what would surely have been heard bars; noisy ground is a setting that is off in the game.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
