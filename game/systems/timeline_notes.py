"""Timeline notes of the stages: small worlds only, never part of the hash."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ai.core.scheduling.update_timeline import MOST, Part
from ai.paths.state.path_trace import Decision
from game.world.world import World

_SEARCHES = np.ones(max(Decision) + 1, bool)
"""Per decision: true if the path manager acted, false if it only took note."""
_SEARCHES[[
    0, Decision.REQUESTED, Decision.QUEUED, Decision.WAITING, Decision.ARRIVED, Decision.CANCELLED, Decision.PARKED,
    Decision.HELD, Decision.HELD_OPEN, Decision.LOCAL_ASKED, Decision.RATE_LIMITED,
]] = False  # fmt: skip


def kept(world: World) -> bool:
    """Return true if the world is small enough to keep notes."""
    return world.units.next_id <= MOST


def note(world: World, part: Part, which: np.ndarray) -> None:
    """Note that a part ran for units.

    ``which`` is bool or uint8[count] by slot.
    """
    if kept(world):
        world.turns.timeline.note(world.tick, part, world.units.id[: world.units.count][which != 0])


def note_units(world: World, part: Part, units: Iterable[int]) -> None:
    """Note that a part ran for units, by id."""
    if kept(world):
        world.turns.timeline.note(world.tick, part, np.array(sorted(units), np.int64))


def note_groups(world: World, part: Part, groups: Iterable[int]) -> None:
    """Note that a part ran for groups, by id."""
    if kept(world):
        world.turns.groups_timeline.note(world.tick, part, np.array(sorted(groups), np.int64))


def note_paths(world: World) -> None:
    """Note the units whose paths the path manager processed in this tick."""
    if kept(world):
        rows = world.paths.trace.rows
        mine = rows[rows[:, 0] == world.tick]
        if not len(mine):
            return  # the note of the steering stage moves the timeline on to this tick
        mine = mine[_SEARCHES[np.maximum(mine[:, 2], 0)]]
        world.turns.timeline.note(world.tick, Part.PATH, np.unique(mine[:, 1]))
