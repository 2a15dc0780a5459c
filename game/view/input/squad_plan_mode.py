"""Squad plan on the play screen: shown first, then ordered.

A click on a place shows the plan, the next click gives the order. A right click or Escape drops the plan. A drag
bends its flank to the cursor. While the plan is shown the game goes on, and the plan is made again when members or
known enemies have moved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
import pygame

from game.minds.squad.intents import INTENTS
from game.minds.squad.member_roles import manoeuvre_words
from game.minds.squad.squad_plan import SquadPlan, bent_intent, plan_order
from game.view.hud.hint_panel import figures_of, place_panel
from game.view.input.input_context import MouseContext
from game.view.units.squad_ghost import draw_numbers, draw_plan
from game.world.orders import Order

LEAST_PX = 6
"""Pixels up to which a press is a click."""
DRAG_AGAIN_MS = 120
"""Milliseconds between two plans while the flank is bent."""
AGAIN_TICKS = 40
"""Ticks between two plans while the game goes on."""
MOVED = 1.5
"""Tiles that a member or a known enemy moves before another plan."""
WIDTH, HEAD, LINE = 372, 32, 20
"""Interface pixels: the card's width, its head, and a line."""
MOST_FAILS = 3
"""Conditions that a refusal lists."""


@dataclass
class Draft:
    """Order that is not given yet, and its plan.

    ``seen`` is the tick of the plan, ``at`` the places of members and enemies then.
    """

    order: Order
    plan: SquadPlan
    seen: int
    at: np.ndarray


class SquadPlanMode:
    """Plan of the squad order that the player considers."""

    def __init__(self, screen: MouseContext) -> None:
        self.screen = screen
        self.draft: Draft | None = None
        self.pressed: tuple[int, int] | None = None
        self.dragging = False
        self._bent_at = -DRAG_AGAIN_MS

    def begin(self, order: Order) -> None:
        """Show the plan of an order."""
        self.pressed, self.dragging = None, False
        self._plan(order)

    def drop(self) -> bool:
        """Drop the plan; return False when none is shown."""
        shown, self.draft = self.draft is not None, None
        self.pressed, self.dragging = None, False
        return shown

    def press(self, pos: tuple[int, int]) -> None:
        """Begin a click or a drag on the map."""
        self.pressed, self.dragging = pos, False

    def move(self, pos: tuple[int, int]) -> None:
        """Bend the flank to the cursor while the button is held."""
        if self.pressed is None or self.draft is None:
            return
        self.dragging = self.dragging or math.dist(pos, self.pressed) > LEAST_PX
        if self.dragging and self.screen.app.now_ms - self._bent_at >= DRAG_AGAIN_MS:
            self._bend(pos)

    def release(self, pos: tuple[int, int]) -> None:
        """Give the order after a click; keep the bent plan after a drag."""
        was, self.pressed = self.pressed, None
        if was is None or self.draft is None:
            return
        if self.dragging:
            self.dragging = False
            if not self.draft.plan.bends and not self.draft.order.points:
                self.screen.tell("Only a flank can be bent: this plan has none")
            else:
                self._bend(pos)
            return
        if self.draft.plan.refused:
            self.screen.tell(f"They cannot: {self.draft.plan.refused}")
            return
        order, self.draft = self.draft.order, None
        if self.screen.give_order(order):
            self.screen.view.marks.ordered("squad", order.x, order.y, order.units, self.screen.app.now_ms)
        self.screen.app.sound.play("order", at_most_every_ms=60)

    def update(self) -> None:
        """Drop the plan of another selection; make it again after a change."""
        draft, screen = self.draft, self.screen
        if draft is None:
            return
        units = screen.selection.ids
        if not units or not set(units) <= set(draft.order.units) or screen.view.lab or screen.state.situation.over:
            self.drop()
            return
        world = screen.playing.world
        waits = not screen.playing.session.whole or 0 <= world.tick - draft.seen < AGAIN_TICKS
        if self.dragging or waits:
            return
        order = replace(draft.order, units=units)  # fewer after a casualty
        at = self._places(order)
        if at.shape != draft.at.shape or (np.hypot(*(at - draft.at).T) > MOVED).any():
            self._plan(order)
        else:
            draft.seen = world.tick

    def _places(self, order: Order) -> np.ndarray:
        """Return the places of the members and of the enemies that their squad knows."""
        world = self.screen.playing.world
        slots = world.units.slots(order.units)
        own = np.column_stack([world.units.x[slots], world.units.y[slots]])
        squad = world.squads.of(order.units[0])
        known = sorted(squad.enemies.items()) if squad is not None else []
        return np.vstack([own, np.array([(e.x, e.y) for _, e in known]).reshape(-1, 2)])

    def _plan(self, order: Order) -> None:
        playing = self.screen.playing
        playing.whole()
        plan = plan_order(playing.world, order.side, order.units, order.name, (order.x, order.y), order.points)
        self.draft = Draft(order, plan, playing.world.tick, self._places(order))

    def _bend(self, pos: tuple[int, int]) -> None:
        """Lead the flank through the place under a pixel, on its side."""
        draft = self.draft
        self._bent_at = self.screen.app.now_ms
        if draft is None or not (draft.plan.bends or draft.order.points):
            return
        level = self.screen.playing.level
        x, y = self.screen.camera.to_world(*pos)
        bend = min(max(x, 0.5), level.width - 0.5), min(max(y, 0.5), level.height - 0.5)
        self._plan(replace(draft.order, name=bent_intent(draft.plan, bend), points=bend))

    # Drawing

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the ghost on the map."""
        if self.draft is None:
            return
        screen, plan = self.screen, self.draft.plan
        palette = screen.app.palette
        draw_plan(surface, screen.camera, palette, plan)
        draw_numbers(surface, screen.camera, palette, plan, screen.scene.labels, screen.app.text)
        if self.draft.order.points:
            at = screen.camera.to_screen(self.draft.order.points[0], self.draft.order.points[1])
            pygame.draw.circle(surface, palette["rim"], at, 9, 5)
            pygame.draw.circle(surface, palette["ink"], at, 8, 2)

    def draw_card(self, surface: pygame.Surface) -> None:
        """Draw the card of the plan beside its place."""
        if self.draft is None:
            return
        screen, plan = self.screen, self.draft.plan
        text, panels = screen.app.text, screen.hud.panels
        px = text.px
        room = px(WIDTH) - px(24)
        lines = [
            (part, kind)
            for words, kind in plan_lines(plan, screen.playing.world.name_of)
            for part in text.wrap(_face(kind), 15, words, room)
        ]
        size = px(WIDTH), px(HEAD + LINE * len(lines) + 6)
        figures = figures_of(screen.camera, screen.playing)
        anchor = screen.camera.to_screen(*plan.goal)
        rect, _ = place_panel(size, anchor, surface.get_rect(), screen.hud.layout, px(30), figures)
        panels.draw(surface, rect)
        title = text.shortened("serif_bold", 18, f"Plan: {INTENTS[plan.intent].words}", room)
        text.draw(surface, (rect.x + px(12), rect.y + px(5)), title, panels.ink, "serif_bold", 18)
        for k, (words, kind) in enumerate(lines):
            colour = screen.app.palette["vermilion"] if kind == "bad" else panels.soft if kind == "keys" else panels.ink
            at = rect.x + px(12), rect.y + px(HEAD + LINE * k)
            text.draw(surface, at, words, colour, _face(kind), 15)


def _face(kind: str) -> str:
    """Return the face of a line of a kind."""
    return "sans_bold" if kind == "bad" else "sans"


def plan_lines(plan: SquadPlan, name_of: Callable[[int], str]) -> list[tuple[str, str]]:
    """Return the lines (words, kind) of a plan's card, or of its refusal."""
    if plan.refused:
        lines = [(f"They cannot: {plan.refused}", "bad")]
        others = [(name, why) for name, why in plan.fails if why != plan.refused]
        lines += [(f"{manoeuvre_words(name)} needs: {why}", "plain") for name, why in others[:MOST_FAILS]]
        return [*lines, ("right-click: drop", "keys")]
    parts = "click: give the order; drag: bend it; right-click: drop"
    lines = [(f"{manoeuvre_words(plan.kind)}, {plan.length:.0f} m of running in all", "plain")]
    if plan.threats is None or not len(plan.threats):
        lines.append(("they know of no enemy there", "plain"))
    else:
        lines.append((f"{plan.exposed:.0f} m of it in view of known enemies", "bad" if plan.exposed else "plain"))
    lines.append((cover_words(plan, name_of), "plain"))
    return [*lines, (parts if plan.bends else parts.replace(" drag: bend it;", ""), "keys")]


def cover_words(plan: SquadPlan, name_of: Callable[[int], str]) -> str:
    """Return who covers whom in the first step in which somebody covers."""
    if not plan.covers:
        return "nobody covers the others"
    first = max(plan.covers, key=lambda pair: min(len(pair.coverers), len(pair.covered)))
    coverers, covered = (_names(units, name_of) for units in (first.coverers, first.covered))
    turns = f", in {len(plan.covers)} turns" if len(plan.covers) > 1 else ""
    return f"{coverers} cover {covered}{turns}"


def _names(units: Iterable[int], name_of: Callable[[int], str]) -> str:
    """Return the names of one or two units, or the number of more."""
    names = [_short(unit, name_of) for unit in units]
    return ", ".join(names) if len(names) <= 2 else f"{len(names)} soldiers"


def _short(unit: int, name_of: Callable[[int], str]) -> str:
    """Return the name of a unit, or its number without a name."""
    name = name_of(unit)
    return str(unit) if name.endswith(f" {unit}") else name
