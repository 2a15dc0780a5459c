"""Words for tracks: holders, free parts, time-outs and order spam, told from the outside."""

from pathlib import Path

from game.systems.body.acts import begin_act, order_act
from game.systems.body.track_words import track_rows
from game.systems.interaction.abilities import ABILITIES
from game.world.orders import OrderKind
from game.world.units import Act
from tests.game.sim.play import Play, raider, yard


def test_each_part_of_a_body_is_told_with_its_act_and_time(tmp_path: Path) -> None:
    """Read the rows of a hit, a reload, a throw and many orders."""
    builder = yard()
    raider(builder, 3.5, 4.5, kind="thrower")
    play = Play(tmp_path, builder).run(2)
    world, slot, ann = play.world, play.slot("Ann"), play.unit("Ann")
    assert track_rows(world, ann) == [("body", "free")]
    begin_act(world, slot, Act.RELOAD, 40)
    begin_act(world, slot, Act.HIT, 10)
    assert track_rows(world, ann) == [
        ("legs", "free"),
        ("torso, head", "hit for 0.5 s"),
        ("weapon", "reload for 2.0 s"),
    ]
    world.settings.body.layers = False
    play.run(12)
    begin_act(world, slot, Act.HIT, 10)
    assert track_rows(world, ann) == [("legs, torso, head, weapon", "hit for 0.5 s")]
    world.settings.body.layers = True
    play.run(12)
    begin_act(world, slot, Act.THROW, ABILITIES[OrderKind.THROW].ticks)
    rows = dict(track_rows(world, ann))
    assert rows["torso, weapon"] == "throw winds up" and rows["legs, head"] == "free"
    assert rows["time-out"].startswith("throw ends in ")
    for _ in range(6):
        order_act(world, slot, Act.LOOK, 10)
    assert dict(track_rows(world, ann))["acts ordered"] == "6 in the last second: too many"
    play.run(25)
    assert "acts ordered" not in dict(track_rows(world, ann))


def test_a_shrug_that_fades_stands_before_its_successor(tmp_path: Path) -> None:
    builder = yard()
    raider(builder, 3.5, 4.5)
    play = Play(tmp_path, builder).run(2)
    world, slot, ann = play.world, play.slot("Ann"), play.unit("Ann")
    begin_act(world, slot, Act.SHRUG, 24)
    begin_act(world, slot, Act.LIFT, 30)
    assert dict(track_rows(world, ann))["torso"] == "shrug fades, next: lift for 1.5 s"
