"""Dummy controller: ends orders as told, for tests without a body.

A policy for each kind of act says how its orders end: done or failed after so many ticks, or never. The dummy has the
interface of the track controller, so a mind cannot tell them apart. The other half of the isolation is a script of
orders: it gives the orders that a mind would give, so that a body is tested without a mind.

Source: "Game AI Pro 2", 12.8 (testing in isolation).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple, Protocol

from ai.animation.tracks.act_kinds import Reason, Status
from ai.animation.tracks.track_controller import ENDLESS, NO_DEADLINE, End
from ai.core.serialization import record


class Controller(Protocol):
    """Interface of a body to a mind."""

    def order(
        self,
        unit: int,
        kind: int,
        tick: int,
        length: int = ENDLESS,
        target: int = -1,
        value: float = 0.0,
        deadline: int = NO_DEADLINE,
    ) -> int:
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
    orders: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    """Tick, unit, kind, length and deadline of each order, by handle."""
    tick: int = 0

    def order(
        self,
        unit: int,
        kind: int,
        tick: int,
        length: int = ENDLESS,
        target: int = -1,
        value: float = 0.0,
        deadline: int = NO_DEADLINE,
    ) -> int:
        """Keep an order and return its handle."""
        self.orders.append((tick, unit, kind, length, deadline))
        self.tick = max(self.tick, tick)
        return len(self.orders) - 1

    def advance(self, tick: int) -> list[int]:
        """Go on to a tick; no order waits for a report."""
        self.tick = tick
        return []

    def status(self, handle: int) -> End:
        """Return the status that the policy gives at the present tick."""
        begun, _, kind, length, deadline = self.orders[handle]
        policy = self.policies.get(kind, Policy(length))
        if 0 <= policy.ticks <= self.tick - begun:
            reason = Reason(policy.reason)
            return End(Status.DONE if reason == Reason.NONE else Status.FAILED, reason)
        if self.tick >= deadline:
            return End(Status.FAILED, Reason.TIMED_OUT)
        return End(Status.RUNNING)


class Given(NamedTuple):
    """Order of a script."""

    tick: int
    unit: int
    kind: int
    length: int = ENDLESS


def play(controller: Controller, script: Iterable[Given], ticks: int) -> list[tuple[int, int, str]]:
    """Play a script; return each change as tick, handle and status in words."""
    orders, log = sorted(script, key=lambda given: given.tick), list[tuple[int, int, str]]()
    known: dict[int, Status] = {}
    for tick in range(ticks):
        for given in (g for g in orders if g.tick == tick):
            known[controller.order(given.unit, given.kind, tick, given.length)] = Status.PENDING
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
        "claim": "The policies are success, failure and silence.",
    },
)
