"""Orders: the only way in which players, scripts and minds of another process speak to the world."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any

from ai.state import record


class OrderKind(IntEnum):
    """What can be ordered; the value is what the ``order`` column holds.  Append only: replays store the names."""

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
    EDIT = 22  # the map changes: points as in game.world.edits, name: the new ground, text: what is said


NO_FACING = 1000.0
"""Facing of an order that names none."""

NEEDS_POINT = {
    OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.FACE, OrderKind.SPAWN, OrderKind.THROW,
    OrderKind.SNEAK,
}  # fmt: skip
NEEDS_TARGET = {OrderKind.ATTACK, OrderKind.USE, OrderKind.TAKE_DOWN, OrderKind.DRAG, OrderKind.HIDE}
ABILITY_ORDERS = {OrderKind.THROW, OrderKind.WHISTLE, OrderKind.TAKE_DOWN, OrderKind.DRAG, OrderKind.HIDE}
MOVES = {
    OrderKind.MOVE, OrderKind.ATTACK, OrderKind.ATTACK_MOVE, OrderKind.PATROL, OrderKind.USE, OrderKind.MOVE_EACH,
    OrderKind.SNEAK,
    *ABILITY_ORDERS,
}  # fmt: skip
"""Orders that take a unit somewhere and so wait in its queue when given with shift."""


@record
class Order:
    """One order.  ``x, y`` in tiles; ``target`` a unit id (ATTACK) or a prop or door id (USE); ``queued``: after
    what the units already do; ``facing`` in radians, how a group is to stand at the end."""

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


_DEFAULTS: dict[str, Any] = {
    "target": -1, "queued": False, "name": "", "value": 0.0, "text": "", "points": (), "facing": NO_FACING,
}  # fmt: skip


def order_from_json(data: dict[str, Any]) -> Order:
    """The order in plain data; raises ValueError in one line naming the key at fault."""
    known = {"kind", "side", "units", "x", "y", *_DEFAULTS}
    for key in data:
        if key not in known:
            raise ValueError(f"order has an unknown key {key!r}; known are {', '.join(sorted(known))}")
    word = str(data.get("kind", "")).upper()
    if word not in OrderKind.__members__ or word == "NONE":
        names = ", ".join(k.name.lower() for k in OrderKind if k)
        raise ValueError(f"order kind {data.get('kind')!r} is none of {names}")
    kind = OrderKind[word]
    x, y = _number(data, "x"), _number(data, "y")
    if kind in NEEDS_POINT and not ("x" in data and "y" in data):
        raise ValueError(f"order {word.lower()} needs x and y")
    if kind in NEEDS_TARGET and "target" not in data:
        raise ValueError(f"order {word.lower()} needs a target id")
    points = tuple(float(v) for v in data.get("points", ()))
    units = tuple(int(u) for u in data.get("units", ()))
    if kind == OrderKind.MOVE_EACH and len(points) != 2 * len(units):
        raise ValueError(f"order move_each has {len(units)} units and {len(points)} numbers in points")
    if kind == OrderKind.EDIT and len(points) != 8:
        raise ValueError(f"order edit needs 8 numbers in points, got {len(points)}")
    return Order(
        int(kind),
        int(_number(data, "side")),
        units,
        x,
        y,
        int(data.get("target", -1)),
        bool(data.get("queued", False)),
        str(data.get("name", "")),
        _number(data, "value"),
        str(data.get("text", "")),
        points,
        _number(data, "facing", NO_FACING),
    )


def _number(data: dict[str, Any], key: str, default: float = 0.0) -> float:
    try:
        value = float(data.get(key, default))
    except (TypeError, ValueError):
        raise ValueError(f"order key {key} must be a number, got {data[key]!r}") from None
    if not math.isfinite(value):
        raise ValueError(f"order key {key} must be finite")
    return value
