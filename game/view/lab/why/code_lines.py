"""Lines of code as a picture.

Numbers stand at the left, and a bar runs along the function that decided.
"""

from __future__ import annotations

import pygame

from game.view.lab.why.source_lines import Source
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix
from game.view.painting.text import TextDrawer

LINE = 19
"""Interface pixels of a line of code."""
BLANK = 5
"""Interface pixels of a leading blank; the face is proportional."""


def draw_lines(
    surface: pygame.Surface, box: pygame.Rect, app: PainterServices, text: TextDrawer, source: Source,
    part: tuple[int, int],
) -> None:  # fmt: skip
    """Draw lines of a file in a box.

    ``part`` is the index of the first line and their number.
    """
    panels, palette, px = app.panels, app.palette, text.px
    first, count = part
    pygame.draw.rect(surface, palette["white"], box)
    numbers = pygame.Rect(box.x, box.y, px(46), box.height)
    pygame.draw.rect(surface, mix(panels.paper, panels.ink, 0.08), numbers)
    clip = surface.get_clip()
    surface.set_clip(box.clip(clip))
    for row, line in enumerate(source.text[first : first + count]):
        number, y = first + row + 1, box.y + px(4) + row * px(LINE)
        inside = source.line <= number <= source.end
        if number == source.line:
            back = pygame.Rect(numbers.right, y, box.right - numbers.right, px(LINE))
            pygame.draw.rect(surface, mix(palette["white"], palette["blue"], 0.18), back)
        if inside:
            pygame.draw.rect(surface, palette["blue"], (numbers.right - px(4), y, px(4), px(LINE)))
        at = (numbers.right - px(9), y)
        text.draw(surface, at, str(number), panels.soft, "sans", 14, "topright")
        bare = line.lstrip()
        if bare:
            x = numbers.right + px(8) + (len(line) - len(bare)) * px(BLANK)
            # A line that does not fit ends with dots, so that nobody takes its beginning for the whole.
            bare = text.shortened("sans", 14, bare, box.right - px(6) - x)
            text.draw(surface, (x, y), bare, panels.ink if inside else panels.soft, "sans", 14)
    surface.set_clip(clip)
    pygame.draw.rect(surface, panels.ink, box, 1)
