"""Orders: the only input of the world from players, scripts and minds.

Minds here means those of another process.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

import numpy as np

from ai.core.serialization import record


class OrderKind(IntEnum):
    """Order kinds; the value is stored in the ``order`` column.

    Append only: replays store the names.
    """

    NONE = 0
    MOVE = 1
    ATTACK = 2  # a unit
    ATTACK_MOVE = 3
    PATROL = 4  # to and fro between here and there
    STOP = 5
    HOLD = 6
    USE = 7  # a prop or door
    FACE = 8
    STANCE = 9  # value: Stance
    PACE = 10  # value: Pace
    DROP = 11
    SPAWN = 12  # sandbox palette: name = unit type, side in value
    SETTING = 13  # name, value
    MOVE_EACH = 14  # points: one (x, y) a unit
    FORMATION = 15  # name: what of the drill changes (shape, spacing, ...); text or value: to what
    THROW = 16  # a stone, to a place
    WHISTLE = 17
    TAKE_DOWN = 18  # an enemy, from behind
    DRAG = 19  # a body
    HIDE = 20  # the body that is dragged, in a prop
    SNEAK = 21  # to a place, past the eyes that its side knows of
    EDIT = (
        22  # the map changes: points as in game.systems.interaction.map_edits, name: the new ground, text: what is said
    )
    ROUTE = 23  # to a place by a law of route; name: the law (game.systems.tactics.route_costs)
    POST = 24  # to the best place by a selector or recipe; name: which; target: the selected enemy, -1 the nearest
    FIRE = 25  # value: Fire
    SQUAD = 26  # the units are a squad with an intent; name: a row of game.minds.squad.intents, x and y: its place
    COMMAND = 27  # the units are squads with a commander; name: the intent, points: the objectives
    PAINT = 28  # Lab: name: a brush, undo or redo; points: boxes of tiles; value: the stroke; text: the eraser's ground
    DATA = 29  # the text of a file of assets/data replaces what the world has; name: scenes or acts
    VERB = 30  # Lab: name: a debug verb on the units; value: on, off or a side; x and y: a place; text: a skill


NO_FACING = 1000.0
"""Facing of an order that names none."""

NEEDS_POINT = {
    OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.FACE, OrderKind.SPAWN, OrderKind.THROW,
    OrderKind.SNEAK, OrderKind.ROUTE, OrderKind.SQUAD,
}  # fmt: skip
OF_SQUADS = OrderKind.SQUAD, OrderKind.COMMAND
"""Orders that make squads, or keep them."""
NEEDS_TARGET = {OrderKind.ATTACK, OrderKind.USE, OrderKind.TAKE_DOWN, OrderKind.DRAG, OrderKind.HIDE}
AT_A_UNIT = {OrderKind.ATTACK, OrderKind.TAKE_DOWN, OrderKind.DRAG}
ABILITY_ORDERS = {OrderKind.THROW, OrderKind.WHISTLE, OrderKind.TAKE_DOWN, OrderKind.DRAG, OrderKind.HIDE}
MOVES = {
    OrderKind.MOVE, OrderKind.ATTACK, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.USE, OrderKind.MOVE_EACH,
    OrderKind.SNEAK, OrderKind.ROUTE, OrderKind.POST,
    *ABILITY_ORDERS,
}  # fmt: skip
"""Orders that move a unit."""
WITH_SHIFT = MOVES | {*OF_SQUADS}
"""Orders that wait in the queues of their units with shift."""

MOST = 1e9
"""No number of an order but a place is beyond this one."""

MOST_ID = (1 << 31) - 1
LONGEST = 60
"""Characters of a value in a message."""


@record
class Order:
    """Order of a player, script or external mind.

    ``x, y`` in tiles; ``target`` is a unit id (ATTACK) or a prop or door id (USE). ``queued``: after the present
    orders of the units. ``facing`` is the final direction of a group in radians.
    """

    kind: int
    side: int = 0
    units: tuple[int, ...] = ()
    x: float = 0.0
    y: float = 0.0
    target: int = -1
    queued: bool = False
    name: str = ""
    value: float = 0.0
    text: str = ""  # value of a setting that is a word
    points: tuple[float, ...] = ()
    facing: float = NO_FACING
    squad: int = -1  # id of the squad whose mind gave the order, -1 for all others

    def to_json(self) -> dict[str, Any]:
        """Plain data with the kind's name and without fields at their default."""
        out: dict[str, Any] = {"kind": OrderKind(self.kind).name.lower(), "side": self.side}
        if self.units:
            out["units"] = list(self.units)
        if OrderKind(self.kind) in NEEDS_POINT or self.x or self.y:
            out["x"], out["y"] = self.x, self.y  # a click on a thing has its place too, and the columns keep it
        for name in _DEFAULTS:
            value = getattr(self, name)
            if value != _DEFAULTS[name]:
                out[name] = list(value) if name == "points" else value
        return out


def fault_of_form(order: Order) -> str:
    """Return the error in an order's form, empty if valid in any world.

    Numbers must be finite, because a replay cannot hold others. A unit that does not exist is refused when the order
    enters.
    """
    if not _whole(order.kind) or order.kind not in _KINDS:
        return f"there is no order of kind {brief(order.kind)}"
    word = _KINDS[order.kind].name.lower()
    if not isinstance(order.units, list | tuple) or not all(map(_whole, order.units)):
        return f"units of an order {word} must be ids, whole numbers"
    if order.units and (min(order.units) < -MOST_ID or max(order.units) > MOST_ID):
        return f"units of an order {word} must be ids, at most {MOST_ID}"
    for name in ("side", "target", "squad"):
        value = getattr(order, name)
        if not _whole(value) or not -MOST_ID <= value <= MOST_ID:  # lamps that are props too have ids below 0
            return f"{name} of an order {word} must be a whole number, at most {MOST_ID}, got {brief(value)}"
    for name in ("x", "y", "value", "facing"):
        if not _is_number(getattr(order, name)):
            return f"{name} of an order {word} must be a finite number, got {brief(getattr(order, name))}"
    if not isinstance(order.points, list | tuple) or not all(map(_is_number, order.points)):
        return f"points of an order {word} must be finite numbers"
    if not isinstance(order.name, str) or not isinstance(order.text, str):
        return f"name and text of an order {word} must be words"
    return ""


_KINDS = {int(kind): kind for kind in OrderKind if kind}


def _whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    if isinstance(value, int):
        return abs(value) < 1 << 62  # a float holds it
    return isinstance(value, np.integer) or (isinstance(value, float | np.floating) and math.isfinite(value))


def brief(value: object) -> str:
    """Return a value as it is quoted in a message: at most 60 characters."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


_DEFAULTS: dict[str, Any] = {
    "target": -1, "queued": False, "name": "", "value": 0.0, "text": "", "points": (), "facing": NO_FACING,
    "squad": -1,
}  # fmt: skip


def order_from_json(data: dict[str, Any]) -> Order:
    """Return the order from plain data; ValueError (one line) names the bad key."""
    known = {"kind", "side", "units", "x", "y", *_DEFAULTS}
    for key in data:
        if key not in known:
            raise ValueError(f"order has an unknown key {brief(key)}; known are {', '.join(sorted(known))}")
    word = str(data.get("kind", "")).upper()
    if word not in OrderKind.__members__ or word == "NONE":
        names = ", ".join(k.name.lower() for k in OrderKind if k)
        raise ValueError(f"order kind {brief(data.get('kind'))} is none of {names}")
    kind = OrderKind[word]
    x, y = _number(data, "x"), _number(data, "y")
    if kind in NEEDS_POINT and not ("x" in data and "y" in data):
        raise ValueError(f"order {word.lower()} needs x and y")
    if kind in NEEDS_TARGET and "target" not in data:
        raise ValueError(f"order {word.lower()} needs a target id")
    points = tuple(_number({"points": v}, "points") for v in _row(data, "points"))
    units = tuple(_row(data, "units"))
    if kind == OrderKind.MOVE_EACH and len(points) != 2 * len(units):
        raise ValueError(f"order move_each has {len(units)} units and {len(points)} numbers in points")
    if kind == OrderKind.EDIT and len(points) != 8:
        raise ValueError(f"order edit needs 8 numbers in points, got {len(points)}")
    order = Order(
        int(kind),
        data.get("side", 0),
        units,
        x,
        y,
        data.get("target", -1),
        bool(data.get("queued", False)),
        data.get("name", ""),
        _number(data, "value"),
        data.get("text", ""),
        points,
        _number(data, "facing", NO_FACING),
        data.get("squad", -1),
    )
    wrong = fault_of_form(order)
    if wrong:
        raise ValueError(wrong)
    return order


def _row(data: dict[str, Any], key: str) -> list[Any]:
    row = data.get(key, [])
    if not isinstance(row, list):
        raise ValueError(f"order key {key} must be a list, got {brief(row)}")
    return row


def _number(data: dict[str, Any], key: str, default: float = 0.0) -> float:
    try:
        value = float(data.get(key, default))
    except OverflowError:
        raise ValueError(f"order key {key} must be finite") from None
    except (TypeError, ValueError):
        raise ValueError(f"order key {key} must be a number, got {brief(data[key])}") from None
    if not math.isfinite(value):
        raise ValueError(f"order key {key} must be finite")
    return value
