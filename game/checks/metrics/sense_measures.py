"""Measures of senses and fights: identification, searches, and lines of fire."""

from __future__ import annotations

import math

import numpy as np

from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.squad_search import SpotState
from game.checks.metrics.tally import LOOKS, MOST_PAIRS, TICKS_A_SECOND, Tally
from game.minds.settings import settings_of
from game.systems.stealth.foresight import seconds_around
from game.systems.tactics.territory import pieces as pieces_of
from game.systems.tactics.territory import territory
from game.world.mind_kinds import mind_can
from game.world.places import Region
from game.world.world import World

_CONTACT = 10.0
"""Tiles from an enemy at which a unit's bearing counts."""


def noticed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds until a guard has identified an enemy."""
    if not tally.done:
        tally.value = world.tick / TICKS_A_SECOND
        tally.done = any(e.kind == "identified" and _watches(world, e.unit, e.other) for e in world.events)


def sighting_spread(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the spread in seconds of the units' first identifications.

    It is the standard deviation over the units that have identified an enemy. ``samples`` holds their seconds.
    """
    _take_sightings(tally, world)
    tally.value = float(np.std(tally.samples)) if tally.samples else 0.0


def sighting_mean(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the mean seconds to the first identification, with its interval of 95 %.

    The interval is that of a mean of independent samples, 1.96 standard errors each way.
    """
    _take_sightings(tally, world)
    many = len(tally.samples)
    tally.value = float(np.mean(tally.samples)) if many else 0.0
    tally.half_interval = 1.96 * float(np.std(tally.samples, ddof=1)) / math.sqrt(many) if many > 1 else math.nan


def _take_sightings(tally: Tally, world: World) -> None:
    """Add the seconds of each unit that identifies its first enemy in this tick."""
    mine, known = set(tally.units.tolist()), tally.memory or frozenset()
    new = sorted({e.unit for e in world.events if e.kind == "identified" and e.unit in mine} - known)
    if new:
        tally.memory = known | frozenset(new)
        tally.samples = (*tally.samples, *[world.tick / TICKS_A_SECOND] * len(new))
    tally.done = len(tally.samples) == len(mine)


def reacted(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds from the first identified enemy to the first shot."""
    mine = set(tally.units.tolist())
    kinds = {e.kind for e in world.events if e.unit in mine}
    tally.seen += bool(tally.seen or "identified" in kinds)
    tally.done |= "shot" in kinds
    if not tally.done:
        tally.value = tally.seen / TICKS_A_SECOND


def possible(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return tiles that guards believe may hold a lost enemy, the run's mean.

    Guards that do not use possible places have all ground to search.
    """
    maps = [m for known in world.knowledge for m in known.maps if not m.settled]
    asked = settings_of(world).possible
    now = sum(m.count if asked else np.count_nonzero(world.terrain.passable) for m in maps)
    tally.value += (now - tally.value) / (tally.ticks + 1)


def aim(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return tiles between searchers' goals and the true enemy, the run's mean."""
    u, off = world.units, []
    for search in world.searches:
        if search.target >= 0:
            slot = u.slot(search.target)
            off += [math.hypot(s.x - u.x[slot], s.y - u.y[slot]) for s in search.spots if s.state == SpotState.CLAIMED]
    tally.seen += len(off)
    tally.value += (sum(off) - tally.value * len(off)) / max(tally.seen, 1)


def looked_over(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return tiles of open ground where they would have seen a standing unit."""
    if tally.ticks % LOOKS:
        return
    shown = np.zeros(world.terrain.passable.shape, bool) if tally.before is None else tally.before.copy()
    height, width = shown.shape
    for unit in world.units.id[slots[world.units.alive[slots] != 0]].tolist():
        y0, x0, seconds = seconds_around(world, unit)
        top, left = max(y0, 0), max(x0, 0)
        part = np.isfinite(seconds)[top - y0 : height - y0, left - x0 : width - x0]
        shown[top : top + part.shape[0], left : left + part.shape[1]] |= part
    tally.before = shown & (world.terrain.passable != 0)
    tally.value = float(tally.before.sum())


def events(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how often an event of the kind ``counted`` befell one of the units."""
    mine = set(tally.units.tolist())
    tally.value += sum(e.kind == tally.counted and (e.unit in mine or e.other in mine) for e in world.events)


def fallen(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how many units are dead."""
    tally.value = float((world.units.alive[slots] == 0).sum())
    tally.done = tally.value == len(slots)


def exposed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in lines of fire, summed over enemies, the mean of units.

    A line is clear between the tiles and no longer than the reach of the enemy's weapon.
    """
    if tally.ticks % LOOKS:
        return
    u = world.units
    mine = slots[u.alive[slots] != 0][:MOST_PAIRS]
    foes = u.living()
    reach = np.array([w.reach for w in world.weapons])[u.weapon[foes]]
    near = np.hypot(u.x[mine][:, None] - u.x[foes][None], u.y[mine][:, None] - u.y[foes][None]) <= reach
    a, b = np.nonzero(near & (u.side[mine][:, None] != u.side[foes][None]))
    if len(a):
        ends = [np.column_stack([u.y[s], u.x[s]]).astype(np.int32) for s in (mine[a], foes[b])]
        clear = lines_clear(world.terrain.opaque, ends[0], ends[1])
        tally.value += float(clear.sum()) * LOOKS / TICKS_A_SECOND / len(slots)


def held(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the number of named regions with a unit and no enemy."""
    u = world.units
    mine = slots[u.alive[slots] != 0]
    foes = u.living()
    foes = foes[np.isin(u.side[foes], u.side[mine], invert=True)]

    def inside(region: Region, some: np.ndarray) -> bool:
        return any(region.contains(float(u.x[s]), float(u.y[s])) for s in some)

    named = [region for region in world.regions if region.name]
    tally.value = float(sum(inside(r, mine) and not inside(r, foes) for r in named))


def uncovered(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return unit-seconds of movement under fire while no unit fires from a halt."""
    if tally.ticks % LOOKS == 0 and not _someone_fires(world, slots):
        tally.value += _movers_under_fire(world, slots) * LOOKS / TICKS_A_SECOND


def uncovered_share(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the percentage of movement under fire while no unit fires from a halt."""
    if tally.ticks % LOOKS == 0 and (movers := _movers_under_fire(world, slots)):
        tally.mean_in(0.0 if _someone_fires(world, slots) else 100.0, movers)


def _someone_fires(world: World, slots: np.ndarray) -> bool:
    """Return whether one of the living units stands and has a target."""
    u = world.units
    mine = slots[u.alive[slots] != 0][:MOST_PAIRS]
    return bool(((u.moving[mine] == 0) & (u.target[mine] >= 0)).any())


def _movers_under_fire(world: World, slots: np.ndarray) -> int:
    """Return how many units move in the line of fire of an enemy."""
    u = world.units
    mine = slots[u.alive[slots] != 0][:MOST_PAIRS]
    movers = mine[u.moving[mine] != 0]
    foes = u.living()
    foes = foes[np.isin(u.side[foes], u.side[mine], invert=True)]
    reach = np.array([w.reach for w in world.weapons])[u.weapon[foes]]
    near = np.hypot(u.x[movers][:, None] - u.x[foes], u.y[movers][:, None] - u.y[foes]) <= reach
    a, b = np.nonzero(near)
    if not len(a):
        return 0
    ends = [np.column_stack([u.y[s], u.x[s]]).astype(np.int32) for s in (movers[a], foes[b])]
    clear = lines_clear(world.terrain.opaque, ends[0], ends[1])
    return len(np.unique(a[clear]))


def strays(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how many shots were fired with a friend in the line."""
    u, mine = world.units, set(tally.units.tolist())
    fired = [u.slot(e.unit) for e in world.events if e.kind == "shot" and e.unit in mine]
    tally.value += float((u.blocked_by[fired] >= 0).sum()) if fired else 0.0


def bearings(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the widest angle between two units as the nearest enemy sees them, degrees.

    Only units within ten tiles of that enemy count; the value is the largest of the run.
    """
    u = world.units
    mine = slots[u.alive[slots] != 0]
    foes = u.living()
    foes = foes[np.isin(u.side[foes], u.side[mine], invert=True)] if len(mine) else foes[:0]
    if len(mine) < 2 or not len(foes):
        return
    middle_x, middle_y = u.x[mine].mean(), u.y[mine].mean()
    foe = foes[np.argmin(np.hypot(u.x[foes] - middle_x, u.y[foes] - middle_y))]
    dx, dy = u.x[mine] - u.x[foe], u.y[mine] - u.y[foe]
    close = np.hypot(dx, dy) <= _CONTACT
    angles = np.arctan2(dy[close], dx[close])
    if len(angles) > 1:
        turns = np.abs((angles[:, None] - angles[None] + math.pi) % (2 * math.pi) - math.pi)
        tally.value = max(tally.value, float(np.degrees(turns.max())))


def pieces(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the connected pieces into which the territories fall, at worst."""
    if tally.ticks % TICKS_A_SECOND == 0:
        tally.value = max(tally.value, float(pieces_of(territory(world))))


def _watches(world: World, a: int, b: int) -> bool:
    """Return true if ``a`` is a guard and ``b`` of another side."""
    u = world.units
    guard = a >= 0 and mind_can(world.types[int(u.kind[u.slot(a)])], "watches")
    return guard and b >= 0 and bool(u.side[u.slot(a)] != u.side[u.slot(b)])
