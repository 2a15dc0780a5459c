"""Preview of a level: title, size, units, and a small picture of its ground."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pygame

from game.level.model import GROUND, GROUNDS, Level
from game.level.reading import load_level
from game.view.painting.palette import Palette

MOST_BYTES = 1_500_000
"""Size of the largest map file that is read for a preview."""


@dataclass(frozen=True)
class LevelPreview:
    """Words and picture of a level.

    The picture is one pixel a tile; it is None for a level that was not read.
    """

    title: str
    words: str
    picture: pygame.Surface | None = None


def preview_of(path: Path, palette: Palette) -> LevelPreview:
    """Return the preview of a map file; a fault stands in its words."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return LevelPreview(path.stem, "a large map; play it to see it")
        level = load_level(path)
    except (OSError, ValueError) as error:
        return LevelPreview(path.stem, " ".join(str(error).split()))
    mission = f"{len(level.objectives)} objectives" if level.objectives else "no mission: a sandbox"
    units = "1 unit" if len(level.spawns) == 1 else f"{len(level.spawns)} units"
    words = f"{level.width} x {level.height} tiles, {units}, {mission}"
    return LevelPreview(level.title, words, _picture(level, palette))


def _picture(level: Level, palette: Palette) -> pygame.Surface:
    """Return the ground in the palette's colours, with a dot for each unit."""
    table = np.array([palette.grounds.get(name, palette["paper"]) for name in GROUNDS], np.uint8)
    colours = table[level.ground]
    colours[(level.ground == GROUND["void"]) & (level.passable == 0)] = palette["ink"]
    for spawn in level.spawns:
        colours[int(spawn.y), int(spawn.x)] = palette.sides[spawn.side].colour
    for door in level.doors:
        colours[door.y0 : door.y1, door.x0 : door.x1] = palette["plank"]
    return pygame.surfarray.make_surface(colours.swapaxes(0, 1))
