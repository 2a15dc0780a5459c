"""State of shared searches: fields and trees, and the units each serves.

Source: "Game AI Pro 2", 17.4 (flow field by reverse Dijkstra).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record
from ai.search.fields.flow_field import FlowField
from ai.search.hierarchy.shortest_path_tree import ShortestPathTree

REACH = 24
"""Distance to a field's goal within which places share the field, tiles.

The distance is measured along the longer axis.
"""


def about(movement_class: int, goal: tuple[int, int], classes: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """Return bool[n]: units of that class with places within REACH of ``goal``."""
    return (classes == movement_class) & (np.abs(goals - np.array(goal)).max(axis=1, initial=0) <= REACH)


@record
class SharedField:
    """A field towards one tile, for one movement class."""

    movement_class: int
    goal: tuple[int, int]
    field: FlowField
    begun: int
    used: int

    def serves(self, classes: np.ndarray, goals: np.ndarray) -> np.ndarray:
        """Return ``bool[n]``: units that the field serves, by class and place.

        Places are int[n, 2].
        """
        return about(self.movement_class, self.goal, classes, goals)


@record
class SharedTree:
    """A tree of paths over clusters towards one tile.

    ``reach`` is how far it has grown, -1 for not yet, on the terrain of ``revision``; ``settled`` is the number of
    nodes settled for it. The column ``led_by`` of the requests names its members.
    """

    movement_class: int
    goal: tuple[int, int]
    begun: int
    used: int
    reach: int = -1
    revision: int = -1
    settled: int = 0
    grown: ShortestPathTree | None = derived(lambda: None)


@record
class SharedFields:
    """Fields in use, oldest first, and trees by number."""

    fields: list[SharedField] = field(default_factory=list)
    trees: dict[int, SharedTree] = field(default_factory=dict)
    next_tree: int = 0
    looked: int = -1  # last ticket for which crowds were searched
    seen: int = -1  # last ticket for which a crowd was searched
