"""Plan on the map: a tint, and ghost, path and time of each action."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pygame

from game.view.input.command_table import COMMANDS
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.painting.unit_picture import Picture, picture_of
from game.view.stealth.order_plan import Ghost, Plan, ghosts_of
from game.view.units.ghost_figures import GhostFigures
from game.view.units.order_marks import dashed
from game.view.units.sprites import Sprites
from game.view.units.unit_labels import LabelPlacer
from game.world.orders import OrderKind

WASH_ALPHA = 58
NEAR = 2.5
"""Tiles between the ends of two ghosts that share one panel."""
ICONS = {int(c.kind): c.icon for c in reversed(COMMANDS) if c.group in ("order", "tool")} | {
    int(OrderKind.ATTACK): "attack",
    int(OrderKind.USE): "use",
}
"""Icon of each order kind."""


@dataclass
class Pencil:
    """Surfaces and painters of one frame."""

    surface: pygame.Surface
    camera: Camera
    palette: Palette
    text: TextDrawer
    sprites: Sprites
    panels: Panels
    night: bool
    labels: LabelPlacer


@dataclass
class PlanPainter:
    """Painter that keeps the ghosts until the plan or the tick changes."""

    figures: GhostFigures
    _key: tuple[int, int] = (-1, -1)
    ghosts: list[Ghost] = field(default_factory=list)
    _wash: pygame.Surface | None = None

    def look(self, plan: Plan, world: Any) -> list[Ghost]:
        """Return the ghosts; compute them again only after a change."""
        key = (plan.version, int(world.tick) if plan.on else int(world.tick) // 10)
        if key != self._key:
            self._key = key
            self.ghosts = ghosts_of(plan, world) if plan.units else []
        return self.ghosts

    def wash(self, surface: pygame.Surface, palette: Palette) -> None:
        """Tint the whole picture cool, as the sign that time is stopped."""
        if self._wash is None or self._wash.get_size() != surface.get_size():
            self._wash = pygame.Surface(surface.get_size())
            self._wash.fill(palette["blue"])
            self._wash.set_alpha(WASH_ALPHA)
        surface.blit(self._wash, (0, 0))

    def draw(self, pencil: Pencil, picture: Picture, side: int) -> None:
        """Draw paths first, then ghosts, then the icon and the time of each action."""
        colour = pencil.palette["select_night" if pencil.night else "select"]
        for ghost in self.ghosts:
            self._draw_path(pencil, ghost, colour)
        self._draw_figures(pencil, picture)
        for group in at_one_place(self.ghosts):
            self._draw_act(pencil, group, colour)

    def _draw_path(self, pencil: Pencil, ghost: Ghost, colour: RGB) -> None:
        points = [pencil.camera.to_screen(x, y) for x, y in ghost.path]
        rim = pencil.palette["ink" if pencil.night else "rim"]
        if len(points) > 1:
            dashed(pencil.surface, points, colour, rim, 3, 9, 5)
        if ghost.at is None or math.isinf(ghost.seconds):
            return
        start, end = pencil.camera.to_screen(ghost.x, ghost.y), pencil.camera.to_screen(*ghost.at)
        if math.hypot(end[0] - start[0], end[1] - start[1]) > pencil.camera.zoom * 0.6:
            dashed(pencil.surface, [start, end], pencil.palette["white"], pencil.palette["ink"], 2, 4, 6)
            pygame.draw.circle(pencil.surface, pencil.palette["ink"], end, 8, 4)
            pygame.draw.circle(pencil.surface, pencil.palette["white"], end, 7, 2)

    def _draw_figures(self, pencil: Pencil, picture: Picture) -> None:
        rows = np.array([picture.row_of[g.unit] for g in self.ghosts if g.unit in picture.row_of], np.int64)
        if not len(rows):
            return
        shown = [g for g in self.ghosts if g.unit in picture.row_of]
        columns = {name: column[rows].copy() for name, column in picture.columns.items()}
        for name, values in (
            ("x", [g.x for g in shown]), ("y", [g.y for g in shown]), ("facing", [g.facing for g in shown]),
            ("stance", [g.stance for g in shown]),
        ):  # fmt: skip
            columns[name][:] = values
        for name in ("moving", "action"):
            columns[name][:] = 0
        columns["target"][:] = -1
        columns["prev_x"], columns["prev_y"] = columns["x"], columns["y"]
        there = picture_of(picture.tick, columns)
        ring = f"marks.rings_{pencil.camera.zoom}"
        for k, g in enumerate(shown):
            side = self.figures.sides[int(columns["side"][k]) % len(self.figures.sides)]
            pencil.sprites.blit(pencil.surface, pencil.camera.to_screen(g.x, g.y), ring, "dashed", side)
        self.figures.draw(
            pencil.surface, pencil.camera, there, np.arange(len(shown)), 1.0, rim=True, night=pencil.night
        )

    def _draw_act(self, pencil: Pencil, group: list[Ghost], colour: RGB) -> None:
        """Draw a panel beside ghosts of one act.

        It has the icon of the act, their number, and the longest time in seconds.
        """
        text, surface, ghost = pencil.text, pencil.surface, group[0]
        middle = sum(g.x for g in group) / len(group), sum(g.y for g in group) / len(group)
        x, y = pencil.camera.to_screen(*middle)
        icon = ICONS.get(ghost.order.kind, "move")
        seconds = max(g.seconds for g in group)
        words = "no path" if math.isinf(seconds) else f"{seconds:.1f} s" if seconds >= 0.05 else ""
        if len(group) > 1:
            words = f"{len(group)} in {words}" if words else f"{len(group)}"
        wide = text.px(30) + (text.size("sans_bold", 15, words)[0] + text.px(8) if words else 0)
        round_all = max(math.hypot(g.x - middle[0], g.y - middle[1]) for g in group)
        clear = max(round((round_all + 2 / 3) * pencil.camera.zoom), 14)
        rect = pencil.labels.place((wide, text.px(30)), (x, y), clear, surface.get_clip())
        if rect is None:
            return
        rect = pygame.Rect(rect.x, rect.y, wide, text.px(30))
        pygame.draw.rect(surface, pencil.panels.paper, rect)
        pygame.draw.rect(surface, colour, rect, 2)
        cell = pencil.sprites.icon_cell(icon, "night" if pencil.night else "day", text.px(28))
        if cell is not None:
            surface.blit(cell.surface, (rect.x + text.px(15) + cell.dx, rect.centery + cell.dy))
        if words:
            tone = pencil.palette["vermilion"] if math.isinf(seconds) else pencil.panels.ink
            text.draw(surface, (rect.x + text.px(31), rect.centery), words, tone, "sans_bold", 15, "midleft")


def at_one_place(ghosts: list[Ghost]) -> list[list[Ghost]]:
    """Group ghosts of one order kind whose ends are near each other.

    Units without a path stay alone. The rows keep the order of the first of each group.
    """
    groups: list[list[Ghost]] = []
    for ghost in ghosts:
        first = next((g for g in groups if _share_a_place(g[0], ghost)), None)
        if first is None:
            groups.append([ghost])
        else:
            first.append(ghost)
    return groups


def _share_a_place(a: Ghost, b: Ghost) -> bool:
    if a.order.kind != b.order.kind or math.isinf(a.seconds) or math.isinf(b.seconds):
        return False
    return math.hypot(a.x - b.x, a.y - b.y) <= NEAR


def draw_banner(pencil: Pencil, plan: Plan, own: int, keys: tuple[str, str, str], top: int) -> pygame.Rect:
    """Draw the banner with title, number of units and keys; return its box.

    ``keys`` are the labels of the keys that run, drop and leave the plan.
    """
    text, surface = pencil.text, pencil.surface
    run, drop, leave = keys
    title = "Plan" if plan.on else "Plan ready"
    count = f"{len(plan.units)} of {own}" if plan.units else "select a unit, give one order"
    help_words = f"{run} runs it together   {drop} drops it   {leave} {'back' if plan.on else 'on'}"
    if not plan.units:
        help_words = f"time stands still   {drop} back"
    width = max(
        text.size("serif_bold", 20, title)[0] + text.size("sans_bold", 16, count)[0] + text.px(64),
        text.size("sans", 15, help_words)[0],
    ) + text.px(36)
    rect = pygame.Rect(0, top, width, text.px(58))
    rect.centerx = surface.get_width() // 2
    pencil.panels.draw(surface, rect)
    pygame.draw.rect(surface, pencil.palette["blue"], (rect.x + 2, rect.y + 2, text.px(6), rect.height - 4))
    cell = pencil.sprites.icon_cell("plan", "night" if pencil.panels.night else "day", text.px(28))
    if cell is not None:
        surface.blit(cell.surface, (rect.x + text.px(28) + cell.dx, rect.y + text.px(18) + cell.dy))
    ink = pencil.panels.ink
    words = text.draw(surface, (rect.x + text.px(48), rect.y + text.px(5)), title, ink, "serif_bold", 20)
    text.draw(surface, (words.right + text.px(12), rect.y + text.px(8)), count, pencil.panels.soft, "sans_bold", 16)
    text.draw(surface, (rect.x + text.px(18), rect.y + text.px(32)), help_words, ink, "sans", 15)
    return rect
