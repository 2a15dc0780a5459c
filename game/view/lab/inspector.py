"""The unit inspector: one plain sentence made from the trace, then the table."""

from __future__ import annotations

import math

import pygame

from game.minds.explain import sentence_of, table_of
from game.minds.squad.squad_words import squad_rows
from game.systems.body.track_words import track_rows
from game.view.overlays.motion.motion_overlays import stages_of
from game.view.overlays.overlay import LabContext
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

PORTRAIT = 60
LOWEST, HIGHEST = 150, 300
"""Least and most height of the panel in interface pixels."""
MOST_LINES = 4
"""Most lines of the sentence."""


def sentence_for(context: LabContext, unit: int) -> str:
    """Return the unit's action and its reason in one sentence."""
    return sentence_of(context.world, unit)


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


Words = tuple[str, list[tuple[str, str]]]
"""Sentence of a unit, and the rows of its table."""


def arranged(text: TextDrawer, width: int, words: Words) -> tuple[list[str], list[tuple[int, int, str, str]], int]:
    """Return the lines, the cells (x, y, what, value) and the height in pixels.

    Cells that would make the panel higher than ``HIGHEST`` are left out.
    """
    px = text.px
    sentence, table = words
    lines = text.wrap("serif_bold", 17, sentence, width - px(14 + PORTRAIT + 14 + 14))[:MOST_LINES]
    top = max(px(10) + len(lines) * px(22) + px(4), px(14 + PORTRAIT + 8))
    cells: list[tuple[int, int, str, str]] = []
    x, y = px(14), top + px(6)
    for what, value in table:
        value = text.shortened("sans_bold", 15, value, width - px(28))
        wide = max(text.size("sans", 14, what)[0], text.size("sans_bold", 15, value)[0])
        if cells and x + wide > width - px(14):
            x, y = px(14), y + px(40)
        if y + px(40) > px(HIGHEST):
            break
        cells.append((x, y, what, value))
        x += wide + px(22)
    return lines, cells, max((cells[-1][1] if cells else top) + px(46), px(LOWEST))


def draw_inspector(
    surface: pygame.Surface,
    rect: pygame.Rect,
    context: LabContext,
    panels: Panels,
    unit: int,
    words: Words,
    text: TextDrawer,
) -> None:
    """Draw portrait, sentence and table of a unit.

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
    lines, cells, _ = arranged(text, rect.width, words)
    y = rect.y + px(10)
    for line in lines:
        text.draw(surface, (box.right + px(14), y), line, panels.ink, "serif_bold", 17)
        y += px(22)
    y = max(y + px(4), box.bottom + px(8))
    pygame.draw.line(surface, panels.hair, (rect.x + px(14), y), (rect.right - px(14), y))
    for left, top, what, value in cells:
        text.draw(surface, (rect.x + left, rect.y + top), what, panels.soft, "sans", 14)
        text.draw(surface, (rect.x + left, rect.y + top + px(16)), value, panels.ink, "sans_bold", 15)
