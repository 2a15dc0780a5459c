"""Layout of the HUD's panels for each window size and interface scale.

The panels cover at most 15 % of a window of 1280x720 pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.view.hud.formation_bar import bar_rect, drawer_rect
from game.view.hud.squad_card import squad_rect

CARD_COLUMNS, CARD_ROWS, CARD_CELL = 4, 2, 46
_CARD_INSET, _CARD_GAP = 9, 5
CARD_SIZE = (
    2 * _CARD_INSET + CARD_COLUMNS * CARD_CELL + (CARD_COLUMNS - 1) * _CARD_GAP,
    2 * _CARD_INSET + CARD_ROWS * CARD_CELL + (CARD_ROWS - 1) * _CARD_GAP,
)
"""Size of the command card in interface pixels."""
MARGIN, GAP = 12, 8
PORTRAIT, MOST_PORTRAITS = 52, 8
CHIP, CHIP_ROW, CHIP_ROWS, MOST_CHIPS = 34, 31, 2, 24
"""Widths of a portrait and of a chip, and the largest numbers of both.

The widths contain the gap. Chips stand in two rows. They show the selection when it is too large for portraits.
"""
GEM, SELECTION_HEIGHT = 44, 76
TIGHT_ALARM = 158
TIGHT_BELOW, WIDE_FROM = 760, 1500
"""Window widths in interface pixels at which the panels shrink and grow.

Below the first the panels are smaller; from the second on they hold more.
"""


@dataclass(frozen=True)
class HudLayout:
    """Boxes of the panels in screen pixels."""

    objective: pygame.Rect
    alarm: pygame.Rect
    clock: pygame.Rect
    minimap: pygame.Rect
    selection: pygame.Rect
    card: pygame.Rect
    placing: pygame.Rect
    scale: float
    bar: pygame.Rect
    """The formation bar; empty while it is not shown."""
    drawer: pygame.Rect
    """The open drawer of formations; empty while it is shut."""
    gem: pygame.Rect
    """The box of the light gem on the selection panel; empty by day."""
    squad: pygame.Rect
    """The card of the selected squad; empty without one."""
    columns: int = 0
    """Chips in a row; 0 while the selection is shown as portraits."""
    tight: bool = False
    """True in a small window.

    The minimap is smaller then, and groups show only their number.
    """

    @property
    def panels(self) -> tuple[pygame.Rect, ...]:
        """Return all panels that are shown."""
        every = (
            self.objective, self.alarm, self.clock, self.minimap, self.selection, self.card, self.placing, self.bar,
            self.drawer, self.squad,
        )  # fmt: skip
        return tuple(rect for rect in every if rect.width)

    def covers(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel lies on a panel."""
        return any(rect.collidepoint(pos) for rect in self.panels)

    def area(self) -> int:
        """Return the number of pixels that all panels cover."""
        return sum(rect.width * rect.height for rect in self.panels)

    def card_cell(self, index: int) -> pygame.Rect:
        """Return the box of the n-th command."""
        cell = round(CARD_CELL * self.scale)
        gap, inset = round(_CARD_GAP * self.scale), round(_CARD_INSET * self.scale)
        row, column = divmod(index, CARD_COLUMNS)
        return pygame.Rect(
            self.card.x + inset + column * (cell + gap), self.card.y + inset + row * (cell + gap), cell, cell
        )

    def placing_cell(self, index: int) -> pygame.Rect:
        """Return the box of the n-th button on the sandbox's panel."""
        cell, gap, inset = round(36 * self.scale), round(5 * self.scale), round(8 * self.scale)
        return pygame.Rect(self.placing.x + inset + index * (cell + gap), self.placing.y + inset, cell, cell)

    def minimap_box(self) -> pygame.Rect:
        """Return the box of the map inside its panel."""
        inset = round(7 * self.scale)
        return self.minimap.inflate(-2 * inset, -2 * inset)

    def group_cell(self, index: int) -> pygame.Rect:
        """Return the box of the n-th group button on the selection panel."""
        px, pitch = self.scale, _group_pitch(self.tight)
        column, row = divmod(index, 2)
        return pygame.Rect(
            self.selection.x + self.gem.width + round((10 + column * pitch) * px),
            self.selection.y + round((9 + row * 34) * px),
            round((pitch - 4) * px),
            round(30 * px),
        )

    def portrait_cell(self, index: int, groups: int) -> pygame.Rect:
        """Return the box of the n-th portrait or chip, right of the group buttons."""
        px = self.scale
        left = self.selection.x + self.gem.width + round((10 + _groups_width(groups, self.tight)) * px)
        if not self.columns:
            return pygame.Rect(
                left + round(index * PORTRAIT * px), self.selection.y + round(8 * px), round((PORTRAIT - 5) * px),
                round(37 * px),
            )  # fmt: skip
        row, column = divmod(index, self.columns)
        top = self.selection.y + round((8 + row * CHIP_ROW) * px)
        return pygame.Rect(left + round(column * CHIP * px), top, round((CHIP - 3) * px), round((CHIP_ROW - 3) * px))


def is_tight(size: tuple[int, int], scale: float) -> bool:
    """Return whether the window is small for the interface scale."""
    return size[0] / scale < TIGHT_BELOW


def most_groups(size: tuple[int, int], scale: float) -> int:
    """Return the largest number of group buttons that the window shows."""
    return 8 if size[0] / scale >= WIDE_FROM else 4


def _group_pitch(tight: bool) -> int:
    return 34 if tight else 70


def _groups_width(groups: int, tight: bool) -> int:
    """Return the width of the group buttons, two in each column."""
    return (groups + 1) // 2 * _group_pitch(tight) + (6 if groups else 0)


def _minimap_size(tight: bool) -> tuple[int, int]:
    return (132, 92) if tight else (180, 124)


def _room(size: tuple[int, int], scale: float) -> float:
    """Return the interface pixels between minimap and card."""
    return size[0] / scale - 2 * (MARGIN + GAP) - _minimap_size(is_tight(size, scale))[0] - CARD_SIZE[0]


def _stacked(size: tuple[int, int], scale: float) -> bool:
    """Return whether the selection panel stands above the minimap and the card.

    It does when the space between them is too narrow.
    """
    return _room(size, scale) < 150


def _inside(size: tuple[int, int], scale: float, groups: int, gem: bool) -> float:
    """Return the interface pixels for the units on the selection panel."""
    inside = size[0] / scale - 2 * MARGIN - TIGHT_ALARM - GAP if _stacked(size, scale) else _room(size, scale)
    return inside - 20 - _groups_width(groups, is_tight(size, scale)) - (GEM if gem else 0)


def portraits_that_fit(size: tuple[int, int], scale: float, groups: int, gem: bool = False) -> int:
    """Return how many portraits fit beside the groups, at least one."""
    return max(1, min(int(_inside(size, scale, groups, gem) // PORTRAIT), MOST_PORTRAITS))


def chips_that_fit(size: tuple[int, int], scale: float, groups: int, gem: bool = False) -> int:
    """Return how many chips fit beside the groups, in two rows."""
    return max(CHIP_ROWS, min(int(_inside(size, scale, groups, gem) // CHIP) * CHIP_ROWS, MOST_CHIPS))


def lay_out(
    size: tuple[int, int], scale: float, portraits: int, groups: int, sandbox: bool = False, formations: bool = False,
    chips: bool = False, gem: bool = False, drawer: str = "", squad: int = 0,
) -> HudLayout:  # fmt: skip
    """Return the layout for a window.

    The selection panel is as wide as its content: ``portraits`` units, shown as chips if ``chips``.
    """
    width, height = size
    tight = is_tight(size, scale)

    def px(value: float) -> int:
        return round(value * scale)

    margin, gap = px(MARGIN), px(GAP)
    card = pygame.Rect(0, 0, *map(px, CARD_SIZE))
    card.bottomright = width - margin, height - margin
    minimap = pygame.Rect((margin, 0), tuple(map(px, _minimap_size(tight))))
    minimap.bottom = height - margin
    columns = -(-portraits // CHIP_ROWS) if chips else 0
    units = columns * CHIP if chips else max(portraits, 0 if groups else 3) * PORTRAIT
    wide = 20 + _groups_width(groups, tight) + units + (GEM if gem else 0)
    selection = pygame.Rect(0, 0, px(wide), px(SELECTION_HEIGHT))
    selection.midbottom = width // 2, height - margin
    left, right = minimap.right + gap, card.left - gap
    if _stacked(size, scale):
        left, right = margin, width - margin - px(TIGHT_ALARM) - gap  # the alarm may hang below the clock
        selection.bottom = min(card.top, minimap.top) - px(10)
    selection.width = min(selection.width, right - left)
    selection.centerx = width // 2
    selection.left = max(selection.left, left)
    selection.right = min(selection.right, right)
    alarm = pygame.Rect(0, margin, px(TIGHT_ALARM if tight else 166), px(42))
    clock = pygame.Rect(0, margin, px(176), px(42))
    clock.right = width - margin
    objective = pygame.Rect(margin, margin, px(258 if tight else 300), px(50))
    alarm.centerx = width // 2
    if clock.left - objective.right >= alarm.width + 2 * gap:
        # In the middle, or as near to it as the panels beside it allow.
        alarm.left = max(alarm.left, objective.right + gap)
        alarm.right = min(alarm.right, clock.left - gap)
    else:
        alarm.topright = clock.right, clock.bottom + px(10)
    placing = pygame.Rect(margin, objective.bottom + px(10), px(16 + 4 * 36 + 3 * 5), px(52)) if sandbox else _NOWHERE
    bar = bar_rect(size, scale, [selection, minimap, card]) if formations else _NOWHERE
    open_drawer = drawer_rect(size, scale, bar, drawer) if formations and drawer else _NOWHERE
    news = squad_rect(objective, placing, scale, squad) if squad else _NOWHERE
    if news.colliderect(minimap) or news.colliderect(selection) or news.colliderect(open_drawer):
        news = _NOWHERE  # a small window has no room for it
    stone = pygame.Rect(selection.x, selection.y, px(GEM), selection.height) if gem else _NOWHERE
    return HudLayout(
        objective,
        alarm,
        clock,
        minimap,
        selection,
        card,
        placing,
        scale,
        bar,
        open_drawer,
        stone,
        news,
        columns,
        tight,
    )


_NOWHERE = pygame.Rect(0, 0, 0, 0)
