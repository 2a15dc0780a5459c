"""Parts of the bake by name; each writes its index under ``assets/data``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tools.art import index, marks, props, sounds
from tools.art.drawing import fonts, png, wash
from tools.art.ground import details, grounds, tileset, trees
from tools.art.icons import icons


def _icons(root: Path) -> None:
    rows = icons.bake(root / "assets")
    heading = "Icons: one strip a scheme (day, on, off, night, night_off, amber) and size; columns by name."
    index.write(root / "assets" / "data" / "icons.toml", heading, {"sheet": rows})


def _marks(root: Path) -> None:
    rows = marks.bake(root / "assets")
    heading = "Marks on the map, cursors and small effects.  Far marks: 12, 8 and 4 px a tile, rows day then night."
    index.write(root / "assets" / "data" / "marks.toml", heading, {"sheet": rows})


def _fonts(root: Path) -> None:
    faces = fonts.bake(root / "assets")
    heading = "Typefaces (SIL OFL 1.1, licence texts beside them).  Nothing is set below `smallest` px."
    index.write(root / "assets" / "data" / "fonts.toml", heading, {"smallest": fonts.SMALLEST, "face": faces})


def _tiles(root: Path) -> None:
    folder = root / "assets"
    png.write(folder / "tiles" / "wash.png", wash.wash_texture())
    png.write(folder / "tiles" / "grass.png", wash.grass_texture())
    png.write(folder / "tiles" / "grain.png", wash.grain_texture())
    png.write(folder / "tiles" / "mist.png", wash.mist_texture())
    tables = {
        "wash_pixels_per_tile": wash.PIXELS_PER_TILE,
        "edge": grounds.bake(folder),
        "detail": details.bake(folder),
        "sprite": trees.bake(folder),
        "prop": props.bake(folder),
    }
    heading = (
        "Ground art, 64 px a tile.  edge: sheets in the order of game.view.ground.dual_grid.catalogue,"
        " grey and alpha.\n"
        "detail: textures over 16 tiles.  prop: height is the shadow's length in px at 32 px a tile."
    )
    index.write(folder / "data" / "tiles.toml", heading, tables)


def _sounds(root: Path) -> None:
    rows = sounds.bake(root / "assets")
    heading = "Sounds, three variants each; play them in turn."
    index.write(root / "assets" / "data" / "sounds.toml", heading, {"sound": rows})


PARTS: dict[str, Callable[[Path], None]] = {
    "fonts": _fonts,
    "icons": _icons,
    "marks": _marks,
    "sounds": _sounds,
    "tiles": _tiles,
    "tilesets": tileset.bake,
}
"""Parts in the order of the bake.

The tilesets come after the tiles because they are drawn with the baked tiles.
"""
