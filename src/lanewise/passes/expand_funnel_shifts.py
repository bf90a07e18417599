# SPDX-License-Identifier: Apache-2.0
"""expand-funnel-shifts: makes two shifts and an `or` of a shift of two words joined by a varying amount.

Why
    Lanes make vectors of such shifts, and constants of what their amounts are in each lane. LLVM 22 then takes
    `fshl(0, b, <0, 1, ...>)` for `lshr b, <32, 31, ...>`, which is poison in the lane that shifts by 0
    (llvm-project issue 210605). Shifts that are spelled out are never wrong there.

Before
    define i32 @f(i32 %a, i32 %b, i32 %n) {
      %r = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %n)
      ret i32 %r
    }
    declare i32 @llvm.fshl.i32(i32, i32, i32)

After
    define i32 @f(i32 %a, i32 %b, i32 %n) {
      %1 = and i32 %n, 31
      %2 = xor i32 %1, 31
      %3 = shl i32 %a, %1
      %4 = lshr i32 %b, 1
      %5 = lshr i32 %4, %2
      %r = or i32 %3, %5
      ret i32 %r
    }
    declare i32 @llvm.fshl.i32(i32, i32, i32)

Needs
    1. A call of `llvm.fshl` or `llvm.fshr`.
    2. Two different words: a rotation is an instruction of most processors, and never misunderstood.
    3. An amount that is no constant, or one that differs from element to element: else it is the same in all lanes.
    4. Integers of two bits, of four, eight and so on, or vectors of these.

Method
    The amount counts modulo the width. The word that goes the other way is shifted by one and then by what is left, as
    both are less than the width where their sum may be all of it. For `fshr` that is the first word, else the second.

When not
    On GPUs, whose PTX has `shf`.

Neighbours
    Runs on the simplified kernel, before lanes. LLVM's code generator makes one instruction of the shifts again where
    there is one (AVX512_VBMI2).
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, int_constant

_LEFT: Final = "llvm.fshl."
_RIGHT: Final = "llvm.fshr."


def run(function: Function) -> bool:
    """Spell out the funnel shifts of a function; see above. Gives whether anything changed."""
    found = [i for i in function.instructions() if _is_varying_shift(i)]
    for shift in found:
        _spell(shift)
    return bool(found)


def _is_varying_shift(call: Instruction) -> bool:
    if call.op != "call" or not call.callee.startswith((_LEFT, _RIGHT)):  # 1
        return False
    high, low, amount = call.arguments
    if high is low:  # 2
        return False
    if isinstance(amount, Constant) and amount.kind in ("int", "splat"):  # 3
        return False
    bits = call.type.scalar.bits
    return bits > 1 and bits & (bits - 1) == 0  # 4


def _spell(shift: Instruction) -> None:
    type_, block = shift.type, shift.parent
    most = _all_of(type_, type_.scalar.bits - 1)
    one = _all_of(type_, 1)
    line = tuple(each for each in shift.metadata if each[0] == "!dbg")

    def emit(op: str, a: Value, b: Value, name: str | None = None) -> Instruction:
        made = Instruction(op, type_, (a, b), name=name, metadata=line)
        return block.insert(block.instructions.index(shift), made)

    high, low, amount = shift.arguments
    steps = emit("and", amount, most)
    rest = emit("xor", steps, most)
    if shift.callee.startswith(_LEFT):
        parts = emit("shl", high, steps), emit("lshr", emit("lshr", low, one), rest)
    else:
        parts = emit("shl", emit("shl", high, one), rest), emit("lshr", low, steps)
    shift.replace_all_uses(emit("or", *parts, name=shift.name))
    shift.erase()


def _all_of(type_: Type, value: int) -> Constant:
    element = int_constant(type_.scalar, value)
    return Constant(type_, "splat", operands=(element,)) if type_.is_vector else element
