"""Settings of the motion stages, and the flat array in which kernels read them."""

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
    """Numbers of the motion stages.  Lengths in tiles, times in seconds, rates a second, unless named ticks."""

    dt: float = _number(0.05, "length of a tick, s", 0.001, 1.0)
    # follow
    gain: float = _number(5.0, "how fast the velocity nears the wanted one, 1/s", 0.1, 20.0)
    gain_raise: float = _number(0.03, "growth of the gain per tick while the forecast misses the waypoint", 0.0, 1.0)
    gain_limit: float = _number(4.0, "most that the gain may grow, as a factor", 1.0, 20.0)
    waypoint_radius: float = _number(0.35, "a waypoint on the way is reached within this, tiles", 0.05, 2.0)
    settle_radius: float = _number(0.12, "the destination is reached within this, tiles", 0.02, 2.0)
    brake: float = _number(4.0, "deceleration planned for the arrival, tiles/s2", 0.1, 100.0)
    lookahead: float = _number(12.0, "longest straight walk for which a corner may be skipped, tiles", 0.0, 64.0)
    keep_right: float = _number(1.0, "pull into the right-hand lane of narrow places with oncoming traffic", 0.0, 10.0)
    # whiskers
    whiskers: int = _number(4, "sensors a unit: 0 none, 4, 6 or 8", choices=(0, 4, 6, 8))
    whisker_reach: float = _number(0.4, "distance of a sensor from the centre, tiles", 0.1, 3.0)
    whisker_radius: float = _number(0.1, "half-size of a sensor, tiles", 0.0, 1.0)
    whisker_repel: float = _number(0.05, "weight added each tick that a sensor touches, tiles/s", 0.0, 10.0)
    whisker_erosion: float = _number(0.9, "what is left of a weight after a tick", 0.0, 0.999)
    whisker_attract: float = _number(0.0, "1: the wanted velocity is a bias of the whiskers; 0: it is not", 0.0, 1.0)
    whisker_units: int = _number(0, "1: sensors touch units as well as walls", choices=(0, 1))
    # avoidance
    avoidance: int = _number(
        int(Avoidance.TTC),
        "0 none, 1 separation, 2 time to collision, 3 social force, 4 reciprocal",
        choices=(0, 1, 2, 3, 4),
    )
    sense_radius: float = _number(3.0, "how far a unit notices others, tiles", 0.7, 16.0)
    neighbours: int = _number(10, "most neighbours considered", 1, 16)
    horizon: float = _number(3.0, "collisions later than this are ignored, s", 0.05, 30.0)
    peer_horizon: float = _number(
        0.6, "collisions with members of one's own group later than this are ignored, s", 0.0, 30.0
    )
    peer_share: float = _number(
        0.4, "share of the usual distance that members of one group keep of each other", 0.05, 1.0
    )
    force_cap: float = _number(20.0, "most force that one neighbour may exert, tiles/s2", 0.0, 1000.0)
    side_bias: float = _number(1.0, "how strongly an oncoming unit is passed on the right", 0.0, 5.0)
    intent: float = _number(0.8, "share of the wanted velocity in what others foresee of a unit", 0.0, 1.0)
    calm: int = _number(10, "ticks without progress that halve the avoidance force: a queue closes up", 1, 1000)
    avoid_weight: float = _number(1.0, "weight of the avoidance force", 0.0, 10.0)
    separation: float = _number(0.25, "gap below which separation pushes, tiles", 0.0, 2.0)
    social_strength: float = _number(10.0, "social force of two bodies that touch, tiles/s2", 0.0, 100.0)
    social_range: float = _number(0.25, "gap over which the social force falls to a third, tiles", 0.02, 2.0)
    # how the wanted velocity comes about
    method: int = _number(0, "0 plain following, 1 blended vectors, 2 context maps, 3 swarm", choices=(0, 1, 2, 3))
    context_slots: int = _number(16, "directions of a context map", choices=(8, 12, 16, 24, 32))
    context_falloff: float = _number(2.0, "radians over which interest fades beside the way", 0.3, 3.2)
    context_keep_away: float = _number(
        1.5, "gap below which another is a danger, or is pushed away from, tiles", 0.1, 8.0
    )
    context_look: float = _number(0.8, "distance at which a wall is a danger, tiles", 0.1, 8.0)
    context_blur: float = _number(0.0, "share of a direction given to its neighbours", 0.0, 0.9)
    context_blend: float = _number(0.5, "share of the new map in the kept one; 1 forgets", 0.05, 1.0)
    swarm_range: float = _number(3.0, "distance from the goal inside which a swarm swirls, tiles", 0.5, 20.0)
    swarm_life: int = _number(
        0, "ticks after which a creature leaves the swarm, having fled for the last 200; 0: it stays", 0, 100_000
    )
    turning_radius: float = _number(0.0, "circle that bodies drive, tiles; 0: they turn on the spot", 0.0, 10.0)
    pipelines: int = _number(1, "1: each type has its own order of stages; 0: all have the usual one", choices=(0, 1))
    # right of way
    right_of_way: int = _number(1, "1: units give way to each other in narrow places", choices=(0, 1))
    give_way_after: int = _number(20, "ticks without progress after which single file is sorted out by id", 1, 1000)
    give_way_ticks: int = _number(6, "ticks that a unit gives way after the last contact", 0, 200)
    # integrate
    acceleration: float = _number(16.0, "most acceleration, tiles/s2", 0.1, 1000.0)
    turn_acceleration: float = _number(8.0, "speed times turn rate stays below this, tiles/s2", 0.1, 1000.0)
    along_facing: int = _number(0, "1: a body moves only where it faces; 0: it may side-step", choices=(0, 1))
    # correct
    sweeps: int = _number(8, "position-correction sweeps a tick", 0, 32)
    idle_mass: float = _number(0.3, "mass of an idle unit where a moving one has 1", 0.01, 1.0)
    # progress
    progress_step: float = _number(0.05, "getting nearer by less than this is no progress, tiles", 0.0, 1.0)
    blocked_ticks: int = _number(40, "ticks without progress after which a unit says that it is blocked", 1, 10000)
    settle_ticks: int = _number(10, "ticks without progress beside a settled friend that count as arrival", 1, 1000)
    packing_radius: float = _number(24.0, "farthest from the goal that a unit may settle, tiles", 0.0, 100.0)
    # threads
    threads_from: int = _number(6000, "from so many units on threads share the work; same bits", 1, 1_000_000)

    def packed(self) -> np.ndarray:
        """float64[fields] in field order, indexed in kernels by ``settings_columns``."""
        return np.array(_all_of(self), np.float64)


_all_of = attrgetter(*(f.name for f in fields(SteeringSettings)))
