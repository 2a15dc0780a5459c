"""Series of the numbers on pages over the last 30 s.

Numbers of units come from the history. Those of a tile, a path or a door come from samples that this module takes:
of each keyframe of the last 30 s, one a frame, and of the ticks that are shown. So a graph is whole a second after it
is opened, at any tick of the past too. Sounds come from the record of the last sounds.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, Protocol

import numpy as np

from game.sim.timeline.keyframes import History
from game.view.lab.timeline.timeline_control import Timeline
from game.view.lab.why.pages.page import DOOR, SIDE, SOUND, SQUAD, UNIT, Subject
from game.view.lab.why.pages.page_numbers import LOUDNESS, OPEN, READ, Numbers, loudest, numbers_of
from game.view.lab.why.small_graph import SPAN
from game.view.window.playing import Playing
from game.world.world import restore_world

SAMPLE_EVERY = 4
"""Ticks between two samples of what is shown while time runs."""
MOST_UNITS = 1000
"""Units up to which keyframes are read.

A larger world takes too long to restore in a frame.
"""
FRAMES = 30
"""Frames of samples after a thing was asked for.

A page asks five times a second.
"""
MOST_KEPT = 16
"""Things whose samples are kept after they were looked at last."""
Series = tuple[np.ndarray, np.ndarray]
NOTHING: Series = np.zeros(0, np.int64), np.zeros(0)


class SeriesContext(Protocol):
    """The play screen as the series see it."""

    playing: Playing
    timeline: Timeline


class PageSeries:
    """Series of one play screen; call :meth:`update` each frame.

    It takes samples of the things that were asked for lately.
    """

    def __init__(self, play: SeriesContext) -> None:
        self.play = play
        self._samples: dict[Subject, dict[int, Numbers]] = {}
        """Numbers by tick of each thing, the thing asked for last at the end."""
        self._wanted: dict[Subject, int] = {}
        """Frames for which samples are taken of a thing that was asked for."""
        self._history: History | None = None
        self._loudest: dict[int, float] = {}
        """Certainty of recorded sounds by number."""

    def series(self, subject: Subject, name: str) -> Series:
        """Return ticks and values of a number in the 30 s up to now."""
        tick = self.play.playing.picture.tick
        if subject.kind in READ:
            self._wanted[subject] = FRAMES
            return self._sampled(subject, name, tick)
        if subject.kind == SOUND and name == LOUDNESS:
            return self._heard(subject.key[0], tick)
        history, slots = self._present().history, self._slots(subject)
        if history is None or not slots:
            return NOTHING
        return history.numbers.series(slots, name, tick - SPAN, tick)

    def _present(self) -> Any:
        """Return the session of the present, which keeps history and records."""
        return self.play.timeline.travel.game.session

    def _slots(self, subject: Subject) -> list[int]:
        """Return the slots of a thing's units; those of a sound heard it."""
        world, slots = self.play.playing.world, []
        if subject.kind == UNIT:
            slots = [world.units.slot(subject.key[0])]
        elif subject.kind == SQUAD and subject.key[0] in world.squads.rows:
            slots = world.units.slots(world.squads.rows[subject.key[0]].members).tolist()
        elif subject.kind == SIDE:
            slots = np.flatnonzero(world.units.side[: world.units.count] == subject.key[0]).tolist()
        elif subject.kind == SOUND and (row := self._sound(subject.key[0])) is not None:
            slots = world.units.slots(row[7][:, 0].astype(np.int64)).tolist()
        return slots

    # Sounds

    def _sound(self, number: int) -> Any:
        """Return the record of a sound (-1: the newest), None without one."""
        rows = self._present().world.recording.get("heard", [])
        return next((row for row in rows if row[1] == number), rows[-1] if rows and number < 0 else None)

    def _heard(self, number: int, tick: int) -> Series:
        """Return how surely the sounds of one maker were heard: peaks between silence."""
        world, row = self._present().world, self._sound(number)
        if row is None:
            return NOTHING
        first = max(tick - SPAN, 0)
        peaks: dict[int, float] = {}
        for one in world.recording["heard"]:
            if one[6] == row[6] and first <= one[0] <= tick:
                if one[1] not in self._loudest:
                    self._loudest[one[1]] = loudest(world, one)
                peaks[one[0]] = max(peaks.get(one[0], 0.0), self._loudest[one[1]])
        around = {at + by for at in peaks for by in (-1, 1)}
        ticks = sorted({first, tick, *peaks, *(at for at in around if first <= at <= tick)})
        return np.array(ticks, np.int64), np.array([peaks.get(at, 0.0) for at in ticks])

    # Samples

    def _sampled(self, subject: Subject, name: str, tick: int) -> Series:
        kept = self._samples.get(subject, {})
        points = {at: numbers[name] for at, numbers in kept.items() if tick - SPAN <= at <= tick and name in numbers}
        if subject.kind == DOOR and name == OPEN:
            for at, is_open, _ in self._present().world.recording.get("doors", {}).get(subject.key[0], []):
                if tick - SPAN <= at <= tick and points:
                    points[at - 1], points[at] = float(not is_open), float(is_open)
        ticks = sorted(points)
        return np.array(ticks, np.int64), np.array([points[at] for at in ticks], np.float64)

    def update(self) -> None:
        """Take samples of the shown tick, and of one keyframe that has none."""
        wanted = set(self._wanted)
        self._wanted = {subject: left - 1 for subject, left in self._wanted.items() if left > 1}
        if not wanted or not self.play.playing.session.whole:
            return
        present = self._present()
        if present.history is not self._history:
            self._samples, self._loudest, self._history = {}, {}, present.history
        for subject in wanted:
            self._samples[subject] = self._samples.pop(subject, {})
        for subject in list(self._samples)[:-MOST_KEPT]:
            del self._samples[subject]
        world = self.play.playing.world
        for subject in wanted:
            kept = self._samples[subject]
            rests = self.play.playing.clock.paused and world.tick not in kept
            if rests or not kept or min(abs(world.tick - at) for at in kept) >= SAMPLE_EVERY:
                kept[world.tick] = numbers_of(world, subject)
        self._read_keyframe(wanted, present, world.tick)

    def _read_keyframe(self, wanted: set[Subject], present: Any, tick: int) -> None:
        """Sample the newest keyframe of the last 30 s that some thing lacks."""
        if present.history is None or present.world.units.count > MOST_UNITS:
            return
        frames = present.history.frames
        first = bisect_left(frames, tick - SPAN, key=lambda f: f.tick)
        last = bisect_right(frames, tick, key=lambda f: f.tick)
        for frame in reversed(frames[first:last]):
            lacking = [subject for subject in wanted if frame.tick not in self._samples[subject]]
            if lacking:
                world = restore_world(frame.world, present.world)
                for subject in lacking:
                    self._samples[subject][frame.tick] = numbers_of(world, subject)
                return
