"""Plan mode on the play screen: its keys, the orders it takes, its drawing."""

from __future__ import annotations

import pygame

from game.view.painting.screen_protocols import PlayContext
from game.view.stealth.order_plan import Plan
from game.view.stealth.plan_painter import Pencil, PlanPainter, draw_banner
from game.view.units.ghost_figures import GhostFigures
from game.world.orders import Order

BANNER_TOP = 62
NOTICE_BELOW = 126
"""Interface pixels: the banner is below the alarm panel, notices are below the banner."""


class PlanMode:
    """Plan of a play screen."""

    def __init__(self, stage: PlayContext) -> None:
        self.stage = stage
        self.plan = Plan()
        self._painter: PlanPainter | None = None
        self._was_paused = False

    def toggle(self) -> None:
        """Stop time for planning, or continue and keep the plan."""
        clock = self.stage.playing.clock
        if self.plan.on:
            self.leave()
            return
        self.stage.playing.whole()
        self._was_paused, clock.paused = clock.paused, True
        self.plan.on = True
        self.stage.app.sound.play("select")

    def leave(self) -> None:
        """Continue time as before; the plan stays and is run with its key."""
        if self.plan.on:
            self.plan.on = False
            self.stage.playing.clock.paused = self._was_paused

    def drop(self) -> bool:
        """Drop the plan and continue time; return False when there is none."""
        if not (self.plan.on or self.plan.units):
            return False
        if self.plan.units:
            self.stage.tell("The plan is dropped")
        self.plan.drop()
        self.leave()
        return True

    def forget(self) -> None:
        """Start with an empty plan after a new world or a time jump."""
        self.plan = Plan()
        self._was_paused = False

    def run(self) -> bool:
        """Give all planned orders in one tick; return False without a plan."""
        if not self.plan.units:
            if self.plan.on:
                self.stage.tell("Nothing is planned yet: select a unit and give an order")
            return self.plan.on
        for order in self.plan.orders():
            self.stage.playing.give(order)
        self.plan.drop()
        self.plan.on = False
        self.stage.playing.clock.paused = False
        self.stage.app.sound.play("order")
        return True

    def take(self, order: Order) -> bool:
        """Add an order to the plan; return False for the world's orders."""
        return self.plan.on and self.plan.take(order)

    def update(self) -> None:
        """Keep time stopped during planning, and drop the plans of dead units."""
        if self.plan.on:
            self.stage.playing.clock.paused = True
        self.plan.keep_only(self.stage.playing.picture.living_ids)

    # Drawing

    def draw_wash(self, surface: pygame.Surface) -> None:
        """Tint the ground, below the figures."""
        if self.plan.on and not self.stage.view.lab:
            self._made().wash(surface, self.stage.app.palette)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the ghosts on the map."""
        if self.stage.view.lab or not (self.plan.on or self.plan.units):
            return
        playing = self.stage.playing
        painter = self._made()
        painter.look(self.plan, playing.world)
        painter.draw(self._pencil(surface), playing.picture, playing.side)

    def draw_banner(self, surface: pygame.Surface) -> None:
        """Draw the banner of plan mode and a frame round the window."""
        if self.stage.view.lab or not (self.plan.on or self.plan.units):
            return
        app, playing = self.stage.app, self.stage.playing
        label = app.keymap.label
        own = len(playing.picture.living(playing.side))
        draw_banner(self._pencil(surface), self.plan, own, ("Enter", "Esc", label("plan")), app.text.px(BANNER_TOP))
        if self.plan.on:
            pygame.draw.rect(surface, app.palette["blue"], surface.get_rect(), 6)
            pygame.draw.rect(surface, app.palette["white"], surface.get_rect().inflate(-12, -12), 1)

    def _made(self) -> PlanPainter:
        if self._painter is None or self._painter.figures.parts is not self.stage.scene.figures.parts:
            self._painter = PlanPainter(
                GhostFigures(self.stage.sprites, self.stage.app.palette, self.stage.scene.figures.parts)
            )
        return self._painter

    def _pencil(self, surface: pygame.Surface) -> Pencil:
        stage = self.stage
        panels = stage.hud.panels
        return Pencil(
            surface, stage.camera, stage.app.palette, stage.app.text, stage.sprites, panels, panels.night,
            stage.scene.labels,
        )  # fmt: skip
