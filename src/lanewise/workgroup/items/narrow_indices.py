# SPDX-License-Identifier: Apache-2.0
"""Hides from LLVM's loop vectoriser that an index counts round in fewer than 32 bits.

Before
    define i8 @f(ptr %a, i64 %n) {
    entry:
      %x = add i64 %n, 1
      %low = and i64 %x, 3
      %p = getelementptr i8, ptr %a, i64 %low
      %v = load i8, ptr %p
      ret i8 %v
    }

After
    define i8 @f(ptr %a, i64 %n) {
    entry:
      %ones = load i64, ptr @lw_ones, align 8
      %x = add i64 %n, 1
      %low = and i64 %x, 3
      %0 = and i64 %low, %ones
      %p = getelementptr i8, ptr %a, i64 %0
      %v = load i8, ptr %p
      ret i8 %v
    }
    @lw_ones = internal externally_initialized global i64 -1

Why: `x & 3` of a loop's counter x is, to LLVM, a counter of two bits that may wrap round. Its vectoriser accesses
a[x], a[x + 1], ... on the condition, checked before the loop, that it doesn't. LLVM 22 leaves such a check out if
the loop needs another one, of a wider counter that is stepped at least as far. It takes that one to imply the first
(`SCEVWrapPredicate::implies` compares no widths; later versions do). The loop then reads the wrong elements. So a
narrow counter that reaches an address goes through an `and` with ones that LLVM can't see: an index that it knows
nothing of, which it gathers by.

Method: narrow counters are searched for from the indices of all address computations, backwards through integer
arithmetic. A narrow counter is made by `and` with a mask (also one that doesn't start at the lowest bit, since the
operand may be shifted), `ashr` of `shl`, `zext` and `sext` of fewer than 32 bits. An instruction whose operand is known
to fit is left alone: LLVM drops it.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, i64

ONES: Final = "lw_ones"
"""A variable of the module. It is never written, but LLVM is told that it may be."""

_ARITHMETIC: Final = frozenset(
    {"add", "sub", "mul", "shl", "ashr", "and", "or", "xor", "zext", "sext", "trunc", "select", "freeze"}
)
"""Operations that LLVM's analysis of counters looks through."""

_WIDE: Final = 32
"""Bits of counters that are safe, as are longer ones: none of the conditions is about these."""


def hide_narrow_indices(module: Module, function: Function) -> None:
    """Hide narrow indices in a function of host IR that `module` holds, or will hold."""
    hidden: dict[Type, Instruction] = {}
    for instruction in _narrow_counters(function):
        type_ = instruction.type
        ones = hidden.get(type_) or _ones(module, function.blocks[0], type_, hidden)
        users = list(instruction.users)
        block = instruction.parent
        after = Instruction("and", type_, (instruction, ones))
        block.insert(block.instructions.index(instruction) + 1, after)
        for user in users:
            user.replace_operand(instruction, after)


def _ones(module: Module, entry: Block, type_: Type, hidden: dict[Type, Instruction]) -> Instruction:
    """All-ones constant of a type, loaded (or truncated from i64) at the start of `entry`."""
    if type_ is not ty.I64:
        wide = hidden.get(ty.I64) or _ones(module, entry, ty.I64, hidden)
        made = Instruction("trunc", type_, (wide,))
    else:
        if ONES not in module.symbols:
            prefix = ("internal", "externally_initialized", "global")
            module.add(GlobalVariable(ONES, ty.I64, i64(-1), prefix=prefix))
        made = Instruction("load", ty.I64, (module.symbols[ONES],), name="ones", source_type=ty.I64, align=8)
    hidden[type_] = entry.insert(min(len(hidden), 1), made)
    return made


def _narrow_counters(function: Function) -> list[Instruction]:
    """The narrow counters, each once, in the order in which they are found."""
    found: list[Instruction] = []
    seen: set[Value] = set()
    work: list[Value] = []
    for instruction in function.instructions():
        if instruction.op == "getelementptr":
            work += instruction.operands[1:]
            while work:
                value = work.pop()
                if value in seen or not isinstance(value, Instruction) or value.op not in _ARITHMETIC:
                    continue
                seen.add(value)
                if value.type.kind == "int" and value.type.bits <= 64 and _is_narrow_counter(value):
                    found.append(value)
                else:
                    work += value.operands
    return found


def _is_narrow_counter(value: Instruction) -> bool:
    first = value.operands[0]
    if value.op == "and":
        mask = _integer(value.operands[1])
        if mask is None or (value.type.bits > _WIDE and (mask < 0 or mask.bit_length() >= _WIDE)):
            return False
        fits = mask >= 0 and not mask & mask + 1 and _at_most(first, mask)
        return _may_count(first) and not fits
    if value.op == "ashr":
        return isinstance(first, Instruction) and first.op == "shl" and _integer(value.operands[1]) is not None
    if value.op in ("zext", "sext"):
        bits = first.type.bits
        return bits < _WIDE and _may_count(first) and not _at_most(first, (1 << bits - (value.op == "sext")) - 1)
    return False


def _may_count(value: Value) -> bool:
    """Return whether LLVM may see more in the value than something that a loop computes anew each time."""
    return isinstance(value, Instruction) and (value.op == "phi" or value.op in _ARITHMETIC)


def _at_most(value: Value, limit: int, depth: int = 6) -> bool:
    """Return whether the value is known to be from 0 to `limit`."""
    bound = _bound(value, depth)
    return bound is not None and bound <= limit


def _bound(value: Value, depth: int) -> int | None:
    """An upper bound of the value as an unsigned number; None if none is known."""
    constant = _integer(value)
    if constant is not None:
        return constant if constant >= 0 else None
    if not isinstance(value, Instruction) or depth == 0:
        return None
    if value.op == "phi":
        return _trip_bound(value)
    if value.op in ("zext", "trunc", "freeze"):
        bound = _bound(value.operands[0], depth - 1)
        return bound if bound is not None and bound < 1 << value.type.bits else None
    if value.op in ("add", "mul", "shl") and "nuw" in value.flags:
        a, b = (_bound(o, depth - 1) for o in value.operands)
        if a is None or b is None or b > 1 << 32:
            return None
        return a + b if value.op == "add" else a * b if value.op == "mul" else a << min(b, 64)
    if value.op == "and":
        bounds = [b for o in value.operands if (b := _bound(o, depth - 1)) is not None]
        return min(bounds, default=None)
    return None


def _trip_bound(phi: Instruction) -> int | None:
    """The last value of a counter from 0 in steps of 1 with a constant bound: `add phi, 1`, below a constant."""
    values = [value for value, _ in phi.incoming()]
    if len(values) != 2 or _integer(values[0]) != 0:
        return None
    step = values[1]
    if not isinstance(step, Instruction) or step.op != "add" or step.operands[0] is not phi:
        return None
    for user in step.users:
        if user.op == "icmp" and user.predicate == "ult" and user.operands[0] is step and user.block is step.block:
            end = _integer(user.operands[1])
            if end is not None and end > 0 and _integer(step.operands[1]) == 1:
                return end - 1
    return None


def _integer(value: Value) -> int | None:
    return value.integer if isinstance(value, Constant) and value.kind == "int" else None
