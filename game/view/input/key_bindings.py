"""Key combinations: their text form, their labels, and the user's own bindings.

A binding such as ``Ctrl+A`` names a *physical* key by what is printed on it on a US keyboard, so that the
defaults sit under the same fingers on every layout; the label shown is the one of the user's layout, asked of SDL
when the window opens and learnt again with every key press, so that a change of layout is followed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pygame

from game.level.files import read_toml, write_whole

_NAMED = {
    "Space": pygame.KSCAN_SPACE,
    "Period": pygame.KSCAN_PERIOD,
    "Comma": pygame.KSCAN_COMMA,
    "Minus": pygame.KSCAN_MINUS,
    "Equals": pygame.KSCAN_EQUALS,
    "LeftBracket": pygame.KSCAN_LEFTBRACKET,
    "RightBracket": pygame.KSCAN_RIGHTBRACKET,
    "Tab": pygame.KSCAN_TAB,
    "Esc": pygame.KSCAN_ESCAPE,
    "Enter": pygame.KSCAN_RETURN,
    "Backspace": pygame.KSCAN_BACKSPACE,
    "Home": pygame.KSCAN_HOME,
    "End": pygame.KSCAN_END,
    "PageUp": pygame.KSCAN_PAGEUP,
    "PageDown": pygame.KSCAN_PAGEDOWN,
    "Up": pygame.KSCAN_UP,
    "Down": pygame.KSCAN_DOWN,
    "Left": pygame.KSCAN_LEFT,
    "Right": pygame.KSCAN_RIGHT,
    "Backquote": pygame.KSCAN_GRAVE,
    "Slash": pygame.KSCAN_SLASH,
}
_SHORT = {
    "Period": ".",
    "Comma": ",",
    "Minus": "-",
    "Equals": "=",
    "LeftBracket": "[",
    "RightBracket": "]",
    "Backquote": "`",
    "Slash": "/",
}
_SCANCODES: dict[str, int] = {
    **{chr(c): getattr(pygame, f"KSCAN_{chr(c)}") for c in range(ord("A"), ord("Z") + 1)},
    **{str(d): getattr(pygame, f"KSCAN_{d}") for d in range(10)},
    **{f"F{n}": getattr(pygame, f"KSCAN_F{n}") for n in range(1, 13)},
    **_NAMED,
}
_NAMES = {code: name for name, code in _SCANCODES.items()}
_MODIFIERS = (("Ctrl", pygame.KMOD_CTRL | pygame.KMOD_META), ("Alt", pygame.KMOD_ALT), ("Shift", pygame.KMOD_SHIFT))


class BindingError(ValueError):
    """A binding cannot be used; the text is one line."""


@dataclass(frozen=True)
class Key:
    """One combination: a physical key and the set of modifiers held."""

    scancode: int
    modifiers: frozenset[str] = frozenset()

    def __str__(self) -> str:
        held = [name for name, _ in _MODIFIERS if name in self.modifiers]
        return "+".join([*held, _NAMES[self.scancode]])


def parse_key(text: str) -> Key:
    """``"Ctrl+Shift+A"`` -> :class:`Key`; raises :class:`BindingError` naming what is not known."""
    *held, name = [part.strip() for part in text.split("+")]
    known = {m.lower(): m for m, _ in _MODIFIERS}
    for part in held:
        if part.lower() not in known:
            raise BindingError(f"{text!r}: {part!r} is no modifier; use Ctrl, Alt or Shift")
    names = {n.lower(): n for n in _SCANCODES}
    if name.lower() not in names:
        raise BindingError(f"{text!r}: no key is called {name!r}; use A-Z, 0-9, F1-F12, {', '.join(sorted(_NAMED))}")
    return Key(_SCANCODES[names[name.lower()]], frozenset(known[part.lower()] for part in held))


def key_of_event(event: pygame.event.Event) -> Key | None:
    """The combination of a KEYDOWN event, or None for a key that cannot be bound."""
    scancode = getattr(event, "scancode", 0) or scancode_of(event.key)
    if scancode not in _NAMES:
        return None
    mod = getattr(event, "mod", 0)
    return Key(scancode, frozenset(name for name, bits in _MODIFIERS if mod & bits))


def scancode_of(keycode: int) -> int:
    """Physical key of a key code on a US layout (for events that carry no scancode); 0 when there is none."""
    name = pygame.key.name(keycode)
    for text in (name.upper(), name.title(), {v: k for k, v in _SHORT.items()}.get(name, "")):
        if text in _SCANCODES:
            return _SCANCODES[text]
    return {"escape": _NAMED["Esc"], "return": _NAMED["Enter"]}.get(name, 0)


@dataclass
class KeyMap:
    """Bindings of command names to keys, and the labels learnt from the user's layout."""

    bindings: dict[str, Key]
    labels: dict[int, str] = field(default_factory=dict)

    def command_of(self, key: Key) -> str | None:
        """Name of the command bound to exactly this combination."""
        for name, bound in self.bindings.items():
            if bound == key:
                return name
        return None

    def command_of_event(self, event: pygame.event.Event) -> str | None:
        """Name of the command bound to the combination of a KEYDOWN event."""
        key = key_of_event(event)
        return self.command_of(key) if key is not None else None

    def learn(self, event: pygame.event.Event) -> None:
        """Remember what the user's layout prints on the key of a KEYDOWN event."""
        scancode = getattr(event, "scancode", 0)
        name = pygame.key.name(event.key)
        if _has_own_label(scancode) and len(name) == 1:
            self.labels[scancode] = name.upper()

    def label(self, command: str) -> str:
        """What to show for a command's key, in the user's layout; empty when it has none."""
        key = self.bindings.get(command)
        if key is None:
            return ""
        name = _NAMES[key.scancode]
        shown = self.labels.get(key.scancode, _SHORT.get(name, name))
        held = [m for m, _ in _MODIFIERS if m in key.modifiers]
        return "+".join([*held, shown])


def _has_own_label(scancode: int) -> bool:
    """A letter or sign; digits are printed on their keys in every layout, even where Shift is needed for them."""
    name = _NAMES.get(scancode, "")
    return name in _SHORT or (len(name) == 1 and not name.isdigit())


def layout_labels() -> dict[int, str]:
    """What the user's layout prints on each physical letter and sign key; empty before the window is open.

    SDL tells the physical key of a key code, so every code that a layout may print is asked once.
    """
    if not pygame.display.get_init():
        return {}
    # The wrapper answers "is the key with this code down" by looking up its physical key: given every number in its
    # own place it answers with the physical key itself.
    physical = pygame.key.ScancodeWrapper(tuple(range(512)))  # type: ignore[arg-type]
    labels: dict[int, str] = {}
    for code in (*range(ord("!"), ord("@")), *range(ord("["), 0x17F)):
        character = chr(code)
        if not character.isprintable():
            continue
        try:
            scancode = int(physical[code])
        except IndexError:
            continue
        if _has_own_label(scancode):
            labels.setdefault(scancode, character.upper() if len(character.upper()) == 1 else character)
    return labels


def conflicts(bindings: dict[str, Key]) -> list[str]:
    """One line for every key that two commands share; empty when all is well."""
    seen: dict[Key, str] = {}
    found = []
    for name, key in bindings.items():
        if key in seen:
            found.append(f"{key} is bound to both {seen[key]} and {name}")
        seen.setdefault(key, name)
    return found


def read_bindings(defaults: dict[str, str], file: Path | None) -> tuple[dict[str, Key], list[str]]:
    """The default bindings with the user's ``keys.toml`` laid over them, and one line per thing wrong in it.

    The file holds ``command = "Key"`` lines.  A line that cannot be used is told and ignored, so that a mistake
    never locks the user out of the game.
    """
    bindings = {name: parse_key(text) for name, text in defaults.items() if text}
    if file is None or not file.is_file():
        return bindings, []
    try:
        table = read_toml(file)
    except ValueError as error:
        return bindings, [f"{error}; default keys are used"]
    problems = []
    for name, text in table.items():
        if name not in defaults:
            problems.append(f"{file}: {name}: no such command")
        elif not isinstance(text, str):
            problems.append(f'{file}: {name}: write a key as text, such as "Ctrl+A"')
        else:
            try:
                bindings[name] = parse_key(text)
            except BindingError as error:
                problems.append(f"{file}: {name}: {error}")
    clash = conflicts(bindings)
    if clash:
        problems.append(f"{file}: {clash[0]}; default keys are used")
        return {name: parse_key(text) for name, text in defaults.items() if text}, problems
    return bindings, problems


def write_bindings(defaults: dict[str, str], bindings: dict[str, Key], file: Path) -> None:
    """Write the bindings that differ from the defaults."""
    changed = [f'{n} = "{k}"' for n, k in sorted(bindings.items()) if str(k) != str(parse_key(defaults[n]))]
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, "\n".join(["# command = key; delete a line for its default", *changed, ""]), overwrite=True)
