"""Watcher marks on the map: cones, wedges, detection meters and causes.

Cones never show all at once. The hovered or else the pinned one shows in full. Watchers with a meter above zero show an
outline, the others a short wedge. A held key shows all outlines on screen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import pygame

from ai.decision.decision_trace import PERCEPT
from game.view.light.cones import ConePainter, Watch
from game.view.light.fog import FogMask
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette, mix
from game.view.painting.text import TextDrawer
from game.view.units.figures import FAR_ZOOM, direction_of
from game.view.units.order_marks import dashed
from game.view.units.sprites import Sprites
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing
from game.world.mind_kinds import minds_that

SURE_FROM = 0.02
"""Meter value below which nothing is shown."""
MOST_OUTLINES = 24
"""Largest number of unrequested outlines; those with the fullest meters are kept."""
MOST_FIGHTING = 3
"""Largest number of fighting watchers with cones and marks of their own.

The ground that more of them see is one area, and their shots tell the rest.
"""
MOST_BESIDE = 2
"""Largest number of lines from one watcher besides the line to its target."""
MOST_CAUSES = 4
CAUSE_APART = 4.0
"""Least distance in tiles of two watchers with causes in words."""
CAUSE_PAPER = 0.55
"""Share of paper colour in the amber behind a cause."""
CALM_SHARE = 0.62
"""Size of the mark of a guard at ease, relative to the full meter."""
HEARD_MS = 1500
_SEARCHES, _INVESTIGATES, _FIGHTS = "search", "investigate", "fight"


class ShownEnemy(Protocol):
    """Cones that the player asks for, as unit ids."""

    pinned: int
    hovered: int
    every_cone: bool


@dataclass
class WatchFrame:
    """Data of one frame; ``x, y`` are interpolated positions (tiles) of all rows."""

    surface: pygame.Surface
    camera: Camera
    playing: Playing
    x: np.ndarray
    y: np.ndarray
    night: bool
    fog: FogMask
    now: int


@dataclass
class Causes:
    """Last cause of each watcher from the decision trace, in words."""

    words: dict[int, str] = field(default_factory=dict)
    _read: int = 0

    def follow(self, world: Any) -> None:
        """Read the new trace entries, or all after a jump back in time."""
        trace = world.trace
        if trace is None:
            return
        if trace.written < self._read:
            self.words.clear()
            self._read = 0
        for entry in trace.since(self._read, PERCEPT):
            self.words[entry.unit] = entry.cause
        self._read = int(trace.written)


def symbol_of(world: Any, unit: int, meter: float, asleep: bool, heard: bool = False) -> str:
    """Return the state icon of a watcher from its meter and its skill."""
    if asleep:
        return "asleep"
    mind = world.minds.get(unit)
    skill = mind.skill if mind is not None else ""
    if meter >= 1.0 or skill == _FIGHTS:
        return "alarm"
    if skill == _SEARCHES:
        return "search"
    if world.vision.state_of(meter) or skill == _INVESTIGATES:
        return "question"
    return "ear" if heard else "eye"


def _fights(playing: Playing, row: int) -> bool:
    """Return whether a watcher fights a unit that it sees."""
    p = playing.picture
    mind = playing.world.minds.get(int(p.id[row]))
    return mind is not None and mind.skill == _FIGHTS and bool(p.seen_tick[row] == p.tick)


def _near(a: tuple[int, int], b: tuple[int, int], far: int) -> bool:
    """Return whether two pixels lie within a distance of each other."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) <= far


def _many_fighting(playing: Playing, rows: np.ndarray) -> list[int]:
    """Return the rows of those that fight; none when they are few."""
    fighting = [r for r in rows.tolist() if _fights(playing, r)]
    return fighting if len(fighting) > MOST_FIGHTING else []


def _few_fighting(playing: Playing, rows: np.ndarray) -> list[int]:
    """Return the rows without those that fight, or with them when they are few."""
    fighting = set(_many_fighting(playing, rows))
    return [r for r in rows.tolist() if r not in fighting]


class WatchPainter:
    """Painter of cones, wedges and meters; keeps causes and heard noises."""

    def __init__(self, sprites: Sprites, palette: Palette, text: TextDrawer, labels: LabelPlacer) -> None:
        self.sprites, self.palette, self.text, self.labels = sprites, palette, text, labels
        self.sides = [side.name for side in palette.sides]
        self.cones = ConePainter()
        self.causes = Causes()
        self.heard: dict[int, int] = {}
        """Time in ms until which the ear of a watcher shows, by unit id."""
        self._small: dict[tuple[str, str], pygame.Surface] = {}

    # Cones

    def watchers(self, playing: Playing, view: ShownEnemy, seen: np.ndarray) -> tuple[list[int], list[int]]:
        """Return the rows whose cone is drawn in full, and those in outline.

        The hovered or else the pinned watcher is drawn in full. A meter above zero gives an outline, as does
        :attr:`ShownEnemy.every_cone`.
        """
        p = playing.picture
        enemies = seen[(p.side[seen] != playing.side) & (p.alive[seen] == 1) & (p.asleep[seen] == 0)]
        ids = p.id[enemies]
        chosen = view.hovered if view.hovered in ids else view.pinned
        if view.every_cone:
            return enemies[ids == chosen].tolist(), enemies[ids != chosen].tolist()
        # Watchers with a full meter are included, so that its wash reaches the identified unit. The fullest meters
        # come first.
        outlined = enemies[(p.meter[enemies] > SURE_FROM) & (ids != chosen)]
        outlined = outlined[np.lexsort((p.id[outlined], -p.meter[outlined]))]
        kept = _few_fighting(playing, outlined)
        return enemies[ids == chosen].tolist(), kept[:MOST_OUTLINES]

    def watch(self, playing: Playing, row: int) -> Watch:
        """Return position, facing and cone of the unit in a row of the picture."""
        p = playing.picture
        kind = playing.world.types[int(p.kind[row])]
        place = float(p.x[row]), float(p.y[row])
        return Watch(*place, float(p.head[row]), kind.cone_half_angle, kind.cone_range, int(p.mood[row]))

    def draw_cones(self, frame: WatchFrame, view: ShownEnemy, seen: np.ndarray) -> None:
        """Draw the outlines, then the full cone."""
        full, outlined = self.watchers(frame.playing, view, seen)
        colour = self.palette["cone_night" if frame.night else "cone"]
        meter = self.palette["meter_night" if frame.night else "meter"]
        self.cones.begin()
        p = frame.playing.picture
        fighting = _many_fighting(frame.playing, seen[(p.side[seen] != frame.playing.side) & (p.asleep[seen] == 0)])
        fighting = [r for r in fighting if r not in full and r not in outlined]
        if fighting:
            watches = [(int(p.id[r]), self.watch(frame.playing, r)) for r in fighting[:MOST_OUTLINES]]
            self.cones.draw_joined(frame.surface, frame.camera, frame.playing.world, watches, colour, frame.fog)
        for r in (*outlined, *full):
            filled = 0.0 if _fights(frame.playing, r) else self.sure_to(frame.playing, r)
            self.cones.draw(
                frame.surface, frame.camera, frame.playing.world, self.watch(frame.playing, r), colour,
                at=(float(frame.x[r]), float(frame.y[r])), full=r in full, fog=frame.fog, meter=meter,
                casing=self.palette["ink"], filled=filled, who=int(frame.playing.picture.id[r]),
            )  # fmt: skip

    def sure_to(self, playing: Playing, row: int) -> float:
        """Return the tiles from the eye to the front of the meter's wash.

        The front is at the target when the watcher has identified it. It is 0 without a target.
        """
        p = playing.picture
        if int(p.meter_target[row]) not in p.row_of or p.meter[row] <= SURE_FROM:
            return 0.0
        return float(p.meter[row]) * math.hypot(p.seen_x[row] - p.x[row], p.seen_y[row] - p.y[row])

    def draw_wedges(self, frame: WatchFrame, seen: np.ndarray) -> None:
        """Draw a short wedge at each enemy's feet in its view direction."""
        p, camera = frame.playing.picture, frame.camera
        if camera.zoom <= FAR_ZOOM:
            return
        out = []
        for r in seen[(p.side[seen] != frame.playing.side) & (p.alive[seen] == 1) & (p.asleep[seen] == 0)].tolist():
            side = self.sides[int(p.side[r]) % 4]
            cell = self.sprites.cell(f"marks.wedges_{camera.zoom}", direction_of(float(p.head[r])), side)
            if cell is not None:
                px, py = camera.to_screen(float(frame.x[r]), float(frame.y[r]))
                out.append((cell.surface, (px + cell.dx, py + cell.dy)))
        frame.surface.fblits(out)

    # Meters

    def hears(self, unit: int, now: int) -> None:
        """Note that a watcher has heard a noise; ``now`` is in milliseconds."""
        self.heard = {u: until for u, until in self.heard.items() if until > now}
        self.heard[unit] = now + HEARD_MS

    def draw_meters(self, frame: WatchFrame, seen: np.ndarray) -> None:
        """Draw meter, state icon and cause lines above each guard."""
        playing, camera, world = frame.playing, frame.camera, frame.playing.world
        p = playing.picture
        guards = minds_that(world.types, "watches")
        others = seen[(p.alive[seen] == 1) & (p.side[seen] != playing.side)]
        others = others[(p.meter[others] > SURE_FROM) | guards[p.kind[others]]]
        melee = bool(_many_fighting(playing, others))
        others = np.array(_few_fighting(playing, others), np.int64)
        lift = max(round(camera.zoom * 0.95), 18)
        causes: list[tuple[str, tuple[int, int]]] = []
        bodies: list[pygame.Rect] = []
        half = max(camera.zoom * 2 // 5, 6)
        sheet = f"marks.meters_{self._mark_size()}"
        for r in others.tolist():
            meter, unit = float(p.meter[r]), int(p.id[r])
            px, py = camera.to_screen(float(frame.x[r]), float(frame.y[r]))
            bodies.append(pygame.Rect(px - half, py - half, 2 * half, 2 * half))
            symbol = symbol_of(world, unit, meter, bool(p.asleep[r]), self.heard.get(unit, 0) > frame.now)
            if meter <= SURE_FROM and symbol in ("eye", "asleep"):
                self._calm_mark(frame.surface, (px, py - lift), sheet, symbol, camera.zoom)
                continue
            target = p.row_of.get(int(p.meter_target[r]))
            if target is not None and SURE_FROM < meter < 1.0 and p.side[target] == playing.side:
                sees = p.seen_tick[r] == p.tick
                place = (frame.x[target], frame.y[target]) if sees else (p.seen_x[r], p.seen_y[r])
                at = camera.to_screen(float(place[0]), float(place[1]))
                self._cause_line(frame.surface, (px, py), at, meter, sees)
                bodies.append(pygame.Rect(at[0] - half, at[1] - half, 2 * half, 2 * half))
                if sees and unit in self.causes.words:
                    causes.append((self.causes.words[unit], (px, py)))
            for other, share in self._beside(playing, r) if meter < 1.0 and not melee else ():
                to = camera.to_screen(float(frame.x[other]), float(frame.y[other]))
                self._cause_line(frame.surface, (px, py), to, share, True)
                bodies.append(pygame.Rect(to[0] - half, to[1] - half, 2 * half, 2 * half))
            self.labels.reserve(pygame.Rect(px - 16, py - lift - 16, 32, 32))
            step = min(16, math.ceil(meter * 16)) if meter > SURE_FROM else 0
            self.sprites.blit(frame.surface, (px, py - lift), sheet, step, symbol)
        clear = max(camera.zoom // 2, 12)
        far = round(CAUSE_APART * camera.zoom)
        causes = [c for k, c in enumerate(causes) if not any(_near(c[1], o[1], far) for o in causes[:k])]
        for words, at in causes[: 1 if melee else MOST_CAUSES]:
            self._cause_words(frame.surface, words, at, clear, bodies)

    def _beside(self, playing: Playing, row: int) -> list[tuple[int, float]]:
        """Return (row, meter) of the player's units noticed besides the target.

        They are in view and not identified yet.
        """
        p, vision = playing.picture, playing.world.vision
        if row >= len(vision.others) or int(vision.watcher[row]) != int(p.id[row]):
            return []
        rows = []
        columns = vision.others[row].tolist(), vision.progress[row].tolist(), vision.last[row].tolist()
        for unit, share, last in zip(*columns, strict=True):
            other = p.row_of.get(unit) if unit >= 0 and last == p.tick and SURE_FROM < share < 1.0 else None
            if other is not None and p.side[other] == playing.side:
                rows.append((other, share))
        return sorted(rows, key=lambda row: -row[1])[:MOST_BESIDE]

    def _cause_words(
        self, surface: pygame.Surface, words: str, at: tuple[int, int], clear: int, bodies: list[pygame.Rect]
    ) -> None:
        """Write the cause on amber paper beside the watcher, clear of figures if possible."""
        line = self.text.line("sans_bold", 15, words, self.palette["ink"])
        size = line.get_width() + self.text.px(14), line.get_height() + self.text.px(6)
        clip = surface.get_clip()
        rect = self.labels.place(size, at, clear, clip, bodies) or self.labels.place(size, at, clear, clip)
        if rect is None:
            return
        pygame.draw.rect(surface, mix(self.palette["amber"], self.palette["rim"], CAUSE_PAPER), rect)
        pygame.draw.rect(surface, self.palette["ink"], rect, 2)
        surface.blit(line, line.get_rect(center=rect.center))

    def _calm_mark(self, surface: pygame.Surface, at: tuple[int, int], sheet: str, symbol: str, zoom: int) -> None:
        """Draw the small mark of a guard at ease; none when zoomed out."""
        if zoom < 16:
            return
        key = (sheet, symbol)
        if key not in self._small:
            cell = self.sprites.cell(sheet, 0, symbol)
            if cell is None:
                return
            self._small[key] = pygame.transform.smoothscale_by(cell.surface, CALM_SHARE)
        picture = self._small[key]
        surface.blit(picture, picture.get_rect(center=at))

    def _mark_size(self) -> str:
        """Return the size of mark sheet for the present text scale."""
        return "2x" if self.text.scale >= 1.5 else "1x"

    def _cause_line(
        self, surface: pygame.Surface, a: tuple[int, int], b: tuple[int, int], share: float, sees: bool
    ) -> None:
        """Draw a line to the target, with amber in proportion to the meter.

        When the target is out of sight, a dashed line leads to its last seen place.
        """
        if not sees:
            dashed(surface, [a, b], self.palette["amber"], None, 2, 6, 6)
            return
        to = (round(a[0] + (b[0] - a[0]) * share), round(a[1] + (b[1] - a[1]) * share))
        pygame.draw.line(surface, self.palette["ink"], a, b, 1)
        pygame.draw.line(surface, self.palette["ink"], a, to, 4)
        pygame.draw.line(surface, self.palette["amber"], a, to, 2)
