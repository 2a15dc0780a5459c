"""Acts in play: layers, tells, time-outs, glances, and one end an order."""

import math
from pathlib import Path

import pytest

from ai.animation.tracks.act_deadlines import ActDeadlines
from ai.animation.tracks.act_kinds import REPORTS, START_OF, ActStage, Reason, Status
from ai.animation.tracks.track_controller import END_HANDLE, END_KIND, END_STATUS, END_TICK, HANDLE, STAGE
from ai.core.serialization import restore
from game.sim.stages.fight_stage import HIT_TICKS
from game.systems.body.acts import DOOR_WAIT, begin_act, is_doing, order_act
from game.systems.interaction.bodies import kill
from game.world.orders import OrderKind
from game.world.rules.act_table import SHOWN, WORDS
from game.world.units import Act
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


def runner(folder: Path, **settings: object) -> Play:
    builder = yard()
    raider(builder, 3.5, 4.5, kind="thrower")
    play = Play(folder, builder, **settings)
    play.order("Ann", OrderKind.MOVE, x=26.5, y=4.5)
    return play.run(30)


@pytest.mark.parametrize(("layers", "least", "most"), [(True, 0.9, 1.1), (False, 0.0, 0.3)])
def test_a_hit_stops_the_legs_only_without_layers(tmp_path: Path, layers: bool, least: float, most: float) -> None:
    """Compare ten ticks of a walk under a hit with ten undisturbed ones."""
    play = runner(tmp_path, body__layers=layers)
    x, slot = play.world.units.x, play.slot("Ann")
    before = float(x[slot])
    play.run(10)
    free = float(x[slot]) - before
    begin_act(play.world, slot, Act.HIT, HIT_TICKS)
    before = float(x[slot])
    play.run(10)
    assert least <= (float(x[slot]) - before) / free <= most


def test_a_shot_and_a_hit_share_a_body_and_a_death_takes_it_whole(tmp_path: Path) -> None:
    play = runner(tmp_path)
    world, slot = play.world, play.slot("Ann")
    shot = begin_act(world, slot, Act.SHOOT, 8)
    lifts = begin_act(world, slot, Act.LIFT, 30)
    assert world.acts.status(shot).status == Status.INTERRUPTED  # both hands are needed
    shot, hit = begin_act(world, slot, Act.SHOOT, 8), begin_act(world, slot, Act.HIT, 10)
    assert world.acts.status(lifts).status == Status.INTERRUPTED
    assert world.acts.status(shot).status == world.acts.status(hit).status == Status.RUNNING
    assert world.units.action[slot] == Act.HIT
    kill(world, slot)
    play.run(40)
    assert begin_act(world, slot, Act.HIT, 10) == -1 and world.units.action[slot] == Act.DIE


def test_a_unit_looks_left_while_it_walks(tmp_path: Path) -> None:
    play = runner(tmp_path)
    u, slot = play.world.units, play.slot("Ann")
    order_act(play.world, slot, Act.LOOK, 10, value=float(u.facing[slot]) - math.pi / 2)
    before = float(u.x[slot])
    play.run(5)
    assert is_doing(play.world, slot, Act.LOOK) and u.x[slot] - before > 0.3
    assert math.remainder(float(u.head[slot] - u.facing[slot]), math.tau) == pytest.approx(-math.pi / 2, abs=0.05)
    play.run(8)
    assert not is_doing(play.world, slot, Act.LOOK)


def test_each_throw_has_one_tell_in_time_and_a_hit_cancels_it(tmp_path: Path) -> None:
    play = runner(tmp_path)
    world, slot = play.world, play.slot("Ann")
    play.order("Ann", OrderKind.THROW, x=12.5, y=8.5)
    play.run_until("thrown", "Ann", 80)
    tells, thrown = play.happened("tell", "Ann"), play.happened("thrown", "Ann")
    assert [e.text for e in tells] == ["throw"] and len(thrown) == 1
    assert thrown[0].tick - tells[0].tick >= 5
    play.order("Ann", OrderKind.THROW, x=12.5, y=8.5)
    for _ in range(40):
        play.run()
        if world.units.action[slot] == Act.THROW:
            break
    begin_act(world, slot, Act.HIT, HIT_TICKS)
    play.run(4)
    assert [e.text for e in play.happened("interrupted", "Ann")] == ["throw: another act took its place"]
    assert len(play.happened("thrown", "Ann")) == 1
    play.run(60)  # the mind tries again, with a second tell of its own
    assert len(play.happened("tell", "Ann")) == 3 and len(play.happened("thrown", "Ann")) == 2
    for _ in range(2):
        play.order("Ann", OrderKind.THROW, x=12.5, y=8.5)
        play.run(3)
    begun = play.happened("tell", "Ann")[-1].tick
    assert world.units.action_start[slot] == begun == world.tick - 5, "the second order merges, and the arm goes on"
    assert len(play.happened("tell", "Ann")) == 4


def test_an_act_that_the_world_refuses_says_so(tmp_path: Path) -> None:
    """Refuse a takedown of a victim that has gone."""
    builder = yard()
    raider(builder, 4.5, 4.5, kind="quiet_hand")
    guard(builder, 6.0, 4.5, facing=0.0, asleep=True)
    play = Play(tmp_path, builder)
    u, ann, odo = play.world.units, play.slot("Ann"), play.slot("Odo")
    play.order("Ann", OrderKind.TAKE_DOWN, target=play.unit("Odo"))
    for _ in range(60):
        play.run()
        if u.action[ann] == Act.TAKE_DOWN:
            break
    u.x[odo] = u.prev_x[odo] = 26.5
    play.run(20)
    ends = play.world.acts.recent_ends(0)
    found = [tuple(e[END_STATUS:END_TICK].tolist()) for e in ends if e[END_KIND] == Act.TAKE_DOWN]
    assert found == [(Status.FAILED, Reason.REFUSED)] and u.alive[odo]


@pytest.mark.parametrize(("time_outs", "gives_up"), [(True, True), (False, False)])
def test_a_use_that_never_works_ends_in_time_with_a_shrug(tmp_path: Path, time_outs: bool, gives_up: bool) -> None:
    """Let a friend stand in the open door that Ann is to shut."""
    builder = yard(ROOMS)
    raider(builder, 11.5, 4.5)
    raider(builder, 13.5, 4.5, name="Bero")
    builder.add("door", 13.0, 4.0, width=1.0, height=1.0, name="gate", open=True)
    play = Play(tmp_path, builder, body__time_outs=time_outs)
    play.order("Bero", OrderKind.HOLD)
    play.order("Ann", OrderKind.USE, target=play.world.door("gate").id)
    play.run_until("gave_up", "Ann", 2 * (play.world.settings.rules.use_ticks + DOOR_WAIT) + 40)
    assert bool(play.happened("gave_up", "Ann")) == gives_up
    assert bool(play.happened("interrupted", "Ann")) == gives_up
    assert is_doing(play.world, play.slot("Ann"), Act.SHRUG) == gives_up


def test_in_a_fight_every_order_ends_once_and_no_mind_is_named(tmp_path: Path) -> None:
    builder = yard()
    for k in range(4):
        raider(builder, 4.5, 3.5 + 2 * k, name=f"R{k}")
        guard(builder, 14.5, 3.5 + 2 * k, name=f"G{k}", facing=math.pi)
    play = Play(tmp_path, builder)
    world, ends = play.world, list[int]()
    for k in range(4):
        play.order(f"R{k}", OrderKind.ATTACK_MOVE, x=14.5, y=3.5 + 2 * k)
    for _ in range(220):
        play.run()
        ends += world.acts.recent_ends(world.tick)[:, END_HANDLE].tolist()
    rows = world.acts.rows[: world.acts.count]
    flying = rows[rows[:, STAGE] < ActStage.STOP, HANDLE].tolist()
    assert world.acts.given > 60 and sorted(ends + flying) == list(range(world.acts.given))
    assert play.happened("killed") and not play.happened("order_spam")


def test_a_mind_that_wavers_is_named_once_a_second(tmp_path: Path) -> None:
    """Two acts in turn every second tick: the fourth alternation is the sixth order."""
    play = runner(tmp_path)
    named = []
    for n in range(20):
        order_act(play.world, play.slot("Ann"), (Act.LOOK, Act.SHRUG)[n % 2], 10)
        named += [(n, e.text) for e in play.world.events if e.kind == "order_spam"]
        play.run(2)
    assert named[0] == (5, "4 alternations of two orders within 20 ticks") and [n for n, _ in named] == [5, 15]


def test_acts_are_in_the_hash_and_in_a_snapshot(tmp_path: Path) -> None:
    play = runner(tmp_path)
    world = play.world
    handle = begin_act(world, play.slot("Ann"), Act.LIFT, 30, target=5)
    before, copy = world.hash(), restore(world.snapshot())
    world.acts.rows[0, STAGE] += 1
    assert world.hash() != before
    assert copy.hash() == before and copy.acts.status(handle).status == Status.RUNNING


def test_an_act_of_any_kind_is_ordered_shown_told_and_watched_by_its_row(tmp_path: Path) -> None:
    """A use may wait 35 ticks for a unit in the door."""
    acts = [act for act in Act if act not in (Act.NONE, Act.DIE)]
    builder = yard()
    for k in range(len(acts)):
        raider(builder, 2.5 + k, 2.5 + k % 5, f"A{k}")
    play = Play(tmp_path, builder).run(2)
    world, u, watched, told = play.world, play.world.units, set(), set()
    for k, what in enumerate(acts):
        slot, unit = play.slot(f"A{k}"), play.unit(f"A{k}")
        wind_up, reports = int(world.act_rows[what, START_OF]), bool(world.acts.kinds[what, REPORTS])
        before, world.events[:] = int(u.action[slot]), []
        u.head[slot] = 0.0
        handle = begin_act(world, slot, what, 20 + k, target=3, value=0.5)
        running = Status.PENDING if wind_up else Status.RUNNING
        assert handle >= 0 and world.acts.status(handle).status == running
        if what in SHOWN:
            assert (u.action[slot], u.action_start[slot]) == (what, world.tick)
            assert u.action_length[slot] == world.acts.length_of(handle) >= 20 + k
        else:
            assert u.action[slot] == before
        assert (what == Act.LOOK) == (u.head[slot] == 0.5)
        tells = [(e.unit, e.text) for e in world.events if e.kind == "tell"]
        assert tells == ([(unit, WORDS[what])] if wind_up else [])
        told |= {what} if tells else set()
        expected = ActDeadlines()
        expected.watch(unit, int(what), 3, world.tick, 20 + k + (35 if what == Act.USE else 0))
        rows = world.deadlines.rows[world.deadlines.rows[:, 5] < 0]
        if reports:
            watched.add(what)
            assert rows.tolist() == expected.rows.tolist()
        world.deadlines.finish(unit)
    assert told and Act.USE in watched and len(watched) > 2
    kill(world, slot)
    assert begin_act(world, slot, Act.WHISTLE, 10) == -1
