"""Intents of a squad: wishes of a player or commander, and their manoeuvres.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (a squad has a set of permissible manoeuvres; the
fittest of them is chosen).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Intent:
    """Intent of a squad.

    ``choices`` are the manoeuvres to choose from by fitness. A single one is taken whatever its fitness. ``then`` is
    the intent that follows when a manoeuvre is done. ``at_enemy``: the goal is the nearest known enemy, if there is
    one. ``retreats``: a much weaker squad breaks off and pulls back. ``at_room``: the place means its room.
    ``in_houses``: an enemy that is believed in a room near the place is sought there. ``otherwise`` is the manoeuvre
    for a situation that none fits. ``words`` are the player's words for it.
    """

    choices: tuple[str, ...]
    words: str
    then: str = ""
    at_enemy: bool = False
    retreats: bool = False
    at_room: bool = False
    in_houses: bool = False
    otherwise: str = ""


INTENTS: Mapping[str, Intent] = MappingProxyType(
    {
        "take": Intent(("bound_forward", "suppress_and_flank", "suppress"), "take that place", "hold", at_enemy=True),
        "fight": Intent(
            ("bound_forward", "suppress_and_flank", "hold_ground", "suppress", "pull_back", "fall_back"),
            "fight as you see fit", "fight", at_enemy=True, retreats=True,
        ),
        "hold": Intent(("hold_ground",), "hold that place"),
        "defend": Intent(
            ("hold_ground", "clear_room", "search_house", "pull_back"), "defend that place and its houses",
            retreats=True, in_houses=True, otherwise="hold_ground",
        ),
        "relieve": Intent(
            (
                "bound_forward", "suppress_and_flank", "clear_room", "search_house", "hold_ground", "suppress",
                "pull_back",
            ),
            "relieve those who are at that place", "relieve", at_enemy=True, retreats=True, in_houses=True,
        ),
        "flank_left": Intent(("flank_left",), "flank to the left", "hold", at_enemy=True),
        "flank_right": Intent(("flank_right",), "flank to the right", "hold", at_enemy=True),
        "suppress": Intent(("suppress",), "keep their heads down", "", at_enemy=True),
        "pull_back": Intent(("pull_back",), "pull back by bounds", "hold"),
        "clear": Intent(("clear_room",), "clear that house", at_room=True),
        "cover_exits": Intent(("cover_exits",), "cover the exits of that house", at_room=True),
        "search": Intent(("search_house",), "cover the exits of that house and search it", at_room=True),
        "all_doors": Intent(("door_assault",), "go in through all doors of that room at once", at_room=True),
        "emergent": Intent(("fire_and_movement",), "fire and move, each by itself", "emergent", at_enemy=True),
        "charge": Intent(("charge",), "charge", "charge", at_enemy=True),
    }
)  # fmt: skip
"""Intent of each name; an order of kind SQUAD names one."""
