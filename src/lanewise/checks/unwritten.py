# SPDX-License-Identifier: Apache-2.0
"""check-unwritten: tells of reads of shared memory, of a work-item's own arrays and of the heap that nobody wrote.

Before
    define ptx_kernel void @k(ptr %p, i32 %i) {
    entry:
      %a = alloca [4 x i32], align 4
      store i32 1, ptr %a, align 4
      %at = getelementptr inbounds [4 x i32], ptr %a, i64 0, i32 %i
      %v = load i32, ptr %at, align 4
      store i32 %v, ptr %p, align 4
      ret void
    }

After
    define ptx_kernel void @k(ptr %p, i32 %i, i64 %dynamic.size, ptr %report) {
    entry:
      %a = alloca [4 x i32], align 4
      %0 = alloca [4 x i32], align 8
      call void @llvm.memset.p0.i64(ptr %0, i8 0, i64 16, i1 false)
      store i32 -1, ptr %0, align 4
      store i32 1, ptr %a, align 4
      %at = getelementptr inbounds [4 x i32], ptr %a, i64 0, i32 %i
      %v = load i32, ptr %at, align 4
      %1 = getelementptr inbounds [4 x i32], ptr %0, i64 0, i32 %i
      %2 = load i32, ptr %1, align 4
      %3 = icmp eq i32 %2, -1
      br i1 %3, label %4, label %5
    4:
      br label %9
    5:
      %6 = sext i32 %i to i64
      %7 = mul i64 %6, 4
      call void @__lw_check_fault(ptr %report, i32 0, i32 0, i64 %7)
      br label %9
    9:
      %10 = phi i32 [ %v, %4 ], [ zeroinitializer, %5 ]
      store i32 %10, ptr %p, align 4
      ret void
    }

Needs, of an array
    1. All pointers to it are seen: none is stored, passed to a function, made a number or merged with another one.
    2. Some access that is tested reads it.

Method
    A write marks its bytes in the array's shadow (`shadows.py`) first, and a read looks there last: so who has waited
    for a write sees its mark. Copies between arrays copy the shadow. So structures are copied whole, with padding
    that nobody writes; copies to other memory are not tested.

When not
    Reads that clang makes to change a bit-field, or some components of a vector (`components.py`), and those that stand
    for a copy. A write of some components counts as one of all: a component that nobody has written isn't told where
    others of its vector are written.
"""

from __future__ import annotations

from typing import Final, final

from lanewise.checks.accesses import CheckedAccess, KernelAccesses
from lanewise.checks.components import keeps_components
from lanewise.checks.fault import OUTSIDE
from lanewise.checks.guard import TestBefore
from lanewise.checks.inserting import InsertBefore, InsertBehind
from lanewise.checks.objects import is_dynamic, is_local_argument, root_of
from lanewise.checks.parts import UNWRITTEN
from lanewise.checks.shadows import LONGEST, Shadows
from lanewise.checks.subscripts import address_of
from lanewise.ir import effects
from lanewise.ir.address_spaces import SHARED
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_FAULT
from lanewise.ir.module import GlobalVariable, Module, constants_in
from lanewise.ir.values import Constant, Value, i32

_DYNAMIC: Final = "dynamic"
_INNOCENT: Final = frozenset({"icmp"})
_LIFETIME: Final = "llvm.lifetime."
_COPIED: Final = ("copyload", "bf.load")
"""Parts of the names of loads that stand for a copy, or that are made to change a bit-field."""


@final
class UnwrittenChecks:
    """The checks of one kernel. To be made before other checks are woven, which take addresses, and run last."""

    def __init__(self, accesses: KernelAccesses) -> None:
        self._of: Final = accesses
        self._module: Final = accesses.module
        self._kernel: Final = accesses.kernel
        escaped = _escaped(accesses.module, accesses.kernel)
        found = [each for block in self._kernel.blocks for i in block.instructions for each in accesses.accesses(i)]
        self._tested: Final = {each for each in found if _is_tested(each, self._module)}
        read = {_key(root_of(each.pointer)) for each in self._tested}
        self._arrays: Final = {
            _key(root)
            for root in (root_of(each.pointer) for each in found)
            if _is_array(root) and _key(root) in read and _key(root) not in escaped
        }
        self._accesses: Final = [each for each in found if _key(root_of(each.pointer)) in self._arrays]
        self._shadows: Final = Shadows(self._module, self._kernel, accesses.dynamic_size)

    @property
    def doubles_dynamic_memory(self) -> bool:
        """True if launches must give twice the dynamic shared memory."""
        return self._shadows.has_dynamic

    def run(self) -> None:
        for access in self._accesses:
            self._shadows.make(root_of(access.pointer))
        copies = {each.instruction: each for each in self._accesses if effects.is_copy(each.instruction)}
        for access in self._accesses:
            with self._kernel.at_place_of(access.instruction):
                if access.instruction not in copies:
                    self._one(access)
        for instruction in copies:
            with self._kernel.at_place_of(instruction):
                self._copy(instruction)
        for call in [i for i in self._kernel.instructions() if i.callee == "free"]:
            if _key(root_of(call.arguments[0])) in self._arrays:
                with InsertBefore(call) as build:
                    function = call.operands[0]
                    assert isinstance(function, Function)
                    build.call_function(function, (self._shadows.address(call.arguments[0], build),))
        for call in [i for i in self._kernel.instructions() if i.callee.startswith(f"{_LIFETIME}start")]:
            if call.arguments[-1] in self._arrays:
                with InsertBehind(call) as build:
                    self._shadows.forget(call.arguments[-1], build)
        self._shadows.clear()

    def _one(self, access: CheckedAccess) -> None:
        size = access.size
        assert isinstance(size, Constant)
        if size.integer > LONGEST:
            if access.kind != "read":
                with InsertBefore(access.instruction) as build:
                    self._shadows.fill(self._shadows.address(access.pointer, build), size, 255, build)
            return
        if access in self._tested:
            self._test(access, size.integer)
        if access.kind != "read":
            with InsertBefore(access.instruction) as build:
                self._shadows.mark(self._shadows.address(access.pointer, build), size.integer, access.align, build)

    def _test(self, access: CheckedAccess, size: int) -> None:
        """Test behind a load, or before an atomic operation, whether its bytes are marked."""
        instruction = access.instruction
        is_load = instruction.op == "load"
        with InsertBehind(instruction) if is_load else InsertBefore(instruction) as build:
            known = self._shadows.is_marked(self._shadows.address(access.pointer, build), size, access.align, build)
        place, value, right = instruction, instruction, known
        if is_load:
            block = instruction.parent
            place = block.instructions[block.instructions.index(known) + 1]
            guarded = _guarded_phi(instruction, known)
            if guarded is not None:
                value = guarded
                right = _known_or_left_out(guarded, instruction, known)
                place = next(each for each in guarded.parent.instructions if each.op != "phi")
        object_ = self._of.objects.of(access.pointer)
        assert object_ is not None
        address = address_of(access.pointer, object_.start, self._module)
        check = TestBefore(self._module, place)
        check.test(right)
        offset = self._of.offset(access, address, object_, check.otherwise)
        site = self._of.site(access, address, object_, UNWRITTEN)
        check.tell(self._of.report, site, i32(OUTSIDE), offset)
        if is_load:
            check.replace_by_zero(value)

    def _copy(self, copy: Instruction) -> None:
        """Copy the shadow with the memory; what comes from elsewhere counts as written."""
        target, source, length = copy.arguments[:3]
        if _key(root_of(target)) not in self._arrays:
            return
        with InsertBehind(copy) as build:
            shadow = self._shadows.address(target, build)
            if source.type.is_pointer and _key(root_of(source)) in self._arrays:
                other = self._shadows.address(source, build)
                function = copy.operands[0]
                assert isinstance(function, Function)
                build.call_function(function, (shadow, other, *copy.arguments[2:]))
            else:
                self._shadows.fill(shadow, length, 255, build)


def _guarded_phi(load: Instruction, last: Value) -> Instruction | None:
    """The phi that chooses between a load and zero, if a test before it leaves it out (`guard.py`)."""
    block = load.parent
    if len(load.users) != 1 or block.instructions[-2] is not last or len(block.successors) != 1:
        return None
    (user,) = load.users
    if user.op != "phi" or user.parent is not block.successors[0]:
        return None
    others = [origin for _, origin in user.incoming() if origin is not block]
    leaves_out = all(any(each.callee == CHECK_FAULT for each in other.instructions) for other in others)
    return user if leaves_out else None


def _known_or_left_out(phi: Instruction, load: Instruction, known: Value) -> Instruction:
    """A choice like that of the phi, between what is known of the load and True."""
    made = Instruction("phi", known.type)
    phi.parent.insert(phi.parent.instructions.index(phi) + 1, made)
    for value, block in phi.incoming():
        made.append_operand(known if value is load else Constant(known.type, "int", "true"))
        made.append_operand(block)
    return made


def _is_tested(access: CheckedAccess, module: Module) -> bool:
    instruction = access.instruction
    if instruction.op == "load":
        name = instruction.name or ""
        return not any(part in name for part in _COPIED) and not keeps_components(instruction, module)
    return instruction.op in ("atomicrmw", "cmpxchg")


def _key(root: Value) -> object:
    """An array: all dynamic shared memory is one."""
    if is_local_argument(root) or (isinstance(root, GlobalVariable) and is_dynamic(root)):
        return _DYNAMIC
    return root


def _is_array(root: Value) -> bool:
    if is_local_argument(root):
        return True
    if isinstance(root, GlobalVariable):
        return root.type.addrspace == SHARED and not str(root.name).startswith(("lw.", "__lw_"))
    if not isinstance(root, Instruction):
        return False
    return root.callee == "malloc" or (root.op == "alloca" and not root.operands and root.parent is _entry_of(root))


def _entry_of(instruction: Instruction) -> Block:
    return instruction.parent.parent.entry


def _escaped(module: Module, kernel: Function) -> set[object]:
    """The arrays with pointers that not all is seen of."""
    found: set[object] = set()
    for function in module.functions:
        for instruction in function.instructions():
            for number, operand in enumerate(instruction.operands):
                if operand.type.is_pointer and (
                    (function is not kernel and not function.is_kernel) or not _is_seen(instruction, number)
                ):
                    found.add(_key(root_of(operand)))
    for variable in module.variables:
        if variable.initializer is not None:
            found.update(_key(each) for each in constants_in(variable.initializer))
    return found


def _is_seen(instruction: Instruction, number: int) -> bool:
    """True if a use of a pointer as this operand lets nobody else have it."""
    if instruction.op in effects.ACCESSES:
        return instruction.operands[number] is effects.pointer_operand(instruction) and (
            instruction.op != "store" or number != 0
        )
    if effects.is_copy(instruction):
        return number in (1, 2)
    if instruction.op in ("getelementptr", "bitcast", "addrspacecast", "freeze"):
        return number == 0
    if instruction.is_debug_record or instruction.callee.startswith(_LIFETIME):
        return True
    return instruction.op in _INNOCENT or (instruction.callee == "free" and number == 1)
