"""Layout of the HUD's panels for each window size and interface scale.

The panels cover at most 15 % of a window of 1280x720 pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.view.hud.formation_bar import bar_rect

CARD_COLUMNS, CARD_ROWS, CARD_CELL = 5, 2, 44
TOOL_COLUMNS, TOOL_ROWS, TOOL_CELL = 6, 3, 36
"""Columns, rows and cell size of a card with tools.

The cells are smaller, so that the panels keep their limit of area.
"""
_CARD_INSET, _CARD_GAP = 9, 5


def card_size(tools: bool = False) -> tuple[int, int]:
    """Return the size of the command card in interface pixels."""
    columns, rows, cell = (
        (TOOL_COLUMNS, TOOL_ROWS, TOOL_CELL) if tools else (CARD_COLUMNS, CARD_ROWS, CARD_CELL)
    )  # fmt: skip
    return (
        2 * _CARD_INSET + columns * cell + (columns - 1) * _CARD_GAP,
        2 * _CARD_INSET + rows * cell + (rows - 1) * _CARD_GAP,
    )


CARD_WIDTH = max(card_size()[0], card_size(True)[0])
MARGIN, GAP = 12, 8
PORTRAIT = 72
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
    tools: bool = False
    """True when the card has the row of tools."""
    tight: bool = False
    """True in a small window.

    The minimap is smaller then, and groups show only their number.
    """

    @property
    def panels(self) -> tuple[pygame.Rect, ...]:
        """Return all panels that are shown."""
        every = (
            self.objective, self.alarm, self.clock, self.minimap, self.selection, self.card, self.placing, self.bar,
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
        cell = round((TOOL_CELL if self.tools else CARD_CELL) * self.scale)
        gap, inset = round(_CARD_GAP * self.scale), round(_CARD_INSET * self.scale)
        row, column = divmod(index, TOOL_COLUMNS if self.tools else CARD_COLUMNS)
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
            self.selection.x + round((10 + column * pitch) * px),
            self.selection.y + round((9 + row * 34) * px),
            round((pitch - 4) * px),
            round(30 * px),
        )

    def portrait_cell(self, index: int, groups: int) -> pygame.Rect:
        """Return the box of the n-th portrait, right of the group buttons."""
        px = self.scale
        left = 10 + _groups_width(groups, self.tight)
        return pygame.Rect(
            self.selection.x + round((left + index * PORTRAIT) * px),
            self.selection.y + round(8 * px),
            round((PORTRAIT - 6) * px),
            round(44 * px),
        )


def is_tight(size: tuple[int, int], scale: float) -> bool:
    """Return whether the window is small for the interface scale."""
    return size[0] / scale < TIGHT_BELOW


def most_shown(size: tuple[int, int], scale: float) -> int:
    """Return the largest number of portraits, and of group buttons, that the window shows."""
    return 8 if size[0] / scale >= WIDE_FROM else 4


def _group_pitch(tight: bool) -> int:
    return 34 if tight else 70


def _groups_width(groups: int, tight: bool) -> int:
    """Return the width of the group buttons, two in each column."""
    return (groups + 1) // 2 * _group_pitch(tight) + (6 if groups else 0)


def _minimap_size(tight: bool) -> tuple[int, int]:
    return (132, 92) if tight else (196, 136)


def _room(size: tuple[int, int], scale: float) -> float:
    """Return the interface pixels between minimap and card."""
    return size[0] / scale - 2 * (MARGIN + GAP) - _minimap_size(is_tight(size, scale))[0] - CARD_WIDTH


def _stacked(size: tuple[int, int], scale: float) -> bool:
    """Return whether the selection panel stands above the minimap and the card.

    It does when the space between them is too narrow.
    """
    return _room(size, scale) < 150


def places_under_bar(size: tuple[int, int], scale: float, groups: int) -> int:
    """Return the number of portraits beside the formation bar.

    The count of the units not shown takes one of them. A window of 1280 pixels shows fewer than without the bar, to
    keep the limit of area.
    """
    return 8 if size[0] / scale >= WIDE_FROM else 4 - max((groups + 1) // 2 - 1, 0)


def portraits_that_fit(size: tuple[int, int], scale: float, groups: int) -> int:
    """Return how many portraits fit beside the groups, at least one."""
    inside = size[0] / scale - 2 * MARGIN - TIGHT_ALARM - GAP if _stacked(size, scale) else _room(size, scale)
    return max(1, int((inside - 20 - _groups_width(groups, is_tight(size, scale))) // PORTRAIT))


def lay_out(
    size: tuple[int, int], scale: float, portraits: int, groups: int, sandbox: bool = False, formations: bool = False,
    tools: bool = False,
) -> HudLayout:  # fmt: skip
    """Return the layout for a window.

    The selection panel is as wide as its content.
    """
    width, height = size
    tight = is_tight(size, scale)

    def px(value: float) -> int:
        return round(value * scale)

    margin, gap = px(MARGIN), px(GAP)
    card = pygame.Rect(0, 0, *map(px, card_size(tools)))
    card.bottomright = width - margin, height - margin
    minimap = pygame.Rect((margin, 0), tuple(map(px, _minimap_size(tight))))
    minimap.bottom = height - margin
    wide = 20 + _groups_width(groups, tight) + max(portraits, 0 if groups else 2) * PORTRAIT
    selection = pygame.Rect(0, 0, px(wide), px(84))
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
    objective = pygame.Rect(margin, margin, px(258 if tight else 300), px(54))
    alarm.centerx = width // 2
    if clock.left - objective.right >= alarm.width + 2 * gap:
        # In the middle, or as near to it as the panels beside it allow.
        alarm.left = max(alarm.left, objective.right + gap)
        alarm.right = min(alarm.right, clock.left - gap)
    else:
        alarm.topright = clock.right, clock.bottom + px(10)
    placing = pygame.Rect(margin, objective.bottom + px(10), px(16 + 4 * 36 + 3 * 5), px(52)) if sandbox else _NOWHERE
    bar = bar_rect(size, scale, [selection, minimap, card]) if formations else _NOWHERE
    return HudLayout(objective, alarm, clock, minimap, selection, card, placing, scale, bar, tools, tight)


_NOWHERE = pygame.Rect(0, 0, 0, 0)
