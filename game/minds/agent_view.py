"""Agent view: a mind's own body, its percepts, and its intents.

An :class:`AgentView` is made for one update of a mind and thrown away. It reads the columns of its own unit, the
percepts that the perceive stage wrote for it, and the reports of its own side. It gives no access to the true
position of any other unit. It acts only through :mod:`game.minds.intent` and by publishing events.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ai.animation.tracks.track_controller import End
from ai.core.rand import Stream, uniform
from ai.formation.group_entity import GroupState
from ai.perception.sight.line_of_sight import line_clear
from game.minds import intent
from game.minds.settings import settings_of
from game.systems.body.acts import REASON_WORDS, is_doing, order_act
from game.systems.stealth.side_knowledge import knowledge_of, listening
from game.systems.stealth.stimulus_system import see_body
from game.world.orders import OrderKind
from game.world.rules.mind_settings import MindSettings
from game.world.units import Act, Stance, Units
from game.world.world import World

FRESH = 2
"""Ticks for which a sighting still counts as seeing.

Perceive and think are different stages.
"""

COVER_WORDS = ("the place", "the crops", "the wood", "the reeds")
"""Words for a tile by its cover, 0 none .. 3 full."""

SIDE_WORDS = ("raider", "guard", "yellow soldier", "white soldier")


@dataclass(eq=False)
class AgentView:
    """View of one unit by its own mind.

    ``events`` are the bits (of Event) that woke it.
    """

    world: World
    slot: int
    events: int

    # --- itself -------------------------------------------------------------------------------------------------
    @property
    def units(self) -> Units:
        """Return the columns of all units; a mind reads its own slot only."""
        return self.world.units

    @property
    def id(self) -> int:
        """Unit id."""
        return int(self.units.id[self.slot])

    @property
    def tick(self) -> int:
        """Return the present tick."""
        return self.world.tick

    @property
    def settings(self) -> MindSettings:
        """Numbers of the minds."""
        return settings_of(self.world)

    @property
    def x(self) -> float:
        """Return the unit's x in tiles."""
        return float(self.units.x[self.slot])

    @property
    def y(self) -> float:
        """Return the unit's y in tiles."""
        return float(self.units.y[self.slot])

    @property
    def facing(self) -> float:
        """Direction of the body, radians."""
        return float(self.units.facing[self.slot])

    @property
    def side(self) -> int:
        """Return the unit's side."""
        return int(self.units.side[self.slot])

    @property
    def asleep(self) -> bool:
        """Return true if the unit sleeps."""
        return bool(self.units.asleep[self.slot])

    @property
    def moving(self) -> bool:
        """Return true if the unit wants to move."""
        return bool(self.units.moving[self.slot])

    @property
    def reach(self) -> float:
        """Reach of its weapon in tiles, 0 without one."""
        weapon = self.world.weapons[int(self.units.weapon[self.slot])]
        return weapon.reach if weapon.damage > 0 else 0.0

    def distance(self, x: float, y: float) -> float:
        """Tiles from here to (x, y)."""
        return math.hypot(x - self.x, y - self.y)

    def angle_to(self, x: float, y: float) -> float:
        """Direction of (x, y) from here; the present facing when it is right here."""
        dx, dy = x - self.x, y - self.y
        return math.atan2(dy, dx) if dx or dy else self.facing

    def dice(self, n: int) -> float:
        """Return die ``n`` of this unit in this tick, uniform in [0, 1)."""
        return uniform(self.world.seed, Stream.GUARD, self.tick, self.id, n)

    # --- percepts -----------------------------------------------------------------------------------------------
    @property
    def meter(self) -> float:
        """Return the detection meter: 0 unnoticed, 1 identified."""
        return float(self.units.meter[self.slot])

    @property
    def quarry(self) -> int:
        """Return the id of the present or last target, -1 without one."""
        return int(self.units.meter_target[self.slot])

    @property
    def seen(self) -> tuple[float, float]:
        """Return where the unit's own eyes last saw the target."""
        return float(self.units.seen_x[self.slot]), float(self.units.seen_y[self.slot])

    @property
    def seen_tick(self) -> int:
        """Return the tick of the last own sighting of the target, -1 never."""
        return int(self.units.seen_tick[self.slot])

    @property
    def sees(self) -> bool:
        """Return true if the unit's own eyes see the target now."""
        return self.quarry >= 0 and self.seen_tick >= 0 and self.tick - self.seen_tick <= FRESH

    @property
    def sees_enemy(self) -> bool:
        """Return true if the unit sees an identified enemy."""
        return self.sees and self.meter >= 1.0

    @property
    def seen_distance(self) -> float:
        """Tiles to where the quarry was last seen."""
        return self.distance(*self.seen)

    def reported(self, unit: int) -> tuple[float, float] | None:
        """Return ``unit``'s position when its own side sees it now, else None.

        A side with guards sees the units that their eyes have identified, and no others; another side sees the
        units on its map.
        """
        if self.quarry == unit and self.sees:
            return self.seen
        known = knowledge_of(self.world, self.side)
        if known is not None:
            belief = known.beliefs.about.get(unit)
            return (belief.x, belief.y) if belief is not None and belief.lost_tick < 0 else None
        u = self.units
        slot = u.slot(unit)
        x, y = float(u.x[slot]), float(u.y[slot])
        sight = self.world.sight
        if not u.alive[slot] or sight is None or not sight.sees(self.side, int(y), int(x)):
            return None
        return x, y

    def knows_dead(self, unit: int) -> bool:
        """Return true if ``unit`` is dead and the own side sees the body.

        A side with guards sees by their eyes, another one on its map.
        """
        u = self.units
        slot = u.slot(unit)
        if u.alive[slot]:
            return False
        known = knowledge_of(self.world, self.side)
        if known is not None:
            return see_body(self.world, listening(self.world, known), slot)
        sight = self.world.sight
        return sight is None or bool(sight.sees(self.side, int(u.y[slot]), int(u.x[slot])))

    def can_reach(self, x: float, y: float) -> bool:
        """Return true if a path leads to (x, y).

        Every unit knows the ground and the open doors.
        """
        if not self.walkable(x, y):
            return False
        components = self.world.components
        movement_class = int(self.units.movement_class[self.slot])
        return components is None or components.reachable(movement_class, int(self.y), int(self.x), int(y), int(x))

    def standing(self) -> np.ndarray:
        """Return bool[H, W]: tiles to which a path leads from here."""
        components, movement_class = self.world.components, int(self.units.movement_class[self.slot])
        found: np.ndarray = components.label_map(movement_class) == components.label(
            movement_class, int(self.y), int(self.x)
        )
        return found

    def line_to(self, x: float, y: float) -> bool:
        """Return true if no opaque tile lies between the unit and a place.

        Every unit knows the ground.
        """
        if self.world.terrain is None:
            return True
        return line_clear(self.world.terrain.opaque, int(self.y), int(self.x), int(y), int(x))

    def ground_words(self, x: float, y: float) -> str:
        """Return a noun for the ground at (x, y)."""
        width, height = self.size
        if self.world.terrain is None or not (0 <= x < width and 0 <= y < height):
            return COVER_WORDS[0]
        return COVER_WORDS[min(int(self.world.terrain.cover[int(y), int(x)]), len(COVER_WORDS) - 1)]

    def is_enemy(self, unit: int) -> bool:
        """Return true if ``unit`` belongs to another side."""
        return int(self.units.side[self.units.slot(unit)]) != self.side

    def call(self, unit: int) -> str:
        """Return a name for another unit: "raider 12", or "somebody" once it is lost."""
        if unit < 0:
            return "somebody"
        return f"{SIDE_WORDS[int(self.units.side[self.units.slot(unit)])]} {unit}"

    @property
    def in_group(self) -> bool:
        """Return true if the unit moves in a group that leads it."""
        return bool(self.units.band[self.slot] >= 0)

    @property
    def may_join_in(self) -> bool:
        """Return true if the group fights, or lets its members fight on their own."""
        row = int(self.units.band[self.slot])
        group = self.world.groups.rows.get(row)
        if group is None or not group.drill.together or group.done:
            return True
        return self.group_fights

    @property
    def group_fights(self) -> bool:
        """Return true if the whole group has halted and fires."""
        row = int(self.units.band[self.slot])
        return row in self.world.groups.rows and self.world.groups.state(row) == GroupState.FIGHTING

    # --- orders -------------------------------------------------------------------------------------------------
    @property
    def order(self) -> int:
        """Return the kind of the unit's order, a value of OrderKind."""
        return int(self.units.order[self.slot])

    @property
    def ordered_at(self) -> tuple[float, float]:
        """Return the place that was ordered."""
        return float(self.units.ordered_x[self.slot]), float(self.units.ordered_y[self.slot])

    @property
    def order_target(self) -> int:
        """Unit, prop or door id of the order."""
        return int(self.units.order_target[self.slot])

    def drop_order(self) -> None:
        """Remove the order of the unit."""
        u = self.units
        u.order[self.slot] = OrderKind.NONE
        u.order_target[self.slot] = -1
        u.holding[self.slot] = 0

    @property
    def queued(self) -> bool:
        """Return true if orders wait behind the present one.

        The orders stage starts them once the unit is free.
        """
        return bool(self.world.queues.get(self.id))

    @property
    def goal(self) -> tuple[float, float]:
        """Return the present goal, or the last one."""
        return float(self.units.goal_x[self.slot]), float(self.units.goal_y[self.slot])

    # --- intents ------------------------------------------------------------------------------------------------
    def go_to(self, x: float, y: float, pace: int | None = None) -> None:
        """Walk to (x, y); a path is asked for in this tick."""
        u = self.units
        width, height = self.size
        u.asleep[self.slot] = 0
        intent.go_to(self.world, self.slot, min(max(x, 0.5), width - 0.5), min(max(y, 0.5), height - 0.5), pace)

    def change_pace(self, pace: int) -> None:
        """Walk or run on the present path."""
        self.units.pace[self.slot] = pace

    def heads_for(self, x: float, y: float) -> bool:
        """Return true if the unit already walks to that tile.

        Goals are snapped to the middle of a tile.
        """
        gx, gy = self.goal
        return self.moving and math.floor(gx) == math.floor(x) and math.floor(gy) == math.floor(y)

    def halt(self) -> None:
        """Stop here."""
        intent.halt(self.world, self.slot)

    def turn(self, angle: float) -> None:
        """Turn body and head."""
        intent.turn(self.world, self.slot, angle)

    def look(self, angle: float) -> None:
        """Turn the head."""
        intent.look(self.world, self.slot, angle)

    def look_ahead(self) -> None:
        """Turn the head in line with the body."""
        intent.look(self.world, self.slot, self.facing)

    def aim(self, unit: int) -> None:
        """Shoot at ``unit`` whenever ready and clear; -1 to stop."""
        intent.aim(self.world, self.slot, unit)

    def stand_up(self) -> None:
        """Change the stance to standing."""
        self.units.stance[self.slot] = Stance.STAND

    def again(self, ticks: int) -> None:
        """Ask for another turn in so many ticks."""
        intent.set_timer(self.world, self.slot, ticks)

    @property
    def use_ticks(self) -> int:
        """Return the ticks it takes to use a thing."""
        return self.world.settings.rules.use_ticks

    def use(self, thing: int) -> int:
        """Order the body to use a prop or door; return the handle."""
        self.units.use_target[self.slot] = thing
        return order_act(self.world, self.slot, Act.USE, self.use_ticks, thing)

    def act(self, what: Act, ticks: int, target: int = -1) -> int:
        """Order an act of the body; return the handle."""
        return order_act(self.world, self.slot, what, ticks, target)

    def act_status(self, handle: int) -> End:
        """Return the status of an act that the mind ordered."""
        return self.world.acts.status(handle)

    def why_ended(self, handle: int) -> str:
        """Return why an act ended, in words; empty if it is done."""
        return REASON_WORDS[self.act_status(handle).reason]

    def barred(self, what: Act, target: int) -> bool:
        """Return true if this act on that target failed lately."""
        return self.world.deadlines.barred(self.id, int(what), target, self.tick)

    def glance(self, angle: float, ticks: int) -> None:
        """Order the head to look aside for some ticks; the legs go on."""
        order_act(self.world, self.slot, Act.LOOK, ticks, value=angle)

    @property
    def glancing(self) -> bool:
        """Return true while the head looks where a glance turned it."""
        return is_doing(self.world, self.slot, Act.LOOK)

    def bark(self, what: str) -> None:
        """Say a bark (row id of assets/data/barks.toml) as text and sound."""
        self.world.happen("bark", self.id, text=what)

    def happen(self, kind: str, other: int = -1, text: str = "") -> None:
        """Publish a fact."""
        self.world.happen(kind, self.id, other, text)

    # --- ground -------------------------------------------------------------------------------------------------
    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the map in tiles."""
        if self.world.terrain is None:
            return 1 << 20, 1 << 20
        height, width = self.world.terrain.passable.shape
        return width, height

    def walkable(self, x: float, y: float) -> bool:
        """Return true if the unit's kind can stand at (x, y).

        Every unit knows the ground.
        """
        width, height = self.size
        if not (0 <= x < width and 0 <= y < height):
            return False
        if self.world.terrain is None:
            return True
        return bool(self.world.terrain.passable[int(y), int(x)] >> int(self.units.movement_class[self.slot]) & 1)


def tiles(distance: float) -> str:
    """Return a distance as text: "6.2 tiles"."""
    return f"{distance:.1f} tiles"
