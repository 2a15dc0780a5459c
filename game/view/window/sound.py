"""Sounds: eight kinds in variants, with at most twelve voices.

A sound is panned, and quieter with distance from the camera.

``assets/data/sounds.toml`` names the kinds, their files and which volume they follow.  Without an audio device the
game is silent and otherwise the same: every call does nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pygame

from game.level.files import read_toml
from game.view.painting.palette import ASSETS

VOICES = 12
HEARD = 28.0
"""Tiles beyond the edge of the view at which a sound is gone."""
MOST_PAN = 0.8
INTERFACE = frozenset({"select", "order", "end"})
"""Kinds that answer the player; the others come from the world."""
MUST_BE_HEARD = frozenset({"alarm", "end"})
"""Kinds that take the oldest voice when all are busy."""


@dataclass
class Volumes:
    """Loudness 0..1 of everything, of the world and of the interface."""

    master: float = 0.7
    effects: float = 1.0
    interface: float = 1.0

    def of(self, name: str) -> float:
        """Return the loudness of a kind before distance counts."""
        return self.master * (self.interface if name in INTERFACE else self.effects)


def place(dx: float, dy: float, half_width: float) -> tuple[float, float]:
    """Return loudness 0..1 and pan -1..1 of a sound.

    It lies ``dx, dy`` tiles from the middle of a view that reaches ``half_width`` tiles to a side.
    """
    distance = (dx * dx + dy * dy) ** 0.5
    loudness: float = max(0.0, 1.0 - distance / (HEARD + half_width)) ** 1.5
    return loudness, max(-MOST_PAN, min(MOST_PAN, dx / max(half_width, 1.0)))


def sound_files(index: Path = ASSETS / "data" / "sounds.toml") -> dict[str, list[Path]]:
    """Return the variants of each kind, in the order in which they are played."""
    try:
        return {row["name"]: [ASSETS / file for file in row["files"]] for row in read_toml(index)["sound"]}
    except (KeyError, TypeError):
        raise ValueError(f"{index}: write each sound as a [[sound]] table with name and files") from None


class Sound:
    """The mixer and the loaded variants of each sound."""

    def __init__(self, volumes: Volumes) -> None:
        self.volumes = volumes
        self.played: dict[str, int] = {}
        self._files = sound_files()
        self._variants: dict[str, list[pygame.mixer.Sound]] = {}
        self._last: dict[str, int] = {}
        try:
            pygame.mixer.init(44100, -16, 2, 512)
            pygame.mixer.set_num_channels(VOICES)
            self.on = True
        except pygame.error:
            self.on = False

    def play(self, name: str, loudness: float = 1.0, pan: float = 0.0, at_most_every_ms: int = 0) -> None:
        """Play the next variant of a sound.

        ``pan`` is -1 (left) to 1, ``loudness`` 0 to 1.
        """
        loud = self.volumes.of(name) * min(loudness, 1.0)
        if not self.on or loud <= 0.005:
            return
        now = pygame.time.get_ticks()
        if at_most_every_ms and now - self._last.get(name, -100_000) < at_most_every_ms:
            return
        variants = self._load(name)
        channel = pygame.mixer.find_channel(name in MUST_BE_HEARD) if variants else None
        if channel is None:
            return
        count = self.played.get(name, 0)
        self.played[name] = count + 1
        self._last[name] = now
        channel.set_volume(loud * min(1.0, 1.0 - pan), loud * min(1.0, 1.0 + pan))
        channel.play(variants[count % len(variants)])

    def play_at(self, name: str, dx: float, dy: float, half_width: float, at_most_every_ms: int = 0) -> None:
        """Play a sound ``dx, dy`` tiles from the middle of the view.

        The view reaches ``half_width`` tiles to a side.
        """
        self.play(name, *place(dx, dy, half_width), at_most_every_ms)

    def close(self) -> None:
        """Give the device back."""
        if self.on:
            pygame.mixer.quit()
            self.on = False

    def _load(self, name: str) -> list[pygame.mixer.Sound]:
        if name not in self._variants:
            self._variants[name] = [pygame.mixer.Sound(str(file)) for file in self._files.get(name, ())]
        return self._variants[name]
