"""The user's options, kept in ``options.toml`` in the user's configuration folder."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import platformdirs

from game.level.files import read_toml, write_whole

SIZES = ((1280, 720), (1600, 900), (1920, 1080), (2560, 1440))


def config_folder() -> Path:
    """Return the folder of options and keys.

    It is ``FOGLINE_CONFIG``, else the user's configuration folder.
    """
    return Path(os.environ.get("FOGLINE_CONFIG") or platformdirs.user_config_dir("fogline", False))


def data_folder() -> Path:
    """Return the folder of saves: ``FOGLINE_DATA``, else the user's data folder."""
    return Path(os.environ.get("FOGLINE_DATA") or platformdirs.user_data_dir("fogline", False))


def maps_folder() -> Path:
    """Return the folder of maps that the player saved."""
    return data_folder() / "maps"


@dataclass
class Options:
    """Options of the player; reading enforces the range or choices of each field.

    ``pointer``: ``one_button`` lets a long press, or Ctrl held, stand for the right button.  ``wheel``: ``pan`` lets
    two fingers on a trackpad move the map (Ctrl held: zoom).  ``slow_when_seen`` slows time for a moment when a guard
    identifies somebody of the player's who was not within the last eight seconds.
    ``editor`` is the command that opens a line of code; if it is empty, ``$VISUAL`` counts.
    """

    width: int = 1280
    height: int = 720
    fullscreen: bool = False
    ui_scale: float = 1.0
    volume: float = 0.7
    effects_volume: float = 1.0
    interface_volume: float = 1.0
    edge_pan: bool = True
    reduced_motion: bool = False
    high_contrast: bool = False
    slow_when_seen: bool = True
    hints: bool = True
    wasd: bool = False
    pointer: str = "two_buttons"
    wheel: str = "zoom"
    editor: str = ""
    last_level: str = ""


_RANGES: dict[str, tuple[float, float]] = {
    "width": (640, 7680),
    "height": (400, 4320),
    "ui_scale": (1.0, 2.0),
    "volume": (0.0, 1.0),
    "effects_volume": (0.0, 1.0),
    "interface_volume": (0.0, 1.0),
}
_CHOICES: dict[str, tuple[str, ...]] = {
    "pointer": ("two_buttons", "one_button"),
    "wheel": ("zoom", "pan"),
}


def read_options(file: Path) -> tuple[Options, list[str]]:
    """Return the options of a file over the defaults, and the errors.

    An error is one line for each value that could not be used.
    """
    options = Options()
    if not file.is_file():
        return options, []
    try:
        table = read_toml(file)
    except ValueError as error:
        return options, [f"{error}; default options are used"]
    problems = []
    known = {f.name for f in fields(Options)}
    for name, value in table.items():
        if name not in known:
            problems.append(f"{file}: {name}: no such option")
            continue
        wanted = type(getattr(options, name))
        if wanted is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        low, high = _RANGES.get(name, (0, 0))
        if type(value) is not wanted:
            problems.append(f"{file}: {name}: expected {wanted.__name__}, got {value!r}")
        elif name in _RANGES and not low <= value <= high:
            problems.append(f"{file}: {name}: {value} is not between {low:g} and {high:g}")
        elif name in _CHOICES and value not in _CHOICES[name]:
            problems.append(f"{file}: {name}: {value!r} is none of {', '.join(_CHOICES[name])}")
        else:
            setattr(options, name, value)
    return options, problems


def write_options(options: Options, file: Path) -> None:
    """Write all options as TOML."""
    lines = []
    for name, value in asdict(options).items():
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, str):
            text = json.dumps(value)  # a TOML string escapes as one of JSON does
        else:
            text = repr(value)
        lines.append(f"{name} = {text}")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, "\n".join([*lines, ""]), overwrite=True)
