"""Canvassing shows more, sooner, than looking about by chance, and never runs into a wall."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from ai.sight.cone import sector
from ai.sight.shadowcast import SightBits
from ai.tactics.canvass import FAR, Canvass, Pose, go_about, look_about


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


def test_nobody_stares_at_a_wall() -> None:
    """In a corridor looks go along it; in a closed cell there is nothing to look at but the cell."""
    opaque = np.ones((9, 30), np.uint8)
    opaque[4, 2:28] = 0
    looks = look_about(SightBits(opaque), opaque, 15.5, 4.5, math.pi / 2)
    assert {round(abs(math.cos(a)), 3) for a in looks[:2]} == {1.0}
    assert len(looks) == 2


def test_by_steps_more_is_shown_than_by_turns_and_none_is_played_twice_running() -> None:
    """The share of a yard with a few pillars that four poses of each kind show."""
    shown = {"steps": 0, "turns": 0}
    for seed in range(8):
        opaque = room(seed)
        bits = SightBits(opaque)
        steps = go_about(bits, opaque, opaque == 0, 12.5, 12.5, 0.3)
        assert any((p.x, p.y) != (12.5, 12.5) for p in steps)
        assert all(a.clip != b.clip for a, b in pairwise(steps)), "what was played last counts for least"
        turns = [Pose(12.5, 12.5, a, 0, 0) for a in look_about(bits, opaque, 12.5, 12.5, 0.3)]
        for how, poses in (("steps", steps), ("turns", turns)):
            canvass = Canvass(opaque, 12.5, 12.5, 9.0)
            before = int((~canvass.seen).sum())
            for pose in poses:
                canvass.play(bits, pose)
            shown[how] += before - int((~canvass.seen).sum())
    assert shown["steps"] > 1.05 * shown["turns"]


def test_in_a_corridor_there_is_no_room_for_steps_and_nobody_steps_into_water() -> None:
    corridor = np.ones((24, 24), np.uint8)
    corridor[11:13] = 0
    assert go_about(SightBits(corridor), corridor, corridor == 0, 12.5, 12.5, 0.0) == []
    opaque = np.zeros((24, 24), np.uint8)
    dry = np.zeros((24, 24), bool)
    dry[:, :13] = True
    assert all(p.x < 13 for p in go_about(SightBits(opaque), opaque, dry, 12.5, 12.5, 0.0))
