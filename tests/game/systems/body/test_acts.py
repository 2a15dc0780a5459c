"""Acts against a plain list: every act ends exactly once, as listed."""

from pathlib import Path

import numpy as np

from ai.core.rand import Stream, below
from game.systems.body.acts import begin_act
from game.systems.interaction.bodies import kill
from game.world.orders import OrderKind
from game.world.units import Act, Outcome
from tests.game.sim.play import Play, guard, raider, yard


def test_every_act_ends_once_as_a_plain_model_says(tmp_path: Path) -> None:
    """Begin acts at random ticks; compare with a model of one open act."""
    builder = yard()
    raider(builder, 4.5, 4.5)
    play = Play(tmp_path, builder)
    u, slot, world = play.world.units, play.slot("Ann"), play.world
    open_act, log, seen = None, [], []
    for n in range(400):
        play.run()
        now = world.tick
        if open_act is not None and now - open_act[1] >= open_act[2]:
            log.append((open_act[0], Outcome.FINISHED, now))
            open_act = None
        last = (Act(int(u.ended_act[slot])), Outcome(int(u.ended_as[slot])), int(u.ended_at[slot]))
        if last[2] >= 0 and (not seen or seen[-1] != last):
            seen.append(last)
        assert (int(u.action[slot]) == Act.NONE) == (open_act is None)
        if below(4, 3, Stream.SCRIPT, n, 0, 0) == 0:
            what = (Act.SHOOT, Act.HIT)[below(2, 3, Stream.SCRIPT, n, 0, 1)]
            length = 1 + below(9, 3, Stream.SCRIPT, n, 0, 2)
            if open_act is not None:
                log.append((open_act[0], Outcome.MERGED if open_act[0] == what else Outcome.INTERRUPTED, now))
                seen.append(log[-1])
            begin_act(world, slot, what, length)
            if seen and log and seen[-1] == log[-1] and open_act is not None:
                assert (int(u.ended_act[slot]), int(u.ended_as[slot]), int(u.ended_at[slot])) == log[-1]
            open_act = (what, now, length)
    assert seen == log and len(log) > 60
    assert {outcome for _, outcome, _ in log} == {Outcome.FINISHED, Outcome.MERGED, Outcome.INTERRUPTED}


def test_an_act_that_the_world_refuses_says_so_and_one_that_succeeds_too(tmp_path: Path) -> None:
    """Finish a throw; refuse a takedown of a victim that has gone."""
    builder = yard()
    raider(builder, 4.5, 4.5, kind="quiet_hand")
    raider(builder, 20.5, 8.5, name="Wren", kind="thrower")
    guard(builder, 6.0, 4.5, facing=0.0, asleep=True)
    play = Play(tmp_path, builder)
    u, ann, wren, odo = play.world.units, play.slot("Ann"), play.slot("Wren"), play.slot("Odo")
    u.fire_at_will[: u.count] = 0
    play.order("Wren", OrderKind.THROW, x=23.5, y=8.5)
    play.order("Ann", OrderKind.TAKE_DOWN, target=play.unit("Odo"))
    for _ in range(60):
        play.run()
        if u.action[ann] == Act.TAKE_DOWN:
            break
    assert u.action[ann] == Act.TAKE_DOWN
    u.x[odo] = u.prev_x[odo] = 26.5
    play.run(40)
    assert (u.ended_act[wren], u.ended_as[wren]) == (Act.THROW, Outcome.FINISHED)
    ended = u.ended_act[ann], u.ended_as[ann]
    assert ended == (Act.TAKE_DOWN, Outcome.REFUSED) and u.alive[odo]


def test_the_dead_keep_their_last_act_and_take_no_step(tmp_path: Path) -> None:
    builder = yard()
    raider(builder, 4.5, 4.5)
    play = Play(tmp_path, builder)
    u, ann = play.world.units, play.slot("Ann")
    play.order("Ann", OrderKind.MOVE, x=20.5, y=4.5)
    play.run(30)
    assert u.cadence[ann] > 0.5
    kill(play.world, ann)
    begin_act(play.world, ann, Act.HIT, 5)
    play.run(1)
    phase = float(u.gait[ann])
    play.run(30)
    assert u.action[ann] == Act.DIE and (u.ended_act[ann], u.ended_as[ann]) == (Act.DIE, Outcome.FINISHED)
    assert u.gait[ann] == phase and u.footfall[ann] == 0 and u.cadence[ann] == 0.0


def test_gait_and_acts_are_in_the_hash_and_in_a_snapshot(tmp_path: Path) -> None:
    builder = yard()
    raider(builder, 4.5, 4.5)
    play = Play(tmp_path, builder)
    play.order("Ann", OrderKind.MOVE, x=20.5, y=4.5)
    play.run(20)
    world, before = play.world, play.world.hash()
    for name in ("gait", "cadence", "footfall", "prev_facing", "ended_act", "ended_as", "ended_at"):
        column = getattr(world.units, name)
        old = column[0]
        column[0] = old + 1
        assert world.hash() != before, name
        column[0] = old
    assert world.hash() == before
    assert np.count_nonzero(world.units.gait) == 1
