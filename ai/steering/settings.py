"""Settings of the motion stages and their flat array for kernels."""

from __future__ import annotations

from dataclasses import field, fields
from operator import attrgetter
from typing import Any

import numpy as np

from ai.core.serialization import record
from ai.steering.settings_columns import Avoidance


def _number(default: Any, doc: str, low: float = 0.0, high: float = 1000.0, choices: tuple = ()) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high, "choices": choices})


@record
class SteeringSettings:
    """Settings of the motion stages.

    Lengths are in tiles, times in seconds and rates per second, unless a setting names ticks.
    """

    dt: float = _number(0.05, "length of a tick, s", 0.001, 1.0)
    # path following
    gain: float = _number(5.0, "rate at which the velocity approaches the wanted velocity, 1/s", 0.1, 20.0)
    gain_raise: float = _number(
        0.03, "growth of the gain per tick while the predicted arc misses the waypoint", 0.0, 1.0
    )
    gain_limit: float = _number(4.0, "largest gain, as a multiple of the set gain", 1.0, 20.0)
    waypoint_radius: float = _number(0.35, "distance at which an intermediate waypoint is reached, tiles", 0.05, 2.0)
    settle_radius: float = _number(0.12, "distance at which the destination is reached, tiles", 0.02, 2.0)
    brake: float = _number(4.0, "deceleration planned for the arrival, tiles/s2", 0.1, 100.0)
    lookahead: float = _number(12.0, "longest straight line on which a corner may be skipped, tiles", 0.0, 64.0)
    keep_right: float = _number(1.0, "pull into the right-hand lane of narrow places with oncoming traffic", 0.0, 10.0)
    # whiskers
    whiskers: int = _number(4, "whiskers per unit: 0 (none), 4, 6 or 8", choices=(0, 4, 6, 8))
    whisker_reach: float = _number(0.4, "distance from the centre of the body to a whisker, tiles", 0.1, 3.0)
    whisker_radius: float = _number(0.1, "half the side of a whisker, tiles", 0.0, 1.0)
    whisker_repel: float = _number(0.05, "weight added in each tick in which a whisker touches, tiles/s", 0.0, 10.0)
    whisker_erosion: float = _number(0.9, "share of a whisker's weight that remains after a tick", 0.0, 0.999)
    whisker_attract: float = _number(0.0, "1: whiskers are biased by the wanted velocity; 0: they are not", 0.0, 1.0)
    whisker_units: int = _number(0, "1: whiskers detect units and walls; 0: walls only", choices=(0, 1))
    # avoidance
    avoidance: int = _number(
        int(Avoidance.TTC),
        "0 none, 1 separation, 2 time to collision, 3 social force, 4 reciprocal",
        choices=(0, 1, 2, 3, 4),
    )
    sense_radius: float = _number(3.0, "distance at which a unit notices other units, tiles", 0.7, 16.0)
    neighbours: int = _number(10, "largest number of neighbours considered", 1, 16)
    horizon: float = _number(3.0, "later collisions are ignored, s", 0.05, 30.0)
    peer_horizon: float = _number(0.6, "later collisions with members of the same group are ignored, s", 0.0, 30.0)
    peer_share: float = _number(
        0.4, "distance kept from members of the same group, as a share of the usual distance", 0.05, 1.0
    )
    force_cap: float = _number(20.0, "largest force from one neighbour, tiles/s2", 0.0, 1000.0)
    side_bias: float = _number(1.0, "strength of passing an oncoming unit on the right", 0.0, 5.0)
    intent: float = _number(0.8, "share of the wanted velocity in the velocity that others predict", 0.0, 1.0)
    calm: int = _number(10, "ticks without progress that halve the avoidance force, so that a queue closes up", 1, 1000)
    avoid_weight: float = _number(1.0, "weight of the avoidance force", 0.0, 10.0)
    separation: float = _number(0.25, "gap below which separation pushes, tiles", 0.0, 2.0)
    social_strength: float = _number(10.0, "social force of two bodies that touch, tiles/s2", 0.0, 100.0)
    social_range: float = _number(0.25, "gap over which the social force falls to a third, tiles", 0.02, 2.0)
    # steering method
    method: int = _number(0, "0 plain following, 1 blended vectors, 2 context maps, 3 swarm", choices=(0, 1, 2, 3))
    context_slots: int = _number(16, "directions of a context map", choices=(8, 12, 16, 24, 32))
    context_falloff: float = _number(2.0, "angle from the path at which interest fades to zero, radians", 0.3, 3.2)
    context_keep_away: float = _number(1.5, "gap below which another unit counts as danger, tiles", 0.1, 8.0)
    context_look: float = _number(0.8, "distance at which a wall counts as danger, tiles", 0.1, 8.0)
    context_blur: float = _number(0.0, "share of a direction given to its two neighbours", 0.0, 0.9)
    context_blend: float = _number(0.5, "weight of the new map in the kept map; 1 keeps nothing", 0.05, 1.0)
    swarm_range: float = _number(3.0, "distance from the goal within which a swarm circles, tiles", 0.5, 20.0)
    swarm_life: int = _number(
        0, "ticks until a creature leaves the swarm, fleeing during the last 200; 0: it stays", 0, 100_000
    )
    turning_radius: float = _number(0.0, "radius of the turning circle, tiles; 0: units turn on the spot", 0.0, 10.0)
    pipelines: int = _number(
        1, "1: each unit type has its own order of stages; 0: all have the usual order", choices=(0, 1)
    )
    # right of way
    right_of_way: int = _number(1, "1: units give way to each other in narrow places", choices=(0, 1))
    give_way_after: int = _number(20, "ticks without progress before the higher id gives way in single file", 1, 1000)
    give_way_ticks: int = _number(6, "ticks that a unit gives way after the last contact", 0, 200)
    # velocity integration
    acceleration: float = _number(16.0, "largest acceleration, tiles/s2", 0.1, 1000.0)
    turn_acceleration: float = _number(8.0, "largest product of speed and turn rate, tiles/s2", 0.1, 1000.0)
    along_facing: int = _number(0, "1: a unit moves only where it faces; 0: it may side-step", choices=(0, 1))
    # collision resolution
    sweeps: int = _number(8, "sweeps of collision resolution per tick", 0, 32)
    idle_mass: float = _number(0.3, "mass of an idle unit; a moving unit has 1", 0.01, 1.0)
    # progress
    progress_step: float = _number(0.05, "smallest gain in distance that counts as progress, tiles", 0.0, 1.0)
    blocked_ticks: int = _number(40, "ticks without progress before a unit reports that it is blocked", 1, 10000)
    settle_ticks: int = _number(10, "ticks without progress beside a settled friend that count as arrival", 1, 1000)
    packing_radius: float = _number(
        24.0, "largest distance from the goal at which a unit may settle, tiles", 0.0, 100.0
    )
    # threads
    threads_from: int = _number(
        6000, "number of units from which several threads share the work; same result", 1, 1_000_000
    )

    def packed(self) -> np.ndarray:
        """Return float64[fields] in field order; kernels index it by ``settings_columns``."""
        return np.array(_all_of(self), np.float64)


_all_of = attrgetter(*(f.name for f in fields(SteeringSettings)))
