# SPDX-License-Identifier: Apache-2.0
"""narrow-comparisons: compares in 32 bits what has 64 and is small.

Why
    GPUs compare 32 bits by an instruction: 64 take two. LLVM removes conversions where it can. What a program shifts
    out of a 64-bit state, and takes for an `int`, it compares in 64 bits, and nvcc in 32. A random walk by a 64-bit
    generator has 229 instead of 265 instructions for sm_90 this way.

Before
    define i1 @f(i64 %state) {
      %direction = lshr i64 %state, 62
      %left = icmp eq i64 %direction, 1
      ret i1 %left
    }

After
    define i1 @f(i64 %state) {
      %direction = lshr i64 %state, 62
      %1 = trunc i64 %direction to i32
      %left = icmp eq i32 %1, 1
      ret i1 %left
    }

Needs
    1. A comparison of two 64-bit integers.
    2. Both are known to be below 2^32.

Method
    The lower half of a 64-bit integer is a register of its own, so to cut one in halves costs nothing. Two numbers
    below 2^32 have the order of their lower halves, read without a sign, in which signed and unsigned order agree.

When not
    Negative numbers that are known to fit 32 bits: LLVM compares what they were extended from. A vector. Few programs
    gain from it, so it waits to be asked for: of 90 kernels one has 3 % fewer instructions, and of nine kernels of
    HeCBench that it changes none has 1 % fewer.

Neighbours
    Runs after LLVM's optimiser, which would take the conversions away again.
"""

from collections.abc import Collection
from typing import Final

from lanewise.analysis.widths import unsigned_width
from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, Value, i32

_HALF: Final = 32


def run(function: Function) -> bool:
    """Narrow the comparisons of a function; see above. Returns whether anything changed."""
    changed = False
    for block in function.blocks:
        found = [each for each in block.instructions if each.op == "icmp" and _is_small(each)]
        if found:
            _narrow(found, block)
            changed = True
    return changed


def _is_small(comparison: Instruction) -> bool:
    if comparison.operands[0].type is not ty.I64:  # 1
        return False
    return all(unsigned_width(operand) <= _HALF for operand in comparison.operands)  # 2


def _narrow(comparisons: Collection[Instruction], block: Block) -> None:
    """Put comparisons of lower halves in place of those of a block."""
    narrowed = set(comparisons)
    halves: dict[Value, Value] = {}
    old = list(block.instructions)
    block.instructions.clear()
    for each in old:
        if each in narrowed:
            each.replace_all_uses(_of_lower_halves(each, halves, block))
        block.instructions.append(each)
    erase_unused(comparisons)


def _of_lower_halves(comparison: Instruction, halves: dict[Value, Value], block: Block) -> Instruction:
    """Append the comparison of lower halves to a block, with those that it doesn't have yet."""
    for operand in comparison.operands:
        if operand not in halves:
            halves[operand] = _lower_half(operand, block)
    made = Instruction(
        "icmp",
        comparison.type,
        [halves[operand] for operand in comparison.operands],
        name=comparison.name,
        predicate=comparison.predicate.replace("s", "u"),
        metadata=comparison.metadata,
    )
    return block.append(made)


def _lower_half(value: Value, block: Block) -> Value:
    """The lower half of a value that is below 2^32; a block gets its computation at the end."""
    if isinstance(value, Constant):
        return i32(value.integer)
    if isinstance(value, Instruction) and value.op == "zext" and value.operands[0].type is ty.I32:
        return value.operands[0]
    return block.append(Instruction("trunc", ty.I32, [value]))
