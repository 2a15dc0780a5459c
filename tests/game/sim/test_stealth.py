"""Light, noise and the raiders' tools in the running game.

Oracles: distances and radii worked out by hand from the tables, and two runs that differ in one thing.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ai.perception.stimuli import StimulusKind
from game.level.build import LEVELS, LevelBuilder
from game.level.reading import load_level
from game.minds.alarm import shout, spread_noise
from game.minds.body import Body
from game.sim.create import create_world
from game.sim.session import Session
from game.sim.stages import fight
from game.sim.tick import tick
from game.world.foresight import lightness, seen_by
from game.world.orders import Order, OrderKind
from game.world.sounds import step_noise
from game.world.units import Event, Stance

from .small_levels import load, write

YARD = "\n".join(["s" * 30] * 14)
ROOMS = "\n".join(
    [
        "##############################",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "#sssssssssssssssssssssssssssss",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "##############################",
    ]
)


class Play:
    """A small level being played; happenings are kept."""

    def __init__(self, folder: Path, builder: LevelBuilder, **settings: Any) -> None:
        self.session = Session(
            load(write(folder, builder)), settings={k.replace("__", "."): v for k, v in settings.items()}
        )
        self.world = self.session.world
        self.seen: list[Any] = []

    def unit(self, name: str) -> int:
        return next(i for i, n in self.world.names.items() if n == name)

    def slot(self, name: str) -> int:
        return self.world.units.slot(self.unit(name))

    def order(self, name: str, kind: OrderKind, **more: Any) -> None:
        self.session.give(Order(int(kind), int(self.world.units.side[self.slot(name)]), (self.unit(name),), **more))

    def run(self, ticks: int = 1) -> Play:
        for _ in range(ticks):
            self.session.advance()
            self.seen += self.world.events
        return self

    def happened(self, kind: str, name: str | None = None) -> list[Any]:
        return [e for e in self.seen if e.kind == kind and (name is None or e.unit == self.unit(name))]


def yard(rows: str = YARD, **properties: Any) -> LevelBuilder:
    return LevelBuilder.from_letters(rows, title="Yard", **properties)


def raider(builder: LevelBuilder, x: float, y: float, name: str = "Ann", **more: Any) -> None:
    builder.add("spawn", x, y, name=name, side="raiders", kind=more.pop("kind", "raider"), **more)


def guard(builder: LevelBuilder, x: float, y: float, name: str = "Odo", **more: Any) -> None:
    builder.add("spawn", x, y, name=name, side="guards", kind=more.pop("kind", "guard"), **more)


# --- light -------------------------------------------------------------------------------------------------------
def watched(folder: Path, **more: Any) -> Play:
    """A raider nine tiles before a guard's eyes, a lamp over the raider."""
    builder = yard(**{k: v for k, v in more.items() if k == "night"})
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 13.5, 7.5)
    builder.add("light", 13.5, 7.5, name="lamp", radius=3.0, **{k: v for k, v in more.items() if k != "night"})
    return Play(folder, builder)


def test_the_dark_hides_and_a_lamp_betrays(tmp_path: Path) -> None:
    for on, night, found in ((True, True, True), (False, True, False), (False, False, True)):
        play = watched(tmp_path, on=on, night=night).run(160)
        assert bool(play.happened("identified", "Odo")) == found


def test_what_is_foretold_of_a_tile_is_what_the_guard_finds_in_the_next_tick(tmp_path: Path) -> None:
    """Foresight says in how many seconds; the meter of the real guard rises by exactly one tick of that."""
    builder = yard(night=True)
    guard(builder, 4.5, 7.5, facing=0.0)
    raider(builder, 20.5, 2.5)
    builder.add("light", 9.5, 6.5, name="lamp", radius=6.0)
    play = Play(tmp_path, builder).run(2)
    u, eyes = play.world.units, play.slot("Odo")
    rng = np.random.default_rng(3)
    for _ in range(40):
        x, y = (int(v) for v in rng.integers((1, 1), (16, 13)))
        stance = int(rng.integers(3))
        told = {s.watcher: s.seconds for s in seen_by(play.world, 0, x + 0.5, y + 0.5, stance)}
        slot = play.slot("Ann")
        u.x[slot], u.y[slot], u.stance[slot] = x + 0.5, y + 0.5, stance
        u.prev_x[slot], u.prev_y[slot] = x + 0.5, y + 0.5
        u.vx[slot] = u.vy[slot] = 0.0
        u.meter[eyes], u.meter_target[eyes], u.event[eyes] = 0.0, -1, 0
        before = float(u.head[eyes])
        play.run()
        u.head[eyes] = before
        seconds = told.get(play.unit("Odo"))
        expected = 0.0 if seconds is None else min(1.0, 0.05 / seconds)
        assert float(u.meter[eyes]) == pytest.approx(expected, abs=1e-9)


def test_a_torch_walks_with_its_guard_and_lies_where_he_falls(tmp_path: Path) -> None:
    builder = yard(night=True)
    guard(builder, 4.5, 7.5, facing=0.0, torch=True, route="beat")
    builder.add("route", name="beat", points=((4.5, 7.5), (24.5, 7.5)))
    play = Play(tmp_path, builder)
    here, there = [], []
    for _ in range(200):
        play.run()
        here.append(lightness(play.world, 4.5, 7.5))
        there.append(lightness(play.world, 18.5, 7.5))
    assert here[0] > 0.8 and there[0] < 0.2
    assert here[-1] < 0.2 and there[-1] > 0.5
    from game.world.bodies import kill

    kill(play.world, play.slot("Odo"))
    x = float(play.world.units.x[play.slot("Odo")])
    play.run(5)
    assert lightness(play.world, x, 7.5) > 0.8


def test_the_hook_puts_a_lamp_out_and_only_who_has_one_can(tmp_path: Path) -> None:
    for kind, works in (("lamplighter", True), ("thrower", False)):
        builder = yard(night=True)
        raider(builder, 8.5, 7.5, kind=kind)
        builder.add("light", 13.5, 7.5, name="lamp", radius=6.0)
        play = Play(tmp_path, builder).run()
        lamp = play.world.lamp("lamp")
        play.order("Ann", OrderKind.USE, x=13.5, y=7.5, target=lamp.id)
        play.run(200)
        assert lamp.on != works
        assert (lightness(play.world, 13.5, 7.5) > 0.9) != works
        assert bool(play.happened("gave_up", "Ann")) != works


# --- noise -------------------------------------------------------------------------------------------------------
def heard(folder: Path, ground: str = "s", pace: int = 1, stance: int = 0, far: float = 5.0) -> bool:
    """Whether a guard with his back to the road hears somebody who passes behind him."""
    builder = yard("\n".join([ground * 30] * 14))
    guard(builder, 15.5, 2.5, facing=270.0)
    raider(builder, 11.5, 2.5 + far)
    play = Play(folder, builder, vision__touch_stand=0.0)
    play.order("Ann", OrderKind.PACE, value=float(pace))
    play.order("Ann", OrderKind.STANCE, value=float(stance))
    play.order("Ann", OrderKind.MOVE, x=19.5, y=2.5 + far)
    return bool([e for e in play.run(160).happened("heard", "Odo") if e.text in ("something", "located")])


def test_who_runs_is_heard_who_walks_or_creeps_is_not(tmp_path: Path) -> None:
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
    """From (10.5, 4.5) through the door at (13.5, 4.5) to the guard it is eight tiles; a shut door adds six."""
    for shut, told in ((False, True), (True, False)):
        play = Play(tmp_path, rooms_level(shut), noise__stone=8.5).run()
        play.order("Ann", OrderKind.THROW, x=10.5, y=4.5)
        play.run(40)
        assert play.happened("thrown", "Ann")
        assert bool(play.happened("heard", "Odo")) == told


def test_a_generator_drowns_a_noise(tmp_path: Path) -> None:
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


def test_a_stone_draws_a_guard_to_where_it_fell_and_no_further(tmp_path: Path) -> None:
    builder = yard(night=True)
    guard(builder, 20.5, 7.5, facing=0.0)
    raider(builder, 6.5, 12.5)
    play = Play(tmp_path, builder).run()
    play.order("Ann", OrderKind.THROW, x=14.5, y=7.5)
    nearest = math.inf
    for _ in range(300):
        play.run()
        slot = play.slot("Odo")
        nearest = min(nearest, math.hypot(play.world.units.x[slot] - 14.5, play.world.units.y[slot] - 7.5))
    assert nearest < 2.0
    assert not play.happened("alarm")


def test_a_sleeper_hears_but_little(tmp_path: Path) -> None:
    """Ears asleep are worth 0.15: of the eleven tiles of a whistle 1.65 are left."""
    for far, woken in ((1.5, True), (1.8, False)):
        builder = yard()
        guard(builder, 15.5, 2.5, asleep=True)
        raider(builder, 15.5, 2.5 + far)
        play = Play(tmp_path, builder, vision__touch_stand=0.0).run()
        play.order("Ann", OrderKind.WHISTLE)
        play.run(40)
        assert bool(play.happened("woken", "Odo")) == woken


def carried(folder: Path, case: str, sound: str) -> int:
    """How many guards one shot or one cry reaches: Odo, ten tiles off, and in the case of a cry not Cai himself."""
    walled = case in ("shut", "open")
    builder = yard(ROOMS if walled else YARD)
    if walled:
        builder.add("door", 13, 4, 1, 1, name="door", open=case == "open")
    guard(builder, 16.5, 4.5, asleep=case == "asleep", kind="dog" if case == "dog" else "guard")
    guard(builder, 6.5, 4.5, "Cai", facing=180.0)
    raider(builder, 6.5, 5.5)
    if case == "machine":
        builder.add("prop", 16.5, 5.5, kind="generator")
    play = Play(folder, builder, minds__earshot=13.0)
    world, u = play.world, play.world.units
    if sound == "shot":
        u.alive[play.slot("Cai")] = 0
        world.happen("shot", play.unit("Ann"), -1, "miss")
        return spread_noise(world)
    return shout(Body(world, play.slot("Cai"), 0), 6.5, 5.5, play.unit("Ann"), 0)


@pytest.mark.parametrize("sound", ["cry", "shot"])
def test_shots_and_cries_go_by_the_law_of_all_sounds(tmp_path: Path, sound: str) -> None:
    """A cry carries 13 tiles, a carbine's shot 16: ten through an open door are near enough, a shut one adds six to
    them and the little way round its post; asleep 0.15 of it is left, a tile from a generator a sixth."""
    told = {c: carried(tmp_path, c, sound) for c in ("yard", "open", "asleep", "machine", "dog", "shut")}
    assert told == {"yard": 1, "open": 1, "asleep": 0, "machine": 0, "dog": 1, "shut": 0}


def test_who_falls_is_heard_close_by(tmp_path: Path) -> None:
    """A body that falls is heard three tiles off, however quiet the weapon was."""
    for far, told in ((2.5, True), (4.5, False)):
        builder = yard()
        guard(builder, 14.5, 7.5, "Cai", facing=0.0)
        guard(builder, 14.5 + far, 7.5, facing=0.0)
        raider(builder, 10.5, 7.5)
        play = Play(tmp_path, builder, minds__hears_shots=False, noise__fall=3.0).run()
        play.world.units.hp[play.slot("Cai")] = 1
        fight._land(play.world, play.slot("Ann"), play.unit("Cai"), struck=True)
        play.run(8)
        assert not play.world.units.alive[play.slot("Cai")]
        assert bool([e for e in play.happened("heard", "Odo") if e.text == "a scuffle"]) == told


@pytest.mark.parametrize(("pace", "stance", "factor", "long"), [(0, 0, 1.0, 1.0), (1, 0, 1.0, 1.7), (0, 1, 0.7, 1.0)])
def test_steps_sound_when_a_foot_comes_down_and_at_no_other_tick(
    tmp_path: Path, pace: int, stance: int, factor: float, long: float
) -> None:
    """A foot comes down every stride, in a run every 1.7 strides: in stride / speed seconds.  In exactly those ticks
    there is a noise, of 7 tiles at a running speed and by stance, and exactly then the guard hears it."""
    builder = yard("\n".join(["s" * 60] * 14))
    guard(builder, 30.5, 2.5, facing=270.0)
    raider(builder, 4.5, 3.7)
    play = Play(tmp_path, builder, vision__touch_stand=0.0, noise__door=0.0)
    play.order("Ann", OrderKind.PACE, value=float(pace))
    play.order("Ann", OrderKind.STANCE, value=float(stance))
    play.order("Ann", OrderKind.MOVE, x=56.5, y=3.7)
    play.run(20)
    world, u = play.world, play.world.units
    ann, odo, stride = play.slot("Ann"), play.slot("Odo"), world.settings.rules.stride * long
    way, falls, phase = 0.0, [], 2.0 * float(u.gait[ann])
    for _ in range(120):
        noise, speed = float(step_noise(world)[0][ann]), float(np.hypot(u.vx[ann], u.vy[ann]))
        fell = bool(u.footfall[ann])
        assert noise == pytest.approx(max(0.9, 7.0 * speed / 4.0 * factor) if fell else 0.0)
        heard = world.ears.noise_tick[odo]
        play.run()
        near = math.hypot(u.prev_x[ann] - u.x[odo], u.prev_y[ann] - u.y[odo]) <= noise
        assert (world.ears.noise_tick[odo] != heard) == (fell and near)
        before = way
        way += float(np.hypot(u.x[ann] - u.prev_x[ann], u.y[ann] - u.prev_y[ann]))
        assert bool(u.footfall[ann]) == (math.floor(phase + way / stride) != math.floor(phase + before / stride))
        if u.footfall[ann]:
            falls.append(world.tick)
    gaps = np.diff(falls)
    seconds = stride / speed
    assert len(gaps) > 3 and abs(gaps.mean() / 20.0 - seconds) < 0.1 * seconds
    assert gaps.max() - gaps.min() <= 1


# --- hands -------------------------------------------------------------------------------------------------------
def test_a_take_down_works_from_behind_and_not_from_the_front(tmp_path: Path) -> None:
    for facing, works in ((0.0, True), (180.0, False)):
        builder = yard()
        guard(builder, 12.5, 7.5, facing=facing)
        raider(builder, 8.5, 7.5)
        play = Play(tmp_path, builder).run()
        play.order("Ann", OrderKind.STANCE, value=1.0)
        play.order("Ann", OrderKind.TAKE_DOWN, target=play.unit("Odo"))
        play.run(120)
        assert bool(play.happened("taken_down", "Odo")) == works
        if works:
            assert not play.happened("alarm")


def test_a_body_is_dragged_hidden_and_then_not_found(tmp_path: Path) -> None:
    for hide in (True, False):
        builder = yard()
        guard(builder, 12.5, 7.5, facing=0.0)
        guard(builder, 24.5, 2.5, "Udo", facing=0.0, route="late")
        builder.add("route", name="late", points=((24.5, 2.5), (24.5, 9.5), (12.5, 9.5), (4.5, 9.5)), wait=8.0)
        raider(builder, 8.5, 7.5)
        builder.add("prop", 8.5, 3.5, kind="bush", name="bush")
        play = Play(tmp_path, builder).run()
        play.order("Ann", OrderKind.STANCE, value=1.0)
        play.order("Ann", OrderKind.TAKE_DOWN, target=play.unit("Odo"))
        play.run(95)
        assert play.happened("taken_down", "Odo")
        if hide:
            play.order("Ann", OrderKind.DRAG, target=play.unit("Odo"))
            play.order("Ann", OrderKind.HIDE, target=play.world.prop("bush").id, queued=True)
            play.run(190)
            assert play.happened("hidden", "Ann")
        play.order("Ann", OrderKind.STANCE, value=0.0)
        play.order("Ann", OrderKind.MOVE, x=1.5, y=1.5)
        play.run(500)
        assert bool(play.happened("found", "Udo")) != hide
        assert bool(play.happened("alarm", "Udo")) != hide


def test_an_open_door_is_looked_into_once(tmp_path: Path) -> None:
    builder = yard(ROOMS)
    builder.add("door", 13, 4, 1, 1, name="door")
    guard(builder, 20.5, 4.5, facing=180.0)
    guard(builder, 20.5, 6.5, "Udo", facing=180.0)
    raider(builder, 12.5, 5.5)
    play = Play(tmp_path, builder, minds__mends=False).run()
    play.order("Ann", OrderKind.USE, target=play.world.door("door").id)
    play.order("Ann", OrderKind.MOVE, x=2.5, y=1.5, queued=True)
    play.run(200)
    assert play.world.door("door").open
    assert len(play.happened("found")) == 1, "the first who sees it claims it"


def test_the_tools_are_rows_of_data_and_who_has_none_says_so(tmp_path: Path) -> None:
    builder = yard()
    raider(builder, 4.5, 4.5, kind="crawler")
    guard(builder, 20.5, 4.5)
    play = Play(tmp_path, builder).run()
    play.order("Ann", OrderKind.THROW, x=8.5, y=4.5)
    play.run(10)
    assert [e.text for e in play.happened("gave_up", "Ann")] == ["it has no stone"]
    play.order("Ann", OrderKind.WHISTLE)
    play.run(30)
    assert play.happened("whistled", "Ann")


def test_located_is_an_event_bit_of_its_own() -> None:
    assert Event.LOCATED == 4096
    assert sum(Event) == 2 * max(Event) - 1, "one bit each"


def test_a_click_with_a_tool_in_hand_makes_its_order(tmp_path: Path) -> None:
    """The rows of the tools: what each wants under the cursor, and the order it makes of it."""
    from game.view.command import Situation
    from game.view.commands import BY_NAME
    from game.view.orders_input import Under, cursor_for, make_order

    raider_with_all = Situation(selected=(3,), tools=frozenset({"stone", "hook", "take_down", "drag"}))
    place = Under(8.5, 4.5)
    order = make_order(place, BY_NAME["throw"], raider_with_all, False)
    assert order is not None and (order.kind, order.x, order.y) == (OrderKind.THROW, 8.5, 4.5)
    assert make_order(place, BY_NAME["take_down"], raider_with_all, False) is None, "nobody is there"
    for name, under, kind in (
        ("take_down", Under(1.0, 1.0, enemy=7), OrderKind.TAKE_DOWN),
        ("drag", Under(1.0, 1.0, body=7), OrderKind.DRAG),
        ("hide", Under(1.0, 1.0, hider=7), OrderKind.HIDE),
    ):
        order = make_order(under, BY_NAME[name], raider_with_all, False)
        assert order is not None and (order.kind, order.target) == (kind, 7)
        assert cursor_for(name, True) != "arrow"
    lamp = make_order(Under(1.0, 1.0, lamp=9), None, raider_with_all, False)
    assert lamp is not None and (lamp.kind, lamp.target) == (OrderKind.USE, 9)
    bare = make_order(Under(1.0, 1.0, lamp=9), None, Situation(selected=(3,)), False)
    assert bare is not None and bare.kind == OrderKind.MOVE, "without a hook a lamp is ground like any other"
    assert BY_NAME["throw"].reason(Situation(selected=(3,))) == "nobody here has a stone"


def test_two_things_noticed_at_once_both_sink_in_and_the_lesser_does_not_call_him_away(tmp_path) -> None:
    """A stone's fall is heard, then a door, before the first has sunk in (each takes some ticks)."""
    places = {}
    for priorities in (True, False):
        world = create_world(load_level(LEVELS / "exhibits" / "two_things.tmx"), 2)
        world.settings.minds.priorities = priorities
        for _ in range(3):
            tick(world)
        world.stimuli.register(StimulusKind.IMPACT, world.tick, 12.5, 2.0, 60.0, lasts=8)
        for _ in range(4):
            tick(world)
        world.stimuli.register(StimulusKind.DOOR_NOISE, world.tick, 16.5, 10.5, 60.0, lasts=8)
        for _ in range(24):
            tick(world)
        memory = world.minds[0].machine.memory
        places[priorities] = memory["wonder_x"], memory["wonder_y"]
    assert places == {True: (12.5, 2.0), False: (16.5, 10.5)}
