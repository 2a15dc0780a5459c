"""Motion of figures: the frames and directions that show each unit in a tick.

The body's columns decide how a unit stands, walks and acts; nothing here is written back. Memory of the last ticks only
smooths the picture: legs follow the direction of motion, the torso turns to the target, the head to the gaze, and a
change of group takes some ticks. Only rows that are drawn are computed. A row that comes into view starts in the right
phase, without a blend.
"""

from __future__ import annotations

import math

import numpy as np

from game.view.figures.clip_book import ACTS, STEPS, ClipBook
from game.view.figures.part_painter import DULL
from game.view.painting.unit_picture import Picture
from game.world.units import Act, Pace, Stance

DIRECTIONS = 16
FORGET = 4
"""Ticks out of view after which a figure begins again without a blend."""
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

_CODE = {name: code for code, name in enumerate(ACTS)}
_AT_ONCE = np.isin(np.arange(len(ACTS)), [_CODE[name] for name in ("fire", "hit", "die", "die_again")])
"""Acts that show without a blend: a reaction is not delayed."""
_FITTED = np.isin(
    np.arange(len(ACTS)), [_CODE[n] for n in ("fire", "hit", "die", "die_again", "throw", "signal", "strike")]
)
"""Acts whose clip takes as long as the act of the body."""
_RESTS = [_CODE[name] for name in ("still", "stop", "carry")]
"""Acts before which the feet come together."""
_TWISTS = np.isin(np.arange(len(ACTS)), [_CODE[name] for name in ("still", "stop", "aim", "fire", "reload")])
"""Acts in which standing legs stay when the torso turns."""
KINDS = dict.fromkeys(("idle", "walking", "backwards", "turning"), np.bool_) | dict.fromkeys(
    ("way_x", "way_y", "phase", "ahead", "legs_angle", "torso_angle", "head_angle"), np.float64
)
"""Types of the columns that are no whole numbers."""
NEVER = -1_000_000
"""Tick of a row that was never shown."""


class MotionColumns:
    """Memory and result of every row."""

    id: np.ndarray
    tick: np.ndarray
    legs: np.ndarray  # frame of the book
    torso: np.ndarray
    legs_to: np.ndarray  # sixteenths of a turn clockwise from +x
    torso_to: np.ndarray
    head_to: np.ndarray
    dull: np.ndarray  # steps from a body that fell to one that lies long
    idle: np.ndarray  # stands still, so a gesture may start
    changed: np.ndarray  # tick at which it began or ceased to walk
    way_x: np.ndarray  # tiles/s, smoothed
    way_y: np.ndarray
    walking: np.ndarray
    backwards: np.ndarray
    turning: np.ndarray
    phase: np.ndarray  # of the walk cycle as shown
    ahead: np.ndarray  # of the body's own phase
    legs_angle: np.ndarray
    torso_angle: np.ndarray
    head_angle: np.ndarray
    clip: np.ndarray
    begun: np.ndarray  # tick since which it plays that clip
    legs_group: np.ndarray
    legs_from: np.ndarray
    legs_since: np.ndarray
    torso_group: np.ndarray
    torso_from: np.ndarray
    torso_since: np.ndarray

    def __init__(self) -> None:
        for name in MotionColumns.__annotations__:
            setattr(self, name, np.zeros(0, KINDS.get(name, np.int64)))

    def reserve(self, rows: int) -> None:
        """Grow every column to at least ``rows``."""
        if rows <= len(self.id):
            return
        for name in MotionColumns.__annotations__:
            old = getattr(self, name)
            grown = np.full(rows, NEVER if name == "tick" else 0, old.dtype)
            grown[: len(old)] = old
            setattr(self, name, grown)


def wrapped(angle: np.ndarray) -> np.ndarray:
    """Return angles from -pi to pi."""
    out: np.ndarray = (angle + math.pi) % math.tau - math.pi
    return out


def _half_cycle(phase: np.ndarray) -> np.ndarray:
    """Return a difference of phases from -0.5 to 0.5."""
    out: np.ndarray = (phase + 0.5) % 1.0 - 0.5
    return out


class FigureMotion:
    """Frames and directions of the figures of one scene."""

    def __init__(self, book: ClipBook) -> None:
        self.book = book
        self.columns = MotionColumns()
        self._picture: Picture | None = None

    def follow(self, p: Picture, rows: np.ndarray) -> MotionColumns:
        """Return the columns, computed for ``rows`` at the picture's tick."""
        c = self.columns
        c.reserve(len(p))
        if p is not self._picture:
            same_tick = c.tick == p.tick
            c.tick[same_tick] = NEVER  # another picture of the same tick, such as that of another world
            self._picture = p
        rows = rows[(c.tick[rows] != p.tick) | (c.id[rows] != p.id[rows])]
        if len(rows):
            self._advance(p, rows)
        return c

    def _advance(self, p: Picture, rows: np.ndarray) -> None:
        c = self.columns
        away = p.tick - c.tick[rows]
        fresh = (away < 1) | (away > FORGET) | (c.id[rows] != p.id[rows])
        c.id[rows], c.tick[rows] = p.id[rows], p.tick
        self._walk(p, rows, fresh)
        torso, legs = self._acts(p, rows, fresh)
        stance = np.clip(p.stance[rows], 0, 2)
        self._turn(p, rows, fresh, torso, stance)
        resting = ~c.walking[rows] & _TWISTS[torso]
        legs = np.where(resting & c.turning[rows], _CODE["turn"], legs)
        table = self.book.table
        self._frames(p, rows, fresh, table[stance, torso], table[stance, legs], torso)
        falling = (p.action[rows] == Act.DIE) & (p.action_length[rows] > 0)
        lain = np.where(falling, p.tick - p.action_start[rows] - p.action_length[rows], DULL * DULL_TICKS)
        c.dull[rows] = np.where(p.alive[rows] == 0, np.clip(lain // DULL_TICKS + 1, 0, DULL), 0)
        c.idle[rows] = (
            (torso == _CODE["still"]) & (legs == _CODE["still"]) & (stance == Stance.STAND)
            & (c.torso_from[rows] == c.torso_group[rows])
        )  # fmt: skip

    def _walk(self, p: Picture, rows: np.ndarray, fresh: np.ndarray) -> None:
        """Take up speed, way and phase of the walk."""
        c = self.columns
        dx, dy = (p.x[rows] - p.prev_x[rows]) * 20.0, (p.y[rows] - p.prev_y[rows]) * 20.0
        share = np.where(fresh, 1.0, 0.5)
        c.way_x[rows] += (dx - c.way_x[rows]) * share
        c.way_y[rows] += (dy - c.way_y[rows]) * share
        now = np.hypot(dx, dy)
        speed = np.hypot(c.way_x[rows], c.way_y[rows])
        walked = c.walking[rows] & ~fresh
        halted = (now < 0.05) & (p.moving[rows] == 0)
        walking = (speed > np.where(walked, STOPS, STARTS)) & ~halted & (p.alive[rows] == 1)
        changed = (walking != walked) & ~fresh
        c.changed[rows] = np.where(changed, p.tick, np.where(fresh, NEVER, c.changed[rows]))
        c.walking[rows] = walking
        gait, shown, ahead = p.gait[rows], c.phase[rows], c.ahead[rows]
        catching = gait + np.sign(ahead) * np.maximum(np.abs(ahead) - CATCH_UP, 0.0)
        together = np.where(shown < 0.5, 0.25, 0.75)
        halting = shown + np.clip(_half_cycle(together - shown), -HALT, HALT)
        c.phase[rows] = np.where(fresh, gait, np.where(walking, catching, halting)) % 1.0
        c.ahead[rows] = _half_cycle(c.phase[rows] - gait)

    def _acts(self, p: Picture, rows: np.ndarray, fresh: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the acts of torso and legs, int64[n] each."""
        c, code = self.columns, _CODE
        age = p.tick - p.action_start[rows]
        acting = np.where((age >= 0) & (age <= p.action_length[rows]), p.action[rows], Act.NONE)
        walking = c.walking[rows]
        running = walking & (p.pace[rows] == Pace.RUN)
        ready = (p.target[rows] >= 0) & (p.weapon[rows] > 0)
        dead, asleep, drags = p.alive[rows] == 0, p.asleep[rows] != 0, p.dragging[rows] >= 0
        since, ticks = p.tick - c.changed[rows], self.book.ticks[self.book.table[0]]
        die = np.where(p.id[rows] % 2 == 0, code["die"], code["die_again"])
        torso = np.full(len(rows), code["still"])
        # The later ones win.
        for case, act in (
            (~walking & (since < ticks[code["stop"]]), "stop"),
            (walking, "walk"),
            (walking & (since < ticks[code["start"]]), "start"),
            (running, "run"),
            (ready, "aim"),
            (ready & ~walking & (p.cooldown[rows] > 0), "reload"),
            (p.carrying[rows] >= 0, "carry"),
            (acting == Act.TAKE_DOWN, "strike"),
            (acting == Act.WHISTLE, "signal"),
            (acting == Act.THROW, "throw"),
            ((acting == Act.USE) | (acting == Act.LIFT), "use"),
            (acting == Act.SHOOT, "fire"),
            (acting == Act.HIT, "hit"),
            (drags, "drag"),
            (asleep, "sleep"),
        ):
            torso[case] = code[act]
        torso[dead] = die[dead]
        step = np.where(drags, code["drag"], np.where(running, code["run"], code["walk"]))
        # Legs come to rest with the feet together.
        apart = np.abs(_half_cycle(2.0 * c.phase[rows] - 0.5)) > 0.01
        halting = ~walking & apart & (p.gait[rows] > 0.0) & ~fresh & np.isin(torso, _RESTS)
        whole = np.where(torso == code["fire"], code["aim"], np.where(torso == code["stop"], code["still"], torso))
        legs = np.where((walking | halting) & ~dead & ~asleep, step, whole)
        return torso, legs

    def _turn(self, p: Picture, rows: np.ndarray, fresh: np.ndarray, act: np.ndarray, stance: np.ndarray) -> None:
        """Turn torso, head and legs."""
        c = self.columns
        aims = (act == _CODE["aim"]) | (act == _CODE["fire"]) | (act == _CODE["reload"])
        wanted = p.front[rows]
        if aims.any():
            there = np.full(max(int(p.id.max()), int(p.target.max())) + 2, -1)
            there[p.id] = np.arange(len(p))
            to = there[p.target[rows]]  # -1, no target, leads to the last place, which is -1
            angle = np.arctan2(p.y[to] - p.y[rows], p.x[to] - p.x[rows])
            wanted = np.where(aims & (to >= 0), angle, wanted)
        before = c.torso_angle[rows]
        share = np.where(fresh | _AT_ONCE[act], 1.0, np.where(aims, EASE, 0.8))
        torso = before + wrapped(wanted - before) * share
        lying = (stance == Stance.PRONE) | (p.alive[rows] == 0) | (p.asleep[rows] != 0)
        gaze = np.where(lying & (stance != Stance.PRONE), torso, p.head[rows])
        held = np.clip(wrapped(c.head_angle[rows] - torso), -NECK, NECK)
        neck = np.clip(wrapped(gaze - torso), -NECK, NECK) * np.where(aims, 0.25, 1.0)
        head = torso + np.where(fresh, neck, held + (neck - held) * EASE)
        walking = c.walking[rows] & ~lying
        way = np.arctan2(c.way_y[rows], c.way_x[rows])
        off = wrapped(way - torso)
        backwards = walking & (np.abs(off) > np.where(c.backwards[rows] & ~fresh, BACKWARDS - 0.25, BACKWARDS))
        stepping = np.where(backwards, way + math.pi, way)
        was = c.legs_angle[rows]
        stepping = was + wrapped(stepping - was) * np.where(fresh, 1.0, 0.6)
        twist = wrapped(torso - was)
        turning = (np.abs(twist) > np.where(c.turning[rows], TURNED, TURNS)) & ~walking & ~lying & ~fresh
        resting = was + np.where(turning, np.clip(twist, -TURN_STEP, TURN_STEP), 0.0)
        resting = np.where(_TWISTS[act] & ~fresh, resting, was + twist * np.where(fresh, 1.0, EASE))
        legs = np.where(lying, torso, np.where(walking, stepping, resting))
        c.backwards[rows], c.turning[rows] = backwards, turning
        for angle, angles, directions in (
            (torso, c.torso_angle, c.torso_to), (head, c.head_angle, c.head_to), (legs, c.legs_angle, c.legs_to)
        ):  # fmt: skip
            angles[rows] = wrapped(angle)
            at = angle * (DIRECTIONS / math.tau)
            old = directions[rows]
            away = np.abs((at - old + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
            directions[rows] = np.where((away > KEEP) | fresh, np.rint(at).astype(np.int64) % DIRECTIONS, old)

    def _frames(
        self, p: Picture, rows: np.ndarray, fresh: np.ndarray, torso: np.ndarray, legs: np.ndarray, act: np.ndarray
    ) -> None:
        """Choose the frames of both layers, with the blends between groups."""
        c, book = self.columns, self.book
        changed = (c.clip[rows] != torso) | fresh
        c.clip[rows] = torso
        c.begun[rows] = np.where(changed, p.tick, c.begun[rows])
        begun, length = c.begun[rows], np.maximum(book.ticks[torso], 1)
        fitted = _FITTED[act] & (p.action[rows] != Act.NONE) & (p.action_length[rows] > 0)
        begun = np.where(fitted, p.action_start[rows], begun)
        length = np.where(fitted, p.action_length[rows], length)
        loads = act == _CODE["reload"]
        begun = np.where(loads, np.maximum(p.action_start[rows], 0), begun)
        length = np.where(loads, np.maximum(p.tick - begun + p.cooldown[rows], 1), length)
        # A body that lay there before the first tick is through with its fall.
        age = np.where((p.alive[rows] == 0) & ~fitted, 1_000_000, p.tick - begun)
        phase = np.where(c.backwards[rows], 1.0 - c.phase[rows], c.phase[rows]) % 1.0
        for clip, frames, groups, sources, since, pair in (
            (torso, c.torso, c.torso_group, c.torso_from, c.torso_since, book.coarse),
            (legs, c.legs, c.legs_group, c.legs_from, c.legs_since, None),
        ):
            count = book.count[clip]
            same = clip == torso
            ticks = np.where(same, length, np.maximum(book.ticks[clip], 1))
            passed = np.where(same, age, p.tick - c.begun[rows]) * count // ticks
            by_time = np.where(book.loops[clip], passed % count, np.clip(passed, 0, count - 1))
            k = np.where(book.by_phase[clip], (phase * count).astype(np.int64) % count, by_time)
            frame = book.first[clip] + k
            frame = frame if pair is None else pair[frame]
            group, old = book.group[clip], groups[rows]
            other = (group != old) & ~fresh
            sources[rows] = np.where(other, old, sources[rows])
            since[rows] = np.where(other, p.tick, since[rows])
            groups[rows] = group
            settle = np.maximum(book.settle[group], book.settle[sources[rows]])
            along = p.tick - since[rows]
            settled = fresh | _AT_ONCE[act] | (along >= settle)
            sources[rows] = np.where(settled, group, sources[rows])
            blend = book.blend(sources[rows], group, along * STEPS // np.maximum(settle, 1))
            frames[rows] = np.where(sources[rows] == group, frame, blend)
