"""Baked ground art at one zoom step: edge tiles, textures, crowns and reeds.

Colour planes carry straight alpha. An ink surface stores a grey and an alpha: ``below * (1 - alpha) + grey * alpha``
gives the ink below and on it together. There 255 is bare paper and 0 is full ink.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from game.level.files import read_toml
from game.view.ground.dual_grid import STRAIGHT, catalogue
from game.view.painting.palette import ASSETS, RGB, mix, palette, scaled

ZOOMS = (64, 48, 32, 24, 16, 12, 8, 4)
GAIN = 1.12
BRIGHTEST = 1.06
BAKED = 64
GRAIN_MIDDLE = 10

WHITE = (255, 255, 255)
Plane = NDArray[np.uint8]


@lru_cache(maxsize=1)
def tile_index() -> dict[str, Any]:
    """Return the table ``assets/data/tiles.toml``."""
    return read_toml(ASSETS / "data" / "tiles.toml")


@lru_cache(maxsize=1)
def material_colours() -> dict[str, RGB]:
    """Return the flat colour of each layer, before any texture."""
    p = palette()
    g = p.grounds
    return {
        "grass": g["grass"],
        "wood": mix(g["wood"], g["grass"], 0.42),
        "field": scaled(g["field"], 1.05),
        "gravel": mix(g["road"], g["stone"], 0.30),
        "road": g["road"],
        "stone": mix(g["stone"], p["paper"], 0.44),
        "floor": g["floor"],
        "bank": mix(g["road"], g["grass"], 0.38),
        "water": scaled(g["water"], 1.06),
        "deep": scaled(g["water"], 0.985),
        "reeds": mix((150, 156, 106), g["water"], 0.22),
        "void": g["void"],
        "wall": mix(g["stone"], p["paper"], 0.10),
        "low_wall": mix(g["stone"], p["paper"], 0.38),
        "bridge_stone": mix(g["stone"], p["paper"], 0.34),
        "bridge_plank": g["bridge_plank"],
    }


EDGE_OF = {"bridge_stone": "floor", "bridge_plank": "floor"}
"""Materials that use the edge sheet of another material."""


def blank(size: tuple[int, int]) -> pygame.Surface:
    """Return a transparent surface."""
    return pygame.Surface(size, pygame.SRCALPHA, 32)


def opaque(size: tuple[int, int], colour: RGB = WHITE) -> pygame.Surface:
    """Return a surface without alpha."""
    surface = pygame.Surface(size, 0, 32)
    surface.fill(colour)
    return surface


def packed(red: Plane, green: Plane, blue: Plane, alpha: Plane | None = None) -> pygame.Surface:
    """Return a surface made of uint8[W, H] planes.

    X is the first axis, as in pygame.
    """
    surface = opaque(red.shape) if alpha is None else blank(red.shape)
    shift = surface.get_shifts()
    pixels = pygame.surfarray.pixels2d(surface)
    words = red.astype(np.uint32) << np.uint32(shift[0])
    words |= green.astype(np.uint32) << np.uint32(shift[1])
    words |= blue.astype(np.uint32) << np.uint32(shift[2])
    if alpha is not None:
        words |= alpha.astype(np.uint32) << np.uint32(shift[3])
    pixels[:] = words
    del pixels
    return surface


def ink_surface(ink: Plane, cover: Plane) -> pygame.Surface:
    """Return ink on a thing that hides part of the ink below it.

    ``cover`` is the hidden share.

    Both planes are uint8[W, H]; 255 is full.
    """
    alpha = np.maximum(ink, cover)
    through = cover.astype(np.uint16) * (255 - ink)
    grey = (through // np.maximum(alpha, 1)).astype(np.uint8)
    return packed(grey, grey, grey, alpha)


@lru_cache(maxsize=32)
def _picture(file: str) -> pygame.Surface:
    image = pygame.image.load(ASSETS / file)
    has_alpha = image.get_flags() & pygame.SRCALPHA or image.get_masks()[3] != 0
    target = blank(image.get_size()) if has_alpha else opaque(image.get_size())
    target.blit(image, (0, 0), special_flags=pygame.BLEND_RGBA_MAX if has_alpha else 0)
    return target


def _scaled(file: str, factor: float) -> pygame.Surface:
    image = _picture(file)
    if factor == 1:
        return image
    if factor > 1:
        return pygame.transform.scale_by(image, factor)
    return pygame.transform.smoothscale_by(image, factor)


def _calmer(texture: pygame.Surface, share: float) -> pygame.Surface:
    """Return a texture moved towards its mean colour.

    At small zooms full washes would look like camouflage.
    """
    mean = pygame.transform.average_color(texture)[:3]
    out = texture.copy()
    out.fill((round(255 * share),) * 3, special_flags=pygame.BLEND_RGB_MULT)
    out.fill([round(c * (1 - share)) for c in mean], special_flags=pygame.BLEND_RGB_ADD)
    return out


def cells(surface: pygame.Surface, side: int, columns: int, count: int) -> list[pygame.Surface]:
    """Cut a sheet into square cells, row by row."""
    return [surface.subsurface((i % columns * side, i // columns * side, side, side)) for i in range(count)]


class ZoomArt:
    """Art of one zoom step, loaded at first use."""

    def __init__(self, zoom: int) -> None:
        self.zoom = zoom
        self._edges: dict[str, tuple[list[pygame.Surface], list[pygame.Surface]]] = {}
        self._details: dict[str, tuple[pygame.Surface, pygame.Surface | None]] = {}
        self._washes: dict[str, pygame.Surface] = {}

    def edge(self, material: str) -> tuple[list[pygame.Surface], list[pygame.Surface]]:
        """Return wash and ink tiles of a material, in the order of `dual_grid.catalogue`."""
        found = self._edges.get(material)
        if found is None:
            found = self._edges[material] = self._load_edge(material)
        return found

    def _load_edge(self, material: str) -> tuple[list[pygame.Surface], list[pygame.Surface]]:
        row = next(r for r in tile_index()["edge"] if r["name"] == EDGE_OF.get(material, material))
        gain = GAIN * row["brightest"] * (BRIGHTEST if material in SHADED else 1.0)
        wash = _scaled(row["wash"], self.zoom / BAKED).copy()
        wash.fill(
            [min(255, round(c * gain)) for c in material_colours()[material]], special_flags=pygame.BLEND_RGB_MULT
        )
        sheets = wash, _scaled(row["ink"], self.zoom / BAKED)
        count = len(catalogue(row["name"] in STRAIGHT))
        washes, inks = (cells(sheet, self.zoom, row["columns"], count) for sheet in sheets)
        return washes, inks

    def wash(self, name: str = "wash") -> pygame.Surface:
        """Return the repeating wash texture, `wash` or `grass`.

        It is never larger than its baked size.
        """
        found = self._washes.get(name)
        if found is None:
            baked = tile_index()["wash_pixels_per_tile"]
            found = _scaled(f"tiles/{name}.png", min(1.0, self.zoom / baked))
            if self.zoom < baked:
                found = _calmer(found, self.zoom / baked)
            self._washes[name] = found
        return found

    def detail(self, name: str) -> tuple[pygame.Surface, pygame.Surface | None]:
        """Return the detail of a material: ink and shade, or None for no shade.

        The ink is grey with 255 for no ink. Both textures repeat.
        """
        found = self._details.get(name)
        if found is None:
            row = next(r for r in tile_index()["detail"] if r["name"] == name)
            shade = _scaled(row["shade"], self.zoom / BAKED) if "shade" in row else None
            found = self._details[name] = _scaled(row["ink"], self.zoom / BAKED), shade
        return found

    @cached_property
    def grain(self) -> pygame.Surface:
        """Texture of the paper's grain, in screen pixels at each zoom."""
        return _picture("tiles/grain.png")

    @cached_property
    def crowns(self) -> list[tuple[pygame.Surface, pygame.Surface]]:
        """Wash and ink of each tree crown, small ones first.

        A crown is drawn about the middle of its cell.
        """
        row = next(r for r in tile_index()["sprite"] if r["name"] == "crowns")
        factor = self.zoom / BAKED
        side = row["cell"] * self.zoom // BAKED
        columns, count = row["columns"], row["variants"]
        wash = _scaled(row["wash"], factor)
        ink = _scaled(row["ink"], factor)
        return list(zip(cells(wash, side, columns, count), cells(ink, side, columns, count), strict=True))

    @cached_property
    def reeds(self) -> list[pygame.Surface]:
        """Clumps of reeds.

        The root lies at (0.75, 1.03) tiles of the cell.
        """
        row = next(r for r in tile_index()["sprite"] if r["name"] == "reeds")
        return cells(
            _scaled(row["wash"], self.zoom / BAKED), row["cell"] * self.zoom // BAKED, row["columns"], row["variants"]
        )

    @cached_property
    def reed_ink(self) -> list[pygame.Surface]:
        """The clumps of reeds as ink, for ground that no unit sees."""
        out = []
        for clump in self.reeds:
            ink = (pygame.surfarray.array_alpha(clump) * 0.55).astype(np.uint8)
            out.append(ink_surface(ink, np.zeros_like(ink)))
        return out


SHADED = frozenset({"field", "stone", "wall", "low_wall", "floor", "bridge_stone", "bridge_plank"})
"""Materials whose detail has its own shade.

Their tiles are brighter by the factor BRIGHTEST to compensate for the shade.
"""

DETAIL_OF = {
    "field": "field",
    "road": "road",
    "gravel": "gravel",
    "stone": "stone",
    "floor": "floor",
    "water": "water",
    "wall": "wall",
    "low_wall": "wall",
    "bridge_stone": "bridge_stone",
}


@lru_cache(maxsize=3)
def art_at(zoom: int) -> ZoomArt:
    """Return the art of a zoom step; the last three are kept."""
    if zoom not in ZOOMS:
        raise ValueError(f"zoom must be one of {ZOOMS}, got {zoom}")
    return ZoomArt(zoom)
