"""Stimulus board: most important first, each answered once."""

from __future__ import annotations

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.perception.stimuli.stimulus_board import MOST, SOUNDS, StimulusBoard, StimulusKind

ALL = 0xFF


class Crowd:
    def __init__(self, places: list[tuple[float, float]], interest: int = ALL) -> None:
        n = len(places)
        self.ids, self.side = np.arange(n, dtype=np.int32), np.ones(n, np.uint8)
        self.interest = np.full(n, interest, np.int64)
        self.x, self.y = (np.array(v, float) for v in zip(*places, strict=True))

    def answers(self, board: StimulusBoard, tick: int, handle=lambda row, stimulus: True) -> list[tuple[int, int]]:
        found = board.update(tick, self.ids, self.side, self.interest, self.x, self.y, handle)
        return [(int(self.ids[row]), s.kind) for row, s in found]


def test_the_more_important_of_two_is_answered_first_and_the_other_next() -> None:
    board, crowd = StimulusBoard(), Crowd([(5.0, 5.0)])
    board.register(StimulusKind.IMPACT, 0, 6.0, 5.0, 9.0)
    board.register(StimulusKind.BODY, 0, 7.0, 5.0, 9.0)
    assert crowd.answers(board, 0) == [(0, StimulusKind.BODY)]
    assert crowd.answers(board, 1) == [], "it is not its turn"
    assert crowd.answers(board, 4) == [(0, StimulusKind.IMPACT)]
    assert crowd.answers(board, 8) == [], "each is answered once"


def test_no_agent_answers_itself_and_without_interest_no_distance_is_compared() -> None:
    board, crowd = StimulusBoard(), Crowd([(5.0, 5.0)])
    board.register(StimulusKind.VOICE, 0, 5.0, 5.0, 9.0, source=0)
    assert crowd.answers(board, 0) == []
    deaf = Crowd([(5.0, 5.0)] * 8, interest=0)
    board.register(StimulusKind.VOICE, 0, 5.0, 5.0, 9.0)
    assert deaf.answers(board, 4) == []
    assert board.distances == 0


def test_agents_take_turns() -> None:
    crowd, board = Crowd([(5.0, 5.0)] * 60), StimulusBoard()
    board.register(StimulusKind.VOICE, 0, 5.0, 5.0, 9.0)
    counts = [len(crowd.answers(board, tick)) for tick in range(4)]
    assert (sum(counts), max(counts)) == (60, 15)


def test_a_single_one_is_claimed_by_one_and_an_old_one_is_gone() -> None:
    board, crowd = StimulusBoard(), Crowd([(5.0, 5.0)] * 12)
    board.register(StimulusKind.DOOR, 0, 5.0, 5.0, 9.0, single=True, thing=3)
    assert sum(len(crowd.answers(board, tick)) for tick in range(8)) == 1
    board.register(StimulusKind.DOOR, 10, 5.0, 5.0, 9.0, lasts=20, thing=3)
    assert board.about(StimulusKind.DOOR, 3) is not None
    assert crowd.answers(board, 30) == []
    assert board.items == []
    board.register(StimulusKind.LAMP, 40, 5.0, 5.0, 9.0, thing=4)
    board.forget(StimulusKind.LAMP, 4)
    assert board.items == []


@pytest.mark.parametrize("seed", range(8))
def test_responders_equal_all_pairs_sorted_by_priority(seed: int) -> None:
    rng = np.random.default_rng(seed)
    crowd = Crowd([tuple(p) for p in rng.uniform(0, 30, (20, 2))])
    crowd.interest = rng.integers(0, 256, 20).astype(np.int64)
    board = StimulusBoard(rate=1)
    kinds = list(StimulusKind)
    for _ in range(12):
        x, y, radius = (float(v) for v in rng.uniform((0, 0, 2), (30, 30, 15)))
        kind = kinds[int(rng.integers(len(kinds)))]
        board.register(kind, 0, x, y, radius, source=int(rng.integers(20)), priority=int(rng.integers(5)))
    hearers = rng.random((20, 13)) < 0.7
    expected = {}
    for agent in range(20):
        for s in sorted(board.items, key=lambda s: (-s.priority, s.id)):
            near = np.hypot(crowd.x[agent] - s.x, crowd.y[agent] - s.y) <= s.radius
            if crowd.interest[agent] & s.kind and s.source != agent and near and hearers[agent, s.id]:
                expected[agent] = s.id
                break
    got = board.update(
        0, crowd.ids, crowd.side, crowd.interest, crowd.x, crowd.y, lambda row, s: bool(hearers[row, s.id])
    )
    assert {row: s.id for row, s in got} == expected


@pytest.mark.parametrize("seed", range(8))
def test_turns_sides_ears_ends_and_claims_equal_a_loop_over_all_pairs(seed: int) -> None:
    """Agents have sides and ears; some sounds were asked about before."""
    rng = np.random.default_rng(seed)
    n, rate = 16, 2
    crowd = Crowd([tuple(p) for p in rng.uniform(0, 30, (n, 2))])
    crowd.ids, crowd.side = rng.permutation(n).astype(np.int32) + 5, rng.integers(0, 2, n).astype(np.uint8)
    crowd.interest = rng.integers(0, 1024, n).astype(np.int64)
    stretch, board, kinds = rng.uniform(0.3, 2.0, n), StimulusBoard(rate=rate), list(StimulusKind)
    answered: dict[int, set[int]] = {}
    for tick in range(24):
        x, y, radius = (float(v) for v in rng.uniform((0, 0, 2), (30, 30, 15)))
        number = board.register(
            kinds[int(rng.integers(len(kinds)))], tick, x, y, radius, source=int(rng.integers(5, 5 + n)),
            lasts=int(rng.integers(0, 5)), audience=int(rng.integers(1, 4)), single=bool(rng.random() < 0.3),
        )  # fmt: skip
        if rng.random() < 0.4:
            board.heard_by(number, [int(i) for i in rng.permutation(crowd.ids)[:6]])
        deaf = rng.random((n, 30)) < 0.2
        items = [s for s in board.items if s.expires == 0 or s.expires > tick]
        before = {s.id: set(answered.get(s.id, ())) for s in items}
        free, expected, compared = {i for i in range(n) if (tick - crowd.ids[i]) % rate == 0}, [], 0
        for s in sorted(items, key=lambda s: (-s.priority, s.id)):
            rows = [i for i in sorted(free, key=lambda i: crowd.ids[i]) if crowd.interest[i] & s.kind]
            rows = [i for i in rows if s.audience >> crowd.side[i] & 1 and crowd.ids[i] != s.source]
            if not (s.kind & SOUNDS and s.asked):
                compared += len(rows)
                far = {i: np.hypot(crowd.x[i] - s.x, crowd.y[i] - s.y) for i in rows}
                rows = [i for i in rows if far[i] <= s.radius * stretch[i]]
            else:
                rows = [i for i in rows if crowd.ids[i] in s.hearers]
            rows = [i for i in rows if not deaf[i, s.id] and int(crowd.ids[i]) not in before[s.id]]
            for i in rows[: 1 if s.single else n]:
                free.discard(i)
                answered.setdefault(s.id, set()).add(int(crowd.ids[i]))
                expected.append((i, s.id))
        columns = crowd.ids, crowd.side, crowd.interest, crowd.x, crowd.y
        got = board.update(tick, *columns, lambda row, s, deaf=deaf: not deaf[row, s.id], stretch)
        assert [(row, s.id) for row, s in got] == expected
        assert board.distances == compared
        claimed = {s.id for _, s in got if s.single}
        assert [s.id for s in board.items] == [s.id for s in items if s.id not in claimed]
    assert sum(map(len, answered.values())) > 5


def test_the_board_is_state_and_holds_only_so_many() -> None:
    board = StimulusBoard()
    body = board.register(StimulusKind.BODY, 0, 1.0, 1.0, 5.0)
    for k in range(MOST + 5):
        board.register(StimulusKind.IMPACT, k, 1.0, 1.0, 5.0)
    assert len(board.items) == MOST
    assert any(s.id == body for s in board.items), "the least important go"
    assert digest(restore(snapshot(board))) == digest(board)
    with pytest.raises(ValueError, match="radius of a stimulus"):
        board.register(StimulusKind.BODY, 0, 1.0, 1.0, -1.0)
