"""Pages of the inspector: the shown thing, its tab, and clicks.

A click on the map picks a door, a sound, a path or a tile. Units come from the selection.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pygame

from game.view.lab.timeline.timeline_control import Timeline
from game.view.lab.why.pages.door_page import door_page
from game.view.lab.why.pages.page import DOOR, KINDS, PATH, SIDE, SOUND, SQUAD, TILE, UNIT, Page, Subject
from game.view.lab.why.pages.page_painter import PagePainter, Painted, Target
from game.view.lab.why.pages.page_series import PageSeries
from game.view.lab.why.pages.path_page import path_page
from game.view.lab.why.pages.place_readings import path_points
from game.view.lab.why.pages.side_page import side_page
from game.view.lab.why.pages.sound_page import sound_at, sound_page
from game.view.lab.why.pages.squad_page import squad_page
from game.view.lab.why.pages.tile_page import tile_page
from game.view.lab.why.pages.unit_page import unit_page
from game.view.painting.camera import Camera
from game.view.painting.text import TextDrawer
from game.view.scene import View
from game.view.window.app_services import AppServices
from game.view.window.playing import Playing

WHY = "why"
"""Tab of the decisions, before those of the kinds."""
READ_EVERY_MS = 200
"""Milliseconds between two readings of a page."""
BESIDE = 0.4
"""Tiles beside a path within which a click picks it."""
NOTCH = 3
"""Rows that a notch of the wheel moves a page by."""


class _Selected(Protocol):
    @property
    def ids(self) -> tuple[int, ...]:
        """Selected unit ids."""

    def choose(self, ids: tuple[int, ...], add: bool = False) -> None:
        """Select units."""


class PageContext(Protocol):
    """The play screen as the pages see it."""

    app: AppServices
    playing: Playing
    view: View
    timeline: Timeline

    @property
    def selection(self) -> _Selected:
        """Selected units."""


class Pages:
    """Pages of one play screen; ``unit`` is the explained one, -1 for none."""

    def __init__(self, play: PageContext) -> None:
        self.play = play
        self.series = PageSeries(play)
        self.tab = WHY
        self.unit = -1
        self.top = 0
        """First pixel of the page that is in view."""
        self._picked: dict[str, tuple[int, ...]] = {}
        self._painted: Painted | None = None
        self._page: Page | None = None
        self._stamp: tuple[Any, ...] = ()
        self._read_at = -READ_EVERY_MS
        self._box = pygame.Rect(0, 0, 0, 0)

    # Subjects

    def follow(self, unit: int) -> None:
        """Explain another unit; the page of a picked place makes room for it."""
        if unit != self.unit:
            if unit >= 0 and self.tab in (TILE, DOOR, SOUND):
                self.turn_to(WHY)
            self.unit = unit
            self._picked.pop(SQUAD, None)
            self._picked.pop(SIDE, None)

    def subject(self, kind: str) -> Subject | None:
        """Return the thing of a kind that can be shown now, or None."""
        world = self.play.playing.world
        key: tuple[int, ...] | None = self._picked.get(kind)
        if kind in (UNIT, PATH):
            key = (self.unit,) if self.unit >= 0 else None
        elif kind == SQUAD:
            squad = world.squads.of(self.unit) if self.unit >= 0 else None
            key = key or ((squad.id,) if squad is not None else None)
            key = key if key is not None and key[0] in world.squads.rows else None
        elif kind == SIDE:
            side = int(world.units.side[world.units.slot(self.unit)]) if self.unit >= 0 else self.play.playing.side
            key = key or (side,)
        elif kind == SOUND:
            key = key or ((-1,) if world.recording.get("heard") else None)
        elif kind == DOOR and key is not None:
            key = key if world.door(key[0]) is not None else None
        elif kind == TILE and key is not None:
            key = key if world.terrain.inside(*key) else None
        return Subject(kind, key) if key is not None else None

    def tabs(self) -> list[str]:
        """Return the tabs that have something to show."""
        return [*([WHY] if self.unit >= 0 else ()), *(kind for kind in KINDS if self.subject(kind) is not None)]

    def turn_to(self, tab: str) -> None:
        """Show a tab from its top."""
        if tab != self.tab:
            self.tab, self.top = tab, 0

    def shown(self) -> str:
        """Return the tab that is shown: the wanted one, or the first."""
        tabs = self.tabs()
        return self.tab if self.tab in tabs else tabs[0]

    def open(self, subject: Subject) -> None:
        """Open the page of a thing; a unit is selected."""
        if subject.kind in (UNIT, PATH):
            self.play.view.pinned = self.play.view.inspected = subject.key[0]
            self.play.selection.choose(subject.key)
        else:
            self._picked[subject.kind] = subject.key
        self.top = 0
        self.turn_to(subject.kind)
        self._read_at = -READ_EVERY_MS

    def pick(self, x: float, y: float) -> None:
        """Show the thing at a place: door, sound, path or tile."""
        world, tile = self.play.playing.world, (int(y), int(x))
        if not self.play.playing.session.whole or not world.terrain.inside(*tile):
            return
        self._picked[TILE] = tile
        for kind in (DOOR, SOUND):
            self._picked.pop(kind, None)
        door = next((d for d in world.doors if d.x0 <= x < d.x1 and d.y0 <= y < d.y1), None)
        sound, walker = sound_at(world, x, y), self._path_at(x, y)
        if door is not None:
            self._picked[DOOR] = (int(door.id),)
        if sound >= 0:
            self._picked[SOUND] = (sound,)
        if walker >= 0:
            self.play.view.inspected = walker
        kind = DOOR if door is not None else SOUND if sound >= 0 else PATH if walker >= 0 else TILE
        self.top = 0
        self.turn_to(kind)
        self._read_at = -READ_EVERY_MS

    def _path_at(self, x: float, y: float) -> int:
        """Return the selected unit whose path leads nearest to a place, or -1."""
        world, best, unit = self.play.playing.world, BESIDE, -1
        for one in self.play.selection.ids[:16]:
            slot = world.units.slot(one)
            if slot >= world.paths.store.capacity or not world.paths.store.path_len[slot]:
                continue
            far = distance_to(path_points(world, slot), x, y)
            if far < best:
                best, unit = far, one
        return unit

    # Page

    def page(self) -> Page:
        """Return the page of the shown tab, read at most five times a second.

        Within a tick that is under way nothing is read.
        """
        playing, now = self.play.playing, self.play.app.now_ms
        subject = self.subject(self.shown())
        assert subject is not None, "a tab has a subject"
        stamp = subject, playing.picture.tick if playing.clock.paused else -1
        if playing.session.whole and (stamp != self._stamp or now - self._read_at >= READ_EVERY_MS):
            self._stamp, self._read_at = stamp, now
            self._page, self._painted = self._make(subject), None
        if self._page is None:
            return Page("", "A moment ...", ())
        return self._page

    def _make(self, subject: Subject) -> Page:
        playing, key = self.play.playing, subject.key
        world = playing.world
        if subject.kind == TILE:
            return tile_page(world, playing.level, (key[0], key[1]))
        if subject.kind == SIDE:
            return side_page(world, key[0], self.play.timeline.travel.game.session.log)
        makers = {UNIT: unit_page, PATH: path_page, SQUAD: squad_page, SOUND: sound_page, DOOR: door_page}
        return makers[subject.kind](world, key[0])

    def draw(self, surface: pygame.Surface, box: pygame.Rect, text: TextDrawer) -> None:
        """Draw the shown page into a box; a long one has a bar."""
        page, size = self.page(), (box.width - text.px(10), box.height)
        painted = self._painted
        if painted is None or painted.picture.get_size() != size:
            painted = self._paint(page, size, text)
            most = max(painted.height - box.height, 0)
            if self.top > most:  # the page has become too short for the first pixel
                self.top = most
                painted = self._paint(page, size, text)
            self._painted = painted
        self._box = box
        surface.blit(painted.picture, box)
        whole = painted.height
        if whole > box.height:
            rail = pygame.Rect(box.right - text.px(4), box.y, text.px(4), box.height)
            pygame.draw.rect(surface, self.play.app.panels.hair, rail)
            high, at = max(box.height * box.height // whole, text.px(20)), self.top * box.height // whole
            pygame.draw.rect(surface, self.play.app.panels.ink, (rail.x, rail.y + at, rail.width, high))

    def _paint(self, page: Page, size: tuple[int, int], text: TextDrawer) -> Painted:
        subject = self.subject(self.shown())
        assert subject is not None, "a tab has a subject"
        painter = PagePainter(self.play.app, text, size, lambda name: self.series.series(subject, name))
        return painter.paint(page, self.top)

    def scroll(self, notches: int, text: TextDrawer) -> None:
        """Move the page by notches of the wheel."""
        most = max(self._painted.height - self._box.height, 0) if self._painted is not None else 0
        self.top = min(max(self.top + NOTCH * notches * text.px(21), 0), most)
        self._painted = None

    def target_at(self, pos: tuple[int, int]) -> Target | None:
        """Return what a click at a pixel asks for, or None."""
        if self._painted is None or not self._box.collidepoint(pos):
            return None
        at = pos[0] - self._box.x, pos[1] - self._box.y
        return next((target for rect, target in self._painted.spots if rect.collidepoint(at)), None)

    def shown_subject(self) -> Subject | None:
        """Return the thing whose page is shown, None for the decisions."""
        return self.subject(self.shown()) if self.shown() != WHY else None

    # Map

    def draw_map(self, surface: pygame.Surface, camera: Camera) -> None:
        """Frame tile or door of the page on the map; ring a sound."""
        subject, palette = self.shown_subject(), self.play.app.palette
        if subject is None:
            return
        world = self.play.playing.world
        if subject.kind == TILE:
            _frame(surface, camera, (subject.key[1], subject.key[0], 1, 1), palette["blue"], palette["rim"])
        elif subject.kind == DOOR:
            d = world.door(subject.key[0])
            _frame(surface, camera, (d.x0, d.y0, d.x1 - d.x0, d.y1 - d.y0), palette["blue"], palette["rim"])
        elif subject.kind == SOUND:
            rows = world.recording.get("heard", [])
            row = next((row for row in rows if row[1] == subject.key[0]), rows[-1] if rows else None)
            if row is not None:
                at, radius = camera.to_screen(row[3], row[4]), max(round(row[5] * camera.zoom), 6)
                pygame.draw.circle(surface, palette["rim"], at, radius, 4)
                pygame.draw.circle(surface, palette["blue"], at, radius, 2)
                pygame.draw.circle(surface, palette["blue"], at, 5)


def _frame(surface: pygame.Surface, camera: Camera, box: tuple[int, int, int, int], ink: Any, rim: Any) -> None:
    rect = pygame.Rect(camera.to_screen(box[0], box[1]), (box[2] * camera.zoom, box[3] * camera.zoom))
    pygame.draw.rect(surface, rim, rect.inflate(4, 4), 4)
    pygame.draw.rect(surface, ink, rect.inflate(4, 4), 2)


def distance_to(points: np.ndarray, x: float, y: float) -> float:
    """Return the tiles from a place to a line; infinite without a line."""
    start, step = points[:-1], np.diff(points, axis=0)
    if not len(step):
        return float("inf")
    squared = np.maximum((step**2).sum(axis=1), 1e-12)
    along = np.clip(((np.array([x, y]) - start) * step).sum(axis=1) / squared, 0.0, 1.0)
    nearest = start + along[:, None] * step
    return float(np.hypot(nearest[:, 0] - x, nearest[:, 1] - y).min())
