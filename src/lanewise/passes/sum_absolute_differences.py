# SPDX-License-Identifier: Apache-2.0
"""sum-absolute-differences: computes |a - b| + c by one instruction.

Why
    GPUs have it (`sad`; SASS has VABSDIFF). LLVM makes it of an intrinsic alone. Of the difference of bytes
    it makes a maximum, a minimum and their difference in 16 bits, which is then extended and added. Parboil's `sad`,
    which compares blocks of pixels, executes half the instructions this way.

Before
    declare i32 @llvm.abs.i32(i32, i1)
    define i32 @f(i32 %a, i32 %b, i32 %c) {
      %difference = sub nsw i32 %a, %b
      %distance = call i32 @llvm.abs.i32(i32 %difference, i1 true)
      %sum = add i32 %distance, %c
      ret i32 %sum
    }

After
    declare i32 @llvm.abs.i32(i32, i1)
    define i32 @f(i32 %a, i32 %b, i32 %c) {
      %sum = call i32 asm "sad.s32 $0, $1, $2, $3;", "=r,r,r,r"(i32 %a, i32 %b, i32 %c)
      ret i32 %sum
    }

Needs
    1. The absolute value of a difference of 32-bit integers that doesn't wrap; or the choice of one of two differences
       by the comparison of the same operands, which may have been extended since.
    2. The greater operand is the one that is subtracted from.
    3. The difference has no other use: the absolute value alone is one instruction, too.

Method
    `sad` subtracts the lesser operand from the greater one, as signed or unsigned integers, and all sums are modulo
    2^32: so are those that it replaces. If the result is added to one value and used nowhere else, `sad` adds that
    value, otherwise 0. Sums of several differences become a chain, in the order of the sum.

When not
    In 16 and 64 bits: values of 16 bits are extended for it in most programs, as C has it.

Neighbours
    Runs after LLVM's optimiser, which finds absolute values in most choices.
"""

from typing import Final, NamedTuple, TypeGuard

from lanewise.ir import types as ty
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.unused import erase_unused
from lanewise.ir.values import Constant, Value, i32

_ABSOLUTE_VALUE: Final = "llvm.abs.i32"


class _Distance(NamedTuple):
    """The absolute difference of two values."""

    a: Value
    b: Value
    signed: bool


def run(function: Function) -> bool:
    """Rewrite the absolute differences of a function; see above. Returns whether anything changed."""
    found = [each for each in function.instructions() if each.type is ty.I32 and _distance(each) is not None]
    for value in found:
        distance = _distance(value)  # again: an operand may have been rewritten
        if distance is not None:
            _rewrite(value, distance)
    return bool(found)


def _distance(value: Instruction) -> _Distance | None:
    """The absolute difference that a value is; None if it is another one."""
    if value.callee == _ABSOLUTE_VALUE:
        difference = value.arguments[0]
        if not _is_difference(difference) or "nsw" not in difference.flags:  # 1
            return None
        a, b = difference.operands
        return _Distance(a, b, True) if len(difference.users) == 1 else None  # 3
    if value.op != "select":
        return None
    test, first, second = value.operands
    if not (isinstance(test, Instruction) and test.op == "icmp" and _is_difference(first) and _is_difference(second)):
        return None
    a, b = first.operands
    if second.operands != [b, a]:  # 1
        return None
    if len(first.users) > 1 and len(second.users) > 1:  # 3
        return None
    signed, order = test.predicate[0] == "s", test.predicate[1:]
    if order not in ("gt", "ge", "lt", "le"):  # 1
        return None
    greater, lesser = test.operands if order[0] == "g" else test.operands[::-1]
    agrees = _is_extended(a, greater, signed) and _is_extended(b, lesser, signed)
    return _Distance(a, b, signed) if agrees else None  # 2


def _is_difference(value: Value) -> TypeGuard[Instruction]:
    return isinstance(value, Instruction) and value.op == "sub"


def _is_extended(value: Value, original: Value, signed: bool) -> bool:
    """True for a value itself, and its extension to 32 bits, which keeps the order of signed or unsigned values."""
    if value is original:
        return True
    if not isinstance(value, Instruction) or value.op != ("sext" if signed else "zext"):
        return False
    return value.operands[0] is original


def _rewrite(value: Instruction, distance: _Distance) -> None:
    place, summand = value, i32(0)
    if len(value.users) == 1:
        (user,) = value.users
        if user.op == "add" and user.operands[0] is not user.operands[1]:
            place = user
            summand = next(operand for operand in user.operands if operand is not value)
    made = _sum(distance, summand, place)
    block = place.parent
    block.insert(block.instructions.index(place), made)
    place.replace_all_uses(made)
    erase_unused([place])


def _sum(distance: _Distance, summand: Value, place: Instruction) -> Instruction:
    operation = "sad.s32" if distance.signed else "sad.u32"
    callee = Constant(ty.PTR, "asm", f'asm "{operation} $0, $1, $2, $3;", "=r,r,r,r"')
    type_ = ty.function(ty.I32, (ty.I32,) * 3)
    line = tuple(each for each in place.metadata if each[0] == "!dbg")
    operands = (callee, distance.a, distance.b, summand)
    return Instruction("call", ty.I32, operands, name=place.name, metadata=line, call=CallSite(type_))
