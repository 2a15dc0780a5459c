"""Plans of squads: the world stays, and the squad does what the plan showed."""

from pathlib import Path

import numpy as np
import pytest

from ai.squad.manoeuvres.manoeuvre import MemberTask
from game.level.reading import load_level
from game.minds.squad.squad_plan import SquadPlan, bent_intent, plan_order
from game.sim.session import Session
from game.world.groups.squads import Squad
from game.world.orders import Order, OrderKind
from game.world.world import restore_world

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "squads" / "two_squads.tmx")


@pytest.fixture(scope="module")
def first() -> Session:
    """Return the level before its first tick; tests play copies of it."""
    return Session(LEVEL, 1, recording=False)


@pytest.fixture
def session(first: Session) -> Session:
    """Return a copy of the level before its first tick."""
    return Session(LEVEL, 1, recording=False, world=restore_world(first.world.snapshot()))


def _units(session: Session, side: int = 0) -> tuple[int, ...]:
    u = session.world.units
    return tuple(int(i) for i in u.id[u.living(side)])


def _accepted(session: Session, plan: SquadPlan, at: tuple[float, float], bend: tuple[float, ...] = ()) -> Squad:
    """Order what the plan is for, and advance until the squad has briefed it."""
    session.give(Order(int(OrderKind.SQUAD), 0, plan.members, *at, name=plan.intent, points=bend))
    for _ in range(8):
        session.advance()
        for squad in session.world.squads.rows.values():
            if squad.task is not None:
                return squad
    raise AssertionError("no squad has begun")


@pytest.mark.parametrize("intent", ["take", "flank_left", "hold", "charge"])
def test_the_world_stays_and_the_squad_does_what_the_plan_shows(session: Session, intent: str) -> None:
    """The briefed task of the squad equals that of the plan."""
    before = session.world.hash()
    plan = plan_order(session.world, 0, _units(session), intent, (40.5, 15.5))
    assert session.world.hash() == before and not session.world.squads.rows
    assert plan.refused == "" and plan.task is not None
    squad = _accepted(session, plan, (40.5, 15.5))
    assert squad.task is not None and squad.task.kind == plan.kind
    assert (squad.task.x, squad.task.y) == plan.goal
    for column in ("team", "task", "goal", "spots", "route"):
        assert np.array_equal(getattr(squad.task, column), getattr(plan.task, column)), column
    drawn: dict[int, list[list[float]]] = {row: [] for row in range(len(plan.members))}
    for leg in plan.legs:
        drawn[leg.row].append(leg.path[-1].tolist())
    while squad.task is not None and session.world.tick < 60:
        for row in np.flatnonzero(squad.task.task != MemberTask.COVER).tolist():
            assert squad.task.goal[row].tolist() in drawn[row]
        session.advance()


def test_a_bend_is_carried_out_and_names_its_side(session: Session) -> None:
    units, at = _units(session), (40.5, 15.5)
    left = plan_order(session.world, 0, units, "flank_left", at)
    assert left.bends and left.task is not None
    bend = (22.5, 8.5)
    assert np.hypot(*(left.task.route - bend).T).min() > 5.0, "the bend must change the route"
    assert bent_intent(left, bend) == "flank_left"
    assert bent_intent(left, (22.5, 22.5)) == "flank_right"
    plan = plan_order(session.world, 0, units, "flank_left", at, bend)
    assert plan.refused == "" and plan.task is not None and plan.kind == left.kind
    squad = _accepted(session, plan, at, bend)
    assert squad.task is not None and np.array_equal(squad.task.route, plan.task.route)
    assert np.hypot(*(squad.task.route - bend).T).min() < 3.0


def test_a_squad_that_cannot_comply_names_the_condition(session: Session) -> None:
    units = _units(session)
    one = plan_order(session.world, 0, units[:1], "flank_left", (40.5, 15.5))
    assert one.refused == "a flank needs two" and one.task is None and not one.legs
    house = plan_order(session.world, 0, units, "clear", (4.5, 4.5))
    assert house.refused == "no room is meant" and ("clear_room", "no room is meant") in house.fails
    near = plan_order(session.world, 0, units, "take", (40.5, 15.5))
    assert dict(near.fails)["suppress_and_flank"] == "an enemy is known"
    with pytest.raises(KeyError):
        plan_order(session.world, 0, units, "dance", (40.5, 15.5))
