"""A side acts on the last report about a target, never on the truth."""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.perception.memory.last_known_position import SideBeliefs
from tests.ai.perception.awareness.test_vision import Scene


class Hunt:
    """Two guards (ids 10, 11, side 1) and a raider (id 12, side 0).

    The beliefs never get the raider's true position.
    """

    def __init__(self) -> None:
        self.scene = Scene(np.zeros((21, 60), np.uint8), 3)
        self.scene.side[:] = [1, 1, 0]
        self.scene.watching[:2] = 1
        self.scene.x[:], self.scene.y[:] = [5.5, 40.5, 9.5], 10.5
        self.beliefs = SideBeliefs(1)

    def tick(self, count: int = 1) -> list[int]:
        lost = []
        for _ in range(count):
            s = self.scene
            s.look()
            lost += self.beliefs.perceive(
                s.tick, s.ids, s.alive, s.side, s.meter, s.meter_target, s.seen_x, s.seen_y, s.seen_tick
            )
        return lost


def test_a_sighting_is_everybodys_knowledge_in_the_same_tick_and_only_when_identified() -> None:
    hunt = Hunt()
    while hunt.scene.meter[0] < 1:
        assert not hunt.beliefs.about
        hunt.tick()
    known = hunt.beliefs.about[12]
    assert (known.x, known.y, known.tick, known.reporter) == (9.5, 10.5, hunt.scene.tick, 10)
    assert hunt.beliefs.about[12].lost_tick < 0


def test_unseen_the_belief_stays_put_wherever_the_target_goes() -> None:
    hunt = Hunt()
    hunt.tick(40)
    hunt.scene.opaque[:, 8] = 1
    assert hunt.tick() == [12]
    lost_at = hunt.scene.tick
    for x in np.linspace(9.5, 30.0, 50):
        hunt.scene.x[2] = x
        assert hunt.tick() == []
        assert (hunt.beliefs.about[12].x, hunt.beliefs.about[12].y) == (9.5, 10.5)
    assert hunt.beliefs.about[12].tick == hunt.scene.tick - 51
    assert hunt.beliefs.about[12].lost_tick == lost_at
    assert 99 not in hunt.beliefs.about


def test_of_two_who_see_it_the_smaller_id_reports_and_one_who_stays_keeps_it_in_sight() -> None:
    hunt = Hunt()
    hunt.scene.x[:] = [14.5, 5.5, 10.0]
    hunt.scene.head[0] = np.pi
    hunt.tick(40)
    assert hunt.beliefs.about[12].reporter == 10
    hunt.scene.head[0] = 0.0
    assert hunt.tick(5) == []
    assert hunt.beliefs.about[12].reporter == 11


def test_a_report_moves_the_belief_but_never_against_eyes() -> None:
    hunt = Hunt()
    hunt.beliefs.report(1, 12, 30.0, 3.0, 11)
    assert (hunt.beliefs.about[12].x, hunt.beliefs.about[12].seen) == (30.0, False)
    hunt.tick(40)
    assert hunt.beliefs.about[12].x == 9.5
    hunt.beliefs.report(41, 12, 50.0, 3.0, 11)
    assert hunt.beliefs.about[12].x == 9.5
    hunt.scene.opaque[:, 8] = 1
    hunt.tick()
    hunt.beliefs.report(43, 12, 50.0, 3.0, 11)
    assert hunt.beliefs.about[12].x == 50.0
    assert hunt.tick() == []


def test_of_two_reports_the_later_counts_whichever_comes_first_and_the_gone_are_forgotten() -> None:
    beliefs = SideBeliefs(1)
    for tick, x in ((30, 3.0), (10, 1.0)):
        beliefs.report(tick, 7, x, 1.0, 10)
    assert (beliefs.about[7].x, beliefs.about[7].tick) == (3.0, 30)
    beliefs.forget(7)
    beliefs.forget(7)
    assert not beliefs.about


def test_the_other_sides_watchers_and_the_dead_tell_nothing() -> None:
    hunt = Hunt()
    hunt.beliefs.side = 2
    hunt.tick(40)
    assert not hunt.beliefs.about
    hunt.beliefs.side = 1
    hunt.scene.alive[0] = 0
    hunt.tick(5)
    assert not hunt.beliefs.about


def test_beliefs_are_state() -> None:
    hunt = Hunt()
    hunt.tick(40)
    assert digest(restore(snapshot(hunt.beliefs))) == digest(hunt.beliefs)


@pytest.mark.parametrize("seed", range(8))
def test_beliefs_equal_a_log_of_all_reports(seed: int) -> None:
    """Watchers of two sides, some dead, identify targets at random; shots are reported between."""
    rng = np.random.default_rng(seed)
    beliefs, n = SideBeliefs(1), 8
    ids, side = rng.permutation(n).astype(np.int32) + 30, rng.integers(1, 3, n).astype(np.uint8)
    about: dict[int, tuple] = {}
    for tick in range(1, 40):
        alive, meter = (rng.random(n) < 0.8).astype(np.uint8), rng.choice([0.4, 0.99, 1.0], n)
        target, seen_tick = rng.integers(0, 5, n).astype(np.int32), tick - rng.integers(0, 2, n).astype(np.int32)
        x, y = rng.uniform(0, 50, (2, n))
        beside = [(int(s), int(t), float(v), float(v) + 1) for s, t, v in rng.uniform((0, 0, 0), (n, 5, 50), (2, 3))]
        told = [(int(ids[i]), int(target[i]), float(x[i]), float(y[i]), i) for i in range(n)]
        told = [row for row in told if meter[row[4]] >= 1 and seen_tick[row[4]] == tick]
        told += [(int(ids[s]), t, bx, by, s) for s, t, bx, by in beside]
        told = [row for row in told if side[row[4]] == 1 and alive[row[4]]]
        lost = beliefs.perceive(tick, ids, alive, side, meter, target, x, y, seen_tick, beside)
        in_view = {row[1] for row in told}
        gone = sorted(t for t, row in about.items() if row[4] and row[5] < 0 and t not in in_view)
        about.update({t: (*row[:5], tick) for t, row in about.items() if t in gone})
        about.update({row[1]: (row[2], row[3], tick, row[0], True, -1) for row in sorted(told, reverse=True)})
        assert lost == gone
        shot, back = int(rng.integers(0, 6)), int(rng.integers(0, 3))
        known = about.get(shot)
        counts = known is None or (known[5] >= 0 and tick - back > known[2])
        assert beliefs.report(tick - back, shot, 3.0, float(tick), 77) == counts
        if counts:
            about[shot] = (3.0, float(tick), tick - back, 77, False, tick - back)
        found = {t: (b.x, b.y, b.tick, b.reporter, b.seen, b.lost_tick) for t, b in beliefs.about.items()}
        assert found == about
