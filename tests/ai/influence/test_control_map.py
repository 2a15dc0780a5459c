"""Control map, against figures of its source and scalar scans."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.influence.control_map import (
    NOBODY,
    Control,
    control,
    faded,
    radius_of_effect,
    side_influence,
    weakest_border,
)  # fmt: skip


def test_figures_of_the_source() -> None:
    assert np.allclose(faded(4.0, np.arange(4.0)), [4, 2, 4 / 3, 1])
    assert radius_of_effect(4.0, 0.5) == 7.0
    assert radius_of_effect(4.0, 1.0, "square") == 1.0
    assert radius_of_effect(4.0, 1.0, "root") == 15.0


def test_influence_sums_and_the_limit_has_its_error() -> None:
    a, b = np.array([[3.5, 4.5, 4.0]]), np.array([[9.5, 2.5, 2.0]])
    both = side_influence(10, 14, np.vstack([a, b]))
    assert np.allclose(both, side_influence(10, 14, a) + side_influence(10, 14, b))
    for y, x in ((0, 0), (4, 9), (9, 13)):
        by_hand = 4 / (1 + np.hypot(x - 3, y - 4)) + 2 / (1 + np.hypot(x - 9, y - 2))
        assert both[y, x] == pytest.approx(by_hand)
    error = both - side_influence(10, 14, np.vstack([a, b]), threshold=0.5)
    assert error.min() >= 0
    assert 0 < error.max() <= 2 * 0.5


def test_ring_of_weak_units_is_lost_by_the_limit() -> None:
    angle = 2 * np.pi * np.arange(12) / 12
    ring = np.column_stack([15.5 + 10 * np.cos(angle), 15.5 + 10 * np.sin(angle), np.ones(12)])
    assert side_influence(31, 31, ring)[15, 15] > 1.0
    assert side_influence(31, 31, ring, threshold=0.2)[15, 15] == 0.0


def test_two_equal_units_share_the_map_at_the_bisector() -> None:
    maps = np.stack([side_influence(5, 11, np.array([[x, 2.5, 3.0]])) for x in (2.5, 8.5)])
    held = control(maps)
    assert (held.owner[:, :5] == 0).all()
    assert (held.owner[:, 5] == NOBODY).all()
    assert (held.owner[:, 6:] == 1).all()
    swapped = control(maps[::-1].copy())
    assert np.array_equal(swapped.security, held.security)


def front(flank: float) -> Control:
    ours = np.array([[x + 0.5, 14.5, 3.0] for x in range(2, 30, 3)])
    theirs = [[x + 0.5, 5.5, 4.0] for x in range(9, 21, 2)] + [[27.5, 5.5, flank], [3.5, 5.5, 4.0]]
    return control(np.stack([side_influence(20, 32, ours), side_influence(20, 32, np.array(theirs))]))


def test_weakest_border_is_a_border_and_moves_with_a_defender() -> None:
    weak, strong = weakest_border(front(0.5), 0, 1), weakest_border(front(16.0), 0, 1)
    assert weak is not None
    assert strong is not None and math.dist(weak, (5, 27)) + 3 < math.dist(strong, (5, 27)), "away from the defender"
    held = front(0.5)
    best = None
    for y in range(20):
        for x in range(32):
            near = [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
            if held.owner[y, x] == 1 and any(0 <= v < 20 and 0 <= w < 32 and held.owner[v, w] == 0 for v, w in near):
                best = min(best or (np.inf, 0, 0), (held.security[y, x], y, x))
    assert best is not None
    assert weak == best[1:]


def test_no_border_and_wrong_words() -> None:
    alone = control(side_influence(4, 4, np.array([[1.5, 1.5, 1.0]]))[None])
    assert weakest_border(alone, 0, 1) is None
    with pytest.raises(ValueError, match="reciprocal"):
        faded(1.0, np.zeros(1), "cubic")
    with pytest.raises(ValueError, match="threshold"):
        radius_of_effect(1.0, 0.0)
