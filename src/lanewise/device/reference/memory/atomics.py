# SPDX-License-Identifier: Apache-2.0
"""Atomic read-modify-write. Work-items switch at barriers and warp operations only, so a load followed by a store is
atomic. Source: LLVM Language Reference, "atomicrmw Instruction", "cmpxchg Instruction"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.device.reference.arithmetic import floats, integers
from lanewise.device.reference.arithmetic.encoding import Codec
from lanewise.device.reference.arithmetic.indeterminate import Value, unknown_result
from lanewise.device.reference.arithmetic.integers import wrapped
from lanewise.device.reference.memory.accesses import load_at, store_at
from lanewise.device.reference.memory.objects import Memory
from lanewise.ir.types import Type

Update = Callable[[Value, Value], Value]


def update_function(operation: str, type_: Type) -> Update:
    """The function (old value, operand) -> new value of an atomicrmw operation."""
    if operation == "xchg":
        return lambda old, operand: operand
    if operation in ("fadd", "fsub"):
        return floats.binary(operation, type_.kind)
    if operation in ("fmin", "fmax", "fminimum", "fmaximum"):
        choose = floats.choose_extreme(largest="max" in operation, nan_wins=operation.endswith("imum"))
        return floats.rounded_binary(choose, type_.kind)
    if operation in ("add", "sub", "and", "or", "xor"):
        return integers.binary(operation, (), type_.bits)
    return _known(_INTEGER_UPDATES[operation], type_.bits)


def _known(compute: Callable[[int, int, int], int], bits: int) -> Update:
    def update(old: Value, operand: Value) -> Value:
        try:
            return wrapped(compute(old, operand, (1 << bits) - 1), bits)
        except TypeError:
            return unknown_result(old, operand)

    return update


def _subtract_if_no_borrow(old: int, operand: int, mask: int) -> int:
    return old - operand if old & mask >= operand & mask else old


_INTEGER_UPDATES: Final[dict[str, Callable[[int, int, int], int]]] = {
    "nand": lambda old, v, mask: ~(old & v),
    "min": lambda old, v, mask: min(old, v),
    "max": lambda old, v, mask: max(old, v),
    "umin": lambda old, v, mask: min(old & mask, v & mask),
    "umax": lambda old, v, mask: max(old & mask, v & mask),
    "uinc_wrap": lambda old, v, mask: 0 if old & mask >= v & mask else old + 1,
    "udec_wrap": lambda old, v, mask: v if not old or old & mask > v & mask else old - 1,
    "usub_cond": _subtract_if_no_borrow,
    "usub_sat": lambda old, v, mask: max((old & mask) - (v & mask), 0),
}


def read_modify_write(
    memory: Memory, operation: str, type_: Type, codec: Codec, align: int
) -> Callable[[Value, Value], Value]:
    """An atomicrmw: (address, operand) -> old value."""
    load, store = load_at(memory, type_, codec, align), store_at(memory, type_, codec, align)
    update = update_function(operation, type_)

    def run(address: Value, operand: Value) -> Value:
        old = load(address)
        store(address, update(old, operand))
        return old

    return run


def compare_and_exchange(
    memory: Memory, type_: Type, codec: Codec, align: int
) -> Callable[[Value, Value, Value], Value]:
    """A cmpxchg that never fails spuriously: (address, expected, new) -> (old value, True if exchanged)."""
    load, store = load_at(memory, type_, codec, align), store_at(memory, type_, codec, align)

    def run(address: Value, expected: Value, new: Value) -> Value:
        old = load(address)
        try:
            equal = old == expected
        except TypeError:
            return old, unknown_result(old, expected)
        if equal:
            store(address, new)
        return old, equal

    return run
