"""Mouse with a tool in hand: brushes, places of units, path tests.

Every change is an order, so the world, its replay and its branches see the same strokes.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
import pygame

from game.level.model import GROUND, GROUNDS, SIDES
from game.systems.sandbox.brushes import BRUSHES, MOST_BOXES, present_ground
from game.systems.sandbox.path_test import PathTest, try_path
from game.view.lab.sandbox.tool_box import CLICKED, ToolBox
from game.view.painting.camera import Camera
from game.view.painting.painter_services import PainterServices
from game.view.window.playing import Playing
from game.world.orders import Order, OrderKind

LEFT, RIGHT = 1, 3
NEAR = 3
"""Tiles round the eraser in which it looks for the ground to lay."""
_OPEN = tuple(GROUND[name] for name in ("grass", "field", "road", "stone", "gravel", "floor"))

Box = tuple[int, int, int, int]


class _Selected(Protocol):
    @property
    def ids(self) -> tuple[int, ...]:
        """Selected unit ids."""


class MapToolContext(Protocol):
    """The play screen as the tools see it."""

    camera: Camera
    playing: Playing

    @property
    def selection(self) -> _Selected:
        """Selected units."""

    @property
    def app(self) -> PainterServices:
        """Services that all screens share."""

    def give_order(self, order: Order) -> bool:
        """Give an order to the world."""

    def tell(self, words: str) -> None:
        """Show one line for a moment."""


class MapTools:
    """Strokes of the tool in hand."""

    def __init__(self, play: MapToolContext, box: ToolBox) -> None:
        self.play, self.box = play, box
        self.pos = (-1, -1)
        self._stroke = 0
        self._last: tuple[int, int] | None = None
        """Tile of the last part of the stroke under way, None between strokes."""
        self.start: tuple[float, float] | None = None
        """Start of a path test whose goal is still to be clicked."""
        self.test: PathTest | None = None

    @property
    def painting(self) -> bool:
        """Return True while a stroke is under way."""
        return self._last is not None

    def handle(self, event: pygame.event.Event) -> bool:
        """Handle a mouse event on the map; return True if the tool took it."""
        if event.type == pygame.MOUSEMOTION:
            self.pos = event.pos
            if self._last is not None:
                self._drag(event.pos)
            return self._last is not None
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == RIGHT:
            self.box.tool, self._last, self.start = "", None, None
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == LEFT:
            self.pos = event.pos
            self._press(event.pos)
            return True
        if event.type == pygame.MOUSEBUTTONUP and event.button == LEFT and self._last is not None:
            self._last = None
            return True
        return False

    def tile_at(self, pos: tuple[int, int]) -> tuple[int, int]:
        """Return row and column of the tile under a pixel, also off the map."""
        x, y = self.play.camera.to_world(*pos)
        return math.floor(y), math.floor(x)

    def box_at(self, tile: tuple[int, int]) -> Box | None:
        """Return the box of the brush on a tile; None outside the map.

        It is left, top, right, bottom, cut at the map's edge.
        """
        size, (row, column) = self.box.size, tile
        across = down = size
        if self.box.tool == "door":
            across, down = (size, 1) if self._lies_along_x(tile) else (1, size)
        elif self.box.tool == "lamp":
            across = down = 1
        top, left = row - (down - 1) // 2, column - (across - 1) // 2
        level = self.play.playing.level
        x0, y0 = max(left, 0), max(top, 0)
        x1, y1 = min(left + across, level.width), min(top + down, level.height)
        return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None

    def _lies_along_x(self, tile: tuple[int, int]) -> bool:
        """Return whether a door at a tile lies along x.

        It does unless there is more wall above and below than left and right.
        """
        passable = self.play.playing.world.terrain.passable
        height, width = passable.shape
        row, column = tile

        def wall(dy: int, dx: int) -> int:
            y, x = row + dy, column + dx
            return int(0 <= y < height and 0 <= x < width and not passable[y, x] & 1)

        half = self.box.size // 2 + 1
        return wall(0, -half) + wall(0, half) >= wall(-half, 0) + wall(half, 0)

    def _press(self, pos: tuple[int, int]) -> None:
        x, y = self.play.camera.to_world(*pos)
        if self.box.tool in BRUSHES:
            self._begin_stroke(pos)
        elif self.box.tool == "path":
            self._test(x, y)
        elif self.box.tool == "place":
            kind, side, count = self.box.kind, float(self.box.side), (float(self.box.count),)
            self.give(Order(int(OrderKind.SPAWN), x=x, y=y, name=kind, value=side, points=count))
        elif self.box.tool in CLICKED:
            self.verb(self.box.tool, x=x, y=y)

    def verb(self, name: str, value: float = 0.0, x: float = 0.0, y: float = 0.0, text: str = "") -> None:
        """Give a debug verb to the selected units."""
        units = self.play.selection.ids
        if units:
            self.give(Order(int(OrderKind.VERB), units=units, name=name, value=value, x=x, y=y, text=text))
        else:
            self.play.tell("Select units first: put the tool down and click or drag on the map")

    def give(self, order: Order) -> None:
        """Give an order; a paused game runs the tick in which it enters."""
        clock = self.play.playing.clock
        self.play.give_order(order)
        if clock.paused and not clock.steps:
            clock.steps = 1

    def _test(self, x: float, y: float) -> None:
        """Take a start, or a goal and test the path between them."""
        if self.start is None:
            self.start, self.test = (x, y), None
            return
        start, self.start = self.start, None
        self.test = try_path(self.play.playing.world, start, (x, y), self.box.radius)

    def retest(self) -> None:
        """Test the shown path again, for another body or on the present map."""
        if self.test is not None:
            self.test = try_path(self.play.playing.world, self.test.start, self.test.goal, self.box.radius)

    def _begin_stroke(self, pos: tuple[int, int]) -> None:
        work = self.play.playing.world.brushwork
        known = max((stroke.number for stroke in (*work.done, *work.undone)), default=0)
        self._stroke = max(self._stroke, known) + 1
        tile = self.tile_at(pos)
        self._paint([tile])
        if not BRUSHES[self.box.tool].thing:
            self._last = tile

    def _drag(self, pos: tuple[int, int]) -> None:
        """Paint from the last tile to the one under the cursor."""
        assert self._last is not None, "a drag follows a press"
        tile = self.tile_at(pos)
        if tile != self._last:
            self._paint(line(self._last, tile)[1:])
            self._last = tile

    def _paint(self, tiles: list[tuple[int, int]]) -> None:
        boxes = [box for tile in tiles if (box := self.box_at(tile)) is not None]
        for first in range(0, len(boxes), MOST_BOXES):
            part = boxes[first : first + MOST_BOXES]
            ground = self.open_ground(part[0]) if self.box.tool == "erase" else ""
            points = tuple(float(v) for box in part for v in box)
            stroke = float(self._stroke)
            self.give(Order(int(OrderKind.PAINT), name=self.box.tool, points=points, value=stroke, text=ground))

    def open_ground(self, box: Box) -> str:
        """Return the commonest open ground round a box: the eraser lays it."""
        x0, y0, x1, y1 = box
        playing = self.play.playing
        ground = present_ground(playing.level.ground, playing.world)
        near = ground[max(y0 - NEAR, 0) : y1 + NEAR, max(x0 - NEAR, 0) : x1 + NEAR]
        counts = [int(np.count_nonzero(near == code)) for code in _OPEN]
        return GROUNDS[_OPEN[counts.index(max(counts))]]

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the outline of the brush, or words about the tool, under the cursor."""
        if self.pos[0] < 0 or not self.box.tool:
            return
        if self.box.tool not in BRUSHES:
            self._draw_words(surface)
            return
        box = self.box_at(self.tile_at(self.pos))
        if box is not None:
            camera, palette = self.play.camera, self.play.app.palette
            left, top = camera.to_screen(box[0], box[1])
            right, bottom = camera.to_screen(box[2], box[3])
            rect = pygame.Rect(left, top, right - left, bottom - top)
            pygame.draw.rect(surface, palette["ink"], rect.inflate(2, 2), 4)
            pygame.draw.rect(surface, palette["yellow"], rect, 2)

    def _draw_words(self, surface: pygame.Surface) -> None:
        """Draw the effect of a click beside the cursor."""
        box, text, panels = self.box, self.play.app.text, self.play.app.panels
        many = len(self.play.selection.ids)
        kind = box.kind.replace("_", " ")
        words = {
            "place": f"{box.count} {kind}{'s' if box.count > 1 else ''} of the {SIDES[box.side]}",
            "path": "start" if self.start is None else "goal",
            "teleport": f"{many} selected: teleport here",
            "patrol": f"{many} selected: next point of their route",
            "target": f"{many} selected: the enemy here is their target",
        }[box.tool]
        size = text.size("sans_bold", 15, words)
        rect = pygame.Rect(self.pos[0] + 18, self.pos[1] + 14, size[0] + text.px(16), size[1] + text.px(8))
        rect.clamp_ip(surface.get_rect())
        panels.draw(surface, rect)
        text.draw(surface, rect.center, words, panels.ink, "sans_bold", 15, "center")


def line(a: tuple[int, int], b: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the tiles of a straight line between two tiles, both included."""
    down, right = b[0] - a[0], b[1] - a[1]
    steps = max(abs(down), abs(right), 1)
    return [(round(a[0] + down * i / steps), round(a[1] + right * i / steps)) for i in range(steps + 1)]
