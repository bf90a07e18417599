# SPDX-License-Identifier: Apache-2.0
"""Shadow memory: for each byte of an array another one, which says whether somebody has written it.

A shadow has the type of its array. So an access has the same address in both, and code in lanes accesses both alike.
Shadows are zeros at the start of a work-group, and of a work-item for its own arrays; all ones mean written.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.checks.inserting import InsertBehind
from lanewise.checks.objects import is_dynamic, is_local_argument
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.values import Constant, Value, i32, i64

_BARRIER: Final = "llvm.nvvm.barrier.cta.sync.aligned.all"
_CHUNKS: Final = (8, 4, 2, 1)
LONGEST: Final = 64
"""Bytes of the longest access by one instruction that has a check."""


@final
class Shadows:
    """The shadows of one kernel's arrays. `dynamic`: bytes of dynamic shared memory; its shadow lies behind it, at a
    multiple of 16 bytes."""

    def __init__(self, module: Module, kernel: Function, dynamic: Value) -> None:
        self._module: Final = module
        self._kernel: Final = kernel
        self._dynamic: Final = dynamic
        self._known: Final[dict[Value, Value]] = {}
        self.shared: Final[dict[GlobalVariable, GlobalVariable]] = {}
        """Shadows of shared arrays, which are to be cleared."""
        self._behind: Value | None = None

    @property
    def has_dynamic(self) -> bool:
        """True if dynamic shared memory has a shadow."""
        return self._behind is not None

    def make(self, array: Value) -> None:
        """Make the shadow of an array, before addresses in it are."""
        if is_local_argument(array) or (isinstance(array, GlobalVariable) and is_dynamic(array)):
            self._distance()
        elif array not in self._known:
            self._known[array] = self._shadow_of(array)

    def address(self, pointer: Value, build: Builder) -> Value:
        """The address in the shadow for one in the array."""
        if pointer in self._known:
            return self._known[pointer]
        if isinstance(pointer, Constant):
            base = self.address(pointer.operands[0], build)
            return self._copied(pointer.opcode, pointer, base, build)
        assert isinstance(pointer, Instruction | GlobalVariable)
        if isinstance(pointer, GlobalVariable) or is_local_argument(pointer) or not _is_derived(pointer):
            return build.address(ty.I8, pointer, [self._distance()])
        return self._copied(pointer.op, pointer, self.address(pointer.operands[0], build), build)

    def _copied(self, op: str, of: Instruction | Constant, base: Value, build: Builder) -> Value:
        made = Instruction(op, of.type, (base, *of.operands[1:]), flags=of.flags, source_type=of.source_type)
        return build.emit(made)

    def _shadow_of(self, array: Value) -> Value:
        if isinstance(array, GlobalVariable):
            self.shared[array] = self._of_variable(array)
            return self.shared[array]
        assert isinstance(array, Instruction)
        return self._of_call(array) if array.op == "call" else self._of_local(array)

    def _of_variable(self, array: GlobalVariable) -> GlobalVariable:
        name = f"lw.written.{array.name}"
        known = self._module.symbols.get(name)
        if isinstance(known, GlobalVariable):
            return known
        prefix = ("internal", f"addrspace({SHARED})", "global")
        content = Constant(array.value_type, "undef")
        suffix = f", align {max(array.align, 8)}"
        made = GlobalVariable(name, array.value_type, content, addrspace=SHARED, prefix=prefix, suffix=suffix)
        self._module.add(made)
        return made

    def _of_local(self, array: Instruction) -> Instruction:
        shadow = Instruction("alloca", ty.PTR, (), source_type=array.source_type, align=max(array.align, 8))
        assert array.source_type is not None
        with InsertBehind(array) as build:
            build.emit(shadow)
            self.fill(shadow, i64(size_of(array.source_type, self._module.types)), 0, build)
        return shadow

    def _of_call(self, call: Instruction) -> Instruction:
        """Memory of the heap has its shadow there, too; none if there is no room."""
        function = call.operands[0]
        assert isinstance(function, Function)
        with InsertBehind(call) as build:
            shadow = build.call_function(function, call.arguments)
            none = build.compare("eq", shadow, Constant(ty.PTR, "null"))
            self.fill(shadow, build.select(none, i64(0), call.arguments[0]), 0, build)
        return shadow

    def _distance(self) -> Value:
        if self._behind is None:
            entry = self._kernel.entry
            build = Builder(Block(None, self._kernel))
            more = build.binary("add", self._dynamic, i64(15))
            self._behind = build.binary("and", more, i64(-16))
            first = next(n for n, each in enumerate(entry.instructions) if each.op != "alloca")
            for number, each in enumerate(list(build.block.instructions)):
                build.block.instructions.remove(each)
                entry.insert(first + number, each)
        return self._behind

    # -- contents ----------------------------------------------------------------------------------------------

    def fill(self, shadow: Value, count: Value, byte: int, build: Builder) -> None:
        """Set bytes of a shadow."""
        name = f"llvm.memset.p{shadow.type.addrspace or 0}.i64"
        function = self._module.declare(name, ty.function(ty.VOID, (shadow.type, ty.I8, ty.I64, ty.I1)))
        wide = count if count.type is ty.I64 else build.cast("zext", count, ty.I64)
        build.call_function(
            function, (shadow, Constant(ty.I8, "int", str(byte)), wide, Constant(ty.I1, "int", "false"))
        )

    def forget(self, array: Value, build: Builder) -> None:
        """Note that nobody has written a work-item's own array yet: its life begins."""
        assert isinstance(array, Instruction)
        assert array.source_type is not None
        self.fill(self._known[array], i64(size_of(array.source_type, self._module.types)), 0, build)

    def mark(self, shadow: Value, size: int, align: int, build: Builder) -> None:
        """Set `size` bytes of a shadow: they have been written."""
        for start, chunk in _chunks(size, align):
            build.store(Constant(ty.integer(8 * chunk), "int", "-1"), build.offset(shadow, start), align=chunk)

    def is_marked(self, shadow: Value, size: int, align: int, build: Builder) -> Instruction:
        """Test whether all of `size` bytes have been written, an i1."""
        right: Instruction | None = None
        for start, chunk in _chunks(size, align):
            type_ = ty.integer(8 * chunk)
            found = build.load(type_, build.offset(shadow, start), align=chunk)
            same = build.compare("eq", found, Constant(type_, "int", "-1"))
            right = same if right is None else build.binary("and", right, same)
        assert right is not None
        return right

    # -- the start of a work-group ---------------------------------------------------------------------------

    def clear(self) -> None:
        """Make the work-items of a group clear its shadows, and wait for one another."""
        if not self.shared and not self.has_dynamic:
            return
        kernel, entry = self._kernel, self._kernel.entry
        start = Block(None, kernel)
        kept = [each for each in entry.instructions if each.op == "alloca" or each in _operands_of(self._behind)]
        for each in entry.instructions:
            if each not in kept:
                start.append(each)
        entry.instructions[:] = kept
        for successor in set(start.successors):
            for phi in successor.phis:
                phi.replace_operand(entry, start)
        first, step = self._own_numbers(Builder(entry))
        kernel.blocks.insert(1, start)
        build = Builder(entry)
        for shadow in self.shared.values():
            size = size_of(shadow.value_type, self._module.types)
            build = self._clear_one(shadow, i32(size), 4 if size % 4 == 0 else 1, first, step, build)
        if self._behind is not None:
            base = next(each for each in self._dynamic_bases())
            at = build.address(ty.I8, base, [self._behind])
            count = build.cast("trunc", self._behind, ty.I32)
            build = self._clear_one(at, count, 4, first, step, build)
        barrier = self._module.declare(_BARRIER, ty.function(ty.VOID, (ty.I32,)))
        build.call_function(barrier, (i32(0),))
        build.branch(start)

    def _dynamic_bases(self) -> list[GlobalVariable]:
        return [v for v in self._module.variables if v.type.addrspace == SHARED and is_dynamic(v)]

    def _own_numbers(self, build: Builder) -> tuple[Value, Value]:
        """The work-item's number in its group, and the number of work-items there."""

        def read(name: str) -> Value:
            return build.call_function(
                self._module.declare(f"llvm.nvvm.read.ptx.sreg.{name}", ty.function(ty.I32, ())), ()
            )

        number, count = read("tid.z"), read("ntid.z")
        for axis in "yx":
            extent = read(f"ntid.{axis}")
            number = build.binary("add", build.binary("mul", number, extent), read(f"tid.{axis}"))
            count = build.binary("mul", count, extent)
        return number, count

    def _clear_one(self, shadow: Value, size: Value, unit: int, first: Value, step: Value, build: Builder) -> Builder:
        kernel = self._kernel
        head, body, after = (Block(None, kernel) for _ in range(3))
        at = kernel.blocks.index(build.block) + 1
        kernel.blocks[at:at] = [head, body, after]
        count = build.binary("udiv", size, i32(unit))
        before = build.block
        build.branch(head)
        build = Builder(head)
        number = build.phi(ty.I32, [(first, before)])
        build.branch_if(build.compare("ult", number, count), body, after)
        build = Builder(body)
        type_ = ty.integer(8 * unit)
        wide = build.cast("zext", number, ty.I64)
        build.store(Constant(type_, "int", "0"), build.address(type_, shadow, [wide]), align=unit)
        following = build.binary("add", number, step)
        build.branch(head)
        number.append_operand(following)
        number.append_operand(body)
        return Builder(after)


def _operands_of(value: Value | None) -> tuple[Value, ...]:
    """A value and the instructions that it is computed by."""
    return (value, *value.operands) if isinstance(value, Instruction) else ()


def _is_derived(pointer: Instruction) -> bool:
    return pointer.op in ("getelementptr", "bitcast", "addrspacecast", "freeze")


def _chunks(size: int, align: int) -> list[tuple[int, int]]:
    """The parts of an access, each with a size that its address is a multiple of."""
    found: list[tuple[int, int]] = []
    start = 0
    while start < size:
        chunk = next(each for each in _CHUNKS if each <= min(size - start, max(align, 1)) and start % each == 0)
        found.append((start, chunk))
        start += chunk
    return found
