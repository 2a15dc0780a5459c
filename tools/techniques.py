"""Writes the table of techniques in README.md from ai/techniques.toml: ``python -m tools.techniques``."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BEGIN, END = "<!-- techniques: python -m tools.techniques -->", "<!-- end of techniques -->"


def table() -> str:
    """The Markdown table: a line a technique, grouped by package in file order."""
    rows = tomllib.loads((ROOT / "ai" / "techniques.toml").read_text(encoding="utf-8"))["technique"]
    packages: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        packages.setdefault(str(row["module"]).split("/")[1], []).append(row)
    lines = ["| technique | source | see it in | switch |", "| --- | --- | --- | --- |"]
    for members in packages.values():
        for row in members:
            shown = str(row.get("exhibit", ""))
            where = f"[{Path(shown).stem}]({shown})" if shown else "library"
            switch = f"`{row['setting']}`" if row.get("setting") else ""
            lines.append(f"| [{row['name']}]({row['module']}) | {row['source']} | {where} | {switch} |")
    return "\n".join(lines)


def updated(text: str) -> str:
    """``text`` of the README with a fresh table between its marks; ValueError when they are missing."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{README.name} lacks the lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


def main() -> None:
    """Rewrite the README."""
    README.write_text(updated(README.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
