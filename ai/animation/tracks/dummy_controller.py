"""Dummy controller: ends orders as told, for tests without a body.

A policy for each kind of act says how its orders end: done or failed after so many ticks, or never. The dummy has the
interface of the track controller, so a mind cannot tell them apart. The other half of the isolation is a script of
orders: it gives the orders that a mind would give, so that a body is tested without a mind.

Source: "Game AI Pro 2", 12.8 (testing in isolation).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Protocol

from ai.animation.tracks.act_kinds import Reason, Status
from ai.animation.tracks.act_order import ActOrder
from ai.animation.tracks.track_controller import End
from ai.core.serialization import record


class Controller(Protocol):
    """Interface of a body to a mind."""

    def order(self, act: ActOrder, tick: int) -> int:
        """Give an order and return its handle."""

    def advance(self, tick: int) -> list[int]:
        """Carry all acts on; return the handles that wait for a report."""

    def status(self, handle: int) -> End:
        """Return the status of an order."""


@record
class Policy:
    """End of all orders of a kind.

    A reason of NONE means done; ``ticks`` below 0 means never.
    """

    ticks: int = 0
    reason: int = Reason.NONE


@record
class DummyController:
    """Controller without tracks; a kind without a policy is done in its own length."""

    policies: dict[int, Policy] = field(default_factory=dict)
    orders: list[tuple[int, ActOrder]] = field(default_factory=list)
    """Tick and order, by handle."""
    tick: int = 0

    def order(self, act: ActOrder, tick: int) -> int:
        """Keep an order and return its handle."""
        self.orders.append((tick, act))
        self.tick = max(self.tick, tick)
        return len(self.orders) - 1

    def advance(self, tick: int) -> list[int]:
        """Go on to a tick; no order waits for a report."""
        self.tick = tick
        return []

    def status(self, handle: int) -> End:
        """Return the status that the policy gives at the present tick."""
        begun, act = self.orders[handle]
        policy = self.policies.get(act.kind, Policy(act.length))
        if 0 <= policy.ticks <= self.tick - begun:
            reason = Reason(policy.reason)
            return End(Status.DONE if reason == Reason.NONE else Status.FAILED, reason)
        if self.tick >= act.deadline:
            return End(Status.FAILED, Reason.TIMED_OUT)
        return End(Status.RUNNING)


def play(controller: Controller, script: Iterable[tuple[int, ActOrder]], ticks: int) -> list[tuple[int, int, str]]:
    """Play orders at their ticks; return each change as (tick, handle, status word)."""
    orders, log = list(script), list[tuple[int, int, str]]()
    known: dict[int, Status] = {}
    for tick in range(ticks):
        for act in (act for at, act in orders if at == tick):
            known[controller.order(act, tick)] = Status.PENDING
        controller.advance(tick)
        for handle, before in known.items():
            now = controller.status(handle).status
            if now != before and before < Status.DONE:
                known[handle] = now
                log.append((tick, handle, now.name.lower()))
    return log


TECHNIQUES = (
    {
        "slug": "dummy-controller",
        "name": "Dummy controller for tests in isolation",
        "ids": ("GP2-12.10",),
        "source": "Game AI Pro 2, 12.8",
        "functions": ("DummyController.status", "play"),
        "test": "tests/ai/animation/tracks/test_dummy_controller.py",
        "reason": "a tool of tests, not a technique that a player sees",
        "claim": (
            "In the library only: it ends orders with success, failure or silence for tests of a body without a mind."
        ),
    },
)
