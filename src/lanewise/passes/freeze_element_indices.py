# SPDX-License-Identifier: Apache-2.0
"""freeze-element-indices: freezes the number of a vector's element that is not known before the program runs.

Why
    LLVM 22's VectorCombine makes a load of one element out of a load of the vector and an `extractelement`. If the
    index is an `and` whose operand may be poison, it freezes that operand. If two elements have the same index, it
    freezes it twice, and an assertion ends the process. An index that is frozen is never poison.

Before
    define float @f(ptr %p, i32 %n) {
      %i = and i32 %n, 3
      %v = load <4 x float>, ptr %p
      %r = extractelement <4 x float> %v, i32 %i
      ret float %r
    }

After
    define float @f(ptr %p, i32 %n) {
      %i = and i32 %n, 3
      %v = load <4 x float>, ptr %p
      %1 = freeze i32 %i
      %r = extractelement <4 x float> %v, i32 %1
      ret float %r
    }

Needs
    1. An `extractelement` or an `insertelement`.
    2. An index that is no constant, and not frozen.

Method
    Each access freezes its own index.

When not
    An index that two accesses share is frozen for each: LLVM finds out whether that is once too often.

Neighbours
    Runs when all calls are inlined, since the inliner takes arguments for well defined and drops what freezes them, and
    before LLVM simplifies the kernel.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.values import Constant

_INDEX: Final = {"extractelement": 1, "insertelement": 2}
"""The operations, with the places of their indices among the operands."""


def run(function: Function) -> bool:
    """Freeze the indices of a function; see above. Returns whether anything changed."""
    found = [i for i in function.instructions() if _has_unknown_index(i)]
    for access in found:
        place, block = _INDEX[access.op], access.parent
        index = access.operands[place]
        line = tuple(each for each in access.metadata if each[0] == "!dbg")
        frozen = Instruction("freeze", index.type, (index,), metadata=line)
        block.insert(block.instructions.index(access), frozen)
        access.set_operand(place, frozen)
    return bool(found)


def _has_unknown_index(access: Instruction) -> bool:
    if access.op not in _INDEX:  # 1
        return False
    index = access.operands[_INDEX[access.op]]
    return not isinstance(index, Constant) and not (isinstance(index, Instruction) and index.op == "freeze")  # 2
