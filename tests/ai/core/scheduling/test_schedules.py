"""Turns are even, bounded and repeatable: held against schedules written down tick by tick."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.core.scheduling.level_of_detail import SHARES, DetailShares, classify
from ai.core.scheduling.periods import beat, coprime_periods, is_due, on_turn, player_of_turn, turn_of, whose_turn
from ai.core.scheduling.round_robin import RoundRobin
from ai.core.scheduling.task_groups import CountGroup, SpreadGroup, WorkGroup
from ai.core.scheduling.turn_kernels import has_turn


def test_a_hundred_agents_ten_a_tick_are_refreshed_every_ten_ticks_exactly():
    ring, ids, seen = RoundRobin(batch=10), np.arange(100) * 3 + 7, {}
    for tick in range(200):
        served = ring.take(ids, tick)
        assert len(served) == 10
        for i in served.tolist():
            assert tick - seen.get(i, tick - 10) == 10
            seen[i] = tick
        assert ring.interval == (10 if tick >= 9 else 0), "the first round is measured as all others"
    with pytest.raises(ValueError, match="got -1"):
        RoundRobin(batch=-1).take(ids, 0)


@given(n=st.integers(1, 60), batch=st.integers(1, 80), lost=st.lists(st.integers(0, 59), max_size=20))
@settings(max_examples=60, deadline=None)
def test_no_member_waits_longer_than_the_bound_when_members_leave(n, batch, lost):
    ring, ids = RoundRobin(batch=batch), np.arange(n)
    last = dict.fromkeys(range(n), -1)
    for tick in range(80):
        if tick % 7 == 3 and lost:
            ids = ids[ids != lost.pop()]
        served = ring.take(ids, tick)
        assert len(set(served.tolist())) == len(served) == min(batch, len(ids))
        for i in served.tolist():
            last[i] = tick
        for i in ids.tolist():
            assert tick - last[i] <= math.ceil(n / batch)


@given(ids=st.lists(st.integers(0, 500), min_size=1, max_size=30, unique=True), period=st.integers(1, 9))
@settings(max_examples=30, deadline=None)
def test_turns_by_id_come_once_a_period_and_do_not_depend_on_who_else_is_there(ids, period):
    ids = np.array(ids)
    turns = np.array([whose_turn(tick, ids, period) for tick in range(3, 3 + period)])
    assert (turns.sum(axis=0) == 1).all()
    assert all(is_due(3 + row, period, -int(ids[k])) == turns[row, k] for row, k in np.ndindex(turns.shape))
    assert np.array_equal(turns[:, :1], [whose_turn(tick, ids[:1], period) for tick in range(3, 3 + period)])
    kept = turn_of(ids, period)
    assert np.array_equal(turns, [on_turn(tick, kept, period) for tick in range(3, 3 + period)])
    assert all(has_turn(3 + row, int(ids[k]), period) == turns[row, k] for row, k in np.ndindex(turns.shape))
    assert [beat(tick, period, 3) for tick in range(3 * period)] == [0] * period + [1] * period + [2] * period


def test_a_batch_as_large_as_the_ring_is_the_plain_loop():
    ring, ids = RoundRobin(batch=500), np.arange(37)
    for tick in range(5):
        assert np.array_equal(ring.take(ids, tick), ids)


def test_the_batch_adjusts_itself_within_two_turns_when_the_ring_doubles():
    ring = RoundRobin(batch=1, reaction=10)
    tick = 0
    for n, ticks in ((100, 220), (200, 60), (50, 60)):
        for _ in range(ticks):
            ring.take(np.arange(n), tick)
            tick += 1
        assert ring.interval == 10, n
        assert ring.batch == n // 10


def test_coprime_periods_share_no_factor_and_meet_seldom():
    wanted = [20, 20, 30, 60, 45]
    periods = coprime_periods(wanted)
    assert all(math.gcd(a, b) == 1 for k, a in enumerate(periods) for b in periods[:k])
    assert all(abs(a - b) <= 4 for a, b in zip(periods, wanted, strict=True))
    phases = [3, 5, 7, 11, 13]
    ticks = range(20_000)
    at_once = max(sum(is_due(t, p, f) for p, f in zip(periods, phases, strict=True)) for t in ticks)
    equal = max(sum(is_due(t, p) for p in wanted) for t in ticks)
    assert at_once < equal
    for p, f in zip(periods, phases, strict=True):
        assert abs(sum(is_due(t, p, f) for t in ticks) - len(ticks) / p) <= 1
    turns = [player_of_turn(t, 7, 2, 3) for t in range(7 * 3 * 4)]
    assert Counter(turns) == {-1: 72, 0: 4, 1: 4, 2: 4}


@given(n=st.integers(1, 40), period=st.integers(1, 40))
@settings(max_examples=50, deadline=None)
def test_a_spread_group_runs_each_once_a_period_and_no_tick_has_more_than_one_above_another(n, period):
    group = SpreadGroup(period)
    for task in range(n):
        group.add(task)
    runs, counts = {t: [] for t in range(n)}, []
    for tick in range(8 * period):
        due = group.due(tick)
        counts.append(len(due))
        for task in due:
            runs[task].append(tick)
    for ticks in runs.values():
        assert ticks[0] <= period
        assert all(abs(b - a - period) <= 1 for a, b in itertools.pairwise(ticks))
    settled = counts[period:]
    assert max(settled) - min(settled) <= 1
    # The driving example of the source: all in one tick would be n, spread it is a period's part.
    assert max(settled) <= math.ceil(n / period)


def test_a_count_group_runs_exactly_so_many_in_turn():
    group = CountGroup(3, list(range(7)))
    runs = [group.due() for _ in range(7)]
    assert all(len(r) == 3 for r in runs)
    assert Counter(t for r in runs for t in r) == dict.fromkeys(range(7), 3)
    assert CountGroup(9, [1, 2]).due() == [1, 2]


def test_a_work_group_stays_in_its_budget_by_estimate_and_starves_nobody():
    rng = np.random.default_rng(2)
    group, ran, spent = WorkGroup(100, list(range(30))), Counter(), []
    for tick in range(400):
        due = group.due()
        if len(due) > 1:
            assert sum(map(group.estimate, due)) <= 100 + 1e-9
        work = [float(rng.integers(1, 2 * (t + 2))) for t in due]
        for task, cost in zip(due, work, strict=True):
            group.spent(task, cost)
            ran[task] += 1
        if tick > 50:
            spent.append(sum(work))
    assert min(ran.values()) >= max(ran.values()) - 1, "the ring gives everybody the same number of turns"
    assert np.mean(spent) <= 100
    group.keep({3, 4})
    assert set(group.mean) == set(group.worst) == {3, 4}, "of who is gone nothing stays"
    assert group.estimate(99) == pytest.approx((group.mean[3] + group.mean[4]) / 2)
    dear = WorkGroup(10, [1, 2])
    dear.spent(1, 50.0)
    assert [dear.due()[0] for _ in range(2)] == [1, 2], "a task dearer than the budget does not stop the ring"


def test_shares_are_exact_in_the_long_run_and_an_empty_class_gives_its_share_away():
    deal = DetailShares()
    total = np.sum([deal.quotas([5, 50, 500, 5000, 50000], 7) for _ in range(2000)], axis=0)
    assert total / total.sum() * 100 == pytest.approx(SHARES, abs=0.5)
    deal = DetailShares()
    total = np.sum([deal.quotas([1, 0, 8, 0, 0], 1) for _ in range(10_000)], axis=0)
    # One player and eight units around it: 60 / 10 * 8 = 48 times as often each.
    assert total[0] / (total[2] / 8) == pytest.approx(48, rel=0.02)


def test_no_member_of_any_class_starves():
    rng = np.random.default_rng(1)
    sizes = [3, 20, 60, 100, 200]
    ids = rng.permutation(sum(sizes))
    classes = np.repeat(np.arange(5), sizes)[np.argsort(ids)]
    ids = np.sort(ids)
    deal, last = DetailShares(), np.full(len(ids), -1)
    bound = np.array(deal.bound(sizes, 40))[classes]
    for tick in range(600):
        chosen = deal.take(ids, classes, 40, tick)
        assert chosen.sum() == 40
        last[chosen] = tick
        assert (tick - last <= bound).all()
    assert DetailShares().take(ids, classes, len(ids), 0).all()


def test_classes_by_their_definition():
    rng = np.random.default_rng(4)
    engaged, perceived, near, same = rng.random((4, 200)) < 0.3
    got = classify(engaged, perceived, near, same)
    for k in range(200):
        want = 0 if engaged[k] else 1 if perceived[k] else 2 if near[k] else 3 if same[k] else 4
        assert got[k] == want


def test_strides_deal_about_the_slices_and_bound_every_wait():
    shares = DetailShares()
    for sizes, slices in (
        ((10, 20, 5000, 3000, 900), 2000),
        ((0, 0, 0, 0, 100_000), 30_000),
        ((900, 0, 8, 8, 8), 1000),
    ):
        strides = shares.strides(sizes, slices)
        assert strides[0] == strides[1] == 1, "who matters is never late"
        assert all(1 <= s <= 4 for s in strides)
        assert strides[2] <= strides[3] <= strides[4] or not all(sizes[2:])
        dealt = sum(n / s for n, s in zip(sizes, strides, strict=True))
        # Never more turns than allowed, unless every member runs in every tick.
        assert dealt <= slices or max(strides) == 4
        # The turns of ids 0..n-1 follow the stride: no member waits longer, in any class.
        for n, s in zip(sizes, strides, strict=True):
            turns = [np.flatnonzero((np.arange(n) + tick) % s == 0) for tick in range(s)]
            assert np.array_equal(np.sort(np.concatenate(turns)), np.arange(n))
