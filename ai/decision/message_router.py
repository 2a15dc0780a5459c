"""Message router between minds: alarms, delayed reactions, timers.

A message is handled completely before the next one starts, so no machine is entered twice. A message with delay 0 sent
from inside a handler is delivered in the same tick, right after that handler. The order is by due tick, then by the
order of sending, the same in every process. Messages to dead units are dropped. So are scoped messages whose receiver
has left the state they were meant for.

Source: AI Game Programming Wisdom, 6.6. Units: ticks.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import field
from enum import IntEnum

from ai.core.serialization import record

CHAIN_LIMIT = 10_000
"""Most messages that one call may deliver; more count as an endless exchange."""


class Redundancy(IntEnum):
    """Treatment of a delayed message when an identical one is already waiting."""

    IGNORE = 0  # keep the old one: the default, and best
    REPLACE = 1  # restart the delay: under steady sending no message ever arrives
    KEEP = 2  # keep both: they pile up, and the first to return may be cut short later


@record
class Message:
    """Message between units.

    ``scope`` names the entry into a state for which it is meant ("" = any state).
    """

    name: str
    sender: int
    receiver: int
    sent_at: int
    due: int
    serial: int
    scope: str = ""
    data: dict[str, float | int | str] = field(default_factory=dict)


def _key(message: Message) -> tuple[int, int]:
    return message.due, message.serial


@record
class MessageRouter:
    """Routes the messages of a world.

    It holds the waiting messages in order of delivery, and counts of the others.
    """

    waiting: list[Message] = field(default_factory=list)
    serial: int = 0
    delivered: int = 0
    ignored: int = 0
    dropped_dead: int = 0
    dropped_scope: int = 0

    def send(
        self,
        name: str,
        sender: int,
        receiver: int,
        tick: int,
        delay: int = 0,
        *,
        data: dict[str, float | int | str] | None = None,
        scope: str = "",
        redundancy: Redundancy = Redundancy.IGNORE,
    ) -> bool:
        """Queue a message for ``delay`` ticks from now.

        0 means within this tick's delivery. Returns False when an identical waiting message made it redundant. Raises
        ValueError for a negative delay.
        """
        if delay < 0:
            raise ValueError(f"message {name}: delay must not be negative, got {delay} ticks")
        if delay > 0 and redundancy != Redundancy.KEEP:
            ab_run = next((m for m in self.waiting if _same(m, name, sender, receiver, scope)), None)
            if ab_run is not None and redundancy == Redundancy.IGNORE:
                self.ignored += 1
                return False
            if ab_run is not None:
                self.waiting.remove(ab_run)
        made = Message(name, sender, receiver, tick, tick + delay, self.serial, scope, dict(data or {}))
        self.serial += 1
        insort(self.waiting, made, key=_key)
        return True

    def deliver(
        self,
        tick: int,
        alive: Callable[[int], bool],
        scope_of: Callable[[int], str],
        give: Callable[[Message], object],
    ) -> int:
        """Deliver all messages due by ``tick``; return the number delivered.

        Messages that receivers send with delay 0 are included. ``alive(id)``: whether a receiver still exists;
        ``scope_of(id)``: the state entry it is in; ``give(message)``: its message handler. Raises RuntimeError for an
        endless exchange.
        """
        given = 0
        while self.waiting and self.waiting[0].due <= tick:
            message = self.waiting.pop(0)
            if not alive(message.receiver):
                self.dropped_dead += 1
            elif message.scope and scope_of(message.receiver) != message.scope:
                self.dropped_scope += 1
            else:
                given += 1
                if given > CHAIN_LIMIT:
                    raise RuntimeError(f"endless exchange of messages at tick {tick}, last {message.name}")
                give(message)
        self.delivered += given
        return given

    def cancel(self, receiver: int, name: str | None = None) -> int:
        """Cancel the messages waiting for ``receiver``; return their number.

        With ``name``, only messages of this name.
        """
        kept = [m for m in self.waiting if m.receiver != receiver or (name is not None and m.name != name)]
        gone = len(self.waiting) - len(kept)
        self.waiting = kept
        return gone

    def receivers(self, tick: int) -> list[int]:
        """Return the ids of receivers with a message due by ``tick``, ascending."""
        due = set()
        for message in self.waiting:
            if message.due > tick:
                break
            due.add(message.receiver)
        return sorted(due)

    def pending(self, receiver: int) -> list[Message]:
        """Return the messages waiting for ``receiver``, soonest first."""
        return [m for m in self.waiting if m.receiver == receiver]


def _same(m: Message, name: str, sender: int, receiver: int, scope: str) -> bool:
    return m.name == name and m.sender == sender and m.receiver == receiver and m.scope == scope


TECHNIQUES = (
    {
        "slug": "message-router",
        "name": "Message router: immediate and delayed",
        "ids": ("AW-6.6-1",),
        "source": "AI Game Programming Wisdom, 6.6",
        "functions": ("MessageRouter.send", "MessageRouter.deliver"),
        "test": "tests/ai/decision/test_message_router.py",
        "exhibit": "levels/exhibits/minds/canvass.interrupt.toml",
        "overlay": "timeline",
        "reason": "Every mind runs on it, so no setting switches it off.",
        "claim": "As told; a repeated message may also be dropped or replace the first.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
