"""Rows of the gallery against the register and the exhibits."""

import tomllib
from pathlib import Path

import pytest

from game.view.exhibits.gallery_rows import ROOT, TECHNIQUES, read_techniques

RAW = tomllib.loads(TECHNIQUES.read_text(encoding="utf-8"))["technique"]
ROWS = {row.slug: row for row in read_techniques()}


@pytest.mark.parametrize("raw", RAW, ids=lambda raw: raw["slug"])
def test_a_row_shows_the_question_of_its_exhibit(raw):
    row = ROWS[raw["slug"]]
    assert row.name == raw["name"] and row.source == raw["source"]
    path = ROOT / raw["exhibit"] if raw["exhibit"] else None
    scripts = [] if path is None else [path.with_suffix(".toml"), *sorted(path.parent.glob(f"{path.stem}.*.toml"))]
    told = [tomllib.loads(f.read_text("utf-8")).get("exhibit") for f in dict.fromkeys(scripts) if f.is_file()]
    own = [e for e in told if e and e["technique"] == raw["slug"]] or [e for e in told if e]
    if own:
        assert row.kind == "exhibit" and row.question == own[0]["question"]
    elif path is not None:
        assert (
            row.kind == "mission"
            and row.question.startswith("in ")
            and path.stem.split("_")[-1] in row.question.lower()
        )
    else:
        assert row.kind == "none" and row.question == "no exhibit yet"


def test_a_broken_script_makes_its_row_a_mission(monkeypatch, tmp_path):
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "x.tmx").write_text("", encoding="utf-8")
    (tmp_path / "levels" / "x.toml").write_text("[exhibit", encoding="utf-8")
    file = Path(tmp_path / "techniques.toml")
    file.write_text('[[technique]]\nslug = "x"\nname = "X"\nexhibit = "levels/x.tmx"', encoding="utf-8")
    monkeypatch.setattr("game.view.exhibits.gallery_rows.ROOT", tmp_path)
    assert read_techniques(file)[0].kind == "mission"
