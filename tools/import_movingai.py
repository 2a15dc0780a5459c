"""Turn a MovingAI benchmark map into a level.

Run ``python -m tools.import_movingai MAP [OUT.tmx]``.

Letters: ``.`` and ``G`` grass, ``S`` swamp (reeds, more expensive), ``T`` trees (closed wood), ``W`` water, everything
else a wall.  As in the benchmark only ``.``, ``G`` and ``S`` can be walked.  Eight raiders stand on the largest area.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from ai.grid.movingai import read_letters
from game.level.level_writer import LevelBuilder
from game.level.model import GROUND
from game.level.passability_masks import WALK
from game.level.reading import raiders_on_largest_component

LETTERS = {".": "grass", "G": "grass", "S": "reeds", "T": "wood", "W": "water"}
LARGE = 128 * 128
"""Maps of more tiles are written packed."""


def level_of(path: Path) -> LevelBuilder:
    """The level in the making; ValueError when the file is not a MovingAI map."""
    letters = read_letters(path)
    height, width = letters.shape
    level = LevelBuilder(width, height, "wall", title=path.stem)
    for letter, ground in LETTERS.items():
        level.ground[letters == ord(letter)] = GROUND[ground]
    trees = letters == ord("T")
    if trees.any():
        level.overlay("trees nobody enters", "wood", trees, walkable=False)
    walkable = np.isin(letters, [ord(c) for c in ".GS"])
    for spawn in raiders_on_largest_component(walkable.astype(np.uint8) * WALK):
        level.add("spawn", spawn.x, spawn.y, group=spawn.group, layer="raiders")
    return level


def main(arguments: list[str]) -> int:
    """Import one map; the exit code."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__)
        return 2
    source = Path(arguments[0])
    try:
        if not source.name:
            raise ValueError(f"{source}: not a .map file")
        target = Path(arguments[1]) if len(arguments) == 2 else source.with_suffix(".tmx")
        if target.suffix != ".tmx":
            raise ValueError(f"{target}: a level's name ends in .tmx")
        level = level_of(source)
        level.write(target, packed=level.ground.size > LARGE)
    except OSError as error:
        print(f"import_movingai: {source}: cannot be read ({error.strerror}); check the path", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"import_movingai: {error}", file=sys.stderr)
        return 1
    print(f"{target}: {level.width} x {level.height} tiles")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
