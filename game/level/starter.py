"""Writes the starter level of ``main.py new FILE.tmx``."""

from __future__ import annotations

from pathlib import Path

from game.level.level_writer import LevelBuilder

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


def write_starter(path: Path, sandbox: bool = False) -> None:
    """Write the starter level, which is playable at once.

    It has four raiders, one patrol, a chest in a walled yard, a door and an exit.  With ``sandbox`` it has no mission.
    Raises ValueError, one line, when the name is not a .tmx, the folder is missing or the file exists.
    """
    if path.suffix.lower() != ".tmx":
        raise ValueError(f"{path}: a level's name ends in .tmx; write for example {path.with_suffix('.tmx')}")
    if not path.resolve().parent.is_dir():
        raise ValueError(f"{path}: the folder does not exist; make it first")
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
    level.write(path)


def _add_mission(level: LevelBuilder) -> None:
    level.add("objective", 1, 1, name="take", kind="take", target="chest", text="Steal the chest", layer="places")
    level.add("objective", 2, 1, name="bring", kind="bring", target="chest", region="home",
              text="Carry it home", layer="places")  # fmt: skip
