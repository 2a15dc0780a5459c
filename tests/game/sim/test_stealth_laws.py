"""The laws of fair stealth find out who breaks them: each is kept by the game and broken by one small betrayal.

Oracle: the same level without the betrayal.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from game.minds import guard_round
from game.sim.headless import run_level
from game.sim.script import Script
from game.sim.stages import perceive
from game.world.world import World

from .small_levels import write
from .test_stealth import guard, raider, yard

WALLED = "\n".join(["s" * 44] * 3 + ["s" * 20 + "#" * 4 + "s" * 20] * 8 + ["s" * 44] * 3)


def failures(folder: Path, *kinds: str, seen: bool) -> list[str]:
    """A guard in the west; two raiders far in the east behind a wall, and a third before his eyes or not."""
    builder = yard(WALLED)
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 36.5, 5.5, "Bero")
    raider(builder, 40.5, 9.5, "Cai")
    raider(builder, 12.5 if seen else 40.5, 7.5)
    script = Script.model_validate({"ticks": 130, "expect": [{"kind": kind} for kind in kinds]})
    return run_level(write(folder, builder), script=script, recording=False).failures()


def test_the_game_keeps_them(tmp_path: Path) -> None:
    assert failures(tmp_path, "no_cheating", seen=False) == []
    assert failures(tmp_path, "by_the_table", "meter_is_state", "foretold", seen=True) == []


def test_a_guard_who_looks_where_an_unseen_raider_is_cheats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = guard_round.post

    def peeks(turn: Any) -> None:
        honest(turn)
        u = turn.host.world.units
        turn.host.look(float(u.x[0 if u.side[0] == 0 else 1]) * 0.01)

    machine = guard_round.ROUND
    state = next(s for s in machine.states if s.name == "Post")
    object.__setattr__(state, "update", peeks)
    try:
        assert any("depends on units it does not perceive" in f for f in failures(tmp_path, "no_cheating", seen=False))
    finally:
        object.__setattr__(state, "update", honest)


@pytest.mark.parametrize(("law", "factor"), [("by_the_table", 1.02), ("foretold", 0.9)])
def test_a_meter_that_rises_otherwise_than_the_table_says_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, law: str, factor: float
) -> None:
    honest = perceive._look

    def hasty(world: World) -> None:
        before = world.units.meter.copy()
        honest(world)
        world.units.meter[:] = before + (world.units.meter - before) * factor

    monkeypatch.setattr(perceive, "_look", hasty)
    assert failures(tmp_path, law, seen=True) != []
