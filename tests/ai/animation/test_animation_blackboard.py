"""Animation blackboard against the figures of its source.

A checker compares every pair of starts.
"""

import math
from collections.abc import Sequence

import pytest

from ai.animation.animation_blackboard import DELAYS, AnimationBlackboard, ClipClass, start_one
from ai.core.rand import Stream, below, uniform

Start = tuple[int, int, int, float, float]
"""Clip, class, tick, x, y."""


def twins(starts: Sequence[Start], exemption: float) -> list[tuple[Start, Start]]:
    """Return pairs of the same clip inside the delay and nearer than the exemption."""
    return [
        (a, b)
        for i, a in enumerate(starts)
        for b in starts[i + 1 :]
        if a[0] == b[0] and b[2] - a[2] < DELAYS[a[1]] and math.hypot(a[3] - b[3], a[4] - b[4]) < exemption
    ]


def panic(places: Sequence[tuple[float, float]], clips: int, board: AnimationBlackboard) -> list[Start]:
    """Let all react at tick 0 with any clip, and ask again each tick."""
    waiting, starts, tick = list(range(len(places))), [], 0
    while waiting:
        for agent in list(waiting):
            x, y = places[agent]
            for turn in range(clips):
                clip = (agent + turn) % clips
                if board.start(clip, ClipClass.REACTION, tick, x, y):
                    starts.append((clip, int(ClipClass.REACTION), tick, x, y))
                    waiting.remove(agent)
                    break
        tick += 1
    return starts


BENCHES = [(8.0 * (bench % 3) + seat * 0.01, 8.0 * (bench // 3)) for bench in range(6) for seat in (0, 0, 0, 0)]


def test_24_agents_with_4_clips_start_in_six_waves_without_the_exemption() -> None:
    board = AnimationBlackboard()
    starts = panic(BENCHES, 4, board)
    assert [s[2] for s in starts] == [6 * (i // 4) for i in range(24)]
    assert max(s[2] for s in starts) == 30, "1.5 s"
    assert not twins(starts, math.inf) and board.refused > 0


def test_six_benches_of_four_start_at_once_with_the_exemption() -> None:
    starts = panic(BENCHES, 4, AnimationBlackboard(exemption=8.0))
    assert max(s[2] for s in starts) == 0
    assert not twins(starts, 8.0)


def test_benches_nearer_than_the_exemption_wait_one_delay() -> None:
    """Benches 6 tiles apart wait for a distance of 8 tiles, not for 6."""
    near = [(x * 0.75, y * 0.75) for x, y in BENCHES]
    assert max(s[2] for s in panic(near, 4, AnimationBlackboard(exemption=6.0))) == 0
    assert max(s[2] for s in panic(near, 4, AnimationBlackboard(exemption=8.0))) >= 6


@pytest.mark.parametrize("exemption", [math.inf, 4.0])
def test_any_sequence_of_requests_is_answered_as_by_comparing_every_start(exemption: float) -> None:
    board, starts = AnimationBlackboard(size=256, exemption=exemption), list[Start]()
    free: list[Start] = []
    for n in range(600):
        tick = n // 5
        clip, kind = below(4, 1, Stream.SCRIPT, tick, n, 0), below(2, 1, Stream.SCRIPT, tick, n, 1)
        x, y = 10.0 * uniform(1, Stream.SCRIPT, tick, n, 2), 10.0 * uniform(1, Stream.SCRIPT, tick, n, 3)
        wanted = (clip, kind, tick, x, y)
        free.append(wanted)
        allowed = not any(
            s[0] == clip and tick - s[2] < DELAYS[s[1]] and math.hypot(s[3] - x, s[4] - y) < exemption for s in starts
        )
        assert board.start(*wanted) == allowed
        if allowed:
            starts.append(wanted)
        assert all(tick - board.tick[i] < max(DELAYS) for i in board.live(tick))
    assert not twins(starts, exemption)
    assert twins(free, exemption), "without the board the same requests make twins"
    assert board.refused == 600 - len(starts) and board.overflows == 0


def test_the_delay_is_that_of_the_earlier_start() -> None:
    board = AnimationBlackboard()
    assert board.start(1, ClipClass.REACTION, 0, 0.0, 0.0)
    assert not board.start(1, ClipClass.AMBIENT, 5, 0.0, 0.0)
    assert board.start(1, ClipClass.AMBIENT, 6, 0.0, 0.0)
    assert not board.start(1, ClipClass.REACTION, 25, 0.0, 0.0)
    assert board.start(1, ClipClass.REACTION, 26, 0.0, 0.0)


def test_a_full_ring_drops_the_oldest_and_counts_it() -> None:
    board = AnimationBlackboard(size=2)
    assert all(board.start(clip, ClipClass.AMBIENT, 0, 0.0, 0.0) for clip in (1, 2, 3))
    assert board.overflows == 1 and board.start(1, ClipClass.AMBIENT, 0, 0.0, 0.0)
    with pytest.raises(ValueError, match="size of 1 or more"):
        AnimationBlackboard(size=0)


def test_a_figure_takes_the_first_variant_from_its_own_on_that_no_neighbour_has_just_begun() -> None:
    board = AnimationBlackboard(exemption=8.0)
    kind = int(ClipClass.REACTION)
    assert [start_one(board, (4, 5, 6), 1, kind, 10, x, 0.0) for x in (0.0, 1.0, 2.0, 3.0, 9.5)] == [5, 6, 4, -1, 5]
    assert start_one(board, (4, 5, 6), 1, kind, 16, 0.0, 0.0) == 5, "the delay of a reaction is over"
    board.refuses = False
    assert [start_one(board, (4, 5, 6), 2, kind, 16, x, 0.0) for x in (0.0, 1.0)] == [6, 6]
