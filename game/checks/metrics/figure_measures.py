"""Measures of figures: the work that posing them takes."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field

import numpy as np

from ai.animation.action_table import drawn_variant
from ai.animation.animation_blackboard import AnimationBlackboard, ClipClass, start_one
from ai.animation.animation_lod import PART_NAMES, posed_parts
from game.checks.metrics.tally import Tally
from game.systems.body.figure_detail import shipped_detail
from game.world.world import World

_SIDE_BY_SIDE = 8.0
"""Tiles within which two equal gestures are seen as twins."""
_ZOOM = 32
"""Pixels a tile of the window that the measure counts for."""


def posed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return parts of figures posed a tick, the run's mean.

    ``counted`` names the region that stands for the window. ValueError for a region that the map does not have.
    """
    region = world.region(tally.counted)
    if region is None:
        raise ValueError(f"counted names {tally.counted!r}, which is no region of {world.level_name}")
    u, detail = world.units, shipped_detail()
    if not world.settings.figures.lod:
        tally.mean_in(float(len(PART_NAMES) * len(slots)))
        return
    at = zip(u.x[slots].tolist(), u.y[slots].tolist(), strict=True)
    in_view = np.array([region.contains(x, y) for x, y in at], bool)
    tally.mean_in(float(posed_parts(detail.sets, *detail.levels(u.radius[slots], _ZOOM, in_view)).sum()))


@dataclass
class _Gestures:
    """Gestures of scenes, started by the rules of the window."""

    board: AnimationBlackboard = field(default_factory=lambda: AnimationBlackboard(size=512))
    names: list[str] = field(default_factory=list)
    shows: dict[int, str] = field(default_factory=dict)
    """Behaviour of each unit whose gesture has begun."""


def twins(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return gestures that began in the same tick as the same one near by.

    They are gestures of scenes, begun by the rules of the window. A gesture that repeats within its behaviour is not
    counted.
    """
    u, switches = world.units, world.settings.figures
    state = _Gestures() if tally.memory is None else copy.deepcopy(tally.memory)
    state.board.refuses, state.board.exemption = switches.blackboard, switches.exemption
    given = world.scenes.gestures(u)
    state.shows = {unit: name for unit, name in state.shows.items() if unit in given and given[unit].name == name}
    begun: list[tuple[int, float, float]] = []
    for unit in sorted(given.keys() - state.shows.keys()):
        behaviour, slot = given[unit], u.slot(unit)
        state.names += [name for name in behaviour.gesture if name not in state.names]
        clips = [state.names.index(name) for name in behaviour.gesture]
        kind = ClipClass.REACTION if behaviour.reacts else ClipClass.AMBIENT
        x, y = float(u.x[slot]), float(u.y[slot])
        clip = start_one(state.board, clips, drawn_variant(len(clips), world.tick, unit), kind, world.tick, x, y)
        if clip >= 0:
            state.shows[unit] = behaviour.name
            begun.append((clip, x, y))
    tally.memory = state
    for k, (clip, x, y) in enumerate(begun):
        others = begun[:k] + begun[k + 1 :]
        tally.value += any(c == clip and math.hypot(ox - x, oy - y) < _SIDE_BY_SIDE for c, ox, oy in others)
