"""Settings: every changeable number, in one tree of records.

A player, a script or ``--set name=value`` may change them. A setting's name is its path in the tree, as
``paths.budget``. Changing one while the world runs is an order, so that replays know of it. Each library package
owns the record of its own settings and documents the fields.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

MOST = 1e9
"""No setting is a number beyond this one."""


def walk_settings(node: Any, prefix: str = "") -> Iterator[tuple[str, Any, str]]:
    """Yields (dotted name, value, one line of documentation) for every setting below ``node``."""
    for f in fields(node):
        value = getattr(node, f.name)
        name = prefix + f.name
        if is_dataclass(value):
            yield from walk_settings(value, name + ".")
        elif isinstance(value, bool | int | float | str):
            yield name, value, str(f.metadata.get("doc", ""))


def _owner(settings: Any, name: str) -> tuple[Any, Any]:
    node, parts = settings, name.split(".")
    for part in parts[:-1]:
        node = getattr(node, part, None)
        if not is_dataclass(node):
            break
    if is_dataclass(node):
        for f in fields(node):
            if f.name == parts[-1] and isinstance(getattr(node, f.name), bool | int | float | str):
                return node, f
    raise ValueError(f"there is no setting {name!r}; --list-settings names them all")


def value_of(settings: Any, name: str) -> bool | int | float | str:
    """Return one setting; ValueError (one line) for an unknown name."""
    node, f = _owner(settings, name)
    value: bool | int | float | str = getattr(node, f.name)
    return value


def choices_of(settings: Any, name: str) -> tuple[bool | int | float | str, ...]:
    """Return the choices of a setting, none for a number or a switch."""
    return tuple(_owner(settings, name)[1].metadata.get("choices") or ())


def parse_value(settings: Any, name: str, text: str) -> bool | int | float | str:
    """Return ``text`` as the type of a setting; ValueError with one line."""
    node, f = _owner(settings, name)
    old = getattr(node, f.name)
    try:
        if isinstance(old, bool):
            return {"true": True, "on": True, "1": True, "false": False, "off": False, "0": False}[text.lower()]
        if isinstance(old, int):
            return int(text)
        if isinstance(old, float):
            number = float(text)
            if not math.isfinite(number):
                raise ValueError
            return number
    except (KeyError, ValueError):
        kind = "true or false" if isinstance(old, bool) else type(old).__name__
        raise ValueError(f"setting {name} takes {kind}, not {text!r}") from None
    return text


def set_value(settings: Any, name: str, value: bool | int | float | str) -> None:
    """Change one setting within its bounds and choices.

    They are ``low``, ``high``, ``choices`` of the field's metadata.
    """
    node, f = _owner(settings, name)
    old = getattr(node, f.name)
    if isinstance(value, str) and not isinstance(old, str):
        value = parse_value(settings, name, value)
    if isinstance(old, bool):
        value = bool(value)
    elif isinstance(old, int | float):
        if not isinstance(value, int | float) or not -MOST <= value <= MOST:
            raise ValueError(f"setting {name} takes a number, not {value!r}")
        value = type(old)(value)
        low, high = f.metadata.get("low", -math.inf), f.metadata.get("high", math.inf)
        if not low <= value <= high:
            raise ValueError(f"setting {name} must lie between {low} and {high}, not {value}")
    choices = f.metadata.get("choices")
    if choices and value not in choices:
        raise ValueError(f"setting {name} is one of {', '.join(map(str, choices))}, not {value!r}")
    setattr(node, f.name, value)
