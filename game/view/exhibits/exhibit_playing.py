"""Exhibit in the window: the clock runs the shown world, the ghost keeps step."""

from __future__ import annotations

from game.checks.exhibit_run import ExhibitRun
from game.view.lab.measures.tick_meter import TickMeter
from game.view.painting.unit_picture import take_picture
from game.view.window.playing import Playing
from game.world.orders import Order


class ExhibitPlaying(Playing):
    """:class:`Playing` of the shown run; ``ghost`` is the other run's picture.

    Both pictures are of the same tick.
    """

    def __init__(self, run: ExhibitRun) -> None:
        super().__init__(run.ab_run.shown)
        self.run = run
        self.ghost = take_picture(run.ab_run.ghost.world)
        self.jumped = False
        """True after a jump of the worlds in time; the screen resets it."""
        self.halt_at: int | None = None
        """Tick at which the clock stops, for a guess that is judged there."""

    def give(self, order: Order) -> None:
        """Give an order to both worlds."""
        self.run.give(order)

    def _finished(self) -> None:
        super()._finished()
        if self.run.finished():
            self._jump()
        else:
            self.ghost = take_picture(self.run.ab_run.ghost.world, self.ghost)
        if self.world.tick == self.halt_at:
            self.clock.paused = True

    def _jump(self) -> None:
        self.picture = take_picture(self.world)
        self.ghost = take_picture(self.run.ab_run.ghost.world)
        self.happenings.clear()
        self.clock.owed_ms = 0.0
        self.jumped = True

    def switch(self) -> None:
        """Switch the technique on or off.

        The meter begins again, so that its figures are those of one value.
        """
        self.whole()
        self.meter = TickMeter()
        tick = self.world.tick
        self.run.switch()
        if self.world.tick != tick:
            self._jump()
        else:
            self.ghost = take_picture(self.run.ab_run.ghost.world, self.ghost)

    def again(self) -> None:
        """Restart from the first tick."""
        self.run.restart()
        self._jump()
