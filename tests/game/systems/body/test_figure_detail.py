"""Sets of the game, and one line of fault for bad data."""

from pathlib import Path

import numpy as np
import pytest

from ai.animation.animation_lod import OUT
from game.systems.body.figure_detail import FILE, read_detail


def test_a_person_is_whole_at_24_px_a_tile_coarse_at_12_and_a_mark_at_8() -> None:
    detail, seen = read_detail(), np.ones(2, bool)
    radius = np.array([0.3, 0.6])
    found = {zoom: detail.levels(radius, zoom, seen)[1].tolist() for zoom in (48, 24, 16, 12, 8)}
    assert [found[z][0] for z in (48, 24, 16, 12, 8)] == [0, 0, 1, 1, OUT]
    assert found[12][1] == 0, "a cart keeps its extras longer"
    assert detail.levels(radius, 48, ~seen)[1].tolist() == [OUT, OUT]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("width = 5.0", "width = 15.0", "widths do not fall"),
        ('parts = ["body"]', 'parts = ["bodies"]', "level.1.parts.0"),
        ("radius = 0.5", "radius = 0.0", "the others rise"),
        (
            "every = 1\n\n[[class.person.level]]\nwidth = 5.0",
            "every = 1\n\n[[class.large.level]]\nwidth = 5.0",
            "class",
        ),
        ("[class.person]", "[class.person]\nradios = 1", "radios"),
        ("[class.large]", "[classes.large]", "class"),
    ],
)
def test_bad_data_ends_in_one_line_with_file_and_key(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = FILE.read_text()
    assert old in text
    file = tmp_path / "animation_lod.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(ValueError) as caught:
        read_detail(file)
    line = str(caught.value)
    assert str(file) in line and said in line and "\n" not in line
