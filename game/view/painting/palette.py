"""Palette file: named colours for window, overlays and the asset bake."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from game.level.files import read_toml

RGB = tuple[int, int, int]
ASSETS = Path(__file__).resolve().parents[3] / "assets"


def rgb(hexed: str) -> RGB:
    """Parse ``"#RRGGBB"`` into three numbers 0..255."""
    digits = hexed.lstrip("#")
    if len(digits) != 6:
        raise ValueError(f"{hexed!r} is no colour")
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """Mix ``a`` with the share ``share`` (0..1) of ``b``."""
    red, green, blue = (round(p * (1 - share) + q * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


def scaled(a: RGB, factor: float) -> RGB:
    """Scale the lightness of ``a`` by ``factor``, clipped to 0..255."""
    red, green, blue = (int(max(0, min(255, p * factor))) for p in a)
    return red, green, blue


@dataclass(frozen=True)
class SideColours:
    """Marks of a side: colour, headgear, and the shape of its far mark."""

    name: str
    colour_name: str
    colour: RGB
    headgear: str
    breeches: RGB
    mark: str


@dataclass(frozen=True)
class Palette:
    """Colours of ``assets/data/palette.toml``; ``palette["ink"]`` is a named colour."""

    colours: dict[str, RGB]
    grounds: dict[str, RGB]
    look: dict[str, float]
    sides: tuple[SideColours, ...]
    ramps: dict[str, tuple[RGB, ...]]
    overlay: dict[str, RGB]

    def __getitem__(self, name: str) -> RGB:
        return self.colours[name]


HIGH_CONTRAST = "high_contrast"
HEADGEAR = ("tricorne", "comb_helmet", "straw_hat", "cowl")


@cache
def palette(variant: str = "") -> Palette:
    """Return the shipped palette, read once.

    ``variant`` names a table of the file with the colours that differ (``HIGH_CONTRAST``).

    Raises KeyError for a variant that the file does not have.
    """
    return read_palette(ASSETS / "data" / "palette.toml", variant)


def read_palette(file: Path, variant: str = "") -> Palette:
    """Read a palette file.

    Raises ValueError in one line that names the file and the missing or wrong entry.
    """
    data = read_toml(file)
    if variant and variant not in data:
        raise KeyError(variant)
    try:
        made = _palette(data, variant)
    except KeyError as error:
        raise ValueError(f"{file}: there is no {error}") from None
    except (TypeError, AttributeError, ValueError) as error:
        raise ValueError(f'{file}: {error}; write colours as "#RRGGBB", in tables') from None
    for side in made.sides:
        if side.headgear not in HEADGEAR:
            raise ValueError(f"{file}: side {side.name}: headgear {side.headgear!r} is none of {', '.join(HEADGEAR)}")
    return made


def _palette(data: dict[str, Any], variant: str) -> Palette:
    changes = data[variant] if variant else {}
    sides = tuple(
        SideColours(
            name=row["name"],
            colour_name=row["colour_name"],
            colour=rgb(row["colour"]),
            headgear=row["headgear"],
            breeches=rgb(row["breeches"]),
            mark=row["mark"],
        )
        for row in data["side"]
    )

    def table(name: str) -> dict[str, RGB]:
        return {key: rgb(value) for key, value in (data[name] | changes.get(name, {})).items()}

    return Palette(
        colours=table("colour") | {side.colour_name: side.colour for side in sides},
        grounds=table("ground"),
        look=data["look"] | changes.get("look", {}),
        sides=sides,
        ramps={name: tuple(rgb(value) for value in values) for name, values in data["ramp"].items()},
        overlay=table("overlay"),
    )
