"""Pages of the site as HTML text, with all words escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from game.view.exhibits.cards.technique_cards import Chapter, TechniqueCard
from game.view.lab.why.source_lines import Source
from game.view.painting.palette import Palette
from game.view.screens.tours.tour_files import Tour

MOST_LINES = 40
"""Lines of a function that a page shows."""
BEFORE = 2
"""Lines shown before the deciding lines of a tour's stop, and after them."""
FONTS = {
    "SourceSansPro-Semibold.ttf": ("Source Sans", 400),
    "SourceSansPro-Bold.ttf": ("Source Sans", 700),
    "SourceSerifPro-Bold.ttf": ("Source Serif", 700),
}
LICENCES = ("OFL-SourceSansPro.txt", "OFL-SourceSerifPro.txt")


@dataclass(frozen=True)
class Shown:
    """Card with the names of its still and its loop, or ""."""

    card: TechniqueCard
    still: str
    loop: str


def page(title: str, body: str, up: str = "") -> str:
    """Return a whole document; ``up`` leads to the folder of the index."""
    home = f'<p class="home"><a href="{up}index.html">Fogline: the gallery</a></p>' if up else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="stylesheet" href="{up}style.css">\n</head>\n'
        f"<body>\n<main>\n{home}\n{body}\n</main>\n</body>\n</html>\n"
    )


def index_page(shown: Sequence[Shown], chapters: Sequence[Chapter], tours: Sequence[Tour]) -> str:
    """Return the index: tours, then a grid of cards for each chapter."""
    parts = [
        "<h1>Fogline: the gallery</h1>",
        f"<p>{len(shown)} techniques of game AI, each with what it does, a picture made by the game, and the code "
        "that decides. In the game each of them is switched on and off while it runs.</p>",
    ]
    if tours:
        rows = "".join(
            f'<li><a href="tour/{escape(tour.name)}.html">{escape(tour.title)}</a> {escape(tour.line)} '
            f"{len(tour.stops)} stops, about {tour.minutes} minutes.</li>\n"
            for tour in tours
        )
        parts.append(f'<h2 id="tours">Tours</h2>\n<ul class="tours">\n{rows}</ul>')
    for chapter in chapters:
        own = [one for one in shown if one.card.chapter == chapter]
        if own:
            cards = "\n".join(map(_small_card, own))
            head = f'<h2 id="{escape(chapter.key)}">{escape(chapter.title)}</h2>\n<p>{escape(chapter.text)}</p>'
            parts.append(f'{head}\n<div class="cards">\n{cards}\n</div>')
    return page("Fogline: the gallery", "\n".join(parts))


def _small_card(one: Shown) -> str:
    card = one.card
    picture = ""
    if one.still:
        picture = f'<img src="picture/{escape(one.still)}" alt="{escape(card.name)}" loading="lazy">'
    return (
        f'<a class="card" href="technique/{escape(card.slug)}.html">{picture}'
        f"<strong>{escape(card.name)}</strong><span>{escape(card.sentence)}</span>"
        f"<em>{escape(card.source_chapter.words)}</em></a>"
    )


def card_page(one: Shown, names: dict[str, str]) -> str:
    """Return the page of a technique.

    ``names`` holds the names of the techniques on the site, by slug.
    """
    card, row = one.card, one.card.row
    parts = [f"<h1>{escape(card.name)}</h1>"]
    if row.kind == "exhibit":
        parts.append(f'<p class="question">{escape(row.question)}</p>')
    if one.loop:
        words = f"Loop: {row.line or card.sentence}"
        parts.append(f'<p><img class="loop" src="../picture/{escape(one.loop)}" alt="{escape(words)}"></p>')
        parts.append('<p class="note">The run with the technique; pale figures are the run without it.</p>')
    parts.append(f"<p>{escape(card.paragraph)}</p>")
    if row.line and row.line != card.paragraph:
        parts.append(f"<p>{escape(row.line)}</p>")
    if one.still:
        words = f"Exhibit: {row.question}"
        parts.append(f'<p><img class="still" src="../picture/{escape(one.still)}" alt="{escape(words)}"></p>')
    facts = [
        ("Source", row.source), ("Chapter", card.chapter.title), ("What is there", row.claim),
        ("Switch", row.setting), ("Module", row.module), ("Test", row.test), ("Try this", row.try_this),
    ]  # fmt: skip
    told = "\n".join(f"<dt>{escape(head)}</dt><dd>{escape(words)}</dd>" for head, words in facts if words)
    parts.append(f"<dl>\n{told}\n</dl>")
    related = [slug for slug in card.related if slug in names]
    if related:
        links = ", ".join(f'<a href="{escape(slug)}.html">{escape(names[slug])}</a>' for slug in related)
        parts.append(f"<h2>Related</h2>\n<p>{links}</p>")
    if card.deciding:
        parts.append("<h2>Decided here</h2>")
        parts += [code_block(source, source.line, source.end) for source in card.deciding]
    return page(f"{card.name}: Fogline", "\n".join(parts), up="../")


def code_block(source: Source, first: int, last: int, marked: tuple[int, int] | None = None) -> str:
    """Return numbered lines of a file; lines of ``marked`` (first, last) stand out."""
    end = min(last, first + MOST_LINES - 1, len(source.text))
    rows = []
    for number in range(first, end + 1):
        line = f'<span class="number">{number:4d}</span> {escape(source.text[number - 1])}'
        inside = marked is not None and marked[0] <= number <= marked[1]
        rows.append(f"<mark>{line}</mark>" if inside else line)
    more = "\n     ..." if end < last else ""
    lines = "\n".join(rows)
    return f'<p class="note">{escape(source.path)}, line {source.line}</p>\n<pre><code>{lines}{more}</code></pre>'


def tour_page(tour: Tour, names: dict[str, str]) -> str:
    """Return the page of a tour, whose answers open by a click."""
    parts = [f"<h1>Tour: {escape(tour.title)}</h1>", f"<p>{escape(tour.line)} Guess before you open an answer.</p>"]
    for number, stop in enumerate(tour.stops, 1):
        row, source = stop.row, stop.source
        name = escape(row.name)
        if row.slug in names:
            name = f'<a href="../technique/{escape(row.slug)}.html">{name}</a>'
        guesses = "".join(f"<li>{escape(one.words)}</li>" for one in stop.guesses)
        right = escape(stop.guesses[stop.right].words)
        code = code_block(source, max(source.line - BEFORE, 1), source.end + BEFORE, (source.line, source.end))
        parts.append(
            f'<section>\n<h2 id="stop{number}">{number}. {escape(row.question)}</h2>\n<p class="note">{name}</p>\n'
            f"<p>{escape(stop.scene)} <strong>{escape(stop.question)}</strong></p>\n<ol>{guesses}</ol>\n"
            f"<details><summary>The answer</summary>\n<p><strong>{right}.</strong> {escape(stop.answer)}</p>\n{code}\n"
            "</details>\n</section>"
        )
    return page(f"Tour {tour.title}: Fogline", "\n".join(parts), up="../")


def style_sheet(palette: Palette) -> str:
    """Return the CSS in the colours of the game."""

    def colour(name: str) -> str:
        red, green, blue = palette[name][:3]
        return f"#{red:02x}{green:02x}{blue:02x}"

    faces = "\n".join(
        f'@font-face {{ font-family: "{family}"; font-weight: {weight}; src: url("font/{file}"); }}'
        for file, (family, weight) in FONTS.items()
    )
    ink, paper, plate, blue = colour("ink"), colour("paper"), colour("plate"), colour("blue")
    return f"""{faces}
body {{ margin: 0; background: {paper}; color: {ink}; font: 400 17px/1.5 "Source Sans", sans-serif; }}
main {{ max-width: 68rem; margin: 0 auto; padding: 1.5rem; }}
h1, h2, summary {{ font-family: "Source Serif", serif; font-weight: 700; line-height: 1.2; }}
a {{ color: {blue}; }}
img {{ display: block; max-width: 100%; height: auto; border: 2px solid {ink}; box-sizing: border-box; }}
.cards {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }}
.card {{ display: flex; flex-direction: column; gap: .3rem; padding: .8rem; background: {plate};
  border: 2px solid {ink}; box-shadow: 4px 4px 0 {colour("hair")}; color: {ink}; text-decoration: none; }}
.card:hover, .card:focus {{ outline: 3px solid {colour("yellow")}; }}
.card strong {{ font-family: "Source Serif", serif; }}
.card em, .note {{ font-style: normal; font-size: .9rem; color: {ink}; opacity: .75; }}
.question {{ font: 700 1.3rem "Source Serif", serif; }}
dl {{ display: grid; grid-template-columns: 9rem 1fr; gap: .3rem 1rem; }}
dt {{ font-weight: 700; }}
dd {{ margin: 0; overflow-wrap: anywhere; }}
pre {{ overflow-x: auto; background: #fff; border: 2px solid {ink}; padding: .7rem; font: 14px/1.4 monospace; }}
.number {{ opacity: .5; }}
mark {{ background: {colour("select")}33; color: inherit; }}
section {{ background: {plate}; border: 2px solid {ink}; padding: 0 1rem 1rem; margin: 1rem 0; }}
details {{ border-left: 6px solid {colour("yellow")}; padding-left: 1rem; }}
summary {{ cursor: pointer; }}
"""
