# SPDX-License-Identifier: Apache-2.0
"""Atomics, barriers and fences. Source: SPIR-V Specification 1.6, 3.56.18 and 3.56.20; 3.25 "Memory Semantics"."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler
from lanewise.frontend.spirv.function import FunctionWriter
from lanewise.frontend.spirv.mangling import ORDER, SCOPE, Atomic, Mangled, PointerTo, mangled_type
from lanewise.frontend.spirv.module import damaged
from lanewise.frontend.spirv.words import SpirvInstruction

_RELAXED, _SEQUENTIAL = 0, 5
_ORDERS: Final = ((0x10, _SEQUENTIAL), (0x8, 4), (0x4, 3), (0x2, 2))
"""Bits of memory semantics, and OpenCL C's memory orders."""
_FENCES: Final = ((0x100, 1), (0x200, 2), (0x800, 4))
"""Bits of memory semantics, and OpenCL C's flags of local memory, global memory and images."""
_SCOPES: Final = {0: 4, 1: 3, 2: 2, 3: 1, 4: 0}
"""Scopes, and OpenCL C's memory scopes: all devices, device, work-group, sub-group, work-item."""
WORKGROUP, SUBGROUP = 2, 3

_FETCH: Final = {
    "AtomicIAdd": "add", "AtomicISub": "sub", "AtomicSMin": "min", "AtomicUMin": "min", "AtomicSMax": "max",
    "AtomicUMax": "max", "AtomicAnd": "and", "AtomicOr": "or", "AtomicXor": "xor", "AtomicFAddEXT": "add",
    "AtomicFMinEXT": "min", "AtomicFMaxEXT": "max",
}  # fmt: skip

Argument = tuple[str, str, Mangled]


def _order(writer: FunctionWriter, semantics: int) -> int:
    """OpenCL C's memory order of memory semantics; the strongest for what isn't known."""
    bits = writer.constant(semantics)
    if bits is None:
        return _SEQUENTIAL
    return next((order for bit, order in _ORDERS if bits & bit), _RELAXED)


def _ordered(writer: FunctionWriter, semantics: int, scope: int) -> list[Argument]:
    """The last two arguments of an atomic function."""
    return [("i32", str(_order(writer, semantics)), ORDER), _scope(writer, scope)]


def _scope(writer: FunctionWriter, scope: int) -> Argument:
    """A memory scope as an argument; the widest for what isn't known."""
    known = writer.constant(scope)
    if known is not None and known not in _SCOPES:
        raise damaged(f"the memory scope {known}")
    return "i32", str(_SCOPES[0 if known is None else known]), SCOPE


def _place(writer: FunctionWriter, pointer: int, letter: str) -> Argument:
    """A pointer to an atomic object."""
    kind = writer.type_of(pointer)
    if not isinstance(kind, ty.PointerType):
        raise damaged(f"an atomic operation at {kind.text}")
    return kind.text, writer.value(pointer), PointerTo(Atomic(letter), kind.space, "V")


def _letter(kind: ty.SpirvType, *, signed: bool = True) -> str:
    """The code of a number's type."""
    code = mangled_type(kind, signed=signed)
    if not isinstance(code, str):
        raise damaged(f"an atomic object of the type {kind.text}")
    return code


def _fetch(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """An operation that gives the value of before."""
    pointer, scope, semantics, value = each.operands
    kind = writer.module.type(each.type)
    letter = _letter(kind, signed="U" not in each.name)
    arguments = [_place(writer, pointer, letter), (kind.text, writer.value(value), letter)]
    arguments += _ordered(writer, semantics, scope)
    writer.give(each.result, each.type, writer.call(f"atomic_fetch_{_FETCH[each.name]}_explicit", kind, arguments))


def _step(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """An increment or a decrement."""
    pointer, scope, semantics = each.operands
    kind = writer.module.type(each.type)
    letter = _letter(kind)
    arguments = [_place(writer, pointer, letter), (kind.text, "1", letter), *_ordered(writer, semantics, scope)]
    name = "atomic_fetch_add_explicit" if each.name == "AtomicIIncrement" else "atomic_fetch_sub_explicit"
    writer.give(each.result, each.type, writer.call(name, kind, arguments))


def _load(writer: FunctionWriter, each: SpirvInstruction) -> None:
    pointer, scope, semantics = each.operands
    kind = writer.module.type(each.type)
    arguments = [_place(writer, pointer, _letter(kind)), *_ordered(writer, semantics, scope)]
    writer.give(each.result, each.type, writer.call("atomic_load_explicit", kind, arguments))


def _store(writer: FunctionWriter, each: SpirvInstruction) -> None:
    pointer, scope, semantics, value = each.operands
    letter = _letter(writer.type_of(value))
    arguments = [_place(writer, pointer, letter), (writer.type_of(value).text, writer.value(value), letter)]
    writer.call("atomic_store_explicit", ty.VoidType(), [*arguments, *_ordered(writer, semantics, scope)])


def _exchange(writer: FunctionWriter, each: SpirvInstruction) -> None:
    pointer, scope, semantics, value = each.operands
    kind = writer.module.type(each.type)
    letter = _letter(kind)
    arguments = [_place(writer, pointer, letter), (kind.text, writer.value(value), letter)]
    arguments += _ordered(writer, semantics, scope)
    writer.give(each.result, each.type, writer.call("atomic_exchange_explicit", kind, arguments))


def _compare(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """An exchange on equality that gives the value of before. OpenCL C's function puts it where the expected was."""
    pointer, scope, equal, unequal, value, comparator = each.operands
    kind = writer.module.type(each.type)
    letter = _letter(kind)
    expected = writer.temporary()
    writer.entry.append(f"  {expected} = alloca {kind.text}")
    writer.line(f"store {kind.text} {writer.value(comparator)}, ptr {expected}")
    arguments = [_place(writer, pointer, letter), ("ptr", expected, PointerTo(letter, 0))]
    arguments += [(kind.text, writer.value(value), letter), *_ordered(writer, equal, scope)]
    arguments.insert(4, ("i32", str(_order(writer, unequal)), ORDER))
    writer.call("atomic_compare_exchange_strong_explicit", ty.BoolType(), arguments)
    writer.result(each.result, each.type, f"load {kind.text}, ptr {expected}")


def _flag(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """Set or clear a flag, which is an integer."""
    pointer, scope, semantics = each.operands
    arguments = [_place(writer, pointer, "i"), *_ordered(writer, semantics, scope)]
    if each.name == "AtomicFlagClear":
        writer.call("atomic_flag_clear_explicit", ty.VoidType(), arguments)
    else:
        writer.give(each.result, each.type, writer.call("atomic_flag_test_and_set_explicit", ty.BoolType(), arguments))


def _fences(writer: FunctionWriter, semantics: int) -> str:
    """Flags of the memories that a barrier orders; all for what isn't known."""
    bits = writer.constant(semantics)
    return str(sum(flag for bit, flag in _FENCES if bits is None or bits & bit))


def _barrier(writer: FunctionWriter, each: SpirvInstruction) -> None:
    execution, memory, semantics = each.operands
    scope = writer.constant(execution)
    if scope not in (WORKGROUP, SUBGROUP):
        raise damaged("a barrier neither of work-groups nor of sub-groups")
    name = "work_group_barrier" if scope == WORKGROUP else "sub_group_barrier"
    flags: Argument = ("i32", _fences(writer, semantics), "j")
    writer.call(name, ty.VoidType(), [flags, _scope(writer, memory)])


def _fence(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A fence; without an order it is OpenCL C's mem_fence, which orders accesses all the same."""
    scope, semantics = each.operands
    flags: Argument = ("i32", _fences(writer, semantics), "j")
    if _order(writer, semantics) == _RELAXED:
        writer.call("mem_fence", ty.VoidType(), [flags])
        return
    writer.call("atomic_work_item_fence", ty.VoidType(), [flags, *_ordered(writer, semantics, scope)])


ATOMICS: Final[dict[str, Handler]] = {
    **dict.fromkeys(_FETCH, _fetch),
    **dict.fromkeys(("AtomicIIncrement", "AtomicIDecrement"), _step),
    **dict.fromkeys(("AtomicCompareExchange", "AtomicCompareExchangeWeak"), _compare),
    **dict.fromkeys(("AtomicFlagTestAndSet", "AtomicFlagClear"), _flag),
    "AtomicLoad": _load,
    "AtomicStore": _store,
    "AtomicExchange": _exchange,
    "ControlBarrier": _barrier,
    "MemoryBarrier": _fence,
}
