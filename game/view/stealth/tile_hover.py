"""Tile panel: light, watchers now and in the next ten seconds, and listeners.

The answers come from the guards' own perception kernel. It is asked about the tile now and along the routes that the
guards will walk if they are not disturbed (``game.sim.forecast``).
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.sim.forecast import HORIZON, Forecast, Foreseen, can_foretell
from game.systems.stealth.foresight import heard_by, lightness, seen_by, step_radius
from game.systems.stealth.watcher_intel import sightings_of
from game.view.hud.hint_panel import figures_of
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.view.painting.screen_protocols import PlayContext
from game.view.stealth.light_gem import draw_gem
from game.view.units.order_marks import dashed
from game.world.orders import OrderKind
from game.world.units import Pace, Stance

REST_MS = 450
"""Milliseconds the cursor rests before the panel shows."""
READ_EVERY_MS = 200
SHARE_MS = 2.5
"""Milliseconds of a frame that the forecast may take."""
ANEW_MS = 1500
"""Milliseconds between two starts of a forecast."""
MOST_NAMES = 3


@dataclass(frozen=True)
class TileFacts:
    """Facts about a tile; ``x, y`` are its centre in tiles.

    ``seen`` and ``coming`` hold watcher names with seconds. ``light`` is 0 to 1. ``known`` is the number of seconds
    that the forecast covers so far.
    """

    x: float
    y: float
    light: float
    night: bool
    seen: tuple[tuple[str, float], ...]
    seers: tuple[int, ...]
    coming: tuple[tuple[str, float], ...]
    paths: tuple[Foreseen, ...]
    known: float
    heard: tuple[str, ...]
    noise: str
    manner: str = "standing still"
    """Posture for which the seconds of ``seen`` hold."""


class TileCard:
    """Tile panel and the forecast behind it."""

    def __init__(self, stage: PlayContext) -> None:
        self.stage = stage
        self.facts: TileFacts | None = None
        self.forecast: Forecast | None = None
        self._pos: tuple[int, int] | None = None
        self._since = 0
        self._read_at = -READ_EVERY_MS
        self._begun_at = -ANEW_MS

    def update(self, over_map: bool) -> None:
        """Follow the cursor, once a frame.

        ``over_map`` means that the cursor is on the map and holds nothing.
        """
        now, pos = self.stage.app.now_ms, self.stage.mouse.pos
        if pos != self._pos:
            self._pos, self._since, self.facts = pos, now, None
        if not over_map or pos == (0, 0) or self.stage.view.lab:
            self.facts, self._since = None, now
            return
        if now - self._since < REST_MS:
            return
        self._look_ahead(now)
        if self.facts is None or now - self._read_at >= READ_EVERY_MS:
            self._read_at = now
            self.facts = self._read(pos)

    def _look_ahead(self, now: int) -> None:
        """Advance the forecast by a time slice; start a new one after a disturbance."""
        playing = self.stage.playing
        if playing.clock.paused:
            playing.whole()  # a pause may have begun in the middle of a tick
        if not playing.session.whole:
            return
        world = playing.world
        if self.forecast is not None and not self.forecast.holds(world, self._in_sight()):
            self.forecast = None
        if self.forecast is None:
            if now - self._begun_at < ANEW_MS or not can_foretell(world, playing.side):
                return
            self._begun_at = now
            self.forecast = Forecast(world, playing.side)
        share = SHARE_MS * (3 if playing.clock.paused else 1)
        end = time.perf_counter() + share / 1000
        self.forecast.forget_before(int(world.tick))
        self.forecast.advance(int(world.tick) + HORIZON, lambda: time.perf_counter() > end)

    def _in_sight(self) -> set[int]:
        """Return the ids of other sides' units that the player's side sees now."""
        world, side = self.stage.playing.world, self.stage.playing.side
        u = world.units
        others = u.living()
        others = others[u.side[others] != side]
        return set(u.id[others[world.sight.sees_positions(side, u.x[others], u.y[others])]].tolist())

    def _foretold(self, in_sight: set[int]) -> set[int]:
        """Return the ids of watchers whose forecast is shown.

        These are the units in sight now or since the forecast began. The player could not predict any other unit.
        """
        sighted = sightings_of(self.stage.playing.world, self.stage.playing.side)
        if sighted is None or self.forecast is None:
            return in_sight
        return in_sight | {unit for unit, last in sighted.about.items() if last.tick >= self.forecast.begun}

    def _manner(self) -> tuple[int, int, float]:
        """Return id, stance and pace of the unit that the tile is asked for.

        It is the first selected unit, else a unit of the player that walks upright.
        """
        ids, p = self.stage.selection.ids, self.stage.playing.picture
        row = p.row_of.get(ids[0]) if ids else None
        if row is None:
            own = p.living(self.stage.playing.side)
            return int(p.id[own[0]]) if len(own) else -1, int(Stance.STAND), float(Pace.WALK)
        return int(p.id[row]), int(p.stance[row]), float(p.pace[row])

    def _read(self, pos: tuple[int, int]) -> TileFacts | None:
        playing = self.stage.playing
        world, tile = playing.world, self.stage.camera.tile_at(*pos)
        if tile is None or not world.terrain.passable[tile] or not self._known(tile):
            return None
        x, y = tile[1] + 0.5, tile[0] + 0.5
        unit, stance, pace = self._manner()
        in_sight = self._in_sight()
        foretold = self._foretold(in_sight)
        seen = [s for s in seen_by(world, playing.side, x, y, stance) if s.watcher in in_sight]
        now = int(world.tick)
        foreseen = self.forecast.seen(x, y, now, stance) if self.forecast is not None else []
        seers = {s.watcher for s in seen}
        coming = [f for f in foreseen if f.watcher not in seers and f.watcher in foretold]
        known = min(self.forecast.last - now, HORIZON) / 20.0 if self.forecast is not None else 0.0
        noise, radius = "a walking step", 0.0
        if unit >= 0:
            radius = step_radius(world, unit, x, y, stance, int(pace))
            noise = {Stance.CROUCH: "a crouched step", Stance.PRONE: "crawling"}.get(
                Stance(min(stance, 2)), "a running step" if pace == Pace.RUN else "a walking step"
            )
        if self.stage.mouse.armed == OrderKind.THROW.name.lower():
            noise, radius = "a stone", float(world.settings.noise.stone)
        heard = heard_by(world, playing.side, x, y, radius) if radius > 0 else []
        return TileFacts(
            x, y, lightness(world, x, y), world.light.ambient < 1,
            tuple((world.name_of(s.watcher), s.seconds) for s in seen), tuple(s.watcher for s in seen),
            tuple((world.name_of(f.watcher), f.after) for f in coming), tuple(coming), known,
            tuple(world.name_of(h.listener) for h in heard if h.listener in in_sight), noise,
            ("standing still", "crouching still", "lying still")[min(stance, 2)],
        )  # fmt: skip

    def _known(self, tile: tuple[int, int]) -> bool:
        explored = self.stage.scene.fog.explored
        return bool(explored[tile])

    # Drawing

    def draw_ground(self, surface: pygame.Surface, camera: Camera, palette: Palette) -> None:
        """Draw a frame round the tile and a line from each watcher.

        A dashed line comes from the place at which a predicted watcher will be.
        """
        facts = self.facts
        if facts is None:
            return
        zoom = camera.zoom
        left, top = camera.to_screen(facts.x - 0.5, facts.y - 0.5)
        box = pygame.Rect(left, top, zoom, zoom)
        pygame.draw.rect(surface, palette["ink"], box.inflate(4, 4), 1)
        pygame.draw.rect(surface, palette["white"], box.inflate(2, 2), 2)
        p, at = self.stage.playing.picture, box.center
        for unit in facts.seers:
            row = p.row_of.get(unit)
            if row is not None:
                start = camera.to_screen(float(p.x[row]), float(p.y[row]))
                pygame.draw.line(surface, palette["ink"], start, at, 4)
                pygame.draw.line(surface, palette["cone"], start, at, 2)
        for f in facts.paths[:MOST_NAMES]:
            start = camera.to_screen(f.x, f.y)
            dashed(surface, [start, at], palette["cone"], None, 2, 5, 6)
            pygame.draw.circle(surface, palette["ink"], start, max(zoom // 3, 6) + 1, 4)
            pygame.draw.circle(surface, palette["cone"], start, max(zoom // 3, 6), 2)
            colours = (palette["ink"], palette["rim"])
            words = _after(f.after).removeprefix("after ")
            self.stage.scene.labels.put(surface, self.stage.app.text, words, start, zoom // 2, *colours)

    def draw(self, surface: pygame.Surface, taken: Sequence[pygame.Rect] = ()) -> pygame.Rect | None:
        """Draw the panel beside the tile and return its box.

        It avoids the panels of the HUD and the boxes of ``taken``.
        """
        facts = self.facts
        if facts is None:
            return None
        text, panels, palette = self.stage.app.text, self.stage.hud.panels, self.stage.app.palette
        px = text.px
        rows = rows_of(facts)
        wide = max(text.size("sans_bold", 15, head)[0] + text.size("sans", 15, what)[0] for head, what in rows)
        rect = pygame.Rect(0, 0, wide + px(40), px(14 + 21 * len(rows)))
        zoom = self.stage.camera.zoom
        x, y = self.stage.camera.to_screen(facts.x, facts.y)
        window = surface.get_rect().inflate(-px(16), -px(16))
        offers = [
            (x + zoom, y + zoom // 2), (x - zoom - rect.width, y + zoom // 2), (x + zoom, y - zoom - rect.height),
            (x - zoom - rect.width, y - zoom - rect.height),
        ]  # fmt: skip
        avoid = [*self.stage.hud.layout.panels, *taken]
        figures = figures_of(self.stage.camera, self.stage.playing)
        # Avoid the player's figures as well where that is possible.
        for off, (left, top) in itertools.product(([*avoid, *figures], avoid), offers):
            rect.topleft = left, top
            if window.contains(rect) and rect.collidelist(off) < 0:
                break
        rect.clamp_ip(window)
        panels.draw(surface, rect, "plain")
        at = rect.y + px(7)
        for k, (head, what) in enumerate(rows):
            left = rect.x + px(14)
            if k == 0 and facts.night:
                draw_gem(surface, palette, (left + px(5), at + px(10)), px(8), facts.light)
                left += px(18)
            placed = text.draw(surface, (left, at), head, panels.ink, "sans_bold", 15)
            text.draw(surface, (placed.right + px(7), at), what, panels.ink, "sans", 15)
            at += px(21)
        return rect


def _after(seconds: float) -> str:
    """Return the time until a watcher sees the tile: ``at once`` or ``after 3 s``."""
    return "at once" if seconds < 0.5 else f"after {seconds:.0f} s"


def rows_of(facts: TileFacts) -> list[tuple[str, str]]:
    """Return (head, words) of each line of the panel."""
    light = f"{facts.light * 100:.0f} %"
    now = ", ".join(f"{name} in {seconds:.1f} s" for name, seconds in facts.seen[:MOST_NAMES]) or "no enemy in sight"
    more = len(facts.seen) - MOST_NAMES
    still = f" ({facts.manner})" if facts.seen else ""
    rows = [("Light", light), ("Seen by", now + (f" and {more} more" if more > 0 else "") + still)]
    coming = ", ".join(f"{name} {_after(after)}" for name, after in facts.coming[:MOST_NAMES])
    if facts.known >= HORIZON / 20 - 0.3:
        rows.append(("In 10 s", coming or ("no other enemy" if facts.seen else "no enemy you know of")))
    elif facts.known >= 1:
        rows.append((f"In {math.floor(facts.known)} s", coming or "no enemy so far"))
    elif facts.known > 0:
        rows.append(("In 10 s", coming or "looking ahead ..."))
    rows.append(("Heard by", f"{', '.join(facts.heard[:MOST_NAMES]) or 'no enemy in sight'} ({facts.noise})"))
    return rows
