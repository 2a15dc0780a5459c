"""Source of a deciding function: file, line and text of a dotted name.

The file is read, not imported.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
_INNER = ("<locals>", "<lambda>")


@dataclass(frozen=True)
class Source:
    """Function in a file: ``path`` is relative to the project, lines count from 1."""

    path: str
    line: int
    end: int
    body: int
    """Line of the first statement after the docstring."""
    text: tuple[str, ...]
    """All lines of the file."""

    @property
    def place(self) -> str:
        """Return ``path:line``."""
        return f"{self.path}:{self.line}"

    @property
    def file(self) -> Path:
        """Return the whole path of the file."""
        return ROOT / self.path


@cache
def source_of(function: str) -> Source | None:
    """Return the source of a function such as ``game.minds.guard.patrol.begin``.

    None if there is no such function. A save may hold any name, so only names of Python are looked up.
    """
    parts = function.split(".")
    if not all(part.isidentifier() or part in _INNER for part in parts):
        return None
    for cut in range(len(parts) - 1, 0, -1):
        file = ROOT.joinpath(*parts[:cut]).with_suffix(".py")
        if file.is_file():
            try:
                text, tree = parsed(file)
                found = _find(tree, parts[cut:])
            except (OSError, ValueError, SyntaxError):
                return None
            if found is None:
                return None
            end = found.end_lineno or found.lineno
            body = _first_statement(found)
            return Source(file.relative_to(ROOT).as_posix(), found.lineno, end, body, tuple(text.splitlines()))
    return None


@lru_cache(maxsize=8)
def parsed(file: Path) -> tuple[str, ast.Module]:
    """Return text and syntax tree of a source file.

    The last few are kept, because functions of one file are often asked for one after another.
    """
    text = file.read_text(encoding="utf-8")
    return text, ast.parse(text)


def _first_statement(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> int:
    """Return the line on which the code of a function begins."""
    if isinstance(node, ast.Lambda):
        return node.lineno
    told = ast.get_docstring(node) is not None and len(node.body) > 1
    return node.body[1 if told else 0].lineno


def _find(tree: ast.Module, names: list[str]) -> ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None:
    """Return the node of a qualified name."""
    at: ast.AST = tree
    inner: ast.AST | None
    for name in names:
        if name == "<locals>":
            continue
        if name == "<lambda>":
            inner = next((node for node in ast.walk(at) if isinstance(node, ast.Lambda)), None)
        else:
            kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
            inner = next((n for n in ast.walk(at) if isinstance(n, kinds) and n.name == name and n is not at), None)
        if inner is None:
            return None
        at = inner
    return at if isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else None
