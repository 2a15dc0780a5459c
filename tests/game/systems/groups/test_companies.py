"""Companies, groups of groups: each squad keeps its own shape.

Each level sees the level above as it was a tick ago.
"""

import itertools
from pathlib import Path

import numpy as np
import pytest

from ai.formation.formation_shapes import Shape
from ai.formation.group_entity import G_ALONG, G_LIMIT, G_SPEED, T_STATE, GroupState
from game.checks.shape_misfit import misfit
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.sim.stages.fight_stage import kill
from game.systems.groups.companies import join_groups, send_companies
from game.world.orders import Order, OrderKind
from game.world.world import restore_world
from tests.game.sim.small_levels import load, write

FIELD = "\n".join(["." * 90] * 20)
SQUADS = ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11))
SHAPES = (Shape.WEDGE, Shape.LINE, Shape.BOX)


def session_of(folder: Path) -> Session:
    """Return a session with three squads of four, each standing in its own formation."""
    builder = LevelBuilder.from_letters(FIELD, title="Field")
    for squad, y in zip(SQUADS, (5.5, 10.5, 15.5), strict=True):
        for unit in squad:
            builder.add("spawn", 18.5 + unit % 2 * 1.1, y + unit // 2 % 2, side="raiders", kind="raider")
    session = Session(load(write(folder, builder)), recording=False)
    for squad, shape in zip(SQUADS, SHAPES, strict=True):
        told(session, squad, "shape", shape.name.lower())
        run(session, 2)
    run(session, 60)
    return session


def told(session: Session, units: tuple[int, ...], name: str, text: str = "") -> None:
    session.give(Order(int(OrderKind.FORMATION), 0, units, name=name, text=text))


def run(session: Session, ticks: int) -> None:
    for _ in range(ticks):
        session.advance()


def nested(session: Session) -> None:
    """Join two squads into a company and that company with the third; march."""
    told(session, SQUADS[0] + SQUADS[1], "company")
    run(session, 1)
    told(session, tuple(range(12)), "company")
    session.give(Order(int(OrderKind.MOVE), 0, tuple(range(12)), 80.5, 10.5))


def rows(session: Session) -> dict[str, int]:
    """Return the group rows by name.

    They are the top company, the inner company, a squad of the inner one and the squad of the top one.
    """
    groups, u = session.world.groups, session.world.units
    inner, top = groups.companies
    return {"top": top.row, "inner": inner.row, "deep": int(u.band[0]), "squad": int(u.band[8])}


def test_squads_keep_their_shapes_in_a_company_and_one_path_query_serves_all(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    asked = session.world.group_paths.asked
    nested(session)
    run(session, 140)
    u, groups = session.world.units, session.world.groups
    assert session.world.group_paths.asked == asked + 1
    along = [groups.num[u.band[squad[0]], G_ALONG] for squad in SQUADS]
    assert all(abs(a - b) > 2.0 for a, b in itertools.combinations(along, 2)), "one behind the other"
    for squad, shape in zip(SQUADS, SHAPES, strict=True):
        slots, row = np.array(squad), int(u.band[squad[0]])
        assert groups.state(row) == GroupState.MARCHING
        assert misfit(u.x[slots], u.y[slots], shape, 1.2, groups.heading(row)).max() < 0.45
        assert groups.num[row, G_SPEED] <= groups.num[row, G_LIMIT] + 1e-9
    run(session, 480)
    assert (u.moving[:12] == 0).all() and (u.order[:12] == OrderKind.NONE).all()
    assert all(company.row == -1 for company in groups.companies), "the entity is gone, the company is kept"
    assert len(groups.companies) == 2 and abs(float(u.x[:12].max()) - 80.5) < 2.5


def test_a_company_waits_while_its_path_search_takes_many_ticks(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    world = session.world
    world.settings.formation.budget = 40
    world.terrain.edit(0, 50, 17, 51, passable=0)
    asked = world.group_paths.asked
    nested(session)
    run(session, 4)
    groups = world.groups
    assert all(groups.rows[int(world.units.band[squad[0]])].awaits >= 0 for squad in SQUADS)
    while not groups.tag[:, T_STATE].any() or (groups.tag[:, T_STATE] <= GroupState.FORMING).all():
        assert float(world.units.x[:12].max()) < 30.0, "no unit sets out before there is a path"
        run(session, 1)
    run(session, 160)
    assert world.group_paths.asked == asked + 1
    along = [groups.num[world.units.band[squad[0]], G_ALONG] for squad in SQUADS]
    assert all(abs(a - b) > 2.0 for a, b in itertools.combinations(along, 2)), "one behind the other"
    assert all(company.row >= 0 for company in groups.companies), "both companies march"


def test_a_change_of_the_top_company_reaches_depth_d_after_d_ticks(tmp_path: Path) -> None:
    """Stop the top company and compare speeds with those of an unchanged world."""
    session = session_of(tmp_path)
    nested(session)
    run(session, 150)
    ab_run = Session(session.level, recording=False)
    ab_run.world = restore_world(session.world.snapshot())
    level = {"top": 0, "inner": 1, "squad": 1, "deep": 2}
    at, first = rows(session), dict.fromkeys(level, -1)
    ab_run.world.groups.num[at["top"], G_SPEED] = 0.0
    for tick in range(5):
        for name, row in at.items():
            one, two = session.world.groups.num[row], ab_run.world.groups.num[row]
            if first[name] < 0 and one[G_SPEED] != two[G_SPEED]:
                first[name] = tick
        run(session, 1)
        run(ab_run, 1)
    assert first == level


def test_a_company_survives_losses_and_a_snapshot(tmp_path: Path) -> None:
    session = session_of(tmp_path)
    nested(session)
    run(session, 120)
    for unit in (0, 4, 5, 6, 7):
        kill(session.world, session.world.units.slot(unit))
        run(session, 7)
    ab_run = Session(session.level, recording=False)
    ab_run.world = restore_world(session.world.snapshot())
    for each in (session, ab_run):
        each.give(Order(int(OrderKind.MOVE), 0, (8,), 30.5, 3.5))
        run(each, 60)
    assert ab_run.world.hash() == session.world.hash()
    groups, u = session.world.groups, session.world.units
    assert all(groups.state(int(u.band[unit])) == GroupState.MARCHING for unit in (1, 9))
    told(session, (1,), "split")
    run(session, 5)
    assert not groups.companies and not any(
        tag[T_STATE] and row not in groups.rows for row, tag in enumerate(groups.tag)
    )


@pytest.mark.parametrize("units", [(0,), (0, 1, 2, 3)])
def test_one_group_is_no_company(tmp_path: Path, units: tuple[int, ...]) -> None:
    session = session_of(tmp_path)
    told(session, units, "company")
    run(session, 1)
    assert not session.world.groups.companies


def test_an_order_reaches_a_company_only_if_it_names_all_its_living_units(tmp_path: Path) -> None:
    """The other units are left to orders of their own."""
    session = session_of(tmp_path)
    world, u = session.world, session.world.units
    order = Order(int(OrderKind.MOVE), 0, tuple(range(12)), 80.5, 10.5)
    some = u.slots([8, 2, 5])
    assert send_companies(world, some, order).tolist() == some.tolist(), "there is no company yet"
    join_groups(world, u.slots(SQUADS[0] + SQUADS[1]))
    assert [c.id for c in world.groups.companies] == [0]
    assert set(world.groups.companies[0].squads) == {SQUADS[0], SQUADS[1]}
    kill(world, u.slot(3))
    for named in ((0, 1, 2, 4, 5, 6), (8, 9), (0, 8)):
        left = send_companies(world, u.slots(named), order)
        assert u.id[left].tolist() == list(named) and world.groups.companies[0].row < 0, "not all of it is named"
    world.settings.formation.companies = False
    assert u.id[send_companies(world, u.slots(range(12)), order)].tolist() == list(range(12))
    world.settings.formation.companies = True
    living = [unit for unit in range(12) if unit != 3]
    left = send_companies(world, u.slots(living), order)
    assert u.id[left].tolist() == list(SQUADS[2]) and world.groups.companies[0].row >= 0
    join_groups(world, u.slots(living))
    inner, outer = world.groups.companies
    assert (inner.id, inner.over, outer.id, outer.over, outer.squads) == (0, 1, 1, -1, (SQUADS[2],))
    assert send_companies(world, u.slots(living), order).tolist() == [], "both levels are sent"
    join_groups(world, u.slots([0, 1, 2]))
    assert [c.squads for c in world.groups.companies] == [], "one of its groups alone dissolves it and is no company"
