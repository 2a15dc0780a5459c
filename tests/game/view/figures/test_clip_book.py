"""Clips of figures: poses blend and add, and bad data ends in one line."""

import math
from pathlib import Path

import numpy as np
import pytest

from ai.animation.figure_poses import ACTS, STEPS
from game.view.figures.clip_book import CLIPS, STANCES, read_book
from game.view.figures.skeleton import PLACE
from game.world.rules.game_rules import Rules


@pytest.fixture(scope="module")
def book():
    return read_book()


def test_the_game_has_every_clip_and_no_choice_falls_back(book, capsys):
    for name in (
        "idle", "walk", "run", "crouch", "crawl", "aim", "fire@aim", "hit", "die", "drag", "start", "stop", "turn",
        "reload", "throw", "signal", "talk", "look_round", "warm_hands", "listen",
    ):  # fmt: skip
        assert name in book.index
    assert book.missing == set()
    assert book.table.shape == (len(STANCES), len(ACTS))


@pytest.mark.parametrize(
    ("clip", "contact", "speed"),
    [("walk", 0.5, 1.5), ("run", 0.4, 4.0), ("crouch_walk", 0.5, 1.2), ("crawl", 0.5, 0.6)],
)
def test_a_planted_foot_stays_where_it_is_while_the_body_goes_on(book, clip, contact, speed):
    """Oracle: the way of the body between two frames."""
    number = book.index[clip]
    count = int(book.count[number])
    leg = Rules().leg
    way = leg * math.sqrt(min(speed / leg, 2.5)) / 0.743 * 32.0 / count
    planted = int(contact * count)
    for foot, begin in (("left_foot", 0), ("right_foot", count // 2)):
        at = [
            book.frames[book.first[number] + (begin + k) % count][PLACE[foot].start] + k * way for k in range(planted)
        ]
        assert np.ptp(at) <= 0.03 * planted * way


def test_recoil_is_the_same_change_on_every_aim(book):
    changes = []
    for stance in ("aim", "crouch_aim", "prone_aim"):
        first = book.first[book.index[f"fire@{stance}"]]
        changes.append(book.frames[first + 1] - book.frames[book.first[book.index[stance]]])
    assert np.allclose(changes[0], changes[1]) and np.allclose(changes[0], changes[2])
    assert changes[0][PLACE["body"].start] < 0.0


def test_a_blend_leads_evenly_from_one_rest_to_the_other(book):
    one, other = book.groups.index("stand"), book.groups.index("prone")
    frames = book.frames[book.blend(np.full(STEPS, one), np.full(STEPS, other), np.arange(STEPS))]
    hip = frames[:, PLACE["hip"].start]
    assert np.allclose(hip, -9.0 * np.arange(1, STEPS + 1) / (STEPS + 1))


def test_a_clip_that_is_missing_is_the_default_and_is_named_once(book, capsys):
    assert book.clip("no_such_clip") == book.clip("no_such_clip") == book.index["idle"]
    assert capsys.readouterr().err.count("no_such_clip") == 1


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('keys = [["prone", 0.0]]', 'keys = [["proner", 0.0]]', "clip.prone.keys: there is no pose 'proner'"),
        ('base = "walk_left"', 'base = "run_left"', "form a circle"),
        ("hip = [-9, 0]", "hip = [-9]", "pose.prone.hip: needs 2 numbers"),
        ("hip = [-9, 0]", "hop = [-9, 0]", "pose.prone.hop"),
        ('rest = "crouch"', 'rest = "squat"', "group.crouch.rest: there is no clip 'squat'"),
        ("frames = 10", "frames = 99", "clip.die.frames"),
        ('run = "run"', 'fly = "run"', "choice.stand.fly"),
        ('default = "idle"', 'default = "none"', "default: there is no clip"),
    ],
)
def test_bad_data_ends_in_one_line_with_file_and_key(tmp_path: Path, old, new, said):
    text = CLIPS.read_text()
    assert old in text
    file = tmp_path / "clips.toml"
    file.write_text(text.replace(old, new))
    with pytest.raises(ValueError) as caught:
        read_book(file)
    line = str(caught.value)
    assert str(file) in line and said in line and "\n" not in line
