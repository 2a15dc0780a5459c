"""Guards restore changed objects: they shut a door and light a lamp.

Oracle: the state of the door and the lamp, with ``minds.mends`` on and off.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from game.minds import mind_turns
from game.minds.guard.restore_object import enter, wants
from game.systems.interaction.hand_work import use
from game.world.orders import OrderKind
from game.world.places import Door, LightSource
from game.world.units import Pace
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


@pytest.mark.parametrize("mends", [True, False])
def test_a_door_left_open_is_shut_from_the_guards_own_side(tmp_path: Path, mends: bool) -> None:
    builder = yard(ROOMS)
    builder.add("door", 13, 4, 1, 1, name="door")
    guard(builder, 19.5, 4.5, facing=180.0)
    raider(builder, 12.5, 5.5)
    play = Play(tmp_path, builder, minds__mends=mends).run()
    door = play.world.door("door")
    play.order("Ann", OrderKind.USE, target=door.id)
    play.order("Ann", OrderKind.MOVE, x=2.5, y=1.5, queued=True)
    play.run(60)
    assert door.open
    play.run(260)
    assert door.open != mends
    assert play.world.units.x[play.slot("Odo")] > 14.0, "the guard stands on its own side of the door"
    assert len(play.happened("found", "Odo")) == 1
    assert bool([e for e in play.seen if e.kind == "bark" and e.text == "left_open"]) == mends
    if mends:
        play.run(40)
        _work(play, door)
        assert door.open
        play.run(260)
        assert len(play.happened("found", "Odo")) == 2 and not door.open, "the second time is found too"


@pytest.mark.parametrize("mends", [True, False])
def test_a_lamp_put_out_is_lit_again(tmp_path: Path, mends: bool) -> None:
    builder = yard(night=True)
    guard(builder, 20.5, 7.5, facing=180.0)
    raider(builder, 12.5, 1.5, kind="lamplighter")
    builder.add("light", 14.5, 4.5, name="lamp", radius=4.0)
    play = Play(tmp_path, builder, minds__mends=mends).run()
    lamp = play.world.lamp("lamp")
    play.order("Ann", OrderKind.USE, x=14.5, y=4.5, target=lamp.id)
    play.order("Ann", OrderKind.MOVE, x=1.5, y=1.5, queued=True)
    play.run(90)
    assert not lamp.on
    play.run(260)
    assert lamp.on == mends
    if not mends:
        return
    found = len(play.happened("found", "Odo"))
    play.run(20)
    _work(play, lamp)
    assert not lamp.on
    play.run(300)
    assert len(play.happened("found", "Odo")) == found + 1 and lamp.on, "the second time is found too"


@pytest.mark.parametrize("thing", ["door", "lamp"])
def test_it_wants_to_mend_a_seen_broken_thing_that_it_can_mend_from_its_side(tmp_path: Path, thing: str) -> None:
    """Each condition is taken away alone."""
    builder = yard(ROOMS)
    builder.add("door", 13, 4, 1, 1, name="door")
    builder.add("light", 15.5, 6.5, name="lamp", radius=4.0)
    guard(builder, 19.5, 4.5, facing=180.0)
    raider(builder, 2.5, 6.5)
    play = Play(tmp_path, builder).run()
    world, odo = play.world, play.slot("Odo")
    turn = mind_turns._turn(world, odo, 0)
    it = world.door("door") if thing == "door" else world.lamp("lamp")
    assert it is not None

    def broken(yes: bool) -> None:
        if isinstance(it, Door):
            it.open = yes
        else:
            it.on = not yes

    broken(True)
    assert not wants(turn), "it investigates nothing"
    turn.beliefs.investigation.thing = it.id
    assert wants(turn)
    broken(False)
    assert not wants(turn), "nothing is wrong"
    broken(True)
    world.settings.minds.mends = False
    assert not wants(turn)
    world.settings.minds.mends = True
    world.terrain.opaque[1:8, 17] = 1
    assert not wants(turn), "a wall is between"
    world.terrain.opaque[1:8, 17] = 0
    if isinstance(it, Door):
        sides, it.opens_for = it.opens_for, ()
        assert not wants(turn), "it is worked from elsewhere"
        it.opens_for = sides
        post, turn.beliefs.patrol.post = turn.beliefs.patrol.post, (0.5, 0.5)
        assert not wants(turn), "a guard at home inside a wall has no side"
        turn.beliefs.patrol.post = post
    else:
        it.switchable = False
        assert not wants(turn), "it cannot be put out"
        it.switchable = True
    assert wants(turn)
    enter(turn)
    u = world.units
    assert (u.moving[odo], u.pace[odo]) == (1, Pace.WALK)
    assert (u.goal_x[odo], u.goal_y[odo]) == ((14.5, 4.5) if thing == "door" else (15.5, 6.5))


def _work(play: Play, thing: Door | LightSource) -> None:
    """Let Ann use a lamp or a door from afar, without a walk."""
    u, ann = play.world.units, play.slot("Ann")
    was = float(u.x[ann]), float(u.y[ann])
    u.x[ann], u.y[ann] = thing.centre
    assert use(play.world, ann, thing) == ""
    u.x[ann], u.y[ann] = was
