# SPDX-License-Identifier: Apache-2.0
"""Prefetches for the loads of the next work-groups, in kernels with non-temporal stores (`nontemporal.py`).

Why     Work-groups are blocks: a group loads some lines of each row and goes on in the next row. So the hardware sees
        many short streams, hardly one of which it could run ahead of. But a thread does the groups along x one after
        the other, and the rows of a group go on in the next ones. (Groups that are one row make long streams, which
        the hardware takes care of.)
How     At the end of each block of the program, after one branch for all:

            the launch is large, and its grid wide ?   prefetch (address of the load + distance), one per line

        for loads of whole vectors, without masks and outside of loops, whose addresses grow by a constant number of
        bytes with the group's index along x, at most MAX_BYTES. Loads close to one another (`in[i - 1]`, `in[i]`,
        `in[i + 1]`) count once. In a narrow grid too many would be past the end of a row. Addresses that are made of
        values saved by an earlier region are not looked into.

Measured on an EPYC 9005, two threads, arrays of 1 GiB together, in GB/s without and with: five-point stencil in groups
of 64 x 4 38 and 46 by a loop in C, transposition by tiles of 16 x 16 36 and 40.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeGuard

from lanewise.ir import types as ty
from lanewise.ir.function import Block
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import NamedTypes, size_of
from lanewise.ir.values import Constant, Value, i32
from lanewise.workgroup.lanes.analysis.nontemporal import LINE, NontemporalArrays
from lanewise.workgroup.lanes.memory.pending import PendingAccesses, PrefetchCandidate, Run
from lanewise.workgroup.lanes.memory.runs import byte
from lanewise.workgroup.lanes.values.lane_code import LaneCode

MAX_BYTES: Final = 1024
"""Bytes from what is loaded to what is prefetched: so much takes longer to process than memory takes to answer."""
MAX_GROUPS: Final = 4
"""Most groups from what is loaded to what is prefetched."""
WIDE: Final = 8 * MAX_GROUPS
"""Minimum grid width in groups: at most an eighth of the prefetches then fall past the end of a row."""
MAX_LINES: Final = 16
"""Most prefetches per block of the program; if there are more, none is made. More addresses than there are registers
would be kept in memory, also in launches that prefetch nothing: it cost a seven-point stencil in three dimensions a
tenth."""

_SAME: Final = frozenset({"sext", "zext", "freeze", "addrspacecast", "bitcast"})
_DEEPEST: Final = 40
"""Most instructions, each the operand of the next, in the computation of an address."""


def note_load(code: LaneCode, pending: PendingAccesses, load: Instruction, block: Block, runs: Sequence[Run]) -> None:
    """Note the runs that a load of `block` has read, if prefetching is worth while."""
    arrays = pending.nontemporal
    if arrays is None or not arrays.any or not runs:
        return
    size = arrays.frame.block
    if not (size.may_exceed_one(1) or size.may_exceed_one(2)) or code.divergence.flow.loop_of(block) is not None:
        return
    step = _Steps(arrays.frame.group[0], code.divergence.types, pending.steps).of(load.operands[0])
    if step is not None and 0 < step <= MAX_BYTES:
        distance = step * min(MAX_GROUPS, MAX_BYTES // step)
        pending.prefetches.append(PrefetchCandidate(load, list(runs), distance))


def prefetch(code: LaneCode, pending: PendingAccesses) -> None:
    """Prefetch for the loads of a block of the program, at its end, if the launch is large."""
    lines = _lines(pending.prefetches, code.divergence.types)
    pending.prefetches.clear()
    if not lines or len(lines) > MAX_LINES:
        return
    assert pending.nontemporal is not None
    some, done = code.new_block("prefetch"), code.new_block("prefetched")
    code.build.branch_if(_is_worth_while(pending.nontemporal), some, done)
    code.begin(some)
    for pointer, offset in lines:
        arguments = [byte(code, pointer, offset), i32(0), i32(3), i32(1)]  # to read, into all caches, data
        code.intrinsic("llvm.prefetch.p0", ty.VOID, arguments)
    code.build.branch(done)
    code.begin(done)


def _is_worth_while(arrays: NontemporalArrays) -> Value:
    entry = arrays.frame.entry
    return entry.binary("and", arrays.large, entry.compare("uge", arrays.frame.grid(0), i32(WIDE)))


def _lines(candidates: Sequence[PrefetchCandidate], types: NamedTypes) -> list[tuple[Value, int]]:
    """Addresses to prefetch, as pointers and offsets; for loads close to one another, those of the first."""
    first: dict[Value, Instruction] = {}
    lines: list[tuple[Value, int]] = []
    for load, runs, distance in candidates:
        if first.setdefault(centre(load.operands[0], types), load) is load:
            lines += [(pointer, distance + offset) for pointer, nbytes in runs for offset in range(0, nbytes, LINE)]
    return lines


def centre(pointer: Value, types: NamedTypes) -> Value:
    """The pointer that this one is less than a line from."""
    offset = 0
    while isinstance(pointer, Instruction) and pointer.op == "getelementptr" and len(pointer.operands) == 2:
        base, index = pointer.operands
        assert pointer.source_type is not None
        if not _is_int(index):
            break
        offset += index.integer * size_of(pointer.source_type, types)
        if abs(offset) >= LINE:
            break
        pointer = base
    return pointer


class _Steps:
    """The change of each value when the group index grows by 1."""

    def __init__(self, group_x: Value, types: NamedTypes, known: dict[Value, int | None]) -> None:
        self._group_x = group_x
        self._types = types
        self._known = known

    def of(self, value: Value, depth: int = 0) -> int | None:
        """The change of a value; None if it is not constant, or not known."""
        if value is self._group_x:
            return 1
        if not isinstance(value, Instruction):
            return 0
        if depth > _DEEPEST:
            return None
        if value not in self._known:
            self._known[value] = None  # of a phi, while it is looked at
            operands = [each for each in value.operands if not isinstance(each, Block)]
            self._known[value] = self._combined(value, [self.of(each, depth + 1) for each in operands])
        return self._known[value]

    def _combined(self, value: Instruction, steps: list[int | None]) -> int | None:
        known = [step for step in steps if step is not None]
        if len(known) < len(steps) or value.op == "alloca":  # a value that a region has saved for another
            return None
        if not any(known):
            return 0
        if value.op in _SAME:
            return known[0]
        if value.op in ("add", "or"):
            return known[0] + known[1]
        if value.op == "sub":
            return known[0] - known[1]
        if value.op == "getelementptr" and len(known) == 2:
            assert value.source_type is not None
            return known[0] + known[1] * size_of(value.source_type, self._types)
        if value.op == "mul":
            factor = next(filter(_is_int, value.operands), None)
            return None if factor is None else sum(known) * factor.integer
        if value.op == "shl" and _is_int(amount := value.operands[1]) and 0 <= amount.integer < value.type.bits:
            return known[0] << amount.integer
        return None


def _is_int(value: Value) -> TypeGuard[Constant]:
    return isinstance(value, Constant) and value.kind == "int"
