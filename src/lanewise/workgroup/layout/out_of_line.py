# SPDX-License-Identifier: Apache-2.0
"""Calls between kernels and out-of-line functions, which can't be inlined.

Why: a function that calls itself, or that is called through a pointer, must exist as one. All out-of-line functions of
a program (see `analysis/call_graph.py`) are compiled to one object, whichever kernel calls them. A pointer to a
function in memory then means the same to all kernels.

A kernel doesn't know how many registers or how much memory such a function needs, and the function doesn't know the
kernel. So all that a function may ask about its work-item is passed as a record in memory, by its address in front of
the other arguments. Shared variables that any out-of-line function of the program uses are at the start of the arena,
at the same places in all kernels.

Before
    @f = dso_local addrspace(1) externally_initialized global ptr @twice, align 8
    define ptx_kernel void @k(ptr %p) {
      %f = load ptr, ptr addrspacecast (ptr addrspace(1) @f to ptr), align 8
      %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %r = call i32 %f(i32 %i)
      store i32 %r, ptr %p, align 4
      ret void
    }
    define i32 @twice(i32 %x) {
      %r = add i32 %x, %x
      ret i32 %r
    }
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

After, with a record that has the group before the loop, and the local id in it
      %record = alloca [56 x i8], align 16
      store ptr %launch, ptr %record, align 8
    ...
      %7 = getelementptr inbounds i8, ptr %record, i64 36
      store i32 %x, ptr %7, align 4
    ...
      %r = call i32 %f.1(ptr %record, i32 %x)
      store i32 %r, ptr %p, align 4

The record, offsets in bytes: 0 launch, 8 arena, 16 dynamic shared memory, 24 group in x, y, z, 36 local id in x, y, z,
48 bytes of static shared memory.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol, final

from lanewise.analysis.call_graph import CallGraph, called_type, is_indirect, variables_used
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.layout import align_of, round_up, size_of
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Value
from lanewise.workgroup.layout.frame import Frame, ItemIds

RECORD_BYTES: Final = 56
RECORD_LAUNCH: Final = 0
RECORD_ARENA: Final = 8
RECORD_DYNAMIC: Final = 16
RECORD_GROUP: Final = (24, 28, 32)
RECORD_LOCAL: Final = (36, 40, 44)
RECORD_STATIC: Final = 48


class OutOfLine(NamedTuple):
    """The out-of-line functions of a program, as far as the code of one function must know them. They are symbols, not
    functions, since the module is written out and read again on the way."""

    names: frozenset[str] = frozenset()
    """Symbols of all."""
    may_call: Mapping[str, tuple[str, ...]] = {}
    """Out-of-line function -> those that run when it is called, itself included."""
    by_type: Mapping[Type, tuple[str, ...]] = {}
    """Type -> functions that a call of this type through a pointer may lead to."""
    shared_places: Mapping[str, int] = {}
    """Shared variable that any of them uses -> its offset in the arena."""
    shared_bytes: int = 0

    def called_from(self, function: Function) -> tuple[str, ...]:
        """Out-of-line functions that may run when `function`, with all others inlined, is called."""
        found: dict[str, None] = {}
        for call in function.instructions():
            if call.op != "call":
                continue
            starts = self.by_type.get(called_type(call), ()) if is_indirect(call) else (call.callee,)
            for start in starts:
                found.update(dict.fromkeys(self.may_call.get(start, ())))
        return tuple(found)


NONE: Final = OutOfLine()
"""The value for programs and kernels in which all functions can be inlined."""


def out_of_line_functions(graph: CallGraph) -> OutOfLine:
    """The out-of-line functions of the module that `graph` is of, before anything is inlined."""
    names = frozenset(f.symbol for f in graph.out_of_line)
    may_call = {f.symbol: tuple(g.symbol for g in graph.reached([f]) if g.symbol in names) for f in graph.out_of_line}
    by_type: dict[Type, tuple[str, ...]] = {}
    for function in graph.addressed:
        by_type[function.value_type] = (*by_type.get(function.value_type, ()), function.symbol)
    places, end = _shared_places(graph.module, graph)
    return OutOfLine(names, may_call, by_type, places, end)


def _shared_places(module: Module, graph: CallGraph) -> tuple[dict[str, int], int]:
    used = variables_used(graph.reached(graph.out_of_line))
    places: dict[str, int] = {}
    end = 0
    for variable in module.variables:
        if variable in used and variable.type.addrspace == SHARED and variable.initializer is not None:
            align = variable.align or align_of(variable.value_type, module.types)
            offset = round_up(end, align)
            places[str(variable.name)] = offset
            end = offset + size_of(variable.value_type, module.types)
    return places, end


class CallersMemory(NamedTuple):
    """The memory of the kernel that calls an out-of-line function, as the function knows it."""

    record: Value
    dynamic_shared: Value
    static_shared_bytes: Value


class Records(Protocol):
    """The source of the record that code passes to an out-of-line function."""

    def address(self, build: Builder, ids: ItemIds | None) -> Value: ...


@final
class OwnRecord:
    """A kernel's record, one per thread. Each work-item writes its ids into it before it calls."""

    def __init__(self, frame: Frame, dynamic_shared: Value, static_shared_bytes: Value) -> None:
        entry = frame.entry
        self._record: Final = entry.alloca(ty.array(RECORD_BYTES, ty.I8), "record", align=16)
        for place, value in (
            (RECORD_LAUNCH, frame.launch),
            (RECORD_ARENA, frame.arena),
            (RECORD_DYNAMIC, dynamic_shared),
            (RECORD_STATIC, static_shared_bytes),
        ):
            entry.store(value, entry.offset(self._record, place), align=8)
        for place, value in zip(RECORD_GROUP, frame.group, strict=True):
            entry.store(value, entry.offset(self._record, place), align=4)

    def address(self, build: Builder, ids: ItemIds | None) -> Value:
        assert ids is not None, "a call of an out-of-line function is code of a work-item"
        for place, value in zip(RECORD_LOCAL, ids.local, strict=True):
            build.store(value, build.offset(self._record, place), align=4)
        return self._record


@final
class PassedRecord:
    """The record of an out-of-line function: the one that it was given."""

    def __init__(self, record: Value) -> None:
        self._record: Final = record

    def address(self, build: Builder, ids: ItemIds | None) -> Value:
        return self._record


def host_function_type(type_: Type) -> Type:
    """The type of an out-of-line function of host type `type_`: the record's address comes first."""
    return ty.function(type_.inner, (ty.PTR, *type_.fields))
