"""Worker process of the gallery: writes pictures of exhibits on request.

A request is a line of JSON.

``python -m game.view.exhibits.cards.picture_worker`` is started by the gallery.  It ends when its input ends.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path

import pygame

from game.checks.scripts.script import load_script
from game.view.exhibits.gallery_rows import ROOT
from game.view.screens.exhibit_screen import ExhibitScreen
from game.view.screens.explorer_screen import ExplorerScreen
from game.view.window.app_services import AnyScreen
from game.view.window.shot import ShotRequest, shown

WINDOW = (1280, 720)
SIZE = (896, 504)
"""Size of a kept picture, for a page at twice the interface scale."""
MISSION_TICK = 60
LEAST_TICK, MOST_TICK = 40, 160
SHARE_OF_RUN = 0.4
"""Tick of the picture as a share of the run, within the limits.

An exhibit shows its effect within ten seconds.
"""
NICE = 10
MIDDLE = pygame.Rect(0, 0, 640, 360)
"""Part of the window that shows a mission; the panels stand round it."""


def make_picture(level: Path, script: Path | None, overlay: str, out: Path) -> None:
    """Write the picture of an exhibit, or of a mission with an overlay.

    Raises ValueError in one line if there is none to be had.
    """
    tick = MISSION_TICK
    if script is not None:
        exhibit = load_script(script).exhibit
        if exhibit is not None:
            tick = round(min(max(exhibit.repeat * SHARE_OF_RUN, LEAST_TICK), MOST_TICK, exhibit.repeat - 1))
    overlays = (overlay,) if overlay and script is None else ()
    with shown(ShotRequest(str(level), out, tick, overlays=overlays, script=script, size=WINDOW)) as app:
        screen = app.top
        assert screen is not None
        part = app.window.subsurface(framed(screen, app.window.get_rect()))
        picture = pygame.transform.smoothscale(part, SIZE)
        beside = out.with_name(f".{os.getpid()}.{out.name}")
        try:
            pygame.image.save(picture, str(beside))
            os.replace(beside, out)
        except (OSError, pygame.error) as error:
            raise ValueError(f"{out}: cannot be written ({error})") from None
        finally:
            with contextlib.suppress(OSError):
                beside.unlink()


def framed(screen: AnyScreen, window: pygame.Rect) -> pygame.Rect:
    """Return the part of the window for a card, about the watched units."""
    box = MIDDLE.copy()
    box.center = window.center
    focus = box.center
    if isinstance(screen, ExplorerScreen):
        box = screen.picture_box(screen.cameras[0]).clip(window)
        focus = box.center
    elif isinstance(screen, ExhibitScreen):
        box = screen.picture_box()
        p = screen.show.picture
        rows = [p.row_of[unit] for unit in screen.show.run.watched if unit in p.row_of]
        places = [screen.camera.to_screen(float(p.x[row]), float(p.y[row])) for row in rows]
        places = [place for place in places if box.collidepoint(place)] or [box.center]
        focus = sum(x for x, _ in places) // len(places), sum(y for _, y in places) // len(places)
    width = min(box.width, box.height * SIZE[0] // SIZE[1])
    part = pygame.Rect(0, 0, width, width * SIZE[1] // SIZE[0])
    part.center = focus
    return part.clamp(box)


def main() -> None:
    """Make a picture for each line of the input and answer with its key."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    for line in sys.stdin:
        request = json.loads(line)
        error = ""
        try:
            script = ROOT / request["script"] if request["script"] else None
            make_picture(ROOT / request["level"], script, request["overlay"], Path(request["out"]))
        except Exception as wrong:  # one exhibit that fails must not end the pictures of the others
            error = " ".join(f"{type(wrong).__name__}: {wrong}".split())
        print(json.dumps({"key": request["key"], "error": error}), flush=True)


if __name__ == "__main__":
    main()
