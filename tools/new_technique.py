"""Writes the three files of a new technique: ``python -m tools.new_technique SLUG [--area AREA]``.

The module carries a descriptor, the test fails until the technique works, and the exhibit is a script on a map that
exists.  Areas are the folders of ``levels/exhibits``.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAPS = {
    "search": ("ai/search/astar", "search/jumps"),
    "paths": ("ai/paths/quick", "paths/any_angle"),
    "motion": ("ai/steering/behaviours", "motion/corners"),
    "formation": ("ai/formation", "formation/formation_parade"),
    "senses": ("ai/perception/awareness", "senses/low_wall"),
    "stealth": ("ai/tactics", "stealth/shelter"),
    "minds": ("ai/decision", "minds/canvass"),
}
"""Folder of the module and map of the exhibit, by area."""

MODULE = '''"""{title}: say what it decides, the source, shapes and units."""


def {name}() -> float:
    """Return what the technique decides."""
    raise NotImplementedError("{slug}")


TECHNIQUES = (
    {{
        "slug": "{slug}",
        "name": "{title}",
        "ids": ("{id}",),
        "source": "Book, chapter",
        "functions": ("{name}",),
        "test": "{test}",
        "exhibit": "{exhibit}",
        "setting": "",
        "measure": "walked",
        "direction": "down",
    }},
)
"""Descriptors that ``ai/core/register.py`` reads."""
'''
TEST = '''"""{title}, against an oracle that is written independently."""

from {dotted} import {name}


def test_{name}_agrees_with_its_oracle() -> None:
    expected = 1.0  # by an independent oracle, or a figure of the source
    assert {name}() == expected
'''
SCRIPT = """title = "{title}"
seed = 2
ticks = 300

[[order]]
tick = 2
units = "raiders"
kind = "move"
at = [10.5, 10.5]

[[expect]]
kind = "no_wall"

[exhibit]
question = "What does {words} change?"
line = "One sentence: what happens with it and without it."
technique = "{slug}"
setting = ""
measure = "walked"
switch_at = "start"
repeat = 300
try_this = "One thing to try."
"""
NEXT = """\
Next:
1. {module}: write the technique; set ids (ai/catalogue_ids.csv), source, setting, measure and direction.
2. {test}: write the oracle; it fails until then.  python -m pytest {test}
3. {exhibit}: name the setting, its on and off, the orders.  python main.py play {level}
4. python -m tools.techniques; python -m pytest tests/test_techniques.py tests/test_exhibits.py"""


def write(root: Path, slug: str, area: str, identifier: str = "AW-0.0-0") -> str:
    """Write the three files below ``root`` and return the next steps as text.

    ValueError in one line when a file cannot be written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", slug):
        raise ValueError(f"slug {slug!r}: lower-case words joined by hyphens, such as cost-ceiling")
    folder, level = MAPS[area]
    name = slug.replace("-", "_")
    module = f"{folder}/{name}.py"
    test = f"tests/{folder}/test_{name}.py"
    exhibit = f"levels/exhibits/{level}.{name}.toml"
    words = {
        "slug": slug, "name": name, "words": slug.replace("-", " "), "title": slug.replace("-", " ").capitalize(),
        "id": identifier, "module": module, "dotted": module[:-3].replace("/", "."), "test": test, "exhibit": exhibit,
        "level": f"levels/exhibits/{level}.tmx",
    }  # fmt: skip
    files = {module: MODULE, test: TEST, exhibit: SCRIPT}
    for file in files:
        if (root / file).exists():
            raise ValueError(f"{file} exists; choose another slug")
    for file, text in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text.format(**words), encoding="utf-8")
    return NEXT.format(**words)


def main(arguments: list[str] | None = None) -> int:
    """Write the files and print the next steps."""
    parser = argparse.ArgumentParser(prog="tools.new_technique", description="Write the three files of a technique.")
    parser.add_argument("slug")
    parser.add_argument("--area", choices=sorted(MAPS), default="search")
    parser.add_argument("--root", type=Path, default=ROOT, help="where to write; the repository without it")
    given = parser.parse_args(arguments)
    try:
        print(write(given.root, given.slug, given.area))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
