"""Writes the starter of ``main.py new FILE.tmx``: a level, its script and a Tiled project."""

from __future__ import annotations

import sys
from pathlib import Path

from game.level.files import write_whole
from game.level.finding import LEVELS
from game.level.level_writer import LevelBuilder
from game.level.schema import ProjectPlace, tiled_project
from game.level.tmx.map_folder import PROJECT, Room

_MAP = """
TTTTTTTT........................................
TTTTTTTTTT......................................
TTT....TTT......................................
TT......TT..............##########..............
TT......TT..............#ffffffff#..............
TT......................#ffffffff#..............
TTT....TT...............#ffffffff#..............
TTTTTTTTT...............#ffffffff#........,,,,,,
TTTTT...................####ff####........,,,,,,
............................==............,,,,,,
............................==............,,,,,,
===================================.............
===================================.............
................................................
.........................,,,,,,.................
..................TTT....,,,,,,.................
.................TTTTT...,,,,,,...........TTTT..
..................TTT....................TTTTTTT
.........................................TTTTTTT
...........................................TTTTT
"""


_SCRIPT = """# A script gives orders and promises an outcome. "main.py check" plays it and names each broken promise.
# Change a place or a number and check again; levels/README.md of Fogline lists all orders and promises.

title = "All four leave the wood"
seed = 1       # the same seed gives the same game
ticks = 200    # 20 ticks are a second

[[order]]
tick = 1
units = "raiders"
kind = "move"
at = [9.5, 5.5]    # tiles from the left and from the top

[[expect]]         # all four have been within 3 tiles of the place
kind = "arrives"
units = "raiders"
at = [9.5, 5.5]
radius = 3
by = 160

[[expect]]         # at the end nobody wants to move any more
kind = "settles"
units = "raiders"

[[expect]]         # no body was ever inside a wall
kind = "no_wall"
"""


def write_starter(path: Path, sandbox: bool = False) -> list[Path]:
    """Write the starter level, which is playable at once; return the files.

    It has four raiders, one patrol, a chest in a walled yard, a door and an exit.  With ``sandbox`` it has no mission.
    Beside it stand a script with promises and, unless a project holds the folder already, a Tiled project.  Raises
    ValueError, one line, when the name is not a .tmx, the folder is missing or one of the files exists.
    """
    if path.suffix.lower() != ".tmx":
        raise ValueError(f"{path}: a level's name ends in .tmx; write for example {path.with_suffix('.tmx')}")
    if not path.resolve().parent.is_dir():
        raise ValueError(f"{path}: the folder does not exist; make it first")
    script, project = path.with_suffix(".toml"), path.with_suffix(PROJECT)
    for file in (path, script):
        if file.exists():
            raise ValueError(f"{file}: the file exists already; choose another name or delete it")
    title = path.stem.replace("_", " ").strip().capitalize()
    level = LevelBuilder.from_letters(_MAP, title=title)
    for n, (x, y) in enumerate(((4.5, 3.5), (5.5, 3.5), (4.5, 4.5), (5.5, 4.5))):
        level.add("spawn", x, y, name=("Ann", "Bero", "Cai", "Dov")[n], group=1, layer="spawns")
    beat = ((12.5, 11.5), (34.5, 11.5))
    level.add("route", name="road", points=beat, wait=2, layer="routes")
    level.add("spawn", 20.5, 11.5, side="guards", route="road", group=11, layer="spawns")
    level.add("spawn", 29.0, 5.5, side="guards", facing=90, layer="spawns")
    level.add("door", 28, 8, 2, 1, name="yard door", kind="gate", opens_for="all", layer="places")
    level.add("region", 2, 2, 6, 5, name="home", layer="places")
    level.add("prop", 26.5, 5.5, name="chest", kind="chest", layer="places")
    if not sandbox:
        _add_mission(level)
    level.add("text", 26, 2, 6, 1, text="The Yard", layer="places")
    needs_project = not Room(path).project
    level.write(path)
    write_whole(script, _SCRIPT)
    if not needs_project:
        return [path, script]
    root = LEVELS.parent
    place = ProjectPlace(sys.executable, (root / "main.py").as_posix(), (root / "assets" / "tiled").as_posix())
    write_whole(project, tiled_project(place))
    return [path, script, project]


def _add_mission(level: LevelBuilder) -> None:
    level.add("objective", 1, 1, name="take", kind="take", target="chest", text="Steal the chest", layer="places")
    level.add("objective", 2, 1, name="bring", kind="bring", target="chest", region="home",
              text="Carry it home", layer="places")  # fmt: skip
