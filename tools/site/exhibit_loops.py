"""Pictures of exhibits for the site: a still and a short loop."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import pygame
from PIL import Image

from game.view.app import App
from game.view.exhibits.cards.technique_cards import TechniqueCard
from game.view.exhibits.gallery_rows import ROOT
from game.view.painting.window_recorder import gif_of
from game.view.screens.exhibit_screen import ExhibitScreen, open_exhibit
from game.view.screens.explorer_screen import ON_ITS_OWN, ExplorerScreen
from game.view.window.playing import TICK_MS
from game.view.window.user_options import Options

WINDOW = (1280, 720)
STILL, STILL_COLOURS = (960, 540), 128
"""Size in pixels and number of colours of a still."""
LOOP_WIDTH = 480
"""Pixels of a loop across."""


@dataclass(frozen=True)
class LoopPlan:
    """Plan of a loop: frames, ticks between two of them, and ground."""

    frames: int = 40
    every: int = 4
    painted: bool = True
    """False for plain ground, which is quick."""


class LoopMaker:
    """Draws exhibits in one hidden window; close it at the end."""

    def __init__(self, plan: LoopPlan) -> None:
        self.plan = plan
        self.app = App(Options(volume=0.0, edge_pan=False), WINDOW)
        self.app.strict = True

    def close(self) -> None:
        """Close the hidden window."""
        self.app.close()

    def make(self, card: TechniqueCard, folder: Path) -> tuple[str, str]:
        """Write still and loop of a card; return their names.

        A name is "" for a picture that cannot be made: a technique without an exhibit of its own has neither, and
        the explorer has a still only.
        """
        if card.row.kind != "exhibit":
            return "", ""
        show = open_exhibit(ROOT / card.row.exhibit, card.slug)
        if show is None:
            return "", ""
        show.clock.paused = True
        still = f"{card.slug}.png"
        if show.run.exhibit.technique == ON_ITS_OWN:
            explorer = ExplorerScreen(self.app, show)
            explorer.show_still(0)
            self.app.push(explorer)
            self.app.frame(150, [])
            self._write_still(folder / still)
            self._leave()
            return still, ""
        screen = ExhibitScreen(self.app, show)
        screen.scene.ground_budget(None if self.plan.painted else 0)
        screen.shot = True
        self.app.push(screen)
        try:
            frames, size = self._frames(screen)
            self._write_still(folder / still)
        finally:
            self._leave()
        (folder / f"{card.slug}.gif").write_bytes(gif_of(frames, size))
        return still, f"{card.slug}.gif"

    def _leave(self) -> None:
        while self.app.screens:
            self.app.screens.pop().leave()

    def _frames(self, screen: ExhibitScreen) -> tuple[list[bytes], tuple[int, int]]:
        """Return the frames of the run with the technique, reduced, and their size."""
        show, plan, box = screen.show, self.plan, screen.panels.frame
        size = LOOP_WIDTH, round(LOOP_WIDTH * box.height / box.width)
        frames: list[bytes] = []
        for _ in range(2):
            self.app.frame(150, [])
        while len(frames) < plan.frames and show.world.tick + plan.every < show.run.exhibit.repeat:
            show.run_ticks(plan.every)
            self.app.frame(round(plan.every * TICK_MS), [])
            small = pygame.transform.smoothscale(self.app.window.subsurface(box), size)
            frames.append(pygame.image.tobytes(small, "RGB"))
        return frames, size

    def _write_still(self, path: Path) -> None:
        picture = Image.frombytes("RGB", WINDOW, pygame.image.tobytes(self.app.window, "RGB"))
        small = picture.resize(STILL, Image.Resampling.LANCZOS)
        few = small.quantize(STILL_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
        body = BytesIO()
        few.save(body, "PNG", optimize=True)
        path.write_bytes(body.getvalue())
