"""Missions screen: a card for each mission, with picture, story and button."""

from __future__ import annotations

from functools import partial

import pygame

from game.view.hud.hud_values import TICKS_A_SECOND, clock_words
from game.view.screens.loading_screen import LoadingScreen
from game.view.screens.screen import MenuScreen
from game.view.window.app_services import AppServices
from game.view.window.mission_cards import MissionCard, load_missions
from game.view.window.mission_progress import read_progress


class MissionsScreen(MenuScreen):
    """Cards side by side, the first mission on the left."""

    need = (940, 600)

    def __init__(self, app: AppServices) -> None:
        super().__init__(app)
        self.message = ""
        self.missions: list[MissionCard] = []
        try:
            self.missions = load_missions()
        except ValueError as error:
            self.message = str(error)
        self.records, wrong = read_progress()
        self.message = self.message or wrong
        self._pictures: dict[tuple[str, tuple[int, int]], pygame.Surface | None] = {}

    def build(self) -> None:
        """Build a button for each card, and Back."""
        px, window = self.text.px, self.app.window
        count = max(len(self.missions), 1)
        gap = px(28)
        width = min(px(470), (window.get_width() - px(80) - gap * (count - 1)) // count)
        height = min(px(540), window.get_height() - px(150))
        left = (window.get_width() - width * count - gap * (count - 1)) // 2
        top = max(px(84), (window.get_height() - height) // 2)
        self.cards = [pygame.Rect(left + i * (width + gap), top, width, height) for i in range(len(self.missions))]
        for card, mission in zip(self.cards, self.missions, strict=True):
            rect = pygame.Rect(card.x + px(22), card.bottom - px(62), px(150), px(44))
            self.button(rect, "Play it", partial(self.play, mission))
        foot = top + height + px(12)
        self.button(pygame.Rect(left, min(foot, window.get_height() - px(50)), px(150), px(42)), "Back", self.app.pop)

    def play(self, mission: MissionCard) -> None:
        """Start a mission."""
        self.app.push(LoadingScreen(self.app, mission.level))

    def handle(self, event: pygame.event.Event) -> None:
        """Handle an event; a click on a card's picture starts its mission too."""
        super().handle(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            for card, mission in zip(self.cards, self.missions, strict=True):
                if self._picture_box(card).collidepoint(event.pos):
                    self.play(mission)
                    return

    def paint(self, surface: pygame.Surface) -> None:
        """Draw title and cards."""
        text, palette = self.text, self.app.palette
        x = self.cards[0].x if self.cards else text.px(72)
        y = (self.cards[0].y if self.cards else text.px(140)) - text.px(60)
        text.draw(surface, (x, y), "Missions", palette["ink"], "serif_bold", 40)
        if self.message:
            text.draw(surface, (x, y + text.px(60)), self.message, palette["vermilion"], size=16)
        for card, mission in zip(self.cards, self.missions, strict=True):
            self._paint_card(surface, card, mission)

    def _picture_box(self, card: pygame.Rect) -> pygame.Rect:
        inner = card.inflate(-self.text.px(44), 0)
        height = min(inner.width * 9 // 16, card.height - self.text.px(280))
        return pygame.Rect(inner.x, card.y + self.text.px(22), inner.width, max(height, 1))

    def _paint_card(self, surface: pygame.Surface, card: pygame.Rect, mission: MissionCard) -> None:
        text, panels, palette = self.text, self.app.panels, self.app.palette
        panels.draw(surface, card)
        box = self._picture_box(card)
        picture = self._picture(mission, box.size)
        if picture is not None:
            surface.blit(picture, box)
        pygame.draw.rect(surface, palette["ink"], box, 2)
        y = box.bottom + text.px(12)
        text.draw(surface, (box.x, y), mission.title, palette["ink"], "serif_bold", 28)
        y += text.px(40)
        for words, face, colour in (
            (mission.line, "sans_bold", panels.ink),
            (mission.story, "serif_italic", panels.soft),
        ):
            for line in text.wrap(face, 16, words, box.width):
                text.draw(surface, (box.x, y), line, colour, face, 16)
                y += text.px(22)
            y += text.px(6)
        if mission.par:
            record = self.records.get(mission.level.stem)
            words = f"Medal within {clock_words(mission.par * TICKS_A_SECOND)}" + (", unseen" if mission.unseen else "")
            if record is not None and record.best_ticks is not None:
                words = f"Won in {clock_words(record.best_ticks)}" + (", medal earned" if record.medal else "")
            right = box.right - text.line("sans", 16, words, panels.soft).get_width()
            text.draw(surface, (right, card.bottom - text.px(50)), words, panels.soft, "sans", 16)

    def _picture(self, mission: MissionCard, size: tuple[int, int]) -> pygame.Surface | None:
        """Return the card's picture, scaled and cropped to its box.

        The result is None if the file cannot be read.
        """
        key = (str(mission.picture), size)
        if key not in self._pictures:
            try:
                image = pygame.image.load(mission.picture)
            except (OSError, pygame.error):
                image = None
            if image is not None:
                share = max(size[0] / image.get_width(), size[1] / image.get_height())
                scaled = pygame.transform.smoothscale_by(image, share)
                middle = pygame.Rect((0, 0), size)
                middle.center = scaled.get_rect().center
                image = scaled.subsurface(middle.clip(scaled.get_rect())).copy()
            self._pictures[key] = image
        return self._pictures[key]
