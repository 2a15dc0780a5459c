"""Exposure counts watchers by the rule of their eyes, and publishes whole maps.

Low walls hide by similar triangles.
"""

from __future__ import annotations

import zlib
from fractions import Fraction

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.perception.awareness.exposure_map import ExposureMap, exposure_map
from ai.perception.awareness.vision import Vision
from ai.perception.settings import VisionSettings
from ai.perception.sight.wall_heights import JOINTS, LOW_WALL, MOSTLY, TOPS, WEIGHTS, low_walls, shows_over
from tests.ai.perception.sight.ford import visible_from
from tests.ai.perception.sight.test_line_of_sight import over_with_fractions


def eyes(**settings: object) -> Vision:
    table = [[99.0, 99.0, 99.0]]
    return Vision(VisionSettings(seen_within=table, **settings))  # type: ignore[arg-type]


def complete(opaque: np.ndarray, watchers: np.ndarray, budget: int = 10**9, **more: object) -> ExposureMap:
    chart = exposure_map(*opaque.shape)
    vision = more.pop("vision", None) or eyes()
    while not chart.update(vision, opaque, np.zeros_like(opaque), watchers, budget, **more):  # type: ignore[arg-type]
        pass
    return chart


def all_round(rng: np.random.Generator, count: int, height: int, width: int, radius: float = 12.0) -> np.ndarray:
    """Return watchers in the middle of tiles that look all round."""
    y, x = rng.integers(0, height, count) + 0.5, rng.integers(0, width, count) + 0.5
    none = np.zeros(count)
    return np.stack([x, y, none, none + radius, none + np.pi, none], 1)


@pytest.mark.parametrize("seed", range(4))
def test_on_flat_ground_it_counts_whose_fog_it_lifts(seed: int) -> None:
    rng = np.random.default_rng(seed)
    opaque = (rng.random((30, 40)) < 0.1).astype(np.uint8)
    watchers = all_round(rng, 7, 30, 40)
    expected = np.zeros((30, 40), int)
    for x, y, _, radius, *_ in watchers.tolist():
        for tile in visible_from(opaque, int(y), int(x), int(radius)):
            expected[tile] += 1
    chart = complete(opaque, watchers)
    free = opaque == 0
    for stance in range(3):
        assert np.array_equal(chart.front[stance][free], expected[free]), "only low walls tell crouching from standing"


@pytest.mark.parametrize("alert", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_over_low_walls_it_equals_the_line_with_fractions(seed: int, alert: int) -> None:
    rng = np.random.default_rng(seed)
    low = rng.choice(np.array([0, 0, 0, 0, LOW_WALL], np.uint8), (17, 21))
    y, x = int(rng.integers(17)), int(rng.integers(21))
    watcher = np.array([[x + 0.5, y + 0.5, 0.0, 10.0, np.pi, alert]])
    chart = complete(np.zeros_like(low), watcher, low=low)
    for ty, tx in np.ndindex(low.shape):
        near = (ty - y) ** 2 + (tx - x) ** 2 <= 100
        for stance in range(3):
            expected = near and over_with_fractions(low, (y, x), (ty, tx), 3.0, float(TOPS[alert, stance]))
            assert bool(chart.front[stance, ty, tx]) == expected


def test_a_low_wall_hides_who_crouches_up_to_its_shadow_and_nobody_who_stands() -> None:
    low = low_walls(3, 30, [(6, 0, 7, 3)])
    watcher = np.array([[2.5, 1.5, 0.0, 27.0, np.pi, 0.0]])
    chart = complete(np.zeros((3, 30), np.uint8), watcher, low=low)
    assert chart.exposed()[1, 3:29].all()
    # Eye 3, wall 2 high at 4 tiles, target 1 high: the line 3 - 2*4/d clears the wall from d = 8 on.
    assert [x for x in range(7, 29) if not chart.exposed(1)[1, x]] == [7, 8, 9]


def test_in_a_fight_the_top_of_a_crouching_head_is_seen_and_most_joints_are_another_law() -> None:
    """The sample point favours the hiding unit until the fight begins.

    Of the joints more than 60 % must show.
    """
    low = low_walls(1, 12, [(6, 0, 7, 1)])
    opaque = np.zeros((1, 12), np.uint8)

    def seen(alert: float, stance: int = 1, **settings: object) -> bool:
        watcher = np.array([[2.5, 0.5, 0.0, 11.0, np.pi, alert]])
        return bool(complete(opaque, watcher, low=low, vision=eyes(**settings)).front[stance, 0, 7])

    assert not seen(0) and seen(1)
    assert not seen(1, head_in_combat=False)
    for stance in range(3):
        # The wall, 2 high, stands four fifths of the way from the eye, 3 high, to the joint.
        share = sum(w for h, w in zip(JOINTS[stance], WEIGHTS, strict=True) if 3 + 0.8 * (h - 3) >= 2)
        assert seen(0, stance, sampling="joints") == (share > MOSTLY + 1e-9)
    assert seen(0, 0, sampling="joints") and not seen(0, 1, sampling="joints")


@pytest.mark.parametrize("seed", range(4))
def test_a_body_shows_by_its_sample_point_or_by_most_of_its_joints(seed: int) -> None:
    """Eyes are 3 half metres high, walls 2.

    The weights of the joints are a table.
    """
    rng = np.random.default_rng(seed)
    low = rng.choice(np.array([0, 0, 0, 2], np.uint8), (7, 12))
    tops = {0: (3, 1, 0), 1: (3, 2, 1)}
    joints = ((0, 1, 2, 2.6, 3), (0, 0.4, 0.8, 1.2, 1.6), (0, 0.1, 0.2, 0.3, 0.4))
    shown = []
    for y0, x0, y1, x1 in rng.integers((0, 0, 0, 0), (7, 12, 7, 12), (25, 4)).tolist():
        for stance in range(3):
            for fights, top in tops.items():
                over = over_with_fractions(low, (y0, x0), (y1, x1), 3, top[stance])
                assert shows_over(low, y0, x0, y1, x1, stance, fights, False) == over
            over = [over_with_fractions(low, (y0, x0), (y1, x1), 3, height) for height in joints[stance]]
            share = Fraction(0) + sum(Fraction(w, 100) for w, o in zip((10, 15, 25, 30, 20), over, strict=True) if o)
            assert shows_over(low, y0, x0, y1, x1, stance, 0, True) == (share > Fraction(60, 100))
            shown.append(share)
    assert len(set(shown)) > 3, "some bodies show in part"


def test_a_wall_more_never_exposes_a_tile_more() -> None:
    rng = np.random.default_rng(9)
    opaque = (rng.random((25, 25)) < 0.1).astype(np.uint8)
    watchers = all_round(rng, 5, 25, 25)
    before = complete(opaque, watchers).front
    opaque[rng.integers(0, 25, 20), rng.integers(0, 25, 20)] = 1
    after = complete(opaque, watchers).front
    assert (after <= before)[:, opaque == 0].all()


def test_slices_give_the_map_of_one_go_and_the_front_changes_only_when_complete() -> None:
    rng = np.random.default_rng(4)
    opaque = (rng.random((40, 40)) < 0.1).astype(np.uint8)
    watchers = all_round(rng, 6, 40, 40)
    watchers[:, 2], watchers[:, 4] = rng.uniform(-3, 3, 6), 0.9
    whole = complete(opaque, watchers).front
    assert whole.any()
    chart, vision = exposure_map(40, 40), eyes()
    shown = {zlib.crc32(chart.front.tobytes())}
    while not chart.update(vision, opaque, np.zeros_like(opaque), watchers, 7):
        shown.add(zlib.crc32(chart.front.tobytes()))
        chart = restore(snapshot(chart))
        watchers = watchers + np.array([[3.0, 1.0, 0.5, 0.0, 0.0, 0.0]])  # frozen while the round is in work
        assert digest(chart) == digest(restore(snapshot(chart)))
    assert len(shown) == 1
    assert np.array_equal(chart.front, whole)
    assert chart.rounds == 1


def test_no_watchers_watchers_off_the_map_and_wrong_input() -> None:
    opaque = np.zeros((8, 9), np.uint8)
    assert not complete(opaque, np.zeros((0, 6))).exposed().any()
    off = np.array([[-1.0, 0, 0, 5, 1, 0], [9.5, 0, 0, 5, 1, 0], [3.0, 3.0, 0, -2, 1, 0]])
    assert not complete(opaque, off).exposed().any()
    crowd = np.array([[2.5, 2.5, 0, 2, np.pi, 0]] * 300)
    assert complete(opaque, crowd).front[0, 2, 2] == 255
    with pytest.raises(ValueError, match="map"):
        exposure_map(8, 8).update(eyes(), opaque, opaque, np.zeros((0, 6)), 1)
    with pytest.raises(ValueError, match="watchers"):
        exposure_map(8, 9).update(eyes(), opaque, opaque, np.zeros((0, 3)), 1)
    with pytest.raises(ValueError, match="tiles"):
        exposure_map(0, 9)
