# SPDX-License-Identifier: Apache-2.0
"""check-memory: tests each access to memory, and tells of those that are outside of their object.

Before
    define ptx_kernel void @k(ptr %p, i32 %i) {
      %wide = sext i32 %i to i64
      %at = getelementptr inbounds float, ptr %p, i64 %wide
      %x = load float, ptr %at, align 4
      ...

After
    define ptx_kernel void @k(ptr %p, i32 %i, i64 %p.size, i64 %dynamic.size, ptr %report) {
      %fits.4 = icmp uge i64 %p.size, 4
      %last.4 = sub i64 %p.size, 3
      %room.4 = select i1 %fits.4, i64 %last.4, i64 0
      %wide = sext i32 %i to i64
      %at = getelementptr inbounds float, ptr %p, i64 %wide
      %1 = mul i64 %wide, 4
      %2 = icmp ult i64 %1, %room.4
      br i1 %2, label %access, label %fault
    fault:
      call void @__lw_check_fault(ptr %report, i32 0, i32 0, i64 %1)
      br label %join
    access:
      %3 = load float, ptr %at, align 4
      br label %join
    join:
      %x = phi float [ %3, %access ], [ zeroinitializer, %fault ]
      ...

Why
    The code goes on after a fault: a wrong load gives zero, a wrong store is dropped. So all faults of a launch are
    told, and none of them damages the process.

Method
    1. The object of a pointer and its size are found (`objects.py`); unknown ones are not checked.
    2. The offset is computed from the indices, not from addresses, so that code in lanes sees how it steps.
    3. An offset is right if it is below the object's size, less what is accessed, plus one: one unsigned comparison.
       This room is computed once for each object and size.
    4. An index of an array within an array must be below its extent, too (`tile[4][8]`).
    5. An access that asks for more alignment than its index and the start of the object have is tested for that.

When not
    An access that is known to be right. Accesses of functions that can't be inlined.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple, final

from lanewise.checks.fault import MISALIGNED, OUTSIDE, definition
from lanewise.checks.guard import Guard
from lanewise.checks.names import SourceNames
from lanewise.checks.objects import Object, Objects, is_local_argument
from lanewise.frontend.checked_places import CHOICE, HEAP, CheckedPlace
from lanewise.checks.subscripts import Address, Subscript, address_of, array_shape, extents, offset_in, widened
from lanewise.ir import effects
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_FAULT
from lanewise.ir.layout import align_of
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.reader import read_into
from lanewise.ir.values import Argument, Constant, Value, i32, i64

_KINDS: Final = {"load": "read", "store": "write"}
_START: Final = 16
"""Alignment in bytes that the start of an argument's memory is not known to have more of: NumPy's arrays have it."""


class KernelParameters(NamedTuple):
    """What is known of a kernel's parameters: the numbers of those that point to memory, and the names of all."""

    pointers: tuple[int, ...]
    names: tuple[str, ...]


class _Access(NamedTuple):
    """A pointer that an instruction accesses memory through."""

    instruction: Instruction
    pointer: Value
    size: Value
    """Bytes, an i64."""
    kind: str
    align: int


def add_parameters(kernel: Function, parameters: KernelParameters) -> None:
    """Append what launches add: the sizes in bytes of what each pointer points to and of dynamic shared memory, and the
    report."""
    added = [Argument(ty.I64, f"{parameters.names[number]}.size") for number in parameters.pointers]
    added += [Argument(ty.I64, "dynamic.size"), Argument(ty.PTR, "report")]
    kernel.arguments += added
    fields = (*kernel.value_type.fields, *(argument.type for argument in added))
    kernel.value_type = ty.function(kernel.result_type, fields)


def add_function(module: Module) -> None:
    """Add the function that writes reports, if some kernel calls it."""
    if CHECK_FAULT in module.symbols:
        read_into(module, definition())


@final
class MemoryChecks:
    """Checks the accesses of one kernel, whose parameters have been added. `places` gets the place of each check."""

    def __init__(
        self, module: Module, kernel: Function, parameters: KernelParameters, places: list[CheckedPlace]
    ) -> None:
        self._module: Final = module
        self._kernel: Final = kernel
        self._parameters: Final = parameters
        self._places: Final = places
        self._names: Final = SourceNames(module)
        added = kernel.arguments[-len(parameters.pointers) - 2 :]
        *sizes, dynamic, self._report = added
        behind: dict[Argument | None, Value] = {None: dynamic}
        for number, size in zip(parameters.pointers, sizes, strict=True):
            behind[kernel.arguments[number]] = size
        self._objects: Final = Objects(module, kernel, behind)
        self._rooms: Final[dict[tuple[Value, int], Value]] = {}

    def run(self, *, only_constant: bool = False) -> None:
        """Check all accesses. `only_constant`: those at constant places alone, which are wrong or not at all; LLVM
        deletes wrong ones of variables that it brings into registers."""
        for block in list(self._kernel.blocks):
            for instruction in reversed(list(block.instructions)):
                for access in self._accesses(instruction):
                    self._check(access, only_constant)

    def _accesses(self, instruction: Instruction) -> list[_Access]:
        if instruction.op in effects.ACCESSES:
            pointer = effects.pointer_operand(instruction)
            size = i64(effects.access_size(instruction, self._module.types))
            kind = _KINDS.get(instruction.op, "atomic operation")
            align = instruction.align or align_of(effects.accessed_type(instruction), self._module.types)
            return [_Access(instruction, pointer, size, kind, align)]
        if effects.is_copy(instruction):
            target, source, length = instruction.arguments[:3]
            found = [_Access(instruction, target, length, "write", _alignment_of_argument(instruction, 0))]
            if source.type.is_pointer:
                found.append(_Access(instruction, source, length, "read", _alignment_of_argument(instruction, 1)))
            return found
        return []

    def _check(self, access: _Access, only_constant: bool) -> None:
        object_ = self._objects.of(access.pointer)
        if object_ is None:
            return
        address = address_of(access.pointer, object_.start, self._module)
        straight = address.root is object_.start
        if only_constant and not (straight and _is_constant(address, object_, access)):
            return
        if straight and _is_right(address, object_, access) and self._is_aligned(address, access):
            return
        site = i32(len(self._places))
        self._places.append(self._place(access, address, object_))
        self._guard(access, address, object_, straight, site)

    def _is_aligned(self, address: Address, access: _Access) -> bool:
        return access.align <= 1 or (address.step % access.align == 0 and self._alignment(address.root) >= access.align)

    def _alignment(self, start: Value) -> int:
        """The alignment, in bytes, of the start of an object."""
        if isinstance(start, Argument):
            return _START
        return 1 << 30  # variables are aligned as their accesses ask

    def _guard(self, access: _Access, address: Address, object_: Object, straight: bool, site: Constant) -> None:
        """Put an access under a test. If it fails, the fault is told, and the access left out."""
        with self._kernel.at_place_of(access.instruction):
            guard = Guard(self._module, access.instruction)
            build = guard.before
            offset = offset_in(address, build) if straight else _difference(access.pointer, object_.start, build)
            tests = [
                (n, build.compare("ult", widened(index, build), i64(extent)), index)
                for n, (index, extent) in enumerate(address.subscripts, 1)
            ]
            inside = build.compare("ult", offset, self._room(object_, access.size, build))
            aligned = None if self._is_aligned(address, access) else self._aligned(access, build)
            right: Value = inside
            for _, test, _ in tests:
                right = build.binary("and", right, test)
            if aligned is not None:
                right = build.binary("and", right, aligned)
            guard.test(right)
            build = guard.otherwise
            what: Value = i32(OUTSIDE)
            number = offset
            if aligned is not None:
                what = build.select(aligned, what, i32(MISALIGNED))
            for n, test, index in reversed(tests):
                what = build.select(test, what, i32(n))
                number = build.select(test, number, widened(index, build))
            guard.tell(self._report, site, what, number)

    def _aligned(self, access: _Access, build: Builder) -> Value:
        number = build.cast("ptrtoint", access.pointer, ty.I64)
        below = build.binary("and", number, i64(access.align - 1))
        return build.compare("eq", below, i64(0))

    def _room(self, object_: Object, size: Value, build: Builder) -> Value:
        """The number that offsets of `size` bytes in an object must be below."""
        if isinstance(size, Constant) and isinstance(object_.size, Constant):
            return i64(max(0, object_.size.integer - size.integer + 1))
        if not isinstance(size, Constant) or not isinstance(object_.size, Argument):
            return _room(object_.size, size, build)
        key = (object_.size, size.integer)
        if key not in self._rooms:
            self._rooms[key] = self._room_at_entry(object_.size, size)
        return self._rooms[key]

    def _room_at_entry(self, whole: Value, size: Constant) -> Value:
        entry = self._kernel.entry
        known = len(entry.instructions)
        build = Builder(entry)
        room = _room(whole, size, build)
        made = entry.instructions[known:]
        del entry.instructions[known:]
        first = next((n for n, i in enumerate(entry.instructions) if i.op != "alloca"), 0)
        entry.instructions[first:first] = made
        return room

    def _place(self, access: _Access, address: Address, object_: Object) -> CheckedPlace:
        place = self._names.place(access.instruction)
        if isinstance(access.pointer, Instruction) and access.pointer.op == "getelementptr":
            place = self._names.place(access.pointer) or place
        file, line, column = place if place is not None else ("", 0, 0)
        kind, name, shape, element, parameter = self._described(object_)
        size = access.size.integer if isinstance(access.size, Constant) else 0
        kernel = self._kernel.symbol
        return CheckedPlace(
            kernel, file, line, column, access.kind, size, kind, name, element, shape, parameter,
            extents(address.subscripts), access.align,
        )  # fmt: skip

    def _described(self, object_: Object) -> tuple[str, str, tuple[int, ...], int, int]:
        """Kind, name, shape, bytes of an element, and the number of the argument."""
        start = object_.start
        if object_.choices:
            described = [self._described(each) for each in object_.choices]
            names = [f"{kind} '{name}'" if name else f"a {kind}" for kind, name, *_ in described]
            return CHOICE, " or ".join(dict.fromkeys(names)), (), 1, -1
        if isinstance(start, GlobalVariable):
            shape, element = array_shape(start.value_type, self._module)
            kind = "shared array" if start.type.addrspace == SHARED else "variable"
            return kind, self._names.of_variable(start), shape, element, -1
        if isinstance(start, Instruction) and start.op == "alloca":
            assert start.source_type is not None
            shape, element = array_shape(start.source_type, self._module)
            return "local array", self._names.of_local(start), shape, element, -1
        if isinstance(start, Instruction) and start.op == "call":
            return HEAP, "", (), 1, -1
        argument = start if isinstance(start, Argument) else None
        if isinstance(start, Instruction):
            argument = next(each for each in start.operands if isinstance(each, Argument))
        if argument is None:
            return "null pointer", "", (), 1, -1
        number = self._kernel.arguments.index(argument)
        name = self._parameters.names[number]
        if argument.byval is not None:
            size = object_.size
            return "argument", name, (), size.integer if isinstance(size, Constant) else 1, -1
        return ("local memory" if is_local_argument(start) else "argument"), name, (), 1, number


def _alignment_of_argument(call: Instruction, number: int) -> int:
    """The alignment in bytes that a call says its argument has."""
    words = call.call.arguments[number] if call.call is not None and number < len(call.call.arguments) else ()
    return next((int(word.removeprefix("align ")) for word in words if word.startswith("align ")), 1)


def _is_constant(address: Address, object_: Object, access: _Access) -> bool:
    return not address.terms and isinstance(object_.size, Constant) and isinstance(access.size, Constant)


def _is_right(address: Address, object_: Object, access: _Access) -> bool:
    """True for an access that can't be outside of its object."""
    if not isinstance(object_.size, Constant) or not isinstance(access.size, Constant):
        return False
    return (
        not address.terms
        and not address.subscripts
        and 0 <= address.constant <= object_.size.integer - access.size.integer
    )


def _difference(pointer: Value, start: Value, build: Builder) -> Value:
    return build.binary("sub", *(build.cast("ptrtoint", each, ty.I64) for each in (pointer, start)))


def _room(whole: Value, size: Value, build: Builder) -> Value:
    fits = build.compare("uge", whole, size)
    less = build.binary("sub", whole, size)
    more = build.binary("add", less, i64(1))
    return build.select(fits, more, i64(0))
