"""The grammar of overlays, and the registry of all of them.

An overlay answers one question of at most twelve words on one channel.  Ground fills colour tiles, lines and marks
stand on the map, panels stand beside it.  One fill is shown at a time and at most three lines or marks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
import pygame

from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette
from game.view.painting.text import TextDrawer
from game.view.units.sprites import Sprites
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing

MOST_WORDS = 12
MOST_LINES = 3
NUMBERS_FROM = 32
"""Pixels a tile from which numbers may stand on tiles."""


class Channel(StrEnum):
    """Where an overlay speaks."""

    FILL = "fill"
    LINE = "line"
    MARK = "mark"
    PANEL = "panel"


class Scope(StrEnum):
    """Whom it speaks of."""

    SELECTED = "selected"
    SIDE = "side"
    ALL = "all"


@dataclass(frozen=True)
class LegendRow:
    """One entry: a sample and its words.  ``style``: solid, hatch, ruled, dash, ramp, ring or lane; ``unit`` at right.

    A lane has a stroke for each of ``ticks`` that is True, the newest at the right."""

    words: str
    colour: RGB
    unit: str = ""
    style: str = "solid"
    ramp: tuple[RGB, ...] = ()
    ticks: tuple[bool, ...] = ()


@dataclass
class LabContext:
    """What an overlay may read and draw with.  It changes nothing of the world."""

    playing: Playing
    palette: Palette
    text: TextDrawer
    sprites: Sprites
    scene: Any
    selected: tuple[int, ...] = ()
    shown: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    lifted: bool = False
    cursor: tuple[int, int] = (-1, -1)
    """Pixel under the mouse, (-1, -1) before it was moved."""

    @property
    def world(self) -> Any:
        """The world, between ticks."""
        return self.playing.world

    @property
    def labels(self) -> LabelPlacer:
        """Where words may be written near units in this frame; every overlay that writes asks it."""
        placer: LabelPlacer = self.scene.labels
        return placer

    def on_screen(self, camera: Camera, scope: Scope, alpha: float, margin: float = 0.7) -> np.ndarray:
        """Rows in a scope that stand in the picture or at most ``margin`` tiles beside it: whom to draw for."""
        p, rows = self.playing.picture, self.rows(scope)
        x, y, _ = p.between(alpha)
        y0, x0, y1, x1 = camera.visible_tiles()
        inside = (x[rows] > x0 - margin) & (x[rows] < x1 + margin) & (y[rows] > y0 - margin) & (y[rows] < y1 + margin)
        return rows[inside]

    def row_at(self, scope: Scope, x: float, y: float, within: float = 0.8) -> int:
        """Row of the unit in a scope that is nearest to a place, at most ``within`` tiles away; -1: none."""
        p, rows = self.playing.picture, self.rows(scope)
        if len(rows) == 0:
            return -1
        far = np.hypot(p.x[rows] - x, p.y[rows] - y)
        best = int(np.argmin(far))
        return int(rows[best]) if far[best] <= within else -1

    def rows(self, scope: Scope) -> np.ndarray:
        """Rows of the picture in a scope, among those that are shown."""
        p = self.playing.picture
        living = self.shown[p.alive[self.shown] == 1] if len(self.shown) else self.shown
        if scope == Scope.SELECTED and self.selected:
            chosen = p.rows(self.selected)
            return chosen[p.alive[chosen] == 1]
        if scope == Scope.SIDE:
            return living[p.side[living] == self.playing.side]
        return living


class Overlay:
    """Base of all overlays.  Subclasses set the class fields and draw on their channel."""

    name = ""
    title = ""
    channel = Channel.FILL
    scope = Scope.ALL
    question = ""
    lens = ""

    def legend(self, context: LabContext) -> list[LegendRow]:
        """What the colours mean, each with its unit."""
        raise NotImplementedError

    def empty(self, context: LabContext) -> str:
        """Why there is nothing of it to see now, in a few words for the legend; an empty string: there is."""
        if self.channel in (Channel.LINE, Channel.MARK) and len(context.rows(self.scope)) == 0:
            return "nobody of this scope is in sight"
        return ""

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """The value under the cursor with its unit, or an empty string."""
        raise NotImplementedError

    def stamp(self, context: LabContext) -> Any:
        """A fill is drawn anew when this changes."""
        return context.playing.picture.tick

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Colours of the tiles of a window, uint8[h, w, 4]; alpha 0 is nothing, alpha 1 means "not computed"."""
        raise NotImplementedError

    def hatched(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray | None:
        """Tiles of a window that a fill hatches with thin lines of ink, bool[h, w]; None: none."""
        return None

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw lines or marks; a fill may draw on itself."""
        raise NotImplementedError

    def panel_lines(self, context: LabContext) -> list[tuple[str, str]]:
        """Rows (what, value) of a screen panel."""
        raise NotImplementedError

    def panel_bar(self, context: LabContext) -> tuple[int, int, int] | None:
        """A budget for PANEL overlays: (used one way, used another way, all there is)."""
        return None

    def panel_chart(self, context: LabContext) -> np.ndarray | None:
        """int[n]: values of the last ticks for a small chart, or None."""
        return None


NOT_COMPUTED = (0, 0, 0, 1)

REGISTRY: dict[str, type[Overlay]] = {}


def overlay(cls: type[Overlay]) -> type[Overlay]:
    """Class decorator: register an overlay under its name."""
    if cls.name in REGISTRY:
        raise ValueError(f"two overlays are called {cls.name}")
    REGISTRY[cls.name] = cls
    return cls


def complaints(cls: type[Overlay]) -> list[str]:
    """What is wrong with an overlay's declaration; empty when nothing is."""
    wrong = []
    if not cls.name or cls.name != cls.name.lower() or " " in cls.name:
        wrong.append("its name is one lower-case word")
    if not cls.title:
        wrong.append("it has a title")
    words = len(cls.question.split())
    if not cls.question.endswith("?") or words > MOST_WORDS:
        wrong.append(f"its question has at most {MOST_WORDS} words and a question mark, not {words}: {cls.question!r}")
    needed = {
        Channel.FILL: ("fill",),
        Channel.LINE: ("draw",),
        Channel.MARK: ("draw",),
        Channel.PANEL: ("panel_lines",),
    }[cls.channel]
    for method in (*needed, "legend", "value_at"):
        if getattr(cls, method) is getattr(Overlay, method):
            wrong.append(f"a {cls.channel} overlay defines {method}")
    return wrong
