"""Machine instructions for kernels, and arrays by address.

The instructions count zeros in 64-bit words, load wide words and give hints to the processor.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def trailing_zeros(typing_context: Any, word: Any) -> Any:
    """Return the index of the lowest set bit of a uint64; undefined for zero."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def leading_zeros(typing_context: Any, word: Any) -> Any:
    """Return the number of zero bits above the highest set bit of a uint64.

    It is undefined for zero.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), build


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def load_word(typing_context: Any, values: Any, index: Any) -> Any:
    """Load eight bytes of a C array as one uint64.

    They begin at flat element ``index``, and the first element is in the low bits, on little-endian machines. The
    caller ensures that the eight bytes lie inside the array.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        wide = builder.bitcast(place, ir.IntType(64).as_pointer())
        return builder.load(wide, align=1)

    return types.uint64(values, types.int64), build


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def prefetch(typing_context: Any, values: Any, index: Any) -> Any:
    """Prefetch the cache line of a C array's flat element ``index``.

    It is a hint. The element may lie anywhere; it never causes a fault.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(array.data, [arguments[1]])
        byte, word = ir.IntType(8), ir.IntType(32)
        pointer = builder.bitcast(place, byte.as_pointer())
        kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), word, word, word])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [byte.as_pointer()], kind)
        builder.call(hint, [pointer, ir.Constant(word, 0), ir.Constant(word, 3), ir.Constant(word, 1)])
        return context.get_dummy_value()

    return types.void(values, types.int64), build


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def pointer(typing_context: Any, address: Any) -> Any:
    """Return an int64 address as a pointer for ``carray``.

    A call with a dozen arrays costs more than many a search.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), build
