"""Plays in the world: those for whom a place is kept stand there, wherever they came from; bad plays are refused."""

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


def test_throwers_stand_behind_and_each_rank_goes_the_least_way(tmp_path: Path) -> None:
    """Throwers are nearest to the front, so that nearness alone would put them there.

    The oracle tries every assignment that keeps the reservations on the places that they ended at.
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
def test_places_that_nobody_fits_stay_empty_until_there_are_too_many(
    tmp_path: Path, kind: str, depth: float, front: int
) -> None:
    """Seven raiders leave the three throwers' places empty and stand behind them; seven throwers would leave four of
    seven empty, more than half, and so stand anywhere."""
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


def test_who_can_go_wherever_the_others_can_is_one_of_the_group(tmp_path: Path) -> None:
    """A crawler goes by another class of ground than raiders, and everywhere that they do."""
    session = play_of(tmp_path, ["crawler", "raider", "raider", "lamplighter"])
    told(session, "play", "lamp_guard")
    for facing in (0.0, 3.14):  # the crawler is the nearest to the destination once, and once the farthest
        sent(session, 26.5 if not facing else 8.5, 12.5, facing=facing)
        run(session, 2)
        (group,) = session.world.groups.rows.values()
        assert group.members.tolist() == [0, 1, 2, 3] and group.movement_class == session.world.units.movement_class[1]


def test_who_may_not_go_where_the_most_may_comes_after_by_himself(tmp_path: Path) -> None:
    """Crawlers' ground is more than walkers': three crawlers and a raider go by the crawlers' class, without him."""
    session = play_of(tmp_path, ["crawler", "crawler", "raider", "crawler"])
    session.world.terrain.edit(2, 2, 3, 3, passable=2)
    told(session, "shape", "line")
    sent(session, 26.5, 12.5)
    run(session, 2)
    (group,) = session.world.groups.rows.values()
    assert group.members.tolist() == [0, 1, 3] and session.world.units.moving[2]


def test_with_reservations_off_anybody_takes_any_place(tmp_path: Path) -> None:
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
