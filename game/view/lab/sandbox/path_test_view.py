"""Picture of a path test: the path by its searches, and a plate.

The plate has cost, nodes and decisions.
"""

from __future__ import annotations

import pygame

from game.systems.sandbox.path_test import PathTest
from game.view.painting.camera import Camera
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import RGB
from game.view.painting.text import TextDrawer
from game.view.units.order_marks import dashed

SEARCHES = ("none", "quick", "full", "splice", "priority", "splice")
"""Colours of the palette by PathSource; a local search is drawn as a splice."""
WIDE = 300
MOST_LINES = 5


def draw_test(
    surface: pygame.Surface, camera: Camera, app: PainterServices, start: tuple[float, float] | None,
    test: PathTest | None,
) -> None:  # fmt: skip
    """Draw start, goal and path of a test; without a test only its start."""
    if test is None:
        if start is not None:
            _body(surface, camera, app, start, 0.3, app.palette["blue"])
        return
    for k, stage in enumerate(test.stages):
        last = k == len(test.stages) - 1
        pixels = [camera.to_screen(*point) for point in stage.points]
        for a, b, source in zip(pixels, pixels[1:], stage.sources, strict=False):
            colour = app.palette.overlay.get(SEARCHES[source % len(SEARCHES)], app.palette["ink"])
            if last:
                pygame.draw.line(surface, app.palette["ink"], a, b, 7)
                pygame.draw.line(surface, colour, a, b, 4)
            else:
                dashed(surface, [a, b], colour, app.palette["rim"], 3)
    _body(surface, camera, app, test.start, test.radius, app.palette["blue"])
    _body(surface, camera, app, test.goal, test.radius, app.palette["vermilion"])


def _body(
    surface: pygame.Surface, camera: Camera, app: PainterServices, at: tuple[float, float], radius: float, colour: RGB
) -> None:
    """Draw a body of a radius in tiles, at least 5 px."""
    pixels = max(round(radius * camera.zoom), 5)
    pygame.draw.circle(surface, app.palette["ink"], camera.to_screen(*at), pixels + 2)
    pygame.draw.circle(surface, colour, camera.to_screen(*at), pixels)


def words_of(test: PathTest) -> list[str]:
    """Return the lines of the plate: the result, then the decisions."""
    if not test.found:
        return [f"No path: {test.fault}", *test.told[-MOST_LINES:]]
    first = f"{test.length:.1f} tiles, cost {test.cost:.1f}, {test.nodes} nodes opened"
    return [first, *[f"{line[:1].upper()}{line[1:]}" for line in test.told[-MOST_LINES:]]]


def draw_plate(
    surface: pygame.Surface, camera: Camera, app: PainterServices, text: TextDrawer, test: PathTest, room: pygame.Rect
) -> pygame.Rect:
    """Draw the plate in a corner of the room, clear of start and goal.

    It returns the plate's box. The lower right corner comes first, then upper right, upper left and lower left.
    """
    panels = app.panels
    first, *rest = words_of(test)
    wide = max(text.px(WIDE), text.size("sans_bold", 15, first)[0] + text.px(24))
    lines = [line for words in rest for line in text.wrap("sans", 14, words, wide - text.px(24))]
    rect = pygame.Rect(0, 0, wide, text.px(34) + len(lines) * text.px(19))
    ends = [pygame.Rect(0, 0, 2 * camera.zoom, 2 * camera.zoom) for _ in range(2)]
    for end, place in zip(ends, (test.start, test.goal), strict=True):
        end.center = camera.to_screen(*place)
    places = []
    for corner in ("bottomright", "topright", "topleft", "bottomleft"):
        places.append(rect.copy())
        setattr(places[-1], corner, getattr(room, corner))
    rect = next((place for place in places if place.collidelist(ends) < 0), places[0])
    panels.draw(surface, rect)
    left = rect.x + text.px(12)
    text.draw(surface, (left, rect.y + text.px(6)), first, panels.ink, "sans_bold", 15)
    for i, line in enumerate(lines):
        text.draw(surface, (left, rect.y + text.px(28) + i * text.px(19)), line, panels.soft, "sans", 14)
    return rect
