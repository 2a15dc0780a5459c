"""Picture of a search: lists, parents, numbers and path of one frame."""

from __future__ import annotations

import math

import numpy as np
import pygame

from ai.search.explorer import CLOSED, OPEN, SearchFrame
from game.checks.search_lab import BRUSHES, Lane, SearchLab
from game.view.overlays.overlay import NUMBERS_FROM
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette, mix
from game.view.painting.text import TextDrawer

ARROWS_FROM = 16


class SearchPainter:
    """Draws lanes with a palette; keeps nothing but the tints of a zoom."""

    def __init__(self, palette: Palette, text: TextDrawer) -> None:
        self.palette, self.text = palette, text
        self._tints: dict[tuple[int, str], pygame.Surface] = {}

    def colour(self, what: str) -> RGB:
        """Return the colour of a list, as the legend shows it."""
        ramp = self.palette.ramps["okabe_ito"]
        return {"closed": ramp[0], "open": ramp[5], "path": self.palette.overlay["full"], "other": ramp[2]}[what]

    def _tint(self, zoom: int, what: str) -> pygame.Surface:
        key = (zoom, what)
        if key not in self._tints:
            made = pygame.Surface((zoom, zoom), pygame.SRCALPHA)
            made.fill((*self.colour(what), 150 if what == "closed" else 215))
            pygame.draw.rect(made, (*self.palette["ink"], 70), made.get_rect(), 1)
            self._tints[key] = made
        return self._tints[key]

    def draw(
        self, surface: pygame.Surface, camera: Camera, lab: SearchLab, lane: Lane, other: SearchFrame | None = None
    ) -> None:
        """Draw one lane; the path of the ``other`` frame is drawn as a ghost."""
        self._painted(surface, camera, lab)
        frame = lane.frame
        if frame is not None:
            self._lists(surface, camera, frame)
            if camera.zoom >= ARROWS_FROM:
                self._parents(surface, camera, frame)
            if other is not None and len(other.path) > 1:
                self._line(surface, camera, other.path, self.colour("other"), 2)
            if len(frame.path) > 1:
                self._line(surface, camera, frame.path, self.colour("path"), 4 if frame.found else 3)
            if camera.zoom >= NUMBERS_FROM:
                self._numbers(surface, camera, frame)
            self._current(surface, camera, frame)
        self._ends(surface, camera, lab)

    def _painted(self, surface: pygame.Surface, camera: Camera, lab: SearchLab) -> None:
        """Draw the painted tiles and the expensive ground over the map's picture."""
        zoom, palette = camera.zoom, self.palette
        bit = lab.question.movement_class
        for y, x in sorted(lab.painted):
            rect = pygame.Rect(*camera.to_screen(x, y), zoom, zoom)
            blocked = not lab.terrain.passable[y, x] >> bit & 1
            cost = int(lab.terrain.cost[y, x])
            if blocked:
                pygame.draw.rect(surface, mix(palette["ink"], palette["paper"], 0.35), rect)
                pygame.draw.rect(surface, palette["ink"], rect, 2)
                continue
            ramp = palette.ramps["cividis"]
            fill = palette["paper"] if cost == BRUSHES["open"] else ramp[min((cost - 1) * 9 // 63, 9)]
            pygame.draw.rect(surface, fill, rect.inflate(-2, -2))
            pygame.draw.rect(surface, palette.ramps["not_computed"][1], rect, 1)

    def _lists(self, surface: pygame.Surface, camera: Camera, frame: SearchFrame) -> None:
        y0, x0, y1, x1 = camera.visible_tiles()
        part = frame.status[y0:y1, x0:x1]
        zoom = camera.zoom
        left, top = camera.to_screen(x0, y0)
        for value, what in ((CLOSED, "closed"), (OPEN, "open")):
            tint = self._tint(zoom, what)
            ys, xs = np.nonzero(part == value)
            surface.fblits(
                [(tint, (left + x * zoom, top + y * zoom)) for y, x in zip(ys.tolist(), xs.tolist(), strict=True)]
            )

    def _parents(self, surface: pygame.Surface, camera: Camera, frame: SearchFrame) -> None:
        """Draw a stroke from each node towards its parent.

        A jump has a stroke of its whole length, with a head at this end.
        """
        y0, x0, y1, x1 = camera.visible_tiles(1)
        width, ink = frame.parent.shape[1], self.palette["ink"]
        zoom = camera.zoom
        size = max(zoom // 5, 4)
        for y, x in np.argwhere(frame.parent[y0:y1, x0:x1] >= 0).tolist():
            ty, tx = y + y0, x + x0
            py, px = divmod(int(frame.parent[ty, tx]), width)
            here = camera.to_screen(tx + 0.5, ty + 0.5)
            there = camera.to_screen(px + 0.5, py + 0.5)
            angle = math.atan2(there[1] - here[1], there[0] - here[0])
            far = max(abs(py - ty), abs(px - tx)) > 1
            reach = zoom * 0.42
            tip = (here[0] + math.cos(angle) * reach, here[1] + math.sin(angle) * reach)
            if far:
                pygame.draw.aaline(surface, mix(ink, self.palette["paper"], 0.3), here, there)
            pygame.draw.line(surface, ink, here if zoom < NUMBERS_FROM else tip, tip, 1)
            wings = [(tip[0] - math.cos(angle + s) * size, tip[1] - math.sin(angle + s) * size) for s in (0.5, -0.5)]
            pygame.draw.polygon(surface, ink, [tip, *wings])

    def _line(self, surface: pygame.Surface, camera: Camera, path: np.ndarray, colour: RGB, width: int) -> None:
        points = [camera.to_screen(x + 0.5, y + 0.5) for y, x in path.tolist()]
        pygame.draw.lines(surface, self.palette["rim"], False, points, width + 4)
        pygame.draw.lines(surface, self.palette["ink"], False, points, width + 2)
        pygame.draw.lines(surface, colour, False, points, width)

    def _numbers(self, surface: pygame.Surface, camera: Camera, frame: SearchFrame) -> None:
        """Write f from 32 px a tile, and g and h from 48 px."""
        y0, x0, y1, x1 = camera.visible_tiles()
        zoom, ink = camera.zoom, self.palette["ink"]
        f = frame.f
        for y, x in np.argwhere(frame.status[y0:y1, x0:x1] > 0).tolist():
            tile = y + y0, x + x0
            left, top = camera.to_screen(tile[1], tile[0])
            if not math.isfinite(frame.g[tile]):
                continue
            if zoom < 48:
                self._number(surface, (left + zoom // 2, top + zoom // 2), f[tile], ink, "sans_bold", "center")
                continue
            self._number(surface, (left + zoom // 2, top + zoom - 2), f[tile], ink, "sans_bold", "midbottom")
            self._number(surface, (left + 3, top + 1), frame.g[tile], ink, "sans", "topleft")
            if zoom >= 64:
                self._number(surface, (left + zoom - 3, top + 1), frame.h[tile], ink, "sans", "topright")

    def _number(
        self, surface: pygame.Surface, at: tuple[int, int], value: float, ink: RGB, kind: str, anchor: str
    ) -> None:
        words = f"{value:.1f}" if value < 99.95 else f"{value:.0f}"
        self.text.draw(surface, at, words, ink, kind, 14, anchor, self.palette["rim"])

    def _current(self, surface: pygame.Surface, camera: Camera, frame: SearchFrame) -> None:
        if frame.current is not None:
            y, x = frame.current
            rect = pygame.Rect(*camera.to_screen(x, y), camera.zoom, camera.zoom)
            pygame.draw.rect(surface, self.palette["rim"], rect.inflate(4, 4), 2)
            pygame.draw.rect(surface, self.palette["ink"], rect.inflate(2, 2), 3)

    def _ends(self, surface: pygame.Surface, camera: Camera, lab: SearchLab) -> None:
        for tile, letter, colour in (
            (lab.question.start, "S", self.palette["blue"]),
            (lab.question.goal, "G", self.palette["vermilion"]),
        ):
            at = camera.to_screen(tile[1] + 0.5, tile[0] + 0.5)
            radius = max(camera.zoom * 2 // 5, 8)
            pygame.draw.circle(surface, self.palette["rim"], at, radius + 3)
            pygame.draw.circle(surface, self.palette["ink"], at, radius + 1)
            pygame.draw.circle(surface, colour, at, radius)
            self.text.draw(surface, at, letter, self.palette["white"], "sans_bold", 14, "center")
