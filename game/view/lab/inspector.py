"""The unit inspector: a sentence from the trace, the squad's scores, and the table."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pygame

from game.minds.explain import sentence_of, table_of
from game.minds.squad.squad_words import ScoreTable, squad_rows, squad_scores
from game.systems.body.track_words import track_rows
from game.view.lab.score_sheet import Spot, draw_sheet, sheet_height
from game.view.overlays.motion.motion_overlays import stages_of
from game.view.overlays.overlay import LabContext
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

PORTRAIT = 60
LOWEST, HIGHEST = 150, 300
"""Least height of the panel, and most without scores, in interface pixels."""
BESIDE_SCORES = 2
"""Lines of cells that have room below a table of scores, at least."""
SIDES = 11
"""Margin of the scores in interface pixels; they need more room than cells."""
CELL = 40
"""Height of a line of cells in interface pixels."""
MOST_LINES = 4
"""Most lines of the sentence."""


@dataclass(frozen=True)
class Words:
    """Sentence of a unit, its table of (name, value), and scores of its squad."""

    sentence: str
    table: tuple[tuple[str, str], ...] = ()
    scores: ScoreTable | None = None


@dataclass(frozen=True)
class Arranged:
    """Lines of the sentence, places of scores and cells, and height, in pixels.

    A cell is (x, y, name, value). ``first`` is the first line of cells in view; ``above`` and ``below`` count the cells
    out of view.
    """

    lines: list[str]
    scores: int
    cells: list[tuple[int, int, str, str]]
    height: int
    first: int = 0
    above: int = 0
    below: int = 0


def words_for(context: LabContext, unit: int) -> Words:
    """Return everything that the inspector says of a unit."""
    world = context.world
    return Words(sentence_of(world, unit), tuple(table_for(context, unit)), squad_scores(world, unit))


def table_for(context: LabContext, unit: int) -> list[tuple[str, str]]:
    """Rows (what, value): body, its tracks and path first, then what its mind holds."""
    world, p = context.world, context.playing.picture
    row = p.row_of[unit]
    rows = [("speed", f"{math.hypot(float(p.vx[row]), float(p.vy[row])):.1f} m/s")]
    rows += track_rows(world, unit)
    store = world.paths.store
    if row < store.capacity:
        rows.append(("waypoints", str(int(store.path_len[row]))))
    touched = world.steering.touched
    if row < len(touched) and world.settings.steering.whiskers:
        rows.append(("whiskers", f"{int(touched[row]).bit_count()} of {int(world.settings.steering.whiskers)} hit"))
    said = stages_of(context, row) if row < world.units.count and world.units.moving[row] else []
    if said:
        rows.append(
            ("stages", ", ".join(f"{s.name.lower().replace('_', ' ')} {math.hypot(vx, vy):.1f}" for s, vx, vy in said))
        )
    return squad_rows(world, unit) + rows + table_of(world, unit)


def arranged(text: TextDrawer, width: int, words: Words, first: int = 0, room: int = 0) -> Arranged:
    """Return where everything goes; the cells start with the line ``first``.

    Lines of cells that would make the panel higher than ``HIGHEST``, or than ``room`` pixels, are left out. Below a
    table of scores ``BESIDE_SCORES`` lines have room, or one if there is less than ``HIGHEST``.
    """
    px = text.px
    tight = 0 < room < px(HIGHEST)
    highest = room if tight else px(HIGHEST)
    lines = text.wrap("serif_bold", 17, words.sentence, width - px(14 + PORTRAIT + 14 + 14))[:MOST_LINES]
    top = max(px(10) + len(lines) * px(22) + px(4), px(14 + PORTRAIT + 8)) + px(6)
    scores = top
    if words.scores is not None:
        top += sheet_height(text, words.scores)
    rows = _lines_of_cells(text, width, words.table)
    fits = max((highest - top) // px(CELL), BESIDE_SCORES if words.scores is not None and not tight else 1)
    first = min(max(first, 0), max(len(rows) - fits, 0))
    shown = rows[first : first + fits]
    cells = [(x, top + i * px(CELL), what, value) for i, line in enumerate(shown) for x, what, value in line]
    height = max(top + len(shown) * px(CELL) + px(6), px(LOWEST))
    above, below = sum(map(len, rows[:first])), sum(map(len, rows[first + fits :]))
    return Arranged(lines, scores, cells, height, first, above, below)


def _lines_of_cells(
    text: TextDrawer, width: int, table: tuple[tuple[str, str], ...]
) -> list[list[tuple[int, str, str]]]:
    """Return the cells (x, name, value) of each line."""
    px = text.px
    rows: list[list[tuple[int, str, str]]] = []
    x = px(14)
    for what, value in table:
        value = text.shortened("sans_bold", 15, value, width - px(28))
        wide = max(text.size("sans", 14, what)[0], text.size("sans_bold", 15, value)[0])
        if not rows or x + wide > width - px(14):
            rows.append([])
            x = px(14)
        rows[-1].append((x, what, value))
        x += wide + px(22)
    return rows


def draw_inspector(
    surface: pygame.Surface,
    rect: pygame.Rect,
    context: LabContext,
    panels: Panels,
    unit: int,
    words: Words,
    at: Arranged,
    text: TextDrawer,
) -> list[Spot]:
    """Draw portrait, sentence, scores and table of a unit; return what the scores mean.

    ``words`` are read at most ten times a second.
    """
    p = context.playing.picture
    px = text.px
    panels.draw(surface, rect)
    box = pygame.Rect(rect.x + px(14), rect.y + px(14), px(PORTRAIT), px(PORTRAIT))
    pygame.draw.rect(surface, context.palette.grounds["grass"], box)
    if unit in p.row_of:
        context.scene.figures.portrait(surface, box, p, p.row_of[unit])
    pygame.draw.rect(surface, panels.ink, box, 1)
    y = rect.y + px(10)
    for line in at.lines:
        text.draw(surface, (box.right + px(14), y), line, panels.ink, "serif_bold", 17)
        y += px(22)
    y = max(y + px(4), box.bottom + px(8))
    pygame.draw.line(surface, panels.hair, (rect.x + px(14), y), (rect.right - px(14), y))
    spots: list[Spot] = []
    if words.scores is not None:
        place = pygame.Rect(rect.x + px(SIDES), rect.y + at.scores, rect.width - px(2 * SIDES), 0)
        spots = draw_sheet(surface, place, words.scores, panels, text)
    for left, top, what, value in at.cells:
        text.draw(surface, (rect.x + left, rect.y + top), what, panels.soft, "sans", 14)
        text.draw(surface, (rect.x + left, rect.y + top + px(16)), value, panels.ink, "sans_bold", 15)
    if at.above or at.below:
        _draw_more(surface, rect, at, panels, text)
    return spots


def _draw_more(surface: pygame.Surface, rect: pygame.Rect, at: Arranged, panels: Panels, text: TextDrawer) -> None:
    """Tell how many cells the wheel brings into view.

    The words stand on the lowest line whose names leave room.
    """
    more = f"wheel: {at.above + at.below} more"
    room = rect.width - text.px(14) - text.size("sans_italic", 14, more)[0] - text.px(12)
    for top in sorted({cell[1] for cell in at.cells}, reverse=True):
        if max(x + text.size("sans", 14, what)[0] for x, y, what, _ in at.cells if y == top) <= room:
            corner = rect.right - text.px(14), rect.y + top
            text.draw(surface, corner, more, panels.soft, "sans_italic", 14, "topright")
            return
