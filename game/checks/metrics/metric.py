"""Metric: one number per run that shows the effect of a technique."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from game.checks.metrics import (
    act_measures,
    figure_measures,
    foot_measures,
    group_measures,
    scene_measures,
    sense_measures,
    squad_measures,
    walk_measures,
)
from game.checks.metrics.tally import Tally
from game.world.world import World


class Metric(Tally):
    """Metric: watches a world every tick by the measure of its name."""

    def __init__(self, measure: str, units: tuple[int, ...], counted: str = "") -> None:
        super().__init__(units, counted)
        self.measure = measure

    def watch(self, world: World) -> None:
        """Take in one tick.

        ValueError for a statistic, event or shape that does not exist.
        """
        MEASURES[self.measure].watch(self, world, world.units.slots(self.units))
        self.ticks += 1

    @property
    def words(self) -> str:
        """Return the number with its unit."""
        kind = MEASURES[self.measure]
        number = f"{self.value:.0f}" if kind.whole else f"{self.value:.1f}"
        if math.isfinite(self.half_interval):
            number += f" ± {self.half_interval:.1f}"
        return f"{number} {kind.unit}".strip()


def _nothing(tally: Tally, world: World, slots: np.ndarray) -> None:
    """Do nothing; a comparison by eye has no number."""


@dataclass(frozen=True)
class MeasureKind:
    """Kind of measure: its name, its unit, and its update per tick."""

    words: str
    unit: str
    watch: Callable[[Tally, World, np.ndarray], None]
    whole: bool = False
    counts: bool = False
    """It needs the name of what it counts."""
    sampled: bool = False
    """It has single values, of which an exhibit shows the histogram."""


MEASURES: dict[str, MeasureKind] = {
    "walked": MeasureKind("walked, on average", "tiles", walk_measures.walked),
    "seconds": MeasureKind("until the last one stood", "s", walk_measures.seconds),
    "arrived": MeasureKind("stand where they were sent", "units", walk_measures.arrived, whole=True),
    "revolutions": MeasureKind("searched", "revolutions", walk_measures.revolutions, whole=True),
    "scrapes": MeasureKind("in touch with walls and bodies", "s", walk_measures.scrapes),
    "overlapped": MeasureKind("pairs of bodies in each other", "s", walk_measures.overlapped),
    "noticed": MeasureKind("until one was noticed", "s", sense_measures.noticed),
    "sighting_spread": MeasureKind("spread of the time to identify", "s", sense_measures.sighting_spread, sampled=True),
    "sighting_mean": MeasureKind("until identified, mean and 95 %", "s", sense_measures.sighting_mean),
    "spread": MeasureKind("from their middle, on average", "tiles", group_measures.spread),
    "waited": MeasureKind("waited for a path, on average", "s", walk_measures.waited),
    "turned": MeasureKind("turned while walking, on average", "degrees", walk_measures.turned, whole=True),
    "flips": MeasureKind("new paths that turned back", "", walk_measures.flips, whole=True),
    "slid": MeasureKind("planted feet slid, on average", "tiles", walk_measures.slid),
    "drift": MeasureKind("drift of planted feet", "% of a step", foot_measures.drift),
    "reach": MeasureKind("farthest planted foot", "% of a leg", foot_measures.reach, whole=True),
    "sharpest": MeasureKind("sharpest turn in half a second", "degrees", walk_measures.sharpest, whole=True),
    "fallen": MeasureKind("have fallen", "units", sense_measures.fallen, whole=True),
    "strangers": MeasureKind("in slots reserved for others", "units", group_measures.strangers, whole=True),
    "crossings": MeasureKind("lines to slots that cross", "pairs", group_measures.crossed, whole=True),
    "possible": MeasureKind("possible places, on average", "tiles", sense_measures.possible, whole=True),
    "aim": MeasureKind("from searched places to the target", "tiles", sense_measures.aim),
    "looked_over": MeasureKind("looked over", "tiles", sense_measures.looked_over, whole=True),
    "events": MeasureKind("times", "", sense_measures.events, whole=True, counts=True),
    "statistic": MeasureKind("counted", "", walk_measures.statistic, whole=True, counts=True),
    "exposed": MeasureKind("in an enemy's line of fire", "s", sense_measures.exposed),
    "held": MeasureKind("places are held", "", sense_measures.held, whole=True),
    "uncovered": MeasureKind("moved under fire without cover", "s", sense_measures.uncovered),
    "strays": MeasureKind("shots with a friend in the line", "", sense_measures.strays, whole=True),
    "uncovered_share": MeasureKind(
        "of the movement under fire had no cover", "%", sense_measures.uncovered_share, whole=True
    ),
    "pieces": MeasureKind("pieces of territory", "", sense_measures.pieces, whole=True),
    "bearings": MeasureKind("between their bearings at the enemy", "degrees", sense_measures.bearings, whole=True),
    "on_the_way": MeasureKind("on the way, on average", "s", walk_measures.on_the_way),
    "unformed": MeasureKind("off their shape, on average", "tiles", group_measures.unformed, counts=True),
    "away": MeasureKind("away from their places, on average", "units", walk_measures.away),
    "inside": MeasureKind("in the region", "units", walk_measures.inside, whole=True, counts=True),
    "alone": MeasureKind("one unit alone in the region", "s", walk_measures.alone, counts=True),
    "reacted": MeasureKind("from identification to the shot", "s", sense_measures.reacted),
    "staged": MeasureKind("played a role, on average", "s", scene_measures.staged),
    "out_of_step": MeasureKind("cast out of step", "s", scene_measures.out_of_step),
    "posed": MeasureKind("posed a tick", "parts of figures", figure_measures.posed, whole=True, counts=True),
    "twins": MeasureKind("begun beside the same one", "gestures", figure_measures.twins, whole=True),
    "repeats": MeasureKind("repeat the one begun before beside it", "gestures", figure_measures.repeats, whole=True),
    "jumps": MeasureKind("changes of pose without a fade", "", figure_measures.jumps, whole=True),
    "warned": MeasureKind("shown before its effect, on average", "s", act_measures.warned),
    "unseen": MeasureKind("of acts that no figure shows", "s", figure_measures.unseen),
    "legs_swung": MeasureKind("largest turn of legs in a tick", "degrees", figure_measures.legs_swung, whole=True),
    "unwatched": MeasureKind("an exit had no watch", "s", squad_measures.unwatched),
    "taken_twice": MeasureKind("a mission had a taker too many", "s", squad_measures.taken_twice),
    "averted": MeasureKind("halted with the back to the enemy", "s", squad_measures.averted),
    "unnoticed": MeasureKind("until the shut path was noticed", "s", squad_measures.unnoticed),
    "none": MeasureKind("look at", "", _nothing),
}
"""Measures that an exhibit may name, each a function of this package."""
