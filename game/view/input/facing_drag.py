"""Facing drag: sets the facing of a formation with the mouse button held.

You press at the destination, drag in the direction of the facing, and release. The ghosts of all slots show before the
order is given. A press that moves at most six pixels is a click. Escape or another button cancels the drag.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pygame

from game.systems.groups.formation_preview import NO_GHOSTS, Ghosts, preview
from game.view.input.order_input import Click
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette
from game.view.window.playing import Playing
from game.world.orders import NO_FACING

LEAST_PX = 6
"""Pixels up to which a press is a click."""
AGAIN_MS = 40
"""Milliseconds between two computations of the ghosts."""


@dataclass
class FacingDrag:
    """Button held on the map.

    ``pressed`` is the pixel of the press, ``now`` the pixel of the mouse. ``click`` is the meaning of the press.
    """

    button: int
    pressed: tuple[int, int]
    click: Click
    now: tuple[int, int] = (0, 0)
    dragging: bool = False
    ghosts: Ghosts = NO_GHOSTS
    _looked: int = -1000
    _facing: float = NO_FACING

    def move(self, pos: tuple[int, int]) -> None:
        """Set the pixel of the mouse; a drag begins beyond ``LEAST_PX``."""
        self.now = pos
        if math.hypot(pos[0] - self.pressed[0], pos[1] - self.pressed[1]) > LEAST_PX:
            self.dragging = True

    @property
    def facing(self) -> float:
        """Facing of the group in radians; NO_FACING for a click."""
        dx, dy = self.now[0] - self.pressed[0], self.now[1] - self.pressed[1]
        if not self.dragging or (dx == 0 and dy == 0):
            return NO_FACING
        return math.atan2(dy, dx)

    def look(self, playing: Playing, units: tuple[int, ...], now_ms: int) -> None:
        """Compute the ghosts again if the facing changed, at most once in ``AGAIN_MS``."""
        facing = self.facing
        if facing == NO_FACING:
            self.ghosts = NO_GHOSTS
        elif facing != self._facing and now_ms - self._looked >= AGAIN_MS:
            self._looked, self._facing = now_ms, facing
            self.ghosts = preview(playing.world, units, self.click.under.x, self.click.under.y, facing)


def draw_ghosts(surface: pygame.Surface, camera: Camera, palette: Palette, drag: FacingDrag, colour: RGB) -> None:
    """Draw the slots as rings with noses, and the facing as an arrow."""
    draw_slots(surface, camera, palette, drag.ghosts.slots, colour, drag.ghosts.kept)
    draw_holes(surface, camera, palette, drag.ghosts.holes, colour)
    if not drag.dragging:
        return
    start = camera.to_screen(drag.click.under.x, drag.click.under.y)
    angle = drag.facing
    length = max(camera.zoom * 1.6, math.hypot(drag.now[0] - start[0], drag.now[1] - start[1]))
    end = (start[0] + math.cos(angle) * length, start[1] + math.sin(angle) * length)
    head = [end] + [(end[0] - math.cos(angle + s) * 14, end[1] - math.sin(angle + s) * 14) for s in (0.45, -0.45)]
    pygame.draw.line(surface, palette["rim"], start, end, 6)
    pygame.draw.polygon(surface, palette["rim"], [(x + 1, y + 1) for x, y in head], 4)
    pygame.draw.line(surface, colour, start, end, 3)
    pygame.draw.polygon(surface, colour, head)


def draw_slots(
    surface: pygame.Surface,
    camera: Camera,
    palette: Palette,
    slots: np.ndarray,
    colour: RGB,
    kept: np.ndarray | None = None,
) -> None:
    """Draw slots as rings with a nose in the direction of their facing.

    ``slots`` float64[n, 3] holds x, y and facing. ``kept`` bool[n] marks the slots that a play reserves for certain
    units; they get a frame.
    """
    radius = max(3, round(camera.zoom * 0.3))
    window = surface.get_rect().inflate(4 * radius, 4 * radius)
    for i, (x, y, facing) in enumerate(slots.tolist()):
        at = camera.to_screen(x, y)
        if not window.collidepoint(at):
            continue
        nose = (at[0] + math.cos(facing) * radius * 1.7, at[1] + math.sin(facing) * radius * 1.7)
        pygame.draw.circle(surface, palette["rim"], at, radius + 2, 4)
        pygame.draw.line(surface, palette["rim"], at, nose, 5)
        pygame.draw.circle(surface, colour, at, radius, 2)
        pygame.draw.line(surface, colour, at, nose, 2)
        if kept is not None and kept[i]:
            _frame(surface, at, facing, camera.zoom, colour, palette["rim"], False)


def draw_holes(surface: pygame.Surface, camera: Camera, palette: Palette, holes: np.ndarray, colour: RGB) -> None:
    """Draw the reserved places of a play that stay empty as broken frames.

    ``holes`` float64[k, 3] holds x, y and facing.
    """
    for x, y, facing in holes.tolist():
        _frame(surface, camera.to_screen(x, y), facing, camera.zoom, colour, palette["rim"], True)


FRAME = 0.52
"""Half the side of the frame of a reserved place, in tiles.

The frame is larger than a figure with its ring and clear of the neighbour's frame.
"""


def _frame(
    surface: pygame.Surface, at: tuple[int, int], facing: float, zoom: int, colour: RGB, rim: RGB, broken: bool
) -> None:
    """Draw a square around a place, turned by the facing; broken: only its corners."""
    half = max(5.0, FRAME * zoom)
    c, s = math.cos(facing), math.sin(facing)
    turned = [
        (at[0] + half * (f * c - r * s), at[1] + half * (f * s + r * c))
        for f, r in ((1, -1), (1, 1), (-1, 1), (-1, -1))
    ]
    for shade, width in ((rim, 5), (colour, 3)):
        for (ax, ay), (bx, by) in zip(turned, turned[1:] + turned[:1], strict=True):
            if not broken:
                pygame.draw.line(surface, shade, (ax, ay), (bx, by), width)
                continue
            dx, dy = (bx - ax) * 0.3, (by - ay) * 0.3
            pygame.draw.line(surface, shade, (ax, ay), (ax + dx, ay + dy), width)
            pygame.draw.line(surface, shade, (bx, by), (bx - dx, by - dy), width)
