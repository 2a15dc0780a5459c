"""Baked ground art at one zoom step: edge tiles, wash and detail textures, crowns and reeds as surfaces.

Colour planes carry straight alpha.  An ink surface has grey for what it lets through and alpha for what it hides:
``below * (1 - alpha) + grey * alpha`` keeps 255 for bare paper, 0 for full ink.
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
    """``assets/data/tiles.toml``."""
    return read_toml(ASSETS / "data" / "tiles.toml")


@lru_cache(maxsize=1)
def material_colours() -> dict[str, RGB]:
    """The flat colour of every layer, before any texture."""
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
"""Materials that borrow the edge sheet of another."""


def blank(size: tuple[int, int]) -> pygame.Surface:
    """A transparent surface."""
    return pygame.Surface(size, pygame.SRCALPHA, 32)


def opaque(size: tuple[int, int], colour: RGB = WHITE) -> pygame.Surface:
    """A surface without alpha."""
    surface = pygame.Surface(size, 0, 32)
    surface.fill(colour)
    return surface


def packed(red: Plane, green: Plane, blue: Plane, alpha: Plane | None = None) -> pygame.Surface:
    """uint8[W, H] planes (x first, as pygame counts) -> a surface."""
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
    """Ink over something that hides ``cover`` of the ink below it; both uint8[W, H], 255 is all."""
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
    """The texture drawn towards its mean: from far off, full washes would read as camouflage."""
    mean = pygame.transform.average_color(texture)[:3]
    out = texture.copy()
    out.fill((round(255 * share),) * 3, special_flags=pygame.BLEND_RGB_MULT)
    out.fill([round(c * (1 - share)) for c in mean], special_flags=pygame.BLEND_RGB_ADD)
    return out


def cells(surface: pygame.Surface, side: int, columns: int, count: int) -> list[pygame.Surface]:
    """Cut a sheet into square cells, row by row."""
    return [surface.subsurface((i % columns * side, i // columns * side, side, side)) for i in range(count)]


class ZoomArt:
    """Everything the assembler blits at one zoom step, made when first asked for."""

    def __init__(self, zoom: int) -> None:
        self.zoom = zoom
        self._edges: dict[str, tuple[list[pygame.Surface], list[pygame.Surface]]] = {}
        self._details: dict[str, tuple[pygame.Surface, pygame.Surface | None]] = {}
        self._washes: dict[str, pygame.Surface] = {}

    def edge(self, material: str) -> tuple[list[pygame.Surface], list[pygame.Surface]]:
        """Wash and ink tiles of a material, in the order of `dual_grid.catalogue`."""
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
        """The world-space wash texture, `wash` or `grass`; it repeats.  Never above its baked size."""
        found = self._washes.get(name)
        if found is None:
            baked = tile_index()["wash_pixels_per_tile"]
            found = _scaled(f"tiles/{name}.png", min(1.0, self.zoom / baked))
            if self.zoom < baked:
                found = _calmer(found, self.zoom / baked)
            self._washes[name] = found
        return found

    def detail(self, name: str) -> tuple[pygame.Surface, pygame.Surface | None]:
        """What lies inside a material, ink (grey, 255 none) and shade if it has one; both repeat."""
        found = self._details.get(name)
        if found is None:
            row = next(r for r in tile_index()["detail"] if r["name"] == name)
            shade = _scaled(row["shade"], self.zoom / BAKED) if "shade" in row else None
            found = self._details[name] = _scaled(row["ink"], self.zoom / BAKED), shade
        return found

    @cached_property
    def grain(self) -> pygame.Surface:
        """The paper's tooth, in screen pixels at every zoom."""
        return _picture("tiles/grain.png")

    @cached_property
    def crowns(self) -> list[tuple[pygame.Surface, pygame.Surface]]:
        """Wash and ink of every tree crown, small ones first; drawn about the middle of the cell."""
        row = next(r for r in tile_index()["sprite"] if r["name"] == "crowns")
        factor = self.zoom / BAKED
        side = row["cell"] * self.zoom // BAKED
        columns, count = row["columns"], row["variants"]
        wash = _scaled(row["wash"], factor)
        ink = _scaled(row["ink"], factor)
        return list(zip(cells(wash, side, columns, count), cells(ink, side, columns, count), strict=True))

    @cached_property
    def reeds(self) -> list[pygame.Surface]:
        """Clumps of reeds; the root lies at (0.75, 1.03) tile of the cell."""
        row = next(r for r in tile_index()["sprite"] if r["name"] == "reeds")
        return cells(
            _scaled(row["wash"], self.zoom / BAKED), row["cell"] * self.zoom // BAKED, row["columns"], row["variants"]
        )

    @cached_property
    def reed_ink(self) -> list[pygame.Surface]:
        """The same clumps as ink, for ground that is not in sight."""
        out = []
        for clump in self.reeds:
            ink = (pygame.surfarray.array_alpha(clump) * 0.55).astype(np.uint8)
            out.append(ink_surface(ink, np.zeros_like(ink)))
        return out


SHADED = frozenset({"field", "stone", "wall", "low_wall", "floor", "bridge_stone", "bridge_plank"})
"""Materials whose detail has a shade of its own: their tiles are brighter by BRIGHTEST to make up for it."""

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
    """The art of a zoom step; the last three are kept."""
    if zoom not in ZOOMS:
        raise ValueError(f"zoom must be one of {ZOOMS}, got {zoom}")
    return ZoomArt(zoom)
