"""Animation graph: weights by hand, marks once a cycle, and faults by name."""

import numpy as np
import pytest

from ai.animation.animation_graph import AnimationGraph, Blend, ClipLeaf, Node, Select
from ai.core.rand import Stream, uniform

FEET = (("left", 0.0), ("right", 0.5), ("breath", 0.8))
GRAPH = AnimationGraph(
    (
        ClipLeaf("walk_left", 24.0, FEET),
        ClipLeaf("walk", 20.0, FEET),
        ClipLeaf("walk_right", 24.0, FEET),
        ClipLeaf("run", 12.0, FEET),
        Blend("walks", "turn", ((-1.0, "walk_left"), (0.0, "walk"), (1.0, "walk_right"))),
        Select("runs", "hurt", ("run", "walk")),
        Blend("move", "speed", ((1.5, "walks"), (4.0, "runs"))),
    ),
    "move",
)


def params(turn: float, speed: float, hurt: float) -> dict[str, np.ndarray]:
    return {"turn": np.array([turn]), "speed": np.array([speed]), "hurt": np.array([hurt])}


@pytest.mark.parametrize(
    ("turn", "speed", "hurt", "expected"),
    [
        (0.0, 1.0, 0.0, {"walk": 1.0}),
        (-0.25, 1.5, 0.0, {"walk_left": 0.25, "walk": 0.75}),
        (0.5, 2.75, 0.0, {"walk": 0.25, "walk_right": 0.25, "run": 0.5}),
        (9.0, 2.75, 1.0, {"walk_right": 0.5, "walk": 0.5}),
        (0.0, 9.0, 0.0, {"run": 1.0}),
    ],
)
def test_weights_follow_the_tree(turn: float, speed: float, hurt: float, expected: dict[str, float]) -> None:
    found = dict(zip(GRAPH.leaves, GRAPH.weights(params(turn, speed, hurt), 1)[0].tolist(), strict=True))
    assert {leaf: w for leaf, w in found.items() if w} == pytest.approx(expected)


def test_each_mark_comes_once_a_cycle_across_blends_and_long_steps() -> None:
    """Compare with the same phase in 1,000 small steps a tick."""
    phase, fine, cycles = np.array([0.3]), 0.3, 0.3
    total = np.zeros(3, np.int64)
    crossed = dict.fromkeys(("left", "right", "breath"), 0)
    for tick in range(60):
        turn, speed = 2.0 * uniform(1, Stream.SCRIPT, tick, 0, 0) - 1.0, 5.0 * uniform(1, Stream.SCRIPT, tick, 0, 1)
        step = (0.5, 3.0, 31.0)[tick % 3]
        total += GRAPH.advance(phase, params(turn, speed, 0.0), step)[0]
        run = min(max((speed - 1.5) / 2.5, 0.0), 1.0)
        rate = step / (run * 12.0 + (1.0 - run) * (20.0 + 4.0 * abs(turn)))
        cycles += rate
        for _ in range(1000):
            before, fine = fine, fine + rate / 1000
            for name, at in FEET:
                crossed[name] += int(before < 1.0 <= fine) if at == 0.0 else int(before < at <= fine)
            fine -= fine >= 1.0
        assert phase[0] == pytest.approx(fine, abs=1e-6)
    assert dict(zip(GRAPH.marks, total.tolist(), strict=True)) == crossed
    assert all(abs(count - (cycles - 0.3)) <= 1 for count in crossed.values())


@pytest.mark.parametrize(
    ("nodes", "fault"),
    [
        ((Select("a", "p", ("b",)), Select("b", "p", ("a",))), "'a' is its own ancestor"),
        ((Select("a", "p", ("b",)),), "'a' has no child 'b'"),
        ((Select("a", "p", ()),), "'a' has no children"),
        ((Blend("a", "p", ((1.0, "c"), (1.0, "c"))), ClipLeaf("c", 5.0)), "blend 'a' must ascend"),
        ((Select("a", "p", ("c", "d")), ClipLeaf("c", 5.0, FEET), ClipLeaf("d", 5.0)), "other marks"),
        ((Select("a", "p", ("c",)), ClipLeaf("c", 0.0)), "ticks above 0"),
        ((Select("a", "p", ("c",)), ClipLeaf("c", 1.0), ClipLeaf("c", 2.0)), "one name"),
    ],
)
def test_bad_data_is_named(nodes: tuple[Node, ...], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        AnimationGraph(nodes, "a")
