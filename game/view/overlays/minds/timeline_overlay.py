"""Timeline of partial updates: the parts of each unit that ran in each tick."""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.update_timeline import KEPT, MOST, Part, Timeline
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay

MOST_NAMED = 5
"""Limit of units whose decision times the panel lists."""
PART_WORDS = {
    Part.LOOK: "looks",
    Part.DECIDE: "decides",
    Part.PATH: "path",
    Part.STEER: "steers",
    Part.MOVE: "moves",
}
GROUP_PARTS = {Part.DECIDE: "group decides", Part.PATH: "group path", Part.MOVE: "group moves"}


@overlay
class TimelinePanel(Overlay):
    """Decisions, paths, steering and moving, each at its own rate (20.3)."""

    name, title, channel, scope = "timeline", "Timeline", Channel.PANEL, Scope.SELECTED
    question = "Which part of each unit runs in which tick?"

    def _ids(self, context: LabContext) -> list[int]:
        return [int(context.playing.picture.id[r]) for r in context.rows(self.scope).tolist()]

    def panel_lines(self, context: LabContext) -> list[tuple[str, str]]:
        """Return counts of all units over the last second, then single units."""
        ids = self._ids(context)
        lines = [(f"{len(ids)} units, last second", "times")]
        timeline: Timeline = context.world.turns.timeline
        for part, words in PART_WORDS.items():
            lines.append((f"    {words}", str(sum(int(timeline.of(unit, part)[-20:].sum()) for unit in ids[:200]))))
        for unit in ids[:MOST_NAMED]:
            since = np.flatnonzero(timeline.of(unit, Part.DECIDE)[::-1])
            last = f"decided {since[0]} ticks ago" if len(since) else f"decided {KEPT} or more ticks ago"
            lines.append((context.world.name_of(unit), last))
        return lines

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the lanes of the first unit's and its group's parts.

        A lane has one stroke a tick; the number counts the last second.
        """
        world, ids = context.world, self._ids(context)
        colour, other = context.palette.overlay["full"], context.palette.overlay["splice"]
        if not ids:
            return [LegendRow("a part ran", colour, f"in the last {KEPT} ticks")]
        lanes = [(words, world.turns.timeline.of(ids[0], part), colour) for part, words in PART_WORDS.items()]
        group = world.groups.rows.get(int(world.units.band[world.units.slot(ids[0])]))
        if group is not None:
            lanes += [(words, world.turns.groups_timeline.of(group.id, p), other) for p, words in GROUP_PARTS.items()]
        return [
            LegendRow(words, by, f"{int(ran[-20:].sum())}/s", "lane", ticks=tuple(ran.tolist()))
            for words, ran, by in lanes
        ]

    def empty(self, context: LabContext) -> str:
        """Return the reason for an empty panel: no units, or too many."""
        if context.world.units.next_id > MOST:
            return "kept for up to a thousand units only"
        return "" if len(context.rows(self.scope)) else "no unit to show is in sight"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the parts of the unit here that ran in this tick."""
        r = context.row_at(Scope.ALL, x, y)
        if r < 0:
            return ""
        timeline, unit = context.world.turns.timeline, int(context.playing.picture.id[r])
        ran = [words for part, words in PART_WORDS.items() if timeline.of(unit, part)[-1]]
        return f"this tick: {', '.join(ran) or 'nothing'}"
