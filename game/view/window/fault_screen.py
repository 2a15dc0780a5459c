"""Screen after an error in a stage of the tick.

The game stops. The player can save a report and go on from the last autosave.
"""

from __future__ import annotations

import io
import json
import platform
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pygame

from game.level.files import write_whole
from game.sim.replay import replay_text
from game.sim.saves import load_game
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing
from game.view.window.saved_games import newest_save
from game.view.window.user_options import data_folder
from game.world.faults import StageFault

DECISIONS = 200
"""Decisions of minds that a report holds, the last ones."""
ROOT = Path(__file__).resolve().parent.parent.parent.parent


class FaultScreen(MenuScreen):
    """Names the fault.

    The buttons save a report, go back to the last autosave, and leave the game.
    """

    need = (640, 420)

    def __init__(self, app: AppServices, playing: Playing, fault: StageFault, go_on: Callable[[Playing], None]) -> None:
        """Stop ``playing``; ``go_on`` shows the game of the last autosave in its place."""
        super().__init__(app)
        self.playing, self.fault, self.go_on = playing, fault, go_on
        self.message = ""

    def build(self) -> None:
        """Create the three buttons."""
        px = self.text.px
        self.panel = pygame.Rect(0, 0, min(px(620), self.app.window.get_width() - 20), px(400))
        self.panel.center = self.app.window.get_rect().center
        rows = [
            ("Save a report", self.save_report),
            ("Back to the last autosave", self.go_back),
            ("Leave", self.leave_level),
        ]
        for i, (words, action) in enumerate(rows):
            rect = pygame.Rect(self.panel.x + px(24), self.panel.y + px(206 + 58 * i), px(300), px(46))
            made = self.button(rect, words, action)
            if action == self.go_back and newest_save(self.playing.level.name) is None:
                made.disable()

    def save_report(self) -> None:
        """Write the report as one zip file."""
        path = data_folder() / "reports" / f"fogline-{self.playing.level.path.stem}-{self.fault.tick}.zip"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, report(self.app, self.playing, self.fault), overwrite=True)
            self.message = f"Report written: {path}"
        except (OSError, ValueError) as error:
            self.message = str(error)

    def go_back(self) -> None:
        """Load the newest save of this level in place of the broken game."""
        path = newest_save(self.playing.level.name)
        try:
            session = load_game(path) if path is not None else None
        except ValueError as error:
            self.message = str(error)
            return
        if session is not None:
            self.app.pop()
            self.go_on(Playing(session))

    def leave_level(self) -> None:
        """Leave this screen and the broken game below it."""
        self.app.pop()
        self.app.pop()

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; Esc does not return to the broken game."""
        if not (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
            super().handle(event)

    def paint(self, surface: pygame.Surface) -> None:
        """Draw the panel with the failure and the possible actions."""
        text, panels = self.text, self.app.panels
        panels.draw(surface, self.panel)
        x, y = self.panel.x + text.px(24), self.panel.y + text.px(18)
        text.draw(surface, (x, y), "The game has stopped", panels.ink, "serif_bold", 30)
        words = f"An error in the program, not in your play. {self.fault}"
        for i, line in enumerate(text.wrap("sans", 15, words, self.panel.width - text.px(48))[:5]):
            text.draw(surface, (x, y + text.px(46 + 21 * i)), line, panels.ink, "sans", 15)
        for i, line in enumerate(text.wrap("sans", 14, self.message, self.panel.width - text.px(48))[:2]):
            text.draw(surface, (x, y + text.px(156 + 18 * i)), line, panels.soft, "sans", 14)


def report(app: AppServices, playing: Playing, fault: StageFault) -> bytes:
    """Return a zip of fault, replay, settings, options, versions and the last decisions."""
    session = playing.session
    trace = session.world.trace
    decisions = [str(row) for row in trace.since(max(0, trace.written - DECISIONS))]
    versions = {
        "fogline": tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"],
        "python": platform.python_version(),
        "platform": platform.platform(),
        "numpy": np.__version__,
        "pygame": pygame.version.ver,
    }
    files = {
        "fault.txt": f"{fault}\n",
        "replay.json": replay_text(session),
        "settings.json": json.dumps(session.given_settings, indent=1),
        "options.json": json.dumps(asdict(app.options), indent=1),
        "versions.json": json.dumps(versions, indent=1),
        "decisions.txt": "\n".join(decisions) + "\n",
    }
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return raw.getvalue()


def write_broken_replay(playing: Playing) -> str:
    """Write the orders up to the fault as a replay; return what to tell."""
    path = data_folder() / "replays" / f"fault-{quote(playing.level.name, safe='')}@{playing.world.tick:07d}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, replay_text(playing.session), overwrite=True)
    except (OSError, ValueError) as error:
        return str(error)
    return f"Replay written: {path}"
