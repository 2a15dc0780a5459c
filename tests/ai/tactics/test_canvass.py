"""Canvassing shows more, sooner, than a random look, and never hits a wall."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from ai.perception.sight.shadowcast import SightBits
from ai.perception.sight.view_cone import sector
from ai.tactics.canvass import FAR, Canvass, Pose, go_about, look_about

TIMES = 56.0, 14.0, 20 / 1.5
"""Ticks in total, per look, and per tile of a step."""


def room(seed: int) -> np.ndarray:
    opaque = (np.random.default_rng(seed).random((24, 24)) < 0.08).astype(np.uint8)
    opaque[12, 12] = 0
    return opaque


@pytest.mark.parametrize("seed", range(6))
def test_the_choice_is_the_one_with_the_most_unseen_tiles(seed: int) -> None:
    opaque = room(seed)
    bits, canvass = SightBits(opaque), Canvass(opaque, 12.5, 12.5, 8.0)
    x, y, heading = 12.5, 12.5, 0.3
    for _ in range(6):
        options = canvass.options(bits, x, y, heading, FAR)
        for pose in options:
            assert not opaque[int(pose.y), int(pose.x)], "nobody ends up in a wall"
            y0, x0, seen = sector(bits, opaque, pose.x, pose.y, pose.heading, 0.6, 6.0)
            new = sum(
                seen[j, i] and not canvass.seen[y0 + j - canvass.y0, x0 + i - canvass.x0]
                for j, i in np.argwhere(seen)
                if 0 <= y0 + j - canvass.y0 < canvass.seen.shape[0] and 0 <= x0 + i - canvass.x0 < canvass.seen.shape[1]
            )
            assert pose.unseen == new
        chosen = canvass.choose(options)
        if chosen is None:
            break
        canvass.play(bits, chosen)
        x, y, heading = chosen.x, chosen.y, chosen.heading


def test_it_covers_more_than_chance() -> None:
    shares = {"best": 0.0, "chance": 0.0}
    for seed in range(20):
        rng = np.random.default_rng(seed)
        for how in shares:
            opaque = np.zeros((30, 30), np.uint8)
            bits, canvass = SightBits(opaque), Canvass(opaque, 15.5, 15.5, 8.0)
            before, at = int((~canvass.seen).sum()), (15.5, 15.5, 0.0)
            for _ in range(5):
                options = canvass.options(bits, *at, FAR)
                pose = canvass.choose(options) if how == "best" else options[int(rng.integers(len(options)))]
                assert pose is not None
                canvass.play(bits, pose)
                at = (pose.x, pose.y, pose.heading)
            shares[how] += (before - int((~canvass.seen).sum())) / before
    assert shares["best"] >= 1.3 * shares["chance"]


def test_no_look_faces_a_wall() -> None:
    """In a corridor, looks go along it; a closed cell leaves only its walls."""
    opaque = np.ones((9, 30), np.uint8)
    opaque[4, 2:28] = 0
    looks = look_about(SightBits(opaque), opaque, 15.5, 4.5, math.pi / 2)
    assert {round(abs(math.cos(a)), 3) for a in looks[:2]} == {1.0}
    assert len(looks) == 2


def test_a_clip_played_lately_counts_less_until_it_is_forgotten() -> None:
    """The better clip shows 10 tiles, the other one 8.

    After n choices a played clip counts 1 - exp(-n / 3) of its tiles. The better one is chosen again when
    10 (1 - exp(-n / 3)) > 8, from the fifth choice on.
    """
    opaque = np.ones((5, 5), np.uint8)
    bits, canvass = SightBits(opaque), Canvass(opaque, 2.5, 2.5, 2.0)
    better, other = (Pose(2.5, 2.5, 0.0, clip, unseen) for clip, unseen in ((3, 10), (4, 8)))
    assert canvass.choose([better, other]) == better
    canvass.play(bits, better)
    assert canvass.choose([better]) is None, "it was played this moment"
    chosen = []
    for clip in range(5, 11):
        canvass.play(bits, Pose(2.5, 2.5, 0.0, clip, 0))
        chosen.append(canvass.choose([better, other]))
    assert chosen == [other] * 4 + [better] * 2
    assert canvass.choose([Pose(2.5, 2.5, 0.0, 4, 0)]) is None, "it shows nothing new"


def test_in_the_time_of_four_turns_steps_show_more_hiding_places() -> None:
    """A yard with pillars: some hiding places are not visible from the guard."""
    shown = {"steps": 0, "turns": 0}
    walked = 0
    for seed in range(8):
        opaque = room(seed)
        bits = SightBits(opaque)
        y0, x0, view = sector(bits, opaque, 12.5, 12.5, 0.0, math.pi, 6.0)
        seen = np.zeros(opaque.shape, bool)
        seen[y0 : y0 + view.shape[0], x0 : x0 + view.shape[1]] = view
        hidden = [(x + 0.5, y + 0.5) for y, x in np.argwhere((opaque == 0) & ~seen) if math.hypot(x - 12, y - 12) < 7]
        spots = hidden[:: max(1, len(hidden) // 6)]
        steps = go_about(bits, opaque, opaque == 0, 12.5, 12.5, 0.3, *TIMES, spots)
        paths = [math.hypot(b.x - a.x, b.y - a.y) for a, b in pairwise([Pose(12.5, 12.5, 0.3, 0, 0), *steps])]
        assert len(steps) * TIMES[1] + sum(paths) * TIMES[2] <= TIMES[0]
        walked += sum(path > 0 for path in paths)
        turns = [Pose(12.5, 12.5, a, 0, 0) for a in look_about(bits, opaque, 12.5, 12.5, 0.3)]
        for how, poses in (("steps", steps), ("turns", turns)):
            canvass = Canvass(opaque, 12.5, 12.5, 9.0)
            for pose in poses:
                canvass.play(bits, pose)
            shown[how] += sum(bool(canvass.seen[int(y) - canvass.y0, int(x) - canvass.x0]) for x, y in spots)
    assert walked >= 6
    assert shown["steps"] > 1.5 * shown["turns"]


def test_excluded_tiles_need_no_look() -> None:
    opaque = np.zeros((24, 24), np.uint8)
    west = np.zeros((24, 24), bool)
    west[:, :12] = True
    looks = go_about(SightBits(opaque), opaque, opaque == 0, 12.5, 12.5, math.pi / 2, *TIMES, (), west)
    assert looks and all(math.cos(p.heading) > -0.5 for p in looks)


def test_in_a_corridor_there_is_no_room_for_steps_and_nobody_steps_into_water() -> None:
    corridor = np.ones((24, 24), np.uint8)
    corridor[11:13] = 0
    assert go_about(SightBits(corridor), corridor, corridor == 0, 12.5, 12.5, 0.0, *TIMES) == []
    opaque = np.zeros((24, 24), np.uint8)
    dry = np.zeros((24, 24), bool)
    dry[:, :13] = True
    assert all(p.x < 13 for p in go_about(SightBits(opaque), opaque, dry, 12.5, 12.5, 0.0, *TIMES))
