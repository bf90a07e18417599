# SPDX-License-Identifier: Apache-2.0
"""Atomic read-modify-write of an array's element. All are relaxed, and seen by the whole device, as CUDA's are."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.python.arrays import element_address
from lanewise.frontend.python.code import PythonCode, a, described
from lanewise.frontend.python.device_functions.call import Emit
from lanewise.frontend.python.python_types import Number
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.values import ArrayValue, NumberValue, Value
from lanewise.ir import types as ty
from lanewise.ir.instruction import Instruction, Ordering
from lanewise.ir.values import Value as IrValue

_RELAXED: Final = Ordering("monotonic", scope='syncscope("device")')
_EXCHANGE: Final = Ordering("monotonic", "monotonic", 'syncscope("device")')
_FLOATING: Final = {"add": "fadd", "sub": "fsub", "min": "fmin", "max": "fmax"}
_UNSIGNED: Final = {"min": "umin", "max": "umax"}


def update(operation: str) -> Emit:
    """An operation of `atomicrmw`, by LLVM's name for signed integers."""

    def emit(code: PythonCode, array: Value, index: Value, value: Value) -> NumberValue:
        type_, address = _element(code, array, index)
        operand = _operand(code, type_, value)
        if operation == "xchg":
            return _from_bits(code, type_, _made(code, operation, address, _bits(code, type_, operand)))
        return NumberValue(type_, _made(code, _named(operation, type_), address, operand))

    return emit


def accumulate(code: PythonCode, array: ArrayValue, address: IrValue, operation: str, value: Value) -> None:
    """`array[...] += value` and the like, of an element that other work-items update, too."""
    type_ = array.type.element
    if type_.kind == "bool" or type_.bits < 32:
        raise UnsupportedError(
            f"iterations of this loop may add to the same element of {described(array)}, which takes elements of 32 or "
            "64 bits"
        )
    if array.type.const:
        raise UnsupportedError(f"{described(array)} is read-only, and is assigned to")
    number = code.number(value)
    if type_.kind == "complex" and operation in ("add", "sub"):  # the sums of the parts are independent
        whole = code.convert(number, type_)
        assert whole.imag is not None
        name = _named(operation, type_.part)
        _made(code, name, address, whole.ir)
        _made(code, name, code.build.offset(address, type_.part.size), whole.imag)
        return
    if number.type.is_inexact and not type_.is_floating:
        raise UnsupportedError(
            f"iterations of this loop may add to the same element of {described(array)}, which then takes integers, "
            f"not {a(number.type.name)}: write int(...)"
        )
    _made(code, _named(operation, type_), address, _operand(code, type_, number))


def compare_and_swap(code: PythonCode, array: Value, index: Value, expected: Value, value: Value) -> NumberValue:
    type_, address = _element(code, array, index)
    before, after = (_bits(code, type_, _operand(code, type_, each)) for each in (expected, value))
    pair = ty.struct((before.type, ty.I1))
    made = Instruction("cmpxchg", pair, (address, before, after), ordering=_EXCHANGE, align=type_.size)
    found = Instruction("extractvalue", before.type, (code.build.emit(made),), indices=(0,))
    return _from_bits(code, type_, code.build.emit(found))


def _made(code: PythonCode, operation: str, address: IrValue, value: IrValue) -> IrValue:
    made = Instruction(
        "atomicrmw", value.type, (address, value), predicate=operation, ordering=_RELAXED, align=value.type.bits // 8
    )
    return code.build.emit(made)


def _named(operation: str, type_: Number) -> str:
    if type_.is_floating:
        found = _FLOATING.get(operation)
        if found is None:
            raise UnsupportedError(f"atomic operations on bits are of integers, not of {a(type_.name)}")
        return found
    return operation if type_.is_signed else _UNSIGNED.get(operation, operation)


def _element(code: PythonCode, array: Value, index: Value) -> tuple[Number, IrValue]:
    if not isinstance(array, ArrayValue):
        raise UnsupportedError(
            f"an atomic operation is of an element of an array, given as (array, index), not of {described(array)}"
        )
    type_ = array.type.element
    if array.type.const:
        raise UnsupportedError(f"{described(array)} is read-only, and is assigned to")
    if type_.kind in ("bool", "complex") or type_.bits < 32:
        raise UnsupportedError(f"atomic operations are of numbers of 32 and 64 bits, not of {a(type_.name)}")
    address = element_address(code, array, [index])
    if address is None:
        raise UnsupportedError(
            f"{described(array)} needs {array.type.ndim} indices, as a tuple, in an atomic operation"
        )
    return type_, address


def _operand(code: PythonCode, type_: Number, value: Value) -> IrValue:
    number = code.number(value)
    if number.type.is_floating and not type_.is_floating:
        raise UnsupportedError(
            f"an atomic operation on {a(type_.name)} takes an integer, not {a(number.type.name)}: write int(...)"
        )
    return code.convert(number, type_).ir


def _bits(code: PythonCode, type_: Number, value: IrValue) -> IrValue:
    return code.build.cast("bitcast", value, ty.integer(type_.bits)) if type_.is_floating else value


def _from_bits(code: PythonCode, type_: Number, bits: IrValue) -> NumberValue:
    return NumberValue(type_, code.build.cast("bitcast", bits, type_.register) if type_.is_floating else bits)
