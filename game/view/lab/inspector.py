"""The unit inspector: one plain sentence made from the trace, then the table."""

from __future__ import annotations

import math

import pygame

from game.minds.explain import sentence_of, table_of
from game.systems.body.track_words import track_rows
from game.view.overlays.motion.motion_overlays import stages_of
from game.view.overlays.overlay import LabContext
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer

HEIGHT = 150


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
        rows.append(("stages", ", ".join(f"{s.name.lower()} {math.hypot(vx, vy):.1f}" for s, vx, vy in said)))
    return rows + table_of(world, unit)


def draw_inspector(
    surface: pygame.Surface,
    rect: pygame.Rect,
    context: LabContext,
    panels: Panels,
    unit: int,
    words: tuple[str, list[tuple[str, str]]],
    text: TextDrawer,
) -> None:
    """Draw portrait, sentence and table of a unit.

    ``words`` are read at most ten times a second.
    """
    p = context.playing.picture
    px = text.px
    panels.draw(surface, rect)
    box = pygame.Rect(rect.x + px(14), rect.y + px(14), px(60), px(60))
    pygame.draw.rect(surface, context.palette.grounds["grass"], box)
    if unit in p.row_of:
        context.scene.figures.portrait(surface, box, p, p.row_of[unit])
    pygame.draw.rect(surface, panels.ink, box, 1)
    sentence, table = words
    x = box.right + px(14)
    lines = text.wrap("serif_bold", 18, sentence, rect.right - x - px(14))
    y = rect.y + px(10)
    for i, line in enumerate(lines[:3]):
        kind, size = ("serif_bold", 18) if i == 0 and len(lines) == 1 else ("serif_bold", 17)
        text.draw(surface, (x, y), line, panels.ink, kind, size)
        y += px(22)
    y = max(y + px(4), box.bottom + px(8))
    pygame.draw.line(surface, panels.hair, (rect.x + px(14), y), (rect.right - px(14), y))
    left, row = rect.x + px(14), y + px(6)
    for what, value in table:
        width = max(text.size("sans", 14, what)[0], text.size("sans_bold", 15, value)[0]) + px(26)
        if left + width - px(26) > rect.right - px(14):
            left, row = rect.x + px(14), row + px(40)
        if row + px(36) > rect.bottom or left + width - px(26) > rect.right - px(14):
            break
        text.draw(surface, (left, row), what, panels.soft, "sans", 14)
        text.draw(surface, (left, row + px(16)), value, panels.ink, "sans_bold", 15)
        left += width
