"""Influence overlays: a generic field for each layer, sum and territory.

The side is that of the first selected unit, else the player's. Published layers are shown as they are. For a side
without readers the layers are computed for the picture alone, once a second; the world is not changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.influence.influence_pipeline import direct_map
from ai.influence.influence_queries import signed_map, zero_line
from game.systems.tactics.route_costs import danger_of
from game.systems.tactics.side_influence import load_layers, sources_of, spread_ground
from game.systems.tactics.territory import holders, territory
from game.view.overlays.grid_overlay import GridOverlay, Scale, even_scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Scope, overlay
from game.view.painting.camera import Camera
from game.world.world import World

STRONGEST = 2.0
"""Influence at which the colours end, in soldiers."""
MOST_FLOODED = 1 << 13
"""Tiles of a map above which no territory is drawn.

A flood takes 7 microseconds a tile.
"""
EVERY = 20
"""Ticks between two pictures of a field that no reader keeps up to date."""

Maps = dict[str, np.ndarray]


def side_of(context: LabContext) -> int:
    """Return the side whose knowledge is shown."""
    rows = context.playing.picture.rows(context.selected[:1])
    return int(context.playing.picture.side[rows[0]]) if len(rows) else int(context.playing.side)


def layers_of(world: World, side: int) -> Maps:
    """Return the layers of a side: the published ones, or computed for the picture."""
    state = world.influence.of(side)
    maps = state.maps() if state is not None else {}
    if maps:
        return maps
    sources, ground = sources_of(world, side), spread_ground(world)
    return {row.name: direct_map(row, sources, ground) for row in load_layers()}


class _Field(GridOverlay):
    """Generic field: a map of a side in colours.

    A signed one has a zero line.
    """

    channel, scope = Channel.FILL, Scope.SIDE
    signed = False
    words, unit = "", "soldiers"
    strongest = STRONGEST

    def __init__(self) -> None:
        self._kept: tuple[Any, np.ndarray] | None = None

    def field(self, world: World, side: int) -> np.ndarray:
        """Return the map, ``float[H, W]``."""
        raise NotImplementedError

    def shown(self, context: LabContext) -> np.ndarray:
        """Return the map of the shown side, computed once for each stamp."""
        key = self.stamp(context)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, np.asarray(self.field(context.world, side_of(context)), np.float64)
        return self._kept[1]

    def stamp(self, context: LabContext) -> Any:
        """Return a key of the side, the update and the second."""
        side = side_of(context)
        state = context.world.influence.of(side)
        new = state.published_at if state is not None and state.published_at >= 0 else -1
        return context.world.level_digest, side, new, context.playing.picture.tick // EVERY

    def scale(self, context: LabContext) -> Scale:
        """Return steps of cividis; for a signed map from orange to blue."""
        ramp, most = tuple(context.palette.ramps["diverging" if self.signed else "cividis"]), self.strongest
        if not self.signed:
            return even_scale(ramp, 0.0, most, more=True)
        return Scale(ramp, -most, most, ((-most, f"theirs {most:g}"), (0.0, "0"), (most, f"{most:g} ours")))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the field; nothing where it is zero."""
        field = self.shown(context)[y0:y1, x0:x1]
        return np.where(np.abs(field) < 1e-6, np.nan, field)

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the zero line of a signed map in ink."""
        if not self.signed:
            return
        y0, x0, y1, x1 = camera.visible_tiles()
        field = self.shown(context)[y0:y1, x0:x1]
        for ax, ay, bx, by in zero_line(field):
            a, b = camera.to_screen(ax + x0, ay + y0), camera.to_screen(bx + x0, by + y0)
            pygame.draw.line(surface, context.palette["ink"], a, b, 2)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        rows = [self.scale(context).row(self.words, self.unit)]
        if self.signed:
            rows.append(LegendRow("equal strength", context.palette["ink"], "", "line"))
        return rows

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the value of the tile under the cursor."""
        value = float(self.shown(context)[int(y), int(x)])
        return f"{value:+.2f} {self.unit}" if self.signed else f"{value:.2f} {self.unit}"


class _Layer(_Field):
    """Field of one layer of the pipeline."""

    layer = ""

    def field(self, world: World, side: int) -> np.ndarray:
        """Return the layer."""
        return layers_of(world, side)[self.layer]


@overlay
class OwnNearness(_Layer):
    """Ground that the side's own units can reach soon."""

    name, title, layer = "layer_own_nearness", "Layer: own nearness", "own_nearness"
    question = "Where can the side's own units be soon?"
    like = "layer_control"


@overlay
class OwnThreat(_Layer):
    """Ground that the side's own weapons cover."""

    name, title, layer = "layer_own_threat", "Layer: own threat", "own_threat"
    question = "What do the side's own weapons cover?"
    like = "layer_enemy_threat"


@overlay
class EnemyNearness(_Layer):
    """Ground that known enemies can reach soon."""

    name, title, layer = "layer_enemy_nearness", "Layer: enemy nearness", "enemy_nearness"
    question = "Where can the known enemies be soon?"
    like = "layer_control"


@overlay
class EnemyThreat(_Layer):
    """Ground that known enemies' weapons cover."""

    name, title, layer = "layer_enemy_threat", "Layer: enemy threat", "enemy_threat"
    question = "What do the known enemies' weapons cover?"


@overlay
class ControlMap(_Field):
    """Own nearness less that of known enemies, with the line where they are equal."""

    name, title, signed = "layer_control", "Layer: control", True
    question = "Where is the line between the two sides?"

    def field(self, world: World, side: int) -> np.ndarray:
        """Return own nearness less enemy nearness."""
        maps = layers_of(world, side)
        return signed_map(maps["own_nearness"], maps["enemy_nearness"])


@overlay
class FrontMap(_Field):
    """Product of both sides' threats: highest along the front."""

    name, title = "layer_front", "Layer: front"
    question = "Where do both sides' weapons meet?"
    unit = "product"

    def field(self, world: World, side: int) -> np.ndarray:
        """Return the product of own and enemy threat."""
        maps = layers_of(world, side)
        return np.asarray(maps["own_threat"] * maps["enemy_threat"])


@overlay
class DangerMap(_Field):
    """Learned danger: places where the side's units were hit."""

    name, title, strongest = "layer_danger", "Layer: learned danger", 1.0
    question = "Where was the side hit, as it remembers?"
    unit = "share of most"

    def field(self, world: World, side: int) -> np.ndarray:
        """Return the learned danger."""
        return danger_of(world, side)

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        side = side_of(context)
        return "" if any(f.side == side for f in context.world.tactics.frags) else "no hit is remembered"


@overlay
class Territory(GridOverlay):
    """Ground that each unit holds."""

    name, title, channel, scope = "territory", "Territory", Channel.FILL, Scope.ALL
    question = "Which unit holds which ground?"
    crisp, strength = True, 120

    def __init__(self) -> None:
        self._kept: tuple[Any, np.ndarray] | None = None

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        if not self._fits(context):
            return "this map is too large for it"
        return "" if len(context.rows(Scope.ALL)) else "no unit is left to hold ground"

    def _fits(self, context: LabContext) -> bool:
        return int(context.world.terrain.passable.size) <= MOST_FLOODED

    def _owner(self, context: LabContext) -> np.ndarray:
        if not self._fits(context):
            return np.full(context.world.terrain.passable.shape, -1, np.int64)
        key = self.stamp(context)
        if self._kept is None or self._kept[0] != key:
            self._kept = key, territory(context.world)
        return self._kept[1]

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes twice a second, and with the law."""
        law = context.world.settings.tactics.territory
        return context.world.level_digest, law, context.playing.picture.tick // 10

    def scale(self, context: LabContext) -> Scale:
        """Return the colours that holders share in turn."""
        colours = tuple(context.palette.ramps["okabe_ito"][:6])
        return Scale(colours, -0.5, len(colours) - 0.5)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return a colour's index for each holder; nothing on ground that nobody holds."""
        owner = self._owner(context)[y0:y1, x0:x1]
        return np.where(owner >= 0, owner % 6, np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the number of holders."""
        owner = self._owner(context)
        ramp = self.scale(context).ramp
        return [LegendRow("a colour for each", ramp[0], f"{len(np.unique(owner[owner >= 0]))} holders", "ramp", ramp)]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the holder of the tile under the cursor."""
        row = int(self._owner(context)[int(y), int(x)])
        slots, _, _ = holders(context.world)
        if row < 0 or row >= len(slots):
            return "no unit holds it"
        return f"held by {context.world.name_of(int(context.world.units.id[slots[row]]))}"
