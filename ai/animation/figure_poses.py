"""Figure poses: frames and directions of many figures in one kernel.

A figure has three layers: legs follow the direction of motion, the torso turns to the target, the head to the gaze. The
columns of the body decide how a unit stands, walks and acts; the memory of the last ticks only smooths the picture.

Memory is three tables with a column per unit: ``ints`` int64[17, n], ``reals`` float64[7, n], ``flags`` uint8[4, n].
Angles are radians, clockwise on the screen; directions are sixteenths of a turn; phases are shares of a walk cycle.
Clips are ``clips`` int64[6, clips]. Frames from ``blends`` on are blends between two groups of clips.
"""

from __future__ import annotations

import math

import numpy as np

from ai.core.kernels import device, kernel

INTS = (
    "id", "tick", "legs", "torso", "legs_to", "torso_to", "head_to", "dull", "changed", "clip", "begun",
    "legs_group", "legs_from", "legs_since", "torso_group", "torso_from", "torso_since",
)  # fmt: skip
ID, TICK, LEGS, TORSO, LEGS_TO, TORSO_TO, HEAD_TO, DULLED, CHANGED, CLIP, BEGUN, LEGS_GROUP = range(12)
TORSO_GROUP = 14
REALS = ("way_x", "way_y", "phase", "ahead", "legs_angle", "torso_angle", "head_angle")
WAY_X, WAY_Y, PHASE, AHEAD, LEGS_ANGLE, TORSO_ANGLE, HEAD_ANGLE = range(7)
FLAGS = ("idle", "walking", "backwards", "turning")
IDLE, WALKING, REVERSES, TURNING = range(4)
FIRST, COUNT, TICKS, GROUP, BY_PHASE, LOOPS = range(6)
"""Rows of ``clips``."""
ACTS = (
    "still", "walk", "run", "turn", "start", "stop", "aim", "fire", "reload", "hit", "use", "carry", "drag",
    "throw", "signal", "strike", "die", "die_again", "sleep",
)  # fmt: skip
"""Acts that a clip is chosen for."""
(
    STILL, WALK, RUN, TURN, START, STOP, AIM, FIRE, RELOAD, HIT, USE, CARRY, DRAG, THROW, SIGNAL, STRIKE, DIE,
    DIE_AGAIN, SLEEP,
) = range(19)  # fmt: skip
BODY_ACTS = ("NONE", "SHOOT", "HIT", "DIE", "USE", "THROW", "WHISTLE", "TAKE_DOWN", "LIFT", "LOOK", "SHRUG", "RELOAD")
"""Acts of the body by their code; a later one shows as no act."""
B_SHOOT, B_HIT, B_DIE, B_USE, B_THROW, B_WHISTLE, B_TAKE_DOWN, B_LIFT, B_LOOK, B_SHRUG, B_RELOAD = range(1, 12)

DIRECTIONS = 16
STEPS = 4
"""Frames of a blend between two groups."""
FORGET = 4
"""Ticks out of view after which a figure begins again without a blend."""
NEVER = -1_000_000
"""Tick of a row that was never shown."""
STARTS, STOPS = 0.3, 0.15
"""Speeds in tiles/s from which legs walk, and below which they rest."""
HALT = 0.06
"""Share of a cycle that legs walk on in a tick after a halt.

Then the feet stand together.
"""
CATCH_UP = 0.02
"""Share of a cycle by which a figure nears its body in a tick."""
BACKWARDS = 1.75
"""Radians between way and torso from which legs walk backwards."""
TURNS, TURNED, TURN_STEP = 0.9, 0.15, 0.25
"""Radians of twist at which standing legs begin and cease to turn.

The third is their turn in a tick.
"""
NECK = 1.4
"""Radians that a head turns against its torso at most."""
EASE = 0.45
"""Share of its way that a torso or head turns in a tick."""
KEEP = 0.62
"""Sixteenths of a turn from a direction at which an angle takes another."""
DULL_TICKS = 6
"""Ticks of each step by which a fallen body loses its colour."""


@device
def wrapped(angle: float) -> float:
    """Return an angle from -pi to pi."""
    return (angle + math.pi) % math.tau - math.pi


@device
def half_cycle(phase: float) -> float:
    """Return a difference of phases from -0.5 to 0.5."""
    return (phase + 0.5) % 1.0 - 0.5


@device
def clipped(value: float, most: float) -> float:
    """Return a value from -most to most."""
    return min(max(value, -most), most)


@device
def at_once(act: int) -> bool:
    """Return whether an act shows without a blend: a reaction is not delayed."""
    return act in (FIRE, HIT, DIE, DIE_AGAIN)


@device
def fits(act: int) -> bool:
    """Return whether a clip takes as long as the act of the body."""
    return at_once(act) or act in (THROW, SIGNAL, STRIKE)


@device
def twists(act: int) -> bool:
    """Return whether standing legs stay when the torso turns."""
    return act in (STILL, STOP, AIM, FIRE, RELOAD)


@device
def step_on(  # type: ignore[no-untyped-def]
    r, tick, fresh, dx, dy, rests, lives, gait, ints, reals, flags
):  # fmt: skip
    """Take up way, walking and phase of the walk of one figure."""
    share = 1.0 if fresh else 0.5
    reals[WAY_X, r] += (dx - reals[WAY_X, r]) * share
    reals[WAY_Y, r] += (dy - reals[WAY_Y, r]) * share
    walked = flags[WALKING, r] == 1 and not fresh
    halted = rests and math.hypot(dx, dy) < 0.05
    speed = math.hypot(reals[WAY_X, r], reals[WAY_Y, r])
    walking = speed > (STOPS if walked else STARTS) and not halted and lives
    if fresh:
        ints[CHANGED, r] = NEVER
    elif walking != walked:
        ints[CHANGED, r] = tick
    flags[WALKING, r] = walking
    shown, ahead = reals[PHASE, r], reals[AHEAD, r]
    if fresh:
        phase = gait
    elif walking:
        phase = gait + math.copysign(max(abs(ahead) - CATCH_UP, 0.0), ahead)
    else:
        phase = shown + clipped(half_cycle((0.25 if shown < 0.5 else 0.75) - shown), HALT)
    reals[PHASE, r] = phase % 1.0
    reals[AHEAD, r] = half_cycle(reals[PHASE, r] - gait)


@device
def torso_act(  # type: ignore[no-untyped-def]
    tick, walking, running, since, start_ticks, stop_ticks, acting, unit, dead, asleep, drags, carries, ready, cooldown
):  # fmt: skip
    """Return the act of the torso; the most urgent cause comes first."""
    if dead:
        return DIE if unit % 2 == 0 else DIE_AGAIN
    if asleep:
        return SLEEP
    if drags:
        return DRAG
    if acting == B_HIT:
        return HIT
    if acting == B_SHOOT:
        return FIRE
    if acting in (B_USE, B_LIFT):
        return USE
    if acting == B_THROW:
        return THROW
    if acting in (B_WHISTLE, B_SHRUG):
        return SIGNAL
    if acting == B_TAKE_DOWN:
        return STRIKE
    if acting == B_RELOAD:
        return RELOAD
    if carries:
        return CARRY
    if ready:
        return RELOAD if not walking and cooldown > 0 else AIM
    if running:
        return RUN
    if walking:
        return START if since < start_ticks else WALK
    return STOP if since < stop_ticks else STILL


@device
def legs_act(act, walking, running, drags, fresh, dead, asleep, gait, phase):  # type: ignore[no-untyped-def]
    """Return the act of the legs: they come to rest with the feet together."""
    apart = abs(half_cycle(2.0 * phase - 0.5)) > 0.01
    halting = not walking and apart and gait > 0.0 and not fresh and act in (STILL, STOP, CARRY)
    if (walking or halting) and not dead and not asleep:
        return DRAG if drags else RUN if running else WALK
    return AIM if act == FIRE else STILL if act == STOP else act


@device
def face(angle_row, to_row, r, angle, fresh, ints, reals):  # type: ignore[no-untyped-def]
    """Keep an angle, and its direction until the angle is clearly nearer to another."""
    reals[angle_row, r] = wrapped(angle)
    at = angle * (DIRECTIONS / math.tau)
    away = abs((at - ints[to_row, r] + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
    if fresh or away > KEEP:
        ints[to_row, r] = int(np.rint(at)) % DIRECTIONS


@device
def turn_parts(r, fresh, act, wanted, head, prone, down, ints, reals, flags):  # type: ignore[no-untyped-def]
    """Turn torso, head and legs of one figure."""
    aims = act in (AIM, FIRE, RELOAD)
    before = reals[TORSO_ANGLE, r]
    torso = before + wrapped(wanted - before) * (1.0 if fresh or at_once(act) else EASE if aims else 0.8)
    lying = prone or down
    gaze = torso if lying and not prone else head
    neck = clipped(wrapped(gaze - torso), NECK) * (0.25 if aims else 1.0)
    if not fresh:
        held = clipped(wrapped(reals[HEAD_ANGLE, r] - torso), NECK)
        neck = held + (neck - held) * EASE
    walking = flags[WALKING, r] == 1 and not lying
    was = reals[LEGS_ANGLE, r]
    twist = wrapped(torso - was)
    backwards = turning = False
    if walking:
        way = math.atan2(reals[WAY_Y, r], reals[WAY_X, r])
        limit = BACKWARDS - 0.25 if flags[REVERSES, r] == 1 and not fresh else BACKWARDS
        backwards = abs(wrapped(way - torso)) > limit
        legs = was + wrapped((way + math.pi if backwards else way) - was) * (1.0 if fresh else 0.6)
    elif lying:
        legs = torso
    else:
        turning = abs(twist) > (TURNED if flags[TURNING, r] == 1 else TURNS) and not fresh
        legs = was + twist * (1.0 if fresh else EASE)
        if twists(act) and not fresh:
            legs = was + (clipped(twist, TURN_STEP) if turning else 0.0)
    flags[REVERSES, r], flags[TURNING, r] = backwards, turning
    face(TORSO_ANGLE, TORSO_TO, r, torso, fresh, ints, reals)
    face(HEAD_ANGLE, HEAD_TO, r, torso + neck, fresh, ints, reals)
    face(LEGS_ANGLE, LEGS_TO, r, legs, fresh, ints, reals)


@device
def frame_of(clips, clip, phase, passed, length):  # type: ignore[no-untyped-def]
    """Return the frame of a clip by phase or by ticks passed."""
    count = clips[COUNT, clip]
    if clips[BY_PHASE, clip] == 1:
        k = int(phase * count) % count
    else:
        k = passed * count // length
        k = k % count if clips[LOOPS, clip] == 1 else min(max(k, 0), count - 1)
    return clips[FIRST, clip] + k


@device
def blend_into(r, tick, first, layer, frame, group, fresh, shows, settle, blends, ints):  # type: ignore[no-untyped-def]
    """Show a frame in a layer, or the blend into its group of clips.

    ``first`` is the first of the three rows group, source and since.
    """
    if group != ints[first, r] and not fresh:
        ints[first + 1, r] = ints[first, r]
        ints[first + 2, r] = tick
    ints[first, r] = group
    source = ints[first + 1, r]
    ticks, along = max(settle[group], settle[source]), tick - ints[first + 2, r]
    if fresh or shows or along >= ticks:
        ints[first + 1, r] = source = group
    if source != group:
        step = min(max(along * STEPS // max(ticks, 1), 0), STEPS - 1)
        frame = blends + (source * settle.size + group) * STEPS + step
    ints[layer, r] = frame


@kernel(
    "void(int64, int64, int64[::1], int32[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "float64[::1], float64[::1], float64[::1], uint8[::1], uint8[::1], uint8[::1], int32[::1], uint8[::1], int16[::1], "
    "int32[::1], int32[::1], uint8[::1], uint8[::1], int32[::1], int16[::1], int64[::1], int64[:,::1], int64[:,::1], "
    "int64[::1], int64[::1], int64, int64[:,::1], float64[:,::1], uint8[:,::1])"
)
def advance_figures(  # type: ignore[no-untyped-def]
    tick, dull, rows, unit, alive, x, y, prev_x, prev_y,
    front, head, gait, stance, pace, moving, target, weapon, cooldown,
    carrying, dragging, asleep, action, action_start, action_length, row_of, table, clips,
    settle, coarse, blends, ints, reals, flags,
):  # fmt: skip
    """Compute frames and directions of ``rows`` at a tick, once.

    ``row_of`` is the row of each unit id, or -1. ``dull`` is the number of steps of a body that lies long.
    ``coarse`` is the frame that a torso shows instead of each frame.
    """
    start_ticks, stop_ticks = clips[TICKS, table[0, START]], clips[TICKS, table[0, STOP]]
    for i in range(rows.size):
        r = rows[i]
        same = ints[ID, r] == unit[r]
        if same and ints[TICK, r] == tick:
            continue
        away = tick - ints[TICK, r]
        fresh = away < 1 or away > FORGET or not same
        ints[ID, r], ints[TICK, r] = unit[r], tick
        dead, sleeps, drags = alive[r] == 0, asleep[r] != 0, dragging[r] >= 0
        step_on(
            r, tick, fresh, (x[r] - prev_x[r]) * 20.0, (y[r] - prev_y[r]) * 20.0, moving[r] == 0, alive[r] == 1,
            gait[r], ints, reals, flags,
        )  # fmt: skip
        walking = flags[WALKING, r] == 1
        running = walking and pace[r] == 1
        age = tick - action_start[r]
        acting = action[r] if 0 <= age <= action_length[r] else 0
        act = torso_act(
            tick, walking, running, tick - ints[CHANGED, r], start_ticks, stop_ticks, acting, unit[r], dead, sleeps,
            drags, carrying[r] >= 0, target[r] >= 0 and weapon[r] > 0, cooldown[r],
        )  # fmt: skip
        steps = legs_act(act, walking, running, drags, fresh, dead, sleeps, gait[r], reals[PHASE, r])
        wanted = front[r]
        if act in (AIM, FIRE, RELOAD) and 0 <= target[r] < row_of.size:
            to = row_of[target[r]]
            if to >= 0:
                wanted = math.atan2(y[to] - y[r], x[to] - x[r])
        stands = min(stance[r], 2)
        turn_parts(r, fresh, act, wanted, head[r], stands == 2, dead or sleeps, ints, reals, flags)
        if not walking and twists(act) and flags[TURNING, r] == 1:
            steps = TURN
        torso, legs = table[stands, act], table[stands, steps]
        if ints[CLIP, r] != torso or fresh:
            ints[CLIP, r], ints[BEGUN, r] = torso, tick
        begun, length = ints[BEGUN, r], max(clips[TICKS, torso], 1)
        fitted = ((fits(act) and action[r] != 0) or acting == B_RELOAD) and action_length[r] > 0
        if fitted:
            begun, length = action_start[r], action_length[r]
        elif act == RELOAD:
            begun = max(action_start[r], 0)
            length = max(tick - begun + cooldown[r], 1)
        # A body that lay there before the first tick is through with its fall.
        passed = 1_000_000 if dead and not fitted else tick - begun
        phase = (1.0 - reals[PHASE, r] if flags[REVERSES, r] == 1 else reals[PHASE, r]) % 1.0
        frame = coarse[frame_of(clips, torso, phase, passed, length)]
        blend_into(r, tick, TORSO_GROUP, TORSO, frame, clips[GROUP, torso], fresh, at_once(act), settle, blends, ints)
        if legs != torso:
            passed, length = tick - ints[BEGUN, r], max(clips[TICKS, legs], 1)
        frame = frame_of(clips, legs, phase, passed, length)
        blend_into(r, tick, LEGS_GROUP, LEGS, frame, clips[GROUP, legs], fresh, at_once(act), settle, blends, ints)
        lain = dull * DULL_TICKS
        if action[r] == B_DIE and action_length[r] > 0:
            lain = age - action_length[r]
        ints[DULLED, r] = min(max(lain // DULL_TICKS + 1, 0), dull) if dead else 0
        at_rest = ints[TORSO_GROUP + 1, r] == ints[TORSO_GROUP, r]
        flags[IDLE, r] = act == STILL and steps == STILL and stands == 0 and at_rest
