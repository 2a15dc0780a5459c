"""Motion of figures: the frames and directions that show each unit in a tick.

The body's columns decide how a unit stands, walks and acts; nothing here is written back. Memory of the last ticks only
smooths the picture. Only rows that are drawn are computed. A row that comes into view starts in the right phase,
without a blend. The rules stand in :mod:`ai.animation.figure_poses`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.animation.figure_poses import (
    BODY_ACTS,
    FADES,
    FLAGS,
    INTS,
    LAYERS,
    NEVER,
    REALS,
    SPREADS,
    TICK,
    advance_figures,
)
from game.view.figures.clip_book import ClipBook
from game.view.figures.part_painter import DULL
from game.view.painting.unit_picture import Picture
from game.world.units import Act

_BODY = (
    ("id", "i4"), ("alive", "u1"), ("x", "f8"), ("y", "f8"), ("prev_x", "f8"), ("prev_y", "f8"), ("front", "f8"),
    ("head", "f8"), ("gait", "f8"), ("cadence", "f8"), ("stance", "u1"), ("moving", "u1"), ("target", "i4"),
    ("weapon", "u1"), ("cooldown", "i2"), ("carrying", "i4"), ("dragging", "i4"), ("asleep", "u1"), ("action", "u1"),
    ("action_start", "i4"), ("action_length", "i2"), ("under", "u1"), ("under_start", "i4"), ("under_length", "i2"),
)  # fmt: skip
"""Columns of the picture that the kernel reads, in its order, and their types."""


class MotionColumns:
    """Memory and result of every row."""

    id: np.ndarray
    tick: np.ndarray
    legs: np.ndarray  # frame of the book
    torso: np.ndarray
    legs_to: np.ndarray  # sixteenths of a turn clockwise from +x
    torso_to: np.ndarray
    head_to: np.ndarray
    dull: np.ndarray  # steps from a body that fell to one that lies long
    idle: np.ndarray  # stands still, so a gesture may start
    changed: np.ndarray  # tick at which it began or ceased to walk
    way_x: np.ndarray  # tiles/s, smoothed
    way_y: np.ndarray
    walking: np.ndarray
    backwards: np.ndarray
    turning: np.ndarray
    phase: np.ndarray  # of the walk cycle as shown
    ahead: np.ndarray  # of the body's own phase
    legs_angle: np.ndarray
    torso_angle: np.ndarray
    head_angle: np.ndarray
    stride: np.ndarray  # tiles of a walk cycle, smoothed
    clip: np.ndarray
    begun: np.ndarray  # tick since which it plays that clip
    legs_group: np.ndarray
    legs_from: np.ndarray  # frame from which a blend leads to the group, or -1
    legs_since: np.ndarray
    legs_ticks: np.ndarray
    torso_group: np.ndarray
    torso_from: np.ndarray
    torso_since: np.ndarray
    torso_ticks: np.ndarray
    pivot: np.ndarray  # 0 for a start straight on, 1 to the right, 2 to the left

    def __init__(self) -> None:
        self.ints = np.zeros((len(INTS), 0), np.int64)
        self.reals = np.zeros((len(REALS), 0))
        self.flags = np.zeros((len(FLAGS), 0), np.uint8)
        self._name_rows()

    def reserve(self, rows: int) -> None:
        """Grow every column to at least ``rows``."""
        more = rows - self.ints.shape[1]
        if more <= 0:
            return
        self.ints, self.reals, self.flags = (
            np.ascontiguousarray(np.pad(table, ((0, 0), (0, more)))) for table in (self.ints, self.reals, self.flags)
        )
        self.ints[TICK, -more:] = NEVER
        self._name_rows()

    def _name_rows(self) -> None:
        for names, table in ((INTS, self.ints), (REALS, self.reals), (FLAGS, self.flags.view(np.bool_))):
            for name, row in zip(names, table, strict=True):
                setattr(self, name, row)


class FigureMotion:
    """Frames and directions of the figures of one scene."""

    def __init__(self, book: ClipBook) -> None:
        assert tuple(Act.__members__)[: len(BODY_ACTS)] == BODY_ACTS, "the kernel counts on these"
        self.book = book
        self.columns = MotionColumns()
        self._picture: Picture | None = None
        by_clip = (book.first, book.count, book.ticks, book.group, book.by_phase, book.loops, book.struck)
        self._clips = np.ascontiguousarray(np.stack([column.astype(np.int64) for column in by_clip]))

    def follow(self, p: Picture, rows: np.ndarray) -> MotionColumns:
        """Return the columns, computed for ``rows`` at the picture's tick."""
        c, book = self.columns, self.book
        c.reserve(len(p))
        if p is not self._picture:
            same_tick = c.tick == p.tick
            c.tick[same_tick] = NEVER  # another picture of the same tick, such as that of another world
            self._picture = p
            self._body = [np.require(getattr(p, name), kind, ["C", "W"]) for name, kind in _BODY]
            self._row_of = np.full(int(p.id.max(initial=-1)) + 1, -1)
            self._row_of[p.id] = np.arange(len(p))
        switches = p.figures
        style = SPREADS * switches.starts + FADES * switches.blends + LAYERS * switches.layers
        arguments: list[Any] = [
            p.tick, DULL, np.ascontiguousarray(rows, np.int64), *self._body, self._row_of, book.table, self._clips,
            book.walks, book.settle, book.rest, book.coarse, book.blends, style, c.ints, c.reals, c.flags,
        ]  # fmt: skip
        advance_figures(*arguments)
        return c
