"""Settings of groups and formations."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ai.core.serialization import record


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


def _choice(default: str, doc: str, choices: tuple[str, ...]) -> Any:
    return field(default=default, metadata={"doc": doc, "choices": choices})


def _switch(default: bool, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc})


@record
class FormationSettings:
    """Lengths in tiles, times in seconds unless named ticks."""

    together: bool = _switch(True, "units with a formation move as a group; off: everybody for himself")
    period: float = _number(0.5, "members aim at where their slot will be after this, s: small is tight", 0.05, 5.0)
    adapt: bool = _switch(True, "a group thins out where its way is narrow; off: it keeps its shape")
    part: bool = _switch(True, "a group that does not fit past an obstacle parts and passes it on both sides")
    adapt_every: int = _number(5, "ticks between two looks at the fifteen candidates", 1, 100)
    bend: float = _number(1.3, "a group at most so far to either side of its way bends with it, tiles", 0.0, 16.0)
    longest: float = _number(
        30.0,
        "a column longer than this does not march: members pass a narrow place each for "
        "himself and form again behind it, tiles",
        1.0,
        1000.0,
    )
    wait: bool = _switch(True, "the group slows down for those behind")
    cruise: float = _number(0.9, "share of its slowest member's speed at which a group goes", 0.1, 1.0)
    catch_up: float = _number(1.25, "how many times the group's speed a member out of its slot may go", 1.0, 4.0)
    rest: float = _number(0.12, "a member this near to a standing slot has come to rest, tiles", 0.02, 1.0)
    leave: float = _number(0.5, "pushed so much farther from its slot a resting member goes back, tiles", 0.1, 4.0)
    straight: float = _number(24.0, "longest straight way to a slot; beyond it members take paths, tiles", 1.0, 64.0)
    share_from: int = _number(10, "so many of a group without a straight way to their slots share a field", 1, 10_000)
    rally: str = _choice(
        "as ordered",
        "where every group forms up, whatever its drill says",
        ("as ordered", "ahead", "start", "destination"),
    )
    matching: str = _choice(
        "as ordered",
        "who takes which slot in every group, whatever its drill says",
        ("as ordered", "optimal", "sorted", "nearest", "by_type", "arrival"),
    )
    optimal: int = _number(200, "groups larger than this get their slots by sorting", 0, 2000)
    form_patience: int = _number(160, "ticks after which a group sets out though not all are in their slots", 1, 10_000)
    settle_patience: int = _number(400, "ticks after which a group has arrived though not all rest", 1, 10_000)
    reserve: bool = _switch(True, "plays keep slots for unit types and named units; off: anybody takes any slot")
    budget: int = _number(20_000, "revolutions a tick for ways and fields of all groups", 1, 10_000_000)
    companies: bool = _switch(True, "groups in a company keep their formations, one behind the other; off: one mass")
    pipelines: bool = _switch(True, "each type's groups have stages of their own; off: all have the usual ones")
    give_way: bool = _switch(True, "at narrow places one group goes first and the other waits")
