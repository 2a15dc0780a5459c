"""Order-spam detection: names minds that order too often or to and fro.

Merging hides a mind that changes its order all the time, because the body looks calm. The detector counts the orders of
each unit in a window of 20 ticks (1 s). More than 5 orders are spam. More than 3 alternations (A, B, A: an order that
repeats the one before the last, with another between) are spam too, of which the source gives the idea only. A unit is
named once a window. Orders that the world gives, such as a hit, are not counted.

Rows: int64[n, 3] of tick, unit and kind, oldest first. Ticks never decrease.

Source: "Game AI Pro 2", 12.7 (order spam).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np

from ai.core.serialization import record

TICK, UNIT, KIND = range(3)


@record
class OrderSpam:
    """Orders of the last window, and units that were named in it."""

    window: int = 20
    orders_limit: int = 5
    alternations_limit: int = 3
    log: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), np.int64))
    named: dict[int, int] = field(default_factory=dict)
    """Tick at which a unit was named last, by unit."""

    def note(self, unit: int, kind: int, tick: int) -> str:
        """Note an order; return the fault in words, or empty."""
        log = self.log[np.searchsorted(self.log[:, TICK], tick - self.window, side="right") :]
        self.log = np.concatenate((log, np.array([[tick, unit, kind]], np.int64)))
        self.named = {u: at for u, at in self.named.items() if tick - at < self.window}
        kinds = self.log[self.log[:, UNIT] == unit, KIND]
        if len(kinds) <= self.alternations_limit or unit in self.named:
            return ""
        alternations = int(((kinds[2:] == kinds[:-2]) & (kinds[2:] != kinds[1:-1])).sum())
        if alternations > self.alternations_limit:
            fault = f"{alternations} alternations of two orders within {self.window} ticks"
        elif len(kinds) > self.orders_limit:
            fault = f"{len(kinds)} orders within {self.window} ticks"
        else:
            return ""
        self.named[unit] = tick
        return fault


TECHNIQUES = (
    {
        "slug": "order-spam",
        "name": "Detection of order spam",
        "ids": ("GP2-12.8",),
        "source": "Game AI Pro 2, 12.7",
        "functions": ("OrderSpam.note",),
        "test": "tests/ai/animation/tracks/test_order_spam.py",
        "exhibit": "levels/exhibits/minds/blocked_lever.impatient.toml",
        "overlay": "minds",
        "setting": "body.spam",
        "measure": "events",
        "direction": "up",
        "claim": "A unit is named once a window; the limits are not from the source.",
    },
)
