"""Picture of the play screen: world, overlays, HUD, notices."""

from __future__ import annotations

import numpy as np
import pygame

from game.checks.scripts.hints import ShownHint
from game.view.hud import notices
from game.view.hud.click_words import draw_click_words
from game.view.hud.hint_panel import draw_hint, figures_of
from game.view.hud.keys_card import draw_keys_card
from game.view.input.facing_drag import draw_ghosts
from game.view.screens.play.play_parts import PlayParts
from game.view.stealth.plan_mode import NOTICE_BELOW
from game.view.units.order_marks import CAPTION_TOP


class PlayPicture(PlayParts):
    """Play screen that draws itself, one layer above the other."""

    def draw(self, surface: pygame.Surface) -> None:
        """Draw world, overlays, HUD and notices."""
        alpha = self.playing.clock.alpha()
        if self._first_frame:
            self.scene.ground_budget(None)  # all at once: ground that appears late would distract
        hint = () if self.hint is None or self.hint_box is None else (self.hint_box,)
        self.scene.labels.covered = () if self.view.lab else (*self.hud.layout.panels, *hint)
        self.scene.draw_ground(surface, self.camera, self.playing, self.view, alpha)
        self.lab.draw_fills(surface, self.camera, self.playing, self.view)
        self.plan_mode.draw_wash(surface)
        self.stealth.draw_ground(surface)
        self.view.marks.caption_top = self._caption_top()
        self._draw_future(surface)
        rows = self.scene.draw_units(surface, self.camera, self.playing, self.view, alpha, self.app.now_ms)
        self.plan_mode.draw(surface)
        self.stealth.draw_above(surface, rows, alpha)
        self.lab.draw_marks(surface, self.camera, self.playing, self.view, alpha)
        self.why.draw_map(surface, self.camera)
        if self.mouse.facing is not None:
            colour = self.app.palette.sides[self.playing.side].colour
            draw_ghosts(surface, self.camera, self.app.palette, self.mouse.facing, colour)
        self.tools.draw_map(surface)
        self.mouse.squad_plan.draw(surface)
        self.timeline.tint(surface)
        self.edge_marks.boxes = []
        if not self.shot and not self.view.lab:
            app = self.app
            taken = [*self.hud.layout.panels, *self.stealth.boxes]
            args = (app.text, self.hud.panels, app.palette, self.sprites, taken)
            self.edge_marks.draw(surface, self.camera, app.now_ms, *args)
        self.draw_panels(surface, rows)
        self.keyboard.draw(surface)
        self._draw_notices(surface)
        if self._first_frame and not self.shot:
            self.scene.ground_budget(1)
        self._first_frame = False

    def _draw_future(self, surface: pygame.Surface) -> None:
        """Draw ghosts of the present while the past is shown.

        Without a view of all they are those of the own side.
        """
        travel = self.timeline.travel
        if travel.past is not None:
            side = -1 if self.view.lab and self.view.lift_fog else self.playing.side
            past, present = self.playing.picture, travel.game.picture
            self.future.draw(surface, self.camera, self.scene, past, present, side)

    def draw_panels(self, surface: pygame.Surface, rows: np.ndarray) -> None:
        """Draw the panels of the HUD, or those of Lab."""
        self.hud.draw(surface, self.state, self.playing.picture, self.view.lab)
        if self.view.lab:
            below = self.timeline.draw(surface, lab=True)
            self.lab.panels.beside = self._draw_beside(surface)
            self.lab.panels.pinned = self._draw_pins(surface)
            self.lab.draw_panels(surface, self.camera, self.playing, self.view, self.hud.layout.objective, below)
        else:
            box = self.hud.layout.minimap_box()
            self.minimap.draw(surface, box, self.camera, self.scene.fog, self.playing.picture, rows, 16)
            self.stealth.draw_panels(surface)
            self.plan_mode.draw_banner(surface)
            self.hud.draw_tip(surface, self.state)
            self.mouse.squad_plan.draw_card(surface)
            if self.mouse.words and not self.mouse.dragging:
                colours = self.hud.panels.ink, self.hud.panels.paper
                draw_click_words(surface, self.app.text, self.mouse.pos, self.mouse.words, *colours)
            if self.hint is not None:
                self._draw_hint(surface, self.hint, rows)
            if self.moments is not None:
                self.moments.draw(surface)

    def _draw_beside(self, surface: pygame.Surface) -> pygame.Rect:
        """Draw the panel in the place of Lab's list; return its box."""
        if self.tools.shows:
            return self.tools.draw(surface)
        return self.budget.draw(surface) if self.budget.shows else self.why.draw(surface)

    def _draw_pins(self, surface: pygame.Surface) -> pygame.Rect:
        """Draw the pinned numbers below objective and badge; return their box."""
        panels = self.lab.panels
        top = max(self.hud.layout.objective.bottom, panels.badge.bottom) + panels.text.px(10)
        right = panels.beside.left if panels.beside.width else surface.get_width() - panels.text.px(270)
        return self.why.pins.draw(surface, top, right)

    def _draw_hint(self, surface: pygame.Surface, hint: ShownHint, rows: np.ndarray) -> None:
        """Draw the hint panel clear of figures, names, marks and the caption."""
        figures = figures_of(self.camera, self.playing, rows)
        others = [*self.stealth.boxes, *self.edge_marks.boxes, *self.scene.lettering]
        if self.view.marks.caption_box is not None:
            others.append(self.view.marks.caption_box)
        self.hint_box = draw_hint(surface, self.app, self.camera, self.hud.layout, hint, figures, others)

    def _draw_notices(self, surface: pygame.Surface) -> None:
        past = self.view.past
        if self.playing.clock.paused and not self.shot and not self.plan_mode.plan.on and not past:
            notices.draw_pause_frame(surface, self.app)
        words = self.notice if self.app.now_ms < self.notice_until else ""
        if not words and past and not self.view.lab:
            words = self.timeline.words_in_play()
        words = words or self.watch.fault
        if words:
            beside = self.lab.panels.beside if self.view.lab else None
            right = beside.left if beside is not None and beside.width else surface.get_width()
            notices.draw_notice(surface, self.app, words, self._notice_top(), right)
        if self.keys_shown:
            draw_keys_card(surface, self.app, self.sprites, everything=self.keys_shown == 2)

    def _notice_top(self) -> int:
        """Return the interface pixels above a notice.

        It lies below the alarm panel, below the badge of Lab, or below the banner of plan mode.
        """
        if self.view.lab:
            lowest = max(self.lab.panels.badge.bottom, self.lab.panels.pinned.bottom)
            return max(72, round(lowest / self.app.text.scale) + 8)
        return NOTICE_BELOW if self._plans() else 72

    def _caption_top(self) -> int:
        """Return the interface pixels above the story's caption.

        It lies below the banner and the notice if they are shown.
        """
        if self.notice and self.app.now_ms < self.notice_until:
            return self._notice_top() + notices.HEIGHT
        return max(CAPTION_TOP, self._notice_top()) if self._plans() else CAPTION_TOP
