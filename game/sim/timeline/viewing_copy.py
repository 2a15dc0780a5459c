"""Viewing copy: a copy of a game that shows any of its recorded ticks.

It is a session of its own whose orders enter by themselves from the game's log. So the game, its log and its replay
stay as they are, whatever tick is shown. A tick is reached from the nearest snapshot at or before it: the copy's own
present, one of its near frames, or a keyframe of the history.

Near frames are snapshots that the copy takes on its way, so that the next step back is short. They belong to the copy.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from ai.core.scheduling.periods import is_due
from ai.core.serialization import Snapshot
from game.sim.session import Session
from game.sim.timeline.keyframes import History, Keyframe
from game.world.orders import Order
from game.world.world import restore_world

NEAR_EVERY, MOST_NEAR = 8, 24
"""Ticks between two near frames, and their greatest number."""


def _never() -> bool:
    return False


class ViewingCopy:
    """Shows ticks of ``game``, which must record a history; ``session`` is what is shown."""

    def __init__(self, game: Session) -> None:
        if game.history is None:
            raise ValueError("the session records no history: call Session.remember first")
        game.finish_tick()
        self.game = game
        self.history: History = game.history
        self.session = Session(
            game.level, game.seed, game.given_settings, game.extra_units, recording=False,
            world=restore_world(game.world.snapshot(self._base()), game.world),
        )  # fmt: skip
        self.session.lab_used = game.lab_used
        self.session.schedule(self._orders_after(game.world.tick))
        self.near: list[Keyframe] = []

    @property
    def first(self) -> int:
        """First tick that can be shown."""
        return self.history.first

    @property
    def tick(self) -> int:
        """Last whole tick that is shown."""
        return self.session.world.tick

    def _base(self) -> Snapshot | None:
        frames = self.history.frames
        return frames[-1].world if frames else None

    def _orders_after(self, tick: int) -> list[tuple[int, Order]]:
        """Return the recorded orders that enter later than a tick."""
        log = self.game.log
        return list(log[bisect_right(log, tick, key=lambda row: row[0]) :])

    def seek(self, tick: int, time_is_up: Callable[[], bool] = _never) -> bool:
        """Show a tick; return whether it was reached within the time.

        Call it again to go on. Ticks outside the record are taken as its ends.
        """
        tick = min(max(tick, self.first), self.game.world.tick)
        self._begin(tick)
        world = self.session.world
        while world.tick < tick:
            self.session.advance()
            if is_due(world.tick, NEAR_EVERY):
                self._keep_near()
            if time_is_up():
                break
        return world.tick == tick

    def _begin(self, tick: int) -> None:
        """Restore the nearest snapshot unless the copy's own present is as near."""
        near = [f for f in self.near if f.tick <= tick]
        best = max(near, key=lambda f: f.tick, default=None)
        kept = self.history.nearest(tick)
        if kept is not None and (best is None or best.tick < kept.tick):
            best = kept
        assert best is not None, "the first frame is at or before every tick in reach"
        if self.session.whole and best.tick <= self.tick <= tick:
            return
        self.session.forget_orders()
        # The game's structures fit where its map is the same: both worlds have the same past.
        self.session.world = restore_world(best.world, self.game.world)
        self.session.schedule(self._orders_after(best.tick))

    def _keep_near(self) -> None:
        """Take a near frame, and drop the one farthest from the present."""
        now = self.tick
        if any(f.tick == now for f in self.near) or any(f.tick == now for f in self.history.frames[-1:]):
            return
        base = self.history.nearest(now)
        self.near.append(Keyframe(now, self.session.world.snapshot(base.world if base else None)))
        if len(self.near) > MOST_NEAR:
            self.near.remove(max(self.near, key=lambda f: abs(f.tick - now)))

    def branch(self) -> Session:
        """Return a new game that goes on from the tick shown.

        It has the log up to that tick. The game it leaves is untouched. The copy is of no use afterwards, because the
        branch takes its world.
        """
        self.session.finish_tick()
        tick, game = self.tick, self.game
        made = Session(
            game.level, game.seed, game.given_settings, game.extra_units, game.recording, world=self.session.world
        )
        made.log = game.log[: bisect_right(game.log, tick, key=lambda row: row[0])]
        made.hashes = game.hashes[: bisect_right(game.hashes, tick, key=lambda row: row[0])]
        made.lab_used = game.lab_used
        made.bookmarks = [mark for mark in game.bookmarks if mark <= tick]
        made.history = self.history.branch(tick)
        made.history.note(made.world)
        return made
