"""The example of docs/using_ai.md runs, and its units get round the wall."""

from examples.first_path import main
from tests.test_house import imports_of
from tools.prose_lint import ROOT


def test_the_units_arrive_beside_the_goal() -> None:
    tick, x, y = main()
    assert 200 < tick < 400, "round the wall, not through it"
    assert abs(x - 35.5) < 2 and abs(y - 20.5) < 2


def test_the_example_needs_no_game() -> None:
    assert not any(name.startswith(("game", "pygame")) for name in imports_of(ROOT / "examples" / "first_path.py"))


def test_the_page_names_the_example() -> None:
    assert "examples/first_path.py" in (ROOT / "docs" / "using_ai.md").read_text(encoding="utf-8")
