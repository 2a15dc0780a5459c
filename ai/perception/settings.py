"""Settings of the guards' eyes, with units.

One table gives the hiding effect of ground and stance.
"""

from __future__ import annotations

import math
from dataclasses import field
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record
from ai.perception.sight.simple_sight import RULES

TICKS_PER_SECOND = 20

SHAPES = ("cone", "zones", "coffin", "inverse_angle")
"""Names of the sight shapes, in the order of their codes.

The codes are those of ``ai.perception.awareness.vision_shapes``.
"""

METERS = ("timer", "accumulator", "chance", "at_once")
"""Names of the meter rules.

``timer``: as fast as the shape says. ``accumulator``: time in view against a mark. ``chance``: by dice at every look.
``at_once``: at the first glance. The last two are for exhibits: in the shipped game no unit is identified by chance or
at the first glance.
"""


SAMPLINGS = ("point", "joints")
"""Visible part over a low wall that is needed: one point, or most joints."""


def _number(default: float, low: float, high: float, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


def _table() -> list[list[float]]:
    return [
        [99.0, 99.0, 12.0],
        [99.0, 8.0, 4.0],
        [6.0, 2.5, 2.5],
        [4.0, 2.5, 1.5],
    ]


@record
class VisionSettings:
    """Settings that all watchers share.

    Reach and angle of a watcher come with its unit type.
    """

    shape: str = field(default="cone", metadata={"doc": "where eyes reach: " + ", ".join(SHAPES), "choices": SHAPES})
    meter: str = field(default="timer", metadata={"doc": "law of the meter: " + ", ".join(METERS), "choices": METERS})
    body_points: bool = field(
        default=False, metadata={"doc": "ask for several of eight points of the body, not only its middle"}
    )
    near_tiles: float = _number(2.5, 0, 31, "within this many tiles identification takes near_seconds")
    near_seconds: float = _number(0.2, 0, 60, "seconds to identify a standing target near by")
    far_seconds: float = _number(3.0, 0, 60, "seconds to identify a standing target at the end of the range")
    hold_seconds: float = _number(0.5, 0, 60, "seconds for which the meter stands still once nothing is seen")
    fall_seconds: float = _number(6.0, 0.05, 600, "seconds in which a full meter then falls to zero")
    suspicious: float = _number(0.35, 0.01, 1, "meter at which a watcher becomes suspicious (identified at 1)")
    line_of_sight: str = field(
        default="symmetric",
        metadata={"doc": "what hides a target; ray, none: for an exhibit", "choices": RULES},
    )
    head_in_combat: bool = field(
        default=True, metadata={"doc": "over a low wall an alerted watcher sees the top of a crouching head"}
    )
    sampling: str = field(
        default="point",
        metadata={"doc": "what must show over a low wall: " + ", ".join(SAMPLINGS), "choices": SAMPLINGS},
    )
    glimpse: float = _number(0.15, 0.01, 1, "meter at which a watcher turns its head")
    crouch_factor: float = _number(1.5, 0.1, 20, "a crouching target takes this many times as long")
    prone_factor: float = _number(2.5, 0.1, 20, "a lying target takes this many times as long")
    run_factor: float = _number(0.85, 0.1, 20, "a target at full run takes this many times as long (not zones)")
    dark_factor: float = _number(2.86, 1, 20, "a target without any light takes this many times as long (not zones)")
    dark_reach: float = _number(0.5, 0, 1, "share of the range at which a target without any light is seen (not zones)")
    alerted_factor: float = _number(0.6, 0.05, 20, "an alerted watcher takes this many times as long")
    searching_factor: float = _number(0.5, 0.05, 20, "a searching watcher takes this many times as long")
    touch_stand: float = _number(1.2, 0, 10, "tiles within which a standing target is noticed from any side")
    touch_low: float = _number(0.6, 0, 10, "the same for a crouching or lying one: contact")
    sweet_seconds: float = _number(1.0, 0.05, 60, "zones: seconds to identify at certainty 1; c takes 1/c as long")
    sweet_width: float = _number(0.28, 0.01, 1, "zones: half width of the sweet spot at its widest, over the range")
    middle_certainty: float = _number(0.7, 0, 1, "zones: certainty around the sweet spot")
    periphery_certainty: float = _number(0.3, 0, 1, "zones: certainty out of the corner of the eye")
    close_certainty: float = _number(0.5, 0, 1, "zones: certainty all around within 1.25 tiles")
    motion_bonus: float = _number(0.3, 0, 1, "zones: certainty added for a target at full run")
    camouflage_malus: float = _number(0.3, 0, 1, "zones: certainty taken from a target in the dark or in cover")
    inverse_angle: float = _number(
        math.radians(120), 0.1, 10, "inverse_angle: radians times tiles; the half angle is this over the distance"
    )
    combat_seconds: float = _number(0.2, 0.05, 60, "accumulator: seconds in view that an alerted watcher needs")
    usual_seconds: float = _number(
        1.5, 0.05, 60, "accumulator: seconds for a watcher that has identified a unit before"
    )
    first_seconds: float = _number(
        2.75, 0.05, 60, "accumulator: seconds for a watcher that has identified no unit before"
    )
    seen_within: list[list[float]] = field(default_factory=_table)
    """Greatest distance, in tiles, at which a target can be seen at all.

    The index is ``[cover of the target's tile, 0 none .. 3 full][stance, 0 stand 1 crouch 2 prone]``. Rows: open
    ground, crops, wood, reeds.
    """

    def hiding(self) -> NDArray[np.float64]:
        """Return ``seen_within`` as ``float64[cover, 3]``.

        Raises ValueError for another shape.
        """
        table = np.array(self.seen_within, np.float64, ndmin=2)
        if table.ndim != 2 or table.shape[1] != 3 or not len(table):
            raise ValueError(f"seen_within must have a row per cover value and 3 stances, got {table.shape}")
        return table

    def numbers(self) -> NDArray[np.float64]:
        """Return the scalars in the order that the kernels read.

        Raises ValueError for an unknown shape or meter.
        """
        if self.shape not in SHAPES:
            raise ValueError(f"shape is one of {', '.join(SHAPES)}, not {self.shape!r}")
        if self.meter not in METERS:
            raise ValueError(f"meter is one of {', '.join(METERS)}, not {self.meter!r}")
        if self.sampling not in SAMPLINGS:
            raise ValueError(f"sampling is one of {', '.join(SAMPLINGS)}, not {self.sampling!r}")
        by_distance, by_stance, rest = _BY_DISTANCE(self), _BY_STANCE(self), _REST(self)
        # 1 is the factor of a standing target, and of a relaxed watcher.
        return np.array(
            (
                SHAPES.index(self.shape), self.body_points, *by_distance, 1.0, *by_stance, 1.0, *rest,
                METERS.index(self.meter), RULES.index(self.line_of_sight),
                self.head_in_combat, self.sampling == SAMPLINGS[1], self.glimpse,
            ),
            np.float64,
        )  # fmt: skip


SHAPE, BODY_POINTS = 0, 1
NEAR_TILES, NEAR_SECONDS, FAR_SECONDS, HOLD_SECONDS, FALL_SECONDS, SUSPICIOUS_AT = range(2, 8)
STANCE_FACTOR, TOUCH, ALERT_FACTOR = 8, 11, 14
"""Positions of the first of three numbers each.

They are by stance, by stance, and by alertness.
"""
RUN_FACTOR, DARK_FACTOR, SWEET_SECONDS, SWEET_WIDTH, MIDDLE = range(17, 22)
PERIPHERY, CLOSE, MOTION, CAMOUFLAGE, INVERSE = range(22, 27)
COMBAT_SECONDS, USUAL_SECONDS, FIRST_SECONDS, DARK_REACH, METER, SIGHT_RULE = range(27, 33)
HEAD_IN_COMBAT, JOINTS_COUNT, GLIMPSE_AT = range(33, 36)

_BY_DISTANCE = attrgetter("near_tiles", "near_seconds", "far_seconds", "hold_seconds", "fall_seconds", "suspicious")
_BY_STANCE = attrgetter("crouch_factor", "prone_factor", "touch_stand", "touch_low", "touch_low")
_REST = attrgetter(
    *("alerted_factor", "searching_factor", "run_factor", "dark_factor", "sweet_seconds", "sweet_width"),
    *("middle_certainty", "periphery_certainty", "close_certainty", "motion_bonus", "camouflage_malus"),
    *("inverse_angle", "combat_seconds", "usual_seconds", "first_seconds", "dark_reach"),
)
"""Fields from position 2 on, in order."""
