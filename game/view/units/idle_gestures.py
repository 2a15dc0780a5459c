"""Idle gestures: figures that stand still shift their weight, each in its own second.

Each figure that stands asks the animation blackboard for a gesture every few seconds. The clips are the two strides of
the baked sheets, shown for about half a second. The board refuses a twin within 8 tiles and 20 ticks; a refused figure
tries the other clip, then asks again later. Gestures are decoration: they read the picture only and draw
from their own stream of random numbers, so no state of the world depends on them.
"""

from __future__ import annotations

import numpy as np

from ai.animation.animation_blackboard import AnimationBlackboard, ClipClass
from ai.core.rand import Stream, below
from game.view.painting.unit_picture import Picture

NEAR = 8.0
"""Distance in tiles from which two figures may start the same clip together."""
_REST = (40, 120)
"""Ticks between two gestures: the minimum, and the largest addition."""
_LENGTH = (8, 8)
"""Ticks of a gesture: the minimum, and the largest addition."""
_ASKS = 8
"""Figures that ask the board in one tick."""


class IdleGestures:
    """Gestures of the figures of one scene.

    ``clips`` are codes of poses, ``still`` is the pose from which a gesture may start.
    """

    def __init__(self, still: int, clips: tuple[int, ...]) -> None:
        self.still, self.clips = still, clips
        self.reset(0)

    def reset(self, tick: int) -> None:
        """Forget all gestures, because the world has gone back in time."""
        self.board = AnimationBlackboard(size=512, exemption=NEAR)
        self.tick = tick
        self.due: dict[int, int] = {}
        self.playing: dict[int, tuple[int, int]] = {}
        """Clip and last tick of each figure in a gesture, by unit id."""

    def posed(self, p: Picture, codes: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return the codes of poses with gestures for ``rows`` that stand, int64[n].

        Only figures in view ask the board, so figures out of view cost nothing.
        """
        if p.tick < self.tick:
            self.reset(p.tick - 1)
        rows = np.sort(rows[codes[rows] == self.still])
        if p.tick > self.tick:
            self.tick = p.tick
            self._advance(p, rows)
        if not self.playing:
            return codes
        posed = codes.copy()
        for row, unit in zip(rows.tolist(), p.id[rows].tolist(), strict=True):
            if unit in self.playing:
                posed[row] = self.playing[unit][0]
        return posed

    def _advance(self, p: Picture, rows: np.ndarray) -> None:
        """End gestures that are over and start those that are due."""
        tick, standing = p.tick, dict(zip(p.id[rows].tolist(), rows.tolist(), strict=True))
        self.playing = {u: (c, last) for u, (c, last) in self.playing.items() if tick < last and u in standing}
        self.due = {u: at for u, at in self.due.items() if u in standing}
        asked = 0
        for unit, row in standing.items():
            at = self.due.get(unit)
            if at is None:
                self.due[unit] = tick + below(_REST[1], 0, Stream.DECORATION, tick, unit)
            elif at <= tick and asked < _ASKS:
                asked += 1
                self._ask(unit, tick, float(p.x[row]), float(p.y[row]))

    def _ask(self, unit: int, tick: int, x: float, y: float) -> None:
        """Start the first clip that the board allows, from a random one on."""
        first = below(len(self.clips), 0, Stream.DECORATION, tick, unit, 1)
        for turn in range(len(self.clips)):
            clip = self.clips[(first + turn) % len(self.clips)]
            if self.board.start(clip, ClipClass.AMBIENT, tick, x, y):
                self.playing[unit] = (clip, tick + _LENGTH[0] + below(_LENGTH[1], 0, Stream.DECORATION, tick, unit, 2))
                self.due[unit] = tick + _REST[0] + below(_REST[1], 0, Stream.DECORATION, tick, unit, 3)
                return
        self.due[unit] = tick + _REST[0]
