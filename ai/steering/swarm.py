"""A swarm instead of a flock: two zones round a target, no pair is ever looked at (AI Game Programming Wisdom, 4.6).

Outside the swarm range a creature hurries towards the target with a top speed of its own; inside, its heading depends
on its speed (odd or even) and its speed on its heading, and the whole swirls.  Angles are the article's 16 bits
(65,536 a turn, clockwise from +x here) and speeds its small integers: everything is exact and cheap.
"""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np

from ai.kernels import kernel
from ai.rand import uniform
from ai.state import record
from ai.steering.walls import slide, tile_open

TURN = 65536

LOCK_ANGLE = 0x1000
TURN_SPEED = 0x200
UNIT = 1.0 / 256.0
"""Tiles a tick of one step of speed: 24 to 55 are 1.9 to 4.3 tiles a second."""


@record
class Swarm:
    """Creatures of one swarm: places (tiles), headings (16 bits), speeds (small integers), ages and lives (ticks)."""

    swarm_range: float = 3.0
    life: int = 1200
    flee: int = 200
    x: np.ndarray = field(default_factory=lambda: np.zeros(0))
    y: np.ndarray = field(default_factory=lambda: np.zeros(0))
    heading: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    speed: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    age: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    active: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))

    @classmethod
    def released(cls, count: int, x: float, y: float, seed: int, stream: int, swarm_range: float = 3.0) -> Swarm:
        """``count`` creatures at one place, with headings and first ages from the keyed dice."""
        if count < 0 or swarm_range <= 0.0:
            raise ValueError(f"a swarm has at least 0 creatures and a positive range, got {count}, {swarm_range}")
        dice = [[uniform(seed, stream, 0, i, n) for i in range(count)] for n in range(2)]
        return cls(
            swarm_range=swarm_range,
            x=np.full(count, float(x)),
            y=np.full(count, float(y)),
            heading=(np.array(dice[0]) * TURN).astype(np.int32),
            speed=np.zeros(count, np.int32),
            age=(np.array(dice[1]) * 100).astype(np.int32),
            active=np.ones(count, np.uint8),
        )

    def step(self, passable: np.ndarray, bit: int, tick: int, target: tuple[float, float]) -> None:
        """One tick: everybody moves, turns, and ages; ``bit`` is the class mask of the creatures."""
        step_swarm(
            passable, bit, tick, target[0], target[1], self.swarm_range, self.life, self.flee,
            self.x, self.y, self.heading, self.speed, self.age, self.active,
        )  # fmt: skip


@kernel(
    "void(uint8[:,::1], int64, int64, float64, float64, float64, int64, int64, float64[::1], float64[::1],"
    " int32[::1], int32[::1], int32[::1], uint8[::1])",
    group="lab",
)
def step_swarm(
    passable: np.ndarray,
    bit: int,
    tick: int,
    target_x: float,
    target_y: float,
    swarm_range: float,
    life: int,
    flee: int,
    x: np.ndarray,
    y: np.ndarray,
    heading: np.ndarray,
    speed: np.ndarray,
    age: np.ndarray,
    active: np.ndarray,
) -> None:
    """The article's listing, creature by creature; walls turn a creature round, a fleeing one is gone at one."""
    for i in range(x.size):
        if not active[i]:
            continue
        fleeing = age[i] > life - flee
        a = heading[i] * (2.0 * math.pi / TURN)
        go = speed[i] * UNIT
        nx, ny, hit = slide(passable, bit, x[i], y[i], go * math.cos(a), go * math.sin(a), 0.1)
        if hit or not tile_open(passable, bit, math.floor(ny), math.floor(nx)):
            if fleeing:
                active[i] = 0
                continue
            heading[i] = (heading[i] + TURN // 2) % TURN
        else:
            x[i] = nx
            y[i] = ny
        dx = target_x - x[i]
        dy = target_y - y[i]
        bearing = math.floor(math.atan2(dy, dx) * (TURN / (2.0 * math.pi)))
        off = (bearing - heading[i] + TURN // 2) % TURN - TURN // 2
        if fleeing:
            off = -off
        if abs(dx) + abs(dy) > swarm_range:
            if speed[i] < 24 + (i & 31):
                speed[i] += 1
            if abs(off) < LOCK_ANGLE:
                # A little variation keeps them apart.
                heading[i] = (heading[i] + ((tick - i) << 3) % 256 - 128) % TURN
            else:
                heading[i] = (heading[i] + (2 * TURN_SPEED if off > 0 else -2 * TURN_SPEED)) % TURN
        else:
            heading[i] = (heading[i] + (TURN_SPEED if speed[i] & 1 else -TURN_SPEED)) % TURN
            speed[i] = 48 - (abs(off) >> 10)
        age[i] += 1
        if age[i] > life:
            active[i] = 0
