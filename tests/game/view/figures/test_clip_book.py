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


def test_the_game_has_every_clip_and_no_choice_falls_back(book):
    for name in (
        "idle", "walk", "run", "crouch", "crawl", "aim", "fire@aim", "hit", "die", "drag", "start", "stop", "turn",
        "reload", "throw", "signal", "talk", "look_round", "warm_hands", "listen", "shrug", "jog",
        "start_right", "start_left",
    ):  # fmt: skip
        assert name in book.index
    assert book.missing == set()
    assert book.table.shape == (len(STANCES), len(ACTS))


@pytest.mark.parametrize(
    ("clip", "contact", "speed"),
    [("walk", 0.5, 2.35), ("run", 0.4, 4.0), ("crouch_walk", 0.5, 1.2), ("crawl", 0.5, 0.6)],
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


def test_a_blend_leads_evenly_from_the_frame_that_was_shown_to_the_rest_of_a_group(book):
    other = book.groups.index("prone")
    step = int(book.first[book.index["walk"]])
    for source in (int(book.rest[book.groups.index("stand")]), step):
        frames = book.frames[book.blend(np.full(STEPS, source), np.full(STEPS, other), np.arange(STEPS))]
        for name in ("hip", "left_foot"):
            from_, to = (book.frames[k][PLACE[name].start] for k in (source, book.rest[other]))
            even = from_ + (to - from_) * np.arange(1, STEPS + 1) / (STEPS + 1)
            assert np.allclose(frames[:, PLACE[name].start], even)
    assert (book.coarse[book.blend(np.array(step), np.array(other), np.arange(STEPS))] ==
            book.blend(np.array(book.rest[0]), np.array(other), np.arange(STEPS))).all()  # fmt: skip


def test_a_hit_over_a_shot_is_every_pair_of_their_frames(book):
    """Oracle: the two changes of pose, added."""
    shot, both = book.index["fire@aim"], book.index["jolt@fire@aim"]
    assert book.struck[shot] == both
    jolt = book.index["jolt@aim"]
    aim = book.frames[book.first[book.index["aim"]]]
    for k in range(int(book.count[jolt])):
        for j in range(int(book.count[shot])):
            found = book.frames[book.first[both] + k * book.count[shot] + j]
            change = book.frames[book.first[jolt] + k] + book.frames[book.first[shot] + j] - 2 * aim
            assert np.allclose(found, aim + change)
            assert k == 0 or change[PLACE["look"].start] != 0.0 or k == book.count[jolt] - 1


def test_a_jog_is_half_way_between_walk_and_run_in_one_phase(book):
    walk, jog, run = (int(book.first[book.index[name]]) for name in ("walk", "jog", "run"))
    assert book.count[book.index["jog"]] == book.count[book.index["walk"]]
    for k in range(16):
        middle = (book.frames[walk + k] + book.frames[run + k]) / 2
        assert np.allclose(book.frames[jog + k][PLACE["left_foot"]], middle[PLACE["left_foot"]])


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
        ('mixes = ["walk", "run"]', 'mixes = ["walk", "fly"]', "clip.jog.mixes: there is no clip 'fly'"),
        ('mixes = ["walk", "run"]', 'mixes = ["walk", "throw"]', "'walk' and 'throw' have unequal frames"),
        ('mixes = ["walk", "run"]', "", "clip.jog"),
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
