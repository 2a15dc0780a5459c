"""Tours of ``levels/tours``, read and checked without the simulation.

The menu lists tours before numba is loaded, so exhibits are named by technique and not opened here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from game.level.files import read_toml
from game.view.exhibits.gallery_rows import ROOT, Technique, register_row, technique_of
from game.view.lab.why.source_lines import Source, source_of

TOURS = ROOT / "levels" / "tours"
STOPS = 8
"""Most stops of a tour."""
MINUTES = 10
"""Most minutes of a tour."""
WORDS_A_MINUTE = 180
THINKING = 12
"""Seconds for a guess, and again for the lines of code."""
TICKS_A_MINUTE = 1200
HELP = "levels/README.md says what a tour holds"

Percent = Annotated[float, Field(ge=0.0)]
Words = Annotated[str, Field(min_length=1, max_length=80)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Guess(_Strict):
    """Guess: its words, and the numbers that it foretells.

    ``percent`` is a range for the number with the technique, in percent of the number without it.
    """

    words: Words
    percent: tuple[Percent, Percent]

    @model_validator(mode="after")
    def _has_range(self) -> Guess:
        if not self.percent[0] < self.percent[1]:
            raise ValueError(f"percent = {list(self.percent)}: write [low, high] with low below high; high may be inf")
        return self

    def foretells(self, with_it: float, without: float) -> bool:
        """Return whether the two measured numbers lie in its range."""
        low, high = self.percent
        part = 100.0 * with_it / without if without else math.inf if with_it else 100.0
        return low <= part < high or part == high == math.inf


class DecidingLines(_Strict):
    """Deciding lines: a function, the beginning of the first line, and their number."""

    function: str
    first: str = Field(min_length=1)
    lines: int = Field(default=1, ge=1, le=14)


class _Stop(_Strict):
    technique: str
    scene: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1, max_length=120)
    guess: list[Guess] = Field(min_length=2, max_length=3)
    right: int = Field(ge=1)
    answer: str = Field(min_length=1, max_length=480)
    code: DecidingLines

    @model_validator(mode="after")
    def _has_one_answer(self) -> _Stop:
        if self.right > len(self.guess):
            raise ValueError(f"right = {self.right}: there are {len(self.guess)} guesses, counted from 1")
        ranges = sorted(one.percent for one in self.guess)
        for (low, high), (above, _) in pairwise(ranges):
            if above < high:
                raise ValueError(f"percent: {low:g} to {high:g} and the range from {above:g} overlap; part them")
        return self


class _File(_Strict):
    title: str = Field(min_length=1, max_length=24)
    line: str = Field(min_length=1, max_length=120)
    place: int = Field(ge=1)
    stop: list[_Stop] = Field(min_length=1, max_length=STOPS)


@dataclass(frozen=True)
class TourStop:
    """Stop: an exhibit, a question with guesses, the answer, and deciding lines."""

    row: Technique
    scene: str
    question: str
    guesses: tuple[Guess, ...]
    right: int
    """Index of the right guess, from 0."""
    answer: str
    source: Source
    """Deciding function; its lines are ``source.line`` to ``source.end``."""
    function: str
    ticks: int
    """Ticks of the run."""

    @property
    def map(self) -> Path:
        """Return the path of the exhibit's map."""
        return ROOT / self.row.exhibit

    @property
    def seconds(self) -> float:
        """Return the seconds that the stop takes: reading, thinking, and the run."""
        texts = (self.scene, self.question, self.answer, *(one.words for one in self.guesses))
        read = sum(len(text.split()) for text in texts) / WORDS_A_MINUTE * 60
        return read + 2 * THINKING + self.ticks * 60 / TICKS_A_MINUTE


@dataclass(frozen=True)
class Tour:
    """Tour: its name of the file, title, one line, and stops."""

    name: str
    title: str
    line: str
    place: int
    """Number in the list of tours."""
    stops: tuple[TourStop, ...]

    @property
    def minutes(self) -> int:
        """Return the minutes that the tour takes, rounded up."""
        return math.ceil(sum(stop.seconds for stop in self.stops) / 60)


def tours_or_fault(folder: Path = TOURS) -> tuple[list[Tour], str]:
    """Return the readable tours, and the first fault as one line or ""."""
    found, faults = [], []
    for file in sorted(folder.glob("*.toml")):
        try:
            found.append(load_tour(file))
        except ValueError as error:
            faults.append(str(error))
    return sorted(found, key=lambda tour: (tour.place, tour.name)), next(iter(faults), "")


def load_tour(file: Path) -> Tour:
    """Return the tour of a file.

    Raises ValueError in one line that names file, place and remedy.
    """
    table = read_toml(file)
    try:
        found = _File.model_validate(table)
    except ValidationError as error:
        raise ValueError(f"{file}: {_place_of(error)}; {HELP}") from None
    stops = tuple(_stop(f"{file}: stop.{number}", one) for number, one in enumerate(found.stop, 1))
    tour = Tour(file.stem, found.title, found.line, found.place, stops)
    seen: dict[str, int] = {}
    for number, stop in enumerate(stops, 1):
        if seen.setdefault(stop.row.slug, number) != number:
            raise ValueError(f"{file}: stop.{number}.technique: {stop.row.slug} is a stop already; take another one")
    if tour.minutes > MINUTES:
        raise ValueError(f"{file}: stop: {tour.minutes} minutes, at most {MINUTES}; shorten texts or leave a stop out")
    return tour


def _place_of(error: ValidationError) -> str:
    """Return place and fault of the first error; stops and guesses count from 1."""
    first: Any = error.errors()[0]
    place = ".".join(str(part + 1) if isinstance(part, int) else str(part) for part in first["loc"])
    return f"{place}: {first['msg'].removeprefix('Value error, ')}"


def _stop(where: str, one: _Stop) -> TourStop:
    row = technique_of(one.technique)
    if row is None:
        raise ValueError(f"{where}.technique: {one.technique!r} is no slug of ai/techniques.toml; look it up there")
    register = register_row(one.technique)
    direction = register.get("direction", "")
    if row.kind != "exhibit" or direction not in ("up", "down"):
        words = "has no exhibit with a promised direction"
        raise ValueError(f"{where}.technique: {one.technique} {words}; take a technique that has one")
    low, high = one.guess[one.right - 1].percent
    if low < 100.0 if direction == "up" else high > 100.0:
        side = "from 100 up" if direction == "up" else "up to 100"
        words = f"promises that its number goes {direction}, the right guess says {low:g} to {high:g} percent"
        raise ValueError(f"{where}.right: {one.technique} {words}; mark the guess that lies {side}")
    script = read_toml(ROOT / register["script"])
    ticks = int(script["exhibit"].get("repeat", 400)) - 1
    source = _lines(f"{where}.code", one.code)
    return TourStop(
        row, one.scene, one.question, tuple(one.guess), one.right - 1, one.answer, source, one.code.function, ticks
    )  # fmt: skip


def _lines(where: str, code: DecidingLines) -> Source:
    """Return the function's source, narrowed to the deciding lines."""
    source = source_of(code.function)
    if source is None:
        raise ValueError(f"{where}.function: there is no function {code.function}; write package.module.name")
    inside = range(source.line, source.end + 1)
    found = [number for number in inside if source.text[number - 1].strip().startswith(code.first.strip())]
    if len(found) != 1:
        words = f"{len(found)} lines of {code.function} begin with {code.first!r}"
        raise ValueError(f"{where}.first: {words}; copy more of the line")
    end = min(found[0] + code.lines - 1, source.end)
    return replace(source, line=found[0], end=end)
