"""Timeline: one column for the whole cast, and alternatives by weight.

The oracle reads the log of behaviours that the test writes down tick by tick.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ai.core.serialization import restore, snapshot
from ai.decision.smart_zones.scene_timeline import (
    Actor,
    SceneState,
    advance,
    arrive,
    begin,
    drop,
    end,
    join,
)
from tests.ai.decision.smart_zones.test_scene_script import show

COLUMN_OF = {
    "announce": 0, "gather": 0, "juggle": 1, "comment": 1, "applaud": 1, "look": 1, "bye": 2, "congratulate": 2,
}  # fmt: skip
CAST = [(0, 0, 100), (1, 0, 7), (1, 1, 8), (2, 0, 9)]


class Player:
    """Plays a show: every actor needs ``walk`` ticks to its place."""

    def __init__(self, walk: int = 2, sync: bool = True, script=None) -> None:
        self.script, self.state, self.walk, self.sync = script or show(), SceneState(), walk, sync
        self.rng = np.random.default_rng(5)
        self.tick = 1
        self.rows: list[dict[int, str]] = []
        self.on_way: dict[int, int] = {}
        begin(self.script, self.state, CAST, self.tick, self.dice)

    def dice(self, unit: int, n: int) -> float:
        return float(self.rng.random())

    def run(self, ticks: int) -> None:
        for _ in range(ticks):
            self.tick += 1
            for actor in self.state.cast:
                if actor.since < 0 and actor.behaviour:
                    self.on_way[actor.unit] = self.on_way.get(actor.unit, self.walk) - 1
                    if self.on_way[actor.unit] <= 0:
                        del self.on_way[actor.unit]
                        arrive(self.script, actor, self.tick, self.dice)
            advance(self.script, self.state, self.tick, self.dice, self.sync)
            self.rows.append({a.unit: a.behaviour for a in self.state.cast if a.behaviour})


def columns(row: dict[int, str]) -> set[int]:
    return {COLUMN_OF[name] for name in row.values()}


def test_the_show_has_its_stages_in_order_and_no_behaviour_outlives_its_column() -> None:
    player = Player()
    player.run(90)
    assert all(len(columns(row)) <= 1 for row in player.rows)
    stages = [next(iter(columns(row))) for row in player.rows if row]
    assert stages == sorted(stages) and set(stages) == {0, 1, 2}
    assert not player.state.running and player.state.why == "it is over" and not player.state.cast
    # juggle takes 40 ticks, a comment 6: spectators draw again and again, by 3 to 1
    assert [t for _, t in player.state.log] == ["begins: announce", "show", "end", "ends: it is over"]


def test_alternatives_come_by_their_weights() -> None:
    long = show()
    long.behaviours["juggle"] = replace(long.behaviours["juggle"], least=12_000, most=12_000)
    long.behaviours["comment"].least = long.behaviours["comment"].most = 2
    long.behaviours["applaud"].least = long.behaviours["applaud"].most = 2
    player = Player(walk=1, script=long)
    player.run(6_000)
    # each draw lasts equally long, so ticks count draws: 3,900 draws of two spectators, 75 % within 3 sigma
    shown = [name for row in player.rows for name in row.values() if name in ("comment", "applaud")]
    assert abs(shown.count("comment") / len(shown) - 0.75) < 0.03


def test_a_newcomer_begins_in_the_present_column() -> None:
    player = Player()
    player.run(30)
    assert player.state.column == 1
    join(player.script, player.state, [(1, 2, 3)], player.tick, player.dice)
    actor = player.state.actor(3)
    assert actor is not None and COLUMN_OF[actor.behaviour] == 1
    assert [a.unit for a in player.state.cast] == [3, 7, 8, 9, 100]
    drop(player.state, 100)
    freed = advance(player.script, player.state, player.tick + 1, player.dice)
    assert freed == [3, 7, 8, 9] and not player.state.running and player.state.why == "nobody plays a main role"
    assert player.state.cast == []


def test_without_synchronisation_the_cast_falls_out_of_step() -> None:
    player = Player(sync=False)
    player.run(40)
    assert any(len(columns(row)) > 1 for row in player.rows)


def test_rounds_go_back_to_the_loop_and_the_state_is_saved() -> None:
    player = Player(walk=1, script=replace(show(), rounds=3, loop=1))
    player.run(70)
    player.state = restore(snapshot(player.state))
    assert isinstance(player.state, SceneState) and isinstance(player.state.cast[0], Actor)
    player.run(130)
    names = [text for _, text in player.state.log]
    assert names == ["begins: announce", "show", "end", "show", "end", "show", "end", "ends: it is over"]
    assert end(player.state, 500, "it is cleared") == []
