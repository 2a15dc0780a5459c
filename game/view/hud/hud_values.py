"""Values that the HUD shows, as plain data, and the words of its clock."""

from __future__ import annotations

from dataclasses import dataclass, field

from game.view.input.player_command import Situation

TICKS_A_SECOND = 20


def clock_words(tick: int) -> str:
    """Return the game time of a tick as ``mm:ss``."""
    seconds = tick // TICKS_A_SECOND
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


@dataclass
class HudState:
    """Values that the HUD shows."""

    objective: str = ""
    then: str = ""
    icon: str = "flag"
    distance: float = -1.0
    direction: float = 0.0
    alarm: str = "Unnoticed"
    alarm_icon: str = "eye_shut"
    alarm_count: int = 0
    clock: str = "00:00"
    speed: float = 1.0
    paused: bool = False
    groups: dict[int, tuple[str, bool]] = field(default_factory=dict)
    portraits: list[tuple[int, str, int, int]] = field(default_factory=list)  # id, name, hp, hp_max
    more: int = 0
    chips: bool = False
    """True while the selection is shown as chips: it is too large for portraits."""
    light: float | None = None
    """Light from 0 to 1 on the best lit selected unit, by night only."""
    loads: frozenset[int] = frozenset()
    """Units with a portrait that carry something or drag a body."""
    noticed: frozenset[int] = frozenset()
    """Units with a portrait that a watcher is noticing."""
    situation: Situation = field(default_factory=Situation)
    armed: str = ""  # command waiting for its target
    held: str = ""  # command that stays on until it is given again
    hover: str = ""  # command under the cursor
    page: int = 0
    """Page of the command card."""
    drawer: str = ""
    """Open drawer above the bar: ``more``, ``squad`` or none."""
    squad: tuple[str, str] = ("", "")
    """Manoeuvre and stage of the first selected unit's squad; empty without a squad."""
    roles: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Role and element of each pictured unit in a manoeuvre."""
    news: list[tuple[int, str]] = field(default_factory=list)
    """Latest messages of squads with their ticks, oldest first."""
