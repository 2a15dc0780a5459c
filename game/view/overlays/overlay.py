"""Base class and registry of overlays.

An overlay answers one question of at most twelve words on one channel.  Ground fills colour tiles, lines and marks
are drawn on the map, panels are drawn beside it.  At most one fill and three lines or marks are shown at a time.
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
"""Zoom in pixels a tile from which tiles may hold numbers."""


class Channel(StrEnum):
    """Place where an overlay draws."""

    FILL = "fill"
    LINE = "line"
    MARK = "mark"
    PANEL = "panel"


class Scope(StrEnum):
    """Set of units that an overlay shows."""

    SELECTED = "selected"
    SIDE = "side"
    ALL = "all"


@dataclass(frozen=True)
class LegendRow:
    """Legend entry: a sample and its words, with ``unit`` at the right.

    ``style`` is solid, hatch, ruled, dash, ramp, ring, plain or lane; a plain row has no sample. A lane has a stroke
    for each of ``ticks`` that is True, the newest at the right. ``marks`` are ticks of a ramp: (share 0 to 1, words).
    """

    words: str
    colour: RGB
    unit: str = ""
    style: str = "solid"
    ramp: tuple[RGB, ...] = ()
    ticks: tuple[bool, ...] = ()
    marks: tuple[tuple[float, str], ...] = ()


@dataclass
class LabContext:
    """World, picture and painters for an overlay; it changes nothing in the world."""

    playing: Playing
    palette: Palette
    text: TextDrawer
    sprites: Sprites
    scene: Any
    selected: tuple[int, ...] = ()
    shown: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    lifted: bool = False
    cursor: tuple[int, int] = (-1, -1)
    """Pixel under the mouse; (-1, -1) before the mouse was moved."""

    @property
    def world(self) -> Any:
        """Return the world between ticks."""
        return self.playing.world

    @property
    def labels(self) -> LabelPlacer:
        """Return the label placer of this frame; every overlay that writes uses it."""
        placer: LabelPlacer = self.scene.labels
        return placer

    def on_screen(self, camera: Camera, scope: Scope, alpha: float, margin: float = 0.7) -> np.ndarray:
        """Return the rows of a scope within ``margin`` tiles of the picture."""
        p, rows = self.playing.picture, self.rows(scope)
        x, y, _ = p.between(alpha)
        y0, x0, y1, x1 = camera.visible_tiles()
        inside = (x[rows] > x0 - margin) & (x[rows] < x1 + margin) & (y[rows] > y0 - margin) & (y[rows] < y1 + margin)
        return rows[inside]

    def row_at(self, scope: Scope, x: float, y: float, within: float = 0.8) -> int:
        """Return the row of the scope's nearest unit within ``within`` tiles, or -1."""
        p, rows = self.playing.picture, self.rows(scope)
        if len(rows) == 0:
            return -1
        far = np.hypot(p.x[rows] - x, p.y[rows] - y)
        best = int(np.argmin(far))
        return int(rows[best]) if far[best] <= within else -1

    def rows(self, scope: Scope) -> np.ndarray:
        """Return the shown rows of the picture in a scope."""
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
    like = ""
    """Name of an overlay whose exhibit shows this one too."""

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the colours, each with its unit."""
        raise NotImplementedError

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown, in a few words for the legend.

        An empty string means that something is shown.
        """
        if self.channel in (Channel.LINE, Channel.MARK) and len(context.rows(self.scope)) == 0:
            return "no unit to show is in sight"
        return ""

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the value under the cursor with its unit, or an empty string."""
        raise NotImplementedError

    def stamp(self, context: LabContext) -> Any:
        """Return a key; the fill is repainted when it changes."""
        return context.playing.picture.tick

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the colours of the tiles of a window, uint8[h, w, 4].

        Alpha 0 is nothing, alpha 1 means "not computed".
        """
        raise NotImplementedError

    def hatched(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray | None:
        """Return bool[h, w], the tiles to rule with thin lines, or None."""
        return None

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw lines or marks; a fill may draw on top of itself."""
        raise NotImplementedError

    def panel_lines(self, context: LabContext) -> list[tuple[str, str]]:
        """Return the rows (name, value) of a panel."""
        raise NotImplementedError

    def panel_bar(self, context: LabContext) -> tuple[int, int, int] | None:
        """Return a panel's budget: (first use, second use, total), or None."""
        return None

    def panel_chart(self, context: LabContext) -> np.ndarray | None:
        """Return values of the last ticks for a small chart, int[n], or None."""
        return None


NOT_COMPUTED = (0, 0, 0, 1)

REGISTRY: dict[str, type[Overlay]] = {}


def overlay(cls: type[Overlay]) -> type[Overlay]:
    """Register an overlay under its name (class decorator)."""
    if cls.name in REGISTRY:
        raise ValueError(f"two overlays are called {cls.name}")
    REGISTRY[cls.name] = cls
    return cls


def complaints(cls: type[Overlay]) -> list[str]:
    """Return the faults in an overlay's declaration; an empty list if it is valid."""
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
