"""Chance to hit: a product of factors that stops at the first zero.

Source: Paul Tozour, AI Game Programming Wisdom, 8.4 (factors from 0 to 1 for skill, range, size of the target, its
motion across the line, cover, and the state of the shooter; they are multiplied, and a zero ends the evaluation). The
weapon's chances at point-blank and at full reach hold skill and range. The numbers of the other factors are ours.
Lengths are in tiles, speeds in tiles/s.
"""

from __future__ import annotations

import math

from ai.core.kernels import device

KNEELS, LIES = 2.0, 3.0
"""Divisors of the chance against a crouched and a prone target."""
MOST_COVER = 3
"""Fullest cover of a tile; it takes half of the chance."""
FAST = 4.0
"""Speed across the line, in tiles/s, at which motion counts wholly: a run."""


@device
def to_hit(
    near: float, far: float, distance: float, reach: float, stance: int, cover: int, suppressed: float, spoils: float,
    vx: float, vy: float, dx: float, dy: float, motion: float, factors: bool,
) -> float:  # fmt: skip
    """Return the chance 0 to 1 that a shot hits.

    ``near, far`` are the weapon's chances at 0 and at ``reach``. ``stance`` (0 to 2) and ``cover`` (0 to 3) are the
    target's, ``suppressed`` (0 to 1) is the shooter's, of which ``spoils`` is the share that counts. ``vx, vy`` is the
    velocity of the target less that of the shooter, and ``dx, dy`` the way to it; a run across the line takes the share
    ``motion``. Without ``factors`` the weapon and the range alone count.
    """
    chance = near + (far - near) * (distance / reach)
    if not factors or chance <= 0.0:
        return max(chance, 0.0)
    if stance == 1:
        chance *= 1.0 / KNEELS
    elif stance == 2:
        chance /= LIES
    chance *= 1.0 - min(cover, MOST_COVER) / (2.0 * MOST_COVER)
    chance *= 1.0 - spoils * suppressed
    if chance <= 0.0 or motion <= 0.0 or distance <= 0.0:
        return max(chance, 0.0)
    across = math.fabs(vx * dy - vy * dx) / distance
    return chance * (1.0 - motion * min(across / FAST, 1.0))


TECHNIQUES = (
    {
        "slug": "to-hit",
        "name": "Chance to hit by factors",
        "ids": ("AW-8.4-1",),
        "source": "AI Game Programming Wisdom, 8.4",
        "functions": ("to_hit",),
        "test": "tests/ai/tactics/fire/test_to_hit.py",
        "exhibit": "levels/exhibits/tactics/killing_ground.hits.toml",
        "overlay": "minds",
        "setting": "rules.hit_factors",
        "measure": "fallen",
        "direction": "down",
        "claim": "The target's motion counts nothing in the shipped game; a shooter does not warm up.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
