"""Group scripts: one list of actions for each role, joined by signals and waits.

Source: Ian Millington and John Funge, AI for Games, 6.4.3 (signals and waits instead of timing; a secondary action
while waiting; signals of an earlier run are removed; a store of each run for itself; seven kinds of primitives). The
text form and the end of a script whose signaller is dead are ours.

A role is a sequence of lines. A line is one primitive, or several that run at the same time, joined by ``&``::

    go PLACE            AI: run to a place          signal NAME          put a signal into the store
    enter PLACE         AI: go there ready to fire  wait NAME            cover until the signal is there
    act NAME [TAG]      animation; with a tag it starts when all that share the tag are there, for all at once
    hold TICKS          AI: cover for a time        phase NUMBER         state: the phase of the manoeuvre

Times are in ticks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record


class Kind(IntEnum):
    """Kind of a primitive; a line is a compound, a role a sequence."""

    STATE = 0
    ANIMATION = 1
    AI = 2
    COMPOUND = 3
    SEQUENCE = 4
    SIGNAL = 5
    WAIT = 6


VERBS: Mapping[str, Kind] = {
    "go": Kind.AI, "enter": Kind.AI, "hold": Kind.AI, "act": Kind.ANIMATION, "phase": Kind.STATE,
    "signal": Kind.SIGNAL, "wait": Kind.WAIT,
}  # fmt: skip
"""Kind of each word with which a primitive begins."""
ALONE = Kind.AI, Kind.ANIMATION, Kind.WAIT
"""Kinds of which a line holds at most one."""


@dataclass(frozen=True)
class Primitive:
    """Primitive of a script: ``go PLACE`` has the verb ``go`` and the word ``PLACE``.

    ``tag`` joins the animations of several members.
    """

    kind: Kind
    verb: str
    word: str
    tag: str = ""


@dataclass(frozen=True)
class GroupScript:
    """Script of a group: the lines of each role, each a compound of primitives."""

    name: str
    roles: tuple[tuple[tuple[Primitive, ...], ...], ...]


@record
class ScriptRun:
    """State of one run of a script.

    ``role: int8[n]`` is the role of each member, -1 none, and ``line: int16[n]`` its line. ``done: int32[n]`` has a bit
    for each finished primitive of that line. ``began: int32[n]`` is the tick at which it began, -1 not yet.
    """

    script: str
    role: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    line: NDArray[np.int16] = field(default_factory=lambda: np.zeros(0, np.int16))
    done: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    began: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    signals: list[str] = field(default_factory=list)

    def keep(self, rows: list[int]) -> None:
        """Keep only the given members."""
        self.role, self.line = self.role[rows], self.line[rows]
        self.done, self.began = self.done[rows], self.began[rows]


class Hands(Protocol):
    """Body of the group: begins primitives, and tells when they are complete."""

    def begin(self, row: int, what: Primitive) -> None:
        """Begin a STATE, ANIMATION or AI primitive of a member."""

    def complete(self, row: int, what: Primitive, began: int) -> bool:
        """Return whether it is complete; ``began`` is its first tick."""


def begin_run(script: GroupScript, roles: Sequence[int], left: Sequence[str] = ()) -> ScriptRun:
    """Return a run; ``roles`` gives each member's role.

    The store begins empty. ``left`` are signals of an earlier run that were not removed, for the test of that fault.
    """
    n = len(roles)
    return ScriptRun(
        script.name, np.array(roles, np.int8), np.zeros(n, np.int16), np.zeros(n, np.int32), np.full(n, -1, np.int32),
        list(left),
    )  # fmt: skip


def advance_run(
    script: GroupScript, run: ScriptRun, alive: NDArray[np.bool_], tick: int, hands: Hands, waits: bool = True
) -> bool:
    """Advance all members by one step; return true when all lines are done.

    Members are served by role. Without ``waits`` every wait is over at once: the script is timing alone.
    """
    for row in np.argsort(run.role, kind="stable").tolist():
        if alive[row]:
            _advance_member(script, run, alive, row, tick, hands, waits)
    return all(line_of(script, run, row) is None for row in np.flatnonzero(alive).tolist())


def _advance_member(
    script: GroupScript, run: ScriptRun, alive: NDArray[np.bool_], row: int, tick: int, hands: Hands, waits: bool
) -> None:
    """Begin the member's line, note complete parts, and go on to the next line."""
    line = line_of(script, run, row)
    while line is not None:
        if run.began[row] < 0:
            if not _all_there(script, run, alive, line):
                return
            _begin_line(script, run, alive, row, line, tick, hands)
        for k, what in enumerate(line):
            if not run.done[row] >> k & 1 and _complete(run, row, what, hands, waits):
                run.done[row] |= 1 << k
        if run.done[row] != (1 << len(line)) - 1:
            return
        run.line[row] += 1
        run.done[row], run.began[row] = 0, -1
        line = line_of(script, run, row)


def _complete(run: ScriptRun, row: int, what: Primitive, hands: Hands, waits: bool) -> bool:
    if what.kind == Kind.WAIT:
        return not waits or what.word in run.signals
    if what.kind == Kind.SIGNAL:
        if what.word not in run.signals:
            run.signals.append(what.word)
        return True
    return hands.complete(row, what, int(run.began[row]))


def line_of(script: GroupScript, run: ScriptRun, row: int) -> tuple[Primitive, ...] | None:
    """Return the present line of a member, or None at its end."""
    role, line = int(run.role[row]), int(run.line[row])
    if role < 0 or line >= len(script.roles[role]):
        return None
    return script.roles[role][line]


def _sharers(script: GroupScript, run: ScriptRun, alive: NDArray[np.bool_], line: tuple[Primitive, ...]) -> list[int]:
    """Return the living members whose role has the animation that a line shares."""
    tags = {what.tag for what in line if what.tag}
    if not tags:
        return []
    having = {k for k, role in enumerate(script.roles) for one in role for what in one if what.tag in tags}
    return [row for row in np.flatnonzero(alive).tolist() if int(run.role[row]) in having]


def _all_there(script: GroupScript, run: ScriptRun, alive: NDArray[np.bool_], line: tuple[Primitive, ...]) -> bool:
    """Return whether every member that shares an animation of the line is at it."""
    tags = {what.tag for what in line if what.tag}
    lines = [line_of(script, run, row) or () for row in _sharers(script, run, alive, line)]
    return all(tags & {what.tag for what in other} for other in lines)


def _begin_line(
    script: GroupScript, run: ScriptRun, alive: NDArray[np.bool_], row: int, line: tuple[Primitive, ...], tick: int,
    hands: Hands,
) -> None:  # fmt: skip
    """Begin a line of a member and of all that share its animation."""
    for one in sorted({row, *_sharers(script, run, alive, line)}):
        run.began[one] = tick
        for what in line_of(script, run, one) or ():
            if what.kind not in (Kind.SIGNAL, Kind.WAIT):
                hands.begin(one, what)


def lost_signals(script: GroupScript, run: ScriptRun, alive: NDArray[np.bool_]) -> list[str]:
    """Return the signals that living members wait for and nobody alive will give."""
    coming = set(run.signals)
    for row in np.flatnonzero(alive & (run.role >= 0)).tolist():
        for line in script.roles[run.role[row]][run.line[row] :]:
            coming.update(what.word for what in line if what.kind == Kind.SIGNAL)
    waited = []
    for row in np.flatnonzero(alive).tolist():
        waited += [what.word for what in line_of(script, run, row) or () if what.kind == Kind.WAIT]
    return sorted(set(waited) - coming)


@lru_cache(maxsize=64)
def script_of(name: str, roles: tuple[tuple[str, tuple[str, ...]], ...], places: tuple[str, ...]) -> GroupScript:
    """Return the script of a text: pairs of a role's name and its lines.

    ValueError names role and line for an unknown word or place, for two primitives that exclude each other, for a wait
    without a signal, and for waits that wait for each other.
    """
    found = tuple(
        tuple(_line_of(f"{role}, line {k + 1}", text, places) for k, text in enumerate(lines)) for role, lines in roles
    )
    script = GroupScript(name, found)
    _check_waits(script, [role for role, _ in roles])
    return script


def _line_of(where: str, text: str, places: tuple[str, ...]) -> tuple[Primitive, ...]:
    line = tuple(_primitive(where, part.split(), places) for part in text.split("&"))
    for kind in ALONE:
        if sum(what.kind == kind for what in line) > 1:
            raise ValueError(f"{where}: two primitives of the kind {kind.name.lower()} cannot run at the same time")
    return line


def _primitive(where: str, words: list[str], places: tuple[str, ...]) -> Primitive:
    verb = words[0] if words else ""
    if verb not in VERBS:
        raise ValueError(f"{where}: there is no primitive {verb!r}; one of {', '.join(VERBS)}")
    kind = VERBS[verb]
    if len(words) != 2 and not (kind == Kind.ANIMATION and len(words) == 3):
        raise ValueError(f"{where}: {verb} takes one word, not {' '.join(words[1:]) or 'none'}")
    if verb in ("go", "enter") and words[1] not in places:
        raise ValueError(f"{where}: there is no place {words[1]!r}; one of {', '.join(places)}")
    if verb in ("hold", "phase") and not words[1].isdigit():
        raise ValueError(f"{where}: {verb} takes a whole number, not {words[1]!r}")
    return Primitive(kind, verb, words[1], words[2] if len(words) == 3 else "")


class _AtOnce:
    """Hands that complete everything at once."""

    def begin(self, row: int, what: Primitive) -> None:
        """Do nothing."""

    def complete(self, row: int, what: Primitive, began: int) -> bool:
        """Return true."""
        return True


def _check_waits(script: GroupScript, names: list[str]) -> None:
    """Play the script with hands that need no time.

    A role that then still waits would wait for ever.
    """
    n = len(script.roles)
    run, alive = begin_run(script, range(n)), np.ones(n, bool)
    before = -1
    while int(run.line.sum()) != before:
        before = int(run.line.sum())
        advance_run(script, run, alive, 0, _AtOnce())
    given = {what.word for role in script.roles for line in role for what in line if what.kind == Kind.SIGNAL}
    for row in range(n):
        line = line_of(script, run, row)
        if line is None:
            continue
        where = f"{names[row]}, line {run.line[row] + 1}"
        missing = [what.word for what in line if what.kind == Kind.WAIT and what.word not in given]
        if missing:
            raise ValueError(f"{where}: no role signals {missing[0]!r}")
        raise ValueError(f"{where}: it waits for a role that waits for it")


TECHNIQUES = (
    {
        "slug": "group-scripts",
        "name": "Group scripts with signal and wait",
        "ids": ("AFG6.4.10", "AFG6.4.11", "AFG6.4.12"),
        "source": "AI for Games, 6.4",
        "functions": ("advance_run", "lost_signals", "script_of"),
        "test": "tests/ai/squad/scripts/test_group_scripts.py",
        "exhibit": "levels/exhibits/squads/house.toml",
        "overlay": "minds",
        "setting": "tactics.doctrine.signals",
        "measure": "alone",
        "direction": "down",
        "claim": "Shared animations and the primitive act are in the library only: no script of the game uses them.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
