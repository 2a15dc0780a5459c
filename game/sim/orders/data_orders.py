"""Order that replaces the scenes or the table of acts of a world.

The order carries the text of the file, so that a replay repeats the change. A text with a fault is refused and changes
nothing. A scene that is played by another script now ends, and its cast is free.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ai.decision.smart_zones.scene_script import SceneScript
from game.minds.scenes.scene_turns import end_scene
from game.sim.orders.order_handler import number_fault
from game.world.groups.scene_zones import scenes_in, unwalkable
from game.world.orders import Order, OrderKind
from game.world.rules.act_table import acts_in
from game.world.world import World

FOLDER = Path("assets") / "data"
"""Folder of the files in messages."""


class Data:
    """Replace the data of the file ``name`` by a text."""

    kinds = (OrderKind.DATA,)
    to_units, waits = False, False

    def validate(self, world: World, order: Order) -> str:
        """Refuse a text with a fault, in one line with file and key."""
        if order.name not in _APPLY:
            return f"there is no data {order.name!r} to replace; use {' or '.join(_APPLY)}"
        try:
            _APPLY[order.name](world, order.text, False)
        except ValueError as error:
            return str(error)
        return number_fault(order)

    def enter(self, world: World, slots: np.ndarray, order: Order, together: np.ndarray | None = None) -> bool:
        """Replace the data."""
        _APPLY[order.name](world, order.text, True)
        return False


def _scenes(world: World, text: str, apply: bool) -> None:
    """Give each zone its script of the text."""
    path = FOLDER / "scenes.toml"
    scripts = scenes_in(path, text)
    for zone in world.scenes.zones:
        fault = _zone_fault(world, scripts, zone.scene, zone.x, zone.y)
        if fault:
            raise ValueError(f"{path}: [scene.{zone.scene}]: {fault}; zone {zone.name!r} plays it")
    for zone in world.scenes.zones if apply else ():
        before = world.scenes.script(zone)
        world.scenes.give(zone, scripts[zone.scene])
        if zone.state.running and before != world.scenes.script(zone):
            end_scene(world, zone, "its script has changed")


def _zone_fault(world: World, scripts: dict[str, SceneScript], name: str, x: float, y: float) -> str:
    """Return why a zone about (x, y) cannot play a scene, or ""."""
    if name not in scripts:
        return "the scene is missing"
    passable = world.terrain.passable
    height, width = passable.shape

    def free(px: float, py: float) -> bool:
        return bool(0 <= px < width and 0 <= py < height and passable[int(py), int(px)] & 1)

    seat = unwalkable(scripts[name], x, y, free)
    return f"{seat} cannot be walked" if seat else ""


def _acts(world: World, text: str, apply: bool) -> None:
    """Take the table of acts of the text, for the orders to come."""
    rows = acts_in(FOLDER / "acts.toml", text)
    if apply:
        world.act_rows = rows


_APPLY: dict[str, Callable[[World, str, bool], None]] = {"scenes": _scenes, "acts": _acts}
