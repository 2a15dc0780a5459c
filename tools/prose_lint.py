"""Check docstrings, level texts and the changelog against the prose rules: ``python -m tools.prose_lint [PATHS]``."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FIRST_LINE_WORDS = 14
CHANGELOG_WORDS = 25

RIDDLES = re.compile(
    r"(who|whoever|whom|what|whatever|whether|how|where|wherever|when|whenever|why|which|whichever|that|nobody|"
    r"somebody|everybody|anybody|one|of|by|so|not|from|out|there|those|these)$",
    re.IGNORECASE,
)
"""First words that hide the subject of a docstring.

They are free relatives, vague pronouns and inverted phrases.
"""

PERSONS = re.compile(r"\b(he|she|him|his|her|hers|himself|herself)\b", re.IGNORECASE)
"""Pronouns of persons; a unit is "it"."""

PHRASES = re.compile(
    r"\b(nobody walks|in vain|of its own accord|at a glance|what nobody|who stands|who walks|who waits|who sees|"
    r"long ways?|whole ways?|ways through|way found|goes on its way|finished ways?)\b",
    re.IGNORECASE,
)
"""Phrases with a plain term: no path, futile, path.

The word "way" in the sense of a method stays allowed.
"""

QUESTION_WORDS = re.compile(
    r"(how|what|which|does|do|can|why|when|where|is|should|wait|detour)$",
    re.IGNORECASE,
)

TITLE_RIDDLES = re.compile(
    r"(who|whoever|whom|what|whatever|whether|how|why|that|nobody|somebody|everybody)$",
    re.IGNORECASE,
)
"""First words that hide the subject of a title or a caption.

"One unit" and "Where a wall opens" are plain there.
"""

LEVEL_KEYS = (
    "title", "question", "line", "try_this", "label", "say", "measure_words", "look_at", "text", "wait",
    "scene", "answer", "words",
)  # fmt: skip
"""Keys of a level file whose values are read by a player."""

SHELL = re.compile(r"\bpython\b|main\.py|\.toml\b|--\w")
"""Signs of a shell command or a file edit.

The thing to try is done in the window.
"""


class Finding(NamedTuple):
    """Breach of a rule: file, line, rule and text.

    The file is relative to the repository; line 0 means the whole file.
    """

    path: str
    line: int
    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line number and text of each docstring in a source file.

    Docstrings of fields and constants are included.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if not isinstance(body, list):
                continue
            for statement in body:
                if (
                    isinstance(statement, ast.Expr)
                    and isinstance(statement.value, ast.Constant)
                    and isinstance(statement.value.value, str)
                ):
                    yield statement.lineno, statement.value.value


def first_sentence_line(text: str) -> str:
    """Return the first line of a docstring."""
    return text.strip().split("\n", 1)[0].strip()


def words_of(text: str) -> list[str]:
    """Return the words of a text; code in double backquotes counts as one word."""
    return re.findall(r"[\w'*+-]+", re.sub(r"``[^`]*``|:\w+:`[^`]*`", "code", text))


def check_docstring(text: str) -> Iterator[tuple[str, str]]:
    """Yield rule and text of each breach in one docstring."""
    first = first_sentence_line(text)
    words = words_of(first)
    if len(words) > FIRST_LINE_WORDS:
        yield f"first line of {len(words)} words, at most {FIRST_LINE_WORDS}", first
    if words and RIDDLES.match(words[0]):
        yield f"first word {words[0]!r} is no verb and no term", first
    bare = re.sub(r"``[^`]*``", "", text)
    if found := PERSONS.search(bare):
        yield f"a unit is 'it', not {found[0]!r}", first
    if found := PHRASES.search(bare):
        yield f"phrase {found[0]!r}", first


def check_source(path: Path) -> list[Finding]:
    """Return the findings in the docstrings of one source file."""
    name = path.relative_to(ROOT).as_posix()
    return [
        Finding(name, line, rule, shown) for line, text in docstrings(path) for rule, shown in check_docstring(text)
    ]


def texts_of(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield (key, text) of the texts in a level file that a player reads."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from texts_of(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner, key)
    elif isinstance(value, str) and key in LEVEL_KEYS:
        yield key, value


def check_level(path: Path) -> list[Finding]:
    """Return the findings in the texts of one level file.

    It is a level script, a hint file or the mission list.
    """
    name = path.relative_to(ROOT).as_posix()
    findings = []
    for key, text in texts_of(tomllib.loads(path.read_text(encoding="utf-8"))):
        words = words_of(text)
        first = words[0].lower() if words else ""
        if key == "question":
            if not text.endswith("?"):
                findings.append(Finding(name, 0, "a question ends with '?'", text))
            if not QUESTION_WORDS.match(first):
                findings.append(Finding(name, 0, f"a question does not start with {words[0]!r}", text))
        elif key == "try_this" and SHELL.search(text):
            findings.append(Finding(name, 0, "one thing to try is done in the window", text))
        elif key in ("title", "line") and TITLE_RIDDLES.match(first):
            findings.append(Finding(name, 0, f"first word {words[0]!r} hides the subject", text))
        if found := re.search(r"\b(he|him|his|himself|nobody|whoever|whom)\b|\bwho (?!knows)", text, re.IGNORECASE):
            findings.append(Finding(name, 0, f"name the unit instead of {found[0].strip()!r}", text))
    return findings


def check_changelog(text: str) -> list[Finding]:
    """Return the findings in the newest section of the changelog.

    A line is one sentence of at most 25 words.
    """
    findings = []
    section = re.split(r"^## ", text, flags=re.MULTILINE)
    for entry in re.split(r"^- ", section[1] if len(section) > 1 else "", flags=re.MULTILINE)[1:]:
        words = words_of(entry.split("\n\n", 1)[0])
        if len(words) > CHANGELOG_WORDS:
            rule = f"entry of {len(words)} words, at most {CHANGELOG_WORDS}"
            findings.append(Finding("CHANGELOG.md", 0, rule, " ".join(entry.split())[:90]))
    return findings


def check(paths: list[Path]) -> list[Finding]:
    """Return the findings in files and folders: Python sources, level texts and the changelog."""
    findings: list[Finding] = []
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.suffix == ".py":
                findings += check_source(file)
            elif file.suffix == ".toml" and ROOT / "levels" in file.parents:
                findings += check_level(file)
            elif file.name == "CHANGELOG.md":
                findings += check_changelog(file.read_text(encoding="utf-8"))
    return findings


def main(arguments: list[str]) -> int:
    """Print the findings below the given paths; return 1 when there are any.

    Without paths the whole repository is checked.
    """
    names = arguments or ["ai", "game", "tools", "tests", "levels", "CHANGELOG.md"]
    findings = check([(ROOT / name).resolve() for name in names])
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
