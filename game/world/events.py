"""Happenings: what the world publishes for window, sound, statistics and expectations.

They are facts of a finished tick, not messages between minds (those are ai.decision.message_router).
"""

from __future__ import annotations

from ai.core.serialization import record

KINDS = (
    "order",  # an order was taken; text: its kind
    "refused",  # an order could not be taken; text: why
    "arrived",
    "nearest",  # x, y: the reachable place nearest to the ordered one; text: message for the player
    "no_place",  # a unit found no place by its selector; text: which
    "gave_up",  # text: reason as a message for the player
    "shot",  # other: the target, text: "hit" or "miss"
    "killed",
    "trapped",  # a trap has caught the unit
    "noticed",  # unit is the watcher, other the one it notices
    "identified",  # the meter is full
    "lost_sight",
    "heard",  # unit heard: "something", or a description of the sound (other: its maker, or the thing)
    "found",  # unit noticed a thing; other: its id, text: description
    "search",  # text: what the searchers begin
    "alarm",  # unit raises it
    "calm",  # unit goes back to its routine
    "bark",  # text: id of a row of assets/data/barks.toml, and words that fill it behind a bar
    "door",  # other: door id, text: "opens" or "closes"
    "edit",  # the map changed; text: what is said of it
    "lamp",  # other: light id, text: "lit" or "put out"
    "lifted",  # other: prop id
    "used",  # other: prop id (a winch)
    "dropped",
    "thrown",  # x, y: where it came down
    "whistled",
    "taken_down",  # other: the attacker
    "dragged",  # other: the body
    "hidden",  # other: the body, text: where
    "woken",
    "tell",  # unit winds up for an act; other: its target, text: the act
    "interrupted",  # an act of the unit's hands ended without effect; text: the act and why
    "order_spam",  # the unit's mind orders its body too often; text: how often
    "fault",  # an error in the unit's mind, which is taken out of play; text: what failed and where
    "objective",  # text: what was reached
    "errand",  # unit goes to open a path for others; text: description
    "loose",  # unit leaves its formation and goes alone; text: reason
    "halted",  # a group halts and fires; unit: its first
    "parted",  # a group goes round both sides of an obstacle
    "met",  # and is one again behind it
    "scene",  # a scene begins, ends or is interrupted; unit: one of its cast, text: which, and why
    "relieved",  # unit takes over the duty of other
    "unreachable",  # unit is a guard, other the enemy that it cannot reach
    "command",  # unit commands squads; text: its decision, or the report it heard
    "manoeuvre",  # unit leads a squad that begins or ends a manoeuvre; text: which, and why
    "say",  # text: a line of the level
    "won",
    "lost",
)

AS_NEAR = "no path there: goes as near as it can"
"""Message for an order that leads to the nearest reachable place instead."""

NO_ROOM = "no body fits there: goes as near as it can"
"""Message for a point too near to a wall for the body."""


@record
class Happening:
    """Fact of a tick: ``unit`` and ``other`` are ids or -1.

    ``x, y`` is its place, in tiles.
    """

    tick: int
    kind: str
    unit: int = -1
    other: int = -1
    x: float = 0.0
    y: float = 0.0
    text: str = ""
