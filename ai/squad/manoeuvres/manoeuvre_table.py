"""Table of manoeuvres by name."""

from __future__ import annotations

from types import MappingProxyType

from ai.squad.emergent.fire_and_movement import FIRE_AND_MOVEMENT
from ai.squad.houses.door_assault import DOOR_ASSAULT
from ai.squad.houses.search_house import SEARCH_HOUSE
from ai.squad.manoeuvres.base_of_fire import BASE_OF_FIRE
from ai.squad.manoeuvres.bounding_overwatch import BOUND_FORWARD, PULL_BACK
from ai.squad.manoeuvres.charge import CHARGE
from ai.squad.manoeuvres.exit_cover import COVER_EXITS
from ai.squad.manoeuvres.fall_back import FALL_BACK
from ai.squad.manoeuvres.hold_ground import HOLD_GROUND
from ai.squad.manoeuvres.manoeuvre import Manoeuvre, Table
from ai.squad.manoeuvres.room_entry import CLEAR_ROOM
from ai.squad.manoeuvres.suppress_and_flank import FLANK, FLANK_LEFT, FLANK_RIGHT

_ALL: tuple[Manoeuvre, ...] = (
    BOUND_FORWARD, PULL_BACK, FLANK, FLANK_LEFT, FLANK_RIGHT, CLEAR_ROOM, FALL_BACK, HOLD_GROUND, BASE_OF_FIRE,
    COVER_EXITS, CHARGE, FIRE_AND_MOVEMENT, SEARCH_HOUSE, DOOR_ASSAULT,
)  # fmt: skip

MANOEUVRES: Table = MappingProxyType({one.name: one for one in _ALL})
"""Manoeuvre of each name."""
