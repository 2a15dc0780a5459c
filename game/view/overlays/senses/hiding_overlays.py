"""Overlays of stealth: certainty of one look, noise of steps, cover and hiding places."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.tactics.hiding_places import hidden_spots
from game.systems.noise import paths_of_sound
from game.systems.stealth.stimulus_system import keenness, listeners
from game.view.overlays.grid_overlay import GridOverlay, Scale, even_scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import class_of, dot, focus_tile
from game.view.overlays.senses.eye_overlay import seconds_of_watchers
from game.view.painting.camera import Camera
from game.world.units import Stance

SPOTS = 12
LOUDEST = 2.5
"""Loudness of ground at the bright end of the ramp: metal."""
FARTHEST = 16.0
"""Distance in tiles at the bright end of the ramp of cover."""


@overlay
class Certainty(GridOverlay):
    """Vision zones: certainty of one look of a watcher, by tile."""

    name, title, channel, scope = "certainty", "Vision zones", Channel.FILL, Scope.SELECTED
    question = "How certain is one look at a unit that stands here?"
    like = "zones"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes every tick and with the selection."""
        return context.playing.picture.tick, context.selected

    def _certainty(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        seconds = seconds_of_watchers(context, y0, x0, y1, x1)
        sweet = context.world.settings.vision.sweet_seconds
        return np.where(np.isfinite(seconds), np.minimum(1.0, sweet / np.maximum(seconds, 1e-9)), 0.0)

    def scale(self, context: LabContext) -> Scale:
        """Return steps from 0 to 1."""
        return even_scale(tuple(context.palette.ramps["cividis"]), 0.0, 1.0, parts=2)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the certainty; nothing on unseen tiles."""
        certainty = self._certainty(context, y0, x0, y1, x1)
        return np.where(certainty > 0, certainty, np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        return [self.scale(context).row("blank: not seen", "certainty")]

    def empty(self, context: LabContext) -> str:
        """Return a message while no watcher is shown."""
        p, rows = context.playing.picture, context.rows(Scope.ALL)
        others = bool((p.side[rows] != context.playing.side).any())
        return "" if context.selected or others else "no watcher is in sight"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the certainty for the tile under the cursor."""
        value = float(self._certainty(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        return f"certainty {value:.2f}" if value > 0 else "a standing unit is not seen here"


@overlay
class Noise(GridOverlay):
    """Loudness of steps on the ground, by tile."""

    name, title, channel, scope = "noise", "Noise of steps", Channel.FILL, Scope.ALL
    question = "From how far is a walking step heard here?"
    like = "areas"
    crisp = True

    def stamp(self, context: LabContext) -> Any:
        """Return the revision of the terrain; loudness depends on the map alone."""
        return context.world.terrain.revision

    def _loudness(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return float64[h, w]: loudness factor of the ground; 0 on impassable tiles."""
        world = context.world
        loud = world.loudness[y0:y1, x0:x1] / 8.0 if world.loudness.size else np.ones((y1 - y0, x1 - x0))
        return np.where(world.terrain.passable[y0:y1, x0:x1] != 0, loud, 0.0)

    def scale(self, context: LabContext) -> Scale:
        """Return steps of loudness, marked with the distance of hearing."""
        told = [(ground, f"{self._tiles(context, ground):.0f}") for ground in (0.0, LOUDEST / 2, LOUDEST)]
        return Scale(tuple(context.palette.ramps["cividis"]), 0.0, LOUDEST, tuple(told))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the loudness of the ground; nothing where no unit walks."""
        loud = self._loudness(context, y0, x0, y1, x1)
        return np.where(loud > 0, loud, np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp: tiles from which a walking step is heard."""
        return [self.scale(context).row("blank: no ground", "tiles, a walk")]

    def _tiles(self, context: LabContext, ground: float) -> float:
        return float(context.world.ears.noise_of(np.array([1.5]), np.array([ground]))[0])

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the hearing distance in tiles, and the number of listeners within it."""
        loud = float(self._loudness(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        if loud <= 0:
            return "no unit can walk here"
        radius, world = self._tiles(context, loud), context.world
        slots = listeners(world)
        near = 0
        if len(slots):
            far = paths_of_sound(world, x, y, world.units.x[slots], world.units.y[slots])
            near = int((far <= radius * keenness(world, slots)).sum())
        return f"heard up to {radius:.1f} tiles away, by {near} now" if near else f"heard up to {radius:.1f} tiles away"


@overlay
class Cover(GridOverlay):
    """Largest distance from which a unit is seen in cover, by tile."""

    name, title, channel, scope = "hiding", "Cover", Channel.FILL, Scope.ALL
    question = "From how far is a crouching unit seen here at most?"
    like = "zones"
    crisp, strength = True, 160

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the map."""
        return context.world.terrain.revision

    def _reach(self, context: LabContext, y0: int, x0: int, y1: int, x1: int, stance: int) -> np.ndarray:
        world = context.world
        table = world.settings.vision.hiding()
        ground = np.minimum(world.terrain.cover[y0:y1, x0:x1], len(table) - 1)
        reach: np.ndarray = table[ground, stance]
        return reach

    def scale(self, context: LabContext) -> Scale:
        """Return steps in tiles, dark where cover is best."""
        return even_scale(tuple(context.palette.ramps["cividis"]), 0.0, FARTHEST)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the largest distance; nothing without cover and in walls."""
        reach = self._reach(context, y0, x0, y1, x1, Stance.CROUCH)
        walk = context.world.terrain.passable[y0:y1, x0:x1] != 0
        return np.where(walk & (reach < FARTHEST), reach, np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        return [self.scale(context).row("blank: no cover", "tiles")]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the largest distances for standing, crouching and lying."""
        box = int(y), int(x), int(y) + 1, int(x) + 1
        far = [float(self._reach(context, *box, stance)[0, 0]) for stance in Stance]
        if min(far) >= 99:
            return "no cover"
        words = ("standing", "crouching", "lying")
        told = [f"{word} {'any distance' if f >= 99 else f'{f:g} tiles'}" for word, f in zip(words, far, strict=True)]
        return "seen " + ", ".join(told)


@overlay
class HiddenSpots(Overlay):
    """Places hidden from a unit that looks from the tile under the cursor."""

    name, title, channel, scope = "hidden_spots", "Hidden spots", Channel.LINE, Scope.SELECTED
    question = "Where can a unit hide from a watcher at this tile?"
    like = "spots"

    def __init__(self) -> None:
        self._kept: tuple[Any, np.ndarray] | None = None

    def _spots(self, context: LabContext, tile: tuple[int, int]) -> np.ndarray:
        world = context.world
        key = tile, world.terrain.revision, class_of(context)
        if self._kept is None or self._kept[0] != key:
            reachable = (world.terrain.passable >> class_of(context) & 1).astype(bool)
            radius = world.settings.minds.search_radius
            found = hidden_spots(
                world.terrain.opaque, world.terrain.cover, reachable, tile[1] + 0.5, tile[0] + 0.5, radius, SPOTS
            )
            self._kept = key, found
        return self._kept[1]

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the search radius and a ring at each place.

        The rings of the first four places are thick.
        """
        tile = focus_tile(camera, context)
        if tile is None:
            return
        palette = context.palette
        eye = camera.to_screen(tile[1] + 0.5, tile[0] + 0.5)
        pygame.draw.circle(
            surface, palette["ink"], eye, round(context.world.settings.minds.search_radius * camera.zoom), 1
        )
        dot(surface, context, eye, palette["yellow"], max(camera.zoom // 5, 3))
        for k, (x, y) in enumerate(self._spots(context, tile).tolist()):
            at = camera.to_screen(x, y)
            if not surface.get_clip().inflate(camera.zoom, camera.zoom).collidepoint(at):
                continue
            pygame.draw.circle(surface, palette["rim"], at, max(camera.zoom // 3, 5) + 1, 5)
            pygame.draw.circle(surface, palette["blue"], at, max(camera.zoom // 3, 5), 3 if k < 4 else 1)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of rings and circle."""
        return [
            LegendRow("thick: searched first", context.palette["blue"], "places", "ring"),
            LegendRow("search radius of guards", context.palette["ink"], "tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no tile is chosen."""
        return "" if context.cursor[0] >= 0 or context.selected else "point at a tile"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the number of hiding places."""
        return f"{len(self._spots(context, (int(y), int(x))))} places to hide"
