"""The laws of fair stealth find out who breaks them: each is kept by the game and broken by one small betrayal.

Oracle: the same level without the betrayal.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.decision.message_router import Redundancy
from ai.grid.areas import AreaGraph
from ai.perception.stimuli.stimulus_board import Stimulus, StimulusKind
from ai.squad.missing_comrades import Comrades
from game.checks.headless import run_level
from game.checks.invariants import no_cheating
from game.checks.invariants.no_cheating import unperceived
from game.checks.invariants.stealth_invariants import guards_of
from game.checks.scripts.script import Script
from game.level.level_writer import LEVELS
from game.minds.guard import patrol
from game.sim.stages import perceive_stage
from game.systems.stealth import side_knowledge
from game.world.world import World
from tests.game.sim.play import ROOMS, Play, guard, raider, yard
from tests.game.sim.small_levels import write

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
    honest = patrol.post

    def peeks(turn: Any) -> None:
        honest(turn)
        u = turn.host.world.units
        turn.host.look(float(u.x[0 if u.side[0] == 0 else 1]) * 0.01)

    machine = patrol.ROUND
    state = next(s for s in machine.states if s.name == "Post")
    object.__setattr__(state, "update", peeks)
    try:
        assert any("depends on units it does not perceive" in f for f in failures(tmp_path, "no_cheating", seen=False))
    finally:
        object.__setattr__(state, "update", honest)


def _hears_them(world: World, far: float) -> None:
    world.ears.heard_x[guards_of(world)] = far


def _is_told_of_them(world: World, far: float) -> None:
    world.stimuli.items.append(Stimulus(1, StimulusKind.IMPACT, 0, far, 1.5, 0.5, world.tick, 0, -1, -1, 0, False))


def _keeps_them_company(world: World, far: float) -> None:
    world.comrades.append(Comrades(int(far)))


def _is_written_to_of_them(world: World, far: float) -> None:
    guards = world.units.id[guards_of(world)].tolist()
    assert world.router is not None
    world.router.send("NEWS", guards[0], guards[0], world.tick, 1000, data={"x": far}, redundancy=Redundancy.KEEP)


@pytest.mark.parametrize(
    ("peeks", "what"),
    [
        (_hears_them, "ears"),
        (_is_told_of_them, "stimuli"),
        (_keeps_them_company, "company"),
        (_is_written_to_of_them, "post"),
    ],
)
def test_ears_and_whatever_else_comes_to_a_guard_may_not_tell_of_them_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, peeks: Callable[[World, float], None], what: str
) -> None:
    honest = perceive_stage.notice

    def knows(world: World) -> None:
        honest(world)
        peeks(world, float(world.units.x[world.units.living(0)[0]]))

    monkeypatch.setattr(perceive_stage, "notice", knows)
    assert any(f"a guard's {what} depends on units" in f for f in failures(tmp_path, "no_cheating", seen=False))


@pytest.mark.parametrize("bias", [0.0, 8.0])
def test_a_searcher_who_is_drawn_to_where_he_really_is_cheats(bias: float) -> None:
    """The fork for as long as its first search lasts; the weight of the truth is 0 in the game."""
    script = {
        **tomllib.loads((LEVELS / "exhibits/senses/fork.toml").read_text()),
        "ticks": 125,
        "expect": [{"kind": "no_cheating", "count": 2}],
    }
    del script["exhibit"]
    script["settings"] |= {"minds.truth_bias": bias}
    told = run_level(
        LEVELS / "exhibits/senses/fork.tmx", script=Script.model_validate(script), recording=False
    ).failures()
    assert any("depends on units it does not perceive" in f for f in told) == (bias > 0), told


def test_in_the_shipped_game_neither_chance_nor_the_truth_decides(tmp_path: Path) -> None:
    """The defaults are fair, and no mission and no regression level sets anything else; an exhibit may show it."""
    raiding = yard()
    raider(raiding, 4.5, 4.5)
    settings = Play(tmp_path, raiding).world.settings
    assert settings.minds.truth_bias == 0.0 and not settings.minds.noisy_ground and settings.vision.meter == "timer"
    unfair = ("truth_bias", "noisy_ground", "vision.meter")
    shown = set()
    for path in sorted(LEVELS.rglob("*.toml")):
        if any(word in path.read_text() for word in unfair):
            assert "exhibits" in path.parts and "exhibit" in tomllib.loads(path.read_text()), path.name
            shown.add(path.stem)
    assert {"fork.bias", "eyes_at_work.dice"} <= shown


def test_unperceived_raiders_change_places_with_others_of_their_side_and_kind_of_way(tmp_path: Path) -> None:
    """Two who walk take each other's places, a crawler among them keeps his, and so does who is heard."""
    builder = yard(WALLED)
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 36.5, 5.5, "Bero")
    raider(builder, 40.5, 9.5, "Cai")
    raider(builder, 38.5, 2.5, "Dan", kind="crawler")
    raider(builder, 4.5, 8.2, "Eve")
    play = Play(tmp_path, builder, vision__touch_stand=0.0)
    u, names = play.world.units, ("Bero", "Cai", "Dan", "Eve")
    slots = {n: play.slot(n) for n in names}
    assert sorted(unperceived(play.world)) == sorted(slots[n] for n in names[:3])
    before = {n: (float(u.x[s]), float(u.y[s])) for n, s in slots.items()}
    assert sorted(no_cheating._permute(play.world)) == sorted(slots[n] for n in ("Bero", "Cai"))
    after = {n: (float(u.x[s]), float(u.y[s])) for n, s in slots.items()}
    assert after == {**before, "Bero": before["Cai"], "Cai": before["Bero"]}


@pytest.mark.parametrize(("law", "factor"), [("by_the_table", 1.02), ("foretold", 0.9)])
def test_a_meter_that_rises_otherwise_than_the_table_says_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, law: str, factor: float
) -> None:
    honest = perceive_stage._look

    def hasty(world: World) -> None:
        before = world.units.meter.copy()
        honest(world)
        world.units.meter[:] = before + (world.units.meter - before) * factor

    monkeypatch.setattr(perceive_stage, "_look", hasty)
    assert failures(tmp_path, law, seen=True) != []


def test_the_law_of_the_tables_looks_on_while_others_are_ordered_about_and_beside_low_walls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An order in every tick to one far off, a low wall elsewhere: the hasty meter is found out all the same."""
    builder = yard(WALLED)
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 12.5, 7.5)
    raider(builder, 40.5, 9.5, "Cai")
    builder.add("prop", 8.5, 2.5, kind="crate", name="crate")
    honest, found = perceive_stage._look, {}

    def hasty(world: World) -> None:
        before = world.units.meter.copy()
        honest(world)
        world.units.meter[:] = before + (world.units.meter - before) * 1.02

    order = [{"tick": t, "units": "Cai", "kind": "move", "at": (38.5 + t % 2, 9.5)} for t in range(1, 130)]
    script = Script.model_validate({"ticks": 130, "order": order, "expect": [{"kind": "by_the_table"}]})
    for betrayal in (False, True):
        if betrayal:
            monkeypatch.setattr(perceive_stage, "_look", hasty)
        found[betrayal] = run_level(write(tmp_path, builder), script=script, recording=False).failures()
    assert found[False] == [] and found[True] != []


@pytest.mark.parametrize(
    ("betrayal", "told"),
    [
        (lambda meter: np.where(meter > 0.3, 1.0, meter), "full and nothing was identified"),
        (lambda meter: np.where(meter >= 1.0, 0.9, meter), "identified and the meter stands at 0.90"),
    ],
)
def test_a_meter_that_shows_another_state_than_the_guards_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, betrayal: Callable[[np.ndarray], np.ndarray], told: str
) -> None:
    honest = perceive_stage._look

    def shows(world: World) -> None:
        honest(world)
        world.units.meter[:] = betrayal(world.units.meter)

    monkeypatch.setattr(perceive_stage, "_look", shows)
    assert any(told in f for f in failures(tmp_path, "meter_is_state", seen=True))


def lost(folder: Path) -> list[str]:
    """A raider is seen, runs behind a wall and is lost."""
    builder = yard(WALLED)
    guard(builder, 10.5, 6.5, facing=0.0)
    raider(builder, 17.5, 2.5)
    orders = [
        {"tick": 16, "units": "Ann", "kind": "move", "at": (26.5, 2.5)},
        {"tick": 17, "units": "Ann", "kind": "move", "at": (26.5, 9.5), "queued": True},
    ]
    script = {
        "ticks": 110,
        "settings": {"minds.grace": 0, "vision.far_seconds": 0.4},
        "order": orders,
        "expect": [{"kind": "possible_holds_truth"}],
    }
    return run_level(write(folder, builder), script=Script.model_validate(script), recording=False).failures()


@pytest.mark.parametrize("lies", [False, True])
def test_a_map_of_the_possible_that_leaves_the_truth_out_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lies: bool
) -> None:
    honest = side_knowledge._spread

    def leaves_out(world: World, known: Any) -> None:
        honest(world, known)
        u = world.units
        for found in known.maps:
            slot = u.slot(found.unit)
            found.possible[int(u.y[slot]), int(u.x[slot])] = 0

    if lies:
        monkeypatch.setattr(side_knowledge, "_spread", leaves_out)
    told = lost(tmp_path)
    assert any("thought impossible" in f for f in told) if lies else told == []


@pytest.mark.parametrize("straight", [False, True])
def test_a_sound_that_goes_straight_through_walls_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, straight: bool
) -> None:
    def as_the_crow_flies(graph: Any, ax: float, ay: float, bx: np.ndarray, by: np.ndarray) -> np.ndarray:
        return np.hypot(bx - ax, by - ay)

    if straight:
        monkeypatch.setattr(AreaGraph, "distances", as_the_crow_flies)
    builder = yard(ROOMS)
    builder.add("door", 13, 4, 1, 1, name="door")
    guard(builder, 20.5, 6.5, facing=0.0)
    raider(builder, 2.5, 2.5)
    script = Script.model_validate({"ticks": 42, "expect": [{"kind": "sound_by_dijkstra"}]})
    told = run_level(write(tmp_path, builder), script=script, recording=False).failures()
    assert any("by Dijkstra" in f for f in told) == straight
    assert straight or told == []
