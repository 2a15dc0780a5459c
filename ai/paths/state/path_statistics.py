"""Path statistics: counts for the headless report and the queue panel.

They are not part of the hash.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.core.serialization import record

HISTORY = 256
"""Ticks of the sparkline."""

LONGEST_LATENCY = 8192
"""Largest recorded latency in ticks; larger ones count as this."""


@record
class PathStatistics:
    """Totals since the world began.

    Revolutions are split into those of the queue and those of same-tick searches.
    """

    requested: int = 0
    straight: int = 0
    cached: int = 0
    quick: int = 0
    full: int = 0
    splice: int = 0
    priority: int = 0
    failed: int = 0
    lost: int = 0
    led_back: int = 0
    replanned: int = 0
    waits: int = 0
    local: int = 0
    local_per_tick_max: int = 0
    local_revolutions: int = 0
    rejoined: int = 0
    futile: int = 0
    revolutions_total: int = 0
    revolutions_per_tick_max: int = 0
    quick_revolutions_total: int = 0
    instant_revolutions_per_tick_max: int = 0
    revolutions_this_tick: int = 0
    quick_this_tick: int = 0
    groups_this_tick: int = 0  # of those, for group paths and hidden paths
    charged_this_tick: int = 0  # for leading a large crowd and repairing structures
    mended_this_tick: int = 0  # for building and repairing structures
    waiting_now: int = 0
    history: np.ndarray = field(default_factory=lambda: np.zeros((HISTORY, 4), np.int32))
    ticks: int = 0
    latencies: np.ndarray = field(default_factory=lambda: np.zeros(LONGEST_LATENCY + 1, np.int32))

    def begin_tick(self, groups: int = 0) -> None:
        """Begin the counts of a tick; ``groups`` revolutions were used before it."""
        self.revolutions_this_tick = 0
        self.quick_this_tick = self.groups_this_tick = groups
        self.charged_this_tick = self.mended_this_tick = 0

    def end_tick(self, waiting: int, open_searches: int) -> None:
        """End a tick: add totals, maxima, and a row of the sparkline.

        The row is (queue, same-tick, waiting, open).
        """
        self.revolutions_total += self.revolutions_this_tick
        self.quick_revolutions_total += self.quick_this_tick
        self.revolutions_per_tick_max = max(self.revolutions_per_tick_max, self.revolutions_this_tick)
        self.instant_revolutions_per_tick_max = max(self.instant_revolutions_per_tick_max, self.quick_this_tick)
        self.waiting_now = waiting
        row = (self.revolutions_this_tick, self.quick_this_tick, waiting, open_searches)
        self.history[self.ticks % HISTORY] = row
        self.ticks += 1

    def full_arrived(self, latency: int) -> None:
        """Count a full path that reached its unit ``latency`` ticks after the request."""
        self.full += 1
        self.latencies[min(max(latency, 0), LONGEST_LATENCY)] += 1

    def fulls_arrived(self, latencies: np.ndarray) -> None:
        """Count full paths by their latencies int[n], ticks."""
        self.full += len(latencies)
        np.add.at(self.latencies, np.clip(latencies, 0, LONGEST_LATENCY), 1)

    def latency(self, share: float = 0.95) -> int:
        """Return the ticks within which ``share`` of the full paths arrived.

        The result is 0 before the first.
        """
        total = int(self.latencies.sum())
        if total == 0:
            return 0
        return int(np.searchsorted(np.cumsum(self.latencies), share * total))

    def sparkline(self) -> np.ndarray:
        """Return int32[n, 4] (queue, same-tick, waiting, open) of the last ticks, oldest first."""
        kept = min(self.ticks, HISTORY)
        return self.history[(self.ticks - kept + np.arange(kept)) % HISTORY]

    def report(self, budget: int) -> dict[str, Any]:
        """Return the ``paths`` object of the headless run's JSON."""
        return {
            "requested": self.requested,
            "straight": self.straight,
            "cached": self.cached,
            "quick": self.quick,
            "full": self.full,
            "splice": self.splice,
            "priority": self.priority,
            "failed": self.failed,
            "lost": self.lost,
            "budget": budget,
            "revolutions_total": self.revolutions_total,
            "revolutions_per_tick_max": self.revolutions_per_tick_max,
            "instant_revolutions_per_tick_max": self.instant_revolutions_per_tick_max,
            "full_latency_ticks_p95": self.latency(0.95),
        }
