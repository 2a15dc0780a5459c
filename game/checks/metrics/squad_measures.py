"""Measures of squads: unwatched exits, doubly taken missions, averted eyes."""

from __future__ import annotations

import numpy as np

from ai.decision.blackboards.open_missions import all_missions
from ai.perception.sight.line_of_sight import lines_clear
from game.checks.metrics.tally import LOOKS, TICKS_A_SECOND, Tally
from game.world.world import World

WATCHES_TO = 6.5
"""Tiles from an exit within which a unit watches it."""
LOOKS_TO = np.radians(60.0)
"""Angle between heading and place within which a unit looks at it."""
NEAR = 14.0
"""Tiles within which an enemy matters to a unit that halts."""


def _looking(world: World, slots: np.ndarray, x: float, y: float, reach: float) -> np.ndarray:
    """Return which living units are within reach of a place and look at it."""
    u = world.units
    dx, dy = x - u.x[slots], y - u.y[slots]
    off = np.abs((np.arctan2(dy, dx) - u.facing[slots] + np.pi) % (2 * np.pi) - np.pi)
    return np.asarray((u.alive[slots] != 0) & (off <= LOOKS_TO) & (np.hypot(dx, dy) <= reach))


def unwatched(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds of all covered exits without a unit that watches."""
    if tally.ticks % LOOKS:
        return
    u, mine = world.units, set(tally.units.tolist())
    for squad in world.squads.rows.values():
        boards = world.squads.boards.get(squad.side)
        if mine.isdisjoint(squad.members) or boards is None or squad.id not in boards.groups:
            continue
        for key, exit_at in sorted(boards.groups[squad.id].entries.items()):
            if not key.startswith("exit"):
                continue
            eyes = u.slots(squad.members)
            eyes = eyes[_looking(world, eyes, exit_at.x, exit_at.y, WATCHES_TO) & (u.moving[eyes] == 0)]
            tiles = np.column_stack([u.y[eyes], u.x[eyes]]).astype(np.int32)
            ends = np.empty_like(tiles)
            ends[:] = int(exit_at.y), int(exit_at.x)
            if not lines_clear(world.terrain.opaque, tiles, ends).any():
                tally.value += LOOKS / TICKS_A_SECOND


def taken_twice(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds of all missions in which they have more takers than places."""
    for boards in world.squads.boards.values():
        for board in boards.groups.values():
            over = sum(len(one.takers) > one.capacity for one in all_missions(board.missions))
            tally.value += over / TICKS_A_SECOND


def averted(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return unit-seconds of halts in which a unit looks away from the nearest enemy."""
    if tally.ticks % LOOKS:
        return
    u = world.units
    foes = u.living()
    for slot in slots[(u.alive[slots] != 0) & (u.moving[slots] == 0)].tolist():
        others = foes[u.side[foes] != u.side[slot]]
        far = np.hypot(u.x[others] - u.x[slot], u.y[others] - u.y[slot])
        if len(far) and far.min() <= NEAR:
            k = int(others[np.argmin(far)])
            looks = _looking(world, np.array([slot]), float(u.x[k]), float(u.y[k]), np.inf)[0]
            tally.value += 0.0 if looks else LOOKS / TICKS_A_SECOND


def unnoticed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds from an edit of the map until a squad plans again."""
    begun, noticed = tally.memory or (False, False)
    begun |= any(event.kind == "edit" for event in world.events)
    noticed |= begun and any(event.kind == "manoeuvre" and "plans again" in event.text for event in world.events)
    tally.memory = (begun, noticed)
    if begun and not noticed:
        tally.value += 1.0 / TICKS_A_SECOND
