"""Measures of walking: distance, time, turns, contacts, and the searches behind them."""

from __future__ import annotations

import math

import numpy as np

from ai.animation.foot_places import foot_places
from game.checks.metrics.tally import MOST_PAIRS, TICKS_A_SECOND, Tally
from game.world.world import World

_HALF_A_SECOND = 10
"""Ticks over which the sharpest turn is measured."""
_AWAY = 2.0
"""Tiles from its first place at which a unit counts as away."""
_FLIP_SPEED, _FLIP_AHEAD = 0.5, 1.5
"""Least speed of a unit that turns back; tiles ahead that give the direction."""
_SCRAPE = 0.04
"""Tiles between a body and what is beside it that count as touching."""
_INSIDE = 0.01
"""Tiles that a body lies in another one to count as overlapping."""


def walked(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return tiles walked, the mean of units."""
    u = world.units
    tally.value += float(np.hypot(u.x[slots] - u.prev_x[slots], u.y[slots] - u.prev_y[slots]).mean())
    tally.done = tally.at_rest(world, slots)


def seconds(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds until the last unit rests."""
    tally.done = tally.at_rest(world, slots)
    if not tally.done:
        tally.value = world.tick / TICKS_A_SECOND


def arrived(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how many units rest where they were sent."""
    tally.done = tally.at_rest(world, slots)
    u = world.units
    home = np.hypot(u.x[slots] - u.ordered_x[slots], u.y[slots] - u.ordered_y[slots]) <= 1.5
    tally.value = float((home & (u.moving[slots] == 0) & (u.alive[slots] != 0)).sum()) if tally.set_out else 0.0


def away(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how many units are away from where they began, the run's mean."""
    u = world.units
    now = np.column_stack([u.x[slots], u.y[slots]])
    if tally.before is None:
        tally.before = now
    far = (np.hypot(*(now - tally.before).T) > _AWAY) & (u.alive[slots] != 0)
    tally.mean_in(float(far.sum()))


def inside(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how many units are in the region that ``counted`` names.

    ValueError for a region that the map does not have.
    """
    tally.value = float(_living_inside(tally, world, slots))


def alone(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in which exactly one of the units is in the region ``counted``."""
    tally.value += (_living_inside(tally, world, slots) == 1) / TICKS_A_SECOND


def _living_inside(tally: Tally, world: World, slots: np.ndarray) -> int:
    region = world.region(tally.counted)
    if region is None:
        raise ValueError(f"counted names {tally.counted!r}, which is no region of {world.level_name}")
    u = world.units
    inner = [region.contains(x, y) for x, y in zip(u.x[slots].tolist(), u.y[slots].tolist(), strict=True)]
    return int((np.array(inner) & (u.alive[slots] != 0)).sum())


def revolutions(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return revolutions of all searches so far."""
    s = world.paths.statistics
    tally.value = float(s.revolutions_total + s.quick_revolutions_total)
    tally.done = tally.at_rest(world, slots)


def scrapes(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in contact with walls and bodies, summed over moving units."""
    tally.value += _scraping(world, slots[:MOST_PAIRS]) / TICKS_A_SECOND
    tally.done = tally.at_rest(world, slots)


def overlapped(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in which bodies lie in each other, summed over pairs."""
    u, mine = world.units, slots[:MOST_PAIRS]
    x, y, r = u.x[mine], u.y[mine], u.radius[mine]
    apart = np.hypot(x[:, None] - x[None], y[:, None] - y[None]) - r[:, None] - r[None]
    tally.value += int((np.triu(apart < -_INSIDE, 1)).sum()) / TICKS_A_SECOND
    tally.done = tally.at_rest(world, slots)


def waited(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in which units wanted to go without a path, the mean."""
    going = world.units.moving[slots] != 0
    lengths = world.paths.store.path_len
    known = slots < len(lengths)
    without = np.ones(len(slots), bool)
    without[known] = lengths[slots[known]] == 0
    tally.value += float((going & without).mean()) / TICKS_A_SECOND
    tally.done = tally.at_rest(world, slots)


def turned(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return degrees of turning between ticks while walking, the mean of units."""
    v = world.units.vx[slots] + 1j * world.units.vy[slots]
    if tally.before is not None:
        going = (np.abs(v) > 0.05) & (np.abs(tally.before) > 0.05)
        tally.value += float(np.degrees(np.where(going, np.abs(np.angle(v * np.conj(tally.before))), 0.0)).mean())
    tally.before = v
    tally.done = tally.at_rest(world, slots)


def sharpest(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the largest turn within half a second, the mean of units, degrees."""
    v = world.units.vx[slots] + 1j * world.units.vy[slots]
    if tally.before is None:
        tally.before = np.zeros((_HALF_A_SECOND + 1, len(slots)), complex)
    past, most = tally.before[:-1], np.abs(tally.before[-1])
    going = (np.abs(v) > 0.05) & (np.abs(past[0]) > 0.05)
    most = np.maximum(most, np.where(going, np.abs(np.angle(v * np.conj(past[0]))), 0.0))
    tally.before = np.vstack([past[1:], v, most])
    tally.value = float(np.degrees(most).mean())
    tally.done = tally.at_rest(world, slots)


def flips(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how often a new path to the same place turned a unit back.

    Walking units count.

    The path turns back if its first tiles lie behind the unit: over 90 degrees from its motion.
    """
    u, store = world.units, world.paths.store
    slots = slots[slots < store.capacity]
    now = np.column_stack([u.ordered_x[slots], u.ordered_y[slots], store.written[slots].astype(np.float64)])
    if tally.before is not None and len(tally.before) == len(now):
        same_place = (now[:, :2] == tally.before[:, :2]).all(axis=1)
        renewed = same_place & (now[:, 2] != tally.before[:, 2]) & (store.path_len[slots] > 0)
        renewed &= np.hypot(u.vx[slots], u.vy[slots]) >= _FLIP_SPEED
        tally.value += sum(_leads_back(world, slot) for slot in slots[renewed].tolist())
    tally.before = now


def _leads_back(world: World, slot: int) -> bool:
    u = world.units
    ways = world.paths.store.points_of(slot) - (u.x[slot], u.y[slot])
    far = np.flatnonzero(np.hypot(ways[:, 0], ways[:, 1]) >= _FLIP_AHEAD)
    ahead = ways[far[0] if len(far) else -1]
    return bool(ahead[0] * u.vx[slot] + ahead[1] * u.vy[slot] < 0.0)


def slid(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return tiles that planted feet slide while their unit walks, the mean of units.

    Legs swing as wide as the speed asks, whatever the cadence is.
    """
    u = world.units
    dx, dy = u.x[slots] - u.prev_x[slots], u.y[slots] - u.prev_y[slots]
    turned = (u.facing[slots] - u.prev_facing[slots] + math.pi) % (2 * math.pi) - math.pi
    speed = np.hypot(dx, dy) * TICKS_A_SECOND
    legs = np.full(len(slots), world.settings.rules.leg)
    places, planted = foot_places(u.gait[slots], speed, turned * TICKS_A_SECOND, legs)
    feet = u.x[slots] + 1j * u.y[slots] + (places[..., 0] + 1j * places[..., 1]) * np.exp(1j * u.facing[slots])
    stands = planted & (speed > 0.05)
    if tally.before is not None:
        old, stood = tally.before
        slides = np.where(stands & (stood != 0), np.abs(feet - old), 0.0)
        tally.value += float(slides.sum(axis=0).mean())
    tally.before = np.stack([feet, stands.astype(complex)])
    tally.done = tally.at_rest(world, slots)


def statistic(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return a path statistic by name, or a world number by dotted path."""
    parts = tally.counted.split(".")
    value: object = world if len(parts) > 1 else world.paths.statistics
    for part in parts:
        value = getattr(value, part, None)
    if not isinstance(value, int | float):
        raise ValueError(f"counted = {tally.counted!r} is no number of the path statistics or of the world")
    tally.value = float(value)
    tally.done = tally.at_rest(world, slots)


def _scraping(world: World, slots: np.ndarray) -> int:
    """Return how many moving bodies touch a wall or another body.

    Distances are from their centres; a wall is a tile they cannot enter.
    """
    u, passable = world.units, world.terrain.passable
    height, width = passable.shape
    touching = np.zeros(len(slots), bool)
    x, y = u.x[slots], u.y[slots]
    bit = np.left_shift(1, u.movement_class[slots].astype(np.int64))
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            tx, ty = np.floor(x).astype(np.int64) + dx, np.floor(y).astype(np.int64) + dy
            inside = (tx >= 0) & (ty >= 0) & (tx < width) & (ty < height)
            open_ = np.zeros(len(slots), bool)
            open_[inside] = (passable[ty[inside], tx[inside]] & bit[inside]) != 0
            gap = np.hypot(x - np.clip(x, tx, tx + 1), y - np.clip(y, ty, ty + 1))
            touching |= ~open_ & (gap < u.radius[slots] + _SCRAPE)
    apart = np.hypot(x[:, None] - x[None], y[:, None] - y[None]) - u.radius[slots][:, None] - u.radius[slots][None]
    np.fill_diagonal(apart, np.inf)
    touching |= (apart < _SCRAPE).any(axis=1)
    return int((touching & (u.moving[slots] != 0)).sum())


def on_the_way(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in which units want to move, the mean."""
    tally.value += float((world.units.moving[slots] != 0).mean()) / TICKS_A_SECOND
    tally.done = tally.at_rest(world, slots)
