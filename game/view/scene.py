"""Painter of the world.

The order is ground and fog, things, cones, marks, figures and words.  The same code draws the window and the
screenshots.  It reads the picture of the last tick and the world between ticks, and changes neither.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pygame

from game.level.model import Level
from game.systems.lights import ambient_of
from game.systems.sandbox.brushes import present_ground
from game.systems.sandbox.unit_verbs import GONE
from game.view.figures.clip_book import ClipBook
from game.view.figures.part_painter import PartPainter
from game.view.ground.doors_and_props import draw_lettering, draw_things
from game.view.ground.flat_ground import FlatGround
from game.view.ground.ground_things import HOUSES
from game.view.ground.painted_ground import PaintedGround
from game.view.ground.tree_crowns import CrownFader
from game.view.light.fog import FogMask
from game.view.light.fog_painter import CELLS_A_FRAME, FogPainter
from game.view.light.night import LightMap, NightGround
from game.view.light.torches import TorchLight
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette
from game.view.painting.text import TextDrawer
from game.view.stealth.watcher_marks import WatchFrame, WatchPainter
from game.view.units.carts import CartPainter
from game.view.units.dogs import DogPainter
from game.view.units.effects import Effects
from game.view.units.figures import FAR_ZOOM, FigurePainter
from game.view.units.idle_gestures import IdleGestures
from game.view.units.order_marks import Marks, dashed, draw_caption, draw_words, order_colour
from game.view.units.sprites import Sprites
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing

MOST_WAYS = 16
"""Limit of paths drawn for an order or while Shift is held.

More would hide the map.
"""


def is_night(playing: Playing) -> bool:
    """Return whether the world is dark, by its map or by the setting."""
    return ambient_of(playing.world) < 1.0


def houses_of(level: Level) -> list[tuple[int, int, int, int]]:
    """Return the tiles (y0, x0, y1, x1) of every roof."""
    return [
        (round(p.y - p.height / 2), round(p.x - p.width / 2), round(p.y + p.height / 2), round(p.x + p.width / 2))
        for p in level.props
        if p.kind in HOUSES
    ]


def make_ground(level: Level, palette: Palette) -> Any:
    """Return the painted ground, or the map's own tiles.

    The ground is painted only where the map gives the ground of every tile.
    """
    return PaintedGround(level, palette) if level.painted else FlatGround(level, palette)


@dataclass
class View:
    """Contents of a frame besides the world itself."""

    selected: tuple[int, ...] = ()
    pinned: int = -1
    inspected: int = -1
    """Unit of the selection that Lab's inspector shows; -1 for the first."""
    why: bool = False
    """True while Lab's panel "Why?" is open."""
    budget: bool = False
    """True while Lab's panel "AI budget" is open."""
    lab: bool = False
    tool: str = ""
    """Tool of the sandbox in the mouse's hand, empty for none."""
    past: str = ""
    """Words about the past that is shown; empty in the present."""
    lift_fog: bool = True
    """Overlays and counters of Lab mode only."""
    box: pygame.Rect | None = None
    show_paths: bool = False
    ghost: tuple[float, float] | None = None
    hovered: int = -1
    every_cone: bool = False
    """If true, all cones on screen are outlined, while a key is held."""
    marks: Marks = field(default_factory=Marks)


class Scene:
    """Painters and caches of one level."""

    def __init__(self, playing: Playing, palette: Palette, text: TextDrawer, sprites: Sprites) -> None:
        self.palette, self.text, self.sprites = palette, text, sprites
        level = playing.level
        self.ground = make_ground(level, palette)
        self.light: LightMap | None = None
        self.torches: TorchLight | None = None
        self.dark = is_night(playing)
        self._lamps: list[int] = []
        if self.dark:
            self._light_up(playing)
        self.fog = FogMask(level.height, level.width, level.opaque, houses_of(level))
        self.fog_painter = FogPainter(palette, palette["night"] if self.light else None)
        self.figures = FigurePainter(sprites, palette)
        self.figures.limited = True
        self.idle = IdleGestures(self.figures.book)
        self.dogs, self.carts = DogPainter(palette), CartPainter(palette)
        self.crowns = CrownFader(level)
        self.effects = Effects(sprites, palette)
        self.labels = LabelPlacer()
        self.lettering: list[pygame.Rect] = []
        """Boxes of the map's names in the last frame."""
        """Places of the words near units in this frame."""
        self.eyes = WatchPainter(sprites, palette, text, self.labels)
        self.still = False
        """If true (reduced motion), the frontier of the fog does not drift."""
        self._tick = -1
        self._revision = int(playing.world.terrain.revision)
        self._laid = 0
        self.look_again(playing)

    def _light_up(self, playing: Playing) -> None:
        """Make the light of the ground from the lamps of the world."""
        lamps = [s for s in playing.world.lights if s.id >= 0]
        self._lamps = [s.id for s in lamps]
        self.light = LightMap(playing.level, self.palette, playing.world.terrain.opaque, lamps)
        self.torches = TorchLight(self.light, self.palette)
        self.ground = NightGround(getattr(self.ground, "inner", self.ground), self.light)

    def dress(self, book: ClipBook, palette: Palette) -> None:
        """Draw all figures anew, from other clips and in other clothes."""
        limited = self.figures.limited
        self.figures = FigurePainter(self.sprites, palette, PartPainter(book, palette))
        self.figures.limited = limited
        self.idle = IdleGestures(book)

    def ground_budget(self, chunks: int | None) -> None:
        """Limit the chunks of ground that a frame may assemble.

        None is no limit, for new figures too.
        """
        self.figures.limited = chunks is not None
        if hasattr(self.ground, "budget"):
            self.ground.budget = chunks
        self.fog_painter.budget = CELLS_A_FRAME if chunks is not None else 1_000_000

    def night(self, view: View) -> bool:
        """Return whether the ground is shown by night; the Lab's grey paper never is."""
        return self.light is not None and not view.lab

    def look_again(self, playing: Playing) -> None:
        """Take the fog without fading, for a new world or a jump in time."""
        self.fog.explored[:] = False
        self.fog.set_target(*playing.masks(), at_once=True)
        self._tick = playing.world.tick
        self.eyes.causes.follow(playing.world)
        self._follow_map(playing)

    def update(self, playing: Playing, dt_ms: int) -> None:
        """Update what the side sees and fade the fog."""
        if playing.picture.tick != self._tick:
            self._tick = playing.picture.tick
            self.fog.set_target(*playing.masks())
            self.eyes.causes.follow(playing.world)
            self._follow_map(playing)
        self.fog.update(dt_ms)
        self.effects.still = self.still
        self.fog_painter.frame_ms = dt_ms
        if not self.still:
            self.fog_painter.move(dt_ms)

    def _follow_map(self, playing: Playing) -> None:
        """Repaint ground and light where the map or a lamp has changed."""
        world, terrain = playing.world, playing.world.terrain
        boxes = self._lay_new_ground(playing)
        if int(terrain.revision) != self._revision:
            self.fog.opaque = terrain.opaque.astype(bool)
            # A world that went back to an earlier tick has had fewer edits: any tile may have changed.
            back = self._revision > int(terrain.revision)
            changes = None if back else terrain.changes_since(self._revision)
            self._revision = int(terrain.revision)
            boxes += list(changes) if changes is not None else [(0, 0, *terrain.opaque.shape)]
            if self.light is not None:
                boxes += [lit for box in list(boxes) for lit in self.light.change(terrain.opaque, box)]
        if self.light is not None and self._lamps != [s.id for s in world.lights if s.id >= 0]:
            self._light_up(playing)  # a lamp was built or taken away
            boxes = [(0, 0, *terrain.opaque.shape)]
        elif self.light is not None:
            boxes += self.light.follow((s for s in world.lights if s.id >= 0), terrain.opaque)
        if not boxes:
            return
        forget = getattr(self.ground, "forget", None)
        if forget is not None:
            for y0, x0, y1, x1 in boxes:
                forget(y0, x0, y1, x1)
        self.fog_painter.forget(boxes)
        self.crowns.forget()

    def _lay_new_ground(self, playing: Playing) -> list[tuple[int, int, int, int]]:
        """Paint ground that changed in play or changed back; return the boxes of tiles."""
        rows = playing.world.new_ground
        change = getattr(getattr(self.ground, "inner", self.ground), "change", None)
        if len(rows) == self._laid or change is None:
            return []
        ground = present_ground(playing.level.ground, playing.world)
        boxes = [(row.y0, row.x0, row.y1, row.x1) for row in rows[self._laid :]]
        if len(rows) < self._laid:
            boxes = [(0, 0, *ground.shape)]
        for box in boxes:
            change(ground, *box)
        self._laid = len(rows)
        return boxes

    def shown_rows(self, playing: Playing, lifted: bool) -> np.ndarray:
        """Return the rows of the picture that may be drawn.

        These are own units and others on tiles the side sees now, without hidden bodies.
        """
        p = playing.picture
        if len(p) == 0:
            return np.zeros(0, np.int64)
        if lifted:
            return np.flatnonzero(p.hidden != GONE)
        ty = np.clip(p.y.astype(np.int64), 0, self.fog.visible.shape[0] - 1)
        tx = np.clip(p.x.astype(np.int64), 0, self.fog.visible.shape[1] - 1)
        return np.flatnonzero(((p.side == playing.side) | self.fog.sighted[ty, tx]) & (p.hidden == 0))

    def on_screen(self, camera: Camera, playing: Playing, rows: np.ndarray, alpha: float) -> np.ndarray:
        """Return the ``rows`` within two tiles of the window."""
        x, y, _ = playing.picture.between(alpha)
        y0, x0, y1, x1 = camera.visible_tiles(2)
        keep = (x[rows] >= x0) & (x[rows] < x1) & (y[rows] >= y0) & (y[rows] < y1)
        return rows[keep]

    def draw_ground(self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View, alpha: float) -> None:
        """Draw the ground with its fog, and what stands on it."""
        self.labels.begin()
        lifted = view.lab and view.lift_fog
        begin_frame = getattr(self.ground, "begin_frame", None)
        if begin_frame is not None:
            begin_frame()
        look = "lab" if view.lab else "full"
        self.fog_painter.draw(surface, camera, self.ground, None if lifted else self.fog, look)
        if not view.lab and playing.level.painted:
            p = playing.picture
            own = self.on_screen(camera, playing, p.living(playing.side), alpha)
            x, y, _ = p.between(alpha)
            self.crowns.draw(surface, camera, self.ground, own, x, y)
        fog = None if lifted else self.fog
        if self.torches is not None and not view.lab:
            carried = [s for s in playing.world.lights if s.id < 0]
            self.torches.draw(surface, camera, self.ground.inner, carried, playing.world.terrain, fog)
        self.lettering = draw_lettering(surface, camera, playing.level, fog, self.text, self.night(view))
        light = None if view.lab else self.light
        draw_things(surface, camera, playing.world, fog, self.palette, playing.level.painted, light)

    def draw_units(
        self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View, alpha: float, now: int
    ) -> np.ndarray:
        """Draw cones, marks, figures and words; return the rows that are shown."""
        p = playing.picture
        rows = self.shown_rows(playing, view.lab and view.lift_fog)
        seen = self.on_screen(camera, playing, rows, alpha)
        x, y, _ = p.between(alpha)
        frame = WatchFrame(surface, camera, playing, x, y, self.night(view), self.fog, now)
        rimmed = view.lab or self.light is not None or self.palette.look["rim_by_day"] > 0
        # The dead lie under cones, rings and all that live.
        dead, seen = seen[p.alive[seen] == 0], seen[p.alive[seen] == 1]
        self._draw_bodies(frame, dead, rimmed, alpha)
        if not view.lab:
            self.eyes.draw_cones(frame, view, seen)
        self._draw_orders(surface, camera, playing, view, x, y, now)
        self._draw_rings(surface, camera, playing, view, x, y)
        self.eyes.draw_wedges(frame, seen)
        self._draw_bodies(frame, seen, rimmed, alpha)
        self.effects.draw(surface, camera, None if view.lab and view.lift_fog else self.fog, now, frame.night)
        self.eyes.draw_meters(frame, seen)
        on_screen = set(seen.tolist()) if view.marks.words else set()
        shown = [w for w in view.marks.words if w.unit < 0 or p.row_of.get(w.unit, -1) in on_screen]
        place = {w.unit: (float(x[p.row_of[w.unit]]), float(y[p.row_of[w.unit]])) for w in shown if w.unit >= 0}
        draw_words(surface, self.text, self.palette, camera, shown, place)
        marks = view.marks
        marks.caption_box = None
        if marks.caption is not None:
            args = (surface, self.text, self.palette, marks.caption, marks.caption_top, marks.card)
            marks.caption_box = draw_caption(*args)
        if view.box is not None:
            pygame.draw.rect(surface, self.palette["rim"], view.box, 3)
            pygame.draw.rect(surface, self.palette["blue"], view.box, 1)
        return rows

    def _draw_bodies(self, frame: WatchFrame, rows: np.ndarray, rimmed: bool, alpha: float) -> None:
        """Draw the units of some rows: people, dogs and carts."""
        surface, camera, p = frame.surface, frame.camera, frame.playing.picture
        dogs, carts = self._dogs(frame.playing, rows, camera.zoom), self._carts(frame.playing, rows, camera.zoom)
        idle = None if self.still else self.idle
        self.figures.levels.follow(frame.playing.world)
        self.figures.draw(
            surface, camera, p, rows[~(dogs | carts)], alpha, rim=rimmed, night=frame.night, idle=idle
        )  # fmt: skip
        self.dogs.draw(surface, camera, p, rows[dogs], alpha, rim=rimmed)
        self.carts.draw(surface, camera, p, rows[carts], alpha, rim=rimmed)

    def _dogs(self, playing: Playing, rows: np.ndarray, zoom: int) -> np.ndarray:
        """Return for each row whether it is drawn as a dog at this zoom."""
        kinds = np.array([t.ears == "dog" and zoom > FAR_ZOOM for t in playing.world.types])
        found: np.ndarray = kinds[playing.picture.kind[rows]]
        return found

    def _carts(self, playing: Playing, rows: np.ndarray, zoom: int) -> np.ndarray:
        """Return for each row whether it is drawn as a cart at this zoom.

        A cart is a unit with a turning circle of its own.
        """
        kinds = np.array(["drive" in t.stages and zoom > FAR_ZOOM for t in playing.world.types])
        found: np.ndarray = kinds[playing.picture.kind[rows]]
        return found

    def _draw_rings(
        self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View, x: Any, y: Any
    ) -> None:
        p = playing.picture
        name = f"marks.rings_{camera.zoom}"
        rows = self.on_screen(camera, playing, p.rows(view.selected), 1.0)
        if (p.side[rows] != playing.side).any():
            # Enemies selected in the Lab get a ring only there: in Play a ring would show where they hide.
            rows = rows[np.isin(rows, self.shown_rows(playing, view.lab and view.lift_fog))]
        left, top = camera.origin
        px = np.floor(x[rows] * camera.zoom).astype(np.int64) - left
        py = np.floor(y[rows] * camera.zoom).astype(np.int64) - top
        for side in np.unique(p.side[rows]).tolist():
            cell = self.sprites.cell(name, "whole", self.figures.sides[side % 4])
            if cell is not None:
                of_side = p.side[rows] == side
                xs, ys = (px[of_side] + cell.dx).tolist(), (py[of_side] + cell.dy).tolist()
                surface.fblits([(cell.surface, at) for at in zip(xs, ys, strict=True)])
        if view.pinned in p.row_of:
            r = p.row_of[view.pinned]
            if r in self.shown_rows(playing, view.lab and view.lift_fog):
                self.sprites.blit(surface, camera.to_screen(float(x[r]), float(y[r])), name, "dashed", "pinned")

    def _draw_orders(
        self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View, x: Any, y: Any, now: int
    ) -> None:
        p = playing.picture
        drawn: set[int] = set()
        for mark in view.marks.orders:
            to = camera.to_screen(mark.x, mark.y)
            colour = order_colour(self.palette, mark.kind, playing.side)
            rows = p.rows(mark.units)
            moving = [r for r in rows.tolist() if p.moving[r]][:MOST_WAYS]
            for r in moving:
                self._draw_path(surface, camera, playing, r, (float(x[r]), float(y[r])), colour)
            drawn.update(moving)
            if len(rows) and not moving:
                # No unit moves yet before the first tick, and no unit walks to some goals: draw one line from their
                # middle.
                start = camera.to_screen(float(np.mean(x[rows])), float(np.mean(y[rows])))
                dashed(surface, [start, to], colour, self.palette["rim"], 3)
            self._order_mark(surface, to, mark.kind, playing.side)
        if view.show_paths:
            colour = self.palette.sides[playing.side].colour
            for r in [r for r in p.rows(view.selected).tolist() if p.moving[r] and r not in drawn][:MOST_WAYS]:
                end = self._draw_path(surface, camera, playing, r, (float(x[r]), float(y[r])), colour)
                self._order_mark(surface, end, "move", playing.side)
        if view.ghost is not None:
            at = camera.to_screen(*view.ghost)
            self.sprites.blit(surface, at, f"marks.rings_{camera.zoom}", "dashed", self.figures.sides[playing.side])
            self._order_mark(surface, at, "slot", playing.side)

    def _order_mark(self, surface: pygame.Surface, pos: tuple[int, int], kind: str, side: int) -> None:
        row = "pinned" if kind in ("attack", "attack_move") else self.figures.sides[side]
        self.sprites.blit(surface, pos, f"marks.orders_{self._mark_size()}", kind, row)

    def _mark_size(self) -> str:
        """Return the icon size of a mark; marks are baked for two text sizes."""
        return "2x" if self.text.scale >= 1.5 else "1x"

    def _draw_path(
        self, surface: pygame.Surface, camera: Camera, playing: Playing, row: int, at: tuple[float, float], colour: RGB
    ) -> tuple[int, int]:
        """Draw the rest of a unit's path, dashed; return its last pixel."""
        points = self._path_along(playing, int(playing.picture.id[row]), *at, row)
        pixels = [camera.to_screen(*point) for point in points]
        dashed(surface, pixels, colour, self.palette["rim"], 2)
        return pixels[-1]

    def _path_along(self, playing: Playing, unit: int, x: float, y: float, row: int) -> list[tuple[float, float]]:
        """Return the known rest of a unit's path, then its goal and queued orders."""
        p, store = playing.picture, playing.world.paths.store
        points = [(x, y)]
        if row < store.capacity:
            points += [(float(wx), float(wy)) for wx, wy in store.points_of(row).tolist()]
        points.append((float(p.goal_x[row]), float(p.goal_y[row])))
        for order in playing.world.queues.get(unit, ()):
            points.append((order.x, order.y))
        return points
