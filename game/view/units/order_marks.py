"""Marks of the view: orders, words above heads, and the caption.

They are drawn above the fog, so that an order into unseen ground is visible.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field

import pygame

from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette
from game.view.painting.text import TextDrawer
from game.view.painting.unit_picture import Picture

LIVES_MS = 1000
WORDS_MS = 2600
CAPTION_MS = 8000
CAPTION_TOP = 76
"""Interface pixels above the caption, which lies below the alarm panel."""
_CAPTION_WIDTH = 560
"""Largest width of the caption's lines in interface pixels."""
_ATTACK = {"attack", "attack_move"}


@dataclass
class Mark:
    """Mark at the position of a click; ``kind`` is the order's name."""

    kind: str
    x: float
    y: float
    units: tuple[int, ...]
    born: int


@dataclass
class Words:
    """Words above a unit's head or at a position."""

    text: str
    unit: int
    x: float
    y: float
    born: int
    colour: str = "ink"


@dataclass
class Marks:
    """Marks and words that are shown for some seconds."""

    orders: list[Mark] = field(default_factory=list)
    words: list[Words] = field(default_factory=list)
    caption: Words | None = None
    """Caption of the story; it belongs to no unit and no position."""
    caption_top: int = CAPTION_TOP
    caption_box: pygame.Rect | None = None
    """Box of the last drawn caption; None without one."""
    card: pygame.Rect | None = None
    """Card of the HUD that the caption keeps clear of."""

    def tell(self, text: str, now: int) -> None:
        """Show a caption of the story; it replaces the one before."""
        self.caption = Words(text, -1, 0.0, 0.0, now)

    def ordered(self, kind: str, x: float, y: float, units: tuple[int, ...], now: int) -> None:
        """Add a mark of an order at a position."""
        self.orders.append(Mark(kind, x, y, units, now))
        del self.orders[:-12]

    def say(self, text: str, unit: int, x: float, y: float, now: int, colour: str = "ink") -> None:
        """Show words above a unit's head; they replace the unit's earlier words."""
        self.words = [w for w in self.words if w.unit != unit or unit < 0]
        self.words.append(Words(text, unit, x, y, now, colour))
        del self.words[:-10]

    def answered(self, text: str, units: tuple[int, ...], p: Picture, now: int) -> None:
        """Show the label of an order without a position above its first unit."""
        rows = p.rows(units[:1])
        if len(rows):
            self.say(text, units[0], float(p.x[rows[0]]), float(p.y[rows[0]]), now)

    def forget_old(self, now: int) -> None:
        """Remove marks and words that were shown long enough."""
        self.orders = [m for m in self.orders if now - m.born < LIVES_MS]
        self.words = [w for w in self.words if now - w.born < WORDS_MS]
        if self.caption is not None and now - self.caption.born >= CAPTION_MS:
            self.caption = None


def order_colour(palette: Palette, kind: str, side: int) -> RGB:
    """Return vermilion for orders to fight, otherwise the colour of the side."""
    if kind in _ATTACK:
        return palette["vermilion"]
    return palette.sides[side].colour


def dashed(
    surface: pygame.Surface, points: list[tuple[int, int]], colour: RGB, casing: RGB | None, width: int = 3,
    dash: int = 10, gap: int = 7, offset: float = 0.0,
) -> None:  # fmt: skip
    """Draw a dashed line without caps on a pale casing.

    The pattern continues around corners.
    """
    if len(points) < 2:
        return
    if casing is not None:
        pygame.draw.lines(surface, casing, False, points, width + 3)
    period = dash + gap
    at = -offset % period
    clip = surface.get_clip().inflate(2 * width, 2 * width)
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        length = math.hypot(bx - ax, by - ay)
        if length < 0.5:
            continue
        ux, uy = (bx - ax) / length, (by - ay) / length
        shown = clip.clipline((ax, ay), (bx, by))
        if not shown:
            at = (at + length) % period
            continue
        # Start with the dash that reaches into the picture and end with the last one in it.
        enters, leaves = (math.hypot(x - ax, y - ay) for x, y in shown)
        s = -at + max(int((enters + at) // period), 0) * period
        while s < min(length, leaves + 1):
            a, b = max(s, 0.0), min(s + dash, length)
            if b > a:
                pygame.draw.line(surface, colour, (ax + ux * a, ay + uy * a), (ax + ux * b, ay + uy * b), width)
            s += period
        at = (at + length) % period


def draw_words(
    surface: pygame.Surface, text: TextDrawer, palette: Palette, camera: Camera, words: list[Words],
    place: dict[int, tuple[float, float]],
) -> None:  # fmt: skip
    """Draw words in small paper bubbles above heads."""
    paper, ink = palette["plate"], palette["ink"]
    for w in words:
        x, y = place.get(w.unit, (w.x, w.y))
        px, py = camera.to_screen(x, y)
        line = text.line("serif_italic", 16, w.text, palette[w.colour])
        rect = line.get_rect().inflate(text.px(16), text.px(8))
        # The bubble lies above the meter, which is drawn over the same head.
        rect.midbottom = (px, py - max(round(camera.zoom * 0.95), 18) - 26)
        rect.clamp_ip(surface.get_rect().inflate(-8, -8))
        pygame.draw.rect(surface, paper, rect, border_radius=4)
        pygame.draw.rect(surface, ink, rect, 2, border_radius=4)
        tip = (min(max(px, rect.left + 8), rect.right - 8), rect.bottom)
        pygame.draw.polygon(surface, paper, ((tip[0] - 5, tip[1] - 2), (tip[0] + 5, tip[1] - 2), (tip[0], tip[1] + 7)))
        pygame.draw.lines(
            surface, ink, False, ((tip[0] - 5, tip[1] - 1), (tip[0], tip[1] + 7), (tip[0] + 5, tip[1] - 1)), 2
        )
        surface.blit(line, line.get_rect(center=rect.center))


def draw_caption(
    surface: pygame.Surface, text: TextDrawer, palette: Palette, caption: Words, top: int,
    card: pygame.Rect | None = None,
) -> pygame.Rect:  # fmt: skip
    """Draw the caption on a strip of paper and return its box.

    ``top`` is the number of interface pixels above it. If it would overlap the ``card``, it lies to the right of the
    card, in narrower lines.
    """
    width = min(text.px(_CAPTION_WIDTH), surface.get_width() - text.px(40))
    rect = _caption_box(surface, text, caption.text, width, top)
    if card is not None and rect.colliderect(card):
        width = min(width, surface.get_width() - card.right - text.px(44))
        rect = _caption_box(surface, text, caption.text, width, top)
        rect.x = max(rect.x, card.right + text.px(8))
    lines = text.wrap("serif_italic", 19, caption.text, width)
    step, pad = text.px(25), text.px(14)
    pictures = [text.line("serif_italic", 19, line, palette["ink"]) for line in lines]
    pygame.draw.rect(surface, palette["plate"], rect)
    pygame.draw.rect(surface, palette["ink"], rect, 2)
    for i, picture in enumerate(pictures):
        surface.blit(picture, picture.get_rect(midtop=(rect.centerx, rect.top + pad // 2 + step * i)))
    return rect


def _caption_box(surface: pygame.Surface, text: TextDrawer, words: str, width: int, top: int) -> pygame.Rect:
    lines = text.wrap("serif_italic", 19, words, width)
    pad = text.px(14)
    widest = max(text.size("serif_italic", 19, line)[0] for line in lines)
    rect = pygame.Rect(0, 0, widest + 2 * pad, text.px(25) * len(lines) + pad)
    rect.midtop = (surface.get_width() // 2, text.px(top))
    return rect
