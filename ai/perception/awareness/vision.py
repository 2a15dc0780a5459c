"""Eyes of guards: three tests in order of cost, and a detection meter.

Sources: Steve Rabin, "Vision Zones and Object Identification Certainty", Game AI Pro 2, ch. 4 (the three tests, 4.1;
exposure time and meter, 4.4); Martin Walsh, "Modeling Perception and Awareness in Splinter Cell Blacklist", Game AI Pro
2, ch. 28 (meter with a suspicious state between). Hiding by ground and stance is our addition.

A watcher sees a target when three tests pass. (1) It is in range; ground, stance and darkness may shorten the range
(the light on a body is that on its best lit part, AI for Games 6.1). (2) It is inside the angle around the HEAD's
facing, or touching. (3) The line of sight from tile to tile is clear. The first failed test ends the sequence, so lines
are tested only for targets that passed (1) and (2).

The time to identify a visible target depends on its position in the watcher's view
(``ai.perception.awareness.vision_shapes``), its stance and motion, the light on it, and the watcher's alertness. The
progress with each visible target rises by one over its own time (``ai.perception.awareness.detection_meter``). The
watcher's own meter is that of the target it will identify soonest (ties: the smaller id). Out of view it holds for a
moment, then falls. Chance plays no part: the same approach is always noticed at the same tick.

The accumulator (Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, 34.3) counts time in view instead,
up when seen and down as fast when not. Its mark depends on the watcher alone: low in a fight, high before its first
identification.

With body points (Game AI Pro 2, 28.2) the third test uses eight points around the body, on lines to their tiles. One
must be in view for a standing target, three for a crouching one, four for a lying one.

Low walls hide crouching and lying targets behind them (``ai.perception.sight.wall_heights``).
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import derived, record, unhashed
from ai.perception.awareness.detection_meter import IDENTIFIED, OTHERS, SUSPICIOUS, UNAWARE, fill_meters
from ai.perception.awareness.eye_kernels import look, predict
from ai.perception.awareness.perception_dice import roll
from ai.perception.awareness.vision_shapes import extent
from ai.perception.settings import METERS, SHAPES, VisionSettings
from ai.perception.spatial_bins import bin_cells, bin_units

STANCES = 3


@record
class Vision:
    """Eyes of all watchers: settings, counts of the last tick, and bin scratch."""

    settings: VisionSettings
    watcher: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Id by slot, to detect a slot with another unit."""
    experienced: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    """1 for each slot whose unit has ever identified a target."""
    others: NDArray[np.int32] = field(default_factory=lambda: np.full((0, OTHERS), -1, np.int32))
    """Ids of remembered units besides the target, by slot; -1 none."""
    progress: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, OTHERS)))
    """Progress with each of them, 0..1."""
    last: NDArray[np.int32] = field(default_factory=lambda: np.full((0, OTHERS), -1, np.int32))
    """Tick at which each of them was last seen."""
    found: list[tuple[int, int]] = unhashed(list)
    """Identifications of the last look besides the targets.

    Each is a slot of a watcher with the id of the identified unit.
    """
    tested: int = unhashed(int)
    """Pairs of watcher and enemy from the bins in the last tick."""
    in_range: int = unhashed(int)
    in_angle: int = unhashed(int)
    lines: int = unhashed(int)
    """Lines of sight tested; equals ``in_angle``."""
    seen: int = unhashed(int)
    certainty: NDArray[np.float64] = unhashed(lambda: np.zeros(0))
    """Certainty about the best target, by slot, from this tick's look alone.

    0 is none .. 1 full view.
    """
    seconds: NDArray[np.float64] = unhashed(lambda: np.zeros(0))
    """Seconds to identify the best target, by slot; infinite: none.

    The value is that of this tick.
    """
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
        shown: NDArray[np.uint8] | None = None,
    ) -> None:
        """Look with every unit whose ``watching`` is set at all living enemies.

        All columns have one row per slot. ``reach`` (tiles) and ``half_angle`` (radians, pi or more is all round)
        belong to the watcher; ``head`` is its gaze. Written for watchers: ``meter`` 0..1, ``meter_target`` (id, -1
        none), ``seen_x, seen_y, seen_tick`` (where and when that target was last seen) and bits of ``event``. ``opaque,
        cover: uint8[H, W]``.

        Optional: ``moving`` is each target's speed over its running speed (0..1). ``alert`` is each watcher's mood (0
        relaxed, 1 alerted, 2 searching). ``light: uint8[H, W]`` is from 0 dark to 255 full, which is also the default.
        ``low: uint8[H, W]`` are heights of low walls in half metres (``ai.perception.sight.wall_heights``).
        ``shown`` is 1 for the units that eyes can find, all living ones by default. Raises ValueError when lengths or
        shapes differ.
        """
        moving = np.zeros(len(ids)) if moving is None else moving
        alert = np.zeros(len(ids), np.uint8) if alert is None else alert
        light = self._daylight(opaque.shape) if light is None else light
        low = self._no_walls() if low is None or not low.size else low
        columns = (alive, side, x, y, stance, head, watching, reach, half_angle)
        columns += (meter, meter_target, seen_x, seen_y, seen_tick, event, moving, alert)  # type: ignore[assignment]
        if any(len(column) != len(ids) for column in columns) or not opaque.shape == cover.shape == light.shape:
            raise ValueError("unit columns must have one row per slot, and opaque, cover and light the same shape")
        height, width = opaque.shape
        starts = self._room("starts", bin_cells(height, width) + 1)
        members = self._room("members", len(ids))
        seen, full = np.empty((len(ids), 1 + OTHERS), np.int32), np.empty((len(ids), OTHERS), np.uint8)
        seconds = np.empty(seen.shape, np.float64)
        counts = np.zeros(5, np.int64)
        numbers = self.settings.numbers()
        bin_units(height, width, alive if shown is None else shown, x, y, starts, members)
        experienced = self._experience(ids)
        look(
            opaque, cover, light, low, ids, alive, side, x, y, stance, moving, head, watching, reach, half_angle, alert,
            meter, meter_target, self.others, self.progress, self.settings.hiding(), numbers, starts, members, seen,
            seconds, np.empty(1 + OTHERS, np.float64), counts,
        )  # fmt: skip
        if self.settings.meter == METERS[2]:
            roll(seed, tick, ids, x, y, head, reach, half_angle, light, seen[:, 0], seconds[:, 0])
            seconds[:, 1:] = np.inf
        elif self.settings.meter == METERS[3]:
            seconds[seen >= 0] = 0.0
        fill_meters(
            tick, ids, alive, x, y, watching, alert, experienced, numbers, seen, seconds,
            meter, meter_target, seen_x, seen_y, seen_tick, event, self.others, self.progress, self.last, full,
        )  # fmt: skip
        self.found = [(i, int(self.others[i, k])) for i, k in np.argwhere(full).tolist()]
        self.seconds = seconds[:, 0].copy()
        self.certainty = np.minimum(1.0, self.settings.sweet_seconds / np.maximum(1e-9, self.seconds))
        self.tested, self.in_range, self.in_angle, self.lines, self.seen = (int(n) for n in counts)

    def beside(self, tick: int) -> list[tuple[int, int]]:
        """Return the identified and visible units besides the targets.

        Each is a slot of a watcher with the id of the unit.
        """
        rows = np.argwhere((self.progress >= 1.0) & (self.last == tick) & (self.others >= 0))
        return [(i, int(self.others[i, k])) for i, k in rows.tolist()]

    def state_of(self, meter: float) -> int:
        """Return ``UNAWARE``, ``SUSPICIOUS`` or ``IDENTIFIED`` for a meter value.

        The HUD and the mind both use it.
        """
        if meter >= 1.0:
            return IDENTIFIED
        return SUSPICIOUS if meter >= self.settings.suspicious else UNAWARE

    def seconds_to_identify(
        self, opaque: NDArray[np.uint8], cover: NDArray[np.uint8], *watcher: float, **more: Any
    ) -> tuple[int, int, NDArray[np.float64]]:
        """Return :meth:`seconds_by_stance` for one stance.

        It is the last stance of ``watcher``: ``(y0, x0, float64[h, w])``.
        """
        x, y, head, reach, half_angle, stance = watcher
        y0, x0, out = self.seconds_by_stance(
            opaque, cover, x, y, head, reach, half_angle, stance=int(stance), stances=1, **more
        )
        return y0, x0, out[0]

    def seconds_by_stance(
        self,
        opaque: NDArray[np.uint8],
        cover: NDArray[np.uint8],
        x: float,
        y: float,
        head: float,
        reach: float,
        half_angle: float,
        *,
        stance: int = 0,
        stances: int = STANCES,
        moving: float = 0.0,
        alert: int = 0,
        light: NDArray[np.uint8] | None = None,
        low: NDArray[np.uint8] | None = None,
        rows: tuple[int, int] | None = None,
        tile: tuple[int, int] | None = None,
    ) -> tuple[int, int, NDArray[np.float64]]:
        """Return the seconds a watcher needs for a target on each tile around it.

        The target stands in the middle of the tile, standing, crouching and lying. Returns ``(y0, x0, float64[3, h,
        w])``, a window of the map with its top left tile; infinite where it would not be seen. ``rows`` cuts the window
        to rows ``[y0, y1)``, ``tile`` to that one (row, column). ``stances`` may be fewer, from ``stance`` on. It uses
        the watchers' own code, so the display equals their later result. Walls are tested once for all stances.
        """
        height, width = opaque.shape
        light = self._daylight(opaque.shape) if light is None else light
        low = self._no_walls() if low is None or not low.size else low
        far = reach * extent(float(SHAPES.index(self.settings.shape)))
        y0, x0 = max(0, int(np.floor(y - far))), max(0, int(np.floor(x - far)))
        y1, x1 = min(height, int(np.floor(y + far)) + 1), min(width, int(np.floor(x + far)) + 1)
        if rows is not None:
            y0, y1 = max(y0, rows[0]), min(y1, rows[1])
        if tile is not None:
            y0, y1 = max(y0, tile[0]), min(y1, tile[0] + 1)
            x0, x1 = max(x0, tile[1]), min(x1, tile[1] + 1)
        out = np.full((stances, max(0, y1 - y0), max(0, x1 - x0)), np.inf)
        if 0 <= x < width and 0 <= y < height and out.size:
            predict(
                opaque, cover, light, low, x, y, head, reach, half_angle, alert, stance, moving,
                self.settings.hiding(), self.settings.numbers(), y0, x0, out,
            )  # fmt: skip
        return y0, x0, out

    def _experience(self, ids: NDArray[np.int32]) -> NDArray[np.uint8]:
        if len(self.watcher) != len(ids):
            kept = min(len(self.watcher), len(ids))
            grown = np.zeros(len(ids), np.uint8)
            grown[:kept] = self.experienced[:kept]
            self.watcher = np.concatenate([self.watcher[:kept], np.full(len(ids) - kept, -1, np.int32)])
            self.experienced = grown
            more = ((0, len(ids) - kept), (0, 0))
            self.others = np.pad(self.others[:kept], more, constant_values=-1)
            self.progress, self.last = np.pad(self.progress[:kept], more), np.pad(self.last[:kept], more)
        other = self.watcher != ids
        if other.any():
            self.experienced[other], self.others[other], self.progress[other] = 0, -1, 0.0
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


TECHNIQUES = (
    {
        "slug": "three-test-vision",
        "name": "Three-test vision with a detection meter",
        "ids": ("GP2-4.1", "GP2-28.2"),
        "source": "Game AI Pro 2, ch. 4 and 28",
        "functions": ("Vision.update",),
        "test": "tests/ai/perception/awareness/test_vision.py",
        "exhibit": "levels/exhibits/senses/detection_timer.at_once.toml",
        "overlay": "zones",
        "setting": "vision.meter",
        "parts": ("GP2-4.5", "GP2-4.6", "GP2-28.5"),
        "measure": "noticed",
        "direction": "up",
        "claim": "The seconds and their modifiers are ours; out of view the meter holds, then falls.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
