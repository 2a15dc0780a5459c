"""Action table against a nested map and the example of its source."""

from itertools import product

import pytest

from ai.animation.action_table import DEFAULT, ActionTable, Clip, allowed, drawn_variant, packed
from ai.core.rand import Stream, uniform

ONE_HAND, TWO_HANDS, BOW = 1, 2, 3
IDLE, WALK, RUN, ATTACK = range(4)
ROWS = [
    (DEFAULT, IDLE, Clip("idle")), (DEFAULT, WALK, Clip("walk")), (DEFAULT, RUN, Clip("run")),
    (DEFAULT, ATTACK, Clip("punch", "jab")),
    (TWO_HANDS, RUN, Clip("run_two_hands")),
    (ONE_HAND, ATTACK, Clip("cut", "swing")), (ONE_HAND, ATTACK, Clip("thrust", "jab")),
    (ONE_HAND, ATTACK, Clip("spin", "swing")),
]  # fmt: skip


def test_every_pair_is_answered_as_by_a_nested_map() -> None:
    nested: dict[int, dict[int, list[Clip]]] = {}
    for condition, action, clip in ROWS:
        nested.setdefault(condition, {}).setdefault(action, []).append(clip)
    table = ActionTable(ROWS)
    for condition, action in product(range(5), range(6)):
        own = nested.get(condition, {}).get(action) or nested[DEFAULT].get(action)
        assert table.choose(condition, action) == (own[0] if own else None)


def test_the_specific_clip_wins_and_the_default_stands_in() -> None:
    table = ActionTable(ROWS)
    assert table.choose(TWO_HANDS, RUN) == Clip("run_two_hands")
    assert table.choose(TWO_HANDS, WALK) == Clip("walk")
    assert table.choose(BOW, ATTACK) == Clip("punch", "jab"), "the descriptor is that of the default"
    more = ActionTable([*ROWS, (BOW, ATTACK, Clip("loose", "shot"))])
    assert more.choose(BOW, ATTACK) == Clip("loose", "shot"), "a row of data changes the clip"
    assert table.choose(BOW, 9) is None


def test_variants_are_drawn_evenly_with_their_own_descriptor() -> None:
    """Chi-square of 3,000 draws over three variants stays under 13.8 (0.1 %)."""
    table, kinds = ActionTable(ROWS), {"cut": "swing", "thrust": "jab", "spin": "swing"}
    counts = dict.fromkeys(kinds, 0)
    for n in range(3000):
        clip = table.choose(ONE_HAND, ATTACK, uniform(5, Stream.SCRIPT, 0, 0, n))
        assert clip is not None and clip.descriptor == kinds[clip.name]
        counts[clip.name] += 1
    assert sum((c - 1000) ** 2 / 1000 for c in counts.values()) < 13.8


@pytest.mark.parametrize(("unlocked", "names"), [(1, {"cut"}), (2, {"cut", "thrust"}), (9, {"cut", "thrust", "spin"})])
def test_variants_beyond_the_unlocked_ones_are_never_drawn(unlocked: int, names: set[str]) -> None:
    table = ActionTable(ROWS)
    drawn = [table.choose(ONE_HAND, ATTACK, n / 100, unlocked) for n in range(100)]
    assert {clip.name for clip in drawn if clip is not None} == names
    last = table.choose(ONE_HAND, ATTACK, 1.0, unlocked)
    assert last == ROWS[4 + len(names)][2], "a draw of exactly 1 takes the last variant"


def test_units_and_ticks_draw_all_variants_evenly() -> None:
    """Chi-square of 600 draws over three variants stays under 13.8 (0.1 %)."""
    for drawn in ([drawn_variant(3, t, 5) for t in range(600)], [drawn_variant(3, 5, u) for u in range(600)]):
        assert set(drawn) == {0, 1, 2} and sum((drawn.count(k) - 200) ** 2 / 200 for k in range(3)) < 13.8


def test_without_variants_only_the_first_may_be_drawn() -> None:
    assert allowed(("fist", "hat"), True) == ("fist", "hat") and allowed(("fist", "hat"), False) == ("fist",)


def test_keys_pack_and_faults_of_the_data_are_named() -> None:
    assert {divmod(packed(c, a), 1 << 16) for c, a in product((0, 7, 65535), repeat=2)} == set(
        product((0, 7, 65535), repeat=2)
    )
    with pytest.raises(ValueError, match="from 0 to 65535"):
        packed(0, 65536)
    assert ActionTable(ROWS).without_default() == []
    assert ActionTable([(BOW, 9, Clip("draw"))]).without_default() == [9]
