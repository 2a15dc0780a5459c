"""The exact tick at which a comrade is missed.

Ten seconds of company and five of silence precede it.
"""

from __future__ import annotations

import numpy as np

from ai.squad.missing_comrades import Comrades


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
    assert play(200) == [(300, (3, 8))], "10 s and 5 s of 20 ticks"


def test_short_company_a_walk_away_and_a_wall() -> None:
    assert play(199) == []
    assert play(200, leaves=99) == [] != play(200, leaves=100)
    assert play(200, near=False) == []


def test_a_second_loss_is_minded_70_seconds_after_the_first() -> None:
    for falls, minded in ((1699, []), (1700, [(1800, (3, 9))])):
        comrades, ids, found = Comrades(1), np.array([3, 8, 9], np.int32), []
        near = ~np.eye(3, dtype=bool)
        for tick in range(1, 1850):
            noisy = np.array([True, tick <= 300, tick <= falls])
            found += [(tick, row) for row in comrades.update(tick, 1, ids, noisy, near) if row[0] == 3]
        assert found == [(400, (3, 8)), *minded]


def test_many_watchers_follow_the_rules_pair_by_pair() -> None:
    """Oracle: the rules for one pair at a time, over random noise and places."""
    rng, comrades, n, step = np.random.default_rng(2), Comrades(1), 5, 10
    ids, noisy, near = np.arange(n, dtype=np.int32) * 3, np.ones(n, bool), np.ones((n, n), bool)
    company, silent, missed, told = {}, {}, dict.fromkeys(range(n), -1400), 0
    for tick in range(0, 9000, step):
        noisy ^= rng.random(n) < 0.1
        near ^= rng.random((n, n)) < 0.02
        wanted = []
        for a, b in np.ndindex(n, n):
            if near[a, b] and noisy[b]:
                company[a, b] = company.get((a, b), 0) + step
            elif noisy[b]:
                company[a, b] = 0
            waits = a != b and near[a, b] and not noisy[b] and noisy[a] and company.get((a, b), 0) >= 60
            silent[a, b] = silent.get((a, b), 0) + step if waits else 0
            if silent[a, b] >= 30:
                company[a, b] = silent[a, b] = 0
                if tick - missed[a] >= 1400:
                    missed[a] = tick
                    wanted.append((3 * a, 3 * b))
        assert comrades.update(tick, step, ids, noisy, near, 60, 30) == wanted
        told += len(wanted)
    assert told > 15
