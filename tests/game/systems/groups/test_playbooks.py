"""Plays of a playbook: slots reserved for unit types; bad plays are refused."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.world.groups.playbooks import load_plays
from tests.game.sim.small_levels import load, write
from tests.game.systems.groups.test_groups import OPEN, run, sent, told


def play_of(tmp_path: Path, kinds: list[str], names: dict[int, str] | None = None) -> Session:
    builder = LevelBuilder.from_letters(OPEN, title="Field")
    for i, kind in enumerate(kinds):
        more = {"name": names[i]} if names and i in names else {}
        builder.add("spawn", 16.5 + i % 4 * 1.1, 10.5 + i // 4 * 1.1, side="raiders", kind=kind, group=1, **more)
    return Session(load(write(tmp_path, builder)), recording=False)


def test_throwers_stand_behind_and_each_rank_walks_the_least_distance(tmp_path: Path) -> None:
    """Start the throwers nearest to the front, where distance alone would put them.

    The oracle tries every assignment of each rank to the final places.
    """
    session = play_of(tmp_path, ["raider", "raider", "thrower", "raider", "raider", "thrower", "thrower"])
    u, throws = session.world.units, np.array([2, 5, 6])
    u.x[throws] += 4.0
    start = np.column_stack([u.x[:7], u.y[:7]])
    told(session, "rally", "destination")
    told(session, "play", "throwers_behind")
    sent(session, 26.5, 12.5, facing=0.0)
    run(session, 240)
    assert not u.moving[:7].any()
    others = np.setdiff1d(np.arange(7), throws)
    assert u.x[others].min() - u.x[throws].max() == pytest.approx(1.2, abs=0.25), "one spacing apart, throwers behind"
    end = np.column_stack([u.x[:7], u.y[:7]])
    for rank in (throws, others):
        away = ((start[rank][:, None] - end[rank][None]) ** 2).sum(axis=2)
        k = np.arange(len(rank))
        best = min(away[k, list(p)].sum() for p in itertools.permutations(range(len(rank))))
        assert away[k, k].sum() <= best + 0.5, "the places are reached to a few hundredths of a tile"


@pytest.mark.parametrize(("kind", "depth", "front"), [("raider", 2.0, 4), ("thrower", 1.0, 4)])
def test_reserved_slots_stay_empty_unless_more_than_half_would_be_empty(
    tmp_path: Path, kind: str, depth: float, front: int
) -> None:
    """Lay the play for seven units of one kind.

    Seven raiders leave the three slots of throwers empty and stand behind them.
    Seven throwers would leave four of seven slots empty, more than half, so they fill all slots.
    """
    session = play_of(tmp_path, [kind] * 7)
    told(session, "play", "throwers_behind")
    sent(session, 26.5, 12.5, facing=0.0)
    run(session, 2)
    forward = np.sort(session.world.units.slot_f[:7])[::-1] / 1.2
    assert forward[0] - forward == pytest.approx([0.0] * front + [depth] * (7 - front))


def test_a_play_can_name_a_unit_and_is_laid_by_hand(tmp_path: Path) -> None:
    (tmp_path / "playbooks.toml").write_text(
        '[playbook.p]\nlabel = "P"\nslots = [{ at = [1, 0], for = ["Anna"] }, { at = [0, 0], for = ["raider"] }]\n'
    )
    (play,) = load_plays(tmp_path)
    who = [("raider", ""), ("thrower", "Anna"), ("thrower", "")]
    assert play.fits(who).tolist() == [[False, True], [True, False], [False, False]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"no \[playbook.NAME\]"),
        ('[playbook.p]\nlabel = "P"\nslots = []\n', r"\[playbook.p\] slots"),
        ('[playbook.p]\nlabel = "P"\nslots = [{ at = [0, 0] }, { at = [0.5, 0] }]\n', "slots 1 and 2"),
        ('[playbook.p]\nlabel = "P"\nrelax = 2\nslots = [{ at = [0, 0] }]\n', "relax"),
        ('[playbook.p]\nlabel = "P"\nslots = [{ at = [0, nan] }]\n', "finite"),
    ],
)
def test_bad_plays_are_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "playbooks.toml").write_text(text)
    with pytest.raises(ValueError, match=words):
        load_plays(tmp_path)


def test_a_member_that_passes_all_ground_of_the_others_stays_in_the_group(tmp_path: Path) -> None:
    """Mix a crawler with raiders: its movement class passes all ground that theirs does."""
    session = play_of(tmp_path, ["crawler", "raider", "raider", "lamplighter"])
    told(session, "play", "lamp_guard")
    # The crawler is farthest from the first destination and nearest to the second one.
    for facing in (0.0, 3.14):
        sent(session, 26.5 if not facing else 8.5, 12.5, facing=facing)
        run(session, 2)
        (group,) = session.world.groups.rows.values()
        assert group.members.tolist() == [0, 1, 2, 3] and group.movement_class == session.world.units.movement_class[1]


def test_a_member_that_cannot_pass_the_ground_of_the_majority_walks_alone(tmp_path: Path) -> None:
    """Mix three crawlers with a raider: the group uses the class of the crawlers."""
    session = play_of(tmp_path, ["crawler", "crawler", "raider", "crawler"])
    session.world.terrain.edit(2, 2, 3, 3, passable=2)
    told(session, "shape", "line")
    sent(session, 26.5, 12.5)
    run(session, 2)
    (group,) = session.world.groups.rows.values()
    assert group.members.tolist() == [0, 1, 3] and session.world.units.moving[2]


def test_with_reservations_off_all_slots_are_filled(tmp_path: Path) -> None:
    session = play_of(tmp_path, ["raider"] * 7)
    session.world.settings.formation.reserve = False
    told(session, "play", "throwers_behind")
    sent(session, 26.5, 12.5, facing=0.0)
    run(session, 2)
    forward = np.sort(session.world.units.slot_f[:7])[::-1] / 1.2
    assert forward[0] - forward == pytest.approx([0.0] * 4 + [1.0] * 3), "no holes"


def test_an_unknown_play_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    session = play_of(tmp_path, ["raider", "raider"])
    told(session, "play", "no_such")
    run(session, 1)
    assert any(e.kind == "refused" and "throwers_behind" in e.text for e in session.world.events)
    assert session.world.groups.drills == [session.world.groups.drills[0]]
