"""Level of detail sets against rules for one body and counted turns."""

import numpy as np
import pytest

from ai.animation.animation_lod import (
    BODY,
    FRAMES,
    GESTURES,
    HEAD,
    OUT,
    LodSets,
    due,
    levels_of,
    parts_of,
    posed_parts,
)  # fmt: skip

ALL = BODY | FRAMES | HEAD | GESTURES
SETS = LodSets(
    np.array([[12.0, 6.0, 3.0], [8.0, 4.0, 2.0]]),
    np.array([[ALL, BODY | HEAD, BODY], [ALL, BODY | HEAD, BODY]]),
    np.array([[1, 2, 4], [1, 1, 3]]),
)
PARTS = [ALL, BODY | HEAD, BODY]


def by_hand(klass: int, width: float, in_view: bool) -> int:
    """Return the first level that a body is wide enough for."""
    for level, least in enumerate(SETS.least[klass].tolist()):
        if in_view and width >= least:
            return level
    return OUT


def test_levels_and_parts_are_those_of_the_rules_and_a_body_out_of_view_poses_nothing() -> None:
    klass, width, seen = (
        grid.ravel() for grid in np.meshgrid([0, 1], [0.0, 1.9, 2, 2.9, 3, 4, 6, 8, 11.9, 12, 40], [True, False])
    )
    found = levels_of(SETS, klass, width, seen)
    assert found.tolist() == [by_hand(k, w, v) for k, w, v in zip(klass, width, seen, strict=True)]
    assert set(found.tolist()) == {OUT, 0, 1, 2}
    wanted = [0 if level == OUT else PARTS[level] for level in found.tolist()]
    assert parts_of(SETS, klass, found).tolist() == wanted
    assert not posed_parts(SETS, klass, found)[~seen].any(), "a body out of view costs nothing"
    larger = levels_of(SETS, np.array([0, 1]), np.array([9.0, 9.0]), np.ones(2, bool))
    assert larger.tolist() == [1, 0], "the other class keeps its extras longer"


def test_bodies_take_turns_evenly_and_the_cost_is_what_ticks_count() -> None:
    """The oracle counts parts over twelve ticks, a multiple of all turns."""
    unit, klass = np.arange(60), np.arange(60) % 2
    level = np.arange(60) // 2 % 3
    ticks = np.array([due(SETS, klass, level, unit, tick) for tick in range(12)])
    assert ticks.sum(axis=0).tolist() == [12 // SETS.every[k, n] for k, n in zip(klass, level, strict=True)]
    counted = sum(bin(PARTS[n]).count("1") * ticks[:, u].sum() for u, n in enumerate(level.tolist())) / 12
    assert posed_parts(SETS, klass, level).sum() == pytest.approx(counted)
    first = [int(np.flatnonzero(ticks[:, u])[0]) for u in unit.tolist()]
    assert first == [-u % SETS.every[k, n] for u, k, n in zip(unit, klass, level, strict=True)], "turns go by the id"
    third = np.full(60, 2)
    slow = [int(due(SETS, np.ones(60, np.int64), third, unit, tick).sum()) for tick in range(12)]
    assert slow == [20] * 12, "no tick poses all of them together"
    assert not due(SETS, klass, np.full(60, OUT), unit, 0).any()


@pytest.mark.parametrize(
    ("least", "parts", "every", "said"),
    [
        ([[6.0, 6.0]], [[ALL, BODY]], [[1, 2]], "widths do not fall"),
        ([[6.0, 3.0]], [[BODY, ALL]], [[1, 2]], "poses a part"),
        ([[6.0, 3.0]], [[ALL, BODY]], [[2, 1]], "ticks between two poses"),
        ([[6.0, 3.0]], [[ALL, BODY]], [[0, 1]], "ticks between two poses"),
    ],
)
def test_a_set_whose_coarser_level_costs_more_is_refused(least, parts, every, said) -> None:
    with pytest.raises(ValueError, match=said):
        LodSets(np.array(least), np.array(parts), np.array(every))
