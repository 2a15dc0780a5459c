"""Table of manoeuvres by name."""

from __future__ import annotations

from types import MappingProxyType

from ai.squad.manoeuvres.bounding_overwatch import BOUND_FORWARD, PULL_BACK
from ai.squad.manoeuvres.fall_back import FALL_BACK
from ai.squad.manoeuvres.manoeuvre import Manoeuvre, Table
from ai.squad.manoeuvres.room_entry import CLEAR_ROOM
from ai.squad.manoeuvres.suppress_and_flank import FLANK

_ALL: tuple[Manoeuvre, ...] = (BOUND_FORWARD, PULL_BACK, FLANK, CLEAR_ROOM, FALL_BACK)

MANOEUVRES: Table = MappingProxyType({one.name: one for one in _ALL})
"""Manoeuvre of each name."""
