"""Squad situation view: the figure of the source, and random ground."""

import math

import numpy as np

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.command.situation_view import GROUP, HALF_VIEW, situation_view


def test_the_counts_of_the_figure_say_that_the_squad_is_not_spotted() -> None:
    """Four are known, three in reach of two members, and one can fire back."""
    opaque = np.zeros((12, 30), np.uint8)
    opaque[0:12, 20] = 1  # the fourth hostile is behind a wall
    opaque[9:12, 6] = 1  # and so is the third member
    members = np.array([(4.5, 2.5), (4.5, 5.5), (4.5, 10.5)])
    hostiles = np.array([(12.5, 3.5), (12.5, 4.5), (12.5, 5.5), (25.5, 5.5)])
    facing = np.array([math.pi, 0.0, 0.0, math.pi])  # the first looks at the squad
    view = situation_view(opaque, members, hostiles, facing, 9.0)
    assert (view.known, view.targets, view.ready) == (4, 3, 2)
    assert int(view.fires_at_us.any(axis=0).sum()) == 1 and view.unspotted
    assert view.groups == 2 and view.ratio == 0.75
    turned = situation_view(opaque, members, hostiles, facing + math.pi * (facing == 0.0), 9.0)
    assert turned.threatened == 2 and not turned.unspotted


def test_counts_against_every_pair() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        opaque = (rng.random((15, 15)) < 0.15).astype(np.uint8)
        members, hostiles = rng.uniform(0, 15, (rng.integers(0, 5), 2)), rng.uniform(0, 15, (rng.integers(0, 5), 2))
        facing = np.where(rng.random(len(hostiles)) < 0.3, np.nan, rng.uniform(-3, 3, len(hostiles)))
        view = situation_view(opaque, members, hostiles, facing, 7.0)
        for i, (mx, my) in enumerate(members):
            for j, (hx, hy) in enumerate(hostiles):
                fires = math.dist((mx, my), (hx, hy)) <= 7.0 and line_clear(opaque, int(my), int(mx), int(hy), int(hx))
                toward = math.atan2(my - hy, mx - hx)
                turn = abs(math.remainder(toward - facing[j], math.tau))
                assert view.can_fire[i, j] == fires
                assert view.fires_at_us[i, j] == (fires and (math.isnan(turn) or turn <= HALF_VIEW))
        near = {(i, j) for i in range(len(hostiles)) for j in range(i) if math.dist(hostiles[i], hostiles[j]) <= GROUP}
        names = list(range(len(hostiles)))
        for _ in names:
            for i, j in near:
                names[i] = names[j] = min(names[i], names[j])
        assert view.groups == len(set(names)) and view.known == len(hostiles)
    assert situation_view(opaque, members[:0], hostiles[:0], facing[:0], 7.0).spread == 0.0


def test_the_ends_of_reach_and_view_belong_to_them() -> None:
    """A hostile of a known facing sees one radian to both sides."""
    opaque, hostile = np.zeros((20, 20), np.uint8), np.array([[5.5, 5.5]])
    for reach, fires in ((5.0, True), (4.999, False)):
        seen = situation_view(opaque, np.array([[8.5, 9.5]]), hostile, np.array([math.nan]), reach)
        assert seen.can_fire.tolist() == seen.fires_at_us.tolist() == [[fires]]
    for off, looks in ((0.999, True), (1.001, False), (-0.999, True), (-1.001, False)):
        for facing in (0.7, 1.3):
            member = hostile + 4.0 * np.array([[math.cos(facing + off), math.sin(facing + off)]])
            seen = situation_view(opaque, member, hostile, np.array([facing]), 9.0)
            assert (seen.can_fire[0, 0], seen.fires_at_us[0, 0]) == (True, looks)


def test_without_members_or_hostiles_all_counts_are_zero() -> None:
    opaque, nobody, one = np.zeros((9, 9), np.uint8), np.zeros((0, 2)), np.array([[4.5, 4.5]])
    for members, hostiles in ((nobody, one), (one, nobody), (nobody, nobody)):
        seen = situation_view(opaque, members, hostiles, np.full(len(hostiles), math.nan), 9.0)
        assert (seen.known, seen.targets, seen.ready, seen.threatened) == (len(hostiles), 0, 0, 0)
