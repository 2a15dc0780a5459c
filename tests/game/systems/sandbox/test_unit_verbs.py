"""Debug verbs on units: each keeps its contract, and a replay has them too."""

from dataclasses import fields

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.replay import open_replay, save_replay
from game.sim.saves import load_game, save_game
from game.sim.session import Session
from game.systems.sandbox.unit_verbs import BY_MINDS, VERBS
from game.world.orders import Order, OrderKind
from game.world.units import LabMark
from tests.game.sim.small_levels import FIELD, write

ANN, BERO, GUS, HAL = range(4)


def verb(name: str, *units: int, value: float = 1.0, x: float = 0.0, y: float = 0.0, text: str = "") -> Order:
    return Order(int(OrderKind.VERB), units=units, name=name, value=value, x=x, y=y, text=text)


@pytest.fixture
def session(tmp_path):
    """Make a level in which Gus looks at Ann, eight tiles away.

    Bero and Hal stand far off.
    """
    b = LevelBuilder.from_letters(FIELD)
    b.add("spawn", 8.5, 7.5, name="Ann")
    b.add("spawn", 1.5, 1.5, name="Bero")
    b.add("spawn", 16.5, 7.5, side="guards", name="Gus", facing=180.0)
    b.add("spawn", 22.5, 12.5, side="guards", name="Hal", facing=0.0)
    return Session(load_level(write(tmp_path, b)))


def run(session: Session, ticks: int, *orders: Order) -> list[tuple[str, int, str]]:
    """Give orders, run, and return all events as (kind, unit, text)."""
    for order in orders:
        session.give(order)
    told = []
    for _ in range(ticks):
        session.advance()
        told += [(e.kind, e.unit, e.text) for e in session.world.events]
    return told


def test_a_blind_guard_sees_nothing_but_hears_and_a_deaf_one_the_other_way_round(session):
    u = session.world.units
    told = run(session, 45, verb("blind", GUS, HAL), Order(int(OrderKind.MOVE), 0, (ANN,), 14.5, 7.5))
    assert u.meter[GUS] == 0 and u.meter_target[GUS] == -1, "Ann ran up to its face"
    assert session.world.sight.visible_mask(1).sum() <= 2, "its side sees the tiles of its own feet"
    assert [row for row in told if row[:2] == ("heard", GUS)]
    deaf = run(session, 45, verb("deafen", GUS), Order(int(OrderKind.MOVE), 0, (ANN,), 8.5, 7.5))
    assert not [row for row in deaf if row[:2] == ("heard", GUS)], "she ran away from it"
    run(session, 1, verb("possess", GUS), verb("teleport", ANN, x=14.5, y=7.5))
    told = run(session, 40, verb("blind", GUS, value=0), Order(int(OrderKind.FACE), 1, (GUS,), 8.5, 7.5))
    assert ("identified", GUS, "") in told, "with its eyes back it notices her"


def test_an_invisible_unit_is_not_noticed_and_a_visible_one_beside_it_is(session):
    u = session.world.units
    run(session, 60, verb("invisible", ANN))
    assert u.meter[GUS] == 0
    run(session, 40, verb("teleport", BERO, x=8.5, y=9.5))
    assert (int(u.x[BERO]), int(u.y[BERO])) == (8, 9) and u.meter_target[GUS] == BERO
    run(session, 30, verb("delete", BERO), verb("invisible", ANN, value=0))
    assert u.meter_target[GUS] == ANN


def test_a_frozen_unit_neither_moves_nor_decides_and_goes_on_when_it_thaws(session):
    u, trace = session.world.units, session.world.trace
    run(session, 6, verb("invisible", ANN, BERO), Order(int(OrderKind.MOVE), 0, (BERO,), 6.5, 1.5))
    assert u.moving[BERO]
    at = (u.x[BERO], u.y[BERO])
    run(session, 1, verb("freeze", BERO, GUS, HAL))
    at = (u.x[BERO], u.y[BERO])
    decided = [len(trace.last(unit, 99)) for unit in (BERO, GUS, HAL)]
    told = run(session, 40, Order(int(OrderKind.MOVE), 0, (BERO,), 1.5, 8.5), verb("invisible", ANN, value=0))
    assert (u.x[BERO], u.y[BERO]) == at and u.meter[GUS] == 0
    assert any(kind == "refused" and "Bero is frozen" in text for kind, _, text in told)
    assert [len(trace.last(unit, 99)) for unit in (BERO, GUS, HAL)] == decided, "no frozen mind decided anything"
    run(session, 1, verb("freeze", BERO, GUS, HAL, value=0), verb("possess", GUS))
    told = run(session, 70, Order(int(OrderKind.FACE), 1, (GUS,), 8.5, 7.5))
    assert np.hypot(u.x[BERO] - 6.5, u.y[BERO] - 1.5) < 0.5, "it walks on to the place it was ordered to"
    assert ("identified", GUS, "") in told


def test_a_copy_equals_its_original_and_wounds_heal(session):
    u = session.world.units
    u.hp[HAL] -= 1
    run(session, 2, verb("duplicate", HAL))
    assert u.count == 5
    own = {"id", "x", "y", "prev_x", "prev_y", "goal_x", "goal_y", "event", "timer", "head", "facing", "turn_to"}
    own |= {"prev_facing", "gait", "cadence", "action_start", "ordered_x", "ordered_y"}
    for f in fields(u):
        if "dtype" in f.metadata and f.name not in own:
            assert getattr(u, f.name)[4] == getattr(u, f.name)[HAL], f.name
    assert 0.5 < np.hypot(u.x[4] - u.x[HAL], u.y[4] - u.y[HAL]) < 2
    run(session, 1, verb("heal", HAL))
    assert u.hp[HAL] == u.hp_max[HAL] and u.hp[4] < u.hp_max[4]


def test_the_killed_leave_a_body_that_alarms_and_the_deleted_leave_none(session):
    u = session.world.units
    run(session, 1, verb("invisible", ANN, BERO), verb("teleport", HAL, x=12.5, y=7.5))
    told = run(session, 60, verb("delete", HAL))
    assert not u.alive[HAL] and not [row for row in told if row[0] in ("alarm", "found")]
    run(session, 1, verb("duplicate", GUS))
    run(session, 1, verb("teleport", 4, x=12.5, y=7.5))
    told = run(session, 60, verb("kill", 4))
    assert ("found", GUS, "a body") in told


def test_an_invulnerable_unit_is_hit_and_not_hurt_until_the_mark_is_taken_away(session):
    u = session.world.units
    told = run(session, 200, verb("invulnerable", ANN), verb("possess", ANN), verb("teleport", ANN, x=12.5, y=7.5))
    hits = [row for row in told if row[0] == "shot" and row[2] == "hit"]
    assert hits and u.hp[ANN] == u.hp_max[ANN] and u.alive[ANN]
    told = run(session, 200, verb("invulnerable", ANN, value=0))
    assert ("killed", ANN, "") in told


def test_a_guard_with_a_set_target_goes_to_fight_it_and_a_soldier_is_ordered_to(session):
    world, u = session.world, session.world.units
    run(session, 1, verb("possess", GUS), verb("teleport", GUS, x=1.5, y=13.5))
    far = np.hypot(u.x[HAL] - u.x[ANN], u.y[HAL] - u.y[ANN])
    run(session, 80, verb("target", HAL, x=8.3, y=7.9))
    assert world.minds[HAL].skill in ("fight", "search")
    assert np.hypot(u.x[HAL] - u.x[ANN], u.y[HAL] - u.y[ANN]) < far - 3.0, "it looked east, and comes to the west"
    told = run(session, 1, verb("target", HAL, x=22.5, y=1.5))
    assert any("no enemy of it stands" in text for _, _, text in told)
    run(session, 1, verb("invisible", HAL), verb("target", BERO, x=float(u.x[HAL]), y=float(u.y[HAL])))
    run(session, 1)
    assert u.order[BERO] == OrderKind.ATTACK and u.order_target[BERO] == HAL, "a unit that obeys gets the order"


def test_a_turncoat_is_its_comrades_enemy(session):
    u = session.world.units
    run(session, 1, verb("invisible", ANN, BERO), verb("possess", GUS, HAL), verb("teleport", HAL, x=12.5, y=7.5))
    run(session, 30)
    assert u.meter[GUS] == 0
    told = run(session, 40, verb("side", HAL, value=2))
    assert u.side[HAL] == 2 and ("identified", GUS, "") in told and ("identified", HAL, "") in told


def test_a_possessed_guard_only_obeys_and_a_forced_skill_runs(session):
    world, u = session.world, session.world.units
    told = run(session, 60, verb("possess", GUS))
    assert ("identified", GUS, "") in told and not [row for row in told if row[0] in ("shot", "alarm")]
    assert world.minds[GUS].skill == "stand", "it sees Ann and does nothing"
    run(session, 80, Order(int(OrderKind.MOVE), 1, (GUS,), 16.5, 2.5))
    assert np.hypot(u.x[GUS] - 16.5, u.y[GUS] - 2.5) < 0.6
    told = run(session, 1, verb("state", GUS, text="search"))
    assert any("no skills of its own" in text for _, _, text in told)
    told = run(session, 2, verb("state", HAL, text="investigate"), verb("state", ANN, text="dance"))
    assert world.minds[HAL].skill == "investigate"
    assert any("no skill 'dance'; it has" in text for _, _, text in told)
    run(session, 2, verb("invisible", ANN), verb("possess", GUS, value=0))
    assert world.minds[GUS].skill == "round", "on its own again it has its routine"


def test_patrol_points_make_a_route_for_guards_and_a_beat_for_soldiers(session):
    world, u = session.world, session.world.units
    run(session, 1, verb("invisible", ANN, BERO))
    run(session, 1, verb("patrol", HAL, x=22.5, y=9.5))
    run(session, 1, verb("patrol", HAL, x=18.5, y=9.5), verb("patrol", BERO, x=4.5, y=1.5))
    assert world.route(world.routes_of[HAL]).points == ((22.5, 12.5), (22.5, 9.5), (18.5, 9.5))
    run(session, 3)
    assert u.order[BERO] == OrderKind.PATROL
    nearest = {(22.5, 9.5): 9.0, (18.5, 9.5): 9.0}
    for _ in range(160):
        session.advance()
        for (x, y), least in nearest.items():
            nearest[x, y] = min(least, np.hypot(u.x[HAL] - x, u.y[HAL] - y))
    assert max(nearest.values()) < 1, "it walks past both points"


def test_verbs_are_recorded_saved_and_refused_in_one_line(session, tmp_path):
    orders = [
        Order(int(OrderKind.SPAWN), name="soldier", value=2.0, x=12.5, y=2.5, points=(6.0,)),
        verb("freeze", GUS), verb("deafen", HAL), verb("duplicate", ANN), verb("side", BERO, value=-1),
        verb("state", HAL, text="search"), verb("patrol", HAL, x=18.5, y=9.5), verb("possess", HAL),
        verb("blind", HAL), verb("invisible", ANN), verb("heal", BERO), verb("teleport", BERO, x=3.5, y=3.5),
        verb("target", HAL, x=8.5, y=7.5), verb("kill", 5), verb("forget", 6), verb("invulnerable", 7),
        verb("delete", 8),
    ]  # fmt: skip
    assert {order.name for order in orders} >= {*VERBS, *BY_MINDS}, "every verb is recorded"
    for order in orders:
        run(session, 4, order)
    assert session.world.units.count == 11 and session.world.units.side[BERO] == 1
    save_game(session, tmp_path / "a.save")
    run(session, 20)
    save_replay(session, tmp_path / "a.json")
    replay, again = open_replay(tmp_path / "a.json")
    while again.world.tick < replay.ticks:
        again.advance()
    assert again.world.hash() == session.world.hash()
    loaded = load_game(tmp_path / "a.save")
    run(loaded, 20)
    assert loaded.world.hash() == session.world.hash()
    bad = [verb("explode", GUS), verb("heal"), verb("heal", 77), verb("teleport", ANN, x=-5.0, y=2.0)]
    bad += [verb("side", ANN, value=9), Order(int(OrderKind.SPAWN), name="soldier", points=(9999.0,))]
    before = session.world.units.lab.copy()
    told = run(session, 1, *bad)
    texts = [text for kind, _, text in told if kind == "refused"]
    assert len(texts) == len(bad) and not any("\n" in text for text in texts)
    assert "use one of freeze" in texts[0] and np.array_equal(session.world.units.lab, before)
    assert {v.mark for v in VERBS.values() if v.mark is not None} | {LabMark.WALKED} == set(LabMark)


@pytest.mark.parametrize("name", [n for n, row in VERBS.items() if row.mark is not None])
def test_a_mark_is_set_on_living_units_of_the_order_alone_and_taken_away_again(session, name):
    """Ids that no unit has, or that a dead unit has, change nothing."""
    u, bit = session.world.units, int(VERBS[name].mark)
    run(session, 1, verb("kill", HAL))
    before = u.lab[: u.count].copy()
    run(session, 1, verb(name, -1, BERO, GUS, GUS, HAL, u.next_id, u.next_id + 5))
    changed = [(int(a) ^ int(b)) & bit for a, b in zip(before, u.lab[: u.count], strict=True)]
    assert changed == [0, bit, bit, 0]
    run(session, 1, verb(name, BERO, value=0))
    assert not u.lab[BERO] & bit and u.lab[GUS] & bit
    told = run(session, 1, verb(name, HAL, u.next_id))
    assert [text for kind, _, text in told if kind == "refused"] == [f"{name}: none of its units lives"]
