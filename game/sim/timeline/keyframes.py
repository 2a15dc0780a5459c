"""Keyframes: regular snapshots from which any tick is reached again.

A keyframe shares with the one before it all that did not change. All branches of a game draw on one store, whose
bytes are bounded: the keyframe recorded first is dropped when a new one does not fit, so a long or large game reaches
less far back. A frame of a branch and of the game it left is one frame.

Units: ticks; bytes as :mod:`ai.core.snapshot_bytes` counts them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from dataclasses import dataclass

from ai.core.scheduling.periods import is_due
from ai.core.serialization import Snapshot
from ai.core.snapshot_bytes import SnapshotLedger
from game.sim.timeline.chronicle import Chronicle
from game.sim.timeline.unit_numbers import UnitNumbers
from game.sim.timeline.unit_tracks import UnitTracks
from game.world.world import World

EVERY = 30
"""Ticks between two keyframes of a game with at most a thousand units.

Reaching a tick takes a restore and at most so many ticks: 30 ms and 30 times 6 ms with 200 units.
"""
MOST_BYTES = 400_000_000
"""Bytes of all keyframes.

With near frames and the parts that the ledger leaves out they stay under 500 MB.
"""


def period_of(world: World) -> int:
    """Return the ticks between two keyframes.

    It grows with the units, as the time of a snapshot does.
    """
    return EVERY * max(1, world.units.count // 1000)


@dataclass(eq=False)
class Keyframe:
    """State of the world after ``tick``; ``holders`` counts its histories."""

    tick: int
    world: Snapshot
    holders: int = 0


class KeyframeStore:
    """All keyframes of the branches of a game, in the order of recording."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self.ledger = SnapshotLedger()
        self._frames: OrderedDict[int, Keyframe] = OrderedDict()

    def __len__(self) -> int:
        return len(self._frames)

    def __contains__(self, frame: Keyframe) -> bool:
        return id(frame) in self._frames

    def add(self, frame: Keyframe) -> None:
        """Add a frame; drop the oldest until the bytes fit again.

        The last one stays in any case.
        """
        self._frames[id(frame)] = frame
        self.ledger.add(frame.world)
        while self.ledger.nbytes > self.most_bytes and len(self._frames) > 1:
            self._drop(next(iter(self._frames.values())))

    def release(self, frame: Keyframe) -> None:
        """Release a frame; with its last holder it is dropped."""
        frame.holders -= 1
        if not frame.holders and frame in self:
            self._drop(frame)

    def _drop(self, frame: Keyframe) -> None:
        del self._frames[id(frame)]
        self.ledger.remove(frame.world)


class History:
    """Keyframes of one branch, its chronicle, and tracks and numbers of units."""

    def __init__(
        self, store: KeyframeStore | None = None, chronicle: Chronicle | None = None,
        tracks: UnitTracks | None = None, numbers: UnitNumbers | None = None,
    ) -> None:  # fmt: skip
        self.store = store if store is not None else KeyframeStore()
        self.chronicle = chronicle if chronicle is not None else Chronicle()
        self.tracks = tracks if tracks is not None else UnitTracks()
        self.numbers = numbers if numbers is not None else UnitNumbers()
        self.ran: dict[str, list[int]] = {}
        """Ticks in which techniques ran whose functions the window watched, by slug."""
        self._frames: list[Keyframe] = []

    @property
    def frames(self) -> list[Keyframe]:
        """The frames that are still stored."""
        gone = 0
        while gone < len(self._frames) and self._frames[gone] not in self.store:
            gone += 1
        del self._frames[:gone]
        return self._frames

    @property
    def first(self) -> int:
        """First tick that can be reached, -1 without any."""
        frames = self.frames
        return frames[0].tick if frames else -1

    def note(self, world: World) -> None:
        """Note the happenings of a tick; take a keyframe when it is due.

        The first one is always due.
        """
        self.chronicle.note(world.tick, world.events)
        self.tracks.note(world)
        self.numbers.note(world)
        frames = self.frames
        if frames and (world.tick <= frames[-1].tick or not is_due(world.tick, period_of(world))):
            return
        frame = Keyframe(world.tick, world.snapshot(frames[-1].world if frames else None), 1)
        self._frames.append(frame)
        self.store.add(frame)

    def nearest(self, tick: int) -> Keyframe | None:
        """Return the last frame at or before a tick, or None."""
        frames = self.frames
        at = bisect_right(frames, tick, key=lambda f: f.tick)
        return frames[at - 1] if at else None

    def cut(self, tick: int) -> None:
        """Forget the frames after a tick: the game went back to it."""
        frames = self.frames
        while frames and frames[-1].tick > tick:
            self.store.release(frames.pop())
        self.chronicle = self.chronicle.until(tick)
        self.tracks = self.tracks.until(tick)
        self.numbers = self.numbers.until(tick)
        self.ran = self._ran_until(tick)

    def note_run(self, slug: str, tick: int) -> None:
        """Note that a watched technique ran in a tick, unless it is known."""
        ticks = self.ran.setdefault(slug, [])
        if not ticks or tick > ticks[-1]:
            ticks.append(tick)

    def _ran_until(self, tick: int) -> dict[str, list[int]]:
        return {slug: ticks[: bisect_right(ticks, tick)] for slug, ticks in self.ran.items()}

    def branch(self, tick: int) -> History:
        """Return a history up to a tick that shares the frames."""
        made = History(self.store, self.chronicle.until(tick), self.tracks.until(tick), self.numbers.until(tick))
        made.ran = self._ran_until(tick)
        made._frames = [f for f in self.frames if f.tick <= tick]
        for frame in made._frames:
            frame.holders += 1
        return made

    def close(self) -> None:
        """Let go of every frame."""
        self.cut(-1)
