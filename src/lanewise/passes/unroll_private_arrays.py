# SPDX-License-Identifier: Apache-2.0
"""unroll-private-arrays: has loops unrolled as a whole if that brings an array of the thread into registers.

Why
    Registers have no addresses. A private array whose indices are counters of loops is in local memory, which is memory
    of the GPU behind its caches, until the loops are unrolled. LLVM unrolls loops of up to 1,100 operations, whatever
    they access. The 64 rounds of SHA-256 have 3,300, and execute 19 % fewer instructions unrolled. On a CPU, a loop
    over work-items goes around each loop whose counter they share, and the array is stored in between.

Before
    define i32 @f(ptr %in) {
    entry:
      %a = alloca [4 x i32], align 4
      br label %loop
    loop:
      %k = phi i64 [ 0, %entry ], [ %next, %loop ]
      %from = getelementptr inbounds i32, ptr %in, i64 %k
      %v = load i32, ptr %from, align 4
      %to = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %k
      store i32 %v, ptr %to, align 4
      %next = add nuw nsw i64 %k, 1
      %done = icmp eq i64 %next, 4
      br i1 %done, label %out, label %loop
    out:
      %last = getelementptr inbounds i8, ptr %a, i64 12
      %w = load i32, ptr %last, align 4
      ret i32 %w
    }

After
    define i32 @f(ptr %in) {
    entry:
      %a = alloca [4 x i32], align 4
      br label %loop
    loop:
      %k = phi i64 [ 0, %entry ], [ %next, %loop ]
      %from = getelementptr inbounds i32, ptr %in, i64 %k
      %v = load i32, ptr %from, align 4
      %to = getelementptr inbounds [4 x i32], ptr %a, i64 0, i64 %k
      store i32 %v, ptr %to, align 4
      %next = add nuw nsw i64 %k, 1
      %done = icmp eq i64 %next, 4
      br i1 %done, label %out, label %loop, !llvm.loop !1
    out:
      %last = getelementptr inbounds i8, ptr %a, i64 12
      %w = load i32, ptr %last, align 4
      ret i32 %w
    }
    !0 = !{!"llvm.loop.unroll.full"}
    !1 = distinct !{!1, !0}

Needs
    1. The array has at most 512 bytes, which is half of the registers that a thread of a GPU can have; on a CPU fewer.
    2. Its elements are loaded and stored, and nothing else is done with addresses of it.
    3. Each index is computed from constants and counters of loops.
    4. A counter starts at a constant, and each turn adds a constant to it, or makes it a constant: LLVM writes loops of
       two turns so.
    5. Such a loop has one exit, at its end, by comparison of a counter with a constant, or by a condition that is such
       a counter. The number of its turns is thereby known.
    6. All loops in it are such loops, too.
    7. Unrolled, all loops that are marked in a function have at most 4,000 operations; on a CPU fewer. If they would
       have more, arrays of inner loops come first: a hash has its rounds inlined for whole blocks, in a loop, and twice
       more for what is left.
    8. On a CPU, work-items don't meet in such a loop. What is between two barriers is a loop over work-items there, and
       each copy of a barrier would make more of these.

Method
    The loops get LLVM's metadata for loops to be unrolled as a whole. LLVM's simplification of functions then does so,
    and replaces the array by its elements. Loops that LLVM has unrolled by a number before are unrolled to the end.
    LLVM makes counters and conditions of loops of two turns constants (erosion in `bench/unseen_kinds`).

When not
    If the program has a loop with `#pragma unroll` and a number: who counts turns has a reason (`says_how_to_unroll`).
    Arrays that stay in memory anyway, since an index is computed from data.

Neighbours
    On GPUs, runs after LLVM's optimiser, which has brought into registers what it takes few operations to, and before
    all passes on addresses.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from math import prod
from typing import Final, NamedTuple, TypeGuard, final

from lanewise.ir import effects
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.intrinsics import intrinsic_of
from lanewise.ir.layout import size_of
from lanewise.ir.loops import Loop, find_loops
from lanewise.ir.module import Module
from lanewise.ir.remarks import leave_alone
from lanewise.ir.values import Constant, Value

_MOST_TURNS: Final = 1_024
_INDEX_OPERATIONS: Final = frozenset(
    {"add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "zext", "sext", "trunc"}
)
_COMPARISONS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "eq": operator.eq, "ne": operator.ne, "gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le,
}  # fmt: skip
_FULL: Final = '!{!"llvm.loop.unroll.full"}'


_TURNS_TO_UNROLL: Final = ("llvm.loop.unroll.count", "llvm.loop.unroll.disable")
"""Metadata of loops with `#pragma unroll` and a number of turns."""


class UnrollOptions(NamedTuple):
    """The limits, which are a GPU's if nothing is said."""

    most_bytes: int = 512
    """Bytes of an array: half of the registers that a thread of a GPU can have."""
    most_operations: int = 4_000
    """Operations of all unrolled loops of a function: 64 KiB of code, half of the instruction cache of a
    multiprocessor."""
    meeting: bool = True
    """Loops in which work-items meet, or may do so in a function that is called, are unrolled, too."""


def says_how_to_unroll(module: Module) -> bool:
    """Return whether a program has a loop with `#pragma unroll` and a number of turns."""
    return any(word in body for body in module.metadata.values() for word in _TURNS_TO_UNROLL)


FOR_GPUS: Final = UnrollOptions()


def run(function: Function, module: Module, options: UnrollOptions = FOR_GPUS) -> bool:
    """Mark loops of a function to be unrolled as a whole; see above. Returns whether anything changed."""
    code = function.entry.instructions if function.blocks else ()
    arrays = [each for each in code if _is_small_array(each, module, options.most_bytes)]
    if not arrays:
        return False
    counted = _Loops(function, options.meeting)
    wanted: dict[Loop, None] = {}
    for loops in sorted(map(counted.indexing, arrays), key=counted.depth, reverse=True):
        more = wanted | dict.fromkeys(loops)
        operations = counted.operations(more)
        if operations <= options.most_operations:  # 7
            wanted = more
            continue
        reason = f"unrolled loops would have {operations} operations, of at most {options.most_operations}"
        for loop in loops:
            if loop not in wanted:
                leave_alone(loop.header, reason)
    return sum(_mark(loop, module) for loop in wanted) > 0


def _is_small_array(instruction: Instruction, module: Module, most_bytes: int) -> bool:
    if instruction.op != "alloca" or instruction.operands:
        return False
    assert instruction.source_type is not None
    return size_of(instruction.source_type, module.types) <= most_bytes  # 1


@final
class _Loops:
    """The loops of a function, and how often those turn for which that is a constant. `meeting`: those in which
    work-items meet count as well."""

    def __init__(self, function: Function, meeting: bool) -> None:
        self._found: Final = find_loops(function)
        self._turns: Final = {
            loop: turns
            for loop in self._found.loops
            if (meeting or not _may_meet(loop)) and (turns := _turns(loop)) is not None  # 8
        }

    def indexing(self, array: Instruction) -> list[Loop]:
        """The loops to unroll so that all indices of an array are constants; none if that can't be."""
        found: dict[Loop, None] = {}
        work = [array]
        while work:
            address = work.pop()
            for user in address.users:
                if user.op == "getelementptr" and user.operands[0] is address:
                    work.append(user)
                    if not all(self._add_counters(index, found) for index in user.operands[1:]):
                        return []
                elif not _is_access(user, address) and not effects.is_marker(user):  # 2
                    return []
        inner = [loop for loop in self._found.loops if any(loop.blocks < outer.blocks for outer in found)]
        return [*found] if all(loop in found for loop in inner) else []  # 6

    def operations(self, unrolled: Iterable[Loop]) -> int:
        """The operations of these loops when they are unrolled."""
        loops = set(unrolled)
        count = 0
        for block in dict.fromkeys(block for loop in loops for block in loop.blocks):
            turns = prod(self._turns[loop] for loop in self._found.around(block) if loop in loops)
            count += turns * sum(not effects.is_marker(each) for each in block.instructions)
        return count

    def depth(self, loops: Iterable[Loop]) -> int:
        """The greatest number of loops around one of these."""
        return max((len(self._found.around(loop.header)) for loop in loops), default=0)

    def _add_counters(self, index: Value, found: dict[Loop, None]) -> bool:
        """Add the loops on whose counters an index depends; False if it depends on anything else."""
        work, seen = [index], set[Value]()
        while work:
            value = work.pop()
            if value in seen or isinstance(value, Constant):
                continue
            seen.add(value)
            if not isinstance(value, Instruction):  # 3
                return False
            if value.op in _INDEX_OPERATIONS:
                work += value.operands
                continue
            loop = self._found.innermost(value.parent)
            if loop is None or not _is_counter(value, loop):  # 4
                return False
            if loop not in self._turns:  # 5
                return False
            found[loop] = None
        return True


def _may_meet(loop: Loop) -> bool:
    calls = (each.callee for block in loop.blocks for each in block.instructions if each.op == "call")
    return any((row := intrinsic_of(callee)) is None or row.convergent for callee in calls)


def _is_access(user: Instruction, address: Value) -> bool:
    if user.op not in ("load", "store") or user.flags:
        return False
    return effects.pointer_operand(user) is address and (user.op == "load" or user.operands[0] is not address)


def _is_counter(value: Instruction, loop: Loop) -> bool:
    return _counter(value, loop) is not None or _two_values(value, loop) is not None


def _two_values(phi: Value, loop: Loop) -> tuple[Constant, Constant] | None:
    """The constants that a phi is in the first turn and in all later ones."""
    if not isinstance(phi, Instruction) or phi.op != "phi" or phi.parent is not loop.header:
        return None
    values = {block in loop.blocks: value for value, block in phi.incoming()}
    first, later = values.get(False), values.get(True)
    return (first, later) if first and later and _is_number(first) and _is_number(later) else None


class _Counter(NamedTuple):
    """The start of a counter, the constant that each turn adds, and the sum."""

    start: int
    step: int
    sum: Instruction


def _counter(phi: Value, loop: Loop) -> _Counter | None:
    """The counter that a phi is."""
    if not isinstance(phi, Instruction) or phi.op != "phi" or phi.parent is not loop.header:
        return None
    values = {block in loop.blocks: value for value, block in phi.incoming()}
    start, sum_ = values.get(False), values.get(True)
    if start is None or not _is_number(start) or not isinstance(sum_, Instruction) or sum_.op != "add":
        return None
    step = sum_.operands[1]
    return _Counter(start.integer, step.integer, sum_) if sum_.operands[0] is phi and _is_number(step) else None


def _turns(loop: Loop) -> int | None:
    """The number of turns of a loop, if that is a constant."""
    exits = loop.exits()
    if len(loop.latches) != 1 or len(exits) != 1 or exits[0][0] is not loop.latches[0] or len(loop.entering()) != 1:
        return None
    branch = loop.latches[0].terminator
    test = branch.operands[0]
    leaves = branch.operands[1] is exits[0][1]
    conditions = _two_values(test, loop)
    if conditions is not None:
        return next((turns for turns, each in enumerate(conditions, 1) if (each.integer & 1 == 1) is leaves), None)
    if not isinstance(test, Instruction) or test.op != "icmp":
        return None
    compared, bound = test.operands
    if not _is_number(bound):
        return None
    for phi in loop.header.phis:
        counter = _counter(phi, loop)
        if counter is not None and compared in (phi, counter.sum):
            first = counter.start + (counter.step if compared is counter.sum else 0)
            return _counted(first, counter.step, bound, test.predicate, leaves)
    return None


def _counted(number: int, step: int, bound: Constant, predicate: str, leaves: bool) -> int | None:
    """The turns after which a number, counted on by each, is compared with a bound and the loop ends."""
    bits = bound.type.bits
    compare = _COMPARISONS[predicate[-2:]]
    signed = predicate[0] == "s"

    def read(value: int) -> int:
        value %= 1 << bits
        return value - (1 << bits) if signed and value >> (bits - 1) else value

    for turn in range(_MOST_TURNS):
        if compare(read(number + turn * step), read(bound.integer)) is leaves:
            return turn + 1
    return None


def _is_number(value: Value) -> TypeGuard[Constant]:
    return isinstance(value, Constant) and value.kind == "int"


def _mark(loop: Loop, module: Module) -> bool:
    """Ask for a loop to be unrolled as a whole; False if that has been done."""
    branch = loop.latches[0].terminator
    old = branch.metadata_of("!llvm.loop")
    if old is not None and (_FULL in (module.metadata.get(part) for part in _parts(old, module))):
        return False
    full = next((name for name, body in module.metadata.items() if body == _FULL), None) or module.add_metadata(_FULL)
    node = module.add_metadata("")
    module.metadata[node] = f"distinct !{{{node}, {full}}}"
    branch.metadata = (*(each for each in branch.metadata if each[0] != "!llvm.loop"), ("!llvm.loop", node))
    return True


def _parts(node: str, module: Module) -> list[str]:
    return re.findall(r"!\d+", module.metadata.get(node, ""))
