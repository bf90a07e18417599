# SPDX-License-Identifier: Apache-2.0
"""Translation of calls: functions with a body, intrinsics, and functions of the device or the C library."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from lanewise.device.reference.arithmetic import intrinsics
from lanewise.device.reference.arithmetic.flushing import computes, flushing
from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value
from lanewise.device.reference.memory import objects
from lanewise.device.reference.memory.accesses import load_at, store_at
from lanewise.device.reference.memory.textures import is_texture_call
from lanewise.device.reference.run import services, warp
from lanewise.device.reference.run.checked_races import READ, WRITE
from lanewise.device.reference.run.group import GRID_SYNC
from lanewise.device.reference.run.services import Services
from lanewise.device.reference.translate.reach import GRID_SYNC_FUNCTION, is_indirect
from lanewise.device.reference.translate.translation import Translation
from lanewise.device.reference.translate.variables import LIFETIME_END, LIFETIME_START
from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_GLOBAL, CHECK_MEETING, CHECK_SHARED, Intrinsic, intrinsic_of
from lanewise.ir.types import Type
from lanewise.ir.values import Constant

_NVVM: Final = "llvm.nvvm."
_REGISTER: Final = "llvm.nvvm.read.ptx.sreg."


def translate(to: Translation, call: Instruction) -> None:
    """Emit a call. CompileError, with the line, for an undefined function."""
    target = call.operands[0]
    if call.callee == CHECK_MEETING:
        name = to.builder.shared_binding("check_meeting", lambda on: on.meetings.tell)
        to.emit(f"{name}(w, {to.listed(call.arguments)})")
    elif call.callee in (CHECK_SHARED, CHECK_GLOBAL):
        pass  # this device looks for races by itself
    elif isinstance(target, Function) and target.blocks:
        _invoke(to, call, to.builder.function_name(target), to.builder.reach.waits(target))
    elif is_indirect(call):
        assert call.call is not None
        to.emit(f"callee = {_service(to, 'target')}({to.value(target)}, {str(call.call.function_type)!r})")
        _invoke(to, call, "callee", to.builder.reach.waits_by_address)
    elif isinstance(target, Constant):
        raise to.builder.refusal(call, f"inline assembly ({target.text}) can't run on the reference device")
    else:
        row = intrinsic_of(call.callee)
        if row is not None:
            _intrinsic(to, call, row)
        elif call.callee in _FUNCTIONS:
            _FUNCTIONS[call.callee](to, call)
        elif is_texture_call(call.callee):
            _texture(to, call)
        else:
            raise to.builder.refusal(call, f"nothing defines the function {call.callee!r}")


def _invoke(to: Translation, call: Instruction, name: str, waits: bool) -> None:
    arguments = ", ".join(["w", *map(to.value, call.arguments)])
    _result(to, call, f"{'yield from ' if waits else ''}{name}({arguments})")


def _result(to: Translation, call: Instruction, expression: str) -> None:
    if call.type is ty.VOID:
        to.emit(expression)
    else:
        to.assign(call, expression)


def _service(to: Translation, method: str) -> str:
    """The name of a method of the services."""
    builder = to.builder
    return builder.shared_binding(method, lambda on: getattr(on, method))


# -- intrinsics ----------------------------------------------------------------------------------------------------


def _intrinsic(to: Translation, call: Instruction, row: Intrinsic) -> None:
    special = _INTRINSICS.get(row.name)
    if special is not None:
        special(to, call)
    elif row.name.startswith(_REGISTER):
        _register(to, call, row.name.removeprefix(_REGISTER))
    elif row.convergent:
        operands = "".join(f"{to.value(a)}, " for a in call.arguments)
        _result(to, call, f"yield {row.name.removeprefix(_NVVM)!r}, ({operands})")
    elif row.ignorable:
        if call.type is not ty.VOID:
            to.assign(call, "0")
    else:
        _pure(to, call, row.name.removeprefix("llvm."))


def _pure(to: Translation, call: Instruction, name: str) -> None:
    types = tuple(a.type for a in call.arguments)
    flushes = to.flushes and computes(name)

    def make() -> Callable[..., Any]:
        try:
            made = intrinsics.function(name, call.type, types)
        except KeyError:
            raise to.builder.refusal(call, f"the reference device has no intrinsic {call.callee!r}") from None
        return flushing(made, call.type, types) if flushes else made

    function = to.builder.shared_constant((name, call.type, types, flushes), call.callee, make)
    to.assign(call, f"{function}({to.listed(call.arguments)})")


_WORK_ITEM: Final = frozenset(f"{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in "xyz")
_REGISTERS: Final = {
    "laneid": "w.lane", "warpid": "w.warp", "nwarpid": "w.warps", "warpsize": str(warp.WARP_SIZE), "smid": "0",
    "nsmid": "1", "gridid": "0",
}  # fmt: skip


def _register(to: Translation, call: Instruction, name: str) -> None:
    """PTX ISA, "Special Registers"."""
    if name in _WORK_ITEM:
        to.assign(call, f"w.{name.replace('.', '_')}")
    elif name in _REGISTERS:
        to.assign(call, _REGISTERS[name])
    elif name.startswith("lanemask."):
        relation = name.removeprefix("lanemask.")
        function = to.builder.shared_constant(name, name, lambda: services.lane_relation(relation))
        to.assign(call, f"{function}(w.lane)")
    else:
        function = to.builder.shared_constant((name, call.type), name, lambda: services.clock(call.type.bits))
        to.assign(call, f"{function}()")


def _nothing(to: Translation, call: Instruction) -> None:
    """Emit nothing for a pause: work-items don't run at the same time."""


def _fence(to: Translation, call: Instruction) -> None:
    to.fence(call)


def _helper(function: Callable[..., Any], *, operands: int = 0) -> Callable[[Translation, Instruction], None]:
    """Emitter of a call of a Python function with the first operands."""

    def emit(to: Translation, call: Instruction) -> None:
        to.emit(f"{to.helper(function)}({to.listed(call.arguments[:operands])})")

    return emit


def _begin_life(to: Translation, call: Instruction) -> None:
    to.begin_life(call.arguments[-1])


def _end_life(to: Translation, call: Instruction) -> None:
    to.end_life(call.arguments[-1])


def _copy(may_overlap: bool) -> Callable[[Translation, Instruction], None]:
    def emit(to: Translation, call: Instruction) -> None:
        aligns = (_attribute_align(call, 0), _attribute_align(call, 1))
        hint = "memmove" if may_overlap else "memcpy"

        def bind(on: Services) -> Callable[..., Any]:
            return partial(objects.copy_bytes, on.memory, aligns=aligns, may_overlap=may_overlap)

        _memory_function(to, call, to.builder.shared_binding(f"{hint}_{aligns[0]}_{aligns[1]}", bind))
        target, source, size = call.arguments[:3]
        to.note_range(READ, source, size, call)
        to.note_range(WRITE, target, size, call)

    return emit


def _fill(to: Translation, call: Instruction) -> None:
    align = _attribute_align(call, 0)

    def bind(on: Services) -> Callable[..., Any]:
        return partial(objects.fill_bytes, on.memory, align=align)

    _memory_function(to, call, to.builder.shared_binding(f"memset_{align}", bind))


def _compare(to: Translation, call: Instruction) -> None:
    name = to.builder.shared_binding("memcmp", lambda on: partial(objects.compare_bytes, on.memory))
    _result(to, call, f"{name}({to.listed(call.arguments)})")


def _attribute_align(call: Instruction, position: int) -> int:
    """The alignment that a call promises for a pointer argument."""
    assert call.call is not None
    attributes = call.call.arguments[position : position + 1]
    words = [w for each in attributes for w in each if w.startswith("align ")]
    return int(words[0].split()[1]) if words else 1


def _memory_function(to: Translation, call: Instruction, name: str) -> None:
    """Emit the intrinsic, or the C function of the same name, which returns its target."""
    to.emit(f"{name}({to.listed(call.arguments[:3])})")
    if call.type is not ty.VOID:
        to.assign(call, to.value(call.arguments[0]))


def _read_only_load(to: Translation, call: Instruction) -> None:
    """ldg and ldu: (pointer, alignment)."""
    pointer, align = call.arguments
    codec, bytes_ = to.builder.operations.codecs.of(call.type), int(to.value(align))
    name = to.builder.binding("load", lambda on: load_at(on.memory, call.type, codec, bytes_))
    to.assign(call, f"{name}({to.value(pointer)})")
    to.note_read(pointer, call)


def _reference_handle(to: Translation, call: Instruction) -> None:
    """Load the handle of the bound object from the variable of a texture or surface reference."""
    codec = to.builder.operations.codecs.of(call.type)
    name = to.builder.binding("load", lambda on: load_at(on.memory, call.type, codec, 8))
    to.assign(call, f"{name}({to.value(call.arguments[0])})")


def _masked_load(to: Translation, call: Instruction) -> None:
    """Emit a masked load: (pointer, mask, values for lanes that are off). The alignment is an attribute of the
    pointer."""
    pointer, mask, otherwise = call.arguments
    element = call.type.inner
    codec, align, size = _element(to, call, element, 0)

    def bind(on: Services) -> Callable[..., Any]:
        load = load_at(on.memory, element, codec, align)

        def run(address: Value, chosen: Value, others: Value) -> Value:
            places = element_addresses(address, size, len(chosen))
            return tuple([load(a) if c else o for a, c, o in zip(places, chosen, others, strict=True)])

        return run

    to.assign(call, f"{to.builder.binding('masked_load', bind)}({to.listed([pointer, mask, otherwise])})")


def _masked_store(to: Translation, call: Instruction) -> None:
    """Emit a masked store: (values, pointer, mask)."""
    element = call.arguments[0].type.inner
    codec, align, size = _element(to, call, element, 1)

    def bind(on: Services) -> Callable[..., Any]:
        store = store_at(on.memory, element, codec, align)

        def run(values: Value, address: Value, chosen: Value) -> None:
            for a, c, value in zip(element_addresses(address, size, len(chosen)), chosen, values, strict=True):
                if c:
                    store(a, value)

        return run

    to.emit(f"{to.builder.binding('masked_store', bind)}({to.listed(call.arguments)})")


def element_addresses(address: Value, size: int, count: int) -> list[Value]:
    if address.__class__ is Indeterminate:
        return [address] * count
    return [address + size * i for i in range(count)]


def _element(to: Translation, call: Instruction, element: Type, pointer: int) -> tuple[Any, int, int]:
    """Codec, alignment and size of an element of a masked access."""
    codec = to.builder.operations.codecs.of(element)
    return codec, min(_attribute_align(call, pointer), codec.size), codec.size


def _stack_save(to: Translation, call: Instruction) -> None:
    to.assign(call, "w.private.depth()")


def _stack_restore(to: Translation, call: Instruction) -> None:
    to.emit(f"w.private.leave({to.value(call.arguments[0])})")


def _is_in_window(window: int) -> Callable[[Translation, Instruction], None]:
    """isspacep for an address space that is recognised by the address alone."""

    def emit(to: Translation, call: Instruction) -> None:
        test = to.builder.shared_constant(("window", window), "is_in_window", lambda: objects.is_in_window(window))
        to.assign(call, f"{test}({to.listed(call.arguments)})")

    return emit


def _is_in_host(constant: bool) -> Callable[[Translation, Instruction], None]:
    """isspacep.const and .global, which differ only for addresses of variables in constant memory."""

    def emit(to: Translation, call: Instruction) -> None:
        symbols = to.builder.symbols
        test = to.helper(symbols.is_constant_address if constant else symbols.is_global_address)
        to.assign(call, f"{test}({to.listed(call.arguments)})")

    return emit


_Emit = Callable[["Translation", Instruction], None]
_INTRINSICS: Final[dict[str, _Emit]] = {
    LIFETIME_START: _begin_life,
    LIFETIME_END: _end_life,
    "llvm.assume": _helper(services.assume, operands=1),
    "llvm.memcpy": _copy(may_overlap=False),
    "llvm.memcpy.inline": _copy(may_overlap=False),
    "llvm.memmove": _copy(may_overlap=True),
    "llvm.memset": _fill,
    "llvm.memset.inline": _fill,
    "llvm.masked.load": _masked_load,
    "llvm.masked.store": _masked_store,
    **{f"llvm.nvvm.{unit}.global.{kind}": _read_only_load for unit in ("ldg", "ldu") for kind in "ifp"},
    "llvm.nvvm.isspacep.shared": _is_in_window(1),
    "llvm.nvvm.isspacep.local": _is_in_window(2),
    "llvm.nvvm.isspacep.global": _is_in_host(constant=False),
    "llvm.nvvm.isspacep.const": _is_in_host(constant=True),
    "llvm.nvvm.texsurf.handle.internal": _reference_handle,
    "llvm.stacksave": _stack_save,
    "llvm.stackrestore": _stack_restore,
    "llvm.trap": _helper(services.trap),
    "llvm.debugtrap": _helper(services.trap),
    "llvm.nvvm.exit": _helper(services.exit_work_item),
    "llvm.nvvm.nanosleep": _nothing,
    **{f"llvm.nvvm.membar.{scope}": _fence for scope in ("cta", "gl", "sys")},
}


# -- functions without a body --------------------------------------------------------------------------------------


def _print(to: Translation, call: Instruction) -> None:
    _result(to, call, f"{_service(to, 'vprintf')}({to.listed(call.arguments)})")


def _grid_sync(to: Translation, call: Instruction) -> None:
    to.emit(f"yield {GRID_SYNC!r}, ()")


def _is_cooperative(to: Translation, call: Instruction) -> None:
    to.assign(call, to.builder.shared_binding("is_cooperative", lambda on: lambda: on.is_cooperative) + "()")


def _assert_fail(to: Translation, call: Instruction) -> None:
    to.emit(f"{_service(to, 'assert_fail')}({to.listed(call.arguments)})")


def _texture(to: Translation, call: Instruction) -> None:
    name = to.builder.shared_binding(call.callee, lambda on: on.textures.function(call.callee))
    _result(to, call, f"{name}({to.listed(call.arguments)})")


def _allocate(to: Translation, call: Instruction) -> None:
    name = to.builder.shared_binding("malloc", lambda on: on.memory.heap.allocate)
    _result(to, call, f"{name}({to.listed(call.arguments)})")


def _release(to: Translation, call: Instruction) -> None:
    name = to.builder.shared_binding("free", lambda on: on.memory.heap.release)
    to.emit(f"{name}({to.listed(call.arguments)})")


_FUNCTIONS: Final[dict[str, _Emit]] = {
    "malloc": _allocate,
    "free": _release,
    "vprintf": _print,
    "__assertfail": _assert_fail,
    GRID_SYNC_FUNCTION: _grid_sync,
    "__lw_grid_is_cooperative": _is_cooperative,
    "memcmp": _compare,
    "memcpy": _copy(may_overlap=False),
    "memmove": _copy(may_overlap=True),
    "memset": _fill,
}
