"""Baked props such as crates, lamps, doors and rails.

A prop that moves is one picture; a prop of the ground is split into wash and ink.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pygame

from game.view.ground.ground_art import BAKED, ink_surface, packed, tile_index
from game.view.painting.palette import ASSETS, palette
from game.view.units.sprites import Sprite


@lru_cache(maxsize=1)
def _rows() -> dict[str, dict]:
    return {row["name"]: row for row in tile_index()["prop"]}


def known(name: str) -> bool:
    """Return whether a picture of that name is baked."""
    return name in _rows()


def shadow_length(name: str) -> float:
    """Return the shadow's length in px at 32 px a tile.

    It shows the height of the prop.
    """
    return float(_rows()[name]["height"])


@lru_cache(maxsize=512)
def picture(name: str, zoom: int, turn: int = 0) -> pygame.Surface:
    """Return a prop in full colour.

    ``turn`` is in degrees counter-clockwise on screen, as in pygame.
    """
    image = pygame.image.load(ASSETS / _rows()[name]["file"])
    if turn % 90:
        image = pygame.transform.rotozoom(image, turn, zoom / BAKED)
    else:
        image = pygame.transform.rotate(pygame.transform.smoothscale_by(image, zoom / BAKED), turn)
    return image


@lru_cache(maxsize=512)
def split(name: str, zoom: int, turn: int = 0) -> tuple[pygame.Surface, pygame.Surface]:
    """Return a prop as wash and ink.

    Pixels nearly as dark as ink count as ink, the others as colour.
    """
    return split_surface(picture(name, zoom, turn))


def split_surface(image: pygame.Surface) -> tuple[pygame.Surface, pygame.Surface]:
    """Return a picture with alpha as wash and ink."""
    rgb, alpha = pygame.surfarray.array3d(image), pygame.surfarray.array_alpha(image)
    light = rgb @ np.array([0.3, 0.59, 0.11], np.float32)
    ink = (np.clip((112 - light) / 66, 0, 1) * alpha).astype(np.uint8)
    middle = rgb[(alpha > 200) & (light > 112)]
    fill = np.median(middle, axis=0) if len(middle) else np.array(palette()["plank"])
    colour = np.where(light[..., None] < 100, fill.astype(np.uint8), rgb)
    return packed(colour[..., 0], colour[..., 1], colour[..., 2], alpha), ink_surface(ink, alpha)


@lru_cache(maxsize=256)
def shadow(name: str, zoom: int, turn: int = 0) -> Sprite:
    """Return the flat shadow of a prop that is not part of the ground."""
    image = picture(name, zoom, turn)
    reach = max(1, round(shadow_length(name) * zoom / 32))
    alpha = pygame.surfarray.array_alpha(image)
    out = np.zeros((alpha.shape[0] + reach + 2, alpha.shape[1] + reach + 2), np.uint8)
    for step in range(1, reach + 1):
        part = out[step : step + alpha.shape[0], step : step + alpha.shape[1]]
        np.maximum(part, alpha, out=part)
    red, green, blue = (np.full(out.shape, c, np.uint8) for c in palette()["shadow"])
    return Sprite(
        packed(red, green, blue, (out * 0.42).astype(np.uint8)), (image.get_width() / 2, image.get_height() / 2)
    )


def sprite(name: str, zoom: int, turn: int = 0) -> Sprite:
    """Return a prop that is drawn about its middle."""
    image = picture(name, zoom, turn)
    return Sprite(image, (image.get_width() / 2, image.get_height() / 2))
