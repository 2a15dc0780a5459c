"""Squad voice: speakers, answers and callouts, and a table with mistakes."""

import shutil
from itertools import permutations, product
from pathlib import Path

import pytest

from ai.decision.dialogues import Dialogue, Talk, bind, next_line, start
from game.level.reading import load_level
from game.minds.squad.squad_mind import form_squad
from game.minds.squad.squad_voice import LOST, converse, place_words
from game.sim.session import Session
from game.world.groups.dialogue_table import dialogue_table
from game.world.groups.squads import KnownEnemy
from game.world.unit_types import DATA

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "squads" / "firing_line.tmx")


def _talk(world, squad, ticks):
    """Let a squad talk for some ticks; return its lines as (speaker, bark)."""
    said = []
    for _ in range(ticks // 5):
        world.events = []
        converse(world, squad)
        said += [(e.unit, e.text) for e in world.events if e.kind == "bark"]
        world.tick += 5
    return said


def test_a_hit_is_asked_about_and_answered_by_health_and_deaths_end_a_dialogue() -> None:
    world = Session(LEVEL, 1, recording=False).world
    u = world.units
    members = [int(i) for i in u.id[u.living(0)]]
    squad = form_squad(world, 0, members, "hold", 5.5, 10.5)
    assert _talk(world, squad, 20) == []
    victim = u.slot(members[2])
    for hp, answer in ((2, "status_fine"), (1, "status_hurt")):
        u.hp[victim] = hp
        (first, asks), (second, answers) = _talk(world, squad, 220)
        assert asks == "status" and answers == answer
        assert first != members[2] == second and first in members
    u.hp[u.slot(members[0])] -= 1
    ((asker, _),) = _talk(world, squad, 5)
    u.alive[u.slot(members[0])] = 0
    assert asker != members[0] and _talk(world, squad, 100) == [], "the second speaker is dead"
    for unit in members[1:5]:
        u.alive[u.slot(unit)] = 0
    u.hp[u.slot(members[5])] -= 1
    world.tick += 400
    assert _talk(world, squad, 60) == [], "there is no other member to ask"


def test_each_role_is_another_unit_and_a_role_without_one_binds_nothing() -> None:
    """Oracle: all pairs of different units near, held against each role's demand."""
    for unit, leader, near in product(range(4), range(4), ((), (1,), (2, 1), (3, 0, 1), (0, 1, 2, 3), (3, 2, 1, 0))):
        fits = {"unit": {unit}, "leader": {leader}, "other": set(near) - {unit}}
        for first, second in (("unit", "leader"), ("leader", "unit"), ("leader", "other"), ("unit", "other")):
            ways = [[a, b] for a, b in permutations(near, 2) if a in fits[first] and b in fits[second]]
            assert bind([(first, ""), (second, "")], unit, leader, near) == (ways[0] if ways else None)
    assert bind([("other", ""), ("unit", ""), ("other", "")], 4, 5, (4, 5, 6)) == [5, 4, 5], "a role keeps its speaker"


def test_a_dialogue_is_quiet_for_its_cooldown_and_lines_keep_their_gap() -> None:
    table = {"ask": Dialogue("ask", "hurt", (("unit", "a"), ("other", "b")), frozenset(), 100, 7)}
    begun, said, talk = [], [], Talk()
    for tick in range(20, 320):
        if start(talk, table, "hurt", frozenset(), (4, 5, (4, 6)), tick):
            begun.append(tick)
        assert start(talk, table, "lost", frozenset(), (4, 5, (4, 6)), tick) == ""
        if (line := next_line(talk, {4, 6}, tick)) is not None:
            said.append((tick, *line))
    assert begun == [20, 120, 220]
    assert said == [(t + d, u, bark) for t in begun for d, u, bark in ((0, 4, "a"), (7, 6, "b"))]


def test_a_callout_names_the_last_known_place_not_the_true_one() -> None:
    world = Session(LEVEL, 1, recording=False).world
    u = world.units
    squad = form_squad(world, 0, [int(i) for i in u.id[u.living(0)]], "hold", 5.5, 10.5)
    enemy = u.living(1)[0]
    squad.enemies[int(u.id[enemy])] = KnownEnemy(int(u.id[enemy]), 16.5, 6.5, world.tick)
    (_, call), (_, answer) = _talk(world, squad, 60)
    assert call == "enemy_at|by the mill" and answer.startswith("acknowledged")
    u.x[enemy], u.y[enemy] = 29.5, 6.5
    world.tick += LOST + 200
    (asks, _), (tells, last) = _talk(world, squad, 60)
    assert last == "last_seen|by the mill" and asks != tells
    assert place_words(world, 29.5, 6.5, (5.5, 6.5)) == "by the hedge"
    assert place_words(world, 22.5, 1.5, (22.5, 9.5)) == "to the north"


def test_a_table_that_names_what_is_not_there_ends_in_one_line(tmp_path) -> None:
    for name in ("barks.toml", "dialogues.toml"):
        shutil.copy(DATA / name, tmp_path / name)
    assert set(dialogue_table(tmp_path)) == set(dialogue_table())
    good = (tmp_path / "dialogues.toml").read_text()
    for old, new, key in (
        ('say = "status_hurt"', 'say = "status_dead"', "lines.1.say"),
        ('event = "lost"', 'event = "found"', "event"),
        ('role = "leader"', 'role = "cook"', "lines.1.role"),
    ):
        (tmp_path / "dialogues.toml").write_text(good.replace(old, new))
        with pytest.raises(ValueError, match=r"dialogues\.toml") as error:
            dialogue_table(tmp_path)
        assert key in str(error.value) and "\n" not in str(error.value)
