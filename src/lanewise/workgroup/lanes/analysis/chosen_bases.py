# SPDX-License-Identifier: Apache-2.0
"""Addresses of neighbours in one of two arrays, which each lane chooses: `c[i] > 0 ? a[i] : b[i]`.

Needs
    1. The condition is varying, and both pointers are uniform.
    2. The index has 64 bits and a known step, by which the loads are those of neighbours.
    3. The load is of one number, neither volatile nor ordered.
    4. The choice and the address are computed in the block of the load: both are used there by whoever is there.
    5. A chunk is no rows of several lanes, which would need an access each.
"""

from lanewise.analysis.divergence import Divergence
from lanewise.ir import effects
from lanewise.ir.instruction import Instruction
from lanewise.ir.layout import size_of
from lanewise.ir.values import Value


def chosen_base(pointer: Value) -> Instruction | None:
    """The choice of the pointer that an address is relative to; None if there is none."""
    if not isinstance(pointer, Instruction) or pointer.op != "getelementptr" or len(pointer.operands) != 2:
        return None
    base = pointer.operands[0]
    return base if isinstance(base, Instruction) and base.op == "select" else None


def are_chosen_neighbours(divergence: Divergence, load: Instruction) -> bool:
    """Return whether a load reads neighbours in one of two arrays."""
    block, type_ = load.parent, load.type
    base = chosen_base(load.operands[0]) if load.op == "load" else None
    if base is None or divergence.extent.rows > 1:  # 5
        return False
    pointer = load.operands[0]
    assert isinstance(pointer, Instruction)
    assert pointer.source_type is not None
    if base.block is not block or pointer.block is not block:  # 4
        return False
    if type_.is_vector or type_.kind == "struct" or type_.bits == 1 or effects.is_ordered(load):  # 3
        return False
    condition, *bases = (divergence.at_use(operand, block) for operand in base.operands)
    if not condition.is_varying or not all(each.is_uniform for each in bases):  # 1
        return False
    index = pointer.operands[1]
    shape = divergence.at_use(index, block)
    if index.type.bits != 64 or shape.is_varying or shape.lane is None or shape.chunk is None:  # 2
        return False
    return shape.lane * size_of(pointer.source_type, divergence.types) == size_of(type_, {})  # 2
