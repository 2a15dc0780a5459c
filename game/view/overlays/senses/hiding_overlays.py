"""Overlays of what stealth is made of: how sure eyes are, how loud steps are, where ground and walls hide somebody."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.tactics.hiding_places import hidden_spots
from game.systems.noise import paths_of_sound
from game.systems.stealth.stimulus_system import keenness, listeners
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import class_of, dot, focus_tile
from game.view.overlays.senses.eye_overlay import seconds_of_watchers
from game.view.painting.camera import Camera
from game.world.units import Stance

SPOTS = 12
LOUDEST = 2.5
"""Ground at the bright end of the ramp: metal."""
FARTHEST = 16.0
"""Tiles at the bright end of the ramp of cover."""


def painted(context: LabContext, shares: np.ndarray, shown: np.ndarray, alpha: int = 140) -> np.ndarray:
    """Cividis by a share of 0..1, nothing where ``shown`` is not set."""
    ramp = np.array(context.palette.ramps["cividis"], np.uint8)
    out = np.zeros((*shares.shape, 4), np.uint8)
    at = (np.clip(shares, 0, 1) * (len(ramp) - 1)).astype(np.int64)
    out[..., :3][shown] = ramp[at[shown]]
    out[..., 3][shown] = alpha
    return out


@overlay
class Certainty(Overlay):
    """Vision zones: how sure a watcher is of somebody in one look, by tile."""

    name, title, channel, scope = "certainty", "Vision zones", Channel.FILL, Scope.SELECTED
    question = "How sure is one look at somebody standing here?"

    def stamp(self, context: LabContext) -> Any:
        """Changes every tick and with the selection."""
        return context.playing.picture.tick, context.selected

    def _certainty(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        seconds = seconds_of_watchers(context, y0, x0, y1, x1)
        sweet = context.world.settings.vision.sweet_seconds
        return np.where(np.isfinite(seconds), np.minimum(1.0, sweet / np.maximum(seconds, 1e-9)), 0.0)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Cividis, bright where one look suffices; nothing where nobody sees."""
        certainty = self._certainty(context, y0, x0, y1, x1)
        return painted(context, certainty, certainty > 0, 150)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """The ramp."""
        ramp = tuple(context.palette.ramps["cividis"])
        return [LegendRow("0 to 1; blank: not seen", ramp[-1], "certainty", "ramp", ramp)]

    def empty(self, context: LabContext) -> str:
        """Nobody watches."""
        p, rows = context.playing.picture, context.rows(Scope.ALL)
        others = bool((p.side[rows] != context.playing.side).any())
        return "" if context.selected or others else "no watcher is in sight"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Of the tile under the cursor."""
        value = float(self._certainty(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        return f"certainty {value:.2f}" if value > 0 else "not seen standing here"


@overlay
class Noise(Overlay):
    """How loud ground is under feet, by tile."""

    name, title, channel, scope = "noise", "Noise of steps", Channel.FILL, Scope.ALL
    question = "From how far is a walking step heard here?"

    def stamp(self, context: LabContext) -> Any:
        """The ground is what it is."""
        return context.world.terrain.revision

    def _loudness(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """float64[h, w]: factor of the ground; 0 where nobody can walk."""
        world = context.world
        loud = world.loudness[y0:y1, x0:x1] / 8.0 if world.loudness.size else np.ones((y1 - y0, x1 - x0))
        return np.where(world.terrain.passable[y0:y1, x0:x1] != 0, loud, 0.0)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Cividis, bright where it is loud."""
        loud = self._loudness(context, y0, x0, y1, x1)
        return painted(context, loud / LOUDEST, loud > 0)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """The ramp in tiles of a walking step."""
        ramp = tuple(context.palette.ramps["cividis"])
        far = self._tiles(context, LOUDEST)
        return [LegendRow(f"0 to {far:.0f}; blank: no ground", ramp[-1], "tiles", "ramp", ramp)]

    def _tiles(self, context: LabContext, ground: float) -> float:
        return float(context.world.ears.noise_of(np.array([1.5]), np.array([ground]))[0])

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Tiles, and who listens near enough now."""
        loud = float(self._loudness(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        if loud <= 0:
            return "nobody walks here"
        radius, world = self._tiles(context, loud), context.world
        slots = listeners(world)
        near = 0
        if len(slots):
            far = paths_of_sound(world, x, y, world.units.x[slots], world.units.y[slots])
            near = int((far <= radius * keenness(world, slots)).sum())
        return f"heard {radius:.1f} tiles off, {near} listening there" if near else f"heard {radius:.1f} tiles off"


@overlay
class Cover(Overlay):
    """How far off somebody can be seen in the cover of the ground, by tile."""

    name, title, channel, scope = "hiding", "Cover", Channel.FILL, Scope.ALL
    question = "From how far is somebody crouching here seen at most?"

    def stamp(self, context: LabContext) -> Any:
        """Changes with the map."""
        return context.world.terrain.revision

    def _reach(self, context: LabContext, y0: int, x0: int, y1: int, x1: int, stance: int) -> np.ndarray:
        world = context.world
        table = world.settings.vision.hiding()
        ground = np.minimum(world.terrain.cover[y0:y1, x0:x1], len(table) - 1)
        reach: np.ndarray = table[ground, stance]
        return reach

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Cividis, dark where one is hidden best; nothing where ground hides nobody, and in walls."""
        reach = self._reach(context, y0, x0, y1, x1, Stance.CROUCH)
        walk = context.world.terrain.passable[y0:y1, x0:x1] != 0
        return painted(context, reach / FARTHEST, walk & (reach < FARTHEST), 160)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """The ramp."""
        ramp = tuple(context.palette.ramps["cividis"])
        return [LegendRow(f"0 to {FARTHEST:g}; blank: no cover", ramp[0], "tiles", "ramp", ramp)]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """For all three stances."""
        box = int(y), int(x), int(y) + 1, int(x) + 1
        far = [float(self._reach(context, *box, stance)[0, 0]) for stance in Stance]
        if min(far) >= 99:
            return "no cover"
        words = ("standing", "crouching", "lying")
        told = [f"{word} {'any distance' if f >= 99 else f'{f:g} tiles'}" for word, f in zip(words, far, strict=True)]
        return "seen " + ", ".join(told)


@overlay
class HiddenSpots(Overlay):
    """Places where somebody could hide from the one who looks from the cursor's tile."""

    name, title, channel, scope = "hidden_spots", "Hidden spots", Channel.LINE, Scope.SELECTED
    question = "Where could one hide from somebody at this tile?"

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
        """A ring at each, the likeliest firm, and the circle that a search would go through."""
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
        """The rings."""
        return [
            LegendRow("firm: looked into first", context.palette["blue"], "places", "ring"),
            LegendRow("as far as guards search", context.palette["ink"], "tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """It needs a place."""
        return "" if context.cursor[0] >= 0 or context.selected else "point at a tile"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """How many there are."""
        return f"{len(self._spots(context, (int(y), int(x))))} places to hide"
