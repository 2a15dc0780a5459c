"""Small levels for tests, drawn in letters and written to a temporary folder."""

from pathlib import Path

from game.level.level_writer import LevelBuilder
from game.level.model import Level
from game.level.reading import load_level

FIELD = "\n".join(["." * 24] * 14)

BRIDGE = "\n".join(
    ["..........~~~~.........."] * 6 + ["..........BBBB.........."] * 2 + ["..........~~~~.........."] * 6
)
"""Map with a river and a bridge two tiles wide, rows 6 and 7."""


def write(folder: Path, builder: LevelBuilder, name: str = "small") -> Path:
    """Write the level of a builder into a folder with its own project file."""
    (folder / "test.tiled-project").write_text("{}")
    path = folder / f"{name}.tmx"
    builder.write(path, overwrite=True)
    return path


def bridge_level(folder: Path, raiders: int = 4, guards: int = 0) -> Path:
    """Write a level with raiders west of a river and guards east of it."""
    builder = LevelBuilder.from_letters(BRIDGE, title="Bridge")
    for i in range(raiders):
        builder.add("spawn", 2.5 + i % 3, 5.5 + i // 3, name=f"Raider {i + 1}", side="raiders", kind="raider", group=1)
    for i in range(guards):
        builder.add("spawn", 20.5, 4.5 + 2 * i, side="guards", kind="guard", facing=180.0, route="beat")
    builder.add("route", name="beat", points=((20.5, 3.5), (20.5, 10.5)), wait=1.0)
    builder.add("region", 16, 0, 8, 14, name="east")
    return write(folder, builder)


def load(path: Path) -> Level:
    """Read a level."""
    return load_level(path)
