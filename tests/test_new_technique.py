"""The three files that a new technique begins with."""

import subprocess
import sys
from pathlib import Path

import pytest

from ai.core.register import scan
from tools.new_technique import MAPS, main

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("area", sorted(MAPS))
def test_three_files_are_written_and_described(area: str, tmp_path: Path, capsys) -> None:
    assert main(["odd-thing", "--area", area, "--root", str(tmp_path)]) == 0
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 3
    (row,) = scan(tmp_path)
    told = capsys.readouterr().out
    assert row.slug == "odd-thing" and all(file in told for file in (row.module, row.test, row.exhibit))
    assert (tmp_path / row.test).is_file() and (tmp_path / row.exhibit).is_file()
    assert (ROOT / row.level).is_file(), "the map of the exhibit exists"
    assert (ROOT / row.module).parent.is_dir() and not (ROOT / row.module).exists()


def test_the_written_test_fails_until_the_technique_works(tmp_path: Path) -> None:
    main(["odd-thing", "--root", str(tmp_path)])
    (row,) = scan(tmp_path)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import pytest; sys.exit(pytest.main(['-q', sys.argv[1]]))"
    )
    done = subprocess.run([sys.executable, "-c", code, row.test], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "NotImplementedError: odd-thing" in done.stdout


def test_a_slug_that_is_taken_or_odd_is_refused_in_one_line(tmp_path: Path, capsys) -> None:
    assert main(["Odd Thing", "--root", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    main(["odd-thing", "--root", str(tmp_path)])
    capsys.readouterr()
    assert main(["odd-thing", "--root", str(tmp_path)]) == 2
    assert "exists" in capsys.readouterr().err
