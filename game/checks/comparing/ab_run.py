"""A/B run: the same moment continued with a technique on and off.

The second world starts as a copy of the first at some tick and differs in one setting; both get the same orders.
Every later difference is an effect of the technique. Exhibits use it and show the other run as a ghost.
"""

from __future__ import annotations

from game.sim.session import Session
from game.world.orders import Order
from game.world.world import restore_world

Value = bool | int | float | str


class ABRun:
    """``shown`` is the run being watched, ``ghost`` the other one."""

    def __init__(self, shown: Session, ghost: Session, setting: str, on: Value, off: Value) -> None:
        self.shown = shown
        self.ghost = ghost
        self.setting = setting
        self.on = on
        self.off = off
        self.shows_on = True

    @classmethod
    def fork(cls, session: Session, setting: str, on: Value, off: Value) -> ABRun:
        """Split a session: it continues with ``setting`` on, its copy with it off."""
        session.finish_tick()
        again = restore_world(session.world.snapshot(), session.world)
        given, units = session.given_settings, session.extra_units
        other = Session(session.level, session.seed, given, units, recording=False, world=again)
        session.set(setting, on)
        other.set(setting, off)
        return cls(session, other, setting, on, off)

    def run_with(self, on: bool) -> Session:
        """Return the run in which the technique is on, or off."""
        return self.shown if self.shows_on == on else self.ghost

    def give(self, order: Order) -> None:
        """Give an order to both runs."""
        self.shown.give(order)
        self.ghost.give(order)

    def advance(self) -> None:
        """Advance both runs by one tick."""
        self.shown.advance()
        self.ghost.advance()

    def switch(self) -> None:
        """Switch the shown world; the ghost restarts as its copy with the other setting.

        The two diverge from the moment of switching, so that you see the difference grow.
        """
        self.shown.finish_tick()
        self.shows_on = not self.shows_on
        self.ghost.world = restore_world(self.shown.world.snapshot(), self.shown.world)
        self.shown.set(self.setting, self.on if self.shows_on else self.off)
        self.ghost.set(self.setting, self.off if self.shows_on else self.on)
