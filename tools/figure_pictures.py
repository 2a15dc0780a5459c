"""Draws pictures of figures: eight frames of each clip, at three zooms."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pygame

from game.systems.interaction.bodies import BEHIND
from game.view.figures.clip_book import ClipBook
from game.view.figures.part_painter import DEAD, DULL, FigureKey
from game.view.painting.palette import ASSETS, palette
from game.view.units.figures import FigurePainter
from game.view.units.sprites import Sprites

ZOOMS = (24, 32, 48)
FRAMES = 8
GROUND = (184, 192, 152)


@dataclass(frozen=True)
class Strip:
    """Frames of a clip; legs may have another, and layers may turn apart."""

    words: str
    torso: str
    legs: str = ""
    side: int = 0
    legs_to: tuple[int, ...] = (0,)
    torso_to: tuple[int, ...] = (0,)
    head_to: tuple[int, ...] = (0,)
    frames: int = FRAMES
    drags: bool = False
    begin: float = 0.0
    """Share of the clip with which the strip begins."""


STRIPS = (
    Strip("idle: glance", "glance_right"),
    Strip("idle: yawn", "yawn", side=1),
    Strip("walk", "walk"),
    Strip("run", "run", side=1),
    Strip("turn", "idle", "turn", legs_to=(0, 0, 0, 1, 2, 3, 4, 4), torso_to=(0, 1, 2, 3, 4, 4, 4, 4),
          head_to=(1, 3, 4, 4, 4, 4, 4, 4)),
    Strip("crouch, walking", "crouch_walk"),
    Strip("crawl", "crawl", side=1),
    Strip("aim, walking on", "aim", "walk", side=1, torso_to=(0, 1, 2, 3, 3, 3, 2, 2), head_to=(1, 2, 3, 3, 3, 3, 2)),
    Strip("fire", "fire@aim"),
    Strip("reload", "reload", side=1),
    Strip("hit", "hit"),
    Strip("hit in a shot", "jolt@fire@aim", "aim", side=1),
    Strip("start, to the right", "start_right", legs_to=(0, 1, 1, 2, 3, 3, 4, 5), torso_to=(0, 1, 2, 2, 3, 4, 4, 5),
          head_to=(1, 3, 4, 5)),
    Strip("jog", "jog", side=1),
    Strip("die", "die", side=1),
    Strip("die, crouching", "die_crouched"),
    Strip("drag, one step", "drag", frames=4, drags=True),
    Strip("drag, the other", "drag", frames=4, drags=True, begin=0.5),
    Strip("shrug", "shrug", side=1),
    Strip("cheer, hat in hand", "cheer_hat"),
    Strip("cheer, a jump", "cheer_jump", side=1),
    Strip("throw", "throw", side=1),
)  # fmt: skip


def _frame(book: ClipBook, name: str, share: float) -> int:
    clip = book.index[name]
    return int(book.first[clip] + int(share * (book.end_of(clip) - book.first[clip])))


def _turn(directions: tuple[int, ...], k: int) -> int:
    return directions[min(k, len(directions) - 1)]


def draw(zoom: int) -> pygame.Surface:
    """Return the picture of all strips, in two columns."""
    pygame.font.init()
    figures = FigurePainter(Sprites(), palette())
    book, ink = figures.book, palette()["ink"]
    font = pygame.font.Font(ASSETS / "fonts" / "SourceSansPro-Semibold.ttf", 15)
    width, height, margin = int(zoom * 2.15), int(zoom * 1.95), 116
    columns = 2
    rows = -(-len(STRIPS) // columns)
    surface = pygame.Surface((columns * (margin + FRAMES * width) + zoom // 3, rows * height))
    surface.fill(GROUND)

    def put(key: FigureKey, x: float, y: float) -> None:
        cell = figures.parts.figure(key)
        surface.blit(cell.surface, (round(x) + cell.dx, round(y) + cell.dy))

    for i, strip in enumerate(STRIPS):
        left, middle = i // rows * (margin + FRAMES * width), (i % rows) * height + height // 2
        words = font.render(strip.words, True, ink)
        surface.blit(words, (left + 8, middle - words.get_height() // 2))
        for k in range(strip.frames):
            share = strip.begin + k / FRAMES
            x = left + margin + (k * FRAMES / strip.frames + (0.9 if strip.drags else 0.46)) * width
            legs_to, torso_to, head_to = (_turn(t, k) for t in (strip.legs_to, strip.torso_to, strip.head_to))
            legs, torso = _frame(book, strip.legs or strip.torso, share), _frame(book, strip.torso, share)
            if strip.drags:
                last = int(book.first[book.index["die"]] + book.count[book.index["die"]] - 1)
                put((1, last, last, 0, 0, 0, zoom, DEAD * DULL), x - BEHIND * zoom, middle)
            put((strip.side, legs, torso, legs_to, torso_to, head_to, zoom, 0), x, middle)
    return surface


def make(folder: Path) -> list[Path]:
    """Write ``figures_ZOOM.png`` of every zoom into a folder."""
    made = []
    for zoom in ZOOMS:
        made.append(folder / f"figures_{zoom}.png")
        picture = draw(zoom)
        levels = pygame.surfarray.pixels3d(picture)
        levels &= 0xF8  # the eye misses no level, and the file is a third smaller
        levels |= 4
        del levels
        pygame.image.save(picture, str(made[-1]))
    return made
