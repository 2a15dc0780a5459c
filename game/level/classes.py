"""Bits of the passability mask as a level writes them; the classes themselves belong to ``ai.grid``."""

from __future__ import annotations

WALK, CRAWL, OPENS_DOORS, WADE = 1, 2, 4, 8
ALL = WALK | CRAWL | OPENS_DOORS | WADE
"""Open ground: every class that walks may stand there."""
