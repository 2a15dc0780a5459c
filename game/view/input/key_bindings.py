"""Key combinations: text form, labels, and the user's own bindings.

A binding such as ``Ctrl+A`` names a *physical* key by its print on a US keyboard. So the default keys lie in the same
place on each layout. Labels are those of the user's layout. SDL is asked for them when the window opens. Each key
press updates them, so that a change of layout is followed.
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
    """Error of a binding that cannot be used; the text is one line."""


@dataclass(frozen=True)
class Key:
    """Combination of a physical key and the modifiers held."""

    scancode: int
    modifiers: frozenset[str] = frozenset()

    def __str__(self) -> str:
        held = [name for name, _ in _MODIFIERS if name in self.modifiers]
        return "+".join([*held, _NAMES[self.scancode]])


def parse_key(text: str) -> Key:
    """Parse a text such as ``"Ctrl+Shift+A"`` into a :class:`Key`.

    Raises :class:`BindingError` that names an unknown key or modifier.
    """
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
    """Return the combination of a KEYDOWN event, or None if it cannot be bound."""
    scancode = getattr(event, "scancode", 0) or scancode_of(event.key)
    if scancode not in _NAMES:
        return None
    mod = getattr(event, "mod", 0)
    return Key(scancode, frozenset(name for name, bits in _MODIFIERS if mod & bits))


def scancode_of(keycode: int) -> int:
    """Return the physical key of a key code on a US layout.

    0 if there is none. It serves events that carry no scancode.
    """
    name = pygame.key.name(keycode)
    for text in (name.upper(), name.title(), {v: k for k, v in _SHORT.items()}.get(name, "")):
        if text in _SCANCODES:
            return _SCANCODES[text]
    return {"escape": _NAMED["Esc"], "return": _NAMED["Enter"]}.get(name, 0)


@dataclass
class KeyMap:
    """Bindings of command names to keys, with the labels of the user's layout."""

    bindings: dict[str, Key]
    labels: dict[int, str] = field(default_factory=dict)

    def command_of(self, key: Key) -> str | None:
        """Return the name of the command bound to exactly this combination, or None."""
        for name, bound in self.bindings.items():
            if bound == key:
                return name
        return None

    def command_of_event(self, event: pygame.event.Event) -> str | None:
        """Return the name of the command bound to a KEYDOWN event, or None."""
        key = key_of_event(event)
        return self.command_of(key) if key is not None else None

    def learn(self, event: pygame.event.Event) -> None:
        """Store the label of a KEYDOWN event's key in the user's layout."""
        scancode = getattr(event, "scancode", 0)
        name = pygame.key.name(event.key)
        if _has_own_label(scancode) and len(name) == 1:
            self.labels[scancode] = name.upper()

    def label(self, command: str) -> str:
        """Return the label of a command's key in the user's layout.

        Empty without a key.
        """
        key = self.bindings.get(command)
        if key is None:
            return ""
        name = _NAMES[key.scancode]
        shown = self.labels.get(key.scancode, _SHORT.get(name, name))
        held = [m for m, _ in _MODIFIERS if m in key.modifiers]
        return "+".join([*held, shown])


def _has_own_label(scancode: int) -> bool:
    """Return whether the layout decides the label of a key: a letter or sign.

    Digits are printed on their keys in each layout, also where Shift is needed for them.
    """
    name = _NAMES.get(scancode, "")
    return name in _SHORT or (len(name) == 1 and not name.isdigit())


def layout_labels() -> dict[int, str]:
    """Return the label of each physical letter and sign key in the user's layout.

    The result is empty before the window is open. SDL returns the physical key of a key code, so each code that a
    layout may print is asked once.
    """
    if not pygame.display.get_init():
        return {}
    # The wrapper takes a key code, looks up its physical key and returns that key's entry. With the numbers 0 to 511
    # as entries it returns the physical key itself.
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
    """Return one line for each key that two commands share."""
    seen: dict[Key, str] = {}
    found = []
    for name, key in bindings.items():
        if key in seen:
            found.append(f"{key} is bound to both {seen[key]} and {name}")
        seen.setdefault(key, name)
    return found


def read_bindings(defaults: dict[str, str], file: Path | None) -> tuple[dict[str, Key], list[str]]:
    """Return the bindings and the problems of the user's ``keys.toml``.

    The file holds lines ``command = "Key"``, which replace defaults. A line that cannot be used is reported and
    ignored, so that a mistake never locks the user out of the game.
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
