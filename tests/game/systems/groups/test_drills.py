"""Drills of groups: ranks, common speed, fights in formation, patrols and bridges."""

import math
from pathlib import Path

import numpy as np
import pytest

from ai.formation.group_entity import G_HEADING, GroupState
from game.checks.headless import begin, go_on
from game.checks.scripts.script import load_script
from game.level.level_writer import LEVELS, LevelBuilder
from game.minds.agent_view import AgentView
from game.sim.session import Session
from game.systems.groups.march import fight_in_formation
from game.world.orders import Order, OrderKind
from game.world.units import Stance
from tests.game.sim.small_levels import load, write
from tests.game.systems.groups.test_groups import OPEN, run, sent, session_with, told


def test_a_line_in_two_ranks_stands_in_two_ranks(tmp_path: Path) -> None:
    session = session_with(tmp_path, count=10)
    told(session, "shape", "line")
    told(session, "ranks", value=2)
    sent(session, 26.5, 12.5, facing=0.0)
    run(session, 320)
    x = np.sort(session.world.units.x[:10])
    assert np.ptp(x[:5]) < 0.3 and np.ptp(x[5:]) < 0.3 and x[5:].mean() - x[:5].mean() == pytest.approx(1.2, abs=0.2)


@pytest.mark.parametrize("slowest", [True, False])
def test_with_slowest_the_group_keeps_the_speed_of_its_slowest_member(tmp_path: Path, slowest: bool) -> None:
    session = session_with(tmp_path)
    u = session.world.units
    u.stance[4] = Stance.CROUCH
    told(session, "shape", "line")
    told(session, "slowest", value=float(slowest))
    sent(session, 40.5, 12.5, facing=0.0)
    run(session, 70)
    speeds = np.hypot(u.vx[:9], u.vy[:9])
    assert session.world.groups.state(0) == GroupState.MARCHING
    if slowest:
        assert speeds.max() < 1.2 * 1.25 and np.ptp(speeds) < 0.25, "all units have the speed of the slowest"
    else:
        assert speeds.max() > 2.5 and float(u.x[4]) < float(np.delete(u.x[:9], 4).mean()) - 1.0


def test_a_group_that_fights_in_formation_wheels_to_an_enemy_on_its_flank(tmp_path: Path) -> None:
    builder = LevelBuilder.from_letters(OPEN, title="Field")
    for i in range(9):
        builder.add("spawn", 6.5 + i % 3 * 1.1, 16.5 + i // 3 * 1.1, side="raiders", kind="raider")
    builder.add("spawn", 22.5, 12.2, side="guards", kind="guard", facing=270.0)
    session = Session(load(write(tmp_path, builder)), recording=False)
    told(session, "shape", "line", units=tuple(range(9)))
    told(session, "spacing", value=0.8, units=tuple(range(9)))
    told(session, "together", value=1.0, units=tuple(range(9)))
    session.give(Order(int(OrderKind.ATTACK_MOVE), 0, tuple(range(9)), 42.5, 18.5, facing=0.0))
    groups, halted = session.world.groups, False
    for _ in range(200):
        session.advance()
        if groups.rows and groups.state(0) == GroupState.FIGHTING:
            halted = True
            break
    assert halted
    x, y = (float(session.world.units.x[:9].mean()), float(session.world.units.y[:9].mean()))
    towards = math.atan2(12.2 - y, 22.5 - x)
    off = math.remainder(float(groups.num[0, G_HEADING]) - towards, math.tau)
    assert abs(math.remainder(towards, math.tau)) > math.radians(60.0) and abs(off) < 0.35, "the group faces the enemy"
    slots = np.column_stack([session.world.units.slot_r[:9], session.world.units.slot_f[:9]])
    assert np.ptp(slots[:, 0]) > 6.0 and np.ptp(slots[:, 1]) < 0.1, "the group is still a line"


def test_the_volley_fails_when_members_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break the expectation ``volley`` of the regression level ``formation_fight``.

    The group still halts, but each member fires as soon as it sees the enemy.
    The unchanged game keeps the expectation, see tests/game/test_regression_levels.py.
    """
    level = LEVELS / "regression/formation/formation_fight.tmx"
    script = load_script(level.with_suffix(".toml"))
    script = script.model_copy(update={"expect": [row for row in script.expect if row.kind == "volley"]})
    monkeypatch.setattr(fight_in_formation, "SHARE", 0.0)
    monkeypatch.setattr(AgentView, "may_join_in", property(lambda self: True))
    said = go_on(begin(level, script=script, recording=False), 155).failures()
    assert len(said) == 1 and "of 4 fired within 3 ticks of the halt" in said[0]


def five_and_a_guard(folder: Path, x: float, y: float, facing: float) -> Session:
    """Return a session with five raiders, units 0 to 4, and guard 5."""
    builder = LevelBuilder.from_letters(OPEN, title="Field")
    for i in range(5):
        builder.add("spawn", 6.5, 9.5 + i, side="raiders", kind="raider")
    builder.add("spawn", x, y, side="guards", kind="guard", facing=facing)
    return Session(load(write(folder, builder)), recording=False)


def test_a_group_that_meets_an_enemy_while_settling_fights_and_settles_afterwards(tmp_path: Path) -> None:
    session = five_and_a_guard(tmp_path, 46.5, 22.5, 0.0)
    units, u, groups = tuple(range(5)), session.world.units, session.world.groups
    told(session, "shape", "line", units=units)
    told(session, "together", value=1.0, units=units)
    session.give(Order(int(OrderKind.ATTACK_MOVE), 0, units, 10.5, 11.5, facing=math.pi / 2))
    states = []
    for _ in range(360):
        session.advance()
        states.append(groups.state(0) if groups.rows else GroupState.STANDING)
        if states[-1] == GroupState.SETTLING and GroupState.FIGHTING not in states:
            # The guard comes up near the group.
            u.x[5], u.y[5], u.hp[5] = u.x[:5].mean() + 5.0, u.y[:5].mean() + 1.0, 1
    assert "halts with its group to fight" in [entry.decided for entry in session.world.trace.last(0, 50, ["decision"])]
    at = states.index(GroupState.FIGHTING)
    assert states[at - 1] == GroupState.SETTLING and not u.alive[5]
    assert states[-1] == GroupState.STANDING and not u.moving[:5].any() and (u.order[:5] == OrderKind.NONE).all()


def test_a_group_that_is_hit_on_the_march_halts_and_fires(tmp_path: Path) -> None:
    """Hit a marching group that fights in formation.

    Under a plain move units do not fire at sight, but such a group fires when it is hit.
    """
    session = five_and_a_guard(tmp_path, 22.5, 11.5, 180.0)
    units, u = tuple(range(5)), session.world.units
    told(session, "shape", "line", units=units)
    told(session, "together", value=1.0, units=units)
    session.give(Order(int(OrderKind.MOVE), 0, units, 42.5, 11.5))
    struck, halted, shots = 0, 0, dict[int, int]()
    while session.world.tick < 150 and u.alive[5]:
        session.advance()
        tick = session.world.tick
        for event in session.world.events:
            if event.kind == "shot" and event.unit < 5:
                shots.setdefault(event.unit, tick)
            struck = tick if event.kind == "shot" and event.unit == 5 and event.text == "hit" and not struck else struck
            halted = tick if event.kind == "halted" and not halted else halted
    assert struck > 0 and halted == struck + 1
    assert len(shots) >= 3 and halted < min(shots.values()) and max(shots.values()) <= halted + 5


def test_a_formation_on_patrol_stays_one_and_turns_about_at_both_ends(tmp_path: Path) -> None:
    session = session_with(tmp_path, count=6)
    told(session, "shape", "column")
    session.give(Order(int(OrderKind.PATROL), 0, tuple(range(6)), 18.5, 11.5))
    u, ends, spread = session.world.units, list[float](), 0.0
    x0 = float(u.x[:6].mean())
    for _ in range(440):
        session.advance()
        assert len(session.world.groups.rows) == 1 and (u.band[:6] >= 0).all()
        spread = max(spread, float(np.ptp(u.x[:6])))
        here = float(u.x[:6].mean())
        at = 18.5 if abs(here - 18.5) < 1.0 else x0 if abs(here - x0) < 1.0 and ends else None
        if at is not None and (not ends or ends[-1] != at):
            ends.append(at)
    assert ends[:3] == [18.5, x0, 18.5] and spread < 9.0
    told(session, "shape", "loose")
    run(session, 120)
    assert (u.order[:6] == OrderKind.PATROL).all(), "each unit goes on alone"


def test_a_counted_number_of_units_forms_up_in_a_tick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("game.systems.groups.formation_orders.A_TICK", 4)
    session = session_with(tmp_path)
    for first in (0, 3, 6):
        told(session, "shape", "line", units=(first, first + 1, first + 2))
    formed = []
    for _ in range(3):
        session.advance()
        formed.append(len(session.world.groups.rows))
    assert formed == [1, 2, 3]


def test_a_refused_order_is_not_confirmed_and_dissolves_no_company(tmp_path: Path) -> None:
    session = session_with(tmp_path, count=6)
    told(session, "shape", "line", units=(0, 1, 2))
    told(session, "shape", "line", units=(3, 4, 5))
    run(session, 3)
    told(session, "company")
    run(session, 3)
    before = len(session.world.groups.companies)
    told(session, "shape", "pyramid")
    session.advance()
    assert [event.kind for event in session.world.events if event.kind in ("order", "refused")] == ["refused"]
    assert before and len(session.world.groups.companies) == before


@pytest.mark.parametrize("wide", [1, 2])
def test_columns_that_meet_on_a_bridge_both_get_across(tmp_path: Path, wide: int) -> None:
    rows = ["." * 14 + ("B" if 8 <= row < 8 + wide else "~") * 16 + "." * 14 for row in range(18)]
    builder = LevelBuilder.from_letters("\n".join(rows), title="Bridge")
    for i in range(6):
        builder.add("spawn", 10.5 - i * 1.1, 8.5, side="raiders", kind="raider")
        builder.add("spawn", 33.5 + i * 1.1, 8.5, side="raiders", kind="raider")
    session = Session(load(write(tmp_path, builder)), recording=False)
    for units, x in ((tuple(range(0, 12, 2)), 38.5), (tuple(range(1, 12, 2)), 5.5)):
        told(session, "shape", "column", units=units)
        session.give(Order(int(OrderKind.MOVE), 0, units, x, 8.5))
    run(session, 330 if wide == 2 else 520)
    u = session.world.units
    assert (u.x[0:12:2] > 30.0).all() and (u.x[1:12:2] < 14.0).all() and (u.moving[:12] == 0).all()
