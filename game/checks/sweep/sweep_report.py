"""Report of a sweep: mean, interval and effect of each setting, as HTML."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import numpy as np
import polars
from matplotlib.figure import Figure
from scipy import stats

from game.checks.comparing.intervals import Interval, interval_of
from game.checks.sweep.result_store import read_results

FIGURES = (
    "won", "ticks", "losses", "enemy_losses", "alarms", "identified", "arrived_share", "moving", "expectations_failed",
    "paths.revolutions_total", "paths.full_latency_ticks_p95", "tick_ms_p50", "tick_ms_p99",
)  # fmt: skip
"""Columns of results that a report tells of, those that are there."""
PAPER, INK = "#E4DAC2", "#2A2730"


@dataclass(frozen=True)
class Effect:
    """Effect of a setting: difference of a figure between two of its values.

    Games are paired by level, script, seed and the other settings."""

    setting: str
    figure: str
    before: str
    after: str
    difference: Interval
    p: float


def settings_of(table: polars.DataFrame) -> list[str]:
    """Return the columns of settings that have more than one value."""
    return [n for n in table.columns if n.startswith("set.") and table[n].n_unique() > 1]


def effects(table: polars.DataFrame) -> list[Effect]:
    """Return the effect of each value of each setting against the first value.

    There is one for each figure. Runs are paired: they differ in this setting alone. ``p`` is that of a paired t-test,
    nan with fewer than two pairs or without any spread.
    """
    found, settings = [], settings_of(table)
    for setting in settings:
        values = table[setting].unique(maintain_order=True).to_list()
        keys = ["level", "script", "seed", *(n for n in settings if n != setting)]
        first = table.filter(polars.col(setting) == values[0])
        for value in values[1:]:
            pairs = first.join(table.filter(polars.col(setting) == value), on=keys, suffix=".after", nulls_equal=True)
            for figure in figures_of(table):
                change = (pairs[f"{figure}.after"] - pairs[figure]).cast(polars.Float64).drop_nulls().to_numpy()
                p = float("nan")
                if len(change) > 1 and np.ptp(change) > 0:
                    p = float(stats.ttest_1samp(change, 0.0).pvalue)
                found.append(
                    Effect(setting.removeprefix("set."), figure, str(values[0]), str(value), interval_of(change), p)
                )
    return found


def figures_of(table: polars.DataFrame) -> list[str]:
    """Return the columns of figures that the table has and that differ between runs."""
    return [n for n in FIGURES if n in table.columns and table[n].n_unique() > 1]


def write_report(results: Path, out: Path) -> Path:
    """Write the HTML page of a table of results.

    ValueError in one line when it cannot be read or written."""
    table = read_results(results)
    failed = table.filter(polars.col("status") != "done")
    table = table.filter(polars.col("status") == "done")
    if not len(table):
        raise ValueError(f"{results}: holds no finished game; run main.py sweep again")
    parts = [
        f"<h1>{html.escape(results.name)}</h1>",
        f"<p>{len(table)} games, {table['seed'].n_unique()} seeds, {table['level'].n_unique()} levels;"
        f" {len(failed)} failed. Means with 95 % intervals; effects are paired by level, script, seed and the other"
        " settings.</p>",
        _effects_table(effects(table)),
    ]
    for setting in settings_of(table) or [""]:
        parts.append(f"<h2>{html.escape(setting.removeprefix('set.') or 'All games')}</h2>")
        parts += [_means_table(table, setting), _plots(table, setting)]
    parts.append(_failed_table(failed))
    page = _PAGE.replace("TITLE", html.escape(results.name)).replace("BODY", "\n".join(parts))
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as error:
        raise ValueError(f"{out}: cannot be written ({error.strerror})") from None
    return out


_PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>TITLE</title><style>
body {{ font: 16px/1.5 serif; color: {INK}; background: {PAPER}; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }}
table {{ border-collapse: collapse; margin: 1rem 0 }} td, th {{ border: 1px solid {INK}; padding: .2rem .6rem }}
td {{ text-align: right }} td:first-child {{ text-align: left }}
</style></head><body>
BODY
</body></html>
"""


def _number(value: float) -> str:
    return "-" if value != value else f"{value:.4g}"


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = ["<tr>" + "".join(f"<th>{html.escape(h)}</th>" for h in head) + "</tr>"]
    cells += ["<tr>" + "".join(f"<td>{html.escape(c)}</td>" for c in row) + "</tr>" for row in rows]
    return "<table>" + "\n".join(cells) + "</table>"


def _effects_table(found: list[Effect]) -> str:
    if not found:
        return "<p>No setting was varied.</p>"
    return "<h2>Effects</h2>" + _rows(
        ("setting", "figure", "from", "to", "mean difference", "95 % interval", "pairs", "p"),
        [
            (
                e.setting, e.figure, e.before, e.after, _number(e.difference.mean),
                f"{_number(e.difference.mean - e.difference.half)} to {_number(e.difference.mean + e.difference.half)}",
                str(e.difference.count), _number(e.p),
            )
            for e in found
        ],
    )  # fmt: skip


def _groups(table: polars.DataFrame, setting: str) -> list[tuple[str, polars.DataFrame]]:
    if not setting:
        return [("all", table)]
    values = table[setting].unique(maintain_order=True).to_list()
    return [(str(value), table.filter(polars.col(setting) == value)) for value in values]


def _means_table(table: polars.DataFrame, setting: str) -> str:
    rows = []
    for value, group in _groups(table, setting):
        for figure in figures_of(table):
            found = interval_of(group[figure].cast(polars.Float64).drop_nulls().to_numpy())
            rows.append((value, figure, _number(found.mean), _number(found.half), str(found.count)))
    return _rows(("value", "figure", "mean", "half width", "games"), rows)


def _plots(table: polars.DataFrame, setting: str) -> str:
    """Return one picture: a panel for each figure, a dot for each game."""
    figures = figures_of(table)
    if not figures:
        return ""
    matplotlib.use("agg")
    columns = 3
    rows = -(-len(figures) // columns)
    sheet = Figure(figsize=(12, 2.6 * rows), facecolor=PAPER, layout="constrained")
    for place, figure in enumerate(figures, 1):
        panel = sheet.add_subplot(rows, columns, place, facecolor=PAPER)
        panel.set_title(figure, color=INK)
        groups = _groups(table, setting)
        for at, (_, group) in enumerate(groups):
            values = group[figure].cast(polars.Float64).drop_nulls().to_numpy()
            spread = (np.arange(len(values)) % 7 - 3) * 0.02
            panel.plot(at + spread - 0.12, values, ".", color="#1F5FA8", alpha=0.4)
            found = interval_of(values)
            panel.errorbar(
                at + 0.12, found.mean, yerr=0.0 if found.half != found.half else found.half, fmt="o", color=INK
            )
        panel.set_xticks(range(len(groups)), [value for value, _ in groups])
        panel.set_xlim(-0.6, len(groups) - 0.4)
    raw = io.BytesIO()
    sheet.savefig(raw, format="png", dpi=80)
    return f'<img alt="{html.escape(setting)}" src="data:image/png;base64,{base64.b64encode(raw.getvalue()).decode()}">'


def _failed_table(failed: polars.DataFrame) -> str:
    if not len(failed):
        return ""
    names = [n for n in failed.columns if n in ("level", "script", "seed", "error") or n.startswith("set.")]
    return "<h2>Failed games</h2>" + _rows(names, [[str(c) for c in row] for row in failed.select(names).rows()])
