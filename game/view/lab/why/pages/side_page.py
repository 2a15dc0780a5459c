"""Page of a side: orders, losses, and what it knows beside the truth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from game.minds.agent_view import SIDE_WORDS
from game.systems.stealth.side_knowledge import knowledge_of
from game.systems.stealth.watcher_intel import sightings_of
from game.view.lab.why.pages.page import SQUAD, UNIT, Page, PageRow, Section, Subject, ago, place, section
from game.world.orders import Order, OrderKind

MOST_ORDERS = 8
TRUTH = "   truth"
"""Name of the row with the true place below a believed one."""
Log = list[tuple[int, Order]]
"""Orders of a game with the ticks at which they entered."""


def side_page(world: Any, side: int, log: Log) -> Page:
    """Return the page of a side; ``log`` holds the orders of the game."""
    u, n = world.units, world.units.count
    mine = u.side[:n] == side
    living, all_of = int((mine & (u.alive[:n] == 1)).sum()), int(mine.sum())
    name = f"{SIDE_WORDS[side]}s".capitalize()
    sentence = f"{name}: {living} of {all_of} live"
    goal = world.mission.current() if side == 0 else None
    if goal is not None:
        sentence += f"; the objective is: {goal.text.rstrip('.')}"
    return Page(
        name,
        f"{sentence}.",
        (
            section("Strength", _strength(world, side, mine, living, all_of)),
            section("Orders", _orders(world, side, log), "newest first", "none so far"),
            section("Squads", [_squad(s) for s in world.squads.rows.values() if s.side == side], "", "none"),
            _known(world, side),
        ),
    )


def _strength(world: Any, side: int, mine: np.ndarray, living: int, all_of: int) -> list[PageRow]:
    u, n = world.units, world.units.count
    alive = mine & (u.alive[:n] == 1)
    hp = float(u.hp[:n][mine].sum()) / max(float(u.hp_max[:n][mine].sum()), 1.0)
    rows = [
        PageRow("living", f"{living} of {all_of}", share=living / max(all_of, 1), number="living"),
        PageRow("health", f"{hp * 100:.0f} %", share=hp, number="health"),
        PageRow("on the move", str(int((u.moving[:n][alive] == 1).sum())), number="moving"),
    ]
    for unit in u.id[:n][mine & (u.alive[:n] == 0)].tolist()[-MOST_ORDERS:]:
        killer = world.last_hit_by.get(unit, -1)
        by = f"shot by {world.name_of(killer)}" if killer >= 0 else "dead"
        rows.append(PageRow(f"lost {world.name_of(unit)}", by, link=Subject(UNIT, (unit,))))
    return rows


def _orders(world: Any, side: int, log: Log) -> list[PageRow]:
    rows = []
    for tick, order in reversed(log):
        if order.side != side or order.kind == OrderKind.SETTING or tick > world.tick:
            continue
        who = f"{len(order.units)} units" if len(order.units) != 1 else world.name_of(order.units[0])
        kind = OrderKind(order.kind).name.lower().replace("_", " ")
        at = f" to {place(order.x, order.y)}" if order.x or order.y else ""
        rows.append(PageRow(f"{kind} {order.name}".strip(), f"{who}{at}", tick=tick))
        if len(rows) == MOST_ORDERS:
            break
    return rows


def _squad(squad: Any) -> PageRow:
    return PageRow(squad.name or f"squad {squad.id}", squad.intent, link=Subject(SQUAD, (squad.id,)))


def _known(world: Any, side: int) -> Section:
    """Return each enemy that the side believes in, with believed and true place."""
    believed: dict[int, tuple[float, float, int]] = {}
    known, seen = knowledge_of(world, side), sightings_of(world, side)
    for one in (seen.about if seen is not None else {}).values():
        believed[one.unit] = one.x, one.y, one.tick
    for squad in world.squads.rows.values():
        for enemy in squad.enemies.values() if squad.side == side else ():
            _newer(believed, enemy.unit, enemy.x, enemy.y, enemy.tick)
    for belief in (known.beliefs.about if known is not None else {}).values():
        _newer(believed, belief.target, belief.x, belief.y, belief.tick)
    u, n = world.units, world.units.count
    enemies = int(((u.side[:n] != side) & (u.alive[:n] == 1)).sum())
    rows = [row for unit, where in sorted(believed.items()) for row in truth_rows(world, unit, *where)]
    return section("Knowledge and truth", rows, f"{len(believed)} of {enemies} enemies", "it knows of no enemy")


def _newer(believed: dict[int, tuple[float, float, int]], unit: int, x: float, y: float, tick: int) -> None:
    if unit not in believed or believed[unit][2] < tick:
        believed[unit] = x, y, tick


def truth_rows(world: Any, unit: int, x: float, y: float, tick: int) -> list[PageRow]:
    """Return the believed place of a unit, then the true one."""
    u = world.units
    slot = u.slot(unit)
    true = place(float(u.x[slot]), float(u.y[slot])) if u.alive[slot] else "dead"
    apart = math.dist((x, y), (float(u.x[slot]), float(u.y[slot])))
    return [
        PageRow(world.name_of(unit), place(x, y), ago(world.tick, tick), tick=tick, link=Subject(UNIT, (unit,))),
        PageRow(TRUTH, true, f"{apart:.1f} tiles off"),
    ]
