# SPDX-License-Identifier: Apache-2.0
"""Operations of a warp: shuffles of numbers of any type, votes, and its barrier."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.device_functions.call import Emit, called, constant_integer, word
from lanewise.frontend.python.python_types import INT, PYTHON_BOOL, Number
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import NumberValue, PythonObject, Value
from lanewise.ir import types as ty
from lanewise.ir.values import Value as IrValue
from lanewise.ir.values import i32, i64

WARP_SIZE: Final = 32


def shuffle(mode: str) -> Emit:
    """A shuffle of one of PTX's modes: "idx", "up", "down" or "bfly"."""

    def emit(code: PythonCode, mask: Value, value: Value, lane: Value, width: Value) -> NumberValue:
        number = code.number(value)
        members, from_ = word(code, mask), word(code, lane)
        limit = i32(_limit(mode, width))
        symbol = f"llvm.nvvm.shfl.sync.{mode}.i32"
        words = [called(code, symbol, ty.I32, members, part, from_, limit) for part in _words(code, number)]
        return _of_words(code, number.type, words)

    return emit


def _limit(mode: str, width: Value) -> int:
    """PTX's operand c: the parts that a warp is divided into, and the last lane of a part (0 for "up": the first)."""
    size = constant_integer(width, "the width of a shuffle")
    if not 1 <= size <= WARP_SIZE or size & (size - 1):
        raise UnsupportedError(f"the width of a shuffle is a power of two up to {WARP_SIZE}, not {size}")
    return (WARP_SIZE - size) << 8 | (0 if mode == "up" else WARP_SIZE - 1)


def _words(code: PythonCode, value: NumberValue) -> list[IrValue]:
    """The bits of a number, in words of 32, the lowest first."""
    build, type_, ir = code.build, value.type, value.ir
    if type_.is_floating:
        ir = build.cast("bitcast", ir, ty.integer(type_.bits))
    if ir.type.bits == 64:
        return [build.cast("trunc", ir, ty.I32), build.cast("trunc", build.binary("lshr", ir, i64(32)), ty.I32)]
    return [ir if ir.type.bits == 32 else build.cast("zext", ir, ty.I32)]


def _of_words(code: PythonCode, type_: Number, words: list[IrValue]) -> NumberValue:
    build, bits = code.build, type_.register.bits
    ir = words[0]
    if len(words) == 2:
        low, high = (build.cast("zext", each, ty.I64) for each in words)
        ir = build.binary("or", low, build.binary("shl", high, i64(32)))
    elif bits < 32:
        ir = build.cast("trunc", ir, ty.integer(bits))
    return NumberValue(type_, build.cast("bitcast", ir, type_.register) if type_.is_floating else ir)


def vote(kind: str) -> Emit:
    """`any` or `all`."""

    def emit(code: PythonCode, mask: Value, predicate: Value) -> NumberValue:
        found = called(code, f"llvm.nvvm.vote.{kind}.sync", ty.I1, word(code, mask), code.is_true(predicate))
        return NumberValue(PYTHON_BOOL, found)

    return emit


def ballot(code: PythonCode, mask: Value, predicate: Value) -> NumberValue:
    lanes = called(code, "llvm.nvvm.vote.ballot.sync", ty.I32, word(code, mask), code.is_true(predicate))
    return NumberValue(INT, code.build.cast("zext", lanes, ty.I64))


def match_any(code: PythonCode, mask: Value, value: Value) -> NumberValue:
    """The lanes with the same bits, in a type of 32 or 64 bits."""
    number = code.number(value)
    if number.type.bits < 32:
        number = code.convert(number, Number("float" if number.type.is_floating else "int", 32))
    bits = number.type.bits
    ir = number.ir
    if number.type.is_floating:
        ir = code.build.cast("bitcast", ir, ty.integer(bits))
    lanes = called(code, f"llvm.nvvm.match.any.sync.i{bits}", ty.I32, word(code, mask), ir)
    return NumberValue(INT, code.build.cast("zext", lanes, ty.I64))


def active_mask(code: PythonCode) -> NumberValue:
    return NumberValue(INT, code.build.cast("zext", called(code, "llvm.nvvm.activemask", ty.I32), ty.I64))


def sync_warp(code: PythonCode, mask: Value) -> PythonObject:
    called(code, "llvm.nvvm.bar.warp.sync", ty.VOID, word(code, mask))
    return PythonObject(None)
