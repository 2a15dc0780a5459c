"""Small levels for tests, drawn in letters and written to a temporary folder."""

from pathlib import Path

from game.level.level_writer import LevelBuilder
from game.level.model import Level
from game.level.reading import load_level

FIELD = "\n".join(["." * 24] * 14)

BRIDGE = "\n".join(
    ["..........~~~~.........."] * 6 + ["..........BBBB.........."] * 2 + ["..........~~~~.........."] * 6
)
"""24x14: a river with a bridge two tiles wide at rows 6 and 7."""


def write(folder: Path, builder: LevelBuilder, name: str = "small") -> Path:
    """Write a builder's level below a project root of its own."""
    (folder / "test.tiled-project").write_text("{}")
    path = folder / f"{name}.tmx"
    builder.write(path, overwrite=True)
    return path


def bridge_level(folder: Path, raiders: int = 4, guards: int = 0) -> Path:
    """Raiders west of a river, guards on a patrol east of it."""
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
