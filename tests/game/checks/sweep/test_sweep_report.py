"""The report of a sweep: intervals and paired effects against scipy's own."""

from pathlib import Path

import numpy as np
import polars
import pytest
from scipy import stats

from game.checks.sweep.sweep_report import effects, interval_of, write_report


def table(seeds: int = 12) -> polars.DataFrame:
    """Results in which the second value is slower by seven to nine ticks."""
    rows = []
    for seed in range(seeds):
        for value, extra in ((0, 0), (2, 7 + seed % 3)):
            rows.append(
                {
                    "level": "a", "digest": "d", "script": "", "seed": seed, "set.steering.avoidance": value,
                    "status": "done", "error": "", "ticks": 100 + 5 * seed + extra, "losses": seed % 2,
                }
            )  # fmt: skip
    return polars.DataFrame(rows)


def test_an_effect_is_that_of_a_paired_t_test() -> None:
    rows = table()
    found = next(e for e in effects(rows) if e.figure == "ticks")
    a, b = (rows.filter(polars.col("set.steering.avoidance") == v)["ticks"].to_numpy() for v in (0, 2))
    truth = stats.ttest_rel(b, a)
    low, high = truth.confidence_interval(0.95)
    assert found.difference.count == 12 and (found.before, found.after) == ("0", "2")
    assert found.difference.mean == pytest.approx((b - a).mean())
    assert found.difference.mean - found.difference.half == pytest.approx(low)
    assert found.difference.mean + found.difference.half == pytest.approx(high)
    assert found.p == pytest.approx(truth.pvalue)


def test_a_figure_that_the_setting_does_not_touch_has_no_effect() -> None:
    found = next(e for e in effects(table()) if e.figure == "losses")
    assert found.difference.mean == 0.0 and np.isnan(found.p)


def test_one_value_has_no_interval() -> None:
    found = interval_of(np.array([3.0]))
    assert found.mean == 3.0 and np.isnan(found.half)


def test_the_page_holds_the_effect_the_plot_and_the_failures(tmp_path: Path) -> None:
    rows = table()
    bad = rows.head(1).with_columns(status=polars.lit("failed"), error=polars.lit("it <broke>"))
    polars.concat([rows, bad]).write_parquet(tmp_path / "r.parquet")
    page = write_report(tmp_path / "r.parquet", tmp_path / "r.html").read_text(encoding="utf-8")
    found = next(e for e in effects(rows) if e.figure == "ticks")
    assert f"{found.difference.mean:.4g}" in page
    assert "data:image/png;base64," in page
    assert "it &lt;broke&gt;" in page and "<broke>" not in page


def test_a_table_without_a_finished_game_is_told(tmp_path: Path) -> None:
    table(1).with_columns(status=polars.lit("failed")).write_parquet(tmp_path / "r.parquet")
    with pytest.raises(ValueError, match="no finished game"):
        write_report(tmp_path / "r.parquet", tmp_path / "r.html")
