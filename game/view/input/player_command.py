"""Command of the player: label, key, condition and order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from game.world.groups.drill import Drill
from game.world.orders import Order, OrderKind


@dataclass(frozen=True)
class Situation:
    """State on which the availability of commands depends.

    It is read from the picture and the screen.
    """

    selected: tuple[int, ...] = ()
    side: int = 0
    stances: frozenset[int] = frozenset()
    paces: frozenset[int] = frozenset()
    fires: frozenset[int] = frozenset()
    carrying: bool = False
    armed: bool = True
    usable_near: bool = True
    tools: frozenset[str] = frozenset()
    """Abilities of the selected units."""
    toolbox: bool = False
    """True if any unit of the side has abilities.

    The card then shows the row of tools.
    """
    lamps: bool = True
    """True if the map has lamps that can be switched."""
    dragging: bool = False
    over: bool = False
    sandbox: bool = False
    preparing: str = ""
    """Progress of the kernels that lead groups; empty when they are ready."""
    drill: Drill = field(default_factory=Drill)
    """Drill of the selected unit with the lowest id that has a formation."""
    plays: tuple[tuple[str, str], ...] = ()
    """Names and labels of the plays that can be ordered."""


Reason = Callable[[Situation], str]
OrderMaker = Callable[[Situation], Order]


@dataclass(frozen=True)
class Command:
    """Row of the table of commands.

    ``target`` names the kind of thing that the next click must hit; it is empty for a command that acts at once.
    ``reason`` returns a text that says why the command cannot be given now, or an empty text when it can.
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
    """Return why a command for selected units cannot be given; empty when it can."""
    if situation.over:
        return "the mission is over"
    return "" if situation.selected else "select a unit first"
