"""List of overlays: those that are on first, the others under their subjects."""

from game.view.lab.draw_list import ordered_rows, subject_of
from game.view.lab.overlay_set import OverlaySet
from game.view.overlays.lenses import all_overlays


def test_overlays_that_are_on_stand_first_and_every_other_once_below_its_subject():
    registered, overlays = all_overlays(), OverlaySet()
    overlays.lens("paths")
    on = {o.name for o in overlays.on}
    rows = ordered_rows(registered, overlays)
    assert {row.name for row in rows[: len(on)]} == on
    subject, listed = "", []
    for row in rows[len(on) :]:
        if isinstance(row, str):
            subject = row
        else:
            assert subject_of(row) == subject and row.name not in on
            listed.append(row.name)
    assert sorted([*listed, *on]) == sorted(cls.name for cls in registered)
    headings = [row for row in rows if isinstance(row, str)]
    assert headings == sorted(set(headings)) and len(headings) > 3
