"""Admission: new requests beyond a counted number wait for the next ticks.

None waits for ever, and a unit that has just requested does not wait.
"""

import numpy as np

from ai.paths import Phase
from tests.ai.paths.walkers import Walkers

OPEN = np.ones((60, 60), bool)


def _begun(walkers: Walkers) -> np.ndarray:
    return walkers.manager.requests.phase[: len(walkers.x)] != Phase.NEW


def test_no_tick_starts_more_than_its_share_and_all_units_get_a_path() -> None:
    starts = [(y, x) for y in range(2, 12) for x in range(2, 22)]
    walkers = Walkers.on(OPEN, starts, starts_a_tick=64, straight=False)
    walkers.order((50, 50))
    before = 0
    for _ in range(-(-len(starts) // 64)):
        walkers.think()
        begun = int(_begun(walkers).sum())
        assert before < begun <= before + 64
        # A unit whose turn has come has a path. A unit whose turn has not come has none, and does not count
        # as arrived.
        assert ((walkers.manager.store.path_len[: len(starts)] > 0) == _begun(walkers)).all()
        before = begun
        if before == len(starts):
            break
    assert before == len(starts)
    arrived, lost = walkers.live(3000)
    assert arrived == set(range(len(starts))) and not lost


def test_fresh_requests_come_before_waiting_ones_which_go_by_age() -> None:
    starts = [(y, x) for y in range(2, 12) for x in range(2, 22)]
    walkers = Walkers.on(OPEN, starts, starts_a_tick=20)
    walkers.order((50, 50), slots=np.arange(100, 200))
    walkers.think()  # these asked a tick ago
    walkers.order((50, 5), slots=np.arange(50, 100))  # asked a tick later than the others
    walkers.tick += 1
    walkers.order((5, 50), slots=np.arange(20))  # asked in this very tick
    walkers.tick -= 1
    walkers.think()
    begun = _begun(walkers)
    assert begun[:20].all(), "all fresh requests"
    assert begun[100:200].sum() == 20 + 5 and not begun[50:100].any(), "the oldest: all places, then a quarter as many"


def test_a_unit_that_waits_for_a_new_path_does_not_arrive_on_the_old_one() -> None:
    starts = [(y, x) for y in range(2, 4) for x in range(2, 22)]
    walkers = Walkers.on(OPEN, starts, starts_a_tick=8)
    walkers.order((6, 12))
    for _ in range(20):
        walkers.think()
    walkers.order((50, 50))  # all units go elsewhere
    last = len(starts) - 1
    for _ in range(3):
        news = walkers.think()
        walkers.walk()
        assert last not in news.arrived
    assert walkers.manager.requests.phase[last] == Phase.NEW and walkers.manager.store.path_len[last] > 0
    assert walkers.live(3000)[0] == set(range(len(starts)))
