"""Figures of a compared run: measures of the exhibits, over some units."""

from __future__ import annotations

from dataclasses import dataclass

from game.checks.metrics.metric import MEASURES, Metric
from game.checks.scripts.script import Script
from game.checks.scripts.unit_selectors import select
from game.world.world import World


@dataclass(frozen=True)
class Figure:
    """Figure: a measure with the words and the unit of its number.

    ``everyone``: it is taken of all units instead of the watched ones. ``when_done``: it has no value before the
    event that ends it.
    """

    name: str
    measure: str
    words: str
    unit: str
    counted: str = ""
    everyone: bool = False
    when_done: bool = False
    whole: bool = False

    def text(self, value: float | None) -> str:
        """Return a value in digits, a dash for none."""
        if value is None:
            return "-"
        return f"{value:,.0f}" if self.whole and value == int(value) else f"{value:,.1f}"


STANDARD = (
    Figure("arrived", "arrived", "stand where they were sent", "units", whole=True),
    Figure("seconds_to_arrive", "seconds", "until the last one stood", "s", when_done=True),
    Figure("path_length", "walked", "walked, on average", "tiles"),
    Figure("losses", "fallen", "have fallen", "units", whole=True),
    Figure("revolutions", "revolutions", "searched", "revolutions", whole=True),
    Figure("route_flips", "flips", "new paths that turned back", "", whole=True),
    Figure("reaction_seconds", "reacted", "from identification to the shot", "s", everyone=True, when_done=True),
)
"""Figures of every comparison; an exhibit's own measures come before them."""


def figures_for(script: Script | None) -> tuple[Figure, ...]:
    """Return the figures of a level, with those of its script's exhibit first."""
    exhibit = script.exhibit if script is not None else None
    if exhibit is None or exhibit.measure == "none":
        return STANDARD
    own = [("measure", exhibit.measure, exhibit.counted, exhibit.measure_words)]
    if exhibit.price is not None:
        own.append(("price", exhibit.price.measure, exhibit.price.counted, exhibit.price.words))
    first = []
    for name, measure, counted, words in own:
        kind = MEASURES[measure]
        first.append(Figure(name, measure, words or kind.words, kind.unit, counted, whole=kind.whole))
    taken = {figure.measure for figure in first}
    return (*first, *(figure for figure in STANDARD if figure.measure not in taken))


def watched_units(world: World, script: Script | None) -> tuple[int, ...]:
    """Return the units of the figures: an exhibit's selection, else the raiders, else all."""
    exhibit = script.exhibit if script is not None else None
    if exhibit is not None and exhibit.select is not None:
        return tuple(select(world, exhibit.select))
    return tuple(select(world, "raiders" if (world.units.side[: world.units.count] == 0).any() else "all"))


class Figures:
    """Values of the figures of one run; ``watch`` takes in a tick."""

    def __init__(self, kinds: tuple[Figure, ...], world: World, units: tuple[int, ...]) -> None:
        everyone = tuple(select(world, "all"))
        self.kinds = kinds
        self._metrics = [Metric(k.measure, everyone if k.everyone else units, k.counted) for k in kinds]

    def watch(self, world: World) -> None:
        """Take in one tick."""
        for metric in self._metrics:
            metric.watch(world)

    def copy(self) -> Figures:
        """Return a copy that is updated separately."""
        made = Figures.__new__(Figures)
        made.kinds = self.kinds
        made._metrics = [metric.copy() for metric in self._metrics]
        return made

    @property
    def values(self) -> dict[str, float | None]:
        """The value of each figure by its name; None for one without its event."""
        return {
            kind.name: None if kind.when_done and not metric.done else round(metric.value, 6)
            for kind, metric in zip(self.kinds, self._metrics, strict=True)
        }
