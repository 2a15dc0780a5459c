"""Lab: overlays that are on, overlays that were removed, and panels."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pygame

from game.view.lab.draw_list import ordered_rows
from game.view.lab.draw_panels import LabPanels
from game.view.lab.inspector import Words, words_for
from game.view.lab.overlay_finder import OverlayFinder
from game.view.lab.overlay_set import OverlaySet
from game.view.overlays.fills import FillPainter
from game.view.overlays.lenses import all_overlays
from game.view.overlays.overlay import REGISTRY, Channel, LabContext, Overlay, Scope
from game.view.painting.camera import Camera
from game.view.painting.painter_services import PainterServices
from game.view.scene import Scene, View
from game.view.window.playing import Playing
from game.world.faults import fault_text

LOG = logging.getLogger("fogline")

VALUES_EVERY_MS = 100
MOST_FIGURES = 120
"""Most figures that labels keep clear of; a larger crowd leaves no room."""


class Lab:
    """The overlay set of a play screen and what draws it."""

    def __init__(self, app: PainterServices, scene: Scene, before: Lab | None = None) -> None:
        """Start Lab; ``before`` is the screen's last Lab, whose overlays stay on."""
        self.app = app
        self.scene = scene
        self.overlays = OverlaySet()
        self.finder = OverlayFinder()
        self.panels = LabPanels(app, self.finder)
        self.fills = FillPainter(app.palette)
        self.chosen_lens = ""
        self.wanted = ""
        """Slug of a technique whose exhibit the player has asked for."""
        if before is not None:
            for o in before.overlays.on:
                self.show(o.name)
            self.chosen_lens = before.chosen_lens
        self.value = ""
        self.cursor = (-1, -1)
        self._read_at = -VALUES_EVERY_MS
        self._stamp: tuple[object, ...] | None = None
        self._words: tuple[int, Words] | None = None

    def resize(self) -> None:
        """Rebuild the panels after a change of window or interface scale."""
        self.panels = LabPanels(self.app, self.finder)

    def entered(self, on: bool, playing: Playing) -> None:
        """Handle the opening or closing of Lab."""
        self.finder.leave()
        if on:
            playing.whole()
            if not self.overlays.on and not self.overlays.put_out:
                self.lens("paths")

    def show(self, name: str) -> None:
        """Turn an overlay on; unknown names are told on the panel's title line."""
        if name in REGISTRY:
            self.overlays.turn_on(name)

    def lens(self, name: str) -> None:
        """Show the overlays of a lens."""
        self.overlays.lens(name)
        self.chosen_lens = name if self.overlays.on else ""

    def find(self) -> None:
        """Listen to the keyboard for words of the search."""
        self.finder.listens = True

    def typed(self, event: pygame.event.Event, view: View) -> bool:
        """Offer a key to the search line; True when the key was its own.

        Enter turns on the first of the listed overlays that is off.
        """
        what = self.finder.typed(event) if view.lab else ""
        if what == "enter":
            rows = ordered_rows(self.finder.found(all_overlays()), self.overlays)
            off = [row for row in rows if not isinstance(row, str) and not self.overlays.is_on(row.name)]
            if off:
                self.overlays.turn_on(off[0].name)
                self.chosen_lens = ""
        return what != ""

    def covers(self, pos: tuple[int, int]) -> bool:
        """Return whether a pixel lies on a panel."""
        return self.panels.covers(pos)

    def handle(self, event: pygame.event.Event, view: View) -> bool:
        """Clicks on the panels; True when the event was theirs."""
        if not view.lab:
            return False
        if event.type == pygame.MOUSEMOTION:
            self.cursor = event.pos
        if event.type == pygame.MOUSEWHEEL and self.covers(self.cursor):
            self.panels.scroll(-event.y, self.cursor)
            return True
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.finder.leave()
        if event.type == pygame.MOUSEBUTTONDOWN and self.covers(event.pos):
            if event.button == 1:
                what = self.panels.part_at(event.pos)
                if what is not None and what[0] == "find":
                    self.find()
                elif what is not None and what[0] == "lens":
                    self.lens(what[1])
                elif what is not None and what[0] == "exhibit":
                    self.wanted = what[1]
                elif what is not None:
                    self.overlays.toggle(what[1])
                    self.chosen_lens = ""
            return True
        return False

    def context(self, playing: Playing, view: View) -> LabContext:
        """Return the values that overlays may read in this frame."""
        rows = self.scene.shown_rows(playing, view.lab and view.lift_fog)
        return LabContext(
            playing,
            self.app.palette,
            self.app.text,
            self.scene.sprites,
            self.scene,
            view.selected,
            rows,
            view.lift_fog,
            self.cursor,
        )

    def draw_fills(self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View) -> None:
        """Draw ground fills with their own marks, below marks and figures."""
        if view.lab:
            context = self.context(playing, view)
            for o in self.overlays.of(Channel.FILL):
                self._guarded(o, lambda o=o: self.fills.draw(surface, camera, context, o))  # type: ignore[misc]
                if type(o).draw is not Overlay.draw and o in self.overlays.on:
                    self._guarded(o, lambda o=o: o.draw(surface, camera, context, 1.0))  # type: ignore[misc]

    def draw_marks(self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View, alpha: float) -> None:
        """Draw lines, then unit marks."""
        if view.lab:
            context = self.context(playing, view)
            self._keep_clear(camera, context, alpha)
            for o in (*self.overlays.of(Channel.LINE), *self.overlays.of(Channel.MARK)):
                self._guarded(o, lambda o=o: o.draw(surface, camera, context, alpha))  # type: ignore[misc]

    def _guarded(self, overlay: Overlay, draw: Callable[[], None]) -> None:
        """Draw an overlay; an error in it turns it off and is named once."""
        try:
            draw()
        except Exception as error:
            self.overlays.turn_off(overlay.name)
            self.overlays.put_out[overlay.name] = f"off after an error: {fault_text(error)}"
            LOG.error("overlay %s: %s", overlay.name, fault_text(error))

    def _keep_clear(self, camera: Camera, context: LabContext, alpha: float) -> None:
        """Keep labels off panels and figures."""
        for rect in self.panels.rects:
            context.labels.reserve(rect)
        x, y, _ = context.playing.picture.between(alpha)
        half = camera.zoom * 7 // 16
        for r in context.on_screen(camera, Scope.ALL, alpha)[:MOST_FIGURES].tolist():
            px, py = camera.to_screen(float(x[r]), float(y[r]))
            context.labels.reserve(pygame.Rect(px - half, py - half, 2 * half, 2 * half))

    def draw_panels(
        self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View, objective: pygame.Rect,
        below: pygame.Rect,
    ) -> None:  # fmt: skip
        """Draw the panels; those of the objective and of the timeline (``below``) stay free.

        The panels are badge, list of overlays, legend, queue, inspector and the value under the cursor.
        """
        context = self.context(playing, view)
        now = self.app.now_ms
        unit = self._inspected(context, view)
        self.panels.below = below
        beside = view.why, view.budget, tuple(self.panels.beside)
        list_look = (self.panels.top, self.panels.first, self.finder.stamp)
        stamp = ([o.name for o in self.overlays.on], self.chosen_lens, unit, list_look, below.top, beside)
        fresh = now - self._read_at >= VALUES_EVERY_MS or self._words is None or stamp != self._stamp
        self._stamp = stamp
        if fresh:
            self._read_at = now
            self._read(context, camera, view)
        inspected = None
        if (
            unit >= 0
            and not (view.why and self.panels.beside.width)
            and self._words is not None
            and self._words[0] == unit
        ):
            inspected = self._words[1]
        self.panels.draw(
            surface,
            context,
            self.overlays,
            self.chosen_lens,
            all_overlays(),
            view,
            fresh,
            inspected,
            objective,
        )
        if inspected is not None:
            self.panels.draw_inspector(surface, context, unit, inspected, fresh)
        if view.tool:
            return  # values would cover the place that is worked on
        if not self.covers(self.cursor):
            self._draw_value(surface, camera, context)
        else:
            self.panels.draw_tip(surface, self.cursor)

    def draw_value(self, surface: pygame.Surface, camera: Camera, playing: Playing, view: View) -> None:
        """Draw the value under the cursor, for a frame with its own panels."""
        now = self.app.now_ms
        context = self.context(playing, view)
        if now - self._read_at >= VALUES_EVERY_MS:
            self._read_at = now
            self._read_value(context, camera)
        self._draw_value(surface, camera, context)

    def _draw_value(self, surface: pygame.Surface, camera: Camera, context: LabContext) -> None:
        if self.value:
            self.panels.draw_value(surface, camera, context, self.cursor, self.value)

    def _inspected(self, context: LabContext, view: View) -> int:
        units = (*view.selected, view.pinned)
        first = (view.inspected,) if view.inspected in units else ()
        chosen = [i for i in (*first, *units) if i in context.playing.picture.row_of]
        return chosen[0] if chosen else -1

    def _read(self, context: LabContext, camera: Camera, view: View) -> None:
        """Bring words and values up to date, at most ten times a second."""
        unit = self._inspected(context, view)
        self._words = (unit, words_for(context, unit) if unit >= 0 else Words(""))
        self._read_value(context, camera)

    def _read_value(self, context: LabContext, camera: Camera) -> None:
        self.value = ""
        tile = camera.tile_at(*self.cursor) if self.cursor[0] >= 0 else None
        if tile is not None:
            x, y = camera.to_world(*self.cursor)
            self.value = value_under(self.overlays, context, x, y)


def value_under(overlays: OverlaySet, context: LabContext, x: float, y: float) -> str:
    """Return the value of the shown overlays at a place.

    Marks and lines come before the fill.
    """
    for o in (*overlays.of(Channel.MARK), *overlays.of(Channel.LINE), *overlays.of(Channel.FILL)):
        words = o.value_at(context, x, y)
        if words:
            return words
    return ""


def overlay_names(text: str) -> list[str]:
    """Names in a comma list; raises ValueError naming one that is not registered."""
    names = [part.strip() for part in text.split(",") if part.strip()]
    for name in names:
        if name not in REGISTRY:
            raise ValueError(f"there is no overlay {name!r}; there are {', '.join(sorted(REGISTRY))}")
    return names
