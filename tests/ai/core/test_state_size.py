"""State files are bounded before they are unpacked."""

from __future__ import annotations

import tracemalloc
import zlib

import pytest

from ai.core import serialization
from ai.core.serialization import StateError, from_bytes, to_bytes


def test_a_body_over_the_limit_is_refused_without_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serialization, "_LARGEST_BODY", 1 << 20)
    packed = serialization._MAGIC + zlib.compress(bytes(64 << 20), 1)
    tracemalloc.start()
    try:
        with pytest.raises(StateError, match="more than 1 MB"):
            from_bytes(packed)
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_state_that_could_not_be_read_again_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serialization, "_LARGEST_BODY", 1 << 20)
    assert from_bytes(to_bytes(bytes(1 << 19))) == bytes(1 << 19)
    with pytest.raises(StateError, match="cannot be saved"):
        to_bytes(bytes(1 << 20))


def test_every_cut_of_a_state_is_refused_in_one_line() -> None:
    raw = to_bytes([1, "two", 3.0])
    assert from_bytes(raw) == [1, "two", 3.0]
    for end in range(len(raw)):
        with pytest.raises(StateError) as told:
            from_bytes(raw[:end])
        assert "\n" not in str(told.value)
