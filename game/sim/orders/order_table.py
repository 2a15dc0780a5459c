"""Order table: kind of order to handler.

To add an order, write a handler and add it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from game.sim.orders.body_orders import Drill, Drop, Face, Halt, SetFire, SetPace, TakeStance
from game.sim.orders.data_orders import Data
from game.sim.orders.order_handler import OrderHandler
from game.sim.orders.sandbox_orders import Paint, Spawn, UnitVerb
from game.sim.orders.squad_orders import CommandSquads, SquadIntent
from game.sim.orders.target_orders import AtThing, AtUnit
from game.sim.orders.walk_orders import MoveEach, Patrol, Post, Route, Sneak, Walk
from game.sim.orders.world_orders import Edit, Setting
from game.world.orders import OrderKind

_ALL: tuple[OrderHandler, ...] = (
    Walk(), Patrol(), Sneak(), Route(), Post(), MoveEach(), AtUnit(), AtThing(), Halt(), Face(), TakeStance(),
    SetPace(), SetFire(), Drop(), Drill(), Setting(), Edit(), SquadIntent(), CommandSquads(), Data(),
    Spawn(), Paint(), UnitVerb(),
)  # fmt: skip

HANDLERS: Mapping[OrderKind, OrderHandler] = MappingProxyType({kind: one for one in _ALL for kind in one.kinds})
"""Handler of each kind of order."""
