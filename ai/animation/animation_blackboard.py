"""Animation blackboard: keeps neighbours from starting the same clip together.

Two characters in view that start one clip at nearly the same moment look like copies. The board is a ring of recent
starts, and a clip asks it before it starts. A start of the same clip refuses it while the delay of that start's class
runs. An ambient clip may wait long (20 ticks, 1 s). A reaction may not: below 4 ticks the offset is not seen, above 10
ticks characters look slow, so its delay is 6 ticks (0.3 s). A start at the exemption distance or farther refuses
nothing, because only near neighbours are noticed as twins. A refused character asks again at its next turn, or takes
another clip of its set.

The board postpones pictures, never acts. It knows no world and draws no random numbers. Times are whole ticks that
never decrease; positions are tiles.

Source: "Game AI Pro 2", ch. 6 (animation twinning: blackboard, delays by priority, spatial exemption).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np


class ClipClass(IntEnum):
    """Priority classes of clips."""

    AMBIENT = 0
    REACTION = 1


DELAYS = (20, 6)
"""Ticks during which a start of each class refuses the same clip.

They are 1 s and 0.3 s.
"""


@dataclass
class AnimationBlackboard:
    """Recent starts of clips in a fixed ring, oldest first.

    ``exemption`` is the distance in tiles from which the same clip is allowed at once; infinity exempts nothing.
    """

    size: int = 32
    """Starts that fit. It should hold all starts within the longest delay."""
    exemption: float = math.inf
    refuses: bool = True
    """If false, every start is recorded and none is refused, for comparison."""
    delays: tuple[int, ...] = DELAYS
    front: int = 0
    count: int = 0
    refused: int = 0
    """Requests refused so far."""
    overflows: int = 0
    """Live starts that were overwritten because the ring was full."""
    clip: np.ndarray = field(init=False)
    tick: np.ndarray = field(init=False)
    kind: np.ndarray = field(init=False)
    x: np.ndarray = field(init=False)
    y: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        if self.size < 1 or min(self.delays) < 0 or self.exemption < 0.0:
            raise ValueError("an animation blackboard needs a size of 1 or more, and no negative delay or distance")
        self.clip, self.tick = np.zeros(self.size, np.int64), np.zeros(self.size, np.int64)
        self.kind = np.zeros(self.size, np.int64)
        self.x, self.y = np.zeros(self.size), np.zeros(self.size)

    def start(self, clip: int, kind: int, tick: int, x: float, y: float) -> bool:
        """Record the start of a clip; return false if a twin is too near.

        Check and record are one call, so two characters of the same tick cannot both pass.
        """
        live = self.live(tick)
        near = live[self.clip[live] == clip]
        near = near[tick - self.tick[near] < np.array(self.delays, np.int64)[self.kind[near]]]
        if self.refuses and (np.hypot(self.x[near] - x, self.y[near] - y) < self.exemption).any():
            self.refused += 1
            return False
        if self.count == self.size:
            self.front = (self.front + 1) % self.size
            self.count -= 1
            self.overflows += 1
        slot = (self.front + self.count) % self.size
        self.clip[slot], self.kind[slot], self.tick[slot], self.x[slot], self.y[slot] = clip, kind, tick, x, y
        self.count += 1
        return True

    def live(self, tick: int) -> np.ndarray:
        """Return the slots of starts within the longest delay, oldest first.

        Older starts leave the ring.
        """
        longest = max(self.delays)
        while self.count and tick - self.tick[self.front] >= longest:
            self.front = (self.front + 1) % self.size
            self.count -= 1
        return (self.front + np.arange(self.count)) % self.size


def start_one(
    board: AnimationBlackboard, clips: Sequence[int], first: int, kind: int, tick: int, x: float, y: float
) -> int:
    """Start a variant of a gesture; return its clip, or -1.

    The variant number ``first`` is asked for first, then the others in order.
    """
    for k in range(len(clips)):
        clip = clips[(first + k) % len(clips)]
        if board.start(clip, kind, tick, x, y):
            return clip
    return -1


TECHNIQUES = (
    {
        "slug": "animation-blackboard",
        "name": "Blackboard against twin animations",
        "ids": ("GP2-6.1", "GP2-6.2", "GP2-6.3"),
        "source": "Game AI Pro 2, ch. 6",
        "functions": ("AnimationBlackboard.start", "start_one"),
        "test": "tests/ai/animation/test_animation_blackboard.py",
        "exhibit": "levels/exhibits/minds/cheering.toml",
        "overlay": "twins",
        "setting": "figures.blackboard",
        "measure": "twins",
        "direction": "down",
        "claim": "The window asks it for gestures of idle figures and of scenes; a walk or an act never waits for it.",
    },
)
