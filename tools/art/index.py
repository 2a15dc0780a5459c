"""Index files: small TOML files that list the contents of each baked sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, Iterable):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    raise TypeError(f"no TOML for {value!r}")


def write(path: Path, heading: str, tables: Mapping[str, object]) -> None:
    """Write the tables with a heading as comment.

    ``tables`` maps a name to a mapping (a table), to a list of mappings (an array of tables), or to a plain value.
    Plain values come first in the file.
    """
    lines = [f"# {line}" for line in heading.splitlines()]
    plain = {k: v for k, v in tables.items() if not isinstance(v, (Mapping, list))}
    lines += [f"{key} = {_value(value)}" for key, value in plain.items()]
    for name, table in tables.items():
        if name in plain:
            continue
        head, rows = (f"[{name}]", [table]) if isinstance(table, Mapping) else (f"[[{name}]]", table)
        for row in rows:  # type: ignore[attr-defined]
            lines += ["", head, *(f"{key} = {_value(value)}" for key, value in row.items())]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
