"""Beliefs of the guards: sensed and last known positions of your units.

For a grace period after a unit leaves sight, the belief of the other side still follows it. A ring shows the time that
is left. Afterwards the belief stays where it is, and a pale figure marks it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pygame

from game.systems.stealth.side_knowledge import believed_at
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette, mix
from game.view.painting.text import TextDrawer
from game.view.painting.unit_picture import picture_of
from game.view.units.ghost_figures import GhostFigures
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing

TICKS_PER_SECOND = 20
FORGET_S = 30
"""Age in seconds after which a belief is not shown any more."""
SPOT = 1.75
"""Tiles within which beliefs share one ring and one label."""
OLDEST_SHARE = 0.4
"""Strength of the ring of the oldest belief that is shown."""


@dataclass(frozen=True)
class Believed:
    """Believed position (tiles) of one of the player's units, with its age in seconds.

    ``sensed`` is the share of the grace period that is left; it is 0 when the period is over.
    """

    target: int
    x: float
    y: float
    age: float
    sensed: float


def beliefs_about(playing: Playing) -> list[Believed]:
    """Return the beliefs of other sides about the player's lost units, by unit id."""
    world, p = playing.world, playing.picture
    grace = int(world.settings.minds.grace)
    found = []
    for known in world.knowledge:
        if known.side == playing.side:
            continue
        for target, belief in sorted(known.beliefs.about.items()):
            row = p.row_of.get(target)
            at = believed_at(world, known.side, target)
            if row is None or at is None or belief.lost_tick < 0 or p.side[row] != playing.side or not p.alive[row]:
                continue
            since = int(world.tick) - int(belief.lost_tick)
            sensed = max(0.0, 1.0 - since / grace) if grace > 0 and belief.seen else 0.0
            if since <= FORGET_S * TICKS_PER_SECOND:
                found.append(Believed(target, *at, since / TICKS_PER_SECOND, sensed))
    return found


def spots_of(beliefs: list[Believed]) -> list[list[Believed]]:
    """Return the beliefs by spot, newest first.

    A belief joins the first spot whose newest belief is within SPOT tiles. Units that are still sensed come before
    remembered ones, so a spot with any of them shows their clock.
    """
    spots: list[list[Believed]] = []
    for b in sorted(beliefs, key=lambda b: (b.sensed <= 0, b.age, b.target)):
        for spot in spots:
            first = spot[0]
            if math.hypot(first.x - b.x, first.y - b.y) <= SPOT:
                spot.append(b)
                break
        else:
            spots.append([b])
    return spots


def draw_beliefs(
    surface: pygame.Surface, camera: Camera, playing: Playing, figures: GhostFigures, palette: Palette,
    text: TextDrawer, labels: LabelPlacer, night: bool = False,
) -> None:  # fmt: skip
    """Draw one ring and one label a spot.

    A sensed unit has a clock, a remembered one a pale figure.
    """
    beliefs = beliefs_about(playing)
    if not beliefs:
        return
    spots = spots_of(beliefs)
    _draw_figures(surface, camera, playing, [spot[0] for spot in spots if spot[0].sensed <= 0], figures)
    ink, rim = (palette["rim"], palette["ink"]) if night else (palette["ink"], palette["rim"])
    for spot in spots:
        b = spot[0]
        at = camera.to_screen(b.x, b.y)
        radius = max(camera.zoom * 5 // 8, 12)
        if not surface.get_clip().inflate(2 * radius, 2 * radius).collidepoint(at):
            continue
        many = f"{len(spot)} " if len(spot) > 1 else ""
        box = pygame.Rect(at[0] - radius, at[1] - radius, 2 * radius, 2 * radius)
        if b.sensed > 0:
            pygame.draw.circle(surface, palette["ink"], at, radius + 1, 4)
            pygame.draw.circle(surface, palette["rim"], at, radius, 2)
            pygame.draw.arc(surface, palette["cone"], box, math.pi / 2 - math.tau * b.sensed, math.pi / 2, 3)
            sensed = sum(each.sensed > 0 for each in spot)
            others = f", {len(spot) - sensed} last known" if sensed < len(spot) else ""
            words = f"{sensed} still sensed{others}" if len(spot) > 1 else "still sensed"
        else:
            fade = 1 - (1 - OLDEST_SHARE) * min(b.age / FORGET_S, 1.0)
            colour = mix(palette["night" if night else "paper"], palette["cone_night" if night else "cone"], fade)
            for k in range(10):
                a = k * math.tau / 10
                pygame.draw.arc(surface, colour, box, a, a + 0.35, 2)
            words = f"{many}last known, {b.age:.0f} s ago"
        labels.put(surface, text, words, at, radius + 2, ink, rim, kind="serif_italic", size=15)


def _draw_figures(
    surface: pygame.Surface, camera: Camera, playing: Playing, beliefs: list[Believed], figures: GhostFigures
) -> None:
    """Draw a pale figure of each unit at its believed position."""
    p = playing.picture
    if not beliefs:
        return
    rows = np.array([p.row_of[b.target] for b in beliefs], np.int64)
    columns: dict[str, Any] = {name: column[rows].copy() for name, column in p.columns.items()}
    for name, values in (("x", [b.x for b in beliefs]), ("y", [b.y for b in beliefs])):
        columns[name][:] = values
    columns["moving"][:], columns["action"][:], columns["target"][:] = 0, 0, -1
    columns["prev_x"], columns["prev_y"] = columns["x"], columns["y"]
    there = picture_of(p.tick, columns)
    figures.draw(surface, camera, there, np.arange(len(rows)), 1.0)
