# SPDX-License-Identifier: Apache-2.0
"""Loads of vectors that clang makes to write some of their components.

`t[i].xy = v` becomes

    %old = load <4 x float>, ptr %at
    %wide = shufflevector <2 x float> %v, <2 x float> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
    %new = shufflevector <4 x float> %old, <4 x float> %wide, <4 x i32> <i32 4, i32 5, i32 2, i32 3>
    store <4 x float> %new, ptr %at

The source reads nothing there. A load is such a one if each of its components goes nowhere, or by insertelement and
shufflevector back to its own place.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from lanewise.checks.subscripts import address_of
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.values import Constant, Value

Components: TypeAlias = tuple[int | None, ...]
"""The component of a load that each component of a vector is; None: none."""

_ADDRESS: Final = slice(0, 3)
"""The parts of an `ObjectAddress` but for the subscripts."""


def keeps_components(load: Instruction, module: Module) -> bool:
    """True for a load that the source doesn't have, made for a store that leaves some components as they are."""
    if load.op != "load" or load.type.kind != "vector" or load.is_volatile:
        return False
    return _stay(load, tuple(range(load.type.count)), load, module)


def _stay(vector: Instruction, components: Components, load: Instruction, module: Module) -> bool:
    """True if all uses of a vector bring the components of the load back to their places."""
    for user in vector.users:
        if user.op == "store":
            if user.operands[0] is not vector or not _is_same_address(user.operands[1], load.operands[0], module):
                return False
            if any(each not in (None, place) for place, each in enumerate(components)):
                return False
        elif user.op == "insertelement" and user.operands[0] is vector:
            at = user.operands[2]
            place = at.integer if isinstance(at, Constant) and at.kind in ("int", "zeroinitializer") else None
            rest = tuple(None if n == place else each for n, each in enumerate(components))
            if not _stay(user, rest, load, module):
                return False
        elif user.op == "shufflevector":
            if not _stay(user, _shuffled(user, vector, components), load, module):
                return False
        else:
            return False
    return True


def _shuffled(shuffle: Instruction, vector: Instruction, components: Components) -> Components:
    nothing: Components = (None,) * len(components)
    both = [each for operand in shuffle.operands[:2] for each in (components if operand is vector else nothing)]
    return tuple(None if place is None else both[place] for place in _mask(shuffle.operands[2]))


def _mask(mask: Value) -> Sequence[int | None]:
    assert isinstance(mask, Constant)
    if mask.kind == "aggregate":
        return [each.integer if isinstance(each, Constant) and each.kind == "int" else None for each in mask.operands]
    if mask.kind == "splat":
        (each,) = mask.operands
        return [each.integer if isinstance(each, Constant) and each.kind == "int" else None] * mask.type.count
    return [0 if mask.kind == "zeroinitializer" else None] * mask.type.count


def _is_same_address(a: Value, b: Value, module: Module) -> bool:
    return a is b or address_of(a, None, module)[_ADDRESS] == address_of(b, None, module)[_ADDRESS]
