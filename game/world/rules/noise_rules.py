"""Settings of noise: radii at which a sound is heard, and how it spreads."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ai.core.serialization import record


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class NoiseRules:
    """Noise radii in tiles at which an unaware guard hears."""

    steps: bool = field(default=True, metadata={"doc": "guards hear footsteps"})
    by_rooms: bool = field(default=True, metadata={"doc": "sound goes through rooms and doors, else along lines"})
    door: float = _number(5.0, "a door that is opened or shut", 0, 40)
    stone: float = _number(8.0, "a stone that hits the ground", 0, 40)
    whistle: float = _number(11.0, "a whistle", 0, 40)
    take_down: float = _number(2.5, "a take-down from behind", 0, 40)
    fall: float = _number(3.0, "a unit that falls shot or struck down", 0, 40)
    generator: float = _number(6.0, "tiles around a generator within which it drowns other sounds", 0, 40)
    shut_door: float = _number(6.0, "tiles that a shut door adds to a sound's path", 0, 100)
    crouch: float = _number(0.7, "share of its noise that a crouched step makes", 0, 2)
    prone: float = _number(0.6, "share of its noise that crawling makes", 0, 2)
