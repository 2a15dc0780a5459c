"""Order of the gallery's cards: sections, sorts and search."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from game.view.exhibits.cards.technique_cards import TechniqueCard
from game.view.lab.finder.finder_entry import FinderEntry
from game.view.lab.finder.fuzzy_ranking import ranked

SORTS = ("area", "source", "unseen")
SORT_WORDS = {"area": "by area", "source": "by source chapter", "unseen": "by not seen yet"}


@dataclass(frozen=True)
class CardSection:
    """Section of the gallery: a heading, its paragraph, and cards."""

    title: str
    text: str
    cards: tuple[TechniqueCard, ...]


def search_entries(cards: Sequence[TechniqueCard]) -> list[FinderEntry]:
    """Return the entries by which the finder's ranking finds cards.

    Names count most; ids, sources, questions, modules, settings and words of the glossary are searched besides.
    """
    return [
        FinderEntry(
            "exhibit", card.name, card.sentence,
            words=" ".join((
                card.slug, *card.row.ids, card.row.source, card.source_chapter.words, card.chapter.title,
                card.row.question, card.row.module, card.row.setting, card.row.overlay, card.sentence,
                card.glossary_words,
            )),
        )
        for card in cards
    ]  # fmt: skip


def found_cards(
    cards: Sequence[TechniqueCard], entries: Sequence[FinderEntry], typed: str
) -> tuple[TechniqueCard, ...]:
    """Return the cards that the finder's ranking finds for typed words, the best first."""
    by_name = {card.name: card for card in cards}
    return tuple(by_name[entry.name] for entry in ranked(entries, typed, len(entries)))


def sections_of(cards: Sequence[TechniqueCard], sort: str, seen: Collection[str] = ()) -> list[CardSection]:
    """Return the cards in sections, without empty ones.

    ``sort`` is one of SORTS. ``seen`` holds the slugs whose page was opened.
    """
    if sort == "unseen":
        fresh = tuple(card for card in cards if card.slug not in seen)
        known = tuple(card for card in cards if card.slug in seen)
        parts = (CardSection("Not seen yet", "", fresh), CardSection("Seen", "", known))
        return [part for part in parts if part.cards]
    if sort == "source":
        ordered = sorted(cards, key=lambda card: (card.source_chapter, card.name))
        return _grouped(ordered, lambda card: (card.source_chapter.words, ""))
    return _grouped(cards, lambda card: (card.chapter.title, card.chapter.text))


def _grouped(cards: Sequence[TechniqueCard], heading: Callable[[TechniqueCard], tuple[str, str]]) -> list[CardSection]:
    groups: dict[tuple[str, str], list[TechniqueCard]] = {}
    for card in cards:
        groups.setdefault(heading(card), []).append(card)
    return [CardSection(title, text, tuple(group)) for (title, text), group in groups.items()]
