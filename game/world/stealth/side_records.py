"""Side records: watchers seen, enemies lost, and guards that went to look."""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record
from ai.perception.awareness.exposure_map import ExposureMap
from ai.perception.memory.last_known_position import SideBeliefs
from ai.perception.memory.occupancy_map import OccupancyMap
from ai.perception.memory.possibility_map import PossibilityMap


@record
class Sighting:
    """Last sighting of a watcher: place in tiles, facing in radians, tick.

    The gaze wanders about the facing.
    """

    unit: int
    x: float
    y: float
    facing: float
    tick: int


@record
class SideSightings:
    """Sightings of other sides' watchers by unit id, and the exposure map.

    One record per side.
    """

    side: int
    chart: ExposureMap
    about: dict[int, Sighting] = field(default_factory=dict)


@record
class SideKnowledge:
    """Knowledge of one side."""

    side: int
    beliefs: SideBeliefs
    maps: list[PossibilityMap] = field(default_factory=list)
    chances: list[OccupancyMap] = field(default_factory=list)
    """Chance map of each lost enemy, beside its possibility map."""

    def map_of(self, target: int) -> PossibilityMap | None:
        """Return the possible places of a lost enemy, or None."""
        return next((m for m in self.maps if m.unit == target), None)

    def chance_of(self, target: int) -> OccupancyMap | None:
        """Return the chance of a lost enemy per tile, None without a map."""
        return next((m for m in self.chances if m.target == target), None)

    def drop(self, target: int) -> None:
        """Remove the possible places of the enemy."""
        self.maps = [m for m in self.maps if m.unit != target]
        self.chances = [m for m in self.chances if m.target != target]


@record
class CompanionErrand:
    """Companion errand: a lone investigator, and the tick it is due back."""

    unit: int
    x: float
    y: float
    deadline: int
