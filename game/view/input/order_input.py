"""Turns clicks on the map into orders.

It returns the things under the cursor, the meaning of a click there, and the order that the click makes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from game.systems.groups.slot_arrangement import drill_of
from game.systems.interaction.abilities import HIDERS
from game.view.input.command_table import target_order
from game.view.input.player_command import Command, Situation
from game.view.input.selection import unit_at
from game.view.painting.unit_picture import Picture
from game.view.window.playing import Playing
from game.world.groups.drill import Drill
from game.world.orders import Order, OrderKind
from game.world.units import Act

REACH_PX = 18
"""Pixels around the cursor within which a figure counts as hit."""


_TARGETS = ("enemy", "body", "hider", "lamp")
"""Kinds of target that are a field of :class:`Under`."""


@dataclass(frozen=True)
class Under:
    """Things under the cursor, as ids or -1, and the world position in tiles."""

    x: float
    y: float
    own: int = -1
    enemy: int = -1
    thing: int = -1
    thing_words: str = ""
    lamp: int = -1
    body: int = -1
    hider: int = -1
    """Id of a prop in which a body can be hidden."""


def look_under(playing: Playing, shown: np.ndarray, x: float, y: float, zoom: int) -> Under:
    """Return the things at a world position, among the shown rows."""
    p = playing.picture
    living = shown[p.alive[shown] == 1]
    reach = max(REACH_PX / zoom, 0.45)
    own = unit_at(p, x, y, living[p.side[living] == playing.side], reach)
    enemy = unit_at(p, x, y, living[p.side[living] != playing.side], reach)
    thing, words = _thing_at(playing.world, x, y)
    body = unit_at(p, x, y, shown[p.alive[shown] == 0], reach)
    return Under(x, y, own, enemy, thing, words, _lamp_at(playing.world, x, y), body, _hider_at(playing.world, x, y))


def _lamp_at(world: Any, x: float, y: float) -> int:
    """Return the id of the lamp at a position, or -1.

    A lamp that cannot be switched counts too; its order is refused with a message.
    """
    near = [s for s in world.lights if s.carrier < 0 and abs(s.x - x) <= 0.6 and abs(s.y - y) <= 0.6]
    return int(near[0].id) if near else -1


def _hider_at(world: Any, x: float, y: float) -> int:
    """Return the id of the hiding place for bodies at a position, or -1."""
    for prop in world.props:
        if prop.kind in HIDERS and abs(prop.x - x) <= prop.width / 2 + 0.3 and abs(prop.y - y) <= prop.height / 2 + 0.3:
            return int(prop.id)
    return -1


def _thing_at(world: Any, x: float, y: float) -> tuple[int, str]:
    """Return id and label of the usable prop or door at a position."""
    for prop in world.props:
        usable = prop.carryable or prop.door
        if (
            usable
            and prop.carrier < 0
            and abs(prop.x - x) <= prop.width / 2 + 0.3
            and abs(prop.y - y) <= prop.height / 2 + 0.3
        ):
            return int(prop.id), str(prop.name or prop.kind)
    for door in world.doors:
        if door.opens_for and door.x0 <= x < door.x1 and door.y0 <= y < door.y1:
            return int(door.id), str(door.name or door.kind)
    return -1, ""


def situation_of(playing: Playing, selected: tuple[int, ...]) -> Situation:
    """Return the state on which the availability of commands depends."""
    p = playing.picture
    rows = p.rows(selected)
    world = playing.world
    weapons = world.weapons
    armed = any(weapons[int(p.weapon[r])].reach > 0 for r in rows.tolist() if int(p.weapon[r]) < len(weapons))
    slots = world.units.slots(selected)
    kinds = [world.types[int(k)] for k in world.units.kind[slots]]
    usable = bool(world.doors) or any(prop.carryable or prop.door for prop in world.props)
    return Situation(
        selected=selected,
        side=playing.side,
        stances=frozenset(int(v) for v in p.stance[rows]),
        paces=frozenset(int(v) for v in p.pace[rows]),
        fires=frozenset(int(v) for v in world.units.fire_at_will[slots]),
        carrying=bool((p.carrying[rows] >= 0).any()),
        armed=armed,
        usable_near=usable or any(s.switchable for s in world.lights),
        tools=frozenset(tool for kind in kinds for tool in kind.tools),
        toolbox=side_has_tools(playing),
        lamps=any(s.switchable for s in world.lights),
        dragging=bool((world.units.dragging[slots] >= 0).any()),
        over=world.mission.status in ("won", "lost"),
        sandbox=world.mission.status == "sandbox",
        drill=drill_of(world, world.units.slots(selected)) if len(selected) else Drill(),
        plays=tuple((play.name, play.label) for play in world.plays),
    )


def side_has_tools(playing: Playing) -> bool:
    """Return whether any living unit of the player has an ability."""
    p = playing.picture
    kinds = np.unique(p.kind[p.living(playing.side)])
    return any(playing.world.types[int(k)].tools for k in kinds)


def meant(under: Under, armed: Command | None, situation: Situation) -> str:
    """Return the name of the order that a click means.

    It is empty when the click means no order.
    """
    if armed is not None and armed.kind == OrderKind.SPAWN:
        return armed.name
    if not situation.selected or situation.over:
        return ""
    if armed is not None:
        if armed.name == "use" and under.thing < 0 and under.lamp < 0:
            return ""
        if armed.target in _TARGETS and getattr(under, armed.target) < 0:
            return ""
        return "attack" if armed.kind == OrderKind.ATTACK_MOVE and under.enemy >= 0 else armed.name
    if under.enemy >= 0:
        return "attack" if situation.armed else "move"
    hooks = under.lamp >= 0 and "hook" in situation.tools
    return "use" if under.thing >= 0 or hooks else "move"


@dataclass(frozen=True)
class Click:
    """Click on the map.

    ``under`` holds the things under it, ``armed`` the armed command, and ``name`` the name of the order. The name is
    empty when the click means no order.
    """

    under: Under
    armed: Command | None
    name: str


def make_order(click: Click, situation: Situation, queued: bool) -> Order | None:
    """Return the order for a click, or None when it means nothing."""
    under, armed, name = click.under, click.armed, click.name
    if not name:
        return None
    if armed is not None and name == armed.name:
        target = _thing_or_lamp(under) if name == "use" else -1
        if armed.target in _TARGETS:
            target = getattr(under, armed.target)
        return target_order(armed, situation, under.x, under.y, target, queued)
    kind = {"attack": OrderKind.ATTACK, "use": OrderKind.USE, "move": OrderKind.MOVE}[name]
    target = {"attack": under.enemy, "use": _thing_or_lamp(under)}.get(name, -1)
    return Order(int(kind), situation.side, situation.selected, under.x, under.y, target, queued)


def _thing_or_lamp(under: Under) -> int:
    return under.thing if under.thing >= 0 else under.lamp


def reachable_goal(
    playing: Playing, selected: tuple[int, ...], x: float, y: float
) -> tuple[bool, tuple[float, float] | None]:
    """Return whether the first selected unit can reach a position, and a substitute.

    The substitute is the centre of the nearest reachable tile, or None when the position itself is reachable or no
    tile is found.
    """
    world, p = playing.world, playing.picture
    rows = p.rows(selected[:1])
    if len(rows) == 0:
        return True, None
    r = int(rows[0])
    height, width = world.terrain.passable.shape
    ty, tx = math.floor(y), math.floor(x)
    if not (0 <= ty < height and 0 <= tx < width):
        return False, None
    movement_class = int(p.movement_class[r])
    y0, x0 = min(max(int(p.y[r]), 0), height - 1), min(max(int(p.x[r]), 0), width - 1)
    if world.components.reachable(movement_class, y0, x0, ty, tx):
        return True, None
    place = nearest_tile(world, movement_class, (y0, x0), (ty, tx))
    return False, None if place is None else (place[1] + 0.5, place[0] + 0.5)


def nearest_tile(
    world: Any, movement_class: int, start: tuple[int, int], goal: tuple[int, int]
) -> tuple[int, int] | None:
    """Return (row, column) of the reachable tile nearest to a goal, or None."""
    found = world.components.nearest_reachable(
        world.terrain, movement_class, world.components.label(movement_class, *start), *goal
    )
    return None if found is None else (int(found[0]), int(found[1]))


def cursor_for(name: str, reachable: bool) -> str:
    """Return the name of the cursor that shows the meaning of a click."""
    if not reachable:
        return "no"
    if name in ("attack", "attack_move"):
        return "attack"
    if name in ("use", "throw", "drag", "hide", "lamp"):
        return "use"
    if name == "take_down":
        return "attack"
    if not name:
        return "arrow"
    if name.startswith("place_"):
        return "use"
    return "move"


def acting(p: Picture, row: int) -> str:
    """Return one word for the action of a unit, for its portrait."""
    if not p.alive[row]:
        return "dead"
    if p.action[row] == Act.SHOOT:
        return "shoots"
    return "moves" if p.moving[row] else "waits"
