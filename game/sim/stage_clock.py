"""Stage times and memory of a run, measured from outside.

It is the one module of the simulation that reads a clock.
"""

from __future__ import annotations

import gc
import resource
import sys
import time

import numpy as np

from game.sim.tick import STAGES


class StageClock:
    """Collects milliseconds a stage and a tick; pass :meth:`after_stage` to ``tick``."""

    def __init__(self) -> None:
        self.stages: dict[str, list[float]] = {name: [] for name, _ in STAGES}
        self.ticks: list[float] = []
        self._last = 0.0
        self._start = 0.0

    def begin(self) -> None:
        """Call before each tick."""
        self._start = self._last = time.perf_counter()

    def after_stage(self, name: str) -> None:
        """Note the time since the previous stage."""
        now = time.perf_counter()
        self.stages[name].append((now - self._last) * 1000)
        self._last = now
        if name == "publish":
            self.ticks.append((now - self._start) * 1000)

    def table(self) -> dict[str, object]:
        """Return ``tick_ms`` and ``stages`` of the run report, in milliseconds."""
        return {
            "tick_ms": {
                "p50": percentile(self.ticks, 50),
                "p99": percentile(self.ticks, 99),
                "max": round(max(self.ticks, default=0.0), 4),
            },
            "stages": {
                name: {"p50": percentile(values, 50), "p99": percentile(values, 99)}
                for name, values in self.stages.items()
            },
        }


def percentile(values: list[float], share: float) -> float:
    """Percentile of a list, 0 when it is empty, rounded to 0.1 us."""
    return round(float(np.percentile(values, share)), 4) if values else 0.0


def settle() -> None:
    """Freeze present objects for Python's cycle collector, once a level is open.

    Otherwise it examines them every few hundred ticks, for up to a tenth of a second in one of them. What a level
    before has left is collected first, because frozen objects are never freed.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def memory_mb() -> float:
    """Return the most memory this process has had resident, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 if sys.platform != "darwin" else 1024 * 1024), 1)
