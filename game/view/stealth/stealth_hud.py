"""Stealth displays of the play screen: fed with events, drawn in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pygame

from game.systems.noise import in_earshot
from game.view.hud.feedback import own_seen
from game.view.painting.screen_protocols import PlayContext
from game.view.stealth.barks import UNSEEN, Barks, tier_of
from game.view.stealth.guard_beliefs import draw_beliefs
from game.view.stealth.meter_breakdown import CARD_MS, MeterBreakdown, card_box, draw_card
from game.view.stealth.noise_rings import NoiseRings
from game.view.stealth.throw_marks import draw_aim, draw_flights
from game.view.stealth.tile_hover import TileCard
from game.view.stealth.watcher_marks import symbol_of
from game.view.units.ghost_figures import GhostFigures
from game.world.events import Happening

GAP = 10
LOST_TICKS = 20
"""Ticks without sight of the enemy that make a shout about it untrue."""
MOST_FIGURES = 60
"""Largest number of figures that captions keep clear of."""


class StealthHud:
    """Stealth displays of a play screen, apart from cones and meters."""

    def __init__(self, stage: PlayContext) -> None:
        self.stage = stage
        self.forget()

    def forget(self) -> None:
        """Start afresh after a change of world or a jump in time."""
        self.breakdown = MeterBreakdown()
        self.rings = NoiseRings()
        self.barks = Barks()
        self.tile = TileCard(self.stage)
        self._ghosts: GhostFigures | None = None
        self.boxes: list[pygame.Rect] = []
        """Boxes of card and tile panel as last drawn; later labels avoid them."""

    def update(self, over_map: bool = False) -> None:
        """Follow the last finished tick, once a frame.

        ``over_map`` means that the cursor rests on the map and holds nothing.
        """
        self.tile.update(over_map)
        stage, now = self.stage, self.stage.app.now_ms
        self.breakdown.follow(stage.playing)
        self.rings.follow(stage.playing, stage.selection.ids, stage.scene.fog, now)
        self.barks.forget_old(now)
        if self.barks.bubbles:
            self.barks.forget_untrue(self._marks_of_speakers(), now)

    def hear(self, happenings: Iterable[Happening]) -> None:
        """Take in events: barks, heard noises and identifications."""
        stage, now = self.stage, self.stage.app.now_ms
        self.breakdown.follow(stage.playing)
        for fact in happenings:
            if fact.kind == "bark" and fact.text:
                loud = tier_of(fact.text) == "shout"
                heard = loud and in_earshot(stage.playing.world, stage.playing.side, fact.x, fact.y)
                self.barks.hear(fact.unit, fact.text, fact.x, fact.y, now, heard)
            elif fact.kind == "heard":
                stage.scene.eyes.hears(fact.unit, now)
            elif fact.kind == "identified" and own_seen([fact], stage.playing):
                self.breakdown.identified(stage.playing.world, fact.unit, fact.other, now)

    def _marks_of_speakers(self) -> dict[int, str]:
        """Return the mark of each living unit with a bubble, by unit id."""
        playing = self.stage.playing
        p, marks = playing.picture, {}
        for bubble in self.barks.bubbles:
            row = p.row_of.get(bubble.unit)
            if row is not None and p.alive[row]:
                mark = symbol_of(playing.world, bubble.unit, float(p.meter[row]), bool(p.asleep[row]))
                lost = mark == "alarm" and p.tick - p.seen_tick[row] > LOST_TICKS
                marks[bubble.unit] = UNSEEN if lost else mark
        return marks

    # Drawing

    def draw_ground(self, surface: pygame.Surface) -> None:
        """Draw tile frame and noise rings, below the figures."""
        stage = self.stage
        if not stage.view.lab:
            night = stage.scene.night(stage.view)
            self.tile.draw_ground(surface, stage.camera, stage.app.palette)
            self.rings.draw(surface, stage.camera, stage.app.palette, night, stage.app.now_ms)

    def draw_above(self, surface: pygame.Surface, rows: np.ndarray, alpha: float) -> None:
        """Draw beliefs, then the barks of units in ``rows``, above the figures."""
        stage, app = self.stage, self.stage.app
        p = stage.playing.picture
        if not stage.view.lab:
            night, labels = stage.scene.night(stage.view), stage.scene.labels
            ghosts = self._ghost_figures()
            draw_beliefs(surface, stage.camera, stage.playing, ghosts, app.palette, app.text, labels, night)
            draw_flights(surface, stage.camera, stage.playing, app.palette, rows)
            if stage.mouse.armed == "throw" and stage.mouse.pos != (0, 0):
                to = stage.camera.to_world(*stage.mouse.pos)
                chosen = stage.selection.ids
                draw_aim(surface, stage.camera, stage.playing, app.palette, app.text, labels, chosen, to)
            bodies = self._figures(rows) if self.rings.rings else []
            self.rings.draw_captions(surface, stage.camera, app.palette, night, app.now_ms, app.text, labels, bodies)
        if not self.barks.bubbles:
            return
        x, y, _ = p.between(alpha)
        shown = set(rows.tolist())
        places = {
            b.unit: (float(x[r]), float(y[r]))
            for b in self.barks.bubbles
            if (r := p.row_of.get(b.unit)) is not None and r in shown
        }
        for b in self.barks.bubbles:
            if b.heard and b.unit not in places:
                places[b.unit] = b.x, b.y
        caption = stage.view.marks.caption_box
        clear = [*stage.scene.labels.covered, *self.boxes, *([caption] if caption is not None else [])]
        self.barks.draw(surface, stage.camera, app.text, app.palette, stage.scene.labels, places, app.now_ms, clear)

    def _figures(self, rows: np.ndarray) -> list[pygame.Rect]:
        """Return the boxes of the first figures that are shown."""
        p, camera = self.stage.playing.picture, self.stage.camera
        half = camera.zoom // 2
        places = [camera.to_screen(float(p.x[r]), float(p.y[r])) for r in rows[:MOST_FIGURES].tolist()]
        return [pygame.Rect(x - half, y - half, 2 * half, 2 * half) for x, y in places]

    def draw_panels(self, surface: pygame.Surface) -> None:
        """Draw the card of the last identification and the tile panel."""
        stage, app, card = self.stage, self.stage.app, self.breakdown.card
        self.boxes = []
        stage.view.marks.card = None
        if card is None or app.now_ms - card.born > CARD_MS:
            self._draw_tile(surface)
            return
        layout = stage.hud.layout
        above = layout.placing if layout.placing.width else layout.objective
        at = (above.left, above.bottom + app.text.px(GAP))
        draw_card(surface, card, at, app.text, stage.hud.panels, app.palette, stage.sprites)
        stage.view.marks.card, _ = card_box(card, at, app.text)
        self.boxes.append(stage.view.marks.card)
        self._draw_tile(surface)

    def _draw_tile(self, surface: pygame.Surface) -> None:
        """Draw the panel of the tile under the cursor, clear of the card."""
        rect = self.tile.draw(surface, self.boxes)
        if rect is not None:
            self.boxes.append(rect)

    def _ghost_figures(self) -> GhostFigures:
        if self._ghosts is None or self._ghosts.parts is not self.stage.scene.figures.parts:
            self._ghosts = GhostFigures(self.stage.sprites, self.stage.app.palette, self.stage.scene.figures.parts)
        return self._ghosts
