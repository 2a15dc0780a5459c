"""Measures of walkers that the field has published, beside those of our crowds.

* Flow of a bottleneck, persons a metre and second: 1.2 to 1.9 in experiments (Seyfried and others, 2009; Kretz and
  others, 2006).
* Speed over density, the fundamental diagram: v = 1.34 (1 - exp(-1.913 (1/rho - 1/5.4))) m/s (Weidmann, 1993).

A tile counts as METRES_A_TILE: a body of 0.3 tiles is then as wide as the shoulders of a person.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from game.checks.headless import prepare_kernels
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tools.bench.crowds.runs import RADIUS, TICKS_A_SECOND, level_of
from tools.bench.crowds.scenes import Move, Scene, bottleneck

METRES_A_TILE = 0.23 / RADIUS
"""Metres of a tile, by which a body has the width of shoulders."""

AREA = 3.0
"""Side of the measuring square before the door, in tiles."""

WIDTHS = (1, 2, 3)
"""Widths of the door, in tiles."""

WALKERS = 150


def weidmann(density: np.ndarray) -> np.ndarray:
    """Return speeds float64[n] in m/s at densities float64[n].

    A density is in persons a square metre.
    """
    return 1.34 * (1.0 - np.exp(-1.913 * (1.0 / np.maximum(density, 1e-9) - 1.0 / 5.4)))


def passed(scene: Scene, door: float, middle: float) -> tuple[np.ndarray, np.ndarray]:
    """Play a scene; return the ticks of passages through the door, and samples.

    The samples are taken four times a second in the square before the door. A sample float64[2] is density in persons
    a square metre and mean speed in m/s.
    """
    session = Session(level_of(scene), 1, {}, recording=False)
    u = session.world.units
    ids = tuple(u.id[: u.count].tolist())
    session.give(Order(int(OrderKind.PACE), 0, ids, value=0.0))
    session.advance()
    assert scene.moves[0].at is not None
    session.give(Order(int(OrderKind.MOVE), 0, ids, *scene.moves[0].at))
    through = np.full(scene.count, -1)
    samples: list[tuple[float, float]] = []
    for tick in range(1, scene.ticks + 1):
        session.advance()
        x, y = u.x[: u.count], u.y[: u.count]
        through[(x > door) & (through < 0)] = tick
        inside = (x > door - AREA) & (x <= door) & (np.abs(y - middle) <= AREA / 2)
        if tick % 5 == 0 and inside.any():
            step = np.hypot(x - u.prev_x[: u.count], y - u.prev_y[: u.count])[inside]
            density = inside.sum() / (AREA * METRES_A_TILE) ** 2
            samples.append((density, float(step.mean()) * TICKS_A_SECOND * METRES_A_TILE))
        if (through >= 0).all():
            break
    return np.sort(through[through >= 0]), np.array(samples)


def rows(picture: Path | None = None) -> list[dict[str, Any]]:
    """Return a row per width of door, and one per density.

    They are drawn when a picture is wanted.
    """
    prepare_kernels(("mission", "lab"))
    out: list[dict[str, Any]] = []
    every: list[np.ndarray] = []
    for width in WIDTHS:
        scene = bottleneck(width, WALKERS)
        scene.moves = [Move(np.arange(WALKERS), scene.moves[0].at)]
        times, samples = passed(scene, 28.0, 15 - width // 2 + width / 2)
        every.append(samples)
        # The first and the last tenth are no steady state.
        steady = times[len(times) // 10 : -len(times) // 10]
        seconds = (steady[-1] - steady[0]) / TICKS_A_SECOND
        flow = (len(steady) - 1) / seconds / (width * METRES_A_TILE)
        out.append(
            {
                "algorithm": f"flow of a door of {width * METRES_A_TILE:.2f} m",
                "mode": "measure",
                "us_mean": None,
                "threads": 1,
                "passed": len(times),
                "flow": round(float(flow), 2),
                "published": "1.2 to 1.9",
            }
        )
    found = np.concatenate(every)
    bins = np.arange(0.0, 6.0, 0.5)
    for low in bins:
        mine = found[(found[:, 0] >= low) & (found[:, 0] < low + 0.5)]
        if len(mine) >= 5:
            out.append(
                {
                    "algorithm": f"speed at {low:.1f} to {low + 0.5:.1f} persons a square metre",
                    "mode": "measure",
                    "us_mean": None,
                    "threads": 1,
                    "samples": len(mine),
                    "speed": round(float(mine[:, 1].mean()), 2),
                    "published": f"{float(weidmann(np.array([low + 0.25]))[0]):.2f}",
                }
            )
    if picture is not None:
        _draw(picture, found, out)
    return out


def _draw(picture: Path, samples: np.ndarray, found: list[dict[str, Any]]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(samples[:, 0], samples[:, 1], ".", color="#1f5fa8", alpha=0.25, label="Fogline, before a door")
    density = np.linspace(0.1, 5.4, 100)
    left.plot(density, weidmann(density), color="#c85a17", label="Weidmann, 1993")
    left.set(xlabel="density, persons / m²", ylabel="speed, m/s", title="Speed over density")
    left.legend(frameon=False)
    doors = [row for row in found if "flow" in row]
    widths = [float(row["algorithm"].split()[-2]) for row in doors]
    right.axhspan(1.2, 1.9, color="#c85a17", alpha=0.25, label="experiments")
    right.plot(widths, [row["flow"] for row in doors], "o-", color="#1f5fa8", label="Fogline")
    right.set(
        xlabel="width of the door, m", ylabel="flow, persons / m / s", title="Flow of a bottleneck", ylim=(0, 3.5)
    )
    right.legend(frameon=False)
    figure.savefig(picture, dpi=80)
