"""Each alley beside a corridor is noticed once, on its side and in time.

A plain corridor has none.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from ai.tactics.glances import Reaction, opens, reaction_of, side_reaches


def walk(opaque: np.ndarray, heading: float, start: float, end: float, across: float) -> list[tuple[float, str]]:
    gaps, before = [], None
    step = math.copysign(0.25, end - start)
    for k in range(int(abs(end - start) / 0.25)):
        x = start + step * k
        now = side_reaches(opaque, x, across, heading)
        if before is not None:
            gaps += [(x, side) for side, b, n in zip(("left", "right"), before, now, strict=True) if opens(b, n)]
        before = now
    return gaps


@pytest.mark.parametrize("back", [False, True])
def test_every_alley_is_noticed_once_on_its_side(back: bool) -> None:
    opaque = np.ones((15, 50), np.uint8)
    opaque[7, 1:49] = 0
    alleys = {10: "up", 20: "down", 34: "up"}
    for x, path in alleys.items():
        opaque[1:7, x : x + 2] = 0 if path == "up" else 1
        opaque[8:14, x : x + 2] = 0 if path == "down" else opaque[8:14, x : x + 2]
    start, end, heading = (47.0, 2.0, math.pi) if back else (2.0, 47.0, 0.0)
    gaps = walk(opaque, heading, start, end, 7.5)
    assert len(gaps) == 3
    order = sorted(alleys, reverse=back)
    for (x, side), alley in zip(gaps, order, strict=True):
        left_is_up = not back
        assert (side == "left") == ((alleys[alley] == "up") == left_is_up)
        assert (x <= alley + 1) if not back else (x >= alley + 1)
    plain = np.ones((15, 50), np.uint8)
    plain[7, 1:49] = 0
    assert walk(plain, 0.0, 2.0, 46.0, 7.5) == []


@pytest.mark.parametrize(
    ("before", "now", "opened"),
    [(0.5, 2.5, False), (0.5, 2.75, True), (2.5, 4.5, False), (2.5, 4.75, True), (2.75, 8.0, False), (6.0, 8.0, False)],
)
def test_a_wall_within_two_and_a_half_tiles_that_recedes_by_more_than_two_is_a_gap(before, now, opened) -> None:
    assert opens(before, now) == opened


def test_all_three_reactions_occur() -> None:
    found = {reaction_of(d) for d in np.random.default_rng(0).random(300)}
    assert found == set(Reaction)
