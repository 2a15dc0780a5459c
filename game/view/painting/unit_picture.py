"""Picture of the units: a copy of their columns after the last finished tick.

A tick may be spread over several frames, so the view never reads columns that are being written. Positions hold the
last two finished ticks, and a frame interpolates between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ai.decision.smart_zones.scene_script import SceneBehaviour
from game.world.rules.figure_settings import FigureSettings

CALM = 0.2
"""Damping of a figure's facing.

In a tick a figure turns by this share of the difference to its body's facing. Bodies in a crowd turn by a dozen
degrees from tick to tick. Without this damping their figures would tremble.
"""

_COLUMNS = (
    "id", "alive", "side", "kind", "group", "movement_class", "radius", "x", "y", "prev_x", "prev_y", "vx", "vy",
    "facing", "head", "stance", "pace", "gait", "cadence", "moving", "goal_x", "goal_y", "stuck", "order",
    "ordered_x", "ordered_y",
    "order_target", "hp", "hp_max", "target", "asleep", "meter", "meter_target", "carrying", "action", "action_start",
    "action_length", "weapon", "cooldown", "dragging", "hidden", "seen_x", "seen_y", "seen_tick", "mood",
)  # fmt: skip


@dataclass
class Picture:
    """Columns of all slots in use, one row per slot, after ``tick``."""

    tick: int = 0
    columns: dict[str, np.ndarray] = field(default_factory=dict)
    living_ids: frozenset[int] = frozenset()
    row_of: dict[int, int] = field(default_factory=dict)
    front: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Facing of each figure, damped; it equals the body's facing while the unit acts."""
    prev_front: np.ndarray = field(default_factory=lambda: np.zeros(0))
    gestures: dict[int, SceneBehaviour] = field(default_factory=dict)
    """Behaviour of each unit that is at its place in a scene, by id."""
    figures: FigureSettings = field(default_factory=FigureSettings)
    _rows: tuple[tuple[int, ...], np.ndarray] | None = field(default=None, repr=False)
    _between: tuple[float, tuple[np.ndarray, np.ndarray, np.ndarray]] | None = field(default=None, repr=False)

    def __getattr__(self, name: str) -> np.ndarray:
        # Called only the first time: a column found here becomes an attribute.
        column = self.__dict__.get("columns", {}).get(name)
        if column is None:
            raise AttributeError(name)
        self.__dict__[name] = column
        return column

    def __len__(self) -> int:
        return len(self.columns["id"]) if self.columns else 0

    def rows(self, ids: Any) -> np.ndarray:
        """Return the rows of the ids that exist, int64[n], in the given order."""
        if self._rows is not None and self._rows[0] is ids:
            return self._rows[1]
        found = np.array([self.row_of[i] for i in ids if i in self.row_of], dtype=np.int64)
        if isinstance(ids, tuple):
            self._rows = (ids, found)  # a selection is looked up many times per frame
        return found

    def living(self, side: int | None = None) -> np.ndarray:
        """Return the rows of living units, of one side or of all."""
        mask = self.alive == 1
        if side is not None:
            mask = mask & (self.side == side)
        return np.flatnonzero(mask)

    def between(self, alpha: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return x, y and facing of all rows, interpolated between the last two ticks.

        ``alpha`` is 0 at the tick before and 1 at the last one.
        """
        if self._between is None or self._between[0] != alpha:
            self._between = (alpha, self._work_out(alpha))
        return self._between[1]

    def _work_out(self, alpha: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        px, py = self.prev_x, self.prev_y
        turn = _turn(self.prev_front, self.front)
        return px + (self.x - px) * alpha, py + (self.y - py) * alpha, self.prev_front + turn * alpha


def _turn(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the shorter turn from one angle to another, in radians."""
    return (other - one + np.pi) % (2 * np.pi) - np.pi


def take_picture(world: Any, before: Picture | None = None) -> Picture:
    """Copy the unit columns of a world.

    ``before`` is the picture of the tick before; it supplies the facings of figures.
    """
    units = world.units
    n = units.count
    columns = {name: getattr(units, name)[:n].copy() for name in _COLUMNS}
    from game.systems.body.act_layers import acts_under  # loads numba, which the menu does without

    columns["under"], columns["under_start"], columns["under_length"] = acts_under(world)
    previous, front = columns["facing"].copy(), columns["facing"].copy()
    if before is not None and before.tick == world.tick - 1:
        known = min(len(before), n)
        same = np.flatnonzero(columns["id"][:known] == before.id[:known])
        previous[same] = before.front[same]
        calm = same[columns["action"][same] == 0]
        front[calm] = previous[calm] + CALM * _turn(previous[calm], front[calm])
    picture = picture_of(int(world.tick), columns, front, previous)
    picture.figures = replace(world.settings.figures)
    picture.gestures = world.scenes.gestures(units) if world.scenes.zones else {}
    return picture


def picture_of(
    tick: int, columns: dict[str, np.ndarray], front: np.ndarray | None = None, previous: np.ndarray | None = None
) -> Picture:
    """Return a picture of columns, one row per unit.

    Without ``front`` all figures face as their bodies do and do not turn.
    """
    ids = columns["id"].tolist()
    living = frozenset(columns["id"][columns["alive"] == 1].tolist())
    front = columns["facing"] if front is None else front
    previous = front if previous is None else previous
    return Picture(tick, columns, living, {unit: row for row, unit in enumerate(ids)}, front, previous)
