"""Committed figures: page and files agree, files name their origin, old counts are told."""

import json
import re
import warnings
from pathlib import Path

import pytest

from tools.bench.pages import origins
from tools.bench.pages.figures_page import PAGE, Line, figures, updated, value

TEXT = PAGE.read_text(encoding="utf-8")


def words(text: str) -> str:
    return " ".join(text.split())


def test_the_tables_of_the_page_are_those_of_the_files() -> None:
    assert updated(TEXT) == TEXT, "run python -m tools.bench refresh"


def test_a_figure_that_differs_from_its_file_is_found() -> None:
    assert "| 6.84x |" in TEXT
    wrong = TEXT.replace("| 6.84x |", "| 7.84x |")
    assert updated(wrong) == TEXT
    with pytest.raises(ValueError, match="lacks the marks of goals"):
        updated(TEXT.replace("<!-- goals -->", ""))
    with pytest.raises(KeyError, match=r"squads\.json: there is no row"):
        value("squads", algorithm="duel")


def test_goals_are_judged_by_the_worst_figure() -> None:
    assert Line("w", (0.2, 0.9), "ms", "", 1.0).cells() == ("w", "", "0.2 to 0.9 ms", "at most 1 ms", "yes")
    assert Line("w", (0.2, 1.05), "ms", "", 1.0).cells()[-1] == "near"
    assert Line("w", (0.2, 1.2), "ms", "", 1.0).cells()[-1] == "no"
    assert Line("w", (2.7, 9.0), "x", "p", 3.0, True).cells() == ("w", "p", "2.7 to 9x", "at least 3x", "no")
    assert Line("w", (0.5,), "%").cells() == ("w", "", "50 %", "", "")


def test_each_file_names_command_machine_date_commit_and_load() -> None:
    files = {p.name for p in origins.FIGURES.glob("*.json")} - {origins.ORIGINS.name}
    known = origins.load()
    assert set(known) == files
    for origin in known.values():
        assert re.fullmatch(r"python -m tools\.(bench|mutants) .+", origin.command) and origin.machine and origin.load
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", origin.date) and re.fullmatch(r"[0-9a-f]{8}", origin.commit)
    assert all(known[name].sources for name in origins.EXACT)


def test_old_exact_counts_are_told_at_the_end_of_the_run() -> None:
    if old := origins.old():
        warnings.warn(f"old figures: {', '.join(old)}; run python -m tools.bench refresh", stacklevel=1)


@pytest.mark.long
def test_exact_counts_are_of_these_sources() -> None:
    assert origins.old() == [], "run python -m tools.bench refresh"


def test_a_changed_source_makes_counts_old_and_changed_prose_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "counted.py"
    monkeypatch.setattr(origins, "ROOT", tmp_path)
    monkeypatch.setattr(origins, "sources_of", lambda _: [file])

    def digest(text: str) -> str:
        file.write_text(text, encoding="utf-8")
        origins._code.cache_clear()
        return origins.sources("tuning")

    first = digest('"""A."""\n\nTECHNIQUES = (1,)\n\n\ndef f():\n    """B."""\n    return 1\n')
    assert digest('"""C."""\n# D\n\nTECHNIQUES = (2,)\n\n\ndef f():\n    """E\n    F."""\n\n    return 1\n') == first
    assert digest('"""A."""\n\n\ndef f():\n    """B."""\n    return 2\n') != first
    origins._code.cache_clear()


def test_an_origin_is_written_without_the_name_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(origins, "ORIGINS", tmp_path / "origins.json")
    origins.note(tmp_path / "search.json", ["search", "--maps", "/some/where", "--json", "x.json"])
    row = json.loads((tmp_path / "origins.json").read_text(encoding="utf-8"))["search.json"]
    assert row["command"] == "python -m tools.bench search --maps DIR" and row["sources"] == ""
    assert "cores" in row["machine"] and row["load"]


def test_what_the_page_says_of_crowds_holds() -> None:
    found = figures("crowd_choices")
    choice = {r["algorithm"]: {s["scenario"]: s for s in found if s["algorithm"] == r["algorithm"]} for r in found}
    ours, circles = choice["Fogline"], [s for s in choice["Fogline"] if s.startswith("circle_")]
    rivals = [c for name, c in choice.items() if name.startswith("Fogline,")]
    excess = [ours[s]["last_over_free"] / min(c[s]["last_over_free"] for c in rivals) for s in circles]
    assert "earliest on three of four circles, within 2 % on the fourth" in words(TEXT)
    assert sum(e <= 1 for e in excess) == 3 and max(excess) < 1.02
    for name in ("Fogline, social force", "Fogline, separation"):
        assert 4.1 <= choice[name]["bottleneck_1"]["last_over_free"] < 4.2 < ours["bottleneck_1"]["last_over_free"]
        assert 1.4 <= choice[name]["bottleneck_2"]["last_over_free"] < 1.5 < ours["bottleneck_2"]["last_over_free"]
        assert choice[name]["corridor"]["last_over_free"] < ours["corridor"]["last_over_free"]
    far = choice["Fogline, looks farther"]
    assert sum(far[s]["reversals"] < ours[s]["reversals"] for s in circles) == 3
    assert far["bottleneck_1"]["last_over_free"] == max(c["bottleneck_1"]["last_over_free"] for c in rivals)
    turns = choice["Fogline, context maps"]
    assert 9 <= min(turns[s]["reversals"] / ours[s]["reversals"] for s in circles) < 10
    speeds = [r for r in figures("crowd_measures") if r["algorithm"].startswith("speed")]
    for row in speeds:
        low, high = (float(x) for x in re.findall(r"\d\.\d", row["algorithm"]))
        ratio = row["speed"] / float(row["published"])
        assert ratio < 1 if high <= 1.5 else 1 < ratio < 2 or low >= 5
    flows = [r["flow"] for r in figures("crowd_measures") if r["algorithm"].startswith("flow")]
    assert f"door of one body passes {flows[0]} persons" in words(TEXT)
    assert f"wider doors pass {round(min(flows[1:]), 1)} to {round(max(flows[1:]), 1)}" in words(TEXT)
    scenes = [r for r in figures("crowd_scenarios") if r["algorithm"] == "Fogline"]
    assert all(r["overlap"] == 0 and r["gave_up"] == 0 for r in scenes)
    assert all(
        r["last_over_free"] < 1.5 and r["arrived"] == r["units"] for r in scenes if "circle_250" in r["scenario"]
    )
