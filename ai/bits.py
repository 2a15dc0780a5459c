"""Bit counting on 64-bit words inside kernels, as single processor instructions.

numba has no spelling for these; a loop over bits would cost more than the scans that use it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """Index of the lowest set bit of a ``uint64`` as ``int64``; undefined for zero, so test first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def count_ones(typing_context: Any, word: Any) -> Any:
    """Number of set bits of a ``uint64`` as ``int64``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate
