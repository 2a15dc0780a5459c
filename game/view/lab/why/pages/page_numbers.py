"""Numbers of tiles, doors, paths and sounds that change in time.

No history keeps them, because there are as many as tiles. They are read from the world of one tick. Units: shares from
0 to 1, tiles, units, and the influence of a layer.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ai.grid.terrain import ORDINARY_COST
from ai.perception.stimuli.stimulus_board import StimulusKind
from game.minds.agent_view import SIDE_WORDS
from game.sim.timeline.unit_numbers import COUNTS
from game.systems.interaction.doors import units_in
from game.systems.noise import path_of_sound
from game.systems.stealth.foresight import lightness
from game.view.lab.why.pages.page import DOOR, PATH, TILE, Subject
from game.view.lab.why.pages.place_readings import asking_units, path_points

CROWD = 2.0
"""Tiles around the middle of a tile in which units are its crowd."""
STEP = 0.5
"""Tiles between two readings of the cost along a path."""
LIGHT, CROWDED = "light", "crowd"
OPEN, ASKING, INSIDE = "open", "ask for it", "stand in it"
AHEAD, COST = "tiles ahead", "cost ahead"
LOUDNESS = "loudness heard"
WHOLE = *COUNTS, CROWDED, OPEN, ASKING, INSIDE
"""Numbers without decimals."""
READ = TILE, PATH, DOOR
"""Kinds of things with numbers that :func:`numbers_of` reads."""
Numbers = dict[str, float]


def numbers_of(world: Any, subject: Subject) -> Numbers:
    """Return the numbers of a tile, a path or a door by name.

    A thing that is gone has none.
    """
    if subject.kind == TILE:
        return _of_tile(world, (subject.key[0], subject.key[1]))
    if subject.kind == DOOR:
        return _of_door(world, subject.key[0])
    return _of_path(world, subject.key[0]) if subject.kind == PATH else {}


def number_words(name: str, value: float) -> str:
    """Return a value of a number as text."""
    return f"{value:.{0 if name in WHOLE else 2}f}"


def _of_tile(world: Any, tile: tuple[int, int]) -> Numbers:
    if not world.terrain.inside(*tile):
        return {}
    u, (y, x) = world.units, (tile[0] + 0.5, tile[1] + 0.5)
    living = u.living()
    near = np.hypot(u.x[living] - x, u.y[living] - y) <= CROWD
    made = {LIGHT: float(lightness(world, x, y)), CROWDED: float(np.count_nonzero(near))}
    return made | influence_of(world, tile)


def influence_of(world: Any, tile: tuple[int, int]) -> Numbers:
    """Return the published layers of each living side at a tile, by name."""
    made = {}
    for side in np.unique(world.units.side[world.units.living()]).tolist():
        state = world.influence.of(side)
        for layer, values in (state.maps() if state is not None else {}).items():
            made[f"{SIDE_WORDS[side]}: {layer.replace('_', ' ')}"] = float(values[tile])
    return made


def _of_door(world: Any, number: int) -> Numbers:
    door = world.door(number)
    if door is None:
        return {}
    asking = float(len(asking_units(world, door)))
    return {OPEN: float(door.open), ASKING: asking, INSIDE: float(len(units_in(world, door)))}


def _of_path(world: Any, unit: int) -> Numbers:
    u = world.units
    slot = int(u.slot_of[unit]) if 0 <= unit < len(u.slot_of) else -1
    if slot < 0:
        return {}
    store = world.paths.store
    if slot >= store.capacity or not store.path_len[slot]:
        return {AHEAD: 0.0, COST: 0.0}
    points = path_points(world, slot)
    lengths = np.hypot(*np.diff(points, axis=0).T)
    return {AHEAD: float(lengths.sum()), COST: cost_along(world, points, lengths)}


def cost_along(world: Any, points: np.ndarray, lengths: np.ndarray) -> float:
    """Return the cost of a line, read every half tile.

    Its unit is a tile of ordinary ground.
    """
    terrain, total = world.terrain, 0.0
    for start, step, length in zip(points[:-1], np.diff(points, axis=0), lengths.tolist(), strict=True):
        parts = max(math.ceil(length / STEP), 1)
        at = start + step * ((np.arange(parts) + 0.5) / parts)[:, None]
        x = np.clip(at[:, 0].astype(np.int64), 0, terrain.width - 1)
        y = np.clip(at[:, 1].astype(np.int64), 0, terrain.height - 1)
        total += float(terrain.cost[y, x].mean()) / ORDINARY_COST * length
    return total


def certainty(far: float, reach: float) -> float:
    """Return the certainty of a sound: 1 at its source, 0 at earshot."""
    return max(0.0, min(1.0, 1.0 - far / reach)) if reach > 0 and math.isfinite(far) else 0.0


def loudest(world: Any, row: Any) -> float:
    """Return how surely the nearest of its hearers heard a recorded sound."""
    _, _, kind, x, y, radius, _, hearers = row
    if kind == StimulusKind.STEPS and len(hearers):
        return 1.0
    sure = (certainty(path_of_sound(world, x, y, hx, hy), radius * keen) for _, hx, hy, keen in hearers.tolist())
    return max(sure, default=0.0)
