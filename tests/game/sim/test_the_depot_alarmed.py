"""An alarm in The Depot at Night ends nothing: raised in the middle of a raid, the raid is won all the same."""

from __future__ import annotations

import tomllib

from game.level.build import LEVELS
from game.sim.headless import Run, advance, run_level
from game.sim.script import Script, load_script
from game.sim.scripted_player import ScriptedPlayer

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
when.after = 400
when.clear = ["guards", "lane"]
when.also.clear = ["guards", "footbridge"]
when.also.also.clear = ["guards", "wood's edge"]
give_up = 1800
orders = [
    { units = "Wren", kind = "stance", value = 0 },
    { units = "Wren", kind = "move", region = "landing" },
]
"""


def win_by_the_cellar() -> Run:
    """The scripted win, with a moment kept when the chest has come past the dog, to the wood."""
    run = run_level(LEVELS / "the_depot.tmx", 0, script=load_script(LEVELS / "the_depot.cellar.toml"), recording=False)
    assert run.script is not None
    session = run.session
    wren = next(unit for unit, name in session.world.names.items() if name == "Wren")
    for _ in range(run.script.ticks):
        advance(run)
        u = session.world.units
        slot = u.slot(wren)
        if not session.moments and u.carrying[slot] >= 0 and u.x[slot] < 36.0:
            session.keep()
        if session.world.mission.status == "won":
            break
    return run


def test_a_raid_is_won_with_the_alarm_raised_and_the_patrols_out() -> None:
    run = win_by_the_cellar()
    assert run.failures() == [], "won unseen"
    session = run.session
    assert session.back() and session.world.mission.alarms == 0
    start = session.world.tick
    script, player = Script(**tomllib.loads(ALARMED)), ScriptedPlayer()
    kinds = []
    while session.world.mission.status == "running" and session.world.tick < start + 2600:
        for order in player.orders(script, session.world, session.world.tick + 1):
            session.give(order)
        session.advance()
        kinds += [event.kind for event in session.world.events]
    assert not any(track.given_up for track in player.tracks)
    assert session.world.mission.alarms >= 1 and kinds.count("woken") == 6
    assert session.world.mission.status == "won"
