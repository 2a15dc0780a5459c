"""Overlay of the animation blackboard: recent starts, delays and exemptions."""

from __future__ import annotations

import math
from collections import Counter

import pygame

from ai.animation.animation_blackboard import DELAYS, ClipClass
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.units.idle_gestures import HISTORY, IdleGestures
from game.view.units.order_marks import dashed

LANES = 6
"""Clips that have a lane in the legend."""
TICKS_A_SECOND = 20
STARTED, WAITING, EXEMPT = 1, 5, 2
"""Category colours of a start, of a waiting figure, and of an exempt pair."""


def board_of(context: LabContext) -> IdleGestures | None:
    """Return the gestures of the scene on the screen, with their board."""
    found = getattr(context.scene, "idle", None)
    return found if isinstance(found, IdleGestures) else None


def exempt_pairs(idle: IdleGestures) -> list[tuple[int, int]]:
    """Return the pairs of units that started one clip within its delay, far apart.

    Only the exemption by distance allows such a pair.
    """
    delay = DELAYS[ClipClass.AMBIENT]
    recent = [start for start in idle.starts if idle.tick - start[0] < delay]
    return [
        (one[1], other[1])
        for k, one in enumerate(recent)
        for other in recent[k + 1 :]
        if one[2] == other[2] and one[1] != other[1] and math.dist(one[3:], other[3:]) >= idle.board.exemption
    ]


@overlay
class Twins(Overlay):
    """Animation blackboard: clip starts of the last second, delays, exemptions."""

    name, title, channel, scope = "twins", "Animation blackboard", Channel.MARK, Scope.ALL
    question = "Which gestures started lately, and which figures wait for their turn?"
    like = "scenes"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw names of clips that started, waiting figures, and exempt pairs."""
        idle, p, palette = board_of(context), context.playing.picture, context.palette
        if idle is None or camera.zoom < 16:
            return
        colours = palette.ramps["okabe_ito"]
        x, y, _ = p.between(alpha)
        rows = set(context.on_screen(camera, Scope.ALL, alpha).tolist())
        at = {int(p.id[r]): camera.to_screen(float(x[r]), float(y[r])) for r in rows}
        for one, other in exempt_pairs(idle):
            if one in at and other in at:
                dashed(surface, [at[one], at[other]], colours[EXEMPT], palette["rim"], 2, 9, 6)
        radius = max(camera.zoom * 5 // 8, 8)
        for unit, since in idle.waits.items():
            if unit in at:
                pygame.draw.circle(surface, palette["rim"], at[unit], radius, 4)
                pygame.draw.circle(surface, colours[WAITING], at[unit], radius, 2)
                words = f"waits {(idle.tick - since) / TICKS_A_SECOND:.1f} s"
                context.labels.put(surface, context.text, words, at[unit], radius, palette["ink"], palette["rim"])
        for tick, unit, clip, _, _ in idle.starts:
            if unit in at and unit not in idle.waits and idle.tick - tick < DELAYS[ClipClass.AMBIENT]:
                pygame.draw.circle(surface, palette["rim"], at[unit], radius, 4)
                pygame.draw.circle(surface, colours[STARTED], at[unit], radius, 2)
                words = idle.book.names[clip].replace("_", " ")
                context.labels.put(surface, context.text, words, at[unit], radius, palette["ink"], palette["rim"])

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the colours, the counts, and a lane for each clip that started most."""
        idle, colours = board_of(context), context.palette.ramps["okabe_ito"]
        started, waits, pairs = (len(idle.starts), len(idle.waits), len(exempt_pairs(idle))) if idle else (0, 0, 0)
        rows = [
            LegendRow("started", colours[STARTED], f"{started} in 3 s", "ring"),
            LegendRow(
                "waits for the board",
                colours[WAITING],
                f"{waits} now, {len(idle.refused) if idle else 0} refused",
                "ring",
            ),
            LegendRow(
                f"twins {idle.board.exemption if idle else 0:g} tiles apart", colours[EXEMPT], f"{pairs} pairs", "dash"
            ),
        ]
        if idle is None:
            return rows
        for clip, count in Counter(start[2] for start in idle.starts).most_common(LANES):
            ticks = {start[0] for start in idle.starts if start[2] == clip}
            lane = tuple(tick in ticks for tick in range(idle.tick - HISTORY + 1, idle.tick + 1))
            name = idle.book.names[clip].replace("_", " ")
            rows.append(LegendRow(name, colours[STARTED], str(count), "lane", ticks=lane))
        return rows

    def empty(self, context: LabContext) -> str:
        """Return that gestures are switched off, or that none started."""
        idle = board_of(context)
        return "" if idle is not None and idle.starts else "no gesture started in the last three seconds"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the clip and the wait of the figure under the cursor."""
        idle, r = board_of(context), context.row_at(Scope.ALL, x, y)
        if idle is None or r < 0:
            return ""
        unit = int(context.playing.picture.id[r])
        playing, since = idle.playing.get(unit), idle.waits.get(unit)
        if since is not None:
            return f"waits for the board since {(idle.tick - since) / TICKS_A_SECOND:.1f} s"
        if playing is None:
            return "rests"
        ago = (idle.tick - playing[1]) / TICKS_A_SECOND
        return f"{idle.book.names[playing[0]].replace('_', ' ')}, started {ago:.1f} s ago"
