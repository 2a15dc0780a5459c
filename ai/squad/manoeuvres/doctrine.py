"""Doctrine: the rules of a squad that an exhibit switches.

Manoeuvres read it from their situation; the settings tree of the game holds one record for all squads.
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record


@record
class Doctrine:
    """Rules that all squads of a world follow."""

    bounds: bool = field(default=True, metadata={"doc": "a pullback goes by bounds, else all run at once"})
    signals: bool = field(
        default=True, metadata={"doc": "members that clear a room wait for each other's signals, else nobody waits"}
    )
    guards_exits: bool = field(
        default=True, metadata={"doc": "a search of a house begins with a guard at each exit, else all search"}
    )
    all_doors: bool = field(
        default=True, metadata={"doc": "an assault through doors uses all of them at once, else the nearest"}
    )
    verifies: bool = field(
        default=True, metadata={"doc": "steps of a flank verify their conditions and are planned again, else none is"}
    )
    covered_way: float = field(
        default=1.0,
        metadata={"doc": "weight of cover from pursuers on the way of a pullback, 0: none", "low": 0, "high": 5},
    )
