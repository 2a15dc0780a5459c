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
    """Settings of groups; lengths in tiles, times in seconds unless a setting names ticks."""

    together: bool = _switch(True, "units with a formation move as a group; off: each moves by itself")
    period: float = _number(0.5, "seconds ahead at which a member aims at its slot, s; small is tight", 0.05, 5.0)
    adapt: bool = _switch(True, "a group narrows where its path is narrow; off: it keeps its shape")
    part: bool = _switch(True, "a group too wide to pass an obstacle splits and passes it on both sides")
    adapt_every: int = _number(5, "ticks between two judgements of the fifteen candidates", 1, 100)
    bend: float = _number(1.3, "largest half width at which a group bends with its path, tiles", 0.0, 16.0)
    longest: float = _number(
        30.0,
        "a column longer than this does not march: members pass a narrow place one by one "
        "and form again behind it, tiles",
        1.0,
        1000.0,
    )
    wait: bool = _switch(True, "the group slows down for members behind")
    cruise: float = _number(0.9, "speed of a group, as a share of its slowest member's speed", 0.1, 1.0)
    catch_up: float = _number(
        1.25, "largest speed of a member out of its slot, as a multiple of the group's speed", 1.0, 4.0
    )
    rest: float = _number(0.12, "distance from a standing slot at which a member rests, tiles", 0.02, 1.0)
    leave: float = _number(
        0.5, "extra distance from its slot at which a pushed, resting member returns, tiles", 0.1, 4.0
    )
    straight: float = _number(24.0, "longest straight line to a slot; farther members take paths, tiles", 1.0, 64.0)
    share_from: int = _number(
        10, "members without a straight line to their slots from which they share a field", 1, 10_000
    )
    rally: str = _choice(
        "as ordered",
        "place where every group forms up, whatever its drill says",
        ("as ordered", "ahead", "start", "destination"),
    )
    matching: str = _choice(
        "as ordered",
        "slot assignment of every group, whatever its drill says",
        ("as ordered", "optimal", "sorted", "nearest", "by_type", "arrival"),
    )
    optimal: int = _number(200, "group size above which slots are assigned by sorting", 0, 2000)
    form_patience: int = _number(160, "ticks after which a group starts although members are missing", 1, 10_000)
    settle_patience: int = _number(400, "ticks after which a group has arrived although members still move", 1, 10_000)
    reserve: bool = _switch(True, "plays reserve slots for unit types and named units; off: any unit takes any slot")
    budget: int = _number(20_000, "revolutions per tick for the paths and fields of all groups", 1, 10_000_000)
    companies: bool = _switch(True, "groups in a company keep their formations, one behind another; off: one mass")
    pipelines: bool = _switch(True, "groups of each type have their own stages; off: all have the usual ones")
    give_way: bool = _switch(True, "at narrow places one group passes first and the other waits")
