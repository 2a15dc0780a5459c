"""Numbers of the guards' eyes, with units; one table says how ground and posture hide."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.state import record

TICKS_PER_SECOND = 20


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
    """What all watchers share; how far and how wide each one looks comes with its unit type."""

    near_tiles: float = _number(2.5, 0, 31, "within this many tiles identification takes near_seconds")
    near_seconds: float = _number(0.2, 0, 60, "seconds to identify a standing target near by")
    far_seconds: float = _number(3.0, 0, 60, "seconds to identify a standing target at the end of the range")
    fall_seconds: float = _number(6.0, 0.05, 600, "seconds in which a full meter falls to zero once nothing is seen")
    crouch_factor: float = _number(1.5, 0.1, 20, "a crouching target takes this many times as long")
    prone_factor: float = _number(2.5, 0.1, 20, "a lying target takes this many times as long")
    touch_stand: float = _number(1.2, 0, 10, "tiles within which a standing target is noticed from any side")
    touch_low: float = _number(0.6, 0, 10, "the same for a crouching or lying one: contact")
    suspicious: float = _number(0.35, 0.01, 1, "meter at which a watcher becomes suspicious (identified at 1)")
    seen_within: list[list[float]] = field(default_factory=_table)
    """``[cover of the target's tile, 0 none .. 3 full][stance, 0 stand 1 crouch 2 prone]``: the most tiles at which
    it can be seen at all.  Rows: open ground, crops, wood, reeds."""

    def hiding(self) -> NDArray[np.float64]:
        """``seen_within`` as ``float64[cover, 3]``; raises ValueError for another shape."""
        table = np.array(self.seen_within, np.float64, ndmin=2)
        if table.ndim != 2 or table.shape[1] != 3 or not len(table):
            raise ValueError(f"seen_within must have a row a cover value and 3 stances, got {table.shape}")
        return table

    def numbers(self) -> NDArray[np.float64]:
        """The scalars in the order that the kernels read."""
        return np.array(
            [
                self.near_tiles,
                self.near_seconds,
                self.far_seconds,
                self.fall_seconds,
                self.suspicious,
                1.0,
                self.crouch_factor,
                self.prone_factor,
                self.touch_stand,
                self.touch_low,
                self.touch_low,
            ],
            np.float64,
        )
