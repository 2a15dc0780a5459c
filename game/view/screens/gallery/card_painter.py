"""Card of a technique: picture, source, name and sentence, none of them cut."""

from __future__ import annotations

import math

import pygame

from game.view.exhibits.cards.card_pictures import CardPictures
from game.view.exhibits.cards.technique_cards import Chapter, TechniqueCard
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import RGB, mix
from game.view.painting.text import TextDrawer

PICTURE = 98
NAME, SENTENCE = 20, 18
"""Heights of a line of the name and of the sentence, in interface pixels."""
PAD = 10
SIDES = {"paths": 0, "motion": 4, "senses": 3, "ground": 8, "squads": -4, "body": 6, "decisions": 5}
"""Corners of the shape of a chapter: 0 is a circle, -4 a diamond."""
COLOURS = {
    "paths": (0, 114, 178), "motion": (0, 158, 115), "senses": (86, 180, 233), "ground": (153, 120, 70),
    "squads": (204, 121, 167), "body": (213, 94, 0), "decisions": (42, 39, 48),
}  # fmt: skip
"""Okabe-Ito colours of the chapters; each has a shape as well."""


def draw_shape(surface: pygame.Surface, centre: tuple[int, int], radius: int, chapter: Chapter, ink: RGB) -> None:
    """Draw the shape of a chapter."""
    sides, colour = SIDES.get(chapter.key, 7), COLOURS.get(chapter.key, (120, 120, 120))
    x, y = centre
    if sides == 0:
        pygame.draw.circle(surface, colour, centre, radius)
        pygame.draw.circle(surface, ink, centre, radius, 1)
        return
    turn = {4: math.pi / 4, 8: math.pi / 8}.get(sides, -math.pi / 2)
    n = abs(sides)
    around = [turn + 2 * math.pi * k / n for k in range(n)]
    points = [(round(x + radius * math.cos(a)), round(y + radius * math.sin(a))) for a in around]
    pygame.draw.polygon(surface, colour, points)
    pygame.draw.polygon(surface, ink, points, 1)


def draw_tick(surface: pygame.Surface, box: pygame.Rect, ink: RGB) -> None:
    """Draw the sign of a seen technique."""
    x, y, w, h = box
    points = [(x + w // 5, y + h // 2), (x + w * 2 // 5, y + h * 3 // 4), (x + w * 4 // 5, y + h // 4)]
    pygame.draw.lines(surface, ink, False, points, max(2, w // 8))


def short_source(card: TechniqueCard) -> str:
    """Return the chapter of the source in few letters."""
    words = card.source_chapter.words.replace(", chapter ", ", ch. ").replace(", article ", ", art. ")
    for long, short in (("AI Game Programming Wisdom", "AI Wisdom"), ("Journal of Game Development", "Journal of GD")):
        words = words.replace(long, short)
    return words


class CardPainter:
    """Draws cards of one width, and measures how high they are."""

    def __init__(self, app: PainterServices, text: TextDrawer, pictures: CardPictures, width: int) -> None:
        self.app, self.text, self.pictures, self.width = app, text, pictures, width
        self._lines: dict[str, tuple[list[str], list[str]]] = {}

    def lines(self, card: TechniqueCard) -> tuple[list[str], list[str]]:
        """Return the lines of name and sentence."""
        if card.slug not in self._lines:
            room = self.width - self.text.px(2 * PAD)
            self._lines[card.slug] = (
                self.text.wrap("serif_bold", 16, card.name, room),
                self.text.wrap("sans", 14, card.sentence, room),
            )
        return self._lines[card.slug]

    def height(self, card: TechniqueCard) -> int:
        """Return the height that the whole text needs."""
        name, sentence = self.lines(card)
        px = self.text.px
        return px(PICTURE) + px(6 + NAME * len(name) + SENTENCE * len(sentence) + 10)

    def draw(self, surface: pygame.Surface, rect: pygame.Rect, card: TechniqueCard, state: str, seen: bool) -> None:
        """Draw a card; ``state`` is rest, hover or chosen."""
        panels, palette, px = self.app.panels, self.app.palette, self.text.px
        ground = (
            mix(panels.paper, palette["blue"], 0.16) if state == "chosen" else mix(panels.paper, (255, 255, 255), 0.3)
        )
        if state == "hover":
            panels.draw_shadow(surface, rect)
            ground = mix(panels.paper, (255, 255, 255), 0.6)
        pygame.draw.rect(surface, ground, rect)
        box = pygame.Rect(rect.x, rect.y, rect.width, px(PICTURE))
        draw_picture(surface, box, self.app, self.text, self.pictures, card)
        self._draw_signs(surface, box, card, seen)
        name, sentence = self.lines(card)
        x, y = rect.x + px(PAD), box.bottom + px(6)
        for line in name:
            self.text.draw(surface, (x, y), line, panels.ink, "serif_bold", 16)
            y += px(NAME)
        y += px(2)
        for line in sentence:
            self.text.draw(surface, (x, y), line, panels.soft, "sans", 14)
            y += px(SENTENCE)
        if state == "chosen":
            pygame.draw.rect(surface, palette["blue"], rect, max(3, px(3)))
        else:
            pygame.draw.rect(surface, panels.ink, rect, 2 if state == "hover" else 1)

    def _draw_signs(self, surface: pygame.Surface, box: pygame.Rect, card: TechniqueCard, seen: bool) -> None:
        panels, px = self.app.panels, self.text.px
        plate = pygame.Rect(box.x + px(5), box.y + px(5), px(24), px(24))
        pygame.draw.rect(surface, panels.paper, plate)
        pygame.draw.rect(surface, panels.ink, plate, 1)
        draw_shape(surface, plate.center, px(8), card.chapter, panels.ink)
        if seen:
            plate.right = box.right - px(5)
            pygame.draw.rect(surface, panels.paper, plate)
            pygame.draw.rect(surface, panels.ink, plate, 1)
            draw_tick(surface, plate, panels.ink)
        words = short_source(card)
        room = box.width - px(10)
        words = self.text.shortened("sans", 14, words, room - px(12))
        chip = pygame.Rect(0, 0, self.text.size("sans", 14, words)[0] + px(12), px(20))
        chip.bottomleft = (box.x + px(5), box.bottom - px(5))
        pygame.draw.rect(surface, panels.paper, chip)
        pygame.draw.rect(surface, panels.ink, chip, 1)
        self.text.draw(surface, chip.center, words, panels.ink, "sans", 14, "center")


def draw_picture(
    surface: pygame.Surface, box: pygame.Rect, app: PainterServices, text: TextDrawer, pictures: CardPictures,
    card: TechniqueCard,
) -> None:  # fmt: skip
    """Draw a card's picture in a box, or a placeholder."""
    panels = app.panels
    picture = pictures.picture(card, box.size)
    if picture is not None:
        surface.blit(picture, box)
    else:
        pygame.draw.rect(surface, mix(panels.paper, app.palette["mist"], 0.6), box)
        radius = max(text.px(14), box.height // 5)
        draw_shape(surface, (box.centerx, box.centery - text.px(8)), radius, card.chapter, panels.ink)
        if not pictures.key_of(card):
            words = "in the library only"
        else:
            words = "" if pictures.folder is None else "no picture" if _failed(pictures, card) else "being drawn"
        if words and box.height >= text.px(90):
            at = box.centerx + box.width // 4, box.y + text.px(16)
            text.draw(surface, at, words, panels.soft, "sans_italic", 14, "center")
    pygame.draw.rect(surface, panels.ink, box, 1)


def _failed(pictures: CardPictures, card: TechniqueCard) -> bool:
    return pictures.key_of(card) in pictures.failed
