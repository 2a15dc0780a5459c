"""Numbers of the minds that a player or a script may change."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ai.core.serialization import record
from ai.influence.falloff_curves import CURVES


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class MindSettings:
    """Budgets are counted minds, times are ticks (20 a second), distances tiles."""

    per_tick: int = _number(64, "minds that may think in one tick", 1, 10_000)
    round_robin: int = _number(8, "ids looked at in turn each tick, woken or not", 0, 10_000)
    reaction: int = _number(0, "ticks in which every id has its turn, in batches that adjust; 0: fixed", 0, 10_000)
    earshot: float = _number(13.0, "tiles at which comrades hear a shout", 0, 64)
    alarm_spreads: bool = field(default=True, metadata={"doc": "guards call their comrades"})
    hears_shots: bool = field(default=True, metadata={"doc": "guards go and look where a shot was fired"})
    give_up: int = _number(
        400, "ticks after which a search widens no more; it ends when its hiding places are looked into", 20, 10_000
    )
    intercepts: bool = field(default=True, metadata={"doc": "an attacker runs to where it can meet a moving target"})
    lazy: bool = field(
        default=False, metadata={"doc": "an attacker walks to meet an approaching target where that suffices"}
    )
    search_spots: int = _number(3, "places a searching guard looks at around the last known position", 0, 8)
    together: bool = field(default=True, metadata={"doc": "guards share one search and its hiding places"})
    investigators: int = _number(2, "guards that go to a last known position at first, at most", 1, 8)
    search_radius: float = _number(12.0, "tiles around a last known position that are searched", 2, 40)
    search_reach: float = _number(0.8, "share of its range within which a searcher's passing eyes clear a spot", 0, 1)
    possible: bool = field(default=True, metadata={"doc": "searchers skip places that cannot hold the enemy"})
    misses: bool = field(default=True, metadata={"doc": "guards miss comrades that fall silent or do not come back"})
    company: int = _number(200, "ticks within earshot after which a guard would miss a comrade", 10, 2000)
    silence: int = _number(100, "ticks of a comrade's silence after which it is missed", 10, 2000)
    chances: bool = field(default=True, metadata={"doc": "searchers go first to the likeliest place of the enemy"})
    barriers: bool = field(
        default=True, metadata={"doc": "searchers rule out places where they would have heard the enemy"}
    )
    noisy_ground: bool = field(
        default=False,
        metadata={"doc": "loud ground in earshot counts as never crept over; for an exhibit"},
    )
    seals: bool = field(default=True, metadata={"doc": "guards that do not go first watch an opening of the room"})
    choke_depth: int = _number(6, "areas within which a path round makes an area no choke (0: none)", 0, 32)
    fall_back: bool = field(default=True, metadata={"doc": "guards back off from an enemy that they cannot reach"})
    balance: float = _number(0.5, "weight of where the side believes itself strong, when cover is chosen", 0, 10)
    falloff: str = field(
        default="linear",
        metadata={"doc": "curve by which believed strength fades with distance", "choices": tuple(CURVES)},
    )
    quality: bool = field(
        default=True, metadata={"doc": "cover is chosen by how well it shields and how few places look at it"}
    )
    companions: int = _number(1, "guards that go to look at the same noise, at most", 1, 16)
    truth_bias: float = _number(0.0, "pull of the enemy's true position on a searcher; for an exhibit", 0, 10)
    canvass: bool = field(default=True, metadata={"doc": "a guard that looks around looks at the largest unseen part"})
    steps: bool = field(
        default=True, metadata={"doc": "the first guard at a place walks a few steps around it where there is room"}
    )
    glances: bool = field(default=True, metadata={"doc": "searchers look into gaps they pass"})
    graded: bool = field(default=True, metadata={"doc": "a glimpse turns a guard's head before anything else"})
    reactions: bool = field(
        default=True,
        metadata={"doc": "a guard that expects only enemies is quicker, a far or inattentive one slower"},
    )
    lapses: float = _number(0.05, "share of a guard's reactions that a lapse of attention delays", 0, 1)
    priorities: bool = field(default=True, metadata={"doc": "a guard that investigates ignores less important stimuli"})
    preempts: bool = field(
        default=True, metadata={"doc": "a more important skill breaks in at once; else what is begun is finished first"}
    )
    mends: bool = field(default=True, metadata={"doc": "guards shut doors left open and light lamps put out"})
    grace: int = _number(20, "ticks for which guards still sense a just lost enemy", 0, 100)
