"""Figure poses: frames and directions of many figures in one kernel.

A figure has three layers: legs follow the direction of motion, the torso turns to the target, the head to the gaze. The
columns of the body decide how a unit stands, walks and acts; the memory of the last ticks only smooths the picture.

A hit over another act is a layer: its clip lies over the clip of that act. A start spreads its turn evenly over its
frames. A walk goes through a clip between to a run. A change between two groups of clips fades from the frame that was
shown: its number is the snapshot, so nothing is copied.

A clip of walking has one length of step, that of its poses. A body that steps shorter shows only the middle part of
each step, as large as its own step is: a planted foot then goes back through the figure as fast as the body goes on.

Memory is three tables with a column per unit: ``ints`` int64[20, n], ``reals`` float64[8, n], ``flags`` uint8[4, n].
Angles are radians, clockwise on the screen; directions are sixteenths of a turn; phases are shares of a walk cycle.
Clips are ``clips`` int64[7, clips], and ``walks`` float64[2, clips]: cycle in tiles, and the share of it that a foot is
down. Frames from ``blends`` on are blends from a frame to a group of clips.
"""

from __future__ import annotations

import math

import numpy as np

from ai.animation.speed_ranges import overlap_weight
from ai.animation.turn_starts import start_of, turn_of_frame
from ai.core.kernels import device, kernel

INTS = (
    "id", "tick", "legs", "torso", "legs_to", "torso_to", "head_to", "dull", "changed", "clip", "begun",
    "legs_group", "legs_from", "legs_since", "legs_ticks", "torso_group", "torso_from", "torso_since", "torso_ticks",
    "pivot",
)  # fmt: skip
ID, TICK, LEGS, TORSO, LEGS_TO, TORSO_TO, HEAD_TO, DULLED, CHANGED, CLIP, BEGUN, LEGS_GROUP = range(12)
TORSO_GROUP = 15
PIVOT = 19
REALS = ("way_x", "way_y", "phase", "ahead", "legs_angle", "torso_angle", "head_angle", "stride")
WAY_X, WAY_Y, PHASE, AHEAD, LEGS_ANGLE, TORSO_ANGLE, HEAD_ANGLE, STRIDE = range(8)
FLAGS = ("idle", "walking", "backwards", "turning")
IDLE, WALKING, REVERSES, TURNING = range(4)
FIRST, COUNT, TICKS, GROUP, BY_PHASE, LOOPS, STRUCK = range(7)
"""Rows of ``clips``.

The last is the clip in which a hit lies over this one, or -1.
"""
CYCLE, CONTACT = range(2)
"""Rows of ``walks``."""
SPREADS, FADES, LAYERS = 1, 2, 4
"""Bits of decoration: spread turns of starts, fades between groups, layers of acts."""
ACTS = (
    "still", "walk", "run", "turn", "start", "stop", "aim", "fire", "reload", "hit", "use", "carry", "drag",
    "throw", "signal", "strike", "die", "die_again", "sleep", "shrug", "jog", "start_right", "start_left",
)  # fmt: skip
"""Acts that a clip is chosen for."""
(
    STILL, WALK, RUN, TURN, START, STOP, AIM, FIRE, RELOAD, HIT, USE, CARRY, DRAG, THROW, SIGNAL, STRIKE, DIE,
    DIE_AGAIN, SLEEP, SHRUG, JOG, START_RIGHT, START_LEFT,
) = range(23)  # fmt: skip
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
RUNS_FROM, WALKS_TO = 2.2, 2.8
"""Least speed of a run and greatest of a walk, in tiles/s.

Between them a figure shows the clip between both.
"""
PURE = 0.2
"""Weight of one gait of two up to which the other shows alone."""
NONE = -1
"""Frame of no blend."""
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
    return at_once(act) or act in (THROW, SIGNAL, STRIKE, SHRUG)


@device
def twists(act: int) -> bool:
    """Return whether standing legs stay when the torso turns."""
    return act in (STILL, STOP, AIM, FIRE, RELOAD, SHRUG)


@device
def step_on(  # type: ignore[no-untyped-def]
    r, tick, fresh, dx, dy, rests, lives, gait, cadence, ints, reals, flags
):  # fmt: skip
    """Take up way, walking, phase and stride of the walk of one figure."""
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
    if walking and cadence > 0.0:
        stride = math.hypot(dx, dy) / cadence
        reals[STRIDE, r] += (stride - reals[STRIDE, r]) * (share if walked else 1.0)
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
def gait_shown(speed, walking):  # type: ignore[no-untyped-def]
    """Return the gait of legs by their speed: still, walk, jog or run."""
    if not walking:
        return STILL
    weight = overlap_weight(speed, RUNS_FROM, WALKS_TO)
    return WALK if weight <= PURE else RUN if weight >= 1.0 - PURE else JOG


@device
def torso_act(  # type: ignore[no-untyped-def]
    gait, since, pivot, start_ticks, stop_ticks, acting, unit, dead, asleep, drags, carries, ready, cooldown
):  # fmt: skip
    """Return the act of the torso without hits; the most urgent cause comes first."""
    if dead:
        return DIE if unit % 2 == 0 else DIE_AGAIN
    if asleep:
        return SLEEP
    if drags:
        return DRAG
    if acting == B_SHOOT:
        return FIRE
    if acting in (B_USE, B_LIFT):
        return USE
    if acting == B_THROW:
        return THROW
    if acting == B_WHISTLE:
        return SIGNAL
    if acting == B_SHRUG:
        return SHRUG
    if acting == B_TAKE_DOWN:
        return STRIKE
    if acting == B_RELOAD:
        return RELOAD
    if carries:
        return CARRY
    if ready:
        return RELOAD if gait == STILL and cooldown > 0 else AIM
    if gait == STILL:
        return STOP if since < stop_ticks else STILL
    if since < start_ticks and gait != RUN:
        return START if pivot == 0 else START_RIGHT + pivot - 1
    return gait


@device
def legs_act(act, gait, pivots, drags, fresh, down, body_phase, phase):  # type: ignore[no-untyped-def]
    """Return the act of the legs: they come to rest with the feet together."""
    if down:
        return act
    apart = abs(half_cycle(2.0 * phase - 0.5)) > 0.01
    halting = gait == STILL and apart and body_phase > 0.0 and not fresh and act in (STILL, STOP, CARRY)
    if gait != STILL or halting:
        if drags:
            return DRAG
        if halting:
            return WALK
        return START_RIGHT + pivots - 1 if pivots > 0 else gait
    return AIM if act == FIRE else STILL if act in (STOP, SHRUG) else act


@device
def face(angle_row, to_row, r, angle, fresh, ints, reals):  # type: ignore[no-untyped-def]
    """Keep an angle, and its direction until the angle is clearly nearer to another."""
    reals[angle_row, r] = wrapped(angle)
    at = angle * (DIRECTIONS / math.tau)
    away = abs((at - ints[to_row, r] + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
    if fresh or away > KEEP:
        ints[to_row, r] = int(np.rint(at)) % DIRECTIONS


@device
def turn_parts(r, fresh, act, wanted, head, prone, down, left, ints, reals, flags):  # type: ignore[no-untyped-def]
    """Turn torso, head and legs of one figure.

    ``left`` is the number of frames over which a start spreads its turn, 0 for none.
    """
    aims = act in (AIM, FIRE, RELOAD)
    before = reals[TORSO_ANGLE, r]
    torso = before + wrapped(wanted - before) * (1.0 if fresh or at_once(act) else EASE if aims else 0.8)
    if left > 0 and not aims and not fresh and not at_once(act):
        torso = before + turn_of_frame(wrapped(wanted - before), left)
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
        # A body that starts still turns to its way; one that aims walks backwards at once.
        backwards = abs(wrapped(way - torso)) > limit and (left <= 0 or aims)
        missing = wrapped((way + math.pi if backwards else way) - was)
        legs = was + (missing if fresh else turn_of_frame(missing, left) if left > 0 else missing * 0.6)
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
def shortened(phase: float, share: float, contact: float) -> float:
    """Return the phase that shows a step of a share of the clip's own.

    A foot is down for ``contact`` of a cycle from each half on. Its middle is shown; the rest passes in the air.
    """
    half = 0.5 if phase >= 0.5 else 0.0
    at, middle = phase - half, contact / 2.0
    if at < contact:
        return half + middle + share * (at - middle)
    left = (1.0 - share) * middle
    air = 0.5 - contact
    return half + contact - left + (at - contact) / air * (air + 2.0 * left)


@device
def frame_of(clips, walks, clip, phase, stride, passed, length):  # type: ignore[no-untyped-def]
    """Return the frame of a clip by phase and stride, or by ticks passed."""
    count = clips[COUNT, clip]
    if clips[BY_PHASE, clip] == 1:
        share = min(stride / walks[CYCLE, clip], 1.0)
        k = int(shortened(phase, share, walks[CONTACT, clip]) * count + 0.5) % count
    else:
        k = passed * count // length
        k = k % count if clips[LOOPS, clip] == 1 else min(max(k, 0), count - 1)
    return clips[FIRST, clip] + k


@device
def snapshot(frame, groups, blends):  # type: ignore[no-untyped-def]
    """Return the frame that a new blend fades from.

    A frame within a blend is its source in the first half; in the second half it is none: the group at rest.
    """
    if frame < blends:
        return frame
    at, step = (frame - blends) // STEPS, (frame - blends) % STEPS
    return at // groups if 2 * step < STEPS else NONE


@device
def blend_into(  # type: ignore[no-untyped-def]
    r, tick, first, layer, frame, group, fresh, shows, settle, rest, blends, ints
):  # fmt: skip
    """Show a frame in a layer, or the blend into its group of clips.

    ``first`` is the first of the four rows group, source, since and ticks.
    """
    was = ints[first, r]
    if group != was and not fresh:
        source = snapshot(ints[layer, r], settle.size, blends)
        ints[first + 1, r] = rest[was] if source == NONE else source
        ints[first + 2, r] = tick
        ints[first + 3, r] = max(settle[group], settle[was])
    ints[first, r] = group
    along = tick - ints[first + 2, r]
    if fresh or shows or along >= ints[first + 3, r]:
        ints[first + 1, r] = NONE
    if ints[first + 1, r] != NONE:
        step = min(max(along * STEPS // max(ints[first + 3, r], 1), 0), STEPS - 1)
        frame = blends + (ints[first + 1, r] * settle.size + group) * STEPS + step
    ints[layer, r] = frame


@kernel(
    "void(int64, int64, int64[::1], int32[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "float64[::1], float64[::1], float64[::1], float64[::1], uint8[::1], uint8[::1], int32[::1], uint8[::1], "
    "int16[::1], int32[::1], int32[::1], uint8[::1], uint8[::1], int32[::1], int16[::1], uint8[::1], int32[::1], "
    "int16[::1], int64[::1], int64[:,::1], int64[:,::1], float64[:,::1], int64[::1], int64[::1], int64[::1], int64, "
    "int64, int64[:,::1], float64[:,::1], uint8[:,::1])"
)
def advance_figures(  # type: ignore[no-untyped-def]
    tick, dull, rows, unit, alive, x, y, prev_x, prev_y,
    front, head, gait, cadence, stance, moving, target, weapon, cooldown,
    carrying, dragging, asleep, action, action_start, action_length, under, under_start, under_length,
    row_of, table, clips, walks, settle, rest, coarse, blends, style, ints, reals, flags,
):  # fmt: skip
    """Compute frames and directions of ``rows`` at a tick, once.

    ``row_of`` is the row of each unit id, or -1. ``dull`` is the number of steps of a body that lies long.
    ``under`` is an act that goes on beside ``action``. ``rest`` is the frame at rest of each group, ``coarse`` the
    frame that a torso shows instead of each frame. ``style`` holds the bits of decoration.
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
            gait[r], cadence[r], ints, reals, flags,
        )  # fmt: skip
        walking = flags[WALKING, r] == 1
        pace = gait_shown(math.hypot(reals[WAY_X, r], reals[WAY_Y, r]), walking)
        since = tick - ints[CHANGED, r]
        if since == 0 and walking:
            way = math.atan2(reals[WAY_Y, r], reals[WAY_X, r])
            ints[PIVOT, r] = start_of(wrapped(way - reals[LEGS_ANGLE, r])) if style & SPREADS else 0
        left = start_ticks - since if walking and style & SPREADS else 0
        acting = action[r] if 0 <= tick - action_start[r] <= action_length[r] else 0
        below = under[r] if 0 <= tick - under_start[r] <= under_length[r] else 0
        # A hit lies over the other act, or shows alone.
        struck = acting == B_HIT or below == B_HIT
        upper = acting != B_HIT and acting != 0
        doing = acting if upper else below if below != B_HIT else 0
        done_since = action_start[r] if upper or below == B_HIT else under_start[r]
        done_length = action_length[r] if upper or below == B_HIT else under_length[r]
        hit_since = action_start[r] if acting == B_HIT else under_start[r]
        hit_length = max(action_length[r] if acting == B_HIT else under_length[r], 1)
        act = torso_act(
            pace, since, ints[PIVOT, r], start_ticks, stop_ticks, doing, unit[r], dead, sleeps, drags,
            carrying[r] >= 0, target[r] >= 0 and weapon[r] > 0, cooldown[r],
        )  # fmt: skip
        stands = min(stance[r], 2)
        layered = struck and not dead and style & LAYERS and clips[STRUCK, table[stands, act]] >= 0
        if struck and not layered and act not in (DIE, DIE_AGAIN, SLEEP, DRAG):
            act, done_since, done_length = HIT, hit_since, hit_length
        pivots = ints[PIVOT, r] if since < start_ticks else 0
        steps = legs_act(act, pace, pivots, drags, fresh, dead or sleeps, gait[r], reals[PHASE, r])
        wanted = front[r]
        if act in (AIM, FIRE, RELOAD) and 0 <= target[r] < row_of.size:
            to = row_of[target[r]]
            if to >= 0:
                wanted = math.atan2(y[to] - y[r], x[to] - x[r])
        turn_parts(r, fresh, act, wanted, head[r], stands == 2, dead or sleeps, left, ints, reals, flags)
        if not walking and twists(act) and flags[TURNING, r] == 1:
            steps = TURN
        torso, legs = table[stands, act], table[stands, steps]
        if ints[CLIP, r] != torso or fresh:
            ints[CLIP, r], ints[BEGUN, r] = torso, tick
        begun, length = ints[BEGUN, r], max(clips[TICKS, torso], 1)
        fitted = (fits(act) or doing == B_RELOAD) and done_length > 0
        if dead:
            fitted = action[r] != 0 and action_length[r] > 0
            done_since, done_length = action_start[r], action_length[r]
        if fitted:
            begun, length = done_since, done_length
        elif act == RELOAD:
            begun = max(action_start[r], 0)
            length = max(tick - begun + cooldown[r], 1)
        # A body that lay there before the first tick is through with its fall.
        passed = 1_000_000 if dead and not fitted else tick - begun
        phase = (1.0 - reals[PHASE, r] if flags[REVERSES, r] == 1 else reals[PHASE, r]) % 1.0
        stride = reals[STRIDE, r]
        frame = frame_of(clips, walks, torso, phase, stride, passed, length)
        if layered:
            over = clips[STRUCK, torso]
            step = frame_of(clips, walks, over, phase, stride, tick - hit_since, hit_length) - clips[FIRST, over]
            frame = clips[FIRST, over] + step * clips[COUNT, torso] + frame - clips[FIRST, torso]
        frame, group = coarse[frame], clips[GROUP, torso]
        shows = at_once(act) or layered or not style & FADES
        blend_into(r, tick, TORSO_GROUP, TORSO, frame, group, fresh, shows, settle, rest, blends, ints)
        if legs != torso:
            passed, length = tick - ints[BEGUN, r], max(clips[TICKS, legs], 1)
            if pivots > 0:
                passed = since
        frame, group = frame_of(clips, walks, legs, phase, stride, passed, length), clips[GROUP, legs]
        blend_into(r, tick, LEGS_GROUP, LEGS, frame, group, fresh, shows, settle, rest, blends, ints)
        lain = dull * DULL_TICKS
        if action[r] == B_DIE and action_length[r] > 0:
            lain = tick - action_start[r] - action_length[r]
        ints[DULLED, r] = min(max(lain // DULL_TICKS + 1, 0), dull) if dead else 0
        at_rest = ints[TORSO_GROUP + 1, r] == NONE
        flags[IDLE, r] = act == STILL and steps == STILL and stands == 0 and at_rest
