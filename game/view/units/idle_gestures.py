"""Idle gestures: figures that stand still shift their weight, glance or yawn.

Each figure that stands asks the animation blackboard for a gesture every few seconds. Clips and their shares come from
the book of clips. The board refuses a twin within 8 tiles and 20 ticks; a refused figure tries the other clips, then
asks again later. A figure in a scene plays a clip of its behaviour in the same way: it draws one of the variants, the
board may postpone its start, and until then the figure rests. Between two groups of clips, such as standing and
sitting, it takes the time of a blend. Gestures are decoration: they read the picture only and draw from their own
stream of random numbers, so no state of the world depends on them.
"""

from __future__ import annotations

import numpy as np

from ai.animation.action_table import allowed, drawn_variant
from ai.animation.animation_blackboard import AnimationBlackboard, ClipClass, start_one
from ai.core.rand import Stream, below
from game.view.figures.clip_book import STEPS, ClipBook
from game.view.painting.unit_picture import Picture
from game.world.rules.figure_settings import FigureSettings

HISTORY = 60
"""Ticks for which starts and refusals are kept for the overlay."""
_REST = (14, 56)
"""Ticks from one gesture to the next: the least, and most more."""
_TRIES = 4
"""Clips that a figure asks for in one tick."""
_ASKS = 8
"""Figures that ask the board in one tick."""


class IdleGestures:
    """Gestures of the figures of one scene."""

    def __init__(self, book: ClipBook) -> None:
        self.book = book
        self.shares = [clip for clip, share in book.ambient.items() for _ in range(share)]
        """Clips, each as often as its share."""
        self.standing = int(book.group[book.default])
        self.exemption = FigureSettings().exemption
        self.reset(0)

    def reset(self, tick: int) -> None:
        """Forget all gestures, because the world has gone back in time."""
        self.board = AnimationBlackboard(size=512, exemption=self.exemption)
        self.tick = tick
        self.due: dict[int, int] = {}
        self.playing: dict[int, tuple[int, int]] = {}
        """Clip and first tick of each figure in a gesture, by unit id."""
        self.waits: dict[int, int] = {}
        """Tick of the first refusal of waiting figures, by unit id."""
        self.starts: list[tuple[int, int, int, float, float]] = []
        """Tick, unit, clip and position of the starts of the last seconds, oldest first."""
        self.refused: list[tuple[int, int]] = []
        """Tick and clip of the refusals of the last seconds, oldest first."""
        self.turned: dict[int, tuple[int, int, int]] = {}
        """Frame before, group and tick of the change, by unit id."""
        self.shown: dict[int, int] = {}
        """Frame of each figure in the last tick, by unit id."""

    def frames(self, p: Picture, rows: np.ndarray) -> dict[int, int]:
        """Return the frames of gestures by unit id, of ``rows`` that stand idle.

        Only figures in view ask the board, so figures out of view cost nothing.
        """
        if p.tick < self.tick:
            self.reset(p.tick - 1)
        self.board.refuses, self.board.exemption = p.figures.blackboard, p.figures.exemption
        if p.tick > self.tick:
            self.tick = p.tick
            self._advance(p, np.sort(rows))
        frames = {unit: self._frame(unit) for unit in self.playing}
        for unit, (before, group, since) in self.turned.items():
            step = self.tick - since
            if step < self.book.settle[group]:
                along = np.array(step * STEPS // self.book.settle[group])
                frames[unit] = int(self.book.blend(np.array(before), np.array(group), along))
            elif unit not in frames and group != self.standing:
                frames[unit] = int(self.book.rest[group])
        self.shown = frames
        return frames

    def _frame(self, unit: int) -> int:
        """Return the frame of the clip that a figure plays."""
        book = self.book
        clip, begun = self.playing[unit]
        at = (self.tick - begun) * book.count[clip] // book.ticks[clip]
        return int(book.first[clip] + (at % book.count[clip] if book.loops[clip] else at))

    def _advance(self, p: Picture, rows: np.ndarray) -> None:
        """End gestures that are over and start those that are due."""
        tick, standing = p.tick, dict(zip(p.id[rows].tolist(), rows.tolist(), strict=True))
        ticks = self.book.ticks
        given = {
            unit: tuple(self.book.clip(name) for name in allowed(behaviour.gesture, p.figures.variants))
            for unit, behaviour in p.gestures.items()
            if unit in standing
        }
        self.playing = {
            u: (c, at)
            for u, (c, at) in self.playing.items()
            if u in standing and (tick < at + ticks[c] or (c in given.get(u, ()) and self.book.loops[c]))
        }
        self.due = {u: at for u, at in self.due.items() if u in standing and u not in given}
        self.waits = {u: since for u, since in self.waits.items() if u in standing}
        self.starts = [start for start in self.starts if start[0] > tick - HISTORY]
        self.refused = [row for row in self.refused if row[0] > tick - HISTORY]
        self.turned = {u: turn for u, turn in self.turned.items() if u in standing}
        asked = 0
        for unit, row in standing.items():
            clips, at = given.get(unit, ()), self.due.get(unit)
            if clips:
                kind = ClipClass.REACTION if p.gestures[unit].reacts else ClipClass.AMBIENT
                self._perform(unit, clips, kind, tick, float(p.x[row]), float(p.y[row]))
            elif at is None:
                self.due[unit] = tick + below(_REST[1], 0, Stream.DECORATION, tick, unit)
            elif at <= tick and asked < _ASKS:
                asked += 1
                self._ask(unit, tick, float(p.x[row]), float(p.y[row]))
            self._turn(unit, clips, tick)

    def _perform(self, unit: int, clips: tuple[int, ...], kind: ClipClass, tick: int, x: float, y: float) -> None:
        """Start a clip of a behaviour as soon as the board allows it."""
        now = self.playing.get(unit)
        if now is not None and now[0] in clips:
            return
        if now is not None and self.book.group[now[0]] != self.book.group[clips[0]]:
            del self.playing[unit]
        self._start(unit, clips, kind, drawn_variant(len(clips), tick, unit), tick, x, y)

    def _start(
        self, unit: int, clips: tuple[int, ...], kind: ClipClass, first: int, tick: int, x: float, y: float
    ) -> bool:
        """Start one of some clips if the board allows it; return whether it did."""
        clip = start_one(self.board, clips, first, kind, tick, x, y)
        if clip < 0:
            self.waits.setdefault(unit, tick)
            self.refused.append((tick, clips[first]))
            return False
        self.playing[unit] = (clip, tick)
        self.starts.append((tick, unit, clip, x, y))
        self.waits.pop(unit, None)
        return True

    def _turn(self, unit: int, clips: tuple[int, ...], tick: int) -> None:
        """Note a change between groups of clips; a blend covers it."""
        if not clips and unit not in self.turned:
            return
        playing = self.playing.get(unit)
        clip = clips[0] if clips else playing[0] if playing is not None else None
        group = self.standing if clip is None else int(self.book.group[clip])
        _, now, since = self.turned.get(unit, (0, self.standing, -100))
        if group != now:
            before = self.shown.get(unit, int(self.book.rest[now]))
            self.turned[unit] = (before if before < self.book.blends else int(self.book.rest[now]), group, tick)
        elif group == self.standing and tick - since >= self.book.settle[group]:
            self.turned.pop(unit, None)

    def _ask(self, unit: int, tick: int, x: float, y: float) -> None:
        """Start a clip of random choice that the board allows."""
        clips = self.shares
        for turn in range(_TRIES):
            clip = clips[below(len(clips), 0, Stream.DECORATION, tick, unit, 1 + turn)]
            if self._start(unit, (clip,), ClipClass.AMBIENT, 0, tick, x, y):
                rest = _REST[0] + below(_REST[1], 0, Stream.DECORATION, tick, unit, 0)
                self.due[unit] = tick + int(self.book.ticks[clip]) + rest
                return
        self.due[unit] = tick + _TRIES
