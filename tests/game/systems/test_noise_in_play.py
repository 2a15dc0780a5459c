"""Noise in the running game: steps, stones, shots, alarms, falls, doors and machines.

Oracles: radii calculated from the tables, and two runs that differ in one condition.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from ai.perception.stimuli.stimulus_board import StimulusKind
from game.level.level_writer import LEVELS, LevelBuilder
from game.level.reading import load_level
from game.minds.agent_view import AgentView
from game.minds.alarm import shout
from game.minds.explain import sentence_of
from game.sim.create_world import create_world
from game.sim.stages import fight_stage
from game.sim.tick import tick
from game.systems.interaction.hand_work import use
from game.systems.noise import emit_shot, step_noise
from game.systems.stealth.stimulus_system import notice
from game.world.orders import OrderKind
from game.world.units import Event, Stance
from tests.game.sim.play import ROOMS, YARD, Play, guard, raider, yard


def heard(folder: Path, ground: str = "s", pace: int = 1, stance: int = 0, far: float = 5.0) -> bool:
    """Return whether a guard hears a raider that passes ``far`` tiles behind it."""
    builder = yard("\n".join([ground * 30] * 14))
    guard(builder, 15.5, 2.5, facing=270.0)
    raider(builder, 13.5, 2.5 + far)
    play = Play(folder, builder, vision__touch_stand=0.0)
    play.order("Ann", OrderKind.PACE, value=float(pace))
    play.order("Ann", OrderKind.STANCE, value=float(stance))
    play.order("Ann", OrderKind.MOVE, x=17.5, y=2.5 + far)
    while not play.happened("heard") and not play.happened("arrived", "Ann") and play.world.tick < 120:
        play.run()
    return bool([e for e in play.happened("heard", "Odo") if e.text in ("something", "steps")])


def test_a_run_is_heard_farther_than_a_walk_and_a_walk_farther_than_a_crouched_step(tmp_path: Path) -> None:
    assert heard(tmp_path)
    assert not heard(tmp_path, pace=0)
    assert not heard(tmp_path, stance=int(Stance.CROUCH))
    assert heard(tmp_path, pace=0, far=2.0)
    assert not heard(tmp_path, stance=int(Stance.CROUCH), far=2.0)


def test_gravel_is_louder_than_grass(tmp_path: Path) -> None:
    assert not heard(tmp_path, ".", far=6.5)
    assert heard(tmp_path, "g", far=6.5)
    assert heard(tmp_path, "g", pace=0, far=3.5)


def rooms_level(shut: bool) -> LevelBuilder:
    builder = yard(ROOMS)
    builder.add("door", 13, 4, 1, 1, name="door", open=not shut)
    guard(builder, 18.5, 4.5, facing=0.0)
    raider(builder, 6.5, 4.5)
    return builder


def test_closing_a_door_changes_who_hears_a_stone(tmp_path: Path) -> None:
    """Throw a stone eight tiles from the guard, measured through the door.

    A shut door adds six tiles.
    """
    for shut, told in ((False, True), (True, False)):
        play = Play(tmp_path, rooms_level(shut), noise__stone=8.5).run()
        play.order("Ann", OrderKind.THROW, x=10.5, y=4.5)
        play.run(40)
        assert play.happened("thrown", "Ann")
        assert bool(play.happened("heard", "Odo")) == told


def test_a_generator_masks_a_noise(tmp_path: Path) -> None:
    for machine in (False, True):
        builder = yard()
        guard(builder, 20.5, 7.5, facing=0.0)
        raider(builder, 6.5, 7.5)
        if machine:
            builder.add("prop", 21.5, 9.5, kind="generator")
        play = Play(tmp_path, builder).run()
        play.order("Ann", OrderKind.THROW, x=14.5, y=7.5)
        play.run(40)
        assert bool(play.happened("heard", "Odo")) != machine


def test_a_stone_draws_a_guard_to_its_place_without_an_alarm(tmp_path: Path) -> None:
    builder = yard(night=True)
    guard(builder, 20.5, 7.5, facing=0.0)
    raider(builder, 6.5, 12.5)
    play = Play(tmp_path, builder).run()
    play.order("Ann", OrderKind.THROW, x=14.5, y=7.5)
    nearest = math.inf
    for _ in range(200):
        play.run()
        slot = play.slot("Odo")
        nearest = min(nearest, math.hypot(play.world.units.x[slot] - 14.5, play.world.units.y[slot] - 7.5))
    assert nearest < 2.0
    assert not play.happened("alarm")


def test_a_sleeper_hears_a_whistle_within_1_65_tiles(tmp_path: Path) -> None:
    """Whistle at two distances: a sleeper hears 0.15 of its 11 tiles."""
    for far, woken in ((1.5, True), (1.8, False)):
        builder = yard()
        guard(builder, 15.5, 2.5, asleep=True)
        raider(builder, 15.5, 2.5 + far)
        play = Play(tmp_path, builder, vision__touch_stand=0.0).run()
        play.order("Ann", OrderKind.WHISTLE)
        play.run(40)
        assert bool(play.happened("woken", "Odo")) == woken


def carried(folder: Path, case: str, sound: str) -> int:
    """Return the number of guards that hear one shot or one alarm.

    The listener Odo is ten or eighteen tiles off; Cai raises the alarm.
    """
    walled = case in ("shut", "open")
    builder = yard(ROOMS if walled else YARD)
    if walled:
        builder.add("door", 13, 4, 1, 1, name="door", open=case == "open")
    x = 24.5 if case in ("far", "dog") else 16.5
    guard(builder, x, 4.5, asleep=case == "asleep", kind="dog" if case == "dog" else "guard")
    guard(builder, 6.5, 4.5, "Cai", facing=180.0)
    raider(builder, 6.5, 5.5)
    if case == "machine":
        builder.add("prop", 16.5, 5.5, kind="generator")
    play = Play(folder, builder, minds__earshot=13.0)
    world, u = play.world, play.world.units
    if sound == "shot":
        u.alive[play.slot("Cai")] = 0
        emit_shot(world, play.unit("Ann"), -1)
        notice(world)
        return sum(len(s.hearers) for s in world.stimuli.items if s.kind == StimulusKind.SHOT)
    return shout(AgentView(world, play.slot("Cai"), 0), 6.5, 5.5, play.unit("Ann"), 0)


@pytest.mark.parametrize("sound", ["cry", "shot"])
def test_shots_and_alarms_follow_the_rules_of_all_sounds(tmp_path: Path, sound: str) -> None:
    """Compare the cases with radii calculated by hand.

    An alarm carries 13 tiles and the shot of a carbine 16.
    Ten tiles in a yard or through an open door are near enough; a shut door adds six tiles and the path round its post.
    A sleeper hears 0.15 of the radius, and one tile from a generator a sixth is left.
    Eighteen tiles are too far for a guard, but not for a dog.
    """
    told = {c: carried(tmp_path, c, sound) for c in ("yard", "open", "asleep", "machine", "far", "dog", "shut")}
    assert told == {"yard": 1, "open": 1, "asleep": 0, "machine": 0, "far": 0, "dog": 1, "shut": 0}


def test_a_near_guard_searches_for_the_source_of_a_shot_and_its_target_turns_to_it(tmp_path: Path) -> None:
    """Fire a carbine, which is heard within 16 tiles.

    The guard 10 tiles off searches, the one 30 tiles off does not; the target of the shot turns round.
    """
    builder = yard("\n".join(["." * 60] * 20))
    guard(builder, 20.5, 10.5, facing=0.0)
    guard(builder, 40.5, 10.5, "Udo", facing=0.0)
    raider(builder, 10.5, 10.5)
    builder.add("spawn", 10.5, 17.5, name="Vic", side="yellow", kind="soldier", facing=90.0)
    play = Play(tmp_path, builder, vision__touch_stand=0.0, minds__alarm_spreads=False).run(5)
    world, u = play.world, play.world.units
    emit_shot(world, play.unit("Ann"), play.unit("Vic"))
    play.run(14)
    assert [e.text for e in play.happened("heard", "Odo")] == ["a shot"]
    assert not play.happened("heard", "Udo")
    assert world.minds[play.unit("Odo")].skill == "search" and world.minds[play.unit("Udo")].skill == "round"
    assert "it heard a shot 10 tiles off" in sentence_of(world, play.unit("Odo"))
    play.run(10)
    assert u.facing[play.slot("Vic")] == pytest.approx(-math.pi / 2)


def test_a_fall_is_heard_close_by(tmp_path: Path) -> None:
    """Let a guard fall 2.5 and 4.5 tiles from another one.

    A fall is heard within 3 tiles.
    The noise of shots is switched off.
    """
    for far, told in ((2.5, True), (4.5, False)):
        builder = yard()
        guard(builder, 14.5, 7.5, "Cai", facing=0.0)
        guard(builder, 14.5 + far, 7.5, facing=0.0)
        raider(builder, 10.5, 7.5)
        play = Play(tmp_path, builder, minds__hears_shots=False, noise__fall=3.0).run()
        play.world.units.hp[play.slot("Cai")] = 1
        fight_stage._land(play.world, play.slot("Ann"), play.unit("Cai"), struck=True)
        play.run(8)
        assert not play.world.units.alive[play.slot("Cai")]
        assert bool([e for e in play.happened("heard", "Odo") if e.text == "a scuffle"]) == told


@pytest.mark.parametrize(("pace", "stance", "factor"), [(0, 0, 1.0), (1, 0, 1.0), (0, 1, 0.7)])
def test_steps_sound_when_a_foot_comes_down_and_at_no_other_tick(
    tmp_path: Path, pace: int, stance: int, factor: float
) -> None:
    """Compare the ticks of footfalls, noises and hearing with the cadence of the speed.

    A foot comes down twice a cycle.
    The noise reaches 7 tiles at running speed, in proportion to speed and by stance, and at least 0.9 tiles.
    """
    builder = yard("\n".join(["s" * 60] * 14))
    guard(builder, 30.5, 2.5, facing=270.0)
    raider(builder, 4.5, 3.7)
    play = Play(tmp_path, builder, vision__touch_stand=0.0, noise__door=0.0)
    play.order("Ann", OrderKind.PACE, value=float(pace))
    play.order("Ann", OrderKind.STANCE, value=float(stance))
    play.order("Ann", OrderKind.MOVE, x=56.5, y=3.7)
    play.run(20)
    world, u = play.world, play.world.units
    ann, odo, leg = play.slot("Ann"), play.slot("Odo"), world.settings.rules.leg
    falls, phase = [], 2.0 * float(u.gait[ann])
    for _ in range(120):
        noise, speed = float(step_noise(world)[0][ann]), float(np.hypot(u.vx[ann], u.vy[ann]))
        fell = bool(u.footfall[ann])
        assert noise == pytest.approx(max(0.9, 7.0 * speed / 4.0 * factor) if fell else 0.0)
        heard = world.ears.noise_tick[odo]
        play.run()
        near = math.hypot(u.prev_x[ann] - u.x[odo], u.prev_y[ann] - u.y[odo]) <= noise
        assert (world.ears.noise_tick[odo] != heard) == (fell and near)
        before, v = phase, 20.0 * float(np.hypot(u.x[ann] - u.prev_x[ann], u.y[ann] - u.prev_y[ann])) / leg
        turn = abs(float(u.facing[ann] - u.prev_facing[ann])) * 20.0 / math.pi
        phase += max(v / (math.sqrt(min(v, 2.5)) / 0.743), turn) / 10.0
        assert int(u.footfall[ann]) == math.floor(phase) - math.floor(before)
        if u.footfall[ann]:
            falls.append(world.tick)
    gaps = np.diff(falls)
    seconds = math.sqrt(min(speed / leg, 2.5)) * leg / 0.743 / 2.0 / speed
    assert len(gaps) > 3 and abs(gaps.mean() / 20.0 - seconds) < 0.1 * seconds
    assert gaps.max() - gaps.min() <= 1


def test_each_event_has_a_bit_of_its_own() -> None:
    assert sum(Event) == 2 * max(Event) - 1, "each event is one bit"


def test_with_priorities_a_lesser_stimulus_does_not_replace_a_greater_one() -> None:
    """Register an impact and then a door before the guard has reacted.

    With ``minds.priorities`` off the guard investigates the later stimulus.
    """
    places = {}
    for priorities in (True, False):
        world = create_world(load_level(LEVELS / "exhibits/senses/two_things.tmx"), 2)
        world.settings.minds.priorities = priorities
        for _ in range(3):
            tick(world)
        world.stimuli.register(StimulusKind.IMPACT, world.tick, 12.5, 2.0, 60.0, lasts=8)
        for _ in range(4):
            tick(world)
        world.stimuli.register(StimulusKind.DOOR_NOISE, world.tick, 16.5, 10.5, 60.0, lasts=8)
        for _ in range(24):
            tick(world)
        found = world.minds[0].beliefs.investigation
        places[priorities] = found.x, found.y
    assert places == {True: (12.5, 2.0), False: (16.5, 10.5)}


@pytest.mark.parametrize("loud", [5.0, 0.0])
def test_a_door_that_is_opened_behind_a_guard_is_heard(tmp_path: Path, loud: float) -> None:
    builder = yard(ROOMS)
    builder.add("door", 13, 4, 1, 1, name="door")
    guard(builder, 17.0, 4.5, facing=0.0)
    raider(builder, 12.0, 4.5)
    play = Play(tmp_path, builder, noise__steps=False, noise__door=loud).run(2)
    use(play.world, play.slot("Ann"), play.world.door("door"))
    play.run(8)
    assert [e.text for e in play.happened("heard", "Odo")] == (["a door"] if loud else [])
