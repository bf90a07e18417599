# SPDX-License-Identifier: Apache-2.0
"""compose-linear-steps: x * a + b, scaled and shifted again, as one step with other constants.

Why
    Code that maps ranges to ranges does so in steps: bytes to 0..1, less a mean, by a deviation. Where the program
    permits sums to be reassociated, LLVM folds products and sums with constants into one of each, but not once they are
    rounded together as `llvm.fma`. SHOC's MaxFlops has chains of 20 to 240 steps with a latency of 4 cycles each.

Before
    define float @f(float %x) {
      %1 = call reassoc nsz float @llvm.fma.f32(float %x, float 2.0, float -1.0)
      %2 = call reassoc nsz float @llvm.fma.f32(float %1, float 0.5, float 4.0)
      ret float %2
    }
    declare float @llvm.fma.f32(float, float, float)

After
    define float @f(float %x) {
      %1 = call reassoc nsz float @llvm.fma.f32(float %x, float 0x3FF0000000000000, float 0x400C000000000000)
      ret float %1
    }
    declare float @llvm.fma.f32(float, float, float)

Needs
    1. Each step is an `llvm.fma`, sum, difference, product or negation of one value with constants, in float or double,
       or vectors of these. LLVM has not done with them: one at least is an `llvm.fma`, and another no negation.
    2. All steps have `reassoc` and `nsz`.
    3. Each step but the last is used by the next alone, and is in the same block.
    4. The factor is normal in the format, and the summand normal or 0.

Method
    From the last step backwards. Constants are composed exactly, and rounded once. The new step has the flags that all
    steps share.

When not
    Constants that aren't known yet: composing them takes as many operations as it saves, but for loops.

Neighbours
    `contract-multiply-add` decides what becomes `llvm.fma`. LLVM's InstCombine folds chains of products and sums.
"""

import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.dyadic import Dyadic, exact
from lanewise.ir.function import Function
from lanewise.ir.instruction import CallSite, Instruction
from lanewise.ir.intrinsics import spelled
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value

_FORMATS: Final = {"float": (24, range(-125, 129)), "double": (53, range(-1021, 1025))}
"""The formats: their significant bits, and the magnitudes of normal numbers."""
_FUSED: Final = "llvm.fma."

_ZERO: Final = Dyadic(0)
_ONE: Final = Dyadic(1)

_Numbers = tuple[Dyadic, ...]
"""A number for each element of a vector, or one."""


class _Step(NamedTuple):
    """A multiple of `value`, and a constant."""

    value: Value
    factor: _Numbers
    summand: _Numbers


def run(function: Function, module: Module) -> bool:
    """Compose such steps of a function; returns whether there are any."""
    steps = {i: step for i in function.instructions() if (step := _step(i)) is not None}
    changed = False
    for last in [i for i in steps if _next(i, steps) is None]:
        chain = [last]
        while isinstance(before := steps[chain[-1]].value, Instruction) and before in steps:
            if _next(before, steps) is not chain[-1]:
                break
            chain.append(before)
        changed |= _compose(chain, steps, module)
    return changed


def _next(step: Instruction, steps: dict[Instruction, _Step]) -> Instruction | None:
    """The only user of a step, if it is a step, too."""
    users = [user for user in step.users if not user.is_debug_record]
    if len(users) != 1 or users[0] not in steps:  # 3
        return None
    return users[0] if users[0].block is step.block else None  # 3


def _step(instruction: Instruction) -> _Step | None:
    """The step that an instruction is, if it is one."""
    if instruction.type.scalar.kind not in _FORMATS:  # 1
        return None
    if not {"reassoc", "nsz"} <= set(instruction.flags):  # 2
        return None
    count = instruction.type.count if instruction.type.is_vector else 1
    zero, one = (_ZERO,) * count, (_ONE,) * count
    if instruction.op == "fneg":
        return _Step(instruction.operands[0], _negated(one), zero)
    if instruction.op == "call" and instruction.callee.startswith(_FUSED):
        a, b, c = instruction.arguments
        (value, factor), summand = _with_constant(a, b, count), _numbers(c, count)
        return _Step(value, factor, summand) if factor is not None and summand is not None else None
    if instruction.op not in ("fadd", "fsub", "fmul"):
        return None
    a, b = instruction.operands
    value, number = _with_constant(a, b, count)
    if number is None:  # 1
        return None
    if instruction.op == "fmul":
        return _Step(value, number, zero)
    if instruction.op == "fadd":
        return _Step(value, one, number)
    is_first = value is a
    return _Step(value, one, _negated(number)) if is_first else _Step(value, _negated(one), number)


def _with_constant(a: Value, b: Value, count: int) -> tuple[Value, _Numbers | None]:
    """The operand that varies and the other one, if that is a constant."""
    return (b, _numbers(a, count)) if isinstance(a, Constant) else (a, _numbers(b, count))


def _negated(numbers: _Numbers) -> _Numbers:
    return tuple(number.negated() for number in numbers)


def _numbers(value: Value, count: int) -> _Numbers | None:
    """The numbers of a finite constant; None for anything else."""
    if not isinstance(value, Constant):
        return None
    if value.kind == "zeroinitializer":
        return (_ZERO,) * count
    of_kind = {"aggregate": value.operands, "splat": value.operands * count}
    elements = of_kind.get(value.kind, (value,))
    found: list[Dyadic] = []
    for element in elements:
        if not isinstance(element, Constant) or element.kind != "float":
            return None
        number = element.floating
        if number - number != 0:
            return None
        found.append(exact(number))
    return tuple(found)


def _compose(chain: Sequence[Instruction], steps: dict[Instruction, _Step], module: Module) -> bool:
    """Put one step in the place of a chain, whose last step is its first element."""
    if not any(each.op == "call" for each in chain) or sum(each.op != "fneg" for each in chain) < 2:  # 1
        return False
    last, type_ = chain[0], chain[0].type
    _, factor, summand = steps[last]
    for each in chain[1:]:
        _, inner, shift = steps[each]
        summand = tuple(f.times(s).plus(t) for f, s, t in zip(factor, shift, summand, strict=True))
        factor = tuple(f.times(i) for f, i in zip(factor, inner, strict=True))
    bits, magnitudes = _FORMATS[type_.scalar.kind]
    factor, summand = (tuple(number.rounded(bits) for number in numbers) for numbers in (factor, summand))
    other_than_0 = [number for number in summand if number.mantissa]
    if not all(number.magnitude in magnitudes for number in (*factor, *other_than_0)):  # 4
        return False
    value = steps[chain[-1]].value
    flags = tuple(flag for flag in last.flags if all(flag in each.flags for each in chain))
    line = tuple(node for node in last.metadata if node[0] == "!dbg")
    fused = module.declare(f"{_FUSED}{spelled(type_)}", ty.function(type_, (type_,) * 3))
    operands = (fused, value, _constant(type_, factor), _constant(type_, summand))
    site = CallSite(fused.value_type)
    made = Instruction("call", type_, operands, name=last.name, flags=flags, metadata=line, call=site)
    last.parent.insert(last.parent.instructions.index(last), made)
    last.replace_all_uses(made)
    for each in chain:
        each.erase()
    return True


def _constant(type_: Type, numbers: _Numbers) -> Constant:
    """Numbers of a type's format as a constant."""
    elements = tuple(Constant(type_.scalar, "float", _in_hexadecimal(number)) for number in numbers)
    return Constant(type_, "aggregate", operands=elements) if type_.is_vector else elements[0]


def _in_hexadecimal(number: Dyadic) -> str:
    """The bits of a number as a double, as LLVM writes constants of both formats."""
    return f"0x{struct.pack('>d', number.floating()).hex().upper()}"
