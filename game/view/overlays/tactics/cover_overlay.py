"""Cover overlay: at each place beside a wall, the sides from which attacks fail.

The values are those of the table that units ask (:mod:`ai.tactics.ground.cover_directions`). Places are computed some
a frame, from the middle of the screen outwards, so that no frame is delayed.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import numpy as np
import pygame

from ai.tactics.ground.cover_directions import DIRECTIONS
from ai.tactics.ground.tactical_facts import TacticalGround
from game.systems.tactics.tactical_places import ground_of
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import class_of
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette
from game.world.units import Stance

A_FRAME = 128
"""Places that are computed in a frame at most."""
FROM = 8
"""Zoom in pixels a tile from which roses are drawn."""
STEPS = 8
"""Steps of a petal's length; the table has no finer values."""
KEPT = 600
"""Roses that are kept as pictures."""
FINER = 4
"""Times that a rose is painted larger and then reduced, against jagged edges."""
WINDS = ("E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW", "N", "NNE", "NE", "ENE")


@overlay
class CoverDirections(Overlay):
    """Rose of cover at each place beside a wall, for the selected unit's stance."""

    name, title, channel, scope = "cover_directions", "Cover by direction", Channel.MARK, Scope.SELECTED
    question = "From which sides does each place shield this stance?"
    like = "rated_places"

    def __init__(self) -> None:
        self._roses: OrderedDict[tuple[int, bytes], pygame.Surface] = OrderedDict()

    def stance(self, context: LabContext) -> int:
        """Return the row of the table: 0 standing, 1 crouching or lying."""
        rows = context.playing.picture.rows(context.selected[:1])
        return int(len(rows) > 0 and context.playing.picture.stance[rows[0]] != Stance.STAND)

    def _ground(self, context: LabContext) -> TacticalGround:
        return ground_of(context.world, class_of(context))

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a rose on each place whose cover is known."""
        if camera.zoom < FROM:
            return
        ground, stance = self._ground(context), self.stance(context)
        y0, x0, y1, x1 = camera.visible_tiles()
        tiles = (np.argwhere(ground.spots[y0:y1, x0:x1]) + (y0, x0)).astype(np.int32)
        known = ground.cover.rows[stance, tiles[:, 0], tiles[:, 1]] >= 0
        if not known.all():
            waiting = np.flatnonzero(~known)
            far = np.hypot(*(tiles[waiting] - ((y0 + y1) / 2, (x0 + x1) / 2)).T)
            now = waiting[np.argsort(far, kind="stable")[:A_FRAME]]
            ground.cover.directions(tiles[now], stance)
            known[now] = True
        tiles = tiles[known]
        if not len(tiles):
            return
        steps = np.rint(ground.cover.directions(tiles, stance) * STEPS).astype(np.uint8)
        half = camera.zoom // 2
        pictures = []
        for (y, x), petals in zip(tiles.tolist(), steps, strict=True):
            px, py = camera.to_screen(x + 0.5, y + 0.5)
            pictures.append((self._rose(camera.zoom, petals.tobytes(), context.palette), (px - half, py - half)))
        surface.fblits(pictures)

    def _rose(self, zoom: int, petals: bytes, palette: Palette) -> pygame.Surface:
        key = zoom, petals
        found = self._roses.get(key)
        if found is None:
            found = self._roses[key] = painted_rose(zoom, petals, palette.ramps["okabe_ito"][4], palette["rim"])
            if len(self._roses) > KEPT:
                self._roses.popitem(last=False)
        self._roses.move_to_end(key)
        return found

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of a petal, and the stance."""
        blue = context.palette.ramps["okabe_ito"][4]
        return [
            LegendRow("long petal: attacks fail", blue, "0 to 1"),
            LegendRow(f"for a {'crouching' if self.stance(context) else 'standing'} unit", blue, "stance", "plain"),
            LegendRow(f"drawn from {FROM} pixels a tile", blue, "", "plain"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        return "" if self._ground(context).spots.any() else "no place on this map lies beside a wall"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the cover from the side of the tile at which the cursor is."""
        ground = self._ground(context)
        tile = np.array([[int(y), int(x)]], np.int32)
        if not ground.spots[int(y), int(x)]:
            return ""
        turn = math.atan2(y - int(y) - 0.5, x - int(x) - 0.5)
        side = round(turn / (math.tau / DIRECTIONS)) % DIRECTIONS
        standing, crouching = (float(ground.cover.directions(tile, stance)[0, side]) for stance in (0, 1))
        return f"cover from {WINDS[side]}: {standing:.2f} standing, {crouching:.2f} crouching"


def painted_rose(zoom: int, petals: bytes, colour: RGB, rim: RGB) -> pygame.Surface:
    """Return a rose of sixteen petals, each as long as its cover in steps."""
    size = zoom * FINER
    made = pygame.Surface((size, size), pygame.SRCALPHA)
    middle, most = size / 2, size * 0.48
    half = math.pi / DIRECTIONS * 0.8
    for k, steps in enumerate(petals):
        if not steps:
            continue
        turn, far = k * math.tau / DIRECTIONS, most * steps / STEPS
        points = [(middle, middle)] + [
            (middle + far * math.cos(turn + off), middle + far * math.sin(turn + off)) for off in (-half, half)
        ]
        pygame.draw.polygon(made, colour, points)
    pygame.draw.circle(made, rim, (round(middle), round(middle)), max(size // 12, 1))
    return pygame.transform.smoothscale(made, (zoom, zoom))
