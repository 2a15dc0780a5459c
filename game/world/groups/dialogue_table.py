"""Dialogue table: rows of ``assets/data/dialogues.toml``, checked against the barks."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from ai.decision.dialogues import Dialogue
from game.world.unit_types import DATA, rows_of

EVENTS = ("hit", "down", "contact", "lost", "no_line", "refused")
"""Events that a squad talks about."""
FACTS = ("hurt", "fine")
"""Conditions of an event: the health of the unit that was hit."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    role: Literal["unit", "leader", "mate", "other"]
    say: str


class _DialogueRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    event: Literal["hit", "down", "contact", "lost", "no_line", "refused"]
    when: list[Literal["hurt", "fine"]] = []
    lines: list[_Line] = Field(min_length=1, max_length=3)
    cooldown: int = Field(default=200, ge=0)
    gap: int = Field(default=30, ge=1)


class _BarkName(BaseModel):
    model_config = ConfigDict(extra="allow")


def dialogue_table(folder: Path = DATA) -> dict[str, Dialogue]:
    """Return the dialogues by name; ValueError names file, row and key."""
    file = folder / "dialogues.toml"
    barks = rows_of(folder / "barks.toml", "bark", _BarkName)
    table = {}
    for name, row in rows_of(file, "dialogue", _DialogueRow).items():
        for k, line in enumerate(row.lines):
            if line.say not in barks:
                raise ValueError(
                    f"{file}: [dialogue.{name}] lines.{k}.say: there is no [bark.{line.say}] in barks.toml"
                )
        lines = tuple((line.role, line.say) for line in row.lines)
        table[name] = Dialogue(name, row.event, lines, frozenset(row.when), row.cooldown, row.gap)
    return table
