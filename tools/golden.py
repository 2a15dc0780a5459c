"""Golden pictures: the output of ``shot`` when it was last checked by eye.

``python -m tools.golden [NAME...]`` draws them again; look at the new ones before committing them. They are kept at a
quarter of their size. So another font library or driver makes no difference, and a missing layer does.
"""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from game.view.window.shot import ShotRequest, take_shot

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "tests" / "game" / "view" / "golden"
SIZES = ((960, 600), (1280, 720), (1920, 1080))
MOST_MEAN = 5.0
"""Grey levels the pictures may differ on average."""
FAR = 48
"""Grey levels from which on a pixel counts as another one."""
MOST_FAR = 0.004
"""Share of the pixels that may be others."""

PICTURES = {
    "menu": ShotRequest("menu", Path()),
    "gallery": ShotRequest("gallery", Path()),
    "exhibit": ShotRequest(str(ROOT / "levels/exhibits/paths/path_stages.tmx"), Path(), tick=8),
    "crossing": ShotRequest(str(ROOT / "levels/the_crossing.tmx"), Path(), tick=60, select=(4, 5), camera=(22, 25, 32)),
    "cones": ShotRequest(
        str(ROOT / "levels/the_crossing.tmx"), Path(), tick=60, overlays=("cones",), camera=(60, 30, 24)
    ),
    "fight": ShotRequest(
        str(ROOT / "levels/regression/fights/fight_twenty.tmx"),
        Path(),
        tick=203,
        select=tuple(range(10)),
        script=ROOT / "levels/regression/fights/fight_twenty.toml",
    ),
    "squad": ShotRequest(str(ROOT / "levels/the_crossing.tmx"), Path(), tick=60, select=tuple(range(8))),
    "night": ShotRequest(
        str(ROOT / "levels/regression/senses/night_lamps.tmx"), Path(), tick=200, select=(0, 3), camera=(24, 11, 32)
    ),
}


LISTED = ("components", "cost", "flood", "sight", "cones", "paths", "body", "detection", "minds", "queue")
"""Overlays that Lab lists in its picture.

The list is fixed, so that a new overlay does not change the picture.
"""
ROWS = FOLDER / "techniques.toml"
"""Rows of the gallery in its picture.

The list is fixed, so that a new technique does not change the picture.
"""


def draw(name: str, size: tuple[int, int]) -> np.ndarray:
    """Draw a picture as ``shot`` does and reduce it to a quarter.

    The result is uint8[h, w, 3].
    """
    import pygame

    from game.view.exhibits import gallery_rows
    from game.view.lab import lab_panels
    from game.view.overlays import lenses

    with tempfile.TemporaryDirectory() as folder:
        kept, gallery_rows.TECHNIQUES = gallery_rows.TECHNIQUES, ROWS
        os.environ["FOGLINE_PICTURES"] = "off"  # the golden picture holds the place of each picture, not the picture
        lab_panels.all_overlays = lambda: [cls for cls in lenses.all_overlays() if cls.name in LISTED]
        try:
            out = take_shot(replace(PICTURES[name], out=Path(folder) / "shot.png", size=size))
        finally:
            gallery_rows.TECHNIQUES = kept
            lab_panels.all_overlays = lenses.all_overlays
        picture = pygame.surfarray.array3d(pygame.image.load(str(out))).swapaxes(0, 1)
    h, w = picture.shape[0] // 4, picture.shape[1] // 4
    return (picture[: h * 4, : w * 4].reshape(h, 4, w, 4, 3).mean(axis=(1, 3)) + 0.5).astype(np.uint8)


def file_of(name: str, size: tuple[int, int]) -> Path:
    """Return the path of the stored picture."""
    return FOLDER / f"{name}_{size[0]}x{size[1]}.png"


def read(name: str, size: tuple[int, int]) -> np.ndarray:
    """The kept picture, uint8[h, w, 3]."""
    import pygame

    return pygame.surfarray.array3d(pygame.image.load(str(file_of(name, size)))).swapaxes(0, 1)


def complaint(drawn: np.ndarray, kept: np.ndarray) -> str:
    """Return the error in a drawn picture, or nothing."""
    if drawn.shape != kept.shape:
        return f"its size is {drawn.shape[1]}x{drawn.shape[0]}, not {kept.shape[1]}x{kept.shape[0]}"
    apart = np.abs(drawn.astype(np.int64) - kept)
    mean, far = float(apart.mean()), float((apart.max(axis=2) > FAR).mean())
    if mean <= MOST_MEAN and far <= MOST_FAR:
        return ""
    return f"differs by {mean:.2f} on average (at most {MOST_MEAN:g}), {far:.2%} of it far (at most {MOST_FAR:.2%})"


def main(names: list[str]) -> int:
    """Draw and keep the named pictures, or all."""
    import pygame

    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        print(f"golden: {unknown[0]} is none of {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    for name in names or PICTURES:
        for size in SIZES:
            picture = draw(name, size)
            surface = pygame.surfarray.make_surface(picture.swapaxes(0, 1))
            pygame.image.save(surface, str(file_of(name, size)))
            print(file_of(name, size).relative_to(ROOT))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
