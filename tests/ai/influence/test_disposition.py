"""Disposition: halving maps, and labels of a hand-made order of battle."""

import numpy as np
import pytest

from ai.influence.disposition import ALONE, FLANK, FRONT, REAR, border, disposition, halving_map

OWN = [(10, 9, 4), (10, 10, 4), (10, 11, 4)]
# Nearest: the front at (5, 10); close behind it the rear; far to the east a flank.
ENEMIES = [(5, 10), (5, 11), (1, 10), (8, 19), (9, 20)]


def _labels(own: list, enemies: list, shape: tuple[int, int] = (21, 25)) -> tuple:
    ours = halving_map(*shape, own)
    field = ours + halving_map(*shape, [(y, x, -4) for y, x in enemies])
    made = disposition(field, ours, enemies)
    return made.labels, made.groups, made.centre


def test_a_unit_of_four_halves_with_each_square_and_rounds_down() -> None:
    row = halving_map(1, 9, [(0, 4, 4)])[0].tolist()
    assert row == [0, 0, 1, 2, 4, 2, 1, 0, 0]
    both = halving_map(1, 9, [(0, 2, 4), (0, 6, -4)])
    assert both[0].tolist() == [1, 2, 4, 2, 0, -2, -4, -2, -1]
    assert np.array_equal(halving_map(1, 9, [(0, 2, -4), (0, 6, 4)]), -both)
    assert border(both)[0].tolist() == [k == 4 for k in range(9)]
    assert border(np.array([[2, -1]])).all()


def test_front_flank_and_rear_are_labelled() -> None:
    labels, groups, centre = _labels(OWN, ENEMIES)
    assert centre == (10, 10)
    assert labels == (FRONT, FRONT, REAR, FLANK, FLANK)
    assert groups[0] == groups[1] == 0 and groups[3] == groups[4] and len(set(groups)) == 3


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_labels_do_not_change_when_the_map_is_turned_or_moved(turns: int) -> None:
    size = 25

    def turned(y: int, x: int) -> tuple[int, int]:
        for _ in range(turns):
            y, x = x, size - 1 - y
        return y, x

    own = [(*turned(y, x), s) for y, x, s in OWN]
    assert _labels(own, [turned(y, x) for y, x in ENEMIES], (size, size))[0] == _labels(OWN, ENEMIES, (size, size))[0]
    moved = _labels([(y + 2, x + 3, s) for y, x, s in OWN], [(y + 2, x + 3) for y, x in ENEMIES], (30, 30))
    assert moved[0] == _labels(OWN, ENEMIES, (30, 30))[0]


@pytest.mark.parametrize("apart", [1, 2, 3, 4])
def test_an_enemy_at_most_two_squares_from_the_front_belongs_to_it(apart: int) -> None:
    labels, _, _ = _labels(OWN, [(5, 10), (5, 10 + apart), (5, 10 + 2 * apart)])
    assert [label == FRONT for label in labels] == [True, apart <= 2, apart <= 2]


def test_every_enemy_has_one_label_and_there_is_one_front() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        enemies = [(int(y), int(x)) for y, x in rng.integers(0, 30, (8, 2))]
        labels, groups, _ = _labels(OWN, enemies, (30, 30))
        assert len(labels) == len(enemies) and set(labels) <= {FRONT, FLANK, REAR, ALONE}
        assert {g for g, label in zip(groups, labels, strict=True) if label == FRONT} == {0}
    assert _labels(OWN, [])[0] == ()
