"""Random orders: levels are played with seeded orders, verbs and map edits.

At the end the state must pass the check that a save from a file passes.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import Any

from game.level.finding import shipped_levels
from game.level.reading import load_level
from game.sim.session import Session
from game.sim.state_check import check_world
from game.world.faults import StageFault
from game.world.orders import AT_A_UNIT, NEEDS_TARGET, Order, OrderKind
from game.world.units import Pace, Stance
from tools.bench import positive

EACH_TICK = 0.3
"""Chance of an order in a tick."""
MOST_UNITS = 400
"""Levels with more units are played for a tenth of the ticks."""
NUMBERS = (0.0, 1.0, 2.0, -1.0, 0.5, 1e9, -1e9, 3.7)
WORDS = ("", "shape", "spacing", "ranks", "paths.budget", "raider", "no.such", "together", "line", "box", "crowding.on")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--ticks", type=positive, default=5000)
    parser.add_argument("--levels", nargs="*", default=[], help="names; all shipped levels by default")
    parser.add_argument("--seed", type=int, default=1)


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """A row for each level: orders given, refused ones, and what broke."""
    names = args.levels or sorted(shipped_levels())
    return [play(shipped_levels()[name], args.ticks, args.seed) for name in names]


def play(path: Path, ticks: int, seed: int) -> dict[str, Any]:
    """Play one level with random orders; return its row."""
    level = load_level(path)
    session, fresh = Session(level, seed, recording=False), Session(level, seed, recording=False)
    dice, given, refused, broken = random.Random(f"{path.stem} {seed}"), 0, 0, ""
    ticks = ticks // 10 if session.world.units.count > MOST_UNITS else ticks
    start = time.perf_counter()
    try:
        for _ in range(ticks):
            while dice.random() < EACH_TICK:
                try:
                    session.give(random_order(session, dice))
                    given += 1
                except ValueError:
                    refused += 1
            session.advance()
            refused += sum(event.kind == "refused" for event in session.world.events)
        check_world(session.world, fresh.world)
    except (StageFault, ValueError) as error:
        broken = str(error)
    faults = sorted(session.world.set_aside.values())
    seconds = time.perf_counter() - start
    return {
        "algorithm": f"orders_{path.stem}",
        "mode": "single",
        "us_mean": round(seconds / max(1, session.world.tick) * 1e6),
        "threads": 1,
        "ticks": session.world.tick,
        "orders": given,
        "refused": refused,
        "faults": len(faults),
        "broken": broken or (faults[0] if faults else ""),
    }


def random_order(session: Session, dice: random.Random) -> Order:
    """Return an order that is sometimes sensible and sometimes not."""
    world = session.world
    kind = dice.choice([k for k in OrderKind if k])
    count = world.units.next_id
    units = tuple(dice.randrange(-1, count + 2) for _ in range(dice.choice((1, 1, 2, 5, 12))))
    x, y = dice.uniform(-3, world.terrain.width + 3), dice.uniform(-3, world.terrain.height + 3)
    value, name, text = dice.choice(NUMBERS), "", ""
    target, points = -1, tuple[float, ...]()
    if kind == OrderKind.STANCE:
        value = float(dice.choice(list(Stance)))
    elif kind == OrderKind.PACE:
        value = float(dice.choice(list(Pace)))
    elif kind in AT_A_UNIT:
        target = dice.randrange(-1, count + 1)
    elif kind in NEEDS_TARGET:
        things = [p.id for p in world.props] + [d.id for d in world.doors] + [-1, 9999]
        target = dice.choice(things)
    elif kind == OrderKind.MOVE_EACH:
        points = tuple(dice.uniform(0, world.terrain.width) for _ in range(2 * len(units)))
    elif kind == OrderKind.EDIT:
        left, top = dice.randrange(world.terrain.width), dice.randrange(world.terrain.height)
        edit = (left, top, left + dice.randrange(1, 5), top + dice.randrange(1, 5))
        points = tuple(float(v) for v in (*edit, *(dice.choice((-1, 0, 1, 15)) for _ in range(4))))
        name = dice.choice(("", "wall", "grass", "water"))
    elif kind in (OrderKind.FORMATION, OrderKind.SETTING, OrderKind.SPAWN):
        name, text = dice.choice(WORDS), dice.choice(WORDS)
    return Order(
        int(kind), dice.choice((0, 0, 0, 1, 2)), units, x, y, target, dice.random() < 0.2, name, value, text, points
    )  # fmt: skip


def summary(found: list[dict[str, Any]]) -> int:
    """Print the levels that broke; return 1 when any did."""
    bad = [f"{row['algorithm']}: {row['broken']}" for row in found if row["broken"]]
    print("\n".join(bad) or "nothing broke")
    return int(bool(bad))
