"""The strip of an exhibit's own buttons, laid out and drawn below its picture."""

from __future__ import annotations

import pygame

from game.view.exhibits.strips.strip import FRAME_KEYS, Strip, StripButton
from game.view.painting.painter_services import PainterServices
from game.view.painting.text import TextDrawer

HEIGHT = 36
_GAP = 8


class StripPanel:
    """Buttons with key caps from the left, the strip's words at the right."""

    def __init__(self, app: PainterServices, text: TextDrawer, strip: Strip, rect: pygame.Rect) -> None:
        self.app, self.text, self.strip, self.rect = app, text, strip, rect

    def _laid_out(self) -> list[tuple[pygame.Rect, StripButton]]:
        text = self.text
        px, x = text.px, self.rect.x + text.px(_GAP)
        placed = []
        for button in self.strip.buttons():
            cap = max(text.size("sans_bold", 14, button.label)[0] + px(12), px(24))
            width = px(8) + cap + px(7) + text.size("sans_bold", 15, button.words)[0] + px(12)
            placed.append((pygame.Rect(x, self.rect.y + px(4), width, self.rect.height - px(8)), button))
            x += width + px(_GAP)
        return placed

    def press(self, pos: tuple[int, int]) -> bool:
        """Press the button under a click; return whether there is one."""
        found = next((button for rect, button in self._laid_out() if rect.collidepoint(pos)), None)
        if found is not None:
            found.action()
        return found is not None

    def key(self, key: int) -> bool:
        """Press the button of a key (pygame.K_...); return whether there is one."""
        found = next((b for b in self.strip.buttons() if b.key == key and key not in FRAME_KEYS), None)
        if found is not None:
            found.action()
        return found is not None

    def draw(self, surface: pygame.Surface) -> None:
        """Draw paper, buttons and words."""
        text, panels, palette = self.text, self.app.panels, self.app.palette
        px = text.px
        pygame.draw.rect(surface, panels.paper, self.rect)
        pygame.draw.rect(surface, panels.ink, self.rect, 2)
        right = self.rect.x
        for rect, button in self._laid_out():
            panels.draw(surface, rect, "chosen" if button.on else "button")
            ink = palette["white"] if button.on else panels.ink
            cap_width = max(text.size("sans_bold", 14, button.label)[0] + px(12), px(24))
            cap = pygame.Rect(rect.x + px(8), rect.y + px(4), cap_width, rect.height - px(8))
            pygame.draw.rect(surface, ink, cap, 1)
            text.draw(surface, cap.center, button.label, ink, "sans_bold", 14, "center")
            text.draw(surface, (cap.right + px(7), rect.centery), button.words, ink, "sans_bold", 15, "midleft")
            right = rect.right
        words, room = self.strip.words(), self.rect.right - px(14) - right - px(10)
        size = 16
        while size > 14 and text.size("sans", size, words)[0] > room:
            size -= 1
        words = text.shortened("sans", size, words, room) if room > 0 else ""
        text.draw(surface, (self.rect.right - px(14), self.rect.centery), words, panels.ink, "sans", size, "midright")
