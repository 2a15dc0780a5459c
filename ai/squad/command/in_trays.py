"""In-trays of a command hierarchy: messages that arrive after a delay.

Sources: Ian Millington and John Funge, AI for Games, 6.4.1 (each tier reads orders from its in-tray, and reports go
up: done, failed, stuck, spotted, casualties); John Reynolds, AI Game Programming Wisdom, 5.5 (commander, captain,
soldier; upper ranks act on messages alone). The delay is ours: a message is called over the distance between sender and
receiver. Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

import math

from ai.core.serialization import record

TICKS_A_SECOND = 20
COMMANDER = -1
"""Address of the commander; squads have their ids."""
REPORTS = "status", "spotted", "in_position", "done", "failed", "stuck", "casualty"
"""Kinds of messages that go up; ``order`` goes down."""


@record
class CommandMessage:
    """CommandMessage between a squad and its commander.

    ``parent`` is the number of the order that the message is about, -1 none. ``amount`` is a strength or a count.
    """

    number: int
    kind: str
    sender: int
    receiver: int
    sent: int
    due: int
    x: float = 0.0
    y: float = 0.0
    amount: float = 0.0
    text: str = ""
    parent: int = -1
    enemies: int = 0
    """Enemies that the sender knows of."""


def delay(sender: tuple[float, float], receiver: tuple[float, float], speed: float) -> int:
    """Return the ticks of a message; ``speed`` is in tiles a second."""
    return max(1, math.ceil(math.dist(sender, receiver) / speed * TICKS_A_SECOND))


def take_due(tray: list[CommandMessage], tick: int) -> list[CommandMessage]:
    """Take the messages out of a tray that have arrived, by arrival and number."""
    arrived = sorted((m for m in tray if m.due <= tick), key=lambda m: (m.due, m.number))
    tray[:] = [m for m in tray if m.due > tick]
    return arrived


TECHNIQUES = (
    {
        "slug": "command-hierarchy",
        "name": "Command hierarchy with in-trays",
        "ids": ("AW-5.5-1", "AFG6.4.1", "AFG6.4.2"),
        "source": "AI Game Programming Wisdom, 5.5; AI for Games, 6.4.1",
        "functions": ("delay", "take_due"),
        "test": "tests/game/minds/squad/test_commander.py",
        "exhibit": "levels/exhibits/squads/two_objectives.toml",
        "overlay": "paths",
        "setting": "tactics.commands",
        "measure": "held",
        "direction": "up",
        "claim": (
            "Captains and sergeants are one rank, the squad. A message takes time by distance. A member that is "
            "stuck tells its squad; the commander hears of the failure of a whole manoeuvre only."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
