"""Bridges over water: parapets, rails and cutwaters.

Stone bridges have stone parapets with cutwaters below; plank bridges have wooden rails. They stand along the sides of
the bridge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pygame
from numpy.typing import NDArray

from game.level.model import GROUND
from game.view.ground.ground_art import blank
from game.view.ground.prop_sprites import picture, split
from game.view.painting.flat_shadows import Shade

_SIDES = ((-1, 0, 0), (0, 1, -90), (1, 0, 180), (0, -1, 90))  # dy, dx, turn of the picture in degrees
RAIL_HEIGHT = 7
CUTWATER_EVERY = 3


@dataclass(frozen=True)
class Rail:
    """Parapet or rail of one tile's length.

    X and y of its middle are in tiles.
    """

    x: float
    y: float
    turn: int
    kind: str
    cutwater: bool


def stretches(bridge: NDArray[np.bool_], wet: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Split bridge tiles by direction of travel: east and west, or north and south.

    Both results are bool[H, W]. Each connected part of a bridge has one direction. It runs east and west if it has at
    least as many water tiles to its north and south as to its east and west.
    """
    height, width = bridge.shape
    seen = ~bridge
    east_west, north_south = np.zeros_like(bridge), np.zeros_like(bridge)
    for y, x in zip(*(a.tolist() for a in np.nonzero(bridge)), strict=True):
        if seen[y, x]:
            continue
        seen[y, x] = True
        stretch, votes = [(y, x)], 0
        for py, px in stretch:
            for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                ny, nx = py + dy, px + dx
                if not (0 <= ny < height and 0 <= nx < width):
                    continue
                if wet[ny, nx]:
                    votes += 1 if dx == 0 else -1
                elif not seen[ny, nx]:
                    seen[ny, nx] = True
                    stretch.append((ny, nx))
        target = east_west if votes >= 0 else north_south
        rows, columns = zip(*stretch, strict=True)
        target[list(rows), list(columns)] = True
    return east_west, north_south


class Bridges:
    """Rails of the bridges of a map."""

    def __init__(self, ground: NDArray[np.uint8]) -> None:
        self.rails = list(self._rails(ground))

    @staticmethod
    def _rails(ground: NDArray[np.uint8]) -> Iterator[Rail]:
        stone = GROUND["bridge_stone"]
        bridge = (ground == stone) | (ground == GROUND["bridge_plank"])
        water = (ground == GROUND["water"]) | (ground == GROUND["reeds"])
        east_west, _ = stretches(bridge, water)
        wet, deck = np.pad(water, 1), np.pad(bridge, 1)
        for y, x in zip(*(a.tolist() for a in np.nonzero(bridge)), strict=True):
            kind = "rail_stone" if ground[y, x] == stone else "rail_plank"
            for dy, dx, turn in _SIDES:
                if (dx == 0) != bool(east_west[y, x]) or deck[y + 1 + dy, x + 1 + dx]:
                    continue
                along = x if dx == 0 else y
                beside = [wet[y + 1 + dy + k * dx, x + 1 + dx + k * dy] for k in (-1, 0, 1)]
                pier = kind == "rail_stone" and along % CUTWATER_EVERY == 1 and all(beside)
                yield Rail(x + 0.5 + dx * 0.5, y + 0.5 + dy * 0.5, turn, kind, pier)

    def lay_rails(self, wash: pygame.Surface, ink: pygame.Surface, shade: Shade, y0: int, x0: int, zoom: int) -> None:
        """Draw the rails inside the region that starts at tile (y0, x0)."""
        width, height = wash.get_width() / zoom, wash.get_height() / zoom
        near = [r for r in self.rails if -2 < r.x - x0 < width + 2 and -2 < r.y - y0 < height + 2]
        if not near:
            return
        for kinds, length in ((("cutwater",), 5), (("rail_stone", "rail_plank"), RAIL_HEIGHT)):
            placed = []
            for rail in near:
                if kinds[0] == "cutwater" and not rail.cutwater:
                    continue
                name = "cutwater" if kinds[0] == "cutwater" else rail.kind
                image = picture(name, zoom, rail.turn)
                at = (
                    round((rail.x - x0) * zoom - image.get_width() / 2),
                    round((rail.y - y0) * zoom - image.get_height() / 2),
                )
                placed.append((name, rail.turn, at))
            tmp = blank(wash.get_size())
            tmp.fblits([(picture(name, zoom, turn), at) for name, turn, at in placed])
            shade.cast(tmp, length, wash)
            for name, turn, at in placed:
                colour, line = split(name, zoom, turn)
                wash.blit(colour, at)
                ink.blit(line, at)
