"""Overlays of bodies: layer stack, acts in flight, steps with footprints, and gaze."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame

from ai.animation.tracks.act_kinds import ActStage, Track
from ai.animation.tracks.track_controller import STAGE, TRACKS, UNIT
from game.systems.body.track_words import act_words, track_rows
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.units.order_marks import dashed

MOST_UNITS = 60
"""Units with marks; more would hide each other."""
LEFT, RIGHT = 5, 2
"""Category colours of the left and of the right foot."""
RAY = 3.5
"""Tiles that a gaze without a target is drawn."""
GAZES = ("looks ahead", "turns its head", "aims at its target")
"""Kinds of gaze by their colour below."""
GAZE_COLOURS = (2, 1, 5)
TURNED = 0.2
"""Radians between head and torso from which a head counts as turned."""


def figure_columns(context: LabContext) -> Any:
    """Return the columns of the figures on the screen, or None."""
    figures = getattr(context.scene, "figures", None)
    return None if figures is None else figures.motion.columns


@overlay
class LayerStack(Overlay):
    """Clips of legs and torso, turn of the head, and acts of one unit."""

    name, title, channel, scope = "layers", "Layer stack", Channel.PANEL, Scope.SELECTED
    question = "Which clip and which act does each part of the body show?"

    def _row(self, context: LabContext) -> int:
        rows = context.playing.picture.rows(context.selected) if context.selected else np.zeros(0, np.int64)
        return int(rows[0]) if len(rows) else -1

    def panel_lines(self, context: LabContext) -> list[tuple[str, str]]:
        """Return a line for each part, then the acts by tracks."""
        row, columns = self._row(context), figure_columns(context)
        if row < 0 or columns is None or row >= len(columns.legs):
            return [("unit", "select one that is in sight")]
        book = context.scene.figures.book
        head = math.degrees((columns.head_angle[row] - columns.torso_angle[row] + math.pi) % math.tau - math.pi)
        lines = [
            ("legs show", book.words_of(int(columns.legs[row]))),
            ("torso shows", book.words_of(int(columns.torso[row]))),
            ("head turns", f"{head:+.0f} degrees"),
        ]
        return lines + track_rows(context.world, int(context.playing.picture.id[row]))

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the order of the layers."""
        return [LegendRow("legs, torso, head: from below to above", context.palette["ink"], "layers")]

    def empty(self, context: LabContext) -> str:
        """Return that no unit is selected."""
        return "" if self._row(context) >= 0 else "no unit is selected"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the clip of the torso under the cursor."""
        row, columns = context.row_at(Scope.ALL, x, y), figure_columns(context)
        if row < 0 or columns is None or row >= len(columns.torso):
            return ""
        return str(context.scene.figures.book.words_of(int(columns.torso[row])))


@overlay
class ActsInFlight(Overlay):
    """Orders from minds to bodies that have not ended."""

    name, title, channel, scope = "acts", "Acts in flight", Channel.MARK, Scope.ALL
    question = "Which act does each body carry out, and how long yet?"
    like = "body"

    def _rows(self, context: LabContext) -> np.ndarray:
        acts = context.world.acts
        rows: np.ndarray = acts.rows[: acts.count]
        return rows[rows[:, STAGE] != ActStage.GONE]

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a ring and words for each body with an act."""
        p, palette = context.playing.picture, context.palette
        x, y, _ = p.between(alpha)
        radius = max(camera.zoom * 5 // 8, 6)
        words: dict[int, list[str]] = {}
        whole: dict[int, bool] = {}
        for row in self._rows(context):
            unit = int(row[UNIT])
            words.setdefault(unit, []).append(act_words(context.world, row))
            whole[unit] = whole.get(unit, False) or bool(row[TRACKS] & Track.LEGS)
        for r in context.on_screen(camera, self.scope, alpha).tolist()[:MOST_UNITS]:
            unit = int(p.id[r])
            if unit not in words:
                continue
            at = camera.to_screen(float(x[r]), float(y[r]))
            pygame.draw.circle(surface, palette["rim"], at, radius, 4)
            pygame.draw.circle(surface, self._colour(context, whole[unit]), at, radius, 2)
            if camera.zoom >= 16:
                text = "; ".join(words[unit])
                context.labels.put(surface, context.text, text, at, radius, palette["ink"], palette["rim"])

    def _colour(self, context: LabContext, whole: bool) -> Any:
        return context.palette.ramps["okabe_ito"][LEFT if whole else RIGHT]

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the two kinds of rings and how many acts go on."""
        legs = int(((self._rows(context)[:, TRACKS] & Track.LEGS) > 0).sum())
        return [
            LegendRow(
                "hands, head or weapon", self._colour(context, False), f"{len(self._rows(context)) - legs}", "ring"
            ),
            LegendRow("legs as well", self._colour(context, True), f"{legs}", "ring"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return that no act goes on."""
        return "" if len(self._rows(context)) else "no body carries out an act at this moment"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the acts of the unit under the cursor."""
        r = context.row_at(self.scope, x, y)
        if r < 0:
            return ""
        rows = context.world.acts.acts_of(int(context.playing.picture.id[r]))
        return "; ".join(act_words(context.world, row) for row in rows) or "no act"


@overlay
class Steps(Overlay):
    """Phase wheels of the steps."""

    name, title, channel, scope = "steps", "Steps", Channel.MARK, Scope.SELECTED
    question = "At which phase of its step is each unit?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a wheel beside each unit; the overlay Footprints draws where feet come down."""
        p, palette = context.playing.picture, context.palette
        rows = context.on_screen(camera, self.scope, alpha)[:MOST_UNITS]
        colours = [palette.ramps["okabe_ito"][k] for k in (LEFT, RIGHT)]
        x, y, _ = p.between(alpha)
        wheel = max(camera.zoom // 4, 5)
        for r in rows.tolist():
            cx, cy = camera.to_screen(float(x[r]), float(y[r]))
            at = (cx + camera.zoom * 3 // 4, cy - camera.zoom * 3 // 4)
            self._wheel(surface, at, wheel, float(p.gait[r]), colours, palette)

    def _wheel(
        self, surface: pygame.Surface, at: tuple[int, int], radius: int, phase: float, colours: list[Any], palette: Any
    ) -> None:
        """Draw a wheel; its hand turns once in two steps."""
        pygame.draw.circle(surface, palette["rim"], at, radius + 2)
        pygame.draw.circle(surface, palette["ink"], at, radius + 2, 1)
        for colour, dy in ((colours[0], -radius), (colours[1], radius)):
            pygame.draw.circle(surface, colour, (at[0], at[1] + dy), max(radius // 3, 2))
        angle = phase * math.tau
        hand = (at[0] + round(math.sin(angle) * radius), at[1] - round(math.cos(angle) * radius))
        pygame.draw.line(surface, palette["ink"], at, hand, 2)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the colours of the feet."""
        colours = context.palette.ramps["okabe_ito"]
        return [
            LegendRow("left foot came down", colours[LEFT], "phase 0"),
            LegendRow("right foot came down", colours[RIGHT], "phase 0.5"),
            LegendRow("hand of the wheel", context.palette["ink"], "a turn is two steps", "ring"),
        ]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return phase and cadence of the unit under the cursor."""
        r = context.row_at(Scope.ALL, x, y)
        if r < 0:
            return ""
        rate = float(context.world.units.cadence[r]) if r < context.world.units.count else 0.0
        return f"phase {float(context.playing.picture.gait[r]):.2f}, {rate:.2f} cycles/s"


@overlay
class Gaze(Overlay):
    """Gaze of each head: ahead, turned, or at a target."""

    name, title, channel, scope = "gaze", "Gaze", Channel.LINE, Scope.ALL
    question = "Where does each head look?"

    def _kind(self, context: LabContext, r: int) -> int:
        p, columns = context.playing.picture, figure_columns(context)
        if p.target[r] >= 0:
            return 2
        if columns is None or r >= len(columns.head_angle):
            return 0
        turn = (columns.head_angle[r] - columns.torso_angle[r] + math.pi) % math.tau - math.pi
        return int(abs(turn) > TURNED)

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a ray from each head to its target, or a few tiles."""
        p, columns = context.playing.picture, figure_columns(context)
        x, y, _ = p.between(alpha)
        for r in context.on_screen(camera, self.scope, alpha)[:MOST_UNITS].tolist():
            shown = columns is not None and r < len(columns.head_angle) and columns.id[r] == p.id[r]
            angle, length = float(columns.head_angle[r] if shown else p.head[r]), RAY
            to = p.row_of.get(int(p.target[r]), -1)
            if to >= 0:
                angle = math.atan2(float(y[to] - y[r]), float(x[to] - x[r]))
                length = math.hypot(float(y[to] - y[r]), float(x[to] - x[r]))
            start = camera.to_screen(float(x[r]) + 0.4 * math.cos(angle), float(y[r]) + 0.4 * math.sin(angle))
            end = camera.to_screen(float(x[r]) + length * math.cos(angle), float(y[r]) + length * math.sin(angle))
            kind = self._kind(context, r)
            colour = context.palette.ramps["okabe_ito"][GAZE_COLOURS[kind]]
            dashed(surface, [start, end], colour, context.palette["rim"], 2, 9 if kind else 4, 6)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the kinds of gaze and how many heads have each."""
        kinds = [self._kind(context, r) for r in context.rows(self.scope).tolist()]
        return [
            LegendRow(
                words, context.palette.ramps["okabe_ito"][GAZE_COLOURS[kind]], f"{kinds.count(kind)} heads", "dash"
            )
            for kind, words in enumerate(GAZES)
        ]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the gaze of the unit under the cursor."""
        r = context.row_at(self.scope, x, y)
        return GAZES[self._kind(context, r)] if r >= 0 else ""
