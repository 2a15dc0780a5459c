"""Actions of raiders: take down, drag, hide, use doors and throw.

Oracle: two runs that differ in one condition.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from game.view.input.command_table import BY_NAME
from game.view.input.order_input import Click, Under, cursor_for, make_order, meant
from game.view.input.player_command import Command, Situation
from game.world.orders import Order, OrderKind
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


def test_a_take_down_works_from_behind_and_not_from_the_front(tmp_path: Path) -> None:
    for facing, works in ((0.0, True), (180.0, False)):
        builder = yard()
        guard(builder, 12.5, 7.5, facing=facing)
        raider(builder, 8.5, 7.5)
        play = Play(tmp_path, builder).run()
        play.order("Ann", OrderKind.STANCE, value=1.0)
        play.order("Ann", OrderKind.TAKE_DOWN, target=play.unit("Odo"))
        play.run(120)
        assert bool(play.happened("taken_down", "Odo")) == works
        if works:
            assert not play.happened("alarm")


@pytest.mark.parametrize("before", [0, 250])
def test_a_take_down_of_an_unseen_guard_is_given_up_after_the_time_of_an_attack(tmp_path: Path, before: int) -> None:
    """Give the order with and without an attack given up before."""
    builder = yard(ROOMS)
    raider(builder, 3.5, 2.5)
    guard(builder, 20.5, 7.5, facing=0.0)
    play = Play(tmp_path, builder).run(2)
    if before:
        play.order("Ann", OrderKind.ATTACK, target=play.unit("Odo"))
        play.run(before)
        assert len(play.happened("gave_up", "Ann")) == 1
    play.order("Ann", OrderKind.TAKE_DOWN, target=play.unit("Odo"))
    play.run(90)
    told = int(before > 0)
    assert len(play.happened("gave_up", "Ann")) == told, "the guard may come into sight yet"
    play.run(25)
    assert [e.text for e in play.happened("gave_up", "Ann")][told:] == ["no unit sees guard 1 any more"]


def test_a_hidden_body_is_not_found(tmp_path: Path) -> None:
    for hide in (True, False):
        builder = yard()
        guard(builder, 12.5, 7.5, facing=0.0)
        guard(builder, 24.5, 2.5, "Udo", facing=0.0, route="late")
        builder.add("route", name="late", points=((24.5, 2.5), (24.5, 9.5), (12.5, 9.5)), wait=4.5)
        raider(builder, 8.5, 7.5)
        builder.add("prop", 8.5, 3.5, kind="bush", name="bush")
        play = Play(tmp_path, builder).run()
        play.order("Ann", OrderKind.STANCE, value=1.0)
        play.order("Ann", OrderKind.TAKE_DOWN, target=play.unit("Odo"))
        play.run(95)
        assert play.happened("taken_down", "Odo")
        if hide:
            play.order("Ann", OrderKind.DRAG, target=play.unit("Odo"))
            play.order("Ann", OrderKind.HIDE, target=play.world.prop("bush").id, queued=True)
            play.run(190)
            assert play.happened("hidden", "Ann")
        play.order("Ann", OrderKind.STANCE, value=0.0)
        play.order("Ann", OrderKind.MOVE, x=1.5, y=1.5)
        play.run_until("alarm", "Udo", 450 - play.world.tick)
        assert bool(play.happened("found", "Udo")) != hide
        assert bool(play.happened("alarm", "Udo")) != hide


def test_an_open_door_is_investigated_by_one_guard(tmp_path: Path) -> None:
    builder = yard(ROOMS)
    builder.add("door", 13, 4, 1, 1, name="door")
    guard(builder, 20.5, 4.5, facing=180.0)
    guard(builder, 20.5, 6.5, "Udo", facing=180.0)
    raider(builder, 12.5, 5.5)
    play = Play(tmp_path, builder, minds__mends=False).run()
    play.order("Ann", OrderKind.USE, target=play.world.door("door").id)
    play.order("Ann", OrderKind.MOVE, x=2.5, y=1.5, queued=True)
    play.run(200)
    assert play.world.door("door").open
    assert len(play.happened("found")) == 1, "the first guard that sees the door claims it"


def test_a_unit_without_a_stone_reports_it_and_every_raider_can_whistle(tmp_path: Path) -> None:
    builder = yard()
    raider(builder, 4.5, 4.5, kind="crawler")
    guard(builder, 20.5, 4.5)
    play = Play(tmp_path, builder).run()
    play.order("Ann", OrderKind.THROW, x=8.5, y=4.5)
    play.run(10)
    assert [e.text for e in play.happened("gave_up", "Ann")] == ["it has no stone"]
    play.order("Ann", OrderKind.WHISTLE)
    play.run(30)
    assert play.happened("whistled", "Ann")


def order_of(under: Under, armed: Command | None, situation: Situation) -> Order | None:
    """Return the order of a click on ``under``."""
    return make_order(Click(under, armed, meant(under, armed, situation)), situation, False)


def test_a_click_with_a_tool_in_hand_makes_its_order() -> None:
    """Click with each tool on its kind of target and compare the order."""
    raider_with_all = Situation(selected=(3,), tools=frozenset({"stone", "hook", "take_down", "drag"}))
    place = Under(8.5, 4.5)
    order = order_of(place, BY_NAME["throw"], raider_with_all)
    assert order is not None and (order.kind, order.x, order.y) == (OrderKind.THROW, 8.5, 4.5)
    assert order_of(place, BY_NAME["take_down"], raider_with_all) is None, "no unit is there"
    for name, under, kind in (
        ("take_down", Under(1.0, 1.0, enemy=7), OrderKind.TAKE_DOWN),
        ("drag", Under(1.0, 1.0, body=7), OrderKind.DRAG),
        ("hide", Under(1.0, 1.0, hider=7), OrderKind.HIDE),
    ):
        order = order_of(under, BY_NAME[name], raider_with_all)
        assert order is not None and (order.kind, order.target) == (kind, 7)
        assert cursor_for(name, True) != "arrow"
    lamp = order_of(Under(1.0, 1.0, lamp=9), None, raider_with_all)
    assert lamp is not None and (lamp.kind, lamp.target) == (OrderKind.USE, 9)
    bare = order_of(Under(1.0, 1.0, lamp=9), None, Situation(selected=(3,)))
    assert bare is not None and bare.kind == OrderKind.MOVE, "without a hook a click on a lamp is a move"
    assert BY_NAME["throw"].reason(Situation(selected=(3,))) == "no selected unit has a stone"
