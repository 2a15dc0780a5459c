"""Cards of the gallery: what a page about a technique says, without a window.

A card joins the row of ``ai/techniques.toml``, the words of its exhibit, the term of the glossary, the docstring of its
module and ``assets/data/gallery.toml``.  The gallery and the static site are made from cards.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.level.files import read_toml
from game.view.exhibits.cards.glossary_terms import GLOSSARY, Term, read_terms
from game.view.exhibits.gallery_rows import OTHER, ROOT, Technique, read_techniques
from game.view.lab.why.source_lines import Source, parsed, source_of
from game.view.painting.palette import ASSETS

WORDS = ASSETS / "data" / "gallery.toml"
MOST_RELATED = 6
PARAGRAPH = 420
"""Most letters of a paragraph that is made from a docstring."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z*])")
_TECHNICAL = re.compile(
    r"``|:\w+:`|float64|int\d\d|\(y, x\)|\(x, y\)|\bSources?:|\bours\b|^\d\.|\d\.$|:$|module\b"
    r"|\b[a-z]+_[a-z]+|\bch\.|[=^|]"
)
"""Marks of sentences about code, shapes and sources, which a card leaves out."""
_ID = re.compile(r"(AW-|AFG|GP2-|JOGD-|IA\.)(\d+)(?:\.(\d+))?")
_BOOK_OF = {
    "AW-": "AI Game Programming Wisdom",
    "AFG": "AI for Games",
    "GP2-": "Game AI Pro 2",
    "JOGD-": "Journal of Game Development",
    "IA.": "IA on AI",
}
SHARED = {"id": 5, "exhibit": 3, "module": 3, "setting": 2, "chapter": 2, "overlay": 1, "folder": 1, "area": 1}
"""Values of what two techniques share."""
LEAST_SHARED = 1


@dataclass(frozen=True)
class Chapter:
    """Chapter of the gallery: the techniques of some folders, with a paragraph."""

    key: str
    title: str
    text: str
    folders: tuple[str, ...]


@dataclass(frozen=True, order=True)
class SourceChapter:
    """Chapter of a source; chapters sort by book, then by number."""

    rank: int
    """Place of the book among the sources."""
    number: tuple[int, ...]
    book: str

    @property
    def words(self) -> str:
        """Return book and number, such as Game AI Pro 2, chapter 28."""
        if not self.number:
            return self.book
        kind = "article" if self.book.startswith("Journal") else "chapter"
        return f"{self.book}, {kind} {'.'.join(map(str, self.number))}"


@dataclass(frozen=True)
class TechniqueCard:
    """Card of one technique.

    ``row`` holds what the register says: slug, name, ids, source, module, functions, test, exhibit, script, question,
    line, setting, claim.
    """

    row: Technique
    chapter: Chapter
    sentence: str
    source_chapter: SourceChapter
    related: tuple[str, ...]
    """Slugs of related techniques, the nearest first."""
    own_text: str = ""
    """Paragraph of the data file, if it has one."""
    terms: tuple[Term, ...] = ()
    """Terms of the glossary that the technique's module explains."""

    @property
    def slug(self) -> str:
        """Return the key of the technique."""
        return self.row.slug

    @property
    def name(self) -> str:
        """Return the whole name."""
        return self.row.name

    @property
    def glossary_words(self) -> str:
        """Return all words of its terms, for a search."""
        return " ".join(f"{term.name} {' '.join(term.others)} {term.meaning}" for term in self.terms)

    @cached_property
    def paragraph(self) -> str:
        """Return a paragraph in plain words.

        It is that of the data file, else it is made from the docstring of the module.
        """
        return self.own_text or _plain_text(ROOT / self.row.module) or self.sentence

    @cached_property
    def deciding(self) -> tuple[Source, ...]:
        """Return the sources of the deciding functions; a class stands by its first method."""
        package = self.row.module.removesuffix(".py").replace("/", ".")
        found = (source_of(f"{package}.{name}") or _first_method(package, name) for name in self.row.functions)
        return tuple(source for source in found if source is not None)


class _ChapterRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    key: str = Field(min_length=1)
    title: str = Field(min_length=1)
    text: str = Field(min_length=1)
    folders: tuple[str, ...] = Field(min_length=1)


class _CardRow(BaseModel):
    model_config = ConfigDict(extra="forbid")
    sentence: str = ""
    text: str = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    chapter: list[_ChapterRow] = Field(min_length=1)
    card: dict[str, _CardRow] = Field(default_factory=dict)


def read_chapters(file: Path = WORDS) -> tuple[Chapter, ...]:
    """Return the chapters in the order of the data file.

    Raises ValueError in one line for a wrong file.
    """
    return _words(file, file.stat().st_mtime_ns)[0]


def read_cards(file: Path | None = None) -> tuple[TechniqueCard, ...]:
    """Return the card of each technique, by chapter and name."""
    rows = tuple(read_techniques(file))
    return _cards(rows, WORDS.stat().st_mtime_ns)


def card_of(slug: str, cards: Sequence[TechniqueCard]) -> TechniqueCard | None:
    """Return the card of a slug, or None."""
    return next((card for card in cards if card.slug == slug), None)


@lru_cache(maxsize=4)
def _cards(rows: tuple[Technique, ...], changed: int) -> tuple[TechniqueCard, ...]:
    chapters, own = _words(WORDS, changed)
    terms = read_terms(GLOSSARY.read_text(encoding="utf-8")) if GLOSSARY.is_file() else []
    by_module: dict[str, list[Term]] = {}
    for term in terms:
        for module in term.modules:
            by_module.setdefault(module, []).append(term)
    found, related = [], related_slugs(rows)
    for row in rows:
        told = by_module.get(Path(row.module).stem, [])
        words = own.get(row.slug, {})
        found.append(
            TechniqueCard(
                row, chapter_of(row.module, chapters), words.get("sentence") or _sentence(row, told),
                source_chapter(row), related[row.slug], words.get("text", ""), tuple(told),
            )
        )  # fmt: skip
    order = {chapter.key: at for at, chapter in enumerate(chapters)}
    found.sort(key=lambda card: (order[card.chapter.key], card.name.lower()))
    return tuple(found)


@lru_cache(maxsize=4)
def _words(file: Path, _changed: int) -> tuple[tuple[Chapter, ...], dict[str, dict[str, str]]]:
    try:
        found = _File.model_validate(read_toml(file))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"])
        raise ValueError(f"{file}: {place}: {first['msg']}; the first lines of the file say what it holds") from None
    chapters = tuple(Chapter(c.key, c.title, _one_line(c.text), c.folders) for c in found.chapter)
    cards = {slug: {"sentence": _one_line(c.sentence), "text": _one_line(c.text)} for slug, c in found.card.items()}
    return chapters, cards


def _one_line(text: str) -> str:
    return " ".join(text.split())


def chapter_of(module: str, chapters: Sequence[Chapter]) -> Chapter:
    """Return the chapter whose folder fits a module best, else the last one."""
    fits = [
        (len(folder), chapter)
        for chapter in chapters
        for folder in chapter.folders
        if module == folder or module.startswith(f"{folder}/")
    ]
    return max(fits, key=lambda fit: fit[0])[1] if fits else chapters[-1]


def source_chapter(row: Technique) -> SourceChapter:
    """Return the chapter of the book that the first catalogue id names.

    The chapter of AW-3.3-6 is 3.3, of AFG6.2.1 it is 6.2, of GP2-28.14 it is 28.
    """
    found = _ID.match(row.ids[0]) if row.ids else None
    if found is None:
        return SourceChapter(len(_BOOK_OF), (), row.books[0] if row.books != (OTHER,) else row.source)
    prefix, first, second = found.groups()
    number = (int(first), int(second)) if second and prefix in ("AW-", "AFG") else (int(first),)
    return SourceChapter(list(_BOOK_OF).index(prefix), () if prefix == "IA." else number, _BOOK_OF[prefix])


def _sentence(row: Technique, told: Sequence[Term]) -> str:
    """Return the meaning of the best term, else the first line of the module."""
    named = set(re.findall(r"\w+", f"{row.name} {row.slug}".lower()))

    def fit(term: Term) -> tuple[bool, int]:
        words = re.findall(r"\w+", " ".join((term.name, *term.others)).lower())
        return term.id in row.ids, len(named & set(words))

    best = max(told, key=fit, default=None)
    if best is not None:
        return best.meaning
    doc = _docstring(ROOT / row.module).partition("\n")[0]
    words = doc.partition(": ")[2] or doc
    return words[:1].upper() + words[1:]


def related_slugs(rows: Sequence[Technique]) -> dict[str, tuple[str, ...]]:
    """Return the slugs of related techniques by slug, the nearest first.

    Ids, exhibit, module, setting, overlay, chapter and folder count, with the weights of ``SHARED``.
    """
    sharers: dict[tuple[str, object], list[str]] = {}
    for row in rows:
        for mark in _marks(row):
            sharers.setdefault(mark, []).append(row.slug)
    name_of = {row.slug: row.name for row in rows}
    found = {}
    for row in rows:
        values: dict[str, int] = {}
        for mark in _marks(row):
            for slug in sharers[mark]:
                values[slug] = values.get(slug, 0) + SHARED[mark[0]]
        values.pop(row.slug, None)
        near = sorted((-value, name_of[slug], slug) for slug, value in values.items() if value >= LEAST_SHARED)
        found[row.slug] = tuple(slug for _, _, slug in near[:MOST_RELATED])
    return found


def _marks(row: Technique) -> list[tuple[str, object]]:
    """Return what a technique may share with others."""
    marks: list[tuple[str, object]] = [("id", name) for name in row.ids]
    marks += [
        ("module", row.module),
        ("area", row.area),
        ("folder", Path(row.module).parent),
        ("chapter", source_chapter(row)),
    ]
    named = (("exhibit", row.exhibit), ("setting", row.setting), ("overlay", row.overlay))
    return marks + [(kind, name) for kind, name in named if name]


@lru_cache(maxsize=512)
def _docstring(file: Path) -> str:
    try:
        return ast.get_docstring(parsed(file)[1]) or ""
    except (OSError, ValueError, SyntaxError):
        return ""


def _plain_text(file: Path) -> str:
    """Return the plain sentences of a module's docstring, without sources, shapes and markup."""
    taken: list[str] = []
    for block in re.split(r"\n\s*\n", _docstring(file)):
        for sentence in _SENTENCE.split(" ".join(block.split())):
            if _TECHNICAL.search(sentence):
                continue
            if not taken:
                # The first line repeats the name of the technique before its colon.
                sentence = sentence.partition(": ")[2] or sentence
                sentence = sentence[:1].upper() + sentence[1:]
            if len(" ".join((*taken, sentence))) > PARAGRAPH:
                return " ".join(taken)
            taken.append(sentence)
    return " ".join(taken)


def _first_method(package: str, name: str) -> Source | None:
    """Return the source of the first function of a class that decides."""
    file = ROOT / f"{package.replace('.', '/')}.py"
    try:
        tree = parsed(file)[1]
    except (OSError, ValueError, SyntaxError):
        return None
    found = next((n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name), None)
    if found is None:
        return None
    method = next((n for n in found.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("__")), None)
    return source_of(f"{package}.{name}.{method.name}") if method is not None else None
