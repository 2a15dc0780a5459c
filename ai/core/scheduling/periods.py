"""Periods of components, chosen so that they seldom fall into one tick.

Source: AI Game Programming Wisdom, 6.1 ("Architecting a Game AI"): slowly changing components run rarely, with periods
that share no factor, and the players' turns rotate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def coprime_periods(wanted: Sequence[int]) -> list[int]:
    """Return coprime periods near the ``wanted`` ones.

    For each wanted period (ticks, at least 1) it takes the nearest one that shares no factor with those before it; the
    shorter of two equally near. Two components with coprime periods p and q meet only once in p q ticks.
    """
    chosen: list[int] = []
    for period in wanted:
        if period < 1:
            raise ValueError(f"a period is at least one tick, got {period}")
        step = 0
        while True:
            near = [p for p in (period - step, period + step) if p >= 1]
            fits = [p for p in near if all(math.gcd(p, other) == 1 for other in chosen)]
            if fits:
                chosen.append(fits[0])
                break
            step += 1
    return chosen


def is_due(tick: int, period: int, phase: int = 0) -> bool:
    """Return whether a component with this period runs in ``tick``."""
    return (tick - phase) % period == 0


def whose_turn(tick: int, ids: np.ndarray, period: int | np.ndarray) -> np.ndarray:
    """Return which of ``ids`` run in ``tick``, bool[n].

    Each runs once in ``period`` ticks (one for all, or int[n]). A member's turn follows from its id alone, so that
    members that come and go shift no other turns.
    """
    turns: np.ndarray = (tick + ids) % period == 0
    return turns


def turn_of(ids: np.ndarray, period: int) -> np.ndarray:
    """Return the turn of each member, one of ``period``, int[n].

    :func:`on_turn` reads it and need not divide again.
    """
    turns: np.ndarray = ids % period
    return turns


def on_turn(tick: int, turns: np.ndarray, period: int) -> np.ndarray:
    """Return which members run in ``tick`` by :func:`turn_of`, bool[n].

    They are the members that :func:`whose_turn` finds.
    """
    there: np.ndarray = turns == -tick % period
    return there


def beat(tick: int, period: int, beats: int = 2) -> int:
    """Return the current part of a cycle of ``beats`` equal parts: 0, 1, ...

    Each part is ``period`` ticks long.
    """
    return tick // period % beats


def player_of_turn(tick: int, period: int, phase: int, players: int) -> int:
    """Return the player whose component runs when it is due, else -1.

    The players (sides) take turns.
    """
    return (tick - phase) // period % players if players > 0 and is_due(tick, period, phase) else -1
