"""Sounds: a few short ones in variants, at most twelve at once, panned and quieter with distance.

Without an audio device the game is silent and otherwise the same: every call does nothing.
"""

from __future__ import annotations

from pathlib import Path

import pygame

from game.view.palette import ASSETS

VOICES = 12
HEARD = 28.0
"""Tiles from the middle of the view at which a sound is gone."""


class Sound:
    """The mixer and the loaded variants of each sound."""

    def __init__(self, volume: float, folder: Path = ASSETS / "sounds") -> None:
        self.volume = volume
        self.folder = folder
        self.played: dict[str, int] = {}
        self._variants: dict[str, list[pygame.mixer.Sound]] = {}
        self._last: dict[str, int] = {}
        try:
            pygame.mixer.init(44100, -16, 2, 512)
            pygame.mixer.set_num_channels(VOICES)
            self.on = True
        except pygame.error:
            self.on = False

    def play(self, name: str, loudness: float = 1.0, pan: float = 0.0, at_most_every_ms: int = 0) -> None:
        """Play the next variant of a sound; ``pan`` -1 (left) to 1, ``loudness`` 0 to 1."""
        if not self.on or self.volume <= 0 or loudness <= 0.01:
            return
        now = pygame.time.get_ticks()
        if at_most_every_ms and now - self._last.get(name, -100_000) < at_most_every_ms:
            return
        variants = self._load(name)
        channel = pygame.mixer.find_channel() if variants else None
        if channel is None:
            return
        count = self.played.get(name, 0)
        self.played[name] = count + 1
        self._last[name] = now
        loud = self.volume * min(loudness, 1.0)
        channel.set_volume(loud * min(1.0, 1.0 - pan), loud * min(1.0, 1.0 + pan))
        channel.play(variants[count % len(variants)])

    def play_at(self, name: str, dx: float, dy: float, half_width: float, at_most_every_ms: int = 0) -> None:
        """Play a sound ``dx, dy`` tiles from the middle of a view ``half_width`` tiles to a side."""
        distance = (dx * dx + dy * dy) ** 0.5
        pan = max(-0.8, min(0.8, dx / max(half_width, 1.0)))
        self.play(name, max(0.0, 1.0 - distance / (HEARD + half_width)) ** 1.5, pan, at_most_every_ms)

    def close(self) -> None:
        """Give the device back."""
        if self.on:
            pygame.mixer.quit()
            self.on = False

    def _load(self, name: str) -> list[pygame.mixer.Sound]:
        if name not in self._variants:
            files = sorted(p for p in self.folder.glob(f"{name}*") if p.suffix in (".wav", ".ogg"))
            self._variants[name] = [pygame.mixer.Sound(str(file)) for file in files]
        return self._variants[name]
