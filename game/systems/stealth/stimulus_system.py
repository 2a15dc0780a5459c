"""Stimuli of watchers: sounds and changed things go through one board and priority.

It is the last part of perceiving, after the eyes. The ears decide which units hear a sound. The board chooses the
most important stimulus of each watcher. Its mind gets that as a message after a reaction time of its own.
Movement noise without a place only wakes a mind (Event.HEARD). Nothing here gives a mind the true position of a
unit.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.core.rand import Stream, uniform
from ai.decision.message_router import Redundancy
from ai.grid.areas import AreaGraph
from ai.perception.awareness.reaction import Task, reaction_ticks
from ai.perception.hearing.hearing import HearingBehaviour, LogicalSound
from ai.perception.sight.line_of_sight import line_clear
from ai.perception.stimuli.stimulus_board import SIGHTS, SOUNDS, Stimulus, StimulusKind
from game.systems.noise import LASTS, masking, record_hearers, record_sound, rooms, step_noise
from game.systems.stealth.stimulus_sources import SEEN_FROM, move_bodies
from game.world.units import Event, LabMark, Stance
from game.world.world import World

STIMULUS = "STIMULUS"
"""Message to a guard's mind: something came to its attention."""

EARS = {"people": 0, "dog": 1}
"""Rows of the table of keenness."""

WORDS = {
    StimulusKind.STEPS: "steps",
    StimulusKind.SHOT: "a shot",
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
    """Return each listener's factor on every radius.

    It combines the kind's ears, the present activity, and machines nearby.
    """
    u = world.units
    ears = np.array([EARS.get(t.ears, 0) for t in world.types], np.uint8)[u.kind[slots]]
    doing = np.where(u.mood[slots] > 0, np.uint8(HearingBehaviour.ALERT), np.uint8(HearingBehaviour.UNAWARE))
    doing[u.asleep[slots] == 1] = HearingBehaviour.ASLEEP
    hears = u.lab[slots] & int(LabMark.DEAF) == 0
    return world.ears.keenness_of(ears, doing) * masking(world, u.x[slots], u.y[slots]) * hears


def notice(world: World) -> None:
    """Deliver sounds and changed things to watchers.

    Enemies that are identified, or partly so, are not delivered here.
    """
    slots, u = listeners(world), world.units
    keen = _listen(world, slots)
    for sound in world.stimuli.unheard():
        sound.asked = True
        at = u.slot(sound.thing) if sound.kind == StimulusKind.SHOT and sound.thing >= 0 else -1
        if at >= 0 and sound.thing not in sound.hearers and not u.lab[at] & int(LabMark.DEAF):
            sound.hearers.append(sound.thing)
        record_hearers(world, sound, keen)
    if len(slots):
        move_bodies(world)
    if world.stimuli.items:
        _attend(world, slots)


def _listen(world: World, slots: np.ndarray) -> np.ndarray:
    """Ask the ears: first about movement, then about this tick's sounds with a place.

    Return the keenness of all units, 0 for those without ears.
    """
    u, n, ears = world.units, world.units.count, world.ears
    sounds, listening, keen = world.stimuli.unheard(), np.zeros(n, np.uint8), np.zeros(n)
    if not len(slots) or (not world.settings.noise.steps and not sounds):
        return keen
    ears.settings = world.settings.hearing
    listening[slots], keen[slots] = 1, keenness(world, slots)
    columns = {"ids": u.id[:n], "alive": u.alive[:n], "side": u.side[:n], "x": u.x[:n], "y": u.y[:n]}
    columns |= {"listening": listening, "keenness": keen}
    graph = rooms(world) if world.settings.noise.by_rooms else None
    if world.settings.noise.steps:
        _hear_steps(world, slots, columns, graph)
    if not sounds:
        return keen
    made = [LogicalSound(s.kind, s.x, s.y, s.radius, s.source, s.audience & 255) for s in sounds]
    heard = ears.hear_sounds(world.tick, world.terrain.opaque, made, **columns, rooms=graph)
    for sound, rows in zip(sounds, heard, strict=True):
        sound.hearers = np.sort(u.id[rows]).tolist()
    return keen


def _hear_steps(world: World, slots: np.ndarray, columns: dict[str, Any], graph: AreaGraph | None) -> None:
    """Raise agitation by movement noise; a known place becomes a stimulus."""
    u, n, ears = world.units, world.units.count, world.ears
    noise, lasts = step_noise(world)
    # Units ignore the steps of their own side.
    only = int(u.side[slots[0]])
    if (u.side[slots] == only).all():
        noise[u.side[:n] == only] = 0.0
    before = u.event[:n].copy()
    placed = ears.update(
        world.tick, world.terrain.opaque, **columns, noise=noise, event=u.event[:n], rooms=graph, lasts=lasts
    )
    for slot in placed.tolist():
        stimulus = world.stimuli.register(
            StimulusKind.STEPS, world.tick, float(ears.heard_x[slot]), float(ears.heard_y[slot]), 0.0, lasts=LASTS,
            source=int(ears.heard_source[slot]), audience=1 << min(int(u.side[slot]), 7),
        )  # fmt: skip
        world.stimuli.heard_by(stimulus, [int(u.id[slot])])
        step = next(one for one in world.stimuli.items if one.id == stimulus)
        maker = np.flatnonzero(u.id[:n] == step.source)
        step_radius = float(noise[maker[0]]) if len(maker) else 0.0
        record_hearers(world, replace(step, radius=step_radius), columns["keenness"])
    agitated = np.setdiff1d(np.flatnonzero(u.event[:n] & ~before & np.uint32(Event.HEARD)), placed)
    for slot in agitated.tolist():
        world.happen("heard", int(u.id[slot]), text="something")
    for slot in np.flatnonzero(noise > 1.0).tolist()[:64]:
        record_sound(world, 0, float(u.x[slot]), float(u.y[slot]), float(noise[slot]), int(u.id[slot]))


def interest_of(world: World, slots: np.ndarray) -> np.ndarray:
    """Return the stimulus kinds of interest to each watcher.

    A fighting watcher ignores all others; a sleeping one only hears.
    """
    u = world.units
    interest = np.full(len(slots), int(SOUNDS | SIGHTS | StimulusKind.MISSING), np.int64)
    interest[u.asleep[slots] == 1] = int(SOUNDS)
    interest[(u.asleep[slots] == 0) & (u.meter[slots] >= 1.0)] = 0
    interest[u.lab[slots] & int(LabMark.DEAF) != 0] &= ~int(SOUNDS)
    interest[u.lab[slots] & int(LabMark.BLIND) != 0] &= ~int(SIGHTS)
    return interest


def _attend(world: World, slots: np.ndarray) -> None:
    u = world.units
    interest, keen = interest_of(world, slots), np.maximum(1.0, keenness(world, slots))
    shot_at = {s.thing for s in world.stimuli.items if s.kind == StimulusKind.SHOT and s.thing >= 0}
    if shot_at:
        # The target of a shot always notices it, also if it is no watcher.
        targets = u.slots(sorted(shot_at))
        targets = targets[(u.alive[targets] == 1) & (u.lab[targets] & int(LabMark.DEAF) == 0)]
        others = np.setdiff1d(targets, slots)
        slots = np.concatenate([slots, others])
        interest = np.concatenate([interest, np.zeros(len(others), np.int64)])
        keen = np.concatenate([keen, np.ones(len(others))])
        interest[np.isin(slots, targets)] |= int(StimulusKind.SHOT)

    def handle(row: int, stimulus: Stimulus) -> bool:
        slot = int(slots[row])
        if stimulus.kind == StimulusKind.MISSING and stimulus.thing == u.id[slot]:
            return False  # a missed unit that is alive does not miss itself
        return sees_thing(world, slot, stimulus) if stimulus.kind & SIGHTS else True

    answers = world.stimuli.update(
        world.tick, u.id[slots], u.side[slots], interest, u.x[slots], u.y[slots], handle, keen
    )  # fmt: skip
    for row, stimulus in answers:
        _tell(world, int(slots[row]), stimulus)


def sees_thing(world: World, slot: int, stimulus: Stimulus) -> bool:
    """Return true if a watcher sees a thing that lies or hangs.

    The tests are range, light, cover, angle, then the line.
    """
    u, kind = world.units, world.types[int(world.units.kind[slot])]
    dx, dy = stimulus.x - float(u.x[slot]), stimulus.y - float(u.y[slot])
    far = math.hypot(dx, dy)
    settings = world.settings.vision
    lit = world.light.at(stimulus.x, stimulus.y, world.terrain.opaque) / 255.0
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
    """Return true if any watcher (slots) sees a dead body (slot).

    It follows the rule for all lying things.
    """
    u = world.units
    if u.hidden[body]:
        return False
    x, y = float(u.x[body]), float(u.y[body])
    near = watchers[(u.x[watchers] - x) ** 2 + (u.y[watchers] - y) ** 2 <= SEEN_FROM * SEEN_FROM]
    thing = Stimulus(0, StimulusKind.BODY, 0, x, y, SEEN_FROM, world.tick, 0, -1, int(u.id[body]), 0, False)
    return any(sees_thing(world, watcher, thing) for watcher in near.tolist())


def _tell(world: World, slot: int, stimulus: Stimulus) -> None:
    """Send the stimulus to the mind after its reaction time.

    The time differs for each unit (Game AI Pro 2, ch. 5).
    """
    unit, kind = int(world.units.id[slot]), StimulusKind(stimulus.kind)
    heard, words, shot = bool(kind & SOUNDS), WORDS[kind], kind == StimulusKind.SHOT
    late = int(uniform(world.seed, Stream.GUARD, world.tick, unit, 120) * _LATEST)
    data: dict[str, float | int | str] = {
        "x": stimulus.x,
        "y": stimulus.y,
        "kind": stimulus.kind,
        "thing": stimulus.thing,
        "since": stimulus.created,
        "at_me": int(shot and stimulus.thing == unit),
        "why": f"it {'heard' if heard or kind == StimulusKind.MISSING else 'saw'} {words}",
    }
    if not shot or EARS.get(world.types[int(world.units.kind[slot])].ears) is not None:
        other = stimulus.source if kind == StimulusKind.STEPS else stimulus.thing
        world.happen("heard" if heard else "found", unit, other, words)
    if world.router is None:
        return
    if kind == StimulusKind.STEPS:
        delay = 0  # hearing has already applied its delay
    else:
        delay = reaction_ticks(Task.SIMPLE if shot else Task.RECOGNITION, heard=heard) + late
    # A stimulus that comes during the reaction time to another one is kept; of shots by one unit the first counts.
    sender, redundancy = (stimulus.source, Redundancy.IGNORE) if shot else (-1, Redundancy.KEEP)
    world.router.send(STIMULUS, sender, unit, world.tick, delay, data=data, redundancy=redundancy)
