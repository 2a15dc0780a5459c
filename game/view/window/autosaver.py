"""Saves of the player's game, and autosaves that rotate.

A game saves itself once a minute, at each alarm, and at the end of play.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pygame

from game.sim.saves import save_game
from game.sim.session import Session
from game.view.window.saved_games import AUTO, SUFFIX, all_saves, is_auto, picture_file, prefix_of, saves_folder
from game.world.events import Happening

KEPT = 3
"""Autosaves that are kept; the oldest makes room."""
EVERY_TICKS = 1200
"""Ticks between two autosaves: a minute of play."""
MOST_UNITS = 2000
"""Most units of a game that saves itself.

With more units the window would stand still meanwhile.
"""


def write_save(session: Session, auto: bool = False, picture: pygame.Surface | None = None) -> Path:
    """Write a game under its level's name and tick; raises ValueError in one line.

    Of the autosaves the three youngest stay. Scratch files of a save that was killed are removed. A picture that
    cannot be written is left out.
    """
    session.finish_tick()
    name = f"{prefix_of(session.level.name)}{session.world.tick:07d}{AUTO if auto else ''}{SUFFIX}"
    path = saves_folder() / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for scratch in path.parent.glob(f".*{SUFFIX}.*"):
            scratch.unlink(missing_ok=True)
    except OSError as error:
        raise ValueError(f"{path.parent}: cannot be written ({error.strerror}); check the folder") from None
    save_game(session, path)
    with contextlib.suppress(OSError, pygame.error):
        picture_file(path).unlink(missing_ok=True)  # of an earlier save at the same tick
        if picture is not None:
            pygame.image.save(picture, str(picture_file(path)))
    if auto:
        for old in [p for p in all_saves() if is_auto(p) and p != path][: -(KEPT - 1)]:
            old.unlink(missing_ok=True)
            picture_file(old).unlink(missing_ok=True)
    return path


class Autosaver:
    """Autosaves of one game, once a minute, at each alarm and at the end."""

    def __init__(self, session: Session, picture: Callable[[], pygame.Surface | None] = lambda: None) -> None:
        """Save ``session``, each time with the ``picture`` of that moment."""
        self.session, self.picture = session, picture
        self.last = session.world.tick
        self.on = not session.replaying
        """False for a replay that is watched, and after a save that failed."""

    def look(self, happenings: Iterable[Happening]) -> str:
        """Save when a minute has passed or an alarm was raised.

        Returns the error as one line, or "".
        """
        alarm = any(fact.kind == "alarm" for fact in happenings)
        if alarm or self.session.world.tick - self.last >= EVERY_TICKS:
            return self.save()
        return ""

    def save(self) -> str:
        """Save now; return the error as one line, or "".

        Nothing is saved when no tick has passed since the last save, or when the game is over.
        """
        world = self.session.world
        if not self.on or world.tick == self.last or world.units.count > MOST_UNITS:
            return ""
        if world.mission.status in ("won", "lost"):
            return ""
        self.last = world.tick
        try:
            write_save(self.session, auto=True, picture=self.picture())
        except (OSError, ValueError) as error:
            self.on = False
            return f"This game is not saved by itself: {error}"
        return ""
