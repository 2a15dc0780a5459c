"""Screenshots without a display, drawn by the code of the window.

A screenshot shows a level at a tick, or the menu, the gallery, the tours or the options.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pygame

from game.checks.exhibit_run import exhibit_script
from game.checks.scripts.script import Script, load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.view.app import App
from game.view.lab.lab_panels import overlay_names
from game.view.screens.exhibit_screen import ExhibitScreen, open_exhibit
from game.view.screens.explorer_screen import ON_ITS_OWN, ExplorerScreen
from game.view.screens.gallery.gallery_screen import GalleryScreen
from game.view.screens.menu_screen import MenuMain
from game.view.screens.missions_screen import MissionsScreen
from game.view.screens.options_screen import OptionsScreen
from game.view.screens.play_screen import PlayScreen
from game.view.screens.tours.tour_list_screen import TourListScreen
from game.view.window.playing import TICK_MS, open_session
from game.view.window.user_options import Options

LOOK_EVERY = 20
"""Ticks between two frames of an exhibit before its shot."""

LIVE_TICKS = 16
"""Ticks before a shot that are drawn as frames.

Shots, sounds and words of that time are then in the picture.
"""

SCREENS = ("menu", "missions", "gallery", "tours", "options")


@dataclass(frozen=True)
class ShotRequest:
    """Request of a screenshot.

    ``camera`` is (x, y in tiles, zoom in pixels a tile). ``select`` holds unit ids. Of another side's units the last
    one is pinned, so that its cone shows.
    """

    target: str
    out: Path
    tick: int = 0
    seed: int = 1
    overlays: tuple[str, ...] = ()
    select: tuple[int, ...] = ()
    camera: tuple[float, float, int] | None = None
    size: tuple[int, int] = (1280, 720)
    script: Path | None = None
    prepare: Callable[[PlayScreen], None] | None = None
    """Called with the play screen before its last frames."""


def parse_size(text: str) -> tuple[int, int]:
    """Return (1280, 720) for ``"1280x720"``; ValueError with one line."""
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(p.isdecimal() and len(p) < 6 for p in parts):
        raise ValueError(f"--size takes WIDTHxHEIGHT such as 1280x720, not {text!r}")
    width, height = int(parts[0]), int(parts[1])
    if not (320 <= width <= 7680 and 240 <= height <= 4320):
        raise ValueError(f"--size {text}: between 320x240 and 7680x4320")
    return width, height


def parse_camera(text: str) -> tuple[float, float, int]:
    """Return (x, y, px a tile) for ``"X,Y,ZOOM"``; ValueError with one line."""
    parts = text.split(",")
    try:
        x, y, zoom = float(parts[0]), float(parts[1]), int(parts[2])
        if len(parts) != 3 or zoom <= 0 or not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError
    except (ValueError, IndexError):
        raise ValueError(f"--camera takes X,Y,ZOOM such as 40.5,20,32, not {text!r}") from None
    return x, y, zoom


def take_shot(request: ShotRequest) -> Path:
    """Draw and write the PNG.

    Raises ValueError in one line when the request cannot be met.
    """
    if request.out.suffix.lower() != ".png":
        raise ValueError(f"{request.out}: a screenshot's name ends in .png")
    with shown(request) as app:
        request.out.parent.mkdir(parents=True, exist_ok=True)
        try:
            pygame.image.save(app.window, str(request.out))
        except pygame.error as error:
            raise ValueError(f"{request.out}: cannot be written ({error})") from None
    return request.out


@contextmanager
def shown(request: ShotRequest) -> Iterator[App]:
    """Open an app that shows the request in its window, and close it again."""
    # Before pygame is first imported, and without touching a choice the caller has made.
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    app = App(Options(volume=0.0, edge_pan=False), request.size)
    app.strict = True
    try:
        if request.target in SCREENS:
            _show_screen(app, request.target)
        else:
            _show_level(app, request)
        yield app
    finally:
        app.close()


def _show_screen(app: App, name: str) -> None:
    for progress in app.start_up.groups.values():
        progress.ready = True
    screens = {
        "menu": MenuMain, "missions": MissionsScreen, "gallery": GalleryScreen, "tours": TourListScreen,
        "options": OptionsScreen,
    }  # fmt: skip
    screen = screens[name](app)
    app.push(screen)
    for _ in range(3):
        app.frame(16, [])
    if not isinstance(screen, GalleryScreen):
        return
    while screen.waits_for_pictures:
        app.frame(50, [])
        time.sleep(0.05)
    for _ in screen.grid.cards_in_view():  # a frame reads one file
        app.frame(50, [])


def _show_exhibit(app: App, request: ShotRequest, script: Script) -> None:
    """Show the frame of an exhibit, or the explorer, at a step.

    The request names the tick or step, else the exhibit does.
    """
    show = open_exhibit(Path(request.target), script=script)
    assert show is not None
    if script.exhibit is not None and script.exhibit.technique == ON_ITS_OWN:
        explorer = ExplorerScreen(app, show)
        explorer.show_still(request.tick)
        app.push(explorer)
        app.frame(150, [])
        return
    show.clock.paused = True
    screen = ExhibitScreen(app, show)
    screen.scene.ground_budget(None)
    screen.shot = True
    app.push(screen)
    _select(screen, request.select)
    overlays = overlay_names(",".join(request.overlays))
    if overlays:
        screen.lab.overlays.on.clear()
    for name in overlays:
        screen.lab.show(name)
    if request.camera is not None:
        x, y, zoom = request.camera
        screen.camera.set_zoom(zoom)
        screen.camera.centre_on(x, y)
    # Overlays that remember what they saw must be drawn from the start.
    while show.world.tick < request.tick:
        before = show.world.tick
        app.frame(0, [])
        show.run_ticks(min(LOOK_EVERY, request.tick - before))
        if show.world.tick <= before:
            raise ValueError(f"--tick {request.tick}: this exhibit begins again after tick {before}")
    for _ in range(3):
        app.frame(150, [])


def _select(play: PlayScreen, units: tuple[int, ...]) -> None:
    """Select the player's units among ``units`` and pin the last one of another side's."""
    p, known = play.playing.picture, play.playing.picture.row_of
    for unit in units:
        if unit not in known:
            raise ValueError(f"--select {unit}: no such unit; ids are 0 to {len(known) - 1}")
    play.selection.choose(u for u in units if p.side[known[u]] == play.playing.side)
    for unit in units:
        if p.side[known[unit]] != play.playing.side:
            play.view.pinned = unit


def _show_level(app: App, request: ShotRequest) -> None:
    path = Path(request.target)
    script = load_script(request.script) if request.script is not None else None
    exhibit = script if script is not None else exhibit_script(path) if path.is_file() else None
    if exhibit is not None and exhibit.exhibit is not None:
        _show_exhibit(app, request, exhibit)
        return
    settings = dict(script.settings) if script is not None else None
    units = script.units if script is not None else None
    playing = open_session(path, request.seed, units=units, settings=settings)
    script = script if script is not None else Script()
    player = ScriptedPlayer()
    live = min(LIVE_TICKS, request.tick)
    playing.run_script(script, request.tick - live, player)
    playing.take_happenings()
    playing.clock.paused = True
    play = PlayScreen(app, playing)
    play.scene.ground_budget(None)
    app.push(play)
    _select(play, request.select)
    overlays = overlay_names(",".join(request.overlays))
    if overlays:
        play.view.lab = True
        for name in overlays:
            play.lab.show(name)
    if request.camera is not None:
        x, y, zoom = request.camera
        play.camera.set_zoom(zoom)
        play.camera.centre_on(x, y)
    play.shot = True
    for _ in range(live):
        playing.run_script(script, 1, player)
        play.tell_what_happened()
        app.frame(round(TICK_MS), [])
    play.notice = ""
    if request.prepare is not None:
        request.prepare(play)
    # Fades of the fog must end; without ticks before, time has to pass here.
    for _ in range(3):
        app.frame(0 if live == LIVE_TICKS else 150, [])
