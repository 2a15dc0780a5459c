"""Page of a sound: its source, its loudness, its hearers, and their answers."""

from __future__ import annotations

import math
from typing import Any

from ai.decision.decision_trace import DECISION, TRANSITION
from ai.perception.stimuli.stimulus_board import StimulusKind
from game.systems.noise import path_of_sound
from game.view.lab.why.pages.page import SOUND, UNIT, Page, PageRow, Subject, place, section
from game.view.lab.why.pages.page_numbers import LOUDNESS, certainty

REACH, AGE = 0.8, 200
"""Tiles around a sound and ticks after it in which a click finds it."""
ANSWER_TICKS = 60
"""Ticks after a sound in which a decision counts as an answer to it."""
AGITATION = "agitation"
"""Number of units that the page shows of the hearers."""
WORDS = {
    StimulusKind.IMPACT: "impact", StimulusKind.VOICE: "whistle", StimulusKind.DOOR_NOISE: "door",
    StimulusKind.FALL: "scuffle", StimulusKind.STEPS: "steps", StimulusKind.SHOT: "shot",
}  # fmt: skip


def sound_at(world: Any, x: float, y: float) -> int:
    """Return the number of the newest sound near a place, or -1."""
    for tick, number, _, sx, sy, *_ in reversed(world.recording.get("heard", [])):
        if world.tick - tick <= AGE and math.hypot(sx - x, sy - y) <= REACH:
            return int(number)
    return -1


def sound_page(world: Any, number: int) -> Page:
    """Return the page of a sound, -1 for the newest.

    It tells so if there is none any more.
    """
    kept = world.recording.get("heard", [])
    row = next((row for row in kept if row[1] == number), kept[-1] if kept and number < 0 else None)
    others = section("Other sounds", _others(world, kept, row), "newest first")
    if row is None:
        return Page("Sounds", "No such sound is kept: the last 128 with a place are.", (others,))
    tick, _, kind, x, y, radius, maker, _ = row
    who = world.name_of(maker) if maker >= 0 else "nobody known"
    name = WORDS[StimulusKind(kind)]
    heard = f"{len(row[7])} heard it" if len(row[7]) else "nobody heard it"
    return Page(
        f"Sound: {name}",
        f"{name.capitalize()} at {place(x, y)}, made by {who}; {heard}.",
        (
            section("Source", [
                PageRow("made at", f"tick {tick}", tick=tick),
                PageRow("made by", who, link=Subject(UNIT, (maker,)) if maker >= 0 else None),
                PageRow("loudness", f"carries {radius:.1f} tiles to plain ears"),
            ]),
            section("Numbers", [PageRow(name, number=name) for name in (LOUDNESS, AGITATION)],
                    "of its maker; of its hearers"),
            section("Who heard it", _rows(world, row), "certainty", "nobody"),
            others,
        ),
    )  # fmt: skip


def _rows(world: Any, row: Any) -> list[PageRow]:
    """Return two rows for each hearer: how surely it heard, and its answer."""
    tick, _, kind, x, y, radius, _, hearers = row
    rows = []
    for unit, hx, hy, keen in hearers.tolist():
        far, reach = path_of_sound(world, x, y, hx, hy), radius * keen
        words = f"{far:.1f} of {reach:.1f} tiles" if math.isfinite(far) else "through the wall"
        sure = 1.0 if kind == StimulusKind.STEPS else certainty(far, reach)
        if sure == 0.0 and kind == StimulusKind.SHOT:
            sure, words = 1.0, "it was the target"
        rows.append((sure, int(unit), words))
    rows.sort(key=lambda one: (-one[0], one[1]))
    made = []
    for sure, unit, words in rows:
        made.append(PageRow(world.name_of(unit), words, f"{sure * 100:.0f} %", share=sure, link=Subject(UNIT, (unit,))))
        made.append(answer_of(world, unit, tick))
    return made


def answer_of(world: Any, unit: int, tick: int) -> PageRow:
    """Return the decision of a unit about a sound of a tick, if any."""
    entries = world.trace.last(unit, 40, (TRANSITION, DECISION))
    after = [e for e in entries if e.since == tick and e.tick <= tick + ANSWER_TICKS]
    if not after:
        return PageRow("   did", "nothing that is recorded")
    first = min(after, key=lambda e: e.tick)
    return PageRow("   did", first.decided, tick=first.tick)


def _others(world: Any, kept: list[Any], row: Any) -> list[PageRow]:
    return [_listed(world, other) for other in kept[::-1] if other is not row]


def _listed(world: Any, row: Any) -> PageRow:
    tick, number, kind, x, y, _, maker, hearers = row
    who = f" of {world.name_of(maker)}" if maker >= 0 else ""
    words = f"{(world.tick - tick) / 20:.1f} s ago at {place(x, y)}"
    return PageRow(f"{WORDS[StimulusKind(kind)]}{who}", words, f"heard {len(hearers)}", link=Subject(SOUND, (number,)))
