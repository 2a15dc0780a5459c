"""Random numbers as a pure function: ``rand(seed, stream, tick, unit id, n)``.

There is no generator state. Each subsystem has its own stream, so that switching a technique never changes the dice of
another. The mixer is splitmix64's finaliser, applied once per key word. Python and kernels share the code.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ai.core.kernels import device


class Stream(IntEnum):
    """Streams of random numbers, one per subsystem.

    Append only: the numbers are part of every replay.
    """

    SPAWN = 1
    FIRE = 2
    GUARD = 3
    STEERING = 4
    SCRIPT = 5
    WANDER = 6
    PERCEPTION = 7
    DECORATION = 8


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_MASK = (1 << 64) - 1


@device
def _mix(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> np.uint64(30))) * _M1
    z = (z ^ (z >> np.uint64(27))) * _M2
    return z ^ (z >> np.uint64(31))


@device
def rand_bits(seed: int, stream: int, tick: int, unit: int, n: int) -> np.uint64:
    """Return 64 random bits inside a kernel."""
    z = _mix(np.uint64(seed) + _GOLDEN)
    z = _mix(z ^ (np.uint64(stream) + _GOLDEN))
    z = _mix(z ^ (np.uint64(tick) + _GOLDEN))
    z = _mix(z ^ (np.uint64(unit) + _GOLDEN))
    return _mix(z ^ (np.uint64(n) + _GOLDEN))


@device
def rand_unit(seed: int, stream: int, tick: int, unit: int, n: int) -> float:
    """Return a uniform float64 in [0, 1) inside a kernel."""
    return np.float64(rand_bits(seed, stream, tick, unit, n) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def _mix_int(z: int) -> int:
    z = ((z ^ (z >> 30)) * int(_M1)) & _MASK
    z = ((z ^ (z >> 27)) * int(_M2)) & _MASK
    return z ^ (z >> 31)


def bits(seed: int, stream: int, tick: int, unit: int, n: int = 0) -> int:
    """Return 64 random bits; equal to ``rand_bits`` for the same key."""
    golden = int(_GOLDEN)
    z = _mix_int(((seed & _MASK) + golden) & _MASK)
    for word in (stream, tick, unit, n):
        z = _mix_int(z ^ (((word & _MASK) + golden) & _MASK))
    return z


def uniform(seed: int, stream: int, tick: int, unit: int, n: int = 0) -> float:
    """Return a uniform float in [0, 1); equal to ``rand_unit`` for the same key."""
    return (bits(seed, stream, tick, unit, n) >> 11) * (1.0 / 9007199254740992.0)


def below(limit: int, seed: int, stream: int, tick: int, unit: int, n: int = 0) -> int:
    """Return a uniform integer in [0, limit).

    Raises ValueError when ``limit`` is not positive.
    """
    if limit <= 0:
        raise ValueError(f"limit must be positive, got {limit}")
    return (bits(seed, stream, tick, unit, n) * limit) >> 64
