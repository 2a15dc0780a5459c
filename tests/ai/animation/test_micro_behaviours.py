"""Micro behaviours against traces of played ticks."""

from itertools import pairwise

import numpy as np
import pytest

from ai.animation.micro_behaviours import NONE, Micro, MicroBehaviours

COVER, MOVE = 0, 1
HURT = 1
GLANCE, WINCE, SIGNAL = range(3)
MICROS = [
    Micro("glance", frozenset({COVER}), chance=0.1, cooldown=20, length=6),
    Micro("wince", frozenset({COVER, MOVE}), facts=HURT, chance=0.2, cooldown=10, length=4, interrupts=True),
    Micro("signal", frozenset({COVER}), length=12, interrupts=True, before=MOVE),
]
UNITS = np.arange(24)


def play(micros: list[Micro], facts: int = HURT, ticks: int = 240) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return core, micro and acting core of each tick, int64[ticks, 24].

    The mind wants to move from tick 60 to 120 and from 180 on.
    """
    board = MicroBehaviours(micros, len(UNITS))
    cores, shown, acts = [], [], []
    for tick in range(ticks):
        wanted = np.full(len(UNITS), MOVE if 60 <= tick < 120 or tick >= 180 else COVER)
        acts.append(board.advance(tick, 70 + UNITS[::-1], np.full(len(UNITS), facts), wanted))
        cores.append(board.core.copy())
        shown.append(board.micro.copy())
    return np.array(cores), np.array(shown), np.array(acts)


def test_an_interruption_gives_the_core_back_and_stops_the_body_while_it_lasts() -> None:
    cores, shown, acts = play(MICROS)
    stopped = (shown == WINCE) | (shown == SIGNAL)
    assert (acts[stopped] == NONE).all() and (acts[~stopped] == cores[~stopped]).all()
    assert (shown == WINCE).any() and (shown == GLANCE).any()
    for unit in UNITS:
        for before, now in pairwise(range(len(cores))):
            if shown[now, unit] == WINCE:
                assert cores[now, unit] == cores[before, unit]


def test_every_move_is_announced_for_its_whole_length() -> None:
    cores, shown, _ = play(MICROS)
    moves = 0
    for unit in UNITS:
        for tick in range(1, len(cores)):
            if cores[tick, unit] == MOVE and cores[tick - 1, unit] == COVER:
                moves += 1
                assert (shown[tick - 12 : tick, unit] == SIGNAL).all()
    assert moves == 2 * len(UNITS)


def test_without_the_ones_beside_all_cores_are_the_same_and_units_do_not_act_together() -> None:
    beside = [MICROS[GLANCE], MICROS[SIGNAL]]
    cores, shown, _ = play(beside)
    alone = play([MICROS[SIGNAL]])[0]
    assert (cores == alone).all()
    begins = [int(np.flatnonzero(shown[:60, unit] == 0)[0]) for unit in UNITS if (shown[:60, unit] == 0).any()]
    assert len(begins) > 12 and len(set(begins)) > 8
    for unit in UNITS:
        at = np.flatnonzero((shown[1:, unit] == 0) & (shown[:-1, unit] != 0))
        assert (np.diff(at) >= 26).all(), "the cool-down holds"


def test_facts_decide_and_an_announcement_must_interrupt() -> None:
    assert not (play(MICROS, facts=0)[1] == WINCE).any()
    with pytest.raises(ValueError, match="'wave': an announcement interrupts"):
        MicroBehaviours([Micro("wave", frozenset({COVER}), before=MOVE)], 1)
