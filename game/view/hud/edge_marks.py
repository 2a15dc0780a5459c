"""Marks at the window's edge that point to events off screen.

Each mark has an arrow, an icon and a word. The kinds of event in ``_WORDS`` get a mark, so that they are not told by
sound alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import pygame

from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.units.sprites import Sprites
from game.world.events import Happening

LIVES_MS = 3000
MOST = 4
ALARMING = 2
"""Least weight of an event to which the key of the last alarm leads."""
INSET = 74
"""Interface pixels between a mark and the window's edge, clear of the panels' margins."""
_WORDS = {
    "identified": ("alarm", "Seen!", 3),
    "alarm": ("alarm", "Alarm", 3),
    "noticed": ("eye", "Suspicion", 2),
    "shot": ("ear", "Shot", 1),
    "killed": ("ear", "Hit", 1),
}
"""Icon, word and weight of each kind of event; the heaviest is shown first."""


@dataclass
class EdgeMark:
    """Mark: kind of event, position in tiles, and time of creation in ms."""

    kind: str
    x: float
    y: float
    born: int


@dataclass
class EdgeMarks:
    """Keeps the marks of the last ``LIVES_MS`` milliseconds and draws at most ``MOST``."""

    marks: list[EdgeMark] = field(default_factory=list)
    alarm: tuple[float, float] | None = None
    """Place in tiles of the last suspicion, identification or alarm."""
    boxes: list[pygame.Rect] = field(default_factory=list)
    """Boxes of the last drawing; later drawings keep clear of them."""

    def heard(self, fact: Happening, now: int, place: tuple[float, float] | None = None) -> None:
        """Add a mark for an event of a kind in ``_WORDS``.

        The mark lies at ``place`` if given, else at the event. It replaces an earlier mark of its kind within 6
        tiles.
        """
        if fact.kind not in _WORDS:
            return
        x, y = place or (fact.x, fact.y)
        if _WORDS[fact.kind][2] >= ALARMING:
            self.alarm = (x, y)
        self.marks = [m for m in self.marks if m.kind != fact.kind or math.hypot(m.x - x, m.y - y) > 6]
        self.marks.append(EdgeMark(fact.kind, x, y, now))

    def shown(self, camera: Camera, now: int) -> list[EdgeMark]:
        """Return the marks off screen, the heaviest and youngest first, at most ``MOST``."""
        self.marks = [m for m in self.marks if now - m.born < LIVES_MS]
        away = []
        for m in self.marks:
            x, y = camera.to_screen(m.x, m.y)
            if not (0 <= x < camera.width and 0 <= y < camera.height):
                away.append(m)
        return sorted(away, key=lambda m: (-_WORDS[m.kind][2], -m.born, m.x, m.y))[:MOST]

    def draw(
        self, surface: pygame.Surface, camera: Camera, now: int, text: TextDrawer, panels: Panels, palette: Palette,
        sprites: Sprites, taken: Sequence[pygame.Rect] = (),
    ) -> None:  # fmt: skip
        """Draw an arrow towards each event, beside a box with icon, word and distance.

        The boxes keep clear of the ``taken`` panels.
        """
        placed = self.boxes = []
        for m in self.shown(camera, now):
            icon, word, _ = _WORDS[m.kind]
            at, angle = edge_point(camera, m.x, m.y, text.px(INSET))
            metres = math.hypot(m.x - camera.x, m.y - camera.y)
            words = f"{word}, {metres:.0f} m"
            width = text.size("sans_bold", 15, words)[0] + text.px(46)
            rect = pygame.Rect(0, 0, width, text.px(32))
            rect.center = at
            rect.clamp_ip(surface.get_rect().inflate(-text.px(44), -text.px(44)))
            for panel in (*taken, *placed):
                if rect.colliderect(panel):
                    # Move it towards the middle of the window, clear of the panel.
                    if panel.centery > camera.height / 2:
                        rect.bottom = panel.top - text.px(22)
                    else:
                        rect.top = panel.bottom + text.px(22)
            placed.append(rect)
            colour = {"alarm": palette["vermilion"], "eye": palette["amber"]}.get(icon, palette["white"])
            # The arrow starts where the line to the event leaves the box.
            c, sine = math.cos(angle), math.sin(angle)
            out = min(rect.width / 2 / max(abs(c), 1e-9), rect.height / 2 / max(abs(sine), 1e-9)) + text.px(3)
            tip = (rect.centerx + c * out, rect.centery + sine * out)
            _arrow(surface, tip, angle, text.px(15), colour, palette["ink"])
            pygame.draw.rect(surface, panels.paper, rect)
            pygame.draw.rect(surface, panels.ink, rect, 2)
            cell = sprites.icon_cell(icon, "night" if panels.night else "day", text.px(30))
            if cell is not None:
                surface.blit(cell.surface, (rect.x + text.px(20) + cell.dx, rect.centery + cell.dy))
            spot = (rect.x + text.px(38), rect.centery)
            text.draw(surface, spot, words, panels.ink, "sans_bold", 15, "midleft")


def edge_point(camera: Camera, x: float, y: float, inset: int) -> tuple[tuple[int, int], float]:
    """Return the pixel at which an arrow to a position stands, and its angle.

    The pixel lies ``inset`` pixels from the edge on the line from the middle of the window. The position is in
    tiles, the angle in radians.
    """
    half_w, half_h = camera.width / 2, camera.height / 2
    px, py = camera.to_screen(x, y)
    dx, dy = px - half_w, py - half_h
    share = min((half_w - inset) / max(abs(dx), 1e-9), (half_h - inset) / max(abs(dy), 1e-9))
    return (round(half_w + dx * share), round(half_h + dy * share)), math.atan2(dy, dx)


def _arrow(
    surface: pygame.Surface, at: tuple[float, float], angle: float, size: int, colour: tuple, ink: tuple
) -> None:
    c, s = math.cos(angle), math.sin(angle)
    tip = (at[0] + c * size, at[1] + s * size)
    points = [tip, (at[0] - s * size, at[1] + c * size), (at[0] + s * size, at[1] - c * size)]
    pygame.draw.polygon(surface, colour, points)
    pygame.draw.polygon(surface, ink, points, 2)
