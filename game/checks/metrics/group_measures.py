"""Measures of groups: shape, spread, and slots."""

from __future__ import annotations

import numpy as np

from ai.formation.formation_shapes import Shape
from game.checks.metrics.tally import LOOKS, Tally
from game.checks.shape_misfit import misfit
from game.systems.groups.slot_arrangement import play_for
from game.world.groups.drill import PLAY
from game.world.world import World

_SPACING = 1.2
"""Tiles between neighbours in a shape of units that have no common group."""


def spread(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Update the mean distance of the units from their centre."""
    u = world.units
    x, y = u.x[slots], u.y[slots]
    far = float(np.hypot(x - x.mean(), y - y.mean()).mean())
    tally.value += (far - tally.value) / (tally.ticks + 1)
    tally.done = tally.at_rest(world, slots)


def strangers(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return how many stand, or will stand, on a play's place for others."""
    tally.value, groups = 0.0, world.groups
    for row in np.unique(world.units.band[slots]).tolist():
        group = groups.rows.get(row)
        if group is None or group.drill.shape != PLAY or len(group.taken) != len(group.members):
            continue
        mine = world.units.slots(group.members)
        play = next(play for play in world.plays if play.name == group.drill.play)
        drawn = play_for(world, group.drill, mine).drawn[group.taken]
        who = [(world.types[int(world.units.kind[s])].name, world.names.get(int(world.units.id[s]), "")) for s in mine]
        stands = drawn >= 0
        tally.value += float((~play.fits(who)[np.flatnonzero(stands), drawn[stands]]).sum())
    tally.done = tally.at_rest(world, slots)


def crossed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return pairs of members whose straight lines to their slots cross, at worst."""
    u = world.units
    mine = slots[(u.band[slots] >= 0) & (u.alive[slots] == 1)]
    paths = np.column_stack([u.x[mine], u.y[mine], u.slot_x[mine], u.slot_y[mine]])
    tally.value = max(tally.value, float(crossings(paths)))
    tally.done = tally.at_rest(world, slots)


def crossings(paths: np.ndarray) -> int:
    """Return how many pairs of lines cross between their ends.

    The lines are float64[n, 4] (from x, y, to x, y).
    """
    a, b = paths[:, :2], paths[:, 2:]

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        """Return the turning direction from p over q to r [n, n, 2]."""
        across = (q - p)[..., 0] * (r - p)[..., 1] - (q - p)[..., 1] * (r - p)[..., 0]
        turns: np.ndarray = np.sign(np.round(across, 9))
        return turns

    one, other = (a[:, None], b[:, None]), (a[None], b[None])
    apart = side(*one, other[0]) * side(*one, other[1]) < 0
    return int((apart & apart.T).sum()) // 2


def unformed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the mean distance from the shape that ``counted`` names, in tiles.

    The mean is over units and over the walk.

    Several shapes, as in ``wedge, line``, are those of the control groups from the first on. A shape is laid over
    its units anew at each look, as it fits them best. ValueError for an unknown shape.
    """
    shapes = [part.strip().upper() for part in tally.counted.split(",")]
    unknown = [shape.lower() for shape in shapes if shape not in Shape.__members__]
    if unknown:
        raise ValueError(f"counted names {unknown[0]!r}, which is no formation of {', '.join(Shape.__members__)}")
    u = world.units
    tally.done = tally.at_rest(world, slots)
    if tally.done or tally.ticks % LOOKS or not tally.set_out:
        return
    mine = slots[u.alive[slots] != 0]
    parts = [mine] if len(shapes) == 1 else [mine[u.group[mine] == k + 1] for k in range(len(shapes))]
    for part, shape in zip(parts, shapes, strict=True):
        if len(part) > 1:
            tally.mean_in(_off_shape(world, part, Shape[shape]), len(part))


def _off_shape(world: World, mine: np.ndarray, shape: Shape) -> float:
    """Return the mean distance of units from a shape, in tiles.

    The frame is that of their group, or of their walk."""
    u = world.units
    rows = np.unique(u.band[mine])
    together = len(rows) == 1 and rows[0] >= 0
    row = int(rows[0]) if together else -1
    heading = world.groups.heading(row) if together else float(np.arctan2(u.vy[mine].sum(), u.vx[mine].sum()))
    spacing = world.groups.rows[row].drill.spacing if together else _SPACING
    spacing = max(spacing, 2.0 * float(u.radius[mine].max()) + 0.1)
    return float(misfit(u.x[mine], u.y[mine], shape, spacing, heading).mean())
