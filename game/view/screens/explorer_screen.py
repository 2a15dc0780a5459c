"""A* explorer: two searches of one question, stepped forwards and backwards.

The map can be painted.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ai.search.explorer import Break
from game.checks.search_lab import BRUSHES, SearchLab, Tile, suggested_ends
from game.view.exhibits.explorer_frame import Control, ExplorerFrame, KeyCell
from game.view.exhibits.framed_camera import FramedCamera
from game.view.exhibits.knobs import KnobRow
from game.view.exhibits.search_picture import SearchPainter
from game.view.scene import Scene, View
from game.view.screens.screen import Screen
from game.view.units.sprites import Sprites
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing

LEFT, MIDDLE, RIGHT = 1, 2, 3
SPEEDS = (2, 5, 10, 25, 60, 200)
"""Steps per second."""

GROUND_FRAMES = 30
"""Frames for which a new view of the ground is drawn again."""

ON_ITS_OWN = "astar-explorer"
"""Technique whose exhibit is this screen."""

PAUSE_AT_END_MS = 3500
"""Pause in ms at the end of the searches before they start again.

They start again only while you have touched nothing.
"""


class ExplorerScreen(Screen):
    """Explorer, opened from the gallery on its own map or from Lab.

    From Lab it shows the path of the selected unit.
    """

    def __init__(
        self, app: AppServices, playing: Playing, path: tuple[Tile, Tile] | None = None, movement_class: int = 0
    ) -> None:
        super().__init__(app)
        self.playing = playing
        terrain = playing.world.terrain
        start, goal = path or self._named_ends() or suggested_ends(terrain, movement_class)
        self.lab = SearchLab(terrain, start, goal, movement_class=movement_class)
        self.scene = Scene(playing, app.palette, app.text, Sprites())
        self.view = View(lab=True, lift_fog=True)
        self.playing_steps = True
        self.touched = False
        self.speed = 2
        self.single = False
        self.brush = "wall"
        self.shot = False
        self._owed = 0.0
        self._rest = 0
        self._drag = ""
        self._turning: KnobRow | None = None
        self._aim: Tile | None = None
        self._kept: dict[int, tuple[tuple, pygame.Surface]] = {}
        self._grounds: dict[int, tuple[tuple, pygame.Surface]] = {}
        self._ground_left: dict[int, int] = {}
        self._arrange()

    def _named_ends(self) -> tuple[Tile, Tile] | None:
        """Return the tiles of the regions named start and goal, or None."""
        tiles = []
        for name in ("start", "goal"):
            region = self.playing.world.region(name)
            if region is None:
                return None
            xs, ys = zip(*region.points, strict=True)
            tiles.append((int(sum(ys) / len(ys)), int(sum(xs) / len(xs))))
        return tiles[0], tiles[1]

    def _arrange(self) -> None:
        self._kept.clear()
        self._grounds.clear()
        self.painter = SearchPainter(self.app.palette, self.app.text)
        self.panels = ExplorerFrame(self.app, self.lab, self.painter, self.single)
        level = self.playing.level
        window = self.app.window.get_size()
        self.cameras = [FramedCamera.on(level.width, level.height, frame, window) for frame in self.panels.frames]

    def show_still(self, step: int) -> None:
        """Stop at a step with all ground drawn, for a picture."""
        self.scene.ground_budget(None)
        self.playing_steps, self.shot = False, True
        self.lab.go_to(step)

    def resize(self) -> None:
        """Lay out all parts for the window's size."""
        self._arrange()

    def enter(self) -> None:
        """Show a plain cursor."""
        pygame.mouse.set_visible(True)

    # Input

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys, buttons, and the mouse on a picture."""
        if event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.MOUSEBUTTONDOWN:
            self._press(event)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._drag, self._turning = "", None
        elif event.type == pygame.MOUSEMOTION:
            self._motion(event)
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event)

    def _key(self, event: pygame.event.Event) -> None:
        mod = getattr(event, "mod", 0)
        size = 100 if mod & pygame.KMOD_CTRL else 10 if mod & pygame.KMOD_SHIFT else 1
        actions: dict[int, Callable[[], None]] = {
            pygame.K_ESCAPE: self.app.pop,
            pygame.K_SPACE: self._play_or_stop,
            pygame.K_RIGHT: lambda: self._step(size),
            pygame.K_LEFT: lambda: self._step(-size),
            pygame.K_UP: lambda: self._faster(1),
            pygame.K_DOWN: lambda: self._faster(-1),
            pygame.K_HOME: lambda: self._go(0),
            pygame.K_END: lambda: self._go(self.lab.total),
            pygame.K_b: self._to_break,
            pygame.K_1: lambda: self._next(0, -1 if size == 10 else 1),
            pygame.K_2: lambda: self._next(1, -1 if size == 10 else 1),
            pygame.K_t: self._swap,
            pygame.K_v: self._one_or_both,
            pygame.K_w: self._next_brush,
            pygame.K_r: self._restore,
        }
        action = actions.get(event.key)
        if action is not None:
            action()

    def _touch(self) -> None:
        self.touched = True
        self.playing_steps = False

    def _step(self, by: int) -> None:
        self._touch()
        self.lab.move(by)

    def _go(self, step: int) -> None:
        self._touch()
        self.lab.go_to(step)

    def _to_break(self) -> None:
        self._touch()
        if self.lab.run_to_break() is not None:
            self.app.sound.play("order")

    def _play_or_stop(self) -> None:
        self.touched = True
        if self.lab.ended:
            self.lab.go_to(0)
            self.playing_steps = True
        else:
            self.playing_steps = not self.playing_steps

    def _faster(self, by: int) -> None:
        self.speed = min(max(self.speed + by, 0), len(SPEEDS) - 1)

    def _next(self, lane: int, by: int) -> None:
        self.touched = True
        self.lab.next_algorithm(lane, by)
        self.app.sound.play("select")

    def _swap(self) -> None:
        self.touched = True
        self.lab.swap()

    def _one_or_both(self) -> None:
        self.single = not self.single
        self._arrange()

    def _next_brush(self) -> None:
        names = list(BRUSHES)
        self.brush = names[(names.index(self.brush) + 1) % len(names)]

    def _restore(self) -> None:
        self._touch()
        self.lab.restore()

    def _toggle_break(self, kind: str) -> Callable[[], None]:
        def act() -> None:
            self.touched = True
            if kind in self.lab.breaks:
                self.lab.set_break(None, kind)
                return
            if kind in ("f_above", "open_above"):
                frame = self.lab.lanes[0].frame
                now = 0.0
                if frame is not None:
                    now = float(frame.open_size) if kind == "open_above" else 0.0
                    if kind == "f_above":
                        now = float(frame.f[frame.current or self.lab.question.start])
                self.lab.set_break(Break(kind, value=round(now, 2)))
            elif kind == "goal_seen":
                self.lab.set_break(Break(kind))
            else:
                self.lab.set_break(Break(kind, tile=self._aim or self.lab.question.goal))

        return act

    def controls(self) -> list[Control]:
        """Return all buttons with their present state."""
        panels = self.panels
        steps = (
            KeyCell("Home", "", lambda: self._go(0)),
            KeyCell("Ctrl ←", "100", lambda: self._step(-100)),
            KeyCell("Shift ←", "10", lambda: self._step(-10)),
            KeyCell("←", "back", lambda: self._step(-1)),
            KeyCell("Space", "stop" if self.playing_steps else "play", self._play_or_stop, self.playing_steps),
            KeyCell("→", "step", lambda: self._step(1)),
            KeyCell("Shift →", "10", lambda: self._step(10)),
            KeyCell("Ctrl →", "100", lambda: self._step(100)),
            KeyCell("B", "to break", self._to_break),
            KeyCell("End", "", lambda: self._go(self.lab.total)),
        )
        return [
            *panels.brush_controls(self.brush, lambda name: lambda: setattr(self, "brush", name)),
            *panels.break_controls(self._toggle_break),
            *panels.step_controls(steps),
            *panels.name_controls(lambda lane, by: lambda: self._next(lane, by)),
        ]

    def _press(self, event: pygame.event.Event) -> None:
        control = next((c for c in self.controls() if c.rect.collidepoint(event.pos)), None)
        if control is not None:
            if event.button == LEFT:
                control.action()
            return
        row = next((r for r in self.panels.rows if r.rect.collidepoint(event.pos)), None)
        if row is not None and event.button == LEFT:
            self._turning = None if row.knob.choices else row
            self._turn(row, event.pos)
            return
        tile = self._tile_at(event.pos)
        if tile is None:
            return
        if event.button == MIDDLE:
            self._drag = "pan"
        elif event.button == RIGHT:
            self._aim = tile
            kept = [k for k in self.lab.breaks if k in ("closed", "opened", "cheaper")] or ["closed"]
            for kind in kept:
                self.lab.set_break(Break(kind, tile=tile))
            self.touched = True
        elif event.button == LEFT:
            q = self.lab.question
            self._drag = "start" if tile == q.start else "goal" if tile == q.goal else "paint"
            self._drag_to(tile)

    def _motion(self, event: pygame.event.Event) -> None:
        if self._turning is not None:
            self._turn(self._turning, event.pos)
        elif self._drag == "pan":
            for camera in self.cameras:
                camera.pan(-event.rel[0], -event.rel[1])
        elif self._drag:
            tile = self._tile_at(event.pos)
            if tile is not None:
                self._drag_to(tile)

    def _drag_to(self, tile: Tile) -> None:
        self.touched = True
        if self._drag == "paint":
            self.lab.paint(tile, self.brush)
        else:
            self.lab.move_end(self._drag, tile)

    def _turn(self, row: KnobRow, pos: tuple[int, int]) -> None:
        value = row.value_at(pos)
        if value is not None and value != self.panels.value_of(row.knob.setting):
            self.touched = True
            self.lab.ask(**{row.knob.setting: value})
            if all(lane.algorithm not in ("textbook", "greedy") for lane in self.lab.lanes):
                self.lab.choose(0, "textbook")

    def _wheel(self, event: pygame.event.Event) -> None:
        pos = pygame.mouse.get_pos()
        for frame, camera in zip(self.panels.frames, self.cameras, strict=True):
            if frame.collidepoint(pos) and camera.zoom_by(event.y, *pos):
                for other in self.cameras:
                    other.x, other.y, other.step = camera.x, camera.y, camera.step

    def _tile_at(self, pos: tuple[int, int]) -> Tile | None:
        for frame, camera in zip(self.panels.frames, self.cameras, strict=True):
            if frame.collidepoint(pos):
                return camera.tile_at(*pos)
        return None

    # Time and picture

    def update(self, dt_ms: int) -> None:
        """Play steps; while nothing was touched, the searches start again at their end."""
        if not self.playing_steps:
            return
        if self.lab.ended:
            self._rest += dt_ms
            if self.touched:
                self.playing_steps = False
            elif self._rest >= PAUSE_AT_END_MS:
                self._rest = 0
                self.lab.go_to(0)
            return
        self._rest = 0
        self._owed += SPEEDS[self.speed] * dt_ms / 1000
        steps = int(self._owed)
        if steps:
            self._owed -= steps
            if self.lab.move_until_break(min(steps, 20) if self.lab.breaks else steps) is not None:
                self.playing_steps = False

    def draw(self, surface: pygame.Surface) -> None:
        """Draw paper, the pictures, and the panels around them."""
        app = self.app
        app.backdrop.draw(surface)
        for i, (frame, camera) in enumerate(zip(self.panels.frames, self.cameras, strict=True)):
            box = self.picture_box(camera).clip(frame)
            pygame.draw.rect(surface, app.palette["mist"], frame)
            surface.set_clip(box)
            self._draw_picture(surface, i, frame)
            surface.set_clip(None)
            pygame.draw.rect(surface, app.palette["ink"], frame.inflate(4, 4), 2)
        self.panels.draw(surface, self.controls(), self._hints())
        self._draw_keys(surface)

    def _draw_picture(self, surface: pygame.Surface, index: int, frame: pygame.Rect) -> None:
        """Draw ground and search of one frame; each is kept until it changes."""
        camera, lab, clip = self.cameras[index], self.lab, surface.get_clip()
        view = (camera.x, camera.y, camera.zoom, frame.size)
        key = (view, lab.version, lab.lanes[index].algorithm)
        kept = self._kept.get(index)
        if kept is not None and kept[0] == key and self._ground_left.get(index, 0) == 0:
            surface.blit(kept[1], clip)
            return
        self._draw_ground(surface, index, view)
        other = lab.lanes[1 - index].frame if self.single else None
        self.painter.draw(surface, camera, lab, lab.lanes[index], other)
        self._draw_aim(surface, camera)
        self._kept[index] = (key, surface.subsurface(clip).copy())

    def _draw_ground(self, surface: pygame.Surface, index: int, view: tuple) -> None:
        """Draw the map, which is assembled over the first frames of a view."""
        clip = surface.get_clip()
        kept = self._grounds.get(index)
        left = self._ground_left.get(index, 0) if kept is not None and kept[0] == view else GROUND_FRAMES
        if kept is not None and left == 0:
            surface.blit(kept[1], clip)
            return
        self.scene.draw_ground(surface, self.cameras[index], self.playing, self.view, 1.0)
        self._grounds[index] = (view, surface.subsurface(clip).copy())
        self._ground_left[index] = left - 1

    def picture_box(self, camera: FramedCamera) -> pygame.Rect:
        """Return the part of the window that the map covers."""
        left, top = camera.to_screen(0, 0)
        right, bottom = camera.to_screen(self.playing.level.width, self.playing.level.height)
        return pygame.Rect(left, top, right - left, bottom - top)

    def _draw_aim(self, surface: pygame.Surface, camera: FramedCamera) -> None:
        """Draw the tiles that break conditions watch."""
        for condition in self.lab.breaks.values():
            if condition.tile is not None:
                y, x = condition.tile
                rect = pygame.Rect(*camera.to_screen(x, y), camera.zoom, camera.zoom)
                pygame.draw.rect(surface, self.app.palette["rim"], rect.inflate(2, 2), 4)
                pygame.draw.rect(surface, self.app.palette["vermilion"], rect, 2)

    def _hints(self) -> list[str]:
        pos = pygame.mouse.get_pos()
        tile = self._tile_at(pos)
        if tile is None or self.shot:
            return ["left: paint, drag S or G   W: brush", "right: break tile   wheel: zoom   R: reset"]
        words = []
        for letter, lane in zip("AB", self.lab.lanes, strict=True):
            frame = lane.frame
            if frame is not None:
                state = ("untouched", "open", "expanded")[int(frame.status[tile])]
                if frame.status[tile]:
                    state = f"f {frame.f[tile]:.2f} = g {frame.g[tile]:.2f} + h {frame.h[tile]:.2f}"
                words.append(f"{letter} {tile[1]},{tile[0]}: {state}")
        return words

    def _draw_keys(self, surface: pygame.Surface) -> None:
        text, panels = self.app.text, self.app.panels
        px = text.px
        title_right = self.panels.area.right
        rows = (
            f"1, 2: algorithm   T: swap   V: {'both' if self.single else 'one'}",
            f"up, down: {SPEEDS[self.speed]} steps a second   Esc: back",
        )
        for i, words in enumerate(rows):
            text.draw(surface, (title_right - px(14), px(20 + 20 * i)), words, panels.soft, "sans", 14, "topright")
