"""Hearing of guards: sounds with a radius, and noise that grows with speed.

Source: Mark Botta, "Infected AI in The Last of Us", Game AI Pro 2, ch. 33, section 33.2.1 (logical sound events with a
radius, scaled by the listener's type and behaviour; occlusion; breathing; movement noise scaled by speed with an
agitated state as a warning). The effect of occlusion on a radius, the linear rule of speed and all numbers are our
choice.

The distance of a sound follows one of two rules. *Lines*: the sound reaches a listener at most ``radius * keenness *
open share`` away. The open share is the part of clear lines from the listener's tile to the source's tile and its four
neighbours. So a sound round a corner carries less far, and one behind a whole wall not at all. *Chokes*: its path
through rooms and openings (Game AI Pro 2, 28.4.1; ``ai.grid.areas``) is at most ``radius * keenness``. The straight
distance is tested first; lines and paths are tested only in range.

Heard *movement* (:meth:`Hearing.update`) only agitates at first, without a position: the head turns, the player is
warned. If it goes on, the listener knows its position, sooner for louder noise, and never before the warning time after
agitation began. Any other sound (a door, a shot, a stone; :meth:`Hearing.hear_sounds`) gives its position immediately.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import kernel
from ai.core.serialization import record, unhashed
from ai.grid.areas import AreaGraph, sound_path
from ai.perception.settings import TICKS_PER_SECOND
from ai.perception.sight.line_of_sight import lines_clear
from ai.perception.spatial_bins import PER_TILE, bin_cells, bin_units

HEARD = 64
"""Event bit: agitated by movement noise."""

_TICK = 1.0 / TICKS_PER_SECOND
_OTHER_SIDES = 255 - (1 << np.minimum(np.arange(256), 7)).astype(np.uint8)
"""Sides that hear the movement of each side, one bit each."""


class SoundKind(IntEnum):
    """Kinds of sounds; STEP is any unit's movement or breath."""

    STEP = 0
    DOOR = 1
    SHOT = 2
    IMPACT = 3
    VOICE = 4
    BODY = 5


class HearingBehaviour(IntEnum):
    """Behaviour of a listener: columns of ``HearingSettings.keenness``."""

    ASLEEP = 0
    UNAWARE = 1
    ALERT = 2


@record
class LogicalSound:
    """Sound of this tick.

    ``radius`` is in tiles; ``audience`` has bit k set when side k may hear it.
    """

    kind: int
    x: float
    y: float
    radius: float
    source: int
    audience: int


def _keenness() -> list[list[float]]:
    return [[0.15, 1.0, 1.5], [0.9, 6.0, 6.0]]


@record
class HearingSettings:
    """Settings of ears and of movement noise."""

    run_tiles: float = field(default=9.0, metadata={"doc": "tiles at which a run is heard by keenness 1", "low": 0})
    run_speed: float = field(default=4.0, metadata={"doc": "tiles a second of a run", "low": 0.1})
    breath_tiles: float = field(default=0.9, metadata={"doc": "tiles at which a motionless unit is heard", "low": 0})
    warning_seconds: float = field(
        default=0.6, metadata={"doc": "least seconds from agitation to a known place", "low": 0}
    )
    loud_seconds: float = field(
        default=0.6, metadata={"doc": "seconds until the loudest movement has a place", "low": 0.05}
    )
    faint_seconds: float = field(
        default=2.5, metadata={"doc": "seconds until the faintest movement has a place", "low": 0.05}
    )
    hold_seconds: float = field(
        default=0.0, metadata={"doc": "seconds of silence before calming begins (between two steps)", "low": 0}
    )
    calm_seconds: float = field(default=4.0, metadata={"doc": "seconds of silence that calm fully", "low": 0.05})
    keenness: list[list[float]] = field(default_factory=_keenness)
    """``[ears of the type][behaviour]``: factor on every radius.

    Rows: people, dogs.
    """


@record
class Hearing:
    """Ears of all units by slot: last sounds and agitation."""

    settings: HearingSettings
    listener: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    agitation: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """Agitation, 0 calm .. 1 the position is known; above 0 the unit is agitated."""
    since: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Tick at which agitation began, -1 when calm."""
    heard_kind: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    heard_source: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    heard_tick: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Tick of the last sound with a position, -1 never.

    ``heard_x, heard_y`` is that position, in tiles.
    """
    heard_x: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    heard_y: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    level: NDArray[np.float64] = unhashed(lambda: np.zeros(0))
    """Loudest sound of the last tick by slot.

    It is 0 at the end of its reach .. 1 at the ear; -1 is silence.
    """
    lines: int = unhashed(int)
    """Lines tested in the last tick.

    At most five per listener in range and sound.
    """
    noise_tick: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Tick of the last heard sound of any kind, -1 never."""

    def keenness_of(self, ears: NDArray[np.uint8], behaviour: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the keenness factor of each unit.

        It follows from the unit's ears (row of the table) and behaviour.
        """
        return np.array(self.settings.keenness, np.float64)[ears, behaviour]

    def noise_of(self, speed: NDArray[np.float64], ground: NDArray[np.float64] | float = 1.0) -> NDArray[np.float64]:
        """Return the radius, in tiles, of each unit's movement noise at keenness 1.

        It is linear in the speed, and never below breath. ``speed`` is in tiles a second, ``ground`` a factor (gravel
        above 1, grass below).
        """
        s = self.settings
        return np.maximum(s.breath_tiles, s.run_tiles * np.asarray(speed) / s.run_speed * ground)

    def update(
        self,
        tick: int,
        solid: NDArray[np.uint8],
        *,
        ids: NDArray[np.int32],
        alive: NDArray[np.uint8],
        side: NDArray[np.uint8],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        noise: NDArray[np.float64],
        listening: NDArray[np.uint8],
        keenness: NDArray[np.float64],
        event: NDArray[np.uint32],
        rooms: AreaGraph | None = None,
        lasts: NDArray[np.float64] | None = None,
    ) -> NDArray[np.int64]:
        """Let listeners hear other sides' movement; return rows that now know its position.

        A unit listens when its ``listening`` is set.

        ``solid: uint8[H, W]`` stops sound, when there
        are no ``rooms`` to carry it. ``noise`` is the radius of each unit's movement (:meth:`noise_of`, 0 for silence).
        ``lasts`` is the number of ticks that the noise stands for, 1 by default (a footfall stands until the next one).
        All columns have one row per slot. No unit hears itself. Raises ValueError when lengths differ.
        """
        count = len(ids)
        if any(len(c) != count for c in (alive, side, x, y, noise, listening, keenness, event)):
            raise ValueError("unit columns must have one row per slot")
        self._fit(ids)
        movers = np.flatnonzero((alive != 0) & (noise > 0))
        sx, sy, radius, source = x[movers], y[movers], noise[movers], ids[movers]
        weight = np.ones(len(movers)) if lasts is None else np.asarray(lasts, np.float64)[movers]
        audience = _OTHER_SIDES[side[movers]]
        ears = ((alive != 0) & (listening != 0)).astype(np.uint8)
        height, width = solid.shape
        keenest = float(keenness[ears != 0].max(initial=0.0))
        starts, members = np.zeros(bin_cells(height, width) + 1, np.int32), np.zeros(count, np.int32)
        loudest = np.full(count, -1, np.int32)
        self.level = np.full(count, -1.0)
        if rooms is None:
            self.lines = hear_by_lines(
                solid, sx, sy, radius, source, audience, ids, ears, side, x, y, keenness, loudest, self.level
            )
        else:
            bin_units(height, width, ears, x, y, starts, members)
            self.lines = hear(
                height, width, rooms.area, rooms.first, rooms.member, rooms.first_area, rooms.area_of, rooms.place,
                rooms.far, sx, sy, radius, source, audience, ids, side, x, y, keenness, keenest, starts, members,
                loudest, self.level,
            )  # fmt: skip
        settings, before = self.settings, self.agitation.copy()
        agitate(
            tick, settings.hold_seconds, settings.calm_seconds, settings.warning_seconds, settings.faint_seconds,
            settings.loud_seconds, ears, sx, sy, source, weight, loudest, self.level, event, self.agitation,
            self.since, self.noise_tick, self.heard_kind, self.heard_source, self.heard_tick, self.heard_x,
            self.heard_y,
        )  # fmt: skip
        return np.flatnonzero((self.agitation >= 1.0) & (before < 1.0))

    def hear_sounds(
        self,
        tick: int,
        solid: NDArray[np.uint8],
        sounds: Sequence[LogicalSound],
        *,
        ids: NDArray[np.int32],
        alive: NDArray[np.uint8],
        side: NDArray[np.uint8],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        listening: NDArray[np.uint8],
        keenness: NDArray[np.float64],
        rooms: AreaGraph | None = None,
    ) -> list[NDArray[np.int64]]:
        """Return the rows that hear each of this tick's ``sounds``.

        The loudest sound of each listener is written to ``heard_*``.

        The columns are those of :meth:`update`, and the law of reach is the same.
        """
        self._fit(ids)
        count, (height, width) = len(ids), solid.shape
        ears = ((alive != 0) & (listening != 0)).astype(np.uint8)
        keenest = float(keenness[ears != 0].max(initial=0.0))
        starts, members = np.zeros(bin_cells(height, width) + 1, np.int32), np.zeros(count, np.int32)
        if rooms is not None:
            bin_units(height, width, ears, x, y, starts, members)
        best, hearers, self.lines = np.full(count, -1.0), [], 0
        for sound in sorted(sounds, key=lambda s: s.source):
            where = np.array([sound.x]), np.array([sound.y]), np.array([sound.radius])
            row = *where, np.array([sound.source], np.int32), np.array([sound.audience], np.uint8)
            heard, level = np.full(count, -1, np.int32), np.full(count, -1.0)
            if rooms is None:
                self.lines += hear_by_lines(solid, *row, ids, ears, side, x, y, keenness, heard, level)
            else:
                self.lines += hear(
                    height, width, rooms.area, rooms.first, rooms.member, rooms.first_area, rooms.area_of,
                    rooms.place, rooms.far, *row, ids, side, x, y, keenness, keenest, starts, members, heard, level,
                )  # fmt: skip
            louder = level > best
            best[louder] = level[louder]
            self.heard_kind[:count][louder], self.heard_source[:count][louder] = sound.kind, sound.source
            self.heard_x[:count][louder], self.heard_y[:count][louder] = sound.x, sound.y
            self.heard_tick[:count][louder] = tick
            hearers.append((sound, np.flatnonzero(heard >= 0)))
        return [next(rows for made, rows in hearers if made is sound) for sound in sounds]

    def _fit(self, ids: NDArray[np.int32]) -> None:
        """Resize the columns to the units; a slot with another unit starts calm."""
        fresh = {"listener": -2, "since": -1, "heard_kind": 0, "heard_source": -1, "heard_tick": -1, "noise_tick": -1}
        names = (*fresh, "agitation", "heard_x", "heard_y")
        missing = len(ids) - len(self.listener)
        if missing > 0:
            for name in names:
                old = getattr(self, name)
                setattr(self, name, np.concatenate([old, np.full(missing, fresh.get(name, 0), old.dtype)]))
        changed = self.listener[: len(ids)] != ids
        if changed.any():
            for name in names:
                getattr(self, name)[: len(ids)][changed] = fresh.get(name, 0)
            self.listener[: len(ids)] = ids


@kernel(
    "void(int64, float64, float64, float64, float64, float64, uint8[::1], float64[::1], float64[::1], "
    "int32[::1], float64[::1], int32[::1], float64[::1], uint32[::1], float64[::1], int32[::1], int32[::1], "
    "int32[::1], int32[::1], int32[::1], float64[::1], float64[::1])"
)
def agitate(  # type: ignore[no-untyped-def]
    tick, hold, calm, warning, faint, loud, ears, sx, sy, source, weight, loudest, level, event,
    agitation, since, noise_tick, heard_kind, heard_source, heard_tick, heard_x, heard_y,
):  # fmt: skip
    """Turn each listener's loudest sound into agitation, positions and event bits.

    ``loudest`` is a row of the movers, -1 none. It covers one tick; times are in seconds, see :class:`HearingSettings`.
    """
    for i in range(len(ears)):
        if ears[i] == 0:
            agitation[i] = 0.0
            since[i] = -1
            continue
        s = loudest[i]
        if s < 0:
            if noise_tick[i] < 0 or (tick - noise_tick[i]) * _TICK > hold:
                agitation[i] = max(0.0, agitation[i] - _TICK / calm)
                if agitation[i] == 0.0:
                    since[i] = -1
            continue
        noise_tick[i] = tick
        if since[i] < 0:
            since[i] = tick
            event[i] |= np.uint32(HEARD)
        # Just below 1 until the warning is over.
        most = 1.0 if (tick - since[i]) * _TICK >= warning - 1e-9 else 0.99
        after = min(most, agitation[i] + weight[s] * _TICK / (faint + (loud - faint) * level[i]))
        full = after > 1.0 - 1e-9
        agitation[i] = 1.0 if full else after
        if full:
            heard_kind[i] = 0
            heard_source[i] = source[s]
            heard_tick[i] = tick
            heard_x[i] = sx[s]
            heard_y[i] = sy[s]


def masking_at(x: NDArray[np.float64], y: NDArray[np.float64], maskers: Sequence[LogicalSound]) -> NDArray[np.float64]:
    """Return the keenness factor 0..1 of listeners beside steady noise.

    A generator or a mill masks other sounds and is no sound event itself. The factor is 0 at the machine, 1 from its
    ``radius`` on, linear between. The strongest machine counts.

    Source: Paul Tozour, AI Game Programming Wisdom, 8.1 (masking of sounds).
    """
    factor = np.ones(len(x))
    for masker in maskers:
        distance = np.hypot(x - masker.x, y - masker.y)
        factor = np.minimum(factor, distance / masker.radius if masker.radius > 0 else 1.0)
    return factor


def open_shares(
    solid: NDArray[np.uint8], ly: NDArray[np.int64], lx: NDArray[np.int64], sy: int, sx: int
) -> tuple[NDArray[np.float64], int]:
    """Return the share of clear lines for each listener, and the tested lines.

    The lines lead to the source's tile and its open neighbours.
    """
    height, width = solid.shape
    around = [(sy, sx), (sy + 1, sx), (sy - 1, sx), (sy, sx + 1), (sy, sx - 1)]
    ends = [
        (y, x) for k, (y, x) in enumerate(around) if k == 0 or (0 <= y < height and 0 <= x < width and not solid[y, x])
    ]
    starts = np.repeat(np.column_stack([ly, lx]).astype(np.int32), len(ends), axis=0)
    clear = lines_clear(solid, starts, np.tile(np.array(ends, np.int32), (len(ly), 1)))
    return clear.reshape(len(ly), len(ends)).mean(axis=1), len(clear)


def hear_by_lines(
    solid: NDArray[np.uint8],
    sx: NDArray[np.float64],
    sy: NDArray[np.float64],
    radius: NDArray[np.float64],
    source: NDArray[np.int32],
    audience: NDArray[np.uint8],
    ids: NDArray[np.int32],
    ears: NDArray[np.uint8],
    side: NDArray[np.uint8],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    keenness: NDArray[np.float64],
    loudest: NDArray[np.int32],
    level: NDArray[np.float64],
) -> int:
    """Run :func:`hear` by the rule of lines; return the lines tested.

    For tests and an exhibit.
    """
    height, width = solid.shape
    lines = 0
    on_map = (ears != 0) & (x >= 0) & (y >= 0) & (x < width) & (y < height)
    for s in range(len(sx)):
        if not (0 <= sx[s] < width and 0 <= sy[s] < height):
            continue
        reach = radius[s] * keenness
        far = np.hypot(sx[s] - x, sy[s] - y)
        asked = audience[s] >> np.minimum(side, 7) & 1
        rows = np.flatnonzero(on_map & (asked != 0) & (ids != source[s]) & (reach > 0) & (far <= reach))
        if not len(rows):
            continue
        share, tested = open_shares(solid, y[rows].astype(np.int64), x[rows].astype(np.int64), int(sy[s]), int(sx[s]))
        lines += tested
        for i, part in zip(rows.tolist(), share.tolist(), strict=True):
            if part <= 0 or far[i] > reach[i] * part:
                continue
            loud = 1.0 - far[i] / (reach[i] * part)
            best = loudest[i]
            if best < 0 or loud > level[i] or (loud == level[i] and source[s] < source[best]):
                loudest[i], level[i] = s, loud
    return lines


@kernel(
    "int64(int64, int64, int32[:,::1], int32[::1], int32[::1], int32[::1], int32[::1], float64[:,::1], "
    "float64[:,::1], float64[::1], float64[::1], float64[::1], int32[::1], uint8[::1], int32[::1], uint8[::1], "
    "float64[::1], float64[::1], float64[::1], float64, int32[::1], int32[::1], int32[::1], float64[::1])",
)
def hear(  # type: ignore[no-untyped-def]
    height, width, area, first, member, first_area, area_of, place, far_apart, sx, sy, radius, source, audience,
    ids, side, x, y, keenness, keenest, starts, members, loudest, level,
):  # fmt: skip
    """Find the loudest sound of each listener, by its path through rooms.

    It is written to ``loudest`` (-1 none) and ``level``. Returns the number of paths computed.
    """
    across = int(width * PER_TILE) + 1
    down = int(height * PER_TILE) + 1
    lines = 0
    for s in range(len(sx)):
        if not (0 <= sx[s] < width and 0 <= sy[s] < height):
            continue
        far = radius[s] * keenest
        left = max(0, int((sx[s] - far) * PER_TILE))
        right = min(across - 1, int((sx[s] + far) * PER_TILE))
        for by in range(max(0, int((sy[s] - far) * PER_TILE)), min(down - 1, int((sy[s] + far) * PER_TILE)) + 1):
            for m in range(starts[by * across + left], starts[by * across + right + 1]):
                i = members[m]
                if ids[i] == source[s] or (audience[s] >> min(side[i], 7)) & 1 == 0:
                    continue
                reach = radius[s] * keenness[i]
                dx = sx[s] - x[i]
                dy = sy[s] - y[i]
                square = dx * dx + dy * dy
                if reach <= 0 or square > reach * reach:
                    continue
                lines += 1
                distance = sound_path(
                    area, first, member, first_area, area_of, place, far_apart, sx[s], sy[s], x[i], y[i]
                )
                if distance > reach:
                    continue
                loud = 1.0 - distance / reach
                best = loudest[i]
                if best < 0 or loud > level[i] or (loud == level[i] and source[s] < source[best]):
                    loudest[i] = s
                    level[i] = loud
    return lines


TECHNIQUES = (
    {
        "slug": "hearing",
        "name": "Hearing by kind and behaviour",
        "ids": ("GP2-33.1",),
        "source": "Game AI Pro 2, ch. 33",
        "functions": ("hear", "Hearing.update"),
        "test": "tests/ai/perception/hearing/test_hearing.py",
        "exhibit": "levels/exhibits/search/through_doors.steps.toml",
        "overlay": "areas",
        "setting": "noise.steps",
        "parts": ("GP2-33.2",),
        "measure": "events",
        "direction": "up",
        "claim": "The radius of a step grows with speed by a rule of ours; occlusion goes by lines or by rooms.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
