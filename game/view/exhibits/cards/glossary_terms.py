"""Terms of docs/glossary.md, read without a window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GLOSSARY = Path(__file__).resolve().parents[4] / "docs" / "glossary.md"


@dataclass(frozen=True)
class Term:
    """Row of the glossary: term, other words, sentence, catalogue id, module base names."""

    name: str
    others: tuple[str, ...]
    meaning: str
    id: str
    modules: tuple[str, ...]


def read_terms(text: str) -> list[Term]:
    """Return the rows of the table in the text of docs/glossary.md."""
    terms = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 5 or cells[0] == "term" or set(cells[0]) <= {"-"}:
            continue
        name, others, meaning, number, modules = cells
        terms.append(Term(name, _split(others), meaning, number, _split(modules)))
    return terms


def _split(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(",") if part.strip())
