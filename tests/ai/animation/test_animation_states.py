"""Animation states: stops by foot, containers, many bodies as each alone."""

import numpy as np
import pytest

from ai.animation.animation_graph import AnimationGraph, ClipLeaf
from ai.animation.animation_states import AnimationState, AnimationStates, Transition
from ai.core.rand import Stream, uniform

FEET = (("left", 0.0), ("right", 0.5))


def clip(name: str, ticks: float, marks: tuple[tuple[str, float], ...] = ()) -> AnimationGraph:
    return AnimationGraph((ClipLeaf(name, ticks, marks),), name)


STATES = AnimationStates(
    (
        AnimationState("idle", clip("idle", 40.0), inside="alive"),
        AnimationState("start", clip("start", 4.0), once=True, inside="moving"),
        AnimationState("walk", clip("walk", 20.0, FEET), inside="moving"),
        AnimationState("stop_left", clip("stop_left", 6.0), once=True, inside="alive"),
        AnimationState("stop_right", clip("stop_right", 6.0), once=True, inside="alive"),
        AnimationState("die", clip("die", 10.0), once=True),
    ),
    (
        Transition("alive", "die", (("hp", "<=", 0.0),)),
        Transition("idle", "start", (("speed", ">", 0.1),)),
        Transition("start", "walk", over=True),
        Transition("moving", "stop_left", (("speed", "<=", 0.1),), last="left"),
        Transition("moving", "stop_right", (("speed", "<=", 0.1),), last="right"),
        Transition("moving", "idle", (("speed", "<=", 0.1),)),
        Transition("stop_left", "idle", over=True),
        Transition("stop_right", "idle", over=True),
    ),
    {"moving": "alive"},
)
NAMES = [state.name for state in STATES.states]


def played(speeds: list[float], hp: list[float] | None = None) -> list[str]:
    """Return the states of one body after each tick."""
    state, phase, last, said = np.zeros(1, np.int64), np.zeros(1), np.full(1, -1), []
    for k, speed in enumerate(speeds):
        STATES.advance(state, phase, last, {"speed": np.array([speed]), "hp": np.array([hp[k] if hp else 9.0])})
        said.append(NAMES[int(state[0])])
    return said


@pytest.mark.parametrize(("walk", "stop"), [(12, "stop_right"), (24, "stop_left"), (31, "stop_right"), (6, "idle")])
def test_the_stop_is_the_foot_on_the_ground(walk: int, stop: str) -> None:
    """Walk after a start of 4 ticks; a foot comes down every 10 ticks."""
    said = played([1.0] * (5 + walk) + [0.0] * 10)
    assert said[:6] == ["start"] * 4 + ["walk"] * 2
    assert said[5 + walk] == stop and said[-1] == "idle"


def test_the_marks_of_a_step_are_the_footfalls_that_it_passes() -> None:
    """Count whole halves of a cycle of 20 ticks, where the feet come down."""
    for ticks in (1.0, 7.0, 33.0):
        state, phase, last = np.full(1, NAMES.index("walk")), np.full(1, 0.26), np.full(1, -1)
        now = {"speed": np.ones(1), "hp": np.ones(1)}
        for k in range(12):
            halves = [int(0.52 + (k + step) * ticks / 10.0) for step in (0, 1)]
            feet = [half % 2 for half in range(halves[0] + 1, halves[1] + 1)]  # 1: right, 0: left
            passed = STATES.advance(state, phase, last, now, ticks)
            assert dict(zip(STATES.marks, passed[0].tolist(), strict=True)) == {
                "left": feet.count(0), "right": feet.count(1)
            }  # fmt: skip


def test_a_death_leads_out_of_any_state_and_stays() -> None:
    for tick in (0, 2, 8, 30):
        said = played([1.0] * 20 + [0.0] * 30, [9.0] * tick + [0.0] * (50 - tick))
        assert "die" not in said[:tick] and set(said[tick:]) == {"die"}


def test_many_bodies_are_as_each_alone() -> None:
    n, ticks = 12, 150
    speeds = [[float(uniform(4, Stream.SCRIPT, t // 13, i, 0) > 0.45) for t in range(ticks)] for i in range(n)]
    hp = [[9.0 if t < 60 + 9 * i else 0.0 for t in range(ticks)] for i in range(n)]
    state, phase, last, said = np.zeros(n, np.int64), np.zeros(n), np.full(n, -1), [[] for _ in range(n)]
    for t in range(ticks):
        now = {"speed": np.array([s[t] for s in speeds]), "hp": np.array([h[t] for h in hp])}
        STATES.advance(state, phase, last, now)
        for i in range(n):
            said[i].append(NAMES[int(state[i])])
    assert said == [played(s, h) for s, h in zip(speeds, hp, strict=True)]
    assert {name for one in said for name in one} == set(NAMES)


def test_bad_data_is_named() -> None:
    state = AnimationState("a", clip("a", 5.0), inside="c")
    with pytest.raises(ValueError, match="'a' to 'b' names no state"):
        AnimationStates((state,), (Transition("a", "b"),))
    with pytest.raises(ValueError, match="names no mark"):
        AnimationStates((state,), (Transition("a", "a", passed="left"),))
    with pytest.raises(ValueError, match="compares by none"):
        AnimationStates((state,), (Transition("a", "a", (("speed", "=", 1.0),)),))
    with pytest.raises(ValueError, match="container 'c' lies in itself"):
        AnimationStates((state,), (), {"c": "d", "d": "c"})
