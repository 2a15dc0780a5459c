"""Settings of the choice between paths that avoid crowds."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ai.core.serialization import record


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class CrowdingSettings:
    """Numbers of the choice between ways; times in ticks.

    Off unless a level asks for it: it pays where two ways are about as long and one is full (exhibit two_gates).
    """

    on: bool = field(default=False, metadata={"doc": "ways avoid crowds; pays where two are about as long"})
    weight: float = _number(3.0, "tiles that a tile of way through one body a square tile costs more", 0.0, 100.0)
    replan: int = _number(20, "ticks between two looks of a unit at its way", 1, 10_000)
    looks: int = _number(256, "looks at ways under way in a tick; of more units each looks more seldom", 1, 1_000_000)
    per_tick: int = _number(16, "units that look for another way in a tick", 0, 10_000)
    margin: float = _number(0.15, "share by which another way must be better", 0.0, 0.9)
    hold: int = _number(20, "ticks for which it must have been better", 0, 10_000)
    effort: int = _number(8000, "expansions of one search", 1, 10_000_000)
    budget: int = _number(8000, "expansions of all searches of a tick, if one alone takes no more", 1, 100_000_000)
