"""Squads in play: manoeuvres pay, end in time, and use only the members' sightings."""

from pathlib import Path

import numpy as np
import pytest

from ai.squad.manoeuvres.manoeuvre import MemberTask
from game.checks.squad_duel import duel
from game.level.level_writer import LevelBuilder
from game.level.model import Level
from game.level.reading import load_level
from game.minds.squad.squad_mind import LIMIT
from game.minds.squad.squad_picture import perceive, situation
from game.sim.session import Session
from game.world.groups.squads import Squad
from game.world.orders import Order, OrderKind
from game.world.world import World, restore_world

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "squads" / "two_squads.tmx")


def _ids(world: World, side: int) -> tuple[int, ...]:
    u = world.units
    return tuple(int(i) for i in u.id[u.living(side)])


def _squad(session: Session, intent: str, at: tuple[float, float], units: tuple[int, ...] | None = None) -> Squad:
    """Give an intent and return the squad."""
    chosen = _ids(session.world, 0) if units is None else units
    session.give(Order(int(OrderKind.SQUAD), 0, chosen, *at, name=intent))
    session.advance()
    return session.world.squads.rows[max(session.world.squads.rows)]


def _house(tmp_path: Path) -> Level:
    """Return a house with one door in the west, and four soldiers before it."""
    level = LevelBuilder.from_letters(
        "\n".join(
            [
                "........................",
                "........................",
                ".........#######........",
                ".........#fffff#........",
                ".........#fffff#........",
                ".........ffffff#........",
                ".........#fffff#........",
                ".........#fffff#........",
                ".........#######........",
                "........................",
                "........................",
            ]
        ),
        title="House",
    )
    for k in range(4):
        level.add("spawn", 2.5, 3.5 + k, kind="soldier", side="raiders", layer="objects")
    level.write(tmp_path / "house.tmx")
    return load_level(tmp_path / "house.tmx")


@pytest.mark.long
def test_a_planned_squad_beats_one_that_charges_in_most_of_six_fights() -> None:
    """Six seeds, the squads change sides; the benchmark plays fifty."""
    ends: list[int] = []

    def watch(world: World, mine: int) -> None:
        ends.extend(world.tick - s.task.began for s in world.squads.rows.values() if s.task is not None)

    won = [duel(LEVEL, "fight", "charge", seed, watch=watch).won for seed in range(6)]
    assert sum(won) >= 4
    assert max(ends) <= LIMIT + 10  # no manoeuvre hangs


def test_an_emergent_squad_beats_one_that_charges() -> None:
    """Half of the squad covers while others move; the benchmark plays fifty seeds."""
    moving: list[float] = []

    def watch(world: World, mine: int) -> None:
        for squad in world.squads.rows.values():
            if squad.side == mine and squad.task is not None and squad.task.kind == "fire_and_movement":
                alive = world.units.alive[world.units.slots(squad.members)] == 1
                moving.append(float((squad.task.task[alive] != MemberTask.COVER).mean()))

    assert [duel(LEVEL, "emergent", "charge", seed, watch=watch).won for seed in (2, 3)] == [1.0, 1.0]
    assert 0.05 < np.mean(moving) < 0.5


def test_an_emergent_squad_is_saved_and_goes_on_the_same_without_a_member() -> None:
    session = Session(LEVEL, 1, recording=False)
    squad = _squad(session, "emergent", (44.5, 16.5))
    for _ in range(40):
        session.advance()
    session.give(Order(int(OrderKind.MOVE), 0, (squad.members[1],), 5.5, 5.5))
    session.advance()
    assert squad.task is not None and squad.task.pictures is not None and squad.task.pictures.act.shape == (5, 5)
    again = Session(LEVEL, 1, recording=False, world=restore_world(session.world.snapshot()))
    for _ in range(60):
        session.advance()
        again.advance()
    assert session.world.hash() == again.world.hash()
    assert len(squad.members) == 5 and squad.task.pictures.sent.max() > 40


def test_the_picture_holds_what_members_saw_and_no_more() -> None:
    """Enemies that no member sees are moved: picture and situation stay as they are."""
    session = Session(LEVEL, 1, recording=False)
    squad = _squad(session, "fight", (44.5, 16.5))
    world, u = session.world, session.world.units
    enemies = _ids(world, 1)
    session.give(Order(int(OrderKind.ATTACK_MOVE), 1, enemies, 3.5, 15.5))
    while not squad.enemies:
        session.advance()
        assert world.tick < 600
    unseen = [i for i in enemies if i not in squad.enemies]
    assert unseen, "the scene needs an enemy that nobody sees yet"
    before = situation(world, squad)
    for unit in unseen:
        u.x[u.slot(unit)] += 3.0
    perceive(world, squad)
    after = situation(world, squad)
    assert np.array_equal(before.threats, after.threats) and before.closing == after.closing
    for unit, known in squad.enemies.items():
        eyes = [s for s in u.slots(squad.members) if u.meter_target[s] == unit]
        assert eyes and known.tick <= world.tick


def test_in_a_bounding_advance_somebody_always_covers() -> None:
    """While members run, at least one living member holds; both teams come forward."""
    session = Session(LEVEL, 1, recording=False)
    squad = _squad(session, "take", (38.5, 15.5))
    u = session.world.units
    ran = set()
    while squad.task is None or not squad.task.ended:
        session.advance()
        if squad.task is None:
            if squad.last:
                break
            continue
        running = np.flatnonzero(squad.task.task == MemberTask.RUN)
        if squad.task.stage == 2 and len(running):
            assert len(running) < len(squad.members)
            ran.update(running.tolist())
        assert session.world.tick < 2000
    assert ran == set(range(len(squad.members)))
    slots = u.slots(squad.members)
    assert (np.hypot(u.x[slots] - 38.5, u.y[slots] - 15.5) < 8.0).all()


def test_house_is_cleared_one_after_the_other(tmp_path: Path) -> None:
    """Members enter after all have reached the door; all four end inside."""
    session = Session(_house(tmp_path), 1, recording=False)
    squad = _squad(session, "clear", (12.5, 5.5))
    u = session.world.units
    slots = u.slots(squad.members)
    inside = lambda: (u.x[slots] > 10) & (u.x[slots] < 15) & (u.y[slots] > 3) & (u.y[slots] < 8)  # noqa: E731
    entered: list[int] = []
    at_the_door = False
    for _ in range(600):
        session.advance()
        at_the_door |= bool((np.hypot(u.x[slots] - 9.5, u.y[slots] - 5.5) < 5.0).all())
        for row in np.flatnonzero(inside()).tolist():
            if row not in entered:
                assert at_the_door
                entered.append(row)
    assert len(entered) == 4 and inside().sum() == 4


def test_exits_of_a_house_are_covered_or_the_order_is_refused(tmp_path: Path) -> None:
    """Open ground is no house, and the squad says so."""
    session = Session(_house(tmp_path), 1, recording=False)
    squad = _squad(session, "cover_exits", (12.5, 5.5))
    for _ in range(200):
        session.advance()
    u = session.world.units
    slots = u.slots(squad.members)
    assert (np.hypot(u.x[slots] - 9.5, u.y[slots] - 5.5) <= 6.5).any()
    squad = _squad(session, "clear", (2.5, 1.5))
    said: list[str] = []
    for _ in range(300):
        session.advance()
        said += [e.text for e in session.world.events if e.kind == "manoeuvre"]
    assert said == ["A: clear room is broken off: no room is meant", "A: cannot: no room is meant"]


def test_a_unit_with_another_order_leaves_its_squad() -> None:
    session = Session(LEVEL, 1, recording=False)
    squad = _squad(session, "take", (38.5, 15.5))
    for _ in range(20):
        session.advance()
    leaver = squad.members[0]
    session.give(Order(int(OrderKind.MOVE), 0, (leaver,), 5.5, 5.5))
    session.advance()
    assert leaver not in squad.members and len(squad.members) == 5
    assert squad.task is not None and len(squad.task.goal) == 5 and len(squad.given) == 5
    for _ in range(100):
        session.advance()
    assert session.world.squads.of(leaver) is None


@pytest.mark.parametrize("count", [1, 2])
def test_a_squad_of_one_or_two_acts_and_ends(count: int) -> None:
    """It takes the place; nobody is left with a stale order."""
    session = Session(LEVEL, 1, recording=False)
    units = _ids(session.world, 0)[:count]
    _squad(session, "take", (20.5, 20.5), units)
    for _ in range(900):
        session.advance()
    u = session.world.units
    slots = u.slots(units)
    assert (np.hypot(u.x[slots] - 20.5, u.y[slots] - 20.5) < 7.0).all()


def test_a_squad_cut_down_to_two_still_acts() -> None:
    session = Session(LEVEL, 1, recording=False)
    squad = _squad(session, "take", (20.5, 20.5))
    world, u = session.world, session.world.units
    for _ in range(40):
        session.advance()
    for unit in squad.members[:4]:
        u.alive[u.slot(unit)] = 0
        u.moving[u.slot(unit)] = 0
    for _ in range(1000):
        session.advance()
    alive = u.slots([i for i in squad.members if u.alive[u.slot(i)]])
    assert len(alive) == 2 and (np.hypot(u.x[alive] - 20.5, u.y[alive] - 20.5) < 7.0).all()
    assert squad.task is None and squad.rests and not world.set_aside


def test_bad_input_is_refused_in_one_line() -> None:
    session = Session(LEVEL, 1, recording=False)
    for name, units in (("dance", _ids(session.world, 0)), ("take", (99,)), ("take", ())):
        session.give(Order(int(OrderKind.SQUAD), 0, units, 5.0, 5.0, name=name))
        session.advance()
        refused = [e.text for e in session.world.events if e.kind == "refused"]
        assert not session.world.squads.rows
        assert not units or (len(refused) == 1 and "\n" not in refused[0])


def test_a_squad_is_saved_and_goes_on_the_same() -> None:
    """The restored world has the same hash after the same ticks."""
    session = Session(LEVEL, 1, recording=False)
    _squad(session, "fight", (44.5, 16.5))
    for _ in range(30):
        session.advance()
    again = Session(LEVEL, 1, recording=False, world=restore_world(session.world.snapshot()))
    for _ in range(120):
        session.advance()
        again.advance()
    assert session.world.hash() == again.world.hash()
