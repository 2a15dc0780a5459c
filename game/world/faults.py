"""Faults of the program itself, each in one line with its place."""

from __future__ import annotations

import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST = 160


def fault_text(error: BaseException) -> str:
    """Return kind, message and place of an error in one line."""
    words = " ".join(f"{type(error).__name__}: {error}".split())
    frames = traceback.extract_tb(error.__traceback__)
    place = ""
    if frames:
        path = Path(frames[-1].filename)
        shown = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
        place = f" ({shown}:{frames[-1].lineno})"
    return words[:LONGEST] + place


class StageFault(RuntimeError):
    """Error in a stage of the tick: the world must not go on."""

    def __init__(self, stage: str, tick: int, error: BaseException) -> None:
        self.stage, self.tick, self.text = stage, tick, fault_text(error)
        super().__init__(f"tick {tick}, stage {stage}: {self.text}")
