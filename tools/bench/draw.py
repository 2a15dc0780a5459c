"""Drawing: frames of the real window on the dummy driver, 1,000 figures, three overlays, the inspector open."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
OVERLAYS = ("cost", "paths", "whiskers")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--units", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=240)
    parser.add_argument("--size", default="1280x720")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """A row for Play and one for Lab; times of drawing one frame, ticks not counted.

    Columns: ``us_mean``; ``p50_ms``, ``p99_ms``, ``max_ms`` of wall time and ``p99_cpu_ms`` of this thread's own time,
    which other programs on the machine do not lengthen.
    """
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FOGLINE_CONFIG"] = folder
        return [_measure(args, lab) for lab in (False, True)]


def _measure(args: argparse.Namespace, lab: bool) -> dict[str, Any]:
    from game.view.app import App
    from game.view.options import Options
    from game.view.playing import open_session
    from game.view.screens.play import PlayScreen
    from game.view.shot import parse_size
    from game.world.orders import Order, OrderKind

    app = App(Options(volume=0.0, edge_pan=False), parse_size(args.size))
    app.start_up.wait()
    playing = open_session(ROOT / "levels" / "the_crossing.tmx", 1, units=args.units)
    play = PlayScreen(app, playing)
    play.scene.ground_budget(None)
    app.push(play)
    play.camera.set_zoom(12)
    play.camera.centre_on(48, 32)
    play.choosing.select_all()
    if lab:
        play.set_lab(True)
        play.lab.overlays.on.clear()
        for name in OVERLAYS:
            play.lab.show(name)
    for unit in play.selection.ids:
        x, y = 10 + unit * 37 % 76, 8 + unit * 23 % 48
        playing.give(Order(int(OrderKind.MOVE), 0, (unit,), float(x), float(y)))
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
    p50, p99 = np.percentile(wall, (50, 99))
    return {
        "algorithm": "lab" if lab else "play",
        "mode": "single",
        "us_mean": float(np.mean(wall)) * 1000,
        "threads": 1,
        "units": args.units,
        "size": args.size,
        "p50_ms": float(p50),
        "p99_ms": float(p99),
        "max_ms": float(max(wall)),
        "p99_cpu_ms": float(np.percentile(own, 99)),
    }
