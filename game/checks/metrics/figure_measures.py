"""Measures of figures: the work that posing them takes."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field

import numpy as np

from ai.animation.action_table import allowed, drawn_variant
from ai.animation.animation_blackboard import AnimationBlackboard, ClipClass, start_one
from ai.animation.animation_lod import PART_NAMES, posed_parts
from ai.animation.figure_poses import (
    ACTS,
    AIM,
    CARRY,
    COUNT,
    DIE,
    DIE_AGAIN,
    DRAG,
    FADES,
    FIRE,
    FIRST,
    FLAGS,
    GROUP,
    HIT,
    INTS,
    LEGS,
    LEGS_ANGLE,
    LEGS_GROUP,
    NEVER,
    REALS,
    RELOAD,
    SHRUG,
    SIGNAL,
    SLEEP,
    SPREADS,
    START,
    STOP,
    STRIKE,
    STRUCK,
    THROW,
    TICK,
    TICKS,
    TORSO,
    TORSO_GROUP,
    USE,
    advance_figures,
)
from ai.animation.tracks.track_controller import KIND, UNIT
from game.checks.metrics.tally import TICKS_A_SECOND, Tally
from game.systems.body.act_layers import acts_under, shown_rows
from game.systems.body.figure_detail import shipped_detail
from game.world.world import World

_SIDE_BY_SIDE = 8.0
"""Tiles within which two equal gestures are seen as twins."""
_START_TICKS, _STOP_TICKS = 6, 8
"""Lengths of the clips of a start and of a stop."""
_SETTLE = (3, 6, 9, 4, 4, 4, 4, 5, 5, 1, 8)
"""Ticks of a fade into each group of clips, as in the figures' data.

Groups: stand, crouch, prone; aim in each stance; hands at work, a load, a drag, a fall, sleep.
"""
_ZOOM = 32
"""Pixels a tile of the window that the measure counts for."""


def _groups() -> np.ndarray:
    """Return the group of clips of each stance and act, int64[3, acts]."""
    groups = np.repeat(np.arange(3)[:, None], len(ACTS), axis=1)
    groups[:, (AIM, FIRE, RELOAD)] += 3
    groups[:, (USE, THROW, SIGNAL, STRIKE, SHRUG)] = 6
    groups[:, CARRY], groups[:, DRAG], groups[:, SLEEP] = 7, 8, 10
    groups[:, (HIT, DIE, DIE_AGAIN)] = 9
    return groups


_GROUPS = _groups()


def posed(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return parts of figures posed a tick, the run's mean.

    ``counted`` names the region that stands for the window. ValueError for a region that the map does not have.
    """
    region = world.region(tally.counted)
    if region is None:
        raise ValueError(f"counted names {tally.counted!r}, which is no region of {world.level_name}")
    u, detail = world.units, shipped_detail()
    if not world.settings.figures.lod:
        tally.mean_in(float(len(PART_NAMES) * len(slots)))
        return
    at = zip(u.x[slots].tolist(), u.y[slots].tolist(), strict=True)
    in_view = np.array([region.contains(x, y) for x, y in at], bool)
    tally.mean_in(float(posed_parts(detail.sets, *detail.levels(u.radius[slots], _ZOOM, in_view)).sum()))


@dataclass
class _Gestures:
    """Gestures of scenes, started by the rules of the window."""

    board: AnimationBlackboard = field(default_factory=lambda: AnimationBlackboard(size=512))
    names: list[str] = field(default_factory=list)
    shows: dict[int, str] = field(default_factory=dict)
    """Behaviour of each unit whose gesture has begun."""


def twins(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return gestures that began in the same tick as the same one near by.

    They are gestures of scenes, begun by the rules of the window. A gesture that repeats within its behaviour is not
    counted.
    """
    begun = _begin_gestures(tally, world)
    for k, (clip, x, y) in enumerate(begun):
        others = begun[:k] + begun[k + 1 :]
        tally.value += any(c == clip and math.hypot(ox - x, oy - y) < _SIDE_BY_SIDE for c, ox, oy in others)


def _begin_gestures(tally: Tally, world: World) -> list[tuple[int, float, float]]:
    """Begin gestures of scenes in this tick; return clip and place of each."""
    u, switches = world.units, world.settings.figures
    state = _Gestures() if tally.memory is None else copy.deepcopy(tally.memory)
    state.board.refuses, state.board.exemption = switches.blackboard, switches.exemption
    given = world.scenes.gestures(u)
    state.shows = {unit: name for unit, name in state.shows.items() if unit in given and given[unit].name == name}
    begun: list[tuple[int, float, float]] = []
    for unit in sorted(given.keys() - state.shows.keys()):
        behaviour, slot = given[unit], u.slot(unit)
        state.names += [name for name in behaviour.gesture if name not in state.names]
        clips = [state.names.index(name) for name in allowed(behaviour.gesture, switches.variants)]
        kind = ClipClass.REACTION if behaviour.reacts else ClipClass.AMBIENT
        x, y = float(u.x[slot]), float(u.y[slot])
        clip = start_one(state.board, clips, drawn_variant(len(clips), world.tick, unit), kind, world.tick, x, y)
        if clip >= 0:
            state.shows[unit] = behaviour.name
            begun.append((clip, x, y))
    tally.memory = state
    return begun


def unseen(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return seconds in which figures hide acts of their bodies, summed."""
    rows = shown_rows(world)
    rows = rows[np.isin(rows[:, UNIT], tally.units)]
    at, (under, _, _) = world.units.slots(rows[:, UNIT]), acts_under(world)
    hidden = (rows[:, KIND] != world.units.action[at]) & (rows[:, KIND] != under[at])
    tally.value += float(hidden.sum()) / TICKS_A_SECOND


def legs_swung(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the largest turn of legs in a tick, the mean of units, degrees.

    The kernel of figures turns them, with a book of one frame a clip.
    """
    n = world.units.count
    before = _figures(n) if tally.memory is None else tally.memory
    ints, reals, flags, most = (table.copy() for table in before)
    _advance(world, ints, reals, flags)
    turn = (reals[LEGS_ANGLE] - before[1][LEGS_ANGLE] + math.pi) % math.tau - math.pi
    known = before[0][TICK] != NEVER
    most[known] = np.maximum(most, np.abs(turn))[known]
    tally.memory = ints, reals, flags, most
    tally.value = float(np.degrees(most[slots]).mean())


def jumps(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return the changes of pose that legs and torso show at once, summed.

    A change leads from a group of clips to another, such as from standing to kneeling.
    """
    before = _figures(world.units.count) if tally.memory is None else tally.memory
    ints, reals, flags, most = (table.copy() for table in before)
    _advance(world, ints, reals, flags)
    tally.memory = ints, reals, flags, most
    known = before[0][TICK] != NEVER
    for group, layer in ((LEGS_GROUP, LEGS), (TORSO_GROUP, TORSO)):
        changed = known & (ints[group] != before[0][group]) & (ints[layer] < _GROUPS.size)
        tally.value += int(changed[slots].sum())


def repeats(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Return gestures that repeat the last one begun near by, of another unit.

    They are gestures of scenes, begun by the rules of the window.
    """
    before = () if tally.memory is None else tally.memory[1]
    held = Tally(tuple(tally.units.tolist()))
    held.memory = None if tally.memory is None else tally.memory[0]
    begun = _begin_gestures(held, world)
    shown = list(before)
    for clip, x, y in begun:
        near = [c for c, ox, oy in shown if math.hypot(ox - x, oy - y) < _SIDE_BY_SIDE]
        tally.value += bool(near) and near[-1] == clip
        shown.append((clip, x, y))
    tally.memory = held.memory, tuple(shown)


def _figures(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the memory of figures that were never shown."""
    ints = np.zeros((len(INTS), n), np.int64)
    ints[TICK] = NEVER
    return ints, np.zeros((len(REALS), n)), np.zeros((len(FLAGS), n), np.uint8), np.zeros(n)


def _advance(world: World, ints: np.ndarray, reals: np.ndarray, flags: np.ndarray) -> None:
    """Advance the figures of all units by a tick."""
    u, n, acts = world.units, world.units.count, len(ACTS)
    table = np.arange(3 * acts).reshape(3, acts)
    clips = np.zeros((STRUCK + 1, table.size), np.int64)
    clips[FIRST], clips[COUNT], clips[TICKS], clips[STRUCK] = table.ravel(), 1, 1, -1
    clips[TICKS, START], clips[TICKS, STOP] = _START_TICKS, _STOP_TICKS
    clips[GROUP] = _GROUPS.ravel()
    settle = np.array(_SETTLE)
    rest = np.array([np.flatnonzero(clips[GROUP] == group)[0] for group in range(len(settle))])
    row_of = np.full(int(u.id[:n].max(initial=-1)) + 1, -1)
    row_of[u.id[:n]] = np.arange(n)
    walks = np.ones((2, table.size))
    style = SPREADS * world.settings.figures.starts + FADES * world.settings.figures.blends
    advance_figures(
        world.tick, 1, np.arange(n), u.id[:n], u.alive[:n], u.x[:n], u.y[:n], u.prev_x[:n], u.prev_y[:n],
        u.facing[:n], u.head[:n], u.gait[:n], u.cadence[:n], u.stance[:n], u.moving[:n], u.target[:n], u.weapon[:n],
        u.cooldown[:n], u.carrying[:n], u.dragging[:n], u.asleep[:n], u.action[:n], u.action_start[:n],
        u.action_length[:n], np.zeros(n, np.uint8), np.zeros(n, np.int32), np.zeros(n, np.int16), row_of,
        table, clips, walks, settle, rest, table.ravel(), table.size, style, ints, reals, flags,
    )  # fmt: skip
