"""Random numbers depend only on their key, in Python and in kernels."""

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ai.core import rand
from ai.core.rand import Stream

keys = st.tuples(
    st.integers(0, 2**63 - 1), st.sampled_from(list(Stream)), st.integers(0, 10**6), st.integers(0, 10**5),
    st.integers(0, 100),
)  # fmt: skip


@numba.njit
def in_a_kernel(seed: int, stream: int, tick: int, unit: int, n: int) -> tuple[np.uint64, float]:
    return rand.rand_bits(seed, stream, tick, unit, n), rand.rand_unit(seed, stream, tick, unit, n)


@given(keys)
def test_kernel_and_python_agree(key: tuple[int, int, int, int, int]) -> None:
    bits, unit = in_a_kernel(*map(int, key))
    assert int(bits) == rand.bits(*key)
    assert unit == rand.uniform(*key)


def test_known_values_never_change() -> None:
    """Replays depend on them."""
    assert rand.bits(1, 2, 3, 4, 5) == 7345227294263708237
    assert rand.bits(1, 2, 3, 4, 5) != rand.bits(1, 2, 3, 5, 4)


@pytest.mark.parametrize("vary", range(5))
def test_uniform_in_every_word_of_the_key(vary: int) -> None:
    draws = []
    for i in range(4000):
        key = [7, int(Stream.FIRE), 100, 3, 0]
        key[vary] = i
        draws.append(rand.uniform(*key))
    assert stats.kstest(draws, "uniform").pvalue > 1e-4
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < 0.06


def test_below_stays_below_and_reaches_all() -> None:
    assert {rand.below(6, 1, 1, t, 0) for t in range(200)} == set(range(6))
    with pytest.raises(ValueError, match="positive"):
        rand.below(0, 1, 1, 1, 1)
