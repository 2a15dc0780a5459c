"""Components with periods of their own, chosen so that they seldom fall into one tick.

Source: AI Game Programming Wisdom, 6.1 ("Architecting a Game AI"): rarely changing components run rarely, with periods
that share no factor, and the players' turns rotate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def coprime_periods(wanted: Sequence[int]) -> list[int]:
    """For each wanted period (ticks, at least 1) the nearest that shares no factor with those before it.

    Two components with coprime periods p and q meet only once in p q ticks.  Of two equally near the shorter is taken.
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
    """Whether a component with this period runs in ``tick``."""
    return (tick - phase) % period == 0


def whose_turn(tick: int, ids: np.ndarray, period: int | np.ndarray) -> np.ndarray:
    """bool[n]: which of ``ids`` have their turn in ``tick``, each once in ``period`` ticks (one for all, or int[n]).

    A member's turn follows from its id alone, so that those who come and go shift nobody else's.
    """
    turns: np.ndarray = (tick + ids) % period == 0
    return turns


def turn_of(ids: np.ndarray, period: int) -> np.ndarray:
    """int[n]: which of the ``period`` turns each member has, for :func:`on_turn`, which then need not divide again."""
    turns: np.ndarray = ids % period
    return turns


def on_turn(tick: int, turns: np.ndarray, period: int) -> np.ndarray:
    """bool[n]: whose turn by :func:`turn_of` it is in ``tick``; the same members as :func:`whose_turn` finds."""
    there: np.ndarray = turns == -tick % period
    return there


def beat(tick: int, period: int, beats: int = 2) -> int:
    """Which of ``beats`` equally long parts of a cycle a clock is in, each ``period`` ticks long: 0, 1, ..."""
    return tick // period % beats


def player_of_turn(tick: int, period: int, phase: int, players: int) -> int:
    """Whose component runs when it is due: the players (sides) take turns.  -1 when it is not due."""
    return (tick - phase) // period % players if players > 0 and is_due(tick, period, phase) else -1
