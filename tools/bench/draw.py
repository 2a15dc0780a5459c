"""Drawing benchmark: frames of the real window on the dummy driver.

There are 1,000 figures and three overlays, and the inspector is open.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tools.bench import positive

ROOT = Path(__file__).resolve().parent.parent.parent
OVERLAYS = ("cost", "paths", "whiskers")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--units", type=positive, default=1000)
    parser.add_argument("--frames", type=positive, default=240)
    parser.add_argument("--size", default="1280x720")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return rows of frame times without ticks: Play, Lab, and each lens.

    The row of a lens is the time of its overlays alone. Columns: ``us_mean``; ``p50_ms``, ``p99_ms``, ``max_ms``
    of wall time; ``p99_cpu_ms`` of this thread's own time, which other programs on the machine do not lengthen.
    """
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FOGLINE_CONFIG"] = folder
        return [*(_measure(args, lab) for lab in (False, True)), *_overlays(args)]


def _overlays(args: argparse.Namespace) -> list[dict[str, Any]]:
    """Return a row for every lens at 1920x1080: its time per frame.

    The time is that of its fill, lines and marks while the game runs.
    """
    from game.view.overlays.lenses import LENSES
    from game.view.screens.play_screen import PlayScreen

    app, play = _opened(args, (1920, 1080))
    assert isinstance(play, PlayScreen)
    play.set_lab(True)
    play.camera.set_zoom(24)
    play.camera.centre_on(48, 32)
    play.choosing.select_all()
    _send(play)
    play.playing.run_ticks(20)
    found = []
    for name, overlays in LENSES.items():
        play.lab.overlays.on.clear()
        for overlay in overlays:
            play.lab.show(overlay)
        wall, own = [], []
        for frame in range(args.frames // 4 + 10):
            app.now_ms += 16
            play.update(16)
            play.scene.labels.begin()
            start, busy = time.perf_counter(), time.thread_time()
            play.lab.draw_fills(app.window, play.camera, play.playing, play.view)
            play.lab.draw_marks(app.window, play.camera, play.playing, play.view, 0.5)
            if frame >= 10:
                wall.append((time.perf_counter() - start) * 1000)
                own.append((time.thread_time() - busy) * 1000)
        found.append(_row(f"overlays_{name}", args.units, "1920x1080", wall, own))
    app.close()
    return found


def _opened(args: argparse.Namespace, size: tuple[int, int]) -> tuple[Any, Any]:
    """The Crossing with many soldiers in a window of a size."""
    from game.view.app import App
    from game.view.screens.play_screen import PlayScreen
    from game.view.window.playing import open_session
    from game.view.window.user_options import Options

    app = App(Options(volume=0.0, edge_pan=False), size)
    app.start_up.wait()
    play = PlayScreen(app, open_session(ROOT / "levels" / "the_crossing.tmx", 1, units=args.units))
    play.scene.ground_budget(None)
    app.push(play)
    return app, play


def _send(play: Any) -> None:
    """Send every unit to another goal."""
    from game.world.orders import Order, OrderKind

    for unit in play.selection.ids:
        x, y = 10 + unit * 37 % 76, 8 + unit * 23 % 48
        play.playing.give(Order(int(OrderKind.MOVE), 0, (unit,), float(x), float(y)))


def _row(name: str, units: int, size: str, wall: list[float], own: list[float]) -> dict[str, Any]:
    p50, p99 = np.percentile(wall, (50, 99))
    return {
        "algorithm": name,
        "mode": "single",
        "us_mean": float(np.mean(wall)) * 1000,
        "threads": 1,
        "units": units,
        "size": size,
        "p50_ms": float(p50),
        "p99_ms": float(p99),
        "max_ms": float(max(wall)),
        "p50_cpu_ms": float(np.percentile(own, 50)),
        "p99_cpu_ms": float(np.percentile(own, 99)),
    }


def _measure(args: argparse.Namespace, lab: bool) -> dict[str, Any]:
    from game.view.window.shot import parse_size

    app, play = _opened(args, parse_size(args.size))
    play.camera.set_zoom(12)
    play.camera.centre_on(48, 32)
    play.choosing.select_all()
    if lab:
        play.set_lab(True)
        play.lab.overlays.on.clear()
        for name in OVERLAYS:
            play.lab.show(name)
    _send(play)
    wall, own = [], []
    for frame in range(args.frames + 30):
        if frame == 30:
            play.scene.ground_budget(1)  # the ground is there; from now on as in the game
        app.now_ms += 16
        play.update(16)
        start, busy = time.perf_counter(), time.thread_time()
        app.draw()
        if frame >= 30:
            wall.append((time.perf_counter() - start) * 1000)
            own.append((time.thread_time() - busy) * 1000)
    app.close()
    return _row("lab" if lab else "play", args.units, args.size, wall, own)
