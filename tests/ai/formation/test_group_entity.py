"""Group entities against their rules in complex numbers, stage by stage."""

import math

import numpy as np
import pytest

from ai.formation.group_entity import (
    G_ALONG,
    G_BEHIND,
    G_CRUISE,
    G_DEPTH,
    G_ERROR,
    G_FACING,
    G_FASTEST,
    G_HALF,
    G_HEADING,
    G_LIMIT,
    G_SAID,
    G_SPACING,
    G_SPEED,
    G_STATION,
    G_STATION_SPEED,
    G_STEP,
    G_STOP,
    G_TURN,
    G_VX,
    G_VY,
    G_X,
    G_Y,
    NUMBERS,
    T_BENDS,
    T_COUNT,
    T_FIRST,
    T_FIXED,
    T_FREE,
    T_OVER,
    T_POINTS,
    T_STAGE,
    T_STATE,
    T_WAITS,
    TAGS,
    GroupState,
    advance_groups,
)
from ai.formation.group_pipeline import USUAL_STAGES, GroupStage

DT = 0.05
LEGS = ((5.0, 5.0), (25.0, 5.0), (25.0, 30.0))
"""Corners of a path of 45 tiles, with a point on each tile."""
POINTS = np.array([(5.0 + k, 5.0) for k in range(20)] + [(25.0, 5.0 + k) for k in range(26)])


def on_legs(s):
    """Return place and direction at ``s`` tiles as complex numbers.

    Beyond its ends the path is straight.
    """
    if s < 20.0:
        return complex(5.0 + s, 5.0), 1.0 + 0j
    return complex(25.0, 5.0 + s - 20.0), 1j


def groups(seed, n=200):
    """Return groups of every sort, such as bent ones and parts of a company."""
    rng = np.random.default_rng(seed)
    num, tag = np.zeros((n, NUMBERS)), np.zeros((n, TAGS), np.int32)
    tag[:, T_STATE] = rng.choice([0, 1, 2, 2, 2, 2, 3, 4, 5], n)
    tag[:, T_COUNT] = rng.integers(0, 5, n) * (rng.random(n) < 0.95)
    tag[:, T_FIRST], tag[:, T_POINTS] = 0, np.where(rng.random(n) < 0.95, len(POINTS), 1)
    for flag in (T_BENDS, T_WAITS, T_FIXED, T_FREE, T_OVER):
        tag[:, flag] = rng.random(n) < (0.15 if flag == T_FIXED else 0.5)
    for row in tag:
        more = [s for s in rng.permutation(USUAL_STAGES[1:]).tolist() if rng.random() < 0.8]
        row[T_STAGE : T_STAGE + 1 + len(more)] = [GroupStage.FOLLOW, *more]
    # Away from the corner, where the direction of a path is that of its leg.
    num[:, G_ALONG] = np.where(rng.random(n) < 0.5, rng.uniform(0.0, 8.0, n), rng.uniform(26.0, 44.9, n))
    num[:20, G_ALONG] = rng.uniform(44.7, 45.0, 20)
    num[:, G_STEP], num[:, G_STOP] = 1.0, np.where(rng.random(n) < 0.5, 1e9, num[:, G_ALONG] + rng.uniform(0, 3, n))
    num[:, G_BEHIND] = -rng.uniform(0.0, 3.0, n) * (rng.random(n) < 0.4)
    heading = np.where(num[:, G_ALONG] < 20.0, 0.0, 0.5 * math.pi)
    num[:, G_HEADING] = heading + rng.choice([0.0, 0.001, -0.02, 0.1, -0.4, 1.0, 3.0], n)
    num[:, G_HEADING] = (num[:, G_HEADING] + math.pi) % math.tau - math.pi
    num[:, G_FACING] = rng.uniform(-math.pi, math.pi, n)
    num[:, G_HALF], num[:, G_DEPTH] = rng.uniform(0.0, 4.0, n), rng.uniform(0.0, 6.0, n)
    num[:, G_LIMIT], num[:, G_FASTEST] = rng.uniform(1.0, 3.0, n), rng.uniform(3.0, 4.0, n)
    num[:, G_CRUISE], num[:, G_SPEED] = rng.uniform(1.0, 4.0, n), rng.uniform(0.0, 3.0, n)
    num[:, G_STATION] = num[:, G_ALONG] + rng.uniform(-1.0, 1.0, n)
    num[:, G_STATION_SPEED] = rng.uniform(0.0, 3.0, n)
    num[:, G_ERROR], num[:, G_SPACING] = rng.uniform(0.0, 3.0, n), rng.uniform(0.8, 1.5, n)
    num[:, [G_X, G_Y, G_VX, G_VY]] = rng.uniform(1.0, 2.0, (n, 4))
    return num, tag


def turned(row, flags):
    """Return angle to turn, turn rate, half width and the members' limit."""
    marching = flags[T_STATE] == GroupState.MARCHING and flags[T_POINTS] > 1
    half = max(row[G_HALF], 0.3)
    limit = row[G_FASTEST] if flags[T_FREE] else row[G_LIMIT]
    aim = np.exp(1j * row[G_FACING])
    if marching:
        ahead = 0.0 if flags[T_BENDS] else min(max(half, 1.0), 5.0)
        aim = on_legs(row[G_ALONG] + ahead)[1]
    else:
        half = max(half, row[G_DEPTH] / 2.0)  # on the spot its ends are the outer members
    gap = float(np.angle(aim * np.exp(-1j * row[G_HEADING])))
    if flags[T_FIXED] or flags[T_STATE] == GroupState.FORMING:
        gap = 0.0
    most = min(0.7 * limit / half, 2.5)
    rate = math.copysign(min(3.0 * abs(gap), most, abs(gap) / DT), gap)
    return gap, rate, half, limit


def wanted(row, flags, gap, rate, half, limit):
    """Return the wanted speed after each stage."""
    said, want = [], 0.0
    for stage in flags[T_STAGE:]:
        if stage == GroupStage.FOLLOW:
            want = min(row[G_CRUISE], limit)
            if flags[T_OVER]:
                keeps = row[G_STATION_SPEED] + 2.0 * (row[G_STATION] - row[G_ALONG])
                want = min(max(keeps, 0.0), 1.1 * row[G_CRUISE], limit)
        elif stage == GroupStage.WAIT and flags[T_WAITS]:
            share = (2.0 - row[G_ERROR] / row[G_SPACING]) / 1.5
            want *= min(max(share, 0.0), 1.0)
        elif stage == GroupStage.BRAKE:
            ahead = max(min(45.0 + row[G_BEHIND], row[G_STOP]) - row[G_ALONG], 0.0)
            want = min(want, max(math.sqrt(3.0 * ahead), 0.05), ahead / DT)
        elif stage == GroupStage.WHEEL and not flags[T_BENDS]:
            want = min(want * max(0.0, math.cos(gap)) ** 2, max(0.0, limit - abs(rate) * half))
        said.append(want)
    return said, want


@pytest.mark.parametrize("seed", range(3))
def test_every_group_turns_hurries_and_walks_by_the_rules(seed):
    num, tag = groups(seed)
    before, flags = num.copy(), tag.copy()
    advance_groups(DT, POINTS, num, tag)
    arrived = 0
    for old, row, was, now in zip(before, num, flags, tag, strict=True):
        if not was[T_STATE] or not was[T_COUNT]:
            assert (row == old).all() and (now == was).all()
            continue
        gap, rate, half, limit = turned(old, was)
        assert row[G_TURN] == pytest.approx(rate, abs=1e-9)
        assert np.exp(1j * row[G_HEADING]) == pytest.approx(np.exp(1j * (old[G_HEADING] + rate * DT)), abs=1e-9)
        assert abs(row[G_HEADING]) <= math.pi + 1e-9
        if was[T_STATE] != GroupState.MARCHING or was[T_POINTS] < 2:
            assert row[[G_SPEED, G_VX, G_VY]].tolist() == [0.0, 0.0, 0.0], "it only turns"
            assert row[[G_X, G_Y, G_ALONG]].tolist() == old[[G_X, G_Y, G_ALONG]].tolist() and (now == was).all()
            continue
        said, want = wanted(old, was, gap, rate, half, limit)
        assert row[G_SAID:].tolist() == pytest.approx(said)
        speed = min(max(want, old[G_SPEED] - 6.0 * DT), old[G_SPEED] + 3.0 * DT)
        assert row[G_SPEED] == pytest.approx(speed)
        s, end = old[G_ALONG] + speed * DT, 45.0 + old[G_BEHIND]
        ends = s >= end - 0.02
        arrived += ends
        place, way = on_legs(end if ends else s)
        assert now[T_STATE] == (GroupState.SETTLING if ends else GroupState.MARCHING)
        assert row[G_ALONG] == pytest.approx(end if ends else s)
        assert complex(row[G_X], row[G_Y]) == pytest.approx(place)
        assert complex(row[G_VX], row[G_VY]) == pytest.approx(way * speed)
    assert arrived > 0
