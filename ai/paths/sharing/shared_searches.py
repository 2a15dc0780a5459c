"""Searches that several units share, as state: which there are, and whom each serves.

Source: "Game AI Pro 2", 17.4 (flow field by reverse Dijkstra).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import derived, record
from ai.search.fields.flow_field import FlowField
from ai.search.hierarchy.shortest_path_tree import ShortestPathTree

REACH = 24
"""Places within so many tiles of a field's goal, by the longer axis, share it."""


def about(movement_class: int, goal: tuple[int, int], classes: np.ndarray, goals: np.ndarray) -> np.ndarray:
    """bool[n]: units of that class whose places are within REACH of ``goal``."""
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
        """bool[n]: for which units of classes ``klass`` with places ``goals`` int[n, 2] it is."""
        return about(self.movement_class, self.goal, classes, goals)


@record
class SharedTree:
    """A tree of ways over clusters towards one tile; ``reach`` how far it is grown, -1 not yet, on the terrain of
    ``revision``; ``settled`` nodes that took.  Its members are named by the column ``led_by`` of the requests."""

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
    """The fields that are in use, oldest first, and the trees by number."""

    fields: list[SharedField] = field(default_factory=list)
    trees: dict[int, SharedTree] = field(default_factory=dict)
    next_tree: int = 0
    looked: int = -1  # ticket up to which crowds have been looked for
    seen: int = -1  # ticket up to which a crowd has been looked for
