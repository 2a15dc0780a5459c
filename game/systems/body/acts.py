"""Acts: orders from minds and from the world to the bodies of units.

Every act is an order on the tracks of its body, with one end. Columns show the act that began last, for pictures and
for readers that need no more. What the world does to a body, such as a hit, goes the same way as what a mind orders.

Sources: "Game AI Pro 2", 12.6 (orders, handles, tracks) and 1.4 (tells).
"""

from __future__ import annotations

import numpy as np

from ai.animation.tracks.act_kinds import REPORTS, START_OF, ActStage, Reason, Status, Track
from ai.animation.tracks.act_order import ActOrder
from ai.animation.tracks.track_controller import (
    BEGUN,
    END_KIND,
    END_REASON,
    END_STATUS,
    END_UNIT,
    HANDLE,
    KIND,
    STAGE,
    TRACKS,
    UNIT,
)
from game.world.rules.act_table import SHOWN, WORDS, act_table
from game.world.units import Act
from game.world.world import World

_SHOWN = np.array([int(act) for act in SHOWN])
DOOR_WAIT = 35
"""Ticks that a use may wait for a unit in the door."""
REASON_WORDS = {
    Reason.NONE: "",
    Reason.OUTRANKED: "the body does something more important",
    Reason.REPLACED: "another act took its place",
    Reason.REFUSED: "it does not work",
    Reason.TIMED_OUT: "it takes too long",
    Reason.CANCELLED: "it was cancelled",
}


def begin_act(world: World, slot: int, what: Act, ticks: int, target: int = -1, value: float = 0.0) -> int:
    """Order an act of some ticks; return its handle, -1 for the dead.

    The length includes the wind-up. ``value`` is the angle of a look in radians.
    """
    u, acts = world.units, world.acts
    if u.action[slot] == Act.DIE:
        return -1
    unit, wind_up = int(u.id[slot]), int(world.act_rows[what, START_OF])
    handle = acts.order(ActOrder(unit, int(what), max(1, ticks - wind_up), target, value), world.tick)
    at = acts.row_of(handle)
    if at < 0:
        return handle
    begun, stage = int(acts.rows[at, BEGUN]), int(acts.rows[at, STAGE])
    if what in SHOWN:  # an order that merges into a wind-up does not begin it again
        u.action[slot], u.action_start[slot] = what, begun
        u.action_length[slot] = acts.length_of(handle)
    elif what == Act.LOOK:
        u.head[slot] = value
    if stage == ActStage.START and begun == world.tick:
        world.happen("tell", unit, target, WORDS[what])
    if acts.kinds[what, REPORTS] and world.settings.body.time_outs:
        world.deadlines.watch(unit, int(what), target, world.tick, ticks + (DOOR_WAIT if what == Act.USE else 0))
    return handle


def order_act(world: World, slot: int, what: Act, ticks: int, target: int = -1, value: float = 0.0) -> int:
    """Order an act for a mind; name the mind if it orders too often."""
    unit = int(world.units.id[slot])
    fault = world.order_spam.note(unit, int(what), world.tick) if world.settings.body.spam else ""
    if fault:
        world.happen("order_spam", unit, text=fault)
    return begin_act(world, slot, what, ticks, target, value)


def is_doing(world: World, slot: int, what: Act) -> bool:
    """Return true while an act of that kind goes on."""
    rows = world.acts.acts_of(int(world.units.id[slot]))
    return bool(((rows[:, KIND] == what) & (rows[:, STAGE] < ActStage.STOP)).any())


def advance_acts(world: World) -> list[tuple[int, int, Act]]:
    """Carry all acts on; return slot, handle and act of those due."""
    acts, u = world.acts, world.units
    body = world.settings.body
    acts.merging = body.merging
    kinds = act_table(world.act_rows, body.layers, body.tells)
    if not np.array_equal(acts.kinds, kinds):
        acts.kinds = kinds
    found = [acts.rows[acts.row_of(handle)] for handle in acts.advance(world.tick)]
    return [(u.slot(int(row[UNIT])), int(row[HANDLE]), Act(int(row[KIND]))) for row in found]


def settle_acts(world: World) -> None:
    """End overdue acts; show what goes on after the ends since the last call."""
    acts, u, tick = world.acts, world.units, world.tick
    if len(world.deadlines.rows):
        for unit in world.deadlines.overdue(tick):
            rows = acts.acts_of(unit)
            for handle in rows[acts.kinds[rows[:, KIND], REPORTS] == 1, HANDLE].tolist():
                acts.report(handle, tick, Reason.TIMED_OUT)
            world.deadlines.fail(unit, tick)
    for end in acts.news():
        status, reason, what = Status(int(end[END_STATUS])), Reason(int(end[END_REASON])), Act(int(end[END_KIND]))
        unit = int(end[END_UNIT])
        slot = u.slot(unit)
        if status == Status.MERGED or reason == Reason.OUTRANKED:
            continue
        show_act(world, slot)
        if what == Act.SHOOT and status == Status.DONE and u.cooldown[slot] > 0 and u.alive[slot]:
            begin_act(world, slot, Act.RELOAD, int(u.cooldown[slot]))
        if acts.kinds[what, REPORTS]:
            _settle_deadline(world, unit, status)
            if status == Status.INTERRUPTED or reason == Reason.TIMED_OUT:
                world.happen("interrupted", unit, text=f"{WORDS[what]}: {REASON_WORDS[reason]}")


def _settle_deadline(world: World, unit: int, status: Status) -> None:
    """Bar a failed act for a while; end the watch of any other."""
    if status == Status.FAILED:
        world.deadlines.fail(unit, world.tick)
    else:
        world.deadlines.finish(unit)


def show_act(world: World, slot: int) -> None:
    """Write the shown act that began last into the columns; the dead keep theirs."""
    u = world.units
    if u.action[slot] == Act.DIE:
        return
    rows = world.acts.acts_of(int(u.id[slot]))
    rows = rows[(rows[:, STAGE] < ActStage.STOP) & np.isin(rows[:, KIND], _SHOWN)]
    if not len(rows):
        u.action[slot] = Act.NONE
    elif u.action[slot] not in rows[:, KIND]:
        last = rows[int(np.argmax(rows[:, BEGUN]))]
        u.action[slot], u.action_start[slot] = last[KIND], last[BEGUN]
        u.action_length[slot] = world.acts.length_of(int(last[HANDLE]))


def rooted(world: World) -> np.ndarray:
    """Return the slots of units whose legs an act holds."""
    rows = world.acts.rows[: world.acts.count]
    held = rows[(rows[:, TRACKS] & Track.LEGS > 0) & (rows[:, STAGE] < ActStage.STOP), UNIT]
    return world.units.slots(held)


TECHNIQUES = (
    {
        "slug": "tells",
        "name": "Tells before an act",
        "ids": ("GP2-1.8",),
        "source": "Game AI Pro 2, 1.4",
        "functions": ("begin_act",),
        "test": "tests/game/systems/body/test_acts.py",
        "exhibit": "levels/exhibits/minds/two_orders.tells.toml",
        "overlay": "body",
        "setting": "body.tells",
        "measure": "warned",
        "direction": "up",
        "claim": "A throw and a takedown have a wind-up of 5 ticks; a hit in it cancels them. Shots have none.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
