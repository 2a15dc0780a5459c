"""Captions of panels: parts of one map that show things side by side."""

from __future__ import annotations

import pygame

from game.checks.exhibit_run import PanelRun
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette, mix
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer


def draw_panel_frames(surface: pygame.Surface, camera: Camera, panels: list[PanelRun], palette: Palette) -> None:
    """Draw a thin double line round each part, below the figures."""
    for panel in panels:
        rect = box_of(camera, panel)
        pygame.draw.rect(surface, palette["rim"], rect, 4)
        pygame.draw.rect(surface, palette["ink"], rect.inflate(-2, -2), 2)


def draw_captions(
    surface: pygame.Surface, camera: Camera, panels: list[PanelRun], text: TextDrawer, paper: Panels, palette: Palette
) -> list[pygame.Rect]:
    """Draw the label of each part, with the number of both runs.

    Returns the rectangles of the labels.
    """
    placed = []
    for panel in panels:
        box = box_of(camera, panel)
        number = panel.metrics[0].words if panel.metrics is not None else ""
        other = f" / {panel.metrics[1].words}" if panel.metrics is not None else ""
        kind, size = "sans_bold", 16
        words = panel.label + (":  " if number else "")
        while size > 14 and text.size(kind, size, words + number + other)[0] + text.px(16) > box.width:
            size -= 1
        if other and text.size(kind, size, words + number + other)[0] + text.px(16) > box.width:
            other = ""
        widths = [text.size(kind, size, part)[0] for part in (words, number, other)]
        rect = pygame.Rect(0, 0, sum(widths) + text.px(16), text.px(26))
        # The caption stands above the box, where no unit walks, unless another part is there.
        rect.midbottom = box.centerx, box.y + 4
        others = [box_of(camera, other) for other in panels if other is not panel]
        if rect.inflate(0, -8).collidelist(others) >= 0:
            rect.midtop = box.centerx, box.y
        rect.clamp_ip(surface.get_clip())
        pygame.draw.rect(surface, paper.paper, rect)
        pygame.draw.rect(surface, paper.ink, rect, 2)
        x = rect.x + text.px(8)
        soft = mix(paper.ink, paper.paper, 0.35)
        for part, width, colour in zip((words, number, other), widths, (paper.ink, palette["blue"], soft), strict=True):
            if part:
                text.draw(surface, (x, rect.centery), part, colour, kind, size, "midleft")
            x += width
        placed.append(rect)
    return placed


def box_of(camera: Camera, panel: PanelRun) -> pygame.Rect:
    """Return a panel's box in pixels."""
    x0, y0, x1, y1 = panel.box
    left, top = camera.to_screen(x0, y0)
    right, bottom = camera.to_screen(x1, y1)
    return pygame.Rect(left, top, right - left, bottom - top)
