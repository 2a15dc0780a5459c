"""Register of techniques: reads the descriptors that stand beside their code.

A module describes its techniques in one literal, ``TECHNIQUES = ({"slug": ..., ...}, ...)``.  The literal is read from
the source text, so nothing is imported or compiled.  ``python -m tools.techniques`` writes ``ai/techniques.toml`` and
the table of the README from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

FOLDERS = ("ai", "game", "tools")
DIRECTIONS = ("up", "down", "")


@dataclass(frozen=True)
class Technique:
    """Descriptor of one technique.  Paths are relative to the root of the repository."""

    slug: str
    name: str
    ids: tuple[str, ...]
    """Entries of the catalogue (``ai/catalogue_ids.csv``) that the technique implements."""
    source: str
    module: str
    """The file that holds the descriptor."""
    functions: tuple[str, ...]
    """Functions or methods of the module that decide, such as ``find`` or ``JPSPlus.find``."""
    test: str
    exhibit: str = ""
    """Script of the exhibit."""
    overlay: str = ""
    setting: str = ""
    """The setting that switches the technique."""
    parts: tuple[str, ...] = ()
    """Catalogue entries that the technique needs to run and that have no switch."""
    measure: str = ""
    """Metric of the exhibit that tells on from off (``game/checks/metrics/metric.py``)."""
    direction: str = ""
    """Direction of the measure when the technique is on.

    It is up, down, or empty with a reason.
    """
    reason: str = ""
    """Reason why no direction is promised."""
    claim: str = ""
    """Part of its entries that is there, left out or different.

    Gallery and README show it.
    """

    @property
    def level(self) -> str:
        """Map of the exhibit: ``NAME.variant.toml`` is played on ``NAME.tmx``."""
        folder, _, file = self.exhibit.rpartition("/")
        return f"{folder}/{file.split('.')[0]}.tmx" if file else ""


def scan(root: Path) -> list[Technique]:
    """Return every technique below ``root``, by path of the module and order in it.

    Raises ValueError in one line that names the file and the key.
    """
    found = [t for folder in FOLDERS for path in sorted((root / folder).rglob("*.py")) for t in described(root, path)]
    slugs = [t.slug for t in found]
    for technique in found:
        if slugs.count(technique.slug) > 1:
            raise ValueError(f"{technique.module}: slug: {technique.slug!r} stands twice")
    return found


def implementations(folder: Path, constant: str) -> tuple[str, ...]:
    """Return the names of the modules in ``folder`` that define ``constant``, sorted.

    They are read from the text, so that nothing is imported or compiled. The constant stands with its type at the start
    of a line: ``CONSTANT: Protocol = ...``.
    """
    return tuple(p.stem for p in sorted(folder.glob("*.py")) if f"\n{constant}: " in p.read_text(encoding="utf-8"))


def described(root: Path, path: Path) -> Iterator[Technique]:
    """Yield the techniques that one source file describes."""
    text = path.read_text(encoding="utf-8")
    if "\nTECHNIQUES = (" not in text:
        return
    tree, module = ast.parse(text), path.relative_to(root).as_posix()
    for node in tree.body:
        if descriptor(node):
            assert isinstance(node, ast.Assign)
            try:
                rows = ast.literal_eval(node.value)
            except ValueError:
                raise ValueError(f"{module}: TECHNIQUES: takes literals only, no names and no calls") from None
            names = defined(tree)
            for row in rows:
                yield checked(module, row, names)


def descriptor(node: ast.stmt) -> bool:
    """Return whether a statement of a module is its ``TECHNIQUES = ...``."""
    return isinstance(node, ast.Assign) and [getattr(t, "id", "") for t in node.targets] == ["TECHNIQUES"]


def defined(tree: ast.Module) -> set[str]:
    """Return the names of functions and classes of a module, methods as ``Class.method``."""
    names = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    return names | {
        f"{n.name}.{m.name}" for n in tree.body if isinstance(n, ast.ClassDef) for m in n.body
        if isinstance(m, ast.FunctionDef)
    }  # fmt: skip


def checked(module: str, row: Any, names: set[str]) -> Technique:
    """Return the technique of one literal.

    ValueError in one line for a wrong key.
    """
    if not isinstance(row, dict):
        raise ValueError(f"{module}: TECHNIQUES: takes dictionaries, not {row!r}")
    kinds = {f.name: tuple if "tuple" in str(f.type) else str for f in fields(Technique) if f.name != "module"}
    needed = {f.name for f in fields(Technique) if f.default is MISSING} - {"module"}
    for key, value in row.items():
        if key not in kinds:
            raise ValueError(f"{module}: {key}: no key of a technique; one of {', '.join(kinds)}")
        if not isinstance(value, kinds[key]) or (kinds[key] is tuple and not all(isinstance(v, str) for v in value)):
            raise ValueError(f"{module}: {key}: takes a {'tuple of texts' if kinds[key] is tuple else 'text'}")
    for key in sorted(needed):
        if not row.get(key):
            raise ValueError(f"{module}: {key}: is missing")
    technique = Technique(module=module, **row)
    for name in technique.functions:
        if name not in names:
            raise ValueError(f"{module}: functions: there is no {name!r} in the module")
    if technique.direction not in DIRECTIONS:
        raise ValueError(f"{module}: direction: is up, down or empty, not {technique.direction!r}")
    if technique.exhibit and not technique.direction and not technique.reason:
        raise ValueError(f"{module}: direction: {technique.slug} promises none, so it needs a reason")
    return technique
