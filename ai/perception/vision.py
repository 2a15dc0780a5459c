"""The eyes of guards: three tests in order of cost, and a meter that fills while they pass.

Sources: Steve Rabin, "Vision Zones and Object Identification Certainty", Game AI Pro 2, ch. 4 (the three tests, 4.1;
exposure time and meter, 4.4); Martin Walsh, "Modeling Perception and Awareness in Splinter Cell Blacklist", Game AI
Pro 2, ch. 28 (meter with a suspicious state between).  Hiding by ground and stance is ours.

A watcher sees a target when (1) it is in range, where ground, stance and darkness may make the range shorter (the
light on a body is that on its best lit part, AI for Games 6.1), (2) it is inside
the angle around the HEAD's facing, or touching, and (3) the line of sight from tile to tile is clear.  The first test
that fails ends the matter, so as many lines are tested as targets passed (1) and (2).

A seen target is identified after a time that depends on where it is in the watcher's eyes (``ai.perception.shapes``),
on its stance and motion, the light on it, and how alert the watcher is; the watcher's meter rises by one over that
time, for the target it would identify soonest (ties: the smaller id).  Without a target it stands still for a moment,
then falls.  Nothing here is left to chance: the same approach is noticed at the same tick, always.

The accumulator (Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, 34.3) counts time in view instead,
up when seen and down as fast when not, against a mark that depends on the watcher alone: low in a fight, high before
the first time it identifies anybody.

With body points (Game AI Pro 2, 28.2) the third test asks for eight points around the body, on lines to their tiles:
one must be in view of who stands, three of who crouches, four of who lies.

Low walls hide who crouches or lies behind them (``ai.sight.heights``).
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.kernels import device, kernel
from ai.perception.bins import PER_TILE, bin_units, lattice_cells
from ai.perception.meter import IDENTIFIED, SUSPICIOUS, UNAWARE, fill_meters
from ai.perception.settings import (
    BODY_POINTS,
    DARK_REACH,
    HEAD_IN_COMBAT,
    JOINTS_COUNT,
    METERS,
    SHAPE,
    SHAPES,
    SIGHT_RULE,
    TOUCH,
    VisionSettings,
)
from ai.perception.shapes import CONE, ZONES, extent, extent_device, seconds_in_shape
from ai.rand import Stream, uniform
from ai.sight.heights import shows_over
from ai.sight.naive import sees
from ai.state import derived, record, unhashed

BODY_RADIUS = 0.27
"""Tiles from the middle of a body to its sight points: a soldier's radius less a tenth."""
_POINTS = BODY_RADIUS * np.array([(np.cos(k * np.pi / 4), np.sin(k * np.pi / 4)) for k in range(8)])
LOOK_TICKS = 10
"""By the law of chance a watcher rolls once in so many ticks."""
_POINTS_NEEDED = np.array([1, 3, 4])


@record
class Vision:
    """All watchers' eyes: settings, counts of the last tick, and room for the bins."""

    settings: VisionSettings
    watcher: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Id by slot, to notice a slot that got another unit."""
    experienced: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    """By slot: 1 when it has ever identified anybody."""
    tested: int = unhashed(int)
    """Pairs of watcher and enemy that the bins brought up in the last tick."""
    in_range: int = unhashed(int)
    in_angle: int = unhashed(int)
    lines: int = unhashed(int)
    """Lines of sight tested; equals ``in_angle``."""
    seen: int = unhashed(int)
    certainty: NDArray[np.float64] = unhashed(lambda: np.zeros(0))
    """By slot: how sure a watcher is of its best target in this tick's look alone, 0 none .. 1 full view."""
    seconds: NDArray[np.float64] = unhashed(lambda: np.zeros(0))
    """By slot: seconds in which a watcher would identify its best target, as it stood in this tick; infinite: none."""
    scratch: dict[str, NDArray[Any]] = derived(dict)

    def update(
        self,
        tick: int,
        opaque: NDArray[np.uint8],
        cover: NDArray[np.uint8],
        *,
        ids: NDArray[np.int32],
        alive: NDArray[np.uint8],
        side: NDArray[np.uint8],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        stance: NDArray[np.uint8],
        head: NDArray[np.float64],
        watching: NDArray[np.uint8],
        reach: NDArray[np.float64],
        half_angle: NDArray[np.float64],
        meter: NDArray[np.float64],
        meter_target: NDArray[np.int32],
        seen_x: NDArray[np.float64],
        seen_y: NDArray[np.float64],
        seen_tick: NDArray[np.int32],
        event: NDArray[np.uint32],
        moving: NDArray[np.float64] | None = None,
        alert: NDArray[np.uint8] | None = None,
        light: NDArray[np.uint8] | None = None,
        low: NDArray[np.uint8] | None = None,
        seed: int = 0,
    ) -> None:
        """Look once with every unit whose ``watching`` is set at every living unit of another side.

        All columns have one row a slot.  ``reach`` (tiles) and ``half_angle`` (radians, pi or more is all round)
        belong to the watcher, ``head`` is where it looks.  Written for watchers: ``meter`` 0..1, ``meter_target`` (id,
        -1 none), ``seen_x, seen_y, seen_tick`` (where and when that target was last seen) and bits of ``event``.
        ``opaque, cover: uint8[H, W]``.

        Optional: ``moving`` is each target's speed over its running speed (0..1), ``alert`` each watcher's mood (0
        relaxed, 1 alerted, 2 searching), ``light: uint8[H, W]`` from 0 dark to 255 full, which is also what a map
        without it has, ``low: uint8[H, W]`` heights of low walls in half metres (``ai.sight.heights``).  Raises
        ValueError when lengths or shapes differ.
        """
        moving = np.zeros(len(ids)) if moving is None else moving
        alert = np.zeros(len(ids), np.uint8) if alert is None else alert
        light = self._daylight(opaque.shape) if light is None else light
        low = self._no_walls() if low is None or not low.size else low
        columns = (alive, side, x, y, stance, head, watching, reach, half_angle)
        columns += (meter, meter_target, seen_x, seen_y, seen_tick, event, moving, alert)  # type: ignore[assignment]
        if any(len(column) != len(ids) for column in columns) or not opaque.shape == cover.shape == light.shape:
            raise ValueError("unit columns must have one row a slot, and opaque, cover and light the same shape")
        height, width = opaque.shape
        starts = self._room("starts", lattice_cells(height, width) + 1)
        members = self._room("members", len(ids))
        best = self._room("best", len(ids))
        seconds = np.empty(len(ids), np.float64)
        counts = np.zeros(5, np.int64)
        numbers = self.settings.numbers()
        bin_units(height, width, alive, x, y, starts, members)
        look(
            opaque, cover, light, low, ids, alive, side, x, y, stance, moving, head, watching, reach, half_angle, alert,
            meter, meter_target, self.settings.hiding(), numbers, starts, members, best, seconds, counts,
        )  # fmt: skip
        if self.settings.meter == METERS[2]:
            self._roll(seed, tick, ids, x, y, head, reach, half_angle, light, best, seconds)
        fill_meters(
            tick, ids, alive, x, y, watching, alert, self._experience(ids), numbers, best, seconds,
            meter, meter_target, seen_x, seen_y, seen_tick, event,
        )  # fmt: skip
        self.seconds = seconds
        self.certainty = np.minimum(1.0, self.settings.sweet_seconds / np.maximum(1e-9, seconds))
        self.tested, self.in_range, self.in_angle, self.lines, self.seen = (int(n) for n in counts)

    def _roll(
        self,
        seed: int,
        tick: int,
        ids: NDArray[np.int32],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        head: NDArray[np.float64],
        reach: NDArray[np.float64],
        half_angle: NDArray[np.float64],
        light: NDArray[np.uint8],
        best: NDArray[np.int32],
        seconds: NDArray[np.float64],
    ) -> None:
        """The law of chance: at each of its looks a watcher identifies its target at once, or not at all."""
        for i in np.flatnonzero(best >= 0).tolist():
            j = int(best[i])
            found = False
            if (tick + int(ids[i])) % LOOK_TICKS == 0:
                lit = float(light[int(y[j]), int(x[j])]) / 255.0
                chance = chance_of_notice(
                    float(x[j] - x[i]), float(y[j] - y[i]), float(head[i]), float(reach[i]), float(half_angle[i]), lit
                )
                found = uniform(seed, Stream.PERCEPTION, tick, int(ids[i])) < chance
            seconds[i] = 0.0 if found else np.inf

    def state_of(self, meter: float) -> int:
        """``UNAWARE``, ``SUSPICIOUS`` or ``IDENTIFIED`` for a meter value: what the HUD and the mind both show."""
        if meter >= 1.0:
            return IDENTIFIED
        return SUSPICIOUS if meter >= self.settings.suspicious else UNAWARE

    def seconds_to_identify(
        self,
        opaque: NDArray[np.uint8],
        cover: NDArray[np.uint8],
        x: float,
        y: float,
        head: float,
        reach: float,
        half_angle: float,
        stance: int,
        *,
        moving: float = 0.0,
        alert: int = 0,
        light: NDArray[np.uint8] | None = None,
        low: NDArray[np.uint8] | None = None,
        rows: tuple[int, int] | None = None,
        among: NDArray[np.bool_] | None = None,
    ) -> tuple[int, int, NDArray[np.float64]]:
        """Seconds a watcher needs for a target of ``stance`` in the middle of each tile around it.

        Returns ``(y0, x0, float64[h, w])``, a window of the map with its top left tile; infinite where it would not
        be seen.  ``rows`` cuts the window to rows ``[y0, y1)``; of the tiles outside ``among`` (of the window's shape)
        nothing is asked.  The very code of the watchers, so what is shown is what they will find.
        """
        height, width = opaque.shape
        light = self._daylight(opaque.shape) if light is None else light
        low = self._no_walls() if low is None or not low.size else low
        far = reach * extent(float(SHAPES.index(self.settings.shape)))
        y0, x0 = max(0, int(np.floor(y - far))), max(0, int(np.floor(x - far)))
        y1, x1 = min(height, int(np.floor(y + far)) + 1), min(width, int(np.floor(x + far)) + 1)
        if rows is not None:
            y0, y1 = max(y0, rows[0]), min(y1, rows[1])
        out = np.full((max(0, y1 - y0), max(0, x1 - x0)), np.inf)
        if among is not None:
            out[~among] = -1.0
        if 0 <= x < width and 0 <= y < height and out.size:
            predict(
                opaque, cover, light, low, x, y, head, reach, half_angle, alert, stance, moving,
                self.settings.hiding(), self.settings.numbers(), y0, x0, out,
            )  # fmt: skip
        if among is not None:
            out[~among] = np.inf
        return y0, x0, out

    def _experience(self, ids: NDArray[np.int32]) -> NDArray[np.uint8]:
        if len(self.watcher) != len(ids):
            kept = min(len(self.watcher), len(ids))
            grown = np.zeros(len(ids), np.uint8)
            grown[:kept] = self.experienced[:kept]
            self.watcher = np.concatenate([self.watcher[:kept], np.full(len(ids) - kept, -1, np.int32)])
            self.experienced = grown
        self.experienced[self.watcher != ids] = 0
        self.watcher[:] = ids
        return self.experienced

    def _daylight(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        light = self.scratch.get("daylight")
        if light is None or light.shape != shape:
            light = self.scratch["daylight"] = np.full(shape, 255, np.uint8)
        return light

    def _no_walls(self) -> NDArray[np.uint8]:
        none = self.scratch.get("low")
        if none is None:
            none = self.scratch["low"] = np.zeros((1, 1), np.uint8)
        return none

    def _room(self, name: str, size: int) -> NDArray[np.int32]:
        array = self.scratch.get(name)
        if array is None or len(array) != size:
            array = self.scratch[name] = np.zeros(size, np.int32)
        return array


def chance_of_notice(dx: float, dy: float, head: float, reach: float, half_angle: float, light: float) -> float:
    """Chance that one look notices a target in clear view: the product of what its distance, the angle off the gaze and
    the light on it are worth, each 0..1 (Paul Tozour, AI Game Programming Wisdom, 8.1).  For an exhibit only."""
    distance = math.hypot(dx, dy)
    off = abs(math.remainder(math.atan2(dy, dx) - head, math.tau)) if distance else 0.0
    near = max(0.0, 1.0 - distance / reach) if reach > 0 else 0.0
    return near * max(0.0, 1.0 - 0.5 * off / half_angle) * light


@device
def body_points_seen(opaque, rule, wx, wy, tx, ty):  # type: ignore[no-untyped-def]
    """How many of a body's eight points lie on tiles that the watcher's tile has a clear line to."""
    height, width = opaque.shape
    seen = 0
    for k in range(8):
        px = tx + _POINTS[k, 0]
        py = ty + _POINTS[k, 1]
        if px >= 0 and py >= 0 and px < width and py < height:
            tile_y, tile_x = int(py), int(px)
            # No part of a body is inside a wall; what reaches over its border is behind it.
            own = tile_y == int(ty) and tile_x == int(tx)
            if (own or opaque[tile_y, tile_x] == 0) and sees(opaque, rule, int(wy), int(wx), tile_y, tile_x):
                seen += 1
    return seen


@device
def light_on(light, opaque, x, y):  # type: ignore[no-untyped-def]
    """Light 0..1 on the best lit part of a body: its middle and four sides, none of which is inside a wall."""
    height, width = light.shape
    best = light[int(y), int(x)]
    for k in range(4):
        px = x + BODY_RADIUS * ((k == 0) - (k == 1))
        py = y + BODY_RADIUS * ((k == 2) - (k == 3))
        if px >= 0 and py >= 0 and px < width and py < height and opaque[int(py), int(px)] == 0:
            best = max(best, light[int(py), int(px)])
    return best / 255.0


@device
def seconds_for(  # type: ignore[no-untyped-def]
    opaque, cover, light, low, wx, wy, look_x, look_y, cos_half, reach, alert, tx, ty, stance, moving,
    hiding, numbers, counts,
):  # fmt: skip
    """Seconds to identify one target, or -1 when it is not seen.  Both must stand on the map."""
    dx = tx - wx
    dy = ty - wy
    square = dx * dx + dy * dy
    # An unknown stance, mood or ground reads the last row of its table, not beyond it.
    stance = min(int(stance), 2)
    alert = min(int(alert), 2)
    ground = min(int(cover[int(ty), int(tx)]), hiding.shape[0] - 1)
    limit = min(reach * extent_device(numbers[SHAPE]), hiding[ground, stance])
    if square > limit * limit:
        return -1.0
    counts[1] += 1
    distance = np.sqrt(square)
    ahead = dx * look_x + dy * look_y
    touched = distance <= numbers[TOUCH + stance]
    if numbers[SHAPE] == CONE and not touched and ahead < cos_half * distance:
        # Most targets in range end here: before anything else is looked up.
        return -1.0
    lit = light_on(light, opaque, tx, ty)
    if numbers[SHAPE] != ZONES and distance > reach * (numbers[DARK_REACH] + (1.0 - numbers[DARK_REACH]) * lit):
        return -1.0
    aside = abs(dy * look_x - dx * look_y)
    camouflage = ground / max(1, hiding.shape[0] - 1)
    seconds = seconds_in_shape(
        ahead, aside, distance, reach, cos_half, touched, stance, moving,
        lit, camouflage, alert, numbers,
    )  # fmt: skip
    if seconds < 0:
        return -1.0
    counts[2] += 1
    counts[3] += 1
    rule = int(numbers[SIGHT_RULE])
    if numbers[BODY_POINTS] != 0:
        if body_points_seen(opaque, rule, wx, wy, tx, ty) < _POINTS_NEEDED[stance]:
            return -1.0
    elif not sees(opaque, rule, int(wy), int(wx), int(ty), int(tx)):
        return -1.0
    if low.size > 1 and stance > 0 and rule == 0:
        fights = 1 if alert > 0 and numbers[HEAD_IN_COMBAT] != 0 else 0
        if not shows_over(low, int(wy), int(wx), int(ty), int(tx), stance, fights, numbers[JOINTS_COUNT] != 0):
            return -1.0
    counts[4] += 1
    return seconds


@device
def _cos_half(half_angle):  # type: ignore[no-untyped-def]
    # All round: no rounding of a cosine may leave a slit behind the watcher.
    return -2.0 if half_angle >= np.pi else np.cos(half_angle)


@kernel(
    "void(uint8[:,::1], uint8[:,::1], uint8[:,::1], uint8[:,::1], int32[::1], uint8[::1], uint8[::1], float64[::1], "
    "float64[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], "
    "float64[::1], int32[::1], float64[:,::1], float64[::1], int32[::1], int32[::1], int32[::1], float64[::1], "
    "int64[::1])"
)
def look(  # type: ignore[no-untyped-def]
    opaque, cover, light, low, ids, alive, side, x, y, stance, moving, head, watching, reach, half_angle, alert,
    meter, meter_target, hiding, numbers, starts, members, best, seconds, counts,
):  # fmt: skip
    """For every watcher the slot it would identify soonest into ``best`` (-1 none), and in how many seconds."""
    height, width = opaque.shape
    across = int(width * PER_TILE) + 1
    down = int(height * PER_TILE) + 1
    best[:] = -1
    seconds[:] = np.inf
    # In the order of the bins, watchers and candidates: neighbours in space are neighbours in memory.
    living = starts[len(starts) - 1]
    px = np.empty(living, np.float64)
    py = np.empty(living, np.float64)
    team = np.empty(living, np.uint8)
    for m in range(living):
        px[m] = x[members[m]]
        py[m] = y[members[m]]
        team[m] = side[members[m]]
    for w in range(living):
        i = members[w]
        if watching[i] == 0:
            continue
        look_x = np.cos(head[i])
        look_y = np.sin(head[i])
        cos_half = _cos_half(half_angle[i])
        # One who has identified somebody keeps its eyes on him while it can.
        held = meter_target[i] if meter[i] >= 1.0 else -1
        lowest = np.inf
        far = reach[i] * extent_device(numbers[SHAPE])
        left = max(0, int((px[w] - far) * PER_TILE))
        right = min(across - 1, int((px[w] + far) * PER_TILE))
        for by in range(max(0, int((py[w] - far) * PER_TILE)), min(down - 1, int((py[w] + far) * PER_TILE)) + 1):
            # The bins of a row follow each other.
            for m in range(starts[by * across + left], starts[by * across + right + 1]):
                if team[m] == team[w]:
                    continue
                counts[0] += 1
                dx = px[m] - px[w]
                dy = py[m] - py[w]
                if dx * dx + dy * dy > far * far:
                    continue
                j = members[m]
                s = seconds_for(
                    opaque, cover, light, low, x[i], y[i], look_x, look_y, cos_half, reach[i], alert[i],
                    x[j], y[j], stance[j], moving[j], hiding, numbers, counts,
                )  # fmt: skip
                if s < 0:
                    continue
                rank = -1.0 if ids[j] == held else s
                b = best[i]
                if b < 0 or rank < lowest or (rank == lowest and ids[j] < ids[b]):
                    best[i] = j
                    seconds[i] = s
                    lowest = rank


@kernel(
    "void(uint8[:,::1], uint8[:,::1], uint8[:,::1], uint8[:,::1], float64, float64, float64, float64, float64, int64, "
    "int64, float64, float64[:,::1], float64[::1], int64, int64, float64[:,::1])"
)
def predict(  # type: ignore[no-untyped-def]
    opaque, cover, light, low, x, y, head, reach, half_angle, alert, stance, moving, hiding, numbers, y0, x0, out
):
    """Seconds for a target in the middle of each tile of the window ``out``, whose top left tile is (y0, x0).

    Tiles that hold a negative number are left as they are.
    """
    counts = np.zeros(5, np.int64)
    look_x = np.cos(head)
    look_y = np.sin(head)
    cos_half = _cos_half(half_angle)
    for j in range(out.shape[0]):
        for i in range(out.shape[1]):
            if out[j, i] < 0:
                continue
            s = seconds_for(
                opaque, cover, light, low, x, y, look_x, look_y, cos_half, reach, alert,
                x0 + i + 0.5, y0 + j + 0.5, stance, moving, hiding, numbers, counts,
            )  # fmt: skip
            if s >= 0:
                out[j, i] = s
