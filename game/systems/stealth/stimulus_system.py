"""What watchers notice without having made anybody out: steps near by, sounds with a place, things that look odd.

The last part of perceiving, after the eyes.  Minds get it as event bits and columns of their own ears (steps), or as
a message after a reaction time of their own (everything else); nothing here tells them where anybody really is.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.core.rand import Stream, uniform
from ai.decision.message_router import Redundancy
from ai.perception.awareness.reaction import Task, reaction_ticks
from ai.perception.hearing.hearing import HearingBehaviour
from ai.perception.sight.line_of_sight import line_clear
from ai.perception.stimuli.stimulus_board import SIGHTS, SOUNDS, Stimulus, StimulusKind
from game.systems.noise import masking, path_of_sound, record_sound, rooms, step_noise
from game.systems.stealth.stimulus_sources import SEEN_FROM, move_bodies
from game.world.units import Event, Stance
from game.world.world import World

STIMULUS = "STIMULUS"
"""Message to a guard's mind: something came to its attention."""

EARS = {"people": 0, "dog": 1}
"""Rows of the table of keenness."""

WORDS = {
    StimulusKind.IMPACT: "something fall",
    StimulusKind.VOICE: "a whistle",
    StimulusKind.DOOR_NOISE: "a door",
    StimulusKind.FALL: "a scuffle",
    StimulusKind.DOOR: "a door that was not so",
    StimulusKind.LAMP: "a lamp that was not so",
    StimulusKind.BODY: "a body",
    StimulusKind.MISSING: "nothing of a comrade any more",
}

_LATEST = 4
"""Ticks by which reactions differ from unit to unit."""


def listeners(world: World) -> np.ndarray:
    """Slots of the living units that have ears for noise."""
    u = world.units
    has_ears = np.array([t.ears in EARS for t in world.types])
    return np.flatnonzero(has_ears[u.kind[: u.count]] & (u.alive[: u.count] == 1))


def keenness(world: World, slots: np.ndarray) -> np.ndarray:
    """Factor on every radius for each listener: its kind's ears, what it does, and machines beside it."""
    u = world.units
    ears = np.array([EARS.get(t.ears, 0) for t in world.types], np.uint8)[u.kind[slots]]
    doing = np.where(u.mood[slots] > 0, np.uint8(HearingBehaviour.ALERT), np.uint8(HearingBehaviour.UNAWARE))
    doing[u.asleep[slots] == 1] = HearingBehaviour.ASLEEP
    return world.ears.keenness_of(ears, doing) * masking(world, u.x[slots], u.y[slots])


def notice(world: World) -> None:
    """Let watchers hear and see what is neither an enemy made out nor one half made out."""
    slots = listeners(world)
    if not len(slots):
        return
    keen = keenness(world, slots)
    if world.settings.noise.steps:
        _hear_steps(world, slots, keen)
    move_bodies(world)
    if world.stimuli.items:
        _attend(world, slots, keen)


def _hear_steps(world: World, slots: np.ndarray, keen: np.ndarray) -> None:
    u, n = world.units, world.units.count
    noise, lasts = step_noise(world)
    # Nobody listens to its own side's steps.
    only = int(u.side[slots[0]])
    if (u.side[slots] == only).all():
        noise[u.side[:n] == only] = 0.0
    listening = np.zeros(n, np.uint8)
    listening[slots] = 1
    keenness_column = np.zeros(n)
    keenness_column[slots] = keen
    ears = world.ears
    ears.settings = world.settings.hearing
    by_rooms = rooms(world) if world.settings.noise.by_rooms else None
    before = u.event[:n].copy()
    ears.update(
        world.tick, world.terrain.opaque, (), ids=u.id[:n], alive=u.alive[:n], side=u.side[:n], x=u.x[:n], y=u.y[:n],
        noise=noise, listening=listening, keenness=keenness_column, event=u.event[:n], rooms=by_rooms, lasts=lasts,
    )  # fmt: skip
    told = np.flatnonzero(u.event[:n] != before)
    located = (u.event[told] & ~before[told] & np.uint32(Event.LOCATED)) != 0
    for slot in told[located].tolist():
        world.happen("heard", int(u.id[slot]), int(ears.heard_source[slot]), "located")
    heard = ~located & ((u.event[told] & ~before[told] & np.uint32(Event.HEARD)) != 0)
    for slot in told[heard].tolist():
        world.happen("heard", int(u.id[slot]), text="something")
    for slot in np.flatnonzero(noise > 1.0).tolist()[:64]:
        record_sound(world, 0, float(u.x[slot]), float(u.y[slot]), float(noise[slot]), int(u.id[slot]))


def interest_of(world: World, slots: np.ndarray) -> np.ndarray:
    """Kinds of stimuli that concern each watcher now: who fights minds nothing else, who sleeps only hears."""
    u = world.units
    interest = np.full(len(slots), int(SOUNDS | SIGHTS | StimulusKind.MISSING), np.int64)
    interest[u.asleep[slots] == 1] = int(SOUNDS)
    interest[(u.asleep[slots] == 0) & (u.meter[slots] >= 1.0)] = 0
    return interest


def _attend(world: World, slots: np.ndarray, keen: np.ndarray) -> None:
    u = world.units

    def handle(row: int, stimulus: Stimulus) -> bool:
        slot = int(slots[row])
        if stimulus.kind == StimulusKind.MISSING and stimulus.thing == u.id[slot]:
            return False  # he who is missed, and lives, misses nobody
        if stimulus.kind & SOUNDS:
            path = path_of_sound(world, stimulus.x, stimulus.y, float(u.x[slot]), float(u.y[slot]))
            return path <= stimulus.radius * float(keen[row])
        if stimulus.kind & SIGHTS:
            return sees_thing(world, slot, stimulus)
        return True

    answers = world.stimuli.update(
        world.tick, u.id[slots], u.side[slots], interest_of(world, slots), u.x[slots], u.y[slots], handle,
        np.maximum(1.0, keen),
    )  # fmt: skip
    for row, stimulus in answers:
        _tell(world, int(slots[row]), stimulus)


def sees_thing(world: World, slot: int, stimulus: Stimulus) -> bool:
    """Whether a watcher has a thing that lies or hangs somewhere in view: range, light, cover, angle, then the line."""
    u, kind = world.units, world.types[int(world.units.kind[slot])]
    dx, dy = stimulus.x - float(u.x[slot]), stimulus.y - float(u.y[slot])
    far = math.hypot(dx, dy)
    settings = world.settings.vision
    lit = world.light.at(stimulus.x, stimulus.y) / 255.0
    if stimulus.kind == StimulusKind.LAMP:
        lit = 1.0  # a lamp that is out is missed where its light should be
    limit = min(kind.cone_range, stimulus.radius) * (settings.dark_reach + (1 - settings.dark_reach) * lit)
    if stimulus.kind == StimulusKind.BODY:
        hiding = settings.hiding()
        ground = min(int(world.terrain.cover[int(stimulus.y), int(stimulus.x)]), len(hiding) - 1)
        limit = min(limit, float(hiding[ground, Stance.PRONE]))
    if far > limit:
        return False
    off = math.remainder(math.atan2(dy, dx) - float(u.head[slot]), math.tau)
    if far > 0.8 and abs(off) > kind.cone_half_angle:
        return False
    y, x = int(stimulus.y), int(stimulus.x)
    return bool(line_clear(world.terrain.opaque, int(u.y[slot]), int(u.x[slot]), y, x))


def see_body(world: World, watchers: NDArray[np.int64], body: int) -> bool:
    """Whether any of the watchers (slots) has the dead of another slot in view: by the rule for all that lies about."""
    u = world.units
    if u.hidden[body]:
        return False
    x, y = float(u.x[body]), float(u.y[body])
    near = watchers[(u.x[watchers] - x) ** 2 + (u.y[watchers] - y) ** 2 <= SEEN_FROM * SEEN_FROM]
    thing = Stimulus(0, StimulusKind.BODY, 0, x, y, SEEN_FROM, world.tick, 0, -1, int(u.id[body]), 0, False)
    return any(sees_thing(world, watcher, thing) for watcher in near.tolist())


def _tell(world: World, slot: int, stimulus: Stimulus) -> None:
    """The mind learns of it after its reaction time (Game AI Pro 2, ch. 5), another for each unit."""
    unit = int(world.units.id[slot])
    heard = bool(stimulus.kind & SOUNDS)
    late = int(uniform(world.seed, Stream.GUARD, world.tick, unit, 120) * _LATEST)
    words = WORDS[StimulusKind(stimulus.kind)]
    data: dict[str, float | int | str] = {
        "x": stimulus.x,
        "y": stimulus.y,
        "kind": stimulus.kind,
        "thing": stimulus.thing,
        "since": stimulus.created,
        "why": f"it {'heard' if heard or stimulus.kind == StimulusKind.MISSING else 'saw'} {words}",
    }
    world.happen("heard" if heard else "found", unit, stimulus.thing, words)
    if world.router is not None:
        delay = reaction_ticks(Task.RECOGNITION, heard=heard) + late
        # What is noticed while another thing is still sinking in is not lost.
        world.router.send(STIMULUS, -1, unit, world.tick, delay, data=data, redundancy=Redundancy.KEEP)
