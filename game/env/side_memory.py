"""Memory of a side: ground and things as it last saw them.

An observation is made of this memory alone, so it cannot depend on what the side does not know.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from game.systems.stealth.side_knowledge import knowledge_of
from game.systems.stealth.watcher_intel import sightings_of
from game.world.world import World

FORGOTTEN = 400
"""Ticks after which a remembered enemy has no weight left."""


@dataclass(frozen=True)
class Seen:
    """Enemy or thing as it was last seen: position in tiles, tick."""

    x: float
    y: float
    tick: int


@dataclass
class SideMemory:
    """Ground, enemies, bodies and things by the last look of a side.

    ``passable, opaque, cover: uint8[H, W]`` hold tiles as last seen; ``explored: bool[H, W]`` tells which were.
    ``light: uint8[H, W]`` is the light at the last look. ``enemies, bodies`` are unit ids; ``things`` are ids of
    props and doors.
    """

    side: int
    explored: NDArray[np.bool_]
    visible: NDArray[np.bool_]
    passable: NDArray[np.uint8]
    opaque: NDArray[np.uint8]
    cover: NDArray[np.uint8]
    light: NDArray[np.uint8]
    enemies: dict[int, Seen] = field(default_factory=dict)
    bodies: dict[int, Seen] = field(default_factory=dict)
    things: dict[int, Seen] = field(default_factory=dict)
    in_sight: list[int] = field(default_factory=list)
    """Ids of living enemies that the side sees now, sorted."""

    def copy(self) -> SideMemory:
        """Return a memory that shares nothing with this one that can change."""
        kept = {f.name: copy(getattr(self, f.name)) for f in fields(self)}
        return SideMemory(**kept)

    def look(self, world: World) -> None:
        """Add what the side sees at this tick."""
        u, terrain, tick = world.units, world.terrain, world.tick
        self.visible = world.sight.visible_mask(self.side)
        seen = self.visible
        self.explored |= seen
        self.passable[seen] = terrain.passable[seen]
        self.opaque[seen] = terrain.opaque[seen]
        self.cover[seen] = terrain.cover[seen]
        self.light[seen] = world.light.level[seen]
        foes = np.flatnonzero((u.side[: u.count] != self.side) & (u.hidden[: u.count] == 0))
        foes = foes[world.sight.sees_positions(self.side, u.x[foes], u.y[foes])]
        living, dead = foes[u.alive[foes] == 1], foes[u.alive[foes] == 0]
        self._forget(self.enemies, tick)
        self._forget(self.bodies, tick)
        for slot in living.tolist():
            self.enemies[int(u.id[slot])] = Seen(float(u.x[slot]), float(u.y[slot]), tick)
        for slot in dead.tolist():
            self.enemies.pop(int(u.id[slot]), None)
            self.bodies[int(u.id[slot])] = Seen(float(u.x[slot]), float(u.y[slot]), tick)
        self.in_sight = sorted(int(u.id[slot]) for slot in living.tolist())
        self._hear_of(world)
        self._look_at_things(world)

    def _forget(self, kept: dict[int, Seen], tick: int) -> None:
        """Remove old entries, and those whose place is in sight now."""
        for unit, at in list(kept.items()):
            if self.sees(at.x, at.y) or tick - at.tick > FORGOTTEN:
                del kept[unit]

    def _hear_of(self, world: World) -> None:
        """Take over later knowledge: sightings of watchers, and beliefs of a side of guards."""
        known = sightings_of(world, self.side)
        for unit, last in known.about.items() if known is not None else ():
            if unit not in self.enemies or self.enemies[unit].tick < last.tick:
                self.enemies[unit] = Seen(last.x, last.y, last.tick)
        beliefs = knowledge_of(world, self.side)
        for unit, belief in beliefs.beliefs.about.items() if beliefs is not None else ():
            if np.isfinite(belief.x) and (unit not in self.enemies or self.enemies[unit].tick < belief.tick):
                self.enemies[unit] = Seen(belief.x, belief.y, belief.tick)

    def _look_at_things(self, world: World) -> None:
        own = {int(i) for i in world.units.id[world.units.living(self.side)].tolist()}
        for prop in world.props:
            if prop.carrier in own or self.sees(prop.x, prop.y):
                self.things[prop.id] = Seen(prop.x, prop.y, world.tick)
            elif prop.id in self.things and self.sees(self.things[prop.id].x, self.things[prop.id].y):
                del self.things[prop.id]  # it was there, and now it is not
        for door in world.doors:
            box = self.visible[max(door.y0 - 1, 0) : door.y1 + 1, max(door.x0 - 1, 0) : door.x1 + 1]
            if box.any():
                x, y = door.centre
                self.things[door.id] = Seen(x, y, world.tick)

    def sees(self, x: float, y: float) -> bool:
        """Return whether the side sees a position now; False off the map."""
        height, width = self.visible.shape
        row, column = int(np.floor(y)), int(np.floor(x))
        return 0 <= row < height and 0 <= column < width and bool(self.visible[row, column])

    def danger(self, world: World) -> NDArray[np.uint8]:
        """Return how many known watchers would see a standing unit, ``uint8[H, W]``.

        It is 0 everywhere for a side that keeps no exposure map.
        """
        known = sightings_of(world, self.side)
        return known.chart.front[0] if known is not None else np.zeros(self.visible.shape, np.uint8)


def side_memory(world: World, side: int) -> SideMemory:
    """Return the memory of a side that has seen nothing yet."""
    shape = world.terrain.passable.shape
    passable, opaque, cover, light = (np.zeros(shape, np.uint8) for _ in range(4))
    return SideMemory(side, np.zeros(shape, np.bool_), np.zeros(shape, np.bool_), passable, opaque, cover, light)
