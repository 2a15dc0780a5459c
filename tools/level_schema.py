"""Write ``levels/.tiled-project`` and the tables of ``levels/README.md``: ``python -m tools.level_schema``."""

from __future__ import annotations

from pathlib import Path

from game.level.level_writer import LEVELS
from game.level.schema import markdown, tiled_project

START, END = "<!-- schema: python -m tools.level_schema -->\n", "<!-- end of schema -->\n"


def write(folder: Path = LEVELS) -> None:
    """Write both files; in the README only what stands between the marks."""
    (folder / ".tiled-project").write_text(tiled_project(), encoding="utf-8")
    readme = folder / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.is_file() else START + END
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    readme.write_text(before + START + "\n" + markdown() + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    write()
