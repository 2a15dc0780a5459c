"""Pose layers: disjoint masks, exact weights and continuous transitions."""

import math

import numpy as np
import pytest

from ai.animation.pose_layers import RING, PoseRing, composed, layered, turned

LEGS, TORSO, ARMS = (np.arange(6) // 2 == k for k in range(3))
BASE = np.linspace(-1.0, 1.0, 12).reshape(2, 6)
WAVE = np.full((2, 6), 3.0)


def test_parts_compose_the_whole_they_were_cut_from() -> None:
    assert (composed([BASE, BASE, BASE], [LEGS, TORSO, ARMS]) == BASE).all()
    mixed = composed([BASE, BASE, WAVE], [LEGS, TORSO, ARMS])
    assert (mixed[:, ARMS] == 3.0).all() and (mixed[:, ~ARMS] == BASE[:, ~ARMS]).all()
    assert 3 + 4 + 5 < 3 * 4 * 5, "clips of parts are fewer than clips of whole bodies"
    with pytest.raises(ValueError, match="joint 2 is owned by 0 masks"):
        composed([BASE, BASE], [LEGS, ARMS])
    with pytest.raises(ValueError, match="joint 0 is owned by 2 masks"):
        composed([BASE, BASE, BASE, BASE], [LEGS, TORSO, ARMS, LEGS])


def test_a_layer_changes_its_mask_by_its_weight_only() -> None:
    weights = np.array([0.0, 1.0])
    shown = layered(BASE, [(WAVE, ARMS, weights)])
    assert (shown[0] == BASE[0]).all()
    assert shown[1, ARMS] == pytest.approx(3.0) and (shown[1, ~ARMS] == BASE[1, ~ARMS]).all()
    two = layered(BASE, [(WAVE, ARMS, np.ones(2)), (BASE, ARMS, np.full(2, 0.5))])
    by_hand = [
        [math.atan2(*(math.sin(3.0) + math.sin(b), math.cos(3.0) + math.cos(b))) for b in row[4:]] for row in BASE
    ]
    assert np.cos(two[:, ARMS] - np.array(by_hand)) == pytest.approx(1.0)  # the middle of two unit vectors


def test_angles_go_the_shorter_way_round() -> None:
    halfway = turned(np.array([3.0]), np.array([-3.0]), 0.5)
    assert abs(halfway[0]) == pytest.approx(math.pi)


def test_a_length_has_no_shorter_way_round() -> None:
    ends = turned(np.array([0.0, 350.0, 5.0]), np.array([20.0, 10.0, -7.0]), 0.5, np.array([0.0, 360.0, 0.0]))
    assert ends == pytest.approx([10.0, 360.0, -1.0])


def test_a_transition_is_continuous_and_ends_in_the_pure_clip() -> None:
    ring = PoseRing(1, 1)
    clips = (lambda t: 0.02 * t, lambda t: 2.0 - 0.03 * t, lambda t: -1.5 + 0.01 * t)
    shown = []
    for tick in range(40):
        if tick in (10, 14):  # the second one begins within the fade of the first
            ring.begin(np.array([0]), 8)
        clip = clips[(tick >= 10) + (tick >= 14)]
        shown.append(float(ring.show(np.array([[clip(tick)]]))[0, 0]))
    steps = np.abs(np.diff(shown))
    unblended = abs(clips[1](10) - clips[0](9))
    assert unblended > 1.4 and steps.max() < 0.5
    assert shown[21:] == [pytest.approx(clips[2](tick)) for tick in range(21, 40)]
    # By the definition: share k/8 of the way from the pose at tick 13.
    assert shown[14:21] == [pytest.approx(shown[13] + (clips[2](14 + k) - shown[13]) * (k + 1) / 8) for k in range(7)]
    assert RING >= 3
    assert PoseRing(1, 1).show(np.array([[7.0]])) == 7.0, "without a transition the pose is the clip's, turns and all"
