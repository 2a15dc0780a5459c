"""Action tokens: a pool limits how many units do something at the same time.

Source: Jeet Shroff, Game AI Pro 2, ch. 36, 36.6.2.1 (a pool of tokens by action, with a count or one token for so many
characters, and a least time until the same unit gets one again). Times are in ticks, units are ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from ai.core.serialization import record


@record
class TokenPool:
    """Tokens of one action: ticks at which units took and returned them."""

    taken: dict[int, int] = field(default_factory=dict)
    released: dict[int, int] = field(default_factory=dict)


def size_of(count: int, each: int, crowd: int) -> int:
    """Return the size of a pool: ``count``, or one for ``each`` units."""
    return count if each <= 0 else max(1, crowd // each)


def acquire(pool: TokenPool, unit: int, tick: int, size: int, again: int) -> bool:
    """Return true if a unit holds a token now.

    It gets none while ``size`` others hold one, or within ``again`` ticks after it gave its own back.
    """
    if unit in pool.taken:
        return True
    if len(pool.taken) >= size or tick - pool.released.get(unit, tick - again) < again:
        return False
    pool.taken[unit] = tick
    return True


def release(pool: TokenPool, unit: int, tick: int) -> None:
    """Give a token back."""
    if pool.taken.pop(unit, None) is not None:
        pool.released[unit] = tick


def keep_only(pool: TokenPool, units: Iterable[int], tick: int) -> None:
    """Take the tokens of all units but these.

    The others are dead or do something else."""
    kept = set(units)
    for unit in [unit for unit in pool.taken if unit not in kept]:
        release(pool, unit, tick)


TECHNIQUES = (
    {
        "slug": "action-tokens",
        "name": "Action tokens: how many assault at once",
        "ids": ("GP2-36.18",),
        "source": "Game AI Pro 2, 36.6.2.1",
        "functions": ("acquire", "release", "keep_only", "size_of"),
        "test": "tests/ai/squad/coordination/test_tokens.py",
        "exhibit": "levels/exhibits/squads/firing_line.tokens.toml",
        "overlay": "squad_tokens",
        "setting": "tactics.assault_tokens",
        "measure": "uncovered",
        "direction": "down",
        "claim": (
            "Only assaults have a pool. Off in the shipped game, whose manoeuvres share out their assaults "
            "themselves; 0 is no limit."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
