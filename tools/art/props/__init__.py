"""Props from above.

Lengths are in px at 32 px a tile; the pictures have 64 px a tile.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tools.art.drawing import png
from tools.art.drawing.canvas import Canvas
from tools.art.props import buildings, outdoors, passages, stores
from tools.art.props.prop import Prop

PROPS: dict[str, Prop] = stores.PROPS | buildings.PROPS | outdoors.PROPS | passages.PROPS


def prop(name: str) -> np.ndarray:
    """Return the picture of a prop, uint8[2 * height, 2 * width, 4]."""
    one = PROPS[name]
    canvas = Canvas(one.width * 2, one.height * 2, 4, 2)
    canvas.move_origin(one.width / 2, one.height / 2)
    one.draw(canvas)
    return canvas.rgba()


def bake(folder: Path) -> list[dict[str, object]]:
    """Write ``props/<name>.png``; return index rows."""
    rows: list[dict[str, object]] = []
    for name, one in PROPS.items():
        file = f"props/{name}.png"
        png.write(folder / file, prop(name))
        rows.append({"name": name, "file": file, "height": one.shadow, "size": [one.width / 32, one.height / 32]})
    return rows
