"""Overlays of a unit's state: state of the mind, gait phase, stance and action."""

from __future__ import annotations

import math

import numpy as np
import pygame

from game.minds.explain import state_words
from game.view.overlays.overlay import NUMBERS_FROM, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.world.rules.act_table import WORDS

MOST_UNITS = 200
METER, LINE = 8, 60
"""Pixels kept free: below a watcher for its meter, and along its watch line."""
STEPS_FROM, RUNS_FROM = 0.1, 2.5
"""Speeds in tiles/s from which a body takes steps and runs."""
LOW = 0.5
"""Sine of the facing above which a weapon points down the screen."""


@overlay
class Minds(Overlay):
    """State of each unit's mind, in one word."""

    name, title, channel, scope = "minds", "Minds", Channel.MARK, Scope.ALL
    question = "What is each mind doing now?"

    def _word(self, context: LabContext, unit: int) -> str:
        mind = context.world.minds.get(unit)
        machine = getattr(mind, "machine", None)
        return state_words(str(getattr(machine, "state", "") or "at rest"))

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the state's name below each figure, from 16 pixels a tile."""
        p, palette = context.playing.picture, context.palette
        if camera.zoom < 16:
            return
        x, y, _ = p.between(alpha)
        clear = max(camera.zoom // 2, 12)
        rows = context.on_screen(camera, Scope.ALL, alpha)[:MOST_UNITS].tolist()
        low = {r for r in rows if math.sin(float(p.facing[r])) > LOW}
        places = {r: camera.to_screen(float(x[r]), float(y[r])) for r in rows}
        for r in rows:
            target = p.row_of.get(int(p.meter_target[r]), -1) if p.meter[r] > 0 else -1
            if target in places:
                self._keep_line(context, places[r], places[target], clear)
        for r in rows:
            word = self._word(context, int(p.id[r]))
            # A unit with a meter has its bar below the figure; a unit facing down the screen has its weapon there.
            below = clear + (METER if p.meter[r] > 0 else 0) + (clear // 2 if r in low else 0)
            context.labels.put(surface, context.text, word, places[r], below, palette["ink"], palette["rim"])

    def _keep_line(self, context: LabContext, at: tuple[int, int], to: tuple[int, int], clear: int) -> None:
        """Keep words off the line that fills from a watcher to its target."""
        far = math.dist(at, to)
        for k in range(clear, int(min(far, clear + LINE)), 4):
            px, py = (round(a + (b - a) * k / far) for a, b in zip(at, to, strict=True))
            context.labels.reserve(pygame.Rect(px - 4, py - 4, 8, 8))

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the words."""
        return [LegendRow("state of the mind", context.palette["ink"], "name")]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the state of the unit under the cursor."""
        r = context.row_at(Scope.ALL, x, y)
        return self._word(context, int(context.playing.picture.id[r])) if r >= 0 else ""


def _foot(phase: float) -> str:
    """Return the foot that came down last.

    It is the left one at phase 0, the right one at 0.5.
    """
    return "left" if phase % 1.0 < 0.5 else "right"


@overlay
class BodyOverlay(Overlay):
    """Gait phase, stance and action of each body."""

    name, title, channel, scope = "body", "Body", Channel.MARK, Scope.SELECTED
    question = "Which gait phase, stance and action does each unit have?"

    def _words(self, context: LabContext, r: int) -> str:
        """Return stance or gait with its foot, then the act."""
        p = context.playing.picture
        speed, stance = math.hypot(float(p.vx[r]), float(p.vy[r])), min(int(p.stance[r]), 2)
        if speed < STEPS_FROM:
            words = ("stands", "crouches", "lies")[stance]
        else:
            gait = ("runs" if speed > RUNS_FROM else "walks", "sneaks", "crawls")[stance]
            words = f"{gait} {speed:.1f} m/s, {_foot(float(p.gait[r]))} foot"
        return f"{words}; {WORDS[int(p.action[r])]}" if p.action[r] else words

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw an arc for the gait phase round each figure.

        Words are added from 32 pixels a tile.
        """
        p, palette = context.playing.picture, context.palette
        x, y, _ = p.between(alpha)
        radius = max(camera.zoom * 5 // 8, 6)
        green, thin = palette.ramps["okabe_ito"][1], palette["rim"]
        for r in context.on_screen(camera, self.scope, alpha)[:MOST_UNITS].tolist():
            at = camera.to_screen(float(x[r]), float(y[r]))
            box = pygame.Rect(at[0] - radius, at[1] - radius, radius * 2, radius * 2)
            pygame.draw.circle(surface, thin, at, radius, 3)
            pygame.draw.circle(surface, palette["ink"], at, radius, 1)
            phase, walks = float(p.gait[r]), math.hypot(float(p.vx[r]), float(p.vy[r])) >= STEPS_FROM
            if walks:
                pygame.draw.arc(surface, green, box, np.pi / 2 - phase * np.pi * 2, np.pi / 2, 4)
            if walks:
                # The foot on the ground: beside the body, left or right of its heading.
                side = -1 if _foot(phase) == "left" else 1
                turn = float(p.facing[r]) + side * math.pi / 2
                foot = round(at[0] + math.cos(turn) * radius * 0.55), round(at[1] + math.sin(turn) * radius * 0.55)
                pygame.draw.circle(surface, palette["ink"], foot, max(radius // 5, 3))
                pygame.draw.circle(surface, green, foot, max(radius // 5 - 1, 2))
            if p.action[r]:
                pygame.draw.circle(surface, palette.ramps["okabe_ito"][3], at, radius + 4, 2)
            if camera.zoom >= NUMBERS_FROM and (walks or p.action[r] or p.stance[r]):
                words = self._words(context, r)
                context.labels.put(surface, context.text, words, at, radius + 4, palette["ink"], palette["rim"])

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the arc."""
        return [
            LegendRow("gait phase", context.palette.ramps["okabe_ito"][1], "one turn, two steps", "ring"),
            LegendRow("dot: foot on the ground", context.palette.ramps["okabe_ito"][1], "", "ring"),
            LegendRow("an act goes on", context.palette.ramps["okabe_ito"][3], "", "ring"),
        ]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return gait phase, stance and action of the unit under the cursor."""
        r = context.row_at(Scope.ALL, x, y)
        return self._words(context, r) if r >= 0 else ""
