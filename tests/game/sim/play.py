"""Small levels for tests: a yard or two rooms, with named units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from game.level.level_writer import LevelBuilder
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import load, write

YARD = "\n".join(["s" * 30] * 14)
ROOMS = "\n".join(
    [
        "##############################",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "#sssssssssssssssssssssssssssss",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "#ssssssssssss#sssssssssssssss#",
        "##############################",
    ]
)


class Play:
    """Session of a small level; its events are kept."""

    def __init__(self, folder: Path, builder: LevelBuilder, **settings: Any) -> None:
        self.session = Session(
            load(write(folder, builder)),
            settings={k.replace("__", "."): v for k, v in settings.items()},
            recording=False,
        )
        self.world = self.session.world
        self.seen: list[Any] = []

    def unit(self, name: str) -> int:
        return next(i for i, n in self.world.names.items() if n == name)

    def slot(self, name: str) -> int:
        return self.world.units.slot(self.unit(name))

    def order(self, name: str, kind: OrderKind, **more: Any) -> None:
        self.session.give(Order(int(kind), int(self.world.units.side[self.slot(name)]), (self.unit(name),), **more))

    def run(self, ticks: int = 1) -> Play:
        for _ in range(ticks):
            self.session.advance()
            self.seen += self.world.events
        return self

    def run_until(self, kind: str, name: str, limit: int) -> Play:
        """Run until an event has happened to a unit, at most ``limit`` ticks."""
        for _ in range(limit):
            if self.happened(kind, name):
                break
            self.run()
        return self

    def happened(self, kind: str, name: str | None = None) -> list[Any]:
        return [e for e in self.seen if e.kind == kind and (name is None or e.unit == self.unit(name))]


def yard(rows: str = YARD, **properties: Any) -> LevelBuilder:
    return LevelBuilder.from_letters(rows, title="Yard", **properties)


def raider(builder: LevelBuilder, x: float, y: float, name: str = "Ann", **more: Any) -> None:
    builder.add("spawn", x, y, name=name, side="raiders", kind=more.pop("kind", "raider"), **more)


def guard(builder: LevelBuilder, x: float, y: float, name: str = "Odo", **more: Any) -> None:
    builder.add("spawn", x, y, name=name, side="guards", kind=more.pop("kind", "guard"), **more)
