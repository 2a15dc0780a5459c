"""Figures of units on the screen, laid together from parts.

Frames and directions come from the motion of figures.  Only some figures that were never drawn are made in a frame;
until then the nearest one stands in: the same at another zoom or with another rim, with the head straight, at rest, or
turned a little.  At 8 px a tile and below units are side-coloured marks with a notch where they face.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import islice, repeat
from typing import ClassVar

import numpy as np
import pygame

from ai.animation.animation_lod import FRAMES, GESTURES, HEAD
from ai.animation.figure_poses import ACTS, DIRECTIONS
from game.view.figures.clip_book import ClipBook, read_book
from game.view.figures.figure_motion import FigureMotion
from game.view.figures.part_painter import DEAD, RIM, FigureKey, PartPainter
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.view.painting.unit_picture import Picture
from game.view.units.figure_levels import FigureLevels
from game.view.units.idle_gestures import IdleGestures
from game.view.units.sprites import Cell, Sprites
from game.world.units import Stance

FAR_ZOOM = 8
PORTRAIT_ZOOM = 64
UP = 12
"""Direction of figures in panels."""
PARTS_A_FRAME, FIGURES_A_FRAME = 4, 12
"""Parts and figures drawn for the first time in a frame of the game.

The first frame of a tick, which poses all figures, draws half as many.
"""
TRIED = 64
"""Figures whose parts are looked up in a frame."""
PARTS_AHEAD = 2
"""Parts drawn ahead in a frame that has nothing else to make."""
WARM = ("idle", "walk", "crouch", "crouch_walk", "run", "aim", "prone", "crawl", "crouch_aim", "hit")
"""Clips that are drawn ahead."""
_SOFT = 400
"""Figures of another zoom that stand in at a time."""
LOOK_AGAIN = 3
"""Ticks after which the nearest figure is looked for again."""


@cache
def shipped_book() -> ClipBook:
    """Return the clips of the game."""
    return read_book()


def direction_of(angle: float) -> int:
    """Return the sixteenth of a turn nearest to an angle, clockwise from +x."""
    return round(angle * DIRECTIONS / math.tau) % DIRECTIONS


def _turned(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the turn from a direction to another, in sixteenths from -8 to 7."""
    turned: np.ndarray = (other - one + DIRECTIONS // 2) % DIRECTIONS - DIRECTIONS // 2
    return turned


class FigurePainter:
    """Draws figures and far marks.

    ``parts`` of another painter with the same palette may be shared.
    """

    look: ClassVar[int] = 0
    """Bits of every figure's look."""

    def __init__(self, sprites: Sprites, palette: Palette, parts: PartPainter | None = None) -> None:
        self.sprites, self.palette = sprites, palette
        self.sides = [side.name for side in palette.sides]
        self.parts = parts or PartPainter(shipped_book(), palette)
        self.book = self.parts.book
        self.motion = FigureMotion(self.book)
        self.levels = FigureLevels()
        self.limited = False
        """If true, a frame makes few new figures; else all that it shows."""
        self.stood_in = 0
        """Figures of the last frame that others stood in for."""
        self._zooms: list[int] = []
        self._soft: dict[FigureKey, Cell] = {}
        self._shown: tuple[Picture, int, int] | None = None
        self._of_row: list[Cell | None] = []
        self._waiting: dict[FigureKey, list[int]] = {}
        """Rows of this tick whose figure is still to be drawn, by its key."""
        self._instead: list[Cell | None] = []
        """Cell that stands in for each row that waits."""
        self._near: dict[FigureKey, tuple[Cell, int]] = {}
        """Nearest figure of each key that waits, and the tick of the search."""
        self._ahead: tuple[tuple[tuple[int, ...], int, int], Iterator[FigureKey]] | None = None

    def draw(
        self, surface: pygame.Surface, camera: Camera, p: Picture, rows: np.ndarray, alpha: float, rim: bool = False,
        night: bool = False, idle: IdleGestures | None = None,
    ) -> None:  # fmt: skip
        """Draw ``rows`` of the picture, at positions between the last two ticks.

        The dead come first, then the living by their foot, so that the nearer overlaps.
        """
        if len(rows) == 0:
            return
        x, y, facing = p.between(alpha)
        rows = rows[np.lexsort((p.id[rows], y[rows], p.alive[rows]))]
        zoom = camera.zoom
        left, top = camera.origin
        if zoom <= FAR_ZOOM:
            rows = rows[p.alive[rows] == 1]
        px = np.floor(x[rows] * zoom).astype(np.int64) - left
        py = np.floor(y[rows] * zoom).astype(np.int64) - top
        if zoom <= FAR_ZOOM:
            self._draw_marks(surface, p, rows, facing, (px, py), f"marks.far_{zoom}", ".night" if night else "")
            return
        pictures, dx, dy = zip(*self._cells(p, rows, zoom, self.look | (RIM if rim else 0), idle), strict=True)
        corners = zip((px + dx).tolist(), (py + dy).tolist(), strict=True)
        surface.fblits(list(zip(pictures, corners, strict=True)))

    def _draw_marks(
        self, surface: pygame.Surface, p: Picture, rows: np.ndarray, facing: np.ndarray,
        at: tuple[np.ndarray, np.ndarray], sheet: str, suffix: str,
    ) -> None:  # fmt: skip
        turn = np.rint(facing[rows] * (DIRECTIONS / math.tau)).astype(np.int64) % DIRECTIONS
        side = p.side[rows].astype(np.int64) % len(self.sides)
        blits = []
        for s, t, x, y in zip(side.tolist(), turn.tolist(), at[0].tolist(), at[1].tolist(), strict=True):
            cell = self.sprites.cell(sheet, t, self.sides[s] + suffix)
            if cell is not None:
                blits.append((cell.surface, (x + cell.dx, y + cell.dy)))
        surface.fblits(blits)

    def _keys(self, p: Picture, rows: np.ndarray, zoom: int, look: int, idle: IdleGestures | None) -> list[FigureKey]:
        """Return the key of the figure of every row."""
        c, parts = self.motion.follow(p, rows), self.levels.parts(p, rows, zoom)
        legs, torso = c.legs[rows], c.torso[rows]
        if idle is not None and (p.alive[rows] == 1).any():
            rest = c.idle[rows] & ((parts & GESTURES) > 0)
            frames = idle.frames(p, rows[rest])
            if frames:
                for k in np.flatnonzero(rest).tolist():
                    legs[k] = torso[k] = frames.get(int(p.id[rows[k]]), torso[k])
        torso_to, head_to = c.torso_to[rows], c.head_to[rows]
        book = self.book
        legs, torso = (np.where((parts & FRAMES) > 0, book.same[at], book.coarse[at]) for at in (legs, torso))
        turned = _turned(torso_to, head_to)
        few = (torso_to + np.sign(turned) * np.where(np.abs(turned) > 1, 2, 0)) % DIRECTIONS
        head_to = np.where((parts & HEAD) > 0, head_to, few)
        # At a coarse level legs that turn a little after their torso share its direction, and so its figure.
        legs_to = c.legs_to[rows]
        together = ((parts & FRAMES) == 0) & (np.abs(_turned(torso_to, legs_to)) <= 1)
        legs_to = np.where(together, torso_to, legs_to)
        looks = look + DEAD * c.dull[rows]
        side = p.side[rows].astype(np.int64) % len(self.sides)
        columns = (side, legs, torso, legs_to, torso_to, head_to)
        return list(zip(*(column.tolist() for column in columns), repeat(zoom), looks.tolist()))

    def _cells(self, p: Picture, rows: np.ndarray, zoom: int, look: int, idle: IdleGestures | None) -> list[Cell]:
        """Return the cell of every row.

        Frames between two ticks show the same cells again, and only draw some of those that others stand in for.
        """
        same = self._shown is not None and self._shown[0] is p and self._shown[1:] == (zoom, look)
        if not same:
            self._next_tick(p, rows, zoom, look)
        if self._zooms[-1:] != [zoom]:
            self._zooms = [z for z in self._zooms if z != zoom] + [zoom]
            self._soft.clear()
        of_row, instead = self._of_row, self._instead
        places = rows.tolist()
        asked = [row for row in places if of_row[row] is None and instead[row] is None]
        if asked:
            known = self.parts.figures.cells
            for row, key in zip(asked, self._keys(p, np.array(asked), zoom, look, idle), strict=True):
                cell = known.get(key)
                if cell is None:
                    self._waiting.setdefault(key, []).append(row)
                else:
                    of_row[row] = cell
        if self._waiting:
            self._make(1 if same else 2)
        elif same and self.limited and p.alive[places[0]]:
            self._make_ahead(tuple(np.unique(p.side[rows] % len(self.sides)).tolist()), zoom, look)
        if asked and self._waiting:
            self._stand_in(p.tick)
        self.stood_in = sum(map(len, self._waiting.values()))
        return [of_row[row] or instead[row] for row in places]

    def _next_tick(self, p: Picture, rows: np.ndarray, zoom: int, look: int) -> None:
        """Forget the cells of the last tick.

        In the game some figures keep theirs by their level of detail: at a coarse zoom half of them for a second tick.
        """
        before, old = self._shown, self._of_row
        self._shown, self._of_row, self._instead = (p, zoom, look), [None] * len(p), [None] * len(p)
        self._waiting = {}
        if not self.levels.on:
            self.motion.follow(p, np.arange(len(p)))
        if not self.limited or before is None or before[1:] != (zoom, look):
            return
        if p.tick - before[0].tick == 1 and len(p) == len(old):
            for row in self.levels.resting(p, rows, zoom):
                self._of_row[row] = old[row]

    def _make(self, share: int) -> None:
        """Draw figures that rows wait for, first those that most rows show.

        It draws one in ``share`` of the figures that a frame may draw.
        """
        limited = self.limited and bool(self.parts.figures.cells)
        parts, figures = PARTS_A_FRAME // share, FIGURES_A_FRAME // share
        waiting = self._waiting
        most_shown = sorted(waiting, key=lambda key: -len(waiting[key]))
        for key in most_shown[:TRIED] if limited else most_shown:
            missing = self.parts.missing(key)
            if limited and missing > parts:
                continue
            cell = self.parts.figure(key)
            for row in waiting.pop(key):
                self._of_row[row] = cell
            parts, figures = parts - missing, figures - 1
            if limited and figures == 0:
                break

    def _stand_in(self, tick: int) -> None:
        """Find the nearest figure for each one that is still to be drawn."""
        near: dict[FigureKey, tuple[Cell, int]] = {}
        for key, rows in self._waiting.items():
            found = self._near.get(key)
            if found is None or not 0 <= tick - found[1] < LOOK_AGAIN:
                found = self._nearest(key), tick
            near[key] = found
            for row in rows:
                self._instead[row] = found[0]
        self._near = near

    def _nearest(self, key: FigureKey) -> Cell:
        """Return the most similar figure that is there.

        If there is none, one that stands is made.
        """
        known = self.parts.figures.cells
        side, legs, torso, _, torso_to, head_to, zoom, look = key
        found = known.get((*key[:7], look ^ RIM)) or self._soft.get(key)
        if found is not None:
            return found
        for other in self._zooms[-2::-1]:
            found = known.get((*key[:6], other, look))
            if found is not None:
                share = zoom / other
                picture = pygame.transform.smoothscale_by(found.surface, share)
                found = Cell(picture, round(found.dx * share), round(found.dy * share))
                if len(self._soft) < _SOFT:
                    self._soft[key] = found
                return found
        rest, stand = self.book.stand_in, self._stand
        for turn in range(DIRECTIONS):
            to = (torso_to + (turn + 1) // 2 * (1 if turn % 2 else -1)) % DIRECTIONS
            for one, other in ((legs, torso), (rest[legs], rest[torso]), (stand, stand)):
                found = known.get((side, one, other, to, to, head_to if turn == 0 else to, zoom, look))
                found = found or known.get((side, one, other, to, to, to, zoom, look))
                if found is not None:
                    return found
        return self.parts.figure((side, stand, stand, torso_to, torso_to, torso_to, zoom, look))

    @property
    def _stand(self) -> int:
        return int(self.book.first[self.book.default])

    def _make_ahead(self, sides: tuple[int, ...], zoom: int, look: int) -> None:
        """Draw figures that are likely to be asked for."""
        of = (sides, zoom, look)
        if self._ahead is None or self._ahead[0] != of:
            self._ahead = (of, self._likely(*of))
        parts = PARTS_AHEAD
        for key in islice(self._ahead[1], 16):
            parts -= self.parts.missing(key)
            for part in self.parts.parts_of(key):
                self.parts.part(*part)
            if parts <= 0:
                return

    def _likely(self, sides: tuple[int, ...], zoom: int, look: int) -> Iterator[FigureKey]:
        for name in WARM:
            clip = self.book.clip(name)
            for k in range(int(self.book.count[clip])):
                frame = int(self.book.first[clip]) + k
                torso = int(self.book.coarse[frame])
                if frame == self.book.same[frame] and (not self.levels.coarse(zoom) or frame == torso):
                    for to in range(DIRECTIONS):
                        yield from ((side, frame, torso, to, to, to, zoom, look) for side in sides)

    def _one(self, side: int, frame: int, zoom: int) -> Cell:
        """Return a figure of one frame that looks up."""
        return self.parts.figure((side % len(self.sides), frame, frame, UP, UP, UP, zoom, self.look))

    def standing(self, surface: pygame.Surface, at: tuple[int, int], side: int, zoom: int = 32) -> None:
        """Draw a soldier of a side that stands and looks up."""
        cell = self._one(side, self._stand, zoom)
        surface.blit(cell.surface, (at[0] + cell.dx, at[1] + cell.dy))

    def portrait(self, surface: pygame.Surface, rect: pygame.Rect, p: Picture, row: int) -> None:
        """Draw the unit's figure at rest, looking up, to fill a box."""
        dead, asleep = not p.alive[row], bool(p.asleep[row])
        act = "die" if dead else "sleep" if asleep else "aim" if p.target[row] >= 0 else "still"
        number = int(self.book.table[min(int(p.stance[row]), 2), ACTS.index(act)])
        frame = int(self.book.first[number] + (self.book.count[number] - 1 if dead else 0))
        down = dead or asleep or p.stance[row] == Stance.PRONE
        zoom = max(round(min(rect.height * (0.62 if down else 0.9), PORTRAIT_ZOOM)), 1)
        cell = self._one(int(p.side[row]), frame, zoom)
        clip = surface.get_clip()
        surface.set_clip(rect)
        drop = 0 if down else rect.height // 7
        surface.blit(cell.surface, (rect.centerx + cell.dx, rect.centery + cell.dy + drop))
        surface.set_clip(clip)
