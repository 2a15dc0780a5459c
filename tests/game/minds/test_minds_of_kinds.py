"""Kinds of minds: each has abilities and code, and its beliefs are state."""

from __future__ import annotations

import pytest

from ai.core.serialization import restore, snapshot
from game.minds.mind_turns import MINDS
from game.world.mind_kinds import MIND_KINDS, mind_can
from game.world.unit_types import load_types


def test_every_kind_of_mind_has_code_and_every_unit_type_a_kind() -> None:
    assert set(MINDS) == set(MIND_KINDS)
    types, _ = load_types()
    assert {t.mind for t in types} <= set(MIND_KINDS)
    assert {t.name for t in types if mind_can(t, "watches")} >= {"guard", "dog"}


@pytest.mark.parametrize("kind", sorted(MINDS))
def test_beliefs_survive_a_snapshot_and_are_not_shared(kind: str) -> None:
    beliefs = MINDS[kind].beliefs()
    assert restore(snapshot(beliefs)) == beliefs == MINDS[kind].beliefs()
    assert beliefs.order is not MINDS[kind].beliefs().order, "two units never share a record"
