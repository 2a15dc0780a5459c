"""Settings of the choice between paths that avoid crowds."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ai.core.serialization import record


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class CrowdingSettings:
    """Settings of paths that avoid crowds; times in ticks.

    On by default: without it crowds that cross on open ground stall. Of 100 walkers that change places on a
    circle 1 arrives without it and 100 with it (``python -m tools.bench crowd --scenarios``).
    """

    on: bool = field(default=True, metadata={"doc": "paths avoid crowds"})
    weight: float = _number(3.0, "extra cost in tiles of a tile at a density of one body per square tile", 0.0, 100.0)
    replan: int = _number(20, "ticks between two checks of a unit's path", 1, 10_000)
    looks: int = _number(256, "path checks per tick; with more units each is checked less often", 1, 1_000_000)
    per_tick: int = _number(16, "units that search for another path per tick", 0, 10_000)
    margin: float = _number(0.15, "share by which another path must be better", 0.0, 0.9)
    hold: int = _number(20, "ticks for which it must have been better", 0, 10_000)
    effort: int = _number(8000, "expansions of one search", 1, 10_000_000)
    budget: int = _number(8000, "expansions of all searches of a tick, if one alone takes no more", 1, 100_000_000)
