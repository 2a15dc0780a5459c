"""Offer of the first tour at the end of the first mission."""

from __future__ import annotations

from game.view.screens.tours.tour_files import Tour, tours_or_fault
from game.view.window.mission_cards import load_missions
from game.view.window.mission_progress import read_guesses


def offered_tour(level: str) -> Tour | None:
    """Return the first tour after a win of mission one, until it is begun.

    ``level`` is the name of the level that was won.
    """
    try:
        missions = load_missions()
    except ValueError:
        return None  # the list of missions tells the fault
    tours, _ = tours_or_fault()
    first = missions[0].level.stem if missions else ""
    if level != first or not tours or read_guesses()[0].get(tours[0].name):
        return None
    return tours[0]
