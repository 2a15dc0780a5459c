"""Entries of the finder on every screen: exhibits, tours, levels and terms."""

from __future__ import annotations

from functools import partial

from game.view.exhibits.cards.glossary_terms import GLOSSARY, read_terms
from game.view.exhibits.gallery_rows import ROOT, read_techniques
from game.view.lab.finder.finder_entry import FinderEntry
from game.view.screens.gallery.gallery_screen import GalleryScreen
from game.view.screens.menu_screen import level_files
from game.view.screens.tours.tour_files import tours_or_fault
from game.view.window.app_services import AppServices


def entries_everywhere(app: AppServices) -> list[FinderEntry]:
    """Return the entries that need no game: exhibits, tours, levels and terms."""
    rows = read_techniques()
    found = [
        FinderEntry(
            "exhibit", row.name, row.question, partial(app.open_shown, ROOT / row.exhibit, row.overlay, row.slug),
            words=f"{row.slug} {row.source} {row.question} {row.area}",
        )
        for row in rows
        if row.kind != "none"
    ]  # fmt: skip
    found += [
        FinderEntry("tour", f"Tour: {tour.title}", tour.line, partial(app.open_tours, tour.name), words="guess")
        for tour in tours_or_fault()[0]
    ]
    found += [
        FinderEntry(
            "level", path.stem.replace("_", " ").capitalize(), str(path.parent.name), partial(app.open_shown, path)
        )
        for path in level_files()
    ]
    for term in read_terms(GLOSSARY.read_text(encoding="utf-8")) if GLOSSARY.is_file() else []:
        # A term whose modules have no technique of their own only tells its meaning.
        module = next((name for name in term.modules if any(row.matches(f"/{name}.py") for row in rows)), "")
        act = partial(_open_gallery, app, f"/{module}.py") if module else None
        found.append(FinderEntry("term", term.name, term.meaning, act, words=f"{' '.join(term.others)} {term.id}"))
    return found


def _open_gallery(app: AppServices, words: str) -> None:
    """Open the gallery with the techniques that match words."""
    gallery = GalleryScreen(app)
    gallery.searched = words
    app.push(gallery)
