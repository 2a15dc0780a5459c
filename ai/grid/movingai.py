"""Reader of MovingAI grid benchmarks: ``.map`` files and their ``.scen`` scenarios.

Format: "Benchmarks for Grid-Based Pathfinding", N. Sturtevant, IEEE TCIAIG 2012.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

OPEN_LETTERS = b".GS"


class Scenario(NamedTuple):
    """Rows of a scenario.

    They are tiles int32[n, 2] as (y, x) and published optima float64[n] in tiles.
    """

    starts: np.ndarray
    goals: np.ndarray
    optima: np.ndarray


def read_map(path: Path | str) -> np.ndarray:
    """Return the open tiles bool[height, width] of a ``.map``.

    ValueError names the file and the error.
    """
    return np.isin(read_letters(path), np.frombuffer(OPEN_LETTERS, np.uint8))


def read_letters(path: Path | str) -> np.ndarray:
    """Return the letters uint8[height, width] of a ``.map``.

    ValueError names the file and the error.
    """
    lines = Path(path).read_bytes().split(b"\n")
    try:
        if not lines[0].startswith(b"type octile"):
            raise ValueError("the first line is not 'type octile'")
        header = {words[0]: words[1] for words in map(bytes.split, lines[1:3]) if len(words) == 2}
        if not (header.get(b"height", b"").isdigit() and header.get(b"width", b"").isdigit()):
            raise ValueError("lines 2 and 3 do not give its height and width")
        height, width = int(header[b"height"]), int(header[b"width"])
        if height < 1 or width < 1:
            raise ValueError(f"it is {height} tiles high and {width} wide")
        rows = [line.rstrip(b"\r") for line in lines[4 : 4 + height]]
        if len(rows) != height or any(len(row) < width for row in rows):
            raise ValueError(f"fewer than {height} rows of {width} tiles")
    except ValueError as error:
        raise ValueError(f"{path}: not a MovingAI map: {error}") from error
    return np.frombuffer(b"".join(row[:width] for row in rows), np.uint8).reshape(height, width)


def read_scenario(path: Path | str) -> Scenario:
    """Return the rows of a ``.scen``; ValueError names the file and line."""
    starts, goals, optima = [], [], []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines()[1:], 2):
        if not line.strip():
            continue
        try:
            # Most files use tabs, some use spaces; the five needed numbers come last.
            words = line.split()[-5:]
            start_x, start_y, goal_x, goal_y = (int(word) for word in words[:4])
            optima.append(float(words[4]))
        except (ValueError, IndexError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from error
        starts.append((start_y, start_x))
        goals.append((goal_y, goal_x))
    return Scenario(
        np.array(starts, np.int32).reshape(-1, 2), np.array(goals, np.int32).reshape(-1, 2), np.array(optima)
    )
