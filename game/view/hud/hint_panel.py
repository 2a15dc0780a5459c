"""The panel of a hint: a key cap and one line, beside its subject.

It never covers its subject.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pygame

from game.checks.scripts.hints import ShownHint
from game.view.hud.hud_layout import HudLayout
from game.view.painting.camera import Camera
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import RGB, mix
from game.view.units.order_marks import dashed
from game.view.window.playing import Playing

MOST_FIGURES = 60
_GAP = 30
"""Interface pixels between the subject and the panel.

A figure and its ring stay visible.
"""


def key_words(app: PainterServices, shown: ShownHint) -> str:
    """Return the key to press, or the mouse action."""
    if shown.act == "select_all":
        return app.keymap.label("select_all")
    if shown.act == "crouch":
        return app.keymap.label("crouch")
    if shown.act == "select_group":
        return app.keymap.label(f"group_{shown.group}")
    return {"select": "Click", "wait": "Wait"}.get(shown.act, "Right-click")


def place_panel(
    size: tuple[int, int],
    anchor: tuple[int, int],
    window: pygame.Rect,
    layout: HudLayout,
    gap: int,
    figures: list[pygame.Rect],
    others: Sequence[pygame.Rect] = (),
) -> tuple[pygame.Rect, tuple[int, int]]:
    """Return the panel's box and the point it refers to.

    The point is the anchor, or the nearest free point to it inside the window. The panel avoids the HUD's panels
    and the ``others``.
    """
    safe = window.inflate(-2 * gap, -2 * gap)
    taken = [rect.inflate(8, 8) for rect in (*layout.panels, *others)]
    point = _free_point(anchor, safe, taken, gap // 2)
    width, height = size
    x, y = point
    offers = []
    for far in (gap, 3 * gap, 6 * gap, 9 * gap):
        offers += [
            (x + far, y - height // 2),
            (x - far - width, y - height // 2),
            (x - width // 2, y - far - height),
            (x - width // 2, y + far),
        ]
    best = None
    for left, top in offers:
        rect = pygame.Rect(left, top, width, height).clamp(window.inflate(-16, -16))
        if rect.inflate(gap, gap // 2).collidepoint(point):
            continue
        hidden = sum(rect.clip(box).width * rect.clip(box).height for box in (*taken, *figures))
        if best is None or hidden < best[0]:
            best = (hidden, rect)
        if hidden == 0:
            break
    return (best[1] if best else pygame.Rect(x + gap, y, width, height).clamp(window)), point


def _free_point(anchor: tuple[int, int], safe: pygame.Rect, taken: list[pygame.Rect], gap: int) -> tuple[int, int]:
    """Return the point outside all panels nearest to the anchor.

    A subject below a panel is pointed at from the panel's rim.
    """
    x, y = min(max(anchor[0], safe.left), safe.right), min(max(anchor[1], safe.top), safe.bottom)
    offers = [(x, y)]
    for box in taken:
        if box.collidepoint(x, y) or box.collidepoint(anchor):
            offers += [(box.left - gap, y), (box.right + gap, y), (x, box.top - gap), (x, box.bottom + gap)]
            # The space between two panels, one below the other, can be free too.
            offers += [(box.right + gap, other.bottom + gap) for other in taken]
            offers += [(x, other.bottom + gap) for other in taken]
    inside = safe.inflate(2, 2)
    free = [p for p in offers if inside.collidepoint(p) and not any(box.collidepoint(p) for box in taken)]
    return min(free, key=lambda p: math.dist(p, anchor)) if free else (x, y)


def figures_of(camera: Camera, playing: Playing, rows: np.ndarray | None = None) -> list[pygame.Rect]:
    """Return the boxes of the figures in the ``rows``, by default the player's own."""
    p, half = playing.picture, camera.zoom // 2
    rows = p.living(playing.side) if rows is None else rows
    places = [camera.to_screen(float(p.x[r]), float(p.y[r])) for r in rows[:MOST_FIGURES].tolist()]
    return [pygame.Rect(x - half, y - half, 2 * half, 2 * half) for x, y in places]


def draw_hint(
    surface: pygame.Surface, app: PainterServices, camera: Camera, layout: HudLayout, shown: ShownHint,
    figures: list[pygame.Rect] | None = None, others: Sequence[pygame.Rect] = (),
) -> pygame.Rect:  # fmt: skip
    """Draw the panel beside its subject and return its box.

    It keeps off the HUD and the ``others``, and off the ``figures`` if there is space.
    """
    text, palette, panels = app.text, app.palette, app.panels
    px = text.px
    key = key_words(app, shown)
    cap_width = text.size("sans_bold", 15, key)[0] + px(14)
    words = f"choose {shown.text}" if shown.act.startswith("select") else shown.text
    words = f"crouch: {words}" if shown.act == "crouch" else words
    anchor = camera.to_screen(shown.x, shown.y)
    away = "" if surface.get_rect().collidepoint(anchor) else f"{_pan_words(app)} or the window's edge: move the map"
    head = px(10) + cap_width + px(9)
    wide = max(head + text.size("sans_bold", 15, words)[0], px(10) + text.size("sans", 14, away)[0])
    size = (wide + px(14), px(52) if away else px(30))
    path = [anchor, *(camera.to_screen(*place) for place in shown.then)]
    dashed(surface, path, palette["ink"], palette["rim"], 2)
    for k, b in enumerate(path[1:], 2):
        pygame.draw.circle(surface, palette["ink"], b, px(9))
        pygame.draw.circle(surface, palette["yellow"], b, px(8))
        text.draw(surface, b, str(k), palette["ink"], "sans_bold", 14, "center")
    rect, point = place_panel(size, anchor, surface.get_rect(), layout, px(_GAP), figures or [], others)
    end = (min(max(point[0], rect.left), rect.right), min(max(point[1], rect.top), rect.bottom))
    pygame.draw.line(surface, palette["rim"], end, point, 5)
    pygame.draw.line(surface, palette["ink"], end, point, 2)
    if point == anchor:
        pygame.draw.circle(surface, palette["ink"], point, 6)
        pygame.draw.circle(surface, palette["yellow"], point, 4)
    else:
        _draw_arrow(surface, point, anchor, palette["yellow"], palette["ink"], px(12))
    panels.draw_shadow(surface, rect)
    pygame.draw.rect(surface, panels.paper, rect)
    pygame.draw.rect(surface, panels.ink, rect, 1)
    pygame.draw.rect(surface, palette["yellow"], (rect.x - px(4), rect.y, px(4), rect.height))
    cap = pygame.Rect(rect.x + px(10), rect.y + px(5), cap_width, px(20))
    pygame.draw.rect(surface, mix(panels.paper, palette["mist"], 0.5), cap)
    pygame.draw.rect(surface, panels.ink, cap, 1)
    text.draw(surface, cap.center, key, panels.ink, "sans_bold", 15, "center")
    text.draw(surface, (cap.right + px(9), cap.centery), words, panels.ink, "sans_bold", 15, "midleft")
    if away:
        text.draw(surface, (cap.x, rect.bottom - px(15)), away, panels.soft, "sans", 14, "midleft")
    return rect


def _pan_words(app: PainterServices) -> str:
    """Return the labels of the keys that move the map."""
    labels = [app.keymap.label(f"pan_{way}") for way in ("left", "right", "up", "down")]
    return "Arrow keys" if labels == ["Left", "Right", "Up", "Down"] else ", ".join(labels)


def _draw_arrow(
    surface: pygame.Surface, at: tuple[int, int], to: tuple[int, int], fill: RGB, ink: RGB, size: int
) -> None:
    """Draw an arrow head at the window's edge towards a subject off screen."""
    angle = math.atan2(to[1] - at[1], to[0] - at[0])
    points = [
        (at[0] + math.cos(angle + turn) * size, at[1] + math.sin(angle + turn) * size) for turn in (0.0, 2.5, -2.5)
    ]
    pygame.draw.polygon(surface, fill, points)
    pygame.draw.polygon(surface, ink, points, 2)
