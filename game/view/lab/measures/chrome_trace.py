"""Trace file of the last ticks in Chrome's trace event format.

``chrome://tracing``, Perfetto and Speedscope open it. Ticks are complete events, their stages lie within them, and
techniques are counters of profiled ticks. Times are microseconds from the first tick.

Source of the format: "Trace Event Format", the Chromium project.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from game.level.files import write_whole
from game.view.lab.measures.tick_meter import NAMES, TickMeter
from game.view.window.saved_games import prefix_of
from game.view.window.user_options import data_folder

PROCESS, THREAD = 1, 1


def traces_folder() -> Path:
    """Return the folder of trace files."""
    return data_folder() / "traces"


def trace_of(meter: TickMeter, level: str) -> dict[str, Any]:
    """Return the trace of the ticks that the meter still holds, ready for JSON."""
    rows = meter.rows()
    zero = float(meter.starts[rows[0], 0]) if len(rows) else 0.0
    events: list[dict[str, Any]] = [
        {"ph": "M", "name": "process_name", "pid": PROCESS, "tid": THREAD, "args": {"name": f"Fogline, {level}"}},
        {"ph": "M", "name": "thread_name", "pid": PROCESS, "tid": THREAD, "args": {"name": "ticks"}},
    ]
    for number, row in zip(meter.numbers().tolist(), rows.tolist(), strict=True):
        tick, profiled = int(meter.ticks[row]), bool(meter.profiled[row])
        starts = [_us(at - zero) for at in meter.starts[row]]
        ends = [_us(at - zero + length) for at, length in zip(meter.starts[row], meter.lengths[row], strict=True)]
        said = {"tick": tick, "profiled": profiled}
        events.append(_complete(f"tick {tick}", "tick", starts[0], ends[-1], said))
        events += [
            _complete(name, "stage", start, end, {"tick": tick})
            for name, start, end in zip(NAMES, starts, ends, strict=True)
        ]
        costs = meter.techniques.sample(number) if meter.techniques is not None and profiled else {}
        if costs:
            args = {slug: round(ms, 4) for slug, ms in costs.items()}
            events.append({"ph": "C", "name": "techniques, ms", "pid": PROCESS, "ts": starts[0], "args": args})
    return {"traceEvents": events, "displayTimeUnit": "ms", "otherData": {"program": "Fogline", "level": level}}


def _us(seconds: float) -> float:
    return round(float(seconds) * 1e6, 3)


def _complete(name: str, category: str, start: float, end: float, args: dict[str, Any]) -> dict[str, Any]:
    """Return a complete event, which has a start and a duration."""
    return {
        "ph": "X", "name": name, "cat": category, "pid": PROCESS, "tid": THREAD, "ts": start,
        "dur": round(end - start, 3), "args": args,
    }  # fmt: skip


def write_trace(meter: TickMeter, level: str) -> Path:
    """Write the trace; return its file.

    Raises ValueError in one line if there is no tick or the file cannot be written.
    """
    if not meter.written:
        raise ValueError("No tick ran yet: let the game run, then write a trace")
    last = int(meter.ticks[(meter.written - 1) % len(meter.ticks)])
    folder = traces_folder()
    path = folder / f"{prefix_of(level)}{last:07d}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{folder}: cannot be written ({error.strerror}); check the folder") from None
    write_whole(path, json.dumps(trace_of(meter, level), allow_nan=False), overwrite=True)
    return path
