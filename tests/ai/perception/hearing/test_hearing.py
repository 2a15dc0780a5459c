"""Sounds reach listeners by distance, behaviour and openings."""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.grid.areas import area_graph
from ai.perception.hearing.hearing import HEARD, Hearing, HearingSettings, LogicalSound, SoundKind, masking_at
from tests.ai.perception.sight.ford import visible_from


class Room:
    """Listeners of side 1 and one raider (slot 0, side 0) on a map."""

    def __init__(self, solid: np.ndarray, listeners: int = 1) -> None:
        count = listeners + 1
        self.solid = solid
        self.ids = np.arange(5, 5 + count, dtype=np.int32)
        self.alive, self.side = np.ones(count, np.uint8), np.ones(count, np.uint8)
        self.side[0] = 0
        self.x, self.y, self.noise = np.full(count, 1.5), np.full(count, 5.5), np.zeros(count)
        self.listening, self.keenness = np.ones(count, np.uint8), np.ones(count)
        self.event = np.zeros(count, np.uint32)
        self.ears = Hearing(HearingSettings())
        self.tick = 0
        self.placed: list[int] = []
        self.heard: list[list[int]] = []

    def listen(self, *sounds: LogicalSound) -> None:
        self.tick += 1
        columns = self.columns()
        self.placed = self.ears.update(self.tick, self.solid, **columns, noise=self.noise, event=self.event).tolist()
        if sounds:
            self.heard = [rows.tolist() for rows in self.ears.hear_sounds(self.tick, self.solid, sounds, **columns)]
            for rows in self.heard:
                self.event[rows] |= HEARD

    def columns(self) -> dict[str, np.ndarray]:
        return {n: getattr(self, n) for n in ["ids", "alive", "side", "x", "y", "listening", "keenness"]}


def open_room() -> Room:
    return Room(np.zeros((11, 90), np.uint8))


def stone(x: float, y: float, radius: float, audience: int = 0b10) -> LogicalSound:
    return LogicalSound(SoundKind.IMPACT, x, y, radius, -1, audience)


def test_keen_ears_hear_six_times_as_far() -> None:
    room = Room(np.zeros((11, 90), np.uint8), 2)
    room.keenness[:] = room.ears.keenness_of(np.array([0, 0, 1]), np.array([1, 1, 1]))
    room.listen(stone(1.5 + 20, 5.5, 5.0))
    assert (room.event != 0).tolist() == [False, False, True]
    room.listen(stone(1.5 + 5, 5.5, 5.0))
    assert (room.event != 0).tolist() == [False, True, True]
    assert (room.ears.heard_x[1], room.ears.heard_y[1], room.ears.heard_tick[1]) == (6.5, 5.5, 2)


def hears_at(distance: float, keenness: float) -> bool:
    room = open_room()
    room.keenness[:] = keenness
    room.listen(stone(1.5 + distance, 5.5, 10.0))
    return bool(room.event[1] & HEARD)


@pytest.mark.parametrize(("ears", "behaviour"), [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)])
def test_the_threshold_distance_scales_by_exactly_the_table(ears: int, behaviour: int) -> None:
    factor = HearingSettings().keenness[ears][behaviour]
    low, high = 0.0, 88.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if hears_at(middle, factor) else (low, middle)
    assert low == pytest.approx(10.0 * factor, abs=1e-6)


def test_a_wall_silences_and_one_open_tile_lets_the_sound_through() -> None:
    room = open_room()
    room.solid[:, 8] = 1
    room.listen(stone(12.5, 5.5, 40.0))
    assert not room.event.any()
    room.solid[5, 8] = 0
    room.listen(stone(12.5, 5.5, 40.0))
    assert room.event[1] & HEARD


@pytest.mark.parametrize("seed", range(10))
def test_reach_equals_distance_and_open_share_in_plain_python(seed: int) -> None:
    rng = np.random.default_rng(seed)
    room = Room((rng.random((30, 40)) < 0.15).astype(np.uint8), 30)
    tiles = np.argwhere(room.solid == 0)
    picks = tiles[rng.integers(len(tiles), size=31)]
    room.y, room.x = (picks + rng.uniform(0.1, 0.9, picks.shape)).T.copy()
    room.keenness = rng.uniform(0.2, 2.0, 31)
    source = tiles[rng.integers(len(tiles))]
    sound = stone(float(source[1] + 0.3), float(source[0] + 0.8), 12.0)
    room.listen(sound)
    sy, sx = int(source[0]), int(source[1])
    around = [(sy, sx), (sy + 1, sx), (sy - 1, sx), (sy, sx + 1), (sy, sx - 1)]
    around = [t for t in around if 0 <= t[0] < 30 and 0 <= t[1] < 40 and not room.solid[t]]
    for i in range(1, 31):
        seen = visible_from(room.solid, int(room.y[i]), int(room.x[i]), 60)
        share = sum(t in seen for t in around) / len(around)
        distance = np.hypot(room.x[i] - sound.x, room.y[i] - sound.y)
        assert bool(room.event[i]) == (share > 0 and distance <= 12.0 * room.keenness[i] * share)


def test_lines_are_tested_only_in_range_and_only_for_the_audience() -> None:
    room = open_room()
    room.listen(stone(60.5, 5.5, 20.0))
    assert room.ears.lines == 0
    room.listen(stone(10.5, 5.5, 20.0, audience=0b1))
    assert (room.ears.lines, room.event[1]) == (5, 0), "side 0 alone was asked"
    assert room.event[0] & HEARD


def test_a_motionless_unit_is_heard_breathing_next_door_and_nowhere_else() -> None:
    for distance, heard in ((0.8, True), (1.8, False)):
        room = open_room()
        room.noise[:] = room.ears.noise_of(np.zeros(2))
        room.x[0] = room.x[1] + distance
        room.listen()
        assert bool(room.event[1]) == heard


def first_ticks(distance: float, speed: float, limit: int = 200) -> tuple[int, int]:
    """Return the ticks of agitation and location for steady movement; -1 never.

    Distance and speed are constant.
    """
    room = open_room()
    room.noise[0] = room.ears.noise_of(np.array([speed]))[0]
    room.x[0] = room.x[1] + distance
    agitated = -1
    for _ in range(limit):
        room.listen()
        if room.event[1] & HEARD and agitated < 0:
            agitated = room.tick
        if 1 in room.placed:
            return agitated, room.tick
    return agitated, -1


def test_every_distance_has_a_safe_speed_and_it_grows_with_the_distance() -> None:
    s, safe = open_room().ears.settings, []
    for distance in (0.5, 1.0, 3.0, 6.0, 9.0):
        # Noise is linear in speed, and breath is heard in any case.
        limit = 0.0 if distance <= s.breath_tiles else distance * s.run_speed / s.run_tiles
        safe.append(limit)
        if limit > 0:
            assert first_ticks(distance, limit * 0.999)[1] == -1
        assert first_ticks(distance, limit * 1.001)[1] > 0
    assert safe == sorted(safe)
    assert safe[0] == 0.0


def test_agitation_warns_before_every_location_and_louder_is_sooner() -> None:
    delays = []
    for distance in (1.0, 3.0, 6.0, 8.9):
        agitated, placed = first_ticks(distance, 4.0)
        delays.append(placed - agitated)
    assert delays == sorted(delays)
    assert min(delays) >= 12, "0.6 seconds of warning"


def test_movement_gives_no_place_before_the_warning_is_over() -> None:
    room = open_room()
    room.noise[0], room.x[0] = 9.0, 4.5
    room.listen()
    assert room.event[1] == HEARD
    assert room.ears.heard_tick[1] == -1
    while 1 not in room.placed:
        room.listen()
    assert (room.ears.heard_x[1], room.ears.heard_source[1]) == (4.5, 5)


def test_silence_calms_and_the_next_noise_warns_again() -> None:
    room = open_room()
    room.noise[0], room.x[0] = 9.0, 4.5
    for _ in range(8):
        room.listen()
    room.noise[0] = 0
    room.event[:] = 0
    for _ in range(40):
        room.listen()
    assert (room.ears.agitation[1], room.ears.since[1], room.event[1]) == (0.0, -1, 0)
    room.noise[0] = 9.0
    room.listen()
    assert room.event[1] == HEARD


def test_beside_a_machine_a_noise_is_heard_at_less_distance() -> None:
    def farthest(maskers: list[LogicalSound]) -> float:
        reach = 0.0
        for distance in np.arange(0.25, 12.0, 0.25):
            room = open_room()
            room.keenness[:] = masking_at(room.x, room.y, maskers)
            room.listen(stone(1.5 + float(distance), 5.5, 10.0))
            reach = float(distance) if room.event[1] else reach
        return reach

    machine = LogicalSound(SoundKind.BODY, 4.5, 5.5, 6.0, -1, 0)
    assert farthest([]) == 10.0
    assert farthest([machine]) == 5.0, "3 tiles from a machine of radius 6: half"
    assert farthest([machine, LogicalSound(SoundKind.BODY, 1.5, 5.5, 2.0, -1, 0)]) == 0.0


def test_the_loudest_sound_wins_and_ties_go_to_the_smaller_source() -> None:
    room = open_room()
    first = LogicalSound(SoundKind.DOOR, 6.5, 5.5, 10.0, 40, 0b10)
    second = LogicalSound(SoundKind.SHOT, 6.5, 5.5, 10.0, 30, 0b10)
    room.listen(first, second, LogicalSound(SoundKind.VOICE, 7.5, 5.5, 10.0, 1, 0b10))
    assert room.heard == [[1], [1], [1]], "each sound is heard for itself"
    assert (room.ears.heard_kind[1], room.ears.heard_source[1]) == (SoundKind.SHOT, 30)


def test_the_dead_the_deaf_and_sounds_off_the_map() -> None:
    room = open_room()
    room.listening[1] = 0
    room.listen(stone(2.5, 5.5, 9.0), stone(-4.0, 5.5, 90.0), stone(np.nan, 5.5, 90.0))
    assert not room.event.any()
    room.listening[1], room.alive[1] = 1, 0
    room.listen(stone(2.5, 5.5, 9.0))
    assert not room.event.any()


def test_a_sound_inside_solid_rock_carries_through_its_open_neighbours() -> None:
    room = open_room()
    room.solid[5, 6] = 1
    room.listen(stone(6.5, 5.5, 9.0))
    assert room.event[1] & HEARD


def test_ears_are_state_and_a_new_unit_in_a_slot_starts_calm() -> None:
    room = open_room()
    room.noise[0], room.x[0] = 9.0, 4.5
    for _ in range(3):
        room.listen()
    ab_run = restore(snapshot(room.ears))
    assert digest(ab_run) == digest(room.ears)
    room.ids[1] = 99
    room.noise[0] = 0
    room.listen()
    assert room.ears.agitation[1] == 0
    with pytest.raises(ValueError, match="columns"):
        room.keenness = np.zeros(5)
        room.listen()


@pytest.mark.parametrize("seed", range(6))
def test_through_rooms_who_hears_is_who_the_way_of_the_sound_reaches(seed: int) -> None:
    """The kernel of the ears equals the single paths through rooms.

    A shut door changes the set of listeners.
    """
    rng = np.random.default_rng(seed)
    solid = np.zeros((21, 31), np.uint8)
    solid[::5] = solid[:, ::5] = 1
    doors = []
    for _ in range(24):
        y, x = (int(v) for v in rng.integers((1, 1), (20, 30)))
        if solid[y, x] and (y % 5 == 0) != (x % 5 == 0):
            solid[y, x] = 0
            doors.append((y, x, y + 1, x + 1))
    rooms = area_graph(solid == 0, solid == 0, doors)
    tiles = np.argwhere(solid == 0)
    room = Room(solid, 40)
    room.y, room.x = (tiles[rng.integers(len(tiles), size=41)] + rng.uniform(0.1, 0.9, (41, 2))).T.copy()
    sounds, heard = stone(float(room.x[0]), float(room.y[0]), 14.0), []
    for adds in (0.0, 6.0):
        rooms.mute([adds] * len(doors))
        room.event[:] = 0
        room.tick += 1
        for rows in room.ears.hear_sounds(room.tick, solid, [sounds], **room.columns(), rooms=rooms):
            room.event[rows] |= HEARD
        path = rooms.distances(sounds.x, sounds.y, room.x, room.y)
        assert ((room.event != 0) == ((path <= 14.0) & (room.side == 1))).all()
        heard.append(set(np.flatnonzero(room.event).tolist()))
    assert heard[1] <= heard[0]


@pytest.mark.parametrize("seed", range(6))
def test_movement_through_rooms_agitates_by_the_loudest_of_all_pairs(seed: int) -> None:
    """Sides, ears and keenness are random; walls have gaps between rooms."""
    rng = np.random.default_rng(seed)
    solid = np.zeros((21, 45), np.uint8)
    solid[::5] = solid[:, ::5] = 1
    doors = [(5 * r, c, 5 * r + 1, c + 1) for r in range(1, 4) for c in rng.integers(1, 44, 9).tolist() if c % 5]
    doors += [(r, 5 * c, r + 1, 5 * c + 1) for c in range(1, 8) for r in rng.integers(1, 20, 4).tolist() if r % 5]
    for y, x, *_ in doors:
        solid[y, x] = 0
    rooms = area_graph(solid == 0, solid == 0, sorted(set(doors)))
    tiles = np.argwhere(solid == 0)
    room, n = Room(solid, 29), 30
    room.y, room.x = (tiles[rng.integers(len(tiles), size=n)] + rng.uniform(0.1, 0.9, (n, 2))).T.copy()
    room.x[0], room.y[0] = -3.0, 4.0
    room.side, room.ids = rng.integers(0, 3, n).astype(np.uint8), rng.permutation(n).astype(np.int32)
    room.listening, room.alive = (rng.random((2, n)) < 0.8).astype(np.uint8)
    room.keenness, room.noise = rng.uniform(0.3, 4.0, n), rng.choice([0.0, 2.0, 3.0, 5.0], n)
    room.keenness[room.listening == 0] = 0.1
    lasts = rng.integers(1, 4, n).astype(float)
    named = {"noise": room.noise, "event": room.event, "rooms": rooms, "lasts": lasts}
    room.ears.update(1, solid, **room.columns(), **named)
    s, pairs, heard = room.ears.settings, 0, 0
    for i in range(n):
        loudest: tuple[float, int, int] | None = None
        for k in range(n):
            reach = room.noise[k] * room.keenness[i]
            if not room.alive[k] or room.noise[k] == 0 or room.side[k] == room.side[i] or room.x[k] < 0:
                continue
            if not (room.alive[i] and room.listening[i] and room.x[i] >= 0):
                continue
            pairs += np.hypot(room.x[k] - room.x[i], room.y[k] - room.y[i]) <= reach
            path = rooms.distance(float(room.x[k]), float(room.y[k]), float(room.x[i]), float(room.y[i]))
            if path <= reach:
                loudest = max(loudest or (-1.0, 0, 0), (1 - path / reach, -int(room.ids[k]), k))
        assert bool(room.event[i] & HEARD) == (loudest is not None)
        assert room.ears.level[i] == pytest.approx(-1.0 if loudest is None else loudest[0])
        if loudest is not None:
            heard += 1
            seconds = s.faint_seconds + (s.loud_seconds - s.faint_seconds) * loudest[0]
            assert room.ears.agitation[i] == pytest.approx(0.05 * lasts[loudest[2]] / seconds)
    assert room.ears.lines == pairs > heard > 3


def test_a_sound_is_heard_up_to_the_very_end_of_its_reach() -> None:
    solid = np.zeros((9, 30), np.uint8)
    rooms = area_graph(solid == 0, solid == 0, [])
    for distance, heard in ((5.0, True), (5.001, False)):
        room = Room(solid)
        room.x[:], room.noise[0] = [4.5 + distance, 4.5], 5.0
        room.ears.update(1, solid, **room.columns(), noise=room.noise, event=room.event, rooms=rooms)
        assert bool(room.event[1]) == heard
        assert room.ears.level[1] == (0.0 if heard else -1.0)


def test_a_step_stands_until_the_next_and_a_pause_between_them_does_not_calm() -> None:
    """Steps ten ticks apart agitate as much as a continuous noise.

    The first three count as 30 ticks of it, and agitation ends at 1. Without the hold, an ear calms in the pauses.
    """
    steady, stepping, calming = open_room(), open_room(), open_room()
    stepping.ears.settings.hold_seconds, calming.ears.settings.hold_seconds = 0.6, 0.0
    levels: list[list[float]] = [[], []]
    for room in (steady, stepping, calming):
        room.x[0] = 5.5
    for tick in range(21):
        steady.noise[0] = 9.0
        steady.listen()
        for room, level in zip((stepping, calming), levels, strict=True):
            room.noise[0] = 9.0 if tick % 10 == 0 else 0.0
            room.tick += 1
            room.ears.update(
                room.tick, room.solid, **room.columns(), noise=room.noise, event=room.event, lasts=np.full(2, 10.0)
            )
            level.append(float(room.ears.agitation[1]))
    a_tick = steady.ears.agitation[1] / 21
    assert a_tick > 0 and levels[0][::10] == pytest.approx([10 * a_tick, 20 * a_tick, min(1.0, 30 * a_tick)])
    assert levels[0] == sorted(levels[0]) and levels[1] != sorted(levels[1])
