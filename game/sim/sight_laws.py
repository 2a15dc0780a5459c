"""The law of identification: meters rise by what the tables say, hold and fall with nobody in view, never by luck.

Looked at from outside with arithmetic of its own: range, ground, darkness, angle, time by distance, stance, motion,
alertness.  Of the library it asks only whether a line of sight is clear.  Shapes: the cone and the zones.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ai.perception.eyes import BODY_RADIUS
from ai.perception.settings import VisionSettings
from ai.perception.shapes import CLOSE_TILES, MIDDLE_REACH, PERIPHERY_REACH
from ai.sight.line import line_clear
from game.sim.expect import Expectation
from game.world.world import World

MOST_PAIRS = 400
"""Pairs of watcher and enemy that are worked out in a tick; in larger worlds the law looks at the first watchers."""
CLOSE_TO = 1e-6
_KEPT = ("id", "x", "y", "head", "stance", "vx", "vy", "mood", "meter", "meter_target", "seen_tick", "alive", "asleep")


class ByTheTable(Expectation):
    """Every meter moves in every tick as range, place, light, stance and motion of the likeliest target say.

    ``count``: ticks in which some meter has to rise, 1 unless given; 0 where they come unseen and none need.
    """

    def start(self, world: World) -> None:
        self.first: str | None = None
        self.rose = 0
        self.before: dict[str, np.ndarray] = {}
        self.light = world.light.level.copy()
        """As the eyes found it: torches shine anew after each move."""

    def watch(self, world: World) -> None:
        u, n = world.units, world.units.count
        s = world.settings.vision
        fit = s.shape in ("cone", "zones") and s.meter == "timer" and not s.body_points
        fit = fit and s.line_of_sight == "symmetric"
        if self.first is None and fit and len(self.before.get("id", ())) == n and not world.recording.get("orders"):
            self._judge(world, s)
        self.before = {name: getattr(u, name)[:n].copy() for name in _KEPT}
        self.light = world.light.level.copy()

    def _judge(self, world: World, s: VisionSettings) -> None:
        u, b = world.units, self.before
        guards = [
            i
            for i in range(u.count)
            if world.types[int(u.kind[i])].mind == "guard" and b["alive"][i] and u.alive[i] and not b["asleep"][i]
        ]
        living = [j for j in range(u.count) if b["alive"][j]]  # who falls in this tick was looked at in it
        for i in guards[: max(1, MOST_PAIRS // max(1, len(living)))]:
            if u.asleep[i]:
                continue
            best, held, behind = math.inf, math.inf, False
            for j in living:
                if u.side[j] == u.side[i]:
                    continue
                seconds = self._seconds(world, s, i, j)
                if seconds is None:
                    continue
                behind |= bool(world.low.size and b["stance"][j])
                best = min(best, seconds)
                if b["meter"][i] >= 1.0 and b["meter_target"][i] == u.id[j]:
                    held = seconds
            if behind:
                continue  # what low walls hide of a low body is another law's business (tests of the exposure map)
            expected = self._expected(world, s, i, held if held < math.inf else best)
            if abs(float(u.meter[i]) - expected) > CLOSE_TO:
                who = world.name_of(int(u.id[i]))
                self.first = f"{who}: meter {u.meter[i]:.5f}, by the table {expected:.5f}, tick {world.tick}"
                return

    def _expected(self, world: World, s: VisionSettings, i: int, seconds: float) -> float:
        before = float(self.before["meter"][i])
        if seconds == math.inf:
            waited = (world.tick - int(self.before["seen_tick"][i])) / 20.0
            if before < 1.0 and waited <= s.hold_seconds:
                return before
            return max(0.0, before - 0.05 / s.fall_seconds)
        if before >= 1.0 or seconds <= 0.05:
            return 1.0
        after = before + 0.05 / seconds
        self.rose += 1
        return 1.0 if after > 1.0 - 1e-9 else after

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
    """Light on the best lit of a body's five parts; none of them inside a wall."""
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
    """Seconds by the zone tables: the highest certainty of the zones, with motion and camouflage."""
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
