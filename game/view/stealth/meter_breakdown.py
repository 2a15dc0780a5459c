"""Breakdown of a guard's detection meter: the terms that filled it, and their card.

Each tick the meter rises by a share that depends on how the target is seen. The shares are added up by manner, light
and cover. When the meter falls, all terms shrink by the same factor, so their sum always equals the meter.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pygame

from ai.decision.decision_trace import PERCEPT
from game.systems.stealth.look_terms import look_at
from game.view.painting.palette import Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.units.sprites import Sprites
from game.view.window.playing import Playing

MOST_WATCHERS = 32
"""Largest number of watchers with an account; those with the fullest meters are kept."""
CARD_MS = 9000
MOST_TERMS = 4
WIDTH = 300


@dataclass
class Term:
    """Term of the sum: circumstances, share of the meter, distances (tiles) and ticks.

    ``near`` and ``far`` are the smallest and the largest distance of the target.
    """

    words: str
    share: float = 0.0
    near: float = 1e9
    far: float = 0.0
    ticks: int = 0

    @property
    def distance(self) -> str:
        """Return the distance in words: ``9 tiles`` or ``9 to 6 tiles``."""
        a, b = round(self.far), round(self.near)
        return "" if self.far <= 0 else f"{a} tiles" if a == b else f"{a} to {b} tiles"


@dataclass
class Account:
    """Sum of one watcher's meter for one target."""

    meter: float = 0.0
    terms: dict[str, Term] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """Return the sum of all terms; it equals the meter."""
        return sum(term.share for term in self.terms.values())

    def change(self, meter: float, words: str, distance: float) -> None:
        """Set the meter to a new value and book the difference.

        ``words`` are the circumstances in which the target is seen, empty when it is not seen. ``distance`` is in
        tiles.
        """
        if meter > self.meter and words:
            term = self.terms.setdefault(words, Term(words))
            term.share += meter - self.meter
            term.near, term.far = min(term.near, distance), max(term.far, distance)
            term.ticks += 1
        elif self.meter > 0 and meter < self.meter:
            for term in self.terms.values():
                term.share *= meter / self.meter
        self.meter = meter


@dataclass
class SeenCard:
    """Card that is shown when a watcher has identified a unit."""

    watcher: str
    target: str
    terms: list[Term]
    factors: tuple[tuple[str, float], ...]
    """Factors of the last tick: seconds for the distance, then the multipliers."""
    born: int
    tick: int = -1

    def in_words(self) -> str:
        """Return watcher, target and the largest term as one line."""
        term = self.terms[0]
        return ", ".join(part for part in (f"{self.watcher} saw {self.target}", term.words, term.distance) if part)


class MeterBreakdown:
    """Accounts by watcher and target with a meter above zero; last card."""

    def __init__(self) -> None:
        self.accounts: dict[tuple[int, int], Account] = {}
        """Account by watcher id and target id."""
        self.card: SeenCard | None = None
        self.first: SeenCard | None = None
        """First identification of the mission; the mission report shows it."""
        self._tick = -1

    def follow(self, playing: Playing) -> None:
        """Bring the sums up to the last finished tick."""
        p, world = playing.picture, playing.world
        if p.tick < self._tick:
            self.accounts.clear()
            self.card = None
            if self.first is not None and self.first.tick > p.tick:
                self.first = None
        if p.tick == self._tick or len(p) == 0:
            return
        self._tick = p.tick
        rows = np.flatnonzero((p.meter > 0) & (p.alive == 1) & (p.side != playing.side))
        if len(rows) > MOST_WATCHERS:
            rows = rows[np.argsort(-p.meter[rows], kind="stable")][:MOST_WATCHERS]
        kept = {}
        for r in rows.tolist():
            for target, meter in self._in_mind(playing, r):
                account = self.accounts.get((int(p.id[r]), target)) or Account()
                kept[int(p.id[r]), target] = account
                words, distance = "", 0.0
                if meter > account.meter and target in p.row_of:
                    look = look_at(world, r, p.row_of[target])
                    words, distance = ", ".join(look.circumstances), look.distance
                account.change(meter, words, distance)
        self.accounts = kept

    def _in_mind(self, playing: Playing, row: int) -> list[tuple[int, float]]:
        """Return (unit id, meter) of each unit that a watcher notices, its target first."""
        p, vision = playing.picture, playing.world.vision
        found = [(int(p.meter_target[row]), float(p.meter[row]))]
        if row < len(vision.others) and int(vision.watcher[row]) == int(p.id[row]):
            beside = zip(vision.others[row].tolist(), vision.progress[row].tolist(), strict=True)
            found += [(unit, progress) for unit, progress in beside if unit >= 0 and unit != found[0][0]]
        return found

    def identified(self, world: Any, watcher: int, target: int, now: int) -> None:
        """Make the card of a watcher that has identified a unit of the player."""
        account = self.accounts.get((watcher, target))
        if account is None or not account.terms:
            return
        terms = [replace(term) for term in sorted(account.terms.values(), key=lambda t: -t.share)[:MOST_TERMS]]
        # The trace holds factors only for the target that the watcher attends to.
        attended = int(world.units.meter_target[world.units.slot(watcher)]) == target
        entries = world.trace.last(watcher, 1, (PERCEPT,)) if world.trace is not None and attended else []
        factors = entries[0].considered if entries else ()
        self.card = SeenCard(world.name_of(watcher), world.name_of(target), terms, factors, now, world.tick)
        self.first = self.first or self.card


def card_box(card: SeenCard, at: tuple[int, int], text: TextDrawer) -> tuple[pygame.Rect, list[str]]:
    """Return the box of a card and the wrapped lines of its factors."""
    product = factor_words(card)
    lines = text.wrap("sans", 14, product, text.px(WIDTH - 28)) if product else []
    height = 52 + 38 * len(card.terms) + 18 * len(lines) + (8 if lines else 0)
    return pygame.Rect(*at, text.px(WIDTH), text.px(height)), lines


def draw_card(
    surface: pygame.Surface, card: SeenCard, at: tuple[int, int], text: TextDrawer, panels: Panels, palette: Palette,
    sprites: Sprites,
) -> pygame.Rect:  # fmt: skip
    """Draw the card: watcher, target, terms as bars, factors; return its box."""
    px = text.px
    rect, lines = card_box(card, at, text)
    panels.draw(surface, rect)
    cell = sprites.icon_cell("alarm", "night" if panels.night else "day", px(28))
    if cell is not None:
        surface.blit(cell.surface, (rect.x + px(24) + cell.dx, rect.y + px(22) + cell.dy))
    title = text.shortened("serif_bold", 18, f"{card.watcher} saw {card.target}", rect.width - px(54))
    text.draw(surface, (rect.x + px(44), rect.y + px(9)), title, panels.ink, "serif_bold", 18)
    y = rect.y + px(42)
    for term in card.terms:
        share = f"{term.share * 100:.0f} %"
        text.draw(surface, (rect.right - px(14), y), share, panels.ink, "sans_bold", 15, "topright")
        words = f"{term.words}, {term.distance}" if term.distance else term.words
        room = rect.width - px(36) - text.size("sans_bold", 15, share)[0]
        text.draw(surface, (rect.x + px(14), y), text.shortened("sans", 15, words, room), panels.ink, "sans", 15)
        bar = pygame.Rect(rect.x + px(14), y + px(22), rect.width - px(28), px(8))
        pygame.draw.rect(surface, palette["ink"], bar, 1)
        bar.width = max(round(bar.width * min(term.share, 1.0)), 2)
        pygame.draw.rect(surface, palette["meter_night" if panels.night else "meter"], bar)
        pygame.draw.rect(surface, palette["ink"], bar, 1)
        y += px(38)
    for line in lines:
        text.draw(surface, (rect.x + px(14), y), line, panels.soft, "sans", 14)
        y += px(18)
    return rect


def factor_words(card: SeenCard) -> str:
    """Return the factors in words: ``at last: 5 tiles off 0.9 s, crouching x 1.5 = 1.4 s``."""
    if not card.factors:
        return ""
    (first, seconds), *rest = card.factors
    words = f"at last: {first} {seconds:.1f} s"
    for name, factor in rest:
        words += f", {name} × {factor:.2g}"
        seconds *= factor
    return words + (f" = {seconds:.1f} s" if rest else "")
