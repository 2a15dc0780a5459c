"""Entries of the finder while a level is played: commands, overlays and settings."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import Protocol

from game.view.input.command_table import COMMANDS, GROUP_WORDS
from game.view.input.key_bindings import KeyMap
from game.view.lab.finder.finder_entry import FinderEntry
from game.view.overlays.lenses import REGISTRY
from game.view.window.playing import Playing
from game.world.settings import parse_value, set_value, walk_settings

HELD = ("pan_", "cones", "click", "order_here", "queue_here", "pointer", "find_anything")
"""Beginnings of the names of commands that the finder leaves out.

They act while a key is held, at the cursor, or open the finder.
"""


class FindableLab(Protocol):
    """The part of Lab that the finder uses."""

    def show(self, name: str) -> None:
        """Turn an overlay on."""


class FindablePlay(Protocol):
    """The part of a play screen that the finder uses."""

    playing: Playing

    @property
    def lab(self) -> FindableLab:
        """Return the panels of Lab."""

    def give_command(self, name: str) -> None:
        """Run a command of the table."""

    def set_lab(self, on: bool) -> None:
        """Change between Play and Lab."""

    def tell(self, words: str) -> None:
        """Show a line of news."""


def entries_of_play(play: FindablePlay, keymap: KeyMap, typed: str) -> list[FinderEntry]:
    """Return commands, overlays and settings of a game.

    Typed words may give a setting a value.
    """
    found = [
        FinderEntry(
            "command", command.words, ", ".join(part for part in (keymap.label(command.name), command.help) if part),
            partial(play.give_command, command.name), words=f"{GROUP_WORDS[command.group]} {command.help}",
        )
        for command in COMMANDS
        if not command.name.startswith(HELD)
    ]  # fmt: skip
    found += [
        FinderEntry("overlay", cls.title, cls.question, partial(_show, play, name), words=f"{name} {cls.question}")
        for name, cls in sorted(REGISTRY.items())
    ]
    return found + _settings(play, typed)


def _show(play: FindablePlay, overlay: str) -> None:
    """Open Lab with an overlay on."""
    play.set_lab(True)
    play.lab.show(overlay)


def _settings(play: FindablePlay, typed: str) -> list[FinderEntry]:
    """Return the settings with their values.

    One that the words give a value stands first.
    """
    settings = play.playing.world.settings
    name, sign, value = (part.strip() for part in typed.partition("="))
    found = []
    for dotted, present, doc in walk_settings(settings):
        if sign and dotted == name and value:
            found.append(_changed(play, dotted, value))
        elif isinstance(present, bool):
            words = f"{'on' if present else 'off'}: {doc}"
            found.append(FinderEntry("setting", dotted, words, partial(_set, play, dotted, not present), words=doc))
        else:
            found.append(FinderEntry("setting", dotted, f"{present}: {doc}", fills=f"{dotted} = ", words=doc))
    return found


def _changed(play: FindablePlay, name: str, value: str) -> FinderEntry:
    """Return the entry that gives a setting a value.

    It says why the setting cannot have that value.
    """
    try:
        parsed = parse_value(play.playing.world.settings, name, value)
        set_value(deepcopy(play.playing.world.settings), name, parsed)
    except ValueError as error:
        return FinderEntry("setting", f"{name} = {value}", str(error), told=True)
    return FinderEntry(
        "setting",
        f"{name} = {value}",
        "Enter sets it, for the whole world",
        partial(_set, play, name, parsed),
        told=True,
    )


def _set(play: FindablePlay, name: str, value: bool | int | float | str) -> None:
    """Set a setting by an order, in Lab; a replay holds it."""
    play.set_lab(True)
    play.playing.session.set(name, value)
    play.tell(f"{name} is {value if not isinstance(value, bool) else 'on' if value else 'off'}")
