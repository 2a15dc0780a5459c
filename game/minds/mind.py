"""Mind of one kind: skills, beliefs and hooks; each kind is a :class:`Mind`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ai.decision.message_router import Message
from ai.decision.skills import MindTurn, SkillList
from game.minds.agent_view import AgentView

Hook = Callable[[MindTurn[AgentView]], None]


def never_rests(turn: MindTurn[AgentView]) -> bool:
    """Keep the mind record for as long as the unit lives."""
    return False


@dataclass(frozen=True)
class Mind:
    """The code of one kind of mind; ``kind`` is its row in ``game.world.mind_kinds``."""

    kind: str
    skills: SkillList
    beliefs: Callable[[], Any]
    """Makes the typed record of a unit that begins to think."""
    note_percepts: Hook
    """Turns event bits into beliefs before anything is decided."""
    told: Callable[[MindTurn[AgentView], Message], None]
    """Turns a message from outside into beliefs."""
    moods: Mapping[str, int] = field(default_factory=dict)
    """Alertness of the eyes by skill; empty for a kind whose eyes know none."""
    rests: Callable[[MindTurn[AgentView]], bool] = never_rests
    """Returns whether the record may be dropped after a turn."""
