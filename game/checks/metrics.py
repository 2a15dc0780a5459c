"""Metrics: one number per run that shows the effect of a technique.

Examples are tiles walked, seconds on the path and work done.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.squad_search import SpotState
from game.minds.settings import settings_of
from game.systems.groups.slot_arrangement import play_for
from game.systems.stealth.foresight import seconds_around
from game.systems.tactics.territory import pieces, territory
from game.world.groups.drill import PLAY
from game.world.mind_kinds import mind_can
from game.world.world import World

_TICKS_A_SECOND = 20
_HALF_A_SECOND = 10
"""Ticks over which the sharpest turn is measured."""
_SCRAPE = 0.04
"""Tiles between a body and what is beside it that count as touching."""
_LOOKS = 4
"""Ticks from one look at what units see to the next."""
_CONTACT = 10.0
"""Tiles from an enemy at which a unit's bearing counts."""
_MOST_PAIRS = 256
"""Units above which contacts are not counted."""


class Metric:
    """Metric: watches a world every tick.

    ``value`` is the number so far, ``done`` tells if it is final. ``counted`` names the statistic or the kind of
    event, for the measures that count one.
    """

    def __init__(self, measure: str, units: tuple[int, ...], counted: str = "") -> None:
        self.measure = measure
        self.units = np.array(units, np.int64)
        self.counted = counted
        self.value = 0.0
        self.done = False
        self.ticks = 0
        self.seen = 0
        self.set_out = False
        self.before: np.ndarray | None = None

    def copy(self) -> Metric:
        """Return a copy that is updated separately."""
        return copy.copy(self)

    def watch(self, world: World) -> None:
        """Update the number after a tick.

        Raises ValueError naming a statistic that does not exist.
        """
        MEASURES[self.measure].watch(self, world, world.units.slots(self.units))
        self.ticks += 1

    def at_rest(self, world: World, slots: np.ndarray) -> bool:
        """Return true if every unit has moved and rests again."""
        moving = bool(world.units.moving[slots].any())
        self.set_out |= moving
        return self.set_out and not moving

    @property
    def words(self) -> str:
        """Return the number with its unit."""
        kind = MEASURES[self.measure]
        number = f"{self.value:.0f}" if kind.whole else f"{self.value:.1f}"
        return f"{number} {kind.unit}".strip()


def _walked(metric: Metric, world: World, slots: np.ndarray) -> None:
    u = world.units
    metric.value += float(np.hypot(u.x[slots] - u.prev_x[slots], u.y[slots] - u.prev_y[slots]).mean())
    metric.done = metric.at_rest(world, slots)


def _seconds(metric: Metric, world: World, slots: np.ndarray) -> None:
    metric.done = metric.at_rest(world, slots)
    if not metric.done:
        metric.value = world.tick / _TICKS_A_SECOND


def _arrived(metric: Metric, world: World, slots: np.ndarray) -> None:
    metric.done = metric.at_rest(world, slots)
    u = world.units
    home = np.hypot(u.x[slots] - u.ordered_x[slots], u.y[slots] - u.ordered_y[slots]) <= 1.5
    metric.value = float((home & (u.moving[slots] == 0) & (u.alive[slots] != 0)).sum()) if metric.set_out else 0.0


def _revolutions(metric: Metric, world: World, slots: np.ndarray) -> None:
    s = world.paths.statistics
    metric.value = float(s.revolutions_total + s.quick_revolutions_total)
    metric.done = metric.at_rest(world, slots)


def _scrapes(metric: Metric, world: World, slots: np.ndarray) -> None:
    metric.value += _scraping(world, slots[:_MOST_PAIRS]) / _TICKS_A_SECOND
    metric.done = metric.at_rest(world, slots)


def _noticed(metric: Metric, world: World, slots: np.ndarray) -> None:
    if not metric.done:
        metric.value = world.tick / _TICKS_A_SECOND
        metric.done = any(e.kind == "identified" and _watches(world, e.unit, e.other) for e in world.events)


def _spread(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Update the mean distance of the units from their centre."""
    u = world.units
    x, y = u.x[slots], u.y[slots]
    far = float(np.hypot(x - x.mean(), y - y.mean()).mean())
    metric.value += (far - metric.value) / (metric.ticks + 1)
    metric.done = metric.at_rest(world, slots)


def _waited(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return seconds in which units wanted to go without a path, the mean."""
    going = world.units.moving[slots] != 0
    lengths = world.paths.store.path_len
    known = slots < len(lengths)
    without = np.ones(len(slots), bool)
    without[known] = lengths[slots[known]] == 0
    metric.value += float((going & without).mean()) / _TICKS_A_SECOND
    metric.done = metric.at_rest(world, slots)


def _turned(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return degrees of turning between ticks while walking, the mean of units."""
    v = world.units.vx[slots] + 1j * world.units.vy[slots]
    if metric.before is not None:
        going = (np.abs(v) > 0.05) & (np.abs(metric.before) > 0.05)
        metric.value += float(np.degrees(np.where(going, np.abs(np.angle(v * np.conj(metric.before))), 0.0)).mean())
    metric.before = v
    metric.done = metric.at_rest(world, slots)


def _sharpest(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return the largest turn within half a second, the mean of units, degrees."""
    v = world.units.vx[slots] + 1j * world.units.vy[slots]
    if metric.before is None:
        metric.before = np.zeros((_HALF_A_SECOND + 1, len(slots)), complex)
    past, most = metric.before[:-1], np.abs(metric.before[-1])
    going = (np.abs(v) > 0.05) & (np.abs(past[0]) > 0.05)
    most = np.maximum(most, np.where(going, np.abs(np.angle(v * np.conj(past[0]))), 0.0))
    metric.before = np.vstack([past[1:], v, most])
    metric.value = float(np.degrees(most).mean())
    metric.done = metric.at_rest(world, slots)


def _fallen(metric: Metric, world: World, slots: np.ndarray) -> None:
    metric.value = float((world.units.alive[slots] == 0).sum())
    metric.done = metric.value == len(slots)


def _possible(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return tiles that guards believe may hold a lost enemy, the run's mean.

    Guards that do not use possible places have all ground to search.
    """
    maps = [m for known in world.knowledge for m in known.maps if not m.settled]
    asked = settings_of(world).possible
    now = sum(m.count if asked else np.count_nonzero(world.terrain.passable) for m in maps)
    metric.value += (now - metric.value) / (metric.ticks + 1)


def _aim(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return tiles between searchers' goals and the true enemy, the run's mean."""
    u, off = world.units, []
    for search in world.searches:
        if search.target >= 0:
            slot = u.slot(search.target)
            off += [math.hypot(s.x - u.x[slot], s.y - u.y[slot]) for s in search.spots if s.state == SpotState.CLAIMED]
    metric.seen += len(off)
    metric.value += (sum(off) - metric.value * len(off)) / max(metric.seen, 1)


def _looked_over(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return tiles of open ground where they would have seen a standing unit."""
    if metric.ticks % _LOOKS:
        return
    shown = np.zeros(world.terrain.passable.shape, bool) if metric.before is None else metric.before.copy()
    height, width = shown.shape
    for unit in world.units.id[slots[world.units.alive[slots] != 0]].tolist():
        y0, x0, seconds = seconds_around(world, unit)
        top, left = max(y0, 0), max(x0, 0)
        part = np.isfinite(seconds)[top - y0 : height - y0, left - x0 : width - x0]
        shown[top : top + part.shape[0], left : left + part.shape[1]] |= part
    metric.before = shown & (world.terrain.passable != 0)
    metric.value = float(metric.before.sum())


def _events(metric: Metric, world: World, slots: np.ndarray) -> None:
    mine = set(metric.units.tolist())
    metric.value += sum(e.kind == metric.counted and (e.unit in mine or e.other in mine) for e in world.events)


def _statistic(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return a path statistic by name, or a world number by dotted path."""
    parts = metric.counted.split(".")
    value: object = world if len(parts) > 1 else world.paths.statistics
    for part in parts:
        value = getattr(value, part, None)
    if not isinstance(value, int | float):
        raise ValueError(f"counted = {metric.counted!r} is no number of the path statistics or of the world")
    metric.value = float(value)
    metric.done = metric.at_rest(world, slots)


def _strangers(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return how many stand, or will stand, on a play's place for others."""
    metric.value, groups = 0.0, world.groups
    for row in np.unique(world.units.band[slots]).tolist():
        group = groups.rows.get(row)
        if group is None or group.drill.shape != PLAY or len(group.taken) != len(group.members):
            continue
        mine = world.units.slots(group.members)
        play = next(play for play in world.plays if play.name == group.drill.play)
        drawn = play_for(world, group.drill, mine).drawn[group.taken]
        who = [(world.types[int(world.units.kind[s])].name, world.names.get(int(world.units.id[s]), "")) for s in mine]
        stands = drawn >= 0
        metric.value += float((~play.fits(who)[np.flatnonzero(stands), drawn[stands]]).sum())
    metric.done = metric.at_rest(world, slots)


def _crossings(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return pairs of members whose straight lines to their slots cross, at worst."""
    u = world.units
    mine = slots[(u.band[slots] >= 0) & (u.alive[slots] == 1)]
    paths = np.column_stack([u.x[mine], u.y[mine], u.slot_x[mine], u.slot_y[mine]])
    metric.value = max(metric.value, float(crossings(paths)))
    metric.done = metric.at_rest(world, slots)


def crossings(paths: np.ndarray) -> int:
    """Return how many pairs of lines cross between their ends.

    The lines are float64[n, 4] (from x, y, to x, y).
    """
    a, b = paths[:, :2], paths[:, 2:]

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        """Return the turning direction from p over q to r [n, n, 2]."""
        across = (q - p)[..., 0] * (r - p)[..., 1] - (q - p)[..., 1] * (r - p)[..., 0]
        turns: np.ndarray = np.sign(np.round(across, 9))
        return turns

    one, other = (a[:, None], b[:, None]), (a[None], b[None])
    apart = side(*one, other[0]) * side(*one, other[1]) < 0
    return int((apart & apart.T).sum()) // 2


def _exposed(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return seconds in lines of fire, summed over enemies, the mean of units.

    A line is clear between the tiles and no longer than the reach of the enemy's weapon.
    """
    if metric.ticks % _LOOKS:
        return
    u = world.units
    mine = slots[u.alive[slots] != 0][:_MOST_PAIRS]
    foes = u.living()
    reach = np.array([w.reach for w in world.weapons])[u.weapon[foes]]
    near = np.hypot(u.x[mine][:, None] - u.x[foes][None], u.y[mine][:, None] - u.y[foes][None]) <= reach
    a, b = np.nonzero(near & (u.side[mine][:, None] != u.side[foes][None]))
    if len(a):
        ends = [np.column_stack([u.y[s], u.x[s]]).astype(np.int32) for s in (mine[a], foes[b])]
        clear = lines_clear(world.terrain.opaque, ends[0], ends[1])
        metric.value += float(clear.sum()) * _LOOKS / _TICKS_A_SECOND / len(slots)


def _bearings(metric: Metric, world: World, slots: np.ndarray) -> None:
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
        metric.value = max(metric.value, float(np.degrees(turns.max())))


def _pieces(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Return the connected pieces into which the territories fall, at worst."""
    if metric.ticks % _TICKS_A_SECOND == 0:
        metric.value = max(metric.value, float(pieces(territory(world))))


def _nothing(metric: Metric, world: World, slots: np.ndarray) -> None:
    """Do nothing; a comparison by eye has no number."""


@dataclass(frozen=True)
class MeasureKind:
    """Kind of measure: its name, its unit, and its update per tick."""

    words: str
    unit: str
    watch: Callable[[Metric, World, np.ndarray], None]
    whole: bool = False
    counts: bool = False
    """It needs the name of what it counts."""


MEASURES: dict[str, MeasureKind] = {
    "walked": MeasureKind("walked, on average", "tiles", _walked),
    "seconds": MeasureKind("until the last one stood", "s", _seconds),
    "arrived": MeasureKind("stand where they were sent", "units", _arrived, whole=True),
    "revolutions": MeasureKind("searched", "revolutions", _revolutions, whole=True),
    "scrapes": MeasureKind("in touch with walls and bodies", "s", _scrapes),
    "noticed": MeasureKind("until one was noticed", "s", _noticed),
    "spread": MeasureKind("from their middle, on average", "tiles", _spread),
    "waited": MeasureKind("waited for a path, on average", "s", _waited),
    "turned": MeasureKind("turned while walking, on average", "degrees", _turned, whole=True),
    "sharpest": MeasureKind("sharpest turn in half a second", "degrees", _sharpest, whole=True),
    "fallen": MeasureKind("have fallen", "units", _fallen, whole=True),
    "strangers": MeasureKind("in slots reserved for others", "units", _strangers, whole=True),
    "crossings": MeasureKind("lines to slots that cross", "pairs", _crossings, whole=True),
    "possible": MeasureKind("possible places, on average", "tiles", _possible, whole=True),
    "aim": MeasureKind("from searched places to the target", "tiles", _aim),
    "looked_over": MeasureKind("looked over", "tiles", _looked_over, whole=True),
    "events": MeasureKind("times", "", _events, whole=True, counts=True),
    "statistic": MeasureKind("counted", "", _statistic, whole=True, counts=True),
    "exposed": MeasureKind("in an enemy's line of fire", "s", _exposed),
    "pieces": MeasureKind("pieces of territory", "", _pieces, whole=True),
    "bearings": MeasureKind("between their bearings at the enemy", "degrees", _bearings, whole=True),
    "none": MeasureKind("look at", "", _nothing),
}
"""Measures an exhibit may name: each a function above and a row here."""


def _watches(world: World, a: int, b: int) -> bool:
    """Return true if ``a`` is a guard and ``b`` of another side."""
    u = world.units
    guard = a >= 0 and mind_can(world.types[int(u.kind[u.slot(a)])], "watches")
    return guard and b >= 0 and bool(u.side[u.slot(a)] != u.side[u.slot(b)])


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
