"""Second future of a recorded game, with one change from a tick on."""

from __future__ import annotations

from dataclasses import dataclass, replace

from game.checks.comparing.comparison import GameSetup, Value
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from game.world.settings import value_of

LEAST_TICKS = 600
"""Ticks that both futures run at least."""

Log = tuple[tuple[int, Order], ...]


@dataclass(frozen=True)
class Change:
    """Change at a tick: a setting, or one order of a unit.

    ``left_out`` is the index of an order in the game's log that the unit does not get, -1 for none. ``order`` takes
    its place. Without one that is left out, ``order`` enters after the tick.
    """

    setting: str = ""
    value: Value = 0
    unit: int = -1
    left_out: int = -1
    order: Order | None = None


def setting_order(name: str, value: Value) -> Order:
    """Return the order that changes a setting."""
    if isinstance(value, str):
        return Order(int(OrderKind.SETTING), name=name, text=value)
    return Order(int(OrderKind.SETTING), name=name, value=float(value))


def next_order_of(session: Session, unit: int, tick: int) -> int:
    """Return the log's index of a unit's next order, or -1."""
    found = (i for i, (at, order) in enumerate(session.log) if at > tick and unit in order.units)
    return next(found, -1)


def what_if(game: Session, tick: int, change: Change) -> GameSetup:
    """Return the setup of both futures of a game from a tick on.

    One goes on as played, the other with the change. Both get the recorded orders. A setting is given as an order to
    both, so that the order itself is no difference.
    """
    log: Log = tuple(game.log)
    if change.left_out >= 0:
        at, order = log[change.left_out]
        rest = tuple(u for u in order.units if u != change.unit)
        kept = ((at, replace(order, units=rest)),) if rest else ()
        instead = ((at, change.order),) if change.order is not None else ()
        orders, others = log, (*log[: change.left_out], *kept, *instead, *log[change.left_out + 1 :])
    elif change.order is not None:
        later = next((i for i, (at, _) in enumerate(log) if at > tick + 1), len(log))
        orders, others = log, (*log[:later], (tick + 1, change.order), *log[later:])
    else:
        played = _value_at(game, change.setting, tick)
        orders = (*log, (tick + 1, setting_order(change.setting, played)))
        others = (*log, (tick + 1, setting_order(change.setting, change.value)))
    ticks = max(game.world.tick, tick + LEAST_TICKS)
    return GameSetup(game.level, None, {}, {}, dict(game.given_settings), game.extra_units, ticks, orders, others)


def _value_at(game: Session, name: str, tick: int) -> Value:
    """Return a setting's value after a tick of the game."""
    value: Value = value_of(game.world.settings, name)
    changes = [(at, o) for at, o in game.log if OrderKind(o.kind) == OrderKind.SETTING and o.name == name]
    if not any(at > tick for at, _ in changes):
        return value
    before = [o for at, o in changes if at <= tick]
    if not before:
        return game.given_settings.get(name, value)
    return before[-1].text if isinstance(value, str) else type(value)(before[-1].value)
