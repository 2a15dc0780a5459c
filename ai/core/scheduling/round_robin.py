"""Round robin: periodic work for a batch of members per tick.

The batch can adjust itself to a wanted reaction time.

Source: AI Game Programming Wisdom, 6.2 ("An Efficient AI Architecture Using Prioritized Task Categories"). The constant
part of a mind runs in every tick. The periodic part runs when its turn comes, and its result is used until the next
turn. The source measures the interval by the clock; here it is ticks, and the batch counts members.
"""

from __future__ import annotations

import numpy as np

from ai.core.serialization import record


@record
class RoundRobin:
    """A ring over ids, served ``batch`` members per tick.

    With ``reaction`` > 0 (ticks) the batch follows the ring's length. ``interval`` is the duration of the last full
    round in ticks; 0 before the first.
    """

    batch: int = 10
    reaction: int = 0
    most: int = 1_000_000
    """Largest batch that the ring may choose."""
    next_id: int = 0
    interval: int = 0
    began: int = -1
    """Tick at which the current round started."""
    done: int = 0
    """Members served in the current round."""

    def take(self, ids: np.ndarray, tick: int) -> np.ndarray:
        """Return the ids served in ``tick``: the next ``batch`` of the ring.

        ``ids`` are ascending, without repeats. No member is served twice in a tick; a batch as large as the ring serves
        all. A member that stays in the ring is served at least once in ``ceil(n / batch)`` ticks.
        """
        n = len(ids)
        if self.batch < 0:
            raise ValueError(f"a batch cannot be negative, got {self.batch}")
        if n == 0 or self.batch == 0:
            return ids[:0]
        if self.began < 0:
            self.began = tick
        count = min(self.batch, n)
        first = int(np.searchsorted(ids, self.next_id)) % n
        chosen = ids if count == n else ids[(first + np.arange(count)) % n]
        self.next_id = int(ids[(first + count) % n])
        self.done += count
        if self.done >= n:
            self._turn_over(tick + 1, n)
        return chosen

    def _turn_over(self, tick: int, members: int) -> None:
        """End a round: store its duration and choose the next batch."""
        self.interval = tick - self.began
        self.began = tick
        self.done = 0
        if self.reaction > 0 and self.interval != self.reaction:
            self.batch = min(self.most, max(1, -(-members // self.reaction)))

    def bound(self, members: int) -> int:
        """Return the most ticks between two turns of one member.

        It holds while ``members`` are in the ring and the batch stays the same.
        """
        return -(-members // max(1, self.batch))


TECHNIQUES = (
    {
        "slug": "round-robin",
        "name": "Round-robin updates of minds and senses",
        "ids": ("AW-6.2-1", "AW-6.2-2", "AW-8.5-1", "AW-8.5-2"),
        "source": "AI Game Programming Wisdom, 6.2 and 8.5",
        "functions": ("RoundRobin.take",),
        "test": "tests/ai/core/scheduling/test_schedules.py",
        "exhibit": "levels/exhibits/minds/taking_turns.toml",
        "overlay": "detection",
        "setting": "rules.looks",
        "parts": ("AW-6.1-3", "AW-6.3-1"),
        "measure": "noticed",
        "direction": "up",
        "claim": (
            "Intervals are ticks, not clock time. Classes go by fight, sight and distance of the enemy, not by "
            "the camera, and share out looks of eyes and walkers; minds take turns in one ring."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
