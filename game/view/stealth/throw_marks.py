"""Marks of a thrown stone: reach, arc and ring of noise.

While the throw waits for its target, a dashed ring shows the reach of the nearest selected thrower. A dotted arc leads
to the cursor, and a second ring shows how far the stone is heard there.
"""

from __future__ import annotations

import math

import numpy as np
import pygame

from game.systems.interaction.abilities import THROW_REACH
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.view.painting.text import TextDrawer
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing
from game.world.units import Act

BOW = 0.22
"""Height of an arc as a share of its length."""
DOT_PX = 9
"""Pixels from one dot of an arc to the next."""
DASHES = 36


def arc_point(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    """Return the point of the arc from ``a`` to ``b``; both are in tiles.

    The arc bows to the north, as a stone that rises does on a map from above.
    """
    lift = BOW * math.hypot(b[0] - a[0], b[1] - a[1]) * 4 * share * (1 - share)
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share - lift


def thrower_for(playing: Playing, selected: tuple[int, ...], to: tuple[float, float]) -> tuple[float, float] | None:
    """Return the place of the selected thrower nearest to a place, or None."""
    p, world = playing.picture, playing.world
    rows = [r for r in p.rows(selected).tolist() if "stone" in world.types[int(p.kind[r])].tools]
    places = [(float(p.x[r]), float(p.y[r])) for r in rows]
    return min(places, key=lambda at: math.hypot(at[0] - to[0], at[1] - to[1]), default=None)


def draw_aim(
    surface: pygame.Surface, camera: Camera, playing: Playing, palette: Palette, text: TextDrawer,
    labels: LabelPlacer, selected: tuple[int, ...], to: tuple[float, float],
) -> None:  # fmt: skip
    """Draw reach, arc and noise of a throw to ``to``, a place in tiles."""
    start = thrower_for(playing, selected, to)
    if start is None:
        return
    away = math.hypot(to[0] - start[0], to[1] - start[1])
    _ring(surface, camera, palette, start, THROW_REACH)
    # From farther away the thrower walks until the place is within its reach.
    share = max(0.0, 1 - THROW_REACH / away) if away > 0 else 0.0
    begin = start[0] + (to[0] - start[0]) * share, start[1] + (to[1] - start[1]) * share
    _arc(surface, camera, palette, begin, to, 1.0)
    noise = float(playing.world.settings.noise.stone)
    _ring(surface, camera, palette, to, noise)
    at = camera.to_screen(to[0], to[1] + noise)
    labels.put(surface, text, f"stone, {noise:.0f} m", at, 4, palette["ink"], palette["rim"], size=15)


def draw_flights(surface: pygame.Surface, camera: Camera, playing: Playing, palette: Palette, seen: np.ndarray) -> None:
    """Draw the arc of each stone in the air; ``seen`` holds rows of units."""
    p = playing.picture
    rows = np.fromiter(seen, np.int64)
    throws = (p.action[rows] == Act.THROW) & (p.action_length[rows] > 0) & (p.alive[rows] == 1)
    for r in rows[throws].tolist():
        share = (p.tick - p.action_start[r]) / p.action_length[r]
        if 0 <= share <= 1:
            start, to = (float(p.x[r]), float(p.y[r])), (float(p.ordered_x[r]), float(p.ordered_y[r]))
            _arc(surface, camera, palette, start, to, float(share))
            at = camera.to_screen(*arc_point(start, to, float(share)))
            pygame.draw.circle(surface, palette["ink"], at, 5)
            pygame.draw.circle(surface, palette["steel"], at, 3)


def _arc(
    surface: pygame.Surface, camera: Camera, palette: Palette, a: tuple[float, float], b: tuple[float, float],
    flown: float,
) -> None:  # fmt: skip
    """Draw the dots of an arc as far as the stone has flown."""
    count = max(round(math.hypot(b[0] - a[0], b[1] - a[1]) * camera.zoom / DOT_PX), 2)
    for k in range(1, count + 1):
        if k / count > flown:
            break
        at = camera.to_screen(*arc_point(a, b, k / count))
        pygame.draw.circle(surface, palette["ink"], at, 3)
        pygame.draw.circle(surface, palette["rim"], at, 2)


def _ring(
    surface: pygame.Surface, camera: Camera, palette: Palette, centre: tuple[float, float], radius: float
) -> None:
    """Draw a dashed ring with a casing; ``radius`` is in tiles."""
    for colour, width in ((palette["ink"], 4), (palette["rim"], 2)):
        for k in range(DASHES):
            a, b = k * math.tau / DASHES, (k + 0.55) * math.tau / DASHES
            ends = [(centre[0] + math.cos(t) * radius, centre[1] + math.sin(t) * radius) for t in (a, b)]
            pygame.draw.line(surface, colour, camera.to_screen(*ends[0]), camera.to_screen(*ends[1]), width)
