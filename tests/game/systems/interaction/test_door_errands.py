"""Doors as goals: one unit operates the near winch and all pass the gate."""

from pathlib import Path

import numpy as np
import pytest

from ai.decision.goal_queue import GoalKind
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.sim.stages.fight_stage import kill
from game.world.orders import Order, OrderKind
from game.world.world import restore_world
from tests.game.sim.small_levels import load, write

WALL = "\n".join(["." * 16 + "#" + "." * 15] * 12)


def walled(folder: Path, near: bool = True, far: bool = True, hands: str = "nobody") -> Session:
    level = LevelBuilder.from_letters(WALL, title="Wall")
    level.add("door", 16, 5, 1, 2, name="gate", kind="gate", opens_for=hands)
    if far:
        level.add("prop", 24.5, 2.5, name="decoy", kind="winch", door="gate")
    if near:
        level.add("prop", 6.5, 9.5, name="near", kind="winch", door="gate")
    for i in range(4):
        level.add("spawn", 3.5 + i % 2, 4.5 + i // 2, side="raiders", kind="raider")
    return Session(load(write(folder, level)), recording=False)


def send(session: Session, **more: object) -> None:
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1, 2, 3), 28.5, 5.5, **more))  # type: ignore[arg-type]


def run(session: Session, ticks: int) -> list[tuple[str, int, int]]:
    seen = []
    for _ in range(ticks):
        session.advance()
        seen += [(e.kind, e.unit, e.other) for e in session.world.events if e.kind == "errand"]
    return seen


@pytest.mark.parametrize("formation", ["", "column"])
def test_one_unit_operates_the_winch_on_its_side_and_all_go_through(tmp_path: Path, formation: str) -> None:
    session = walled(tmp_path)
    if formation:
        session.give(Order(int(OrderKind.FORMATION), 0, (0, 1, 2, 3), name="shape", text=formation))
    send(session)
    errands = run(session, 500)
    winch = session.world.prop("near")
    assert winch is not None and [thing for _, _, thing in errands] == [winch.id]
    u = session.world.units
    assert session.world.door("gate").open and (u.x[:4] > 17.0).all() and (u.moving[:4] == 0).all()  # type: ignore[union-attr]
    assert not session.world.door_errands and not session.world.queues


def test_the_goals_of_a_door_errand_are_winch_gate_and_destination(tmp_path: Path) -> None:
    """Compare the goals: winch, tile before the gate, gate and destination.

    No goals are added later.
    """
    session = walled(tmp_path)
    send(session)
    run(session, 3)
    (errand,) = session.world.door_errands
    goals = errand.goals.goals[::-1]
    kinds = [GoalKind(goal.kind) for goal in goals]
    assert kinds == [GoalKind.WORK, GoalKind.REACH, GoalKind.FOLLOW, GoalKind.PASS_DOOR, GoalKind.REACH]
    width = session.world.terrain.width
    assert [goals[k].node % width for k in (1, 3, 4)] == [15, 17, 28] and goals[1].node // width in (5, 6)
    made = errand.goals.made
    seen = set()
    while session.world.door_errands and session.world.tick < 500:
        session.advance()
        seen |= {goal.kind for goal in errand.goals.goals[-1:]}
    assert errand.goals.made == made == 5 and {GoalKind.WORK, GoalKind.FOLLOW} <= seen


def test_the_search_through_doors_keeps_to_the_budget_of_each_tick(tmp_path: Path) -> None:
    session = walled(tmp_path)
    world = session.world
    world.settings.formation.budget = 8
    send(session)
    looked_for = []
    for _ in range(12):
        session.advance()
        looked_for += [errand.search.revolutions for errand in world.door_errands if errand.search is not None]
        if world.tick == 2:
            other = Session(session.level, recording=False)
            other.world = restore_world(world.snapshot())
    assert len(looked_for) > 1 and (np.diff([0, *looked_for]) <= 8).all(), (
        "at most eight revolutions a tick, over several ticks"
    )
    run(session, 400)
    run(other, 410)
    assert world.door("gate").open and (world.units.x[:4] > 17.0).all()  # type: ignore[union-attr]
    assert other.world.hash() == world.hash(), "an open search survives a snapshot"


def test_a_winch_on_the_far_side_alone_starts_no_errand(tmp_path: Path) -> None:
    session = walled(tmp_path, near=False)
    send(session)
    assert run(session, 300) == []
    assert (session.world.units.x[:4] < 16.0).all() and (session.world.units.moving[:4] == 0).all()


def test_a_door_that_hands_may_open_is_its_own_switch(tmp_path: Path) -> None:
    session = walled(tmp_path, near=False, far=False, hands="all")
    send(session)
    gate = session.world.door("gate")
    assert gate is not None
    errands = run(session, 500)
    assert [thing for _, _, thing in errands] == [gate.id] and (session.world.units.x[:4] > 17.0).all()


def test_it_can_be_switched_off_and_the_dead_go_nowhere(tmp_path: Path) -> None:
    session = walled(tmp_path)
    session.world.settings.rules.open_doors = False
    send(session)
    assert run(session, 60) == [] and not session.world.door("gate").open  # type: ignore[union-attr]
    session = walled(tmp_path)
    for slot in range(3):
        kill(session.world, slot)
    lain = session.world.units.x[:3].copy()
    send(session)
    assert [unit for _, unit, _ in run(session, 60)] == [3], "the one that lives operates the winch"
    assert (session.world.units.x[:3] == lain).all()


def test_a_unit_with_another_order_leaves_the_errand(tmp_path: Path) -> None:
    session = walled(tmp_path)
    send(session)
    ((_, porter, _),) = run(session, 5)
    other = next(i for i in range(4) if i != porter)
    session.give(Order(int(OrderKind.MOVE), 0, (other,), 12.5, 2.5))
    session.give(Order(int(OrderKind.HOLD), 0, (other,), queued=False))
    run(session, 500)
    assert session.world.units.x[other] < 16.0


def test_another_unit_takes_over_when_the_operator_falls(tmp_path: Path) -> None:
    session = walled(tmp_path)
    send(session)
    ((_, porter, winch),) = run(session, 5)
    kill(session.world, session.world.units.slot(porter))
    errands = run(session, 500)
    assert len(errands) == 1 and errands[0][1] != porter and errands[0][2] == winch
    rest = [i for i in range(4) if i != porter]
    assert (session.world.units.x[rest] > 17.0).all() and not session.world.door_errands


def test_the_path_behind_a_gate_is_planned_when_the_gate_is_reached(tmp_path: Path) -> None:
    """Pass two walls with a gate and a winch each.

    The errand plans the second gate when the first one is open.
    """
    text = "\n".join(["." * 12 + "#" + "." * 11 + "#" + "." * 8] * 12)
    level = LevelBuilder.from_letters(text, title="Walls")
    for x, name in ((12, "first"), (24, "second")):
        level.add("door", x, 5, 1, 2, name=name, kind="gate", opens_for="nobody")
        level.add("prop", x - 4.5, 9.5, name=f"{name} winch", kind="winch", door=name)
    for i in range(3):
        level.add("spawn", 3.5, 4.5 + i, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, level)), recording=False)
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1, 2), 29.5, 5.5))
    session.advance()
    (errand,) = session.world.door_errands
    kinds = [GoalKind(goal.kind).name for goal in errand.goals.goals]
    assert kinds == ["REACH", "PASS_DOOR", "FOLLOW", "REACH", "WORK"] and errand.doors == 1
    while errand.doors == 1:
        session.advance()
        assert session.world.tick < 400
    assert session.world.door("first").open and float(session.world.units.x[:3].max()) > 11.0  # type: ignore[union-attr]
    run(session, 400)
    assert (session.world.units.x[:3] > 25.0).all() and not session.world.door_errands
