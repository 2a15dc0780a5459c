"""Simulation features of the night mission: vents, rousing alarms, orders to mixed units.

Conditions of scripts for lamps, fallen units and alarms are tested too.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.checks.scripts.script import Condition, Script, load_script
from game.checks.scripts.scripted_player import ScriptedPlayer, holds
from game.level.errors import LevelError
from game.level.level_writer import LevelBuilder
from game.level.model import GROUND
from game.level.passability_masks import CRAWL
from game.level.reading import load_level
from game.level.schema import tiled_project
from game.sim.session import Session
from game.systems.interaction.hand_work import use
from game.world.orders import OrderKind
from tests.game.sim.play import Play, guard, raider, yard
from tests.game.sim.small_levels import load, write

DEPOT = Path(__file__).resolve().parents[4] / "levels" / "the_depot.tmx"
WALLED = "\n".join(["s" * 9 + "#" + "s" * 10] * 8)


def vented() -> LevelBuilder:
    """Return a yard in two halves that only a vent at (9, 4) joins."""
    builder = yard(WALLED)
    hole = np.zeros(builder.ground.shape, bool)
    hole[4, 9] = True
    builder.overlay("vents", "wall", hole, walkable=False, crawl=True)
    return builder


def test_a_vent_lets_only_a_crawler_through(tmp_path: Path) -> None:
    builder = vented()
    raider(builder, 6.5, 4.5, "Ilse", kind="crawler")
    raider(builder, 6.5, 2.5, "Tam")
    play = Play(tmp_path, builder)
    level = play.session.level
    assert level.passable[4, 9] == CRAWL and level.opaque[4, 9] == 1 and level.ground[4, 9] == GROUND["wall"]
    for name in ("Ilse", "Tam"):
        play.order(name, OrderKind.MOVE, x=12.5, y=4.5)
    play.run(120)
    u = play.world.units
    assert u.x[play.slot("Ilse")] > 12.0
    tam = play.slot("Tam")
    assert (int(u.x[tam]), int(u.y[tam])) == (8, 4) and not u.moving[tam], "it stops at the nearest tile"
    (nearest,) = play.happened("nearest", "Tam")
    assert (nearest.x, nearest.y) == (8.5, 4.5) and play.happened("arrived", "Tam")


def test_units_of_mixed_movement_classes_share_an_order_but_no_tile(tmp_path: Path) -> None:
    builder = yard()
    for k, (name, kind) in enumerate((("Wren", "thrower"), ("Ilse", "crawler"), ("Tam", "quiet_hand"))):
        raider(builder, 2.5 + k, 3.5, name, kind=kind)
    play = Play(tmp_path, builder)
    from game.world.orders import Order

    ids = tuple(play.unit(name) for name in ("Wren", "Ilse", "Tam"))
    play.session.give(Order(int(OrderKind.MOVE), 0, ids, 10.5, 4.5))
    play.run(120)
    u = play.world.units
    tiles = {(int(u.x[play.slot(n)]), int(u.y[play.slot(n)])) for n in ("Wren", "Ilse", "Tam")}
    assert len(tiles) == 3 and (10, 4) in tiles


def alarmed(folder: Path, does: str) -> Play:
    """Run a level in which a guard raises the alarm.

    Two guards sleep far off behind a wall.
    A trigger on the alarm does ``does`` to the sleeper Pim.
    """
    builder = LevelBuilder(60, 20, "grass", title="Alarm")
    builder.fill("wall", 40, 0, 41, 16)
    raider(builder, 14.5, 4.5)
    guard(builder, 8.5, 4.5, "Odo")
    guard(builder, 50.5, 4.5, "Pim", asleep=True, facing=180.0)
    guard(builder, 52.5, 4.5, "Rob", asleep=True, facing=180.0)
    builder.add("trigger", 1, 1, on="alarm", does=does, target="Pim", delay=1.0)
    return Play(folder, builder).run(200)


def test_an_alarm_sends_a_roused_sleeper_to_the_place_of_the_alarm(tmp_path: Path) -> None:
    play = alarmed(tmp_path, "rouse")
    cry = play.happened("alarm")[0]
    woken = play.happened("woken", "Pim")
    assert woken and woken[0].tick == cry.tick + 20
    slot = play.slot("Pim")
    mind = play.world.minds[play.unit("Pim")]
    assert mind.skill == "search" and play.world.units.x[slot] < 46.0, "it runs there"
    search = mind.beliefs.search
    assert (search.x, search.y) == pytest.approx((cry.x, cry.y)), "to the crier, not the enemy"
    assert search.who == -1, "nor to where its side knows the enemy to be"
    assert play.world.units.asleep[play.slot("Rob")], "the trigger names Pim alone"


def test_a_guard_that_is_only_woken_walks_its_round(tmp_path: Path) -> None:
    play = alarmed(tmp_path, "wake")
    assert play.happened("woken", "Pim")
    assert play.world.minds[play.unit("Pim")].skill == "round"
    assert play.world.mission.status == "sandbox", "the alarm does not end the mission"


def test_a_trigger_that_rouses_must_be_on_an_alarm(tmp_path: Path) -> None:
    builder = yard()
    guard(builder, 4.5, 4.5, "Pim", asleep=True)
    builder.add("trigger", 1, 1, on="start", does="rouse", target="Pim")
    path = write(tmp_path, builder)
    (tmp_path / "test.tiled-project").write_text(tiled_project())
    with pytest.raises(LevelError, match=r"rouses on start.*set on to alarm"):
        load(path)


def test_conditions_hold_for_lamps_out_fallen_units_and_alarms(tmp_path: Path) -> None:
    builder = yard(night=True)
    raider(builder, 4.5, 4.5, "Odo", kind="lamplighter")
    guard(builder, 20.5, 4.5, "Pim")
    builder.add("light", 4.5, 3.5, name="lamp")
    play = Play(tmp_path, builder)
    world = play.world
    out, down = Condition(lamp_out="lamp"), Condition(down="Pim")
    alarm = Condition(alarms=1)
    assert not any(holds(when, world, 1, 0) for when in (out, down, alarm))
    lamp = world.lamp("lamp")
    assert lamp is not None and use(world, play.slot("Odo"), lamp) == ""
    world.units.alive[play.slot("Pim")] = 0
    world.mission.alarms = 1
    assert all(holds(when, world, 1, 0) for when in (out, down, alarm))
    for key, failed in (("give_up", True), ("at_most", False)):
        script, player = (
            Script.model_validate({"track": [{"name": "a", "step": [{"when": {"alarms": 9}, key: 5}]}]}),
            ScriptedPlayer(),
        )
        steps = [(player.orders(script, world, tick), player.tracks[0].step)[1] for tick in (5, 6)]
        assert steps == [0, 1] and player.tracks[0].given_up is failed, "the step goes on after the limit"
    with pytest.raises(ValueError, match="no lamp 'moon'"):
        holds(Condition(lamp_out="moon"), world, 1, 0)


def test_the_depot_has_the_same_hashes_in_two_runs() -> None:
    """Play the loud raid twice for 160 ticks and compare each tenth hash.

    An alarm is raised in that time.
    """
    script = load_script(DEPOT.with_name("the_depot.loud.toml"))
    runs = []
    for _ in range(2):
        session, player, hashes = Session(load_level(DEPOT), 6, recording=False), ScriptedPlayer(), []
        for tick in range(1, 161):
            for order in player.orders(script, session.world, tick):
                session.give(order)
            session.advance()
            if tick % 10 == 0:
                hashes.append(session.world.hash())
        assert session.world.mission.alarms >= 1
        runs.append(hashes)
    assert runs[0] == runs[1] and len(set(runs[0])) == len(runs[0])
