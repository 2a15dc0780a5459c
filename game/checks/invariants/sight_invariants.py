"""Identification invariant: meters rise by the tables, hold, and fall without targets.

Chance has no part. It is checked from outside with separate arithmetic: range, ground, darkness, angle, time by
distance, stance, motion, alertness. The library only answers if a line of sight is clear. Shapes: the cone and
the zones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ai.perception.awareness.detection_meter import OTHERS
from ai.perception.awareness.eye_kernels import BODY_RADIUS
from ai.perception.awareness.vision_shapes import CLOSE_TILES, MIDDLE_REACH, PERIPHERY_REACH
from ai.perception.settings import VisionSettings
from ai.perception.sight.line_of_sight import line_clear
from game.checks.expectations import Expectation
from game.world.mind_kinds import mind_can
from game.world.orders import OrderKind
from game.world.world import World

MOST_PAIRS = 400
"""Pairs of watcher and enemy computed in a tick; larger worlds take turns."""
CLOSE_TO = 1e-6
_OF_THE_WORLD = (OrderKind.SETTING, OrderKind.SPAWN, OrderKind.EDIT, OrderKind.DATA)
_MINDED = ("others", "progress", "last")
_KEPT = ("id", "x", "y", "head", "stance", "vx", "vy", "mood", "meter", "meter_target", "seen_tick", "alive", "asleep")


class ByTheTable(Expectation):
    """Meters follow the likeliest target's range, place, light, stance and motion.

    It holds in every tick. Each target has a time of its own: all in view rise side by side. A target that
    becomes the main one keeps its earlier progress and no more.

    ``count``: ticks in which some meter has to rise, 1 unless given; 0 where units come unseen.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.rose = self.judged = 0
        self.before: dict[str, np.ndarray] = {}
        self.light = world.light.level.copy()
        """Light as the eyes found it; torches are computed again after each move."""

    def watch(self, world: World) -> None:
        u, n = world.units, world.units.count
        s = world.settings.vision
        fit = s.shape in ("cone", "zones") and s.meter == "timer" and not s.body_points
        fit = fit and s.line_of_sight == "symmetric"
        orders = world.recording.get("orders", ())
        # Tables, map and units may have changed since the last tick.
        fit = fit and not any(order.kind in _OF_THE_WORLD for order in orders)
        if self.first is None and fit and len(self.before.get("id", ())) == n:
            self._judge(world, s, {unit for order in orders for unit in order.units})
        self.before = {name: getattr(u, name)[:n].copy() for name in _KEPT}
        self.before |= {name: getattr(world.vision, name).copy() for name in _MINDED}
        self.light = world.light.level.copy()

    def _judge(self, world: World, s: VisionSettings, ordered: set[int]) -> None:
        """Judge all pairs of this tick from the state before it.

        Some pairs stay undecided: a unit with an order of this very tick (it may lie by now), and a low unit with
        a low wall on the line to it. The latter is covered by tests of the exposure map.
        """
        u, b = world.units, self.before
        guards = [
            i
            for i in range(u.count)
            if mind_can(world.types[int(u.kind[i])], "watches") and b["alive"][i] and u.alive[i] and not b["asleep"][i]
        ]
        living = [j for j in range(u.count) if b["alive"][j]]  # a unit that falls in this tick was looked at in it
        most = max(1, MOST_PAIRS // max(1, len(living)))
        if len(guards) > most:
            # By turns: in some ticks all are looked at.
            first = world.tick * most % len(guards)
            guards = (guards + guards)[first : first + most]
        for i in guards:
            if u.asleep[i]:
                continue
            far = self._progress(i)
            seconds, undecided = {}, False
            for j in living:
                if u.side[j] == u.side[i]:
                    continue
                if int(u.id[j]) in ordered:
                    dx, dy = float(b["x"][j] - b["x"][i]), float(b["y"][j] - b["y"][i])
                    undecided |= math.hypot(dx, dy) <= 2.0 * world.types[int(u.kind[i])].cone_range
                    continue
                needed = self._seconds(world, s, i, j)
                if needed is None:
                    continue
                undecided |= bool(b["stance"][j]) and self._over_low_walls(world, i, j)
                seconds[int(u.id[j])] = needed
            if undecided:
                continue
            self.judged += 1
            told = self._broken(world, s, i, far, seconds)
            if told:
                self.first = f"{world.name_of(int(u.id[i]))}: {told}, tick {world.tick}"
                return

    def _over_low_walls(self, world: World, i: int, j: int) -> bool:
        """Return true if a low wall is near the line between two units."""
        if not world.low.any():
            return False
        b, (height, width) = self.before, world.low.shape
        steps = np.linspace(0.0, 1.0, 80)
        x = float(b["x"][i]) + float(b["x"][j] - b["x"][i]) * steps
        y = float(b["y"][i]) + float(b["y"][j] - b["y"][i]) * steps
        for dx, dy in ((0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
            ty, tx = np.clip((y + dy).astype(int), 0, height - 1), np.clip((x + dx).astype(int), 0, width - 1)
            if world.low[ty, tx].any():
                return True
        return False

    def _progress(self, i: int) -> dict[int, tuple[float, int]]:
        """Return a watcher's progress per target, and the tick last seen."""
        b = self.before
        far = {}
        if i < len(b["others"]):
            rows = (b[name][i].tolist() for name in _MINDED)
            far = {unit: (progress, last) for unit, progress, last in zip(*rows, strict=True) if unit >= 0}
        if b["meter_target"][i] >= 0:
            far[int(b["meter_target"][i])] = float(b["meter"][i]), int(b["seen_tick"][i])
        return far

    def _broken(
        self, world: World, s: VisionSettings, i: int, far: dict[int, tuple[float, int]], seconds: dict[int, float]
    ) -> str | None:
        """Return the deviation of a watcher from the table.

        It is ``far`` with some targets and has ``seconds`` to go.
        """
        u, before = world.units, int(self.before["meter_target"][i])
        target, meter = int(u.meter_target[i]), float(u.meter[i])
        if seconds:
            rank = {unit: needed * (1.0 - far.get(unit, (0.0, 0))[0]) for unit, needed in seconds.items()}
            held = before in seconds and far[before][0] >= 1.0
            if target not in seconds or (target != before if held else rank[target] > min(rank.values()) + CLOSE_TO):
                return f"its eyes are on unit {target}, the table has {rank}"
            expected = self._risen(far, seconds, target)
            self.rose += far.get(target, (0.0, 0))[0] < 1.0
        else:
            expected = self._fallen(world, s, far.get(before, (0.0, 0)))
        if abs(meter - expected) > CLOSE_TO:
            return f"meter {meter:.5f}, by the table {expected:.5f}"
        kept = {target: meter}
        for unit, progress in zip(world.vision.others[i].tolist(), world.vision.progress[i].tolist(), strict=True):
            if unit >= 0:
                kept[unit] = progress
                seen = unit in seconds
                left = self._risen(far, seconds, unit) if seen else self._fallen(world, s, far.get(unit, (0.0, 0)))
                if abs(progress - left) > CLOSE_TO:
                    return f"has {progress:.5f} of unit {unit} in mind, by the table {left:.5f}"
        missing = seconds.keys() - kept.keys()
        if missing and len(seconds.keys() | far.keys()) <= OTHERS:
            return f"has units {sorted(missing)} before its eyes and not in mind"
        return None

    @staticmethod
    def _risen(far: dict[int, tuple[float, int]], seconds: dict[int, float], unit: int) -> float:
        """Return the progress for a target in view after this tick."""
        progress = far.get(unit, (0.0, 0))[0]
        if progress >= 1.0 or seconds[unit] <= 0.05:
            return 1.0
        risen = progress + 0.05 / seconds[unit]
        return 1.0 if risen > 1.0 - 1e-9 else risen

    @staticmethod
    def _fallen(world: World, s: VisionSettings, kept: tuple[float, int]) -> float:
        """Return the rest of ``kept`` after a tick without sight.

        ``kept`` is a progress and the tick of the last look.
        """
        progress, last = kept
        if progress < 1.0 and (world.tick - last) / 20.0 <= s.hold_seconds:
            return progress
        return max(0.0, progress - 0.05 / s.fall_seconds)

    def _seconds(self, world: World, s: VisionSettings, i: int, j: int) -> float | None:
        b, kind = self.before, world.types[int(world.units.kind[i])]
        x, y = float(b["x"][j]), float(b["y"][j])
        dx, dy = x - float(b["x"][i]), y - float(b["y"][i])
        far, stance = math.hypot(dx, dy), int(b["stance"][j])
        zones = s.shape == "zones"
        reach = kind.cone_range * (MIDDLE_REACH if zones else 1.0)
        ground = min(int(world.terrain.cover[int(y), int(x)]), len(s.seen_within) - 1)
        if far > min(reach, s.seen_within[ground][stance]):
            return None
        touched = far <= (s.touch_stand if stance == 0 else s.touch_low)
        light = _light_on(self.light, world.terrain.opaque, x, y)
        off = abs(math.remainder(math.atan2(dy, dx) - float(b["head"][i]), math.tau)) if far else 0.0
        run = world.types[int(world.units.kind[j])].run
        moving = min(1.0, math.hypot(float(b["vx"][j]), float(b["vy"][j])) / run)
        if zones:
            seconds = _by_zones(s, kind.cone_range, far, off, touched, moving, max(ground / 3.0, 1.0 - light))
            if seconds is None:
                return None
        else:
            if not touched and off > kind.cone_half_angle:
                return None
            if far > kind.cone_range * (s.dark_reach + (1.0 - s.dark_reach) * light):
                return None
            share = max(0.0, far - s.near_tiles) / max(1e-9, kind.cone_range - s.near_tiles)
            seconds = s.near_seconds + (s.far_seconds - s.near_seconds) * share
            seconds *= 1.0 + (s.run_factor - 1.0) * moving
            seconds /= light + (1.0 - light) / s.dark_factor
        if not line_clear(world.terrain.opaque, int(b["y"][i]), int(b["x"][i]), int(y), int(x)):
            return None
        seconds *= (1.0, s.crouch_factor, s.prone_factor)[stance]
        return float(seconds * (1.0, s.alerted_factor, s.searching_factor)[int(b["mood"][i])])

    def verdict(self, world: World) -> str | None:
        if self.first is None and self.rose < (1 if self.row.count is None else self.row.count):
            return "no meter ever rose" if not self.rose else f"meters rose in {self.rose} ticks alone"
        return self.first


def _light_on(level: np.ndarray, opaque: np.ndarray, x: float, y: float) -> float:
    """Return the light on a body's best lit part of five.

    Parts inside a wall do not count.
    """
    height, width = level.shape
    best = int(level[int(y), int(x)])
    for dx, dy in ((BODY_RADIUS, 0.0), (-BODY_RADIUS, 0.0), (0.0, BODY_RADIUS), (0.0, -BODY_RADIUS)):
        px, py = x + dx, y + dy
        if 0 <= px < width and 0 <= py < height and not opaque[int(py), int(px)]:
            best = max(best, int(level[int(py), int(px)]))
    return best / 255.0


def _by_zones(
    s: Any, reach: float, far: float, off: float, touched: bool, moving: float, hidden: float
) -> float | None:
    """Return seconds by the zone tables, from the highest zone certainty.

    Motion and camouflage count.
    """
    ahead, aside = far * math.cos(off), far * math.sin(off)
    width = s.sweet_width * reach

    def half(length: float) -> float:
        middle = length / 2
        return 0.5 + (width - 0.5) * far / middle if far <= middle else width * (length - far) / middle

    best = s.close_certainty if far <= CLOSE_TILES or touched else 0.0
    if ahead >= 0:
        if far <= PERIPHERY_REACH * reach:
            best = max(best, s.periphery_certainty)
        if far <= MIDDLE_REACH * reach and aside <= 1.6 * half(MIDDLE_REACH * reach):
            best = max(best, s.middle_certainty)
        if far <= reach and aside <= half(reach):
            best = 1.0
    if best <= 0:
        return None
    certainty = min(1.0, best + s.motion_bonus * moving - s.camouflage_malus * hidden)
    return None if certainty <= 1e-9 else float(s.sweet_seconds / certainty)


SIGHT_LAWS = {"by_the_table": ByTheTable}
