# SPDX-License-Identifier: Apache-2.0
"""Tests for the memory that an address is in.

    shared      static shared memory at the start of the arena, or dynamic shared memory at its end
    local       memory between them, or on the thread's stack
    constant    a variable in constant memory that the code knows
    global      anything else

Source: PTX ISA manual, clause `isspacep`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.address_spaces import CONSTANT
from lanewise.ir.builder import Builder
from lanewise.ir.layout import size_of
from lanewise.ir.values import Value, i32, i64, int_constant
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.frame import Frame
from lanewise.workgroup.layout.symbols import Symbols

_RED_ZONE: Final = 128
"""Bytes beyond the end of the stack that a function which calls no other may use (System V ABI for x86-64, 3.2.2)."""
_ADDRESS_OF_FRAME: Final = ty.function(ty.PTR, (ty.I32,))
_SAVE_STACK: Final = ty.function(ty.PTR, ())


def is_in_space(name: str, pointer: Value, frame: Frame, symbols: Symbols, build: Builder) -> Value:
    """`llvm.nvvm.isspacep.NAME`, an i1."""
    if name in _TESTS:
        return _TESTS[name](build.cast("ptrtoint", pointer, ty.I64), frame, symbols, build)
    elsewhere = [is_in_space(other, pointer, frame, symbols, build) for other in _TESTS]
    return build.binary("xor", _any(elsewhere, build), int_constant(ty.I1, 1))


def _is_shared(address: Value, frame: Frame, symbols: Symbols, build: Builder) -> Value:
    start = build.cast("ptrtoint", frame.arena, ty.I64)
    static = _is_within(address, start, symbols.static_shared_bytes, build)
    dynamic = build.cast("ptrtoint", symbols.dynamic_shared(), ty.I64)
    bytes_ = build.load(ty.I32, build.offset(frame.launch, abi.LAUNCH_DYNAMIC_SHARED), align=4)
    wide = build.cast("zext", bytes_, ty.I64)
    return build.binary("or", static, _is_within(address, dynamic, wide, build))


def _is_local(address: Value, frame: Frame, symbols: Symbols, build: Builder) -> Value:
    start = build.binary("add", build.cast("ptrtoint", frame.arena, ty.I64), symbols.static_shared_bytes)
    end = build.cast("ptrtoint", symbols.dynamic_shared(), ty.I64)
    in_arena = _is_within(address, start, build.binary("sub", end, start), build)
    top = symbols.stack_top
    if top is None:
        frame_address = symbols.external("llvm.frameaddress.p0", _ADDRESS_OF_FRAME)
        top = build.call_function(frame_address, (i32(0),))
    bottom_pointer = build.call_function(symbols.external("llvm.stacksave.p0", _SAVE_STACK), ())
    bottom = build.binary("sub", build.cast("ptrtoint", bottom_pointer, ty.I64), i64(_RED_ZONE))
    size = build.binary("sub", build.cast("ptrtoint", top, ty.I64), bottom)
    return build.binary("or", in_arena, _is_within(address, bottom, size, build))


def _is_constant(address: Value, frame: Frame, symbols: Symbols, build: Builder) -> Value:
    found: list[Value] = []
    for variable in symbols.source.variables:
        if variable.type.addrspace == CONSTANT:
            start = build.cast("ptrtoint", symbols.symbol(variable), ty.I64)
            size = i64(size_of(variable.value_type, symbols.source.types))
            found.append(_is_within(address, start, size, build))
    return _any(found, build)


_TESTS: Final[dict[str, Callable[[Value, Frame, Symbols, Builder], Value]]] = {
    "shared": _is_shared,
    "local": _is_local,
    "const": _is_constant,
}


def _is_within(address: Value, start: Value, size: Value, build: Builder) -> Value:
    return build.compare("ult", build.binary("sub", address, start), size)


def _any(conditions: list[Value], build: Builder) -> Value:
    result: Value = int_constant(ty.I1, 0)
    for condition in conditions:
        result = build.binary("or", result, condition)
    return result
