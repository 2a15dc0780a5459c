"""Swarm: two zones around a target, without any test of pairs.

Outside the swarm range, a creature hurries to the target at its own top pace. Inside, its heading depends on its pace
(odd or even) and its pace on its heading, so the group swirls.

Angles have the article's 16 bits (65,536 per turn, here clockwise from +x) and paces are its small integers. The result
is a wanted velocity, as with every other method. Later stages handle walls and neighbours.

Source: AI Game Programming Wisdom, 4.6.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from ai.core.kernels import kernel
from ai.core.rand import Stream, rand_unit
from ai.core.serialization import record
from ai.steering.behaviours.context_steering import ray_length

TURN = 65536

LOCK_ANGLE = 0x1000
TURN_SPEED = 0x200
FASTEST = 55
"""The highest pace, at which a creature moves at its body's full speed."""

FLEES = 200
"""Ticks at the end of its swarm life in which a creature flees.

It flees from the target.
"""

FIRST_AGES = 100
"""Upper limit of the first age in ticks.

The ages differ, so that creatures leave the swarm one by one.
"""

STREAM, DIE = int(Stream.STEERING), 46
"""Random stream, and number of the draw that gives the first age."""


@record
class SwarmMinds:
    """Heading, pace and age of every slot, int32[slots]; empty without a swarm.

    The heading has 16 bits and the pace is a small integer. The age is in ticks; 0: not in the swarm.
    """

    heading: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    pace: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    age: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))

    def reserve(self, slots: int) -> None:
        """Grow to at least ``slots`` slots."""
        have = len(self.age)
        if have < slots:
            for name in ("heading", "pace", "age"):
                grown = np.zeros(slots, np.int32)
                grown[:have] = getattr(self, name)
                setattr(self, name, grown)


@kernel(
    "void(uint8[:,::1], int64, int64, float64, int64, float64, int32[::1], uint8[::1], uint8[::1], float64[::1],"
    " float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], uint8[::1], int16[::1],"
    " float64[::1], float64[::1], int32[::1], int32[::1], int32[::1])",
    group="lab",
)
def steer_as_swarm(
    passable: np.ndarray,
    seed: int,
    tick: int,
    swarm_range: float,
    life: int,
    dt: float,
    ids: np.ndarray,
    moving: np.ndarray,
    movement_class: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    radius: np.ndarray,
    facing: np.ndarray,
    speed: np.ndarray,
    goal_x: np.ndarray,
    goal_y: np.ndarray,
    reached: np.ndarray,
    stuck: np.ndarray,
    want_x: np.ndarray,
    want_y: np.ndarray,
    heading: np.ndarray,
    pace: np.ndarray,
    age: np.ndarray,
) -> None:
    """Steer each creature as in the article's listing; the target is the unit's goal.

    Writes ``want`` from heading and pace of moving units. Outside the swarm range a creature follows its path. It turns
    round before a wall and never comes to rest. After ``life`` ticks it leaves the swarm and walks to its goal; it
    flees during the last 200 of them. 0: it never leaves.
    """
    for i in range(x.size):
        if not moving[i]:
            age[i] = 0
            continue
        if age[i] == 0:
            heading[i] = math.floor(facing[i] * (TURN / (2.0 * math.pi))) % TURN
            pace[i] = 0
            age[i] = 1 + int(rand_unit(seed, STREAM, 0, ids[i], DIE) * FIRST_AGES)
        age[i] += 1
        if 0 < life < age[i]:
            continue
        fleeing = life > 0 and age[i] > life - FLEES
        dx = goal_x[i] - x[i]
        dy = goal_y[i] - y[i]
        inside = abs(dx) + abs(dy) <= swarm_range
        straight = inside or (want_x[i] == 0.0 and want_y[i] == 0.0)
        bearing = math.atan2(dy, dx) if straight else math.atan2(want_y[i], want_x[i])
        off = (math.floor(bearing * (TURN / (2.0 * math.pi))) - heading[i] + TURN // 2) % TURN - TURN // 2
        if fleeing:
            off = -off
        if inside:
            heading[i] = (heading[i] + (TURN_SPEED if pace[i] & 1 else -TURN_SPEED)) % TURN
            pace[i] = 48 - (abs(off) >> 10)
        else:
            if pace[i] < 24 + (ids[i] & 31):
                pace[i] += 1
            if abs(off) < LOCK_ANGLE:
                # A small variation per id keeps the creatures apart.
                heading[i] = (heading[i] + ((tick - ids[i]) << 3) % 256 - 128) % TURN
            else:
                heading[i] = (heading[i] + (2 * TURN_SPEED if off > 0 else -2 * TURN_SPEED)) % TURN
        go = speed[i] * pace[i] / FASTEST
        a = heading[i] * (2.0 * math.pi / TURN)
        clear = radius[i] + go * dt
        if ray_length(passable, 1 << movement_class[i], x[i], y[i], math.cos(a), math.sin(a), clear) < clear:
            heading[i] = (heading[i] + TURN // 2) % TURN
            a += math.pi
            if ray_length(passable, 1 << movement_class[i], x[i], y[i], math.cos(a), math.sin(a), clear) < clear:
                go = 0.0
        want_x[i] = go * math.cos(a)
        want_y[i] = go * math.sin(a)
        if inside or fleeing:
            stuck[i] = 0
            if reached[i] == 2:
                reached[i] = 0


TECHNIQUES = (
    {
        "slug": "swarm",
        "name": "Swarm",
        "ids": ("AW-4.6-1",),
        "source": "AI Game Programming Wisdom, 4.6",
        "functions": ("steer_as_swarm",),
        "test": "tests/ai/steering/behaviours/test_swarm.py",
        "exhibit": "levels/exhibits/motion/swarm.toml",
        "overlay": "motion",
        "setting": "steering.method",
        "measure": "turned",
        "direction": "up",
        "claim": "Off in the shipped game. On flat ground: falling, climbing and damage are left out.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
