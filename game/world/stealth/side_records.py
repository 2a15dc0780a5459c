"""Records of what a side knows: watchers seen, enemies lost, and guards that went to look."""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record
from ai.perception.awareness.exposure_map import ExposureMap
from ai.perception.memory.last_known_position import SideBeliefs
from ai.perception.memory.occupancy_map import OccupancyMap
from ai.perception.memory.possibility_map import PossibilityMap


@record
class Sighting:
    """A watcher as it was last seen: place in tiles, facing in radians (the gaze wanders about it), at a tick."""

    unit: int
    x: float
    y: float
    facing: float
    tick: int


@record
class SideSightings:
    """What one side has seen of the others' watchers, by unit id, and its exposure map."""

    side: int
    chart: ExposureMap
    about: dict[int, Sighting] = field(default_factory=dict)


@record
class SideKnowledge:
    """What one side knows."""

    side: int
    beliefs: SideBeliefs
    maps: list[PossibilityMap] = field(default_factory=list)
    chances: list[OccupancyMap] = field(default_factory=list)
    """How likely each lost enemy is to be where, beside where he may be at all."""

    def map_of(self, target: int) -> PossibilityMap | None:
        """The possible places of a lost enemy, None when nothing is kept of it."""
        return next((m for m in self.maps if m.unit == target), None)

    def chance_of(self, target: int) -> OccupancyMap | None:
        """How likely a lost enemy is to be on each tile, None when nothing is kept of it."""
        return next((m for m in self.chances if m.target == target), None)

    def drop(self, target: int) -> None:
        """Nothing is known any more of where he may be."""
        self.maps = [m for m in self.maps if m.unit != target]
        self.chances = [m for m in self.chances if m.target != target]


@record
class CompanionErrand:
    """One who went to look at something alone, and until when his comrades wait for him."""

    unit: int
    x: float
    y: float
    deadline: int
