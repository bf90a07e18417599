# SPDX-License-Identifier: Apache-2.0
"""check-races: notes accesses to shared and global memory, so that the runtime core sees which of them race.

Before
    @t = internal addrspace(3) global [64 x i32] undef, align 4
    define ptx_kernel void @k(ptr %p) {
    entry:
      %i = load i32, ptr %p, align 4
      %at = getelementptr inbounds [64 x i32], ptr addrspace(3) @t, i64 0, i32 %i
      store i32 %i, ptr addrspace(3) %at, align 4
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      ret void
    }
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

After
    define ptx_kernel void @k(ptr %p, i64 %dynamic.size, ptr %report) {
    entry:
      %0 = alloca i32, align 4
      %1 = alloca i32, align 4
      store i32 0, ptr %1, align 4
      store i32 0, ptr %0, align 4
      %i = load i32, ptr %p, align 4
      %at = getelementptr inbounds [64 x i32], ptr addrspace(3) @t, i64 0, i32 %i
      %2 = sext i32 %i to i64
      %3 = mul i64 %2, 4
      %4 = addrspacecast ptr addrspace(3) %at to ptr
      %5 = zext i32 %i to i64
      %6 = load i32, ptr %1, align 4
      %7 = load i32, ptr %0, align 4
      call void @__lw_check_shared(ptr %report, i32 0, ptr %4, i64 %3, i32 4, i32 9, i64 %5, i32 %6, i32 %7)
      store i32 %i, ptr addrspace(3) %at, align 4
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %8 = load i32, ptr %1, align 4
      %9 = add i32 %8, 1
      store i32 %9, ptr %1, align 4
      store i32 0, ptr %0, align 4
      ret void
    }

Method
    Two accesses race if they are by different threads, at least one writes, not both are atomic operations, and no
    barrier is between them, which orders the threads of a block. Only accesses for which the code leaves that possible
    are noted (`epochs.py`). Each thread counts the barriers that it has passed (its epoch), and the operations of its
    warp since the last one (its step), which order accesses of the threads of a warp. What may order accesses otherwise
    sets a bit in the step, or tells that the work-group may be ordered with others, since that isn't followed
    (`ordering.py`). The code in `runtime/core/races.c`, `global_races.c` and `global_words.c` compares; `fences.c` has
    what the operations of a warp hand on.

    What is needed of an access is computed before other checks change its address; the call is moved to it when they
    are there, under the test of its bounds if there is one: an access that is left out races with nothing.

    Two writes of the same value, of up to 8 bytes, are no race: programs set flags so. If they are asked for, they are
    told at a place of their own, which follows that of the access. A write is compared with the
    last noted one to its bytes. A plain read beside such a write is a race, which is missed if it comes first and finds
    that value there already. A read and an atomic operation are none, since loops around a compare-and-swap begin with
    such a read.

    Accesses by which each thread touches elements of its own are not noted, if the extents of the launch are such
    (`own_elements.py`): the kernel tests them once, when it starts.

When not
    Accesses through pointers that don't tell which array they point to.
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple, final

from lanewise.checks.accesses import CheckedAccess, KernelAccesses
from lanewise.checks.epochs import conflicts
from lanewise.checks.fault import SHARED_TYPE
from lanewise.checks.inserting import InsertBefore, InsertBehind
from lanewise.checks.objects import Object, is_dynamic, is_internal, is_local_argument
from lanewise.checks.ordering import (
    GroupOrder,
    is_barrier,
    is_of_whole_warp,
    may_order_in_group,
    reads_that_wait,
)
from lanewise.checks.own_elements import OwnElements, own_elements
from lanewise.checks.parts import EQUAL_WRITES, GLOBAL_EQUAL_WRITES, GLOBAL_RACES, RACES
from lanewise.checks.subscripts import ObjectAddress, address_of
from lanewise.ir import types as ty
from lanewise.ir.address_spaces import GENERIC, GLOBAL, SHARED
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import CHECK_GLOBAL, CHECK_SHARED, EXCHANGES, is_wide
from lanewise.ir.module import GlobalVariable
from lanewise.ir.values import Argument, Constant, Value, i32, i64

WRITES: Final = 1
"""Flags of an access, as `enum lw_shared_access` of the runtime core has them."""
ATOMIC: Final = 2
VOLATILE: Final = 4
KNOWN: Final = 8
FENCE: Final = 16
IN_GLOBAL: Final = 32
STRICT: Final = 64
WIDE: Final = 128

_EQUAL_WRITES: Final = {RACES: EQUAL_WRITES, GLOBAL_RACES: GLOBAL_EQUAL_WRITES}

_FENCED: Final = 1 << 15
_WIDEST: Final = 64


class _Note(NamedTuple):
    """The call that notes an access."""

    instruction: Instruction
    """The access."""
    call: Instruction
    """The call without its counters, which stands somewhere before the access."""
    needless: Value | None
    """The condition on which it isn't needed."""


@final
class RaceChecks:
    """Notes the accesses of one kernel to shared memory, and what orders them. `is_strict`: equal writes are told."""

    def __init__(self, accesses: KernelAccesses, is_strict: bool = False) -> None:
        self._of: Final = accesses
        self._strict: Final = is_strict
        has_wide = any(is_wide(i.callee) for i in accesses.kernel.instructions())
        self._usual: Final = (STRICT if is_strict else 0) | (WIDE if has_wide else 0)
        entry = accesses.kernel.entry
        self._epoch, self._step = (
            entry.insert(0, Instruction("alloca", ty.PTR, (), source_type=ty.I32, align=4)) for _ in range(2)
        )

        self._notes: Final[list[_Note]] = []
        self._conditions: Final[dict[str, Value]] = {}
        self._waiting: Final = reads_that_wait(accesses.kernel)

    def prepare(self) -> None:
        """Decide what is noted, compute what that takes, and count what orders accesses."""
        kernel = self._of.kernel
        accesses = [a for block in kernel.blocks for i in block.instructions for a in self._of.accesses(i)]
        shared = {access: found for access in accesses if (found := self._shared_objects(access))}
        outer = {access: found for access in accesses if (found := self._global_objects(access))}
        order = GroupOrder(kernel, in_group={each.instruction for each in accesses if self._is_of_group(each)})
        for access, needed in self._racing(shared, self._shared_groups(shared)).items():
            self._prepare_note(access, CHECK_SHARED, RACES, needed)
        racing = self._racing(outer, self._global_groups(outer))
        for access, needed in racing.items():
            self._prepare_note(access, CHECK_GLOBAL, GLOBAL_RACES, needed)
        if self._notes:
            instructions = [i for block in kernel.blocks for i in block.instructions]
            hands_on = any(i.callee in EXCHANGES and is_of_whole_warp(i) for i in instructions)
            for block in list(kernel.blocks):
                for instruction in list(block.instructions):
                    self._count(instruction, hands_on)
                    if racing and order.may_order(instruction):
                        with InsertBehind(instruction) as build:
                            self._fence(instruction, build)
        for read in self._waiting if racing else ():  # before they are noted: they race with no write of their flag
            with InsertBefore(read) as build:
                self._fence(read, build)
        self._begin()

    def emit(self) -> None:
        """Put the calls before the accesses, in the blocks that these have come to."""
        for note in self._notes:
            arguments = note.call.arguments[:-2]
            function = self._of.module.declare(note.call.callee, SHARED_TYPE)
            note.call.erase()
            with self._of.kernel.at_place_of(note.instruction), _unless(note.needless, note.instruction) as build:
                counters = (build.load(ty.I32, counter, align=4) for counter in (self._epoch, self._step))
                build.call_function(function, (*arguments, *counters))

    def _shared_groups(self, of: Mapping[CheckedAccess, frozenset[object]]) -> list[list[CheckedAccess]]:
        objects: dict[Instruction, frozenset[object]] = {}
        for access, found in of.items():
            objects[access.instruction] = objects.get(access.instruction, frozenset()) | found
        writes = [access.instruction for access in of if access.kind != "read"]
        return [
            [access for access in of if access.instruction in together and object_ in of[access]]
            for object_, together in conflicts(self._of.kernel, is_barrier, objects, writes)
        ]

    def _global_groups(self, of: Mapping[CheckedAccess, frozenset[object]]) -> list[list[CheckedAccess]]:
        """Accesses to the same array, of which one writes and is no atomic operation. Barriers don't matter, since
        other groups may be anywhere."""
        objects = dict.fromkeys(object_ for found in of.values() for object_ in found)
        groups = [[access for access in of if object_ in of[access]] for object_ in objects]
        return [group for group in groups if any(_flags(each) & (WRITES | ATOMIC) == WRITES for each in group)]

    def _racing(
        self, of: Mapping[CheckedAccess, frozenset[object]], groups: Sequence[list[CheckedAccess]]
    ) -> dict[CheckedAccess, Value | None]:
        """The accesses to be noted, each with the condition, computed at the start, on which it needn't be; None:
        always."""
        found: dict[CheckedAccess, list[OwnElements | None]] = {}
        for group in groups:
            own = None
            if all(len(of[each]) == 1 and isinstance(each.size, Constant) for each in group):
                own = self._own(group, in_grid=self._is_global(group[0]))
            for access in group:
                found.setdefault(access, []).append(own)
        return {access: self._tested(conditions) for access, conditions in found.items()}

    def _own(self, group: Sequence[CheckedAccess], *, in_grid: bool) -> OwnElements | None:
        """The condition on which all accesses of a group are to elements of the work-item alone."""
        addresses: list[ObjectAddress] = []
        for access in group:
            object_ = self._of.objects.of(access.pointer)
            assert object_ is not None
            address = address_of(access.pointer, object_.start, self._of.module)
            if address.root is not object_.start:
                return None
            addresses.append(address)
        sizes = [each.size.integer for each in group if isinstance(each.size, Constant)]
        return own_elements(addresses, max(sizes), in_grid=in_grid)

    def _tested(self, conditions: Sequence[OwnElements | None]) -> Value | None:
        """The conjunction of conditions, computed at the start of the kernel."""
        wanted: list[OwnElements] = []
        for each in conditions:
            if each is None:
                return None
            if each not in wanted:
                wanted.append(each)
        key = repr(wanted)
        if key not in self._conditions:
            self._conditions[key] = self._computed(wanted)
        return self._conditions[key]

    def _computed(self, wanted: Sequence[OwnElements]) -> Value:
        arguments = {str(each.name): each for each in self._of.kernel.arguments}

        with InsertBehind(self._epoch) as build:

            def read(name: str) -> Value:
                type_ = ty.function(ty.I32, ())
                return build.call_function(self._of.module.declare(f"llvm.nvvm.read.ptx.sreg.{name}", type_), ())

            right: Value | None = None
            for each in wanted:
                test = each.test(arguments, read, build)
                right = test if right is None else build.binary("and", right, test)
        assert right is not None
        return right

    def _is_of_group(self, access: CheckedAccess) -> bool:
        """True for an access to shared or private memory, which no other group has."""
        object_ = self._of.objects.of(access.pointer)
        return object_ is not None and all(
            _is_shared(each) or _is_private(each) for each in object_.choices or (object_,)
        )

    def _is_global(self, access: CheckedAccess) -> bool:
        return bool(self._global_objects(access))

    def _global_objects(self, access: CheckedAccess) -> frozenset[object]:
        """The arrays in global memory that an access is of; none if it may be of other ones."""
        object_ = self._of.objects.of(access.pointer)
        if object_ is None:
            return frozenset()
        objects = object_.choices or (object_,)
        if not all(map(_is_in_global_memory, objects)) or any(map(is_internal, objects)):
            return frozenset()
        return frozenset(each.start for each in objects)

    def _shared_objects(self, access: CheckedAccess) -> frozenset[object]:
        """The objects in shared memory that an access is of; none if it may be of other ones."""
        object_ = self._of.objects.of(access.pointer)
        if object_ is None:
            return frozenset()
        objects = object_.choices or (object_,)
        if not all(map(_is_shared, objects)) or any(map(is_internal, objects)):
            return frozenset()
        return frozenset(None if _is_dynamic(each) else each.start for each in objects)

    def _prepare_note(self, access: CheckedAccess, function_name: str, check: str, needless: Value | None) -> None:
        """Compute what is noted of an access, unless `needless`."""
        object_ = self._of.objects.of(access.pointer)
        assert object_ is not None
        instruction = access.instruction
        with self._of.kernel.at_place_of(instruction), InsertBefore(instruction) as build:
            address = address_of(access.pointer, object_.start, self._of.module)
            offset = self._of.offset(access, address, object_, build)
            pointer = access.pointer
            if pointer.type is not ty.PTR:
                pointer = build.cast("addrspacecast", pointer, ty.PTR)
            flags = _flags(access) | (IN_GLOBAL if function_name == CHECK_GLOBAL else 0)
            flags |= self._usual
            value = _bits(instruction.operands[0], build) if flags & KNOWN else i64(0)
            size = access.size
            size = i32(size.integer) if isinstance(size, Constant) else build.cast("trunc", size, ty.I32)
            site = self._of.site(access, address, object_, check)
            if self._strict:  # at the next place
                self._of.site(access, address, object_, _EQUAL_WRITES[check])
            function = self._of.module.declare(function_name, SHARED_TYPE)
            call = build.call_function(
                function, (self._of.report, site, pointer, offset, size, i32(flags), value, i32(0), i32(0))
            )
        self._notes.append(_Note(instruction, call, needless))

    def _count(self, instruction: Instruction, hands_on: bool) -> None:
        """Count a barrier, or an operation of the warp; note what may order accesses in a way that isn't followed.
        `hands_on`: whole operations of the warp may hand that on to its other threads."""
        if is_barrier(instruction):
            with InsertBehind(instruction) as build:
                build.store(build.binary("add", build.load(ty.I32, self._epoch, align=4), i32(1)), self._epoch, align=4)
                build.store(i32(0), self._step, align=4)
        elif instruction.callee in EXCHANGES and is_of_whole_warp(instruction):
            with InsertBehind(instruction) as build:
                build.store(build.binary("add", build.load(ty.I32, self._step, align=4), i32(1)), self._step, align=4)
        elif may_order_in_group(instruction):
            with InsertBehind(instruction) as build:
                step = build.load(ty.I32, self._step, align=4)
                if hands_on:
                    epoch = build.load(ty.I32, self._epoch, align=4)
                    self._tell_of_fence(instruction, build, CHECK_SHARED, FENCE, epoch, step)
                build.store(build.binary("or", step, i32(_FENCED)), self._step, align=4)

    def _fence(self, instruction: Instruction, build: Builder) -> None:
        """Tell that from here on the group's accesses may be ordered with those of other groups."""
        self._tell_of_fence(instruction, build, CHECK_GLOBAL, FENCE | IN_GLOBAL, i32(0), i32(0))

    def _tell_of_fence(
        self, instruction: Instruction, build: Builder, callee: str, flags: int, epoch: Value, step: Value
    ) -> None:
        with self._of.kernel.at_place_of(instruction):
            nothing, none = Constant(ty.PTR, "null"), i32(0)
            function = self._of.module.declare(callee, SHARED_TYPE)
            flags |= self._usual & WIDE
            given = (self._of.report, none, nothing, i64(0), none, i32(flags), i64(0), epoch, step)
            build.call_function(function, given)

    def _begin(self) -> None:
        with InsertBehind(self._epoch) as build:
            for counter in (self._epoch, self._step):
                build.store(i32(0), counter, align=4)


@contextmanager
def _unless(condition: Value | None, instruction: Instruction) -> Generator[Builder]:
    """Code before an instruction, to be executed unless `condition` holds, which is uniform."""
    if condition is None:
        with InsertBefore(instruction) as build:
            yield build
        return
    block = instruction.parent
    function = block.parent
    place = block.instructions.index(instruction)
    noting, rest = Block(None, function), Block(None, function)
    for each in block.instructions[place:]:
        rest.append(each)
    del block.instructions[place:]
    for successor in set(rest.successors):
        for phi in successor.phis:
            phi.replace_operand(block, rest)
    after = function.blocks.index(block) + 1
    function.blocks[after:after] = [noting, rest]
    Builder(block).branch_if(condition, rest, noting)
    build = Builder(noting)
    yield build
    build.branch(rest)


def _is_shared(object_: Object) -> bool:
    start = object_.start
    return is_local_argument(start) or (isinstance(start, GlobalVariable) and start.type.addrspace == SHARED)


def _is_private(object_: Object) -> bool:
    start = object_.start
    return (isinstance(start, Instruction) and start.op == "alloca") or (
        isinstance(start, Argument) and start.byval is not None
    )


def _is_in_global_memory(object_: Object) -> bool:
    start = object_.start
    if isinstance(start, Argument):
        return start.byval is None
    return isinstance(start, GlobalVariable) and start.type.addrspace in (GENERIC, GLOBAL) and not start.is_constant


def _is_dynamic(object_: Object) -> bool:
    """Parts of dynamic shared memory may overlap, as arrays that are declared without extent do."""
    start = object_.start
    return isinstance(start, GlobalVariable) and is_dynamic(start)


def _flags(access: CheckedAccess) -> int:
    instruction = access.instruction
    flags = 0 if access.kind == "read" else WRITES
    if instruction.op in ("atomicrmw", "cmpxchg") or instruction.ordering is not None:
        flags |= ATOMIC
    if instruction.is_volatile:
        flags |= VOLATILE
    if instruction.op == "store" and 8 <= instruction.operands[0].type.bits <= _WIDEST:
        flags |= KNOWN
    return flags


def _bits(value: Value, build: Builder) -> Value:
    """A value as the integer that its bits are."""
    type_ = value.type
    if type_.is_pointer:
        return build.cast("ptrtoint", value, ty.I64)
    if not type_.is_int:
        value = build.cast("bitcast", value, ty.integer(type_.bits))
    return value if value.type is ty.I64 else build.cast("zext", value, ty.I64)
