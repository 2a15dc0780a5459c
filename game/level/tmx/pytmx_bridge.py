"""Bridge to pytmx: converts the checked tree to typed properties."""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Mapping
from typing import Any

from game.level.errors import LevelError
from game.level.tmx.checked_map import CheckedMap


def _pytmx() -> Any:
    """Return pytmx without its pygame half, because a headless run has no window."""
    if "pytmx" not in sys.modules and "pygame" not in sys.modules:
        hidden = ("pygame", "pytmx.util_pygame")
        for name in hidden:
            sys.modules[name] = None  # type: ignore[assignment]
        try:
            return importlib.import_module("pytmx")
        finally:
            for name in hidden:
                del sys.modules[name]
    return importlib.import_module("pytmx")


def to_pytmx(checked: CheckedMap) -> Any:
    """Return the pytmx map of a checked map; raises LevelError."""
    pytmx = _pytmx()
    logger = logging.getLogger("pytmx.pytmx")
    before = logger.disabled
    logger.disabled = True
    try:
        tmx = pytmx.TiledMap(load_all=False, invert_y=False, allow_duplicate_names=True)
        tmx.filename = str(checked.path)
        tmx.parse_xml(checked.tree)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError) as error:
        raise LevelError(checked.path, "map", f"pytmx cannot read it ({error})", "save it again in Tiled") from None
    finally:
        logger.disabled = before
    return tmx


def tile_properties(tmx: Any) -> dict[int, Mapping[str, Any]]:
    """Return properties by the map's own gid, because pytmx renumbers tiles."""
    return {tmx.tiledgidmap[gid]: given for gid, given in tmx.tile_properties.items() if gid in tmx.tiledgidmap}
