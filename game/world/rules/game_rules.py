"""Rules of the game that a player or a script may change."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ai.core.serialization import record


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class Rules:
    """Speeds in shares, times in ticks."""

    carry_speed: float = _number(0.5, "share of its speed that a carrier keeps", 0.05, 1.0)
    sight_budget: int = _number(256, "units whose view is computed in a tick at most", 1, 1_000_000)
    looks: int = _number(1500, "units that look in a tick; more take turns by level of detail", 1, 1_000_000)
    thinks: int = _number(
        30_000, "walkers that look out for each other in a tick; more take turns by level of detail", 1, 1_000_000
    )
    bias_east: float = _number(0.0, "pull to the east on all units that steer with whiskers, tiles/s", -4.0, 4.0)
    bias_south: float = _number(0.0, "pull to the south on all units that steer with whiskers, tiles/s", -4.0, 4.0)
    use_ticks: int = _number(30, "ticks it takes to use a thing", 1, 1000)
    doors_swing: int = _number(0, "every door opens, or shuts, by itself after so many ticks; 0: never", 0, 100_000)
    leg: float = _number(0.94, "length of a leg in tiles: it sets how often a foot comes down", 0.1, 3.0)
    unit_horizons: bool = field(default=True, metadata={"doc": "units look ahead as far as their type says"})
    cadence_law: bool = field(
        default=True, metadata={"doc": "steps come by the cadence law; off: as often at every speed"}
    )
    daylight: str = field(
        default="map", metadata={"doc": "hour of the day: map, day, night", "choices": ("map", "day", "night")}
    )
    sneak_weight: float = _number(3.0, "extra cost of a tile on a sneak path, per watcher that sees it", 0.0, 20.0)
    sneak_budget: int = _number(20_000, "revolutions a tick for the sneak paths of all units", 1, 10_000_000)
    exposure_rows: int = _number(48, "rows of tiles a tick that the map of exposure is worked out", 1, 100_000)
    sneak_stances: bool = field(
        default=True, metadata={"doc": "a sneaking unit crouches or lies down where that hides it"}
    )
    night_light: float = _number(0.12, "light of a night without lamps, 0 to 1", 0.0, 1.0)
    open_doors: bool = field(
        default=True, metadata={"doc": "units sent behind a shut door have one of them open it first"}
    )
    suppression: float = _number(0.5, "share of its chance to hit that a wholly suppressed shooter loses", 0.0, 1.0)
    hit_factors: bool = field(
        default=True,
        metadata={
            "doc": "stance and cover of the target and calm of the shooter count in the chance to hit, else range"
        },
    )
    moving_target: float = _number(0.0, "share of its chance that a shooter loses on a target that runs across", 0, 1)
    body_room: float = _number(
        1.2, "tiles between the centres of comrades that aim; 0: as near as bodies can", 0.0, 4.0
    )
    friendly_fire: bool = field(default=False, metadata={"doc": "a shot strikes a friend in its line"})
