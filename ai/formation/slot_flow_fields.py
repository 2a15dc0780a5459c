"""Shared flow field for group members without a straight path to their slots.

A rally of a thousand units would need a thousand paths, though all lead to one place. Instead one flood from the slots
covers the window that holds members and slots. A member without a straight path follows the field until it has one.
Fields are computed in the order of requests under a budget of revolutions. Until its field is ready, a group's members
walk straight towards their slots. An edit of the map in a field's window has it computed again.

Source: "Game AI Pro 2", 17.6 (flow field), 20.5 (one query a group); "AI Game Programming Wisdom", 5.6 (rallying).
"""

# Python and numpy integers are one type inside a kernel.
# mypy: disable-error-code="assignment,arg-type,return-value"

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from ai.core.kernels import device
from ai.core.serialization import derived, record, unhashed
from ai.grid.moves import MOVE_X, MOVE_Y
from ai.grid.terrain import Terrain
from ai.search.fields.flow_field import FlowField
from ai.search.smoothing.straight_walk_kernels import straight_clear

MARGIN = 12
"""Tiles around members and slots that a field covers, for detours."""

STEPS = 6
"""Moves of the field that a member looks ahead.

It heads for the farthest tile that it can reach in a straight line.
"""

UNASKED, GROWING = -2, -1
"""Values in place of a field's first index: not requested, not ready yet."""


@record
class RallyField:
    """Moves uint8[h, w] of a window to a group's slots.

    The window is (y0, x0, y1, x1). See :class:`ai.search.fields.flow_field.FlowField`.
    """

    group: int
    movement_class: int
    window: tuple[int, int, int, int]
    slots: np.ndarray
    made: int = 0  # running digest of its field, hashed instead of ``moves``
    moves: np.ndarray | None = unhashed(lambda: None)


@record
class RallyFields:
    """Fields of one world, oldest first; the first without moves is computed next."""

    fields: list[RallyField] = field(default_factory=list)
    ground: Terrain | None = None
    work: FlowField | None = None
    revision: int = 0
    asked: int = unhashed(int)
    revolutions: int = unhashed(int)
    packed: tuple[np.ndarray, np.ndarray] | None = derived(lambda: None)

    def ask(self, terrain: Terrain, group: int, movement_class: int, members: np.ndarray, slots: np.ndarray) -> None:
        """Request a field from ``slots`` for a group's ``members``.

        Both are float64[n, 2] (x, y).
        """
        self.forget(group)
        ends = np.vstack([members, slots])
        x0, y0 = np.floor(ends.min(axis=0)).astype(int) - MARGIN
        x1, y1 = np.floor(ends.max(axis=0)).astype(int) + MARGIN + 1
        window = (max(0, int(y0)), max(0, int(x0)), min(terrain.height, int(y1)), min(terrain.width, int(x1)))
        tiles = np.floor(slots[:, ::-1]).astype(np.int32)
        low, high = np.array(window[:2]), np.array(window[2:])
        tiles = np.unique(np.clip(tiles, low, high - 1) - low, axis=0).astype(np.int32)
        self.asked += 1
        self.fields.append(RallyField(group, movement_class, window, tiles))
        self.packed = None

    def forget(self, group: int) -> None:
        """Drop the field of a group that needs none any more."""
        if self.of(group) is None:
            return
        if self._next is not None and self._next.group == group:
            self.work = self.ground = None
        self.fields = [each for each in self.fields if each.group != group]
        self.packed = None

    def of(self, group: int) -> RallyField | None:
        """Return a group's field, with or without moves."""
        return next((each for each in self.fields if each.group == group), None)

    @property
    def _next(self) -> RallyField | None:
        return next((each for each in self.fields if each.moves is None), None)

    def serve(self, terrain: Terrain, budget: int) -> int:
        """Spend at most ``budget`` revolutions on requested fields; return the revolutions spent."""
        self._follow_edits(terrain)
        before = self.revolutions
        while budget > 0 and (each := self._next) is not None:
            y0, x0, y1, x1 = each.window
            if self.work is None or self.ground is None:
                cut = terrain.passable[y0:y1, x0:x1], terrain.cost[y0:y1, x0:x1]
                self.ground = Terrain.build(*(part.copy() for part in cut))
                self.work = FlowField.build(self.ground, each.movement_class, each.slots)
            used = self.work.run(self.ground, budget)
            self.revolutions += used
            budget -= max(used, 1)
            if not self.work.ready:
                break
            each.moves, each.made = self.work.moves, self.work.published
            self.work = self.ground = self.packed = None
        return self.revolutions - before

    def _follow_edits(self, terrain: Terrain) -> None:
        if self.revision == terrain.revision:
            return
        changes = terrain.changes_since(self.revision, ("passable", "cost"))
        self.revision = terrain.revision
        whole = [(0, 0, terrain.height, terrain.width)]
        for each in self.fields:
            y0, x0, y1, x1 = each.window
            if any(a < y1 and c > y0 and b < x1 and d > x0 for a, b, c, d in (whole if changes is None else changes)):
                each.moves = None
                self.work = self.ground = self.packed = None

    def pack(self, rows: int, row_of: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """Return all moves in one array uint8, and group rows int32[rows, 5]."""
        if self.packed is None or len(self.packed[1]) != rows:
            boxes = np.zeros((rows, 5), np.int32)
            boxes[:, 0] = UNASKED
            parts, begin = [np.zeros(1, np.uint8)], 1
            for each in self.fields:
                if each.group not in row_of:
                    continue
                y0, x0, y1, x1 = each.window
                at = GROWING
                if each.moves is not None:
                    parts.append(each.moves.reshape(-1))
                    at, begin = begin, begin + each.moves.size
                boxes[row_of[each.group]] = at, y0, x0, y1 - y0, x1 - x0
            self.packed = np.concatenate(parts), boxes
        return self.packed


@device
def led_by_field(
    passable: np.ndarray, bit: int, moves: np.ndarray, box: np.ndarray, x: float, y: float
) -> tuple[bool, float, float]:
    """Return True and the middle of a tile ahead in the field ``box``."""
    ty = math.floor(y)
    tx = math.floor(x)
    found = False
    ax = x
    ay = y
    for k in range(STEPS):
        v = ty - box[1]
        u = tx - box[2]
        if v < 0 or u < 0 or v >= box[3] or u >= box[4]:
            break
        move = moves[box[0] + v * box[4] + u]
        if move > 7:
            break
        ny = ty + MOVE_Y[move]
        nx = tx + MOVE_X[move]
        if not passable[ny, nx] & bit:
            break  # a door has shut; the field is computed again
        if k > 0 and not straight_clear(passable, bit, x, y, nx + 0.5, ny + 0.5, 0.28):
            break
        ty = ny
        tx = nx
        ax = nx + 0.5
        ay = ny + 0.5
        found = True
    return found, ax, ay


TECHNIQUES = (
    {
        "slug": "rally-field",
        "name": "Shared flow field for a rally",
        "ids": ("GP2-17.4",),
        "source": "Game AI Pro 2, 17.6 and 20.5",
        "functions": ("RallyFields.serve", "led_by_field"),
        "test": "tests/ai/formation/test_slot_flow_fields.py",
        "exhibit": "levels/exhibits/motion/gate_200.rally.toml",
        "overlay": "flow_field",
        "setting": "formation.share_from",
        "measure": "statistic",
        "direction": "down",
        "claim": "The flood covers the window of members and slots, not the whole map.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
