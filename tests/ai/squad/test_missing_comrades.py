"""The exact tick at which a comrade is missed.

Ten seconds of company and five of silence precede it.
"""

from __future__ import annotations

import numpy as np

from ai.squad.missing_comrades import COMPANY, PAUSE, SILENCE, Comrades


def play(company: int, leaves: int = -1, near: bool = True, ticks: int = 400) -> list[tuple[int, tuple[int, int]]]:
    """Two guards; the second falls after ``company`` ticks.

    The first walks off ``leaves`` ticks later.
    """
    comrades, ids, found = Comrades(1), np.array([3, 8], np.int32), []
    for tick in range(1, ticks):
        lives = tick <= company
        close = near and not (leaves >= 0 and tick > company + leaves)
        pair = np.array([[False, close], [close, False]])
        found += [(tick, row) for row in comrades.update(tick, 1, ids, np.array([True, lives]), pair)]
    return found


def test_after_ten_seconds_of_company_and_five_of_silence() -> None:
    assert play(COMPANY) == [(COMPANY + SILENCE, (3, 8))]


def test_short_company_a_walk_away_and_a_wall() -> None:
    assert play(COMPANY - 2) == []
    assert play(COMPANY, leaves=SILENCE - 2) == []
    assert play(COMPANY, near=False) == []


def test_a_second_loss_within_the_pause_is_not_minded() -> None:
    comrades, ids, found = Comrades(1), np.array([3, 8, 9], np.int32), []
    near = ~np.eye(3, dtype=bool)
    for tick in range(1, 900):
        noisy = np.array([True, tick <= 300, tick <= 600])
        found += [(tick, row) for row in comrades.update(tick, 1, ids, noisy, near) if row[0] == 3]
    assert found == [(300 + SILENCE, (3, 8))]
    assert 600 + SILENCE < 300 + SILENCE + PAUSE
