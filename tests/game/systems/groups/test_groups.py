"""Movement groups in the world: forming up, marching, choke points, losses and snapshots."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from ai.formation.formation_shapes import Shape, form, place
from ai.formation.group_entity import G_X, G_Y, T_PLACED, GroupState
from ai.grid.terrain import Terrain
from ai.paths.groups.group_paths import GroupPaths
from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.sim.stages.fight_stage import kill
from game.systems.groups.formation_preview import preview
from game.world.orders import Order, OrderKind, order_from_json
from game.world.world import restore_world
from tests.game.sim.small_levels import load, write

OPEN = "\n".join(["." * 48] * 24)
GATE = "\n".join(["." * 22 + ("." if row in (11, 12) else "#") + "." * 25 for row in range(24)])


def session_with(folder: Path, text: str = OPEN, count: int = 9) -> Session:
    builder = LevelBuilder.from_letters(text, title="Field")
    for i in range(count):
        builder.add("spawn", 6.5 + i % 3 * 1.1, 10.5 + i // 3 * 1.1, side="raiders", kind="raider", group=1)
    return Session(load(write(folder, builder)), recording=False)


def told(session: Session, name: str, text: str = "", value: float = 0.0, units: tuple[int, ...] | None = None) -> None:
    ids = units if units is not None else tuple(range(session.world.units.count))
    session.give(Order(int(OrderKind.FORMATION), 0, ids, name=name, text=text, value=value))


def sent(session: Session, x: float, y: float, **more: object) -> None:
    ids = tuple(range(session.world.units.count))
    session.give(Order(int(OrderKind.MOVE), 0, ids, x, y, **more))  # type: ignore[arg-type]


def run(session: Session, ticks: int) -> None:
    for _ in range(ticks):
        session.advance()


def misfit(session: Session, shape: Shape, spacing: float, facing: float) -> float:
    """Return the distance of the worst unit from the shape, in tiles.

    The shape is placed at the units' mean position; the function does not read the groups.
    """
    u = session.world.units
    living = u.living()
    here = np.column_stack([u.x[living], u.y[living]])
    table = form(shape, len(living), spacing)
    ideal = place(table, 0.0, 0.0, facing)[:, :2]
    ideal += here.mean(axis=0) - ideal.mean(axis=0)
    away = np.hypot(*(here[:, None] - ideal[None]).transpose(2, 0, 1))
    rows, columns = linear_sum_assignment(away)
    return float(away[rows, columns].max())


def test_a_line_forms_up_marches_and_stands_at_the_ordered_place_and_facing(tmp_path: Path) -> None:
    session = session_with(tmp_path)
    told(session, "shape", "line")
    sent(session, 34.5, 12.5, facing=math.pi / 2)
    run(session, 120)
    on_the_march = misfit(session, Shape.LINE, 1.2, session.world.groups.heading(0))
    assert session.world.groups.state(0) == GroupState.MARCHING and on_the_march < 0.4
    run(session, 300)
    u = session.world.units
    assert misfit(session, Shape.LINE, 1.2, math.pi / 2) < 0.25
    assert abs(float(u.x[:9].mean()) - 34.5) < 0.3 and abs(float(u.y[:9].mean()) - 12.5) < 0.3
    assert (u.moving[:9] == 0).all() and (u.order[:9] == OrderKind.NONE).all()
    assert np.allclose(u.facing[:9], math.pi / 2, atol=0.1)


def test_one_order_to_a_group_is_one_path_query(tmp_path: Path) -> None:
    session = session_with(tmp_path, GATE)
    told(session, "shape", "column")
    sent(session, 40.5, 4.5)
    run(session, 3)
    assert session.world.group_paths.asked == 1
    statistics = session.world.paths.statistics
    assert statistics.requested == 0
    assert statistics.instant_revolutions_per_tick_max == session.world.group_paths.revolutions > 0


def test_a_group_waits_until_its_path_is_found(tmp_path: Path) -> None:
    """Search a group path with so small a budget that it takes many ticks.

    A world restored from a snapshot during the search ends with the same hash.
    """
    wall = "\n".join(["." * 22 + ("." if row in (1, 2) else "#") + "." * 25 for row in range(24)])
    session = session_with(tmp_path, wall)
    world = session.world
    world.settings.formation.budget = 60
    told(session, "shape", "line")
    sent(session, 40.25, 18.25)
    waited = 0
    while waited == 0 or world.groups.rows[0].awaits >= 0:
        run(session, 1)
        path = world.groups.rows[0].path
        assert path is not None
        tiles = np.floor(path.points).astype(int)
        assert world.terrain.passable[tiles[:, 1], tiles[:, 0]].all()
        assert world.groups.state(0) == GroupState.FORMING and float(world.units.x[:9].max()) < 14.0
        assert world.paths.statistics.groups_this_tick <= 60
        waited += 1
        if waited == 8:
            ab_run = Session(session.level, recording=False)
            ab_run.world = restore_world(world.snapshot())
    assert 10 < waited < 60
    assert path.points[:, 1].min() < 3.0 and np.allclose(path.points[-1], (40.25, 18.25)), (
        "the path ends at the ordered point"
    )
    run(session, 90)
    run(ab_run, 82 + waited)
    assert world.tick == ab_run.world.tick and world.hash() == ab_run.world.hash()
    assert world.groups.state(0) == GroupState.MARCHING and float(world.units.y[:9].mean()) < 9.0


def forty_about_a_wall(tmp_path: Path) -> Session:
    """Return a session with forty units round a wall, ordered to one side."""
    wall = "\n".join(["." * 22 + ("." if row in (4, 5) else "#") + "." * 25 for row in range(24)])
    builder = LevelBuilder.from_letters(wall, title="Field")
    for i in range(40):
        builder.add(
            "spawn", 4.5 + i % 8 * 1.5 + (26 if i % 2 else 0), 12.5 + i // 8 * 1.5, side="raiders", kind="raider"
        )
    session = Session(load(write(tmp_path, builder)), recording=False)
    told(session, "shape", "box")
    sent(session, 12.5, 18.5, facing=0.0)
    return session


def test_shared_fields_are_made_although_group_paths_take_the_whole_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def greedy(paths: GroupPaths, terrain: Terrain, budget: int, *rest: object) -> list:
        paths.spent = max(paths.spent, budget)
        return []

    monkeypatch.setattr(GroupPaths, "serve", greedy)
    session = forty_about_a_wall(tmp_path)
    run(session, 12)
    (field,) = session.world.groups.fields.fields
    assert field.moves is not None


def test_many_units_that_form_up_behind_a_wall_share_one_field(tmp_path: Path) -> None:
    """Count the path requests: without the field each unit would need its own."""
    session = forty_about_a_wall(tmp_path)
    run(session, 12)
    ab_run = Session(session.level, recording=False)
    ab_run.world = restore_world(session.world.snapshot())
    run(session, 240)
    run(ab_run, 240)
    assert ab_run.world.hash() == session.world.hash()
    assert session.world.groups.fields.asked >= 1 and session.world.paths.statistics.requested < 15
    assert misfit(session, Shape.BOX, 1.2, 0.0) < 0.4


def test_slots_never_move_faster_than_the_members_can_run(tmp_path: Path) -> None:
    session = session_with(tmp_path)
    told(session, "shape", "line")
    sent(session, 30.5, 12.5, facing=-math.pi / 2)
    u, slots, fastest = session.world.units, None, []
    for _ in range(420):
        session.advance()
        groups = session.world.groups
        now = np.column_stack([u.slot_x[:9], u.slot_y[:9]])
        going = groups.rows and groups.state(0) in (GroupState.MARCHING, GroupState.SETTLING)
        if (
            slots is not None
            and going
            and not groups.tag[0, T_PLACED]
            and session.world.tick - groups.rows[0].since > 2
        ):
            fastest.append(float(np.hypot(*(now - slots).T).max()) / 0.05)
        slots = now
    assert len(fastest) > 150 and 3.0 < max(fastest) < 4.0, "a raider runs four tiles a second"


def test_a_line_thins_out_at_a_gate_and_forms_again_behind_it(tmp_path: Path) -> None:
    session = session_with(tmp_path, GATE)
    told(session, "shape", "line")
    sent(session, 40.5, 12.0, facing=0.0)
    narrow = False
    for _ in range(420):
        session.advance()
        narrow |= bool(session.world.groups.rows[0].aimed)
    assert narrow and misfit(session, Shape.LINE, 1.2, 0.0) < 0.3
    assert float(session.world.units.x[:9].min()) > 24.0


def test_members_die_one_by_one_and_the_rest_close_up(tmp_path: Path) -> None:
    session = session_with(tmp_path)
    told(session, "shape", "wedge")
    sent(session, 34.5, 12.5, facing=0.0)
    for victim in range(8):
        run(session, 25)
        kill(session.world, session.world.units.slot(victim))
        living = 9 - victim - 1
        run(session, 1)
        assert len(session.world.groups.rows[0].members) == living
    run(session, 200)
    kill(session.world, session.world.units.slot(8))
    run(session, 2)
    assert not session.world.groups.rows and (session.world.units.band[:9] == -1).all()
    told(session, "shape", "box")
    sent(session, 5.5, 5.5)
    run(session, 2)


def test_slots_close_up_to_the_shape_of_the_survivors(tmp_path: Path) -> None:
    session = session_with(tmp_path)
    told(session, "shape", "line")
    sent(session, 30.5, 12.5, facing=0.0)
    run(session, 330)
    for victim in (2, 5):
        kill(session.world, session.world.units.slot(victim))
    run(session, 120)
    assert misfit(session, Shape.LINE, 1.2, 0.0) < 0.3


def test_slots_in_walls_are_projected_to_free_ground_of_the_same_component(tmp_path: Path) -> None:
    text = "\n".join(["." * 30 + "#" * 12 + "." * 6] * 24)
    session = session_with(tmp_path, text, 16)
    told(session, "shape", "box")
    sent(session, 29.5, 12.5, facing=0.0)
    run(session, 420)
    u = session.world.units
    assert (u.moving[:16] == 0).all() and u.x[:16].max() < 30.0
    gaps = [math.hypot(u.x[a] - u.x[b], u.y[a] - u.y[b]) for a, b in itertools.combinations(range(16), 2)]
    assert min(gaps) > 0.55


def test_a_group_survives_save_and_restore_in_the_middle_of_a_choke(tmp_path: Path) -> None:
    session = session_with(tmp_path, GATE)
    told(session, "shape", "line")
    sent(session, 40.5, 12.0)
    run(session, 110)
    ab_run = Session(session.level, recording=False)
    ab_run.world = restore_world(session.world.snapshot())
    for _ in range(60):
        session.advance()
        ab_run.advance()
    assert ab_run.world.hash() == session.world.hash()


def test_halves_split_and_merge_again(tmp_path: Path) -> None:
    session = session_with(tmp_path, count=8)
    told(session, "shape", "line")
    run(session, 2)
    told(session, "split")
    run(session, 120)
    groups = session.world.groups
    assert sorted(len(g.members) for g in groups.rows.values()) == [4, 4]
    told(session, "merge")
    run(session, 150)
    assert [len(g.members) for g in groups.rows.values()] == [8]
    assert misfit(session, Shape.LINE, 1.2, groups.heading(next(iter(groups.rows)))) < 0.3


def test_the_present_arrangement_is_kept(tmp_path: Path) -> None:
    session = session_with(tmp_path)
    u = session.world.units
    before = np.column_stack([u.x[:9], u.y[:9]])
    told(session, "shape", "keep")
    sent(session, 34.5, 16.5)
    run(session, 360)
    after = np.column_stack([u.x[:9], u.y[:9]])
    assert (u.moving[:9] == 0).all()
    assert np.abs((after - after.mean(axis=0)) - (before - before.mean(axis=0))).max() < 0.3


@pytest.mark.parametrize("rally", ["ahead", "start", "destination"])
def test_with_each_rally_the_group_ends_in_its_shape(tmp_path: Path, rally: str) -> None:
    session = session_with(tmp_path)
    told(session, "shape", "wedge")
    told(session, "rally", rally)
    sent(session, 30.5, 8.5, facing=0.0)
    run(session, 380)
    assert misfit(session, Shape.WEDGE, 1.2, 0.0) < 0.3


def test_an_order_for_a_formation_goes_through_a_recording() -> None:
    order = Order(int(OrderKind.MOVE), 0, (1, 2), 3.0, 4.0, facing=1.25)
    assert order_from_json(order.to_json()) == order
    drill = Order(int(OrderKind.FORMATION), 0, (1, 2), name="shape", text="wedge")
    assert order_from_json(drill.to_json()) == drill


@pytest.mark.parametrize(("name", "text"), [("shape", "banana"), ("rally", "nowhere"), ("hat", "")])
def test_an_unknown_drill_is_refused_with_a_message(tmp_path: Path, name: str, text: str) -> None:
    session = session_with(tmp_path)
    told(session, name, text)
    session.advance()
    assert [e.text for e in session.world.events if e.kind == "refused"]


def test_a_member_with_another_order_leaves_and_the_others_go_on(tmp_path: Path) -> None:
    session = session_with(tmp_path)
    told(session, "shape", "line")
    sent(session, 34.5, 12.5)
    run(session, 60)
    session.give(Order(int(OrderKind.STOP), 0, (4,)))
    run(session, 2)
    u = session.world.units
    assert u.band[4] == -1 and len(session.world.groups.rows[0].members) == 8
    run(session, 300)
    assert np.allclose(session.world.groups.num[0, [G_X, G_Y]], (34.5, 12.5), atol=0.1)


def test_a_formation_bound_for_a_crowd_stands_beside_it(tmp_path: Path) -> None:
    builder = LevelBuilder.from_letters(OPEN, title="Field")
    for i in range(9):
        builder.add("spawn", 6.5 + i % 3 * 1.1, 10.5 + i // 3 * 1.1, side="raiders", kind="raider")
    for i in range(9):
        builder.add("spawn", 33.5 + i % 3 * 0.8, 11.5 + i // 3 * 0.8, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, builder)), recording=False)
    told(session, "shape", "box", units=tuple(range(9)))
    session.give(Order(int(OrderKind.MOVE), 0, tuple(range(9)), 34.5, 12.5))
    run(session, 420)
    u = session.world.units
    assert (u.moving[:18] == 0).all()
    gaps = [math.hypot(u.x[a] - u.x[b], u.y[a] - u.y[b]) for a, b in itertools.combinations(range(18), 2)]
    assert min(gaps) > 0.54


@pytest.mark.parametrize(("x", "kind"), [(34.5, "raider"), (20.5, "carter")], ids=["onto others", "onto free ground"])
def test_the_preview_of_a_formation_equals_its_final_slots(tmp_path: Path, x: float, kind: str) -> None:
    """Preview a box onto other units and for bodies broader than the spacing."""
    builder = LevelBuilder.from_letters(OPEN, title="Field")
    for i in range(9):
        builder.add("spawn", 6.5 + i % 3 * 1.1, 10.5 + i // 3 * 1.1, side="raiders", kind=kind)
    for i in range(9):
        builder.add("spawn", 33.5 + i % 3 * 1.1, 11.4 + i // 3 * 1.1, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, builder)), recording=False)
    mine = tuple(range(9))
    told(session, "shape", "box", units=mine)
    told(session, "spacing", value=0.7, units=mine)
    session.advance()
    ghosts = preview(session.world, mine, x, 12.5, 0.0).slots
    session.give(Order(int(OrderKind.MOVE), 0, mine, x, 12.5, facing=0.0))
    run(session, 520)
    u = session.world.units
    ends = np.column_stack([u.slot_x[:9], u.slot_y[:9]])
    assert (u.moving[:9] == 0).all()
    assert sorted(map(tuple, ghosts[:, :2].round(6))) == sorted(map(tuple, ends.round(6)))
    taken = np.column_stack([u.x[9:18], u.y[9:18]])
    assert np.hypot(*(ghosts[:, None, :2] - taken[None]).transpose(2, 0, 1)).min() > 0.6


def test_two_units_abreast_pass_a_third_in_single_file_and_walk_abreast_again(tmp_path: Path) -> None:
    """Meet in a corridor three tiles wide without a touch of bodies."""
    corridor = "\n".join(["#" * 48] * 9 + ["." * 48] * 3 + ["#" * 48] * 8)
    builder = LevelBuilder.from_letters(corridor, title="Corridor")
    for x, y in ((4.5, 10.0), (4.5, 11.2), (40.5, 10.6)):
        builder.add("spawn", x, y, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, builder)), recording=False)
    told(session, "shape", "line", units=(0, 1))
    session.give(Order(int(OrderKind.MOVE), 0, (0, 1), 38.5, 10.5, facing=0.0))
    run(session, 30)
    session.give(Order(int(OrderKind.MOVE), 0, (2,), 4.5, 10.5))
    u, nearest, abreast = session.world.units, 9.9, []
    for _ in range(150):
        session.advance()
        gap = min(math.hypot(u.x[2] - u.x[k], u.y[2] - u.y[k]) for k in (0, 1))
        abreast.append(abs(float(u.y[0] - u.y[1])))
        if gap < nearest:
            nearest, passing = gap, len(abreast) - 1
    assert nearest > 0.6 and abreast[passing] < 0.5, "the pair walks in file when it meets the third unit"
    assert abreast[0] > 1.0 and abreast[-1] > 1.0


def test_two_files_that_meet_on_a_road_keep_to_their_right(tmp_path: Path) -> None:
    builder = LevelBuilder.from_letters(OPEN, title="Field")
    for i in range(5):
        builder.add("spawn", 10.5 - i * 1.2, 12.5, side="raiders", kind="raider")
        builder.add("spawn", 36.5 + i * 1.2, 12.5, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, builder)), recording=False)
    for units, x in (((0, 2, 4, 6, 8), 40.5), ((1, 3, 5, 7, 9), 6.5)):
        told(session, "shape", "column", units=units)
        session.give(Order(int(OrderKind.MOVE), 0, units, x, 12.5))
    u, nearest = session.world.units, 9.9
    for _ in range(220):
        session.advance()
        gaps = np.hypot(u.x[:10:2, None] - u.x[None, 1:10:2], u.y[:10:2, None] - u.y[None, 1:10:2])
        if gaps.min() < nearest:
            nearest, side = float(gaps.min()), float(u.y[:10:2].mean() - u.y[1:10:2].mean())
    assert nearest > 0.7 and side > 0.7, "the column to the east passes south of the other"
