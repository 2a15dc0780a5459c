"""Counts of the path manager: what the headless run reports and what the queue panel draws.  Not part of the hash."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from ai.core.serialization import record

HISTORY = 256
"""Ticks of the sparkline."""

LONGEST_LATENCY = 8192
"""Latencies above this are counted as this."""


@record
class PathStatistics:
    """Totals since the world began.  Revolutions are split: the queue's, and those spent at once."""

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
    groups_this_tick: int = 0  # of those, for ways of whole groups and past the eyes
    charged_this_tick: int = 0  # for leading a large crowd and mending structures
    mended_this_tick: int = 0  # spent on making and mending structures
    waiting_now: int = 0
    history: np.ndarray = field(default_factory=lambda: np.zeros((HISTORY, 4), np.int32))
    ticks: int = 0
    latencies: np.ndarray = field(default_factory=lambda: np.zeros(LONGEST_LATENCY + 1, np.int32))

    def begin_tick(self, groups: int = 0) -> None:
        """Start counting a tick, in which such ways have taken so many revolutions."""
        self.revolutions_this_tick = 0
        self.quick_this_tick = self.groups_this_tick = groups
        self.charged_this_tick = self.mended_this_tick = 0

    def end_tick(self, waiting: int, open_searches: int) -> None:
        """Close a tick: totals, maxima, and a row (queue, instant, waiting, open) of the sparkline ring."""
        self.revolutions_total += self.revolutions_this_tick
        self.quick_revolutions_total += self.quick_this_tick
        self.revolutions_per_tick_max = max(self.revolutions_per_tick_max, self.revolutions_this_tick)
        self.instant_revolutions_per_tick_max = max(self.instant_revolutions_per_tick_max, self.quick_this_tick)
        self.waiting_now = waiting
        row = (self.revolutions_this_tick, self.quick_this_tick, waiting, open_searches)
        self.history[self.ticks % HISTORY] = row
        self.ticks += 1

    def full_arrived(self, latency: int) -> None:
        """A full path reached its unit ``latency`` ticks after the request."""
        self.full += 1
        self.latencies[min(max(latency, 0), LONGEST_LATENCY)] += 1

    def fulls_arrived(self, latencies: np.ndarray) -> None:
        """Full paths reached their units, int[n] ticks after the requests."""
        self.full += len(latencies)
        np.add.at(self.latencies, np.clip(latencies, 0, LONGEST_LATENCY), 1)

    def latency(self, share: float = 0.95) -> int:
        """Ticks within which ``share`` of the full paths arrived; 0 before the first."""
        total = int(self.latencies.sum())
        if total == 0:
            return 0
        return int(np.searchsorted(np.cumsum(self.latencies), share * total))

    def sparkline(self) -> np.ndarray:
        """int32[n, 4] (queue, instant, waiting, open) of the last ticks, oldest first."""
        kept = min(self.ticks, HISTORY)
        return self.history[(self.ticks - kept + np.arange(kept)) % HISTORY]

    def report(self, budget: int) -> dict[str, Any]:
        """The ``paths`` object of the headless run's JSON."""
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
