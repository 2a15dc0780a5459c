"""Knowledge sources and their arbiter: who may write to a board next.

Source: Damian Isla and Bruce Blumberg, AI Game Programming Wisdom, 7.1 (each source has a precondition, a relevance and
an execution; the arbiter lets the most relevant one act, because two in one pass may contradict each other). A source
knows neither the readers nor the writers of a board. Ties go by name, so that the order of the sources is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T", contravariant=True)


class KnowledgeSource(Protocol[T]):
    """Specialist that reads a board and writes to it."""

    @property
    def name(self) -> str:
        """Return the name; no two sources share one."""

    def relevance(self, at: T) -> float:
        """Return its relevance now, 0 if its precondition does not hold."""

    def execute(self, at: T) -> None:
        """Change the board."""


def ranked(sources: Iterable[KnowledgeSource[T]], at: T) -> list[tuple[str, float]]:
    """Return (name, relevance) of the sources that may act, most relevant first."""
    rows = [(one.name, one.relevance(at)) for one in sources]
    return sorted((row for row in rows if row[1] > 0.0), key=lambda row: (-row[1], row[0]))


def run_sources(sources: Iterable[KnowledgeSource[T]], at: T, arbiter: bool = True) -> list[str]:
    """Execute the most relevant source; return the names of the executed ones.

    Without an arbiter all that are relevant in this pass act, one after the other.
    """
    by_name = {one.name: one for one in sources}
    acting = [name for name, _ in ranked(by_name.values(), at)][: 1 if arbiter else None]
    for name in acting:
        by_name[name].execute(at)
    return acting


TECHNIQUES = (
    {
        "slug": "knowledge-sources",
        "name": "Blackboard with knowledge sources and arbiter",
        "ids": ("AW-7.1-1",),
        "source": "AI Game Programming Wisdom, 7.1",
        "functions": ("ranked", "run_sources"),
        "test": "tests/ai/decision/blackboards/test_motor_requests.py",
        "exhibit": "levels/exhibits/squads/house.arbiter.toml",
        "overlay": "squads",
        "setting": "tactics.missions",
        "measure": "taken_twice",
        "direction": "down",
        "claim": "A squad has two sources, exits and sides to watch; one switch for both arbiters.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
