"""Score sheet: a table of scores in the inspector.

The eleven terms of a position stand in two blocks side by side, so that they fit a panel of 400 px. Penalties are
orange and rewards blue, as in signed overlays; a fitness is a bar from 0 to 1.
"""

from __future__ import annotations

import pygame

from game.minds.squad.squad_words import ScoreRow, ScoreTable
from game.view.exhibits.cards.glossary_terms import Term
from game.view.painting.palette import RGB, mix
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

LINE = 19
"""Height of a line in interface pixels."""
GAP = 6
"""Pixels between a name and its values."""
TINT = 0.55
"""Share of the ramp's colour in a cell; more would hide the number."""
Spot = tuple[pygame.Rect, Term]
"""Box of a row and the term that its tool tip explains."""


def number(value: float | None, signed: bool) -> str:
    """Return a score in two decimals, from 10 on in one.

    A signed one that rounds to zero is "0".
    """
    if value is None:
        return "-"
    if not signed:
        return f"{value:.2f}"
    return f"{value:+.{1 if abs(value) >= 9.995 else 2}f}" if round(value, 2) else "0"


def blocks_of(table: ScoreTable) -> list[tuple[ScoreRow, ...]]:
    """Return the rows of each block: two for a signed table, else one."""
    half = (len(table.rows) + 1) // 2 if table.signed else len(table.rows)
    return [table.rows[:half], table.rows[half:]] if table.signed else [table.rows]


def sheet_height(text: TextDrawer, table: ScoreTable) -> int:
    """Return the pixels that a table needs."""
    return text.px(LINE) * (1 + bool(table.caption) + max(len(block) for block in blocks_of(table))) + text.px(6)


def draw_sheet(
    surface: pygame.Surface, rect: pygame.Rect, table: ScoreTable, panels: Panels, text: TextDrawer
) -> list[Spot]:
    """Draw a table as wide as a box; return the meanings of its rows."""
    blocks = blocks_of(table)
    cell, columns = _cell_width(text, table), len(table.heads)
    names = [_widest(block, text) + text.px(GAP) for block in blocks]
    spare = max(rect.width - sum(names) - len(blocks) * columns * cell, 0)
    if table.signed:  # no notes beside the values: the room goes between the columns
        cell += min(max(spare - text.px(2 * GAP), 0) // (columns * len(blocks)), text.px(9))
    needs = [wide + columns * cell for wide in names] if table.signed else [rect.width]
    spare = (rect.width - sum(needs)) // len(blocks)
    spots: list[Spot] = []
    x, y = rect.topleft
    if table.caption:
        caption = text.shortened("sans_bold", 14, table.caption, rect.width)
        text.draw(surface, (x, y), caption, panels.ink, "sans_bold", 14)
        y += text.px(LINE)
    for need, block in zip(needs, blocks, strict=True):
        spots += _draw_block(surface, pygame.Rect(x, y, need + spare, 0), table, block, cell, panels, text)
        x += need + spare
    return spots


def _cell_width(text: TextDrawer, table: ScoreTable) -> int:
    """Return the pixels of a column of values."""
    told = [number(value, table.signed) for row in table.rows for value in row.values]
    return max(text.size("sans_bold", 14, words)[0] for words in (*table.heads, *told)) + text.px(3)


def _draw_block(
    surface: pygame.Surface, box: pygame.Rect, table: ScoreTable, rows: tuple[ScoreRow, ...], cell: int, panels: Panels,
    text: TextDrawer,
) -> list[Spot]:  # fmt: skip
    """Draw a block of rows under their heads."""
    px = text.px
    names = _widest(rows, text) + px(GAP)
    text.draw(surface, box.topleft, text.shortened("sans", 14, table.title, names), panels.soft, "sans", 14)
    for k, head in enumerate(table.heads):
        at = box.x + names + (k + 1) * cell - px(3), box.y
        text.draw(surface, at, head, panels.soft, "sans", 14, "topright")
    largest = max((abs(value) for row in table.rows if not row.won for value in row.values if value), default=1.0)
    spots: list[Spot] = []
    for i, row in enumerate(rows):
        y = box.y + (i + 1) * px(LINE)
        face = "sans_bold" if row.won else "sans"
        text.draw(surface, (box.x, y), row.name, panels.ink, face, 14)
        for k, value in enumerate(row.values):
            place = pygame.Rect(box.x + names + k * cell, y, cell - px(2), px(LINE) - 1)
            _draw_cell(surface, place, value, 0.0 if row.won and table.signed else largest, table.signed, panels)
            at = place.right - px(2), y
            words = number(value, table.signed)
            ink = panels.soft if words in ("0", "-") else panels.ink
            text.draw(surface, at, words, ink, face, 14, "topright")
        left = box.x + names + cell * len(table.heads) + px(6)
        if row.note:
            note = text.shortened("sans", 14, row.note, box.right - left)
            text.draw(surface, (left, y), note, panels.soft, "sans", 14)
        meaning = row.meaning or row.note
        if meaning:
            spots.append((pygame.Rect(box.x, y, box.width, px(LINE)), Term(row.name, (), meaning, "", ())))
    return spots


def _widest(rows: tuple[ScoreRow, ...], text: TextDrawer) -> int:
    """Return the pixels of the widest name."""
    return max(text.size("sans_bold" if row.won else "sans", 14, row.name)[0] for row in rows)


def _draw_cell(
    surface: pygame.Surface, place: pygame.Rect, value: float | None, largest: float, signed: bool, panels: Panels
) -> None:
    """Colour a cell by sign and size, or draw its bar."""
    if value is None or not largest:
        return
    ramp = panels.palette.ramps["diverging"]
    if signed:
        surface.fill(tint_of(ramp, value / largest, panels.paper), place)
        return
    bar = pygame.Rect(place.x, place.y, round(place.width * min(max(value, 0.0), 1.0)), place.height)
    surface.fill(tint_of(ramp, 1.0, panels.paper), bar)


def tint_of(ramp: tuple[RGB, ...] | list[RGB], share: float, paper: RGB) -> RGB:
    """Return the tint of a share from -1 to 1; 0 is the paper."""
    share = min(max(share, -1.0), 1.0)
    end = ramp[-2] if share > 0 else ramp[1]
    return mix(paper, end, TINT * abs(share))
