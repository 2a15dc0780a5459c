"""One command of the player's: its words, its key, when it can be given, and what it makes of the situation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from game.world.groups.drill import Drill
from game.world.orders import Order, OrderKind


@dataclass(frozen=True)
class Situation:
    """What the availability of a command depends on, read from the picture and the screen once a frame."""

    selected: tuple[int, ...] = ()
    side: int = 0
    stances: frozenset[int] = frozenset()
    paces: frozenset[int] = frozenset()
    carrying: bool = False
    armed: bool = True
    usable_near: bool = True
    tools: frozenset[str] = frozenset()
    """Abilities that somebody among the selected has."""
    toolbox: bool = False
    """Whether anybody of the side has abilities, so that the card shows the row of tools."""
    lamps: bool = True
    """Whether the map has lamps that can be switched."""
    dragging: bool = False
    over: bool = False
    sandbox: bool = False
    prepared: bool = True
    """Whether the kernels that lead groups are ready."""
    drill: Drill = field(default_factory=Drill)
    """How the selected units move together: that of the one with the lowest id that has a formation."""
    plays: tuple[tuple[str, str], ...] = ()
    """Names and labels of the plays that can be ordered."""


Reason = Callable[[Situation], str]
OrderMaker = Callable[[Situation], Order]


@dataclass(frozen=True)
class Command:
    """One row.  ``target``: what the next click must name, ``""`` when it acts at once.

    ``reason`` returns why the command cannot be given now, in words, or an empty string when it can.
    """

    name: str
    words: str
    key: str
    group: str
    icon: str = ""
    help: str = ""
    target: str = ""
    kind: OrderKind = OrderKind.NONE
    order: OrderMaker | None = None
    reason: Reason = lambda situation: ""
    first: bool = False


def needs_units(situation: Situation) -> str:
    """Why a command that needs somebody selected cannot be given; empty when it can."""
    if situation.over:
        return "the mission is over"
    return "" if situation.selected else "select somebody first"
