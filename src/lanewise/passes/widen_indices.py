# SPDX-License-Identifier: Apache-2.0
"""widen-indices: does the arithmetic of indices in 64 bits, where it may not wrap in 32.

Why
    `in[z * plane + y * width + x]` is a signed sum of 32 bits, extended to 64 for the address. LLVM's reassociation
    reorders such sums and forgets that they don't wrap; behind the extension, neighbours in x are then not known to be
    neighbours in memory, and lanes gather what they could load as a vector. On a GPU the extension is an instruction
    that a 64-bit sum saves; on the CPU the 3-D stencil of bench/cpu took five times as long.

Before
    define float @f(ptr %in, i32 %row, i32 %x) {
      %i = add nsw i32 %row, %x
      %wide = sext i32 %i to i64
      %p = getelementptr float, ptr %in, i64 %wide
      %v = load float, ptr %p, align 4
      ret float %v
    }

After
    define float @f(ptr %in, i32 %row, i32 %x) {
      %1 = sext i32 %x to i64
      %2 = sext i32 %row to i64
      %i = add nsw i32 %row, %x
      %3 = add nsw i64 %2, %1
      %p = getelementptr float, ptr %in, i64 %3
      %v = load float, ptr %p, align 4
      ret float %v
    }

Needs
    1. A sign extension to 64 bits.
    2. What it extends is a sum or difference that may not wrap as a signed number (nsw), or an `or` without carries
       (disjoint).

Method
    From each extension down through such sums, to what is none. That is extended, once in a function, where it is
    defined, and the sums are done again in 64 bits, each behind the narrow one. Where a narrow sum wraps, and so is
    poison, the wide one is a number: fewer programs are undefined, not more.

When not
    Products stay narrow: vectors multiply 64 bits slowly. Unsigned sums may wrap. Expressions of more than `most` sums
    are left alone: they are data, which would need twice the vectors, rather than an index.

Neighbours
    Runs when variables are in registers and before LLVM's simplification, which drops the narrow sums. LLVM widens the
    counters of loops, too, but no other index.
"""

from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.dominators import dominators
from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value, int_constant


class WidenOptions(NamedTuple):
    """`most`: sums of an expression that is widened; what indexes memory has a few for each dimension."""

    most: int = 32


def run(function: Function, module: Module, options: WidenOptions) -> bool:
    """Widen the indices of a function; see above. Gives whether anything changed."""
    del module
    widener = _Widener(function)
    changed = False
    tree = dominators(function)
    for extension in [i for i in function.instructions() if i.op == "sext" and i.type is ty.I64]:  # 1
        if not tree.reaches(extension.parent):  # there, a sum may be its own operand
            continue
        operand = extension.operands[0]
        if _is_sum(operand) and _count_sums(operand, options.most) <= options.most:
            extension.replace_all_uses(widener.wide(operand))
            extension.erase()
            changed = True
    return changed


def _is_sum(value: Value) -> bool:
    if not isinstance(value, Instruction):
        return False
    if value.op in ("add", "sub"):
        return "nsw" in value.flags  # 2
    return value.op == "or" and "disjoint" in value.flags  # 2


def _count_sums(value: Value, most: int) -> int:
    """Number of sums that make up `value`, each counted once; counting stops after `most`."""
    found: set[Instruction] = set()
    work = [value]
    while work and len(found) <= most:
        following = work.pop()
        if isinstance(following, Instruction) and following not in found and _is_sum(following):
            found.add(following)
            work += following.operands
    return len(found)


class _Widener:
    def __init__(self, function: Function) -> None:
        self._function: Final = function
        self._known: Final[dict[Value, Instruction]] = {}

    def wide(self, value: Value) -> Value:
        """`value` extended to 64 bits; sums as sums of extended operands."""
        if isinstance(value, Constant) and value.kind == "int":
            return int_constant(ty.I64, value.integer)
        made = self._known.get(value)
        if made is None:
            if isinstance(value, Instruction) and _is_sum(value):
                operands = [self.wide(operand) for operand in value.operands]
                op = "add" if value.op == "or" else value.op
                made = self._behind(value, Instruction(op, ty.I64, operands, flags=("nsw",), metadata=value.metadata))
            else:
                made = self._behind(value, Instruction("sext", ty.I64, (value,)))
            self._known[value] = made
        return made

    def _behind(self, value: Value, new: Instruction) -> Instruction:
        """Put an instruction where `value` is known, and as early as that."""
        if not isinstance(value, Instruction):
            return self._function.entry.insert(0, new)
        block = value.parent
        index = block.instructions.index(value) + 1
        while block.instructions[index].op == "phi":
            index += 1
        return block.insert(index, new)
