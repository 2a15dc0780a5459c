"""Frame of an exhibit: words of the switch."""

from game.view.exhibits.exhibit_frame import lowered


def test_names_with_a_sign_keep_their_case() -> None:
    assert lowered("A* OVER TILES") == "A* over tiles"
    assert lowered("JPS+") == "JPS+" and lowered("LOCAL SEARCH") == "local search"
