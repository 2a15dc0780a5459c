"""Tiled files in, validated levels out: ``load_level(path)``."""

from __future__ import annotations

from game.level.errors import LevelError
from game.level.model import Level
from game.level.reading import load_level

__all__ = ["Level", "LevelError", "load_level"]
