"""Broken manoeuvres: a path that closes, a target that dies, wrong tables."""

import shutil
from pathlib import Path

import pytest

from ai.squad.manoeuvres.manoeuvre_table import MANOEUVRES
from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.minds.squad.intents import INTENTS
from game.minds.squad.squad_scripts import load_squad_scripts
from game.sim.session import Session
from game.world.groups.squads import KnownEnemy
from game.world.orders import Order, OrderKind
from game.world.unit_types import DATA


def _session(tmp_path: Path) -> Session:
    """Return three soldiers west of a wall with a gap, and an enemy."""
    rows = ["." * 30 for _ in range(11)]
    rows = [row if y == 5 else row[:14] + "#" + row[15:] for y, row in enumerate(rows)]
    level = LevelBuilder.from_letters("\n".join(rows), title="Gap")
    for k in range(3):
        level.add("spawn", 2.5, 4.5 + k, kind="soldier", side="raiders", layer="objects")
    level.add("spawn", 27.5, 5.5, kind="soldier", side="guards", layer="objects")
    level.write(tmp_path / "gap.tmx")
    return Session(load_level(tmp_path / "gap.tmx"), 1, recording=False)


def test_a_path_that_closes_half_way_and_a_target_that_dies_end_the_manoeuvre(tmp_path: Path) -> None:
    """The squad says that the way is shut, and its members halt."""
    session = _session(tmp_path)
    world, u = session.world, session.world.units
    session.give(Order(int(OrderKind.SQUAD), 0, (0, 1, 2), 24.5, 5.5, name="charge"))
    said: list[str] = []

    def play(ticks: int) -> None:
        for _ in range(ticks):
            session.advance()
            said.extend(e.text for e in world.events if e.kind in ("manoeuvre", "fault"))

    play(20)
    squad = world.squads.rows[0]
    assert squad.task is not None and u.moving[:3].any()
    session.give(Order(int(OrderKind.EDIT), points=(14.0, 0.0, 15.0, 11.0, 0.0, -1.0, 1.0, -1.0)))
    u.alive[3] = 0
    u.hp[3] = 0
    play(40)
    assert any("is broken off: the way is shut" in text for text in said), said
    assert not u.moving[:3].any() and (u.x[:3] < 14.0).all() and squad.task is None
    assert not world.set_aside and world.squads.rows[0].members == [0, 1, 2]
    assert not any("Error" in text for text in said)


def test_each_intent_names_manoeuvres_and_intents_that_exist() -> None:
    for name, intent in INTENTS.items():
        assert set(intent.choices) <= set(MANOEUVRES), name
        assert {intent.then, intent.otherwise} <= {"", *INTENTS, *MANOEUVRES}, name
    for kind, manoeuvre in MANOEUVRES.items():
        assert kind == manoeuvre.name and set(manoeuvre.after) <= set(MANOEUVRES), kind


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[script.room_3", "[script.room_5", "there is no [script.room_3]"),
        ("go stack_1", "go cellar", "[script.room_4.roles] first, line 1: there is no place 'cellar'"),
        ("wait go_in", "wait gong", "[script.room_4.roles] second, line 3: no role signals 'gong'"),
        ("fourth = ", "fifth = []\nfourth = ", "has 5 roles and needs 4"),
    ],
)
def test_a_table_of_scripts_that_names_what_is_not_there_is_an_error(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    """The one line names file, script, role and line."""
    file = tmp_path / "squad_scripts.toml"
    shutil.copy(DATA / "squad_scripts.toml", file)
    file.write_text(file.read_text("utf-8").replace(old, new, 2 if "room" in old else 1), "utf-8")
    with pytest.raises(ValueError) as told:
        load_squad_scripts(tmp_path)
    assert str(told.value).startswith(f"{file}: ") and words in str(told.value) and "\n" not in str(told.value)


def test_a_weaker_squad_does_not_break_off_what_it_would_begin_again(tmp_path: Path) -> None:
    """A squad that is weaker goes on with fire, its fittest manoeuvre.

    One of four enemies closes in: fire is worth 0.625 and the pullback 0.825, until a pullback was refused.
    """
    session = _session(tmp_path)
    world, u = session.world, session.world.units
    session.give(Order(int(OrderKind.SQUAD), 0, (0, 1, 2), 9.5, 5.5, name="relieve"))
    session.advance()
    squad = world.squads.rows[0]
    squad.failed = ["pull_back"]
    said: list[str] = []
    u.hp[:3] = 1
    for _ in range(60):
        for k in range(4):
            squad.enemies[10 + k] = KnownEnemy(10 + k, 11.5, 4.5 + k, world.tick, -2.0 * (k == 0), first=-50)
        session.advance()
        said.extend(e.text for e in world.events if e.kind in ("manoeuvre", "fault"))
    assert squad.task is not None and squad.task.kind == "suppress"
    assert not [text for text in said if "broken off" in text], said
