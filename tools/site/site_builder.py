"""Builds the site: chooses cards, draws their pictures, writes all pages."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from game.level.errors import perhaps
from game.level.files import write_whole
from game.view.exhibits.cards.technique_cards import TechniqueCard, read_cards, read_chapters
from game.view.painting.palette import ASSETS, palette
from game.view.screens.tours.tour_files import tours_or_fault
from tools.site.exhibit_loops import LoopMaker, LoopPlan
from tools.site.site_folder import whole_folder
from tools.site.site_pages import FONTS, LICENCES, Shown, card_page, index_page, style_sheet, tour_page


def chosen_cards(slugs: Sequence[str]) -> list[TechniqueCard]:
    """Return the cards of the slugs, or all.

    Raises ValueError in one line for an unknown slug.
    """
    cards = read_cards()
    known = {card.slug for card in cards}
    for slug in slugs:
        if slug not in known:
            cure = perhaps(slug, known, "ai/techniques.toml lists them")
            raise ValueError(f"{slug}: no slug of a technique; {cure}")
    return [card for card in cards if not slugs or card.slug in slugs]


def build_site(
    out: Path, slugs: Sequence[str] = (), plan: LoopPlan | None = None, say: Callable[[str], None] | None = None
) -> int:
    """Write the site and return the number of its pages.

    ``say`` gets a line for each technique. Raises ValueError in one line; ``out`` is then as before.
    """
    cards = chosen_cards(slugs)
    tours, fault = tours_or_fault()
    if fault:
        raise ValueError(fault)
    with whole_folder(out) as folder:
        for name in ("picture", "technique", "tour", "font"):
            (folder / name).mkdir()
        for name in (*FONTS, *LICENCES):
            shutil.copyfile(ASSETS / "fonts" / name, folder / "font" / name)
        shown = _pictured(cards, folder / "picture", plan or LoopPlan(), say)
        names = {card.slug: card.name for card in cards}
        pages = {"index.html": index_page(shown, read_chapters(), tours)}
        pages |= {f"technique/{one.card.slug}.html": card_page(one, names) for one in shown}
        pages |= {f"tour/{tour.name}.html": tour_page(tour, names) for tour in tours}
        for name, text in pages.items():
            write_whole(folder / name, text)
        write_whole(folder / "style.css", style_sheet(palette()))
    return len(pages)


def _pictured(
    cards: Sequence[TechniqueCard], folder: Path, plan: LoopPlan, say: Callable[[str], None] | None
) -> list[Shown]:
    """Draw the pictures of all cards in one hidden window."""
    maker = LoopMaker(plan)
    shown = []
    try:
        for number, card in enumerate(cards, 1):
            if say is not None:
                say(f"{number} of {len(cards)}: {card.slug}")
            shown.append(Shown(card, *maker.make(card, folder)))
    finally:
        maker.close()
    return shown
