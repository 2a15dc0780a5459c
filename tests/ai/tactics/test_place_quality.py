"""Cover, view and visibility of places against shapes whose values are known."""

from __future__ import annotations

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.perception.sight.shadowcast import SightBits
from ai.tactics.place_quality import ANGLE, JITTER, RADIUS, cover_quality, views, visibility_quality


def corridor() -> np.ndarray:
    opaque = np.ones((21, 60), np.uint8)
    opaque[10, 1:59] = 0
    opaque[3, 1:59] = 0  # another one, where attackers can stand but see nothing
    opaque[17, 1:59] = 0
    return opaque


def test_the_corridor_is_wholly_exposed_unless_walls_pass_for_cover() -> None:
    """The source's failure case: attackers in other rooms must not count.

    Otherwise a thin corridor seems good cover.
    """
    opaque = corridor()
    area = np.zeros(opaque.shape, np.int32)
    area[3], area[10], area[17] = 1, 2, 3
    place = np.array([[10, 30]], np.int32)
    same = cover_quality(opaque, place, opaque == 0, 240, area)
    naive = cover_quality(opaque, place, np.ones_like(opaque, bool), 240)
    assert same[0] <= 0.02
    assert naive[0] > 0.5


def test_open_ground_is_no_cover_and_a_closed_cell_is_all_of_it() -> None:
    opaque = np.zeros((40, 40), np.uint8)
    place = np.array([[20, 20]], np.int32)
    assert cover_quality(opaque, place, opaque == 0)[0] == 0.0
    opaque[19:22, 19:22] = 1
    opaque[20, 20] = 0
    assert cover_quality(opaque, place, opaque == 0)[0] == 1.0
    assert cover_quality(np.ones((40, 40), np.uint8), place, np.zeros((40, 40), bool))[0] == 1.0, "nobody can attack"


def test_samples_agree_with_all_tiles_of_the_ring() -> None:
    """Exhaustive enumeration of attackers about RADIUS tiles away against the sampled share."""
    rng = np.random.default_rng(2)
    opaque = (rng.random((40, 60)) < 0.12).astype(np.uint8)
    free = np.argwhere(opaque[10:30, 10:50] == 0) + 10
    places = free[rng.choice(len(free), 60, replace=False)].astype(np.int32)
    sampled = cover_quality(opaque, places, opaque == 0, 400)
    whole = []
    for y, x in places.tolist():
        ring = [
            (b, a)
            for b in range(y - 8, y + 9)
            for a in range(x - 8, x + 9)
            if abs(np.hypot(a - x, b - y) - RADIUS) <= JITTER and not opaque[b, a]
        ]
        whole.append(np.mean([not line_clear(opaque, b, a, y, x) for b, a in ring]))
    assert np.corrcoef(sampled, whole)[0, 1] > 0.95
    assert np.array_equal(sampled, cover_quality(opaque, places, opaque == 0, 400)), "the same dice again"


def test_attacks_come_from_all_round() -> None:
    assert RADIUS * np.sin(ANGLE) > JITTER
    sectors = np.floor((ANGLE * np.arange(48) % (2 * np.pi)) / (np.pi / 6)).astype(int)
    assert set(sectors) == set(range(12))


def test_a_keyhole_has_cover_and_view_at_once_so_neither_is_the_others_complement() -> None:
    opaque = np.zeros((41, 60), np.uint8)
    opaque[:, 18:21] = 1
    opaque[20, 18:21] = 0  # the slit
    opaque[18:23, 14] = 1
    opaque[17, 14:18] = opaque[23, 14:18] = 1
    place = np.array([[20, 17]], np.int32)
    area = np.zeros(opaque.shape, np.int32)
    assert cover_quality(opaque, place, opaque == 0, 200, area)[0] > 0.7
    wide = np.zeros((41, 60), np.uint8)
    assert visibility_quality(wide, np.array([[20, 30]], np.int32))[0] == pytest.approx(1.0, abs=1 / 12)
    dead_end = np.ones((41, 60), np.uint8)
    dead_end[20, 17] = 0
    assert visibility_quality(dead_end, place)[0] < 0.15


def test_the_view_of_a_place_is_the_mean_of_32_rays_each_followed_alone() -> None:
    opaque = (np.random.default_rng(4).random((14, 18)) < 0.1).astype(np.uint8)
    places = np.array([[0, 0], [7, 9], [13, 2], [3, 17]], np.int32)
    for (y, x), value in zip(places.tolist(), visibility_quality(opaque, places).tolist(), strict=True):
        lengths = []
        for k in range(32):
            far, turn = 0.0, 2.0 * np.pi * k / 32
            while far < 12.0:
                ty, tx = (far + 0.25) * np.sin(turn) + y + 0.5, (far + 0.25) * np.cos(turn) + x + 0.5
                if not (0 <= ty < 14 and 0 <= tx < 18) or opaque[int(ty), int(tx)]:
                    break
                far += 0.25
            lengths.append(far)
        assert value == pytest.approx(np.mean(lengths) / 12.0, abs=0.01)


@pytest.mark.parametrize("seed", range(3))
def test_views_are_row_sums_of_the_symmetric_relation_and_a_wall_adds_none(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = (rng.random((14, 16)) < 0.15).astype(np.uint8)
    places = np.argwhere(opaque == 0).astype(np.int32)
    count = views(SightBits(opaque), opaque, places, 31)
    matrix = np.array([[line_clear(opaque, *a, *b) for b in places.tolist()] for a in places.tolist()])
    assert (matrix == matrix.T).all()
    assert np.array_equal(count, matrix.sum(axis=1))
    open_field = np.zeros((9, 9), np.uint8)
    assert views(SightBits(open_field), open_field, np.array([[4, 4]], np.int32), 31)[0] == 81
    gone = len(places) // 2
    more = opaque.copy()
    more[tuple(places[gone])] = 1
    rest = np.delete(places, gone, axis=0)
    assert (views(SightBits(more), more, rest, 31) <= np.delete(count, gone)).all()
