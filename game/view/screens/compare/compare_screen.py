"""Side by side: the same game twice in one window, with what differs.

Both pictures show the same tick. Their cameras are linked until that is switched off. Below are the axis with the first
difference, and the figures of this pair or of twenty seeds.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.checks.comparing.comparison import Comparison, GameSetup
from game.checks.comparing.many_seeds import SeedRuns
from game.view.exhibits.framed_camera import FramedCamera
from game.view.lab.lab_panels import Lab
from game.view.scene import Scene, View
from game.view.screens.compare.compare_panels import CompareLook, ComparePanels
from game.view.screens.compare.pair_playing import PairPlaying
from game.view.screens.screen import Screen
from game.view.units.ghost_figures import GhostFigures, draw_ghost, draw_trails
from game.view.units.sprites import Sprites
from game.view.window.app_services import AppServices

SEEDS = 20
LEFT, MIDDLE, WHEEL_UP, WHEEL_DOWN = 1, 2, 4, 5


@dataclass(frozen=True)
class Comparing:
    """Words and look of a comparison: title, line, names of both games."""

    title: str
    line: str
    words: tuple[str, str]
    overlays: tuple[str, ...] = ()
    camera: tuple[float, float, int] | None = None
    selected: tuple[int, ...] = ()


class Half:
    """Picture of one game: its painters, its camera and its view."""

    def __init__(self, app: AppServices, pair: PairPlaying, index: int, told: Comparing) -> None:
        self.playing = pair.halves[index]
        self.scene = Scene(self.playing, app.palette, app.text, Sprites())
        self.ghosts = GhostFigures(self.scene.sprites, app.palette, self.scene.figures.parts)
        self.view = View(lab=True, lift_fog=True, selected=told.selected or pair.watched)
        self.lab = Lab(app, self.scene)
        for name in told.overlays:
            self.lab.show(name)
        level = self.playing.level
        self.camera = FramedCamera(level.width, level.height)


class CompareScreen(Screen):
    """Screen of two games in step."""

    def __init__(self, app: AppServices, setup: GameSetup, told: Comparing, comparison: Comparison) -> None:
        super().__init__(app)
        self.setup, self.told = setup, told
        self.pair = PairPlaying(comparison)
        self.halves = tuple(Half(app, self.pair, i, told) for i in (0, 1))
        self.order = [0, 1]
        """Game in the left picture and in the right one."""
        self.linked, self.pointer = True, True
        self.seeds: SeedRuns | None = None
        self.shows_seeds = False
        self.top_row = 0
        self._cursor = (-1, -1)
        self._drag = ""
        self._fitted = False
        self._arrange(0.5)

    def _arrange(self, split: float) -> None:
        self.panels = ComparePanels(self.app, len(self.pair.comparison.kinds), split)
        self._frame()

    def _frame(self) -> None:
        """Fit the cameras to their frames; the place they look at stays."""
        window = self.app.window.get_size()
        for place, game in enumerate(self.order):
            camera, frame = self.halves[game].camera, self.panels.frames[place]
            if self._fitted:
                camera.frame = frame
                camera.width, camera.height = window
                camera.clamp()
                continue
            camera.fit(frame, window)
            if self.told.camera is not None:
                camera.set_zoom(self.told.camera[2])
                camera.centre_on(*self.told.camera[:2])
        self._fitted = True

    def resize(self) -> None:
        """Lay out the panels for the window's size."""
        self._arrange(self.panels.split)
        for half in self.halves:
            half.scene.text = self.app.text
            half.lab.resize()

    def leave(self) -> None:
        """Stop the processes of the seeds."""
        if self.seeds is not None:
            self.seeds.stop()

    # Input

    def handle(self, event: pygame.event.Event) -> None:
        """Handle keys, the panels, and the mouse on both pictures."""
        if event.type == pygame.KEYDOWN:
            self._key(event)
        elif event.type == pygame.MOUSEMOTION:
            self._cursor = event.pos
            self._dragged(event)
        elif event.type == pygame.MOUSEBUTTONUP:
            self._drag = ""
        elif event.type == pygame.MOUSEWHEEL:
            self._wheel(event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == LEFT:
            self._press(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == MIDDLE:
            self._drag = "map" if self.panels.half_at(event.pos) >= 0 else ""

    def _key(self, event: pygame.event.Event) -> None:
        name = self.app.keymap.command_of_event(event)
        plain = {
            pygame.K_ESCAPE: "back", pygame.K_SPACE: "pause", pygame.K_HOME: "start", pygame.K_END: "present",
            pygame.K_LEFT: "tick_back", pygame.K_RIGHT: "tick", pygame.K_d: "first",
        }  # fmt: skip
        named = {
            "pause": "pause", "one_tick": "tick", "time_tick_back": "tick_back", "time_start": "start",
            "time_present": "present",
        }  # fmt: skip
        if event.key in plain:
            self.do(plain[event.key])
        elif name in named:
            self.do(named[name])
        elif name in ("faster", "slower"):
            self.pair.clock.faster(1 if name == "faster" else -1)

    def do(self, name: str) -> None:
        """Run the command of a button."""
        pair = self.pair
        if name == "back":
            self.app.pop()
        elif name == "swap":
            self.order.reverse()
            self._frame()
        elif name == "camera":
            self.linked = not self.linked
            self._link(self.order[0])
        elif name == "pointer":
            self.pointer = not self.pointer
        elif name == "pause":
            pair.clock.paused = not pair.clock.paused
        elif name == "seeds":
            self._seeds_pressed()
        elif name == "first":
            if pair.comparison.difference is not None:
                self.seek(pair.comparison.difference.tick)
        else:
            self.seek({"start": pair.first, "present": pair.now, "tick": pair.shown + 1}.get(name, pair.shown - 1))

    def seek(self, tick: int) -> None:
        """Show a tick, paused."""
        self.pair.clock.paused = True
        self.pair.seek(tick)

    def _press(self, pos: tuple[int, int]) -> None:
        panels = self.panels
        name = panels.part_at(pos)
        if panels.handle.collidepoint(pos):
            self._drag = "split"
        elif name:
            self.app.sound.play("select")
            self.do(name)
        elif panels.on_track(pos):
            self._drag = "track"
            self.seek(panels.tick_at(pos[0], self.pair.first, self.pair.end))
        elif panels.half_at(pos) >= 0:
            self._drag = "map"

    def _dragged(self, event: pygame.event.Event) -> None:
        panels = self.panels
        if self._drag == "split":
            panels.split_at(panels.share_at(event.pos[0]))
            self._frame()
        elif self._drag == "track":
            self.pair.seek(min(panels.tick_at(event.pos[0], self.pair.first, self.pair.end), self.pair.now))
        elif self._drag == "map":
            place = max(panels.half_at(event.pos), 0)
            self.halves[self.order[place]].camera.pan(-event.rel[0], -event.rel[1])
            self._link(self.order[place])

    def _wheel(self, steps: int) -> None:
        place = self.panels.half_at(self._cursor)
        if place >= 0:
            self.halves[self.order[place]].camera.zoom_by(steps, *self._cursor)
            self._link(self.order[place])
        elif self.panels.table.collidepoint(self._cursor):
            most = max(len(self.pair.comparison.kinds) - self.panels.rows, 0)
            self.top_row = min(max(self.top_row - steps, 0), most)

    def _link(self, game: int) -> None:
        """Let the other camera look where this one looks."""
        if self.linked:
            camera, other = self.halves[game].camera, self.halves[1 - game].camera
            other.step = camera.step
            other.x, other.y = camera.x, camera.y
            other.clamp()

    def _seeds_pressed(self) -> None:
        """Start the seeds, stop them, or change between their results and this pair."""
        seeds = self.seeds
        if seeds is not None and not seeds.over:
            seeds.stop()
            self.seeds = None
        elif seeds is not None:
            self.shows_seeds = not self.shows_seeds
        else:
            first = self.pair.comparison.sessions[0].seed
            # One core stays free for the window.
            workers = max((os.cpu_count() or 1) - 1, 1)
            self.seeds = SeedRuns(self.setup, range(first, first + SEEDS), workers)
            self.seeds.start()

    # Picture

    def update(self, dt_ms: int) -> None:
        """Run the ticks that are due, and fetch the seeds that have ended."""
        self.pair.advance(dt_ms)
        seeds = self.seeds
        if seeds is not None and not seeds.over:
            seeds.poll()
            self.shows_seeds = seeds.over
        for half in self.halves:
            if self.pair.jumped:
                half.scene.look_again(half.playing)
            half.playing.take_happenings()
            half.scene.still = self.app.options.reduced_motion
            half.scene.update(half.playing, dt_ms)
        self.pair.jumped = False

    def draw(self, surface: pygame.Surface) -> None:
        """Draw both pictures and the panels."""
        self.app.backdrop.draw(surface)
        for place, game in enumerate(self.order):
            self._draw_half(surface, place, game)
        self.panels.draw(surface, self._look())

    def _draw_half(self, surface: pygame.Surface, place: int, game: int) -> None:
        half, other, pair = self.halves[game], self.halves[1 - game], self.pair
        frame, camera, playing, view = self.panels.frames[place], half.camera, half.playing, half.view
        palette, alpha = self.app.palette, pair.clock.alpha()
        surface.set_clip(frame)
        pygame.draw.rect(surface, palette["mist"], frame)
        half.scene.draw_ground(surface, camera, playing, view, alpha)
        half.lab.draw_fills(surface, camera, playing, view)
        draw_trails(surface, camera, pair.trail(game), palette["ink"], palette["rim"], pale=False)
        if pair.comparison.parting is not None and pair.shown >= pair.comparison.parting.tick:
            draw_ghost(
                surface, camera, other.playing.world, other.playing.picture, pair.watched, pair.trail(1 - game),
                half.ghosts, palette, alpha, False,
            )  # fmt: skip
        half.lab.draw_marks(surface, camera, playing, view, alpha)
        half.scene.draw_units(surface, camera, playing, view, alpha, self.app.now_ms)
        self._draw_parting(surface, place, game)
        self._draw_pointer(surface, place, game)
        self.panels.draw_plate(surface, place, self.told.words[game])
        surface.set_clip(None)
        pygame.draw.rect(surface, palette["ink"], frame.inflate(4, 4), 2)

    def _draw_parting(self, surface: pygame.Surface, place: int, game: int) -> None:
        parting = self.pair.comparison.parting
        if parting is None or self.pair.shown < parting.tick:
            return
        at = self.pair.place(game, parting.tick, parting.unit)
        if at is not None:
            pixel = self.halves[game].camera.to_screen(*at)
            if self.panels.frames[place].collidepoint(pixel):
                self.panels.draw_parting(surface, place, pixel, parting.tick)

    def _draw_pointer(self, surface: pygame.Surface, place: int, game: int) -> None:
        """Draw a cross where the pointer of the other picture would be here."""
        under = self.panels.half_at(self._cursor)
        if not self.pointer or under < 0 or under == place:
            return
        x, y = self.halves[self.order[under]].camera.to_world(*self._cursor)
        px, py = self.halves[game].camera.to_screen(x, y)
        for colour, width in ((self.app.palette["rim"], 5), (self.app.palette["ink"], 2)):
            pygame.draw.line(surface, colour, (px - 9, py), (px + 9, py), width)
            pygame.draw.line(surface, colour, (px, py - 9), (px, py + 9), width)

    def _look(self) -> CompareLook:
        pair, seeds, told = self.pair, self.seeds, self.told
        values = pair.values
        kinds = pair.comparison.kinds
        look = CompareLook(
            told.title, told.line, told.words, kinds, pair.first, pair.shown, pair.now, pair.end, pair.clock.paused,
            pair.comparison.difference, values, linked=self.linked, pointer=self.pointer, top_row=self.top_row,
        )  # fmt: skip
        if seeds is not None:
            look.seeds_done, look.seeds_all = seeds.done, len(seeds.seeds)
            look.seeds_words = seed_words(seeds)
            look.seeds = seeds.table() if self.shows_seeds else None
        return look


def seed_words(seeds: SeedRuns) -> str:
    """Return a note about failed seeds, or about missing intervals; empty without one."""
    if seeds.failed:
        return f"{len(seeds.failed)} seeds failed: {next(iter(seeds.failed.values()))}"
    return "every seed plays this same pair: random numbers change nothing here" if seeds.alike else ""


def compare_games(app: AppServices, setup: GameSetup, told: Comparing) -> None:
    """Open a comparison from the first tick."""
    app.push(CompareScreen(app, setup, told, Comparison.begin(setup)))


def setting_words(name: str, values: Sequence[object]) -> tuple[str, str]:
    """Return the names of two games that differ in a setting."""
    told = [("on" if v else "off") if isinstance(v, bool) else str(v) for v in values]
    return f"{name} = {told[0]}", f"{name} = {told[1]}"
