"""Where the plates of the HUD stand, for any window size and interface scale; at most 15 % of 1280x720."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

CARD_COLUMNS, CARD_ROWS = 5, 2
MARGIN = 12


@dataclass(frozen=True)
class HudLayout:
    """Rects in screen pixels."""

    objective: pygame.Rect
    alarm: pygame.Rect
    clock: pygame.Rect
    minimap: pygame.Rect
    selection: pygame.Rect
    card: pygame.Rect
    placing: pygame.Rect
    scale: float

    @property
    def plates(self) -> tuple[pygame.Rect, ...]:
        """All plates; the sandbox's one is empty elsewhere."""
        every = (self.objective, self.alarm, self.clock, self.minimap, self.selection, self.card, self.placing)
        return tuple(rect for rect in every if rect.width)

    def covers(self, pos: tuple[int, int]) -> bool:
        """Whether a pixel lies on a plate."""
        return any(rect.collidepoint(pos) for rect in self.plates)

    def area(self) -> int:
        """Pixels covered by all plates."""
        return sum(rect.width * rect.height for rect in self.plates)

    def card_cell(self, index: int) -> pygame.Rect:
        """The box of the n-th command."""
        cell, gap = round(44 * self.scale), round(5 * self.scale)
        inset = round(9 * self.scale)
        row, column = divmod(index, CARD_COLUMNS)
        return pygame.Rect(
            self.card.x + inset + column * (cell + gap), self.card.y + inset + row * (cell + gap), cell, cell
        )

    def placing_cell(self, index: int) -> pygame.Rect:
        """The n-th button of the sandbox's plate."""
        cell, gap, inset = round(36 * self.scale), round(5 * self.scale), round(8 * self.scale)
        return pygame.Rect(self.placing.x + inset + index * (cell + gap), self.placing.y + inset, cell, cell)

    def minimap_box(self) -> pygame.Rect:
        """The map inside its plate."""
        inset = round(7 * self.scale)
        return self.minimap.inflate(-2 * inset, -2 * inset)

    def group_cell(self, index: int) -> pygame.Rect:
        """The n-th group button on the selection plate."""
        px = self.scale
        rows = 2
        column, row = divmod(index, rows)
        return pygame.Rect(
            self.selection.x + round((10 + column * 70) * px),
            self.selection.y + round((9 + row * 34) * px),
            round(66 * px),
            round(30 * px),
        )

    def portrait_cell(self, index: int, groups: int) -> pygame.Rect:
        """The n-th portrait, right of the group buttons."""
        px = self.scale
        left = 10 + (groups + 1) // 2 * 70 + (6 if groups else 0)
        return pygame.Rect(
            self.selection.x + round((left + index * 72) * px),
            self.selection.y + round(8 * px),
            round(66 * px),
            round(44 * px),
        )


def portraits_that_fit(size: tuple[int, int], scale: float, groups: int) -> int:
    """How many portraits there is room for between minimap and card, at least one."""
    inside = size[0] / scale - 2 * MARGIN - 204 - (18 + CARD_COLUMNS * 44 + (CARD_COLUMNS - 1) * 5) - 16 - 20
    return max(1, int((inside - (groups + 1) // 2 * 70 - (6 if groups else 0)) // 72))


def lay_out(size: tuple[int, int], scale: float, portraits: int, groups: int, sandbox: bool = False) -> HudLayout:
    """The layout for a window; the selection plate is as wide as what it holds."""
    width, height = size

    def px(value: float) -> int:
        return round(value * scale)

    margin = px(MARGIN)
    wide = 20 + (groups + 1) // 2 * 70 + (6 if groups else 0) + max(portraits, 1 if not groups else 0) * 72
    wide = max(wide, 160)
    card = pygame.Rect(
        0, 0, px(18 + CARD_COLUMNS * 44 + (CARD_COLUMNS - 1) * 5), px(18 + CARD_ROWS * 44 + (CARD_ROWS - 1) * 5)
    )
    card.bottomright = width - margin, height - margin
    minimap = pygame.Rect(margin, 0, px(204), px(140))
    minimap.bottom = height - margin
    selection = pygame.Rect(0, 0, px(wide), px(84))
    selection.midbottom = width // 2, height - margin
    room = card.left - px(8) - (minimap.right + px(8))
    selection.width = min(selection.width, room)
    selection.centerx = width // 2
    selection.left = max(selection.left, minimap.right + px(8))
    selection.right = min(selection.right, card.left - px(8))
    alarm = pygame.Rect(0, margin, px(172), px(42))
    alarm.centerx = width // 2
    clock = pygame.Rect(0, margin, px(192), px(42))
    clock.right = width - margin
    objective = pygame.Rect(margin, margin, px(322), px(54))
    if alarm.left < objective.right + px(8) or alarm.right > clock.left - px(8):
        alarm.topright = clock.right, clock.bottom + px(10)  # no room between them: below the clock
    placing = pygame.Rect(margin, objective.bottom + px(10), px(16 + 4 * 36 + 3 * 5), px(52)) if sandbox else _NOWHERE
    return HudLayout(objective, alarm, clock, minimap, selection, card, placing, scale)


_NOWHERE = pygame.Rect(0, 0, 0, 0)
