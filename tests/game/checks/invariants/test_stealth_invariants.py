"""Invariants of fair stealth: the game keeps each, and each reports a fault.

Each fault is one small change of a stage; the oracle is the same level without the change.
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
    """Return the failures of a run with one guard and three raiders.

    The guard stands in the west, two raiders far in the east behind a wall.
    The third raider stands 8 tiles before the guard when ``seen``, otherwise in the east.
    """
    builder = yard(WALLED)
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 36.5, 5.5, "Bero")
    raider(builder, 40.5, 9.5, "Cai")
    raider(builder, 12.5 if seen else 40.5, 7.5)
    script = Script.model_validate({"ticks": 130, "expect": [{"kind": kind} for kind in kinds]})
    return run_level(write(folder, builder), script=script, recording=False).failures()


def test_the_game_keeps_the_stealth_invariants(tmp_path: Path) -> None:
    assert failures(tmp_path, "no_cheating", seen=False) == []
    assert failures(tmp_path, "by_the_table", "meter_is_state", "foretold", seen=True) == []


def test_a_guard_that_looks_where_an_unseen_raider_is_is_reported(tmp_path: Path) -> None:
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
def test_ears_stimuli_comrades_and_messages_that_depend_on_unseen_raiders_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, peeks: Callable[[World, float], None], what: str
) -> None:
    honest = perceive_stage.notice

    def knows(world: World) -> None:
        honest(world)
        peeks(world, float(world.units.x[world.units.living(0)[0]]))

    monkeypatch.setattr(perceive_stage, "notice", knows)
    assert any(f"a guard's {what} depends on units" in f for f in failures(tmp_path, "no_cheating", seen=False))


@pytest.mark.parametrize("bias", [0.0, 8.0])
def test_a_search_biased_to_the_true_position_is_reported(bias: float) -> None:
    """Run the level ``fork`` for 125 ticks, which its first search lasts.

    The setting ``minds.truth_bias`` is 0 in the game.
    """
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


def test_only_exhibits_set_an_unfair_setting(tmp_path: Path) -> None:
    """Read the defaults and all level scripts.

    No default is unfair, and missions and regression levels set none of the unfair settings.
    """
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
    assert {"fork.bias", "sixteen_watchers"} <= shown


def test_unperceived_raiders_change_places_with_others_of_their_side_and_movement_class(tmp_path: Path) -> None:
    """Permute four raiders: two that walk change places.

    The crawler keeps its place, and so does the raider that the guard hears.
    """
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
def test_a_meter_that_does_not_rise_by_the_table_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, law: str, factor: float
) -> None:
    honest = perceive_stage._look

    def hasty(world: World) -> None:
        before = world.units.meter.copy()
        honest(world)
        world.units.meter[:] = before + (world.units.meter - before) * factor

    monkeypatch.setattr(perceive_stage, "_look", hasty)
    assert failures(tmp_path, law, seen=True) != []


def test_orders_to_other_units_and_low_walls_do_not_suspend_by_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report a meter that rises 2 % too fast despite orders and a crate.

    The orders go to a raider far off in each tick; the crate stands elsewhere.
    """
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
    for wrong in (False, True):
        if wrong:
            monkeypatch.setattr(perceive_stage, "_look", hasty)
        found[wrong] = run_level(write(tmp_path, builder), script=script, recording=False).failures()
    assert found[False] == [] and found[True] != []


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (lambda meter: np.where(meter > 0.3, 1.0, meter), "full but no unit was identified"),
        (lambda meter: np.where(meter >= 1.0, 0.9, meter), "identified but the meter stands at 0.90"),
    ],
)
def test_a_meter_that_contradicts_the_state_of_the_guard_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[np.ndarray], np.ndarray], told: str
) -> None:
    honest = perceive_stage._look

    def shows(world: World) -> None:
        honest(world)
        world.units.meter[:] = fault(world.units.meter)

    monkeypatch.setattr(perceive_stage, "_look", shows)
    assert any(told in f for f in failures(tmp_path, "meter_is_state", seen=True))


def lost(folder: Path) -> list[str]:
    """Return the failures of a run; a seen raider runs behind a wall."""
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
def test_a_possibility_map_without_the_true_position_is_reported(
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
def test_a_sound_distance_straight_through_walls_is_reported(
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
