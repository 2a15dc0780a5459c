"""Settings of tactics: influence by side, places by selectors, routes by laws."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from ai.core.serialization import record
from ai.squad.command.command_styles import AUTHORITARIAN, COMMAND_STYLES
from ai.squad.manoeuvres.doctrine import Doctrine

FLANKS = ("vector", "exposure", "zone", "shortest")
"""Laws of a flank route: combat vector, exposure, excluded approach zone, or none."""

STYLES = ("planned", "emergent", "charge")
"""Styles of squads: chosen manoeuvres, fire and movement that emerges, or a charge."""

MISSION_STYLES = ("arbiter", "each", "none")
"""Styles in which the open missions of a squad find their takers."""

BOARD_REACHES = ("own", "squad", "side")
"""Scopes of blackboards, from the inside outward."""


def _number(default: float, doc: str, low: float, high: float) -> Any:
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


@record
class TacticsSettings:
    """Budgets are counted stamps, times are ticks, weights are shares."""

    work: int = _number(48, "work a tick for the influence of all sides; a stamp is 1, over paths 6", 1, 100_000)
    period: int = _number(40, "ticks from one influence update of a side to the next", 1, 1000)
    walls: bool = field(default=True, metadata={"doc": "threat reaches tiles in sight only, nearness follows paths"})
    recipe_spacing: float = _number(0.5, "weight of comrades that a unit keeps away from at the front", 0, 5)
    by_path: bool = field(default=True, metadata={"doc": "the nearest place is the one with the shortest path"})
    without: str = field(default="none", metadata={"doc": "fact that selectors leave out; for an exhibit"})
    weights: float = _number(1.0, "factor on the weights of a unit type's route profile", 0, 5)
    flank: str = field(
        default="vector", metadata={"doc": "law by which flank routes avoid the fight", "choices": FLANKS}
    )
    frags: float = _number(0.0, "weight of learned danger on routes, where comrades were hit", 0, 10)
    forgets: float = _number(0.9, "share of learned danger that a new hit leaves", 0.1, 1)
    fixes: bool = field(
        default=True, metadata={"doc": "fix and flank splits the units, else all go straight at the enemy"}
    )
    territory: str = field(
        default="flood", metadata={"doc": "law by which units hold ground", "choices": ("flood", "strongest")}
    )
    weakest: bool = field(
        default=True, metadata={"doc": "the border is attacked where it is weakest, else where it is nearest"}
    )
    takes_cover: bool = field(
        default=False, metadata={"doc": "soldiers without orders take cover when they are shot at"}
    )
    danger_memory: bool = field(
        default=False, metadata={"doc": "members of squads refuse regions where they saw comrades hit, for a while"}
    )
    line_of_fire: bool = field(
        default=True, metadata={"doc": "a unit holds its fire while a friend is in its line, and steps aside"}
    )
    one_shooter: bool = field(
        default=False, metadata={"doc": "while no member of a squad fires, the first that can halts and fires"}
    )
    assault_tokens: int = _number(0, "members of a squad that may assault at the same time; 0: all", 0, 100)
    squad_talk: bool = field(
        default=True, metadata={"doc": "members of a squad talk about hits, losses, sightings and why they wait"}
    )
    missions: str = field(
        default="arbiter",
        metadata={
            "doc": "open missions of a squad at rest: an arbiter grants them, each member takes its own, or none",
            "choices": MISSION_STYLES,
        },
    )
    intercepts: bool = field(
        default=True, metadata={"doc": "navigation replaces a request to act at a place out of reach by a run there"}
    )
    board_reach: str = field(
        default="side",
        metadata={"doc": "outermost blackboard that a squad's member reads", "choices": BOARD_REACHES},
    )
    squad_style: str = field(
        default="planned",
        metadata={
            "doc": "how squads fight: plans by fitness, each member by itself, or a charge",
            "choices": STYLES,
        },
    )
    command_style: str = field(
        default=AUTHORITARIAN,
        metadata={
            "doc": "whether members of squads obey always, turn to threats, or weigh both",
            "choices": COMMAND_STYLES,
        },
    )
    commands: bool = field(
        default=True, metadata={"doc": "a commander allocates squads to objectives, else each takes the nearest"}
    )
    message_speed: float = _number(12.0, "tiles a second at which reports and orders are passed on", 1, 1000)
    earshot: float = _number(15.0, "tiles within which members of an emergent squad hear each other", 0, 100)
    doctrine: Doctrine = field(default_factory=Doctrine)
