"""The Depot at Night after an alarm: the raid can still be won."""

from __future__ import annotations

import tomllib

import pytest

from game.checks.scripts.script import Script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level import load_level
from game.level.level_writer import LEVELS
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from game.world.units import Stance

ALARMED = """
[[track]]
name = "Tam"
[[track.step]]
say = "Upright down the lane, to the gate."
orders = [
    { units = "Tam", kind = "stance", value = 0 },
    { units = "Tam", kind = "pace", value = 0 },
    { units = "Tam", kind = "move", at = [37.5, 21.2] },
]
[[track.step]]
say = "Made out: away over the bridge, into the wood."
when = { alarms = 1 }
give_up = 600
orders = [
    { units = "Tam", kind = "pace", value = 1 },
    { units = "Tam", kind = "move", at = [8.5, 27.5] },
    { units = "Tam", kind = "move", at = [5.5, 36.5], queued = true },
]
[[track]]
name = "Wren"
[[track.step]]
say = "With the chest into the wood south of the lane."
orders = [{ units = "Wren", kind = "move", at = [32.5, 36.5] }]
[[track.step]]
when = { after = 20, idle = "Wren" }
orders = [{ units = "Wren", kind = "stance", value = 1 }]
[[track.step]]
when = { alarms = 1 }
give_up = 600
[[track.step]]
say = "They have searched, and the patrol of the lane has turned: over the bridge."
when.after = 300
when.clear = ["guards", "lane"]
when.also.clear = ["guards", "footbridge"]
when.also.also.clear = ["guards", "wood's edge"]
give_up = 1800
orders = [
    { units = "Wren", kind = "stance", value = 0 },
    { units = "Wren", kind = "pace", value = 1 },
    { units = "Wren", kind = "move", region = "landing" },
]
"""


def in_the_middle_of_a_raid() -> Session:
    """Return a session in the middle of a raid.

    Wren has the chest and has passed the dog; the guard of the footbridge is down.
    Tam comes back from the bridge, Ilse is in the warehouse and Odo at the boat.
    The raiders are put at their places, because other tests cover the walks.
    """
    session = Session(load_level(LEVELS / "the_depot.tmx"), 6, recording=False)
    world = session.world
    u, ids = world.units, {name: unit for unit, name in world.names.items()}

    def put(name: str, x: float, y: float) -> None:
        slot = u.slot(ids[name])
        u.x[slot] = u.prev_x[slot] = x
        u.y[slot] = u.prev_y[slot] = y
        u.stance[slot] = Stance.CROUCH

    chest = world.prop("pay chest")
    assert chest is not None
    put("Wren", chest.x - 0.8, chest.y + 0.8)
    put("Ilse", 53.5, 31.5)
    session.give(Order(int(OrderKind.USE), 0, (ids["Wren"],), target=chest.id))
    while u.carrying[u.slot(ids["Wren"])] < 0:
        assert session.world.tick < 100
        session.advance()
    put("Wren", 33.5, 35.5)
    put("Tam", 21.5, 20.5)
    guard = next(s for s in u.living(1).tolist() if session.level.spawns[int(u.id[s])].route == "footbridge")
    u.alive[guard], u.hidden[guard] = 0, 1
    return session


@pytest.mark.long
def test_a_raid_is_won_with_the_alarm_raised_and_the_patrols_out() -> None:
    session = in_the_middle_of_a_raid()
    assert session.world.mission.alarms == 0
    start = session.world.tick
    script, player = Script(**tomllib.loads(ALARMED)), ScriptedPlayer()
    kinds = []
    while session.world.mission.status == "running" and session.world.tick < start + 1600:
        for order in player.orders(script, session.world, session.world.tick + 1):
            session.give(order)
        session.advance()
        kinds += [event.kind for event in session.world.events]
    assert not any(track.given_up for track in player.tracks)
    assert session.world.mission.alarms >= 1 and kinds.count("woken") == 6
    assert session.world.mission.status == "won"
