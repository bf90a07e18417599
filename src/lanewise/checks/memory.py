# SPDX-License-Identifier: Apache-2.0
"""check-memory: tests each access to memory, and tells of those that are outside of their object.

Before
    define ptx_kernel void @k(ptr %p, i32 %i) {
    entry:
      %wide = sext i32 %i to i64
      %at = getelementptr inbounds float, ptr %p, i64 %wide
      store float 1.0, ptr %at, align 4
      ret void
    }

After
    define ptx_kernel void @k(ptr %p, i32 %i, i64 %p.size, i64 %dynamic.size, ptr %report) {
    entry:
      %0 = icmp uge i64 %p.size, 4
      %1 = sub i64 %p.size, 4
      %2 = add i64 %1, 1
      %3 = select i1 %0, i64 %2, i64 0
      %wide = sext i32 %i to i64
      %at = getelementptr inbounds float, ptr %p, i64 %wide
      %4 = mul i64 %wide, 4
      %5 = icmp ult i64 %4, %3
      br i1 %5, label %6, label %7
    6:
      store float 1.0, ptr %at, align 4
      br label %8
    7:
      call void @__lw_check_fault(ptr %report, i32 0, i32 0, i64 %4)
      br label %8
    8:
      ret void
    }

Why
    The code goes on after a fault: a wrong load gives zero, a wrong store is dropped. So all faults of a launch are
    told, and none of them damages the process.

Method
    1. The object of a pointer and its size are found (`objects.py`), if need be when the kernel runs (`pointers.py`);
       unknown ones are not checked.
    2. The offset is computed from the indices, not from addresses, so that code in lanes sees how it steps.
    3. An offset is right if it is below the object's size, less what is accessed, plus one: one unsigned comparison.
       This room is computed once for each object and size.
    4. An index of an array within an array must be below its extent, too (`tile[4][8]`).
    5. An access that asks for more alignment than its index and the start of the object have is tested for that.

When not
    An access that is known to be right. Accesses of functions that can't be inlined.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.checks.accesses import CheckedAccess, KernelAccesses
from lanewise.checks.fault import CHOICE_SHIFT, MISALIGNED, NO_MEETINGS, NO_RACES, OUTSIDE, definition
from lanewise.checks.guard import Guard
from lanewise.checks.objects import Object
from lanewise.checks.pointers import UNKNOWN_MEMORY
from lanewise.checks.subscripts import ObjectAddress, address_of, widened
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_FAULT, CHECK_GLOBAL, CHECK_MEETING, CHECK_SHARED, MEMORY_START
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.reader import read_into
from lanewise.ir.values import Argument, Constant, Value, i32, i64

_START: Final = 16
"""Alignment in bytes that the start of an argument's memory is not known to have more of: NumPy's arrays have it."""


def add_functions(module: Module) -> None:
    """Define the functions of checks that kernels call."""
    if CHECK_FAULT in module.symbols:
        read_into(module, definition())
    if CHECK_SHARED in module.symbols:
        read_into(module, NO_RACES)
    if CHECK_GLOBAL in module.symbols:
        read_into(module, NO_RACES.replace(CHECK_SHARED, CHECK_GLOBAL))
    if CHECK_MEETING in module.symbols:
        read_into(module, NO_MEETINGS)
    if MEMORY_START in module.symbols:
        read_into(module, UNKNOWN_MEMORY)


@final
class MemoryChecks:
    """Checks the accesses of one kernel."""

    def __init__(self, accesses: KernelAccesses) -> None:
        self._of: Final = accesses
        self._module: Final = accesses.module
        self._kernel: Final = accesses.kernel
        self._rooms: Final[dict[tuple[Value, int], Value]] = {}
        self.unknown = 0
        """Accesses that are not checked, since nothing tells what their pointers point to."""

    def run(self, *, only_constant: bool = False) -> None:
        """Check all accesses. `only_constant`: those at constant places alone, which are wrong or not at all; LLVM
        deletes wrong ones of variables that it brings into registers."""
        objects: dict[tuple[Instruction, int], Object] = {}
        for block in list(self._kernel.blocks):  # before tests hide where pointers come from
            for instruction in list(block.instructions):
                for number, access in enumerate(self._of.accesses(instruction)):
                    object_ = self._of.objects.of(access.pointer)
                    if object_ is None and not only_constant:
                        object_ = self._of.pointers.of(access.pointer)
                        self.unknown += object_ is None
                    if object_ is not None:
                        objects[instruction, number] = object_
        for block in list(self._kernel.blocks):
            for instruction in reversed(list(block.instructions)):
                for number, access in enumerate(self._of.accesses(instruction)):
                    if (instruction, number) in objects:
                        self._check(access, objects[instruction, number], only_constant)

    def _check(self, access: CheckedAccess, object_: Object, only_constant: bool) -> None:
        address = address_of(access.pointer, object_.start, self._module)
        straight = address.root is object_.start
        if only_constant and not (straight and _is_constant(address, object_, access)):
            return
        if straight and _is_right(address, object_, access) and self._is_aligned(address, access):
            return
        self._guard(access, address, object_, straight, self._of.site(access, address, object_))

    def _is_aligned(self, address: ObjectAddress, access: CheckedAccess) -> bool:
        return access.align <= 1 or (address.step % access.align == 0 and self._alignment(address.root) >= access.align)

    def _alignment(self, start: Value) -> int:
        """The alignment, in bytes, of the start of an object."""
        if isinstance(start, Argument):
            return _START
        is_variable = isinstance(start, GlobalVariable) or (isinstance(start, Instruction) and start.op == "alloca")
        return 1 << 30 if is_variable else 1  # variables are aligned as their accesses ask

    def _guard(
        self, access: CheckedAccess, address: ObjectAddress, object_: Object, straight: bool, site: Constant
    ) -> None:
        """Put an access under a test. If it fails, the fault is told, and the access left out."""
        with self._kernel.at_place_of(access.instruction):
            guard = Guard(self._module, access.instruction)
            build = guard.before
            offset = self._of.offset(access, address, object_, build)
            tests = [
                (n, build.compare("ult", widened(index, build), i64(extent)), index)
                for n, (index, extent) in enumerate(address.subscripts, 1)
            ]
            place = offset if object_.before is None else build.binary("add", offset, object_.before)
            inside = build.compare("ult", place, self._room(object_, access.size, build))
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
            if object_.which is not None:
                what = build.binary("or", what, build.binary("shl", object_.which, i32(CHOICE_SHIFT)))
            guard.tell(self._of.report, site, what, number)

    def _aligned(self, access: CheckedAccess, build: Builder) -> Value:
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


def _is_constant(address: ObjectAddress, object_: Object, access: CheckedAccess) -> bool:
    return not address.terms and isinstance(object_.size, Constant) and isinstance(access.size, Constant)


def _is_right(address: ObjectAddress, object_: Object, access: CheckedAccess) -> bool:
    """True for an access that can't be outside of its object."""
    if not isinstance(object_.size, Constant) or not isinstance(access.size, Constant):
        return False
    return (
        not address.terms
        and not address.subscripts
        and 0 <= address.constant <= object_.size.integer - access.size.integer
    )


def _room(whole: Value, size: Value, build: Builder) -> Value:
    fits = build.compare("uge", whole, size)
    less = build.binary("sub", whole, size)
    more = build.binary("add", less, i64(1))
    return build.select(fits, more, i64(0))
