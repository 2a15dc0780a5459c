"""Tables of ``figures/README.md``, made from the files beside it: ``python -m tools.bench refresh`` writes them."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.bench.pages import origins
from tools.bench.search.search_ratios import AUTHORS_S, AUTHORS_US, PEER_US

PAGE = origins.FIGURES / "README.md"
UNITS = {"x": (1.0, "x"), "%": (100.0, " %"), "ms": (1.0, " ms"), "us": (1.0, " us"), "s": (1.0, " s"), "": (1.0, "")}
NEAR = 1.1
"""Factor within which a missed goal counts as near."""
MAPS = ("brc202d", "Archipelago", "maze512-8-0", "16room_000", "random512-30-0")


@dataclass(frozen=True)
class Line:
    """A figure or a range of figures, with its goal."""

    work: str
    values: tuple[float, ...]
    unit: str
    peer: str = ""
    goal: float | None = None
    least: bool = False
    """The goal is the least figure that is good; without it the largest."""

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the table: work, peer, figure, goal, whether it is met."""
        low, high = min(self.values), max(self.values)
        figure = shown(low, self.unit)
        if shown(high, self.unit) != figure:
            figure = f"{shown(low, self.unit).removesuffix(UNITS[self.unit][1])} to {shown(high, self.unit)}"
        if self.goal is None:
            return self.work, self.peer, figure, "", ""
        goal = f"{'at least' if self.least else 'at most'} {shown(self.goal, self.unit)}"
        worst = self.goal / low if self.least else high / self.goal
        return self.work, self.peer, figure, goal, "yes" if worst <= 1.0 else "near" if worst <= NEAR else "no"


def shown(value: float, unit: str) -> str:
    """Return a figure with two or three digits and its unit."""
    factor, sign = UNITS[unit]
    value *= factor
    return f"{value:,.0f}{sign}" if value >= 100 or value == int(value) else f"{value:.3g}{sign}"


@functools.cache
def figures(name: str) -> list[dict[str, Any]]:
    """Return the rows of a committed file."""
    found: list[dict[str, Any]] = json.loads((origins.FIGURES / f"{name}.json").read_text(encoding="utf-8"))
    return found


def value(name: str, key: str = "us_mean", **wanted: Any) -> float:
    """Return one figure of the first row that agrees with ``wanted``.

    KeyError names a row that is not in the file.
    """
    for row in figures(name):
        if all(row.get(k) == v for k, v in wanted.items()):
            return float(row[key])
    raise KeyError(f"{name}.json: there is no row {wanted}; run python -m tools.bench {name}")


def search(map_name: str, algorithm: str, key: str = "us_mean", mode: str = "single") -> float:
    """Return a figure of ``search.json`` by one thread."""
    return value("search", key, map=map_name, algorithm=algorithm, mode=mode, threads=1)


def faster(map_name: str, algorithm: str, peer: str) -> float:
    """Return how many times as fast as the peer a search answers."""
    return search(map_name, peer) / search(map_name, algorithm)


def search_lines() -> Iterable[Line]:
    """Yield the lines of ``search.json``."""
    for name, algorithm, peer, goal, text in (
        ("brc202d", "astar", "pyastar2d", 6.0, "A*"),
        ("brc202d", "astar", "tcod", 25.0, "A*"),
        ("brc202d", "jps", "pyastar2d", 30.0, "JPS"),
        ("maze512-8-0", "jps", "pyastar2d", 60.0, "JPS"),
        ("random512-30-0", "jps", "pyastar2d", 1.5, "JPS"),
        ("16room_000", "jps", "pyastar2d", 32.0, "JPS"),
        ("brc202d", "jps_plus_gb", "pyastar2d", 600.0, "JPS+ with goal bounds"),
    ):
        yield Line(f"{text}, `{name}`: times as fast", (faster(name, algorithm, peer),), "x", peer, goal, True)
    for algorithm, text in (("astar_weighted", "at once"), ("astar_resumable", "can be put aside")):
        ratios = tuple(faster(f"{name}+costs", algorithm, "pyastar2d") for name in MAPS)
        yield Line(f"`{algorithm}` (costs, {text}), five maps", ratios, "x", "pyastar2d", 3.0, True)
    for algorithm, levels, published in (("subgoal_1", "one level", 24.0), ("subgoal_2", "two levels", 71.0)):
        ours, heap = search("brc202d", algorithm), search("brc202d", "machine", mode="heap")
        yield Line(f"subgoal graph of {levels}, `brc202d`", (heap / ours,), "x", "A* with a heap", published, True)
    for algorithm, levels in (("subgoal_1", "one level"), ("subgoal_2", "two levels"), ("subgoal_n", "more levels")):
        yield Line(f"subgoal graph of {levels}, `brc202d`", (faster("brc202d", algorithm, "astar"),), "x", "our A*")
    first = [
        search(m, "hpa", "expansions_mean", "first_move") / search(m, "astar", "expansions_mean")
        for m in ("rooms320", *MAPS)
    ]
    yield Line("HPA*, nodes of the first move, six maps", tuple(first), "%", "our A*", 0.05)
    for text, mode in (("the first move", "first_move"), ("a whole path", "single")):
        share = search("brc202d", "hpa", mode=mode) / search("brc202d", "astar")
        yield Line(f"HPA*, time of {text}, `brc202d`", (share,), "%", "our A*")
    build, batch = search("brc202d", "jps_plus_gb", "preprocess_s"), search("brc202d", "jps_plus_gb", mode="batch")
    slower = search("brc202d", "pyastar2d") / PEER_US
    yield Line("goal bounds, build", (build / AUTHORS_S,), "%", "authors' time", 0.2)
    yield Line("goal bounds, question in a batch", (batch / AUTHORS_US,), "%", "authors' time", 0.45)
    yield Line(
        "the same, scaled by the speed of the machine", (batch / AUTHORS_US / slower,), "%", "authors' time", 0.45
    )
    for key, text, goal in (("us_median", "median", 1.0), ("us_max", "worst", 3.0)):
        door = search("random512-30-0", "components_hpa", key, "repair_door") / 1000
        yield Line(f"repair after a door, `random512-30-0`, {text}", (door,), "ms", "", goal)
    calls = tuple(search(m, "regions", mode="overhead") for m in MAPS)
    yield Line("regions, call from a tile to itself", calls, "us", "", 3.0)


def world_lines() -> Iterable[Line]:
    """Yield the lines of sight, influence, squads, crowds and paths."""
    sight = figures("sight")
    share = next(r["share_of_tcod"] for r in sight if r["algorithm"] == "shadowcast" and r["threads"] == 1)
    pairs = next(r["million_per_second"] for r in sight if r["algorithm"] == "line_clear" and r["threads"] == 1)
    yield Line("field of view, radius 20", (share,), "%", "tcod", 0.16)
    yield Line("lines of sight, million pairs a second", (pairs,), "", "", 10.0, True)
    p50 = value("sight", "p50_ms", algorithm="perceive_stage")
    yield Line("perceive stage, 500 guards, 100 intruders, p50", (p50,), "ms")
    p99 = value("sight", "p99_ms", algorithm="perceive_stage")
    yield Line("perceive stage, 500 guards, 100 intruders, p99", (p99,), "ms", "", 2.5)
    yield Line("exposure map, three stances, a tick", (value("sight", algorithm="exposure_map") / 1000,), "ms", "", 1.0)
    ours, theirs = value("influence", algorithm="stamps, open"), value("influence", algorithm="scipy.ndimage.convolve")
    yield Line("influence field 256 x 256, 200 sources", (theirs / ours,), "x", "`scipy.ndimage.convolve`")
    blur = value("influence", algorithm="scipy.ndimage.convolve1d twice") / value("influence", algorithm="blurred")
    yield Line("blur 256 x 256 by 5 x 5 with borders", (blur,), "x", "`scipy.ndimage.convolve1d` twice")
    tick = value("influence", "us_p99", algorithm="influence tick, moving")
    yield Line("influence tick, 4 sides, 4 layers, 200 units, p99", (tick,), "us", "", 1000.0)
    for fight, text in (("fight against charge", "planned"), ("emergent against charge", "emergent")):
        row = {key: value("squads", key, algorithm=fight) for key in ("share", "low", "high", "wins", "fights", "goal")}
        work = f"{row['wins']:.0f} of {row['fights']:.0f} fights won, {text} squads of six"
        work += f" ({shown(row['low'], '%').removesuffix(' %')} to {shown(row['high'], '%')} at 95 %)"
        yield Line(work, (row["share"],), "%", "equal squads that charge", row["goal"], True)
    think = value("squads", "own_p99_ms", algorithm="think stage, 25 squads")
    yield Line("think stage, 25 squads of 8, p99 of processor time", (think,), "ms", "", 6.0)
    avoid = value("crowd", algorithm="avoidance", threads=1) / value("crowd", algorithm="RVO2 (pyrvo 0.4.3)")
    yield Line("avoidance of 10,000, one thread", (avoid,), "%", "RVO2", 0.2)
    for text, key, work, goal in (
        ("10000, each bound elsewhere", "us_p50", "10,000 single goals, p50", 9.0),
        ("10000, each bound elsewhere", "us_p99", "10,000 single goals, p99", None),
        ("10000, each bound elsewhere, every technique at once", "us_mean", "10,000 with every technique, mean", 12.0),
        ("100000, a hundred orders", "us_p50", "100,000 in 100 orders, p50", 35.0),
        ("100000, a hundred orders", "us_p99", "100,000 in 100 orders, p99", 50.0),
    ):
        yield Line(f"tick, {work}", (value("crowd", key, algorithm=f"world of {text}: tick") / 1000,), "ms", "", goal)
    grown = value("crowd", "memory_mb", algorithm="world of 100000, a hundred orders: tick")
    yield Line("memory of 100,000 after the other worlds, MB", (grown,), "", "", 1200.0)
    for name, text in (("plain", "on 512 x 512"), ("door", "with a flapping gate"), ("unreachable", "to no way")):
        world = f"thousand_512, {name}"
        yield Line(f"tick, 1,000 {text}, p99", (value("paths", "us_p99", algorithm=world) / 1000,), "ms", "", 12.0)
        waits = value("paths", "full_latency_ticks_p95", algorithm=world)
        yield Line(f"ticks to a full path, 1,000 {text}, p95", (waits,), "", "", 20.0)


def window_lines() -> Iterable[Line]:
    """Yield the lines of drawing, going back, start-up and saved states."""
    for name, text in (("play", "Play"), ("lab", "Lab")):
        frame = value("draw", "p99_cpu_ms", algorithm=name)
        yield Line(f"frame, {text} with 1,000 figures, p99 of processor time", (frame,), "ms", "", 12.0)
    lens = [r["p99_cpu_ms"] for r in figures("draw") if r["algorithm"].startswith("overlays_")]
    yield Line("one lens at 1920x1080, p99 of processor time", tuple(lens), "ms", "", 4.0)
    reach = {"algorithm": "reach", "level": "the_crossing"}
    worst = value("rewind", "max_ms", **reach)
    yield Line("any tick of ten minutes, The Crossing, 200 units, worst", (worst,), "ms", "", 300.0)
    yield Line("history of it, MB", (value("rewind", "history_mb", **reach),), "", "", 500.0)
    for units in (200, 1000):
        back = value("rewind", "reach_seconds", algorithm="reach", level="regression/paths/thousand_512", units=units)
        yield Line(f"seconds of the past within reach, 512 x 512, {units:,} units", (back,), "")
    for name, mode, goal in (
        ("first_mission", "cold", 20.0), ("all_kernels", "cold", 60.0), ("first_mission", "warm", 2.0)
    ):  # fmt: skip
        text = "every kernel" if name == "all_kernels" else "first mission"
        yield Line(f"start-up, {text}, {mode}", (value("startup", algorithm=name, mode=mode) / 1e6,), "s", "", goal)
    for way in ("save", "load"):
        for level, text in (("the_crossing", "The Crossing"), ("the_depot", "The Depot")):
            state = value("env", algorithm=f"env_{way}_{level}") / 1000
            yield Line(f"saved state of an environment, {text}: {way}", (state,), "ms", "", 2.0)


def markdown(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    cells = [tuple(head), *(tuple(r) for r in rows)]
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |").replace("|  |", "| |") for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(cells[0]), *lines[1:]])


def goals() -> str:
    """Return the table of figures and goals."""
    lines = [*search_lines(), *world_lines(), *window_lines()]
    return markdown(("work", "peer", "figure", "goal", "met"), (line.cells() for line in lines))


def files() -> str:
    """Return the table of files with their origins."""
    rows = ((f"`{n}`", f"`{o.command}`", o.date, f"`{o.commit}`", o.machine, o.load) for n, o in origins.load().items())
    return markdown(("file", "command", "date", "commit", "machine", "load"), rows)


def scenarios() -> str:
    """Return the table of crowds beside RVO2."""
    rows = []
    found = figures("crowd_scenarios")
    for scene in dict.fromkeys(r["scenario"] for r in found):
        ours = next(r for r in found if r["scenario"] == scene and r["algorithm"] == "Fogline")
        peer: dict[str, Any] = next(
            (r for r in found if r["scenario"] == scene and r["algorithm"].startswith("RVO2")), {}
        )
        cells = [f"`{scene}`", f"{ours['arrived']} of {ours['units']}", peer.get("arrived", "")]
        for key in ("last_over_free", "reversals"):
            cells += [ours[key], peer.get(key, "")]
        rows.append([str(c) for c in cells])
    return markdown(("scene", "arrived", "RVO2", "last arrival", "RVO2", "reversals a unit", "RVO2"), rows)


def choices() -> str:
    """Return the table of choices of avoidance: arrived and last arrival for each scene."""
    found = figures("crowd_choices")
    scenes = list(dict.fromkeys(r["scenario"] for r in found))
    rows = []
    for name in dict.fromkeys(r["algorithm"] for r in found):
        by = {r["scenario"]: r for r in found if r["algorithm"] == name}
        rows.append([name, *(f"{by[s]['arrived']}, {by[s]['last_over_free']}" if s in by else "" for s in scenes)])
    return markdown(("choice", *(f"`{s}`" for s in scenes)), rows)


def exactness() -> str:
    """Return the paragraph on the proofs of exact searches."""
    proofs = [r for r in figures("exactness") if r.get("published") is not None]
    asked, equal = sum(r["queries"] for r in proofs), sum(r["published"] for r in proofs)
    searches, maps = len({r["algorithm"] for r in proofs}), len({r["map"] for r in proofs})
    left = sum(len(r["referee"]) for r in proofs)
    return (
        f"`exactness.json` proves {asked:,} answers of {searches} exact searches on {maps} maps. {equal:,} equal the\n"
        f"published optimum; the other {asked - equal:,} are settled by name under `referee` ({left} names), where an\n"
        "independent Dijkstra (scipy) agrees with ours."
    )


def excesses() -> str:
    """Return the table of searches that are not exact: largest mean of a map."""
    rows = []
    for text, key, names in (
        ("HPA*, regions", "excess_mean", ("hpa", "hpa_3_levels", "regions")),
        ("Theta*, between corners", "excess_corners", ("theta",)),
        ("Theta*, between centres", "excess_centres", ("theta",)),
        ("Lazy Theta*, between corners", "excess_corners", ("lazy_theta",)),
        ("Lazy Theta*, between centres", "excess_centres", ("lazy_theta",)),
        ("`long_ways`, smoothed, `paths.heuristic_weight` 2", "excess_mean", ("long_ways",)),
        ("`long_ways`, smoothed, `paths.heuristic_weight` 4", "excess_mean", ("long_ways_crowd",)),
    ):
        of = [r[key] for r in figures("exactness") if r["algorithm"] in names and r.get(key) is not None]
        rows.append((text, f"{100 * max(of):.2g} %"))
    return markdown(("search", "excess over the optimum, mean of the worst map"), rows)


def mutants() -> str:
    """Return the table of mutants by area."""
    text = (origins.FIGURES / "mutants.json").read_text(encoding="utf-8")
    rows = [
        (
            r["area"], f"{r['judged']} of {r['techniques']}", f"{r['run']} of {r['made']}", str(r["by_test"]),
            str(r["by_exhibit"]), str(r["by_time"]), str(r["alive"]), str(r["constant_alive"]),
            f"{100 * r['killed']:.0f} %" if r["run"] else "not run",
        )
        for r in json.loads(text)["areas"]
    ]  # fmt: skip
    head = (
        "area", "techniques judged", "mutants run", "by test", "by exhibit", "by time", "survive",
        "constants that survive", "killed of those run",
    )  # fmt: skip
    return markdown(head, rows)


PARTS = {
    "files": files, "goals": goals, "mutants": mutants, "exactness": exactness, "excesses": excesses,
    "scenarios": scenarios, "choices": choices,
}  # fmt: skip


def updated(text: str) -> str:
    """Return the text of the page with each part made again between its marks.

    ValueError names a part without marks.
    """
    for name, made in PARTS.items():
        begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
        before, found, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            raise ValueError(f"{PAGE.name}: lacks the marks of {name}; put them back")
        text = f"{before}{begin}\n{made()}\n{end}{after}"
    return text


def write(page: Path = PAGE) -> None:
    """Write the page again."""
    page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")
